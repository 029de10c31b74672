//! The bytes of a block.

use crate::data::corpus::{Corpus, Packed};

/// Most pairs of a block.
pub const BLOCK: usize = 4096;

/// The bytes of some pairs; their sentences are at most 65 535 pieces long.
pub(super) fn encode(corpus: &Corpus, pairs: &[u32]) -> Vec<u8> {
    let sides = [&corpus.source, &corpus.target];
    let sentences = || {
        let of = |side| pairs.iter().map(move |&i| Packed::get(side, i as usize));
        sides.into_iter().flat_map(of)
    };
    let lengths = sentences().map(|sentence| sentence.len() as u16);
    let ids = sentences().flatten().copied();
    lengths.chain(ids).flat_map(u16::to_le_bytes).collect()
}

/// The pairs of a block; `None` if its bytes are no block of so many pairs.
pub(super) fn decode(bytes: &[u8], pairs: usize) -> Option<Corpus> {
    let (numbers, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() || numbers.len() < 2 * pairs {
        return None;
    }
    let numbers: Vec<u16> = numbers.iter().map(|b| u16::from_le_bytes(*b)).collect();
    let (lengths, mut ids) = numbers.split_at(2 * pairs);
    let mut corpus = Corpus::default();
    let (sources, targets) = lengths.split_at(pairs);
    for (side, lengths) in [(&mut corpus.source, sources), (&mut corpus.target, targets)] {
        for &length in lengths {
            let (sentence, others) = ids.split_at_checked(usize::from(length))?;
            side.push_packed(sentence);
            ids = others;
        }
    }
    ids.is_empty().then_some(corpus)
}
