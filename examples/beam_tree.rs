//! Print the tree of a beam search (§6.1), one line for each hypothesis that ended or was pruned:
//! `cargo run --release --example beam_tree`

use translucent::search::{Batch, Event, NodeState};
use translucent::translator::Translator;

fn main() -> translucent::Result<()> {
    let translator = Translator::open("models/en-de-free")?;
    let (model, tokenizer) = (translator.model(), translator.tokenizer());
    let source = tokenizer.encode_source("She closed the window.").ids;
    let mut batch = Batch::new(model, &[&source], translator.search(), &[])?;
    while !batch.is_done() {
        for event in batch.step(model)? {
            let Event::Nodes { nodes, .. } = event else {
                continue;
            };
            for node in nodes.iter().filter(|node| node.state != NodeState::Open) {
                let state = match node.state {
                    NodeState::Finished => "finished",
                    _ => "pruned",
                };
                let tokens = batch
                    .hypothesis(node.id)
                    .map(|hypothesis| hypothesis.tokens);
                let pieces = tokens.unwrap_or_default().into_iter();
                let pieces: Vec<&str> = pieces.map(|id| tokenizer.piece(id)).collect();
                println!("{:7.3} {state:8} {}", node.score, pieces.join(" "));
            }
        }
    }
    Ok(())
}
