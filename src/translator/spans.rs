//! The words of a translation that were written while spans of its source were read: where marks of markup belong.

use ndarray::ArrayView2;
use std::ops::Range;

/// A part of a source whose words are looked for in the translation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// Its pieces; `None` for the whole source.
    pub source: Option<Range<usize>>,
    /// Whether punctuation before and after its words is part of it.
    pub has_punctuation: [bool; 2],
}

/// What a piece of a translation is to its words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shape {
    /// Whether it has a letter or a digit.
    pub has_word: bool,
    /// Whether nothing stands between it and what is before it.
    pub touches: bool,
}

/// For each span the pieces of the translation that stand for it, without punctuation at their ends where the span has none.
/// Of spans that hold each other the inner ones come first, and what stands for them is held likewise; others share no word.
/// `None` where no word is left, or nothing was observed.
///
/// Words stand for a span if they were written while more of it was read than of the rest: the shares of the attention that
/// each word gave to the span are split into two groups of least variance (Otsu, 1979), and the run of words is taken whose
/// shares are farthest above the middle between them.
///
/// # Shapes
/// `attention` (pieces of the translation, pieces of the source), the mean over heads; `shapes` one for each piece of the
/// translation.
pub(super) fn follow(
    spans: &[Span],
    shapes: &[Shape],
    attention: ArrayView2<'_, f32>,
) -> Vec<Option<Range<usize>>> {
    let words = words(shapes);
    let mut runs: Vec<Option<Range<usize>>> = Vec::new();
    for span in spans {
        let held = |other: &Span| holds(span, other);
        let others = || spans.iter().zip(&runs);
        let taken: Vec<Range<usize>> = others()
            .filter(|(other, _)| !held(other))
            .filter_map(|(_, run)| run.clone())
            .collect();
        let run = match &span.source {
            None => (!words.is_empty()).then_some(0..words.len()),
            Some(source) => {
                let shares: Vec<f32> = words
                    .iter()
                    .map(|word| share(source, word, attention))
                    .collect();
                best_run(&shares, &taken)
            }
        };
        let inner = others().filter(|(other, _)| held(other));
        let inner = inner.filter_map(|(_, run)| run.clone());
        runs.push(inner.fold(run, |run, inner| match run {
            Some(run) => Some(run.start.min(inner.start)..run.end.max(inner.end)),
            None => Some(inner),
        }));
    }
    let pieces = spans.iter().zip(runs).map(|(span, run)| {
        let run = run?;
        Some(with_punctuation(
            words[run.start].start..words[run.end - 1].end,
            span.has_punctuation,
            shapes,
        ))
    });
    pieces.collect()
}

/// Whether a span holds another one, which comes before it.
fn holds(span: &Span, other: &Span) -> bool {
    match (&span.source, &other.source) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(outer), Some(inner)) => outer.start <= inner.start && inner.end <= outer.end,
    }
}

/// The words: pieces that touch each other, from the first with a letter or digit to the last.
fn words(shapes: &[Shape]) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    for (at, shape) in shapes.iter().enumerate() {
        if !shape.has_word {
            continue;
        }
        match words.last_mut() {
            Some(word) if shapes[word.end..=at].iter().all(|shape| shape.touches) => {
                word.end = at + 1;
            }
            _ => words.push(at..at + 1),
        }
    }
    words
}

/// The part of what a word's pieces read of the source, but for the end mark, that is the span's.
fn share(source: &Range<usize>, word: &Range<usize>, attention: ArrayView2<'_, f32>) -> f32 {
    let end = attention.ncols().saturating_sub(1);
    let (mut read, mut all) = (0.0, f32::MIN_POSITIVE);
    for at in word.clone() {
        let row = attention.row(at);
        read += row
            .iter()
            .take(end.min(source.end))
            .skip(source.start)
            .sum::<f32>();
        all += row.iter().take(end).sum::<f32>();
    }
    read / all
}

/// The run of words whose shares are farthest above the middle between high and low ones, beside the words that are taken.
fn best_run(shares: &[f32], taken: &[Range<usize>]) -> Option<Range<usize>> {
    let middle = middle(shares)?;
    let mut best: Option<(f32, Range<usize>)> = None;
    for start in 0..shares.len() {
        let mut sum = 0.0;
        for (end, share) in shares.iter().enumerate().skip(start) {
            if taken.iter().any(|taken| taken.contains(&end)) {
                break;
            }
            sum += share - middle;
            if best.as_ref().is_none_or(|(most, _)| sum > *most) {
                best = Some((sum, start..end + 1));
            }
        }
    }
    best.map(|(_, run)| run)
}

