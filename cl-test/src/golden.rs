//! Golden kernels: the OpenCL C that each recorded device gets, kept as digests and, for some cases, as text.
//!
//! A change of a kernel shows in the diff of the kept files. Whoever changes a kernel for one device sees
//! that the kernels of other devices are unchanged. A crate lists its [`Case`]s and calls [`check`] in a
//! test. The test compares with the kept files in the crate's folder `tests/golden`. `CL_GOLDEN=write` writes
//! the kept files anew. `CL_GOLDEN=texts` writes the full texts of all cases to `golden` in cargo's
//! `CARGO_TARGET_TMPDIR`. With these texts, two versions of a case can be compared even if only its digest is
//! kept.
//!
//! | file | content |
//! | --- | --- |
//! | `DEVICE.txt` | one line a case: a digest of each program's text and options, or the missing feature |
//! | `DEVICE/CASE.cl` | the programs of a case, without comments, empty lines, and declarations of built-in functions |
//!
//! [`check_devices`] does the same with the answers of this machine's devices, and needs no files.
//!
//! ```no_run
//! use cl_core::{BuildOptions, Program};
//! use cl_test::golden::{Case, check};
//!
//! const CASES: &[Case] = cl_test::golden_cases! {
//!     "an empty kernel": |queue| Program::build(queue.context(), "kernel void f() {}", &BuildOptions::new())?;
//! };
//! check(env!("CARGO_MANIFEST_DIR"), "target/tmp", CASES, &[("nvidia-h200", "an empty kernel")]);
//! ```

mod on_device;

pub use on_device::{check_devices, devices, differing_lines};

use crate::kernel_text::missing_marks;
use crate::recorded::{self, BuiltProgram, probes};
use cl_core::{Context, Device, Error, Queue, QueueOptions, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The environment variable that makes [`check`] write the kept files.
const VARIABLE: &str = "CL_GOLDEN";

/// A text that all generated programs contain, and other programs do not.
const MARK: &str = "#define VOLATILE";

/// The name that the kept files give to the programs that probe a device.
const PROBES: &str = "trials of the device";

/// A function that compiles programs, and its name.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    name: &'static str,
    run: fn(&Queue) -> Result<()>,
}

impl Case {
    /// Creates a case of this name. `run` gets a queue in a context of its own.
    #[must_use]
    pub const fn new(name: &'static str, run: fn(&Queue) -> Result<()>) -> Case {
        Case { name, run }
    }
}

/// Lists [`Case`]s: a name, and an expression that uses a queue. The expression may pass errors on by `?`;
/// its value is dropped.
#[macro_export]
macro_rules! golden_cases {
    ($($name:literal: |$queue:ident| $body:expr;)*) => {
        &[$($crate::golden::Case::new($name, |$queue| {
            let _ = $body;
            Ok(())
        }),)*]
    };
}

/// Compares the programs that each recorded device gets for each case with the files that `package` keeps in
/// `tests/golden`.
///
/// `kept` names, by device and name, the cases whose texts are kept in full. `scratch` is a folder for the
/// generated files: cargo's `CARGO_TARGET_TMPDIR`. Returns the texts of all cases by the paths of the files
/// that would hold them.
///
/// # Panics
/// - When something differs. The message names the devices, the cases, and the lines of kept texts that
///   differ.
/// - When a case fails for another reason than a feature that the device lacks.
/// - When a generated program lacks a [mark](missing_marks).
pub fn check(package: &str, scratch: &str, cases: &[Case], kept: &[(&str, &str)]) -> Files {
    assert!(
        std::env::var_os("CL_TUNING").is_none(),
        "CL_TUNING gives kernels other shapes: these tests need it unset"
    );
    let folder = Path::new(package).join("tests/golden");
    let beside = Path::new(scratch).join("golden").join(Path::new(package).file_name().unwrap_or_default());
    let (generated, texts) = generate(cases, kept);
    match std::env::var(VARIABLE).as_deref() {
        Err(_) => {}
        Ok("write") => {
            write_files(&folder, &generated);
            return texts;
        }
        Ok("texts") => {
            write_files(&beside, &texts);
            println!("the texts of all cases are in {}", beside.display());
        }
        Ok(other) => panic!("{VARIABLE} is {other:?}; it may be write or texts"),
    }
    let differences = compare(&read_files(&folder), &generated);
    if differences.is_empty() {
        return texts;
    }
    panic!(
        "{differences}\nThe recorded devices get other kernels than those in {folder}.\n\
         If that is meant, accept it by `{VARIABLE}=write`, and look at the diff before the commit. `{VARIABLE}=texts` \
         writes the texts of all cases to {beside}, to be compared with those of another version.",
        folder = folder.display(),
        beside = beside.display()
    );
}

