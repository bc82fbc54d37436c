//! Tests of the bundle's script, with a program that only prints its folder and its arguments, and of failed
//! bundles.
#![allow(clippy::unwrap_used)] // a test may stop at the first surprise

use super::{Args, fill_or_empty};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A bundle without tests in a folder of its own, inside the user's folder.
struct Bundle {
    user: tempfile::TempDir,
    dir: PathBuf,
}

impl Bundle {
    fn new() -> Bundle {
        let user = tempfile::tempdir().unwrap();
        // The space in the name shows whether the script quotes its paths.
        let dir = user.path().canonicalize().unwrap().join("a bundle");
        fs::create_dir(&dir).unwrap();
        super::write_script(&dir.join("run")).unwrap();
        let program = dir.join("cl-bench");
        fs::write(&program, "#!/bin/sh\npwd\nfor word; do echo \"$word\"; done\n").unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        Bundle { user, dir }
    }

    /// Runs the script from the folder above the bundle.
    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new("sh");
        command.arg("a bundle/run").args(args).current_dir(self.user.path());
        command.env_remove("POCL_CACHE_DIR").env_remove("CL_CACHE").env("CDPATH", "/").output().unwrap()
    }

    /// Returns the folder that the program ran in and the arguments that it got.
    fn bench(&self, args: &[&str]) -> (PathBuf, Vec<String>) {
        let output = self.run(&[&["bench"], args].concat());
        assert!(output.status.success(), "{output:?}");
        let said = String::from_utf8(output.stdout).unwrap();
        let mut lines = said.lines().map(str::to_owned);
        (lines.next().unwrap().into(), lines.collect())
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_script_says_how_it_is_used_from_wherever_it_is_called() {
    let bundle = Bundle::new();
    let asked = bundle.run(&["--help"]);
    let said = text(&asked.stdout);
    assert!(asked.status.success() && said.starts_with("Runs what lies beside it"), "{asked:?}");
    assert!(said.contains("./run test [WORD...]") && !said.contains("set -u\ndir"), "{said}");
    for args in [&[][..], &["nonsense"]] {
        let output = bundle.run(args);
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(2), said.clone()), "{args:?}");
    }
    assert!(!bundle.dir.join("results").exists());
}

#[test]
fn files_that_are_named_lie_in_the_users_folder_and_others_in_the_bundle() {
    let bundle = Bundle::new();
    let here = bundle.user.path().canonicalize().unwrap();
    let at = |path: &str| bundle.dir.join(path).display().to_string();
    let (place, told) = bundle.bench(&["--json", "mine.json", "--quick"]);
    assert_eq!(place, here);
    let (html, peers) = (at("results/bench.html"), at("caches/peers"));
    let expected = ["--html", &html, "--peers-in", &peers, "--peers", "--json", "mine.json", "--quick"];
    assert_eq!(told, expected);
    let (_, told) = bundle.bench(&["--tune"]);
    assert_eq!(told, ["--record", &at("results/tuning.tsv"), "--tune"]);
    assert!(bundle.dir.join("results").is_dir() && bundle.dir.join("caches").is_dir());
}

#[test]
fn an_older_report_does_not_take_the_place_of_what_was_measured() {
    let bundle = Bundle::new();
    let html = bundle.dir.join("results/from.html").display().to_string();
    for from in [&["--from", "old.json"][..], &["--from=old.json"]] {
        let expected = [&["--html", &*html], from].concat();
        assert_eq!(bundle.bench(from).1, expected);
    }
    let (_, told) = bundle.bench(&["--from", "old.json", "--html", "mine.html"]);
    assert_eq!(told, ["--from", "old.json", "--html", "mine.html"]);
}

#[test]
fn what_is_missing_is_said() {
    let bundle = Bundle::new();
    let output = bundle.run(&["test"]);
    let said = "this bundle has no tests: it was made with --no-tests\n";
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), said.to_owned()));
    assert!(!bundle.dir.join("tests.new").exists());
    // An archive that cannot be unpacked leaves nothing behind either.
    fs::write(bundle.dir.join("tests.tar.xz"), "no archive").unwrap();
    assert_eq!(bundle.run(&["test"]).status.code(), Some(1));
    assert!(!bundle.dir.join("tests.new").exists() && !bundle.dir.join("tests").exists());
    let output = bundle.run(&["one"]);
    let said = "`one` takes the name of a module of tests\n";
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(2), said.to_owned()));
}

