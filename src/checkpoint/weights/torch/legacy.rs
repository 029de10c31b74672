//! The format of `torch.save` before 1.6 (2020): pickles and storages one after the other.

use super::super::Content;
use super::super::content::{Fault, part};
use super::super::stored::Stored;
use super::pickle::{Object, Pickle};
use super::state_dict::{self, Storage, Storages};
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// The first pickle: protocol 2 and the number 0x1950a86a20f9469cfc6c.
pub const MAGIC: [u8; 15] = *b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.";
const PROTOCOL: i64 = 1001;

/// Reads the tensors of a file. Only its pickles are read, which stand before the storages: as nothing says how long they
/// are, more and more of its beginning.
pub fn read<'a>(file: &Rc<dyn Content + 'a>) -> Result<Vec<(String, Stored<'a>)>, Fault> {
    const FIRST: usize = 1 << 18;
    let mut length = file.len().min(FIRST);
    loop {
        let start = part(file.as_ref(), 0..length)?;
        let pickles = match Pickles::read(&start[MAGIC.len()..]) {
            Ok(pickles) => pickles,
            Err(reason) if length == file.len() => return Err(reason.into()),
            Err(_) => {
                length = file.len().min(4 * length);
                continue;
            }
        };
        let storages = pickles.storages(file.as_ref())?;
        let storages = Storages {
            file,
            range: &|key| storages.get(key).cloned(),
        };
        return Ok(state_dict::tensors(&pickles.state_dict, &storages)?);
    }
}

/// The pickles behind the magic number.
struct Pickles<'p> {
    state_dict: Pickle<'p>,
    /// The list of the storages' keys, in their order.
    keys: Pickle<'p>,
    /// Where they end in the file.
    end: usize,
}

impl<'p> Pickles<'p> {
    fn read(bytes: &'p [u8]) -> Result<Self, String> {
        let mut rest = bytes;
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
        Ok(Self {
            state_dict: next()?,
            keys: next()?,
            end: MAGIC.len() + bytes.len() - rest.len(),
        })
    }

    /// Where each storage lies: behind the number of its values, which must be what the state dict says.
    fn storages(&self, file: &dyn Content) -> Result<HashMap<&'p str, Range<usize>>, Fault> {
        let Object::List(keys_in_order) = self.keys.root() else {
            return Err("lacks the list of its storages: it is damaged, fetch it again".into());
        };
        let sizes = storage_sizes(&self.state_dict)?;
        let mut storages = HashMap::new();
        let mut at = self.end;
        for key in keys_in_order {
            let key = self
                .keys
                .text(*key)
                .ok_or("has a storage without a name: it is damaged, fetch it again")?;
            let (count, size) = *sizes.get(key).ok_or_else(|| {
                format!("has a storage {key} that no tensor uses: it is damaged, fetch it again")
            })?;
            let length = count.checked_mul(size);
            let start = at.checked_add(size_of::<u64>());
            let end = start.zip(length).and_then(|(a, b)| a.checked_add(b));
            let range = start.zip(end).filter(|(_, end)| *end <= file.len());
            let Some((start, end)) = range else {
                return Err(Fault::Format(format!(
                    "is cut short: storage {key} ends after the file does, fetch it again"
                )));
            };
            let mut found = [0; size_of::<u64>()];
            file.read(at, &mut found)?;
            let found = u64::from_le_bytes(found);
            if found != count as u64 {
                return Err(Fault::Format(format!(
                    "says that storage {key} has {count} values, and before them that they are {found}: it is damaged, fetch it again"
                )));
            }
            storages.insert(key, start..end);
            at = end;
        }
        if at != file.len() {
            return Err(Fault::Format(format!(
                "has {} bytes after its last storage",
                file.len() - at
            )));
        }
        Ok(storages)
    }
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

/// Number of values and bytes of a value of each storage that the state dict uses.
fn storage_sizes<'p>(pickle: &Pickle<'p>) -> Result<HashMap<&'p str, (usize, usize)>, String> {
    let mut sizes = HashMap::new();
    for tuple in pickle.persistent() {
        let storage = Storage::read(pickle, tuple)?;
        sizes.insert(storage.key, (storage.count, storage.dtype.size()));
    }
    Ok(sizes)
}
