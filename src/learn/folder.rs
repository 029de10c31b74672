//! A run's model as a folder: configuration, weights, and the vocabulary as a SentencePiece model.

use crate::error::Result;
use crate::run::Run;
use crate::vocabulary::Vocabulary;
use translucent::checkpoint::{TokenizerFiles, folder_files};
use translucent::search::SearchOptions;

/// A file of a model folder: name and content.
pub type File = (&'static str, Vec<u8>);

impl Run {
    /// The files of a model folder with the present weights.
    ///
    /// # Errors
    /// Those of the core, which checks the tensors.
    pub fn folder(&self) -> Result<Vec<File>> {
        let tokenizer = TokenizerFiles {
            spm: &sentence_piece(self.vocabulary()),
            vocab: &vocab_json(self.vocabulary()),
            source_language: "input",
            target_language: self.task().name(),
        };
        let search = SearchOptions::default();
        let tensors = self.parameters().tensors();
        Ok(folder_files(self.config(), &tensors, &search, tokenizer)?)
    }
}

/// SentencePiece's escaped space.
const SPACE: &str = "▁";

/// A piece as a tokenizer file spells it: words begin with a space.
fn spelled(vocabulary: &Vocabulary, piece: &str) -> String {
    match vocabulary.has_words() {
        true => format!("{SPACE}{piece}"),
        false => piece.replace(' ', SPACE),
    }
}

/// `vocab.json`: pieces to ids.
fn vocab_json(vocabulary: &Vocabulary) -> Vec<u8> {
    let pieces = vocabulary.pieces().iter().zip(Vocabulary::UNKNOWN + 1..);
    let mut ids: serde_json::Map<String, serde_json::Value> = pieces
        .map(|(piece, id)| (spelled(vocabulary, piece), id.into()))
        .collect();
    ids.insert("</s>".into(), Vocabulary::END.into());
    ids.insert("<unk>".into(), Vocabulary::UNKNOWN.into());
    ids.insert("<pad>".into(), vocabulary.start().into());
    serde_json::Value::from(ids).to_string().into_bytes()
}

/// A SentencePiece model (a protobuf message) without normalization: a BPE model without merges for characters, a unigram
/// model for words.
fn sentence_piece(vocabulary: &Vocabulary) -> Vec<u8> {
    const UNIGRAM: u64 = 1;
    const BPE: u64 = 2;
    const NORMAL: u64 = 1;
    const UNKNOWN: u64 = 2;
    const CONTROL: u64 = 3;
    let words = vocabulary.has_words();
    let mut model = Vec::new();
    let mut push = |text: &str, kind: u64| {
        let mut piece = Vec::new();
        bytes_field(&mut piece, 1, text.as_bytes());
        // score: 0, a 32-bit float
        piece.extend([2 << 3 | 5, 0, 0, 0, 0]);
        varint_field(&mut piece, 3, kind);
        bytes_field(&mut model, 1, &piece);
    };
    push("</s>", CONTROL);
    push("<unk>", UNKNOWN);
    for piece in vocabulary.pieces() {
        push(&spelled(vocabulary, piece), NORMAL);
    }
    let mut trainer = Vec::new();
    varint_field(&mut trainer, 3, if words { UNIGRAM } else { BPE });
    bytes_field(&mut model, 2, &trainer);
    let mut normalizer = Vec::new();
    bytes_field(&mut normalizer, 1, b"identity");
    // add_dummy_prefix, remove_extra_whitespaces, escape_whitespaces
    for (field, flag) in [(3, words), (4, words), (5, true)] {
        varint_field(&mut normalizer, field, flag.into());
    }
    bytes_field(&mut model, 3, &normalizer);
    model
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn varint_field(out: &mut Vec<u8>, number: u64, value: u64) {
    varint(out, number << 3);
    varint(out, value);
}

fn bytes_field(out: &mut Vec<u8>, number: u64, value: &[u8]) {
    varint(out, number << 3 | 2);
    varint(out, value.len() as u64);
    out.extend_from_slice(value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Settings, Task};
    use translucent::text::Tokenizer;
    use translucent::translator::Translator;

    fn tokenizer(task: &Task) -> (Vocabulary, Tokenizer) {
        let vocabulary = task.vocabulary();
        let spm = sentence_piece(&vocabulary);
        let tokenizer = Tokenizer::from_parts(&spm, &spm, &vocab_json(&vocabulary)).unwrap();
        (vocabulary, tokenizer)
    }

    #[test]
    fn the_tokenizer_of_a_folder_gives_the_vocabularys_ids() {
        let lines: Vec<String> = (0..12).map(|i| format!("one {i}\teins {i}")).collect();
        let words = Task::of_pairs(&lines.join("\n"), true).unwrap();
        for (task, text) in [
            (Task::Reverse, "abzq"),
            (Task::Dates, "5 Mar 2019"),
            (Task::Addition, "17+25"),
            (words, "one 7"),
        ] {
            let (vocabulary, tokenizer) = tokenizer(&task);
            let ids = vocabulary.encode(text).unwrap();
            let encoding = tokenizer.encode_source(text);
            // The tokenizer adds the end mark.
            assert_eq!(encoding.ids[..ids.len()], ids, "{text}");
            assert_eq!(encoding.ids[ids.len()..], [Vocabulary::END], "{text}");
            assert_eq!(tokenizer.decode(&ids), text);
        }
    }

    #[test]
    fn a_saved_model_answers_in_the_core_as_in_its_run() {
        let settings = Settings {
            layers: 1,
            d_model: 32,
            d_ff: 64,
            ..Settings::default()
        };
        let mut run = Run::new(Task::Copy, settings).unwrap();
        for _ in 0..120 {
            run.step().unwrap();
        }
        let answer = run.answer("abcabc").unwrap();
        let dir = tempfile::tempdir().unwrap();
        for (name, bytes) in run.folder().unwrap() {
            std::fs::write(dir.path().join(name), bytes).unwrap();
        }
        let translator = Translator::open(dir.path()).unwrap();
        let greedy = SearchOptions::default().with_beam(1);
        let translated = translator.translate("abcabc", &greedy).unwrap();
        assert_eq!(translated, answer.text);
        assert!(!translated.is_empty());
    }
}
