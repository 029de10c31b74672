//! Whether translations keep what they must.

use super::lines::{Line, Must};
use translucent_metrics::chrf;

/// chrF2 between the translations of a sentence and of its variant from which on they count as saying the same.
const RESEMBLANCE: f64 = 50.0;

/// What was found for one kind of line.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The kind.
    pub kind: &'static str,
    /// Number of lines.
    pub lines: usize,
    /// Lines whose translation failed, with what it was.
    pub failures: Vec<Failure>,
}

/// A translation that does not do what it must.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// `empty`, `loop`, `lost …` or `differs`.
    pub fault: String,
    /// The line.
    pub source: String,
    /// Its translation.
    pub translation: String,
}

/// Checks the first translation of every line; the others are those that variants may resemble. A report for each kind, in order
/// of appearance.
pub fn check(lines: &[Line], n_best: &[Vec<String>]) -> Vec<Report> {
    let mut reports: Vec<Report> = Vec::new();
    for (line, found) in lines.iter().zip(n_best) {
        let translation = found.first().map_or("", String::as_str);
        let at = match reports.iter().position(|r| r.kind == line.kind) {
            Some(at) => at,
            None => {
                reports.push(Report {
                    kind: line.kind,
                    lines: 0,
                    failures: Vec::new(),
                });
                reports.len() - 1
            }
        };
        reports[at].lines += 1;
        if let Some(fault) = fault(line, translation, n_best) {
            reports[at].failures.push(Failure {
                fault,
                source: line.text.clone(),
                translation: translation.to_owned(),
            });
        }
    }
    reports
}

fn fault(line: &Line, translation: &str, n_best: &[Vec<String>]) -> Option<String> {
    if translation.trim().is_empty() {
        return Some("empty".into());
    }
    if loops(&line.text, translation) {
        return Some("loop".into());
    }
    let lost = |part: &str, kept: bool| (!kept).then(|| format!("lost {part}"));
    match &line.must {
        Must::End => None,
        Must::KeepNumber(number) => lost(number, digits(translation).contains(&digits(number))),
        Must::KeepAmounts(amounts) => {
            let digits_in = digits(translation);
            let mut runs: Vec<&str> = digits_in.split(|c: char| !c.is_ascii_digit()).collect();
            let mut is_lost = |number: &str, sign: &str| {
                let wanted = digits(number);
                let found = runs.iter().position(|run| *run == wanted);
                let missing = found.map(|at| runs.swap_remove(at)).is_none();
                missing || !translation.contains(sign)
            };
            amounts
                .iter()
                .find(|(number, sign)| is_lost(number, sign))
                .map(|(number, sign)| format!("lost {number} {sign}"))
        }
        Must::KeepOneOf(values) => {
            let text = translation.replace(['\u{a0}', '\u{202f}'], " ");
            let is_lost = |forms: &&Vec<String>| !forms.iter().any(|form| text.contains(form));
            let lost = values.iter().find(is_lost);
            lost.map(|forms| format!("lost {}", forms.join(" or ")))
        }
        Must::KeepAddress(address) => lost(address, translation.contains(address.as_str())),
        Must::KeepLiterals(literals) => {
            let count = |text: &str, part: &str| text.matches(part).count();
            let differs = |part: &&String| count(translation, part) != count(&line.text, part);
            literals
                .iter()
                .find(differs)
                .map(|part| format!("lost or doubled {part}"))
        }
        Must::KeepMarks([before, after]) => {
            let between = || {
                let (_, rest) = translation.split_once(before)?;
                let (inside, rest) = rest.split_once(after)?;
                let is_alone = !rest.contains(before) && !rest.contains(after);
                Some(is_alone && inside.contains(char::is_alphanumeric))
            };
            lost(&format!("{before}…{after}"), between() == Some(true))
        }
        Must::KeepLead(lead) => lost(lead, translation.starts_with(lead)),
        Must::KeepName(name) => lost(name, translation.contains(name.as_str())),
        Must::Resemble(other) => {
            let is_upper_case = !line.text.contains(char::is_lowercase);
            let plain = |text: &str| match is_upper_case {
                true => text.to_lowercase(),
                false => text.to_owned(),
            };
            let score_with = |other: &String| chrf(&[plain(translation)], &[plain(other)]);
            let score = n_best[*other].iter().map(score_with).fold(0.0, f64::max);
            (score < RESEMBLANCE).then(|| format!("differs (chrF {score:.0})"))
        }
        Must::Equal(other) => {
            let other = n_best[*other].first().map_or("", String::as_str);
            let is_same = translation.to_uppercase() == other.to_uppercase();
            (!is_same).then(|| format!("differs from \"{other}\""))
        }
    }
}

