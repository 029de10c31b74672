//! The lines, all written or made up here, a function of the seed alone.

use translucent::random::SplitMix64;

/// What a line's translation must do, beside being neither empty nor a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Must {
    /// Nothing more.
    End,
    /// Contain this number, however its digits are grouped.
    KeepNumber(String),
    /// Contain this web or e-mail address.
    KeepAddress(String),
    /// Contain each of these exactly as often as the line does.
    KeepLiterals(Vec<String>),
    /// Contain this made-up name.
    KeepName(String),
    /// Say about the same as the translation of the line with this index.
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

/// Everyday sentences. None has a number, a quote, or a name.
/// Sentences whose meaning hangs on an apostrophe, a pronoun or a polite word.
const SPELLED: [&str; 24] = [
    "I can't come to the party tonight.",
    "Don't touch the stove, it's hot!",
    "She doesn't like coffee.",
    "They won't tell us the truth.",
    "We aren't ready yet.",
    "He isn't my brother.",
    "You shouldn't drive so fast.",
    "I didn't see the sign.",
    "It wasn't your fault.",
    "There's a spider in the bathroom.",
    "I'm not sure what you mean.",
    "You're welcome to stay with us.",
    "What's the name of this street?",
    "That's not what I said.",
    "We've never been to Berlin.",
    "They haven't paid the bill.",
    "I wouldn't do that.",
    "He couldn't find his glasses.",
    "Who's there?",
    "I don't know why she left.",
    "Can you help me, please?",
    "Thanks, that was very kind.",
    "I want to go home because I'm tired.",
    "I don't know what people do there.",
];

/// How the same is typed in a hurry: what is replaced, and by what.
const HURRY: [(&str, &str); 8] = [
    ("you", "u"),
    ("please", "pls"),
    ("Thanks", "Thx"),
    ("people", "ppl"),
    ("want to", "wanna"),
    ("because", "cuz"),
    ("I don't know", "Idk"),
    ("going to", "gonna"),
];

const SENTENCES: [&str; 40] = [
    "The children are playing in the garden.",
    "I don't know where she put the keys.",
    "Could you help me carry this table upstairs?",
    "We've been waiting for the bus for an hour.",
    "He couldn't open the door because it was locked.",
    "My sister works in a hospital.",
    "The train to the city was late again.",
    "It's raining, so take an umbrella with you.",
    "A woman in a red coat is crossing the street.",
    "They're looking for a cheaper flat.",
    "You shouldn't drink so much coffee.",
    "The meeting has been moved to next week.",
    "Two men are repairing the roof of a house.",
    "I can't remember the name of that film.",
    "The government wants to build new schools.",
    "She's reading a book about the history of music.",
    "What time does the museum open?",
    "The soup tastes better with a little salt.",
    "Our neighbours have a dog that barks all night.",
    "Please turn off the light when you leave.",
    "The weather will be fine tomorrow.",
    "He gave his daughter a bicycle for her birthday.",
    "The river is too cold for swimming.",
    "I'd like to order a pizza, please.",
    "Nobody believed the story that the old man told.",
    "The police are asking witnesses to call them.",
    "A small boy is eating ice cream on a bench.",
    "We didn't see anything because of the fog.",
    "The shop closes early on Sundays.",
    "Her parents live near the sea.",
    "This road leads to the village.",
    "The doctor told me to stay in bed.",
    "Many people lost their jobs during the crisis.",
    "I forgot to buy bread on the way home.",
    "The window was broken by a ball.",
    "Do you want to go for a walk with us?",
    "The cat is sleeping on the sofa.",
    "If I had more time, I would learn to paint.",
    "The new bridge will be finished next year.",
    "Can you tell me the way to the station?",
];

