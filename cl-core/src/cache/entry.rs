//! The format of a file in the cache: one sealed program. `content` defines the format of the bytes
//! in it.
//!
//! | bytes | content |
//! | --- | --- |
//! | 8 | magic |
//! | 4 | version of the format, little endian as all numbers |
//! | 32 | key: the hash of everything that the program depends on |
//! | 8 | length of the binary |
//! | 32 | seal: the hash, keyed with the key, of all bytes before it and of the binary |
//! | rest | the binary |
//!
//! The key is in the file and in its name, so that a file under a wrong name is detected.

use super::key::Key;
use crate::program::MAX_BINARY_BYTES;

const MAGIC: [u8; 8] = *b"clcache\n";
const VERSION: u32 = 2;

/// The number of bytes before the seal.
const SEALED: usize = 8 + 4 + 32 + 8;
/// The number of bytes before the binary.
const HEADER: usize = SEALED + 32;

/// The largest size of an entry; a larger file is not read.
pub(super) const MAX_BYTES: u64 = (HEADER + MAX_BINARY_BYTES) as u64;

/// Returns the bytes before the binary.
pub(super) fn header(key: &Key, binary: &[u8]) -> [u8; HEADER] {
    let mut bytes = [0; HEADER];
    bytes[..8].copy_from_slice(&MAGIC);
    bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
    bytes[12..44].copy_from_slice(&key.0);
    bytes[44..SEALED].copy_from_slice(&(binary.len() as u64).to_le_bytes());
    let seal = seal(key, &bytes[..SEALED], binary);
    bytes[SEALED..].copy_from_slice(seal.as_bytes());
    bytes
}

fn seal(key: &Key, header: &[u8], binary: &[u8]) -> blake3::Hash {
    blake3::Hasher::new_keyed(&key.0).update(header).update(binary).finalize()
}

/// Returns the binary of the program `key` from a file's bytes, or the defect of the bytes.
pub(super) fn parse(mut file: Vec<u8>, key: &Key) -> Result<Vec<u8>, &'static str> {
    let Some((header, binary)) = file.split_first_chunk::<HEADER>() else {
        return Err("it is cut short");
    };
    let (facts, stored) = header.split_at(SEALED);
    if facts[..8] != MAGIC {
        return Err("it is not an entry of this cache");
    }
    if facts[8..12] != VERSION.to_le_bytes() {
        return Err("it has another format");
    }
    if facts[12..44] != key.0 {
        return Err("it is the entry of another program");
    }
    if facts[44..] != (binary.len() as u64).to_le_bytes() {
        return Err("its length differs from the length in its header");
    }
    if seal(key, facts, binary) != *stored {
        return Err("its content was changed");
    }
    file.drain(..HEADER);
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const KEY: Key = Key([7; 32]);

    fn file(key: &Key, binary: &[u8]) -> Vec<u8> {
        [&header(key, binary)[..], binary].concat()
    }

    #[test]
    fn an_entry_comes_back() {
        for binary in [&b""[..], b"x", b"a longer binary"] {
            assert_eq!(parse(file(&KEY, binary), &KEY), Ok(binary.to_vec()));
        }
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_found() {
        let good = file(&KEY, b"the binary of a program");
        for at in 0..good.len() {
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[at] ^= 1 << bit;
                assert!(parse(bad, &KEY).is_err(), "bit {bit} of byte {at}");
            }
            assert!(parse(good[..at].to_vec(), &KEY).is_err(), "cut to {at} bytes");
        }
        assert!(parse([&good[..], b"\0"].concat(), &KEY).is_err(), "one byte more");
        assert_eq!(parse(good, &Key([8; 32])), Err("it is the entry of another program"));
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            prop_assert!(parse(bytes, &KEY).is_err());
        }

        #[test]
        fn an_honest_beginning_does_not_help(
            cut in 0..=HEADER, tail in prop::collection::vec(any::<u8>(), 0..200)
        ) {
            let good = file(&KEY, b"binary");
            let bytes = [&good[..cut], &tail].concat();
            prop_assume!(bytes != good);
            prop_assert!(parse(bytes, &KEY).is_err());
        }
    }
}
