//! The bins of values.

use crate::device::profile;
use crate::element::{Element, Integer, Ordered, ScalarType};
use crate::expr::{Castable, Expr, constant};
use crate::ir::graph::Graph;
use cl_core::{Error, Queue, Result};
use std::ops::Range;

/// The bin of values that are not counted. The number of bins is always smaller.
pub(super) const NO_BIN: u32 = u32::MAX;

/// Returns each integer as its bin, or a number that is not below `bins`. On CPUs, unsigned integers of one and two
/// bytes are bins as they are.
pub(super) fn bin_of_integer<'a, T: Integer + Castable>(
    values: Expr<'a, T>,
    bins: u32,
    queue: &Queue,
) -> Result<Graph<'a>> {
    let signed = T::TYPE.scalar().is_some_and(ScalarType::is_signed);
    // A CPU stores each pack, and loads its numbers one by one, so fewer bytes are faster.
    let is_narrow = !signed && T::TYPE.size() <= 2;
    if bins > 0 && is_narrow && profile(queue.context())?.chunked {
        return Ok(values.into_graph());
    }
    Ok(bin_in_words(values, bins.max(1)).into_graph())
}

fn bin_in_words<T: Integer + Castable>(values: Expr<'_, T>, bins: u32) -> Expr<'_, u32> {
    // A negative number becomes at least 2^31, which is not a bin.
    if T::TYPE.size() <= 4 && bins <= 1 << 31 {
        return values.cast::<u32>();
    }
    let wide = values.cast::<u64>();
    wide.clone().lt(u64::from(bins)).select(wide.cast::<u32>(), NO_BIN)
}

/// The numbers that [`histogram_even`](crate::stl::histogram_even) counts.
pub trait Levels: Element + Ordered + Castable {
    /// The type of the range's ends: the type itself for floats, a wider type for integers, so that their largest value
    /// can lie in a range.
    type Level: Copy;

    /// Returns the bin of each value.
    #[doc(hidden)]
    fn bins(values: Expr<'_, Self>, range: Range<Self::Level>, bins: u32) -> Result<Expr<'_, u32>>;
}

fn refused(reason: String) -> Error {
    Error::invalid_input("range of a histogram", reason)
}

/// The number of 64-bit integers, which does not fit into 64 bits itself.
const WHOLE: u128 = 1 << 64;

/// A range of integers and its number of bins.
struct Inputs {
    begin: i128,
    /// The width, at least 1.
    width: u128,
    bins: u32,
}

impl Inputs {
    fn new(Range { start, end }: Range<i128>, bins: u32) -> Result<Inputs> {
        if start >= end {
            return Err(refused(format!("{start}..{end} is empty")));
        }
        Ok(Inputs { begin: start, width: end.abs_diff(start), bins })
    }

    /// Returns whether `x - begin`, modulo 2^bits, is below the width only for values of the range.
    fn fits(&self, smallest: i128, largest: i128, bits: u32) -> bool {
        let limit = 1_i128 << bits;
        // The ends may be any `i128`, so their differences may overflow.
        let within = |difference: Option<i128>, most: i128| difference.is_some_and(|it| it <= most);
        self.width < limit.unsigned_abs()
            && within((self.begin + self.width as i128).checked_sub(smallest), limit)
            && within(largest.checked_sub(self.begin), limit - 1)
    }

    /// Returns whether the range is all 64-bit integers of the type, and each bin has the same whole number of values.
    fn is_whole(&self, smallest: i128) -> bool {
        self.begin == smallest && self.width == WHOLE && WHOLE.is_multiple_of(self.bins.into())
    }

    /// Returns whether `(x - begin) * bins / width` can be computed in `bits` bits.
    fn computable(&self, bits: u32) -> bool {
        self.width.is_multiple_of(self.bins.into()) || (self.width - 1) * u128::from(self.bins) < 1 << bits
    }
}

macro_rules! in_bits {
    ($name:ident $type:ident) => {
        /// Returns the bins of values, which are given as integers modulo a power of two.
        fn $name<'a>(values: Expr<'a, $type>, parts: &Inputs) -> Expr<'a, u32> {
            let (bins, width) = ($type::from(parts.bins), parts.width as $type);
            let from_begin = values - parts.begin as $type;
            let bin = match (width % bins, width / bins) {
                (0, 1) => from_begin.clone(),
                (0, each) => from_begin.clone() / each,
                _ => from_begin.clone() * bins / width,
            };
            from_begin.lt(width).select(bin.cast::<u32>(), NO_BIN)
        }
    };
}

