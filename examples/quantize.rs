//! Quantise a model to 8 bits and measure what that changes: `cargo run --release --example quantize`

use translucent::checkpoint::{Tensors, quantize::quantize};
use translucent::model::{Seq2Seq, Transformer};
use translucent::trace::TraceRequest;
use translucent::translator::Translator;

fn main() -> translucent::Result<()> {
    // The shape of the model that ships, with random weights in floating point.
    let translator = Translator::open("models/en-de-free")?;
    let config = translator.model().config().clone();
    let tensors = Tensors::random(&config, 1);
    let quantized = quantize(&config, tensors.clone())?;
    println!(
        "{} parameters; {} of {} tensors are 8-bit now",
        tensors.parameters(),
        quantized
            .iter()
            .filter(|(_, tensor)| tensor.is_int8())
            .count(),
        quantized.len(),
    );

    let source = translator
        .tokenizer()
        .encode_source("The house is small.")
        .ids;
    let target = translator
        .tokenizer()
        .encode_target("Das Haus ist klein.")
        .ids;
    let mut logits = Vec::new();
    for mut tensors in [tensors, quantized] {
        let model = Transformer::from_tensors(config.clone(), &mut tensors)?;
        let forced = model.teacher_force(&source, &target, &TraceRequest::default())?;
        logits.push(forced.logits);
    }
    let largest = logits[0].iter().fold(0f32, |most, x| most.max(x.abs()));
    let apart = (&logits[0] - &logits[1])
        .iter()
        .fold(0f32, |most, x| most.max(x.abs()));
    println!("largest logit {largest:.3}, largest difference {apart:.3}");
    Ok(())
}
