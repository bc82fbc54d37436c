//! The test of sub-groups: a small kernel calls each function of the prelude, and the host compares the results.

use super::{Fused, Macro, Parameters, Template};
use crate::device::{Shape, SubGroups, profile};
use crate::kernels;
use crate::vec::DeviceVec;
use cl_core::{Access, Arg, Error, Queue, QueueOptions, Result};
use std::sync::OnceLock;

impl Parameters for SubGroups {
    fn each(&self, name: Macro, define: &mut dyn FnMut(Macro, i64)) {
        define(name, self.backend as i64);
        define(Macro::default().field("SUB_GROUP_WIDTH"), self.width as i64);
    }
}

/// The sub-groups that a context remembers.
#[derive(Default)]
struct Known(OnceLock<SubGroups>);

impl SubGroups {
    /// Returns the sub-groups that the queue's device says it has, if they work correctly; otherwise sub-groups of one
    /// work-item.
    ///
    /// The first call in a context may compile and run a kernel, which stays in the cache of compiled programs. So call
    /// this only before launching kernels that use sub-groups.
    ///
    /// # Errors
    /// [`Error::Driver`] if the test could not be run; the next call repeats the test. Going on without sub-groups
    /// would be wrong, because floats would be added in another order.
    pub fn on(queue: &Queue) -> Result<SubGroups> {
        let known = queue.context().attachment::<Known>();
        if let Some(known) = known.0.get() {
            return Ok(*known);
        }
        // Two threads may run the same test.
        let found = find(queue)?;
        Ok(*known.0.get_or_init(|| found))
    }
}

fn find(queue: &Queue) -> Result<SubGroups> {
    let largest_group = profile(queue.context())?.largest_group;
    for sub_groups in SubGroups::reported_by(queue.device())? {
        if GROUPS * sub_groups.width > largest_group {
            continue;
        }
        if works(queue, sub_groups, &TEST)? {
            return Ok(sub_groups);
        }
        log::warn!("{}: sub-groups by {sub_groups:?} do not work, and are not used", queue.device());
    }
    Ok(SubGroups::NONE)
}

/// The number of sub-groups in the test.
const GROUPS: usize = 2;

/// Returns the number of words that each work-item of the test stores: its lane; three votes; values from lower lanes,
/// from chosen lanes, and from scans; a vote and a word of the second sub-group alone; the hash of the words that it
/// read from all lanes; and a word that `FORGET` must leave unchanged.
const fn answers_in(width: usize) -> usize {
    1 + 3 * 2 + 3 * (width.ilog2() as usize + 4 + 2) + 3 + 1 + 1
}

/// The parameters of `kernels/subgroup_test.cl`.
#[derive(Clone, Copy, Parameters)]
struct Tried {
    sub_groups: SubGroups,
}

/// `kernels/subgroup_test.cl`.
static TEST: Template<Tried> = Template {
    kernel: "test_sub_groups",
    definition: &kernels::SUBGROUP_TEST,
    shape: |_, _, tried| {
        let group = GROUPS * tried.sub_groups.width;
        Shape { chunked: false, group, pack: 1, packs: 1, max_groups: 1, streams: false }
    },
};

/// Returns whether the sub-groups work correctly, by running a kernel that calls their functions.
fn works(queue: &Queue, sub_groups: SubGroups, test: &'static Template<Tried>) -> Result<bool> {
    // A queue of its own, because commands in the user's queue may wait for the user's next steps.
    let queue = Queue::new(queue.context(), QueueOptions::new())?;
    let (width, group) = (sub_groups.width, GROUPS * sub_groups.width);
    let answers = DeviceVec::filled(&queue, 0_u32, group * answers_in(width))?;
    let fused = Fused::new(test.kernel);
    let own = [Arg::Memory(answers.memory(), Access::Overwrite), Arg::value(THIRD)];
    let ready = match fused.by(test, Tried { sub_groups }).compile(&queue, group) {
        // Some drivers notice late that a function is missing.
        Err(Error::Build(_) | Error::UnknownKernel { .. }) => return Ok(false),
        ready => ready?,
    };
    // SAFETY: one work-group, each work-item of which writes its answers.
    match unsafe { ready.launch(&own, 1, group) } {
        // The compiled kernel does not allow a group of this size.
        Err(Error::WorkSize { .. }) => return Ok(false),
        launched => launched?,
    }
    Ok(answers.to_vec()? == expected(width))
}

/// The residue modulo three of the work-items that vote for the condition. It is an argument of the kernel, so that the
/// compiler does not know it.
const THIRD: u32 = 1;

/// Returns the expected answers: the first words of all work-items, then their second words, and so on.
fn expected(width: usize) -> Vec<u32> {
    let items: Vec<Vec<u32>> = (0..GROUPS * width).map(|me| answers_of(me, width)).collect();
    (0..answers_in(width)).flat_map(|answer| items.iter().map(move |answers| answers[answer])).collect()
}

