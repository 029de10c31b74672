//! Follow a translation while it grows; the part before the bar is final: `cargo run --release --example stream`

use translucent::translator::{DocumentOptions, JobEvent, Translator};

fn main() -> translucent::Result<()> {
    let translator = Translator::open("models/en-de-free")?;
    let options = DocumentOptions::new(translator.search().clone());
    let text = "Two children are playing in the garden. Their dog is sleeping under a tree.";
    for event in translator.events(text, &options)? {
        match event? {
            JobEvent::Partial {
                sentence,
                text,
                stable_length,
            } => {
                let (stable, rest) = text.split_at(stable_length);
                println!("{}  {stable}|{rest}", sentence + 1);
            }
            JobEvent::Sentence {
                sentence,
                text,
                score,
                ..
            } => println!("{}  {text}  (score {score:.2})", sentence + 1),
            _ => {}
        }
    }
    Ok(())
}
