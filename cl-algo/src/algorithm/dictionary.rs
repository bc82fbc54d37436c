//! Dictionary encoding: the distinct keys of a sequence, and the position of each of its keys among them.

use super::order::length;
use super::search::lower_bounds;
use super::select::{copy_if, unique};
use super::sort::{ScalarKey, Sort};
use crate::codegen::{Fused, Parameters, Template, profile};
use crate::device::{DeviceProfile, Shape};
use crate::element::Integer;
use crate::expr::{Castable, Expr, Val, iota};
use crate::kernels;
use crate::sink::Discard;
use crate::vec::DeviceVec;
use cl_core::{Access, Arg, Error, Queue, Result};

/// The kernels of `kernels/dictionary.cl`.
static DICTIONARY: Template<Values> = Template {
    kernel: "dictionary",
    definition: &kernels::DICTIONARY,
    shape: |profile, size, _| alone(profile, size),
};

/// The parameters of `kernels/dictionary.cl`.
#[derive(Clone, Copy, Parameters)]
struct Values {
    stage: Stage,
    /// `true` if codes have 32 bits.
    wide: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Parameters)]
enum Stage {
    Enter = 0,
    Encode = 1,
}

/// Returns the shape: a work-item takes one key after the other.
fn alone(profile: &DeviceProfile, size: usize) -> Shape {
    Shape { group: 1, pack: 1, packs: 1, ..profile.reduction(size) }
}

/// Returns the distinct keys in ascending order, and the position of each key among them; `None` if there are too many
/// distinct keys, or on a device whose work-items do not take contiguous chunks.
///
/// One of the keys must be 0. Each work-item enters its keys in a hash table of 2^`slot_bits` slots, by linear probing. A
/// table that is half full, or that needs more than one step of probing for each key, means too many distinct keys.
/// The result is the same in each call on one device, although the tables are
/// not: the codes follow from the order of the keys. Two launches that read the keys and write the codes, and a
/// selection, a sort and a search of the entries of the tables. Reads whether there are few keys, and their number, and
/// so blocks.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::encode_few;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let keys = DeviceVec::from_slice(&queue, &[9_u32, 0, 4_000_000_000, 9])?;
/// if let Some((distinct, codes)) = encode_few::<u32, u16>(&keys.iter(), &queue, 10)? {
///     assert_eq!(distinct.to_vec()?, [0, 9, 4_000_000_000]);
///     assert_eq!(codes.to_vec()?, [1, 0, 2, 1]);
/// }
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Expr::collect`]; [`Error::InvalidInput`] unless codes have 16 or 32 bits, more than `slot_bits`.
#[doc(alias("factorize", "dictionary_encode", "unique_inverse", "dense_rank"))]
pub fn encode_few<D, C>(
    keys: &Expr<'_, D>,
    queue: &Queue,
    slot_bits: u32,
) -> Result<Option<(DeviceVec<D>, DeviceVec<C>)>>
where
    D: Integer + Castable + ScalarKey<Digits = D>,
    C: Integer + Castable,
{
    let code_bits = 8 * C::TYPE.size() as u32;
    if ![16, 32].contains(&code_bits) || slot_bits >= code_bits || slot_bits == 0 {
        let reason =
            format!("codes of {code_bits} bits cannot number 2^{slot_bits} slots: take 16 or 32 bits");
        return Err(Error::invalid_input("codes of a dictionary", reason));
    }
    let graph = keys.graph();
    let len = length(&graph, "keys to encode")?;
    let profile = profile(queue.context())?;
    if !profile.chunked || len == 0 {
        return Ok(None);
    }
    let fused = Fused::new("encode_few").with_input("", graph);
    let wide = code_bits > 16;
    let [enter, encode] =
        [Stage::Enter, Stage::Encode].map(|stage| fused.by(&DICTIONARY, Values { stage, wide }));
    let ready = Fused::compile_all(&[&enter, &encode], queue, len)?;
    let (enter, encode) = (&ready[0], &ready[1]);

    // All tables together have at most as many slots as there are keys, unless one has more.
    let groups = (len >> slot_bits).min(profile.compute_units).max(1);
    let slots = 1 << slot_bits;
    // SAFETY: the launch writes all of it, unless it fails, and then nothing is read.
    let (tables, codes) = unsafe {
        (DeviceVec::<D>::uninit(queue, groups * (slots + 1))?, DeviceVec::<C>::uninit(queue, len)?)
    };
    let failed = DeviceVec::filled(queue, 0_u32, 1)?;
    let own = [
        Arg::Memory(tables.memory(), Access::Overwrite),
        Arg::Memory(codes.memory(), Access::Overwrite),
        Arg::Memory(failed.memory(), Access::Write),
        Arg::value(slot_bits),
        Arg::value((slots / 2) as u32),
        enter.index(len),
    ];
    // SAFETY: there is a table for each work-item. The input has `len` items.
    unsafe { enter.launch(&own, groups, 1)? };
    if failed.get(0)? != 0 {
        return Ok(None);
    }
    // The entries of all tables. The key 0 is in the last slot of each.
    // SAFETY: the elements that the selections do not store are cut off.
    let (mut entries, mut distinct) = unsafe {
        (DeviceVec::<D>::uninit(queue, tables.len())?, DeviceVec::<D>::uninit(queue, tables.len())?)
    };
    let slot = iota(0_u32, tables.len()) % (slots + 1) as u32;
    let is_entry = |(key, slot): (Val<D>, Val<u32>)| key.ne(D::zeroed()) | slot.eq(slots as u32);
    let count = copy_if::<(D, u32)>(tables.iter().zip(slot), is_entry, (&mut entries, Discard))?;
    entries.truncate_by(&count)?;
    Sort::new().keys(&mut entries)?;
    let count = unique(&entries, &mut distinct)?;
    distinct.truncate_by(&count)?;
    if distinct.len() >= slots {
        return Ok(None);
    }
    distinct.shrink_to_fit()?;
    // SAFETY: the search stores all elements.
    let mut of_slots = unsafe { DeviceVec::<C>::uninit(queue, tables.len()) }?;
    lower_bounds(&distinct, &tables, &mut of_slots)?;
    let own = [
        Arg::Memory(of_slots.memory(), Access::Read),
        Arg::Memory(codes.memory(), Access::Write),
        Arg::value(slot_bits),
        encode.index(len),
    ];
    // SAFETY: the codes are slots of the tables, which the same work-items have stored before.
    unsafe { encode.launch(&own, groups, 1)? };
    Ok(Some((distinct, codes)))
}
