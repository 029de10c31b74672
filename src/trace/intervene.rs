//! Interventions: what is changed in a model for one request. They are part of the request, never global, and cost
//! nothing when off: without one, the model runs the very code that it runs anyway.

use super::AttentionKind;
use crate::random::SplitMix64;
use crate::{Error, Result};
use serde::{Deserialize, Serialize};

/// Changes to the model for one request; none by default.
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Intervention {
    /// Changes inside heads. Where several name one head, `Off` wins (from `Only` too), then `Uniform`.
    pub heads: Vec<HeadChange>,
    /// Self-attention of both stacks sees only positions with |i − j| ≤ r / 2 (§4).
    pub neighbourhood: Option<usize>,
    /// A change of the positions (§3.5).
    pub positions: Option<PositionChange>,
    /// Of [`PositionChange::Shuffled`].
    pub seed: u32,
}

/// A change inside some heads; of `kind`, `layer` and `head`, `None` means all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HeadChange {
    /// Which of the three attentions.
    #[serde(default)]
    pub kind: Option<AttentionKind>,
    /// The layer, counted from 0.
    #[serde(default)]
    pub layer: Option<usize>,
    /// The head, counted from 0.
    #[serde(default)]
    pub head: Option<usize>,
    /// The change.
    pub change: Change,
}

/// A change of a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It adds nothing to what W^O sums up; its weights are reported as 0.
    Off,
    /// The same weight for every key that it may see.
    Uniform,
    /// The other heads of the same attention are off. Needs `head`.
    Only,
    /// Its scores are not divided by √d_k (§3.2.1).
    Unscaled,
}

/// A change of the positions (§3.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PositionChange {
    /// None is added.
    Zeroed,
    /// The first len_src positions of both stacks are permuted among themselves.
    Shuffled,
}

/// Numbers of layers and heads of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stacks {
    /// Layers of the encoder.
    pub encoder_layers: usize,
    /// Layers of the decoder.
    pub decoder_layers: usize,
    /// Heads of the encoder's attention.
    pub encoder_heads: usize,
    /// Heads of the decoder's two attentions.
    pub decoder_heads: usize,
}

impl Stacks {
    /// Layers of the stack that an attention belongs to.
    pub fn layers(&self, kind: AttentionKind) -> usize {
        match kind {
            AttentionKind::EncoderSelf => self.encoder_layers,
            AttentionKind::DecoderSelf | AttentionKind::Cross => self.decoder_layers,
        }
    }

    /// Heads of an attention.
    pub fn heads(&self, kind: AttentionKind) -> usize {
        match kind {
            AttentionKind::EncoderSelf => self.encoder_heads,
            AttentionKind::DecoderSelf | AttentionKind::Cross => self.decoder_heads,
        }
    }
}

/// Effect of an intervention on one head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum HeadEffect {
    /// As trained.
    #[default]
    AsTrained,
    /// No division by √d_k.
    Unscaled,
    /// The same weight everywhere.
    Uniform,
    /// Nothing.
    Off,
}

/// An intervention, resolved for a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effects {
    /// By attention: (layers, heads), row-major.
    heads: [Vec<HeadEffect>; 3],
    stacks: Stacks,
    /// r of the neighbourhood.
    pub neighbourhood: Option<usize>,
    positions: Option<PositionChange>,
    seed: u32,
}

impl Intervention {
    /// Whether nothing is changed.
    pub fn is_off(&self) -> bool {
        self.heads.is_empty() && self.neighbourhood.is_none() && self.positions.is_none()
    }

    /// Resolves it for a model; `None` if it changes nothing.
    ///
    /// # Errors
    /// [`Error::RequestInvalid`] if it names a layer or head that the model has not, or a neighbourhood of 0.
    pub fn resolve(&self, stacks: Stacks) -> Result<Option<Effects>> {
        if self.is_off() {
            return Ok(None);
        }
        if self.neighbourhood == Some(0) {
            return invalid("neighbourhood is 0, it must be at least 1".into());
        }
        let mut effects = Effects {
            heads: AttentionKind::ALL
                .map(|kind| vec![HeadEffect::default(); stacks.layers(kind) * stacks.heads(kind)]),
            stacks,
            neighbourhood: self.neighbourhood,
            positions: self.positions,
            seed: self.seed,
        };
        for change in &self.heads {
            effects.apply(change)?;
        }
        Ok(Some(effects))
    }
}

impl Effects {
    /// Effects on the heads of one attention.
    pub fn of(&self, kind: AttentionKind, layer: usize) -> &[HeadEffect] {
        let n_heads = self.stacks.heads(kind);
        &self.heads[kind as usize][layer * n_heads..][..n_heads]
    }

    /// The position whose encoding is added at each of a sentence's positions; the identity from the end of the
    /// permutation on. `None`: no position is added anywhere.
    pub fn positions(&self, len_src: usize) -> Option<Vec<usize>> {
        let mut permutation: Vec<usize> = (0..len_src).collect();
        match self.positions {
            None => {}
            Some(PositionChange::Zeroed) => return None,
            Some(PositionChange::Shuffled) => {
                let mut random = SplitMix64::new(u64::from(self.seed));
                for last in (1..len_src).rev() {
                    permutation.swap(last, random.below(last + 1));
                }
            }
        }
        Some(permutation)
    }

