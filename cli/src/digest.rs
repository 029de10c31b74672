//! Checksums of model files.

use sha2::{Digest, Sha256};

/// The SHA-256 of a file's content in hexadecimal digits, as a model index and the page's scenes name it.
pub fn sha256(content: &[u8]) -> String {
    let digest = Sha256::digest(content);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
