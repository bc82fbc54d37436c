//! Known faults of drivers, as data: the test, the driver on which it fails, and the reason.
//!
//! A test with a known fault is skipped on that driver, with a message. It still runs in a process of its
//! own, because it may crash or hang. If it passes there, the entry is stale, and the test fails until the
//! entry is removed. Tests that fail only at times, or that take too long, are skipped without a try.

use crate::{Named, devices, turn};
use cl_core::Device;
use std::io::Write;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Some versions of one driver.
#[derive(Clone, Copy, Debug)]
pub struct Driver {
    /// A part of the platform's name.
    pub platform: &'static str,
    /// The first version that has the fault, and the first later version that is not known to have it.
    pub versions: (&'static str, &'static str),
}

impl Driver {
    /// Creates an entry for a test that always fails on this driver.
    const fn fails(self, test: &'static str, reason: &'static str) -> KnownFault {
        KnownFault { driver: self, test, reason, always: true }
    }

    /// Creates an entry for a test that fails on this driver at times, or takes too long. It is not tried,
    /// because passing once proves nothing.
    const fn may_fail(self, test: &'static str, reason: &'static str) -> KnownFault {
        KnownFault { driver: self, test, reason, always: false }
    }
}

/// One test that fails on some versions of one driver.
#[derive(Clone, Copy, Debug)]
pub struct KnownFault {
    /// The driver on which the test fails.
    pub driver: Driver,
    /// The test, by its modules and its name.
    pub test: &'static str,
    /// The driver's behaviour that makes the test fail.
    pub reason: &'static str,
    /// `true` if the test fails whenever it runs.
    pub always: bool,
}

/// Versions of Intel's runtime for CPUs.
const INTEL: Driver = Driver { platform: "Intel(R) OpenCL", versions: ("2026", "2027") };
/// Versions of PoCL.
const POCL: Driver = Driver { platform: "Portable Computing Language", versions: ("3", "4") };
/// Versions of NVIDIA's driver.
const NVIDIA: Driver = Driver { platform: "NVIDIA CUDA", versions: ("580", "581") };
/// Versions of Mesa's rusticl, on llvmpipe.
const RUSTICL: Driver = Driver { platform: "rusticl", versions: ("22", "23") };
/// Versions of Oclgrind.
const OCLGRIND: Driver = Driver { platform: "Oclgrind", versions: ("21.10", "22") };

const THREADS: &str = "a failed assertion or a crash ends the process when two threads use one context";
const ENDS: &str =
    "a call in a destructor of a thread uses what the driver keeps for the thread and has freed";
const FREED: &str = "CL_KERNEL_ATTRIBUTES answers with memory that was freed";
/// Stack traces show the cause: a thread of the driver runs the commands of an out-of-order queue. In the
/// middle of this work it takes over another thread's wait for the same queue, and so waits for its own work
/// to end.
const WAITS: &str = "it hangs when more threads wait for out-of-order queues than it has threads";
const STEPS: &str = "it ends all loops of a work-item after 65 535 steps of all of them together";
const QUOTIENTS: &str = "its compiler crashes over quotients of signed bytes";
const STRUCTS: &str = "it forgets writes to a struct that is copied as a whole and then written again";
const LONGS: &str =
    "its comparisons of vectors of longs that were ints before are wrong, and so is select by them";
const FORMATS: &str = "it writes all formats of images, even if there is room for fewer";
const LINES: &str = "kernels and commands read the wrong pixels of 1D images of buffers";
const LINKS: &str = "it does not link what it has compiled: SPIR-V of different versions";
const SWEEP: &str = "failing each call of all these kernels once takes it hours";
const PI: &str = "its sinpi is the sine of a product that is rounded: 1e-16 for 1";
const QUOTIENT: &str = "its remquo gives 3 bits of the quotient, not 7";

