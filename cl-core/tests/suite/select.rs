//! Choosing devices: filters on a machine of four made-up devices, the environment's filter, and exclusive
//! use between real processes.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::raw::{
    Functions, c_void, cl_device_id, cl_device_type, cl_int, cl_platform_id, cl_uint, size_t,
};
use cl_core::{Device, DeviceKind, Error, Filter, Library, Platform, Status, Version};
use std::cell::RefCell;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

// One of four devices of one platform. The ids are 1 to 4.

struct Fake {
    name: &'static str,
    kind: DeviceKind,
    vendor: &'static str,
    version: &'static str,
    extensions: &'static str,
    gibibytes: Option<u64>,
    units: u32,
}

const FAKES: [Fake; 4] = [
    Fake {
        name: "Alpha GPU",
        kind: DeviceKind::GPU,
        vendor: "Acme",
        version: "OpenCL 3.0 Acme",
        extensions: "cl_khr_fp64 cl_khr_fp16",
        gibibytes: Some(8),
        units: 32,
    },
    Fake {
        name: "Beta GPU",
        kind: DeviceKind::GPU,
        vendor: "Bolt",
        version: "OpenCL 1.2",
        extensions: "",
        gibibytes: Some(2),
        units: 8,
    },
    Fake {
        name: "Gamma CPU",
        kind: DeviceKind::CPU,
        vendor: "Acme",
        version: "OpenCL 2.0 ",
        extensions: "cl_khr_fp64",
        gibibytes: Some(16),
        units: 4,
    },
    // The driver of this device is broken: its version cannot be read, and it does not answer about memory.
    Fake {
        name: "Delta box",
        kind: DeviceKind::ACCELERATOR,
        vendor: "Bolt",
        version: "OpenCL three",
        extensions: "",
        gibibytes: None,
        units: 1,
    },
];

/// The default device of the platform.
const DEFAULT: usize = 3;

const PLATFORM: usize = 64;

thread_local! {
    /// The questions that were asked, with the device.
    static ASKED: RefCell<Vec<(usize, cl_uint)>> = const { RefCell::new(Vec::new()) };
}

/// Hands out `answer` as `clGet…Info` functions do.
///
/// # Safety
/// `value` is null or has room for `size` bytes, `size_ret` is null or a pointer for the size.
unsafe fn reply(answer: &[u8], size: size_t, value: *mut c_void, size_ret: *mut size_t) -> cl_int {
    // SAFETY: by the caller's promise.
    unsafe {
        if !value.is_null() {
            if size < answer.len() {
                return Status::INVALID_VALUE.0;
            }
            value.cast::<u8>().copy_from_nonoverlapping(answer.as_ptr(), answer.len());
        }
        if !size_ret.is_null() {
            *size_ret = answer.len();
        }
    }
    0
}

unsafe extern "system" fn platform_info(
    _: cl_platform_id,
    name: cl_uint,
    size: size_t,
    value: *mut c_void,
    size_ret: *mut size_t,
) -> cl_int {
    let answer = if name == cl_sys::CL_PLATFORM_NAME { "Fake Platform" } else { "" };
    // SAFETY: OpenCL's caller keeps to OpenCL's rules.
    unsafe { reply(answer.as_bytes(), size, value, size_ret) }
}

/// Answers with a platform's name that is longer than a lock file's name can be.
unsafe extern "system" fn long_platform_info(
    _: cl_platform_id,
    name: cl_uint,
    size: size_t,
    value: *mut c_void,
    size_ret: *mut size_t,
) -> cl_int {
    let answer = if name == cl_sys::CL_PLATFORM_NAME { "Fake Platform ".repeat(20) } else { String::new() };
    // SAFETY: OpenCL's caller keeps to OpenCL's rules.
    unsafe { reply(answer.as_bytes(), size, value, size_ret) }
}

