//! Times from several processes, measured by the same clocks for our code and for other libraries.

use super::Row;
use serde::{Deserialize, Serialize};

/// The medians of several processes, in seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Range {
    pub(crate) min: f64,
    pub(crate) median: f64,
    pub(crate) max: f64,
    /// The median of each process, in the order of the processes.
    each: Vec<f64>,
}

impl Range {
    /// Returns the range of the finite numbers in `each`; `None` if it has none.
    pub(crate) fn of(each: impl IntoIterator<Item = f64>) -> Option<Range> {
        let each: Vec<f64> = each.into_iter().filter(|seconds| seconds.is_finite()).collect();
        let mut sorted = each.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let median = *sorted.get(sorted.len() / 2)?;
        Some(Range { min: *sorted.first()?, median, max: *sorted.last()?, each })
    }
}

/// The times by each clock.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Times {
    /// The time of one of many calls back to back, by the host's clock: the time from the first call until
    /// the device is idle, over the number of calls. `None` for work whose data are restored before each
    /// call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) calls: Option<Range>,
    /// The host's time from one call until the device is idle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) host: Option<Range>,
    /// The time from the start of the first command to the end of the last, by the device's events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) device: Option<Range>,
}

/// A clock, as the function that returns its times.
type Clock = fn(&Times) -> Option<&Range>;

/// The clocks by name. Ratios prefer the first.
pub(crate) const CLOCKS: [(&str, Clock); 3] = [
    ("calls", |times| times.calls.as_ref()),
    ("host", |times| times.host.as_ref()),
    ("device", |times| times.device.as_ref()),
];

impl Times {
    /// Creates times from the medians of one process.
    pub(crate) fn once(calls: Option<f64>, host: Option<f64>, device: Option<f64>) -> Times {
        let [calls, host, device] = [calls, host, device].map(Range::of);
        Times { calls, host, device }
    }

    /// Adds the times of other processes.
    pub(crate) fn join(&mut self, other: &Times) {
        let both = |a: &Option<Range>, b: &Option<Range>| {
            Range::of([a, b].into_iter().flatten().flat_map(|range| range.each.iter().copied()))
        };
        *self = Times {
            calls: both(&self.calls, &other.calls),
            host: both(&self.host, &other.host),
            device: both(&self.device, &other.device),
        };
    }
}

/// Another library's time over ours, by one clock for both.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Ratio {
    pub(crate) clock: &'static str,
    /// The library's least time over our greatest.
    pub(crate) low: f64,
    pub(crate) median: f64,
    /// The library's greatest time over our least.
    pub(crate) high: f64,
    /// The number of the library's processes.
    pub(crate) processes: usize,
}

impl Row {
    /// Returns a library's time over ours by each clock that both have, the preferred one first.
    pub(crate) fn ratios(&self, peer: &str) -> Vec<Ratio> {
        let ratio = |(clock, range): (&'static str, fn(&Times) -> Option<&Range>)| {
            let (ours, theirs) = (range(&self.ours)?, range(self.peers.get(peer)?)?);
            let (low, median, high) =
                (theirs.min / ours.max, theirs.median / ours.median, theirs.max / ours.min);
            let processes = theirs.each.len();
            (low.is_finite() && high.is_finite()).then_some(Ratio { clock, low, median, high, processes })
        };
        CLOCKS.into_iter().filter_map(ratio).collect()
    }

    fn is_of(&self, other: &Row) -> bool {
        (&self.device, &self.driver) == (&other.device, &other.driver)
            && (&self.case, &self.element) == (&other.case, &other.element)
            && (self.n, &self.clock) == (other.n, &other.clock)
    }
}

/// Joins the rows of each case from several processes into one row: the row with the median time. Its `ours`
/// and `peers` have the times of all processes.
pub(crate) fn joined(rows: &[Row]) -> Vec<Row> {
    let mut all: Vec<Vec<&Row>> = Vec::new();
    for row in rows {
        match all.iter_mut().find(|same| same[0].is_of(row)) {
            Some(same) => same.push(row),
            None => all.push(vec![row]),
        }
    }
    let join = |same: Vec<&Row>| {
        let mut by_time = same.clone();
        by_time.sort_by(|a, b| a.median_seconds.total_cmp(&b.median_seconds));
        let mut row = by_time[by_time.len() / 2].clone();
        (row.ours, row.peers) = Default::default();
        for one in same {
            row.ours.join(&one.ours);
            for (peer, times) in &one.peers {
                row.peers.entry(peer.clone()).or_default().join(times);
            }
        }
        row
    };
    all.into_iter().map(join).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_several_processes_are_one_with_the_range_of_all() {
        let row = |seconds: f64, theirs: f64| Row {
            median_seconds: seconds,
            ours: Times::once(Some(seconds), Some(2.0 * seconds), None),
            peers: [("std".to_owned(), Times::once(Some(theirs), None, Some(9.0)))].into(),
            ..Row::of("sum", "f32", "host")
        };
        let other = Row::of("sort", "f32", "host");
        let rows = joined(&[row(2.0, 8.0), other.clone(), row(4.0, 6.0), row(1.0, 12.0)]);
        assert_eq!((rows.len(), &rows[1]), (2, &other));
        assert_eq!(rows[0].median_seconds, 2.0);
        assert_eq!(rows[0].ours.calls, Range::of([2.0, 4.0, 1.0]));
        assert_eq!(rows[0].ours.host.as_ref().map(|host| (host.min, host.max)), Some((2.0, 8.0)));
        let expected = Ratio { clock: "calls", low: 6.0 / 4.0, median: 8.0 / 2.0, high: 12.0, processes: 3 };
        assert_eq!(rows[0].ratios("std"), [expected], "the device's clock is theirs alone");
        assert!(rows[0].ratios("rayon").is_empty());
    }

    #[test]
    fn what_is_no_number_is_in_no_range() {
        assert_eq!(Range::of([f64::NAN, f64::INFINITY]), None);
        assert_eq!(Range::of([f64::NAN, 2.0]).map(|range| range.median), Some(2.0));
    }
}
