//! What the lines are made of, in each language that a model may read. All of it was written for this project.

mod english;
mod french;
mod german;

/// The texts of one language.
pub struct Texts {
    /// Everyday sentences. None has a number, a quote, or a name.
    pub sentences: &'static [&'static str],
    /// Single words.
    pub words: &'static [&'static str],
    /// Headlines.
    pub headlines: &'static [&'static str],
    /// Where a number is put at `{}`.
    pub number_frames: &'static [&'static str],
    /// Where amounts of money are put, wherever a `{}` stands.
    pub amount_frames: &'static [&'static str],
    /// Where dates in figures are put, wherever a `{}` stands.
    pub date_frames: &'static [&'static str],
    /// Where times of day of the afternoon are put, wherever a `{}` stands.
    pub time_frames: &'static [&'static str],
    /// Questions, by the order of their words.
    pub questions: &'static [&'static str],
    /// Kinds of what people type, each with sentences and how they are typed so.
    pub typed: &'static [(&'static str, &'static [[&'static str; 2]])],
    /// Sentences that say no.
    pub negated: &'static [&'static str],
    /// Where an ordinal in figures is put.
    pub ordinal_frames: &'static [&'static str],
    /// Where a web or e-mail address is put.
    pub address_frames: &'static [&'static str],
    /// Where a name is put.
    pub name_frames: &'static [&'static str],
    /// Where things that are copied are put, wherever a `{}` stands.
    pub literal_frames: &'static [&'static str],
    /// Sentences whose meaning hangs on an apostrophe, a pronoun or a polite word.
    pub spelled: &'static [&'static str],
    /// How words of these are typed in a hurry: what is replaced, and by what.
    pub hurry: &'static [(&'static str, &'static str)],
    /// Sentences with a word spelled out, and the same with its short form.
    pub shortened: &'static [[&'static str; 2]],
    /// Letters that keyboards of other languages lack, and what is typed instead.
    pub plain_letters: &'static [(&'static str, &'static str)],
    /// Whether a currency's sign stands before the number.
    pub is_sign_first: bool,
    /// Whether headlines have a capital on each word.
    pub has_title_case: bool,
    /// How dates in figures are written, of a day from the 13th on, with `D`, `M` and `Y`.
    pub dates: &'static [&'static str],
    /// How times of day are written, with `H`, hours from 13 on, `h`, the same without 12, and `M`.
    pub time: &'static str,
    /// What stands before decimals, and between thousands.
    pub points: [char; 2],
    /// What follows a quote.
    pub said: &'static str,
    /// What joins sentences.
    pub joints: [&'static str; 3],
}

impl Texts {
    /// All languages.
    pub const ALL: [(&str, &'static Self); 3] = [
        ("en", &english::ENGLISH),
        ("de", &german::GERMAN),
        ("fr", &french::FRENCH),
    ];

    /// The texts of a language by its ISO code, if there are any.
    pub fn of(language: &str) -> Option<&'static Self> {
        let texts = Self::ALL.iter().find(|(code, _)| *code == language);
        texts.map(|(_, texts)| *texts)
    }
}
