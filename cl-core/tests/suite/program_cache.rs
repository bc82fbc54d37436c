//! The cache on disk. A second process compiles nothing. A file that was damaged, planted or made for
//! something else is never loaded.
//!
//! The folder is chosen once a process, so each case is a child process: this test binary, which runs `child`
//! only, with `CL_CACHE` set. The child prints its builds and the result of its kernel.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::raw::{
    BuildCallback, Functions, c_char, c_uchar, c_void, cl_context, cl_device_id, cl_device_info, cl_int,
    cl_platform_id, cl_platform_info, cl_program, cl_uint, size_t,
};
use cl_core::{Buffer, BuildOptions, CacheStatistics, Device, Library, Program, Queue, Status};
use cl_test::counting;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The environment variable with the number that a child's kernel writes, which is part of the kernel's source.
const CHILD: &str = "CL_CACHE_TEST_CHILD";

/// The environment variable of child processes whose driver is changed: the key of one of [`FAKES`].
const FAKE: &str = "CL_CACHE_TEST_FAKE";

/// The environment variable of child processes that build with [`BuildOptions::uncached`].
const UNCACHED: &str = "CL_CACHE_TEST_UNCACHED";

/// The environment variable that turns PoCL's own cache off if it is 0. Otherwise PoCL's own cache is the
/// only one for PoCL's programs.
const POCL_OWN: &str = "POCL_KERNEL_CACHE";

/// The number of bytes before the binary in an entry, as in the format's table.
const HEADER: usize = 84;

fn source(number: i32) -> String {
    format!("kernel void put(global int *x) {{ x[0] = {number}; }}")
}

/// The numbers that a child reports, of all devices together.
#[derive(Debug, Default, PartialEq, Eq)]
struct Done {
    results: Vec<i32>,
    from_source: u64,
    from_binary: u64,
    statistics: CacheStatistics,
    warnings: u64,
}

impl Done {
    fn parse(text: &str) -> Done {
        let line = text.lines().find_map(|line| line.split_once("<done>")).expect(text).1;
        let numbers: Vec<i64> = line.split_whitespace().map(|word| word.parse().unwrap()).collect();
        let count = |index: usize| u64::try_from(numbers[index]).unwrap();
        Done {
            from_source: count(0),
            from_binary: count(1),
            statistics: CacheStatistics {
                memory_hits: count(2),
                disk_hits: count(3),
                builds: count(4),
                rejected: count(5),
            },
            warnings: count(6),
            results: numbers[7..].iter().map(|&number| i32::try_from(number).unwrap()).collect(),
        }
    }

    /// Returns whether each device's program came from the compiler.
    fn compiled(&self) -> bool {
        let devices = self.results.len() as u64;
        self.from_source == devices && self.from_binary == 0 && self.statistics.builds == devices
    }

    /// Returns whether each device's program came from disk.
    fn loaded(&self) -> bool {
        let devices = self.results.len() as u64;
        self.from_source == 0
            && self.from_binary == devices
            && self.statistics == CacheStatistics { disk_hits: devices, ..CacheStatistics::default() }
    }
}

/// Counts warnings, and shows them.
struct Warnings;

static WARNED: AtomicU64 = AtomicU64::new(0);

impl log::Log for Warnings {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }
    fn log(&self, record: &log::Record<'_>) {
        if record.level() == log::Level::Warn {
            WARNED.fetch_add(1, Ordering::Relaxed);
            println!("<warning>{}", record.args());
        }
    }
    fn flush(&self) {}
}

