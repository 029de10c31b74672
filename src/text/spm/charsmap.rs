//! The precompiled character map: rewriting rules in a double-array trie (Darts), as in every `.model` file.

/// Longest replacement, and longest text that a rule matches, in bytes. Unicode's longest compatibility decomposition
/// (U+FDFA) has 33; without a limit a small file could make any text as long as it likes.
const LONGEST_RULE: usize = 64;

/// A trie of byte strings, each with its replacement.
///
/// Layout: `u32` size of the trie in bytes, the trie's `u32` units, then the replacements, each ended by a
/// zero byte. All numbers are little-endian.
#[derive(Clone, Debug)]
pub struct Charsmap {
    units: Vec<u32>,
    replacements: Vec<u8>,
}

impl Charsmap {
    /// Reads the map from the bytes of `precompiled_charsmap`.
    ///
    /// # Errors
    /// What is wrong with the bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let broken = |what: &str| Err(format!("precompiled_charsmap: {what}"));
        let Some((size, rest)) = bytes.split_first_chunk::<4>() else {
            return broken("it has less than 4 bytes");
        };
        let size = u32::from_le_bytes(*size) as usize;
        let (trie, replacements) = match rest.split_at_checked(size) {
            Some(parts) if size > 0 && size.is_multiple_of(4) => parts,
            _ => {
                return broken(&format!(
                    "its trie has {size} bytes by its header, it should be a multiple of 4, at most {}",
                    rest.len()
                ));
            }
        };
        if replacements.last() != Some(&0) {
            return broken("its last replacement is not ended by a zero byte");
        }
        let longest = replacements.split(|byte| *byte == 0).map(<[u8]>::len).max();
        if let Some(longest) = longest.filter(|longest| *longest > LONGEST_RULE) {
            return broken(&format!(
                "it has a replacement of {longest} bytes, at most {LONGEST_RULE} are supported"
            ));
        }
        let units = trie.as_chunks::<4>().0;
        Ok(Self {
            units: units.iter().map(|unit| u32::from_le_bytes(*unit)).collect(),
            replacements: replacements.to_vec(),
        })
    }

    /// The longest rule that matches at the start of `text`: how many bytes it replaces, and by what.
    /// Rules of a broken map that would cut a character in two are passed over.
    pub fn longest_match(&self, text: &str) -> Option<(usize, &str)> {
        let mut longest = None;
        let mut node = offset(*self.units.first()?);
        for (index, byte) in text.bytes().take(LONGEST_RULE).enumerate() {
            node ^= u32::from(byte);
            let Some(&unit) = self.units.get(node as usize) else {
                break;
            };
            // The label of a unit is its lowest byte; values have the highest bit set and never match.
            if unit & (1 << 31 | 0xff) != u32::from(byte) {
                break;
            }
            node ^= offset(unit);
            let has_leaf = unit >> 8 & 1 == 1;
            if has_leaf && text.is_char_boundary(index + 1) {
                let value = self
                    .units
                    .get(node as usize)
                    .map(|unit| unit & (u32::MAX >> 1));
                let replacement = value.and_then(|value| self.replacement(value as usize));
                longest = replacement.map(|r| (index + 1, r)).or(longest);
            }
        }
        longest
    }

    fn replacement(&self, at: usize) -> Option<&str> {
        let rest = self.replacements.get(at..)?;
        let end = rest.iter().position(|byte| *byte == 0)?;
        std::str::from_utf8(&rest[..end]).ok()
    }
}

/// Distance from a unit to its children.
fn offset(unit: u32) -> u32 {
    unit >> 10 << ((unit & 1 << 9) >> 6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_cannot_make_a_text_much_longer() {
        let map = |length: usize| {
            let mut bytes = 4u32.to_le_bytes().to_vec();
            bytes.extend([0; 4]);
            bytes.resize(bytes.len() + length, b'x');
            bytes.push(0);
            Charsmap::parse(&bytes)
        };
        assert!(map(LONGEST_RULE).is_ok());
        let error = map(100_000).unwrap_err();
        assert!(error.contains("100000 bytes"), "{error}");
    }
}
