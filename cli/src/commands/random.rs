//! `random`: a model folder that knows nothing.

use clap::ValueEnum;
use std::path::PathBuf;
use translucent::Config;
use translucent::checkpoint::{Tensors, TokenizerFiles, save};
use translucent::search::SearchOptions;
use translucent::text::Tokenizer;
use translucent_cli::{Result, files};

#[derive(Clone, Copy, ValueEnum)]
enum Preset {
    /// 2 + 2 layers, d_model 16.
    Tiny,
    /// 3 + 3 layers, d_model 256.
    Small,
    /// The paper's: 6 + 6 layers, d_model 512.
    Base,
}

/// Writes a model folder with random weights, for tests and benchmarks.
#[derive(clap::Args)]
pub struct Random {
    /// Folder to write.
    #[arg(long)]
    output: PathBuf,
    /// Shape of the model.
    #[arg(long, value_enum, default_value = "tiny")]
    preset: Preset,
    /// Layers of each stack, instead of the preset's.
    #[arg(long)]
    layers: Option<usize>,
    /// The same seed gives the same model.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Folder with the tokenizer to use: source.spm and vocab.json.
    #[arg(long)]
    tokenizer: PathBuf,
}

impl Random {
    /// Runs the command.
    ///
    /// # Errors
    /// If the tokenizer cannot be read, no model has so many layers, the folder describes another model, or the folder cannot be written.
    pub fn run(&self) -> Result<()> {
        let read = |name: &str| files::of_folder(&self.tokenizer.join(name));
        let (spm, vocab) = (read("source.spm")?, read("vocab.json")?);
        let tokenizer = Tokenizer::from_parts(&spm, &spm, &vocab)?;
        let config = match self.preset {
            Preset::Tiny => Config::tiny(tokenizer.vocab_size()),
            Preset::Small => Config::small(tokenizer.vocab_size()),
            Preset::Base => Config::base(tokenizer.vocab_size()),
        };
        let config = Config {
            encoder_layers: self.layers.unwrap_or(config.encoder_layers),
            decoder_layers: self.layers.unwrap_or(config.decoder_layers),
            pad_id: tokenizer.pad_id(),
            decoder_start_id: tokenizer.pad_id(),
            banned_ids: vec![tokenizer.pad_id()],
            eos_id: tokenizer.eos_id(),
            forced_eos_id: Some(tokenizer.eos_id()),
            ..config
        };
        config.validate()?;
        files::describes_no_other_model(&self.output, |_| false)?;
        let tensors = Tensors::random(&config, self.seed);
        let files = TokenizerFiles {
            spm: &spm,
            vocab: &vocab,
            source_language: "en",
            target_language: "de",
        };
        Ok(save(
            &self.output,
            &config,
            &tensors,
            &SearchOptions::default(),
            files,
        )?)
    }
}