unsafe extern "system" fn device_info(
    device: cl_device_id,
    name: cl_uint,
    size: size_t,
    value: *mut c_void,
    size_ret: *mut size_t,
) -> cl_int {
    let id = device.addr();
    ASKED.with_borrow_mut(|asked| asked.push((id, name)));
    let fake = &FAKES[id - 1];
    let answer = match name {
        cl_sys::CL_DEVICE_NAME => fake.name.as_bytes().to_vec(),
        cl_sys::CL_DEVICE_VENDOR => fake.vendor.as_bytes().to_vec(),
        cl_sys::CL_DEVICE_VERSION => fake.version.as_bytes().to_vec(),
        cl_sys::CL_DEVICE_EXTENSIONS => fake.extensions.as_bytes().to_vec(),
        cl_sys::CL_DEVICE_TYPE => fake.kind.bits().to_ne_bytes().to_vec(),
        cl_sys::CL_DEVICE_MAX_COMPUTE_UNITS => fake.units.to_ne_bytes().to_vec(),
        cl_sys::CL_DEVICE_GLOBAL_MEM_SIZE => match fake.gibibytes {
            Some(gibibytes) => (gibibytes << 30).to_ne_bytes().to_vec(),
            None => return Status::OUT_OF_RESOURCES.0,
        },
        _ => return Status::INVALID_VALUE.0,
    };
    // SAFETY: OpenCL's caller keeps to OpenCL's rules.
    unsafe { reply(&answer, size, value, size_ret) }
}

unsafe extern "system" fn device_ids(
    _: cl_platform_id,
    kinds: cl_device_type,
    entries: cl_uint,
    devices: *mut cl_device_id,
    count: *mut cl_uint,
) -> cl_int {
    let wanted = DeviceKind::from_bits_retain(kinds);
    let fits = |id: &usize| match wanted {
        DeviceKind::DEFAULT => *id == DEFAULT,
        _ => FAKES[id - 1].kind.intersects(wanted),
    };
    let ids: Vec<usize> = (1..=FAKES.len()).filter(fits).collect();
    // SAFETY: `devices` has room for `entries` ids, `count` is null or a pointer for the number.
    unsafe {
        for (place, &id) in ids.iter().take(entries as usize).enumerate() {
            *devices.add(place) = std::ptr::without_provenance_mut(id);
        }
        if !count.is_null() {
            *count = ids.len() as cl_uint;
        }
    }
    0
}

fn fake_devices() -> Vec<Device> {
    fake_devices_with(|functions| functions.clGetPlatformInfo = platform_info)
}

fn fake_devices_with(name_platform: impl FnOnce(&mut Functions)) -> Vec<Device> {
    let library = fake_library(name_platform);
    // SAFETY: the replaced functions take any platform.
    unsafe { Platform::from_raw(library, std::ptr::without_provenance_mut(PLATFORM)) }.devices().unwrap()
}

/// Returns a library whose platforms each have four devices. `name_platform` sets the function that names platforms.
fn fake_library(name_platform: impl FnOnce(&mut Functions)) -> Library {
    let mut functions = *Library::load().unwrap().functions();
    name_platform(&mut functions);
    functions.clGetDeviceInfo = device_info;
    functions.clGetDeviceIDs = device_ids;
    // SAFETY: the entries are the system's, or fakes that keep to OpenCL's rules.
    unsafe { Library::from_functions(functions) }
}

/// Returns the first letters of the chosen devices' names, or "" if no device was chosen.
fn chosen(filter: Filter) -> String {
    match filter.select_from(&fake_devices()) {
        Ok(devices) => devices.iter().map(|device| device.name().unwrap().remove(0)).collect(),
        Err(Error::NoDevice { .. }) => String::new(),
        Err(error) => panic!("{filter}: {error}"),
    }
}

/// Returns a filter for the devices whose driver answers all questions.
fn sane() -> Filter {
    !Filter::name("delta")
}

