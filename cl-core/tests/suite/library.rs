//! The choice of the library: `CL_LIBRARY`, the current folder and setuid, and libraries that are never
//! loaded.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)] // tests may stop at the first surprise

use cl_core::raw::*;
use cl_core::{Error, Library, Platform};
use cl_test::output_of_copy;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::ptr::{null, null_mut};

/// The environment variable that is set in the child processes, in which [`child`] loads the library.
const CHILD: &str = "CL_LIBRARY_TEST_CHILD";

#[test]
fn child() {
    if std::env::var_os(CHILD).is_some() {
        let loaded = Library::load();
        println!("<{}|{}>", loaded.map_or_else(|e| e.to_string(), |_| "loaded".into()), forwarded());
    }
}

/// Returns the names of the functions that every library has.
fn required() -> Vec<&'static str> {
    macro_rules! names {
        (required { $(fn $name:ident $arguments:tt -> $return:ty;)* } optional $optional:tt) => {
            vec![$(stringify!($name)),*]
        };
    }
    for_each_function!(names)
}

/// Returns the answers of forwarders that return a status, store one in `errcode_ret`, return null, and
/// return nothing.
fn forwarded() -> String {
    let mut created = 7;
    let mut count = 0;
    // SAFETY: without a library nothing is called; with one, null handles are errors.
    unsafe {
        let asked = clGetPlatformIDs(0, null_mut(), &raw mut count);
        let context = clCreateContext(null(), 0, null(), None, null_mut(), &raw mut created);
        let nowhere = clCreateContext(null(), 0, null(), None, null_mut(), null_mut());
        if asked != CL_SUCCESS {
            clSVMFree(null_mut(), null_mut());
            assert!(clSVMAlloc(null_mut(), 0, 8, 0).is_null());
            let mut cloned = 7;
            assert!(clCloneKernel(null_mut(), &raw mut cloned).is_null());
            let timer = clGetHostTimer(null_mut(), null_mut());
            return format!("{asked} {created} {} {cloned} {timer}", context.is_null() && nowhere.is_null());
        }
        format!("{asked} {created} {}", context.is_null() && nowhere.is_null())
    }
}

/// Returns the text that [`child`] prints in a process of `program` with these settings, started in `folder`.
fn in_child(program: &Path, folder: &Path, settings: &[(&str, &str)]) -> String {
    let mut command = Command::new(program);
    command
        .args(cl_test::child(child).get_args())
        .current_dir(folder)
        .env_remove("CL_LIBRARY")
        .env_remove("LD_LIBRARY_PATH")
        .env(CHILD, "1")
        .envs(settings.iter().copied());
    let output = output_of_copy(&mut command);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{printed}\n{}", String::from_utf8_lossy(&output.stderr));
    let (start, end) = (printed.find('<').unwrap(), printed.rfind('>').unwrap());
    printed[start + 1..end].to_owned()
}

fn this_program() -> PathBuf {
    std::env::current_exe().unwrap()
}

/// Returns the path of the system's library.
fn system_library() -> PathBuf {
    Library::load().unwrap();
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let line = maps.lines().find(|line| line.contains("/libOpenCL.so")).unwrap();
    PathBuf::from(&line[line.find('/').unwrap()..])
}

#[test]
fn the_variable_chooses_the_library() {
    let folder = Folder::new("chosen");
    let copy = folder.0.join("mine.so");
    std::fs::copy(system_library(), &copy).unwrap();
    let answer = in_child(&this_program(), &folder.0, &[("CL_LIBRARY", copy.to_str().unwrap())]);
    assert!(answer.starts_with("loaded|0 "), "{answer}");
    // Proves that this library was loaded: without the file there is an error, and no other library is loaded
    // instead.
    std::fs::remove_file(&copy).unwrap();
    let answer = in_child(&this_program(), &folder.0, &[("CL_LIBRARY", copy.to_str().unwrap())]);
    assert!(answer.starts_with("no OpenCL library: tried ") && answer.contains("mine.so"), "{answer}");
}

#[test]
fn without_a_library_the_forwarders_report_it() {
    let folder = Folder::new("none");
    let answer = in_child(&this_program(), &folder.0, &[("CL_LIBRARY", "/nonexistent/libOpenCL.so.1")]);
    assert!(answer.ends_with("|-1001 -1001 true -1001 -1001"), "{answer}");
}

/// Checks a library with only the required functions, each of which returns -5.
#[test]
fn without_an_entry_the_forwarders_report_it() {
    let folder = Folder::new("required");
    let source: String = required()
        .iter()
        .map(|name| format!("#[unsafe(no_mangle)] pub extern \"C\" fn {name}() -> isize {{ -5 }}\n"))
        .collect();
    std::fs::write(folder.0.join("old.rs"), source).unwrap();
    let compiled = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .args(["--edition=2024", "--crate-type=cdylib", "-Anon_snake_case", "-o", "libold.so", "old.rs"])
        .current_dir(&folder.0)
        .status();
    match compiled {
        Ok(status) => assert!(status.success(), "{status}"),
        Err(error) => return eprintln!("skipped: no compiler, {error}"),
    }
    let library = folder.0.join("libold.so");
    let answer = in_child(&this_program(), &folder.0, &[("CL_LIBRARY", library.to_str().unwrap())]);
    assert_eq!(answer, "loaded|-5 7 false -59 -59");
}

