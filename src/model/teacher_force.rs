//! TeacherForced decoding: a whole target at once, as in training.

use super::cache::KeyValueRows;
use super::decoder::{CrossMemory, Memories, Past};
use super::observed::{DecoderObserver, ObservedSlot};
use super::position_override::PositionOverride;
use super::workspace::Workspace;
use super::{Seq2Seq, State, Transformer};
use crate::Result;
use crate::layers::{Hooks, Input, Stack};
use crate::trace::{Trace, TraceRequest};
use ndarray::Array2;

/// A whole target decoded at once.
#[non_exhaustive]
pub struct TeacherForced {
    /// (len_tgt, vocab): row t predicts piece t from the pieces before it.
    pub logits: Array2<f32>,
    /// The requested observations.
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
        let mut observer = DecoderObserver {
            observed,
            sentences: &vec![0; len],
            slots: &mut slots,
        };
        let mut hooks = Hooks {
            observer: (!observed.is_empty()).then_some(&mut observer),
            norms: *norms,
            ..Hooks::default()
        };
        let x = self.decode_causally(target, memories, position_override, workspace, &mut hooks);

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

    /// The decoder's output (len_tgt, d_model) for one whole target under the causal mask: it reads the start symbol
    /// and all pieces but the last.
    pub(crate) fn decode_causally(
        &self,
        target: &[u32],
        memories: &[CrossMemory],
        position_override: &PositionOverride,
        workspace: &mut Workspace,
        hooks: &mut Hooks<'_>,
    ) -> Array2<f32> {
        let len = target.len();
        let mut x = Array2::zeros((len, self.config.d_model));
        let start = std::iter::once(self.config.decoder_start_id);
        let ids = start.chain(target.iter().copied()).take(len);
        let positions = (0..len).map(|position| position_override.at(0, position));
        self.decoder_input
            .forward(Stack::Decoder, ids, positions, x.view_mut(), hooks);
        let memories = Memories {
            memories,
            sentences: &vec![0; len],
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
