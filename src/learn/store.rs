//! A run as bytes: stored, read again, and continued to the same numbers.

use crate::dropout::Masks;
use crate::error::{Error, Result};
use crate::run::Run;
use crate::settings::Settings;
use crate::task::Task;
use serde::{Deserialize, Serialize};
use translucent::random::SplitMix64;

/// First bytes of a stored run; the last one is the version.
const MAGIC: &[u8; 8] = b"tllearn1";

/// What stands before the numbers.
#[derive(Serialize, Deserialize)]
struct Header {
    task: Task,
    settings: Settings,
    steps: u64,
    data: u64,
    /// State of the dropout masks' generator, where there is dropout.
    masks: Option<u64>,
}

impl Run {
    /// The run with weights, moments and the states of its generators.
    ///
    /// # Errors
    /// [`Error::Stored`] if its task or settings have no JSON, which none of ours lack.
    pub fn save(&self) -> Result<Vec<u8>> {
        let header = Header {
            task: self.task().clone(),
            settings: self.settings().clone(),
            steps: self.adam.steps,
            data: self.data.state(),
            masks: match &self.regularization.masks {
                Masks::Drawn { random, .. } => Some(random.state()),
                _ => None,
            },
        };
        let header = serde_json::to_vec(&header).map_err(|e| Error::Stored(e.to_string()))?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(&header);
        for values in [&self.parameters.values, &self.adam.first, &self.adam.second] {
            bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        }
        Ok(bytes)
    }

    /// The run that [`Run::save`] stored.
    ///
    /// # Errors
    /// [`Error::Stored`] if the bytes are no such run; [`Error::Setting`] as [`Run::new`].
    pub fn restore(bytes: &[u8]) -> Result<Self> {
        let stored = |what: &str| Error::Stored(what.into());
        let (magic, rest) = bytes
            .split_first_chunk::<8>()
            .ok_or_else(|| stored("it is cut off"))?;
        if magic != MAGIC {
            return Err(stored("it is of another version"));
        }
        let (length, rest) = rest
            .split_first_chunk::<4>()
            .ok_or_else(|| stored("it is cut off"))?;
        let (header, numbers) = rest
            .split_at_checked(u32::from_le_bytes(*length) as usize)
            .ok_or_else(|| stored("it is cut off"))?;
        let header: Header =
            serde_json::from_slice(header).map_err(|e| Error::Stored(e.to_string()))?;
        let mut run = Self::new(header.task, header.settings)?;
        let weights = run.parameters.values.len();
        if numbers.len() != 3 * weights * size_of::<f32>() {
            return Err(stored("its weights are not those of its settings"));
        }
        let values = numbers.as_chunks::<4>().0;
        let values = values.iter().map(|bytes| f32::from_le_bytes(*bytes));
        let places = run.parameters.values.iter_mut();
        let places = places
            .chain(&mut run.adam.first)
            .chain(&mut run.adam.second);
        places.zip(values).for_each(|(place, value)| *place = value);
        run.before.copy_from_slice(&run.parameters.values);
        run.adam.steps = header.steps;
        run.data = SplitMix64::new(header.data);
        if let (Masks::Drawn { random, .. }, Some(state)) =
            (&mut run.regularization.masks, header.masks)
        {
            *random = SplitMix64::new(state);
        }
        Ok(run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_run_continues_to_the_same_losses() {
        let settings = Settings {
            dropout: 0.1,
            batch_size: 8,
            ..Settings::default()
        };
        let mut run = Run::new(Task::Dates, settings).unwrap();
        for _ in 0..5 {
            run.step().unwrap();
        }
        let bytes = run.save().unwrap();
        let mut restored = Run::restore(&bytes).unwrap();
        assert_eq!(restored.steps(), 5);
        for _ in 0..3 {
            assert_eq!(run.step().unwrap(), restored.step().unwrap());
        }
        for cut in [0, 9, 100, bytes.len() - 1] {
            assert!(matches!(Run::restore(&bytes[..cut]), Err(Error::Stored(_))));
        }
    }
}
