//! The stages of a run: which recipe is trained until how many target tokens.

use super::{Recipe, Stage};
use crate::data::augment::Augment;
use crate::error::{Error, Result};

impl Recipe {
    /// Number of the stage in which a run is after so many target tokens; the last one also when it is over.
    pub fn stage_at(&self, target_tokens: u64) -> usize {
        let mut end = 0;
        let over = |stage: &&Stage| {
            end += stage.tokens;
            end <= target_tokens
        };
        let stages = &self.training.stages;
        stages
            .iter()
            .take_while(over)
            .count()
            .min(self.last_stage())
    }

    /// Number of the last stage; a recipe without stages is one stage.
    pub fn last_stage(&self) -> usize {
        self.training.stages.len().saturating_sub(1)
    }

    /// The recipe that is trained in a stage, without stages: its `max_tokens` are those at which the stage ends, and
    /// files of weight 0 are left out.
    ///
    /// # Errors
    /// A weight of a file that is not there; a fault of `augment`.
    pub fn of_stage(&self, number: usize) -> Result<Recipe> {
        let mut recipe = self.clone();
        let stages = std::mem::take(&mut recipe.training.stages);
        for (i, stage) in stages.iter().enumerate().take(number + 1) {
            recipe
                .apply(stage)
                .map_err(|reason| Error::Recipe(format!("training.stages[{i}]: {reason}")))?;
        }
        recipe.data.train.retain(|file| file.weight != 0.0);
        Ok(recipe)
    }

    fn apply(&mut self, stage: &Stage) -> std::result::Result<(), String> {
        let training = &mut self.training;
        training.max_tokens = Some(training.max_tokens.unwrap_or(0) + stage.tokens);
        training.cooldown_tokens = stage.cooldown_tokens;
        training.schedule.lr_scale = stage.lr_scale.unwrap_or(training.schedule.lr_scale);
        self.data.max_length = stage.max_length.unwrap_or(self.data.max_length);
        for (name, &weight) in &stage.weights {
            let mut files = self.data.train.iter_mut();
            let file = files.find(|file| file.name() == *name);
            file.ok_or_else(|| format!("weights.{name}: there is no such training file"))?
                .weight = weight;
        }
        let text = |e: &dyn std::fmt::Display| format!("augment: {e}");
        let mut augment = toml::Table::try_from(self.data.augment).map_err(|e| text(&e))?;
        augment.extend(stage.augment.clone());
        self.data.augment = augment.try_into::<Augment>().map_err(|e| text(&e))?;
        Ok(())
    }
}
