//! The tokenizer of a Marian model folder: SentencePiece splits, `vocab.json` numbers.

use super::carried::Carried;
use super::decode::{Decoded, Decoder};
use super::lead::lead;
use super::literals::named_dates::{self, Date};
use super::literals::{self, Literal, Notation};
use super::marks;
use super::meet;
use super::read_text::ReadText;
use super::required::{self, Required};
use super::spm::{Dropout, EncodedText, SentencePieceModel};
use super::typed::{self, Language, Rewrite};
use super::vocabulary::Vocabulary;
use crate::Result;
use std::ops::Range;
use std::sync::Arc;

/// Splits text into pieces and gives them their ids, as `transformers`' `MarianTokenizer` does, but that
/// special pieces written out in a text (`</s>`) are text like any other.
#[derive(Clone, Debug)]
pub struct Tokenizer {
    source: Arc<Side>,
    target: Arc<Side>,
    /// The languages of source and target, where they are known: what people type is rewritten ([`super::typed`]).
    languages: [Option<Language>; 2],
    /// How source and target write amounts, where both are known.
    notations: Option<[Notation; 2]>,
}

/// The pieces of one side's texts.
#[derive(Debug)]
struct Side {
    model: SentencePieceModel,
    vocabulary: Arc<Vocabulary>,
    /// SentencePiece id → id in the vocabulary, where it has one.
    ids: Vec<Option<u32>>,
}

/// What the text of a source consists of.
struct Parts {
    /// Bytes of the marks before its sentence.
    lead: usize,
    /// Where its sentence begins, behind its lead or language code.
    start: usize,
    marks: marks::Found,
    /// The text with its marks blanked.
    blanked: String,
    /// Its literals in order, and the dates in figures that are read with the month's name: none for a vocabulary without
    /// placeholders.
    literals: Vec<Range<usize>>,
    dates: Vec<(Range<usize>, Date)>,
}

/// What is read in place of a mark: nothing, or a space where it alone keeps a word from the punctuation before it.
fn without(text: &str, mark: Range<usize>) -> Rewrite {
    let is_punctuation = |c: char| matches!(c, '.' | ',' | ';' | ':' | '!' | '?');
    let parts = text[..mark.start].ends_with(is_punctuation)
        && text[mark.end..].starts_with(|c: char| c.is_alphanumeric() || c == '<');
    Rewrite {
        range: mark,
        text: if parts { " ".into() } else { String::new() },
    }
}

/// The marks of a translation of a source that carries these, which are not read either.
fn marks_of_translation(text: &str, start: usize, carried: &Carried) -> Vec<Rewrite> {
    match carried.marks.is_empty() {
        true => Vec::new(),
        false => (marks::find(text, start).ranges())
            .map(|range| without(text, range))
            .collect(),
    }
}

/// An encoded text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoding {
    /// Its pieces; the end mark is last.
    pub ids: Vec<u32>,
    /// The byte range of the original text that each piece was made from, with the space before a word;
    /// `None` for the end mark. A character that became several pieces (by normalisation, or because it is
    /// written as bytes) counts whole for each of them.
    pub ranges: Vec<Option<Range<usize>>>,
    /// What its translation has from it.
    pub carried: Carried,
}

impl Tokenizer {
    /// Reads `source.spm`, `target.spm` and `vocab.json`.
    ///
    /// # Errors
    /// [`crate::Error::TokenizerFormat`] naming the file and what is wrong with it.
    pub fn from_parts(source_spm: &[u8], target_spm: &[u8], vocab_json: &[u8]) -> Result<Self> {
        let vocabulary = Arc::new(Vocabulary::parse("vocab.json", vocab_json)?);
        let source = Side::new("source.spm", source_spm, vocabulary.clone())?;
        if source_spm == target_spm {
            let source = Arc::new(source);
            return Ok(Self {
                target: source.clone(),
                source,
                languages: [None; 2],
                notations: None,
            });
        }
        let target = Side::new("target.spm", target_spm, vocabulary)?;
        Ok(Self {
            source: Arc::new(source),
            target: Arc::new(target),
            languages: [None; 2],
            notations: None,
        })
    }

