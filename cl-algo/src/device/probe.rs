//! Probes a device with small kernels, once in a process, before any algorithm relies on it.
//!
//! Some drivers compile a kernel and run it to its end without an error, but with wrong results. Mesa's
//! llvmpipe ends all loops of a work-item after 65 535 steps. If a work-group does not fill llvmpipe's
//! vectors, a loop that is left after a barrier uses up all these steps, so later loops end too early. Mesa
//! 22 loses writes to structs, and compares some longs as if they were larger. `kernels/probe.cl` tests all
//! of this.

use super::declarations;
use super::fence::DeviceFence;
use crate::kernels;
use cl_core::{
    Access, Arg, Buffer, BuildOptions, Context, Device, DeviceKind, Error, Program, Queue, QueueOptions,
    Quirk, Result,
};
use std::sync::{Mutex, PoisonError};

/// The observed behaviour of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Behaviour {
    /// `true` if a work-item in a work-group of its own ends its loops where it should.
    pub(crate) lone_items: bool,
    /// The number of steps after which the device ends a work-item's loops; `None` if it does not end them.
    pub(crate) loop_steps: Option<u32>,
    /// `true` if structs keep the values that are written to them.
    pub(crate) keeps_structs: bool,
    /// `true` if longs that were converted from ints compare correctly. Nothing works around a wrong comparison; a
    /// warning is logged.
    pub(crate) compares_longs: bool,
    /// `true` if work-groups of one launch see each other's results after the device's fence, or if it has no fence.
    pub(crate) fences: bool,
}

/// The behaviour of a device without faults.
const FINE: Behaviour =
    Behaviour { lone_items: true, loop_steps: None, keeps_structs: true, compares_longs: true, fences: true };

/// The number of steps of the long loop: more than fit into 16 bits.
const STEPS: u32 = 70_000;
/// The number of steps of the short loop, which every device should finish.
const FEW: u32 = 10;
/// The maximal number of work-items in a group of `meeting_items`.
const GROUP: usize = 32;
/// The number of work-groups of `meeting_items`.
const GROUPS: usize = 2;
/// The number of times that the work-items of `meeting_items` go on after they have met.
const ROUNDS: u32 = 5;

// The indices of the answers, which `kernels/probe.cl` is given by these names.

/// The steps of the long loop that were run.
const LONG_LOOP: usize = 0;
/// The steps of the short loop that were run.
const SHORT_LOOP: usize = 1;
/// The number of reads in which a work-item of `meeting_items` got its neighbour's number; 0 in `lone_item`.
const ATOMIC_SUM: usize = 2;
/// The first of four members of structs.
const STRUCTS: usize = 3;
/// The first of two comparisons of longs.
const LONGS: usize = STRUCTS + 4;
/// The first answer of the work-items of `meeting_items`, one each, behind all other answers.
const MEETING: usize = LONGS + 2;

// The indices of the answers of `kernels/probe_fence.cl`.

/// The number of work-groups that have arrived.
const ARRIVED: usize = 0;
/// The sum of the stored numbers.
const SUM: usize = 1;
/// The first stored number, one for each work-group.
const STORED: usize = 2;
/// The number of work-groups of `adding_group`.
const ADDING_GROUPS: usize = 256;
/// The number that the first work-group stores.
const FIRST_STORED: u32 = 1000;

/// The behaviour of the devices that this process has tried, by their names and drivers.
static KNOWN: Mutex<Vec<(String, Behaviour)>> = Mutex::new(Vec::new());

