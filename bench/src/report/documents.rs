//! Checks that the tables of ratios in the documents agree with kept reports.
//!
//! In a document a table stands between two lines:
//!
//! ```text
//! <!-- ratios 2026-11-23-nvidia-h200.json: sum f32; sort u32; FFT of 1000 points c32 -->
//! <!-- end of ratios -->
//! ```
//!
//! The first line names a file of `bench/results` and the cases, or `all` cases with other libraries. To update
//! the tables: `WRITE_TABLES=1 cargo test -p cl-bench tables_in_documents`.

use super::{Row, read, size, time};
use std::fmt::Write;
use std::path::{Path, PathBuf};

const BEGIN: &str = "<!-- ratios ";
const END: &str = "<!-- end of ratios -->";

/// Returns the table of these cases.
fn table(rows: &[Row], cases: &str) -> Result<String, String> {
    let mut text =
        "| case | elements | ours | beside | theirs / ours, host's clock | device's events |\n".to_owned();
    text += "| --- | ---: | ---: | --- | ---: | ---: |\n";
    let wanted: Vec<&str> = cases.split(';').map(str::trim).collect();
    let labels = rows.iter().map(Row::label).collect::<Vec<_>>();
    if let Some(unknown) =
        wanted.iter().find(|case| **case != "all" && !labels.iter().any(|label| label == *case))
    {
        return Err(format!("the report has no case `{unknown}`"));
    }
    for row in rows.iter().filter(|row| wanted == ["all"] || wanted.contains(&row.label().as_str())) {
        for peer in row.peers.keys() {
            let ratios = row.ratios(peer);
            let by = |clocks: &[&str]| {
                let ratio = ratios.iter().find(|ratio| clocks.contains(&ratio.clock));
                ratio.map_or("not measured".to_owned(), |ratio| match ratio.processes {
                    1 => format!("{:.2}", ratio.median),
                    _ => format!("{:.2} ({:.2} to {:.2})", ratio.median, ratio.low, ratio.high),
                })
            };
            let (host, device) = (by(&["calls", "host"]), by(&["device"]));
            let (label, n, ours) = (row.label(), size(row.n), time(row.median_seconds));
            writeln!(text, "| {label} | {n} | {ours} | {peer} | {host} | {device} |")
                .map_err(|e| e.to_string())?;
        }
    }
    Ok(text)
}

/// Returns a document with its tables brought up to date.
fn with_tables(document: &str) -> Result<String, String> {
    let mut text = String::new();
    let mut lines = document.lines();
    while let Some(line) = lines.next() {
        text += line;
        text += "\n";
        let Some(asked) = line.strip_prefix(BEGIN) else { continue };
        let (report, cases) = asked
            .strip_suffix(" -->")
            .and_then(|asked| asked.split_once(": "))
            .ok_or(format!("not understood: {line}"))?;
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
        let rows = read(&folder.join(report)).map_err(|error| error.to_string())?;
        text += &format!("\n{}\n{END}\n", table(&rows, cases)?);
        if !lines.by_ref().any(|line| line == END) {
            return Err(format!("no `{END}` behind {line}"));
        }
    }
    Ok(text)
}

/// Returns the documents that contain tables.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let named = ["README.md", "ARCHITECTURE.md", "docs/performance.md"];
    let mut all: Vec<PathBuf> = named.iter().map(|path| root.join(path)).collect();
    let pages = std::fs::read_dir(root.join("docs/book/src")).unwrap().map(|entry| entry.unwrap().path());
    all.extend(pages.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    all
}

#[test]
fn tables_in_documents_are_those_of_kept_reports() {
    let mut count = 0;
    for path in documents() {
        let text = std::fs::read_to_string(&path).unwrap();
        let expected = with_tables(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        if std::env::var_os("WRITE_TABLES").is_some() {
            std::fs::write(&path, &expected).unwrap();
            continue;
        }
        count += text.matches(BEGIN).count();
        let differs = text.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
        assert_eq!(
            differs,
            None,
            "{}: found and expected; see bench/src/report/documents.rs",
            path.display()
        );
        assert_eq!(text, expected, "{}", path.display());
    }
    assert!(count > 1 || std::env::var_os("WRITE_TABLES").is_some(), "{count}");
}

#[test]
fn a_figure_that_was_changed_by_hand_is_found() {
    let document = format!("Before.\n{BEGIN}2026-11-23-nvidia-h200.json: sum f32 -->\n{END}\nAfter.\n");
    let right = with_tables(&document).unwrap();
    assert!(right.starts_with("Before.\n") && right.ends_with(&format!("{END}\nAfter.\n")), "{right}");
    assert!(right.contains("| sum f32 | 2^28 |") && right.contains("| CUB | 1.11 | 1.16 |"), "{right}");
    assert_eq!(with_tables(&right).unwrap(), right);
    let changed = right.replace("1.16", "1.17");
    assert_eq!(with_tables(&changed).unwrap(), right);
    let error = |old: &str, new: &str| with_tables(&right.replace(old, new)).unwrap_err();
    assert!(error("sum f32", "no f32").contains("no case `no f32`"));
    assert!(error("-h200", "-h2").contains("2026-11-23-nvidia-h2.json"));
    assert!(error(END, "").contains("no `<!-- end"));
}