const WORDS: [&str; 60] = [
    "house",
    "water",
    "love",
    "yes",
    "no",
    "hello",
    "thanks",
    "Monday",
    "winter",
    "school",
    "bread",
    "music",
    "mother",
    "king",
    "green",
    "run",
    "quickly",
    "beautiful",
    "seven",
    "why",
    "please",
    "help",
    "stop",
    "tomorrow",
    "computer",
    "language",
    "freedom",
    "umbrella",
    "butterfly",
    "strawberry",
    "unfortunately",
    "grandmother",
    "hospital",
    "mountain",
    "yesterday",
    "kitchen",
    "freezing",
    "welcome",
    "sorry",
    "goodbye",
    "window",
    "teacher",
    "science",
    "forest",
    "island",
    "eagle",
    "purple",
    "dance",
    "write",
    "sleep",
    "never",
    "always",
    "together",
    "moon",
    "star",
    "heart",
    "bicycle",
    "airport",
    "cheese",
    "apple",
];

const HEADLINES: [&str; 12] = [
    "Storm Leaves Thousands Without Power",
    "Parliament Votes on New Climate Law",
    "Police Search for Missing Hiker",
    "City Plans to Ban Cars From Centre",
    "Scientists Discover New Species in Deep Sea",
    "Football: Late Goal Decides the Match",
    "Prices Rise Faster Than Expected",
    "Museum Reopens After Long Renovation",
    "Strike Brings Air Traffic to a Halt",
    "Doctors Warn of Early Flu Season",
    "Minister Resigns Over Tax Affair",
    "Bakery Wins Prize for Best Bread",
];

const SYMBOLS: [&str; 10] = ["😀", "🎉", "❤️", "👍🏽", "🚲", "☕", "🐕", "🌧️", "🇩🇪", "👨‍👩‍👧"];

/// Where a number, name or address is put at `{}`.
const NUMBER_FRAMES: [&str; 8] = [
    "There were {} people at the concert.",
    "The ticket costs {} euros.",
    "He was born in {}.",
    "Room {} is on the second floor.",
    "We need {} chairs for the party.",
    "The village has {} inhabitants.",
    "She ran {} kilometres.",
    "Please call me at {}.",
];
const ADDRESS_FRAMES: [&str; 6] = [
    "You can find more information at {}.",
    "Please write to {} if you have questions.",
    "Visit {} for details.",
    "The address is {}",
    "I read it on {} yesterday.",
    "Send the form to {} before Friday.",
];
const NAME_FRAMES: [&str; 6] = [
    "My friend {} lives in a small town.",
    "{} is reading a newspaper.",
    "Have you met {}?",
    "The village of {} lies in the mountains.",
    "I gave the book to {}.",
    "{} and his wife bought a house.",
];

/// Where things that are copied are put, wherever a `{}` stands.
const LITERAL_FRAMES: [&str; 8] = [
    "{} The weather will be fine tomorrow.",
    "I don't know {} where she put the keys.",
    "We leave at noon {}, and {} comes with us.",
    "Thanks {}! See you tomorrow {}",
    "Please turn off the light {} when you leave {}.",
    "{}",
    "Is {} the same as {} or {}?",
    "My sister ({}) works in a hospital.",
];
const OTHER_SCRIPTS: [&str; 6] = ["你好", "Москва", "שלום", "こんにちは", "Αθήνα", "नमस्ते"];