/// Returns the behaviour of the device of this name. The first call in a process tries the device, in the context that
/// `context` returns.
///
/// # Errors
/// [`Error::Unsupported`] if work-items do not meet at barriers or atomic operations fail, because no algorithm works
/// then; [`Error::Driver`] if the device could not be probed. After an error the next call probes again.
pub(crate) fn observed_behaviour(
    device: &Device,
    name: &str,
    largest_group: usize,
    fence: Option<DeviceFence>,
    context: impl FnOnce() -> Result<Context>,
) -> Result<Behaviour> {
    let key = format!("{name} {}", device.driver_version()?);
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, behaviour)) = known().iter().find(|(other, _)| *other == key) {
        return Ok(*behaviour);
    }
    // CPUs on which lone work-items are right get no kernels in which work-items meet, so this is not probed. PoCL
    // takes a second to compile such a kernel, and a third of a second for the one with a fence.
    let cpu = device.kind()?.contains(DeviceKind::CPU);
    let (context, group) = (context()?, largest_group.min(GROUP));
    // Two threads may probe the same device.
    let mut probe = Probe::new(&context, group, fence.filter(|_| !cpu), kernels::LAST_GROUP.text())?;
    let mut behaviour = probe.lone_item()?;
    if !cpu || !behaviour.lone_items {
        if cpu && fence.is_some() {
            probe = Probe::new(&context, group, fence, kernels::LAST_GROUP.text())?;
        }
        if let Some(feature) = probe.missing()? {
            return Err(Error::unsupported(feature.to_owned(), name.to_owned()));
        }
        behaviour.fences = fence.is_none() || probe.fences()?;
    }
    if behaviour != FINE {
        log::warn!("{name}: {behaviour:?}");
    }
    known().push((key, behaviour));
    Ok(behaviour)
}

/// A device with the kernels of `kernels/probe.cl` and room for their answers.
struct Probe {
    queue: Queue,
    program: Program,
    /// `true` if the program has the kernel of `kernels/probe_fence.cl`.
    has_fence: bool,
    answers: Buffer<u32>,
    group: usize,
}

impl Probe {
    /// Compiles the kernels, and in the same program the kernel for `fence`, because each program costs a fixed time. If
    /// the compiler refuses the fence, compiles without it. `last_group` is the text of `kernels/last_group.cl`.
    fn new(context: &Context, group: usize, fence: Option<DeviceFence>, last_group: &str) -> Result<Probe> {
        // A queue of its own, because commands in the user's queue may wait for the user's next steps.
        let queue = Queue::new(context, QueueOptions::new())?;
        let answers = Buffer::filled(&queue, 0, MEETING + GROUPS * group)?;
        let text = format!(
            "#define GROUP {group}\n#define LONG_LOOP {LONG_LOOP}\n#define SHORT_LOOP {SHORT_LOOP}\n\
             #define ATOMIC_SUM {ATOMIC_SUM}\n#define STRUCTS {STRUCTS}\n#define LONGS {LONGS}\n#define MEETING {MEETING}\n{}",
            include_str!("../kernels/probe.cl")
        );
        let reads_all_declarations = context.device().has_quirk(Quirk::ReadsAllDeclarations)?;
        let build = |text: &str, options: &BuildOptions| {
            declarations::build(context, reads_all_declarations, text, options)
        };
        if let Some(fence) = fence {
            let text = format!(
                "{text}\n#define FENCE {}\n#define ARRIVED {ARRIVED}\n#define SUM {SUM}\n#define STORED {STORED}\n\
                 {last_group}\n{}",
                fence.number(),
                include_str!("../kernels/probe_fence.cl")
            );
            match build(&text, &fence.options(BuildOptions::new())) {
                Err(Error::Build(_)) => {}
                program => return Ok(Probe { queue, program: program?, has_fence: true, answers, group }),
            }
        }
        let program = build(&text, &BuildOptions::new())?;
        Ok(Probe { queue, program, has_fence: false, answers, group })
    }

    /// Returns the behaviour of a work-item in a work-group of its own.
    fn lone_item(&mut self) -> Result<Behaviour> {
        let kernel = self.program.kernel("lone_item")?;
        let launch = kernel.launch().arg(Arg::Memory(self.answers.memory(), Access::Write));
        let launch = launch.arg(Arg::value(STEPS)).arg(Arg::value(FEW)).global(1).local(1);
        // SAFETY: the kernel takes a buffer and two numbers. One work-item reads and writes answers below `MEETING`,
        // and `answers` has more than `MEETING` elements.
        unsafe { launch.enqueue(&self.queue)? };
        let answers = self.answers.to_vec(&self.queue)?;
        let loops = judge_loops(answers[LONG_LOOP], answers[SHORT_LOOP]);
        let keeps_structs = judge_structs(&answers[STRUCTS..LONGS]);
        Ok(Behaviour { keeps_structs, compares_longs: judge_longs(&answers[LONGS..MEETING]), ..loops })
    }

