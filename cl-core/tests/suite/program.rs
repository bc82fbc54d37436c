//! Programs of every origin give kernels that compute. Invalid text does not reach the driver.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::raw::Functions;
use cl_core::{
    Buffer, BuildOptions, CVersion, CacheStatistics, Context, Device, Error, Library, ObjectCode, Program,
    ProgramKind, Queue, Source, Status,
};
use cl_test::counting::{self, Calls};
use cl_test::{each_device, known_faults};

/// Returns the value that the program's kernel `name` writes to `x[0]`.
fn result(queue: &Queue, program: &Program, name: &str) -> i32 {
    let mut x = Buffer::filled(queue, -1_i32, 1).unwrap();
    let kernel = program.kernel(name).unwrap();
    // SAFETY: one work-item, one element; the tests' kernels write x[0] only.
    unsafe { kernel.launch().arg(&mut x).global(1).enqueue(queue) }.unwrap();
    x.to_vec(queue).unwrap()[0]
}

/// Returns options without a cache, because these tests are about the compiler.
fn options() -> BuildOptions {
    BuildOptions::new().uncached()
}

const INPUT: &str = "program source";

/// Checks that building `source` fails before the driver is asked anything. Returns the error's text.
fn refused<'s>(source: impl Into<Source<'s>>, options: &BuildOptions, wanted: &'static str) -> String {
    let source = source.into();
    let counter = counting::exclusive();
    let device = &counting::devices()[0];
    let context = Context::on(device).unwrap();
    let mut texts = Vec::new();
    let calls = counter.calls_during(|| {
        let cached = Program::build(&context, source.clone(), options).unwrap_err();
        let uncached = Program::build(&context, source.clone(), &options.clone().uncached()).unwrap_err();
        let object = ObjectCode::compile(&context, source, options).unwrap_err();
        for error in [cached, uncached, object] {
            assert!(matches!(error, Error::InvalidInput { what, .. } if what == wanted), "{error}");
            texts.push(error.to_string());
        }
    });
    assert_eq!(calls, Calls::new());
    texts.pop().unwrap()
}

#[test]
fn pieces_are_one_text() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let pieces = ["#define A 40\nkernel void f(global", " int *x) { x[0] = A", " + 2; }"];
        let program = Program::build(queue.context(), pieces, &options()).unwrap();
        assert_eq!(result(&queue, &program, "f"), 42);
        assert_eq!(program.source().unwrap(), pieces.concat());
        let slice = Program::build(queue.context(), &pieces[..], &options()).unwrap();
        assert_eq!(result(&queue, &slice, "f"), 42);
    });
}

#[test]
fn headers_are_found_by_name() {
    known_faults::each_device("program::headers_are_found_by_name", |device| {
        let queue = Queue::on(device).unwrap();
        let source = Source::new("#include \"one.h\"\n#include <sub/two.h>\n")
            .piece("kernel void f(global int *x) { x[0] = ONE + TWO; }")
            .header("one.h", "#define ONE 1\n")
            .header("sub/two.h", "#include \"one.h\"\n#define TWO (ONE + ONE)\n");
        for options in [options(), BuildOptions::new()] {
            let program = Program::build(queue.context(), source.clone(), &options).unwrap();
            assert_eq!(result(&queue, &program, "f"), 3);
        }
        // A header with the same name and another text gives another program.
        let other = Source::new("#include \"one.h\"\nkernel void f(global int *x) { x[0] = ONE; }");
        for (text, expected) in [("#define ONE 5\n", 5), ("#define ONE 6\n", 6)] {
            let source = other.clone().header("one.h", text);
            let program = Program::build(queue.context(), source, &BuildOptions::new()).unwrap();
            assert_eq!(result(&queue, &program, "f"), expected);
        }
    });
}

#[test]
fn an_error_in_a_header_shows_the_header() {
    known_faults::each_device("program::an_error_in_a_header_shows_the_header", |device| {
        let context = Context::on(device).unwrap();
        let source = Source::new("#include \"bad.h\"\nkernel void f(global int *x) { x[0] = f1(); }\n")
            .header("bad.h", "// fine\nint f1(void) { return nonsense; }\n");
        let error = Program::build(&context, source, &options()).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("in bad.h: error: use of undeclared identifier"), "{text}");
        assert!(text.contains("    2 | int f1(void) { return nonsense; }\n"), "{text}");
        let Error::Build(error) = error else { panic!("{error}") };
        assert_eq!(error.status, Status::COMPILE_PROGRAM_FAILURE);
        assert!(Program::build(&context, "kernel void f(global int *x) {}", &options()).is_ok());
    });
}

