//! Entries in a folder, with a limit on their total size.

use super::folder::{Folder, Refused};
use super::key::Key;
use super::{entry, place, warn_once};
use crate::error::Error;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

/// The largest size of all entries together, in bytes.
const CAPACITY: u64 = 512 << 20;

/// The ending of the file names of entries.
const ENDING: &str = ".program";

/// The beginning of the file names of unfinished entries.
const UNFINISHED: &str = "new-";

/// The age of an unfinished file at which its writer counts as dead.
const ABANDONED: Duration = Duration::from_secs(60 * 60);

/// The entries in one folder.
#[derive(Debug)]
pub(super) struct Store {
    folder: Folder,
    capacity: u64,
}

/// The answer to a search.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Lookup {
    /// The binary, verified.
    Found(Vec<u8>),
    /// No entry has this key.
    Absent,
    /// An entry exists but must not be used, for this reason.
    Rejected(String),
}

impl Store {
    /// Returns the store that the environment selects, opened on the first call; an error for a setting that
    /// selects none.
    pub(super) fn of_process() -> Result<Option<&'static Store>, Error> {
        static STORE: OnceLock<Result<Option<Store>, Error>> = OnceLock::new();
        let open = |path: PathBuf| {
            Store::open(&path, CAPACITY)
                .inspect_err(|reason| warn_once(&format!("programs are not kept on disk: {reason}")))
                .ok()
        };
        let store = STORE.get_or_init(|| place::of_process().map(|path| path.and_then(open)));
        store.as_ref().map(Option::as_ref).map_err(Error::clone)
    }

    /// Opens a folder, and creates it if necessary.
    pub(super) fn open(path: &Path, capacity: u64) -> Result<Store, String> {
        let folder = Folder::open(path).map_err(|refused| format!("{} {refused}", path.display()))?;
        Ok(Store { folder, capacity })
    }

    /// Looks for the binary of a program.
    pub(super) fn load(&self, key: &Key) -> Lookup {
        match self.folder.read(&name(key), entry::MAX_BYTES) {
            Ok(Some(file)) => match entry::parse(file, key) {
                Ok(binary) => Lookup::Found(binary),
                Err(reason) => Lookup::Rejected(reason.to_owned()),
            },
            Ok(None) => Lookup::Absent,
            Err(Refused(reason)) => Lookup::Rejected(reason),
        }
    }

    /// Stores the binary of a program. Readers see the whole entry or no entry. If several writers
    /// store it, one of them wins; all of them write the same bytes.
    pub(super) fn save(&self, key: &Key, binary: &[u8]) -> Result<(), String> {
        let header = entry::header(key, binary);
        if (header.len() + binary.len()) as u64 > self.capacity.min(entry::MAX_BYTES) {
            return Err(format!("{} bytes are too many for the cache", binary.len()));
        }
        let unfinished = unfinished_name();
        let written = self.folder.write(&unfinished, &[&header, binary]);
        let written = written.and_then(|()| self.folder.rename(&unfinished, &name(key)));
        if let Err(Refused(reason)) = written {
            self.folder.remove(&unfinished);
            return Err(reason);
        }
        self.make_room();
        Ok(())
    }

    /// Removes the least recently used entries until the rest fits, and the files that dead writers left.
    fn make_room(&self) {
        let mut files = self.folder.list();
        let now = SystemTime::now();
        files.retain(|file| {
            let age = now.duration_since(file.used).unwrap_or_default();
            if file.name.starts_with(UNFINISHED) && age > ABANDONED {
                self.folder.remove(&file.name);
            }
            file.name.ends_with(ENDING)
        });
        files.sort_by_key(|file| file.used);
        let mut total = files.iter().fold(0_u64, |sum, file| sum.saturating_add(file.bytes));
        for file in files {
            if total <= self.capacity {
                break;
            }
            self.folder.remove(&file.name);
            total -= file.bytes;
        }
    }
}

fn name(key: &Key) -> String {
    format!("{key}{ENDING}")
}

/// Returns a file name that no other process and no other thread uses.
fn unfinished_name() -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
    format!("{UNFINISHED}{}-{number}-{time}", std::process::id())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise
mod tests {
    use super::*;

    fn key(number: u8) -> Key {
        Key([number; 32])
    }

    #[test]
    fn what_is_saved_is_found_and_nothing_else() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("a/b"), 1 << 20).unwrap();
        assert_eq!(store.load(&key(1)), Lookup::Absent);
        store.save(&key(1), b"one").unwrap();
        store.save(&key(1), b"one again").unwrap();
        assert_eq!(store.load(&key(1)), Lookup::Found(b"one again".to_vec()));
        assert_eq!(store.load(&key(2)), Lookup::Absent);
        let names: Vec<String> = store.folder.list().into_iter().map(|file| file.name).collect();
        assert_eq!(names, [name(&key(1))], "no unfinished file is left");
    }

    #[test]
    fn the_least_recently_used_entries_make_room() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("cache"), 3500).unwrap();
        let pause = || std::thread::sleep(Duration::from_millis(20));
        for number in 1..=3 {
            store.save(&key(number), &[number; 1000]).unwrap();
            pause();
        }
        assert!(matches!(store.load(&key(1)), Lookup::Found(_)));
        pause();
        store.save(&key(4), &[4; 1000]).unwrap();
        assert_eq!(store.load(&key(2)), Lookup::Absent, "the least recently used");
        for number in [1, 3, 4] {
            assert!(matches!(store.load(&key(number)), Lookup::Found(_)), "{number}");
        }
        assert!(store.save(&key(5), &[5; 4000]).is_err(), "larger than all entries may be");
        assert!(matches!(store.load(&key(1)), Lookup::Found(_)));
    }

    #[test]
    fn what_dead_writers_left_is_removed() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("cache"), 1 << 20).unwrap();
        for (name, age) in [("new-1-1-1", 2 * ABANDONED), ("new-2-2-2", ABANDONED / 2)] {
            let file = std::fs::File::create(home.path().join("cache").join(name)).unwrap();
            file.set_modified(SystemTime::now() - age).unwrap();
        }
        store.save(&key(1), b"one").unwrap();
        assert!(!home.path().join("cache/new-1-1-1").exists());
        assert!(home.path().join("cache/new-2-2-2").exists());
    }

    #[test]
    fn writers_do_not_disturb_readers() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("cache"), 1 << 20).unwrap();
        store.save(&key(1), &[1; 50_000]).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let mine = Store::open(&home.path().join("cache"), 1 << 20).unwrap();
                    (0..100).for_each(|_| mine.save(&key(1), &[1; 50_000]).unwrap());
                });
            }
            for _ in 0..200 {
                assert_eq!(store.load(&key(1)), Lookup::Found(vec![1; 50_000]));
            }
        });
    }
}
