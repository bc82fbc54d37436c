//! `tidy`: the tidiness rules over the files and packages of this workspace.

use crate::error::Result;
use crate::{tidy, workspace};

/// Says nothing about a tidy workspace.
///
/// # Errors
///
/// Lists the offences; or the files cannot be read, or cargo cannot tell what the packages are.
pub(crate) fn run() -> Result {
    let offences = tidy::offences(&tidy::tree::read(&workspace::root())?, &workspace::metadata()?);
    if offences.is_empty() {
        return Ok(());
    }
    let list: Vec<String> = offences.iter().map(|offence| format!("\n    {offence}")).collect();
    Err(format!("the workspace is untidy:{}", list.concat()).into())
}