#[test]
fn each_question_has_its_answer() {
    assert_eq!(chosen(Filter::any()), "ABGD");
    assert_eq!(chosen(Filter::gpu()), "AB");
    assert_eq!(chosen(Filter::cpu()), "G");
    assert_eq!(chosen(Filter::accelerator()), "D");
    assert_eq!(chosen(Filter::kind(DeviceKind::CPU | DeviceKind::ACCELERATOR)), "GD");
    assert_eq!(chosen(Filter::kind(DeviceKind::DEFAULT)), "G", "drivers do not mark it in its kind");
    assert_eq!(chosen(Filter::kind(DeviceKind::CUSTOM)), "");
    assert_eq!(chosen(Filter::name("gPu")), "AB");
    assert_eq!(chosen(Filter::vendor("ACME")), "AG");
    assert_eq!(chosen(Filter::platform("fake plat")), "ABGD");
    assert_eq!(chosen(Filter::platform("other")), "");
    assert_eq!(chosen(Filter::extension("cl_khr_fp16")), "A");
    assert_eq!(chosen(Filter::extension("cl_khr_fp")), "", "names are compared as a whole");
    assert_eq!(chosen(Filter::fp64()), "AG");
    assert_eq!(chosen(Filter::fp16()), "A");
    assert_eq!(chosen(sane() & Filter::opencl(Version::new(2, 0))), "AG");
    assert_eq!(chosen(sane() & Filter::opencl(Version::new(1, 2))), "ABG");
    assert_eq!(chosen(sane() & Filter::global_memory(8 << 30)), "AG", "at least");
    assert_eq!(chosen(sane() & Filter::global_memory((8 << 30) + 1)), "G");
    assert_eq!(chosen(Filter::compute_units(8)), "AB", "at least");
    assert_eq!(chosen(Filter::by("odd", |device| Ok(device.as_raw().addr() % 2 == 1))), "AG");
}

#[test]
fn filters_are_sets() {
    assert_eq!(chosen(Filter::gpu() & Filter::fp64()), "A");
    assert_eq!(chosen(Filter::gpu() | Filter::fp64()), "ABG");
    assert_eq!(chosen(!Filter::gpu()), "GD");
    assert_eq!(chosen(!(Filter::gpu() | Filter::cpu())), "D");
    assert_eq!(chosen(Filter::gpu().and(Filter::fp64()).or(Filter::cpu())), "AG");
    assert_eq!(chosen(Filter::gpu() | Filter::cpu() & Filter::fp16()), "AB", "& binds closer than |");
}

#[test]
fn gpus_come_first_then_accelerators() {
    let all = Device::all_of(fake_library(|functions| functions.clGetPlatformInfo = platform_info)).unwrap();
    let order = [DeviceKind::GPU, DeviceKind::ACCELERATOR, DeviceKind::CPU];
    assert!(all.is_sorted_by_key(|device| order.iter().position(|&kind| device.kind() == Ok(kind)).unwrap()));
}

#[test]
fn positions_are_those_of_the_filter_that_they_are_called_on() {
    assert_eq!(chosen(Filter::vendor("bolt").take(1)), "B");
    assert_eq!(chosen(Filter::vendor("bolt").take(9)), "BD");
    assert_eq!(chosen(Filter::any().take(0)), "");
    assert_eq!(chosen(Filter::vendor("bolt").nth(1)), "D");
    assert_eq!(chosen(Filter::vendor("bolt").nth(2)), "");
    assert_eq!(chosen(!Filter::any().nth(1)), "AGD");
    assert_eq!(chosen(Filter::any().take(3).nth(2)), "G");
    // The first two devices stay the same, whatever the other operand is and on whichever side it stands.
    assert_eq!(chosen(Filter::any().take(2) & Filter::vendor("acme")), "A");
    assert_eq!(chosen(Filter::vendor("acme") & Filter::any().take(2)), "A");
    assert_eq!(chosen(Filter::gpu() | Filter::any().nth(3)), "ABD");
}

#[test]
fn what_does_not_matter_is_not_asked() {
    let devices = fake_devices();
    let asked = |filter: Filter| -> Vec<usize> {
        ASKED.with_borrow_mut(Vec::clear);
        filter.select_from(&devices).unwrap();
        let memory = cl_sys::CL_DEVICE_GLOBAL_MEM_SIZE;
        ASKED.with_borrow(|asked| {
            asked.iter().filter(|(_, name)| *name == memory).map(|(id, _)| *id).collect()
        })
    };
    assert_eq!(asked(Filter::gpu() & Filter::global_memory(1)), [1, 2]);
    assert_eq!(asked(!Filter::cpu() & Filter::gpu() & Filter::global_memory(1)), [1, 2]);
    assert_eq!(asked(!Filter::cpu() | Filter::global_memory(1)), [3]);
}

