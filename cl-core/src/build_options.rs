//! Build options, typed.
//!
//! Drivers crash on a bare `-D` or `-I`, and some read files named in options; so options are
//! values here, and text never reaches the driver unchecked.

use crate::error::{Error, Result};
use std::fmt;

/// A version of the OpenCL C language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CVersion {
    /// OpenCL C 1.1.
    C11,
    /// OpenCL C 1.2, which every device supports.
    C12,
    /// OpenCL C 2.0.
    C20,
    /// OpenCL C 3.0.
    C30,
}

/// Options for [`Program::build`](crate::Program::build).
///
/// ```
/// use cl_core::BuildOptions;
/// let options = BuildOptions::new().define("TILE", 256).fast_math();
/// assert_eq!(options.to_string(), "-D TILE=256 -cl-fast-relaxed-math");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct BuildOptions {
    options: Vec<String>,
    /// The first name that is no identifier; reported when the options are used.
    rejected: Option<String>,
}

impl BuildOptions {
    /// No options: the device's default language version.
    #[must_use]
    pub fn new() -> BuildOptions {
        BuildOptions::default()
    }

    /// Defines a preprocessor macro as a number, `-D name=value`.
    ///
    /// A name that is no C identifier makes the build fail with [`Error::InvalidInput`].
    #[must_use]
    pub fn define(mut self, name: &str, value: impl Into<i64>) -> BuildOptions {
        if is_identifier(name) {
            self.options.push(format!("-D {name}={}", value.into()));
        } else if self.rejected.is_none() {
            self.rejected = Some(name.to_owned());
        }
        self
    }

    /// Asks for a version of the language, `-cl-std`.
    #[must_use]
    pub fn language(self, version: CVersion) -> BuildOptions {
        self.with(match version {
            CVersion::C11 => "-cl-std=CL1.1",
            CVersion::C12 => "-cl-std=CL1.2",
            CVersion::C20 => "-cl-std=CL2.0",
            CVersion::C30 => "-cl-std=CL3.0",
        })
    }

    /// Trades IEEE results for speed, `-cl-fast-relaxed-math`.
    #[must_use]
    pub fn fast_math(self) -> BuildOptions {
        self.with("-cl-fast-relaxed-math")
    }

    /// Rounds single-precision `/` and `sqrt` correctly. Needs
    /// [`Device::rounds_division_correctly`](crate::Device::rounds_division_correctly).
    #[must_use]
    pub fn correctly_rounded_division(self) -> BuildOptions {
        self.with("-cl-fp32-correctly-rounded-divide-sqrt")
    }

    fn with(mut self, option: &str) -> BuildOptions {
        self.options.push(option.to_owned());
        self
    }

    /// That every option may be given to a driver.
    pub(crate) fn check(&self) -> Result<()> {
        match &self.rejected {
            None => Ok(()),
            Some(name) => Err(Error::InvalidInput {
                what: "build option",
                reason: format!("{name:?} is no name for a macro: letters, digits and _, at most 64"),
            }),
        }
    }
}

impl fmt::Display for BuildOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.options.join(" "))
    }
}

/// Whether `name` can stand in OpenCL C, and in an option, as a name.
pub(crate) fn is_identifier(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && name.len() <= 64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_no_identifiers_are_rejected() {
        for name in ["", "1A", "A B", "A=1 -I/", "A;", "A\0", "é", "-I", &"x".repeat(65)] {
            let options = BuildOptions::new().define(name, 1);
            assert!(matches!(options.check(), Err(Error::InvalidInput { .. })), "{name:?}");
            assert_eq!(options.to_string(), "", "{name:?} must not reach the driver");
        }
        assert!(BuildOptions::new().define("_A1", -1).check().is_ok());
    }
}
