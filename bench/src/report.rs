//! Rows and the table made of them.

use comfy_table::{CellAlignment, Table, presets};
use serde::{Deserialize, Serialize};

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
    /// Median time of one evaluation.
    pub(crate) median_seconds: f64,
    /// Median absolute deviation of the samples.
    pub(crate) deviation_seconds: f64,
    /// Bytes that must be read and written, over the median time; none where that means nothing.
    pub(crate) gb_per_s: Option<f64>,
    /// `gb_per_s` over the copy bandwidth of the same device, element count and run: the better
    /// one of `clEnqueueCopyBuffer` and a copy kernel.
    pub(crate) fraction_of_copy: Option<f64>,
}

/// Names of the cases that measure the copy bandwidth begin like this.
pub(crate) const COPY: &str = "copy";

/// Fills in each row's fraction of the copy bandwidth.
pub(crate) fn with_fractions(mut rows: Vec<Row>) -> Vec<Row> {
    let best = rows.iter().filter(|row| row.case.starts_with(COPY)).filter_map(|row| row.gb_per_s);
    let Some(best) = best.max_by(f64::total_cmp) else { return rows };
    for row in &mut rows {
        row.fraction_of_copy = row.gb_per_s.map(|rate| rate / best);
    }
    rows
}

/// The rows as a table for people.
pub(crate) fn table(rows: &[Row]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    table.set_header(["case", "element", "n", "time", "±", "GB/s", "of copy", "clock"]);
    for row in rows {
        let number =
            |value: Option<f64>, digits: usize| value.map_or(String::new(), |v| format!("{v:.digits$}"));
        table.add_row([
            row.case.clone(),
            row.element.clone(),
            size(row.n),
            time(row.median_seconds),
            format!("{:.1} %", 100.0 * row.deviation_seconds / row.median_seconds),
            number(row.gb_per_s, 1),
            row.fraction_of_copy.map_or(String::new(), |f| format!("{:.1} %", 100.0 * f)),
            row.clock.clone(),
        ]);
    }
    for column in 2..7 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn size(n: usize) -> String {
    if n.is_power_of_two() && n >= 1024 { format!("2^{}", n.ilog2()) } else { n.to_string() }
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.2} µs", s * 1e6),
        s if s < 1.0 => format!("{:.3} ms", s * 1e3),
        s => format!("{s:.3} s"),
    }
}
