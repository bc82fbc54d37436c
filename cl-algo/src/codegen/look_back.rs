//! Decoupled look-back: the way in which kernels look back, and the messages of `kernels/look_back.cl`, which are kept
//! between launches.

use super::Parameters;
use crate::device::sub_groups::Backend;
use crate::device::{SubGroups, profile};
use cl_core::{Access, Arg, Buffer, Queue, Result};
use std::sync::{Mutex, PoisonError};

/// The way in which a kernel looks back, as one of its [`Parameters`]. A field `look_back` defines `SUB_GROUPS`,
/// `SUB_GROUP_WIDTH`, `TICKETS`, `SPINS` and `STALLED`, which
/// [`library::LOOK_BACK`](crate::codegen::library::LOOK_BACK) requires.
///
/// With look-back, each work-group learns the combined totals of the tiles before its own within one launch, from the
/// totals of these tiles (Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016). A
/// kernel
///
/// 1. takes a tile: `TAKE_TILE(tickets, shared.missing)`;
/// 2. computes the tile's total, and publishes it: `tell_total`;
/// 3. looks for the combined total of all tiles before its own, and computes totals that are missing for too long:
///    `find_prefix`, `compute_missing`;
/// 4. goes on from `shared.before`, unless its tile is the first.
///
/// In front of `LOOK_BACK`, its definition must define `CARRIED`, the type of totals; `CARRY(a, b)`, their associative
/// operator; and `IN_PLACE`, which is 1 if tiles overwrite the items that their totals were computed from. It also
/// defines a function `tile_total`, which computes the total of a whole tile. The order in which totals are combined
/// does not depend on timing.
///
/// ```
/// use cl_algo::codegen::{Definition, Fused, LookBack, Parameters, Template, library};
/// use cl_algo::prelude::*;
/// use cl_algo::math::{max, min};
/// use cl_algo::Shape;
///
/// static CARRIED: Definition = Definition::new(
///     "#define CARRIED uint
/// ##define CARRY(a, b) max(a, b)
/// ##define IN_PLACE 0
/// ",
/// )
/// .defining_macros(&["CARRIED", "CARRY", "IN_PLACE"]);
/// static RECORDS: Template<Values> = Template {
///     kernel: "records",
///     definition: &Definition::new(
///         "static inline CARRIED tile_total(PARAMETERS const INDEX tile, local CARRIED *room)
///          {
///              CARRIED total = LOAD(tile * TILE);
///              for (INDEX i = tile * TILE + 1; i < (tile + 1) * TILE; ++i)
///                  total = CARRY(total, LOAD(i));
///              return total;
///          }
///
///          kernel __attribute__((reqd_work_group_size(1, 1, 1)))
///          void records(PARAMETERS OUTPUTS volatile global ulong *totals, volatile global ulong *blocks,
///                       volatile global uint *tickets, const uint epoch, const INDEX length)
///          {
///              local CARRIED room[1];
///              local tile_message shared;
///              const INDEX tile = TAKE_TILE(tickets, shared.missing), end = min((tile + 1) * TILE, length);
///              // Nobody asks for the total of the last tile.
///              const CARRIED own = end < length ? tile_total(ARGUMENTS tile, room) : LOAD(tile * TILE);
///              tell_total(totals, tile, own, epoch);
///              while (!find_prefix(ARGUMENTS totals, blocks, tile, own, epoch, &shared))
///                  compute_missing(ARGUMENTS totals, epoch, &shared, room);
///              CARRIED highest = tile > 0 ? shared.before : LOAD(0);
///              for (INDEX i = tile * TILE; i < end; ++i) {
///                  highest = CARRY(highest, LOAD(i));
///                  STORE(i, highest);
///              }
///              RETURN;
///          }
/// ",
///     )
///     .defining(&["tile_total"])
///     .using(&[&CARRIED, &library::LOOK_BACK]),
///     // A tile of 256 items for each work-item.
///     shape: |profile, _, _| Shape {
///         chunked: profile.chunked,
///         group: 1,
///         pack: 1,
///         packs: 256,
///         max_groups: usize::MAX,
///         streams: false,
///     },
/// };
///
/// #[derive(Clone, Copy, Parameters)]
/// struct Values {
///     look_back: LookBack,
/// }
///
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let host: Vec<u32> = (0..10_000_u32).map(|i| i ^ 0x155).collect();
/// let x = DeviceVec::from_slice(&queue, &host)?;
/// let mut highest = DeviceVec::filled(&queue, 0_u32, host.len())?;
/// let fused = Fused::new("records").input("", &x).output::<u32>("", "", &mut highest);
/// let look_back = LookBack::ALONE;
/// let ready = fused.by(&RECORDS, Values { look_back }).compile(&queue, host.len())?;
/// let tiles = host.len().div_ceil(ready.shape().tile());
/// look_back.with_messages(&queue, tiles, 1, |[totals, blocks, tickets, epoch]| {
///     let own = [totals, blocks, tickets, epoch, ready.index(host.len())];
///     // SAFETY: a work-group for each tile; both vectors have `host.len()` items.
///     unsafe { ready.launch(&own, tiles, 1) }
/// })?;
/// let mut expected = host;
/// (1..expected.len()).for_each(|i| expected[i] = expected[i].max(expected[i - 1]));
/// assert_eq!(highest.to_vec()?, expected);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Parameters)]
pub struct LookBack {
    /// The sub-groups whose work-items look together.
    pub(crate) sub_groups: SubGroups,
    /// `true` if groups take their tiles as they begin.
    pub(crate) tickets: bool,
    /// The number of times that a group looks in vain before it computes the missing total itself.
    pub(crate) spins: u32,
    /// A tile that never publishes its total, for tests.
    pub(crate) stalled: Option<usize>,
}