    /// Reads the files of a model with separate vocabularies: `target_vocab.json` numbers the target's pieces.
    ///
    /// # Errors
    /// [`crate::Error::TokenizerFormat`] naming the file and what is wrong with it.
    pub fn from_separate_parts(
        source_spm: &[u8],
        target_spm: &[u8],
        vocab_json: &[u8],
        target_vocab_json: &[u8],
    ) -> Result<Self> {
        let source = Vocabulary::parse("vocab.json", vocab_json)?.without_placeholders();
        let target =
            Vocabulary::parse("target_vocab.json", target_vocab_json)?.without_placeholders();
        Ok(Self {
            source: Arc::new(Side::new("source.spm", source_spm, Arc::new(source))?),
            target: Arc::new(Side::new("target.spm", target_spm, Arc::new(target))?),
            languages: [None; 2],
            notations: None,
        })
    }

    /// With the languages of source and target (`en`, `de`), as far as they are known. Forms that people type and that have one
    /// certain reading are then rewritten before a text is split: capitals are read as lower case, "germany" as "Germany",
    /// of English also "dont" as "don't" and "’" as "'". Between two languages whose notation is known, amounts and times of
    /// day are literals: "$1,299.00" becomes "1.299,00 $", "15:30 Uhr" becomes "3:30 pm".
    pub fn with_languages(self, source: Option<&str>, target: Option<&str>) -> Self {
        let notation = |language: Option<&str>| language.and_then(Notation::of);
        Self {
            languages: [source, target].map(|code| code.map(Language::of)),
            notations: notation(source)
                .zip(notation(target))
                .map(|(source, target)| [source, target]),
            ..self
        }
    }

    /// Encodes a text to translate. A language code (`>>de<<`) at its start, by which models with several target
    /// languages are given which one to translate into, is one piece: `<unk>` where the vocabulary does not have it.
    /// Literals become placeholders, as far as the vocabulary has any.
    pub fn encode_source(&self, text: &str) -> Encoding {
        let parts = self.parts(text, self.lead(text));
        self.encode_with(text, &parts, &self.places(&parts), None)
    }

    /// The parts of a source with a lead of these bytes.
    fn parts(&self, text: &str, lead: usize) -> Parts {
        let code = self.source.language_code(text).map_or(0, |(_, len)| len);
        let start = code.max(lead);
        if self.source.vocabulary.placeholders().is_empty() {
            let marks = marks::Found::default();
            return Parts {
                lead,
                start,
                blanked: marks.blanked(text),
                marks,
                literals: Vec::new(),
                dates: Vec::new(),
            };
        }
        let marks = marks::find(text, start);
        let blanked = marks.blanked(text);
        let text = &blanked[start..];
        let mut literals = literals::find(text, self.notation());
        let mut dates = self.notation().map_or_else(Vec::new, |notation| {
            literals::take_named_dates(text, notation.style, &mut literals)
        });
        let ranges = dates.iter_mut().map(|(range, _)| range);
        for range in ranges.chain(&mut literals) {
            *range = range.start + start..range.end + start;
        }
        let is_free = |range: &Range<usize>| !marks.copied.iter().any(|copied| meet(copied, range));
        dates.retain(|(range, _)| is_free(range));
        literals.retain(is_free);
        literals.extend_from_slice(&marks.copied);
        literals.sort_unstable_by_key(|range| range.start);
        Parts {
            lead,
            start,
            blanked,
            marks,
            literals,
            dates,
        }
    }

    /// Bytes of the marks before a source's sentence. A vocabulary without placeholders reads these as any text.
    fn lead(&self, text: &str) -> usize {
        let [language, _] = self.languages;
        let is_read = self.source.vocabulary.placeholders().is_empty();
        match is_read || self.source.language_code(text).is_some() {
            true => 0,
            false => lead(text, language),
        }
    }

    /// The literals of a source with the placeholders that they get, as far as there are any.
    fn places(&self, parts: &Parts) -> Vec<(u32, Range<usize>)> {
        let placeholders = self.source.vocabulary.placeholders().iter().copied();
        placeholders.zip(parts.literals.iter().cloned()).collect()
    }

    /// How the source writes amounts and times, where they are literals.
    fn notation(&self) -> Option<Notation> {
        self.notations.map(|[source, _]| source)
    }

