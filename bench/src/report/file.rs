//! Reports as files with one JSON object per line.

use super::times::Range;
use super::{Row, part};
use crate::failure::Failure;
use serde_json::{Map, Value, json};
use std::io::Write;
use std::path::Path;

/// Writes one line for each row.
pub(crate) fn write(path: &Path, rows: &[Row]) -> Result<(), Failure> {
    let mut text = Vec::new();
    for row in rows {
        serde_json::to_writer(&mut text, row)?;
        writeln!(text)?;
    }
    std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()).into())
}

/// Reads the rows of a report, also of an older format.
pub(crate) fn read(path: &Path) -> Result<Vec<Row>, Failure> {
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let row = |(at, line): (usize, &str)| {
        let value: Result<Value, _> = serde_json::from_str(line);
        let row = value.and_then(|value| serde_json::from_value::<Row>(with_clocks(value)));
        let mut row = row.map_err(|error| format!("{}, line {}: {error}", path.display(), at + 1))?;
        row.spread = part(row.deviation_seconds, row.median_seconds);
        Ok(row)
    };
    text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(row).collect()
}

/// Converts a row of an older format to `ours` and `peers`. The older format has one figure for each clock,
/// from one process.
fn with_clocks(mut row: Value) -> Value {
    if row.get("case").is_none() || row.get("ours").is_some() {
        return row;
    }
    let range = |seconds: &Value| json!(seconds.as_f64().and_then(|seconds| Range::of([seconds])));
    let clock = if row["clock"] == "host" { "host" } else { "device" };
    let mut ours = json!({ "host": range(&row["host_seconds"]), "device": range(&row["device_seconds"]) });
    if ours[clock].is_null() {
        ours[clock] = range(&row["median_seconds"]);
    }
    let empty = Map::new();
    let mut peers = json!({});
    for (name, seconds) in row["peers"].as_object().unwrap_or(&empty) {
        peers[name] = json!({ "host": range(&row["peers_host"][name]) });
        peers[name][clock] = range(seconds);
    }
    (row["ours"], row["peers"]) = (ours, peers);
    row
}

#[cfg(test)]
mod tests {
    use super::super::Times;
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.json");
        let mut rows = [Row::of("sum", "f32", "host"), Row::of("sort", "u32", "device")];
        rows[0].peers.insert("CUB".to_owned(), Times::once(Some(0.1), None, Some(0.2)));
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
            "gb_per_s":null,"fraction_of_copy":null,"host_seconds":0.75,"peers":{"CUB":0.25,"std":null},
            "peers_host":{"CUB":1.5}}"#;
        std::fs::write(&path, row.replace('\n', "")).unwrap();
        let rows = read(&path).unwrap();
        assert_eq!((rows[0].clock.as_str(), rows[0].deviation_seconds), ("", 0.0));
        assert_eq!(rows[0].ours, Times::once(None, Some(0.75), Some(0.5)));
        assert_eq!(rows[0].peers["CUB"], Times::once(None, Some(1.5), Some(0.25)));
        let ratios: Vec<_> = rows[0].ratios("CUB").iter().map(|one| (one.clock, one.median)).collect();
        assert_eq!(ratios, [("host", 2.0), ("device", 0.5)]);
        assert!(rows[0].ratios("std").is_empty());
    }

    #[test]
    fn numbers_that_json_has_not_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.json");
        let mut row = Row { median_seconds: 0.0, n: 8, ..Row::of("call: difference", "f32", "host") };
        row.elements_per_second = Some(f64::INFINITY);
        row.peers = [("CUB".to_owned(), Times::once(Some(f64::NAN), None, None))].into();
        let mut rows = [row.clone()];
        super::super::compare(&mut rows, &[row]);
        rows[0].spread = Some(f64::NAN);
        write(&path, &rows).unwrap();
        let read = read(&path).unwrap();
        assert_eq!((read[0].spread, read[0].elements_per_second), (None, None));
        assert_eq!(read[0].change.map(|change| change.relative), Some(None));
        assert_eq!(read[0].peers, [("CUB".to_owned(), Times::default())].into());
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
