//! Machines that lack a library, a platform or a device. These are three different errors. Each comes
//! quickly, and names the tried libraries and what to install.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::raw::{
    Functions, c_void, cl_device_id, cl_device_type, cl_int, cl_platform_id, cl_uint, size_t,
};
use cl_core::{Device, Error, Library, Status};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The longest time that a user may have to wait for the answer.
const PATIENCE: Duration = Duration::from_millis(100);

/// The environment variable that is set in the child processes, in which [`child`] looks for devices.
const CHILD: &str = "CL_ABSENCE_CHILD";

/// The largest number of attempts until an answer is in time. The promise is about this code, not about other
/// work of the machine.
const ATTEMPTS: usize = 5;

/// Returns the result of `probe`, which must answer in time in one of a few attempts.
fn in_time<T>(probe: impl Fn() -> T) -> T {
    let mut took = Vec::new();
    for _ in 0..ATTEMPTS {
        let start = Instant::now();
        let result = probe();
        took.push(start.elapsed());
        if took.last() < Some(&PATIENCE) {
            return result;
        }
    }
    panic!("the answer took {took:?}");
}

/// Returns an error's text. A user's `main` shows an error by its `Debug` text, which must be the same as
/// `Display`'s.
fn text(error: &Error) -> String {
    let text = error.to_string();
    assert_eq!(format!("{error:?}"), text);
    text
}

#[test]
fn no_library() {
    let path = "/nonexistent/libOpenCL.so.1";
    // SAFETY: there is nothing to load.
    let error = in_time(|| unsafe { Library::open(path) }).unwrap_err();
    assert!(matches!(&error, Error::LibraryNotFound { tried, .. } if tried.len() == 1), "{error}");
    let text = text(&error);
    assert!(text.contains(path) && text.contains("install"), "{text}");
}

#[test]
fn a_file_that_is_no_library() {
    let folder = Folder::new("text");
    let path = folder.0.join("libOpenCL.so.1");
    std::fs::write(&path, "this is no library\n").unwrap();
    // SAFETY: the loader rejects the file before it runs any of it.
    let error = in_time(|| unsafe { Library::open(&path) }).unwrap_err();
    assert!(matches!(error, Error::LibraryNotFound { .. }), "{error}");
    assert!(text(&error).contains(&path.display().to_string()), "{error}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_library_that_is_not_opencl() {
    // SAFETY: the C library is loaded already, and none of its functions has an OpenCL name.
    let error = in_time(|| unsafe { Library::open("libc.so.6") }).unwrap_err();
    assert!(
        matches!(&error, Error::LibraryIncomplete { library, function: "clGetPlatformIDs", .. } if library == "libc.so.6"),
        "{error}"
    );
    assert!(text(&error).contains("libc.so.6"), "{error}");
}

// Fakes of drivers: one without platforms, and one whose platform has no devices.

unsafe extern "system" fn zero_platforms(_: cl_uint, _: *mut cl_platform_id, count: *mut cl_uint) -> cl_int {
    if !count.is_null() {
        // SAFETY: OpenCL's caller gives null or a pointer for the number.
        unsafe { *count = 0 };
    }
    0
}

unsafe extern "system" fn platform_not_found(_: cl_uint, _: *mut cl_platform_id, _: *mut cl_uint) -> cl_int {
    Status::PLATFORM_NOT_FOUND_KHR.0
}

unsafe extern "system" fn platforms_fail(_: cl_uint, _: *mut cl_platform_id, _: *mut cl_uint) -> cl_int {
    Status::OUT_OF_HOST_MEMORY.0
}

unsafe extern "system" fn one_platform(
    entries: cl_uint,
    platforms: *mut cl_platform_id,
    count: *mut cl_uint,
) -> cl_int {
    if entries > 0 {
        // SAFETY: there is room for `entries` ids.
        unsafe { *platforms = std::ptr::without_provenance_mut(64) };
    }
    if !count.is_null() {
        // SAFETY: as above.
        unsafe { *count = 1 };
    }
    0
}

unsafe extern "system" fn platform_info(
    _: cl_platform_id,
    _: cl_uint,
    size: size_t,
    value: *mut c_void,
    size_ret: *mut size_t,
) -> cl_int {
    let name = b"Fake Platform\0";
    if !value.is_null() {
        // SAFETY: there is room for `size` bytes.
        unsafe { value.cast::<u8>().copy_from_nonoverlapping(name.as_ptr(), size.min(name.len())) };
    }
    if !size_ret.is_null() {
        // SAFETY: OpenCL's caller gives null or a pointer for the size.
        unsafe { *size_ret = name.len() };
    }
    0
}

unsafe extern "system" fn zero_devices(
    _: cl_platform_id,
    _: cl_device_type,
    _: cl_uint,
    _: *mut cl_device_id,
    count: *mut cl_uint,
) -> cl_int {
    if !count.is_null() {
        // SAFETY: OpenCL's caller gives null or a pointer for the number.
        unsafe { *count = 0 };
    }
    0
}

unsafe extern "system" fn device_not_found(
    _: cl_platform_id,
    _: cl_device_type,
    _: cl_uint,
    _: *mut cl_device_id,
    _: *mut cl_uint,
) -> cl_int {
    Status::DEVICE_NOT_FOUND.0
}

unsafe extern "system" fn devices_fail(
    _: cl_platform_id,
    _: cl_device_type,
    _: cl_uint,
    _: *mut cl_device_id,
    _: *mut cl_uint,
) -> cl_int {
    Status::OUT_OF_HOST_MEMORY.0
}

/// Returns the error of looking for devices in the system's library, after `change` has changed the library.
fn error_of(change: impl FnOnce(&mut Functions)) -> Error {
    let mut functions = *Library::load().unwrap().functions();
    change(&mut functions);
    // SAFETY: the entries are the system's, or fakes that keep to OpenCL's rules.
    let library = unsafe { Library::from_functions(functions) };
    in_time(|| Device::all_of(library)).unwrap_err()
}

#[test]
fn no_platform() {
    let zero = error_of(|functions| functions.clGetPlatformIDs = zero_platforms);
    let not_found = error_of(|functions| functions.clGetPlatformIDs = platform_not_found);
    assert_eq!(zero, not_found, "loaders say it in two ways");
    assert!(matches!(zero, Error::NoPlatform { .. }), "{zero}");
    let text = text(&zero);
    assert!(text.contains("install"), "{text}");
}

#[test]
fn no_device() {
    for none in [zero_devices, device_not_found] {
        let error = error_of(|functions| {
            functions.clGetPlatformIDs = one_platform;
            functions.clGetPlatformInfo = platform_info;
            functions.clGetDeviceIDs = none;
        });
        assert!(matches!(error, Error::NoDevice { .. }), "{error}");
        let text = text(&error);
        assert!(text.contains("Fake Platform") && text.contains("install"), "{text}");
    }
}

#[test]
fn other_failures_keep_their_status() {
    let error = error_of(|functions| functions.clGetPlatformIDs = platforms_fail);
    assert_eq!(error.status(), Some(Status::OUT_OF_HOST_MEMORY), "{error}");
    assert!(text(&error).contains("clGetPlatformIDs failed: CL_OUT_OF_HOST_MEMORY (-6)"), "{error}");
    let error = error_of(|functions| {
        functions.clGetPlatformIDs = one_platform;
        functions.clGetPlatformInfo = platform_info;
        functions.clGetDeviceIDs = devices_fail;
    });
    assert_eq!(error.status(), Some(Status::OUT_OF_HOST_MEMORY), "{error}");
    assert!(text(&error).contains("clGetDeviceIDs"), "{error}");
}

// The same with real loaders. They look for drivers once a process, so each case is a child process: this
// test binary, which runs `child` only.

#[test]
fn child() {
    if std::env::var_os(CHILD).is_some() {
        let (start, waited) = (Instant::now(), waited_for_a_processor());
        let answer = Device::first();
        let own = start.elapsed().saturating_sub(waited_for_a_processor() - waited);
        let microseconds = own.as_micros();
        let answer = answer.map_or_else(|error| text(&error), |device| format!("found {device}"));
        println!("<{microseconds}|{answer}>");
    }
}

/// Returns the time for which this thread was ready to run while others ran. A busy machine must not make an
/// answer late. Zero if Linux does not tell the time.
fn waited_for_a_processor() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let waited = told.split_ascii_whitespace().nth(1).and_then(|nanoseconds| nanoseconds.parse().ok());
    Duration::from_nanos(waited.unwrap_or(0))
}