/// All known faults. `test` is the path of a test, or the name of an `Operation` of a sweep.
pub const ALL: &[KnownFault] = &[
    NVIDIA.fails(
        "rect::the_last_row_needs_no_padding",
        "it refuses boxes whose last row, padded to the pitch, ends behind the buffer",
    ),
    NVIDIA.fails(
        "image::layers_of_lines_are_copied_to_buffers_and_back",
        "it refuses all layers but the first of a 1D array",
    ),
    NVIDIA.may_fail("commands of Image1dArray", "it refuses all layers but the first of a 1D array"),
    NVIDIA.may_fail("UserEvent, dropped", "the process does not end after user events that stay undecided"),
    NVIDIA.may_fail("program::warnings_of_a_successful_build", "its log often lacks the warnings of the preprocessor"),
    INTEL.fails("sub_device::equal_parts", "it makes no one equal part of all compute units, CL_DEVICE_PARTITION_FAILED"),
    INTEL.fails(
        "program::a_device_with_built_in_kernels_is_asked_for_them",
        "clCreateProgramWithBuiltInKernels crashes when it does not know the names",
    ),
    INTEL.may_fail("hazard::four_threads_on_four_queues_of_one_context", WAITS),
    INTEL.may_fail("pinned::staged_transfers_move_every_byte", WAITS),
    INTEL.may_fail("pinned::staged_transfers_keep_the_order_of_commands", WAITS),
    INTEL.fails(
        "factors::residuals::qr_in_strips",
        "its kernel of a GPU's strips of complex numbers is wrong, with and without its vectoriser",
    ),
    INTEL.fails("math::extremes::steps_of_nan", "its vector forms of step give 0 for NaN"),
    INTEL.fails("math::extremes::the_unit_vector_of_zero", "its normalize of zero floats is NaN"),
    INTEL.fails("math::geometric::geometry_of_f16", "its length of halves is infinite"),
    INTEL.fails(
        "math::integers::products_saturate",
        "its vector forms of mad_sat are wrong for int and uint, and all of them for long",
    ),
    INTEL.fails(
        "compilers::truth_values_are_searched",
        "its optimiser takes `needle < item` of truth values for false in a binary search, but not in `select`",
    ),
    POCL.fails(
        "math::extremes::angles_below_all_normal_numbers",
        "beside large angles its vector forms of sin, cos and tan take subnormal ones for 0.0117",
    ),
    POCL.may_fail(
        "math::extremes::powers_of_extreme_doubles",
        "on processors with AVX-512 its vector form of pow is wrong for subnormal bases, and for the largest ones",
    ),
    RUSTICL.fails(
        "launch::a_queue_without_profiling_says_so",
        "it answers with the times 0 to 3 for queues made without profiling",
    ),
    RUSTICL.may_fail("launch::profiles_and_recordings", "the times of commands of a queue in order may overlap"),
    RUSTICL.fails("loops::a_long_loop_ends_where_it_should", STEPS),
    RUSTICL.fails("loops::long_nested_loops_end_where_they_should", STEPS),
    RUSTICL.fails("loops::two_loops_that_are_long_together_end_where_they_should", STEPS),
    RUSTICL.fails(
        "loops::loops_behind_one_that_was_left_at_a_barrier_run",
        "in a work-group that does not fill a vector, a loop that is left at a barrier takes all steps of a work-item",
    ),
    RUSTICL.fails("structs::a_struct_that_is_written_twice_is_copied_twice", STRUCTS),
    RUSTICL.fails("structs::structs_made_in_a_loop_differ", STRUCTS),
    RUSTICL.fails(
        "structs::a_function_that_changes_its_struct_changes_no_other",
        "a function that changes a parameter that is a struct changes the caller's variable",
    ),
    RUSTICL.may_fail(
        "device_fn::constructs::arrays_have_bounds",
        "the copy of a struct of 20 000 numbers takes its compiler minutes",
    ),
    RUSTICL.may_fail(
        "language::powers_that_are_reduced",
        "a reduction contains its function pown a hundred times, which takes its compiler minutes",
    ),
    RUSTICL.fails(
        "structs::a_struct_is_an_array_of_one",
        "its compiler crashes over the address of a struct that a function takes for an array",
    ),
    RUSTICL.fails("small_devices::every_family_fits_16_kib_and_groups_of_any_size", STEPS),
    RUSTICL.fails("tuning::rows_of_zeros_make_nothing_wrong", STEPS),
    RUSTICL.fails("tuning::rows_of_ones_make_nothing_wrong", STEPS),
    RUSTICL.fails("tuning::odd_rows_make_nothing_wrong", STEPS),
    RUSTICL.fails("sub_groups::sub_groups_that_lie_are_not_used", "its kernels take twice the local memory that they declare"),
    RUSTICL.fails("expressions::i8_is_as_on_the_host", QUOTIENTS),
    RUSTICL.fails("integers_in_all_pairs::pairs_of_i8", QUOTIENTS),
    RUSTICL.may_fail("tiled::tiles_of_i8", QUOTIENTS),
    RUSTICL.fails("compilers::signed_bytes_are_divided", QUOTIENTS),
    RUSTICL.fails("algorithm::select::tests::neighbours_across_tiles", STEPS),
    RUSTICL.fails("algorithm::select::tests::stretches_of_all_and_of_none", STEPS),
    RUSTICL.may_fail("map::threads_map_parts_of_one_buffer", "threads that map one buffer spoil its heap"),
    RUSTICL.fails("image_driver::no_more_formats_are_written_than_there_is_room_for", FORMATS),
    RUSTICL.may_fail("Image::formats, asked first", FORMATS),
    RUSTICL.may_fail("Image1dBuffer::from_slice, filled", LINES),
    RUSTICL.may_fail("commands of Image1dBuffer", LINES),
    RUSTICL.may_fail("ObjectCode::compile, library, Program::link", LINKS),
    RUSTICL.fails("compilers::longs_that_were_ints_are_compared", LONGS),
    RUSTICL.fails(
        "expressions_surprises::truth_values_of_all_widths_meet",
        LONGS,
    ),
    RUSTICL.fails("math::floats::of_f32::functions_of_one_value_are_precise", "its erfc is wrong by 64 units in the last place"),
    RUSTICL.may_fail(
        "quiet::nothing_is_written_to_standard_error",
        "its compiler writes a warning there, unless the program is in its cache",
    ),
    RUSTICL.fails("device_info::every_device_answers_what_opencl_1_2_asks", "it says that its timer advances by 0 nanoseconds"),
    RUSTICL.fails("raw::newer_types_are_those_of_the_driver", "its version does not go on after the number"),
    RUSTICL.fails("image::every_kind_does_every_command", "a map of layers of a 1D image array shows other pixels"),
    RUSTICL.fails("image::kernels_read_and_write_arrays_and_lines", LINES),
    RUSTICL.fails("program::headers_are_found_by_name", "it does not find headers in angle brackets"),
    RUSTICL.fails("program::objects_are_linked", LINKS),
    RUSTICL.fails("program::warnings_of_a_successful_build", "its log lacks the warnings of a successful build"),
    RUSTICL.fails(
        "program::a_device_with_built_in_kernels_is_asked_for_them",
        "clCreateProgramWithBuiltInKernels crashes when it does not know the names",
    ),
    OCLGRIND.fails(
        "launch::a_queue_without_profiling_says_so",
        "it answers with times for queues made without profiling",
    ),
    OCLGRIND.fails("kernel::attributes_as_text", FREED),
    OCLGRIND.fails(
        "kernel::local_memory_is_the_kernels_own",
        "it adds the local memory of the program's other kernels whose names begin with the kernel's name",
    ),
    OCLGRIND.may_fail("program_cache_declarations::a_program_from_disk_declares_what_it_did_when_it_was_compiled", FREED),
    OCLGRIND.fails("launch::non_uniform_work_groups", "it claims OpenCL 3.0 and does not compile its language"),
    OCLGRIND.fails("program::headers_are_found_by_name", "it does not build a program with headers"),
    OCLGRIND
        .fails("program::an_error_in_a_header_shows_the_header", "CL_BUILD_PROGRAM_FAILURE for a failed compilation"),
    OCLGRIND.fails("program::objects_are_linked", "it links programs in which a function is missing"),
    OCLGRIND.fails("program::warnings_of_a_successful_build", "it passes over -Werror"),
    OCLGRIND.may_fail("launch::threads_share_a_kernel", THREADS),
    OCLGRIND.may_fail("hazard::four_threads_on_four_queues_of_one_context", THREADS),
    OCLGRIND.may_fail("pinned::several_threads_stage_on_one_queue", THREADS),
    OCLGRIND.may_fail("algorithms_surprises::many_threads", THREADS),
    OCLGRIND.may_fail("several_threads::reductions_of_several_threads", THREADS),
    OCLGRIND.fails("several_threads::closures_are_recorded_while_a_thread_ends", ENDS),
    OCLGRIND.may_fail("pinned::staged_transfers_keep_the_order_of_commands", THREADS),
    OCLGRIND.may_fail("pinned::staged_transfers_move_every_byte", THREADS),
    OCLGRIND.may_fail("transfer_faults::staged_transfers", THREADS),
    OCLGRIND.may_fail("event::a_callback_may_block_and_use_opencl", THREADS),
    OCLGRIND.may_fail("event::callbacks_of_many_threads_all_run", THREADS),
    OCLGRIND.may_fail("wait_checks::every_thread_of_a_queue_may_meet_and_look_for_faults", THREADS),
    OCLGRIND.may_fail("failed_dependency::a_transfer_whose_dependency_fails_meanwhile", "its long kernel takes it minutes"),
    OCLGRIND.may_fail("hazard::bookkeeping_stays_bounded", "a million launches take it minutes"),
    OCLGRIND.fails("math::floats::of_f32::functions_of_one_value_are_precise", PI),
    OCLGRIND.fails("math::floats::of_f64::functions_of_one_value_are_precise", PI),
    OCLGRIND.fails("math::integers::functions_of_i64", "add_sat of the two least longs is 0"),
    OCLGRIND.fails("math::mixed::mixed_functions_of_f32", QUOTIENT),
    OCLGRIND.fails("math::mixed::mixed_functions_of_f64", QUOTIENT),
    OCLGRIND.fails("math::relational::tests_of_f32", "it takes subnormal floats for normal ones, as doubles"),
    OCLGRIND.fails("integers_in_all_pairs::casts_of_i64_to_f32", "it rounds longs twice on their way to floats, as doubles first"),
    OCLGRIND.fails(
        "integers_in_all_pairs::conversions_up_and_down_are_not_one",
        "its _rtp rounds negative floats away from zero, and its _rtn towards it",
    ),
    OCLGRIND
        .may_fail("sum::more_ones_than_a_float_can_count", "it has 128 MiB only, and the test takes it minutes"),
    OCLGRIND.may_fail("faults::every_driver_call_may_fail", SWEEP),
    OCLGRIND.may_fail("faults::looks_that_are_asked_for_ahead_may_fail", SWEEP),
    OCLGRIND.may_fail("faults::every_answer_may_have_a_wrong_size", SWEEP),
];

