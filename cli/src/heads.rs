//! What each head of a model does, measured over sentence pairs: `heads.json`.
//!
//! The target is forced (the reference translation), so that a row of the decoder is a piece of real text.
//!
//! * **Self-attention**: the mean weight on the piece before (`previous`), after (`next`), on the piece itself
//!   (`current`), and on the end mark (encoder) or the start symbol (decoder), over rows for which all of
//!   these are different columns. Rows of the decoder are counted from the piece that they read.
//! * **Encoder–decoder attention**: the mean weight on the end mark, and how often the row's largest weight
//!   lies on the right word. Right is known for *anchors*: names and numbers, that is words with a capital or a
//!   digit that stand exactly once in the source and once, letter for letter, in the target. A head may point
//!   at a word when it predicts it (`alignment`) or one row later, when it reads it (`late alignment`): both are
//!   counted. The alignment head is the one that is right most often when it predicts, because that is the row
//!   that a reader of the translation looks at.
//! * `entropy` is that of a row divided by ln(columns): 0 is one column, 1 is all alike.
//!
//! A role is a mean weight, or an anchor agreement, of at least one half; otherwise a head is `diffuse` (entropy
//! ≥ 0.7) or `mixed`. Distinctive are the alignment head and the two heads that do some other thing most.

use crate::{Error, Result};
use ndarray::{ArrayView1, ArrayView2, ArrayView4, Axis};
use serde::Serialize;
use std::ops::Range;
use translucent::checkpoint::Model;
use translucent::text::{Encoding, Vocabulary};
use translucent::trace::{AttentionKind, Stacks, TraceRequest};

/// Fewest sentence pairs of a measurement.
pub const FEWEST_SENTENCES: usize = 200;
/// Fewest anchors from which an alignment head is chosen.
const FEWEST_ANCHORS: u64 = 30;
/// Longer sentences are left out, in pieces.
const MOST_PIECES: usize = 100;

/// The content of `heads.json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Heads {
    /// Sentence pairs that were measured.
    pub sentences: usize,
    /// Anchor rows: pieces of names and numbers that stand once on either side.
    pub anchors: u64,
    /// The head whose rows mark words in the texts; `None` with too few anchors.
    pub alignment: Option<Alignment>,
    /// All heads; the alignment head comes first among those of its role.
    pub roles: Vec<Head>,
}

/// The head whose rows point best at the source of the piece that they predict.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Alignment {
    /// Layer, from 0.
    pub layer: usize,
    /// Head, from 0.
    pub head: usize,
    /// Share of anchor rows whose largest weight lies on the right word.
    pub agreement: f64,
}

/// What was measured of one head.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Head {
    /// Which of the three attentions.
    pub attention: AttentionKind,
    /// Layer, from 0.
    pub layer: usize,
    /// Head, from 0.
    pub head: usize,
    /// `previous`, `next`, `current`, `end mark`, `start symbol`, `alignment`, `diffuse` or `mixed`.
    pub role: &'static str,
    /// One of three heads that show something worth seeing.
    pub distinctive: bool,
    /// What it does most, even if too little for a role: a role's name but `diffuse` and `mixed`.
    pub leading: &'static str,
    /// The mean weight of `leading`; for `alignment` the agreement.
    pub strength: f64,
    /// Mean entropy of a row over ln(columns).
    pub entropy: f64,
}

/// Sums over rows, of one head.
#[derive(Clone, Copy, Default)]
struct Sums {
    rows: f64,
    previous: f64,
    next: f64,
    current: f64,
    /// End mark, or start symbol for the decoder's self-attention.
    special: f64,
    entropy: f64,
    /// Anchor rows that point at the right word: when it is predicted, and one row later, when it is read.
    right: [u64; 2],
}

impl Sums {
    fn add(&mut self, other: &Self) {
        self.rows += other.rows;
        self.previous += other.previous;
        self.next += other.next;
        self.current += other.current;
        self.special += other.special;
        self.entropy += other.entropy;
        self.right[0] += other.right[0];
        self.right[1] += other.right[1];
    }
}