    /// What the placeholder of a place in a source stands for.
    fn literal(&self, text: &str, (id, range): &(u32, Range<usize>)) -> Literal {
        Literal::new(*id, text, range.clone(), self.notations)
    }

    /// Encodes a source with these placeholders, without its marks.
    fn encode_with(
        &self,
        text: &str,
        parts: &Parts,
        places: &[(u32, Range<usize>)],
        dropout: Option<&mut Dropout>,
    ) -> Encoding {
        let Parts {
            lead,
            start,
            blanked,
            marks,
            dates,
            ..
        } = parts;
        let [language, _] = self.languages;
        let is_upper_case = language.is_some() && self.source.is_upper_case(blanked);
        let mut rewrites = match language {
            None => Vec::new(),
            Some(language) if is_upper_case => self.source.lower_case(blanked, language),
            Some(language) => self.source.typed(blanked, language),
        };
        if let Some(language) = language {
            rewrites.extend(typed::repeated_marks(blanked));
            // Of two that begin together the first counts: a subject has the whole word.
            rewrites.splice(..0, typed::sentence(blanked, *start, language));
        }
        rewrites.extend(marks.ranges().map(|range| without(text, range)));
        if let Some(notation) = self.notation() {
            rewrites.extend(named_dates::spelled_out(blanked, notation.style));
            rewrites.extend(dates.iter().map(|(range, date)| Rewrite {
                range: range.clone(),
                text: named_dates::written(*date, notation.style),
            }));
        }
        let mut encoding = self.source.encode(text, *lead, places, &rewrites, dropout);
        let read = places.iter().filter(|(id, _)| encoding.ids.contains(id));
        let pairs = marks.pairs.iter();
        encoding.carried = Carried {
            lead: text[..*lead].into(),
            literals: read.map(|place| self.literal(text, place)).collect(),
            marks: pairs
                .map(|pair| {
                    let literals = places.iter().map(|(_, range)| range);
                    pair.marks((text, blanked, *start), literals, &encoding.ranges)
                })
                .collect(),
            is_upper_case,
            is_mended: language.is_some(),
            begins_with_capital: language.is_some() && begins_with_capital(&text[*lead..]),
        };
        encoding
    }

    /// Whether the vocabulary has a placeholder for each literal of a text. Of one without placeholders nothing is asked.
    pub fn has_placeholders_for(&self, text: &str) -> bool {
        let placeholders = self.source.vocabulary.placeholders().len();
        placeholders == 0 || self.parts(text, self.lead(text)).literals.len() <= placeholders
    }

    /// What the translation of a source must hold: its dates with the month's name, the numbers that are read, and the negation
    /// of a German sentence.
    pub fn required(&self, text: &str) -> Vec<Required> {
        let Some(notations) = self.notations else {
            return Vec::new();
        };
        if self.source.vocabulary.placeholders().is_empty() {
            return Vec::new();
        }
        let parts = self.parts(text, self.lead(text));
        // What stands before the sentence is copied by itself.
        let mut sentence = parts.blanked;
        sentence.replace_range(..parts.lead, &" ".repeat(parts.lead));
        required::find(&sentence, notations, &parts.literals, &parts.dates)
    }

    /// The piece of the language code that a text begins with, if the vocabulary has it.
    pub fn language_code(&self, text: &str) -> Option<u32> {
        let (id, _) = self.source.language_code(text)?;
        Some(id).filter(|id| *id != self.source.vocabulary.unk_id())
    }

    /// Encodes a text in the target language.
    pub fn encode_target(&self, text: &str) -> Encoding {
        self.encode_target_of(text, &Carried::default())
    }

    /// Encodes a translation of a source that carries these: where its literals stand, their placeholders do.
    pub fn encode_target_of(&self, text: &str, carried: &Carried) -> Encoding {
        let lead = match text.starts_with(&*carried.lead) {
            true => carried.lead.len(),
            false => 0,
        };
        let places = literals::locate(text, lead, &carried.literals);
        let mut rewrites = match carried.is_upper_case {
            true => self.target_lower_case(text),
            false => Vec::new(),
        };
        rewrites.extend(marks_of_translation(text, lead, carried));
        self.target.encode(text, lead, &places, &rewrites, None)
    }