/// Returns the words of an exchanged value: `scale` and `shift` of the kernel.
fn words((scale, shift): (u64, u32)) -> [u32; 3] {
    [scale as u32, (scale >> 32) as u32, shift]
}

fn answers_of(me: usize, lanes: usize) -> Vec<u32> {
    let (lane, first) = (me % lanes, me - me % lanes);
    let own = |lane: usize| {
        let item = (first + lane) as u32;
        ((u64::from(item) << 40) + u64::from(2 * item + 3), item.wrapping_mul(2_654_435_761))
    };
    let votes: u64 = (0..lanes).map(|lane| u64::from((first + lane) as u32 % 3 == THIRD) << lane).sum();
    let halves = |votes: u64| [votes as u32, (votes >> 32) as u32];
    let all = u64::MAX >> (64 - lanes);
    let scanned = |width: usize| {
        // A scan over less than the sub-group combines the last `width` lanes up to this one.
        let begin = (lane + 1).saturating_sub(width);
        (begin..=lane)
            .map(own)
            .reduce(|a, b| (a.0.wrapping_mul(b.0), b.1.wrapping_add((b.0 as u32).wrapping_mul(a.1))))
    };

    let mut answers = vec![lane as u32];
    answers.extend([votes, 0, all].into_iter().flat_map(halves));
    for distance in (0..lanes.ilog2()).map(|power| 1 << power) {
        answers.extend(words(own(if lane < distance { lane } else { lane - distance })));
    }
    for from in [0, lanes - 1, THIRD as usize + 5, (lane + lanes - 1) % lanes] {
        answers.extend(words(own(from)));
    }
    for width in [lanes, lanes / 4] {
        answers.extend(words(scanned(width).unwrap_or_default()));
    }
    let [low, high] = halves(votes);
    answers.extend(if first > 0 { [low, high, first as u32 + THIRD] } else { [0; 3] });
    let heard = |heard: u32, k: usize| heard.wrapping_mul(31).wrapping_add(((me ^ k) * lanes + k) as u32);
    answers.extend([(0..lanes).fold(0, heard), me as u32]);
    answers
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::codegen::Definition;
    use crate::device::sub_groups::Backend;
    use cl_core::Context;

    /// Returns all kinds of sub-groups that kernels can be compiled for.
    pub(crate) fn every_kind() -> Vec<SubGroups> {
        let of = |backend| [8, 16, 32, 64].map(|width| SubGroups { backend, width });
        [&[SubGroups::NONE, SubGroups::WARPS][..], &of(Backend::Khr), &of(Backend::Intel)].concat()
    }

    /// Makes algorithms in a new context use these sub-groups.
    pub(crate) fn force(context: &Context, sub_groups: SubGroups) {
        assert_eq!(context.attachment::<Known>().0.set(sub_groups), Ok(()));
    }

    /// Returns all sub-groups that the queue's device says it has and that work correctly.
    pub(crate) fn all_on(queue: &Queue) -> Vec<SubGroups> {
        let largest_group = profile(queue.context()).unwrap().largest_group;
        let mut all = SubGroups::reported_by(queue.device()).unwrap();
        all.retain(|one| GROUPS * one.width <= largest_group && works(queue, *one, &TEST).unwrap());
        all
    }

    /// Returns whether the sub-groups pass the test if the text `lie` follows `kernels/subgroup.cl`.
    fn work_with(queue: &Queue, sub_groups: SubGroups, lie: &str) -> bool {
        let lie: &'static Definition = Box::leak(Box::new(Definition::new(format!("{lie}\n").leak())));
        let text = Definition::new(kernels::SUBGROUP_TEST.text());
        let uses = vec![&kernels::TRIED, &kernels::SUBGROUP, lie].leak();
        // Templates are identified by their address, for the life of the process.
        let definition = Box::leak(Box::new(text.using(uses)));
        let template = Box::leak(Box::new(Template { definition, ..TEST }));
        works(queue, sub_groups, template).unwrap()
    }

    #[test]
    fn each_lie_is_found_out() {
        cl_test::each_device(|device| {
            let queue = &Queue::on(device).unwrap();
            for sub_groups in SubGroups::reported_by(device).unwrap() {
                if !work_with(queue, sub_groups, "") {
                    eprintln!("{device}: not by {sub_groups:?}, which it says it has");
                    continue;
                }
                for lie in [
                    "#undef SUBGROUP_LANE\n#define SUBGROUP_LANE (get_local_id(0) % (SUB_GROUP_WIDTH / 2))",
                    "#undef VOTE\n#define VOTE(condition) ((condition) ? ~(lane_mask)0 : 0)",
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

    /// Checks that each answer of the kernel has an expected value.
    #[test]
    fn answers_are_complete() {
        for width in [8, 16, 32, 64] {
            assert!((0..GROUPS * width).all(|me| answers_of(me, width).len() == answers_in(width)));
        }
    }
}