/// The environment variable that is set in a process that tries a test that is known to fail.
const CHILD: &str = "CL_TEST_KNOWN_FAULT";

/// The time after which a test counts as hanging.
const PATIENCE: Duration = Duration::from_secs(120);

/// Runs `body` as [`each_device`](crate::each_device) does, but skips devices on which the test of this name,
/// `module::function`, is known to fail.
///
/// # Panics
/// When `body` does, when the machine has no device, and when the test passes where it is known to fail.
pub fn each_device(test: &str, body: impl Fn(&Device)) {
    each_device_without(ALL, test, body);
}

fn each_device_without(faults: &[KnownFault], test: &str, body: impl Fn(&Device)) {
    let _turn = turn::wait();
    for device in devices() {
        let _named = Named(&device);
        if !skips_for(faults, test, &device) {
            body(&device);
        }
    }
}

/// Returns whether the test of this name must leave out a device. For tests that have their own list of
/// devices.
///
/// # Panics
/// When the test passes where it is known to fail.
#[must_use]
pub fn skips(test: &str, device: &Device) -> bool {
    skips_for(ALL, test, device)
}

fn skips_for(faults: &[KnownFault], test: &str, device: &Device) -> bool {
    if std::env::var_os(CHILD).is_some() {
        return false;
    }
    let Some(fault) = faults.iter().find(|fault| fault.test == test && fault.is_on(device)) else {
        return false;
    };
    let stale = fault.always && passes(test, device);
    assert!(!stale, "stale: {fault:?} is known, and the test passes");
    // Written past the test runner, which shows the output of failed tests only.
    let _ = writeln!(std::io::stderr(), "skipped: {test} on {device}: {}", fault.reason);
    true
}