in_bits!(in_32_bits u32);
in_bits!(in_64_bits u64);

/// Returns the bins of 64-bit values if all values are in the range.
fn in_whole<'a>(values: Expr<'a, u64>, parts: &Inputs) -> Expr<'a, u32> {
    let from_begin = values - parts.begin as u64;
    match u64::try_from(WHOLE / u128::from(parts.bins)) {
        Ok(each) => (from_begin / each).cast(),
        Err(_) => from_begin.cast::<u32>() & constant(0), // one bin
    }
}

macro_rules! integers {
    ($($type:ty: $level:ty;)*) => {$(
        impl Levels for $type {
            type Level = $level;

            fn bins(values: Expr<'_, $type>, range: Range<$level>, bins: u32) -> Result<Expr<'_, u32>> {
                let parts = Inputs::new(i128::from(range.start)..i128::from(range.end), bins)?;
                let (smallest, largest) = (i128::from(<$type>::MIN), i128::from(<$type>::MAX));
                if size_of::<$type>() <= 4 && parts.fits(smallest, largest, 32) && parts.computable(32) {
                    return Ok(in_32_bits(values.cast::<u32>(), &parts));
                }
                if parts.fits(smallest, largest, 64) && parts.computable(64) {
                    return Ok(in_64_bits(values.cast::<u64>(), &parts));
                }
                if size_of::<$type>() == 8 && parts.is_whole(smallest) {
                    return Ok(in_whole(values.cast::<u64>(), &parts));
                }
                let reason = "64-bit arithmetic cannot divide it: choose ends within the values' type, and a \
                              width that is a multiple of the number of bins";
                Err(refused(reason.to_owned()))
            }
        }
    )*};
}

integers! {
    i8: i64;
    u8: i64;
    i16: i64;
    u16: i64;
    i32: i64;
    u32: i64;
    i64: i128;
    u64: i128;
}

macro_rules! floats {
    ($($type:ty)*) => {$(
        impl Levels for $type {
            type Level = $type;

            fn bins(values: Expr<'_, $type>, range: Range<$type>, bins: u32) -> Result<Expr<'_, u32>> {
                let Range { start, end } = range;
                if !(start < end && (end - start).is_finite()) {
                    return Err(refused(format!("{start:?}..{end:?} is empty, or its width is not finite")));
                }
                let scale = bins as $type / (end - start);
                if !scale.is_finite() {
                    let reason = format!(
                        "{start:?}..{end:?} is too narrow: {bins} bins, divided by its width, exceed the largest {}; \
                         multiply values and range by a power of two, or use fewer bins",
                        stringify!($type)
                    );
                    return Err(refused(reason));
                }
                let bin = ((values.clone() - start) * scale).cast::<u32>().min(bins - 1);
                Ok((values.clone().ge(start) & values.lt(end)).select(bin, NO_BIN))
            }
        }
    )*};
}

floats!(f32 f64);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vec::DeviceVec;
    use cl_core::Queue;

    /// Checks that negative numbers are not counted, also with more than 2^31 bins, where as unsigned numbers they
    /// would be bins.
    #[test]
    fn negative_numbers_are_in_none_of_many_bins() {
        cl_test::each_device(|device| {
            let queue = Queue::on(device).unwrap();
            let bins = |bins| {
                let x = DeviceVec::from_slice(&queue, &[7, -1, i32::MIN, i32::MAX]).unwrap();
                bin_in_words(x.iter(), bins).collect().unwrap().to_vec().unwrap()
            };
            for count in [8, 1 << 31, (1 << 31) + 1, NO_BIN - 1] {
                let counted: Vec<u32> = bins(count).into_iter().filter(|&bin| bin < count).collect();
                let expected = [7, i32::MAX as u32];
                assert_eq!(counted, expected[..if count > 8 { 2 } else { 1 }], "{count}");
            }
        });
    }
}
