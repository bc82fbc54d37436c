//! Sub-groups: how work-items that run in step reach each other, of what `kernels/subgroup.cl` knows.
//!
//! What a device says that it can do is tried before anything relies on it: a small kernel calls each
//! function of the prelude, and the host compares what they give.

use crate::codegen::{Fused, Parameters, Template, profile};
use crate::device_profile::Shape;
use crate::kernels;
use crate::vec::DeviceVec;
use cl_core::{Access, Arg, Device, Error, Queue, QueueOptions, Result};
use std::sync::OnceLock;

/// How the work-items of a sub-group reach each other; the value of `SUB_GROUPS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Parameters)]
pub(crate) enum SubGroups {
    /// By local memory: each of them is a sub-group of its own.
    None = 0,
    /// By inline PTX.
    Ptx = 1,
    /// By `cl_khr_subgroup_shuffle` and `cl_khr_subgroup_ballot`.
    Khr = 2,
    /// By `cl_intel_subgroups`.
    Intel = 3,
}

/// Work-items of a sub-group, where there are any.
const LANES: usize = 32;

/// What a context remembers of its device.
#[derive(Default)]
struct Known(OnceLock<SubGroups>);

impl SubGroups {
    /// Those that the queue's device has, and that do what they should.
    ///
    /// The first call in a context may compile and run a kernel, which stays in the cache of compiled programs:
    /// ask where kernels are to be launched that use them, and nowhere else.
    ///
    /// # Errors
    /// [`Error::Driver`] where the test could not be made: nothing is known then, and the next call makes it
    /// again. It would be wrong to go on without sub-groups, for floats are added in another order then.
    pub(crate) fn on(queue: &Queue) -> Result<SubGroups> {
        let known = queue.context().attachment::<Known>();
        if let Some(known) = known.0.get() {
            return Ok(*known);
        }
        // Two threads may find out the same.
        let found = find(queue)?;
        Ok(*known.0.get_or_init(|| found))
    }

    /// Work-items of each.
    pub(crate) fn size(self) -> usize {
        if self == SubGroups::None { 1 } else { LANES }
    }

    /// What the device says that it has, the best first.
    fn told_by(device: &Device) -> Result<Vec<SubGroups>> {
        let mut told = Vec::new();
        if device.has_extension("cl_nv_compiler_options")? {
            told.push(SubGroups::Ptx);
        }
        // Without it compilers choose the size, each time anew.
        if device.has_extension("cl_intel_required_subgroup_size")? {
            if device.has_extension("cl_khr_subgroup_shuffle")?
                && device.has_extension("cl_khr_subgroup_ballot")?
            {
                told.push(SubGroups::Khr);
            }
            if device.has_extension("cl_intel_subgroups")? {
                told.push(SubGroups::Intel);
            }
        }
        Ok(told)
    }
}

fn find(queue: &Queue) -> Result<SubGroups> {
    if profile(queue.context())?.largest_group < GROUP {
        return Ok(SubGroups::None);
    }
    for told in SubGroups::told_by(queue.device())? {
        if works(queue, told, &TEST)? {
            return Ok(told);
        }
        log::warn!("{}: sub-groups by {told:?} do not work, and are not used", queue.device());
    }
    Ok(SubGroups::None)
}

/// Work-items of the test: two sub-groups.
const GROUP: usize = 2 * LANES;
/// Words that each of them answers.
const ANSWERS: usize = 4 + 3 * (5 + 4 + 2) + 2 + 1 + 1;

/// What `kernels/subgroup_test.cl` is compiled with.
#[derive(Clone, Copy, Parameters)]
struct Tried {
    sub_groups: SubGroups,
}

/// `kernels/subgroup_test.cl`.
static TEST: Template<Tried> = Template {
    kernel: "test_sub_groups",
    definition: &kernels::SUBGROUP_TEST,
    shape: |_, _, _| Shape { chunked: false, group: GROUP, pack: 1, packs: 1, max_groups: 1, streams: false },
};

/// Whether they do what they should, by a kernel that calls them.
fn works(queue: &Queue, sub_groups: SubGroups, test: &'static Template<Tried>) -> Result<bool> {
    // One of its own: what is in the user's queue may wait for what the user does next.
    let queue = Queue::new(queue.context(), QueueOptions::new())?;
    let answers = DeviceVec::filled(&queue, 0_u32, GROUP * ANSWERS)?;
    let fused = Fused::new(test.kernel);
    let own = [Arg::Memory(answers.memory(), Access::Overwrite), Arg::value(THIRD)];
    let ready = match fused.by(test, Tried { sub_groups }).compile(&queue, GROUP) {
        // Some drivers find out late that a function is missing.
        Err(Error::Build(_) | Error::UnknownKernel { .. }) => return Ok(false),
        ready => ready?,
    };
    // SAFETY: one work-group, each work-item of which writes its answers.
    match unsafe { ready.launch(&own, 1, GROUP) } {
        // The kernel as it is compiled allows no such group.
        Err(Error::WorkSize { .. }) => return Ok(false),
        launched => launched?,
    }
    Ok(answers.to_vec()? == expected())
}

