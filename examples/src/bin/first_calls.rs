//! Shows where the time of first calls goes: the time of each stage up to a first result, and of each function of OpenCL in it.
//!
//! `cargo run --release --bin first_calls`. For each operation a process lists the devices, makes a queue, copies the data,
//! calls the operation twice, and does the same in a second context. It runs with empty caches on disk, with full ones,
//! without the driver's cache, and with the driver's cache alone. The caches are in a temporary folder. Times are in
//! milliseconds; `ours` is the time outside OpenCL's functions. `first_calls sum sort` measures these operations only.

use cl_algo::{num_complex::Complex, prelude::*};
use cl_array::prelude::*;
use cl_core::{CacheStatistics, DeviceKind, Library};
use cl_fft::Fft;
use cl_random::{Engine, Philox4x32};
use cl_sparse::{Csr, HostCsr, Triplets};
use std::error::Error;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The variable that names the operation of a process.
const OPERATION: &str = "FIRST_CALLS_OPERATION";

/// The number of items of vectors.
const ITEMS: usize = 1 << 20;
/// The rows and columns of matrices.
const ROWS: usize = 512;
/// Functions of OpenCL that take at least this time are shown.
const SHOWN: Duration = Duration::from_micros(500);
/// The largest number of calls of one function whose times are shown one by one.
const LISTED: usize = 8;

type Done = Result<(), Box<dyn Error>>;
/// Makes the data, and returns the call.
type Prepare = fn(&Queue) -> Result<Box<dyn FnMut() -> Done>, Box<dyn Error>>;

const OPERATIONS: [(&str, Prepare); 7] = [
    ("map", map),
    ("sum", sum),
    ("sort", sort),
    ("fft", fft),
    ("sparse product", sparse_product),
    ("matrix product", matrix_product),
    ("random numbers", random_numbers),
];

/// The caches that a process uses: a name, `true` with the cache of `cl-core`, and `true` with the driver's cache.
const CACHES: [(&str, bool, bool); 4] = [
    ("empty", true, true),
    ("both full", true, true),
    ("without the driver's", true, false),
    ("driver's only", false, true),
];

fn main() -> Done {
    if let Ok(operation) = std::env::var(OPERATION) {
        let chosen = OPERATIONS.iter().find(|(name, _)| *name == operation);
        return measure(chosen.ok_or("unknown operation")?.1);
    }
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    for (name, _) in OPERATIONS {
        if !wanted.is_empty() && !wanted.iter().any(|word| name.contains(word.as_str())) {
            continue;
        }
        let folder = std::env::temp_dir().join(format!("first-calls-{}", std::process::id()));
        let outcome = CACHES.into_iter().try_for_each(|(caches, ours, drivers)| -> Done {
            println!("\n{name}, caches: {caches}");
            let done = child(name, &folder, ours, drivers)?.status()?;
            if done.success() { Ok(()) } else { Err(format!("{name}: {done}").into()) }
        });
        std::fs::remove_dir_all(folder)?;
        outcome?;
    }
    Ok(())
}

/// Returns the process that measures an operation.
fn child(operation: &str, folder: &Path, ours: bool, drivers: bool) -> std::io::Result<Command> {
    let drivers_own = folder.join("driver");
    std::fs::create_dir_all(&drivers_own)?;
    let mut command = Command::new(std::env::current_exe()?);
    command.env(OPERATION, operation).env("CUDA_CACHE_PATH", &drivers_own);
    command.env("POCL_CACHE_DIR", if drivers { drivers_own } else { folder.join("other") });
    if ours {
        command.env("CL_CACHE", folder.join("ours"));
    } else {
        command.env("CL_CACHE", "off");
    }
    if !drivers {
        command.env("CUDA_CACHE_DISABLE", "1");
    }
    Ok(command)
}

