//! BLEU of the current weights through the core, on the model as it would be exported.

use crate::error::{Error, Result};
use crate::export::core_tensors;
use crate::metrics::Score;
use crate::model::Weights;
use crate::validation::DevelopmentSet;
use std::collections::BTreeMap;
use translucent::Config;
use translucent::model::Transformer;
use translucent::search::SearchOptions;
use translucent::text::Tokenizer;
use translucent::translator::{LineOptions, Translator};
use translucent_metrics::bleu;

/// Translates the reference lines of every set (beam 4, α = 0.6) and puts BLEU into its score.
///
/// # Errors
/// If the core refuses the weights, or a line.
pub fn measure(
    config: &Config,
    weights: &Weights,
    tokenizer: &Tokenizer,
    sets: &[DevelopmentSet],
    threads: usize,
    scores: &mut BTreeMap<String, Score>,
) -> Result<()> {
    let model = Transformer::from_tensors(config.clone(), &mut core_tensors(config, weights)?)?;
    let translator = Translator::new(model, tokenizer.clone());
    let options = LineOptions::new(SearchOptions::default(), threads);
    for set in sets {
        let sources: Vec<&str> = set.lines.iter().map(|pair| pair.source.as_str()).collect();
        let references: Vec<&str> = set.lines.iter().map(|pair| pair.target.as_str()).collect();
        let translations = translator.translate_lines(&sources, &options, &|_| ())?;
        let hypotheses: Vec<&str> = translations
            .iter()
            .map(|n_best| n_best.first().map_or("", |best| best.text.as_str()))
            .collect();
        let score = scores
            .get_mut(&set.name)
            .ok_or_else(|| Error::Recipe(format!("{} was not validated", set.name)))?;
        score.bleu = Some(bleu(&hypotheses, &references).score);
    }
    Ok(())
}
