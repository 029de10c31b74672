//! Forced decoding: a whole target at once, as in training.

use super::decoder::{Memories, Past};
use super::state::ObservedSlot;
use super::{Seq2Seq, State, Transformer};
use crate::Result;
use crate::layers::{Input, Observer, RowWeights};
use crate::trace::{Trace, TraceRequest};
use ndarray::Array2;

/// A whole target decoded at once.
pub struct Forced {
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
    pub fn decode_prefix(
        &self,
        source: &[u32],
        target: &[u32],
        request: &TraceRequest,
    ) -> Result<Forced> {
        self.check_ids("target", target, self.config.target_vocab())?;
        let mut state = self.start(&[source], std::slice::from_ref(request))?;
        let (len, d_model) = (target.len(), self.config.d_model);
        let State {
            memories,
            observed,
            workspace,
            cache,
            ..
        } = &mut state;
        let mut slots: Vec<ObservedSlot> = match observed.first() {
            None => Vec::new(),
            Some(observed) => (0..len).map(|_| observed.slot(len)).collect(),
        };

        let mut x = Array2::zeros((len, d_model));
        let read = std::iter::once(self.config.decoder_start_id).chain(target.iter().copied());
        self.decoder_input
            .embedding
            .forward(read.take(len), x.view_mut());
        for (slot, row) in slots.iter_mut().zip(x.rows()) {
            observed[0].target_embedding(slot, row);
        }
        self.decoder_input.add_positions(0..len, x.view_mut());
        let memories = Memories {
            memories,
            sentences: &vec![0; len],
        };
        let mut observe =
            |row: RowWeights<'_>| observed[0].decoder_weights(&mut slots[row.row], &row);
        let mut observer: Observer<'_> = None;
        if !observed.is_empty() {
            observer = Some(&mut observe);
        }
        self.decoder.forward(
            x.view_mut(),
            Past::Causal,
            cache,
            &memories,
            workspace,
            &mut observer,
        );
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
        Ok(Forced { logits, trace })
    }
}