#[test]
fn child() {
    let Ok(number) = std::env::var(CHILD) else { return };
    log::set_logger(&Warnings).unwrap();
    log::set_max_level(log::LevelFilter::Warn);
    let number: i32 = number.parse().unwrap();
    let counter = counting::exclusive();
    let mut done = Done::default();
    let calls = counter.calls_during(|| {
        for device in child_devices() {
            let queue = Queue::on(&device).unwrap();
            done.results.push(put(&queue, number));
            let statistics = CacheStatistics::of(queue.context());
            done.statistics.memory_hits += statistics.memory_hits;
            done.statistics.disk_hits += statistics.disk_hits;
            done.statistics.builds += statistics.builds;
            done.statistics.rejected += statistics.rejected;
        }
    });
    let count = |name: &str| calls.get(name).copied().unwrap_or(0);
    let Done { results, statistics, .. } = done;
    let results: Vec<String> = results.iter().map(ToString::to_string).collect();
    println!(
        "<done>{} {} {} {} {} {} {} {}",
        count("clCreateProgramWithSource"),
        count("clCreateProgramWithBinary"),
        statistics.memory_hits,
        statistics.disk_hits,
        statistics.builds,
        statistics.rejected,
        WARNED.load(Ordering::Relaxed),
        results.join(" ")
    );
}

/// Returns the value that the kernel of [`source`] writes.
fn put(queue: &Queue, number: i32) -> i32 {
    let mut options = BuildOptions::new();
    if std::env::var_os(UNCACHED).is_some() {
        options = options.uncached();
    }
    let program = Program::build(queue.context(), &source(number), &options).unwrap();
    let mut x = Buffer::filled(queue, -1_i32, 1).unwrap();
    // SAFETY: one work-item, one element.
    unsafe { program.kernel("put").unwrap().launch().arg(&mut x).global(1).enqueue(queue) }.unwrap();
    x.to_vec(queue).unwrap()[0]
}

type Change = fn(&mut Functions);

/// The changes to a driver, by name.
const FAKES: [(&str, Change); 4] = [
    ("version", |functions| functions.clGetDeviceInfo = another_driver_version),
    ("has no name", |functions| functions.clGetPlatformInfo = no_answer),
    ("refuses binaries", |functions| functions.clCreateProgramWithBinary = refuse_binary),
    ("fails the first build", |functions| functions.clBuildProgram = fail_first_build),
];

/// Returns the counted devices, with a changed driver if the parent asks for one.
fn child_devices() -> Vec<Device> {
    let devices = counting::devices();
    let Ok(wanted) = std::env::var(FAKE) else { return devices };
    let mut functions: Functions = *counting::library().functions();
    FAKES.iter().find(|(name, _)| *name == wanted).unwrap().1(&mut functions);
    // SAFETY: the counting library's functions, and one that keeps to OpenCL's rules.
    let other = Device::all_of(unsafe { Library::from_functions(functions) }).unwrap();
    let ids: Vec<_> = devices.iter().map(Device::as_raw).collect();
    other.into_iter().filter(|device| ids.contains(&device.as_raw())).collect()
}

unsafe extern "system" fn no_answer(
    _: cl_platform_id,
    _: cl_platform_info,
    _: size_t,
    _: *mut c_void,
    _: *mut size_t,
) -> cl_int {
    Status::OUT_OF_HOST_MEMORY.0
}

unsafe extern "system" fn refuse_binary(
    _: cl_context,
    _: cl_uint,
    _: *const cl_device_id,
    _: *const size_t,
    _: *const *const c_uchar,
    _: *mut cl_int,
    status: *mut cl_int,
) -> cl_program {
    // SAFETY: OpenCL's caller gives a pointer for the status.
    unsafe { *status = Status::INVALID_BINARY.0 };
    std::ptr::null_mut()
}

unsafe extern "system" fn fail_first_build(
    program: cl_program,
    count: cl_uint,
    devices: *const cl_device_id,
    options: *const c_char,
    notify: Option<BuildCallback>,
    user_data: *mut c_void,
) -> cl_int {
    static FAILED: AtomicBool = AtomicBool::new(false);
    if !FAILED.swap(true, Ordering::Relaxed) {
        return Status::BUILD_PROGRAM_FAILURE.0;
    }
    let real = counting::library().functions().clBuildProgram;
    // SAFETY: the caller's arguments, unchanged.
    unsafe { real(program, count, devices, options, notify, user_data) }
}