#[test]
fn no_answer_is_an_error_and_not_a_no() {
    let error = Filter::global_memory(1).select_from(&fake_devices()).unwrap_err();
    assert_eq!(error.status(), Some(Status::OUT_OF_RESOURCES), "{error}");
    let text = error.to_string();
    assert!(text.contains("Delta box (Fake Platform) is with 1 bytes of global memory"), "{text}");
    // Neither negation nor the other devices hide it.
    assert!((!Filter::global_memory(1)).select_from(&fake_devices()).is_err());
    let error = Filter::opencl(Version::new(1, 0)).select_from(&fake_devices()).unwrap_err();
    assert!(matches!(&error, Error::InvalidInput { .. }) && error.to_string().contains("three"), "{error}");
    // The error of a program's own test is passed on unchanged.
    let own = Error::invalid_input("test", "mine");
    let test = Filter::by("tested", {
        let own = own.clone();
        move |_| Err(own.clone())
    });
    assert_eq!(test.select_from(&fake_devices()).unwrap_err(), own);
}

#[test]
fn nobody_chosen_says_why() {
    let wanted = Filter::gpu() & Filter::fp64() & !Filter::name("Alpha") & Filter::any().take(2);
    let error = wanted.select_from(&fake_devices()).unwrap_err();
    let expected = "no OpenCL device is ((of kind GPU and with fp64) and (not of name \"Alpha\")) and (among the first 2 of any kind):\n  \
        Alpha GPU (Fake Platform) is of name \"Alpha\"\n  \
        Beta GPU (Fake Platform) lacks fp64\n  \
        Gamma CPU (Fake Platform) is of kind CPU\n  \
        Delta box (Fake Platform) is of kind accelerator";
    assert_eq!(error.to_string(), expected);
    let error = (Filter::fp16() | Filter::cpu()).nth(2).select_from(&fake_devices()).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("Alpha GPU (Fake Platform) is not at position 2 of those (with fp16 or of kind CPU)"),
        "{text}"
    );
    assert!(text.contains("Beta GPU (Fake Platform) lacks fp16 and is of kind GPU"), "{text}");
    let error = Filter::any().select_from(&[]).unwrap_err();
    assert!(matches!(error, Error::NoDevice { .. }), "{error}");
}

#[test]
fn the_machine_s_own_devices() {
    let all = Device::all().unwrap();
    assert_eq!(Device::select(Filter::any()).unwrap(), all);
    assert_eq!(Device::select(Filter::any().nth(0)).unwrap(), [Device::first().unwrap()]);
    cl_test::each_device(|device| {
        let same = Filter::kind(device.kind().unwrap())
            & Filter::name(device.name().unwrap())
            & Filter::vendor(device.vendor().unwrap())
            & Filter::platform(device.platform().name().unwrap())
            & Filter::opencl(device.opencl_version().unwrap())
            & Filter::global_memory(device.global_memory().unwrap())
            & Filter::compute_units(device.compute_units().unwrap());
        assert!(Device::select(same).unwrap().contains(device));
        let more = Filter::compute_units(device.compute_units().unwrap() + 1);
        assert!(more.select_from(std::slice::from_ref(device)).is_err());
    });
    let error = Device::select(Filter::name("no such device")).unwrap_err();
    assert!(error.to_string().contains("of name \"no such device\""), "{error}");
}

// The environment and the locks belong to the process, so these tests run in child processes: this test
// binary, which runs `child` only.

/// The environment variable of the child processes that holds the task of [`child`].
const CHILD: &str = "CL_SELECT_CHILD";

const VARIABLES: [&str; 8] = [
    "CL_PLATFORM",
    "CL_VENDOR",
    "CL_DEVICE",
    "CL_DEVICE_TYPE",
    "CL_DEVICE_EXTENSION",
    "CL_DEVICE_INDEX",
    "CL_DEVICE_COUNT",
    "CL_LOCK_DIR",
];

#[test]
fn child() {
    match std::env::var(CHILD).as_deref() {
        Ok("environment") => match Filter::from_env() {
            Ok(filter) => println!("<{filter}|{}>", chosen(filter.clone())),
            Err(error) => println!("<{error}|error>"),
        },
        Ok("lock") => {
            let held = Device::select_exclusive(Filter::any(), 1);
            match &held {
                Ok(held) => println!("<{}>", held[0].path().display()),
                Err(error) => println!("<{error}>"),
            }
            // The devices are held until the parent says so, or kills this process.
            std::io::stdin().read_line(&mut String::new()).unwrap();
            drop(held);
        }
        Ok("locks") => locks(),
        Ok("long names") => locks_of_long_names(),
        _ => {}
    }
}

