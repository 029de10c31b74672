//! Model folders of any shape, whole or damaged.

use crate::tokenizer::Tokenizer;
use arbitrary::{Result, Unstructured};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use translucent::Config;
use translucent::checkpoint::config_json::{self, Storage};
use translucent::checkpoint::quantize::quantize;
use translucent::checkpoint::{
    FileSource, FloatType, Tensor, Tensors, Values, generation_json, weights,
};
use translucent::model::config::{Activation, Compatibility, Positions};
use translucent::search::{EarlyStopping, Scoring, SearchOptions};

/// The files of a model folder.
pub struct Folder {
    /// Content by name.
    pub files: BTreeMap<String, Vec<u8>>,
    /// The configuration that was written.
    pub config: Config,
    /// Whether a file was changed afterwards, so that the folder may be refused.
    pub is_damaged: bool,
}

impl FileSource for Folder {
    type Weights = Vec<u8>;

    fn size(&self, name: &str) -> translucent::Result<Option<u64>> {
        Ok(self.files.get(name).map(|bytes| bytes.len() as u64))
    }

    fn read(&self, name: &str) -> translucent::Result<Vec<u8>> {
        Ok(self.files.get(name).cloned().unwrap_or_default())
    }

    fn weights(&self, name: &str) -> translucent::Result<Vec<u8>> {
        self.read(name)
    }
}

impl Folder {
    /// A folder that these choices make.
    pub fn choose(choices: &mut Unstructured) -> Result<Self> {
        let source = Tokenizer::choose(choices)?;
        let target = if choices.ratio(1, 6)? {
            Some(Tokenizer::choose(choices)?)
        } else {
            None
        };
        let config = config(choices, &source, target.as_ref())?;
        let mut tensors = Tensors::random(&config, choices.arbitrary()?);
        if choices.ratio(1, 4)? {
            rescale(choices, &mut tensors)?;
        }
        let floats = *choices.choose(&[
            FloatType::F32,
            FloatType::F32,
            FloatType::F16,
            FloatType::Bf16,
        ])?;
        if floats == FloatType::F32 && choices.ratio(1, 3)? {
            tensors =
                quantize(&config, tensors).unwrap_or_else(|error| panic!("quantize: {error}"));
        }
        if !config.share_embeddings && choices.ratio(1, 4)? {
            tensors.remove("lm_head.weight");
        }
        if choices.ratio(1, 8)? {
            tensors.remove("final_logits_bias");
        }
        let (floats, written) = match weights::write(&tensors, floats) {
            Ok(written) => (floats, written),
            // f16, and at its very end bf16, has no room for large values, and says so.
            Err(_) if floats != FloatType::F32 => (FloatType::F32, f32_bytes(&tensors)),
            Err(error) => panic!("write: {error}"),
        };
        let storage = Storage::of(&tensors, floats);
        let mut files = BTreeMap::from([
            (
                "config.json".to_owned(),
                config_json::write(&config, storage),
            ),
            ("model.safetensors".into(), written),
            ("source.spm".into(), source.spm),
            ("vocab.json".into(), source.vocab),
        ]);
        if let Some(target) = target {
            files.insert("target.spm".into(), target.spm);
            files.insert("target_vocab.json".into(), target.vocab);
        }
        if choices.ratio(3, 4)? {
            let search = search(choices)?;
            files.insert(
                "generation_config.json".into(),
                generation_json::write(&config, &search),
            );
        }
        let mut folder = Self {
            files,
            config,
            is_damaged: false,
        };
        if choices.ratio(1, 2)? {
            folder.is_damaged = true;
            for _ in 0..choices.int_in_range(1..=3)? {
                folder.damage(choices)?;
            }
        }
        Ok(folder)
    }

    /// Bytes of all files.
    pub fn len(&self) -> usize {
        self.files.values().map(Vec::len).sum()
    }

    /// Whether it holds nothing (never).
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    fn damage(&mut self, choices: &mut Unstructured) -> Result<()> {
        let names: Vec<String> = self.files.keys().cloned().collect();
        let name = choices.choose(&names)?.clone();
        let Some(file) = self.files.get_mut(&name) else {
            return Ok(());
        };
        match choices.int_in_range(0..=5)? {
            // A value of a JSON file is another: the damage that configurations suffer in practice.
            0..=3 if name.ends_with(".json") => {
                let value = odd_value(choices)?;
                if let Ok(Value::Object(mut map)) = serde_json::from_slice::<Value>(file) {
                    let keys: Vec<String> = map.keys().cloned().collect();
                    if !keys.is_empty() {
                        map.insert(choices.choose(&keys)?.clone(), value);
                    }
                    *file = Value::Object(map).to_string().into_bytes();
                }
            }
            4 => {
                self.files.remove(&name);
            }
            5 => file.truncate(choices.choose_index(file.len().max(1))?),
            _ => {
                let at = choices.choose_index(file.len().max(1))?;
                if let Some(byte) = file.get_mut(at) {
                    *byte = choices.arbitrary()?;
                }
            }
        }
        Ok(())
    }
}