#[test]
fn a_relative_variable_is_an_error() {
    let folder = Folder::new("relative");
    std::fs::copy(system_library(), folder.0.join("mine.so")).unwrap();
    for value in ["mine.so", "./mine.so"] {
        let answer = in_child(&this_program(), &folder.0, &[("CL_LIBRARY", value)]);
        let expected = format!("invalid CL_LIBRARY: `{value}` is not an absolute path");
        assert!(answer.contains(&expected), "{answer}");
    }
    let answer = in_child(&this_program(), &folder.0, &[("CL_LIBRARY", "")]);
    assert!(answer.starts_with("loaded|"), "empty is unset: {answer}");
}

/// Checks rule S1: a library in the current folder or beside the program is never loaded. The planted file is not a
/// library, so the loader would have reported an error if it had opened the file.
#[test]
fn the_current_folder_is_not_searched() {
    let folder = Folder::new("planted");
    let program = folder.0.join("program");
    std::fs::copy(this_program(), &program).unwrap();
    for name in ["libOpenCL.so.1", "libOpenCL.so"] {
        std::fs::write(folder.0.join(name), "this is no library\n").unwrap();
    }
    let answer = in_child(&program, &folder.0, &[]);
    assert!(answer.starts_with("loaded|"), "{answer}");
    // Proves that the trap works: if the user adds the folder to the search path, the planted file is found
    // first.
    let trapped = in_child(&program, &folder.0, &[("LD_LIBRARY_PATH", ".")]);
    assert!(trapped.starts_with("no OpenCL library"), "{trapped}");
}

/// Checks rule S2: a program with more rights than its user ignores the variable. Only root can make such a program
/// here: it gives a copy of this program to another user and sets its setuid bit.
#[test]
fn a_setuid_program_ignores_the_variable() {
    const NOBODY: u32 = 65534;
    if std::fs::metadata("/proc/self").unwrap().uid() != 0 {
        eprintln!("skipped: only root can give a program to another user");
        return;
    }
    let folder = Folder::new("setuid");
    std::fs::set_permissions(&folder.0, PermissionsExt::from_mode(0o755)).unwrap();
    let program = folder.0.join("program");
    std::fs::copy(this_program(), &program).unwrap();
    let settings = [("CL_LIBRARY", "/nonexistent/libOpenCL.so.1")];
    let answer = in_child(&program, &folder.0, &settings);
    assert!(answer.starts_with("no OpenCL library"), "{answer}");
    let id = folder.0.join("id");
    std::fs::copy("/usr/bin/id", &id).unwrap();
    for file in [&id, &program] {
        std::os::unix::fs::chown(file, Some(NOBODY), None).unwrap();
        std::fs::set_permissions(file, PermissionsExt::from_mode(0o4755)).unwrap();
    }
    if output_of_copy(Command::new(&id).arg("-u")).stdout != format!("{NOBODY}\n").as_bytes() {
        eprintln!("skipped: setuid bits have no effect in the folder for temporary files");
        return;
    }
    let answer = in_child(&program, &folder.0, &settings);
    assert!(answer.starts_with("loaded|"), "{answer}");
}

/// Checks rule S3: a file or library that is not an OpenCL library is an error, even if it was loaded already.
/// Nothing is unloaded.
#[test]
fn a_truncated_library_is_an_error() {
    let folder = Folder::new("truncated");
    let bytes = std::fs::read(system_library()).unwrap();
    let path = folder.0.join("half.so");
    std::fs::write(&path, &bytes[..64]).unwrap();
    let answer = in_child(&this_program(), &folder.0, &[("CL_LIBRARY", path.to_str().unwrap())]);
    assert!(
        answer.starts_with("no OpenCL library") && answer.ends_with("|-1001 -1001 true -1001 -1001"),
        "{answer}"
    );
}

#[test]
fn an_already_loaded_library() {
    // SAFETY: the system's OpenCL library, which is loaded already.
    let library = unsafe {
        let handle = libloading::Library::new(system_library()).unwrap();
        Library::from_handle(handle).unwrap()
    };
    assert!(!Platform::all_of(library).unwrap().is_empty());
    // SAFETY: the C library is loaded already, and none of its functions has an OpenCL name.
    let error = unsafe { Library::from_handle(libloading::Library::new("libc.so.6").unwrap()) }.unwrap_err();
    assert!(matches!(&error, Error::LibraryIncomplete { .. }), "{error}");
}

#[test]
fn extension_functions() {
    let counter = cl_test::counting::exclusive();
    for device in cl_test::counting::devices() {
        let platform = device.platform();
        let library = device.library();
        let calls = counter.calls_during(|| {
            assert_eq!(library.extension_function(&platform, "clNoSuchFunctionXYZ"), Ok(None), "{device}");
        });
        assert_eq!(calls["clGetExtensionFunctionAddressForPlatform"], 1);
        let calls = counter.calls_during(|| {
            let error = library.extension_function(&platform, "cl\0x").unwrap_err();
            assert!(matches!(error, Error::InvalidInput { .. }), "{error}");
            assert!(error.to_string().contains("NUL at byte 2"), "{error}");
            let error = Library::load().unwrap().extension_function(&platform, "clX").unwrap_err();
            assert!(matches!(error, Error::ForeignObject { .. }), "{error}");
        });
        assert!(calls.is_empty(), "{calls:?}");
    }
}

/// A folder of this test. It and its content are removed when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("cl-library-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}
