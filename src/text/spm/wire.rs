//! The protobuf wire format: a message as an iterator over its fields.

/// The content of one field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// Wire type 0: integers, booleans, enumerations.
    Varint(u64),
    /// Wire type 1.
    Fixed64,
    /// Wire type 2: strings, bytes, messages.
    Bytes(&'a [u8]),
    /// Wire type 5: floats by their bits.
    Fixed32(u32),
}

/// Iterates over `(field number, value)`; after an error it ends.
pub struct Fields<'a> {
    message: &'a [u8],
    at: usize,
}

impl<'a> Fields<'a> {
    /// Reads `message`.
    pub fn new(message: &'a [u8]) -> Self {
        Self { message, at: 0 }
    }

    fn field(&mut self) -> Result<(u64, Value<'a>), String> {
        let start = self.at;
        let key = self.varint()?;
        let number = key >> 3;
        if number == 0 {
            return Err(format!("field number 0 at byte {start}"));
        }
        let value = match key & 7 {
            0 => Value::Varint(self.varint()?),
            1 => {
                self.take(8)?;
                Value::Fixed64
            }
            2 => {
                let length = self.varint()?;
                Value::Bytes(self.take(length)?)
            }
            5 => {
                let bytes = self.take(4)?;
                Value::Fixed32(
                    bytes
                        .iter()
                        .rev()
                        .fold(0, |bits, b| bits << 8 | u32::from(*b)),
                )
            }
            kind => {
                return Err(format!(
                    "field {number} at byte {start} has the unknown wire type {kind}"
                ));
            }
        };
        Ok((number, value))
    }

    fn varint(&mut self) -> Result<u64, String> {
        let start = self.at;
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1)?[0];
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(format!("the number at byte {start} has more than 64 bits"))
    }

    fn take(&mut self, length: u64) -> Result<&'a [u8], String> {
        let rest = &self.message[self.at..];
        match usize::try_from(length)
            .ok()
            .and_then(|length| rest.get(..length))
        {
            Some(bytes) => {
                self.at += bytes.len();
                Ok(bytes)
            }
            None => Err(format!(
                "{length} bytes are announced at byte {}, only {} are left (is the file cut off?)",
                self.at,
                rest.len()
            )),
        }
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(u64, Value<'a>), String>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at == self.message.len() {
            return None;
        }
        let field = self.field();
        if field.is_err() {
            self.at = self.message.len();
        }
        Some(field)
    }
}
