//! Tests of a short session: the contents of a report's rows, and the use of older reports.
#![allow(clippy::unwrap_used)] // a test may stop at the first surprise

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn bench(args: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cl-bench"))
        .args(args)
        .current_dir(folder)
        .env_remove("CL_TUNING")
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn rows(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn rows_hold_both_clocks_and_how_near_they_come_to_the_ceilings() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--sizes", "10,14", "--filter", "sum u32", "--json", "a.json", "--html", "a.html"];
    let text = said(&bench(&[&args[..], &["--peers=std,rayon", "--processes=2"]].concat(), folder.path()));
    let printed = text.lines().filter(|line| line.contains(" s  sum ")).count();
    let rows = rows(&folder.path().join("a.json"));
    let cases: Vec<&str> = rows.iter().map(|row| row["case"].as_str().unwrap()).collect();
    let once = ["copy (clEnqueueCopyBuffer)", "copy (kernel)", "read (kernel)", "write (kernel)", "sum"];
    let devices = rows.len() / 10;
    // The rows of the first process are printed as soon as they are measured, behind the seconds since the start.
    assert_eq!(printed, 2 * devices, "{text}");
    assert_eq!(cases, [once, once].concat().repeat(devices));
    for row in &rows {
        assert!(row["device"].is_string() && row["driver"].is_string() && row["element"].is_string());
        // Host libraries are compared on CPUs only, because a GPU's time is not the host's.
        let peers: Vec<&String> = row["peers"].as_object().unwrap().keys().collect();
        let has_peers = row["case"] == "sum" && row["clock"] == "host";
        assert_eq!(peers, if has_peers { vec!["rayon", "std"] } else { vec![] });
        let value = |name: &str| row[name].as_f64().unwrap_or_else(|| panic!("{name}: {row}"));
        assert!([1 << 10, 1 << 14].contains(&row["n"].as_u64().unwrap()));
        let middle = |times: &Value, clock: &str| {
            let [min, median, max] =
                ["min", "median", "max"].map(|what| times[clock][what].as_f64().unwrap());
            assert!(0.0 < min && min <= median && median <= max, "{times}");
            assert_eq!(times[clock]["each"].as_array().unwrap().len(), 2, "{times}");
            median
        };
        assert!(middle(&row["ours"], "device") <= middle(&row["ours"], "host"), "{row}");
        middle(&row["ours"], "calls");
        for times in row["peers"].as_object().unwrap().values() {
            middle(times, "calls");
            middle(times, "host");
        }
        assert!(value("fraction_of_copy") > 0.0 && value("fraction_of_roofline") > 0.0);
        let (median, n) = (value("median_seconds"), value("n"));
        assert!(
            (value("spread") * median / value("deviation_seconds").max(1e-12) - 1.0).abs() < 1e-6,
            "{row}"
        );
        assert!((value("elements_per_second") * median / n - 1.0).abs() < 1e-6);
        let bytes = if row["case"].as_str().unwrap().starts_with("copy") { 8.0 } else { 4.0 };
        assert!((value("gb_per_s") * median / (bytes * n) * 1e9 - 1.0).abs() < 1e-6);
    }
    let page = std::fs::read_to_string(folder.path().join("a.html")).unwrap();
    assert!(page.contains(r#""case":"sum""#));
}

/// One element gives a variance of 0, matrices with too few columns for a row's entries, and systems that are
/// solved at once.
#[test]
fn one_element_is_enough_to_measure() {
    let folder = tempfile::tempdir().unwrap();
    let mut args = vec!["--sizes", "0", "--json", "a.json"];
    for filter in
        ["variance", "product, 32 anywhere in a row f32", "iterations of CG", "FFT of 4096 points c32"]
    {
        args.extend(["--filter", filter]);
    }
    said(&bench(&args, folder.path()));
    let rows = rows(&folder.path().join("a.json"));
    let n = |case: &str| rows.iter().find(|row| row["case"] == case).map(|row| row["n"].as_u64().unwrap());
    assert_eq!([n("variance"), n("sparse product, 32 anywhere in a row")], [Some(1), Some(32)]);
    // A copy of one element is not a limit for 4096 points.
    let fft = rows.iter().find(|row| row["case"] == "FFT of 4096 points").unwrap();
    assert!(fft["fraction_of_copy"].is_null() && fft["fraction_of_roofline"].is_null(), "{fft}");
}

#[test]
fn reports_are_joined_and_compared_without_measuring() {
    let folder = tempfile::tempdir().unwrap();
    let row = |device: &str, seconds: f64| {
        format!(
            r#"{{"device":"{device}","driver":"1","case":"sort","element":"u32","n":64,"clock":"host",
                "median_seconds":{seconds},"deviation_seconds":0.001,"gb_per_s":null,"fraction_of_copy":null}}"#
        )
        .replace('\n', " ")
    };
    for (name, text) in
        [("a.json", row("one", 1.0)), ("b.json", row("two", 2.0)), ("old.json", row("two", 1.0))]
    {
        std::fs::write(folder.path().join(name), text + "\n").unwrap();
    }
    let args = ["--from", "a.json,b.json", "--compare", "old.json", "--json", "c.json"];
    let text = said(&bench(&args, folder.path()));
    assert!(text.contains("+100.0 % SLOWER"), "{text}");
    assert!(text.contains("0 faster, 1 slower, 0 within the noise, 1 not in the older report"), "{text}");
    let joined = rows(&folder.path().join("c.json"));
    assert_eq!(joined.iter().map(|row| row["device"].as_str().unwrap()).collect::<Vec<_>>(), ["one", "two"]);
    assert!(joined[0].get("change").is_none());
    assert_eq!(joined[1]["change"]["verdict"], "slower");

    // Reports of one device and driver are one report, of as many processes as they have together.
    said(&bench(&["--from", "b.json,old.json", "--json", "d.json"], folder.path()));
    let joined = rows(&folder.path().join("d.json"));
    assert_eq!(joined.len(), 1);
    assert_eq!(joined[0]["ours"]["host"]["each"], serde_json::json!([2.0, 1.0]));

    // Options about measuring conflict with reports that were made before.
    for option in ["--sizes=10", "--full", "--processes=2", "--host-clock", "--peers"] {
        let output = bench(&["--from", "a.json", option], folder.path());
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && text.contains("cannot be used with"), "{option}: {output:?}");
    }

    // These errors come before anything is measured.
    let refused = |args: &[&str], word: &str| {
        let output = bench(args, folder.path());
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && output.stdout.is_empty() && text.contains(word), "{output:?}");
        text
    };
    refused(&["--compare", "none.json"], "cannot read none.json: ");
    refused(&["--json", "no/folder/a.json"], "cannot write no/folder/a.json: ");
    refused(&["--json", "new.json", "--html", "."], "cannot write .: ");
    assert!(!folder.path().join("new.json").exists());
    refused(&["--json", "a.json", "--filter", "none"], "contains `none`");
    assert_eq!(rows(&folder.path().join("a.json")).len(), 1); // the file is unchanged
    let text =
        refused(&["--filter", "none", "--filter", "no, neither"], "`none` or `no, neither`; there are\n");
    assert!(text.lines().any(|line| line == "  sum f32"), "{text}");
}

