//! The launches that put elements in place around the one of a rank.

use super::digits::{digits_of, key_of};
use super::ranked::{Copying, GROUP, Keys, Room, in_groups, shape};
use crate::algorithm::moved::Targets;
use crate::algorithm::sort::ScalarKey;
use crate::codegen::{AnyFilled, Fused, Parameters, Ready, Template, profile};
use crate::device::SubGroups;
use crate::device_scalar::DeviceScalar;
use crate::element::Element;
use crate::expr::Val;
use crate::ir::target::Target;
use crate::kernels;
use crate::sink::mapped;
use crate::vec::DeviceVec;
use cl_core::{Access, Arg, Result};

/// The kernels of `kernels/exchange.cl`.
static EXCHANGE: Template<Values> = Template {
    kernel: "exchange",
    definition: &kernels::EXCHANGE,
    shape: |profile, size, values| in_groups(profile, shape(profile, size), GROUP, values.sub_groups),
};

/// The parameters of `kernels/exchange.cl`.
#[derive(Clone, Copy, Parameters)]
struct Values {
    stage: Stage,
    sub_groups: SubGroups,
}

#[derive(Clone, Copy, PartialEq, Eq, Parameters)]
enum Stage {
    Code = 0,
    Number = 1,
    Exchange = 2,
}

/// The kernel of `kernels/radix_split.cl`.
static RADIX_SPLIT: Template<Split> = Template {
    kernel: "radix_split",
    definition: &kernels::RADIX_SPLIT,
    shape: |profile, size, _| shape(profile, size),
};

/// The parameters of `kernels/radix_split.cl`.
#[derive(Clone, Copy, Parameters)]
struct Split {
    /// The largest number of items of a pair of units.
    pair: usize,
    /// The size of an item in bytes.
    item_bytes: usize,
}

/// The number of bytes of a pair's items on CPUs.
const PAIR_BYTES: usize = 64 << 10;
/// The number of items behind a list of a pair's items, `LIST - PAIR` of the kernel.
const BEHIND_LIST: usize = 16;
/// The smallest number of items of a pair on other devices.
const LEAST_PAIR: usize = 2048;
/// The number of work-groups for each of a launch that reads all items. Units have different numbers of suspects.
const MORE_GROUPS: usize = 4;
/// The codes that the kernel reads at once; those of each unit begin at a multiple of this number.
const CODES_AT_ONCE: usize = 8;