impl LookBack {
    /// Returns the way that suits the device: the work-items of a sub-group look together.
    ///
    /// NVIDIA's devices begin groups in the order of their numbers, so they need no tickets. If one of these
    /// devices began groups in another order, groups would compute the missing totals of others. Tickets cost
    /// 2 % of a scan on an H200.
    ///
    /// # Errors
    /// As [`SubGroups::on`].
    pub fn on(queue: &Queue) -> Result<LookBack> {
        let (sub_groups, profile) = (SubGroups::on(queue)?, profile(queue.context())?);
        // Each look is a step of a loop. On a device that ends loops, a group may have to wait for several
        // other groups within `loop_steps`, so it looks only a small part of these steps in vain.
        let spins = profile
            .loop_steps
            .map_or(LookBack::ALONE.spins, |steps| (steps / 1024).min(LookBack::ALONE.spins));
        Ok(LookBack { sub_groups, tickets: sub_groups.backend != Backend::Ptx, spins, ..LookBack::ALONE })
    }

    /// The way that works on every device: one work-item of a group looks.
    pub const ALONE: LookBack =
        LookBack { sub_groups: SubGroups::NONE, tickets: true, spins: 10_000, stalled: None };

    /// Enqueues a kernel that looks back over `tiles` tiles, whose totals take `words` 32-bit words. `launch` gets the
    /// kernel's arguments `totals`, `blocks`, `tickets` and `epoch`, and launches one group for each tile, once.
    /// Meanwhile the messages belong to the kernel, so `launch` must not look back on the same queue by other means,
    /// such as algorithms.
    ///
    /// # Errors
    /// The errors of `launch`; [`Error::TooLarge`](cl_core::Error::TooLarge) or
    /// [`Error::Driver`](cl_core::Error::Driver) if memory for the messages cannot be allocated.
    pub fn with_messages(
        &self,
        queue: &Queue,
        tiles: usize,
        words: usize,
        launch: impl FnOnce([Arg<'_>; 4]) -> Result<()>,
    ) -> Result<()> {
        let messages = queue.attachment::<Messages>();
        let mut state = messages.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.epoch > u32::MAX - 2 * STEP {
            // Otherwise old flags would be taken for new ones.
            *state = State::default();
        }
        state.epoch += STEP;
        let State { totals, blocks, tickets, epoch } = &mut *state;
        let totals = room(queue, totals, tiles.saturating_mul(words))?;
        let blocks = room(queue, blocks, tiles.div_ceil(self.sub_groups.width).saturating_mul(words))?;
        let tickets = room(queue, tickets, 1)?;
        launch([
            Arg::Memory(totals.memory(), Access::Overwrite),
            Arg::Memory(blocks.memory(), Access::Overwrite),
            Arg::Memory(tickets.memory(), Access::Overwrite),
            Arg::value(*epoch),
        ])
    }
}

/// The method of an algorithm that has kernels for both methods.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Method {
    /// The method that suits the device.
    #[default]
    ByDevice,
    /// Several launches over contiguous chunks, one for each work-item.
    Runs,
    /// One launch, with look-back.
    LookBack(LookBack),
}

impl Method {
    /// Returns the method to use on a queue, never [`Method::ByDevice`].
    ///
    /// # Errors
    /// As [`LookBack::on`].
    pub(crate) fn on(self, queue: &Queue) -> Result<Method> {
        match self {
            Method::ByDevice if profile(queue.context())?.chunked => Ok(Method::Runs),
            Method::ByDevice => Ok(Method::LookBack(LookBack::on(queue)?)),
            method => Ok(method),
        }
    }
}

/// The messages of a queue. Launches that use them run one after the other, also on an out-of-order queue, because each
/// launch writes them.
#[derive(Default)]
struct Messages(Mutex<State>);

#[derive(Default)]
struct State {
    /// Totals of tiles; `blocks` holds totals and prefixes of blocks of tiles. Words that were never written are 0.
    totals: Option<Buffer<u64>>,
    blocks: Option<Buffer<u64>>,
    /// The number of the next tile to begin; 0 between launches.
    tickets: Option<Buffer<u32>>,
    /// The flags of the last launch are this number plus 1 or 2.
    epoch: u32,
}

/// The difference between the flags of two launches.
const STEP: u32 = 4;

/// Returns the buffer, after replacing it if it is too small.
pub(crate) fn room<'b, T: bytemuck::Pod>(
    queue: &Queue,
    buffer: &'b mut Option<Buffer<T>>,
    len: usize,
) -> Result<&'b Buffer<T>> {
    if buffer.as_ref().is_none_or(|buffer| buffer.len() < len) {
        *buffer = Some(Buffer::filled(
            queue,
            T::zeroed(),
            len.checked_next_power_of_two().unwrap_or(len).max(1024),
        )?);
    }
    match buffer {
        Some(buffer) => Ok(buffer),
        None => unreachable!("it was just made"),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Returns the way of one work-item, and the way in the sub-groups that the device has.
    pub(crate) fn ways(queue: &Queue) -> Vec<LookBack> {
        let own = LookBack::on(queue).unwrap();
        if own.sub_groups == SubGroups::NONE { vec![own] } else { vec![LookBack::ALONE, own] }
    }

    /// Returns the methods to test: in chunks, and by looking back in each way. Each way is tried as usual, without
    /// waiting (every group computes totals that it does not find at once), and with a tile that stalls. Devices that
    /// end loops too early do not finish the other methods, so they get the usual one only.
    pub(crate) fn methods(queue: &Queue) -> Vec<Method> {
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