fn f32_bytes(tensors: &Tensors) -> Vec<u8> {
    weights::write(tensors, FloatType::F32).unwrap_or_else(|error| panic!("write: {error}"))
}

/// Values at and beyond the ends of domains.
fn odd_value(choices: &mut Unstructured) -> Result<Value> {
    Ok(match choices.int_in_range(0..=11)? {
        0 => Value::Null,
        1 => json!(choices.arbitrary::<bool>()?),
        2 => json!(choices.int_in_range(0..=64)?),
        3 => json!(-1),
        4 => json!(choices.arbitrary::<u32>()?),
        5 => json!(u64::MAX),
        6 => json!(1e300),
        7 => json!(0.5),
        8 => json!(""),
        9 => json!([[choices.int_in_range(0..=64)?], [0]]),
        10 => json!(1 << choices.int_in_range(4..=31)?),
        _ => json!({}),
    })
}

/// A configuration that is valid with these tokenizers.
fn config(
    choices: &mut Unstructured,
    source: &Tokenizer,
    target: Option<&Tokenizer>,
) -> Result<Config> {
    let target_len = target.map_or(source.len, |target| target.len);
    let target_vocab_size = target
        .map(|target| target.len)
        .filter(|len| *len != source.len);
    let share_embeddings = target.is_none() && choices.ratio(2, 3)?;
    let Tokenizer { eos_id, pad_id, .. } = *target.unwrap_or(source);
    let id = |choices: &mut Unstructured| choices.int_in_range(0..=target_len as u32 - 1);
    let positions = *choices.choose(&[
        Positions::SinusoidalHalves,
        Positions::SinusoidalInterleaved,
        Positions::Learned,
    ])?;
    let d_model = match positions {
        Positions::Learned => choices.int_in_range(1..=24)?,
        _ => 2 * choices.int_in_range(1..=12)?,
    };
    let n_heads = choices.int_in_range(1..=4)?;
    let max_positions = choices.int_in_range(1..=40)?;
    let mut banned_ids = Vec::new();
    for _ in 0..choices.int_in_range(0..=3)? {
        let id = id(choices)?;
        if id != eos_id {
            banned_ids.push(id);
        }
    }
    Ok(Config {
        vocab_size: source.len,
        target_vocab_size,
        d_model,
        n_heads,
        d_k: choices.int_in_range(1..=9)?,
        d_v: choices.int_in_range(1..=9)?,
        d_ff: choices.int_in_range(1..=33)?,
        encoder_layers: choices.int_in_range(1..=3)?,
        decoder_layers: choices.int_in_range(1..=3)?,
        activation: *choices.choose(&[Activation::Relu, Activation::Swish])?,
        positions,
        max_positions,
        compatibility: *choices.choose(&[
            Compatibility::ScaledDotProduct,
            Compatibility::DotProduct,
            Compatibility::Additive,
        ])?,
        neighbourhood: if choices.ratio(1, 4)? {
            Some(choices.int_in_range(1..=9)?)
        } else {
            None
        },
        scale_embedding: choices.arbitrary()?,
        share_embeddings,
        normalize_before: choices.ratio(1, 4)?,
        normalize_embedding: choices.ratio(1, 4)?,
        pad_id,
        eos_id,
        decoder_start_id: id(choices)?,
        forced_eos_id: if choices.ratio(3, 4)? {
            Some(id(choices)?)
        } else {
            None
        },
        banned_ids,
        ..Config::tiny(source.len)
    })
}

/// How a folder wants to be searched.
fn search(choices: &mut Unstructured) -> Result<SearchOptions> {
    let mut search = SearchOptions::default();
    search.beam = choices.int_in_range(1..=6)?;
    search.scoring = match choices.arbitrary()? {
        true => Scoring::Wu {
            alpha: f32::from(choices.arbitrary::<i8>()?) / 16.0,
        },
        false => Scoring::Hf {
            length_penalty: f32::from(choices.arbitrary::<i8>()?) / 16.0,
            early_stopping: *choices.choose(&[
                EarlyStopping::Yes,
                EarlyStopping::No,
                EarlyStopping::Never,
            ])?,
        },
    };
    search.renormalize = choices.arbitrary()?;
    search.no_repeat_ngram = choices.int_in_range(0..=3)?;
    Ok(search)
}

/// Makes the values of some tensors nothing, tiny or so large that sums leave f32; all stay finite.
fn rescale(choices: &mut Unstructured, tensors: &mut Tensors) -> Result<()> {
    let names: Vec<String> = tensors.iter().map(|(name, _)| name.to_owned()).collect();
    for _ in 0..choices.int_in_range(1..=4)? {
        let name = choices.choose(&names)?;
        let factor = *choices.choose(&[0.0, 1e-40, 1e-6, 100.0, 1e6, 1e19, 1e38])?;
        if let Some(tensor) = tensors.remove(name) {
            let shape = tensor.shape().to_vec();
            let Values::F32(data) = tensor.values() else {
                continue;
            };
            let scaled = data
                .iter()
                .map(|value| (value * factor).clamp(f32::MIN, f32::MAX))
                .collect();
            tensors.insert(name.clone(), Tensor::f32(shape, scaled));
        }
    }
    Ok(())
}
