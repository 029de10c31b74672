//! The part of Python's pickle format that files of tensors use, read as data: nothing is ever called.

/// What a file of tensors refers to by name; anything else could be code.
const GLOBALS: [(&str, &str); 12] = [
    ("collections", "OrderedDict"),
    ("torch._utils", "_rebuild_tensor_v2"),
    ("torch._utils", "_rebuild_parameter"),
    ("torch", "FloatStorage"),
    ("torch", "HalfStorage"),
    ("torch", "BFloat16Storage"),
    ("torch", "DoubleStorage"),
    ("torch", "LongStorage"),
    ("torch", "IntStorage"),
    ("torch", "CharStorage"),
    ("torch", "ByteStorage"),
    ("torch", "BoolStorage"),
];

/// Most dimensions of a tensor. Many tensors of a small file can refer to one tuple, so a long one would be copied
/// as often.
const MAX_RANK: usize = 8;

/// An object of a [`Pickle`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ref(usize);

/// An object as it was written.
#[derive(Clone, Debug, PartialEq)]
pub enum Object<'a> {
    None,
    Bool(bool),
    Int(i64),
    Float,
    /// An integer of more than 64 bits, little-endian.
    Long(&'a [u8]),
    Text(&'a str),
    Tuple(Vec<Ref>),
    List(Vec<Ref>),
    Dict(Vec<(Ref, Ref)>),
    Global(&'a str, &'a str),
    /// A storage, described by a tuple.
    Persistent(Ref),
    /// What a global of [`GLOBALS`] would make of a tuple of arguments.
    Call(Ref, Ref),
}

/// A pickle as data: its objects, which may refer to each other.
pub struct Pickle<'a> {
    objects: Vec<Object<'a>>,
    root: Ref,
    /// How many bytes it took.
    pub length: usize,
}

impl<'a> Pickle<'a> {
    /// Reads a pickle from the beginning of `bytes`.
    pub fn read(bytes: &'a [u8]) -> Result<Self, String> {
        let mut machine = Machine {
            bytes,
            at: 0,
            objects: Vec::new(),
            stack: Vec::new(),
            marks: Vec::new(),
            memo: Vec::new(),
        };
        let root = loop {
            let start = machine.at;
            match machine.step() {
                Ok(None) => {}
                Ok(Some(root)) => break root,
                Err(reason) => return Err(format!("has a pickle that at byte {start} {reason}")),
            }
        };
        Ok(Self {
            length: machine.at,
            objects: machine.objects,
            root,
        })
    }

    /// The object that was pickled.
    pub fn root(&self) -> &Object<'a> {
        self.get(self.root)
    }

    /// An object.
    pub fn get(&self, at: Ref) -> &Object<'a> {
        &self.objects[at.0]
    }

    /// The content of a text.
    pub fn text(&self, at: Ref) -> Option<&'a str> {
        match self.get(at) {
            Object::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The elements of a tuple.
    pub fn tuple(&self, at: Ref) -> Option<&[Ref]> {
        match self.get(at) {
            Object::Tuple(items) => Some(items),
            _ => None,
        }
    }

    /// An integer, 0 or more.
    pub fn count(&self, at: Ref) -> Option<usize> {
        match self.get(at) {
            Object::Int(number) => usize::try_from(*number).ok(),
            _ => None,
        }
    }

    /// A tuple of at most [`MAX_RANK`] integers, 0 or more.
    pub fn counts(&self, at: Ref) -> Option<Vec<usize>> {
        let items = self.tuple(at).filter(|items| items.len() <= MAX_RANK);
        items?.iter().map(|item| self.count(*item)).collect()
    }

    /// The arguments that the global `module.name` would be called with.
    pub fn call(&self, at: Ref, (module, name): (&str, &str)) -> Option<&[Ref]> {
        match *self.get(at) {
            Object::Call(callee, arguments)
                if *self.get(callee) == Object::Global(module, name) =>
            {
                self.tuple(arguments)
            }
            _ => None,
        }
    }

    /// The tuples of all persistent objects.
    pub fn persistent(&self) -> impl Iterator<Item = Ref> {
        self.objects.iter().filter_map(|object| match object {
            Object::Persistent(tuple) => Some(*tuple),
            _ => None,
        })
    }
}

