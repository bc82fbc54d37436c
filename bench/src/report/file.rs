//! Reports as files: one JSON object a line.

use super::{Row, part};
use crate::Failure;
use std::io::Write;
use std::path::Path;

/// Writes a row a line.
pub(crate) fn write(path: &Path, rows: &[Row]) -> Result<(), Failure> {
    let mut text = Vec::new();
    for row in rows {
        serde_json::to_writer(&mut text, row)?;
        writeln!(text)?;
    }
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()).into())
}

/// The rows of a report, of an older kind as well.
pub(crate) fn read(path: &Path) -> Result<Vec<Row>, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let row = |(at, line): (usize, &str)| {
        let row: Result<Row, _> = serde_json::from_str(line);
        let mut row = row.map_err(|error| format!("{}, line {}: {error}", path.display(), at + 1))?;
        row.spread = part(row.deviation_seconds, row.median_seconds);
        Ok(row)
    };
    text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.json");
        let mut rows = [Row::of("sum", "f32", "host"), Row::of("sort", "u32", "device")];
        rows[0].peers.insert("CUB".to_owned(), 0.1);
        rows[1].gb_per_s = Some(0.3);
        write(&path, &rows).unwrap();
        assert_eq!(read(&path).unwrap(), rows);
        std::fs::write(&path, "{}\n").unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("report.json, line 1: missing field"));
        assert!(read(&folder.path().join("none")).unwrap_err().to_string().contains("none: "));
    }

    #[test]
    fn rows_of_older_programs_have_fewer_fields() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("older.json");
        let row = r#"{"device":"x","driver":"1","case":"sum","element":"f32","n":8,"median_seconds":0.5,
            "gb_per_s":null,"fraction_of_copy":null,"host_seconds":0.75,"peers":{"CUB":0.25}}"#;
        std::fs::write(&path, row.replace('\n', "")).unwrap();
        let rows = read(&path).unwrap();
        assert_eq!(
            (rows[0].clock.as_str(), rows[0].deviation_seconds, rows[0].host_seconds),
            ("", 0.0, Some(0.75))
        );
    }

    #[test]
    fn numbers_that_json_has_not_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.json");
        let mut row = Row { median_seconds: 0.0, n: 8, ..Row::of("call: difference", "f32", "host") };
        row.elements_per_second = Some(f64::INFINITY);
        row.peers = [("CUB".to_owned(), f64::NAN), ("std".to_owned(), 1.0)].into();
        let mut rows = [row.clone()];
        super::super::compare(&mut rows, &[row]);
        rows[0].spread = Some(f64::NAN);
        write(&path, &rows).unwrap();
        let read = read(&path).unwrap();
        assert_eq!((read[0].spread, read[0].elements_per_second), (None, None));
        assert_eq!(read[0].change.map(|change| change.relative), Some(None));
        assert_eq!(read[0].peers, [("std".to_owned(), 1.0)].into());
    }

    #[test]
    fn reports_that_were_kept_can_be_read() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
        let mut count = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            assert!(!read(&entry.unwrap().path()).unwrap().is_empty());
            count += 1;
        }
        assert!(count > 0);
    }
}
