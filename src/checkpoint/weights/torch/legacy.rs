//! The format of `torch.save` before 1.6 (2020): pickles and storages one after the other.

use super::pickle::{Object, Pickle};
use super::state_dict::{Storage, Storages};
use std::collections::HashMap;

/// The first pickle: protocol 2 and the number 0x1950a86a20f9469cfc6c.
pub const MAGIC: [u8; 15] = *b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.";
const PROTOCOL: i64 = 1001;

/// Reads the state dict's pickle and finds the storages behind it.
pub fn read(bytes: &[u8]) -> Result<(Pickle<'_>, Storages<'_>), String> {
    let mut rest = &bytes[MAGIC.len()..];
    let mut next = || {
        let pickle = Pickle::read(rest)?;
        rest = &rest[pickle.length..];
        Ok::<_, String>(pickle)
    };
    let protocol = next()?;
    if *protocol.root() != Object::Int(PROTOCOL) {
        return Err(format!(
            "has another protocol than {PROTOCOL}, the only one of torch.save"
        ));
    }
    if !is_little_endian(&next()?) {
        return Err(
            "was written on a big-endian machine, only little-endian files are read".into(),
        );
    }
    let (state_dict, keys) = (next()?, next()?);
    let Object::List(keys_in_order) = keys.root() else {
        return Err("lacks the list of its storages: it is damaged, fetch it again".into());
    };
    let sizes = value_sizes(&state_dict)?;
    let mut storages: HashMap<&str, &[u8]> = HashMap::new();
    for key in keys_in_order {
        let key = keys
            .text(*key)
            .ok_or("has a storage without a name: it is damaged, fetch it again")?;
        let cut =
            || format!("is cut short: storage {key} ends after the file does, fetch it again");
        let size = *sizes.get(key).ok_or_else(|| {
            format!("has a storage {key} that no tensor uses: it is damaged, fetch it again")
        })?;
        let (count, behind) = rest.split_first_chunk::<8>().ok_or_else(cut)?;
        let length = usize::try_from(u64::from_le_bytes(*count)).ok();
        let length = length
            .and_then(|count| count.checked_mul(size))
            .ok_or_else(cut)?;
        let (storage, behind) = behind.split_at_checked(length).ok_or_else(cut)?;
        storages.insert(key, storage);
        rest = behind;
    }
    if !rest.is_empty() {
        return Err(format!("has {} bytes after its last storage", rest.len()));
    }
    Ok((
        state_dict,
        Box::new(move |key: &str| storages.get(key).copied()),
    ))
}

/// The third pickle describes the machine that wrote the file.
fn is_little_endian(machine: &Pickle<'_>) -> bool {
    let Object::Dict(entries) = machine.root() else {
        return false;
    };
    let mut entries = entries.iter();
    entries.any(|(key, value)| {
        machine.text(*key) == Some("little_endian") && *machine.get(*value) == Object::Bool(true)
    })
}

/// Bytes of a value in each storage that the state dict uses.
fn value_sizes<'a>(pickle: &Pickle<'a>) -> Result<HashMap<&'a str, usize>, String> {
    let mut sizes = HashMap::new();
    for tuple in pickle.persistent() {
        let storage = Storage::read(pickle, tuple)?;
        sizes.insert(storage.key, storage.dtype.size());
    }
    Ok(sizes)
}