    fn apply(&mut self, change: &HeadChange) -> Result<()> {
        let HeadChange {
            kind,
            layer,
            head,
            change,
        } = *change;
        if change == Change::Only && head.is_none() {
            return invalid("“only” needs a head".into());
        }
        let stacks = self.stacks;
        let kinds = AttentionKind::ALL
            .into_iter()
            .filter(|one| kind.is_none_or(|kind| kind == *one));
        let heads = kinds.clone().map(|kind| stacks.heads(kind)).max();
        let last = heads.unwrap_or_default().saturating_sub(1);
        if let Some(head) = head.filter(|head| *head > last) {
            return invalid(format!("names head {head}, the model has 0 to {last}"));
        }
        let mut found = false;
        for kind in kinds {
            let n_heads = stacks.heads(kind);
            // An attention of fewer heads keeps all of them when one is named that only the other stack has.
            if head.is_some_and(|head| head >= n_heads) {
                continue;
            }
            for at in (0..stacks.layers(kind)).filter(|at| layer.is_none_or(|l| l == *at)) {
                found = true;
                let effects = &mut self.heads[kind as usize][at * n_heads..][..n_heads];
                for (number, effect) in effects.iter_mut().enumerate() {
                    let named = head.is_none_or(|head| head == number);
                    let new = match (change, named) {
                        (Change::Off, true) | (Change::Only, false) => HeadEffect::Off,
                        (Change::Uniform, true) => HeadEffect::Uniform,
                        (Change::Unscaled, true) => HeadEffect::Unscaled,
                        _ => continue,
                    };
                    *effect = (*effect).max(new);
                }
            }
        }
        match (found, layer) {
            (false, Some(layer)) => invalid(format!(
                "names layer {layer}, the model has {} in the encoder and {} in the decoder",
                stacks.encoder_layers, stacks.decoder_layers
            )),
            _ => Ok(()),
        }
    }
}

fn invalid<T>(reason: String) -> Result<T> {
    Err(Error::RequestInvalid {
        field: "intervention",
        reason,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(
        change: Change,
        kind: AttentionKind,
        layer: usize,
        head: Option<usize>,
    ) -> HeadChange {
        HeadChange {
            kind: Some(kind),
            layer: Some(layer),
            head,
            change,
        }
    }

    fn effects(heads: Vec<HeadChange>) -> Result<Option<Effects>> {
        let stacks = Stacks {
            encoder_layers: 2,
            decoder_layers: 2,
            encoder_heads: 2,
            decoder_heads: 4,
        };
        let intervention = Intervention {
            heads,
            ..Intervention::default()
        };
        intervention.resolve(stacks)
    }

    #[test]
    fn an_empty_intervention_has_no_effects() {
        assert_eq!(effects(Vec::new()).unwrap(), None);
    }

    #[test]
    fn a_change_reaches_what_it_names_and_nothing_else() {
        use AttentionKind::{Cross, DecoderSelf};
        use HeadEffect::{AsTrained, Off, Uniform};
        let found = effects(vec![
            change(Change::Only, Cross, 1, Some(2)),
            change(Change::Uniform, Cross, 1, Some(2)),
            change(Change::Off, DecoderSelf, 0, None),
        ]);
        let found = found.unwrap().unwrap();
        assert_eq!(found.of(Cross, 1), [Off, Off, Uniform, Off]);
        assert_eq!(found.of(Cross, 0), [AsTrained; 4]);
        assert_eq!(found.of(DecoderSelf, 0), [Off; 4]);
        assert_eq!(found.of(AttentionKind::EncoderSelf, 0), [AsTrained; 2]);
    }

    #[test]
    fn unknown_layers_and_heads_are_refused_by_name() {
        let kind = AttentionKind::Cross;
        let message = |change| effects(vec![change]).unwrap_err().to_string();
        assert!(message(change(Change::Off, kind, 0, Some(4))).contains("head 4"));
        assert!(message(change(Change::Off, kind, 7, Some(0))).contains("layer 7"));
        assert!(message(change(Change::Only, kind, 0, None)).contains("only"));
    }

    #[test]
    fn shuffled_positions_are_a_permutation_that_the_seed_decides() {
        let positions = |seed| {
            let intervention = Intervention {
                positions: Some(PositionChange::Shuffled),
                seed,
                ..Intervention::default()
            };
            let stacks = Stacks {
                encoder_layers: 1,
                decoder_layers: 1,
                encoder_heads: 1,
                decoder_heads: 1,
            };
            let effects = intervention.resolve(stacks).unwrap().unwrap();
            effects.positions(9).unwrap()
        };
        let mut sorted = positions(1);
        assert_eq!(sorted, positions(1));
        assert_ne!(sorted, positions(2));
        sorted.sort_unstable();
        assert_eq!(sorted, (0..9).collect::<Vec<_>>());
    }
}
