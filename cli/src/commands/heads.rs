//! `heads`: measures what each head does.

use std::path::PathBuf;
use translucent::checkpoint::{self, write_atomically};
use translucent_cli::lines::Lines;
use translucent_cli::{Error, Result, heads};

/// Measures every head over sentence pairs and writes heads.json into the model folder.
#[derive(clap::Args)]
pub struct Heads {
    /// Model folder.
    #[arg(long)]
    model: PathBuf,
    /// Sentence pairs, source and target between a tab; further columns are ignored.
    #[arg(long, required = true)]
    tsv: Vec<PathBuf>,
    /// Use at most this many pairs.
    #[arg(long, default_value_t = 1000)]
    most: usize,
    /// Threads [default: all cores].
    #[arg(long)]
    threads: Option<usize>,
}

impl Heads {
    /// Runs the command.
    ///
    /// # Errors
    /// If model or pairs cannot be read, or there are too few.
    pub fn run(&self) -> Result<()> {
        let threads = super::threads(self.threads)?;
        let model = checkpoint::open(&self.model)?;
        let mut pairs = Vec::new();
        for path in &self.tsv {
            let lines = Lines::read(Some(path))?;
            let sources = lines.clone().column(1)?.lines;
            pairs.extend(sources.into_iter().zip(lines.column(2)?.lines));
        }
        pairs.truncate(self.most);
        let bar = super::progress(pairs.len(), "sentences");
        let measured = heads::measure(&model, &pairs, threads, &|| bar.inc(1))?;
        bar.finish_and_clear();
        let json = serde_json::to_string_pretty(&measured).map_err(|error| {
            Error::Argument(format!("a measured number cannot be written: {error}"))
        })?;
        write_atomically(
            &self.model.join("heads.json"),
            format!("{json}\n").as_bytes(),
        )?;
        let mut out = format!(
            "{} sentences, {} anchor rows\n",
            measured.sentences, measured.anchors
        );
        for head in &measured.roles {
            let ring = if head.distinctive { " *" } else { "" };
            let (kind, layer, number) = (head.attention, head.layer + 1, head.head + 1);
            let (role, leading, strength, entropy) =
                (head.role, head.leading, head.strength, head.entropy);
            let kind = format!("{kind:?}");
            out += &format!(
                "{kind:11} layer {layer} head {number:2}  {role:12} {leading} {strength:.2}  entropy {entropy:.2}{ring}\n"
            );
        }
        out += &match &measured.alignment {
            Some(best) => format!(
                "alignment: layer {} head {}, right for {:.0} % of the anchors\n",
                best.layer + 1,
                best.head + 1,
                100.0 * best.agreement
            ),
            None => "alignment: too few names and numbers to tell\n".to_owned(),
        };
        crate::print(&out)
    }
}
