//! Programs that do not build, and kernels that do not exist. The error shows the line and the reason.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::{BuildError, BuildOptions, Context, Device, Error, Program, Status};
use cl_test::each_device;

/// A source with a typo in line 3, column 19.
const TYPO: &str = "kernel void add(global const float *x, global float *y) {
    const size_t i = get_global_id(0);
    y[i] = x[i] + nonsense;
}
";

/// Returns the error of building `source` on `device`, which must fail in the compiler.
fn build_error(device: &Device, source: &str, options: &BuildOptions) -> BuildError {
    let context = Context::on(device).unwrap();
    match Program::build(&context, source, options).unwrap_err() {
        Error::Build(error) => *error,
        other => panic!("not a build error: {other}"),
    }
}

#[test]
fn a_typo_is_shown_in_its_line() {
    each_device(|device| {
        let options = BuildOptions::new().define("TILE", 256);
        let error = build_error(device, TYPO, &options);
        let text = error.to_string();
        assert!(text.contains("    3 |     y[i] = x[i] + nonsense;\n"), "the numbered line: {text}");
        assert!(text.contains("\n      |                   ^\n"), "a caret below it: {text}");
        assert!(text.contains("error: use of undeclared identifier 'nonsense'"), "the message: {text}");
        assert!(text.contains(&format!("device:  {device}, driver ")), "the device: {text}");
        assert!(text.contains("options: -D TILE=256"), "the options: {text}");
        assert!(text.contains(&error.log.lines().next().unwrap().to_owned()), "the log: {text}");
        assert_eq!(error.source, TYPO);
        assert_eq!(error.status, Status::BUILD_PROGRAM_FAILURE);
    });
}

#[test]
fn every_message_has_its_place() {
    each_device(|device| {
        let source = "kernel void f(global int *x) {\n    x[0] = first;\n    x[1] = second;\n}\n";
        let error = build_error(device, source, &BuildOptions::new());
        let lines: Vec<usize> = error.diagnostics().iter().map(|diagnostic| diagnostic.line).collect();
        assert_eq!(lines, [2, 3], "{error}");
        assert!(error.to_string().contains("options: none"), "{error}");
    });
}

#[test]
fn a_build_error_leaves_the_context_usable() {
    each_device(|device| {
        let context = Context::on(device).unwrap();
        assert!(Program::build(&context, TYPO, &BuildOptions::new()).is_err());
        let mended = TYPO.replace("nonsense", "1.0f");
        assert!(Program::build(&context, &mended, &BuildOptions::new()).is_ok());
    });
}

#[test]
fn text_that_drivers_cut_or_misread_is_refused() {
    each_device(|device| {
        let context = Context::on(device).unwrap();
        let cut = "kernel void f() {}\0 kernel void g() {}";
        let error = Program::build(&context, cut, &BuildOptions::new()).unwrap_err();
        assert!(matches!(error, Error::InvalidInput { what: "program source", .. }), "{error}");
        assert!(error.to_string().contains("position 18"), "{error}");

        let options = BuildOptions::new().define("A -I/", 1);
        let error = Program::build(&context, "kernel void f() {}", &options).unwrap_err();
        assert!(matches!(error, Error::InvalidInput { what: "build option", .. }), "{error}");
    });
}

#[test]
fn an_unknown_kernel_is_answered_with_the_known_ones() {
    each_device(|device| {
        let context = Context::on(device).unwrap();
        let source =
            "kernel void left(global int *x) { x[0] = 1; } kernel void right(global int *x) { x[0] = 2; }";
        let program = Program::build(&context, source, &BuildOptions::new()).unwrap();
        for name in ["center", "", "left\0", "LEFT"] {
            match program.kernel(name).unwrap_err() {
                Error::UnknownKernel { name: asked, mut available, .. } => {
                    available.sort();
                    assert_eq!(
                        (asked.as_str(), available),
                        (name, vec!["left".to_owned(), "right".to_owned()])
                    );
                }
                other => panic!("{name:?}: {other}"),
            }
        }
        let text = program.kernel("center").unwrap_err().to_string();
        assert!(text.contains("`center`") && text.contains("`left`") && text.contains("`right`"), "{text}");
        assert_eq!(program.kernel("left").unwrap().name(), "left");
    });
}
