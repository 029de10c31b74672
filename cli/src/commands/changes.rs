//! Options that change the model for one command: interventions on a model that was trained otherwise.

use clap::{Args, ValueEnum};
use std::str::FromStr;
use translucent::trace::{AttentionKind, Change, HeadChange, Intervention, PositionChange};

/// What is changed. A head is named KIND:LAYER:HEAD, e.g. `encoder:1:3`, where KIND is `encoder`, `decoder`
/// (masked self-attention) or `cross`, and LAYER and HEAD are counted from 0; `encoder:1` names all heads of a
/// layer, `encoder` all of the attention.
#[derive(Args, Default)]
#[command(
    next_help_heading = "Interventions (heads as KIND:LAYER:HEAD, e.g. encoder:1:3, cross:0)"
)]
pub struct Changes {
    /// Switch heads off: they add nothing to what W^O sums up.
    #[arg(long, value_name = "HEADS")]
    off: Vec<Heads>,
    /// Give every key that these heads may see the same weight.
    #[arg(long, value_name = "HEADS")]
    uniform: Vec<Heads>,
    /// Switch the other heads of this head's attention off.
    #[arg(long, value_name = "HEAD")]
    only: Vec<Heads>,
    /// Do not divide the scores of these heads by √d_k; `all` names every head.
    #[arg(long, value_name = "HEADS")]
    unscaled: Vec<Heads>,
    /// Let self-attention see only positions at most half of this away.
    #[arg(long, value_name = "R")]
    neighbourhood: Option<usize>,
    /// What becomes of the positional encodings.
    #[arg(long, value_enum)]
    positions: Option<Positions>,
    /// Of shuffled positions.
    #[arg(long, default_value_t = 0)]
    seed: u32,
}

/// What becomes of the positional encodings.
#[derive(Clone, Copy, ValueEnum)]
enum Positions {
    /// None is added.
    Zeroed,
    /// Those of the sentence are dealt out anew.
    Shuffled,
}

/// Some heads of the model; what is `None` means all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Heads {
    kind: Option<AttentionKind>,
    layer: Option<usize>,
    head: Option<usize>,
}

impl FromStr for Heads {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
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
            let part = parts.next().map(|part| (part, part.parse()));
            match part {
                None => Ok(None),
                Some((_, Ok(number))) => Ok(Some(number)),
                Some((part, Err(_))) => Err(format!(
                    "the {what} `{part}` is no number: write KIND:LAYER:HEAD, counted from 0"
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
    pub fn intervention(&self) -> Intervention {
        let heads = [
            (&self.off, Change::Off),
            (&self.uniform, Change::Uniform),
            (&self.only, Change::Only),
            (&self.unscaled, Change::Unscaled),
        ];
        let heads = heads.into_iter().flat_map(|(names, change)| {
            names.iter().map(move |names| HeadChange {
                kind: names.kind,
                layer: names.layer,
                head: names.head,
                change,
            })
        });
        Intervention {
            heads: heads.collect(),
            neighbourhood: self.neighbourhood,
            positions: self.positions.map(|positions| match positions {
                Positions::Zeroed => PositionChange::Zeroed,
                Positions::Shuffled => PositionChange::Shuffled,
            }),
            seed: self.seed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_named_by_attention_layer_and_head() {
        let kind = Some(AttentionKind::EncoderSelf);
        let (layer, head) = (Some(1), Some(3));
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
            ("cross:1:2:3", "more"),
        ] {
            let told = wrong.parse::<Heads>().expect_err("no such heads");
            assert!(told.contains(says), "{told}");
        }
    }
}
