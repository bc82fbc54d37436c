//! Rows, and what is made of them for people.

mod compare;
mod file;
mod html;

pub(crate) use compare::compare;
pub(crate) use file::{read, write};
pub(crate) use html::page;

use comfy_table::{CellAlignment, LineStyle, Table, presets};
use compare::{Change, Verdict};
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
    /// Where the time comes from: `device` (profiling events) or `host` (wall clock).
    pub(crate) clock: String,
    /// Median time of one evaluation, or by how much one takes longer than another, by `clock`.
    pub(crate) median_seconds: f64,
    /// Median absolute deviation of the samples.
    pub(crate) deviation_seconds: f64,
    /// `deviation_seconds` over the median.
    #[serde(default)]
    pub(crate) spread: f64,
    /// From the first start to the last end of an evaluation's commands, by profiling events; none where
    /// nothing runs on the device, or the host's part is what is measured.
    #[serde(default)]
    pub(crate) device_seconds: Option<f64>,
    /// From the call to the end of its last command, by the host's clock.
    #[serde(default)]
    pub(crate) host_seconds: Option<f64>,
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
    /// Seconds that other libraries take by the same clock, by their names.
    #[serde(default)]
    pub(crate) peers: BTreeMap<String, f64>,
    /// The same by the host's clock.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) peers_host: BTreeMap<String, f64>,
    /// Against an older report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) change: Option<Change>,
}

impl Row {
    /// Bytes of one vector. Cases of one size have the same, whatever their element type.
    pub(crate) fn vector_bytes(&self) -> usize {
        self.n * element_bytes(&self.element)
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
            spread: 0.0,
            device_seconds: None,
            host_seconds: None,
            elements_per_second: None,
            gb_per_s: None,
            fraction_of_copy: None,
            fraction_of_roofline: None,
            peers: BTreeMap::new(),
            peers_host: BTreeMap::new(),
            change: None,
        }
    }
}

/// The size of a case's element type; `c32` is a complex number of two `f32`.
pub(crate) fn element_bytes(element: &str) -> usize {
    match element {
        "c64" => 16,
        "f64" | "i64" | "u64" | "c32" => 8,
        "u8" => 1,
        _ => 4,
    }
}

/// The rows as a table for people.
pub(crate) fn table(rows: &[Row]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none()));
    let mut header =
        vec!["case", "element", "n", "time", "±", "by", "host", "GB/s", "of copy", "of roof", "elements/s"];
    let with_peers = rows.iter().any(|row| !row.peers.is_empty());
    let with_changes = rows.iter().any(|row| row.change.is_some());
    if with_peers {
        header.push("peer's time / ours");
    }
    if with_changes {
        header.push("change");
    }
    table.set_header(header);
    for row in rows {
        let number = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.1}"));
        let percent = |part: Option<f64>| part.map_or(String::new(), |part| format!("{:.1} %", 100.0 * part));
        let mut cells = vec![
            row.case.clone(),
            row.element.clone(),
            size(row.n),
            time(row.median_seconds),
            format!("{:.1} %", 100.0 * row.spread),
            row.clock.clone(),
            row.host_seconds.map_or(String::new(), time),
            number(row.gb_per_s),
            percent(row.fraction_of_copy),
            percent(row.fraction_of_roofline),
            row.elements_per_second.map_or(String::new(), |rate| format!("{rate:.2e}")),
        ];
        if with_peers {
            let ratios =
                row.peers.iter().map(|(peer, time)| format!("{peer} {:.2}", time / row.median_seconds));
            cells.push(ratios.collect::<Vec<_>>().join(", "));
        }
        if with_changes {
            cells.push(row.change.map_or(String::new(), change));
        }
        table.add_row(cells);
    }
    for column in (2..11).filter(|column| *column != 5) {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn change(change: Change) -> String {
    let mark = match change.verdict {
        Verdict::Faster => " faster",
        Verdict::Slower => " SLOWER",
        Verdict::Same => "",
    };
    format!("{:+.1} %{mark}", 100.0 * change.relative)
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
    fn peers_have_a_column_where_there_are_any() {
        let mut rows = [Row::of("sum", "f32", ""), Row::of("call", "f32", "")];
        assert!(!table(&rows).to_string().contains("peer"));
        rows[0].peers.insert("CUB".to_owned(), 1.25);
        let text = table(&rows).to_string();
        assert!(text.contains("peer's time / ours") && text.contains("CUB 1.25"), "{text}");
    }

    #[test]
    fn changes_have_a_column_that_marks_those_that_count() {
        let mut rows = [Row::of("sum", "f32", ""), Row::of("sort", "f32", "")];
        assert!(!table(&rows).to_string().contains("change"));
        rows[0].change = Some(Change { relative: 0.125, verdict: Verdict::Slower });
        rows[1].change = Some(Change { relative: -0.01, verdict: Verdict::Same });
        let text = table(&rows).to_string();
        assert!(text.contains("+12.5 % SLOWER") && text.contains("-1.0 % "), "{text}");
    }

    #[test]
    fn sizes_and_times_are_short() {
        assert_eq!([size(1 << 24), size(1000), size(8)], ["2^24", "1000", "8"]);
        assert_eq!([time(2.5e-6), time(0.0125), time(1.5)], ["2.50 µs", "12.500 ms", "1.500 s"]);
    }
}