/// Returns the names of the kernels in the folder `src` of a package that no case compiles on any recorded
/// device. Kernels that probe devices are left out.
///
/// # Panics
/// When a file cannot be read.
#[must_use]
pub fn without_case(package: &str, texts: &Files) -> Vec<String> {
    let mut names = BTreeSet::new();
    let sources = read_files(&Path::new(package).join("src"));
    assert!(!sources.is_empty(), "{package} has no folder `src`");
    for (_, text) in sources.iter().filter(|(path, _)| path.ends_with(".cl")) {
        // The kernel's name follows the first `void` after the word `kernel`.
        let declarations = text.split("\nkernel ").skip(1).filter_map(|rest| rest.split_once("void "));
        names.extend(declarations.filter_map(|(_, rest)| rest.split('(').next()));
    }
    let compiled = |name: &str| {
        let declared = format!("void {name}(");
        texts.values().any(|text| text.contains(&declared))
    };
    let known = |name: &&str| probes::KERNELS.contains(name) || compiled(name);
    names.into_iter().filter(|name| !known(name)).map(str::to_owned).collect()
}

/// The contents of files by their paths in the folder, with `/` as the separator.
pub type Files = BTreeMap<String, String>;

/// Runs all cases on all recorded devices. Returns the files to keep, and the texts of all cases.
fn generate(cases: &[Case], kept: &[(&str, &str)]) -> (Files, Files) {
    let names: Vec<&str> = cases.iter().map(|case| case.name).collect();
    for (at, name) in names.iter().enumerate() {
        assert!(!names[..at].contains(name), "two cases are called `{name}`");
        let file = file_name(name);
        if let Some(other) = names[..at].iter().find(|other| file_name(other) == file) {
            panic!("the texts of `{other}` and `{name}` would be one file, {file}: rename one of the cases");
        }
    }
    for (device, case) in kept {
        let known = recorded::names().any(|name| name == *device) && names.contains(case);
        assert!(known, "the case `{case}` of `{device}`, whose text should be kept, does not exist");
    }
    let (mut files, mut texts) = (Files::new(), Files::new());
    for (name, device) in recorded::names().zip(recorded::devices()) {
        let mut lines = String::new();
        for case in cases {
            let programs = run(&device, case);
            // Writing to a `String` cannot fail.
            let _ = writeln!(lines, "{}: {}", case.name, summary(&programs));
            let Ok(programs) = programs else { continue };
            for program in programs.iter().filter(|program| program.source.contains(MARK)) {
                let missing = missing_marks(&program.source);
                assert!(missing.is_empty(), "the case `{}` on {device}: {missing:?}", case.name);
            }
            let path = format!("{name}/{}", file_name(case.name));
            if kept.contains(&(name, case.name)) {
                files.insert(path.clone(), whole_text(&programs, is_code));
            }
            texts.insert(path, whole_text(&programs, |_| true));
        }
        let probes = Ok(recorded::probes_of(&device));
        files.insert(format!("{name}.txt"), format!("{PROBES}: {}\n{lines}", summary(&probes)));
    }
    (files, texts)
}

/// Returns the programs of a case, or the feature that the device lacks.
fn run(device: &Device, case: &Case) -> std::result::Result<Vec<BuiltProgram>, String> {
    // Each case has its own context, so that it also compiles the programs that other cases have compiled.
    let queue = Context::on(device).and_then(|context| Queue::new(&context, QueueOptions::new()));
    let queue = queue.unwrap_or_else(|error| panic!("{device}: {error}"));
    match (case.run)(&queue) {
        Ok(()) => Ok(recorded::programs_of(queue.context())),
        Err(Error::Unsupported { feature, .. }) => Err(feature),
        Err(error) => panic!("the case `{}` on {device}: {error}", case.name),
    }
}