struct Machine<'a> {
    bytes: &'a [u8],
    at: usize,
    objects: Vec<Object<'a>>,
    stack: Vec<Ref>,
    /// Heights of the stack at the marks set.
    marks: Vec<usize>,
    memo: Vec<Option<Ref>>,
}

impl<'a> Machine<'a> {
    /// One opcode; the result at the last.
    fn step(&mut self) -> Result<Option<Ref>, String> {
        let opcode = self.take(1)?[0];
        match opcode {
            // PROTO
            0x80 => match self.take(1)?[0] {
                2 => {}
                version => return Err(format!("has protocol {version}, torch.save writes 2")),
            },
            b'.' => return self.pop().map(Some),
            b'(' => self.marks.push(self.stack.len()),
            b'N' => self.push(Object::None),
            0x88 => self.push(Object::Bool(true)),
            0x89 => self.push(Object::Bool(false)),
            b'J' => {
                let number = i32::from_le_bytes(self.array()?);
                self.push(Object::Int(number.into()));
            }
            b'K' => {
                let number = self.take(1)?[0];
                self.push(Object::Int(number.into()));
            }
            b'M' => {
                let number = u16::from_le_bytes(self.array()?);
                self.push(Object::Int(number.into()));
            }
            // LONG1
            0x8a => self.long()?,
            b'G' => {
                self.take(8)?;
                self.push(Object::Float);
            }
            b'X' => {
                let length = u32::from_le_bytes(self.array()?);
                let text = self.take(length as usize)?;
                let text = std::str::from_utf8(text).map_err(|_| "has a text that is not UTF-8")?;
                self.push(Object::Text(text));
            }
            b')' => self.push(Object::Tuple(Vec::new())),
            b']' => self.push(Object::List(Vec::new())),
            b'}' => self.push(Object::Dict(Vec::new())),
            0x85..=0x87 => {
                let at = self.height(usize::from(opcode - 0x84))?;
                let items = self.stack.split_off(at);
                self.push(Object::Tuple(items));
            }
            b't' => {
                let items = self.above_mark()?;
                self.push(Object::Tuple(items));
            }
            b'a' => {
                let item = self.pop()?;
                self.append(vec![item])?;
            }
            b'e' => {
                let items = self.above_mark()?;
                self.append(items)?;
            }
            b's' => {
                let at = self.height(2)?;
                let pair = self.stack.split_off(at);
                self.set_items(&pair)?;
            }
            b'u' => {
                let items = self.above_mark()?;
                self.set_items(&items)?;
            }
            b'q' => {
                let index = self.take(1)?[0];
                self.remember(index.into())?;
            }
            b'r' => {
                let index = u32::from_le_bytes(self.array()?);
                self.remember(index as usize)?;
            }
            b'h' => {
                let index = self.take(1)?[0];
                self.recall(index.into())?;
            }
            b'j' => {
                let index = u32::from_le_bytes(self.array()?);
                self.recall(index as usize)?;
            }
            b'c' => self.global()?,
            b'Q' => {
                let id = self.pop()?;
                self.push(Object::Persistent(id));
            }
            b'R' => self.reduce()?,
            // BUILD gives an object attributes; of an OrderedDict or a tensor none matters.
            b'b' => {
                self.pop()?;
                self.height(1)?;
            }
            other => {
                return Err(format!(
                    "has the opcode 0x{other:02x}, which no file of tensors needs and which is not run; \
                     if you trust the file, save its tensors as model.safetensors"
                ));
            }
        }
        Ok(None)
    }

    fn push(&mut self, object: Object<'a>) {
        self.stack.push(Ref(self.objects.len()));
        self.objects.push(object);
    }

    fn pop(&mut self) -> Result<Ref, String> {
        let at = self.height(1)?;
        Ok(self.stack.split_off(at)[0])
    }

    /// The height of the stack below its `count` last objects, none of which a mark may divide off.
    fn height(&self, count: usize) -> Result<usize, String> {
        let floor = self.marks.last().copied().unwrap_or(0);
        let at = self.stack.len().checked_sub(count);
        at.filter(|at| *at >= floor)
            .ok_or_else(|| "takes an object that is not there".to_owned())
    }

    fn above_mark(&mut self) -> Result<Vec<Ref>, String> {
        let mark = self.marks.pop().ok_or("lacks a mark")?;
        Ok(self.stack.split_off(mark))
    }