/// Which of three work-items vote; an argument, so that nothing is known when the kernel is compiled.
const THIRD: u32 = 1;

/// What the kernel answers, all work-items' first words first.
fn expected() -> Vec<u32> {
    let items: Vec<Vec<u32>> = (0..GROUP).map(answers_of).collect();
    (0..ANSWERS).flat_map(|answer| items.iter().map(move |answers| answers[answer])).collect()
}

/// The words of a value that is exchanged: `scale` and `shift` of the kernel.
fn words((scale, shift): (u64, u32)) -> [u32; 3] {
    [scale as u32, (scale >> 32) as u32, shift]
}

fn answers_of(me: usize) -> Vec<u32> {
    let (lane, first) = (me % LANES, me - me % LANES);
    let own = |lane: usize| {
        let item = (first + lane) as u32;
        ((u64::from(item) << 40) + u64::from(2 * item + 3), item.wrapping_mul(2_654_435_761))
    };
    let votes = || (0..LANES).map(|lane| u32::from((first + lane) as u32 % 3 == THIRD) << lane).sum();
    let scanned = |width: usize| {
        // Lanes that are not scanned to their beginning have the values of so many up to them.
        let begin = (lane + 1).saturating_sub(width);
        (begin..=lane)
            .map(own)
            .reduce(|a, b| (a.0.wrapping_mul(b.0), b.1.wrapping_add((b.0 as u32).wrapping_mul(a.1))))
    };

    let mut answers = vec![lane as u32, votes(), 0, u32::MAX];
    for distance in [1, 2, 4, 8, 16] {
        answers.extend(words(own(if lane < distance { lane } else { lane - distance })));
    }
    for from in [0, LANES - 1, THIRD as usize + 5, (lane + LANES - 1) % LANES] {
        answers.extend(words(own(from)));
    }
    for width in [LANES, LANES / 4] {
        answers.extend(words(scanned(width).unwrap_or_default()));
    }
    answers.extend(if first > 0 { [votes(), first as u32 + THIRD] } else { [0; 2] });
    let heard = |heard: u32, k: usize| heard.wrapping_mul(31).wrapping_add(((me ^ k) * LANES + k) as u32);
    answers.extend([(0..LANES).fold(0, heard), me as u32]);
    answers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codegen::Definition;

    /// Whether they work where `lie` comes behind the prelude.
    fn work_with(queue: &Queue, sub_groups: SubGroups, lie: &str) -> bool {
        let lie: &'static Definition = Box::leak(Box::new(Definition::new(format!("{lie}\n").leak())));
        let text = Definition::new(kernels::SUBGROUP_TEST.text());
        let uses = vec![&kernels::TRIED, &kernels::SUBGROUP, lie].leak();
        // Templates are known by where they are, for ever.
        let definition = Box::leak(Box::new(text.using(uses)));
        let template = Box::leak(Box::new(Template { definition, ..TEST }));
        works(queue, sub_groups, template).unwrap()
    }

    #[test]
    fn each_lie_is_found_out() {
        cl_test::each_device(|device| {
            let queue = &Queue::on(device).unwrap();
            for sub_groups in SubGroups::told_by(device).unwrap() {
                if !work_with(queue, sub_groups, "") {
                    eprintln!("{device}: not by {sub_groups:?}, which it says it has");
                    continue;
                }
                for lie in [
                    "#undef SUBGROUP_LANE\n#define SUBGROUP_LANE (get_local_id(0) % 16)",
                    "#undef VOTE\n#define VOTE(condition) ((condition) ? ~0u : 0u)",
                    "#define carried_from_below(value, distance) (value)",
                    "#define carried_from_lane(value, lane) (value)",
                    "#define word_from_lane(word, lane) (word)",
                    "#define scan_lanes(value, width) (value)",
                    "#undef FORGET\n#define FORGET(word) word = 0",
                ] {
                    assert!(!work_with(queue, sub_groups, lie), "{sub_groups:?}: {lie}");
                }
            }
        });
    }

    /// An answer for each place that the kernel has for one.
    #[test]
    fn answers_are_complete() {
        assert!((0..GROUP).all(|me| answers_of(me).len() == ANSWERS));
    }
}
