use super::*;
use ndarray::Array;

fn piece(text: &str, from: usize, to: usize, word: usize) -> PieceLabel {
    PieceLabel {
        text: text.into(),
        range: Some([from, to]),
        word: Some(word),
    }
}

fn end() -> PieceLabel {
    PieceLabel {
        text: "</s>".into(),
        ..PieceLabel::default()
    }
}

/// "der Hund bellt": Hund and bellt in two pieces each.
fn target() -> Vec<PieceLabel> {
    vec![
        piece("▁der", 0, 3, 0),
        piece("▁Hu", 4, 6, 1),
        piece("nd", 6, 8, 1),
        piece("▁bell", 9, 13, 2),
        piece("t", 13, 14, 2),
        end(),
    ]
}

fn source() -> Vec<PieceLabel> {
    vec![
        piece("▁the", 0, 3, 0),
        piece("▁do", 4, 6, 1),
        piece("g", 6, 7, 1),
        piece("▁barks", 8, 13, 2),
        end(),
    ]
}

/// Rows that sum to 1 and differ in every layer and head.
fn block(rows: usize, cols: usize) -> Array4<f32> {
    let mut block = Array::from_shape_fn((3, 2, rows, cols), |(l, h, r, c)| {
        ((l * 7 + h * 5 + r * 3 + c * 2) % 11 + 1) as f32
    });
    for mut row in block.lanes_mut(Axis(3)) {
        let sum = row.sum();
        row /= sum;
    }
    block
}

fn cross(options: ViewOptions) -> View {
    let (source, target) = (source(), target());
    let labels = Labels {
        source: &source,
        target: &target,
    };
    let block = block(6, 5);
    view(
        AttentionKind::Cross,
        Measure::Weights,
        block.view(),
        labels,
        options,
    )
    .unwrap()
}

const WORDS: ViewOptions = ViewOptions {
    unit: Unit::Words,
    special_tokens: Special::Shown,
    heads: Fold::Each,
    layers: Fold::Each,
};

fn texts(items: &[AxisItem]) -> Vec<&str> {
    items.iter().map(|item| &*item.text).collect()
}

#[test]
fn without_options_a_view_is_the_block() {
    let view = cross(ViewOptions::default());
    assert_eq!(view.values, block(6, 5));
    assert_eq!(texts(&view.cols), ["▁the", "▁do", "g", "▁barks", "</s>"]);
    assert_eq!(view.shown, None);
}

#[test]
fn words_are_the_mean_of_rows_and_the_sum_of_columns() {
    let view = cross(WORDS);
    assert_eq!(texts(&view.rows), ["der", "Hund", "bellt", "</s>"]);
    assert_eq!(texts(&view.cols), ["the", "dog", "barks", "</s>"]);
    assert_eq!(view.rows[1].range, Some([4, 8]));
    assert_eq!(view.rows[1].pieces, [1, 3]);
    let block = block(6, 5);
    let by_hand =
        (block[[1, 1, 1, 1]] + block[[1, 1, 1, 2]] + block[[1, 1, 2, 1]] + block[[1, 1, 2, 2]])
            / 2.0;
    assert!((view.values[[1, 1, 1, 1]] - by_hand).abs() < 1e-7);
    for sum in view.values.sum_axis(Axis(3)) {
        assert!((sum - 1.0).abs() < 1e-6, "a word's row still sums to 1");
    }
}

#[test]
fn rows_of_the_decoder_say_what_they_read() {
    let view = cross(WORDS);
    let reads: Vec<_> = view
        .rows
        .iter()
        .map(|item| item.reads.as_deref().unwrap())
        .collect();
    assert_eq!(reads, ["<s>", "▁der", "nd", "t"]);
}

#[test]
fn columns_of_the_masked_attention_are_what_was_read() {
    let target = target();
    let labels = Labels {
        source: &[],
        target: &target,
    };
    let block = block(6, 6);
    let view = view(
        AttentionKind::DecoderSelf,
        Measure::Weights,
        block.view(),
        labels,
        WORDS,
    )
    .unwrap();
    assert_eq!(texts(&view.cols), ["<s>", "der", "Hund", "bellt"]);
    assert_eq!(view.cols[3].pieces, [4, 6]);
    assert_eq!(view.cols[0].special, Some(SpecialPiece::Start));
}

#[test]
fn hidden_pieces_leave_rows_that_sum_to_one_and_say_what_was_left() {
    let hidden = ViewOptions {
        special_tokens: Special::Hidden,
        ..ViewOptions::default()
    };
    let view = cross(hidden);
    assert_eq!(view.values.dim(), (3, 2, 5, 4));
    let shown = view.shown.unwrap();
    let block = block(6, 5);
    for ((layer, head, row), left) in shown.indexed_iter() {
        assert!((left + block[[layer, head, row, 4]] - 1.0).abs() < 1e-6);
        let sum: f32 = view.values.slice(s![layer, head, row, ..]).sum();
        assert!((sum - 1.0).abs() < 1e-6);
    }
}

#[test]
fn norms_are_not_renormalised_and_a_row_of_nothing_stays_nothing() {
    let (source, target) = (source(), target());
    let labels = Labels {
        source: &source,
        target: &target,
    };
    let options = ViewOptions {
        special_tokens: Special::Hidden,
        ..ViewOptions::default()
    };
    let kind = AttentionKind::Cross;
    let norms = view(kind, Measure::Norms, block(6, 5).view(), labels, options).unwrap();
    assert_eq!(norms.values, block(6, 5).slice(s![.., .., ..5, ..4]));
    assert_eq!(norms.shown, None);
    let mut parked = Array4::zeros((1, 1, 6, 5));
    parked.slice_mut(s![.., .., .., 4]).fill(1.0);
    let parked = view(kind, Measure::Weights, parked.view(), labels, options).unwrap();
    assert!(parked.values.iter().all(|weight| *weight == 0.0));
}

#[test]
fn means_over_heads_and_layers_are_means() {
    let mean = cross(ViewOptions {
        heads: Fold::Mean,
        layers: Fold::Mean,
        ..ViewOptions::default()
    });
    assert_eq!(mean.values.dim(), (1, 1, 6, 5));
    let block = block(6, 5);
    let by_hand = block.slice(s![.., .., 2, 3]).mean().unwrap();
    assert!((mean.values[[0, 0, 2, 3]] - by_hand).abs() < 1e-6);
}

#[test]
fn a_block_that_does_not_fit_the_pieces_is_refused() {
    let source = source();
    let labels = Labels {
        source: &source,
        target: &[],
    };
    let block = block(4, 4);
    let refused = view(
        AttentionKind::EncoderSelf,
        Measure::Weights,
        block.view(),
        labels,
        WORDS,
    );
    let message = refused.unwrap_err().to_string();
    assert!(
        message.contains("4 × 4") && message.contains("5 × 5"),
        "{message}"
    );
}
