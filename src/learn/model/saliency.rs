//! The gradient of one prediction with respect to the embeddings: the backward pass of the layers, without the weights' gradient.

use super::Model;
use crate::batch::Batch;
use crate::dropout::Masks;
use crate::parameters::Parameters;
use translucent::kernels::product::{Destination, Operand, product};

impl Model {
    /// log p(`piece`) after each pair's last target token, with `shares` of the pairs' embeddings; `bias` (vocab) is added to
    /// the logits. [`Model::saliency`] may follow.
    ///
    /// # Shapes
    /// `bias`: (vocab); `shares`: one of each pair.
    pub fn last_logprobs(
        &mut self,
        parameters: &Parameters,
        batch: &Batch,
        (bias, piece): (&[f32], u32),
        shares: Option<&[f32]>,
    ) -> Vec<f64> {
        let values = &parameters.values[..];
        self.layers(values, batch, &mut Masks::Off, shares);
        let ends = batch.input.sentences().map(|range| range.end - 1);
        let hidden: Vec<f32> = ends
            .flat_map(|row| &self.decoder.output()[row * self.d_model..][..self.d_model])
            .copied()
            .collect();
        let rows = hidden.len() / self.d_model;
        self.logits.clear();
        self.logits.extend((0..rows).flat_map(|_| bias));
        let table = Operand::new(&values[self.table.clone()], self.vocab, self.d_model);
        let hidden = Operand::new(&hidden, rows, self.d_model);
        let logits = &mut self.logits;
        product(hidden, table.transposed(), Destination::Add, logits);
        let rows = logits.chunks_exact(self.vocab);
        rows.map(|row| f64::from(row[piece as usize] - translucent::kernels::log_sum_exp(row)))
            .collect()
    }

    /// Gradient of [`Model::last_logprobs`], called just before, times input: of each token of sources and target inputs.
    ///
    /// # Shapes
    /// Gives (source tokens) and (target tokens).
    pub fn saliency(
        &mut self,
        parameters: &Parameters,
        batch: &Batch,
        piece: u32,
    ) -> (Vec<f32>, Vec<f32>) {
        let values = &parameters.values[..];
        for row in self.logits.chunks_exact_mut(self.vocab) {
            translucent::kernels::softmax(row);
            row.iter_mut().for_each(|p| *p = -*p);
            row[piece as usize] += 1.0;
        }
        let rows = self.logits.len() / self.vocab;
        let mut d_hidden = vec![0.0; rows * self.d_model];
        product(
            Operand::new(&self.logits, rows, self.vocab),
            Operand::new(&values[self.table.clone()], self.vocab, self.d_model),
            Destination::Replace,
            &mut d_hidden,
        );
        self.dx.clear();
        self.dx.resize(batch.input.tokens() * self.d_model, 0.0);
        let d = self.d_model;
        for (range, row) in batch.input.sentences().zip(d_hidden.chunks_exact(d)) {
            self.dx[(range.end - 1) * d..][..d].copy_from_slice(row);
        }
        self.backward_layers(values, batch, None);
        let (source, input) = (&self.encoder.embedding, &self.decoder.embedding);
        (
            source.times_input(values, &batch.source, &self.d_memory),
            input.times_input(values, &batch.input, &self.dx),
        )
    }
}
