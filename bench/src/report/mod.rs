//! Rows, and what is made of them for people.

mod compare;
#[cfg(test)]
mod documents;
mod file;
mod html;
mod table;
mod times;

pub(crate) use compare::compare;
pub(crate) use file::{read, write};
pub(crate) use html::page;
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
    /// Number of elements.
    pub(crate) n: usize,
    /// Where the time comes from: `device` (profiling events) or `host` (wall clock); empty where an older report does
    /// not say it.
    #[serde(default)]
    pub(crate) clock: String,
    /// Median time of one evaluation, or by how much one takes longer than another, by `clock`.
    pub(crate) median_seconds: f64,
    /// Median absolute deviation of the samples.
    #[serde(default)]
    pub(crate) deviation_seconds: f64,
    /// `deviation_seconds` over the median; none where that is 0. JSON has no infinite numbers.
    #[serde(default)]
    pub(crate) spread: Option<f64>,
    /// Elements over the median time; none for what has no elements.
    #[serde(default)]
    pub(crate) elements_per_second: Option<f64>,
    /// Bytes that must be read and written, over the median time; none where that means nothing.
    pub(crate) gb_per_s: Option<f64>,
    /// `gb_per_s` over the copy bandwidth of the same device and run, for vectors of about as many bytes:
    /// the better one of `clEnqueueCopyBuffer` and a copy kernel.
    pub(crate) fraction_of_copy: Option<f64>,
    /// How long the bytes take that must be moved, or the operations that must be done, at the device's best,
    /// over the median time.
    #[serde(default)]
    pub(crate) fraction_of_roofline: Option<f64>,
    /// What one evaluation takes by each clock, in each process.
    #[serde(default)]
    pub(crate) ours: Times,
    /// The same of other libraries, by their names.
    #[serde(default)]
    pub(crate) peers: BTreeMap<String, Times>,
    /// Against an older report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) change: Option<Change>,
}

/// The part that something is of a size; none of nothing.
pub(crate) fn part(of: f64, whole: f64) -> Option<f64> {
    Some(of / whole.abs()).filter(|part| part.is_finite())
}

impl Row {
    /// Bytes of one vector. Cases of one size have the same, whatever their element type.
    pub(crate) fn vector_bytes(&self) -> usize {
        self.n * element_bytes(&self.element)
    }

    /// The case's name with the element type.
    pub(crate) fn label(&self) -> String {
        format!("{} {}", self.case, self.element)
    }

    /// A row that took a second.
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

/// The size of a case's element type; `c32` is a complex number of two `f32`.
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
