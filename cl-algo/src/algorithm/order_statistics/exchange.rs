//! The launches that put elements in place around the one of a rank.

use super::digits::{digits_of, key_of};
use super::ranked::{GROUP, Keys, in_groups, shape};
use crate::algorithm::moved::Targets;
use crate::algorithm::sort::ScalarKey;
use crate::codegen::{Fused, Parameters, Template};
use crate::device::SubGroups;
use crate::device_scalar::DeviceScalar;
use crate::expr::Val;
use crate::ir::target::Target;
use crate::kernels;
use crate::sink::mapped;
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

/// The number of units for each work-group of a launch that reads all items. Small units are even, and the numbers of
/// misplaced items begin near to where they are needed.
const UNITS_PER_GROUP: usize = 4;
/// The smallest number of items in a unit.
const LEAST_SHARE: usize = 1024;
/// The codes that the kernel reads at once; each side of the codes begins at a multiple of this number.
const CODES_AT_ONCE: usize = 8;

/// Moves items so that the item of rank `middle`, which `pivot` equals, is at its position, no item before it is
/// greater and no item behind it is less. `keys` are the items of the targets.
pub(super) fn exchange<'a, T: ScalarKey>(
    keys: &Keys<'a>,
    pivot: &DeviceScalar<T>,
    targets: Vec<Target<'a>>,
    middle: usize,
) -> Result<()> {
    let (queue, len, operation) = (&*keys.queue, keys.len, keys.operation);
    let pivot = pivot.iter().map(|key| digits_of(key, false)).into_graph();
    let sink =
        mapped::<T::Digits, _, _, _>(Targets(targets), |digits: Val<T::Digits>| key_of::<T>(digits, false));
    let coded = Fused::new(operation).with_input("", keys.digits.clone()).with_input("PIVOT", pivot);
    let moved = Fused::new(operation).with_input("", keys.digits.clone()).output_in_place::<T::Digits>(sink);
    let sub_groups = keys.sub_groups()?;
    let values = |stage| Values { stage, sub_groups };
    let code = coded.by(&EXCHANGE, values(Stage::Code));
    let [number, exchange] = [Stage::Number, Stage::Exchange].map(|stage| moved.by(&EXCHANGE, values(stage)));
    let ready = Fused::compile_all(&[&code, &number, &exchange], queue, len)?;
    let [code, number, exchange] = &ready[..] else { return Ok(()) };

    let units = code.shape().groups(len) * UNITS_PER_GROUP;
    let share = len.div_ceil(units).max(LEAST_SHARE).next_multiple_of(CODES_AT_ONCE);
    let before = middle.div_ceil(share);
    let behind = (len - middle).div_ceil(share);
    let codes = queue
        .scratch(middle.next_multiple_of(CODES_AT_ONCE) + (len - middle).next_multiple_of(CODES_AT_ONCE))?;
    let counts = queue.scratch((2 * (before + behind) + 3) * size_of::<u32>())?;
    let [all, first] = [before + behind, before].map(|units| Arg::value(units as u32));
    let common =
        |ready: &crate::codegen::Ready<'_, '_>| [share, middle, len].map(|number| ready.index(number));
    let own: Vec<Arg<'_>> =
        [Arg::Memory(&codes, Access::Overwrite), Arg::Memory(&counts, Access::Overwrite), first]
            .into_iter()
            .chain(common(code))
            .collect();
    // SAFETY: there is a work-group for each unit. It reads the unit's items, and writes their codes and two counts.
    unsafe { code.launch(&own, before + behind, code.shape().group)? };
    let access = [Access::Write, Access::Read];
    for (ready, access, groups) in [(number, access[0], 1), (exchange, access[1], before.max(behind))] {
        let own: Vec<Arg<'_>> = [Arg::Memory(&codes, access), Arg::Memory(&counts, access), all, first]
            .into_iter()
            .chain(common(ready))
            .collect();
        // SAFETY: the kernels read and write items below `len`, and the codes and the counts of the units. No two
        // work-groups exchange the same item, because each item has a number of its own. There is a work-group for each
        // unit of the longer side.
        unsafe { ready.launch(&own, groups, ready.shape().group)? };
    }
    Ok(())
}