fn command(task: &str, settings: &[(&str, &str)]) -> Command {
    let mut command = cl_test::child(child);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    for variable in VARIABLES {
        command.env_remove(variable);
    }
    command.env(CHILD, task).envs(settings.iter().copied());
    command
}

/// Returns the environment's filter and the devices that it chooses, or its error and the word "error".
fn environment(settings: &[(&str, &str)]) -> (String, String) {
    let output = command("environment", settings).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{printed}");
    let (start, end) = (printed.find('<').unwrap(), printed.rfind('>').unwrap());
    let (text, chosen) = printed[start + 1..end].rsplit_once('|').unwrap();
    (text.to_owned(), chosen.to_owned())
}

#[test]
fn the_environment_chooses() {
    let choices: [(&[(&str, &str)], &str); 9] = [
        (&[], "ABGD"),
        (&[("CL_DEVICE", ""), ("CL_DEVICE_TYPE", " ")], "ABGD"),
        (&[("CL_DEVICE", "beta"), ("CL_PLATFORM", "FAKE")], "B"),
        (&[("CL_PLATFORM", "other")], ""),
        (&[("CL_VENDOR", "acme"), ("CL_DEVICE_TYPE", "GPU")], "A"),
        (&[("CL_DEVICE_TYPE", "cpu, Accelerator")], "GD"),
        (&[("CL_DEVICE_TYPE", "default")], "G"),
        (&[("CL_DEVICE_EXTENSION", "cl_khr_fp64"), ("CL_DEVICE_INDEX", "1")], "G"),
        (&[("CL_VENDOR", "bolt"), ("CL_DEVICE_COUNT", "1")], "B"),
    ];
    for (settings, expected) in choices {
        let (filter, chosen) = environment(settings);
        assert_eq!(chosen, expected, "{settings:?}: {filter}");
    }
}

#[test]
fn an_environment_that_cannot_be_read_is_an_error() {
    let mistakes: [&[(&str, &str)]; 6] = [
        &[("CL_DEVICE_TYPE", "gpu,quantum")],
        &[("CL_DEVICE_TYPE", "gpu,")],
        &[("CL_DEVICE_INDEX", "-1")],
        &[("CL_DEVICE_COUNT", "two")],
        &[("CL_DEVICE_COUNT", "0")],
        &[("CL_DEVICE_INDEX", "0"), ("CL_DEVICE_COUNT", "1")],
    ];
    for settings in mistakes {
        let (text, chosen) = environment(settings);
        assert_eq!(chosen, "error", "{settings:?}: {text}");
        assert!(text.contains("invalid environment variable") && text.contains(settings[0].0), "{text}");
    }
}

#[test]
#[cfg(unix)]
fn an_environment_that_is_not_unicode_is_an_error() {
    use std::os::unix::ffi::OsStrExt;
    let odd = std::ffi::OsStr::from_bytes(b"\xff");
    let output = command("environment", &[]).env("CL_DEVICE", odd).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains("CL_DEVICE=\"\\xFF\" is not Unicode"), "{printed}");
}

/// A child that reports whether it has taken the first free device.
struct Holder {
    child: Child,
    says: String,
}

impl Holder {
    fn start(folder: &Folder) -> Holder {
        let settings = [("CL_LOCK_DIR", folder.0.to_str().unwrap())];
        let mut child = command("lock", &settings).spawn().unwrap();
        let mut says = String::new();
        let mut output = BufReader::new(child.stdout.as_mut().unwrap());
        while !says.contains('>') {
            assert_ne!(output.read_line(&mut says).unwrap(), 0, "the child ended: {says}");
        }
        Holder { child, says }
    }

    fn holds(&self) -> bool {
        self.says.contains(".lock>")
    }

