//! Starting from a model folder instead of from random weights: fine-tuning, or going on where no state is at hand.

use crate::deeper::deepen_encoder;
use crate::error::{Error, Result};
use crate::model::Weights;
use crate::pieces::Pieces;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use tch::{Device, Kind, Tensor};
use translucent::Config;
use translucent::checkpoint::{ModelFiles, layout};

/// Tensors with a row for each piece of the shared vocabulary.
const BY_PIECE: [&str; 2] = ["model.shared.weight", "final_logits_bias"];

/// The weights of a model folder; int8 matrices are widened. Where `pieces` are not the folder's own, embeddings
/// are carried over piece by piece. An encoder with two or more times the folder's layers is begun from them
/// ([`deepen_encoder`]).
///
/// # Errors
/// If the folder cannot be read, or its model has another shape than `config`; the message names the tensor.
pub fn from_model(
    folder: &Path,
    config: &Config,
    pieces: &Pieces,
    device: Device,
) -> Result<Weights> {
    let files = ModelFiles::from_dir(folder)?;
    let (described, _) = files.describe()?;
    let mut tensors = files.tensors(&described)?;
    let mut found = BTreeMap::new();
    for entry in layout(&described.config) {
        if tensors.get(&entry.name).is_none() {
            continue;
        }
        let values = tensors.take(&entry.name, &entry.shape)?;
        let shape: Vec<i64> = entry.shape.iter().map(|&n| n as i64).collect();
        found.insert(
            entry.name,
            Tensor::f_from_slice(&values)?.f_view(&shape[..])?,
        );
    }
    let theirs = &described.config;
    let factor = config.encoder_layers / theirs.encoder_layers.max(1);
    if factor > 1 && config.encoder_layers.is_multiple_of(theirs.encoder_layers) {
        deepen_encoder(&mut found, theirs.encoder_layers, factor)?;
    }
    let own = Pieces::read(folder)?;
    if own.vocab() != pieces.vocab() {
        if !config.share_embeddings {
            return Err(Error::Recipe(
                "vocabulary.inherit = false needs a model with one shared embedding".into(),
            ));
        }
        let sources = spelled(&own, pieces);
        for name in BY_PIECE {
            if let Some(tensor) = found.get_mut(name) {
                *tensor = carried_over(tensor, &sources)?;
            }
        }
    }
    // Shapes alone do not tell these apart.
    for (field, same) in [
        ("n_heads", theirs.n_heads == config.n_heads),
        (
            "decoder_widths",
            theirs.decoder_widths == config.decoder_widths,
        ),
        ("positions", theirs.positions == config.positions),
        (
            "compatibility",
            theirs.compatibility == config.compatibility,
        ),
        (
            "neighbourhood",
            theirs.neighbourhood == config.neighbourhood,
        ),
        ("activation", theirs.activation == config.activation),
        (
            "scale_embedding",
            theirs.scale_embedding == config.scale_embedding,
        ),
    ] {
        if !same {
            return Err(Error::file(
                folder,
                format!("has another {field} than the recipe's model"),
            ));
        }
    }
    Weights::from_map(config, &found, folder, device)
}

/// For each of `pieces`, the pieces of `own` that spell it: itself where both have it.
fn spelled(own: &Pieces, pieces: &Pieces) -> Vec<Vec<i64>> {
    let known: HashMap<&str, u32> = (0..own.size() as u32)
        .map(|id| (own.piece(id), id))
        .collect();
    (0..pieces.size() as u32)
        .map(|id| {
            let piece = pieces.piece(id);
            match known.get(piece) {
                Some(&id) => vec![i64::from(id)],
                None => {
                    let ids = own.encode(&piece.replace('\u{2581}', " "));
                    ids.into_iter().map(i64::from).collect()
                }
            }
        })
        .collect()
}

/// Rows, or columns of a (1, vocab) bias, that are means of the old ones.
fn carried_over(old: &Tensor, sources: &[Vec<i64>]) -> Result<Tensor> {
    let dim = i64::from(old.size()[0] == 1);
    let rows = sources
        .iter()
        .map(|ids| {
            let some = old.f_index_select(dim, &Tensor::from_slice(ids))?;
            some.f_mean_dim([dim].as_slice(), true, Kind::Float)
        })
        .collect::<std::result::Result<Vec<_>, _>>()?;
    Ok(Tensor::f_cat(&rows, dim)?)
}
