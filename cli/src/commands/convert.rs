//! `convert`: a model folder in another floating-point type, or from pytorch_model.bin to model.safetensors.

use super::interrupt;
use clap::ValueEnum;
use std::path::{Path, PathBuf};
use translucent::checkpoint::config_json::{self, CONFIG, Described, Storage};
use translucent::checkpoint::generation_json::{self, GENERATION_CONFIG};
use translucent::checkpoint::weights::{self, PYTORCH_WEIGHTS, WEIGHTS, WEIGHTS_INDEX};
use translucent::checkpoint::{FloatType, FolderWriter, ModelFiles, Tensor, Tensors};
use translucent::search::SearchOptions;
use translucent_cli::metrics_json::METRICS;
use translucent_cli::{Error, Result, files};

#[derive(Clone, Copy, ValueEnum)]
enum Type {
    /// 32-bit floats.
    F32,
    /// IEEE half precision.
    F16,
    /// The upper half of 32-bit floats.
    Bf16,
}

/// Writes a model folder in floating point, as `transformers` opens it where Marian can express the model; all but
/// weights and configuration is copied.
#[derive(clap::Args)]
pub struct Convert {
    /// Model folder: ours or a Marian one, with model.safetensors or pytorch_model.bin.
    #[arg(long)]
    model: PathBuf,
    /// Folder to write.
    #[arg(long)]
    output: PathBuf,
    /// Type of the weights. 8-bit matrices become floats again, as exact as they were.
    #[arg(long, value_enum, default_value = "f32")]
    dtype: Type,
}

impl Convert {
    /// Runs the command.
    ///
    /// # Errors
    /// If the folder is no whole model, a value does not fit into the type, or the other folder cannot be written.
    pub fn run(&self) -> Result<()> {
        let folder = Rewrite::open(&self.model)?;
        let mut floats = Tensors::new();
        for (name, tensor) in folder.tensors()? {
            let shape = tensor.shape().to_vec();
            floats.insert(name, Tensor::f32(shape, tensor.into_f32()));
        }
        let float_type = match self.dtype {
            Type::F32 => FloatType::F32,
            Type::F16 => FloatType::F16,
            Type::Bf16 => FloatType::Bf16,
        };
        folder.write(&self.output, &floats, float_type)
    }
}

/// A model folder that is to be written again with other weights.
pub struct Rewrite {
    input: PathBuf,
    files: ModelFiles,
    /// What its config.json says.
    pub described: Described,
    search: SearchOptions,
}

impl Rewrite {
    /// Reads a folder.
    ///
    /// # Errors
    /// If it is no model folder.
    pub fn open(input: &Path) -> Result<Self> {
        let files = ModelFiles::from_dir(input)?;
        let (described, search) = files.describe()?;
        Ok(Self {
            input: input.to_owned(),
            files,
            described,
            search,
        })
    }

    /// Its tensors, under the names of their full layout.
    ///
    /// # Errors
    /// If they are not those of the configuration.
    pub fn tensors(&self) -> Result<Tensors> {
        Ok(self.files.tensors(&self.described)?)
    }

    /// Writes weights and configuration into another folder, and copies the rest.
    ///
    /// # Errors
    /// If both folders are one, the other one describes another model, a file cannot be read or written, or at an interruption: the folder then is as it was.
    pub fn write(&self, output: &Path, tensors: &Tensors, floats: FloatType) -> Result<()> {
        if files::same(&self.input, output) {
            return Err(Error::Argument(format!(
                "{} is the input and the output: its weights would be gone, write to another folder",
                output.display()
            )));
        }
        files::describes_no_other_model(output, |name| {
            is_copied(name) && self.input.join(name).is_file()
        })?;
        let config = &self.described.config;
        let bytes = weights::write(tensors, floats)?;
        interrupt::defer()?;
        let folder = FolderWriter::create(output)?;
        self.copy_others(&folder)?;
        folder.write(WEIGHTS, &bytes)?;
        interrupt::check()?;
        let generation = generation_json::write(config, &self.search);
        folder.write(GENERATION_CONFIG, &generation)?;
        let json = config_json::write(config, Storage::of(tensors, floats));
        folder.write(CONFIG, &json)?;
        interrupt::check()?;
        folder.commit()?;
        let before: usize = self.files.weights.iter().map(|file| file.bytes.len()).sum();
        eprintln!(
            "{}: {before} → {} bytes",
            output.join(WEIGHTS).display(),
            bytes.len()
        );
        Ok(())
    }

    /// Copies tokenizer, model card, training curve and all other files; no subfolders, and no weights of any program.
    fn copy_others(&self, output: &FolderWriter) -> Result<()> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |error| Error::io(&path, error)
        };
        for entry in std::fs::read_dir(&self.input).map_err(failed(&self.input))? {
            let path = entry.map_err(failed(&self.input))?.path();
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
                continue;
            };
            if path.is_file() && is_copied(name) {
                let bytes = std::fs::read(&path).map_err(failed(&path))?;
                output.write(name, &bytes)?;
                interrupt::check()?;
            }
        }
        Ok(())
    }
}

/// Whether a file of a model folder is the same with other weights: no weights, of whatever program, nor what says how they
/// are read or what they were measured to do.
fn is_copied(name: &str) -> bool {
    let rewritten = [
        WEIGHTS,
        WEIGHTS_INDEX,
        PYTORCH_WEIGHTS,
        GENERATION_CONFIG,
        CONFIG,
        METRICS,
    ];
    let weights = ["safetensors", "h5", "msgpack", "ot"];
    let extension = Path::new(name).extension();
    !rewritten.contains(&name)
        && !weights
            .iter()
            .any(|other| extension.is_some_and(|extension| extension == *other))
}