    fn end(mut self) {
        self.child.stdin.as_mut().unwrap().write_all(b"\n").unwrap();
        std::io::copy(&mut self.child.stdout.take().unwrap(), &mut std::io::sink()).unwrap();
        assert!(self.child.wait().unwrap().success());
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[test]
fn a_device_has_one_exclusive_process() {
    let folder = Folder::new("processes");
    // As many processes as there are devices get one each. The next process does not get one and is told why.
    let holders: Vec<Holder> = Device::all().unwrap().iter().map(|_| Holder::start(&folder)).collect();
    let late = Holder::start(&folder);
    assert!(holders[0].holds(), "{}", holders[0].says);
    assert!(!late.holds() && late.says.contains("is in use"), "{}", late.says);
    late.end();
    // Exclusive use ends with the value, and with a process that dies: no stale lock remains.
    for (index, holder) in holders.into_iter().enumerate() {
        if index % 2 == 0 { holder.kill() } else { holder.end() }
    }
    let next = Holder::start(&folder);
    assert!(next.holds(), "{}", next.says);
    next.kill();
    let again = Holder::start(&folder);
    assert!(again.holds(), "{}", again.says);
    again.end();
}

/// Checks the rules within one process, in a child with its own lock folder.
fn locks() {
    let folder = PathBuf::from(std::env::var_os("CL_LOCK_DIR").unwrap());
    cl_test::each_device(|device| {
        let held = device.try_exclusive().unwrap().expect("nobody else has it");
        assert_eq!(held.device(), device);
        assert!(held.path().starts_with(&folder) && held.path().is_file(), "{held:?}");
        assert!(device.try_exclusive().unwrap().is_none(), "it is taken");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode(folder.as_path()), 0o700);
            assert_eq!(mode(held.path()), 0o600);
        }
        drop(held);
        drop(device.try_exclusive().unwrap().expect("it was given back"));
    });
    // A selection takes all devices that it asks for, or none of them.
    let count = Device::all().unwrap().len() + 1;
    let error = Device::select_exclusive(Filter::any(), count).unwrap_err();
    assert!(matches!(&error, Error::NoDevice { .. }) && error.to_string().contains("is free"), "{error}");
    drop(Device::select_exclusive(Filter::any(), 1).expect("the failure kept none"));
    assert!(matches!(Device::select_exclusive(Filter::any(), 0), Err(Error::InvalidInput { .. })));
    println!("<done>");
}

#[test]
fn locks_within_a_process() {
    let folder = Folder::new("values");
    let inner = folder.0.join("made/as/needed");
    let output = command("locks", &[("CL_LOCK_DIR", inner.to_str().unwrap())]).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && printed.contains("<done>"), "{printed}");
}

/// Reserves four devices without UUIDs and PCI addresses, in a child with its own lock folder.
fn locks_of_long_names() {
    let devices = fake_devices_with(|functions| functions.clGetPlatformInfo = long_platform_info);
    let held: Vec<_> = devices.iter().map(|device| device.try_exclusive().unwrap()).collect();
    assert!(held.iter().all(Option::is_some), "two devices share a lock file: {held:?}");
    println!("<done>");
}

#[test]
fn devices_with_long_names_have_a_lock_each() {
    let folder = Folder::new("long");
    let output = command("long names", &[("CL_LOCK_DIR", folder.0.to_str().unwrap())]).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && printed.contains("<done>"), "{printed}");
}

#[test]
fn a_lock_folder_that_cannot_be_used_is_an_error() {
    let folder = Folder::new("broken");
    let file = folder.0.join("file");
    std::fs::write(&file, "not a folder").unwrap();
    for path in [file.to_str().unwrap(), "relative/path"] {
        let mut child = command("lock", &[("CL_LOCK_DIR", path)]).spawn().unwrap();
        drop(child.stdin.take());
        let mut printed = String::new();
        child.stdout.take().unwrap().read_to_string(&mut printed).unwrap();
        child.wait().unwrap();
        assert!(printed.contains("the lock of a device") && printed.contains(path), "{printed}");
    }
}

#[test]
#[cfg(all(unix, not(target_os = "macos")))]
fn the_lock_folder_is_the_user_s_own() {
    let home = Folder::new("home");
    for (variable, folder) in [("HOME", ".cache/cl-core/locks"), ("XDG_CACHE_HOME", "cl-core/locks")] {
        let mut command = command("lock", &[]);
        command.env_remove("XDG_CACHE_HOME").env(variable, &home.0);
        let mut child = command.spawn().unwrap();
        drop(child.stdin.take());
        let mut printed = String::new();
        child.stdout.take().unwrap().read_to_string(&mut printed).unwrap();
        child.wait().unwrap();
        assert!(printed.contains(&format!("<{}/", home.0.join(folder).display())), "{printed}");
    }
}

/// A folder of this test. It and its content are removed when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("cl-select-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}
