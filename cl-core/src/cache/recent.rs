//! A map that forgets its least recently used values.

use super::key::Key;
use std::collections::HashMap;

/// The largest number of values. A forgotten program lives on as long as kernels use it.
const CAPACITY: usize = 256;

/// Values by key, at most 256.
pub(super) struct Recent<T> {
    values: HashMap<Key, (T, u64)>,
    /// A counter that grows with each use. Each value stores the count of its last use.
    clock: u64,
}

impl<T> Default for Recent<T> {
    fn default() -> Recent<T> {
        Recent { values: HashMap::new(), clock: 0 }
    }
}

impl<T: Clone> Recent<T> {
    /// Returns the value, which becomes the most recently used one.
    pub(super) fn get(&mut self, key: &Key) -> Option<T> {
        self.clock += 1;
        let (value, used) = self.values.get_mut(key)?;
        *used = self.clock;
        Some(value.clone())
    }

    /// Adds or replaces a value, which becomes the most recently used one.
    pub(super) fn insert(&mut self, key: Key, value: T) {
        self.clock += 1;
        self.values.insert(key, (value, self.clock));
        if self.values.len() > CAPACITY {
            let oldest = self.values.iter().min_by_key(|(_, (_, used))| *used).map(|(key, _)| *key);
            oldest.and_then(|key| self.values.remove(&key));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: usize) -> Key {
        Key(*blake3::hash(&number.to_le_bytes()).as_bytes())
    }

    #[test]
    fn the_least_recently_used_is_forgotten() {
        let mut recent = Recent::default();
        for number in 0..CAPACITY {
            recent.insert(key(number), number);
        }
        assert_eq!(recent.get(&key(0)), Some(0));
        recent.insert(key(CAPACITY), CAPACITY);
        assert_eq!(recent.get(&key(1)), None);
        assert_eq!(recent.get(&key(0)), Some(0));
        assert_eq!(recent.get(&key(CAPACITY)), Some(CAPACITY));
        assert_eq!(recent.values.len(), CAPACITY);
    }
}