/// Moves items so that the item of rank `middle` is at its position, no item before it is greater and no item behind it is
/// less. `keys` are the items of the targets.
pub(super) fn exchange<'a, T: ScalarKey>(
    keys: &Keys<'a>,
    targets: Vec<Target<'a>>,
    middle: usize,
) -> Result<()> {
    keys.check_rank(middle)?;
    let (queue, len, operation) = (&*keys.queue, keys.len, keys.operation);
    // SAFETY: the selection writes the element. If it cannot be enqueued, nothing reads it.
    let pivot = DeviceScalar::new(unsafe { DeviceVec::<T>::uninit(queue, 1) }?);
    let pivot_digits = pivot.iter().map(|key| digits_of(key, false)).into_graph();
    let sink =
        mapped::<T::Digits, _, _, _>(Targets(targets), |digits: Val<T::Digits>| key_of::<T>(digits, false));
    let coded = Fused::new(operation).with_input("", keys.digits.clone()).with_input("PIVOT", pivot_digits);
    let moved = Fused::new(operation).with_input("", keys.digits.clone()).output_in_place::<T::Digits>(sink);
    let sub_groups = keys.sub_groups()?;
    let values = |stage| Values { stage, sub_groups };
    let is_chunked = profile(queue.context())?.chunked;
    let item_bytes = T::Digits::TYPE.size();
    let pair = PAIR_BYTES / item_bytes;
    let code = coded.by(&EXCHANGE, values(Stage::Code));
    let [number, exchange] = [Stage::Number, Stage::Exchange].map(|stage| moved.by(&EXCHANGE, values(stage)));
    let split = moved.by(&RADIX_SPLIT, Split { pair, item_bytes });
    let is_split = is_chunked && keys.is_sampled();
    let kernels: [&dyn AnyFilled<'_, '_>; 4] = [&code, &number, &exchange, &split];
    let ready = Fused::compile_all(&kernels[..if is_split { 4 } else { 3 }], queue, len)?;
    let (code, number, exchange) = (&ready[0], &ready[1], &ready[2]);

    let most_groups = code.shape().groups(len) * MORE_GROUPS;
    // The shares of a pair are rounded up.
    let pairs =
        if is_chunked { len.div_ceil(pair - 2) } else { len.div_ceil(LEAST_PAIR).min(most_groups / 2) };
    let shares = [middle.div_ceil(pairs), (len - middle).div_ceil(pairs)];
    let codes = pairs * shares.map(|share| share.next_multiple_of(CODES_AT_ONCE)).iter().sum::<usize>();
    let codes = queue.scratch(codes)?;
    let units = queue.scratch((4 * pairs + 3) * size_of::<u32>())?;
    let certain = queue.scratch(2 * pairs * size_of::<u32>())?;
    let sides = |ready: &Ready<'_, '_>| {
        let [first, second, middle, len] = [shares[0], shares[1], middle, len].map(|n| ready.index(n));
        [Arg::value(pairs as u32), first, second, middle, len]
    };
    let split = |room: &Room<'_>| {
        let Some(split) = ready.get(3) else { return Ok(()) };
        let shape = split.shape();
        let groups = shape.groups(len).min(pairs);
        let lists = queue.scratch(groups * 3 * (pair + BEHIND_LIST) * item_bytes)?;
        let own: Vec<Arg<'_>> = [
            Arg::Memory(&room.numbers, Access::Read),
            Arg::Memory(&room.counts, Access::Write),
            Arg::Memory(&room.keys, Access::Overwrite),
            Arg::value(room.candidates as u32),
            Arg::Memory(&certain, Access::Overwrite),
        ]
        .into_iter()
        .chain(sides(split))
        .chain([Arg::Memory(&lists, Access::Overwrite)])
        .collect();
        // SAFETY: each work-group reads and writes the items of its pairs, which have at most `PAIR` items, its own lists
        // of these, and their numbers of certain items. It stores candidates where there is room.
        unsafe { split.launch(&own, groups, shape.group) }
    };
    let copying: Copying<'_> = &split;
    let room = keys.store_nth_by::<T>(middle, pivot.vector(), 0, is_split.then_some(copying))?;
    let groups = most_groups.min(pairs);
    let own: Vec<Arg<'_>> = [
        Arg::Memory(&codes, Access::Overwrite),
        Arg::Memory(&units, Access::Overwrite),
        Arg::Memory(&certain, if is_split { Access::Write } else { Access::Overwrite }),
        Arg::Memory(&room.numbers, Access::Read),
        Arg::value(u32::from(is_split)),
    ]
    .into_iter()
    .chain(sides(code))
    .collect();
    // SAFETY: each work-group reads the suspects of its units, and writes their codes and two counts.
    unsafe { code.launch(&own, groups, code.shape().group)? };
    let access = [Access::Write, Access::Read];
    for (ready, access, groups) in [(number, access[0], 1), (exchange, access[1], groups)] {
        let own: Vec<Arg<'_>> =
            [Arg::Memory(&codes, access), Arg::Memory(&units, access), Arg::Memory(&certain, Access::Read)]
                .into_iter()
                .chain(sides(ready))
                .collect();
        // SAFETY: the kernels read and write items below `len`, and the codes and the counts of the units. No two
        // work-groups exchange the same item, because each item has a number of its own.
        unsafe { ready.launch(&own, groups, ready.shape().group)? };
    }
    Ok(())
}
