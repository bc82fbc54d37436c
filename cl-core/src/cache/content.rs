//! The content of an entry: the declarations of a program's kernels, and its binary.
//!
//! With only a binary, Intel's driver no longer knows the types of a kernel's arguments, and PoCL
//! no longer knows its attributes. A program from disk would then be checked less than the same
//! program from the compiler.

use crate::kernel::{Declaration, Reader, write_number};

/// Returns the content: the number of declarations, the declarations, and the binary.
pub(super) fn join(declarations: &[Declaration], binary: &[u8]) -> Vec<u8> {
    let mut content = Vec::with_capacity(binary.len() + 1024);
    write_number(&mut content, declarations.len());
    declarations.iter().for_each(|declaration| declaration.write(&mut content));
    content.extend(binary);
    content
}

/// Returns the declarations and the binary; `None` if `content` is invalid.
pub(super) fn split(content: &[u8]) -> Option<(Vec<Declaration>, &[u8])> {
    let mut reader = Reader(content);
    let count = reader.number()?;
    let declarations = (0..count).map(|_| Declaration::read(&mut reader)).collect::<Option<_>>()?;
    Some((declarations, reader.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AddressSpace, ArgumentInfo, ImageAccess};
    use proptest::prelude::*;

    fn arguments() -> Vec<Option<ArgumentInfo>> {
        let plain = ArgumentInfo {
            name: "x".to_owned(),
            type_name: "float4*".to_owned(),
            address: AddressSpace::Global,
            access: None,
            is_const: true,
            is_restrict: false,
            is_volatile: false,
            is_pipe: false,
        };
        let spaces = [AddressSpace::Constant, AddressSpace::Local, AddressSpace::Private];
        let accesses = [ImageAccess::ReadOnly, ImageAccess::WriteOnly, ImageAccess::ReadWrite];
        let mut all = vec![None, Some(plain.clone())];
        all.extend(spaces.map(|address| Some(ArgumentInfo { address, is_restrict: true, ..plain.clone() })));
        all.extend(accesses.map(|access| {
            Some(ArgumentInfo { access: Some(access), is_volatile: true, is_pipe: true, ..plain.clone() })
        }));
        all
    }

    fn declarations() -> Vec<Declaration> {
        let attributes = "reqd_work_group_size(8,2,1)".to_owned();
        vec![
            Declaration { name: "f".to_owned(), attributes, arguments: arguments() },
            Declaration { name: "größer".to_owned(), attributes: String::new(), arguments: Vec::new() },
        ]
    }

    #[test]
    fn content_comes_back() {
        for (declared, binary) in [(declarations(), &b"binary"[..]), (Vec::new(), b""), (Vec::new(), b"b")] {
            assert_eq!(split(&join(&declared, binary)), Some((declared, binary)));
        }
    }

    #[test]
    fn what_is_cut_short_is_no_content() {
        let content = join(&declarations(), b"");
        for length in 0..content.len() {
            assert_eq!(split(&content[..length]), None, "{length} bytes");
        }
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            if let Some((declared, binary)) = split(&bytes) {
                prop_assert_eq!(join(&declared, binary), bytes);
            }
        }
    }
}
