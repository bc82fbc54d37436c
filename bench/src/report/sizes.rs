//! The times of cases at several sizes, as one table.

use super::{Row, size, time};
use comfy_table::{CellAlignment, LineStyle, Table, presets};
use std::collections::BTreeSet;

/// Returns a table with a line for each case and for each library that has it, and a column for each size: the median time,
/// and a library's time over ours. The sizes are numbers of elements of 4 bytes.
pub(crate) fn by_size(rows: &[Row]) -> Table {
    let words = |row: &Row| row.vector_bytes() / 4;
    // Transforms do not fill every size, so their rows belong to the least size that they fit into.
    let all: BTreeSet<usize> = rows.iter().map(words).collect();
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none()));
    table.set_header(["case".to_owned(), "by".to_owned()].into_iter().chain(all.iter().map(|&n| size(n))));
    let mut labels: Vec<String> = Vec::new();
    for row in rows {
        if !labels.contains(&row.label()) {
            labels.push(row.label());
        }
    }
    for label in labels {
        let own: Vec<&Row> = rows.iter().filter(|row| row.label() == label).collect();
        let line = |cell: &dyn Fn(&Row) -> String| -> Vec<String> {
            let of =
                |n: &usize| own.iter().find(|row| words(row) == *n).map_or(String::new(), |row| cell(row));
            all.iter().map(of).collect()
        };
        let clock = own.first().map_or(String::new(), |row| row.clock.clone());
        table.add_row([vec![label, clock], line(&|row| time(row.median_seconds))].concat());
        let peers: BTreeSet<&String> = own.iter().flat_map(|row| row.peers.keys()).collect();
        for peer in peers {
            let ratio = |row: &Row| row.ratios(peer).into_iter().next();
            let clock = own.iter().find_map(|row| ratio(row)).map_or("", |ratio| ratio.clock);
            let ratios =
                line(&|row| ratio(row).map_or(String::new(), |ratio| format!("{:.2}", ratio.median)));
            table.add_row([vec![format!("    {peer} / ours"), clock.to_owned()], ratios].concat());
        }
    }
    for at in 2..2 + all.len() {
        if let Some(column) = table.column_mut(at) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::super::Times;
    use super::*;

    #[test]
    fn each_size_has_a_column() {
        let row = |case: &str, element: &str, n| Row {
            n,
            ours: Times::once(None, Some(2.0), None),
            ..Row::of(case, element, "host")
        };
        let mut rows = [row("sum", "f32", 1 << 16), row("sum", "f32", 1 << 18), row("FFT", "c32", 1 << 15)];
        rows[1].peers.insert("CUB".to_owned(), Times::once(None, Some(3.0), None));
        let text = by_size(&rows).to_string();
        let cells = |begin: &str| -> Vec<String> {
            let line = text.lines().find(|line| line.trim_start().starts_with(begin)).unwrap();
            line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_owned).collect()
        };
        assert_eq!(cells("case"), ["case", "by", "2^16", "2^18"]);
        assert_eq!(cells("sum"), ["sum f32", "host", "1.000 s", "1.000 s"]);
        assert_eq!(cells("CUB"), ["CUB / ours", "host", "1.50"]);
        assert_eq!(cells("FFT"), ["FFT c32", "host", "1.000 s"]);
    }
}