    /// What a text of capitals in the target language is in lower case.
    fn target_lower_case(&self, text: &str) -> Vec<Rewrite> {
        let [_, language] = self.languages;
        self.target
            .lower_case(text, language.unwrap_or(Language::Other))
    }

    /// Encodes a sentence pair for training, each side with its own BPE-dropout. Only literals that stand on both sides
    /// become placeholders: a model learns to place what there is to place.
    pub fn encode_pair(
        &self,
        source: &str,
        target: &str,
        dropout: [&mut Dropout; 2],
    ) -> [Encoding; 2] {
        let lead = self.lead(source);
        let lead = match target.starts_with(&source[..lead]) {
            true => lead,
            false => 0,
        };
        let parts = self.parts(source, lead);
        let mut places = self.places(&parts);
        let literals = places.iter().map(|place| self.literal(source, place));
        let targets = literals::locate(target, lead, &literals.collect::<Vec<_>>());
        places.retain(|(id, _)| targets.iter().any(|(other, _)| other == id));
        let [of_source, of_target] = dropout;
        let source = self.encode_with(source, &parts, &places, Some(of_source));
        // Where the source is read in lower case, its target is learnt so, as `decode` writes it in capitals again.
        let mut rewrites = match source.carried.is_upper_case && self.target.is_upper_case(target) {
            true => self.target_lower_case(target),
            false => Vec::new(),
        };
        rewrites.extend(marks_of_translation(target, lead, &source.carried));
        let target = (self.target).encode(target, lead, &targets, &rewrites, Some(of_target));
        [source, target]
    }

    /// The text of target pieces; special pieces are left out, placeholders written as their pieces are.
    pub fn decode(&self, ids: &[u32]) -> String {
        self.decode_with_ranges(ids, &Carried::default()).text
    }

    /// The text of target pieces, and where in it each of them is; placeholders give the source's literals. Its marks are left
    /// out.
    pub fn decode_with_ranges(&self, ids: &[u32], carried: &Carried) -> Decoded {
        self.decode_with_marks(ids, carried, &[])
    }

    /// [`Tokenizer::decode_with_ranges`] with the source's marks. Of each pair `around` has the pieces that it stands around;
    /// where that is unknown, it is left out.
    pub fn decode_with_marks(
        &self,
        ids: &[u32],
        carried: &Carried,
        around: &[Option<Range<usize>>],
    ) -> Decoded {
        let mut decoder = Decoder::new(carried, around);
        let vocabulary = &self.target.vocabulary;
        for &id in ids {
            match carried.literals.iter().find(|literal| literal.id == id) {
                Some(literal) => decoder.push_literal(literal),
                None if vocabulary.is_special(id) => decoder.skip(),
                None => decoder.push(vocabulary.piece(id)),
            }
        }
        decoder.finish()
    }

    /// The source's pieces.
    pub fn source_vocabulary(&self) -> &Vocabulary {
        &self.source.vocabulary
    }

    /// The target's pieces; the source's as well, unless the vocabularies are separate.
    pub fn target_vocabulary(&self) -> &Vocabulary {
        &self.target.vocabulary
    }

    /// Number of target pieces.
    pub fn vocab_size(&self) -> usize {
        self.target.vocabulary.len()
    }

    /// A target piece as printed, spaces written as `▁`; empty for an id outside the vocabulary.
    pub fn piece(&self, id: u32) -> &str {
        self.target.vocabulary.piece(id)
    }

    /// For each target piece the index of the word that it belongs to ([`Vocabulary::words`]).
    pub fn words(&self, ids: &[u32]) -> Vec<Option<u32>> {
        self.target.vocabulary.words(ids)
    }

    /// The end mark of the target, `</s>`.
    pub fn eos_id(&self) -> u32 {
        self.target.vocabulary.eos_id()
    }

    /// The target's unknown piece, `<unk>`.
    pub fn unk_id(&self) -> u32 {
        self.target.vocabulary.unk_id()
    }

    /// The target's padding piece, `<pad>`.
    pub fn pad_id(&self) -> u32 {
        self.target.vocabulary.pad_id()
    }
}

