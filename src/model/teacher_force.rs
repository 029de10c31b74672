//! TeacherForced decoding: a whole target at once, as in training.

use super::cache::KeyValueRows;
use super::decoder::{CrossMemory, Memories, Past};
use super::position_override::PositionOverride;
use super::state::ObservedSlot;
use super::workspace::Workspace;
use super::{Seq2Seq, State, Transformer};
use crate::Result;
use crate::layers::{HookEvent, Hooks, Input};
use crate::trace::{Trace, TraceRequest};
use ndarray::Array2;

/// A whole target decoded at once.
pub struct TeacherForced {
    /// (len_tgt, vocab): row t predicts piece t from the pieces before it.
    pub logits: Array2<f32>,
    /// What was asked to be observed.
    pub trace: Trace,
}

impl Transformer {
    /// Decodes a whole target at once under the causal mask, as in training (§3.2.3): the decoder
    /// reads the start symbol and all of `target` but its last piece.
    ///
    /// # Errors
    /// If source or target is empty or longer than `max_positions`, an id is outside the vocabulary,
    /// or `request` names a layer or head that the model has not.
    pub fn teacher_force(
        &self,
        source: &[u32],
        target: &[u32],
        request: &TraceRequest,
    ) -> Result<TeacherForced> {
        self.check_ids("target", target, self.config.target_vocab())?;
        let mut state = self.encode(&[source], std::slice::from_ref(request))?;
        let len = target.len();
        let State {
            norms,
            memories,
            observed,
            workspace,
            position_override,
            ..
        } = &mut state;
        let mut slots: Vec<ObservedSlot> = match observed.first() {
            None => Vec::new(),
            Some(observed) => (0..len).map(|_| observed.slot(len)).collect(),
        };

        let x = self.embed_target(target);
        for (slot, row) in slots.iter_mut().zip(x.rows()) {
            observed[0].target_embedding(slot, row);
        }
        let mut observe = |event: HookEvent<'_>| match event {
            HookEvent::Weights(row) => observed[0].decoder_weights(&mut slots[row.row], &row),
            HookEvent::ValueNorms { layer, norms, .. } => {
                for (slot, norms) in slots.iter_mut().zip(norms.rows()) {
                    slot.key_norms(layer, norms);
                }
            }
            HookEvent::Stream { .. } => {}
        };
        let mut hooks = Hooks {
            norms: *norms,
            ..Hooks::default()
        };
        if !observed.is_empty() {
            hooks.observer = Some(&mut observe);
        }
        let x = self.decode_causally(x, memories, position_override, workspace, &mut hooks);
        for (slot, row) in slots.iter_mut().zip(x.rows()) {
            observed[0].decoder_output(slot, row);
        }

        let mut logits = Array2::zeros((len, self.projection.outputs()));
        let mut x = Input::new(x.view(), &mut workspace.quantized);
        self.projection.forward(&mut x, logits.view_mut());
        let path: Vec<&ObservedSlot> = slots.iter().collect();
        let trace = observed
            .first()
            .map(|observed| observed.trace(&path))
            .unwrap_or_default();
        Ok(TeacherForced { logits, trace })
    }

    /// The embeddings (len_tgt, d_model) of what predicts a target: the start symbol and all pieces but the last.
    pub(crate) fn embed_target(&self, target: &[u32]) -> Array2<f32> {
        let mut x = Array2::zeros((target.len(), self.config.d_model));
        let read = std::iter::once(self.config.decoder_start_id).chain(target.iter().copied());
        let read = read.take(target.len());
        self.decoder_input.embedding.forward(read, x.view_mut());
        x
    }

    /// The decoder's output (len_tgt, d_model) for the embeddings of one whole target, under the causal mask.
    pub(crate) fn decode_causally(
        &self,
        mut x: Array2<f32>,
        memories: &[CrossMemory],
        position_override: &PositionOverride,
        workspace: &mut Workspace,
        hooks: &mut Hooks<'_>,
    ) -> Array2<f32> {
        let positions = (0..x.nrows()).map(|position| position_override.at(0, position));
        self.decoder_input.add_positions(positions, x.view_mut());
        let memories = Memories {
            memories,
            sentences: &vec![0; x.nrows()],
        };
        let layers = self.decoder.layers.iter();
        let mut cache: Vec<KeyValueRows> = layers.map(|_| KeyValueRows::default()).collect();
        self.decoder.forward(
            x.view_mut(),
            Past::Causal,
            &mut cache,
            &memories,
            workspace,
            hooks,
        );
        x
    }
}
