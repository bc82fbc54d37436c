//! What a device was seen doing: small kernels ask it, once in a process, before any algorithm relies on it.
//!
//! Drivers have compiled a kernel and run it to its end, without an error and with wrong results. Mesa's
//! llvmpipe ends all loops of a work-item after 65 535 steps, and a work-group that does not fill its vectors
//! spends these steps in a loop that was left at a barrier. Mesa 22 loses what is written to structs.
//! `kernels/probe.cl` asks for all of that.

use cl_core::{
    Access, Arg, Buffer, BuildOptions, Context, Device, DeviceKind, Error, Program, Queue, QueueOptions,
    Result,
};
use std::sync::{Mutex, PoisonError};

/// What a device does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Whether a work-item with a work-group of its own ends its loops where it should.
    pub(crate) lone_items: bool,
    /// The steps after which the device ends a work-item's loops; nothing where it lets them run.
    pub(crate) loop_steps: Option<u32>,
    /// Whether structs keep what is written to them.
    pub(crate) keeps_structs: bool,
}

/// Work-items of a group in which they meet.
const GROUP: usize = 32;
/// Such groups.
const GROUPS: usize = 2;
/// What a device without faults does.
const FINE: Seen = Seen { lone_items: true, loop_steps: None, keeps_structs: true };
/// How often they meet.
const ROUNDS: u32 = 5;
/// More steps than fit into 16 bits.
const STEPS: u32 = 70_000;
/// So few that no device should stumble over them.
const FEW: u32 = 10;
/// Answers before those of the work-items that meet.
const OWN: usize = 7;
/// The answers to what structs keep.
const STRUCTS: std::ops::Range<usize> = 3..OWN;

/// What is known of the devices of this process, by their names and drivers.
static KNOWN: Mutex<Vec<(String, Seen)>> = Mutex::new(Vec::new());

/// What the device of this name does; the first call in a process tries it.
///
/// # Errors
/// [`Error::Unsupported`] where work-items do not meet at barriers, because nothing works then;
/// [`Error::Driver`] where the device could not be tried. Nothing is known then, and the next call tries again.
pub(crate) fn seen(device: &Device, name: &str, largest_group: usize) -> Result<Seen> {
    let key = format!("{name} {}", device.driver_version()?);
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, seen)) = known().iter().find(|(other, _)| *other == key) {
        return Ok(*seen);
    }
    // Two threads may find out the same.
    let mut asked = Asked::new(device, largest_group.min(GROUP))?;
    let seen = asked.lone_item()?;
    // CPUs whose work-items do well alone have no others: PoCL takes a second to compile a kernel in which
    // they meet.
    let meets = !device.kind()?.contains(DeviceKind::CPU) || !seen.lone_items;
    if let (true, Some(feature)) = (meets, asked.missing()?) {
        return Err(Error::Unsupported { feature: feature.to_owned(), device: name.to_owned() });
    }
    if seen != FINE {
        log::warn!("{name}: {seen:?}");
    }
    known().push((key, seen));
    Ok(seen)
}

/// A device that is asked what `kernels/probe.cl` asks.
struct Asked {
    queue: Queue,
    program: Program,
    answers: Buffer<u32>,
    group: usize,
}

impl Asked {
    fn new(device: &Device, group: usize) -> Result<Asked> {
        let context = Context::on(device)?;
        let queue = Queue::new(&context, QueueOptions::new())?;
        let text = format!("#define GROUP {group}\n{}", include_str!("kernels/probe.cl"));
        let program = Program::build(&context, &text, &BuildOptions::new())?;
        let answers = Buffer::filled(&queue, 0, OWN + GROUPS * group)?;
        Ok(Asked { queue, program, answers, group })
    }

    /// What a work-item does alone.
    fn lone_item(&mut self) -> Result<Seen> {
        let kernel = self.program.kernel("lone_item")?;
        let launch = kernel.launch().arg(Arg::Memory(self.answers.memory(), Access::Write));
        let launch = launch.arg(Arg::value(STEPS)).arg(Arg::value(FEW)).global(1).local(1);
        // SAFETY: one work-item, which writes answers before those of the work-items that meet.
        unsafe { launch.enqueue(&self.queue)? };
        let answers = self.answers.to_vec(&self.queue)?;
        let loops = judge_loops(answers[0], answers[1]);
        Ok(Seen { keeps_structs: judge_structs(&answers[STRUCTS]), ..loops })
    }

    /// What work-items cannot do together, though nothing goes without.
    fn missing(&mut self) -> Result<Option<&'static str>> {
        self.answers.fill(&self.queue, 0)?;
        let kernel = self.program.kernel("meeting_items")?;
        let launch = kernel.launch().arg(Arg::Memory(self.answers.memory(), Access::Write));
        let launch = launch.arg(Arg::value(ROUNDS)).global(GROUPS * self.group).local(self.group);
        // SAFETY: the work-items write an answer each behind the first seven, and add to the third.
        unsafe { launch.enqueue(&self.queue)? };
        Ok(judge_meeting(&self.answers.to_vec(&self.queue)?, self.group))
    }
}

fn judge_loops(steps: u32, few: u32) -> Seen {
    let loop_steps = (steps != STEPS).then_some(steps);
    Seen { lone_items: few == FEW && steps == STEPS, loop_steps, ..FINE }
}

fn judge_structs(answers: &[u32]) -> bool {
    answers == [STEPS, FEW, FEW, STEPS]
}

fn judge_meeting(answers: &[u32], group: usize) -> Option<&'static str> {
    let each = (ROUNDS + 1) * group as u32;
    if answers[OWN..].iter().any(|&answer| answer != each) {
        return Some("work-items that meet at barriers (a kernel that tries it gives wrong results)");
    }
    let all = ROUNDS * (GROUPS * group) as u32;
    (answers[2] != all).then_some("atomic operations (a kernel that tries them gives wrong results)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_is_found_out() {
        assert_eq!(judge_loops(STEPS, FEW), FINE);
        assert_eq!(judge_loops(65_535, FEW), Seen { lone_items: false, loop_steps: Some(65_535), ..FINE });
        assert_eq!(judge_loops(STEPS, 1), Seen { lone_items: false, loop_steps: None, ..FINE });
        assert!(judge_structs(&[STEPS, FEW, FEW, STEPS]));
        assert!(!judge_structs(&[0, 0, FEW, STEPS]));

        let with = |at: usize, answer: u32| {
            let mut answers = vec![(ROUNDS + 1) * GROUP as u32; OWN + GROUPS * GROUP];
            answers[2] = ROUNDS * (GROUPS * GROUP) as u32;
            answers[at] = answer;
            judge_meeting(&answers, GROUP)
        };
        assert_eq!(with(0, 0), None);
        assert!(with(2, 1).is_some_and(|missing| missing.contains("atomic")));
        assert!(with(OWN + GROUP, 1).is_some_and(|missing| missing.contains("barriers")));
    }

    /// Each device does what no algorithm goes without.
    #[test]
    fn every_device_can_be_relied_on() {
        cl_test::each_device(|device| {
            let mut asked = Asked::new(device, GROUP).unwrap();
            assert!(asked.lone_item().unwrap().loop_steps.is_none_or(|steps| steps > 1000));
            assert_eq!(asked.missing().unwrap(), None);
        });
    }
}