#[test]
fn objects_are_linked() {
    known_faults::each_device("program::objects_are_linked", |device| {
        let queue = Queue::on(device).unwrap();
        let context = queue.context();
        let square = ObjectCode::compile(context, "int square(int x) { return x * x; }", &options()).unwrap();
        let kernel = "int square(int); kernel void f(global int *x) { x[0] = square(N); }";
        let kernel = ObjectCode::compile(context, kernel, &options().define("N", 7)).unwrap();
        assert_eq!(kernel.program().kind().unwrap(), ProgramKind::Object);
        let program = Program::link(context, &[&kernel, &square]).unwrap();
        assert_eq!(program.kind().unwrap(), ProgramKind::Executable);
        assert_eq!(result(&queue, &program, "f"), 49);
        let library = ObjectCode::library(context, &[&square]).unwrap();
        assert_eq!(library.program().kind().unwrap(), ProgramKind::Library);
        let program = Program::link(context, &[&kernel, &library]).unwrap();
        assert_eq!(result(&queue, &program, "f"), 49);

        let error = Program::link(context, &[&kernel]).unwrap_err();
        assert!(matches!(error, Error::Build(_)), "a function is missing: {error}");
        let error = Program::link(context, &[]).unwrap_err();
        assert!(matches!(error, Error::InvalidInput { .. }), "{error}");
        let other = Context::on(device).unwrap();
        let error = Program::link(&other, &[&kernel, &square]).unwrap_err();
        assert!(matches!(error, Error::ForeignObject { operation: "link", .. }), "{error}");
    });
}

#[test]
fn a_binary_comes_back_as_a_program() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let source = "kernel void f(global int *x) { x[0] = 11; }";
        let program = Program::build(queue.context(), source, &options()).unwrap();
        let binary = program.binary().unwrap();
        let context = Context::on(device).unwrap();
        // SAFETY: the same device's driver made it, in this process.
        let loaded = unsafe { Program::from_binary(&context, &binary, &options()) }.unwrap();
        let queue = Queue::new(&context, cl_core::QueueOptions::new()).unwrap();
        assert_eq!(result(&queue, &loaded, "f"), 11);
        assert_eq!(loaded.kernel_names().unwrap(), ["f"]);
        // SAFETY: no bytes are refused before the driver sees them.
        let error = unsafe { Program::from_binary(&context, &[], &options()) }.unwrap_err();
        assert!(matches!(error, Error::InvalidInput { what: "program binary", .. }), "{error}");
    });
}

#[test]
fn all_kernels_at_once() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let calls = counter.calls_during(|| {
            let queue = Queue::on(&device).unwrap();
            let source = "kernel void a(global int *x) { x[0] = 1; } kernel void b(global int *x, int y) {}";
            let program = Program::build(queue.context(), source, &options()).unwrap();
            let mut kernels = program.kernels().unwrap();
            kernels.sort_by_key(|kernel| kernel.name().to_owned());
            let facts: Vec<_> = kernels.iter().map(|kernel| (kernel.name(), kernel.arguments())).collect();
            assert_eq!(facts, [("a", 1), ("b", 2)]);
            let none =
                Program::build(queue.context(), "int helper(int x) { return x; }", &options()).unwrap();
            assert_eq!(none.kernels().unwrap().len(), 0);
        });
        assert_eq!(calls["clReleaseKernel"], 2, "{calls:?}");
        assert_eq!(calls["clReleaseProgram"], 2, "{calls:?}");
    }
}

#[test]
fn warnings_of_a_successful_build() {
    known_faults::each_device("program::warnings_of_a_successful_build", |device| {
        let context = Context::on(device).unwrap();
        let source = "#warning look at this\nkernel void f(global int *x) { x[0] = 1; }";
        let program = Program::build(&context, source, &options()).unwrap();
        assert!(program.log().unwrap().contains("look at this"), "{:?}", program.log());
        assert_eq!(program.kind().unwrap(), ProgramKind::Executable);
        let strict = Program::build(&context, source, &options().warnings_are_errors());
        assert!(matches!(strict, Err(Error::Build(_))), "{strict:?}");
    });
}

#[test]
fn other_drivers_have_no_ptx_targets() {
    // With an empty body, an H200's compiler fails.
    const SOURCE: &str = "kernel void f(global int *x) { x[0] = 1; }";
    each_device(|device| {
        let context = Context::on(device).unwrap();
        let build = |target| Program::build(&context, SOURCE, &BuildOptions::new().ptx_target(target));
        assert!(matches!(build("sm 90"), Err(Error::InvalidInput { what: "build option", .. })));
        let other = build("sm_1a").unwrap_err();
        assert!(matches!(other, Error::Unsupported { .. }), "{other}");
        let object = ObjectCode::compile(&context, SOURCE, &BuildOptions::new().ptx_target("sm_1a"));
        assert!(matches!(object, Err(Error::InvalidInput { what: "build option", .. })));
        assert!(Program::build(&context, SOURCE, &BuildOptions::new()).is_ok());
    });
}

