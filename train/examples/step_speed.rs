//! Speed of a training step on batches of one shape: target tokens a second of wall clock, and of processor time,
//! which other programs on the machine disturb less.
//!
//! `cargo run --release --example step_speed -- [batch tokens] [steps] [workers]`

use std::time::Instant;
use tch::Device;
use translucent::Config;
use translucent_train::Result;
use translucent_train::data::batch::{Batch, SpecialIds};
use translucent_train::model::{Precision, Weights};
use translucent_train::optimizer::{Adam, Update};
use translucent_train::workers::Workers;

const LENGTH: usize = 16;

fn main() -> Result<()> {
    let argument = |i, default| {
        std::env::args()
            .nth(i)
            .and_then(|a| a.parse().ok())
            .unwrap_or(default)
    };
    let (tokens, steps, workers) = (argument(1, 2048), argument(2, 30), argument(3, 1));
    let config = Config::small(8000);
    let device = Device::Cpu;
    tch::set_num_threads(1);
    let weights = Weights::random(&config, 1, device).trainable();
    let pool = Workers::new(&config, &weights, Precision::Bf16, workers)?;
    let mut adam = Adam::new(&weights);
    let special = SpecialIds {
        pad: config.pad_id,
        eos: config.eos_id,
        start: config.decoder_start_id,
    };
    let sentence: Vec<u16> = (0..LENGTH as u16 - 1).map(|i| 300 + 37 * i).collect();
    let pairs = vec![(&sentence[..], &sentence[..]); tokens / LENGTH];
    let mut begun = (Instant::now(), processor_seconds());
    // The first steps compile the kernels.
    for step in 1..=steps + 3 {
        if step == 4 {
            begun = (Instant::now(), processor_seconds());
        }
        let batches: Vec<_> = (0..workers as u64)
            .map(|i| (Batch::new(&pairs, special, device), i))
            .collect();
        let tokens = batches.iter().map(|(batch, _)| batch.target_tokens).sum();
        pool.gradients(batches, tokens)?;
        adam.step(
            &weights,
            Update {
                step: step as u64,
                learning_rate: 1e-4,
                clip: Some(1.0),
                threads: workers,
            },
        );
    }
    let done = (steps * workers * pairs.len() * LENGTH) as f64;
    println!(
        "{:.0} target tokens/s, {:.0} per processor second",
        done / begun.0.elapsed().as_secs_f64(),
        done / (processor_seconds() - begun.1)
    );
    Ok(())
}

/// User and system time of this process so far (Linux counts it in hundredths of a second).
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .skip(11)
        .take(2);
    fields.filter_map(|f| f.parse::<f64>().ok()).sum::<f64>() / 100.0
}