/// Calls an operation in two contexts, and prints the time of each stage.
fn measure(prepare: Prepare) -> Done {
    let device = stage("devices", || -> Result<Device, Box<dyn Error>> {
        let devices = Device::all_of(timed::library()?)?;
        let is_gpu = |device: &&Device| device.kind().is_ok_and(|kind| kind.contains(DeviceKind::GPU));
        Ok(devices.iter().find(is_gpu).or(devices.first()).ok_or("no device")?.clone())
    })?;
    for context in ["first context", "second context"] {
        println!("  {context}");
        let queue = stage("queue", || Queue::on(&device))?;
        let mut call = stage("data", || prepare(&queue))?;
        stage("first call", &mut call)?;
        stage("second call", &mut call)?;
        let CacheStatistics { builds, disk_hits, .. } = CacheStatistics::of(queue.context());
        println!("    programs: {builds} compiled, {disk_hits} from disk");
        stage("release", || drop((call, queue)));
    }
    Ok(())
}

/// Runs a stage, and prints its time, with the functions of OpenCL that take most of it.
fn stage<T>(name: &str, work: impl FnOnce() -> T) -> T {
    timed::take_calls();
    let begin = Instant::now();
    let result = work();
    let time = begin.elapsed();
    let mut calls: Vec<(&str, Duration, Vec<Duration>)> =
        timed::take_calls().into_iter().map(|(name, each)| (name, each.iter().sum(), each)).collect();
    let inside: Duration = calls.iter().map(|(_, all, _)| *all).sum();
    calls.retain(|(_, all, _)| *all >= SHOWN);
    calls.sort_by_key(|(_, all, _)| std::cmp::Reverse(*all));
    print!(
        "    {name:11} {:8.2}, ours {:6.2}",
        milliseconds(time),
        milliseconds(time.saturating_sub(inside))
    );
    for (name, all, each) in calls {
        print!("; {name} {:.2}", milliseconds(all));
        let each: Vec<String> = each.into_iter().map(|time| format!("{:.2}", milliseconds(time))).collect();
        match each.len() {
            1 => {}
            2..=LISTED => print!(" ({})", each.join(" + ")),
            more => print!(" ({more} calls)"),
        }
    }
    println!();
    result
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Returns an error unless a result is right.
fn check(right: bool) -> Done {
    if right { Ok(()) } else { Err("the result is wrong".into()) }
}

fn numbers(len: usize) -> Vec<f32> {
    (0..len).map(|at| (at * 7919 % 1000) as f32).collect()
}

fn map(queue: &Queue) -> Result<Box<dyn FnMut() -> Done>, Box<dyn Error>> {
    let x = DeviceVec::from_slice(queue, &numbers(ITEMS))?;
    Ok(Box::new(move || {
        let y = (2.0 * &x + 1.0).collect()?;
        check(y.to_vec()?[..3] == [1.0, 1839.0, 1677.0])
    }))
}

fn sum(queue: &Queue) -> Result<Box<dyn FnMut() -> Done>, Box<dyn Error>> {
    let host = numbers(ITEMS);
    let expected: f64 = host.iter().map(|&x| f64::from(x)).sum();
    let x = DeviceVec::from_slice(queue, &host)?;
    Ok(Box::new(move || check((f64::from(x.sum()?) - expected).abs() < 1e-6 * expected)))
}

fn sort(queue: &Queue) -> Result<Box<dyn FnMut() -> Done>, Box<dyn Error>> {
    let host: Vec<u32> = (0..ITEMS as u32).map(|at| at.wrapping_mul(2_654_435_761)).collect();
    let mut expected = host.clone();
    expected.sort_unstable();
    let queue = queue.clone();
    Ok(Box::new(move || {
        let mut x = DeviceVec::from_slice(&queue, &host)?;
        x.sort()?;
        check(x.to_vec()? == expected)
    }))
}

fn fft(queue: &Queue) -> Result<Box<dyn FnMut() -> Done>, Box<dyn Error>> {
    let x = DeviceVec::filled(queue, Complex::new(1.0_f32, 0.0), ITEMS)?;
    let queue = queue.clone();
    Ok(Box::new(move || {
        let spectrum = Fft::c2c(&queue, [ITEMS])?.forward(&x)?.to_vec()?;
        check(spectrum[0].re == ITEMS as f32 && spectrum[1].re.abs() < 1.0)
    }))
}

fn sparse_product(queue: &Queue) -> Result<Box<dyn FnMut() -> Done>, Box<dyn Error>> {
    let mut entries = Triplets::new(ITEMS, ITEMS);
    for row in 0..ITEMS {
        for column in [row.saturating_sub(1), row, (row + 1).min(ITEMS - 1)] {
            entries.push(row, column, 1.0_f32)?;
        }
    }
    let host: HostCsr<f32> = entries.to_csr()?;
    let a = Csr::new(queue, &host)?;
    let x = DeviceVec::filled(queue, 1.0_f32, ITEMS)?;
    Ok(Box::new(move || check((&a * &x).collect()?.to_vec()?.iter().all(|&y| y == 3.0))))
}

fn matrix_product(queue: &Queue) -> Result<Box<dyn FnMut() -> Done>, Box<dyn Error>> {
    let a = Array::filled(queue, [ROWS, ROWS], 2.0_f32)?;
    let b = Array::filled(queue, [ROWS, ROWS], 3.0_f32)?;
    Ok(Box::new(move || {
        let c = a.matmul(&b)?;
        check(c.to_vec()?.iter().all(|&c| c == 6.0 * ROWS as f32))
    }))
}

fn random_numbers(queue: &Queue) -> Result<Box<dyn FnMut() -> Done>, Box<dyn Error>> {
    let queue = queue.clone();
    Ok(Box::new(move || {
        let engine: Philox4x32 = Philox4x32::new(7);
        let x = engine.uniform::<f32>().take(ITEMS).collect_on(&queue)?;
        let mean = x.to_vec()?.iter().map(|&x| f64::from(x)).sum::<f64>() / ITEMS as f64;
        check((mean - 0.5).abs() < 0.01)
    }))
}

/// An OpenCL library that measures the time of its calls.
mod timed {
    use super::Library;
    use cl_core::raw::*;
    use std::sync::{Mutex, OnceLock, PoisonError};
    use std::time::{Duration, Instant};

    /// The times of the calls of one function.
    struct Times(Mutex<Vec<Duration>>);

    impl Times {
        const fn new() -> Times {
            Times(Mutex::new(Vec::new()))
        }

        fn during<T>(&self, call: impl FnOnce() -> T) -> T {
            let begin = Instant::now();
            let result = call();
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(begin.elapsed());
            result
        }

        fn take(&self) -> Vec<Duration> {
            std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
        }
    }

    /// Returns the system's library, with timed calls.
    pub(super) fn library() -> cl_core::Result<Library> {
        static TIMED: OnceLock<Library> = OnceLock::new();
        let system = Library::load()?.functions();
        // SAFETY: each entry forwards to the system's function of its name.
        Ok(*TIMED.get_or_init(|| unsafe { Library::from_functions(table(system)) }))
    }

    macro_rules! time_calls {
        (
            required { $(fn $name:ident($($argument:ident: $type:ty),*) -> $return:ty;)* }
            optional { $($since:literal fn $extra:ident($($parameter:ident: $kind:ty),*) -> $result:ty;)* }
        ) => {
            #[allow(non_snake_case)] // the names are C's
            struct AllTimes {
                $($name: Times,)*
                $($extra: Times,)*
            }

            static TIMES: AllTimes = AllTimes {
                $($name: Times::new(),)*
                $($extra: Times::new(),)*
            };

            #[allow(non_snake_case, clippy::too_many_arguments)] // the names and arguments are C's
            mod forward {
                use super::*;

                $(
                    pub(super) unsafe extern "system" fn $name($($argument: $type),*) -> $return {
                        // SAFETY: the caller's arguments, unchanged, to the function of this name.
                        TIMES.$name.during(|| unsafe { cl_core::raw::$name($($argument),*) })
                    }
                )*
                $(
                    pub(super) unsafe extern "system" fn $extra($($parameter: $kind),*) -> $result {
                        // SAFETY: as above.
                        TIMES.$extra.during(|| unsafe { cl_core::raw::$extra($($parameter),*) })
                    }
                )*
            }

            fn table(system: &Functions) -> Functions {
                Functions {
                    $($name: forward::$name,)*
                    $($extra: system.$extra.map(|_| forward::$extra as _),)*
                }
            }

            /// Returns the times of the calls of each function since this was called last.
            pub(super) fn take_calls() -> Vec<(&'static str, Vec<Duration>)> {
                vec![
                    $((stringify!($name), TIMES.$name.take()),)*
                    $((stringify!($extra), TIMES.$extra.take()),)*
                ]
            }
        };
    }

    for_each_function!(time_calls);
}
