//! Tests the results of functions without a library, and with a library that lacks them all.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)] // tests may stop at the first surprise

use cl_sys::*;
use std::process::Command;
use std::ptr::{null, null_mut};

/// The variable that is set in the child processes, in which [`child`] makes the calls.
const CHILD: &str = "CL_SYS_TEST_CHILD";

/// Prints a status returned as a result, through `errcode_ret` and with a null `errcode_ret`, and
/// checks null results.
#[test]
fn child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let (mut created, mut built_in) = (7, 7);
    // SAFETY: nothing is called, because the library has no such function.
    let (status, all_null) = unsafe {
        let pointers = [
            clCreateContext(null(), 0, null(), None, null_mut(), &raw mut created),
            clCreateContext(null(), 0, null(), None, null_mut(), null_mut()),
            clCreateProgramWithBuiltInKernels(null_mut(), 0, null(), null(), &raw mut built_in),
            clGetExtensionFunctionAddress(null()),
        ];
        (clGetPlatformIDs(0, null_mut(), null_mut()), pointers.iter().all(|pointer| pointer.is_null()))
    };
    println!("<{status} {created} {built_in} {all_null}>");
}

/// Returns the text that [`child`] prints with this library.
fn with_library(path: &str) -> String {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--nocapture"])
        .env("CL_LIBRARY", path)
        .env(CHILD, "1")
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{printed}\n{}", String::from_utf8_lossy(&output.stderr));
    printed[printed.find('<').unwrap()..=printed.rfind('>').unwrap()].to_owned()
}

#[test]
fn without_a_library_every_function_says_so() {
    let code = CL_PLATFORM_NOT_FOUND_KHR;
    assert_eq!(with_library("/nonexistent/libOpenCL.so.1"), format!("<{code} {code} {code} true>"));
}

#[test]
fn a_function_that_the_library_lacks_is_an_invalid_operation() {
    // Any library without OpenCL functions will do; this process has loaded one.
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let line = maps.lines().find(|line| line.contains("/libgcc_s.so")).unwrap();
    let code = CL_INVALID_OPERATION;
    assert_eq!(with_library(&line[line.find('/').unwrap()..]), format!("<{code} {code} {code} true>"));
}
