//! The forms in which languages write numbers.

use super::super::amounts::Notation;
use super::super::named_dates::ordinal_ending;
use super::super::style::Style;
use super::{Kind, Number};

impl Number<'_> {
    /// Every form in which a translation may hold it.
    pub(super) fn forms(&self, to: Notation) -> Vec<String> {
        let Self { integer, .. } = *self;
        match self.kind {
            Kind::Cardinal {
                decimals: Some(decimals),
                ..
            } => {
                let zeros = decimals.trim_end_matches('0');
                let whole = zeros.is_empty().then(|| integer.to_string());
                let point = to.point;
                // With a full stop it is a section's or a version's.
                let forms = [
                    format!("{integer}{point}{decimals}"),
                    format!("{integer}.{decimals}"),
                ];
                forms.into_iter().chain(whole).collect()
            }
            Kind::Cardinal { may_be_ordinal, .. } => {
                let mut forms = vec![integer.to_string()];
                if integer >= 1_000 {
                    let [thousands, rest] = [integer / 1_000, integer % 1_000];
                    let groups = [to.group, ' '];
                    forms.extend(groups.map(|group| format!("{thousands}{group}{rest:03}")));
                }
                forms.extend(word(integer, to.style).map(str::to_owned));
                if may_be_ordinal {
                    forms.extend(ordinals(integer, to.style));
                }
                forms
            }
            Kind::Ordinal {
                is_of_century,
                is_day,
            } => {
                let is_french = to.style == Style::French;
                let century = (is_french && is_of_century).then(|| format!("{}e", roman(integer)));
                let day = (is_french && is_day).then(|| integer.to_string());
                let first = century.into_iter().chain(day);
                first.chain(ordinals(integer, to.style)).collect()
            }
            Kind::Decade => decades(integer, to.style),
            Kind::Time { minute, is_said } => {
                let is_german = to.style == Style::German;
                let uhr = (is_german && is_said).then(|| format!("{integer}:{minute:02} Uhr"));
                uhr.into_iter()
                    .chain(times(integer, minute, to.style))
                    .collect()
            }
        }
    }
}

/// The forms of an ordinal in a language.
fn ordinals(number: u32, style: Style) -> Vec<String> {
    match style {
        Style::English => vec![format!("{number}{}", ordinal_ending(number))],
        Style::German => vec![format!("{number}.")],
        Style::French => vec![
            format!("{number}e"),
            format!("{number}ème"),
            format!("{}e", roman(number)),
        ],
    }
}

/// The forms of a decade in a language, of the century before this one where none is said.
pub(super) fn decades(number: u32, style: Style) -> Vec<String> {
    let other = match number {
        1_900..=1_990 => Some(number - 1_900),
        0..100 => Some(number + 1_900),
        _ => None,
    };
    let numbers = [number].into_iter().chain(other);
    let forms = |number| match style {
        Style::English => ["s", "'s", "’s"].map(|end| format!("{number}{end}")),
        Style::German => ["er", "ern", "er-"].map(|end| format!("{number}{end}")),
        Style::French => ["années", "Années", "et"].map(|word| format!("{word} {number}")),
    };
    numbers.flat_map(forms).collect()
}

/// The forms of a time of day in a language.
fn times(hour: u32, minute: u32, style: Style) -> Vec<String> {
    let signs: &[&str] = match style {
        Style::French => &[" h ", "h", " heures ", ":"],
        _ => &[":", "."],
    };
    let exact = signs.iter().flat_map(|sign| {
        [
            format!("{hour}{sign}{minute:02}"),
            format!("{hour:02}{sign}{minute:02}"),
        ]
    });
    let mut forms: Vec<String> = exact.collect();
    let units: &[&str] = match style {
        Style::English => &[" o'clock", " am", " pm", "am", "pm", " a", " p"],
        Style::German => &[" Uhr"],
        Style::French => &[" h", "h", " heures"],
    };
    if minute == 0 {
        forms.extend(units.iter().map(|unit| format!("{hour}{unit}")));
    }
    if style == Style::English && hour > 12 {
        // *6:45 pm*
        forms.extend(times(hour - 12, minute, style));
    }
    forms
}

/// A number as the Romans wrote it.
fn roman(number: u32) -> String {
    const SIGNS: [(u32, &str); 13] = [
        (1_000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    let mut rest = number;
    let mut roman = String::new();
    for (value, sign) in SIGNS {
        roman += &sign.repeat((rest / value) as usize);
        rest %= value;
    }
    roman
}

/// The word of a number that is often said for many.
fn word(number: u32, style: Style) -> Option<&'static str> {
    match (number, style) {
        (100, Style::English) => Some("hundred"),
        (100, Style::German) => Some("hundert"),
        (100, Style::French) => Some("cent"),
        (1_000, Style::English) => Some("thousand"),
        (1_000, Style::German) => Some("tausend"),
        (1_000, Style::French) => Some("mille"),
        _ => None,
    }
}
