//! From a Marian checkpoint as `transformers` may store it to the one set of names that [`super::layout`] gives.

use super::tensors::Tensors;
use crate::model::config::Positions;
use crate::{Config, Error, Result};

/// The shared matrix (§3.4) and the names under which files repeat it.
const SHARED: &str = "model.shared.weight";
const TIED: [&str; 3] = [
    "model.encoder.embed_tokens.weight",
    "model.decoder.embed_tokens.weight",
    "lm_head.weight",
];

/// Gives every tensor its full name (`encoder…` → `model.encoder…`), and takes out what repeats
/// another: copies of the shared matrix, and tables of sinusoidal positions, which are computed.
///
/// # Errors
/// [`Error::ModelFormat`] if a tensor stands there under two names, or a copy differs from its original.
pub fn normalise(tensors: Tensors, config: &Config, tied_projection: bool) -> Result<Tensors> {
    let mut tensors = full_names(tensors)?;
    if config.share_embeddings {
        share(&mut tensors)?;
    } else if tied_projection
        && tensors.remove("lm_head.weight").is_some_and(|copy| {
            tensors
                .get("model.decoder.embed_tokens.weight")
                .is_some_and(|table| *table != copy)
        })
    {
        return Err(differs(
            "lm_head.weight",
            "model.decoder.embed_tokens.weight",
        ));
    }
    if config.positions != Positions::Learned {
        for stack in ["encoder", "decoder"] {
            tensors.remove(&format!("model.{stack}.embed_positions.weight"));
        }
    }
    Ok(tensors)
}

fn full_names(tensors: Tensors) -> Result<Tensors> {
    let mut named = Tensors::new();
    for (name, tensor) in tensors {
        let inner = ["encoder.", "decoder.", "shared."]
            .iter()
            .any(|part| name.starts_with(part));
        let full = if inner { format!("model.{name}") } else { name };
        if named.get(&full).is_some() {
            let reason = "stands there twice, with and without `model.` before its name".into();
            return Err(Error::ModelFormat { name: full, reason });
        }
        named.insert(full, tensor);
    }
    Ok(named)
}

/// Leaves one copy of the shared matrix; files may keep it under any of its names.
fn share(tensors: &mut Tensors) -> Result<()> {
    for name in TIED {
        let Some(copy) = tensors.remove(name) else {
            continue;
        };
        match tensors.get(SHARED) {
            None => tensors.insert(SHARED, copy),
            Some(original) if *original != copy => return Err(differs(name, SHARED)),
            Some(_) => {}
        }
    }
    Ok(())
}

fn differs(name: &str, original: &str) -> Error {
    Error::ModelFormat {
        name: name.to_owned(),
        reason: format!(
            "differs from {original}, but the configuration says that they are one matrix"
        ),
    }
}