/// Whether a text of several words begins with a capital. One word is its own: German nouns have a capital.
fn begins_with_capital(text: &str) -> bool {
    let mut words = typed::words(text);
    let first = words.next().map_or("", |word| &text[word]);
    first.starts_with(char::is_uppercase) && words.next().is_some()
}

impl Side {
    fn new(name: &str, spm: &[u8], vocabulary: Arc<Vocabulary>) -> Result<Self> {
        let model = SentencePieceModel::parse(name, spm)?;
        let pieces = model.pieces().iter();
        Ok(Self {
            ids: pieces.map(|piece| vocabulary.id(&piece.text)).collect(),
            model,
            vocabulary,
        })
    }

    /// Number of pieces of a word.
    fn pieces(&self, word: &str) -> usize {
        self.model.encode(word).spans.len()
    }

    /// Whether a text is typed in capitals alone.
    fn is_upper_case(&self, text: &str) -> bool {
        typed::is_upper_case(text, |word| self.pieces(word))
    }

    /// What a text of capitals is in lower case.
    fn lower_case(&self, text: &str, language: Language) -> Vec<Rewrite> {
        typed::lower_case(text, language, |word| self.pieces(word))
    }

    /// What is rewritten in a text. Where two rewrites concern the same word, the first one counts.
    fn typed(&self, text: &str, language: Language) -> Vec<Rewrite> {
        let mut rewrites = match language {
            Language::English => typed::english(text),
            Language::German => typed::german(text),
            Language::French => typed::french(text),
            Language::Other => Vec::new(),
        };
        rewrites.extend(typed::misspelt(text, language));
        let pieces = |word: &str| self.pieces(word);
        rewrites.extend(typed::repeated_letters(text, language, pieces));
        if language == Language::German {
            rewrites.extend(typed::umlauts(text, pieces));
        }
        rewrites.extend(typed::capitals(text, language, pieces));
        rewrites.extend(typed::emphasis(text, language, pieces));
        rewrites.extend(typed::headline(text, language, pieces));
        rewrites.extend(typed::weekdays(text, language));
        rewrites
    }

    /// Encodes a text behind its lead or its language code; `places` are those of literals with their
    /// placeholders, `rewrites` what is read otherwise, both in order.
    fn encode(
        &self,
        text: &str,
        lead: usize,
        places: &[(u32, Range<usize>)],
        rewrites: &[Rewrite],
        dropout: Option<&mut Dropout>,
    ) -> Encoding {
        let mut encoding = Encoding::default();
        let code = self.language_code(text);
        if let Some((id, len)) = code {
            encoding.push(id, Some(0..len));
        }
        let start = code.map_or(lead, |(_, len)| len);
        let read = ReadText::new(text, start, places, rewrites);
        let encoded = match dropout {
            Some(dropout) => self.model.encode_with_dropout(&read.text, dropout),
            None => self.model.encode(&read.text),
        };
        for span in &encoded.spans {
            let range = encoded.source_range(span);
            match read.place(&range) {
                None => encoding.push(self.id(&encoded, span), Some(read.original(range))),
                // A mask may be several byte pieces.
                Some((id, _)) if encoding.ids.last() == Some(id) => {}
                Some((id, place)) => encoding.push(*id, Some(place.clone())),
            }
        }
        encoding.push(self.vocabulary.eos_id(), None);
        encoding
    }

    /// A span's id. What SentencePiece does not know may still be a piece of the vocabulary, which in a
    /// shared one holds the other side's pieces as well.
    fn id(&self, encoded: &EncodedText, span: &super::spm::Span) -> u32 {
        let id = if span.id == self.model.unknown_id() {
            self.vocabulary.id(encoded.surface(span))
        } else {
            self.ids[span.id as usize]
        };
        id.unwrap_or(self.vocabulary.unk_id())
    }

    /// The language code that a text starts with, and its length.
    fn language_code(&self, text: &str) -> Option<(u32, usize)> {
        if !text.starts_with(">>") {
            return None;
        }
        let len = text.find("<<")? + 2;
        let id = self.vocabulary.id(&text[..len]);
        Some((id.unwrap_or(self.vocabulary.unk_id()), len))
    }
}

impl Encoding {
    fn push(&mut self, id: u32, range: Option<Range<usize>>) {
        self.ids.push(id);
        self.ranges.push(range);
    }
}
