//! Shapes of kernels as data: rows measured on a device take precedence over the rules in the code.
//!
//! Rows come from the file that `CL_TUNING` names, and then from the built-in `tuning.tsv`; the first that matches is
//! used. Each shape keeps a row within the limits of its kernel, so a row can make a kernel slow, but never wrong.

use super::shapes;
use super::tunable::Tunable;
use cl_core::{Error, Result, is_privileged};
use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The environment variable that users set.
const VARIABLE: &str = "CL_TUNING";

/// The built-in rows.
const BUILT_IN: &str = include_str!("tuning.tsv");

/// The numbers of a row; a number that is `None` is that of the rule in the code.
///
/// Displays as the last three columns of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tuning {
    /// The number of work-items of a work-group.
    pub group: Option<usize>,
    /// The number of bytes of items that a work-item holds at once; see [`Tunable`].
    pub bytes: Option<usize>,
    /// The maximal number of work-groups for each compute unit.
    pub groups: Option<usize>,
}

impl fmt::Display for Tuning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |number: Option<usize>| number.map_or("-".to_owned(), |number| number.to_string());
        write!(f, "{}\t{}\t{}", text(self.group), text(self.bytes), text(self.groups))
    }
}

/// The maximal number of groups for each compute unit in a row: more groups only cost memory for their results.
const MOST_GROUPS: usize = 64;

impl Tuning {
    /// Returns the maximal number of work-groups of a launch, from the row or else from the rule.
    pub(crate) fn max_groups(self, compute_units: usize, rule: Option<usize>) -> usize {
        let groups = self.groups.map(|groups| groups.clamp(1, MOST_GROUPS)).or(rule);
        groups.map_or(usize::MAX, |groups| groups * compute_units)
    }
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// A part of the device's or its platform's name, in any case; empty for every device.
    device: String,
    /// The name of a [`Tunable`].
    what: String,
    /// The size in bytes of an element.
    size: Option<usize>,
    tuning: Tuning,
}

impl Row {
    fn parse(line: &str) -> Result<Row, String> {
        let columns: Vec<&str> = line.split('\t').map(str::trim).collect();
        let [device, what, size, group, bytes, groups] = columns[..] else {
            return Err(format!("it has {} columns, separated by tabs; a row has 6", columns.len()));
        };
        // A name with a colon belongs to a crate that this one does not know.
        if !what.contains(':') && shapes::ALL.iter().all(|tunable| tunable.name() != what) {
            let names = shapes::ALL.map(Tunable::name).join(", ");
            return Err(format!(
                "{what:?} is nothing to tune; there are: {names}; and those of crates above, such as fft:lines"
            ));
        }
        let number = |text: &str, column: &str| match text {
            "-" => Ok(None),
            _ => match text.parse() {
                Ok(number) => Ok(Some(number)),
                Err(_) => Err(format!("the {column}, {text:?}, are neither a number nor `-`")),
            },
        };
        Ok(Row {
            device: if device == "-" { String::new() } else { device.to_lowercase() },
            what: what.to_owned(),
            size: number(size, "bytes of an element")?,
            tuning: Tuning {
                group: number(group, "work-items of a group")?,
                bytes: number(bytes, "bytes that a work-item holds")?,
                groups: number(groups, "work-groups a compute unit")?,
            },
        })
    }
}

/// Returns the rows of a table, called `name` in errors.
pub(crate) fn parse(name: &str, table: &str) -> Result<Vec<Row>> {
    let lines = table.lines().enumerate();
    let rows = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    rows.map(|(at, line)| {
        Row::parse(line).map_err(|reason| invalid(format!("{name}, line {}: {reason}", at + 1)))
    })
    .collect()
}

fn invalid(reason: String) -> Error {
    Error::invalid_input("tuning table", reason)
}

/// Returns the rows for a device of this name, the user's rows first.
///
/// # Errors
/// [`Error::InvalidInput`] if the user's table cannot be read or is invalid.
pub(crate) fn rows_for(device: &str) -> Result<Vec<Row>> {
    let mut rows = match chosen(std::env::var_os(VARIABLE), is_privileged())? {
        Some(path) => read(&path)?,
        None => Vec::new(),
    };
    rows.extend(parse("the built-in one", BUILT_IN)?);
    let device = device.to_lowercase();
    rows.retain(|row| device.contains(&row.device));
    Ok(rows)
}

/// Returns the numbers of the first row that matches.
pub(crate) fn find(rows: &[Row], what: &Tunable, size: usize) -> Tuning {
    let row = rows.iter().find(|row| row.what == what.name() && row.size.is_none_or(|of| of == size));
    row.map_or(Tuning::default(), |row| row.tuning)
}

fn read(path: &Path) -> Result<Vec<Row>> {
    let name = path.display().to_string();
    match contents(path) {
        Ok(table) => parse(&name, &table),
        Err(error) => Err(invalid(format!("{VARIABLE} names {name}, which cannot be read: {error}"))),
    }
}

/// The maximal number of bytes of a table.
const LONGEST: u64 = 1 << 20;