impl KnownFault {
    fn is_on(&self, device: &Device) -> bool {
        let answer = |asked: cl_core::Result<String>| asked.unwrap_or_else(|error| panic!("{error}"));
        let version = numbers(&answer(device.driver_version()));
        answer(device.platform().name()).contains(self.driver.platform)
            && numbers(self.driver.versions.0) <= version
            && version < numbers(self.driver.versions.1)
    }
}

/// Returns the numbers of a version, from the first digit up to the first character that is neither a digit
/// nor a dot.
fn numbers(version: &str) -> Vec<u32> {
    let version = version.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = version.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(version.len());
    version[..end].split('.').map_while(|number| number.parse().ok()).collect()
}

/// Returns whether the test passes on this device, in a process of its own.
fn passes(test: &str, device: &Device) -> bool {
    let program = std::env::current_exe().unwrap_or_else(|error| panic!("{error}"));
    let mut command = Command::new(program);
    command.args(["--exact", test]).env(CHILD, "1").env(crate::NARROW, device.to_string());
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let end = end_of(&mut child.unwrap_or_else(|error| panic!("{error}")));
    end.is_some_and(|status| status.success())
}

/// Returns how a process ends. Returns `None`, and ends the process, if it takes longer than [`PATIENCE`].
fn end_of(child: &mut Child) -> Option<ExitStatus> {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait().unwrap_or_else(|error| panic!("{error}")) {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    // The process may have ended meanwhile, which is fine as well.
    let _ = child.kill();
    let _ = child.wait();
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a fault of every driver.
    fn everywhere(test: &'static str) -> [KnownFault; 1] {
        [Driver { platform: "", versions: ("", "4294967295") }.fails(test, "planted")]
    }

    #[test]
    fn passes_always() {}

    #[test]
    fn fails_as_a_child() {
        assert!(std::env::var_os(CHILD).is_none());
    }

    #[test]
    fn a_test_that_is_known_to_fail_is_skipped() {
        let test = "known_faults::tests::fails_as_a_child";
        each_device_without(&everywhere(test), test, |device| panic!("it ran on {device}"));
    }

    #[test]
    #[should_panic(expected = "stale")]
    fn a_test_that_passes_makes_its_entry_stale() {
        let test = "known_faults::tests::passes_always";
        each_device_without(&everywhere(test), test, |_| ());
    }

    #[test]
    fn a_test_that_fails_at_times_is_not_tried() {
        let test = "known_faults::tests::passes_always";
        let fault = KnownFault { always: false, ..everywhere(test)[0] };
        each_device_without(&[fault], test, |device| panic!("it ran on {device}"));
    }

    #[test]
    fn other_tests_and_other_drivers_run() {
        let ran = std::cell::Cell::new(0);
        let count = |_: &Device| ran.set(ran.get() + 1);
        each_device_without(&everywhere("another"), "this", count);
        let elsewhere = [
            Driver { platform: "no such platform", versions: ("", "4294967295") }.fails("this", "planted"),
            Driver { platform: "", versions: ("4294967294", "4294967295") }.fails("this", "planted"),
        ];
        each_device_without(&elsewhere, "this", count);
        assert_eq!(ran.get(), 2 * devices().len());
    }

    #[test]
    fn versions_are_compared_as_numbers() {
        assert_eq!(numbers("2026.22.10.0_160000"), [2026, 22, 10, 0]);
        assert_eq!(numbers("Oclgrind 21.10"), [21, 10]);
        assert!(numbers("21.9") < numbers("21.10"));
        assert!(numbers("21.10") < numbers("22"));
        assert!(numbers("unknown").is_empty());
    }
}