#[test]
fn options_reach_the_compiler() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let source = "kernel void f(global int *x) {
            const T big = BIG; const float third = THIRD; const long least = LEAST; const ulong most = MOST;
            x[0] = (big == 5000000000L) + 2 * (third == 1.0f / 3.0f) + 4 * (least == LONG_MIN)
                + 8 * (most == ULONG_MAX) + 16 * (sizeof(T) == 8) + 32 * isinf(ENDLESS) + 64 * NEGATIVE;
        }";
        let options = options()
            .define("BIG", 5_000_000_000_i64)
            .define("THIRD", 1.0_f32 / 3.0)
            .define("LEAST", i64::MIN)
            .define("MOST", u64::MAX)
            .define("T", "long")
            .define("ENDLESS", f32::INFINITY)
            .define("NEGATIVE", -1)
            .language(CVersion::C12)
            .no_optimization();
        let program = Program::build(queue.context(), source, &options).unwrap();
        assert_eq!(result(&queue, &program, "f"), 63 - 64);
        assert_eq!(program.options().unwrap(), format!("{options} -cl-kernel-arg-info"));
        let all = BuildOptions::new()
            .uncached()
            .fast_math()
            .allow_mad()
            .no_signed_zeros()
            .unsafe_math()
            .finite_math()
            .denormals_are_zero()
            .single_precision_literals()
            .no_warnings();
        let plain = "kernel void f(global int *x) { x[0] = 9; }";
        let program = Program::build(queue.context(), plain, &all).unwrap();
        assert_eq!(result(&queue, &program, "f"), 9);
    });
}

#[test]
fn bad_text_is_refused_before_the_driver() {
    let plain = BuildOptions::new();
    assert!(refused("kernel void f() {}\0", &plain, INPUT).contains("position 18"));
    assert!(refused(["kernel", " void\0"], &plain, INPUT).contains("position 11"));
    let large = " ".repeat((64 << 20) + 1);
    assert!(refused(&large, &plain, INPUT).contains("bytes are more than"));
    let half = &large[..40 << 20];
    assert!(refused(Source::new(half).header("h", half), &plain, INPUT).contains("bytes are more than"));
    refused("", &plain.clone().define("A B", 1), "build option");
    refused("", &plain.clone().define("int", 1), "build option");
    refused("", &plain.define("A", "1; -I /"), "build option");
}

#[test]
fn files_are_not_included() {
    let folder = tempfile::tempdir().unwrap();
    let marker = folder.path().join("marker.h");
    std::fs::write(&marker, "the text of a file\n").unwrap();
    let marker = marker.display();
    for include in [
        format!("#include \"{marker}\""),
        format!("# /**/ include <{marker}>"),
        format!("int x;\n#inc\\\nlude \"{marker}\""),
        format!("#define NAME \"{marker}\"\n#include NAME"),
    ] {
        let text = refused(&include, &BuildOptions::new(), INPUT);
        assert!(text.contains("Source::header"), "{text}");
        // A header may not include a file either, nor may a piece that becomes a directive only together with the
        // next piece.
        let header = Source::new("#include \"h\"").header("h", &include);
        refused(header, &BuildOptions::new(), "program header");
        let (left, right) = include.split_at(include.len() / 2);
        refused([left, right], &BuildOptions::new(), INPUT);
    }
}

#[test]
fn names_of_headers_stay_in_their_folder() {
    let long = "a".repeat(256);
    for name in ["", "/a.h", "../a.h", "a/../b.h", "a//b", "a/", "a b", "a\\b", "a\0", "é", ".", "-I", &long]
    {
        let text = refused(Source::new("").header(name, ""), &BuildOptions::new(), "program header");
        assert!(text.contains("cannot name a header"), "{text}");
    }
    let twice = Source::new("").header("a.h", "").header("a.h", "int x;");
    assert!(refused(twice, &BuildOptions::new(), "program header").contains("twice"));
    let nul = Source::new("").header("a.h", "\0");
    assert!(refused(nul, &BuildOptions::new(), "program header").contains("NUL"));
}

#[test]
fn built_in_kernels() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let context = Context::on(&device).unwrap();
        let calls = counter.calls_during(|| {
            for names in [&[][..], &[""], &["a;b"], &["a\0"], &["a b"]] {
                let error = Program::from_built_in_kernels(&context, names).unwrap_err();
                assert!(matches!(error, Error::InvalidInput { .. }), "{names:?}: {error}");
            }
        });
        assert_eq!(calls, Calls::new());
        let error = Program::from_built_in_kernels(&context, &["no_such_kernel"]).unwrap_err();
        assert!(matches!(error, Error::Unsupported { .. }), "{error}");
        assert!(error.to_string().contains("`no_such_kernel`"), "{error}");
    }
}

