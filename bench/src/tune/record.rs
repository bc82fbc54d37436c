//! The record of a search: a tuning table, with what was measured as comments.

use super::targets::Target;
use super::{Found, best, won_once};
use crate::Failure;
use crate::report::{Row, size, time};
use cl_algo::Tuning;
use cl_core::Device;
use std::time::{SystemTime, UNIX_EPOCH};

/// What a record begins with.
pub(super) const HEAD: &str = "\
# Shapes of kernels that beat the present ones, found by `cargo xtask bench --tune`: a table for CL_TUNING.
# device\twhat\telement bytes\twork-items of a group\tbytes a work-item holds\twork-groups a compute unit
";

/// The rows of one device, with comments.
pub(super) fn of_device(device: &Device, found: &[Found]) -> Result<String, Failure> {
    let (name, driver) = (device.name()?, device.driver_version()?);
    let days = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs() / 86_400;
    let (year, month, day) = date(days);
    let mut text = format!("\n# {year}-{month:02}-{day:02}, {device}, driver {driver}\n");
    found.iter().for_each(|found| text += &of_target(&name, found));
    Ok(text)
}

fn of_target(device: &str, found: &Found) -> String {
    let Found { target, present, tried, winner } = found;
    let measured = |row: &Row| {
        let deviation = 100.0 * row.deviation_seconds / row.median_seconds;
        format!("{} ± {deviation:.1} %", time(row.median_seconds))
    };
    let case = format!("{}, {}", target.case, size(present.n));
    let other = |at: usize| tried[at].1.as_ref().map_or("failed".to_owned(), measured);
    match (winner, best(tried)) {
        (&Some(at), _) => {
            let row = row(device, target, tried[at].0);
            format!("# {case}: {}; before {}\n{row}", other(at), measured(present))
        }
        (None, Some(at)) => {
            let (label, count) = (target.label(), tried.len());
            let again = if won_once(found).is_some() { ", and did not win again" } else { "" };
            let rest = format!("the best of {count} others took {}{again}", other(at));
            format!("# {label} stays as it is, {case}: {}; {rest}\n", measured(present))
        }
        (None, None) => {
            let others = "all others failed";
            format!("# {} stays as it is, {case}: {}; {others}\n", target.label(), measured(present))
        }
    }
}

/// A row of a table, with its line's end.
pub(super) fn row(device: &str, target: &Target, tuning: Tuning) -> String {
    // A name with a tab would be two columns, and an empty one fits every device.
    let device = device.replace('\t', " ");
    format!("{device}\t{}\t{}\t{tuning}\n", target.tunable, target.element)
}

/// Year, month and day of a day after 1970-01-01, by the Gregorian calendar.
fn date(days: u64) -> (u64, u64, u64) {
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let (mut year, mut left) = (1970, days);
    while left >= 365 + u64::from(is_leap(year)) {
        left -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let months = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while left >= months[month] {
        left -= months[month];
        month += 1;
    }
    (year, month as u64 + 1, left + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_dates() {
        let days = [0, 30, 31, 58, 59, 365, 11_016, 11_017, 20_779, 20_818];
        let dates = days.map(date);
        assert_eq!(dates[..5], [(1970, 1, 1), (1970, 1, 31), (1970, 2, 1), (1970, 2, 28), (1970, 3, 1)]);
        let leap = [(1971, 1, 1), (2000, 2, 29), (2000, 3, 1), (2026, 11, 22), (2026, 12, 31)];
        assert_eq!(dates[5..], leap);
    }
}