    fn top(&mut self) -> Result<&mut Object<'a>, String> {
        let at = self.height(1)?;
        let Ref(top) = self.stack[at];
        Ok(&mut self.objects[top])
    }

    fn append(&mut self, mut items: Vec<Ref>) -> Result<(), String> {
        match self.top()? {
            Object::List(list) => list.append(&mut items),
            _ => return Err("appends to what is no list".into()),
        }
        Ok(())
    }

    fn set_items(&mut self, items: &[Ref]) -> Result<(), String> {
        let (pairs, rest) = items.as_chunks::<2>();
        match self.top()? {
            Object::Dict(entries) if rest.is_empty() => {
                entries.extend(pairs.iter().map(|[key, value]| (*key, *value)));
            }
            _ => return Err("sets items of what is no dictionary, or half an item".into()),
        }
        Ok(())
    }

    fn remember(&mut self, index: usize) -> Result<(), String> {
        let at = self.height(1)?;
        // Indices count up from 0, one for each object at most.
        if index > self.objects.len() {
            return Err(format!("numbers an object {index}, there are not as many"));
        }
        if index >= self.memo.len() {
            self.memo.resize(index + 1, None);
        }
        self.memo[index] = Some(self.stack[at]);
        Ok(())
    }

    fn recall(&mut self, index: usize) -> Result<(), String> {
        let object = self.memo.get(index).copied().flatten();
        self.stack
            .push(object.ok_or_else(|| format!("refers to object {index}, which is not there"))?);
        Ok(())
    }

    fn long(&mut self) -> Result<(), String> {
        let length = self.take(1)?[0];
        let digits = self.take(length.into())?;
        // Two's complement, the sign in the last byte.
        let filler = if digits.last().is_some_and(|last| *last >= 0x80) {
            0xff
        } else {
            0
        };
        self.push(match digits.len() {
            0..=8 => {
                let mut bytes = [filler; 8];
                bytes[..digits.len()].copy_from_slice(digits);
                Object::Int(i64::from_le_bytes(bytes))
            }
            _ => Object::Long(digits),
        });
        Ok(())
    }

    fn global(&mut self) -> Result<(), String> {
        let (module, name) = (self.line()?, self.line()?);
        if !GLOBALS.contains(&(module, name)) {
            return Err(format!(
                "asks for {module}.{name}: only tensors are read from such a file and nothing in it is run; \
                 if you trust the file, save its tensors as model.safetensors"
            ));
        }
        self.push(Object::Global(module, name));
        Ok(())
    }

    fn reduce(&mut self) -> Result<(), String> {
        let at = self.height(2)?;
        let pair = self.stack.split_off(at);
        let (callee, arguments) = (pair[0], pair[1]);
        let (Object::Global(module, name), Object::Tuple(items)) =
            (&self.objects[callee.0], &self.objects[arguments.0])
        else {
            return Err("calls what has no name".into());
        };
        let dictionary = (*module, *name) == ("collections", "OrderedDict");
        if dictionary && !items.is_empty() {
            return Err("has an OrderedDict with arguments, torch.save writes none".into());
        }
        self.push(match dictionary {
            true => Object::Dict(Vec::new()),
            false => Object::Call(callee, arguments),
        });
        Ok(())
    }

    fn line(&mut self) -> Result<&'a str, String> {
        let rest = &self.bytes[self.at..];
        let end = rest.iter().take(256).position(|byte| *byte == b'\n');
        let line = end.and_then(|end| std::str::from_utf8(&rest[..end]).ok());
        let line = line.ok_or("has a name that does not end")?;
        self.at += line.len() + 1;
        Ok(line)
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], String> {
        let rest = &self.bytes[self.at..];
        let taken = rest.get(..length).ok_or_else(|| {
            format!(
                "needs {length} bytes more and has {}: the file is cut short",
                rest.len()
            )
        })?;
        self.at += length;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_has_at_most_eight_dimensions() {
        let counts = |rank: usize| {
            let mut bytes = b"\x80\x02(".to_vec();
            bytes.extend(b"K\x01".repeat(rank));
            bytes.extend(b"t.");
            let pickle = Pickle::read(&bytes).unwrap();
            pickle.counts(pickle.root)
        };
        assert_eq!(counts(8), Some(vec![1; 8]));
        assert_eq!(counts(9), None);
    }
}
