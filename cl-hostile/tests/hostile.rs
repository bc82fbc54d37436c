//! Random safe programs, each compared with a model on the host.
//!
//! The test runs 80 programs, always the same ones, which PoCL compiles without optimising.
//! `cargo xtask hostile` runs any number of other programs, optimised; it sets `CL_HOSTILE_PROGRAMS`,
//! `CL_HOSTILE_FIRST`, `CL_HOSTILE_SEED` and `CL_HOSTILE_JOBS`.

use cl_core::{Buffer, BufferOptions, BuildOptions, Context, Device, DeviceKind, HostAccess, Program, Queue};
use cl_hostile::{Hunt, Task};
use std::process::Command;
use std::time::Duration;

/// The number of bytes before and behind each buffer that nothing may change.
const ZONE: usize = 1 << 14;

/// The variable with the number of PoCL's threads. Every process has this many, or many processes at once would be slow.
/// Two are enough for work-groups that run at the same time.
const THREADS: &str = "POCL_MAX_PTHREAD_COUNT";

/// The number of programs of the test: they have steps of all kinds.
const FEW: u64 = 80;

/// The variable with options that PoCL adds to those of each program.
const BUILD_FLAGS: &str = "POCL_EXTRA_BUILD_FLAGS";
const UNOPTIMISED: &str = "-cl-opt-disable";

fn number(variable: &str, otherwise: u64) -> u64 {
    let wanted = std::env::var(variable).ok();
    wanted.map_or(otherwise, |text| {
        text.parse().unwrap_or_else(|_| panic!("{variable}={text} is not a number"))
    })
}

/// Returns whether a device is a simulator that checks each access itself. Zones would hide accesses beyond a
/// buffer from it.
fn is_checked(device: &Device) -> bool {
    device.platform().name().is_ok_and(|name| name == "Oclgrind")
}

#[test]
fn programs_agree_with_the_model() {
    let simulated = cl_test::devices().iter().any(is_checked);
    let first = number("CL_HOSTILE_FIRST", 0);
    let hunt = Hunt {
        seed: number("CL_HOSTILE_SEED", 1),
        programs: first..first + number("CL_HOSTILE_PROGRAMS", FEW),
        jobs: number("CL_HOSTILE_JOBS", 1) as usize,
        patience: Duration::from_secs(if simulated { 1800 } else { 300 }),
        most: 5,
    };
    let program = std::env::current_exe().unwrap_or_default();
    // PoCL compiles unoptimised kernels in half the time. A search over more programs optimises them.
    let is_set = |name: &str| std::env::var_os(name).is_some();
    let unoptimised = !is_set("CL_HOSTILE_PROGRAMS") && !is_set(BUILD_FLAGS);
    let reports = hunt.run(|job| {
        let mut command = Command::new(&program);
        command.args(["--ignored", "--exact", "--nocapture", "a_child_of_the_other_test"]);
        if unoptimised {
            command.env(BUILD_FLAGS, UNOPTIMISED);
        }
        if hunt.jobs > 1 && !is_set(THREADS) {
            command.env(THREADS, "2");
        }
        // Several processes at once can spoil PoCL's cache. They share few kernels: see `BLOCK` in `program.rs`.
        if let (Ok(cache), 1..) = (std::env::var("POCL_CACHE_DIR"), job) {
            let cache = format!("{cache}/job-{job}");
            let _ = std::fs::create_dir_all(&cache);
            command.env("POCL_CACHE_DIR", cache);
        }
        command
    });
    let variable = if unoptimised { format!("{BUILD_FLAGS}={UNOPTIMISED} ") } else { String::new() };
    for report in &reports {
        let (seed, number) = (hunt.seed, report.number);
        println!("again: {variable}cargo xtask hostile --seed {seed} --first {number} --programs 1");
    }
    assert!(reports.is_empty(), "{} findings, the first: {}", reports.len(), reports[0]);
}

#[test]
#[ignore = "started by the other test"]
fn a_child_of_the_other_test() {
    let Some(task) = Task::of_this_process() else { return };
    let faults = cl_test::faults::exclusive();
    let devices = faults.devices();
    let context = |device| Context::on(device).unwrap_or_else(|error| panic!("a context: {error}"));
    let contexts: Vec<Context> = devices.iter().map(context).collect();
    faults.guard_buffers(if devices.iter().any(is_checked) { 0 } else { ZONE });
    let run = |program: &cl_hostile::Program, context: &Context| {
        let result = program.run(context).map_err(|finding| finding.to_string());
        match faults.damage() {
            Some(damage) => Err(format!("{damage} ({result:?})")),
            None => result,
        }
    };
    task.run(|program| contexts.iter().try_for_each(|context| run(program, context)));
}

#[cfg(unix)]
fn script(text: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", text]);
    command
}

#[cfg(unix)]
#[test]
fn a_hang_at_the_exit_of_a_process_is_a_finding() {
    let hunt = Hunt { seed: 1, programs: 0..1, jobs: 1, patience: Duration::from_secs(3), most: 5 };
    let start = std::time::Instant::now();
    let reports = hunt.run(|_| script("echo 'hostile begin 0'; echo 'hostile done'; exec sleep 60"));
    assert!(start.elapsed() < Duration::from_secs(30));
    assert!(reports.len() == 1 && reports[0].finding.starts_with("a hang at exit"), "{reports:?}");
}

