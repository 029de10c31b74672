//! Translate a text: `cargo run --release --example translate -- "Good morning."`

use translucent::translator::Translator;

fn main() -> translucent::Result<()> {
    let text = std::env::args().nth(1);
    let text = text.unwrap_or_else(|| "The house is small. It has a red door.".into());
    let translator = Translator::open("models/en-de-free")?;
    println!("{}", translator.translate(&text, translator.search())?);
    Ok(())
}
