//! The record of a search: a tuning table, with the measurements as comments.

use super::targets::Target;
use super::{Found, best, won_once};
use crate::report::{Row, size, time};
use crate::{date, failure::Failure};
use cl_algo::Tuning;
use cl_core::Device;

/// The first lines of a record.
pub(super) const HEAD: &str = "\
# Shapes of kernels that beat the present ones, found by `cargo xtask bench --tune`: a table for CL_TUNING.
# device\twhat\telement bytes\twork-items of a group\tbytes a work-item holds\twork-groups a compute unit
";

/// Returns the rows of one device, with comments.
pub(super) fn of_device(device: &Device, found: &[Found]) -> Result<String, Failure> {
    let (name, driver) = (device.name()?, device.driver_version()?);
    let when = format!("{}, driver {driver}", date::today()?);
    let mut text = format!("\n# {when}: {device}\n");
    found.iter().for_each(|found| text += &of_target(&name, &when, found));
    Ok(text)
}

/// Returns the lines of a target; `when` is the date and the driver.
fn of_target(device: &str, when: &str, found: &Found) -> String {
    let Found { target, present, tried, winner, .. } = found;
    let measured = |row: &Row| {
        let deviation = 100.0 * row.deviation_seconds / row.median_seconds;
        format!("{} ± {deviation:.1} %", time(row.median_seconds))
    };
    let case = format!("{}, {}", target.case, size(present.n));
    let other = |at: usize| tried[at].1.as_ref().map_or("failed".to_owned(), measured);
    match (winner, best(tried)) {
        (&Some(at), _) => {
            let row = row(device, target, tried[at].0);
            format!("# {when}, {case}: {}; before {}.\n{row}", other(at), measured(present))
        }
        (None, Some(at)) => {
            let (label, count) = (target.label(), tried.len());
            let again = if won_once(found).is_some() { ", and did not win again" } else { "" };
            let rest = format!("the best of {count} others took {}{again}", other(at));
            format!("# {label} stays as it is, {case}: {}; {rest}\n", measured(present))
        }
        (None, None) => {
            let others = if tried.is_empty() { "no time was left for others" } else { "all others failed" };
            format!("# {} stays as it is, {case}: {}; {others}\n", target.label(), measured(present))
        }
    }
}

/// Returns a row of a table, with its newline.
pub(super) fn row(device: &str, target: &Target, tuning: Tuning) -> String {
    // A tab in the name would split the column, and an empty name matches every device.
    let device = device.replace('\t', " ");
    format!("{device}\t{}\t{}\t{tuning}\n", target.tunable, target.element_bytes)
}
