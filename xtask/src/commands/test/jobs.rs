//! The workspace's tests, divided into jobs that can run at once, each in a process of its own.

use std::fmt;

use duct::Expression;

use crate::error::Result;
use crate::programs::{self, Program};
use crate::workspace;

/// The work of one process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Job {
    /// The examples in documentation: cargo with these arguments, which starts processes of its own.
    Documentation(Vec<String>),
    /// All tests of a program.
    Program(Program),
    /// The tests of one module of a program, by their full names. `module` is empty for tests outside of
    /// modules.
    Module { program: Program, module: String, tests: Vec<String> },
}

impl Job {
    /// Returns the name of the job's program.
    pub(super) fn program(&self) -> Option<&str> {
        match self {
            Job::Documentation(_) => None,
            Job::Program(program) | Job::Module { program, .. } => Some(&program.name),
        }
    }

    /// Returns `true` if the job tests something else than optimised kernels: calls to the driver, errors, the meaning of
    /// expressions, the use of a function, or the parts of a library.
    pub(super) fn needs_no_optimiser(&self) -> bool {
        match self {
            Job::Documentation(_) | Job::Program(_) => true,
            Job::Module { module, .. } => UNOPTIMISED.iter().any(|end| module.ends_with(end)),
        }
    }

    /// Returns the command that runs the job.
    pub(super) fn command(&self) -> Expression {
        match self {
            Job::Documentation(args) => workspace::cargo(args),
            Job::Program(program) => program.command([""; 0]),
            Job::Module { program, tests, .. } => {
                program.command(["--exact"].into_iter().chain(tests.iter().map(String::as_str)))
            }
        }
    }
}

impl fmt::Display for Job {
    /// Writes the job's name for messages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Job::Documentation(_) => f.write_str("documentation"),
            Job::Program(program) => f.write_str(&program.name),
            Job::Module { program, module, .. } if module.is_empty() => f.write_str(&program.name),
            Job::Module { program, module, .. } => write!(f, "{}::{module}", program.name),
        }
    }
}

/// The modules that take longest on PoCL. They start first, so that no long job runs alone at the end.
const LONG: [&str; 8] = [
    "solvers",
    "solvers_fail",
    "forms",
    "faults",
    "expressions_random",
    "tuning",
    "reduce",
    "any_comparator",
];

/// The ends of the names of modules that test something else than optimised kernels: calls to the driver, errors, types,
/// and the meaning of expressions. Modules about the kernels themselves (`sort`, `reduce`, `math`, ...) keep the optimiser.
const UNOPTIMISED: [&str; 38] = [
    "driver_calls",
    "faults",
    "refused",
    "lifetimes",
    "solvers_fail",
    "solvers_in_two_launches",
    "any_comparator",
    "derive_element",
    "device_fn",
    "edges",
    "ends",
    "external_sorts",
    "extremes",
    "expressions_random",
    "formulas",
    "host_rows",
    "integers_in_all_pairs",
    "language",
    "multigrid",
    "neighbours_of_neighbours",
    "surprises",
    "trees",
    "against_ndarray",
    "derivatives",
    "forms",
    "names_in_errors",
    "sequences",
    "set_operations",
    "small_devices",
    "segments",
    "sort_by_several_keys",
    "growing",
    "flat_maps",
    "bits",
    "texts",
    "tables",
    "layouts",
    "reductions",
];

/// Divides the programs into jobs: the tests of a library are one job, and each module of a folder `tests` is
/// one. Libraries come first, then the modules that take longest.
///
/// # Errors
///
/// If a program does not list its tests.
pub(super) fn of(mut programs: Vec<Program>) -> Result<Vec<Job>> {
    programs.sort_by(|a, b| (a.is_suite, &a.name).cmp(&(b.is_suite, &b.name)));
    let mut jobs = Vec::new();
    for program in programs {
        if !program.is_suite {
            jobs.push(Job::Program(program));
            continue;
        }
        for (module, tests) in programs::by_module(program.tests()?) {
            jobs.push(Job::Module { program: program.clone(), module, tests });
        }
    }
    jobs.sort_by_key(turn);
    Ok(jobs)
}

/// Returns the rank of a job; lower ranks start first.
fn turn(job: &Job) -> u8 {
    match job {
        Job::Documentation(_) | Job::Program(_) => 0,
        Job::Module { module, .. } if LONG.contains(&module.as_str()) => 1,
        Job::Module { .. } => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_that_take_long_begin_first() {
        let program = Program {
            name: "a/suite".to_owned(),
            executable: workspace::root(),
            folder: workspace::root(),
            is_suite: true,
        };
        let module =
            |name: &str| Job::Module { program: program.clone(), module: name.to_owned(), tests: Vec::new() };
        let turns =
            [Job::Program(program.clone()), module("solvers"), module("as_gpus")].map(|job| turn(&job));
        assert_eq!(turns, [0, 1, 2]);
        let crates = [
            "cl-core",
            "cl-algo",
            "cl-array",
            "cl-fft",
            "cl-grid",
            "cl-linalg",
            "cl-sparse",
            "cl-collections",
        ];
        for name in LONG.into_iter().chain(UNOPTIMISED) {
            let is_there = |folder: &str| {
                let files = std::fs::read_dir(workspace::root().join(folder).join("tests/suite"));
                let files = files.expect("the crate has a suite").flatten();
                files.map(|file| file.path()).any(|path| {
                    path.file_stem().and_then(|stem| stem.to_str()).is_some_and(|stem| stem.ends_with(name))
                })
            };
            assert!(crates.into_iter().any(is_there), "no test program has a module {name}");
        }
    }

    #[test]
    fn modules_about_kernels_keep_the_optimiser() {
        let module = |module: &str| Job::Module {
            program: Program::default(),
            module: module.to_owned(),
            tests: Vec::new(),
        };
        assert!(Job::Documentation(Vec::new()).needs_no_optimiser());
        assert!(module("solver_driver_calls").needs_no_optimiser());
        assert!(!module("solvers").needs_no_optimiser());
        assert!(Job::Program(Program::default()).needs_no_optimiser());
    }

    /// Uses this test program twice: as a library, and as a program whose modules are jobs.
    #[test]
    fn each_module_is_one_job_behind_the_libraries() {
        let this = |name: &str, is_suite| Program {
            name: name.to_owned(),
            executable: std::env::current_exe().expect("this program"),
            folder: workspace::root(),
            is_suite,
        };
        let jobs = of(vec![this("a/suite", true), this("b", false)]).expect("it lists its tests");
        assert_eq!(jobs[0], Job::Program(this("b", false)));
        let names: Vec<String> = jobs.iter().map(ToString::to_string).collect();
        assert!(names.contains(&"a/suite::commands".to_owned()), "{names:?}");
        let summary = jobs.iter().find(|job| job.to_string() == "a/suite::summary").expect("its tests");
        let listed = summary.command().before_spawn(|command| {
            command.arg("--list");
            Ok(())
        });
        let listed = listed.read().expect("it lists its tests");
        let tests: Vec<&str> = listed.lines().filter(|line| line.ends_with(": test")).collect();
        assert!(!tests.is_empty() && tests.iter().all(|test| test.starts_with("summary::")), "{tests:?}");
    }
}