/// Numbers without what groups their digits: German swaps point and comma.
fn digits(text: &str) -> String {
    let mut out = String::new();
    let letters: Vec<char> = text.chars().collect();
    for (i, &c) in letters.iter().enumerate() {
        let inside = i > 0
            && letters[i - 1].is_ascii_digit()
            && letters.get(i + 1).is_some_and(char::is_ascii_digit);
        if !(inside && matches!(c, '.' | ',' | ' ' | '\u{a0}' | '\u{202f}')) {
            out.push(c);
        }
    }
    out
}

/// One to four words four times in a row more often than in the source, or far more words than the source has.
fn loops(source: &str, translation: &str) -> bool {
    let words: Vec<&str> = translation.split_whitespace().collect();
    let repeats = (1..=4).any(|n| {
        words
            .windows(4 * n)
            .any(|w| (n..4 * n).all(|i| w[i] == w[i - n]))
    });
    let source_words = source.split_whitespace().count();
    repeats || words.len() > 3 * source_words + 10
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, must: Must, translation: &str) -> Option<String> {
        let line = Line {
            kind: "test",
            text: text.into(),
            must,
        };
        let n_best = ["Das ist ein Satz.", "Da hat man ein paar Worte"].map(str::to_owned);
        fault(&line, translation, &[n_best.to_vec()])
    }

    #[test]
    fn faults_are_found() {
        assert_eq!(found("A dog.", Must::End, " ").as_deref(), Some("empty"));
        let again = "und so und so und so und so weiter";
        assert_eq!(
            found("And so on.", Must::End, again).as_deref(),
            Some("loop")
        );
        assert_eq!(found("A dog.", Must::End, "Ein Hund."), None);
    }

    #[test]
    fn numbers_may_be_grouped_otherwise_but_not_changed() {
        let must = || Must::KeepNumber("12,345".into());
        assert_eq!(found("12,345", must(), "12.345 Leute"), None);
        assert_eq!(found("12,345", must(), "12 345 Leute"), None);
        assert!(found("12,345", must(), "12.354 Leute").is_some());
    }

    #[test]
    fn amounts_are_kept_whole_with_their_currency() {
        let must = || Must::KeepAmounts(vec![("1,299.00".into(), "$"), ("45".into(), "€")]);
        let source = "It costs $1,299.00, not €45.";
        let found = |translation: &str| found(source, must(), translation);
        assert_eq!(found("Das kostet 1.299,00 $, nicht 45 €."), None);
        assert_eq!(found("Il coûte 1 299,00 $, pas 45 €."), None);
        for wrong in [
            "Das kostet 1.299,00 $, nicht 145 €.",
            "Das kostet 299,00 $, nicht 45 €.",
            "Das kostet 1.299,00, nicht 45 €.",
        ] {
            assert!(found(wrong).is_some(), "{wrong}");
        }
    }

    #[test]
    fn dates_may_be_written_in_any_of_their_forms() {
        let must = || Must::KeepOneOf(vec![vec!["13.03.2024".into(), "13 March 2024".into()]]);
        let found = |translation: &str| found("le 13/03/2024", must(), translation);
        assert_eq!(found("on 13\u{a0}March 2024"), None);
        assert_eq!(found("am 13.03.2024"), None);
        assert!(found("on 13 Mars 2024").is_some());
    }

    #[test]
    fn marks_stay_around_something_and_before_all() {
        let must = || Must::KeepMarks(["**", "**"]);
        let marked = |translation: &str| found("a **b** c", must(), translation);
        assert_eq!(marked("x **y z**."), None);
        for wrong in ["x ** y", "x y ****", "**x** **y**"] {
            assert!(marked(wrong).is_some(), "{wrong}");
        }
        assert_eq!(found("- a", Must::KeepLead("- "), "- x"), None);
        assert!(found("- a", Must::KeepLead("- "), "x -").is_some());
    }

    #[test]
    fn a_variant_must_resemble_its_original() {
        assert_eq!(found("x", Must::Resemble(0), "das ist ein Satz"), None);
        assert_eq!(found("x", Must::Resemble(0), "Da hat man paar Worte"), None);
        assert!(found("x", Must::Equal(0), "Da hat man ein paar Worte").is_some());
        assert!(found("x", Must::Resemble(0), "Wo wohnt er?").is_some());
        assert!(found("x", Must::Resemble(0), "DAS IST EIN SATZ").is_some());
        assert_eq!(found("X", Must::Resemble(0), "DAS IST EIN SATZ"), None);
    }
}
