//! `tidy`: applies the tidiness rules to the files and packages of this workspace.

use crate::error::Result;
use crate::{tidy, workspace};

/// Checks the workspace, and prints nothing if it is tidy.
///
/// # Errors
///
/// If a rule is broken (the error lists all offences), a file cannot be read, or cargo cannot list the
/// packages.
pub(crate) fn run() -> Result {
    let offences = tidy::offences(&tidy::tree::read(&workspace::root())?, &workspace::metadata()?);
    if offences.is_empty() {
        return Ok(());
    }
    let list: Vec<String> = offences.iter().map(|offence| format!("\n    {offence}")).collect();
    Err(format!("the workspace is untidy:{}", list.concat()).into())
}
