//! Functions that some libraries lack, with an error that says why a function is missing.
//!
//! ```
//! use cl_core::raw::require;
//! use cl_core::{Device, Error};
//!
//! # fn main() -> cl_core::Result<()> {
//! let device = Device::first()?;
//! match require::clGetHostTimer(&device) {
//!     Ok(timer) => {
//!         let mut nanoseconds = 0;
//!         // SAFETY: the device is valid, and there is room for the answer.
//!         let status = unsafe { timer(device.as_raw(), &raw mut nanoseconds) };
//!         println!("status {status}, {nanoseconds} ns");
//!     }
//!     Err(Error::Unsupported { feature, device, .. }) => println!("{device} has no {feature}"),
//!     Err(other) => return Err(other),
//! }
//! # Ok(())
//! # }
//! ```

use super::*;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::platform::Platform;

/// A [`Device`] or a [`Platform`] that is asked for a function.
pub trait Provider: sealed::Sealed {
    /// Returns the function table of the provider's library.
    #[doc(hidden)]
    fn table(&self) -> &'static Functions;
    /// Returns the provider's name, for messages.
    #[doc(hidden)]
    fn title(&self) -> Result<String>;
    /// Returns the version string, which begins with, for example, `OpenCL 3.0 `.
    #[doc(hidden)]
    fn version_string(&self) -> Result<String>;
    /// Returns the names of the extensions.
    #[doc(hidden)]
    fn extension_names(&self) -> Result<Vec<String>>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for crate::device::Device {}
    impl Sealed for crate::platform::Platform {}
}

impl Provider for Device {
    fn table(&self) -> &'static Functions {
        self.library().functions()
    }
    fn title(&self) -> Result<String> {
        self.name()
    }
    fn version_string(&self) -> Result<String> {
        self.version()
    }
    fn extension_names(&self) -> Result<Vec<String>> {
        self.extensions()
    }
}

impl Provider for Platform {
    fn table(&self) -> &'static Functions {
        self.library().functions()
    }
    fn title(&self) -> Result<String> {
        self.name()
    }
    fn version_string(&self) -> Result<String> {
        self.version()
    }
    fn extension_names(&self) -> Result<Vec<String>> {
        self.extensions()
    }
}

/// Returns `entry` if the library has it, and if the provider is new enough or has the extension. A
/// library that serves several drivers has functions that some of the drivers lack.
fn required<F>(entry: Option<F>, name: &str, since: &str, provider: &impl Provider) -> Result<F> {
    let version = provider.version_string()?;
    let by_extension = since.starts_with("cl_");
    let (bringer, offered) = if by_extension {
        (format!("extension {since}"), provider.extension_names()?.iter().any(|name| name == since))
    } else {
        (format!("OpenCL {since}"), number(version.strip_prefix("OpenCL ").unwrap_or("")) >= number(since))
    };
    let reason = match (offered, entry) {
        (true, Some(function)) => return Ok(function),
        (true, None) => "its OpenCL library has no such function",
        (false, _) if by_extension => "it does not have that extension",
        (false, _) => "it is older",
    };
    let feature = format!("{name} ({bringer}): {reason}, it has {version}");
    Err(Error::Unsupported { feature, device: provider.title()? })
}

/// Returns the major and minor number at the beginning of `text`; zero if it has no number.
fn number(text: &str) -> (u32, u32) {
    let text = text.split(' ').next().unwrap_or(text);
    let (major, minor) = text.split_once('.').unwrap_or((text, ""));
    (major.parse().unwrap_or(0), minor.parse().unwrap_or(0))
}

macro_rules! define_requirements {
    (
        required $required:tt
        optional { $($since:literal fn $name:ident($($argument:ident: $type:ty),*) -> $return:ty;)* }
    ) => {
        $(
            #[doc = concat!("The C function of this name, which ", $since, " brings.")]
            ///
            /// # Errors
            #[doc = concat!(
                "[`Error::Unsupported`] when the provider lacks ", $since, ", or its library lacks the function."
            )]
            #[allow(non_snake_case)] // its name in C
            pub fn $name(
                provider: &impl Provider,
            ) -> Result<unsafe extern "system" fn($($argument: $type),*) -> $return> {
                required(provider.table().$name, stringify!($name), $since, provider)
            }
        )*
    };
}

for_each_function!(define_requirements);

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn versions_compare_as_numbers() {
        assert_eq!(number("3.0 PoCL"), (3, 0));
        assert_eq!(number("1.2"), (1, 2));
        assert!(number("10.0") > number("3.0"));
        assert_eq!(number("unknown"), (0, 0));
    }
}
