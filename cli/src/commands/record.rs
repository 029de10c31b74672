//! `record`: the page's recorded example.

use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use translucent::checkpoint::{self, ModelSummary, write_atomically};
use translucent::model::Seq2Seq;
use translucent::translator::Translator;
use translucent_cli::digest::sha256;
use translucent_cli::record::record;
use translucent_cli::{Error, Result, files};

/// Translates one sentence with everything observed and writes what the page's worker would answer.
#[derive(clap::Args)]
pub struct Record {
    /// Model folder.
    #[arg(long)]
    model: PathBuf,
    /// The sentence.
    text: String,
    /// The file to write.
    #[arg(long, default_value = "www/app/recorded/example.json")]
    output: PathBuf,
}

impl Record {
    /// Runs the command.
    ///
    /// # Errors
    /// If the model cannot be read, the text is not one short sentence, or the file cannot be written.
    pub fn run(&self) -> Result<()> {
        let model = checkpoint::open(&self.model)?;
        let summary = ModelSummary::new(model.transformer.config(), model.precision);
        let info = self.info(&summary)?;
        let translator = Translator::new(model.transformer, model.tokenizer);
        let json = record(&translator, &self.text, &model.search, info)?;
        write_atomically(&self.output, json.as_bytes())?;
        crate::print(&format!(
            "{}: {} bytes\n",
            self.output.display(),
            json.len()
        ))
    }

    /// `ModelInfo` of the page's protocol. The training curve is left out: only the loaded model shows it.
    fn info(&self, summary: &ModelSummary) -> Result<Value> {
        let tokenizer = self.json("tokenizer_config.json")?.unwrap_or_default();
        let path = self.model.join("model.safetensors");
        let weights = std::fs::read(&path).map_err(|error| Error::io(&path, error))?;
        let name = self.model.canonicalize().ok();
        let name = name.as_deref().and_then(Path::file_name);
        let mut info = Map::from_iter([
            (
                "name".to_owned(),
                json!(name.unwrap_or_default().to_string_lossy()),
            ),
            (
                "sourceLanguage".to_owned(),
                json!(tokenizer["source_lang"].as_str().unwrap_or_default()),
            ),
            (
                "targetLanguage".to_owned(),
                json!(tokenizer["target_lang"].as_str().unwrap_or_default()),
            ),
            ("bytes".to_owned(), json!(weights.len())),
            ("hash".to_owned(), json!(sha256(&weights))),
            ("flavour".to_owned(), json!("native")),
        ]);
        if let Some(heads) = self.json("heads.json")? {
            info.insert("heads".to_owned(), heads);
        }
        if let Ok(Value::Object(summary)) = serde_json::to_value(summary) {
            info.extend(summary);
        }
        Ok(info.into())
    }

    /// A file of the folder that may be missing.
    fn json(&self, name: &str) -> Result<Option<Value>> {
        let path = self.model.join(name);
        if !path.is_file() {
            return Ok(None);
        }
        let bytes = files::of_folder(&path)?;
        let value = serde_json::from_slice(&bytes);
        value
            .map(Some)
            .map_err(|error| Error::Argument(format!("{} is no JSON: {error}", path.display())))
    }
}