/// Random parts of lines: the same on every machine.
struct Random(SplitMix64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
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
            3 => format!("{},{:03}", 1 + self.below(999), self.below(1000)),
            4 => format!("{}.{}", 1 + self.below(99), 1 + self.below(9)),
            _ => format!("{}", 100_000 + self.below(9_000_000)),
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

/// 2 000 varied lines, then those whose numbers, addresses, names and literals must be kept, then variants of sentences.
pub fn make(seed: u64) -> Vec<Line> {
    let mut random = Random(SplitMix64::new(seed));
    let mut lines = Vec::new();
    let mut push = |kind, text: String, must| lines.push(Line { kind, text, must });
    for i in 0..200 {
        let (word, sentence) = (WORDS[i % WORDS.len()], random.pick(&SENTENCES));
        let other = random.pick(&SENTENCES);
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
        push("quotes", format!("\"{sentence}\" she said."), Must::End);
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
            &NUMBER_FRAMES,
            &number,
            Must::KeepNumber(number.clone()),
        );
        framed(
            "addresses kept",
            &ADDRESS_FRAMES,
            &address,
            Must::KeepAddress(address.clone()),
        );
        framed(
            "names kept",
            &NAME_FRAMES,
            &name,
            Must::KeepName(name.clone()),
        );
    }
    for _ in 0..300 {
        let mut text = random.pick(&LITERAL_FRAMES).to_owned();
        let mut literals = Vec::new();
        while text.contains("{}") {
            let literal = random.literal();
            text = text.replacen("{}", &literal, 1);
            literals.push(literal);
        }
        lines.push(Line {
            kind: "literals kept",
            text,
            must: Must::KeepLiterals(literals),
        });
    }
    for sentence in SENTENCES {
        let at = lines.len();
        let variants = [
            ("as it stands", sentence.to_owned()),
            (
                "without full stop",
                sentence.trim_end_matches(['.', '?']).to_owned(),
            ),
            ("lower case", sentence.to_lowercase()),
            ("typographic apostrophe", sentence.replace('\'', "\u{2019}")),
        ];
        for (kind, text) in variants {
            let must = if lines.len() == at {
                Must::End
            } else {
                Must::Resemble(at)
            };
            lines.push(Line { kind, text, must });
        }
    }
    for sentence in SPELLED {
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
        let hurried = HURRY
            .iter()
            .fold(sentence.to_owned(), |text, (full, short)| {
                replace_word(&text, full, short)
            });
        push("short forms", hurried);
    }
    lines
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
    let headline = random.pick(&HEADLINES);
    match random.below(3) {
        0 => headline.to_uppercase(),
        1 => format!("{headline}: {}", random.pick(&HEADLINES)),
        _ => headline.into(),
    }
}

/// About 80 words without a full stop inside.
fn long(random: &mut Random) -> String {
    let mut parts = Vec::new();
    let mut words = 0;
    while words < 80 {
        let part = random
            .pick(&SENTENCES)
            .trim_end_matches(['.', '?'])
            .to_owned();
        words += part.split(' ').count();
        parts.push(part);
    }
    parts.join(random.pick(&[", and ", "; ", ", but "])) + "."
}

fn odd(random: &mut Random, i: usize) -> String {
    let sentence = random.pick(&SENTENCES);
    match i % 10 {
        0 => format!("*** {sentence} ***"),
        1 => format!("({sentence})"),
        2 => format!("- {sentence}"),
        3 => sentence.replace(' ', "  "),
        4 => format!("{}!!!", sentence.trim_end_matches('.')),
        5 => format!("{} / {}", random.pick(&WORDS), random.pick(&WORDS)),
        6 => format!("<b>{sentence}</b>"),
        7 => format!(
            "{} & {} = {} %",
            random.pick(&WORDS),
            random.pick(&WORDS),
            random.below(100)
        ),
        8 => format!("{}…", sentence.trim_end_matches('.')),
        _ => format!("#{} @{} {sentence}", random.pick(&WORDS), random.word()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_are_as_many_as_said_and_always_the_same() {
        let lines = make(1);
        assert_eq!(lines, make(1));
        let plain = lines.iter().take(2000);
        assert!(plain.clone().all(|line| line.must == Must::End));
        let spelled = lines.iter().skip(2000 + 900 + 300 + 160);
        assert_eq!(spelled.filter(|line| line.must == Must::End).count(), 24);
        assert!(
            plain
                .filter(|line| line.kind == "long")
                .all(|line| { (80..110).contains(&line.text.split(' ').count()) })
        );
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
        let lines = make(1);
        let counts = kinds.map(|kind| lines.iter().filter(|line| line.kind == kind).count());
        assert_eq!(counts, [22, 22, 24, 6], "{lines:?}");
    }

    #[test]
    fn what_must_be_kept_stands_in_the_line() {
        for line in make(2) {
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
                Must::End | Must::Resemble(_) => {}
                Must::Equal(at) => assert_ne!(line.text, make(2)[*at].text),
            }
        }
    }
}
