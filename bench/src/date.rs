//! Dates, for records.

use crate::failure::Failure;
use std::time::{SystemTime, UNIX_EPOCH};

/// Returns the day in UTC, such as 2026-11-22.
pub(crate) fn today() -> Result<String, Failure> {
    let days = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs() / 86_400;
    let (year, month, day) = date(days);
    Ok(format!("{year}-{month:02}-{day:02}"))
}

/// Returns the year, month and day that are `days` after 1970-01-01 in the Gregorian calendar.
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
