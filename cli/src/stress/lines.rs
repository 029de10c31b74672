//! The lines, all written or made up here, a function of the seed alone.

use super::texts::Texts;
use translucent::random::SplitMix64;

/// What a line's translation must do, beside being neither empty nor a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Must {
    /// Nothing more.
    End,
    /// Contain this number, however its digits are grouped.
    KeepNumber(String),
    /// Contain each of these numbers whole, however its digits are grouped, and the sign of its currency.
    KeepAmounts(Vec<(String, &'static str)>),
    /// Contain one of the forms of each of these, which languages write in their own ways, whichever its blanks are.
    KeepOneOf(Vec<Vec<String>>),
    /// Contain this web or e-mail address.
    KeepAddress(String),
    /// Contain each of these exactly as often as the line does.
    KeepLiterals(Vec<String>),
    /// Contain these marks around a word or several.
    KeepMarks([&'static str; 2]),
    /// Begin with this.
    KeepLead(&'static str),
    /// Contain this made-up name.
    KeepName(String),
    /// Say about the same as one of the translations of the line with this index: the second best may be chosen for a variant, and
    /// mean the same.
    Resemble(usize),
    /// Be the translation of the line with this index, but for the case of its letters.
    Equal(usize),
}

/// A line to translate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Kind of line, for the report.
    pub kind: &'static str,
    /// The text.
    pub text: String,
    /// What its translation must do.
    pub must: Must,
}

impl Line {
    /// The number of the line whose translations it is compared with.
    pub fn resembles(&self) -> Option<usize> {
        match self.must {
            Must::Resemble(other) => Some(other),
            _ => None,
        }
    }
}

const SYMBOLS: [&str; 10] = ["😀", "🎉", "❤️", "👍🏽", "🚲", "☕", "🐕", "🌧️", "🇩🇪", "👨‍👩‍👧"];
const OTHER_SCRIPTS: [&str; 6] = ["你好", "Москва", "שלום", "こんにちは", "Αθήνα", "नमस्ते"];

/// Marks of markup before and after words.
const MARKS: [[&str; 2]; 4] = [["<b>", "</b>"], ["**", "**"], ["_", "_"], ["`", "`"]];
/// Marks before a sentence.
const LEADS: [&str; 8] = ["- ", "* ", "> ", "## ", "1. ", "12) ", "(a) ", "[ ] "];

/// Words, or parts of them, of which a translation that says no has one, in any of the languages.
const NEGATIONS: [&str; 28] = [
    "n't", " not", "Not ", " no ", "No ", "None ", "none ", "ever", "nothing", "obody", "No one",
    "no one", "cannot", " nicht", "Nicht", " kein", "Kein", " nie", "Nie", " pas", "jamais",
    " rien", "ersonne", "ucun", "irgend", " nulle", " plus", "Plus ",
];

/// Random parts of lines: the same on every machine.
struct Random {
    numbers: SplitMix64,
    texts: &'static Texts,
}

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.numbers.below(n)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// A made-up word of two or three syllables.
    fn word(&mut self) -> String {
        const STARTS: [&str; 16] = [
            "b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "br", "st",
        ];
        const CORES: [&str; 6] = ["a", "e", "i", "o", "u", "ei"];
        const ENDS: [&str; 5] = ["", "", "n", "r", "l"];
        (0..2 + self.below(2))
            .flat_map(|_| [self.pick(&STARTS), self.pick(&CORES), self.pick(&ENDS)])
            .collect()
    }

    fn number(&mut self) -> String {
        match self.below(6) {
            0 => format!("{}", 2 + self.below(98)),
            1 => format!("{}", 100 + self.below(900)),
            2 => format!("{}", 1000 + self.below(1100)),
            3 => format!(
                "{}{}{:03}",
                1 + self.below(999),
                self.texts.points[1],
                self.below(1000)
            ),
            4 => format!(
                "{}{}{}",
                1 + self.below(99),
                self.texts.points[0],
                1 + self.below(9)
            ),
            _ => format!("{}", 100_000 + self.below(9_000_000)),
        }
    }

    /// A number and a currency's sign.
    fn amount(&mut self) -> (String, &'static str) {
        let [point, group] = self.texts.points;
        let (thousands, hundreds) = (1 + self.below(99), self.below(1000));
        let number = match self.below(4) {
            0 => format!("{}", 10 + hundreds),
            1 => format!("{}{point}{:02}", 1 + hundreds, self.below(100)),
            2 => format!("{thousands}{group}{hundreds:03}"),
            _ => format!(
                "{thousands}{group}{hundreds:03}{point}{:02}",
                self.below(100)
            ),
        };
        (number, self.pick(&["€", "$", "£"]))
    }

    /// A date in figures, and how other languages write it.
    fn date(&mut self) -> (String, Vec<String>) {
        const MONTHS: [&str; 12] = [
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December",
        ];
        let (day, month, year) = (13 + self.below(16), self.below(12), 1950 + self.below(90));
        let fill = |form: &str| {
            let figures = [("D", day), ("M", month + 1), ("Y", year)];
            (figures.iter()).fold(form.to_owned(), |out, (letter, number)| {
                out.replace(letter, &format!("{number:02}"))
            })
        };
        let form = self.pick(self.texts.dates);
        let mut forms = vec![fill("D.M.Y"), fill("D/M/Y")];
        forms.retain(|other| *other != fill(form) || self.texts.dates.len() > 1);
        let month = MONTHS[month];
        let nth = match day {
            21 => "21st".to_owned(),
            22 => "22nd".to_owned(),
            23 => "23rd".to_owned(),
            _ => format!("{day}th"),
        };
        for day in [&day.to_string(), &nth] {
            let both = [
                format!("{day} {month}"),
                format!("{day} of {month}"),
                format!("{month} {day}"),
            ];
            forms.extend(
                both.iter()
                    .flat_map(|date| [" ", ", "].map(|joint| format!("{date}{joint}{year}"))),
            );
        }
        (fill(form), forms)
    }

    /// A time of day of the afternoon, and how other languages write it.
    fn time(&mut self) -> (String, Vec<String>) {
        let (hour, minute) = (13 + self.below(11), 5 + 5 * self.below(11));
        let fill = |form: &str| {
            let out = form.replace('H', &hour.to_string());
            out.replace('M', &format!("{minute:02}"))
        };
        let english = format!("{}:{minute:02} pm", hour - 12);
        let mut forms = vec![english.clone(), fill("H:M"), fill("H h M")];
        let time = match self.texts.time {
            "h:M pm" => english,
            form => fill(form),
        };
        forms.retain(|form| !time.starts_with(form));
        (time, forms)
    }

    /// A time of day by hours and minutes alone, and how other languages write it.
    fn clock_time(&mut self) -> (String, Vec<String>) {
        let (hour, minute) = (self.below(24), 5 + 5 * self.below(11));
        let plain = format!("{hour}:{minute:02}");
        let mut forms: Vec<String> = [".", " h ", "h"]
            .map(|sign| format!("{hour}{sign}{minute:02}"))
            .into();
        forms.push(plain.clone());
        if hour > 12 {
            forms.push(format!("{}:{minute:02}", hour - 12));
        }
        (plain, forms)
    }

    /// An ordinal in figures, and how other languages write it.
    fn ordinal(&mut self) -> (String, Vec<String>) {
        let number = 13 + self.below(87);
        let english = match (number, number % 10) {
            (13, _) => "th",
            (_, 1) => "st",
            (_, 2) => "nd",
            (_, 3) => "rd",
            _ => "th",
        };
        let endings = [english, ".", "e", "ème"];
        let forms = endings.map(|ending| format!("{number}{ending}"));
        let [as_english, as_german, as_french, _] = forms.clone();
        let ordinal = match self.texts.points {
            ['.', _] => as_english,
            [_, '.'] => as_german,
            _ => as_french,
        };
        let others = forms.into_iter().filter(|form| *form != ordinal);
        (ordinal.clone(), others.collect())
    }

    /// A line with such values in its frame.
    fn kept(
        &mut self,
        kind: &'static str,
        frames: &[&str],
        value: fn(&mut Self) -> (String, Vec<String>),
    ) -> Line {
        let mut text = self.pick(frames).to_owned();
        let mut kept = Vec::new();
        while text.contains("{}") {
            let (value, forms) = value(self);
            text = text.replacen("{}", &value, 1);
            kept.push(forms);
        }
        Line {
            kind,
            text,
            must: Must::KeepOneOf(kept),
        }
    }

    fn address(&mut self) -> String {
        let ending = self.pick(&["com", "org", "de", "net", "eu"]);
        match self.below(4) {
            0 => format!("{}@{}.{ending}", self.word(), self.word()),
            1 => format!("{}.{}@{}.{ending}", self.word(), self.word(), self.word()),
            2 => format!("https://www.{}.{ending}/{}", self.word(), self.word()),
            _ => format!("www.{}.{ending}", self.word()),
        }
    }

    /// Something that no language writes its own way.
    fn literal(&mut self) -> String {
        match self.below(7) {
            0 => self.address(),
            1 => format!("{}{}", self.pick(&["@", "#"]), self.word()),
            2 => format!(
                "+{} {} {}",
                10 + self.below(90),
                100 + self.below(900),
                100_000 + self.below(900_000)
            ),
            3 => format!("DE{} 3704 0044 0532 0130 00", 10 + self.below(90)),
            4 => format!("{}", 10_000 + self.below(9_000_000)),
            5 => self.pick(&OTHER_SCRIPTS).into(),
            _ => self.pick(&SYMBOLS).into(),
        }
    }

    /// A line with things that are copied.
    fn copied(&mut self, kind: &'static str, make: fn(&mut Self) -> String) -> Line {
        let mut text = self.pick(self.texts.literal_frames).to_owned();
        let mut literals = Vec::new();
        while text.contains("{}") {
            let literal = make(self);
            text = text.replacen("{}", &literal, 1);
            literals.push(literal);
        }
        Line {
            kind,
            text,
            must: Must::KeepLiterals(literals),
        }
    }

    fn capital(&mut self) -> char {
        char::from(b'A' + self.below(26) as u8)
    }

    /// A name that machines read, or two numbers.
    fn technical(&mut self) -> String {
        match self.below(8) {
            0 => {
                let ending = self.pick(&["pdf", "docx", "jpg", "csv", "zip", "rs"]);
                format!("{}_{}.{ending}", self.word(), self.below(100))
            }
            1 => format!("/{}/{}", self.word(), self.word()),
            2 => format!("{}_{}()", self.word(), self.word()),
            3 => format!("{}.{}.{}", self.below(30), self.below(30), self.below(30)),
            4 => format!(
                "{}{}{}",
                self.capital(),
                self.capital(),
                1000 + self.below(9000)
            ),
            5 => format!(
                "{}{}-{}-{}",
                self.capital(),
                self.capital(),
                10_000 + self.below(90_000),
                self.capital()
            ),
            6 => {
                let first = 1 + self.below(300);
                format!("{first}-{}", first + 1 + self.below(30))
            }
            _ => format!("{}:{}", self.below(10), self.below(10)),
        }
    }

    fn name(&mut self) -> String {
        let word = self.word();
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    }

    /// With two neighbouring letters swapped, or one doubled or left out, inside of a longer word.
    fn misspelt(&mut self, sentence: &str) -> String {
        let mut words: Vec<String> = sentence.split(' ').map(str::to_owned).collect();
        for _ in 0..2 {
            let at = self.below(words.len());
            let mut letters: Vec<char> = words[at].chars().collect();
            if letters.len() < 5 || !letters.iter().all(char::is_ascii_alphabetic) {
                continue;
            }
            let i = 1 + self.below(letters.len() - 3);
            match self.below(3) {
                0 => letters.swap(i, i + 1),
                1 => letters.insert(i, letters[i]),
                _ => drop(letters.remove(i)),
            }
            words[at] = letters.into_iter().collect();
        }
        words.join(" ")
    }
}

/// 2 000 varied lines, then those whose numbers, addresses, names, literals, amounts, dates and times must be kept, then variants of sentences.
pub fn make(texts: &'static Texts, seed: u64) -> Vec<Line> {
    let mut random = Random {
        numbers: SplitMix64::new(seed),
        texts,
    };
    let mut lines = Vec::new();
    let mut push = |kind, text: String, must| lines.push(Line { kind, text, must });
    for i in 0..200 {
        let word = texts.words[i % texts.words.len()];
        let [sentence, other] = [(); 2].map(|()| random.pick(texts.sentences));
        push("single words", word.into(), Must::End);
        push("capitals", sentence.to_uppercase(), Must::End);
        push(
            "digits",
            format!("{} {}", random.number(), random.number()),
            Must::End,
        );
        push(
            "emoji",
            format!("{sentence} {}", random.pick(&SYMBOLS)),
            Must::End,
        );
        push(
            "quotes",
            format!("\"{sentence}\" {}", texts.said),
            Must::End,
        );
        push("headlines", headline(&mut random), Must::End);
        push("long", long(&mut random), Must::End);
        push("misspelt", random.misspelt(sentence), Must::End);
        push("two sentences", format!("{sentence} {other}"), Must::End);
        push("symbols", odd(&mut random, i), Must::End);
    }
    for _ in 0..300 {
        let (number, address, name) = (random.number(), random.address(), random.name());
        let mut framed = |kind, frames: &[&str], value: &str, must| {
            push(kind, random.pick(frames).replace("{}", value), must);
        };
        framed(
            "numbers kept",
            texts.number_frames,
            &number,
            Must::KeepNumber(number.clone()),
        );
        framed(
            "addresses kept",
            texts.address_frames,
            &address,
            Must::KeepAddress(address.clone()),
        );
        framed(
            "names kept",
            texts.name_frames,
            &name,
            Must::KeepName(name.clone()),
        );
    }
    lines.extend((0..300).map(|_| random.copied("literals kept", Random::literal)));
    for _ in 0..300 {
        let mut text = random.pick(texts.amount_frames).to_owned();
        let mut amounts = Vec::new();
        while text.contains("{}") {
            let (number, sign) = random.amount();
            let amount = match texts.is_sign_first {
                true => format!("{sign}{number}"),
                false => format!("{number} {sign}"),
            };
            text = text.replacen("{}", &amount, 1);
            amounts.push((number, sign));
        }
        lines.push(Line {
            kind: "amounts kept",
            text,
            must: Must::KeepAmounts(amounts),
        });
    }
    for _ in 0..300 {
        lines.push(random.kept("dates kept", texts.date_frames, Random::date));
        lines.push(random.kept("times kept", texts.time_frames, Random::time));
    }
    for &sentence in texts.sentences {
        let at = lines.len();
        let variants = [
            ("as it stands", sentence.to_owned()),
            (
                "without full stop",
                sentence.trim_end_matches(['.', '?']).to_owned(),
            ),
            ("lower case", sentence.to_lowercase()),
            ("upper case", sentence.to_uppercase()),
            ("a word in capitals", emphasised(sentence)),
            ("title case", title_case(sentence, texts)),
            ("typographic apostrophe", sentence.replace('\'', "\u{2019}")),
            ("plain letters", replace_all(sentence, texts.plain_letters)),
        ];
        for (kind, text) in variants {
            let must = match lines.len() == at {
                true => Must::End,
                false => Must::Resemble(at),
            };
            if must == Must::End || text != sentence {
                lines.push(Line { kind, text, must });
            }
        }
    }
    for &sentence in texts.spelled {
        let at = lines.len();
        let mut push = |kind, text: String| {
            let must = match kind {
                "with apostrophe" => Must::End,
                _ => Must::Equal(at),
            };
            if kind == "with apostrophe" || text != sentence {
                lines.push(Line { kind, text, must });
            }
        };
        push("with apostrophe", sentence.to_owned());
        // "its" is a word too.
        push(
            "without apostrophe",
            sentence.replace('\'', "").replace("its", "it's"),
        );
        push("curly apostrophe", sentence.replace('\'', "\u{2019}"));
        push("all in capitals", sentence.to_uppercase());
        let mut hurried = sentence.to_owned();
        for (full, short) in texts.hurry {
            hurried = replace_word(&hurried, full, short);
        }
        push("short forms", hurried);
    }
    for [full, short] in texts.shortened {
        let at = lines.len();
        for (kind, text, must) in [
            ("spelled out", full, Must::End),
            ("short forms", short, Must::Equal(at)),
        ] {
            let text = (*text).to_owned();
            lines.push(Line { kind, text, must });
        }
    }
    lines.extend((0..300).map(|_| random.copied("files and codes kept", Random::technical)));
    for &sentence in texts.sentences {
        for marks in MARKS {
            let [before, after] = marks;
            let mut words: Vec<String> = sentence.split(' ').map(str::to_owned).collect();
            let is_word = |i: &usize| words[*i].contains(char::is_alphanumeric);
            let places: Vec<usize> = (0..words.len()).filter(is_word).collect();
            let marked = random.pick(&places);
            let word = words[marked].clone();
            let bare = word.trim_end_matches(['.', '?', ',']);
            words[marked] = format!("{before}{bare}{after}{}", &word[bare.len()..]);
            lines.push(Line {
                kind: "markup kept",
                text: words.join(" "),
                must: Must::KeepMarks(marks),
            });
        }
        for lead in LEADS {
            lines.push(Line {
                kind: "list marks kept",
                text: format!("{lead}{sentence}"),
                must: Must::KeepLead(lead),
            });
        }
    }
    for _ in 0..300 {
        lines.push(random.kept("clock times kept", texts.time_frames, Random::clock_time));
        lines.push(random.kept("ordinals kept", texts.ordinal_frames, Random::ordinal));
    }
    let negations: Vec<String> = NEGATIONS.map(str::to_owned).into();
    lines.extend(texts.negated.iter().map(|sentence| Line {
        kind: "negations kept",
        text: (*sentence).to_owned(),
        must: Must::KeepOneOf(vec![negations.clone()]),
    }));
    for &question in texts.questions {
        let at = lines.len();
        let typed = question.trim_end_matches(['?', ' ']).to_lowercase();
        for (kind, text, must) in [
            ("question", question.to_owned(), Must::End),
            ("without question mark", typed, Must::Resemble(at)),
        ] {
            lines.push(Line { kind, text, must });
        }
    }
    for &(kind, pairs) in texts.typed {
        for &[sentence, typed] in pairs {
            let at = lines.len();
            for (kind, text, must) in [
                ("sentence", sentence, Must::End),
                (kind, typed, Must::Resemble(at)),
            ] {
                let text = text.to_owned();
                lines.push(Line { kind, text, must });
            }
        }
    }
    lines
}

/// The text with the first of each pair replaced by the second.
fn replace_all(text: &str, pairs: &[(&str, &str)]) -> String {
    let mut out = text.to_owned();
    for (from, to) in pairs {
        out = out.replace(from, to);
    }
    out
}

/// The text with words replaced where they stand alone.
fn replace_word(text: &str, word: &str, by: &str) -> String {
    let mut out = String::new();
    let mut end = 0;
    for (at, _) in text.match_indices(word) {
        let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphabetic() || c == '\'');
        if !joins(text[..at].chars().next_back()) && !joins(text[at + word.len()..].chars().next())
        {
            out += &text[end..at];
            out += by;
            end = at + word.len();
        }
    }
    out + &text[end..]
}

fn headline(random: &mut Random) -> String {
    let headline = random.pick(random.texts.headlines);
    match random.below(3) {
        0 => headline.to_uppercase(),
        1 => format!("{headline}: {}", random.pick(random.texts.headlines)),
        _ => headline.into(),
    }
}

/// About 80 words without a full stop inside.
fn long(random: &mut Random) -> String {
    let mut parts = Vec::new();
    let mut words = 0;
    while words < 80 {
        let part = random
            .pick(random.texts.sentences)
            .trim_end_matches(['.', '?'])
            .to_owned();
        words += part.split(' ').count();
        parts.push(part);
    }
    parts.join(random.pick(&random.texts.joints)) + "."
}

fn odd(random: &mut Random, i: usize) -> String {
    let sentence = random.pick(random.texts.sentences);
    match i % 10 {
        0 => format!("*** {sentence} ***"),
        1 => format!("({sentence})"),
        2 => format!("- {sentence}"),
        3 => sentence.replace(' ', "  "),
        4 => format!("{}!!!", sentence.trim_end_matches('.')),
        5 => format!(
            "{} / {}",
            random.pick(random.texts.words),
            random.pick(random.texts.words)
        ),
        6 => format!("<b>{sentence}</b>"),
        7 => format!(
            "{} & {} = {} %",
            random.pick(random.texts.words),
            random.pick(random.texts.words),
            random.below(100)
        ),
        8 => format!("{}…", sentence.trim_end_matches('.')),
        _ => format!(
            "#{} @{} {sentence}",
            random.pick(random.texts.words),
            random.word()
        ),
    }
}

/// A sentence with its longest word of small letters in capitals.
fn emphasised(sentence: &str) -> String {
    let words = sentence.split(' ');
    let longest = words
        .map(|word| word.trim_end_matches(['.', ',', '?']))
        .filter(|word| word.chars().all(char::is_lowercase))
        .max_by_key(|word| word.chars().count())
        .unwrap_or_default();
    replace_word(sentence, longest, &longest.to_uppercase())
}

/// A sentence as a headline with a capital on each word, in languages that have those.
fn title_case(sentence: &str, texts: &Texts) -> String {
    if !texts.has_title_case {
        return sentence.to_owned();
    }
    let words = sentence.trim_end_matches(['.', '?']).split(' ');
    let capitalised = words.map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(|c| c.to_uppercase().to_string());
        first.unwrap_or_default() + letters.as_str()
    });
    capitalised.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of every language.
    fn all(seed: u64) -> impl Iterator<Item = Vec<Line>> {
        Texts::ALL.iter().map(move |(_, texts)| make(texts, seed))
    }

    fn english() -> Vec<Line> {
        make(Texts::of("en").unwrap(), 1)
    }

    fn of_kind(lines: &[Line], kind: &str) -> usize {
        lines.iter().filter(|line| line.kind == kind).count()
    }

    #[test]
    fn the_lines_are_as_many_as_said_and_always_the_same() {
        for (lines, again) in all(1).zip(all(1)) {
            assert_eq!(lines, again);
            let plain = lines.iter().take(2000);
            assert!(plain.clone().all(|line| line.must == Must::End));
            let words = |line: &Line| line.text.split(' ').count();
            let long = plain.filter(|line| line.kind == "long").map(words);
            assert!(long.clone().all(|words| (80..110).contains(&words)));
            assert_eq!(long.count(), 200);
            assert_eq!(of_kind(&lines, "as it stands"), 40);
            assert_eq!(of_kind(&lines, "lower case"), 40);
            assert_eq!(of_kind(&lines, "upper case"), 40);
            assert_eq!(of_kind(&lines, "a word in capitals"), 40);
            assert_eq!(of_kind(&lines, "markup kept"), 160);
            assert_eq!(of_kind(&lines, "list marks kept"), 320);
            assert_eq!(of_kind(&lines, "without question mark"), 19);
            assert_eq!(of_kind(&lines, "without subject"), 20);
            assert_eq!(of_kind(&lines, "without comma"), 10);
            assert_eq!(of_kind(&lines, "misspelt words"), 12);
        }
        assert_eq!(of_kind(&english(), "with apostrophe"), 24);
        assert_eq!(of_kind(&english(), "title case"), 40);
        assert_eq!(of_kind(&english(), "plain letters"), 0);
        let german = make(Texts::of("de").unwrap(), 1);
        assert_eq!(of_kind(&german, "plain letters"), 20);
        assert_eq!(of_kind(&german, "short forms"), 12);
        let french = make(Texts::of("fr").unwrap(), 1);
        assert_eq!(of_kind(&french, "plain letters"), 26);
    }

    #[test]
    fn words_typed_in_a_hurry_stand_alone() {
        assert_eq!(
            replace_word("You and you, yours: you!", "you", "u"),
            "You and u, yours: u!"
        );
        let kinds = [
            "without apostrophe",
            "curly apostrophe",
            "all in capitals",
            "short forms",
        ];
        let lines = english();
        assert_eq!(kinds.map(|kind| of_kind(&lines, kind)), [22, 22, 24, 18]);
    }

    #[test]
    fn what_must_be_kept_stands_in_the_line() {
        for lines in all(2) {
            for line in &lines {
                match &line.must {
                    Must::KeepNumber(part) | Must::KeepAddress(part) | Must::KeepName(part) => {
                        assert!(line.text.contains(part.as_str()), "{line:?}");
                    }
                    Must::KeepLiterals(parts) => {
                        assert!(
                            parts.iter().all(|part| line.text.contains(part.as_str())),
                            "{line:?}"
                        );
                    }
                    Must::KeepAmounts(parts) => {
                        assert!(
                            parts
                                .iter()
                                .all(|(number, sign)| line.text.contains(number.as_str())
                                    && line.text.contains(sign)),
                            "{line:?}"
                        );
                    }
                    Must::KeepMarks([before, after]) => {
                        assert!(
                            line.text.contains(before) && line.text.contains(after),
                            "{line:?}"
                        );
                    }
                    Must::KeepLead(lead) => assert!(line.text.starts_with(lead), "{line:?}"),
                    Must::KeepOneOf(values) => assert!(!values.is_empty(), "{line:?}"),
                    Must::End => {}
                    Must::Resemble(at) | Must::Equal(at) => {
                        assert_ne!(line.text, lines[*at].text);
                    }
                }
            }
        }
    }
}
