//! The changes since an older report, and whether they exceed the noise of the measurements.

use super::{Row, part};
use serde::{Deserialize, Serialize};

/// A row's time compared with an older time of the same case.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Change {
    /// The difference as a part of the older time; `None` if the older time is 0.
    pub(crate) relative: Option<f64>,
    pub(crate) verdict: Verdict,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Verdict {
    Faster,
    Slower,
    /// The difference is within the noise of both measurements.
    Same,
}

/// The number of deviations of both rows together that a difference must exceed to count. A deviation is
/// about half of the samples' range.
const DEVIATIONS: f64 = 3.0;

/// The part of the older time that a difference must also exceed to count: the medians of whole measurements
/// differ by about this part.
const LEAST: f64 = 0.02;

impl Change {
    fn of(new: &Row, old: &Row) -> Change {
        let difference = new.median_seconds - old.median_seconds;
        let noise = DEVIATIONS * (new.deviation_seconds + old.deviation_seconds);
        let verdict = match difference {
            _ if difference.abs() <= noise.max(LEAST * old.median_seconds.abs()) => Verdict::Same,
            _ if difference < 0.0 => Verdict::Faster,
            _ => Verdict::Slower,
        };
        Change { relative: part(difference, old.median_seconds), verdict }
    }
}

/// Stores in each row how it has changed, and returns a line with the numbers of changes.
pub(crate) fn compare(rows: &mut [Row], old: &[Row]) -> String {
    for row in &mut *rows {
        row.change = old.iter().find(|old| is_same(row, old)).map(|old| Change::of(row, old));
    }
    let count =
        |verdict| rows.iter().filter(|row| row.change.map(|change| change.verdict) == verdict).count();
    let [faster, slower, same] = [Verdict::Faster, Verdict::Slower, Verdict::Same].map(|v| count(Some(v)));
    format!(
        "{faster} faster, {slower} slower, {same} within the noise, {} not in the older report",
        count(None)
    )
}

/// Returns the rows whose times differ from the older ones by more than a part of these, and a line with the numbers of all.
pub(crate) fn beyond(rows: &[Row], most: f64) -> (Vec<Row>, String) {
    let relative = |row: &Row| row.change.and_then(|change| change.relative);
    let differs = |row: &&Row| relative(row).is_some_and(|part| part.abs() > most);
    let differing: Vec<Row> = rows.iter().filter(differs).cloned().collect();
    let known = rows.iter().filter(|row| relative(row).is_some()).count();
    let (count, percent) = (differing.len(), 100.0 * most);
    let line = format!(
        "{count} of {known} rows differ by more than {percent} %, {} do not; {} have no row in the older report",
        known - count,
        rows.len() - known
    );
    (differing, line)
}

/// Returns whether both rows have the same device, case, elements and clock. An older report that does not
/// name its clocks fits any clock.
fn is_same(new: &Row, old: &Row) -> bool {
    let key = |row: &Row| (row.device.clone(), row.case.clone(), row.element.clone(), row.n);
    key(new) == key(old) && (new.clock == old.clock || old.clock.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(case: &str, median_seconds: f64, deviation_seconds: f64) -> Row {
        Row { median_seconds, deviation_seconds, ..Row::of(case, "f32", "host") }
    }

    #[test]
    fn only_what_is_beyond_the_noise_of_both_is_a_change() {
        let verdict = |new: (f64, f64), old: (f64, f64)| {
            let mut rows = [row("sum", new.0, new.1)];
            compare(&mut rows, &[row("other", 9.0, 0.0), row("sum", old.0, old.1)]);
            rows[0].change.map(|change| change.verdict)
        };
        assert_eq!(verdict((0.8, 0.01), (1.0, 0.01)), Some(Verdict::Faster));
        assert_eq!(verdict((1.2, 0.01), (1.0, 0.01)), Some(Verdict::Slower));
        assert_eq!(verdict((1.2, 0.01), (1.0, 0.1)), Some(Verdict::Same), "the older row varied");
        assert_eq!(verdict((1.2, 0.1), (1.0, 0.01)), Some(Verdict::Same), "the newer row varies");
        assert_eq!(verdict((1.019, 0.0), (1.0, 0.0)), Some(Verdict::Same), "it is less than 2 %");
        assert_eq!(verdict((-2.0, 0.01), (-1.0, 0.01)), Some(Verdict::Faster), "differences may be negative");
    }

    #[test]
    fn only_rows_that_differ_are_shown() {
        let mut rows =
            [row("sum", 1.04, 0.0), row("sort", 1.02, 0.0), row("scan", 0.9, 0.0), row("new", 1.0, 0.0)];
        compare(&mut rows, &["sum", "sort", "scan"].map(|case| row(case, 1.0, 0.0)));
        let (differing, line) = beyond(&rows, 0.03);
        assert_eq!(differing.iter().map(|row| row.case.as_str()).collect::<Vec<_>>(), ["sum", "scan"]);
        let expected = "2 of 3 rows differ by more than 3 %, 1 do not; 1 have no row in the older report";
        assert_eq!(line, expected);
    }

    #[test]
    fn rows_of_another_size_device_or_clock_are_not_compared() {
        let other = |change: fn(&mut Row)| {
            let mut old = row("sum", 1.0, 0.0);
            change(&mut old);
            let mut rows = [row("sum", 2.0, 0.0)];
            let said = compare(&mut rows, &[old]);
            (rows[0].change.is_some(), said)
        };
        assert_eq!(
            other(|_| {}),
            (true, "0 faster, 1 slower, 0 within the noise, 0 not in the older report".to_owned())
        );
        assert!(other(|row| row.clock.clear()).0, "an older report without a clock");
        let changes: [fn(&mut Row); 4] = [
            |row| row.n = 5,
            |row| row.device = "another".to_owned(),
            |row| row.clock = "device".to_owned(),
            |row| row.element = "f64".to_owned(),
        ];
        for change in changes {
            let (compared, said) = other(change);
            assert!(!compared && said.ends_with("1 not in the older report"), "{said}");
        }
    }
}