unsafe extern "system" fn another_driver_version(
    device: cl_device_id,
    name: cl_device_info,
    size: size_t,
    value: *mut c_void,
    size_ret: *mut size_t,
) -> cl_int {
    const DRIVER_VERSION: cl_device_info = 0x102D;
    if name != DRIVER_VERSION {
        // SAFETY: the caller's arguments, unchanged.
        return unsafe {
            (counting::library().functions().clGetDeviceInfo)(device, name, size, value, size_ret)
        };
    }
    let text = b"the next version\0";
    if !value.is_null() {
        // SAFETY: there is room for `size` bytes.
        unsafe { value.cast::<u8>().copy_from_nonoverlapping(text.as_ptr(), size.min(text.len())) };
    }
    if !size_ret.is_null() {
        // SAFETY: null or a pointer for the size.
        unsafe { *size_ret = text.len() };
    }
    0
}

/// Returns a child's command, with `CL_CACHE` at `cache`.
fn command(cache: &Path, number: i32) -> Command {
    let mut command = cl_test::child(child);
    command
        .env("CL_CACHE", cache)
        .env(POCL_OWN, "0")
        .env(CHILD, number.to_string())
        .env_remove(FAKE)
        .env_remove(UNCACHED);
    command
}

fn output(mut command: Command) -> String {
    let output = cl_test::output_of_copy(&mut command);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}\n{printed}", String::from_utf8_lossy(&output.stderr));
    printed
}

/// Runs a child that builds the source of `number`. Its result must always be that number.
fn run(command: Command, number: i32) -> Done {
    let done = Done::parse(&output(command));
    assert!(!done.results.is_empty());
    assert!(done.results.iter().all(|&result| result == number), "{done:?}");
    done
}

fn build(cache: &Path, number: i32) -> Done {
    run(command(cache, number), number)
}

/// A cache folder inside a folder of the test, filled by one child.
struct Filled {
    home: tempfile::TempDir,
    number: i32,
}

impl Filled {
    fn new(number: i32) -> Filled {
        let filled = Filled { home: tempfile::tempdir().unwrap(), number };
        let first = build(&filled.cache(), number);
        assert!(first.compiled() && first.statistics.rejected == 0 && first.warnings == 0, "{first:?}");
        filled
    }

    fn cache(&self) -> PathBuf {
        self.home.path().join("cache")
    }

    /// Returns the entries, one for each device.
    fn entries(&self) -> Vec<PathBuf> {
        let mut entries: Vec<PathBuf> =
            fs::read_dir(self.cache()).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        entries
    }

    fn again(&self) -> Done {
        build(&self.cache(), self.number)
    }

    /// Checks that damaged entries are rejected with one warning, that the program is compiled and gives the
    /// right result, and that the new entry serves the next process.
    fn assert_rebuilt(&self, what: &str) {
        let entries = self.entries().len() as u64;
        let done = self.again();
        assert!(done.compiled(), "{what}: {done:?}");
        assert_eq!((done.statistics.rejected, done.warnings), (entries, 1), "{what}: {done:?}");
        let done = self.again();
        assert!(done.loaded() && done.warnings == 0, "{what}, then replaced: {done:?}");
    }

    /// Checks that the folder is not used, and not even written to.
    fn assert_unused(&self, what: &str) {
        let before = fs::read_dir(self.cache()).unwrap().count();
        for _ in 0..2 {
            let printed = output(command(&self.cache(), self.number));
            let done = Done::parse(&printed);
            assert!(done.compiled() && done.results.iter().all(|&r| r == self.number), "{what}: {done:?}");
            assert_eq!((done.statistics.rejected, done.warnings), (0, 1), "{what}: {done:?}");
            assert!(printed.contains("programs are not kept on disk"), "{what}: {printed}");
        }
        assert_eq!(fs::read_dir(self.cache()).unwrap().count(), before, "{what}");
    }
}

