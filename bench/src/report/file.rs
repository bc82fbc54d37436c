//! Reports as files: one JSON object a line.

use super::Row;
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
        row.spread = row.deviation_seconds / row.median_seconds.abs();
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
