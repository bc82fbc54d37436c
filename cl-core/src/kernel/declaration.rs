//! The declaration of a kernel, stored beside its program's binary, because binaries may have lost it.

use super::{AddressSpace, ArgumentInfo, ImageAccess};

/// The compiler's information about one kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declaration {
    /// The kernel's name.
    pub(crate) name: String,
    /// The kernel's attributes as text.
    pub(crate) attributes: String,
    /// The kernel's arguments; `None` for an argument that the compiler reports nothing about.
    pub(crate) arguments: Vec<Option<ArgumentInfo>>,
}

impl Declaration {
    /// Appends the declaration to `bytes`. Numbers are little endian; a text is stored as its
    /// length and its bytes.
    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        write_text(bytes, &self.name);
        write_text(bytes, &self.attributes);
        write_number(bytes, self.arguments.len());
        for argument in &self.arguments {
            bytes.push(argument.is_some().into());
            if let Some(argument) = argument {
                write_argument(bytes, argument);
            }
        }
    }

    /// Reads a declaration that [`write`](Declaration::write) has written.
    pub(crate) fn read(from: &mut Reader<'_>) -> Option<Declaration> {
        let (name, attributes, count) = (from.text()?, from.text()?, from.number()?);
        let argument = |from: &mut Reader<'_>| match from.byte()? {
            0 => Some(None),
            1 => read_argument(from).map(Some),
            _ => None,
        };
        let arguments = (0..count).map(|_| argument(from)).collect::<Option<_>>()?;
        Some(Declaration { name, attributes, arguments })
    }
}

const SPACES: [AddressSpace; 4] =
    [AddressSpace::Global, AddressSpace::Constant, AddressSpace::Local, AddressSpace::Private];
const ACCESSES: [Option<ImageAccess>; 4] =
    [None, Some(ImageAccess::ReadOnly), Some(ImageAccess::WriteOnly), Some(ImageAccess::ReadWrite)];

fn write_argument(bytes: &mut Vec<u8>, argument: &ArgumentInfo) {
    let ArgumentInfo { name, type_name, address, access, is_const, is_restrict, is_volatile, is_pipe } =
        argument;
    write_text(bytes, name);
    write_text(bytes, type_name);
    bytes.push(place(&SPACES, address));
    bytes.push(place(&ACCESSES, access));
    bytes.extend([*is_const, *is_restrict, *is_volatile, *is_pipe].map(u8::from));
}

fn read_argument(from: &mut Reader<'_>) -> Option<ArgumentInfo> {
    Some(ArgumentInfo {
        name: from.text()?,
        type_name: from.text()?,
        address: *SPACES.get(usize::from(from.byte()?))?,
        access: *ACCESSES.get(usize::from(from.byte()?))?,
        is_const: from.flag()?,
        is_restrict: from.flag()?,
        is_volatile: from.flag()?,
        is_pipe: from.flag()?,
    })
}

/// Returns the index of a value in a list that holds it. An index beyond the list is refused when
/// it is read back.
fn place<T: PartialEq>(list: &[T; 4], value: &T) -> u8 {
    list.iter().zip(0_u8..).find(|(listed, _)| *listed == value).map_or(u8::MAX, |(_, place)| place)
}

/// Appends a number of at most 32 bits. A larger number, which does not occur here, is not read
/// back correctly.
pub(crate) fn write_number(bytes: &mut Vec<u8>, number: usize) {
    bytes.extend(u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
}

fn write_text(bytes: &mut Vec<u8>, text: &str) {
    write_number(bytes, text.len());
    bytes.extend(text.as_bytes());
}

/// The bytes that have not been read yet.
#[derive(Debug)]
pub(crate) struct Reader<'b>(pub(crate) &'b [u8]);

impl Reader<'_> {
    pub(crate) fn number(&mut self) -> Option<usize> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        usize::try_from(u32::from_le_bytes(*number)).ok()
    }

    fn text(&mut self) -> Option<String> {
        let length = self.number()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        str::from_utf8(text).ok().map(str::to_owned)
    }

    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(byte)
    }

    fn flag(&mut self) -> Option<bool> {
        match self.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}
