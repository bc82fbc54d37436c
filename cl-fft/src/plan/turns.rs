//! How many lines of a long transform are done at once.

use super::axis::Ends;
use super::facts::Facts;
use super::numbers::divisors;
use super::recipe::Recipe;

/// Which digit of an axis's lines is cut, and how many of it are done at once; nothing where all are.
///
/// What several passes leave for each other then stays in a cache, and only input and output go through memory.
pub(crate) fn turns(
    recipe: &Recipe,
    begin: usize,
    ends: &Ends,
    size: usize,
    facts: &Facts,
) -> Option<(usize, usize)> {
    let digit = ends.digits.len() - 1;
    let units = ends.digits[digit].count;
    if recipe.passes.len() - begin < 2 || units < 2 {
        return None;
    }
    // Where passes exchange their points, there are as many as the first of them stores.
    let pass = &recipe.passes[begin];
    let points = pass.lines() * pass.length;
    let wanted = facts.resident / (points.div_ceil(units) * 2 * size);
    if wanted == 0 || wanted >= units {
        return None;
    }
    // A last turn may only be shorter where units are the last digit of all line numbers.
    let apart = |side: usize| ends.digits[digit].strides[side] > (ends.length - 1) * ends.strides[side];
    let part = divisors(units).into_iter().filter(|&part| part <= wanted).max().unwrap_or(1);
    if 2 * part > wanted {
        return Some((digit, part));
    }
    (apart(0) && apart(1)).then_some((digit, wanted))
}