    /// Returns the feature that every algorithm needs and that work-items of the device lack, if any.
    fn missing(&mut self) -> Result<Option<&'static str>> {
        self.answers.fill(&self.queue, 0)?;
        let kernel = self.program.kernel("meeting_items")?;
        let launch = kernel.launch().arg(Arg::Memory(self.answers.memory(), Access::Write));
        let launch = launch.arg(Arg::value(ROUNDS)).global(GROUPS * self.group).local(self.group);
        // SAFETY: the kernel takes a buffer and a number. Each of `GROUPS * group` work-items writes its own answer
        // from `MEETING` on, for which `answers` has room, and adds to `ATOMIC_SUM` atomically.
        unsafe { launch.enqueue(&self.queue)? };
        Ok(judge_meeting(&self.answers.to_vec(&self.queue)?, self.group))
    }

    /// Returns whether the work-group that arrives last sees the numbers of all other groups; `false` if the program has
    /// no fence.
    fn fences(&self) -> Result<bool> {
        if !self.has_fence {
            return Ok(false);
        }
        let kernel = self.program.kernel("adding_group")?;
        let answers = Buffer::filled(&self.queue, 0, STORED + ADDING_GROUPS)?;
        let launch = kernel.launch().arg(Arg::Memory(answers.memory(), Access::Write));
        let launch =
            launch.arg(Arg::value(FIRST_STORED)).global(ADDING_GROUPS * self.group).local(self.group);
        // SAFETY: the kernel takes a buffer and a number. Each of `ADDING_GROUPS` work-groups stores its own number from
        // `STORED` on, for which `answers` has room, and changes `ARRIVED` and `SUM` atomically.
        unsafe { launch.enqueue(&self.queue)? };
        let sum = (FIRST_STORED..).take(ADDING_GROUPS).sum();
        Ok(answers.to_vec(&self.queue)?[..STORED] == [ADDING_GROUPS as u32, sum])
    }
}

fn judge_loops(steps: u32, few: u32) -> Behaviour {
    let loop_steps = (steps != STEPS).then_some(steps);
    Behaviour { lone_items: few == FEW && steps == STEPS, loop_steps, ..FINE }
}

fn judge_structs(answers: &[u32]) -> bool {
    answers == [STEPS, FEW, FEW, STEPS]
}

fn judge_longs(answers: &[u32]) -> bool {
    answers == [0, 1]
}