/// Returns the answer that [`child`] finds under these settings, in time in one of a few processes.
#[cfg(target_os = "linux")]
fn in_child(vendors: &Path, settings: &[(&str, &str)]) -> String {
    let mut took = Vec::new();
    for _ in 0..ATTEMPTS {
        let output = cl_test::child(child)
            .env_remove("OCL_ICD_FILENAMES")
            .env_remove("OPENCL_VENDOR_PATH")
            .env("OCL_ICD_VENDORS", vendors)
            .env(CHILD, "1")
            .envs(settings.iter().copied())
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{printed}\n{complaint}");
        let (start, end) = (printed.find('<').unwrap(), printed.rfind('>').unwrap());
        let (microseconds, answer) = printed[start + 1..end].split_once('|').unwrap();
        took.push(Duration::from_micros(microseconds.parse().unwrap()));
        if took.last() < Some(&PATIENCE) {
            return answer.to_owned();
        }
    }
    panic!("the answer took {took:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn no_platform_with_the_real_loader() {
    let empty = Folder::new("empty");
    let text = in_child(&empty.0, &[]);
    assert!(text.contains("no platform is registered"), "{text}");
    assert!(text.contains(&format!("{} (OCL_ICD_VENDORS) holds no .icd file", empty.0.display())), "{text}");

    let missing = empty.0.join("missing");
    let text = in_child(&missing, &[]);
    assert!(text.contains(&format!("{} (OCL_ICD_VENDORS) does not exist", missing.display())), "{text}");

    std::fs::write(empty.0.join("broken.icd"), "/nonexistent/libdriver.so\n").unwrap();
    let text = in_child(&empty.0, &[]);
    assert!(text.contains("holds broken.icd, but none of them could be loaded"), "{text}");
}

#[test]
#[cfg(target_os = "linux")]
fn no_device_with_pocl() {
    let installed = Path::new("/etc/OpenCL/vendors/pocl.icd");
    if !installed.exists() {
        eprintln!("skipped: PoCL is not installed");
        return;
    }
    let only_pocl = Folder::new("pocl");
    std::fs::copy(installed, only_pocl.0.join("pocl.icd")).unwrap();
    let text = in_child(&only_pocl.0, &[("POCL_DEVICES", "nothing")]);
    // PoCL 3 shows a platform without devices. PoCL 5 hides the platform as well.
    let no_device = text.contains("no OpenCL device") && text.contains("Portable Computing Language");
    assert!(no_device || text.contains("no platform is registered"), "{text}");
}

/// A folder of this test. It and its content are removed when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("cl-absence-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}