/// The middle between the means of two groups, of low and of high values, chosen for the least variance within them (Otsu, 1979).
/// `None` if all are zero, or there are none.
fn middle(values: &[f32]) -> Option<f32> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f32::total_cmp);
    sorted.last().filter(|most| **most > 0.0)?;
    let mean = |values: &[f32]| values.iter().sum::<f32>() / values.len() as f32;
    let apart = |at: usize| {
        let (low, high) = sorted.split_at(at);
        let distance = mean(high) - mean(low);
        low.len() as f32 * high.len() as f32 * distance * distance
    };
    let at = (1..sorted.len()).max_by(|a, b| apart(*a).total_cmp(&apart(*b)));
    let Some((low, high)) = at.map(|at| sorted.split_at(at)) else {
        return Some(0.0);
    };
    Some((mean(low) + mean(high)) / 2.0)
}

/// A run of pieces with the punctuation that touches it before and after.
fn with_punctuation(
    mut run: Range<usize>,
    [before, after]: [bool; 2],
    shapes: &[Shape],
) -> Range<usize> {
    while before && run.start > 0 && shapes[run.start].touches && !shapes[run.start - 1].has_word {
        run.start -= 1;
    }
    let touches = |shape: &Shape| shape.touches && !shape.has_word;
    while after && shapes.get(run.end).is_some_and(touches) {
        run.end += 1;
    }
    run
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::Array2;

    const WORD: Shape = Shape {
        has_word: true,
        touches: false,
    };
    const PART: Shape = Shape {
        has_word: true,
        touches: true,
    };
    const DOT: Shape = Shape {
        has_word: false,
        touches: true,
    };
    const END: Shape = Shape {
        has_word: false,
        touches: false,
    };

    fn span(source: Range<usize>) -> Span {
        Span {
            source: Some(source),
            has_punctuation: [false; 2],
        }
    }

    /// Rows that read one source piece each, as far as they read words at all.
    fn reading(read: &[usize], source_len: usize) -> Array2<f32> {
        let mut attention = Array2::from_elem((read.len(), source_len), 0.05);
        for (mut row, &at) in attention.rows_mut().into_iter().zip(read) {
            row[at] = 0.5;
        }
        attention
    }

    #[test]
    fn a_span_is_followed_to_whole_words_in_another_order() {
        // Two words; the second, of two pieces, reads the source's first.
        let shapes = [WORD, WORD, PART, DOT, END];
        let attention = reading(&[2, 0, 1, 3, 4], 5);
        let spans = [span(0..2), span(2..3)];
        assert_eq!(
            follow(&spans, &shapes, attention.view()),
            [Some(1..3), Some(0..1)]
        );
    }

    #[test]
    fn punctuation_belongs_to_a_span_that_ends_with_it() {
        let shapes = [WORD, DOT, WORD, DOT, END];
        let attention = reading(&[0, 1, 2, 3, 4], 5);
        let first = Span {
            has_punctuation: [false, true],
            ..span(0..2)
        };
        let all = Span {
            source: None,
            has_punctuation: [false, true],
        };
        assert_eq!(
            follow(&[first, span(2..3), all], &shapes, attention.view()),
            [Some(0..2), Some(2..3), Some(0..4)]
        );
    }

    #[test]
    fn spans_hold_those_in_them_and_share_no_word_with_others() {
        let shapes = [WORD; 4];
        // Both spans are read by the first word most, the outer one nowhere else.
        let attention = reading(&[0, 2, 2, 3], 5);
        assert_eq!(
            follow(&[span(0..1), span(0..2)], &shapes, attention.view()),
            [Some(0..1), Some(0..1)]
        );
        let attention = reading(&[0, 0, 3, 3], 5);
        let found = follow(&[span(0..1), span(1..2)], &shapes, attention.view());
        assert_eq!(found[0], Some(0..2));
        assert!(found[1].as_ref().is_some_and(|run| run.start >= 2));
        // More spans than words.
        let found = follow(&[span(0..1), span(1..2)], &[WORD], attention.view());
        assert_eq!(found, [Some(0..1), None]);
        assert_eq!(follow(&[span(0..1)], &[END], attention.view()), [None]);
    }

    #[test]
    fn values_are_told_apart_in_the_middle() {
        assert_eq!(middle(&[0.0, 0.25, 1.0, 0.75]), Some(0.5));
        assert_eq!(middle(&[0.3]), Some(0.0));
        assert_eq!(middle(&[0.0, 0.0]), None);
        assert_eq!(middle(&[]), None);
    }
}
