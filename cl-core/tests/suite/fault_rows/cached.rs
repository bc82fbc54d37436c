//! Programs that are looked up in a cache before they are compiled. These rows run in a process of their own,
//! whose folder for compiled programs is private and empty.

use super::NAMES;
use cl_core::{BuildOptions, CacheStatistics, Context, Program};
use cl_test::sweep::{Bench, Operation, run};
use std::fs;
use std::path::PathBuf;

const SOURCE: &str = "kernel void k(global int *x) { x[0] = 42; }";

/// Finds or compiles the program.
fn build(context: &Context) -> cl_core::Result<Program> {
    Program::build(context, SOURCE, &BuildOptions::new())
}

/// Returns another context on the device, in which nothing has been compiled.
fn elsewhere(bench: &Bench) -> Context {
    Context::on(&bench.device).unwrap()
}

/// Returns the files on disk.
fn kept() -> impl Iterator<Item = PathBuf> {
    let folder = std::env::var_os("CL_CACHE").expect("the parent process sets it");
    fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path())
}

pub(crate) const ROWS: &[Operation] = &[
    Operation::new("Program::build, kept by the context", |bench| {
        build(&bench.context).unwrap();
        run(|| build(&bench.context)?.kernel("k").map(drop))
    }),
    // Without names for the device nothing is found, and the program is compiled. It is also compiled when the
    // driver refuses the binary.
    Operation::new("Program::build, kept on disk", |bench| {
        build(&elsewhere(bench)).unwrap();
        let other = elsewhere(bench);
        build(&other).unwrap();
        assert_eq!(CacheStatistics::of(&other).disk_hits, 1, "it must come from disk");
        run(|| build(&bench.context).map(drop))
    })
    .in_own_context()
    .ignores_failures_of(&[NAMES[0], NAMES[1], "clCreateProgramWithBinary", "clBuildProgram"]),
    // If the driver does not give the binary, nothing is kept.
    Operation::new("Program::build, kept nowhere", |bench| {
        kept().for_each(|path| fs::remove_file(path).unwrap());
        run(|| build(&bench.context).map(drop))
    })
    .in_own_context()
    .in_turns() // each run compiles
    .ignores_failures_of(&[
        NAMES[0],
        NAMES[1],
        "clGetProgramInfo",
        // The declarations of its kernels are kept beside the binary.
        "clCreateKernel",
        "clGetKernelInfo",
        "clGetKernelArgInfo",
        "clGetKernelWorkGroupInfo",
    ]),
];
