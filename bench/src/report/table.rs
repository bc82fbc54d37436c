//! The rows as a table for readers.

use super::compare::{Change, Verdict};
use super::{Row, size, time};
use comfy_table::{CellAlignment, LineStyle, Table, presets};

/// One of the table's columns.
struct Column {
    heading: &'static str,
    /// `true` if the column is aligned at the right.
    is_number: bool,
    cell: fn(&Row) -> String,
}

const fn words(heading: &'static str, cell: fn(&Row) -> String) -> Column {
    Column { heading, is_number: false, cell }
}

const fn numbers(heading: &'static str, cell: fn(&Row) -> String) -> Column {
    Column { heading, is_number: true, cell }
}

const COLUMNS: [Column; 11] = [
    words("case", |row| row.case.clone()),
    words("element", |row| row.element.clone()),
    numbers("n", |row| size(row.n)),
    numbers("time", |row| time(row.median_seconds)),
    numbers("±", |row| percent(row.spread)),
    words("by", |row| row.clock.clone()),
    numbers("host", |row| row.ours.host.as_ref().map_or(String::new(), |host| time(host.median))),
    numbers("GB/s", |row| row.gb_per_s.map_or(String::new(), |rate| format!("{rate:.1}"))),
    numbers("of copy", |row| percent(row.fraction_of_copy)),
    numbers("of roof", |row| percent(row.fraction_of_roofline)),
    numbers("elements/s", |row| row.elements_per_second.map_or(String::new(), |rate| format!("{rate:.2e}"))),
];

/// The columns that a narrow terminal leaves out, the least important first. The report as a file has all
/// columns.
const DISPENSABLE: [&str; 7] = ["elements/s", "by", "host", "of copy", "±", "GB/s", "of roof"];

/// Returns the table. If `width` is less than the table's, the least important columns are left out.
pub(crate) fn table(rows: &[Row], width: Option<usize>) -> Table {
    let mut columns: Vec<&Column> = COLUMNS.iter().collect();
    if rows.iter().any(|row| !row.peers.is_empty()) {
        columns.push(const { &words("peer's time / ours", ratios) });
    }
    if rows.iter().any(|row| row.change.is_some()) {
        columns.push(const { &words("change", |row| row.change.map_or(String::new(), change)) });
    }
    let mut table = of_columns(&columns, rows);
    for heading in DISPENSABLE {
        let is_too_wide = |width| table.lines().any(|line| line.chars().count() > width);
        if !width.is_some_and(is_too_wide) {
            break;
        }
        columns.retain(|column| column.heading != heading);
        table = of_columns(&columns, rows);
    }
    table
}

fn of_columns(columns: &[&Column], rows: &[Row]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none()));
    table.set_header(columns.iter().map(|column| column.heading));
    for row in rows {
        table.add_row(columns.iter().map(|column| (column.cell)(row)));
    }
    let is_number = |at: &usize| columns[*at].is_number;
    for at in (0..columns.len()).filter(is_number) {
        if let Some(column) = table.column_mut(at) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn percent(part: Option<f64>) -> String {
    part.map_or(String::new(), |part| format!("{:.1} %", 100.0 * part))
}

/// Returns each library's time over ours, with the least and the greatest if there were several processes.
fn ratios(row: &Row) -> String {
    let ratio = |peer: &String| {
        let ratio = row.ratios(peer).into_iter().next()?;
        let [low, median, high] = [ratio.low, ratio.median, ratio.high].map(|value| format!("{value:.2}"));
        Some(if low == high {
            format!("{peer} {median}")
        } else {
            format!("{peer} {median} ({low} to {high})")
        })
    };
    row.peers.keys().filter_map(ratio).collect::<Vec<_>>().join(", ")
}

/// The columns, with their widths, of the line that is printed when a row is measured. The ratios to other
/// libraries follow at the end of the line.
const FIRST: [(&str, usize); 7] =
    [("case", 49), ("element", 7), ("n", 9), ("time", 11), ("±", 8), ("GB/s", 8), ("of copy", 9)];

/// Returns the line of headings above the rows.
pub(crate) fn heading() -> String {
    laid_out(|column| column.heading.to_owned())
}

/// Returns the row as one line.
pub(crate) fn line(row: &Row) -> String {
    let line = laid_out(|column| (column.cell)(row));
    format!("{line}  {}", ratios(row)).trim_end().to_owned()
}

fn laid_out(cell: impl Fn(&Column) -> String) -> String {
    let columns = FIRST.iter().filter_map(|(heading, width)| {
        let column = COLUMNS.iter().find(|column| column.heading == *heading)?;
        let text = cell(column);
        Some(if column.is_number { format!("{text:>width$}") } else { format!("{text:<width$}") })
    });
    columns.collect::<Vec<_>>().join(" ")
}

fn change(change: Change) -> String {
    let mark = match change.verdict {
        Verdict::Faster => " faster",
        Verdict::Slower => " SLOWER",
        Verdict::Same => "",
    };
    let relative = change.relative.map_or(String::new(), |relative| format!("{:+.1} %", 100.0 * relative));
    relative + mark
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peers_have_a_column_where_there_are_any() {
        let mut rows = [Row::of("sum", "f32", ""), Row::of("call", "f32", "")];
        assert!(!table(&rows, None).to_string().contains("peer"));
        rows[0].ours = super::super::Times::once(Some(2.0), None, Some(1.0));
        rows[0].peers.insert("CUB".to_owned(), super::super::Times::once(Some(2.5), None, Some(9.0)));
        let text = table(&rows, None).to_string();
        assert!(text.contains("peer's time / ours") && text.contains("CUB 1.25"), "{text}");
        rows[0].ours.join(&super::super::Times::once(Some(1.0), None, None));
        let line = line(&rows[0]);
        assert!(line.starts_with("sum ") && line.ends_with("CUB 1.25 (1.25 to 2.50)"), "{line}");
        let columns = FIRST.map(|(heading, _)| heading);
        assert!(columns.iter().all(|column| heading().contains(column)), "{}", heading());
    }

    #[test]
    fn changes_have_a_column_that_marks_those_that_count() {
        let mut rows = [Row::of("sum", "f32", ""), Row::of("sort", "f32", "")];
        assert!(!table(&rows, None).to_string().contains("change"));
        rows[0].change = Some(Change { relative: Some(0.125), verdict: Verdict::Slower });
        rows[1].change = Some(Change { relative: Some(-0.01), verdict: Verdict::Same });
        let text = table(&rows, None).to_string();
        assert!(text.contains("+12.5 % SLOWER") && text.contains("-1.0 % "), "{text}");
    }

    #[test]
    fn a_narrow_table_has_fewer_columns() {
        let rows = [Row { median_seconds: 0.0125, n: 8, ..Row::of("a case", "f32", "host") }];
        let width = |width| table(&rows, width).lines().map(|line| line.chars().count()).max().unwrap();
        let all = width(None);
        let (same, narrower) = (table(&rows, Some(all)).to_string(), table(&rows, Some(all - 1)).to_string());
        assert!(same.contains("elements/s") && !narrower.contains("elements/s") && narrower.contains("host"));
        assert!(width(Some(60)) <= 60 && table(&rows, Some(60)).to_string().contains("12.500 ms"));
        // The most important columns stay at every width.
        let least = table(&rows, Some(1)).to_string();
        assert!(["case", "element", "n", "time"].iter().all(|heading| least.contains(heading)), "{least}");
    }
}
