//! Writes a SentencePiece `.model` file: the messages of `sentencepiece_model.proto` that a reader needs.

/// Kinds of pieces, with their numbers in `SentencePiece.Type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Matches text.
    Normal = 1,
    /// The unknown piece.
    Unknown = 2,
    /// Never matches text.
    Control = 3,
    /// One byte of a character outside the alphabet.
    Byte = 6,
}

/// A piece with its score; better scores merge first.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// As printed.
    pub text: String,
    /// The negative rank of its merge.
    pub score: f32,
    /// What it is.
    pub kind: Kind,
}

/// The fields of a model file beside its pieces.
pub struct Description<'a> {
    /// The precompiled character map of the normaliser.
    pub charsmap: &'a [u8],
    /// The normaliser's name.
    pub normalizer: &'a str,
    /// Share of all characters that the alphabet covers.
    pub character_coverage: f32,
    /// Id of the end mark.
    pub eos_id: i64,
    /// Id of the unknown piece.
    pub unk_id: i64,
}

/// The bytes of a BPE model with byte fallback.
pub fn model_bytes(pieces: &[Piece], description: &Description) -> Vec<u8> {
    const BPE: i64 = 2;
    const ABSENT: i64 = -1;
    let mut model = Message::default();
    for piece in pieces {
        let mut message = Message::default();
        message.bytes(1, piece.text.as_bytes());
        message.float(2, piece.score);
        message.int(3, piece.kind as i64);
        model.bytes(1, &message.0);
    }
    let mut trainer = Message::default();
    trainer.int(3, BPE); // model_type
    trainer.int(4, pieces.len() as i64); // vocab_size
    trainer.float(10, description.character_coverage);
    trainer.int(35, 1); // byte_fallback
    trainer.int(40, description.unk_id);
    trainer.int(41, ABSENT); // bos_id
    trainer.int(42, description.eos_id);
    trainer.int(43, ABSENT); // pad_id
    model.bytes(2, &trainer.0);
    let mut normalizer = Message::default();
    normalizer.bytes(1, description.normalizer.as_bytes());
    normalizer.bytes(2, description.charsmap);
    for flag in [3, 4, 5] {
        normalizer.int(flag, 1); // add_dummy_prefix, remove_extra_whitespaces, escape_whitespaces
    }
    model.bytes(3, &normalizer.0);
    model.0
}

/// A protocol-buffer message under construction.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn int(&mut self, field: u64, value: i64) {
        self.varint(field << 3);
        self.varint(value as u64);
    }

    fn float(&mut self, field: u64, value: f32) {
        self.varint(field << 3 | 5);
        self.0.extend(value.to_le_bytes());
    }

    fn bytes(&mut self, field: u64, value: &[u8]) {
        self.varint(field << 3 | 2);
        self.varint(value.len() as u64);
        self.0.extend(value);
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}
