//! Versions of OpenCL, of its language, and of named features.

use crate::error::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// A version of OpenCL or of OpenCL C. Ordered by major number, then by minor number.
///
/// A version is parsed from a bare number or from the text that drivers return:
///
/// ```
/// use cl_core::Version;
///
/// # fn main() -> cl_core::Result<()> {
/// let version: Version = "OpenCL 3.0 CUDA 13.0.84".parse()?;
/// assert_eq!(version, Version::new(3, 0));
/// assert!(version > "OpenCL C 1.2 PoCL".parse()?);
/// assert_eq!(version.to_string(), "3.0");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// The number before the point.
    pub major: u32,
    /// The number behind the point.
    pub minor: u32,
}

impl Version {
    /// Returns version `major.minor`.
    #[must_use]
    pub const fn new(major: u32, minor: u32) -> Version {
        Version { major, minor }
    }

    /// Returns the `major.minor` of a `cl_version`: 10 bits, 10 bits, and 12 bits of a patch number.
    const fn from_packed(packed: u32) -> Version {
        Version { major: packed >> 22, minor: (packed >> 12) & 0x3ff }
    }
}

impl FromStr for Version {
    type Err = Error;

    /// Parses `1.2`, or `OpenCL 1.2` or `OpenCL C 1.2`, with any text after a further space.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for any other text.
    fn from_str(text: &str) -> Result<Version> {
        let malformed = || Error::InvalidInput {
            what: "OpenCL version",
            reason: format!("{text:?} is not of the form `OpenCL 1.2 ...`, `OpenCL C 1.2 ...` or `1.2`"),
        };
        let prefixed = text.strip_prefix("OpenCL C ").or_else(|| text.strip_prefix("OpenCL "));
        let number = prefixed.map_or(text, |rest| rest.split(' ').next().unwrap_or(rest));
        let (major, minor) = number.split_once('.').ok_or_else(malformed)?;
        // `parse` alone would accept a sign.
        let digits = |part: &str| {
            let plain = part.bytes().all(|byte| byte.is_ascii_digit());
            part.parse().ok().filter(|_| plain).ok_or_else(malformed)
        };
        Ok(Version { major: digits(major)?, minor: digits(minor)? })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// A name with a version: of an extension, a language or an optional feature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedVersion {
    /// The name, such as `cl_khr_fp64`.
    pub name: String,
    /// Its version.
    pub version: Version,
    /// The third number of the version.
    pub patch: u32,
}

/// A `cl_name_version`: a `cl_version`, and a name of at most 64 bytes.
type RawNamedVersion = [u8; 68];

impl NamedVersion {
    pub(crate) fn from_raw(raw: RawNamedVersion) -> NamedVersion {
        let [a, b, c, d, name @ ..] = raw;
        let packed = u32::from_ne_bytes([a, b, c, d]);
        let name = name.split(|&byte| byte == 0).next().unwrap_or_default();
        NamedVersion {
            name: String::from_utf8_lossy(name).into_owned(),
            version: Version::from_packed(packed),
            patch: packed & 0xfff,
        }
    }
}

impl fmt::Display for NamedVersion {
    /// Writes the name and all three numbers: `cl_khr_fp64 1.0.0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}.{}", self.name, self.version, self.patch)
    }
}
