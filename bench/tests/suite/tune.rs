//! Tests of a quick search, whose record is a table that the library accepts.
#![allow(clippy::unwrap_used)] // a test may stop at the first surprise

use std::path::Path;
use std::process::{Command, Output};

fn bench(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cl-bench"));
    command.args(args).current_dir(folder).env_remove("CL_TUNING");
    command
}

fn text(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_quick_search_writes_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--tune", "--quick", "--sizes", "16", "--filter", "scan 4", "--record", "record.tsv"];
    let output = bench(folder.path(), &args).output().unwrap();
    let (said, complaints) = text(&output);
    assert!(output.status.success(), "{said}\n{complaints}");
    assert!(said.contains("scan 4: inclusive scan u32, 2^16") && said.contains("as it is"), "{said}");
    assert!(!complaints.contains("failed"), "{complaints}");
    let path = folder.path().join("record.tsv");
    let record = std::fs::read_to_string(&path).unwrap();
    assert!(record.contains("inclusive scan u32, 2^16"), "{record}");

    // Whatever the result, the reader of tables accepts the record and reports errors in others.
    let sum = ["--sizes", "10", "--filter", "sum u32"];
    let output = bench(folder.path(), &sum).env("CL_TUNING", &path).output().unwrap();
    assert!(output.status.success(), "{:?}", text(&output));
    std::fs::write(&path, record + "no row\n").unwrap();
    let output = bench(folder.path(), &sum).env("CL_TUNING", &path).output().unwrap();
    let (_, complaints) = text(&output);
    assert!(!output.status.success() && complaints.contains("record.tsv, line "), "{complaints}");
    let output = bench(folder.path(), &args).env("CL_TUNING", &path).output().unwrap();
    let (_, complaints) = text(&output);
    assert!(!output.status.success() && complaints.contains("record.tsv, line "), "{complaints}");
}

#[test]
fn what_cannot_be_tuned_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    for (args, problem) in [
        (
            &["--tune", "--filter", "nothing"][..],
            "nothing to tune matches [\"nothing\"]; there are: elementwise 4;",
        ),
        (&["--tune", "--sizes", "10,11"], "one of --sizes"),
        (&["--record", "x"], "--tune"),
        (&["--tune", "--json", "x"], "--json"),
        (&["--tune", "--peers"], "--peers"),
        (&["--tune", "--host-clock"], "--host-clock"),
        (&["--tune", "--full"], "--full"),
        (&["--quick"], "--tune"),
        // The file is checked before the search, which first prints the device.
        (&["--tune", "--record", "no/folder/x.tsv"], "cannot write no/folder/x.tsv: "),
    ] {
        let output = bench(folder.path(), args).output().unwrap();
        let (said, complaints) = text(&output);
        assert!(!output.status.success() && complaints.contains(problem), "{complaints}");
        assert!(said.is_empty(), "{said}");
    }
}

/// A search that has no time for candidates says so, and its record is a table, too.
#[test]
fn a_search_ends_in_time_and_says_what_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let filters = ["--filter", "elementwise", "--filter", "reduce 4"];
    let args = ["--tune", "--within", "1", "--sizes", "12", "--record", "record.tsv"];
    let output = bench(folder.path(), &[&args[..], &filters].concat()).output().unwrap();
    let (said, complaints) = text(&output);
    assert!(output.status.success(), "{said}\n{complaints}");
    assert!(said.contains("\nnot measured: reduce 4, elementwise 4, elementwise 8\n"), "{said}");
    let args =
        ["--tune", "--within", "60", "--sizes", "12", "--filter", "reduce 4", "--record", "record.tsv"];
    let output = bench(folder.path(), &args).output().unwrap();
    let (said, complaints) = text(&output);
    assert!(output.status.success() && said.contains("\nnot measured: none\n"), "{said}\n{complaints}");
    let record = std::fs::read_to_string(folder.path().join("record.tsv")).unwrap();
    assert!(said.contains(record.lines().last().unwrap()), "{said}");
}
