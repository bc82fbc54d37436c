//! The header of a file: the type of the elements, their order and the shape, as a dictionary in Python's notation.

use super::error::{ReadError, UnknownType};
use cl_algo::{ElementType, ScalarType};
use std::io::{ErrorKind, Read};

/// The first bytes of a file.
const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// The maximal length of a header. Only types with many fields need more.
const LONGEST: usize = 1 << 16;

/// The number of bytes that the beginning of a file, up to the first element, is a multiple of.
const ALIGNMENT: usize = 64;

/// The bytes before a header of version 1.0: magic, version, and length of the header.
const BEFORE: usize = MAGIC.len() + 4;

/// The header of a file.
#[derive(Debug)]
pub(super) struct Header {
    /// The type as NumPy writes it: the byte order, then the name.
    pub(super) type_name: String,
    pub(super) is_column_major: bool,
    pub(super) shape: Vec<usize>,
}

/// The name of an element's type in NumPy, without a byte order, such as `f8`.
#[derive(Debug)]
pub(super) struct TypeName {
    name: String,
    /// The size of a number: complex numbers have two.
    number: usize,
}

impl TypeName {
    /// Returns the name of a type, or an error if NumPy does not have the type.
    pub(super) fn of(element: ElementType) -> Result<TypeName, UnknownType> {
        let (kind, scalar, parts) = match element {
            ElementType::Scalar(ScalarType::Bool) => ('b', ScalarType::Bool, 1),
            ElementType::Scalar(scalar) if scalar.is_float() => ('f', scalar, 1),
            ElementType::Scalar(scalar) if scalar.is_signed() => ('i', scalar, 1),
            ElementType::Scalar(scalar) => ('u', scalar, 1),
            ElementType::Complex(scalar @ (ScalarType::F32 | ScalarType::F64)) => ('c', scalar, 2),
            other => return Err(UnknownType(other.c_name().into_owned())),
        };
        let number = scalar.size();
        Ok(TypeName { name: format!("{kind}{}", number * parts), number })
    }

    /// Returns the name with the byte order of this machine.
    pub(super) fn in_native_order(&self) -> String {
        let order = match self.number {
            1 => '|',
            _ if cfg!(target_endian = "big") => '>',
            _ => '<',
        };
        format!("{order}{}", self.name)
    }

    /// Returns the size of a number if the bytes of numbers of the type `found` are in the other order than on this
    /// machine, or an error if `found` is another type.
    pub(super) fn swapped(&self, found: &str) -> Result<Option<usize>, ReadError> {
        let is_big = match found.strip_suffix(&self.name) {
            Some("<") => false,
            Some(">") => true,
            Some("=") => cfg!(target_endian = "big"),
            Some("|") if self.number == 1 => cfg!(target_endian = "big"),
            _ => return Err(ReadError::Type { found: found.to_owned(), wanted: self.name.clone() }),
        };
        let is_swapped = is_big != cfg!(target_endian = "big");
        Ok((is_swapped && self.number > 1).then_some(self.number))
    }
}

impl Header {
    /// Reads the beginning of a file, up to its first element.
    pub(super) fn read(reader: &mut impl Read) -> Result<Header, ReadError> {
        let mut start = [0; MAGIC.len() + 2];
        let read = fill(reader, &mut start)?;
        let known = read.min(MAGIC.len());
        if read == 0 || start[..known] != MAGIC[..known] {
            return Err(ReadError::Magic);
        }
        if read < start.len() {
            return Err(ReadError::TruncatedHeader);
        }
        let mut len = [0; 4];
        let [.., major, minor] = start;
        let bytes = match (major, minor) {
            (1, 0) => 2,
            (2 | 3, 0) => 4,
            _ => return Err(ReadError::Version { major, minor }),
        };
        read_all(reader, &mut len[..bytes])?;
        let len = u32::from_le_bytes(len) as usize;
        if len > LONGEST {
            return Err(ReadError::LongHeader { len, most: LONGEST });
        }
        let mut text = vec![0; len];
        read_all(reader, &mut text)?;
        Header::parse(&text)
    }

    /// Returns the header of this text.
    fn parse(text: &[u8]) -> Result<Header, ReadError> {
        let mut text = Text { text, at: 0 };
        let (mut type_name, mut is_column_major, mut shape) = (None, None, None);
        text.expect("{", "`{`")?;
        while !text.takes("}") {
            let key = text.string("a key in quotes, or `}`")?;
            text.expect(":", "`:`")?;
            let is_new = match &*key {
                "descr" => {
                    let expected = "the name of a type in quotes (types with fields are not supported)";
                    type_name.replace(text.string(expected)?).is_none()
                }
                "fortran_order" => is_column_major.replace(text.boolean()?).is_none(),
                "shape" => shape.replace(text.shape()?).is_none(),
                _ => return Err(text.error("an entry `descr`, `fortran_order` or `shape`")),
            };
            if !is_new {
                return Err(text.error("each key once"));
            }
            if !text.takes(",") {
                text.expect("}", "`,` or `}`")?;
                break;
            }
        }
        text.skip_space();
        if text.at < text.text.len() {
            return Err(text.error("the end of the header"));
        }
        Ok(Header {
            type_name: type_name.ok_or(ReadError::NoKey("descr"))?,
            is_column_major: is_column_major.ok_or(ReadError::NoKey("fortran_order"))?,
            shape: shape.ok_or(ReadError::NoKey("shape"))?,
        })
    }