/// The results are verified by two processes, and those that measure know them.
#[test]
fn results_are_verified_side_by_side_before_anything_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--sizes", "10", "--filter", "sum u32", "--filter", "sort u32", "--filter", "power law f32"];
    let jobs = ["--processes", "2", "--verify-jobs", "2", "--json", "a.json"];
    let text = said(&bench(&[&args[..], &jobs].concat(), folder.path()));
    let verified = |share: &str| -> usize {
        let lines =
            text.lines().filter_map(|line| line.split_once(&format!("process {share} has verified ")));
        lines.map(|(_, rest)| rest.split(' ').next().unwrap().parse::<usize>().unwrap()).sum()
    };
    let rows = rows(&folder.path().join("a.json"));
    assert!(verified("0/2") > 0 && verified("1/2") > 0, "{text}");
    assert_eq!(verified("0/2") + verified("1/2"), rows.len(), "{text}");
    let first_row = text.find(" s  copy (kernel)").unwrap();
    assert!(text.rfind("has verified").unwrap() < first_row, "{text}");
    for row in rows {
        assert_eq!(row["ours"]["host"]["each"].as_array().unwrap().len(), 2, "{row}");
    }
    assert!(text.contains("process 2 of 2, "), "{text}");
}

/// One table of the main cases, and a report that is measured again.
#[test]
fn main_cases_have_a_column_for_each_size_and_are_measured_again() {
    let folder = tempfile::tempdir().unwrap();
    let filters = ["--filter", "sum f32", "--filter", "copy (kernel)", "--filter", "sort u"];
    let args = [&["--main", "--sizes", "10,12", "--json", "a.json"][..], &filters].concat();
    let text = said(&bench(&args, folder.path()));
    let cells = |begin: &str| {
        let line =
            text.lines().find(|line| line.starts_with(begin)).unwrap_or_else(|| panic!("{begin}: {text}"));
        line.split("  ").filter(|cell| !cell.trim().is_empty()).count()
    };
    assert!(text.contains("2^10") && text.contains("2^12"), "{text}");
    assert_eq!([" sum f32", " sort u32"].map(cells), [4, 4], "{text}");
    assert_eq!(rows(&folder.path().join("a.json")).len() % 6, 0);

    let again = said(&bench(&["--again", "a.json", "--part", "0/1"], folder.path()));
    let line = again.lines().find(|line| line.contains("rows differ by more than 3 %")).unwrap();
    assert!(line.contains(" of 6 rows") && line.ends_with("0 have no row in the older report"), "{again}");
    let output = bench(&["--again", "a.json", "--sizes", "4"], folder.path());
    assert!(!output.status.success());
}