/// Returns the line of a case.
fn summary(programs: &std::result::Result<Vec<BuiltProgram>, String>) -> String {
    match programs {
        Ok(programs) if programs.is_empty() => "no program".to_owned(),
        Ok(programs) => programs.iter().map(digest).collect::<Vec<_>>().join(" "),
        Err(feature) => format!("lacks {feature}"),
    }
}

/// Returns the first 64 bits of a hash of the options and the code, as hexadecimal digits. Comments do not count.
fn digest(program: &BuiltProgram) -> String {
    let mut hasher = blake3::Hasher::new();
    for text in std::iter::once(&*program.options).chain(code(&program.source)) {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    hasher.finalize().as_bytes()[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the name of the file with the text of a case: the words of the case.
fn file_name(case: &str) -> String {
    let words = case.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    format!("{}.cl", words.collect::<Vec<_>>().join("-"))
}

/// Returns the wanted lines of the programs of a case, one program after the other.
fn whole_text(programs: &[BuiltProgram], is_wanted: impl Fn(&&str) -> bool) -> String {
    let mut text = String::new();
    for (at, BuiltProgram { source, options }) in programs.iter().enumerate() {
        let _ = writeln!(text, "// Program {} of {}, built with `{options}`.", at + 1, programs.len());
        for line in source.lines().map(str::trim_end).filter(&is_wanted) {
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}

/// Returns the lines of code, without comments. Kernels contain no text in quotation marks.
fn code(source: &str) -> impl Iterator<Item = &str> {
    let lines = source.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code).trim_end());
    lines.filter(|line| !line.is_empty())
}

/// Returns whether to keep a line. Comments are in the template already, and declarations of built-in
/// functions are not interesting.
fn is_code(line: &&str) -> bool {
    let begin = line.trim_start();
    let declares =
        begin.starts_with("__attribute__") && begin.contains("overloadable") && begin.ends_with(';');
    !begin.is_empty() && !begin.starts_with("//") && !declares
}

fn write_files(folder: &Path, files: &Files) {
    for path in read_files(folder).keys().filter(|path| !files.contains_key(*path)) {
        std::fs::remove_file(folder.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        // Git does not keep empty folders. A folder that is not empty stays.
        let _ = folder.join(path).parent().map(std::fs::remove_dir);
    }
    for (path, content) in files {
        let path = folder.join(path);
        let written = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        let written = written.and_then(|()| std::fs::write(&path, content));
        written.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

/// Reads the files in a folder and its subfolders. Returns nothing if the folder does not exist.
fn read_files(folder: &Path) -> Files {
    let mut files = Files::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(inner) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(folder.join(&inner)) else { continue };
        for entry in entries.flatten() {
            let path = inner.join(entry.file_name());
            if entry.path().is_dir() {
                folders.push(path);
            } else if let Ok(content) = std::fs::read_to_string(entry.path()) {
                // Git may have changed the line ends.
                let name = path.to_string_lossy().replace('\\', "/");
                files.insert(name, content.replace("\r\n", "\n"));
            }
        }
    }
    files
}

/// Returns the differences in a form for people; an empty text if nothing differs.
fn compare(before: &Files, now: &Files) -> String {
    let mut report = String::new();
    for path in before.keys().chain(now.keys().filter(|path| !before.contains_key(*path))) {
        match (before.get(path), now.get(path)) {
            (Some(old), Some(new)) if old != new && path.ends_with(".txt") => {
                let _ = writeln!(report, "{path} differs in {}", changed_cases(old, new));
            }
            (Some(old), Some(new)) if old != new => {
                let _ = writeln!(report, "{path} differs:\n{}", difference(old, new));
            }
            (Some(_), None) => drop(writeln!(report, "{path} is kept, and no case makes it")),
            (None, Some(_)) => drop(writeln!(report, "{path} is new")),
            _ => {}
        }
    }
    report
}

/// Returns the number of cases whose lines differ, and their names.
fn changed_cases(old: &str, new: &str) -> String {
    let cases = |text| -> BTreeMap<String, String> {
        let named =
            |line: &str| line.rsplit_once(": ").map(|(name, digests)| (name.to_owned(), digests.to_owned()));
        str::lines(text).filter_map(named).collect()
    };
    let (old, new) = (cases(old), cases(new));
    let differs = |name: &&String| old.get(*name) != new.get(*name);
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).filter(differs).collect();
    let list: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    format!("{} of {} cases: {}", list.len(), old.len(), list.join(", "))
}

/// The largest number of lines that are shown of one file.
const MOST_LINES: usize = 120;
/// The number of lines shown around lines that differ.
const AROUND: usize = 3;

/// Returns the lines that differ, as `diff -u` shows them.
fn difference(old: &str, new: &str) -> String {
    let edits = edits(&old.lines().collect::<Vec<_>>(), &new.lines().collect::<Vec<_>>());
    let near = |at: usize| {
        let around = at.saturating_sub(AROUND)..edits.len().min(at + AROUND + 1);
        edits[around].iter().any(|(sign, _)| *sign != ' ')
    };
    let shown: Vec<usize> = (0..edits.len()).filter(|&at| near(at)).collect();
    let mut text = String::new();
    for (position, &at) in shown.iter().take(MOST_LINES).enumerate() {
        if position > 0 && shown[position - 1] + 1 != at {
            text.push_str("  ...\n");
        }
        let (sign, line) = edits[at];
        let _ = writeln!(text, "  {sign}{line}");
    }
    if shown.len() > MOST_LINES {
        let _ = writeln!(text, "  and {} lines more", shown.len() - MOST_LINES);
    }
    text
}

/// Returns all lines, each with `-` if only the old text has it, `+` if only the new one has it, or a space.
fn edits<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<(char, &'t str)> {
    let same = |(a, b): &(&&str, &&str)| a == b;
    let front = old.iter().zip(new).take_while(same).count();
    let rest = old.len().min(new.len()) - front;
    let back = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(same).count();
    let (a, b) = (&old[front..old.len() - back], &new[front..new.len() - back]);

    // The length of the longest common sequence of the lines from `i` and from `j` on.
    let width = b.len() + 1;
    let mut common = vec![0_u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            common[i * width + j] = if a[i] == b[j] {
                common[(i + 1) * width + j + 1] + 1
            } else {
                common[(i + 1) * width + j].max(common[i * width + j + 1])
            };
        }
    }
    let mut edits: Vec<(char, &str)> = old[..front].iter().map(|line| (' ', *line)).collect();
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            edits.push((' ', a[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == b.len() || i < a.len() && common[(i + 1) * width + j] >= common[i * width + j + 1] {
            edits.push(('-', a[i]));
            i += 1;
        } else {
            edits.push(('+', b[j]));
            j += 1;
        }
    }
    edits.extend(old[old.len() - back..].iter().map(|line| (' ', *line)));
    edits
}

#[cfg(test)]
mod tests {
    use super::*;
    use cl_core::{BuildOptions, Program};

    /// Builds a program that reads `TILE`.
    fn tiled(queue: &Queue, tile: u32) -> Result<()> {
        let text = format!("#define TILE {tile}\nkernel void f(global int *x)\n{{\n    x[0] = TILE;\n}}\n");
        Program::build(queue.context(), &text, &BuildOptions::new()).map(drop)
    }

    /// Builds another kernel for CPUs than for GPUs, like a change that is meant for some devices only.
    fn tiled_for_cpus(queue: &Queue) -> Result<()> {
        let cpu = queue.device().kind()?.contains(cl_core::DeviceKind::CPU);
        tiled(queue, if cpu { 8 } else { 16 })
    }

    const KEPT: [(&str, &str); 2] = [("nvidia-h200", "f i32"), ("pocl-2-cores", "f i32")];

    #[test]
    fn another_kernel_is_another_digest_and_a_diff() {
        let (before, texts) = generate(&[Case::new("f i32", |queue| tiled(queue, 16))], &KEPT);
        assert_eq!(texts.len(), recorded::names().count());
        assert_eq!(before.len(), recorded::names().count() + KEPT.len());
        assert_eq!(compare(&before, &before), "");
        let (now, _) = generate(&[Case::new("f i32", tiled_for_cpus)], &KEPT);
        let report = compare(&before, &now);
        assert!(report.contains("pocl-2-cores/f-i32.cl differs"), "{report}");
        assert!(report.contains("  -#define TILE 16\n  +#define TILE 8\n   kernel void f"), "{report}");
        assert!(report.contains("intel-cpu.txt differs in 1 of 2 cases: `f i32`"), "{report}");
        assert!(!report.contains("nvidia-h200"), "{report}");
    }

    #[test]
    #[should_panic(expected = "the texts of `f + i32` and `f - i32` would be one file, f-i32.cl")]
    fn two_cases_do_not_share_a_file() {
        let cases = ["f + i32", "f - i32"].map(|name| Case::new(name, |queue| tiled(queue, 16)));
        let _ = generate(&cases, &[]);
    }

    #[test]
    fn attributes_are_kept_and_declarations_are_not() {
        let source = "// a kernel\n__attribute__((const, overloadable)) float sin(float);\n\
                      kernel\n__attribute__((reqd_work_group_size(4, 1, 1)))\nvoid f() {}\n\
                      __attribute__((always_inline)) static inline float g()\n";
        let kept: Vec<&str> = source.lines().filter(is_code).collect();
        assert_eq!(kept, source.lines().skip(2).collect::<Vec<_>>());
    }

    #[test]
    fn one_letter_of_a_kept_text_is_seen() {
        let (now, _) = generate(&[Case::new("f i32", |queue| tiled(queue, 16))], &KEPT);
        let mut kept = now.clone();
        if let Some(text) = kept.get_mut("nvidia-h200/f-i32.cl") {
            *text = text.replacen("x[0]", "x[1]", 1);
        }
        let report = compare(&kept, &now);
        assert!(report.contains("nvidia-h200/f-i32.cl differs") && !report.contains("pocl"), "{report}");
        kept.remove("intel-cpu.txt");
        assert!(compare(&kept, &now).contains("intel-cpu.txt is new"));
        assert!(compare(&now, &kept).contains("intel-cpu.txt is kept"));
    }

    #[test]
    fn a_kernel_without_a_case_is_found() -> std::io::Result<()> {
        let package = std::env::temp_dir().join(format!("cl-golden-kernels-{}", std::process::id()));
        let kernels =
            "// kernel void no(\n\nkernel __attribute__((x))\nvoid f(int x)\n{}\nkernel void g() {}\n";
        std::fs::create_dir_all(package.join("src/kernels"))?;
        std::fs::write(package.join("src/kernels/both.cl"), kernels)?;
        let texts = Files::from([("nvidia-h200/f.cl".to_owned(), "kernel\nvoid f(int x)\n{}".to_owned())]);
        assert_eq!(without_case(&package.to_string_lossy(), &texts), ["g"]);
        std::fs::remove_dir_all(&package)
    }

    #[test]
    fn options_are_part_of_a_digest() {
        let program = |options: &str| BuiltProgram { source: "x".to_owned(), options: options.to_owned() };
        assert_ne!(digest(&program("")), digest(&program("-w")));
        assert_eq!(digest(&program("-w")).len(), 16);
        let of = |source: &str| digest(&BuiltProgram { source: source.to_owned(), options: String::new() });
        assert_eq!(of("x = 1;\ny = 2;\n"), of("// one\nx = 1; // two\r\n\ny = 2;"));
        assert_ne!(of("x = 1;\ny = 2;\n"), of("x = 1;y = 2;\n"));
    }

    #[test]
    fn files_are_written_read_and_removed() -> std::io::Result<()> {
        let folder = std::env::temp_dir().join(format!("cl-golden-{}", std::process::id()));
        let mut files =
            Files::from([("a.txt".to_owned(), "1\n".to_owned()), ("b/c.cl".to_owned(), "2\n".to_owned())]);
        write_files(&folder, &files);
        assert_eq!(read_files(&folder), files);
        files.remove("b/c.cl");
        write_files(&folder, &files);
        assert_eq!(read_files(&folder), files);
        assert!(!folder.join("b").exists());
        std::fs::remove_dir_all(&folder)
    }

    #[test]
    fn differences_are_as_short_as_they_can_be() {
        let show = |old: &str, new: &str| -> String {
            edits(&old.lines().collect::<Vec<_>>(), &new.lines().collect::<Vec<_>>())
                .iter()
                .map(|(sign, line)| format!("{sign}{line}"))
                .collect::<Vec<_>>()
                .join(",")
        };
        assert_eq!(show("a\nb\nc", "a\nx\nc"), " a,-b,+x, c");
        assert_eq!(show("a\nb\nc\nd\ne", "a\nc\nd\nf\ne"), " a,-b, c, d,+f, e");
        assert_eq!(show("", "a"), "+a");
        assert_eq!(show("a\na", "a"), " a,-a");
    }
}
