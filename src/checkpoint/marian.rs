//! From a Marian checkpoint as `transformers` may store it to the one set of names that [`super::layout`] gives.

use super::weights::{Catalogue, Stored};
use crate::layers::position::sinusoidal;
use crate::model::config::Positions;
use crate::{Config, Error, Result};

/// The shared matrix (§3.4) and the names under which files repeat it.
const SHARED: &str = "model.shared.weight";
const TIED: [&str; 3] = [
    "model.encoder.embed_tokens.weight",
    "model.decoder.embed_tokens.weight",
    "lm_head.weight",
];
/// Stored tables may be off by so much: bf16 has eight binary digits.
const POSITIONS_OFF: f32 = 5e-3;

/// Gives every tensor its full name (`encoder…` → `model.encoder…`), and takes out what repeats
/// another: copies of the shared matrix, and tables of sinusoidal positions, which are computed.
///
/// # Errors
/// [`Error::ModelFormat`] if a tensor stands there under two names, a copy differs from its original, or a table
/// holds other positions than the configuration says.
pub fn normalise(
    catalogue: &mut Catalogue<'_>,
    config: &Config,
    tied_projection: bool,
) -> Result<()> {
    full_names(catalogue)?;
    if config.share_embeddings {
        for name in TIED {
            match catalogue.get(SHARED) {
                None => catalogue.rename(name, SHARED)?,
                Some(_) => drop_copy(catalogue, name, SHARED)?,
            }
        }
    } else {
        unshare(catalogue)?;
        if tied_projection {
            drop_copy(
                catalogue,
                "lm_head.weight",
                "model.decoder.embed_tokens.weight",
            )?;
        }
    }
    if config.positions != Positions::Learned {
        for stack in ["encoder", "decoder"] {
            drop_positions(
                catalogue,
                &format!("model.{stack}.embed_positions.weight"),
                config,
            )?;
        }
    }
    Ok(())
}

/// Both embeddings share one table, but not the projection: each gets a copy under its name. Where they have
/// separate tables already, `transformers` does not use the shared one.
fn unshare(catalogue: &mut Catalogue<'_>) -> Result<()> {
    if let Some((shared, _)) = catalogue.remove(SHARED) {
        for name in &TIED[..2] {
            if catalogue.get(name).is_none() {
                catalogue.insert((*name).to_owned(), shared.clone())?;
            }
        }
    }
    Ok(())
}

fn full_names(catalogue: &mut Catalogue<'_>) -> Result<()> {
    let names: Vec<String> = catalogue.iter().map(|(name, _)| name.to_owned()).collect();
    for name in names {
        let inner = ["encoder.", "decoder.", "shared."]
            .iter()
            .any(|part| name.starts_with(part));
        if !inner {
            continue;
        }
        let full = format!("model.{name}");
        if catalogue.get(&full).is_some() {
            let reason = "stands there twice, with and without `model.` before its name".into();
            return Err(Error::ModelFormat { name: full, reason });
        }
        catalogue.rename(&name, &full)?;
    }
    Ok(())
}

/// Takes out `name` if it is there and repeats `original`, which may be missing too.
fn drop_copy(catalogue: &mut Catalogue<'_>, name: &str, original: &str) -> Result<()> {
    let (Some(copy), Some(first)) = (catalogue.get(name), catalogue.get(original)) else {
        catalogue.remove(name);
        return Ok(());
    };
    if !is_copy(catalogue, (name, copy), (original, first))? {
        return Err(Error::ModelFormat {
            name: name.to_owned(),
            reason: format!(
                "differs from {original}, but the configuration says that they are one matrix"
            ),
        });
    }
    catalogue.remove(name);
    Ok(())
}

fn is_copy(
    catalogue: &Catalogue<'_>,
    (name, copy): (&str, &Stored<'_>),
    (original, first): (&str, &Stored<'_>),
) -> Result<bool> {
    // Nearly always; values are compared only for files that store copies.
    Ok(copy.is_same_place(first)
        || copy.shape() == first.shape() && catalogue.is_equal(name, original)?)
}

/// Takes out a table of positions after checking that it equals the computed one.
fn drop_positions(catalogue: &mut Catalogue<'_>, name: &str, config: &Config) -> Result<()> {
    let Some(stored) = catalogue.get(name) else {
        return Ok(());
    };
    let (rows, d_model) = (config.max_positions, config.d_model);
    if stored.shape() != [rows, d_model] {
        return Err(Error::ShapeMismatch {
            name: name.to_owned(),
            found: stored.shape().to_vec(),
            expected: vec![rows, d_model],
        });
    }
    let found = catalogue.read(name)?.into_f32();
    let computed = sinusoidal(rows, d_model, config.positions);
    let differs = |(found, computed): (&f32, &f32)| (found - computed).abs() > POSITIONS_OFF;
    if let Some(at) = found.iter().zip(&computed).position(differs) {
        let (row, column) = (at / d_model, at % d_model);
        return Err(Error::ModelFormat {
            name: name.to_owned(),
            reason: format!(
                "holds {} for position {row}, dimension {column}, where sine and cosine give {}: other positions than \
                 Marian's need \"positions\": \"learned\" and model_type \"translucent\" in config.json",
                found[at],
                computed[[row, column]]
            ),
        });
    }
    catalogue.remove(name);
    Ok(())
}
