//! Rows and the table made of them.

use comfy_table::{CellAlignment, LineStyle, Table, presets};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One measured case.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
    /// Median time of one evaluation, or by how much one takes longer than another.
    pub(crate) median_seconds: f64,
    /// Median absolute deviation of the samples.
    pub(crate) deviation_seconds: f64,
    /// Bytes that must be read and written, over the median time; none where that means nothing.
    pub(crate) gb_per_s: Option<f64>,
    /// `gb_per_s` over the copy bandwidth of the same device and run, for vectors of as many bytes:
    /// the better one of `clEnqueueCopyBuffer` and a copy kernel.
    pub(crate) fraction_of_copy: Option<f64>,
    /// Seconds that other libraries take, by their names.
    #[serde(default)]
    pub(crate) peers: BTreeMap<String, f64>,
}

impl Row {
    /// Bytes of one vector. Cases of one size have the same, whatever their element type.
    fn vector_bytes(&self) -> usize {
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
            gb_per_s: None,
            fraction_of_copy: None,
            peers: BTreeMap::new(),
        }
    }
}

/// The size of a case's element type.
pub(crate) fn element_bytes(element: &str) -> usize {
    match element {
        "f64" | "i64" | "u64" | "c32" => 8,
        "c64" => 16,
        "u8" => 1,
        _ => 4,
    }
}

/// Names of the cases that measure the copy bandwidth begin like this.
pub(crate) const COPY: &str = "copy (";

/// Fills in each row's fraction of the copy bandwidth.
pub(crate) fn with_fractions(mut rows: Vec<Row>) -> Vec<Row> {
    let copies: Vec<(usize, f64)> = rows
        .iter()
        .filter(|row| row.case.starts_with(COPY))
        .filter_map(|row| Some((row.vector_bytes(), row.gb_per_s?)))
        .collect();
    for row in &mut rows {
        let of_this_size = copies.iter().filter(|(bytes, _)| *bytes == row.vector_bytes());
        let best = of_this_size.map(|(_, rate)| *rate).max_by(f64::total_cmp);
        row.fraction_of_copy = row.gb_per_s.zip(best).map(|(rate, best)| rate / best);
    }
    rows
}

/// The rows as a table for people.
pub(crate) fn table(rows: &[Row]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none()));
    let mut header = vec!["case", "element", "n", "time", "±", "GB/s", "of copy", "clock"];
    if with_peers(rows) {
        header.push("peer's time / ours");
    }
    table.set_header(header);
    for row in rows {
        let number =
            |value: Option<f64>, digits: usize| value.map_or(String::new(), |v| format!("{v:.digits$}"));
        let mut cells = vec![
            row.case.clone(),
            row.element.clone(),
            size(row.n),
            time(row.median_seconds),
            format!("{:.1} %", 100.0 * row.deviation_seconds / row.median_seconds.abs()),
            number(row.gb_per_s, 1),
            row.fraction_of_copy.map_or(String::new(), |f| format!("{:.1} %", 100.0 * f)),
            row.clock.clone(),
        ];
        if with_peers(rows) {
            let ratios =
                row.peers.iter().map(|(peer, time)| format!("{peer} {:.2}", time / row.median_seconds));
            cells.push(ratios.collect::<Vec<_>>().join(", "));
        }
        table.add_row(cells);
    }
    for column in 2..7 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn with_peers(rows: &[Row]) -> bool {
    rows.iter().any(|row| !row.peers.is_empty())
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

    fn row(case: &str, element: &str, n: usize, rate: f64) -> Row {
        Row { n, gb_per_s: (rate > 0.0).then_some(rate), ..Row::of(case, element, "") }
    }

    #[test]
    fn peers_have_a_column_where_there_are_any() {
        let mut rows = [row("sum", "f32", 64, 30.0), row("call", "f32", 64, 0.0)];
        assert!(!table(&rows).to_string().contains("peer"));
        rows[0].peers.insert("CUB".to_owned(), 1.25);
        let text = table(&rows).to_string();
        assert!(text.contains("peer's time / ours") && text.contains("CUB 1.25"), "{text}");
    }

    #[test]
    fn a_case_is_compared_with_the_better_copy_of_its_own_size() {
        let rows = vec![
            row("copy (by hand)", "f32", 64, 10.0),
            row("copy (by machine)", "f32", 64, 20.0),
            row("copy (by hand)", "f32", 1024, 100.0),
            row("sum", "f32", 64, 30.0),
            row("sum", "f64", 32, 10.0),
            row("sum", "u32", 1024, 50.0),
            row("sum", "u32", 7, 50.0),
            row("call", "f32", 64, 0.0),
        ];
        let fractions: Vec<Option<f64>> =
            with_fractions(rows).iter().map(|row| row.fraction_of_copy).collect();
        let (half, one) = (Some(0.5), Some(1.0));
        assert_eq!(fractions, [half, one, one, Some(1.5), half, half, None, None]);
    }

    #[test]
    fn sizes_and_times_are_short() {
        assert_eq!([size(1 << 24), size(1000), size(8)], ["2^24", "1000", "8"]);
        assert_eq!([time(2.5e-6), time(0.0125), time(1.5)], ["2.50 µs", "12.500 ms", "1.500 s"]);
    }
}
