//! The results that an earlier process of the same session has verified.
//!
//! All processes of a session draw the same data, from a seed that is fresh for each session. The first process that has a
//! case compares the result with the host's, which takes longer than all measurements, and keeps the result's digest.
//! Later processes compare digests.

use crate::data::{self, mix};
use crate::failure::Failure;
use cl_algo::Element;
use rayon::prelude::*;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::OpenOptions;
use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The digests of one case's results, in the order in which the case verifies them.
#[derive(Debug, Default)]
struct Results {
    /// The digests that an earlier process has kept.
    known: Vec<u64>,
    /// The digests of this process.
    found: Vec<u64>,
}

thread_local! {
    /// The results of the case that is being prepared. `None` outside of sessions.
    static CURRENT: RefCell<Option<Results>> = const { RefCell::new(None) };
}

/// The verified results of a session.
#[derive(Debug)]
pub(crate) struct Answers {
    seed: u64,
    file: PathBuf,
    known: HashMap<String, Vec<u64>>,
    /// The name of the case that is being prepared, with its number of elements.
    case: String,
}

impl Answers {
    /// Reads the digests that earlier processes have kept in this file, which need not exist.
    pub(crate) fn new(seed: u64, file: &Path) -> Result<Answers, Failure> {
        let text = if file.exists() { std::fs::read_to_string(file)? } else { String::new() };
        let case = |line: &str| -> Result<(String, Vec<u64>), Failure> {
            let (case, digests) = line.split_once('\t').ok_or("a line of digests has no tabulator")?;
            let digests: Result<Vec<u64>, _> =
                digests.split_terminator(' ').map(|digest| u64::from_str_radix(digest, 16)).collect();
            Ok((case.to_owned(), digests?))
        };
        let known = text.lines().map(case).collect::<Result<_, Failure>>()?;
        Ok(Answers { seed, file: file.to_owned(), known, case: String::new() })
    }

    /// Begins a case with `n` elements: its data depend on the session's seed and on the case alone.
    pub(crate) fn begin(&mut self, label: &str, n: usize) {
        self.case = format!("{label}, {n}");
        let name = self.case.bytes().fold(self.seed, |hash, byte| mix(hash ^ u64::from(byte)));
        data::seed(Some(name));
        let known = self.known.get(&self.case).cloned().unwrap_or_default();
        CURRENT.set(Some(Results { known, found: Vec::new() }));
    }

    /// Ends a case. If it was verified, keeps its digests for later processes.
    pub(crate) fn end(&mut self, was_verified: bool) -> Result<(), Failure> {
        data::seed(None);
        let results = CURRENT.take().unwrap_or_default();
        if !was_verified || self.known.contains_key(&self.case) {
            return Ok(());
        }
        let digests: String = results.found.iter().map(|digest| format!("{digest:x} ")).collect();
        let mut file = OpenOptions::new().append(true).create(true).open(&self.file)?;
        // Other processes may write at the same time: each line is one write.
        file.write_all(format!("{}\t{digests}\n", self.case).as_bytes())?;
        Ok(())
    }
}

/// Returns a seed that no other session has.
pub(crate) fn fresh_seed() -> u64 {
    RandomState::new().hash_one(())
}

/// Returns `true` if an earlier process has verified the same values, and `false` if the caller must verify them.
///
/// # Errors
/// If the values differ from those that the earlier process has verified.
pub(crate) fn are_known<T: Element>(values: &[T]) -> Result<bool, Failure> {
    CURRENT.with_borrow_mut(|current| {
        let Some(results) = current else { return Ok(false) };
        let found = digest(bytemuck::cast_slice(T::as_stored(values)));
        let known = results.known.get(results.found.len()).copied();
        results.found.push(found);
        match known {
            Some(known) if known != found => {
                Err("wrong result: it differs from that of the first process".into())
            }
            known => Ok(known.is_some()),
        }
    })
}

/// Returns a number that depends on all bytes, their order and their count.
fn digest(bytes: &[u8]) -> u64 {
    const PIECE: usize = 1 << 16;
    let word = |part: &[u8]| {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        u64::from_le_bytes(word)
    };
    let piece = |piece: &[u8]| piece.chunks(8).fold(0, |hash, part| mix(hash ^ word(part)) + 1);
    let pieces: Vec<u64> = bytes.par_chunks(PIECE).map(piece).collect();
    pieces.into_iter().fold(bytes.len() as u64, |hash, piece| mix(hash ^ piece).wrapping_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Source;

    #[test]
    fn a_digest_depends_on_every_byte_and_its_place() {
        let bytes: Vec<u8> = Source::fresh().u8s(200_003);
        let whole = digest(&bytes);
        for at in [0, 7, 8, 65_535, 65_536, 200_002] {
            let mut other = bytes.clone();
            other[at] ^= 1;
            assert_ne!(digest(&other), whole, "byte {at}");
        }
        let mut other = bytes.clone();
        other[..16].rotate_left(8);
        assert_ne!(digest(&other), whole);
        assert_ne!(digest(&[0, 0]), digest(&[0]));
        assert_eq!(digest(&bytes), whole);
    }

    #[test]
    fn later_processes_have_the_same_data_and_compare_digests() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("answers");
        // Returns the data, and whether each of two results was known.
        let process = |case: &str, changed: u32, was_verified: bool| {
            let mut answers = Answers::new(7, &file).unwrap();
            answers.begin(case, 3);
            let data = Source::fresh().u32s(3);
            assert_ne!(Source::fresh().u32s(3), data, "each vector of a case has its own numbers");
            let known = [vec![1, 2, 3], vec![4, 5, changed]].map(|values| are_known(&values).ok());
            answers.end(was_verified).unwrap();
            (data, known)
        };
        let (failed, known) = process("sum", 6, false);
        assert_eq!(known, [Some(false); 2]);
        let (first, known) = process("sum", 6, true);
        assert_eq!((known, &failed), ([Some(false); 2], &first), "a case that failed has kept nothing");
        let (second, known) = process("sum", 6, true);
        assert_eq!((known, &second), ([Some(true); 2], &first));
        assert_eq!(process("sum", 7, true).1, [Some(true), None], "a wrong result is found");
        let (other, known) = process("sort", 6, true);
        assert!(other != first && known == [Some(false); 2]);
        assert!(!are_known(&[1_u32]).unwrap(), "nothing is known outside of cases");
        assert_ne!(Source::fresh().u32s(3), Source::fresh().u32s(3));
    }
}
