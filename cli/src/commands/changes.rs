//! Interventions as options: they change the model for one command.

use clap::{Args, ValueEnum};
use std::str::FromStr;
use translucent::Config;
use translucent::trace::{AttentionKind, Change, HeadChange, Intervention, PositionChange, Stacks};
use translucent_cli::{Error, Result};

/// The interventions. A head is named KIND:LAYER:HEAD, e.g. `encoder:1:3`, where KIND is `encoder`, `decoder`
/// (masked self-attention) or `cross`, and LAYER and HEAD are counted from 1; `encoder:1` names all heads of a
/// layer, `encoder` all of the attention.
#[derive(Args, Default)]
#[command(
    next_help_heading = "Interventions (a head is KIND:LAYER:HEAD, counted from 1: encoder:1:3 is head 3 of layer 1; \
        cross:2 is all of layer 2, decoder all of the decoder's self-attention)"
)]
pub struct Changes {
    /// Switch heads off: their output is zero.
    #[arg(long, value_name = "HEADS")]
    off: Vec<Heads>,
    /// Give all keys the same weight in these heads.
    #[arg(long, value_name = "HEADS")]
    uniform: Vec<Heads>,
    /// Switch off all other heads of this head's layer.
    #[arg(long, value_name = "HEAD")]
    only: Vec<Heads>,
    /// Do not divide the scores of these heads by √d_k; `all` names every head.
    #[arg(long, value_name = "HEADS")]
    unscaled: Vec<Heads>,
    /// Restrict self-attention to a neighbourhood of R positions, R/2 to each side.
    #[arg(long, value_name = "R")]
    neighbourhood: Option<usize>,
    /// Change the positional encodings.
    #[arg(long, value_enum)]
    positions: Option<Positions>,
    /// Seed of shuffled positions and, where pieces are sampled, of what is drawn.
    #[arg(long, default_value_t = 0)]
    pub seed: u32,
}

/// Changes of the positional encodings.
#[derive(Clone, Copy, ValueEnum)]
enum Positions {
    /// Add none.
    Zeroed,
    /// Permute those of the sentence.
    Shuffled,
}

/// Some heads of the model, counted from 0; `None` means all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Heads {
    kind: Option<AttentionKind>,
    layer: Option<usize>,
    head: Option<usize>,
}

impl FromStr for Heads {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let mut parts = text.split(':');
        let kind = match parts.next().unwrap_or_default() {
            "all" => None,
            "encoder" => Some(AttentionKind::EncoderSelf),
            "decoder" => Some(AttentionKind::DecoderSelf),
            "cross" => Some(AttentionKind::Cross),
            other => {
                return Err(format!(
                    "there is no attention `{other}`: it is encoder, decoder, cross or all"
                ));
            }
        };
        let mut number = |what| {
            let part = parts.next().map(|part| (part, part.parse::<usize>()));
            match part {
                None => Ok(None),
                Some((_, Ok(number))) if number > 0 => Ok(Some(number - 1)),
                Some((part, _)) => Err(format!(
                    "the {what} is `{part}`: write KIND:LAYER:HEAD, counted from 1"
                )),
            }
        };
        let (layer, head) = (number("layer")?, number("head")?);
        match parts.next() {
            None => Ok(Self { kind, layer, head }),
            Some(_) => Err("there is more than KIND:LAYER:HEAD".into()),
        }
    }
}

impl Changes {
    /// The intervention that these options describe.
    ///
    /// # Errors
    /// If the model has no such layer or head.
    pub fn intervention(&self, config: &Config) -> Result<Intervention> {
        let heads = [
            (&self.off, Change::Off),
            (&self.uniform, Change::Uniform),
            (&self.only, Change::Only),
            (&self.unscaled, Change::Unscaled),
        ];
        for names in heads.iter().flat_map(|(names, _)| names.iter()) {
            names.check(config)?;
        }
        let heads = heads.into_iter().flat_map(|(names, change)| {
            names.iter().map(move |names| HeadChange {
                kind: names.kind,
                layer: names.layer,
                head: names.head,
                change,
            })
        });
        let mut intervention = Intervention::default();
        intervention.heads = heads.collect();
        intervention.neighbourhood = self.neighbourhood;
        intervention.positions = self.positions.map(|positions| match positions {
            Positions::Zeroed => PositionChange::Zeroed,
            Positions::Shuffled => PositionChange::Shuffled,
        });
        intervention.seed = self.seed;
        Ok(intervention)
    }
}

impl Heads {
    fn check(self, config: &Config) -> Result<()> {
        let stacks = config.stacks();
        let most = |count: fn(&Stacks, AttentionKind) -> usize| match self.kind {
            Some(kind) => count(&stacks, kind),
            None => AttentionKind::ALL
                .map(|kind| count(&stacks, kind))
                .into_iter()
                .max()
                .unwrap_or(0),
        };
        for (what, index, count) in [
            ("layer", self.layer, most(Stacks::layers)),
            ("head", self.head, most(Stacks::heads)),
        ] {
            if let Some(index) = index.filter(|index| *index >= count) {
                let number = index + 1;
                return Err(Error::Argument(format!(
                    "there is no {what} {number}: the model has {what}s 1 to {count}"
                )));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_named_by_attention_layer_and_head() {
        let kind = Some(AttentionKind::EncoderSelf);
        let (layer, head) = (Some(0), Some(2));
        assert_eq!("encoder:1:3".parse(), Ok(Heads { kind, layer, head }));
        let layer_of_all = Heads {
            kind,
            layer,
            head: None,
        };
        assert_eq!("encoder:1".parse(), Ok(layer_of_all));
        assert_eq!("all".parse(), Ok(Heads::default()));
        for (wrong, says) in [
            ("self:1:3", "`self`"),
            ("cross:x", "`x`"),
            ("cross:0", "from 1"),
            ("cross:1:2:3", "more"),
        ] {
            let error = wrong.parse::<Heads>().expect_err("no such heads");
            assert!(error.contains(says), "{error}");
        }
    }
}
