//! The progress bar of a measurement.

use crate::failure::Failure;

/// Creates a bar of `steps` steps.
pub(crate) fn progress(steps: u64) -> Result<indicatif::ProgressBar, Failure> {
    let bar = indicatif::ProgressBar::new(steps);
    bar.set_style(indicatif::ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}")?);
    Ok(bar)
}
