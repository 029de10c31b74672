//! `depends`: what each predicted piece depends on, beside what attention reads.

use std::path::PathBuf;
use translucent::checkpoint::ModelFiles;
use translucent::translator::{Target, Translator};
use translucent_cli::Result;
use translucent_cli::lines::Lines;
use translucent_learn::Attributor;
use translucent_learn::attribution::{Integral, TOLERANCE, rank_correlation};

/// For each piece of given translations: gradient × input, integrated gradients and leaving each source piece out, beside the
/// mean of all heads and attention rollout.
#[derive(clap::Args)]
pub struct Depends {
    /// Model folder, of the paper's layout.
    #[arg(long)]
    model: PathBuf,
    /// Source and translation, a tab between; further columns are ignored.
    #[arg(long)]
    tsv: PathBuf,
    /// Use at most this many pairs.
    #[arg(long, default_value_t = 100)]
    most: usize,
    /// Print medians of the rank correlations over all predictions instead.
    #[arg(long)]
    summary: bool,
}

/// What is printed of a source piece.
const MEASURES: [&str; 5] = [
    "gradient_input",
    "integrated",
    "left_out",
    "mean_head",
    "rollout",
];

/// The measures of one prediction, each (source pieces).
struct Measured {
    logprob: f64,
    values: [Vec<f32>; 5],
    integral: Integral,
}

impl Depends {
    /// Runs the command.
    ///
    /// # Errors
    /// If model or pairs cannot be read, or the model's layout is not the paper's.
    pub fn run(&self) -> Result<()> {
        let translator = Translator::open(&self.model)?;
        let tokenizer = translator.tokenizer();
        let mut attributor = Attributor::from_files(&ModelFiles::from_dir(&self.model)?)?;
        let lines = Lines::read(Some(&self.tsv))?;
        let (sources, targets) = (lines.clone().column(1)?.lines, lines.column(2)?.lines);
        if !self.summary {
            let measures = MEASURES.join("\t");
            crate::print(&format!(
                "line\tstep\tpredicted\tlogprob\toff\tpiece\t{measures}\n"
            ))?;
        }
        let mut correlations = vec![Vec::new(); MEASURES.len() * MEASURES.len()];
        let mut errors = Vec::new();
        let pairs = sources.iter().zip(&targets).take(self.most);
        for (line, (source, target)) in pairs.enumerate() {
            let (source, target) = translator.encode_pair(source, Target::Text(target))?;
            for (step, predicted) in target.iter().enumerate() {
                let found = measure(&mut attributor, &source, &target, step)?;
                errors.push(found.integral.error());
                for (at, list) in correlations.iter_mut().enumerate() {
                    let of = |i: usize| found.values[i].iter().map(|v| v.abs()).collect::<Vec<_>>();
                    list.extend(rank_correlation(
                        &of(at / MEASURES.len()),
                        &of(at % MEASURES.len()),
                    ));
                }
                if self.summary {
                    continue;
                }
                for (place, id) in source.iter().enumerate() {
                    let values = found.values.each_ref().map(|v| format!("{:.6}", v[place]));
                    crate::print(&format!(
                        "{}\t{}\t{}\t{:.5}\t{:.4}\t{}\t{}\n",
                        line + 1,
                        step + 1,
                        tokenizer.piece(*predicted),
                        found.logprob,
                        found.integral.error(),
                        tokenizer.piece(*id),
                        values.join("\t")
                    ))?;
                }
            }
        }
        match self.summary {
            true => summarise(correlations, errors),
            false => Ok(()),
        }
    }
}

fn measure(
    attributor: &mut Attributor,
    source: &[u32],
    target: &[u32],
    step: usize,
) -> Result<Measured> {
    let first = attributor.ask(source, target, step)?;
    let integral = loop {
        let integral = attributor.integrate();
        if integral.is_done() {
            break integral;
        }
    };
    let mut left_out = Vec::new();
    loop {
        let next = attributor.leave_out(left_out.len());
        if next.is_empty() {
            break;
        }
        left_out.extend(next.into_iter().map(|change| change as f32));
    }
    left_out.resize(source.len(), f32::NAN);
    Ok(Measured {
        logprob: first.logprob,
        values: [
            first.gradient_input.source,
            integral.shares.source.clone(),
            left_out,
            first.attention.mean,
            first.attention.rollout,
        ],
        integral,
    })
}

/// Medians with quartiles, a line for each pair of measures.
fn summarise(correlations: Vec<Vec<f64>>, mut errors: Vec<f64>) -> Result<()> {
    let quantile =
        |sorted: &[f64], q: f64| sorted[((sorted.len() - 1) as f64 * q).round() as usize];
    errors.sort_by(f64::total_cmp);
    if errors.is_empty() {
        return Ok(());
    }
    let within = errors.iter().filter(|error| **error <= TOLERANCE).count();
    let mut out = format!(
        "predictions\t{}\nintegrated: within {TOLERANCE}\t{:.3}\nintegrated: median error\t{:.4}\n",
        errors.len(),
        within as f64 / errors.len() as f64,
        quantile(&errors, 0.5)
    );
    for (at, mut list) in correlations.into_iter().enumerate() {
        let (a, b) = (at / MEASURES.len(), at % MEASURES.len());
        if a >= b || list.is_empty() {
            continue;
        }
        list.sort_by(f64::total_cmp);
        out += &format!(
            "rank correlation\t{}\t{}\t{:.2}\t{:.2}\t{:.2}\n",
            MEASURES[a],
            MEASURES[b],
            quantile(&list, 0.5),
            quantile(&list, 0.25),
            quantile(&list, 0.75)
        );
    }
    crate::print(&out)
}
