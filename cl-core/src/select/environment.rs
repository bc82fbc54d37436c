//! Filters from environment variables, for the users of a program.

use super::Filter;
use crate::device::DeviceKind;
use crate::error::{Error, Result};
use std::env::VarError;

impl Filter {
    /// Returns the filter that environment variables describe. Variables that are unset or empty do
    /// not restrict it. A device must satisfy all others.
    ///
    /// | variable | chooses |
    /// | --- | --- |
    /// | `CL_PLATFORM` | devices whose platform's name contains the text, regardless of case |
    /// | `CL_VENDOR` | devices whose vendor's name contains the text, regardless of case |
    /// | `CL_DEVICE` | devices whose name contains the text, regardless of case |
    /// | `CL_DEVICE_TYPE` | `cpu`, `gpu`, `accelerator`, `custom`, `default`, or several with commas between them |
    /// | `CL_DEVICE_EXTENSION` | devices that list the extension |
    /// | `CL_DEVICE_INDEX` | the device at this position, from 0, among those that the above choose |
    /// | `CL_DEVICE_COUNT` | the first devices that the above choose, up to this number, at least 1 |
    ///
    /// ```
    /// use cl_core::{Device, Filter};
    ///
    /// # fn main() -> cl_core::Result<()> {
    /// let devices = Device::select(Filter::from_env()? & Filter::compute_units(1))?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a value that is not Unicode or cannot be read, and for both an
    /// index and a count.
    pub fn from_env() -> Result<Filter> {
        let mut filter: Option<Filter> = None;
        let mut narrow = |by: Filter| {
            filter = Some(match filter.take() {
                Some(filter) => filter & by,
                None => by,
            });
        };
        if let Some(part) = variable("CL_PLATFORM")? {
            narrow(Filter::platform(part));
        }
        if let Some(part) = variable("CL_VENDOR")? {
            narrow(Filter::vendor(part));
        }
        if let Some(part) = variable("CL_DEVICE")? {
            narrow(Filter::name(part));
        }
        if let Some(kinds) = variable("CL_DEVICE_TYPE")? {
            narrow(Filter::kind(kinds_of(&kinds)?));
        }
        if let Some(name) = variable("CL_DEVICE_EXTENSION")? {
            narrow(Filter::extension(name));
        }
        let filter = filter.unwrap_or_else(Filter::any);
        match (number("CL_DEVICE_INDEX")?, number("CL_DEVICE_COUNT")?) {
            (None, None) => Ok(filter),
            (Some(position), None) => Ok(filter.nth(position)),
            (None, Some(0)) => Err(invalid("CL_DEVICE_COUNT=0 chooses no device")),
            (None, Some(count)) => Ok(filter.take(count)),
            (Some(_), Some(_)) => {
                Err(invalid("CL_DEVICE_INDEX and CL_DEVICE_COUNT exclude each other, and both are set"))
            }
        }
    }
}

/// Returns the variable's text without surrounding white space; `None` if it is unset or empty.
fn variable(name: &'static str) -> Result<Option<String>> {
    match std::env::var(name) {
        Ok(value) => Ok(Some(value.trim().to_owned()).filter(|value| !value.is_empty())),
        Err(VarError::NotPresent) => Ok(None),
        Err(VarError::NotUnicode(value)) => Err(invalid(format!("{name}={value:?} is not Unicode"))),
    }
}

fn number(name: &'static str) -> Result<Option<usize>> {
    let Some(value) = variable(name)? else { return Ok(None) };
    value.parse().map(Some).map_err(|_| invalid(format!("{name}={value:?} is not a number from 0")))
}

fn kinds_of(value: &str) -> Result<DeviceKind> {
    let mut kinds = DeviceKind::empty();
    for word in value.split(',') {
        kinds |= match word.trim().to_lowercase().as_str() {
            "cpu" => DeviceKind::CPU,
            "gpu" => DeviceKind::GPU,
            "accelerator" => DeviceKind::ACCELERATOR,
            "custom" => DeviceKind::CUSTOM,
            "default" => DeviceKind::DEFAULT,
            _ => {
                let known = "cpu, gpu, accelerator, custom and default";
                return Err(invalid(format!("CL_DEVICE_TYPE={value:?} has a word other than {known}")));
            }
        };
    }
    Ok(kinds)
}

fn invalid(reason: impl Into<String>) -> Error {
    Error::InvalidInput { what: "environment variable", reason: reason.into() }
}
