//! Programs of each origin, and the properties of programs and kernels.

use super::{NAMES, lacking};
use cl_core::{BuildOptions, Context, Error, Kernel, ObjectCode, Program, ProgramKind, Result, Source};
use cl_test::sweep::{Operation, run};
use std::sync::OnceLock;

const TWO: &str = "
kernel void first(global int *x, const float f) { x[get_global_id(0)] = (int)f; }
kernel __attribute__((reqd_work_group_size(2, 1, 1))) void second(local float4 *x) {
    local float4 y[2];
    y[get_local_id(0)] = x[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    x[0] = y[1 - get_local_id(0)];
}";

/// A program that the context keeps.
#[derive(Default)]
struct Kept(OnceLock<Program>);

/// Returns a program that was compiled here, because a program that was loaded from disk tells less.
fn two(context: &Context) -> Program {
    let build = || Program::build(context, TWO, &BuildOptions::new().uncached()).unwrap();
    context.attachment::<Kept>().0.get_or_init(build).clone()
}

/// SPIR-V without any function: capabilities, and the memory model.
const MODULE: [u32; 14] = [
    0x0723_0203,
    0x0001_0000,
    0,
    1,
    0, // magic, version 1.0, generator, bound, schema
    0x0002_0011,
    4,
    0x0002_0011,
    5,
    0x0002_0011,
    6, // OpCapability Addresses, Linkage, Kernel
    0x0003_000e,
    2,
    2, // OpMemoryModel Physical64 OpenCL
];

/// Asks a kernel for its sub-groups, if the device has sub-groups.
fn sub_groups(kernel: &Kernel) -> Result<()> {
    lacking(kernel.sub_group_size([2, 1]))?;
    lacking(kernel.sub_groups([2, 1]))?;
    lacking(kernel.local_size_for(1))?;
    lacking(kernel.max_sub_groups())?;
    lacking(kernel.required_sub_groups())?;
    lacking(kernel.required_sub_group_size()).map(drop)
}

pub(crate) const ROWS: &[Operation] = &[
    Operation::new("Program::build of pieces with a header", |bench| {
        run(|| {
            let source = Source::new("#include \"value.h\"\n").piece("kernel void k(global int *x) { ");
            let source = source.piece("x[0] = VALUE; }").header("value.h", "#define VALUE 7\n");
            let program = Program::build(&bench.context, source, &BuildOptions::new().uncached())?;
            program.kernel("k").map(drop)
        })
    }),
    Operation::new("ObjectCode::compile, library, Program::link", |bench| {
        run(|| {
            let compile =
                |text: &'static str| ObjectCode::compile(&bench.context, text, &BuildOptions::new());
            let square = compile("int square(int x) { return x * x; }")?;
            let kernel = compile("int square(int); kernel void k(global int *x) { x[0] = square(x[0]); }")?;
            let library = ObjectCode::library(&bench.context, &[&square])?;
            Program::link(&bench.context, &[&kernel, &library]).map(drop)
        })
    }),
    // The texts around the linker's message may be missing.
    Operation::new("Program::link of a function that is missing", |bench| {
        let source = "int none(int); kernel void k(global int *x) { x[0] = none(x[0]); }";
        let object = ObjectCode::compile(&bench.context, source, &BuildOptions::new()).unwrap();
        run(move || match Program::link(&bench.context, &[&object]) {
            // Some drivers find the error only when the kernel is made or launched.
            Err(Error::Build(_)) => Ok(()),
            other => other.map(drop),
        })
    })
    .ignores_failures_of(&["clGetDeviceInfo", "clGetPlatformInfo", "clGetProgramBuildInfo"]),
    Operation::new("Program::binary, from_binary", |bench| {
        let program = two(&bench.context);
        run(move || {
            let binary = program.binary()?;
            // SAFETY: of the same device and driver, a moment ago.
            let again = unsafe { Program::from_binary(&bench.context, &binary, &BuildOptions::new()) }?;
            again.kernel("first").map(drop)
        })
    }),
    Operation::new("Program::from_il", |bench| {
        let module: Vec<u8> = MODULE.iter().flat_map(|word| word.to_ne_bytes()).collect();
        run(move || {
            // SAFETY: a valid module.
            lacking(unsafe { Program::from_il(&bench.context, &module, &[], &BuildOptions::new()) }).map(drop)
        })
    })
    .ignores_failures_of(&NAMES),
    Operation::new("Program::from_built_in_kernels", |bench| {
        run(|| {
            let names = bench.device.built_in_kernels()?;
            let Some(name) = names.first() else { return Ok(()) };
            Program::from_built_in_kernels(&bench.context, &[name]).map(drop)
        })
    }),
    Operation::new("what a program tells", |bench| {
        let program = two(&bench.context);
        run(move || {
            program.log()?;
            program.options()?;
            program.source()?;
            assert_eq!(program.kind()?, ProgramKind::Executable);
            program.kernel_names().map(drop)
        })
    }),
    Operation::new("Program::kernels", |bench| {
        let program = two(&bench.context);
        run(move || program.kernels().map(drop))
    }),
    Operation::new("what a kernel tells", |bench| {
        let kernel = two(&bench.context).kernel("second").unwrap();
        run(move || {
            kernel.preferred_multiple()?;
            kernel.resources()?;
            kernel.global_work_size()?;
            kernel.attributes().map(drop)
        })
    }),
    Operation::new("what a kernel tells about sub-groups", |bench| {
        let kernel = two(&bench.context).kernel("second").unwrap();
        run(move || sub_groups(&kernel))
    })
    .ignores_failures_of(&NAMES),
    Operation::new("Kernel::try_clone", |bench| {
        let kernel = two(&bench.context).kernel("first").unwrap();
        run(move || {
            assert_eq!(kernel.try_clone()?.name(), "first");
            Ok(())
        })
    }),
];
