//! Requests at, within and beyond their domains.

use arbitrary::{Result, Unstructured};
use translucent::search::{EarlyStopping, Scoring, SearchOptions};
use translucent::trace::aggregate::{Fold, Special, Unit, ViewOptions};
use translucent::trace::{
    AttentionKind, Cell, Change, HeadChange, Intervention, PositionChange, TraceRequest,
};

/// What texts are made of.
const PARTS: [&str; 22] = [
    "a",
    "b",
    "an",
    "the dog",
    " ",
    "  ",
    "\n",
    "\r\n",
    ". ",
    "! ",
    "?\" ",
    "...) ",
    "é",
    "e\u{301}",
    "日本。",
    "👍🏽",
    "½",
    "\u{0}",
    "\u{feff}",
    ">>de<< ",
    "</s>",
    "\u{2028}",
];

/// Three lines, or what the parts make of them.
pub fn text(choices: &mut Unstructured) -> Result<String> {
    let mut text = String::new();
    for line in 0..3 {
        if line > 0 {
            text.push('\n');
        }
        for _ in 0..choices.int_in_range(0..=8)? {
            text.push_str(choices.choose(&PARTS)?);
        }
        if choices.ratio(1, 24)? {
            text.push_str(&"anb ".repeat(choices.int_in_range(1..=80)?));
        }
    }
    Ok(text)
}

/// A number that is mostly small, sometimes as large as can be.
fn count(choices: &mut Unstructured, usual: usize) -> Result<usize> {
    Ok(match choices.int_in_range(0..=15)? {
        0 => usize::MAX,
        1 => choices.int_in_range(0..=300)?,
        _ => choices.int_in_range(0..=usual)?,
    })
}

fn float(choices: &mut Unstructured) -> Result<f32> {
    Ok(match choices.int_in_range(0..=7)? {
        0 => f32::from_bits(choices.arbitrary()?),
        _ => f32::from(choices.arbitrary::<i8>()?) / 32.0,
    })
}

/// Ids of pieces, some outside the vocabulary.
pub fn ids(choices: &mut Unstructured, pieces: usize, eos_id: u32) -> Result<Vec<u32>> {
    let mut ids = Vec::new();
    for _ in 0..choices.int_in_range(0..=6)? {
        ids.push(match choices.int_in_range(0..=31)? {
            0 => choices.arbitrary()?,
            1 => eos_id,
            _ => choices.int_in_range(0..=pieces as u32 - 1)?,
        });
    }
    if choices.ratio(1, 3)? {
        ids.push(eos_id);
    }
    Ok(ids)
}

/// Options of a search.
pub fn search(choices: &mut Unstructured, pieces: usize, eos_id: u32) -> Result<SearchOptions> {
    let beam = match choices.int_in_range(0..=15)? {
        0 => count(choices, 8)?,
        _ => choices.int_in_range(1..=4)?,
    };
    let mut search = SearchOptions::default();
    search.beam = beam;
    search.scoring = match choices.arbitrary()? {
        true => Scoring::Wu {
            alpha: float(choices)?,
        },
        false => Scoring::Hf {
            length_penalty: float(choices)?,
            early_stopping: *choices.choose(&[
                EarlyStopping::Yes,
                EarlyStopping::No,
                EarlyStopping::Never,
            ])?,
        },
    };
    search.max_extra = count(choices, 8)?;
    search.n_best = match choices.int_in_range(0..=7)? {
        0 => count(choices, 8)?,
        _ => choices.int_in_range(1..=beam.clamp(1, 64))?,
    };
    search.prefix = if choices.ratio(1, 4)? {
        ids(choices, pieces, eos_id)?
    } else {
        Vec::new()
    };
    search.no_repeat_ngram = count(choices, 3)?;
    search.renormalize = choices.arbitrary()?;
    search.alternatives = count(choices, 4)?;
    search.intervention = if choices.ratio(1, 3)? {
        intervention(choices)?
    } else {
        Intervention::default()
    };
    Ok(search)
}

/// Changes to a model of at most 3 layers and 4 heads.
pub fn intervention(choices: &mut Unstructured) -> Result<Intervention> {
    let mut heads = Vec::new();
    for _ in 0..choices.int_in_range(0..=3)? {
        heads.push(HeadChange {
            kind: if choices.arbitrary()? {
                Some(*choices.choose(&AttentionKind::ALL)?)
            } else {
                None
            },
            layer: if choices.arbitrary()? {
                Some(count(choices, 1)?)
            } else {
                None
            },
            head: if choices.arbitrary()? {
                Some(count(choices, 1)?)
            } else {
                None
            },
            change: *choices.choose(&[
                Change::Off,
                Change::Uniform,
                Change::Only,
                Change::Unscaled,
            ])?,
        });
    }
    let mut intervention = Intervention::default();
    intervention.heads = heads;
    intervention.neighbourhood = if choices.ratio(1, 3)? {
        Some(count(choices, 6)?)
    } else {
        None
    };
    intervention.positions = *choices.choose(&[
        None,
        Some(PositionChange::Zeroed),
        Some(PositionChange::Shuffled),
    ])?;
    intervention.seed = choices.arbitrary()?;
    Ok(intervention)
}

fn numbers(choices: &mut Unstructured) -> Result<Option<Vec<usize>>> {
    if choices.ratio(2, 3)? {
        return Ok(None);
    }
    let mut numbers = Vec::new();
    for _ in 0..choices.int_in_range(0..=3)? {
        numbers.push(count(choices, 1)?);
    }
    Ok(Some(numbers))
}

/// What to observe.
pub fn trace(choices: &mut Unstructured) -> Result<TraceRequest> {
    let mut request = TraceRequest::default();
    request.encoder_self = choices.ratio(3, 4)?;
    request.decoder_self = choices.ratio(3, 4)?;
    request.cross = choices.ratio(3, 4)?;
    request.layers = numbers(choices)?;
    request.heads = numbers(choices)?;
    request.hidden = choices.arbitrary()?;
    request.norms = choices.arbitrary()?;
    Ok(request)
}

/// One weight of a model.
pub fn cell(choices: &mut Unstructured) -> Result<Cell> {
    Ok(Cell {
        kind: *choices.choose(&AttentionKind::ALL)?,
        layer: count(choices, 1)?,
        head: count(choices, 1)?,
        query: count(choices, 2)?,
        key: count(choices, 2)?,
    })
}

/// How a view is summed up.
pub fn view(choices: &mut Unstructured) -> Result<ViewOptions> {
    let mut options = ViewOptions::default();
    options.unit = *choices.choose(&[Unit::Pieces, Unit::Words])?;
    options.special_tokens = *choices.choose(&[Special::Shown, Special::Hidden])?;
    options.heads = *choices.choose(&[Fold::Each, Fold::Mean])?;
    options.layers = *choices.choose(&[Fold::Each, Fold::Mean])?;
    Ok(options)
}
