//! Rows, and the reports that are made of them.

mod compare;
#[cfg(test)]
mod documents;
mod file;
mod html;
mod sizes;
mod table;
mod times;

pub(crate) use compare::{beyond, compare};
pub(crate) use file::{read, write};
pub(crate) use html::page;
pub(crate) use sizes::by_size;
pub(crate) use table::{heading, line, table};
pub(crate) use times::{Times, joined};

use compare::Change;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One measured case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    /// The device with its platform.
    pub(crate) device: String,
    /// The driver's version.
    pub(crate) driver: String,
    /// The case's name.
    pub(crate) case: String,
    /// The element type.
    pub(crate) element: String,
    /// The number of elements.
    pub(crate) n: usize,
    /// The clock: `device` (profiling events) or `host` (wall clock). Empty in older reports that do not
    /// name it.
    #[serde(default)]
    pub(crate) clock: String,
    /// The median time of one evaluation by `clock`, or the median difference of two times.
    pub(crate) median_seconds: f64,
    /// The median absolute deviation of the samples.
    #[serde(default)]
    pub(crate) deviation_seconds: f64,
    /// `deviation_seconds` over the median; `None` if the median is 0, because JSON lacks infinite numbers.
    #[serde(default)]
    pub(crate) spread: Option<f64>,
    /// Elements over the median time; `None` if the case has no elements.
    #[serde(default)]
    pub(crate) elements_per_second: Option<f64>,
    /// The bytes that must be read and written, over the median time; `None` if these are 0 bytes.
    pub(crate) gb_per_s: Option<f64>,
    /// `gb_per_s` over the copy bandwidth of the same device in the same process, for vectors of about as
    /// many bytes: the better one of `clEnqueueCopyBuffer` and a copy kernel.
    pub(crate) fraction_of_copy: Option<f64>,
    /// The time that the necessary bytes or operations take at the device's limit, over the median time.
    #[serde(default)]
    pub(crate) fraction_of_roofline: Option<f64>,
    /// The times of one evaluation by each clock, in each process.
    #[serde(default)]
    pub(crate) ours: Times,
    /// The times of other libraries, by their names.
    #[serde(default)]
    pub(crate) peers: BTreeMap<String, Times>,
    /// The change since an older report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) change: Option<Change>,
}

/// Returns a ratio; `None` if it is not finite.
pub(crate) fn part(of: f64, whole: f64) -> Option<f64> {
    Some(of / whole.abs()).filter(|part| part.is_finite())
}

impl Row {
    /// Returns the number of bytes of one vector. A size of `--sizes` means the same number for all types.
    pub(crate) fn vector_bytes(&self) -> usize {
        self.n * element_bytes(&self.element)
    }

    /// Returns the case's name with the element type.
    pub(crate) fn label(&self) -> String {
        format!("{} {}", self.case, self.element)
    }

    /// Returns a row that took a second.
    #[cfg(test)]
    pub(crate) fn of(case: &str, element: &str, clock: &str) -> Row {
        Row {
            device: String::new(),
            driver: String::new(),
            case: case.to_owned(),
            element: element.to_owned(),
            n: 0,
            clock: clock.to_owned(),
            median_seconds: 1.0,
            deviation_seconds: 0.0,
            spread: Some(0.0),
            elements_per_second: None,
            gb_per_s: None,
            fraction_of_copy: None,
            fraction_of_roofline: None,
            ours: Times::default(),
            peers: BTreeMap::new(),
            change: None,
        }
    }
}

/// Returns the size of a case's element type; `c32` is a complex number of two `f32`.
pub(crate) fn element_bytes(element: &str) -> usize {
    match element {
        "c64" => 16,
        "f64" | "i64" | "u64" | "c32" => 8,
        "u16" => 2,
        "u8" => 1,
        _ => 4,
    }
}

pub(crate) fn size(n: usize) -> String {
    if n.is_power_of_two() && n >= 1024 { format!("2^{}", n.ilog2()) } else { n.to_string() }
}

pub(crate) fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.2} µs", s * 1e6),
        s if s < 1.0 => format!("{:.3} ms", s * 1e3),
        s => format!("{s:.3} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times_are_short() {
        assert_eq!([size(1 << 24), size(1000), size(8)], ["2^24", "1000", "8"]);
        assert_eq!([time(2.5e-6), time(0.0125), time(1.5)], ["2.50 µs", "12.500 ms", "1.500 s"]);
    }
}
