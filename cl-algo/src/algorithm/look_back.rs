//! What kernels with decoupled look-back keep between launches: the messages of `kernels/look_back.cl`.

use crate::codegen::{Parameters, profile};
use crate::device::SubGroups;
use crate::device::sub_groups::Backend;
use cl_core::{Access, Arg, Buffer, Queue, Result};
use std::sync::{Mutex, PoisonError};

/// How a kernel looks back.
#[derive(Clone, Copy, Debug, Parameters)]
pub(super) struct LookBack {
    /// Work-items that look together, and how they do.
    pub(super) sub_groups: SubGroups,
    /// Whether groups take their tiles as they begin.
    pub(super) tickets: bool,
    /// Looks in vain before a group computes what it waits for.
    pub(super) spins: u32,
    /// A tile that never tells its total, to try that.
    pub(super) stalled: Option<usize>,
}

impl LookBack {
    /// As suits the device.
    ///
    /// NVIDIA's devices begin groups in the order of their numbers; where they should not, groups
    /// compute for others what they miss. Tickets cost 2 % of a scan on an H200.
    ///
    /// # Errors
    /// As [`SubGroups::on`].
    pub(super) fn on(queue: &Queue) -> Result<LookBack> {
        let (sub_groups, profile) = (SubGroups::on(queue)?, profile(queue.context())?);
        // Each look is a step of a loop, and a group may wait for several other groups within the steps that a
        // work-item has.
        let spins = profile
            .loop_steps
            .map_or(LookBack::ALONE.spins, |steps| (steps / 1024).min(LookBack::ALONE.spins));
        Ok(LookBack { sub_groups, tickets: sub_groups.backend != Backend::Ptx, spins, ..LookBack::ALONE })
    }

    /// As suits every device: each work-item for itself.
    pub(super) const ALONE: LookBack =
        LookBack { sub_groups: SubGroups::NONE, tickets: true, spins: 10_000, stalled: None };
}

/// How an algorithm is done that has kernels for both.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Method {
    /// As suits the device.
    #[default]
    ByDevice,
    /// In several launches over contiguous runs, one a work-item.
    Runs,
    /// In one launch, by looking back.
    LookBack(LookBack),
}

impl Method {
    /// The one to do it by, no longer [`Method::ByDevice`].
    ///
    /// # Errors
    /// As [`LookBack::on`].
    pub(super) fn on(self, queue: &Queue) -> Result<Method> {
        match self {
            Method::ByDevice if profile(queue.context())?.chunked => Ok(Method::Runs),
            Method::ByDevice => Ok(Method::LookBack(LookBack::on(queue)?)),
            method => Ok(method),
        }
    }
}

/// A queue's messages. Launches that use them run one after the other, on an out-of-order queue too,
/// because each of them writes.
#[derive(Default)]
struct Messages(Mutex<State>);

#[derive(Default)]
struct State {
    /// Totals of tiles, and totals and prefixes of blocks of them: 0 where nothing was ever told.
    totals: Option<Buffer<u64>>,
    blocks: Option<Buffer<u64>>,
    /// The number of the next tile to begin; 0 between launches.
    tickets: Option<Buffer<u32>>,
    /// Flags of the last launch are this plus 1 or 2.
    epoch: u32,
}

/// How far the flags of two launches are apart.
const STEP: u32 = 4;

/// Enqueues a kernel that looks back over so many tiles, in blocks of `block`, with messages of
/// `words` words of 32 bits. `launch` is given the kernel's arguments for it.
pub(super) fn with_messages(
    queue: &Queue,
    tiles: usize,
    block: usize,
    words: usize,
    launch: impl FnOnce([Arg<'_>; 4]) -> Result<()>,
) -> Result<()> {
    let messages = queue.attachment::<Messages>();
    let mut state = messages.0.lock().unwrap_or_else(PoisonError::into_inner);
    if state.epoch > u32::MAX - 2 * STEP {
        // Old flags would be taken for new ones.
        *state = State::default();
    }
    state.epoch += STEP;
    let State { totals, blocks, tickets, epoch } = &mut *state;
    let totals = room(queue, totals, tiles * words)?;
    let blocks = room(queue, blocks, tiles.div_ceil(block) * words)?;
    let tickets = room(queue, tickets, 1)?;
    launch([
        Arg::Memory(totals.memory(), Access::Overwrite),
        Arg::Memory(blocks.memory(), Access::Overwrite),
        Arg::Memory(tickets.memory(), Access::Overwrite),
        Arg::value(*epoch),
    ])
}

/// The buffer, made new where it is too small.
pub(super) fn room<'b, T: bytemuck::Pod>(
    queue: &Queue,
    buffer: &'b mut Option<Buffer<T>>,
    len: usize,
) -> Result<&'b Buffer<T>> {
    if buffer.as_ref().is_none_or(|buffer| buffer.len() < len) {
        *buffer = Some(Buffer::filled(queue, T::zeroed(), len.next_power_of_two().max(1024))?);
    }
    match buffer {
        Some(buffer) => Ok(buffer),
        None => unreachable!("it was just made"),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Each for itself, and in the sub-groups that the device has.
    pub(in crate::algorithm) fn ways(queue: &Queue) -> Vec<LookBack> {
        let own = LookBack::on(queue).unwrap();
        if own.sub_groups == SubGroups::NONE { vec![own] } else { vec![LookBack::ALONE, own] }
    }

    /// In runs, and by looking back in each way: as always, without ever waiting, which means that every group
    /// computes what it does not find at once, and with a tile that stalls. Devices that end loops too early
    /// do not finish the other methods: there as always only.
    pub(in crate::algorithm) fn methods(queue: &Queue) -> Vec<Method> {
        if profile(queue.context()).unwrap().loop_steps.is_some() {
            return vec![Method::ByDevice];
        }
        let mut methods = vec![Method::Runs];
        for way in ways(queue) {
            let stalled = LookBack { spins: 20, stalled: Some(2), ..way };
            methods.extend([way, LookBack { spins: 0, ..way }, stalled].map(Method::LookBack));
        }
        methods
    }
}
