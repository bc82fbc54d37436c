//! The number of lines of a long transform that are computed at once.

use super::axis::AxisEnds;
use super::limits::DeviceLimits;
use super::numbers::divisors;
use super::recipe::Recipe;

/// Returns the digit of an axis's line numbers to split into turns, and its count in one turn. Returns `None`
/// if all lines are computed at once.
///
/// With turns, the points that a pass leaves for the next stay in a cache. Only input and output go through
/// memory.
pub(crate) fn turns(
    recipe: &Recipe,
    begin: usize,
    ends: &AxisEnds,
    size: usize,
    limits: &DeviceLimits,
) -> Option<(usize, usize)> {
    let digit = ends.digits.len() - 1;
    let units = ends.digits[digit].count;
    if recipe.passes.len() - begin < 2 || units < 2 {
        return None;
    }
    // Passes exchange as many points as the first pass stores.
    let pass = &recipe.passes[begin];
    let points = pass.lines() * pass.length;
    let wanted = limits.resident / (points.div_ceil(units) * 2 * size);
    if wanted == 0 || wanted >= units {
        return None;
    }
    // If `wanted` does not divide `units`, the last turn is shorter and leaves out the highest line numbers
    // of each pass. The lines left out belong to the missing units only if the units are the last digit of
    // the line numbers in each pass.
    let apart = |side: usize| ends.digits[digit].strides[side] > (ends.length - 1) * ends.strides[side];
    let part = divisors(units).into_iter().filter(|&part| part <= wanted).max().unwrap_or(1);
    if 2 * part > wanted {
        return Some((digit, part));
    }
    (apart(0) && apart(1)).then_some((digit, wanted))
}