/// The sums of every head and the anchors that were met.
struct Measured {
    sentences: usize,
    anchors: u64,
    /// Encoder self-, decoder self- and cross-attention; (layers · heads) each.
    sums: [Vec<Sums>; 3],
}

const KINDS: [AttentionKind; 3] = [
    AttentionKind::EncoderSelf,
    AttentionKind::DecoderSelf,
    AttentionKind::Cross,
];

/// Measures every head over sentence pairs, on so many threads; `progress` is called once for each pair.
///
/// # Errors
/// If fewer than [`FEWEST_SENTENCES`] pairs are of usable length, or the model cannot read one.
pub fn measure<S: AsRef<str> + Sync>(
    model: &Model,
    pairs: &[(S, S)],
    threads: usize,
    progress: &(dyn Fn() + Sync),
) -> Result<Heads> {
    let share = pairs.len().div_ceil(threads.max(1)).max(1);
    let mut parts = std::thread::scope(|scope| {
        let work = |pairs: &'_ [(S, S)]| measure_part(model, pairs, progress);
        let threads: Vec<_> = pairs
            .chunks(share)
            .map(|part| scope.spawn(move || work(part)))
            .collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, Result<Measured>>| match thread.join()
        {
            Ok(part) => part,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        threads.into_iter().map(join).collect::<Result<Vec<_>>>()
    })?
    .into_iter();
    let too_few = |found: usize| {
        Error::Argument(format!(
            "{found} sentence pairs of at most {MOST_PIECES} pieces, at least {FEWEST_SENTENCES} are needed to tell a head's role"
        ))
    };
    let mut all = parts.next().ok_or_else(|| too_few(0))?;
    for part in parts {
        all.sentences += part.sentences;
        all.anchors += part.anchors;
        for (all, part) in all.sums.iter_mut().zip(&part.sums) {
            all.iter_mut()
                .zip(part)
                .for_each(|(all, part)| all.add(part));
        }
    }
    if all.sentences < FEWEST_SENTENCES {
        return Err(too_few(all.sentences));
    }
    let config = translucent::model::Seq2Seq::config(&model.transformer);
    Ok(judge(&all, config.stacks()))
}

fn measure_part<S: AsRef<str>>(
    model: &Model,
    pairs: &[(S, S)],
    progress: &dyn Fn(),
) -> Result<Measured> {
    let config = translucent::model::Seq2Seq::config(&model.transformer);
    let stacks = config.stacks();
    let mut measured = Measured {
        sentences: 0,
        anchors: 0,
        sums: KINDS.map(|kind| vec![Sums::default(); stacks.layers(kind) * stacks.heads(kind)]),
    };
    let most = MOST_PIECES.min(config.max_positions);
    for (source_text, target_text) in pairs {
        progress();
        let source = model.tokenizer.encode_source(source_text.as_ref());
        let target = model.tokenizer.encode_target(target_text.as_ref());
        // With fewer pieces the columns of a row are not all different.
        if !(5..=most).contains(&source.ids.len()) || !(5..=most).contains(&target.ids.len()) {
            continue;
        }
        let anchors = anchors(
            &words(
                source_text.as_ref(),
                &source,
                model.tokenizer.source_vocabulary(),
            ),
            &words(
                target_text.as_ref(),
                &target,
                model.tokenizer.target_vocabulary(),
            ),
        );
        measured.sentences += 1;
        measured.anchors += anchors
            .iter()
            .map(|(_, rows)| rows.len() as u64)
            .sum::<u64>();
        let forced = model.transformer.teacher_force(
            &source.ids,
            &target.ids,
            &TraceRequest::attention(),
        )?;
        let blocks = [
            forced.trace.encoder_self,
            forced.trace.decoder_self,
            forced.trace.cross,
        ];
        for ((kind, sums), block) in KINDS.into_iter().zip(&mut measured.sums).zip(&blocks) {
            let Some(block) = block else { continue };
            for (sums, map) in sums.iter_mut().zip(maps(block.view())) {
                sums.add(&sums_of(kind, map, &anchors));
            }
        }
    }
    Ok(measured)
}

/// The maps (rows, columns) of a block, by layer, then head.
fn maps(block: ArrayView4<'_, f32>) -> Vec<ArrayView2<'_, f32>> {
    let (layers, heads, ..) = block.dim();
    let places = (0..layers).flat_map(|layer| (0..heads).map(move |head| (layer, head)));
    places
        .map(|(layer, head)| {
            block
                .index_axis_move(Axis(0), layer)
                .index_axis_move(Axis(0), head)
        })
        .collect()
}

fn sums_of(kind: AttentionKind, map: ArrayView2<'_, f32>, anchors: &[Anchor]) -> Sums {
    let mut sums = Sums::default();
    let (rows, columns) = map.dim();
    let mut entropy = |row: ArrayView1<'_, f32>| {
        let nats: f64 = row
            .iter()
            .filter(|w| **w > 0.0)
            .map(|w| -f64::from(*w) * f64::from(*w).ln())
            .sum();
        sums.entropy += nats / (row.len() as f64).ln();
        sums.rows += 1.0;
    };
    match kind {
        AttentionKind::EncoderSelf => {
            // Neither the first piece nor the last before the end mark.
            for i in 1..rows - 2 {
                entropy(map.row(i));
                sums.previous += f64::from(map[[i, i - 1]]);
                sums.current += f64::from(map[[i, i]]);
                sums.next += f64::from(map[[i, i + 1]]);
                sums.special += f64::from(map[[i, columns - 1]]);
            }
        }
        AttentionKind::DecoderSelf => {
            // Row t reads column t; column 0 is the start symbol.
            for t in 2..rows {
                entropy(map.row(t).slice_move(ndarray::s![..=t]));
                sums.previous += f64::from(map[[t, t - 1]]);
                sums.current += f64::from(map[[t, t]]);
                sums.special += f64::from(map[[t, 0]]);
            }
        }
        AttentionKind::Cross => {
            for t in 0..rows - 1 {
                entropy(map.row(t));
                sums.special += f64::from(map[[t, columns - 1]]);
            }
            for (source, targets) in anchors {
                for (offset, right) in sums.right.iter_mut().enumerate() {
                    let pointed = targets
                        .iter()
                        .map(|t| t + offset)
                        .filter(|row| *row < rows)
                        .map(|row| largest(map.row(row)));
                    *right += pointed.filter(|column| source.contains(column)).count() as u64;
                }
            }
        }
    }
    sums
}

/// The column of the largest weight.
fn largest(row: ArrayView1<'_, f32>) -> usize {
    let columns = row.iter().enumerate();
    columns
        .max_by(|(_, a), (_, b)| a.total_cmp(b))
        .map_or(0, |(column, _)| column)
}

/// A word as written and the pieces that it became.
type Word = (String, Vec<usize>);
/// The source and target pieces of a name or number.
type Anchor = (Vec<usize>, Vec<usize>);

/// The words of a text without signs around them, and the pieces that hold letters or digits of them.
fn words(text: &str, encoding: &Encoding, vocabulary: &Vocabulary) -> Vec<Word> {
    let mut words: Vec<(u32, Range<usize>, Vec<usize>)> = Vec::new();
    let indices = vocabulary.words(&encoding.ids);
    for (piece, (word, range)) in indices.into_iter().zip(&encoding.ranges).enumerate() {
        let (Some(word), Some(range)) = (word, range) else {
            continue;
        };
        if words.last().is_none_or(|(last, ..)| *last != word) {
            words.push((word, range.clone(), Vec::new()));
        }
        if let Some((_, whole, pieces)) = words.last_mut() {
            whole.end = whole.end.max(range.end);
            let part = text.get(range.clone()).unwrap_or_default();
            if part.contains(char::is_alphanumeric) {
                pieces.push(piece);
            }
        }
    }
    let bare = |text: &str| text.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    words
        .into_iter()
        .map(|(_, range, pieces)| (bare(text.get(range).unwrap_or_default()), pieces))
        .collect()
}

/// Names and numbers that stand exactly once in the source and, letter for letter, once in the target.
fn anchors(source: &[Word], target: &[Word]) -> Vec<Anchor> {
    let named = |word: &str| {
        word.chars().count() > 1
            && word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
    };
    let once =
        |words: &[Word], word: &str| words.iter().filter(|(other, _)| other == word).count() == 1;
    let mut anchors = Vec::new();
    for (word, pieces) in source
        .iter()
        .filter(|(word, _)| named(word) && once(source, word) && once(target, word))
    {
        let theirs = target.iter().find(|(other, _)| other == word);
        anchors.extend(theirs.map(|(_, theirs)| (pieces.clone(), theirs.clone())));
    }
    anchors
}

fn judge(measured: &Measured, stacks: Stacks) -> Heads {
    let mut roles = Vec::new();
    let mut alignment: Option<Alignment> = None;
    for (kind, sums) in KINDS.into_iter().zip(&measured.sums) {
        for (at, sums) in sums.iter().enumerate() {
            let (layer, head) = (at / stacks.heads(kind), at % stacks.heads(kind));
            let mean = |sum: f64| sum / sums.rows.max(1.0);
            let mut candidates = match kind {
                AttentionKind::EncoderSelf => vec![
                    ("previous", mean(sums.previous)),
                    ("next", mean(sums.next)),
                    ("current", mean(sums.current)),
                    ("end mark", mean(sums.special)),
                ],
                AttentionKind::DecoderSelf => vec![
                    ("previous", mean(sums.previous)),
                    ("current", mean(sums.current)),
                    ("start symbol", mean(sums.special)),
                ],
                AttentionKind::Cross => vec![("end mark", mean(sums.special))],
            };
            if kind == AttentionKind::Cross && measured.anchors >= FEWEST_ANCHORS {
                let [agreement, late] = sums
                    .right
                    .map(|right| right as f64 / measured.anchors as f64);
                candidates.extend([("alignment", agreement), ("late alignment", late)]);
                if alignment
                    .as_ref()
                    .is_none_or(|best| best.agreement < agreement)
                {
                    alignment = Some(Alignment {
                        layer,
                        head,
                        agreement,
                    });
                }
            }
            let (leading, strength) = candidates
                .into_iter()
                .max_by(|a, b| a.1.total_cmp(&b.1))
                .unwrap_or(("mixed", 0.0));
            let entropy = mean(sums.entropy);
            let role = match strength {
                0.5.. => leading,
                _ if entropy >= 0.7 => "diffuse",
                _ => "mixed",
            };
            roles.push(Head {
                attention: kind,
                layer,
                head,
                role,
                distinctive: false,
                leading,
                strength,
                entropy,
            });
        }
    }
    let is_aligner = |head: &Head| {
        let place = alignment.as_ref().map(|best| (best.layer, best.head));
        head.attention == AttentionKind::Cross && place == Some((head.layer, head.head))
    };
    // Readers take the first head of a role for its best.
    roles.sort_by_key(|head| !is_aligner(head));
    let mut distinctive: Vec<&'static str> = Vec::new();
    let mut by_strength: Vec<usize> = (0..roles.len()).collect();
    by_strength.sort_by(|a, b| {
        let key = |at: usize| (is_aligner(&roles[at]), roles[at].strength);
        let ((a_first, a), (b_first, b)) = (key(*a), key(*b));
        b_first.cmp(&a_first).then(b.total_cmp(&a))
    });
    for at in by_strength {
        if distinctive.len() < 3 && !distinctive.contains(&roles[at].leading) {
            distinctive.push(roles[at].leading);
            roles[at].distinctive = true;
        }
    }
    Heads {
        sentences: measured.sentences,
        anchors: measured.anchors,
        alignment,
        roles,
    }
}