    /// Returns the beginning of a file of version 1.0, up to its first element.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let Header { type_name, is_column_major, shape } = self;
        let order = if *is_column_major { "True" } else { "False" };
        let mut lengths: Vec<String> = shape.iter().map(usize::to_string).collect();
        if lengths.len() == 1 {
            lengths.push(String::new()); // a tuple of one number is written with a comma: `(3,)`
        }
        let lengths = lengths.join(", ");
        let shape = lengths.trim_end();
        let text = format!("{{'descr': '{type_name}', 'fortran_order': {order}, 'shape': ({shape}), }}");
        let len = (BEFORE + text.len() + 1).next_multiple_of(ALIGNMENT) - BEFORE;
        // An array has at most 6 axes, so two bytes are enough.
        let mut bytes = [MAGIC, &[1, 0][..], &(len as u16).to_le_bytes()].concat();
        bytes.extend_from_slice(format!("{text:<width$}\n", width = len - 1).as_bytes());
        bytes
    }
}

/// A text in Python's notation, and the index of the next byte.
struct Text<'t> {
    text: &'t [u8],
    at: usize,
}

impl Text<'_> {
    fn error(&self, expected: &'static str) -> ReadError {
        ReadError::Header { at: self.at, expected }
    }

    fn rest(&self) -> &[u8] {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        self.at += self.rest().iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    }

    /// Skips white space, then `word`. Returns whether the word was there.
    fn takes(&mut self, word: &str) -> bool {
        self.skip_space();
        let is_there = self.rest().starts_with(word.as_bytes());
        if is_there {
            self.at += word.len();
        }
        is_there
    }

    fn expect(&mut self, word: &str, expected: &'static str) -> Result<(), ReadError> {
        if self.takes(word) { Ok(()) } else { Err(self.error(expected)) }
    }

    /// Reads a string without escapes.
    fn string(&mut self, expected: &'static str) -> Result<String, ReadError> {
        self.skip_space();
        let Some(&quote @ (b'\'' | b'"')) = self.rest().first() else {
            return Err(self.error(expected));
        };
        self.at += 1;
        let Some(len) = self.rest().iter().position(|&byte| byte == quote) else {
            return Err(self.error("a string that ends"));
        };
        let string = String::from_utf8_lossy(&self.rest()[..len]).into_owned();
        self.at += len + 1;
        Ok(string)
    }

    fn boolean(&mut self) -> Result<bool, ReadError> {
        match (self.takes("True"), self.takes("False")) {
            (true, false) => Ok(true),
            (false, true) => Ok(false),
            _ => Err(self.error("`True` or `False`")),
        }
    }

    /// Reads a tuple of lengths.
    fn shape(&mut self) -> Result<Vec<usize>, ReadError> {
        self.expect("(", "a shape in parentheses")?;
        let mut shape = Vec::new();
        while !self.takes(")") {
            shape.push(self.length()?);
            if self.takes(")") {
                // Python reads `(3)` as a number, not as a tuple.
                return if shape.len() > 1 { Ok(shape) } else { Err(self.error("`,` before the `)`")) };
            }
            self.expect(",", "`,` or `)`")?;
        }
        Ok(shape)
    }

    /// Reads a length. Files from Python 2 have an `L` behind some numbers.
    fn length(&mut self) -> Result<usize, ReadError> {
        self.skip_space();
        let digits = self.rest().iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = std::str::from_utf8(&self.rest()[..digits]).ok().and_then(|digits| digits.parse().ok());
        let Some(number) = number else { return Err(self.error("a length that memory can have")) };
        self.at += digits;
        self.takes("L");
        Ok(number)
    }
}

/// Reads all bytes of a part of the header.
fn read_all(reader: &mut impl Read, bytes: &mut [u8]) -> Result<(), ReadError> {
    if fill(reader, bytes)? < bytes.len() { Err(ReadError::TruncatedHeader) } else { Ok(()) }
}

/// Reads up to the end of `bytes`, or up to the end of the file. Returns the number of bytes that were read.
pub(super) fn fill(reader: &mut impl Read, bytes: &mut [u8]) -> Result<usize, ReadError> {
    let mut read = 0;
    while read < bytes.len() {
        match reader.read(&mut bytes[read..]) {
            Ok(0) => break,
            Ok(more) => read += more,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(read)
}