/// Set in the process whose output the test of the progress reads: a file that ends the first batch.
#[cfg(unix)]
const GO: &str = "CL_HOSTILE_TEST_GO";

#[cfg(unix)]
#[test]
fn a_child_of_the_test_of_the_progress() {
    let Some(go) = std::env::var_os(GO) else { return };
    let hunt = Hunt { seed: 1, programs: 0..1200, jobs: 2, patience: Duration::from_secs(60), most: 5 };
    // The first batch ends after the third has begun.
    let text = format!(
        r#"case "$CL_HOSTILE_TASK" in
            "1 0 "*) until [ -e "${GO}" ]; do sleep 0.05; done;;
            "1 1000 "*) touch "${GO}";;
        esac
        echo 'hostile done'"#
    );
    let reports = hunt.run(|_| {
        let mut command = script(&text);
        command.env(GO, &go);
        command
    });
    assert!(reports.is_empty(), "{reports:?}");
}

#[cfg(unix)]
#[test]
fn the_progress_counts_the_programs_of_all_jobs() {
    let go = std::env::temp_dir().join(format!("cl-hostile-{}", std::process::id()));
    let output = cl_test::child(a_child_of_the_test_of_the_progress).env(GO, &go).output();
    let _ = std::fs::remove_file(&go);
    let output = output.unwrap_or_else(|error| panic!("{error}"));
    let text = String::from_utf8_lossy(&output.stdout);
    let count =
        |line: &str| line.strip_suffix(" of 1200 programs have run")?.rsplit(' ').next()?.parse().ok();
    let counts: Vec<u32> = text.lines().filter_map(count).collect();
    assert!(output.status.success() && counts.len() == 3, "{output:?}");
    assert_eq!([counts[0], counts[2]], [500, 1200]);
}

#[test]
fn a_seed_and_a_number_make_one_program() {
    for number in [0, 1, 99, 100_000] {
        let text = |seed| cl_hostile::Program::new(seed, number).to_string();
        assert_eq!(text(3), text(3));
        assert_ne!(text(3), text(4));
    }
}

#[test]
fn a_zone_that_cannot_be_read_is_damage() {
    let faults = cl_test::faults::exclusive();
    faults.guard_buffers(64);
    for device in faults.devices() {
        let queue = Queue::on(&device).unwrap_or_else(|error| panic!("a queue: {error}"));
        let read_zone_of = |host: HostAccess| {
            let buffer = BufferOptions::new().host(host).from_slice(&queue, &[7_u32; 5]);
            drop(buffer.unwrap_or_else(|error| panic!("a buffer: {error}")));
            faults.damage()
        };
        assert_eq!(read_zone_of(HostAccess::ReadWrite), None);
        // The driver refuses to read this buffer.
        let damage = read_zone_of(HostAccess::None);
        assert!(damage.is_some_and(|damage| damage.contains("cannot be read")), "{device}");
        assert_eq!(faults.damage(), None);
    }
}

#[test]
fn a_write_beyond_either_end_of_a_buffer_is_damage() {
    let faults = cl_test::faults::exclusive();
    faults.guard_buffers(64);
    let source = "kernel void write(global int *x, long at) { x[at] = 7; }";
    for device in faults.devices().iter().filter(|device| !is_checked(device)) {
        let queue = Queue::on(device).unwrap_or_else(|error| panic!("a queue: {error}"));
        let program = Program::build(queue.context(), source, &BuildOptions::new());
        let kernel = program.and_then(|program| program.kernel("write"));
        let kernel = kernel.unwrap_or_else(|error| panic!("a kernel: {error}"));
        let damage_at = |at: i64| {
            let mut x = Buffer::filled(&queue, 0, 5).unwrap_or_else(|error| panic!("a buffer: {error}"));
            // SAFETY: the zones around the buffer have room for the element.
            let launch = unsafe { kernel.launch().arg(&mut x).arg(at).global(1).enqueue(&queue) };
            launch.and_then(|_| queue.finish()).unwrap_or_else(|error| panic!("a launch: {error}"));
            faults.damage()
        };
        assert_eq!(damage_at(4), None);
        assert!(damage_at(5).is_some_and(|damage| damage.contains("byte 20 was")), "{device}");
        // Only on processors, the guard decides where the memory lies.
        if device.kind().is_ok_and(|kind| kind.contains(DeviceKind::CPU)) {
            assert!(damage_at(-1).is_some_and(|damage| damage.contains("byte -")), "{device}");
        }
    }
}

/// Checks that the programs of a test run have steps of all kinds.
#[test]
fn few_programs_have_all_kinds_of_steps() {
    let programs: String = (0..FEW).map(|number| cl_hostile::Program::new(1, number).to_string()).collect();
    let kinds = "Store Collect Fold Scalar Pair Merge Histogram Order Scatter OutOfRange Refused InPlace By Pairs Buffer Box \
                 Image Shared Threads Event Liar Matrix Transform Look Array OwnElements Products Put RefusedArray \
                 Mechanism Formula Sequence Collection Dense";
    for kind in kinds.split(' ') {
        let is_there = ["(", " {"].iter().any(|bracket| programs.contains(&format!("\n    {kind}{bracket}")));
        assert!(is_there, "no step is a {kind}");
    }
}
