//! Print one head's encoder–decoder attention (§3.2.3): `cargo run --release --example trace_head -- 3 2`
//! (layer and head, counted from 1).

use translucent::trace::{AttentionKind, TraceRequest};
use translucent::translator::{ScoreOptions, Target, Translator};

fn main() -> translucent::Result<()> {
    let numbers = std::env::args()
        .skip(1)
        .map(|number| number.parse::<usize>());
    let numbers: Vec<usize> = numbers.filter_map(Result::ok).collect();
    let [layer, head] = numbers[..] else {
        return trace(3, 1);
    };
    trace(layer, head)
}

fn trace(layer: usize, head: usize) -> translucent::Result<()> {
    let translator = Translator::open("models/en-de-free")?;
    let source = "The woman is reading a book.";
    let target = translator.translate(source, translator.search())?;
    let mut options = ScoreOptions::default();
    options.request = TraceRequest::of(&[AttentionKind::Cross])
        .with_layers([layer.wrapping_sub(1)])
        .with_heads([head.wrapping_sub(1)]);
    let scored = translator.score(source, Target::Text(&target), &options)?;
    let tokenizer = translator.tokenizer();
    let keys = tokenizer.encode_source(source).ids;
    let Some(weights) = scored.observation.trace.cross else {
        return Ok(());
    };
    println!("{source}\n{target}\n");
    // (layers, heads, len_tgt, len_src), one of each kept.
    for (piece, row) in scored.observation.target.iter().zip(weights.rows()) {
        let strongest = row.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
        if let Some((key, weight)) = strongest {
            println!(
                "{:12} attends to {:12} {weight:.2}",
                piece.text,
                tokenizer.piece(keys[key])
            );
        }
    }
    Ok(())
}