/// Returns whether files can be given to another user. Prints a message if not.
fn is_root() -> bool {
    let root = fs::metadata("/proc/self").is_ok_and(|facts| facts.uid() == 0);
    if !root {
        eprintln!("skipped in part: only root can give files to another user");
    }
    root
}

#[test]
fn a_second_process_compiles_nothing() {
    let filled = Filled::new(1);
    let warm = filled.again();
    assert!(warm.loaded() && warm.warnings == 0, "{warm:?}");
    let mode = |path: &Path| fs::symlink_metadata(path).unwrap().permissions().mode() & 0o7777;
    assert_eq!(mode(&filled.cache()), 0o700);
    for entry in filled.entries() {
        assert_eq!(mode(&entry), 0o600, "{}", entry.display());
    }
    // Another source gives another program, and both are kept.
    assert!(build(&filled.cache(), 2).compiled());
    assert!(build(&filled.cache(), 2).loaded() && filled.again().loaded());
}

/// Checks that programs of PoCL are kept only once. PoCL compiles each kernel twice for a binary, and keeps
/// programs by itself.
#[test]
fn what_pocl_keeps_is_not_kept_twice() {
    let pocl: Vec<Device> = cl_test::devices().into_iter().filter(is_pocl).collect();
    let Some(device) = pocl.first() else {
        eprintln!("skipped: PoCL is not among the devices");
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let (cache, own) = (home.path().join("cache"), home.path().join("pocl"));
    fs::create_dir(&own).unwrap();
    for _ in 0..2 {
        let mut child = command(&cache, 16);
        child.env("CL_TEST_DEVICE", device.to_string()).env(POCL_OWN, "1").env("POCL_CACHE_DIR", &own);
        let done = run(child, 16);
        assert!(done.compiled() && done.warnings == 0, "{done:?}");
    }
    assert_eq!(fs::read_dir(&cache).map_or(0, Iterator::count), 0);
    assert!(fs::read_dir(&own).unwrap().count() > 0);
}

fn is_pocl(device: &Device) -> bool {
    device.platform().name().unwrap() == "Portable Computing Language"
}

#[test]
fn the_cache_can_be_off() {
    let filled = Filled::new(3);
    assert!(build(Path::new("off"), 3).compiled());
    let mut uncached = command(&filled.cache(), 3);
    uncached.env(UNCACHED, "1");
    let done = run(uncached, 3);
    assert_eq!((done.from_source, done.from_binary), (done.results.len() as u64, 0), "{done:?}");
    assert_eq!(done.statistics, CacheStatistics::default());
    let relative = cl_test::output_of_copy(command(Path::new("some/folder"), 3).env_remove(POCL_OWN)).stderr;
    assert!(String::from_utf8_lossy(&relative).contains("it must be `off` or an absolute path"));
    assert!(!Path::new("some/folder").exists());
}

#[test]
#[cfg(target_os = "linux")]
fn without_the_variable_the_user_folder_is_used() {
    let home = tempfile::tempdir().unwrap();
    let (xdg, inner) = (home.path().join("xdg"), home.path().join("home"));
    let with = |name: &str, path: &Path| {
        let mut command = command(path, 4);
        command.env_remove("CL_CACHE").env_remove("XDG_CACHE_HOME").env_remove("HOME").env(name, path);
        run(command, 4)
    };
    for (name, path, cache) in
        [("XDG_CACHE_HOME", &xdg, xdg.join("cl-core")), ("HOME", &inner, inner.join(".cache/cl-core"))]
    {
        assert!(with(name, path).compiled() && cache.is_dir(), "{name}");
        assert!(with(name, path).loaded(), "{name}");
    }
}

#[test]
fn a_changed_byte_anywhere_is_found() {
    let filled = Filled::new(5);
    let good: Vec<(PathBuf, Vec<u8>)> =
        filled.entries().into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect();
    let length = good.iter().map(|(_, bytes)| bytes.len()).min().unwrap();
    // Magic, format, key, length, seal, and the binary's beginning, middle and end.
    for at in [0, 8, 12, 43, 44, 51, 52, HEADER - 1, HEADER, length / 2, length - 1] {
        for (path, bytes) in &good {
            let mut bad = bytes.clone();
            bad[at] ^= 1;
            fs::write(path, bad).unwrap();
        }
        filled.assert_rebuilt(&format!("byte {at}"));
    }
}

#[test]
fn another_length_is_found() {
    let filled = Filled::new(6);
    for keep in [0, 1, HEADER - 1, HEADER, HEADER + 100] {
        for path in filled.entries() {
            fs::OpenOptions::new().write(true).open(path).unwrap().set_len(keep as u64).unwrap();
        }
        filled.assert_rebuilt(&format!("cut to {keep} bytes"));
    }
    for path in filled.entries() {
        let longer = [&fs::read(&path).unwrap()[..], b"x"].concat();
        fs::write(path, longer).unwrap();
    }
    filled.assert_rebuilt("one byte more");
}

#[test]
fn swapped_entries_are_found() {
    let filled = Filled::new(7);
    let first = filled.entries();
    assert!(build(&filled.cache(), 8).compiled());
    let second: Vec<PathBuf> = filled.entries().into_iter().filter(|path| !first.contains(path)).collect();
    assert_eq!(first.len(), second.len());
    for (left, right) in first.iter().zip(&second) {
        let kept = fs::read(left).unwrap();
        fs::copy(right, left).unwrap();
        fs::write(right, kept).unwrap();
    }
    for number in [7, 8] {
        let done = build(&filled.cache(), number);
        assert!(done.compiled() && done.statistics.rejected == first.len() as u64, "{done:?}");
        assert!(build(&filled.cache(), number).loaded());
    }
}

#[test]
fn entries_that_others_could_have_written_are_refused() {
    let filled = Filled::new(9);
    for mode in [0o606, 0o660, 0o644, 0o777] {
        for path in filled.entries() {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        }
        filled.assert_rebuilt(&format!("mode {mode:o}"));
    }
    let target = |path: &Path| filled.home.path().join(path.file_name().unwrap());
    for path in filled.entries() {
        fs::rename(&path, target(&path)).unwrap();
        symlink(target(&path), &path).unwrap();
    }
    filled.assert_rebuilt("a symbolic link");
    for path in filled.entries() {
        assert!(fs::symlink_metadata(&path).unwrap().is_file(), "the link is replaced");
        assert!(target(&path).is_file(), "its target is left alone");
    }
    if is_root() {
        for path in filled.entries() {
            chown(path, Some(12_345), None).unwrap();
        }
        filled.assert_rebuilt("another owner");
    }
}

#[test]
fn folders_that_others_can_write_to_are_not_used() {
    let filled = Filled::new(10);
    for mode in [0o777, 0o1777, 0o770, 0o702] {
        fs::set_permissions(filled.cache(), fs::Permissions::from_mode(mode)).unwrap();
        filled.assert_unused(&format!("mode {mode:o}"));
    }
    fs::set_permissions(filled.cache(), fs::Permissions::from_mode(0o755)).unwrap();
    assert!(matches!(filled.again(), done if done.loaded() && done.warnings == 0), "others can only look");
    if is_root() {
        chown(filled.cache(), Some(12_345), None).unwrap();
        filled.assert_unused("another owner");
        chown(filled.cache(), Some(0), None).unwrap();
    }
    let real = filled.home.path().join("real");
    fs::rename(filled.cache(), &real).unwrap();
    symlink(&real, filled.cache()).unwrap();
    filled.assert_unused("a symbolic link");
    let slash = build(&filled.cache().join(""), 10);
    assert!(slash.compiled() && slash.warnings == 1, "a link with a slash behind it: {slash:?}");
    let file = filled.home.path().join("file");
    fs::write(&file, "").unwrap();
    let done = build(&file, 10);
    assert!(done.compiled() && done.warnings == 1, "a file: {done:?}");
}

/// Runs a child whose driver is changed.
fn with_fake(filled: &Filled, fake: &str) -> Done {
    let mut command = command(&filled.cache(), filled.number);
    command.env(FAKE, fake);
    run(command, filled.number)
}

#[test]
fn another_driver_version_is_another_program() {
    let filled = Filled::new(11);
    let first = with_fake(&filled, "version");
    assert!(first.compiled() && first.statistics.rejected == 0, "{first:?}");
    assert!(with_fake(&filled, "version").loaded(), "the other driver has an entry of its own");
    assert!(filled.again().loaded(), "and the first one its");
}

#[test]
fn what_the_driver_refuses_is_compiled() {
    let filled = Filled::new(13);
    let devices = filled.entries().len() as u64;
    for _ in 0..2 {
        let done = with_fake(&filled, "refuses binaries");
        assert!(done.compiled(), "{done:?}");
        assert_eq!((done.statistics.rejected, done.warnings), (devices, 1), "{done:?}");
    }
    let done = with_fake(&filled, "fails the first build");
    assert_eq!((done.from_source, done.statistics.rejected, done.warnings), (1, 1, 1), "{done:?}");
    assert_eq!((done.statistics.builds, done.statistics.disk_hits), (1, devices - 1), "{done:?}");
    assert!(filled.again().loaded());
    let done = with_fake(&filled, "has no name");
    assert!(done.compiled() && done.warnings == 1, "{done:?}");
}

/// Checks that a setuid program keeps nothing on disk. Whoever starts the program chooses its environment, so
/// it trusts no variable and has no folder, even though this folder would be good for the user that it runs
/// as.
#[test]
#[cfg(target_os = "linux")]
fn a_setuid_program_keeps_nothing_on_disk() {
    const NOBODY: u32 = 65_534;
    if !is_root() {
        return;
    }
    let filled = Filled::new(14);
    let home = filled.home.path();
    let (program, id, pocl) = (home.join("program"), home.join("id"), home.join("pocl"));
    fs::set_permissions(home, fs::Permissions::from_mode(0o755)).unwrap();
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    fs::copy("/usr/bin/id", &id).unwrap();
    fs::create_dir(&pocl).unwrap();
    for path in filled.entries().iter().chain([&filled.cache(), &program, &id, &pocl]) {
        chown(path, Some(NOBODY), None).unwrap();
    }
    for path in [&program, &id] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o4755)).unwrap();
    }
    if Command::new(&id).arg("-u").output().unwrap().stdout != format!("{NOBODY}\n").as_bytes() {
        eprintln!("skipped: setuid bits have no effect in the folder for temporary files");
        return;
    }
    let mut setuid = Command::new(&program);
    setuid.args(cl_test::child(child).get_args()).env("CL_CACHE", filled.cache()).env(CHILD, "14");
    setuid.env("POCL_CACHE_DIR", &pocl).env(POCL_OWN, "0").env_remove(FAKE).env_remove(UNCACHED);
    let done = run(setuid, 14);
    assert!(done.compiled() && (done.statistics.rejected, done.warnings) == (0, 0), "{done:?}");
}

#[test]
fn processes_may_write_at_once() {
    let home = tempfile::tempdir().unwrap();
    let cache = home.path().join("cache");
    std::thread::scope(|scope| {
        for process in 0..4 {
            // This test is not about the driver's own cache, so each process has its own.
            let pocl = home.path().join(format!("pocl-{process}"));
            let mut command = command(&cache, 12);
            command.env("POCL_CACHE_DIR", &pocl);
            scope.spawn(move || {
                fs::create_dir(&pocl).unwrap();
                let done = run(command, 12);
                assert_eq!((done.statistics.rejected, done.warnings), (0, 0), "{done:?}");
            });
        }
    });
    assert!(build(&cache, 12).loaded());
    let left = fs::read_dir(&cache).unwrap().count();
    assert_eq!(left, build(&cache, 12).results.len(), "one entry a device, nothing unfinished");
}