/// The programs run in the bundle's folder, from wherever the script is called.
#[test]
fn tests_run_and_are_counted() {
    let bundle = Bundle::new();
    let tests = bundle.dir.join("tests");
    fs::create_dir(&tests).unwrap();
    let write = |name: &str, script: &str| {
        let path: &Path = &tests.join(name);
        fs::write(path, script).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    };
    let result = "echo 'test result: ok. 3 passed; 0 failed; 1 ignored;'";
    write("good.test", &format!("#!/bin/sh\n[ -e run ] && {result}\n"));
    write("bad.test", "#!/bin/sh\necho 'test x ... FAILED'\nexit 7\n");
    let output = bundle.run(&["test", "good"]);
    let said = text(&output.stdout);
    assert!(output.status.success() && said.contains("3 tests passed, 0 failed, 1 skipped"), "{output:?}");
    let output = bundle.run(&["test"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    assert!(said.contains("failed: bad: the program ended with 7\n    test x ... FAILED"), "{said}");
}

/// Each module of a program runs in its own process, without the tests that need Rust.
#[test]
fn modules_run_by_themselves() {
    let bundle = Bundle::new();
    let tests = bundle.dir.join("tests");
    fs::create_dir(&tests).unwrap();
    let program = r#"#!/bin/sh
case $1 in
    --list) printf '%s: test\n' scan::a scan::deep::b rescan::c alone rules::d e::everything_else_is_turned_away ;;
    --exact) shift && echo "ran $*" && echo "test result: ok. $# passed; 0 failed; 0 ignored;" ;;
esac
"#;
    let path = tests.join("cl-x.suite.test");
    fs::write(&path, program).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let output = bundle.run(&["test"]);
    let said = text(&output.stdout);
    assert!(output.status.success() && said.contains("4 tests passed, 0 failed, 0 skipped"), "{output:?}");
    let log = |name: &str| fs::read_to_string(bundle.dir.join("results/tests").join(name)).unwrap();
    assert!(log("cl-x.suite.scan.log").starts_with("ran scan::a scan::deep::b\n"));
    assert!(log("cl-x.suite.rescan.log").starts_with("ran rescan::c\n"));
    assert!(log("cl-x.suite.log").starts_with("ran alone\n"));
    let output = bundle.run(&["test", "suite.scan"]);
    assert!(text(&output.stdout).contains("2 tests passed, 0 failed, 0 skipped"), "{output:?}");
    assert_eq!(bundle.run(&["test", "nothing"]).status.code(), Some(2));
}

/// Golden tests are not among the tests: one of them compares with files of the workspace.
#[test]
fn golden_tests_run_by_themselves() {
    let bundle = Bundle::new();
    let tests = bundle.dir.join("tests");
    fs::create_dir(&tests).unwrap();
    let path = tests.join("cl-x.golden.test");
    fs::write(&path, "#!/bin/sh\necho \"got $*\"\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let output = bundle.run(&["golden"]);
    let said = "cl-x:\ngot --ignored --nocapture --exact golden_kernels_are_those_of_this_machines_devices\n";
    assert!(output.status.success() && text(&output.stdout) == said, "{output:?}");
    assert_eq!(bundle.run(&["test"]).status.code(), Some(2), "there are no other tests");
}

#[test]
fn a_bundle_that_failed_leaves_the_folder_empty() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let held = || fs::read_dir(dir.path()).expect("a folder").count();
    let fill = || {
        fs::write(dir.path().join("cl-bench"), "a program")?;
        fs::create_dir(dir.path().join("tests"))?;
        fs::write(dir.path().join("tests/a.test"), "another one")?;
        Ok(())
    };
    let failed = fill_or_empty(dir.path(), || fill().and_then(|()| Err("there is no xz".into())));
    assert_eq!(failed.expect_err("a failure").to_string(), "there is no xz");
    assert_eq!(held(), 0);
    fill_or_empty(dir.path(), fill).expect("it can be given again");
    assert_eq!(held(), 2);
}

#[test]
fn a_package_that_there_is_not_leaves_the_folder_empty() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let package = vec!["no-such-package".to_owned()];
    let args = Args { dir: dir.path().to_owned(), no_tests: false, package };
    super::run(&args).expect_err("nothing to build");
    assert_eq!(fs::read_dir(dir.path()).expect("a folder").count(), 0);
}
