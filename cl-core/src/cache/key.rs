//! One hash of everything that a compiled program depends on.

use super::driver;
use crate::device::Device;
use crate::error::Result;
use crate::program::Source;
use std::fmt;

/// The name of the hash's purpose, so that other uses of the same hash function give other hashes.
const CONTEXT: &str = "cl-core 2026-11 program cache key";

/// The hash of everything that a compiled program depends on. Displays as 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key(pub(super) [u8; 32]);

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The part of a key that is the same for all programs of a device.
#[derive(Debug)]
pub(super) struct DeviceKey {
    hasher: blake3::Hasher,
    /// `true` if the device's driver keeps programs itself.
    pub(super) kept_by_driver: bool,
}

impl DeviceKey {
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) when the driver fails to answer.
    pub(super) fn of(device: &Device) -> Result<DeviceKey> {
        let platform = device.platform();
        let platform_name = platform.name()?;
        let facts = [
            env!("CARGO_PKG_VERSION"),
            std::env::consts::OS,
            std::env::consts::ARCH,
            &device.name()?,
            &device.vendor()?,
            &device.version()?,
            &device.driver_version()?,
            &platform_name,
            &platform.version()?,
        ];
        Ok(DeviceKey::new(&facts, driver::keeps_programs(&platform_name)))
    }

    fn new(facts: &[&str], kept_by_driver: bool) -> DeviceKey {
        let mut hasher = blake3::Hasher::new_derive_key(CONTEXT);
        facts.iter().for_each(|fact| add(&mut hasher, fact));
        DeviceKey { hasher, kept_by_driver }
    }

    /// Returns the key of a program.
    pub(super) fn program(&self, source: &Source<'_>, options: &str) -> Key {
        let mut hasher = self.hasher.clone();
        add(&mut hasher, options);
        // The counts keep pieces and headers apart. The division into pieces changes the key, although
        // the compiler sees the pieces as one text.
        for list in [source.pieces().len(), source.headers().len()] {
            hasher.update(&(list as u64).to_le_bytes());
        }
        source.pieces().iter().for_each(|piece| add(&mut hasher, piece));
        for (name, text) in source.headers() {
            add(&mut hasher, name);
            add(&mut hasher, text);
        }
        Key(*hasher.finalize().as_bytes())
    }
}

/// Hashes a text with its length, so that `ab`, `c` and `a`, `bc` give different hashes.
fn add(hasher: &mut blake3::Hasher, text: &str) {
    hasher.update(&(text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn whatever_differs_has_another_key() {
        let device = |facts: &[&str]| DeviceKey::new(facts, false);
        let (a, b) = (device(&["name", "1.0"]), device(&["name", "1.1"]));
        let plain = Source::new("ab");
        let keys = [
            a.program(&plain, ""),
            b.program(&plain, ""),
            device(&["name1", ".0"]).program(&plain, ""),
            a.program(&plain, "-w"),
            a.program(&Source::new("abc"), ""),
            a.program(&Source::new("a").piece("b"), ""),
            a.program(&Source::new("").piece("ab"), ""),
            a.program(&plain.clone().header("h", "x"), ""),
            a.program(&plain.clone().header("hx", ""), ""),
            a.program(&plain.clone().header("h", "y"), ""),
            a.program(&plain.clone().piece("h").piece("x"), ""),
            a.program(&plain.clone().header("h", "x").header("i", "x"), ""),
        ];
        assert_eq!(keys.iter().collect::<HashSet<_>>().len(), keys.len());
        assert_eq!(a.program(&plain, ""), keys[0]);
        assert_eq!(keys[0].to_string().len(), 64);
    }
}