fn judge_meeting(answers: &[u32], group: usize) -> Option<&'static str> {
    let each = (ROUNDS + 1) * group as u32;
    if answers[MEETING..].iter().any(|&answer| answer != each) {
        return Some("work-items that meet at barriers (a kernel that tries it gives wrong results)");
    }
    let all = ROUNDS * (GROUPS * group) as u32;
    (answers[ATOMIC_SUM] != all).then_some("atomic operations (a kernel that tries them gives wrong results)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_is_found_out() {
        assert_eq!(judge_loops(STEPS, FEW), FINE);
        assert_eq!(
            judge_loops(65_535, FEW),
            Behaviour { lone_items: false, loop_steps: Some(65_535), ..FINE }
        );
        assert_eq!(judge_loops(STEPS, 1), Behaviour { lone_items: false, loop_steps: None, ..FINE });
        assert!(judge_structs(&[STEPS, FEW, FEW, STEPS]));
        assert!(!judge_structs(&[0, 0, FEW, STEPS]));
        assert!(judge_longs(&[0, 1]));
        assert!(!judge_longs(&[1, 1]));

        let with = |at: usize, answer: u32| {
            let mut answers = vec![(ROUNDS + 1) * GROUP as u32; MEETING + GROUPS * GROUP];
            answers[ATOMIC_SUM] = ROUNDS * (GROUPS * GROUP) as u32;
            answers[at] = answer;
            judge_meeting(&answers, GROUP)
        };
        assert_eq!(with(LONG_LOOP, 0), None);
        assert!(with(ATOMIC_SUM, 1).is_some_and(|missing| missing.contains("atomic")));
        assert!(with(MEETING + GROUP, 1).is_some_and(|missing| missing.contains("barriers")));
    }

    /// Checks that CPUs without faults do not run the second kernel, which takes PoCL a second to compile.
    #[test]
    fn cpus_without_faults_run_one_kernel() {
        let counter = cl_test::counting::exclusive();
        for (at, device) in cl_test::counting::devices().into_iter().enumerate() {
            let name = format!("not tried before: {at}");
            let cpu = device.kind().unwrap().contains(DeviceKind::CPU);
            let (mut found, largest) = (FINE, device.max_work_group_size().unwrap());
            let fence = DeviceFence::of(&device).unwrap();
            let context = Context::on(&device).unwrap();
            let calls = counter.calls_during(|| {
                found = observed_behaviour(&device, &name, largest, fence, || Ok(context.clone())).unwrap();
            });
            let kernels = if cpu && found.lone_items { 1 } else { 2 + u64::from(fence.is_some()) };
            assert_eq!(calls["clEnqueueNDRangeKernel"], kernels, "{device}");
            assert_eq!(calls.get("clCreateContext"), None, "{device}");
        }
    }

    /// Checks that the kernels for GPUs are one program, in the context of the caller.
    #[test]
    fn gpus_compile_one_program() {
        let counter = cl_test::counting::exclusive();
        for (at, device) in cl_test::counting::gpus().into_iter().enumerate() {
            let name = format!("not tried before as a GPU: {at}");
            let (largest, fence) = (device.max_work_group_size().unwrap(), DeviceFence::of(&device).unwrap());
            let context = Context::on(&device).unwrap();
            let calls = counter.calls_during(|| {
                let _ = observed_behaviour(&device, &name, largest, fence, || Ok(context.clone()));
            });
            assert_eq!(calls["clBuildProgram"], 1, "{device}");
            assert_eq!(calls.get("clCreateContext"), None, "{device}");
        }
    }

    #[test]
    fn a_broken_fence_is_found() {
        cl_test::each_device(|device| {
            let Some(fence) = DeviceFence::of(device).unwrap() else { return };
            let context = Context::on(device).unwrap();
            let group = device.max_work_group_size().unwrap().min(GROUP);
            let fences = |text| Probe::new(&context, group, Some(fence), text).unwrap().fences().unwrap();
            let text = kernels::LAST_GROUP.text();
            assert!(fences(text), "{device}");
            // With this text every work-group believes that it is the last, so the sum is too large whatever each group
            // sees. A test that the first group sees too little would depend on the order in which work-groups run.
            let always = text.replace("== get_num_groups(0) - 1", "< get_num_groups(0)");
            assert_ne!(always, text);
            assert!(!fences(&always), "{device}");
            // A compiler that refuses the fence.
            assert!(!fences("#error"), "{device}");
        });
    }

    /// Checks that every device that tests run on has the features that all algorithms need.
    #[test]
    fn every_device_can_be_relied_on() {
        cl_test::each_device(|device| {
            let group = device.max_work_group_size().unwrap().min(GROUP);
            let mut probe = Probe::new(&Context::on(device).unwrap(), group, None, "").unwrap();
            assert!(probe.lone_item().unwrap().loop_steps.is_none_or(|steps| steps > 1000));
            assert_eq!(probe.missing().unwrap(), None);
            let declares = probe.program.options().unwrap().contains(declarations::HEADER);
            assert_eq!(declares, device.has_quirk(Quirk::ReadsAllDeclarations).unwrap(), "{device}");
        });
    }
}