// Fakes: a device with a built-in kernel, and one without a compiler.

use cl_core::raw::{
    BuildCallback, c_char, c_void, cl_device_id, cl_device_info, cl_int, cl_program, cl_uint, size_t,
};

unsafe extern "system" fn one_built_in(
    device: cl_device_id,
    name: cl_device_info,
    size: size_t,
    value: *mut c_void,
    size_ret: *mut size_t,
) -> cl_int {
    const BUILT_IN_KERNELS: cl_device_info = 0x103F;
    if name != BUILT_IN_KERNELS {
        let real = Library::load().unwrap().functions().clGetDeviceInfo;
        // SAFETY: the caller's arguments, unchanged.
        return unsafe { real(device, name, size, value, size_ret) };
    }
    let names = b"acme.sum;acme.sort\0";
    if !value.is_null() {
        // SAFETY: there is room for `size` bytes.
        unsafe { value.cast::<u8>().copy_from_nonoverlapping(names.as_ptr(), size.min(names.len())) };
    }
    if !size_ret.is_null() {
        // SAFETY: null or a pointer for the size.
        unsafe { *size_ret = names.len() };
    }
    0
}

unsafe extern "system" fn no_compiler(
    _: cl_program,
    _: cl_uint,
    _: *const cl_device_id,
    _: *const c_char,
    _: Option<BuildCallback>,
    _: *mut c_void,
) -> cl_int {
    Status::COMPILER_NOT_AVAILABLE.0
}

/// Returns the devices of the system's library, after `change` has changed the library.
fn devices_with(change: impl FnOnce(&mut Functions)) -> Vec<Device> {
    let mut functions = *Library::load().unwrap().functions();
    change(&mut functions);
    // SAFETY: the entries are the system's, or fakes that keep to OpenCL's rules.
    Device::all_of(unsafe { Library::from_functions(functions) }).unwrap()
}

#[test]
fn a_device_with_built_in_kernels_is_asked_for_them() {
    for device in devices_with(|functions| functions.clGetDeviceInfo = one_built_in) {
        if known_faults::skips("program::a_device_with_built_in_kernels_is_asked_for_them", &device) {
            continue;
        }
        let context = Context::on(&device).unwrap();
        let error = Program::from_built_in_kernels(&context, &["acme.sum", "acme.fft"]).unwrap_err();
        assert!(error.to_string().contains("`acme.fft`"), "{error}");
        // The real driver does not know such a kernel, and says so.
        let error = Program::from_built_in_kernels(&context, &["acme.sum", "acme.sort"]).unwrap_err();
        assert!(error.to_string().contains("clCreateProgramWithBuiltInKernels"), "{error}");
    }
}

#[test]
fn a_device_without_a_compiler_says_so() {
    for device in devices_with(|functions| functions.clBuildProgram = no_compiler) {
        let context = Context::on(&device).unwrap();
        let error = Program::build(&context, "kernel void f() {}", &options()).unwrap_err();
        assert!(matches!(error, Error::Unsupported { .. }), "{error}");
        assert!(error.to_string().contains("compiler"), "{error}");
    }
}

#[test]
fn a_context_remembers_its_programs() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        let context = queue.context();
        let source = format!("kernel void f(global int *x) {{ x[0] = {}; }}", std::process::id());
        let first = Program::build(context, &source, &BuildOptions::new()).unwrap();
        let calls = counter.calls_during(|| {
            let second = Program::build(context, &source, &BuildOptions::new()).unwrap();
            assert_eq!(second.as_raw(), first.as_raw());
        });
        assert_eq!(calls, Calls::new());
        let other = Program::build(context, &source, &BuildOptions::new().define("A", 1)).unwrap();
        assert_ne!(other.as_raw(), first.as_raw());
        let uncached = Program::build(context, &source, &options()).unwrap();
        assert_ne!(uncached.as_raw(), first.as_raw());
        let statistics = CacheStatistics::of(context);
        assert_eq!((statistics.memory_hits, statistics.rejected), (1, 0));
        assert_eq!(statistics.builds + statistics.disk_hits, 2);
        assert_eq!(CacheStatistics::of(&Context::on(&device).unwrap()), CacheStatistics::default());
        // The programs are released with the context, which they do not keep alive.
        drop((first, other, uncached));
        let calls = counter.calls_during(|| drop(queue));
        assert_eq!((calls["clReleaseProgram"], calls["clReleaseContext"]), (2, 1), "{calls:?}");
    }
}
