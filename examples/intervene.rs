//! Switch the heads of one attention off, one at a time, and translate again: `cargo run --release --example intervene`

use translucent::model::Seq2Seq;
use translucent::trace::{AttentionKind, Change, HeadChange};
use translucent::translator::Translator;

fn main() -> translucent::Result<()> {
    let translator = Translator::open("models/en-de-free")?;
    let text = "The man who sold me the old car has moved to Berlin.";
    println!(
        "as trained  {}",
        translator.translate(text, translator.search())?
    );
    let config = translator.model().config();
    for head in 0..config.stacks().heads(AttentionKind::Cross) {
        let mut search = translator.search().clone();
        search.intervention.heads.push(HeadChange {
            kind: Some(AttentionKind::Cross),
            layer: Some(config.decoder_layers - 1),
            head: Some(head),
            change: Change::Off,
        });
        let translation = translator.translate(text, &search)?;
        println!("head {} off  {translation}", head + 1);
    }
    Ok(())
}
