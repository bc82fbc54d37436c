//! Where sorted runs are cut, so that they can be merged part by part.

use std::ops::Range;

/// Moves the cuts, an index in each run, past the `count` items that go first among the items behind the cuts.
///
/// `less(i, j)` returns whether item `i` goes before item `j`. Of equal items, those of earlier runs go first. If
/// `less` is not an order, any `count` items behind the cuts are taken, from the begin of each run's rest.
///
/// The algorithm is a selection in several sorted sequences by halving the longest interval (Varman, Scheufler, Iyer
/// and Ricard, "Merging multiple lists on hierarchical-memory multiprocessors", 1991).
pub(super) fn advance(
    runs: &[Range<usize>],
    cuts: &mut [usize],
    count: usize,
    less: &dyn Fn(usize, usize) -> bool,
) {
    // In each run, the items before `low` are taken, and the items from `high` on are not.
    let (mut lows, mut highs) = (cuts.to_vec(), runs.iter().map(|run| run.end).collect::<Vec<_>>());
    let taken = |at: &[usize]| at.iter().zip(cuts.iter()).map(|(at, cut)| at - cut).sum::<usize>();
    if taken(&highs) <= count {
        cuts.copy_from_slice(&highs);
        return;
    }
    loop {
        let widths = lows.iter().zip(&highs).map(|(low, high)| high - low);
        let Some((own, width)) = widths.enumerate().max_by_key(|&(_, width)| width) else { return };
        if width == 0 {
            break;
        }
        let pivot = lows[own] + width / 2;
        let before: Vec<usize> = (0..runs.len())
            .map(|run| match run.cmp(&own) {
                std::cmp::Ordering::Less => first_in(lows[run]..highs[run], |item| less(pivot, item)),
                std::cmp::Ordering::Equal => pivot,
                std::cmp::Ordering::Greater => first_in(lows[run]..highs[run], |item| !less(item, pivot)),
            })
            .collect();
        if taken(&before) < count {
            lows = before;
            lows[own] = pivot + 1;
        } else {
            highs = before;
        }
    }
    let mut missing = count;
    if taken(&lows) != count {
        lows.copy_from_slice(cuts);
        for (low, run) in lows.iter_mut().zip(runs) {
            let more = missing.min(run.end - *low);
            *low += more;
            missing -= more;
        }
    }
    cuts.copy_from_slice(&lows);
}

/// Returns the first index for which the predicate is true, or the end of the range.
fn first_in(range: Range<usize>, predicate: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (range.start, range.end);
    while low < high {
        let middle = low + (high - low) / 2;
        if predicate(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Merges by cuts and compares with a stable sort of keys and their indices.
    fn check(runs: &[Vec<u8>], count: usize) {
        let mut begin = 0;
        let ranges: Vec<Range<usize>> = runs
            .iter()
            .map(|run| {
                begin += run.len();
                begin - run.len()..begin
            })
            .collect();
        let all: Vec<u8> = runs.concat();
        let mut expected: Vec<usize> = (0..all.len()).collect();
        expected.sort_by_key(|&at| all[at]);
        let mut cuts: Vec<usize> = ranges.iter().map(|range| range.start).collect();
        let mut merged = 0;
        while merged < all.len() {
            let before = cuts.clone();
            advance(&ranges, &mut cuts, count, &|i, j| all[i] < all[j]);
            let mut part: Vec<usize> = before.iter().zip(&cuts).flat_map(|(&from, &to)| from..to).collect();
            part.sort_by_key(|&at| all[at]);
            let end = (merged + count).min(all.len());
            assert_eq!(part, expected[merged..end], "{runs:?} {count}");
            merged = end;
        }
    }

    #[test]
    fn cuts_are_those_of_a_stable_merge() {
        let mut word = 7_u32;
        let mut next = |below: u32| {
            word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (word >> 16) % below
        };
        for _ in 0..300 {
            let (number, keys) = (1 + next(6), 1 + next(9));
            let runs: Vec<Vec<u8>> = (0..number)
                .map(|_| {
                    let mut run: Vec<u8> = (0..next(20)).map(|_| next(keys) as u8).collect();
                    run.sort_unstable();
                    run
                })
                .collect();
            check(&runs, 1 + next(25) as usize);
        }
    }

    #[test]
    fn every_item_is_taken_once_whatever_the_comparator_says() {
        let ranges = [0..40, 40..50, 50..50, 50..90];
        let contradicting: [&dyn Fn(usize, usize) -> bool; 3] =
            [&|_, _| true, &|_, _| false, &|i, j| (i * 7 + j * 3) % 5 < 2];
        for less in contradicting {
            let mut cuts = [0, 40, 50, 50];
            for step in 1..=13 {
                advance(&ranges, &mut cuts, 7, less);
                let taken: usize = cuts.iter().zip(&ranges).map(|(cut, range)| cut - range.start).sum();
                assert_eq!(taken, (7 * step).min(90));
                assert!(cuts.iter().zip(&ranges).all(|(cut, range)| *cut <= range.end));
            }
        }
    }
}