/// Returns the text of a file. Only regular files are read: a pipe could block for ever, and a device could return more
/// than memory holds.
fn contents(path: &Path) -> io::Result<String> {
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    if metadata.len() > LONGEST {
        let reason = format!("it has {} bytes; at most {LONGEST} are allowed", metadata.len());
        return Err(io::Error::other(reason));
    }
    // Some files report a length of 0.
    let mut text = String::new();
    File::open(path)?.take(LONGEST).read_to_string(&mut text)?;
    Ok(text)
}

/// Returns the file that the variable's value names. A `privileged` process ignores it: errors show lines of the file,
/// and the user who chose the environment may not be allowed to read them.
fn chosen(value: Option<OsString>, privileged: bool) -> Result<Option<PathBuf>> {
    match value.filter(|value| !privileged && !value.is_empty()).map(PathBuf::from) {
        Some(path) if !path.is_absolute() => {
            Err(invalid(format!("{VARIABLE} is {:?}, and must be an absolute path", path.display())))
        }
        choice => Ok(choice),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str =
        "# comment\n\nH200 \tscan\t4\t256\t192\t-\n-\tscan\t-\t-\t0\t9\nA100\tscan\t8\t1\t2\t3\n";

    fn numbers(group: usize, bytes: usize, groups: usize) -> Tuning {
        let number = |number| (number < usize::MAX).then_some(number);
        Tuning { group: number(group), bytes: number(bytes), groups: number(groups) }
    }

    #[test]
    fn the_first_row_that_fits_counts() {
        const OPEN: usize = usize::MAX;
        let rows = parse("table", TABLE).unwrap();
        assert_eq!(rows.len(), 3);
        assert_eq!(rows[0].device, "h200");
        assert_eq!(find(&rows, &shapes::SCAN, 4), numbers(256, 192, OPEN));
        assert_eq!(find(&rows, &shapes::SCAN, 8), numbers(OPEN, 0, 9));
        assert_eq!(find(&rows, &shapes::SORT, 4), Tuning::default());
    }

    #[test]
    fn numbers_display_as_columns() {
        for row in ["256\t192\t-", "-\t-\t-", "0\t1\t2"] {
            assert_eq!(Row::parse(&format!("-\tsort\t-\t{row}")).unwrap().tuning.to_string(), row);
        }
    }

    #[test]
    fn the_built_in_table_is_one() {
        let rows = rows_for("NVIDIA H200 (NVIDIA CUDA)").unwrap();
        assert!(rows.iter().any(|row| row.what == "reduce" && row.device == "nvidia h200"));
        assert!(rows_for("another").unwrap().iter().all(|row| row.device.is_empty()));
    }

    #[cfg(unix)]
    #[test]
    fn only_short_regular_files_are_read() {
        let reason = |path: &Path| read(path).unwrap_err().to_string();
        assert!(reason(Path::new("/dev/zero")).contains("not a regular file"));
        assert!(reason(&std::env::temp_dir()).contains("not a regular file"));
        let long = std::env::temp_dir().join(format!("cl-algo-tuning-{}.tsv", std::process::id()));
        std::fs::write(&long, vec![b'#'; 1 + LONGEST as usize]).unwrap();
        let found = reason(&long);
        std::fs::remove_file(&long).unwrap();
        assert!(found.contains("1048577 bytes"), "{found}");
    }

    #[test]
    fn names_lead_back() {
        for name in shapes::ALL.map(Tunable::name).into_iter().chain(["fft:lines", "another:crate's"]) {
            assert_eq!(Row::parse(&format!("-\t{name}\t-\t-\t-\t-")).unwrap().what, name);
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (line, problem) in [
            ("x\tscan\t4\t256\t192", "5 columns"),
            ("x\tscan\t4\t256\t192\t-\t-", "7 columns"),
            ("x scan 4 256 192 -", "1 columns"),
            (
                "x\tscna\t4\t256\t192\t-",
                "\"scna\" is nothing to tune; there are: elementwise, generate, reduce,",
            ),
            ("x\tscan\tfour\t256\t192\t-", "bytes of an element, \"four\""),
            ("x\tscan\t4\t-1\t192\t-", "work-items of a group, \"-1\""),
            ("x\tscan\t4\t256\t\t-", "bytes that a work-item holds, \"\""),
            ("x\tscan\t4\t256\t192\t1e3", "work-groups a compute unit, \"1e3\""),
        ] {
            let error = parse("/t.tsv", &format!("# one\n{line}\n")).unwrap_err().to_string();
            assert!(error.contains("/t.tsv, line 2: ") && error.contains(problem), "{error}");
        }
    }

    #[test]
    fn the_variable_is_an_absolute_path_and_nothing_to_privileged_processes() {
        let path = std::env::temp_dir().join("table.tsv");
        assert_eq!(chosen(Some(path.clone().into()), false), Ok(Some(path.clone())));
        assert_eq!(chosen(Some(path.into()), true), Ok(None));
        assert_eq!(chosen(None, false), Ok(None));
        assert_eq!(chosen(Some(OsString::new()), false), Ok(None));
        let error = chosen(Some("table.tsv".into()), false).unwrap_err().to_string();
        assert!(error.contains("\"table.tsv\"") && error.contains("absolute"), "{error}");
    }
}
