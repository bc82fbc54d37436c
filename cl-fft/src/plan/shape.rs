//! How the transforms of a pass are divided among work-items, and into stages.

use super::facts::Facts;

/// How a pass divides its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A work-group does several transforms together.
    Group {
        /// Work-items of a transform.
        items: usize,
        /// Transforms of a work-group.
        per: usize,
        /// Points that a work-item holds at most.
        held: usize,
        /// Distance of transforms in local memory.
        pitch: usize,
        /// Whether real and imaginary parts take turns in local memory.
        halves: bool,
    },
    /// A work-item does several transforms at once.
    Lanes {
        /// How many.
        lanes: usize,
    },
}

/// The radices that butterflies exist for, and what a point of them costs, in tenths.
const RADICES: [(usize, usize); 15] = [
    (16, 44),
    (15, 58),
    (14, 62),
    (13, 100),
    (12, 42),
    (11, 86),
    (10, 48),
    (9, 44),
    (8, 32),
    (7, 50),
    (6, 34),
    (5, 36),
    (4, 18),
    (3, 22),
    (2, 10),
];

/// Work-items of the largest sub-group.
const SUBGROUP: usize = 32;

/// Numbers that are left free between lines beside each other, at most.
const MOST_SPREAD: usize = 4;

/// Stages that kernels have, at most.
const MOST_STAGES: usize = 8;

/// What a pass is to do, as far as its shape depends on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) length: usize,
    /// Bytes of a real number.
    pub(crate) size: usize,
    pub(crate) lines: usize,
    /// Whether lines are neighbours in memory, in or out.
    pub(crate) columns: bool,
    /// Whether points meet after the last stage.
    pub(crate) split: bool,
    /// Whether they meet those of another line, in the same group.
    pub(crate) meets: bool,
}

/// Radices, largest first, and shape; nothing if the length is too large for one pass.
pub(crate) fn choose(facts: &Facts, wanted: Wanted) -> Option<(Vec<usize>, Shape)> {
    if facts.cpu { lanes(facts, wanted) } else { group(facts, wanted) }
}

fn lanes(facts: &Facts, wanted: Wanted) -> Option<(Vec<usize>, Shape)> {
    let widest = (facts.vector_bytes / wanted.size).clamp(2, 16);
    // The area of a block has the points twice.
    let fits = |lanes: usize| 4 * wanted.length * lanes * wanted.size <= facts.cache;
    let least = (widest / 2).min(wanted.lines.next_power_of_two());
    let lanes = wanted.lines.next_power_of_two().min(widest);
    let lanes = if fits(lanes) { lanes } else { least };
    if !fits(lanes) {
        return None;
    }
    let radices =
        factorizations(wanted.length).into_iter().min_by_key(|radices| cost(facts, radices, |_| 1, 1))?;
    Some((radices, Shape::Lanes { lanes }))
}

fn group(facts: &Facts, wanted: Wanted) -> Option<(Vec<usize>, Shape)> {
    let largest_prime = [13, 11, 7, 5, 3, 2].into_iter().find(|&prime| wanted.length.is_multiple_of(prime));
    let most_held = facts.held[usize::from(wanted.size == 8)].max(largest_prime.unwrap_or(1));
    let mut best: Option<(usize, Vec<usize>, usize)> = None;
    for radices in factorizations(wanted.length) {
        for radix in &radices {
            for together in 1..=2 {
                let items = (wanted.length / radix).div_ceil(together).max(1);
                let held = held(&radices, wanted.length, items);
                if items > facts.largest_group || held > most_held {
                    continue;
                }
                // Work-items that wait for others cost as much as those that work.
                let rounds = |radix: usize| (wanted.length / radix).div_ceil(items) * items * radix;
                let cost = cost(facts, &radices, rounds, wanted.length);
                if best.as_ref().is_none_or(|(least, ..)| cost < *least) {
                    best = Some((cost, radices.clone(), items));
                }
            }
        }
    }
    let (_, radices, items) = best?;
    let held = held(&radices, wanted.length, items);
    // Places that are left free between stages: see kernels/group.cl.
    let mut pitch = wanted.length;
    let mut stride = 1;
    for radix in &radices {
        if stride < 32 && radix.is_multiple_of(2) {
            pitch = pitch.max(wanted.length + wanted.length / radix);
        }
        stride *= radix;
    }
    let exchanges = radices.len() > 1 || wanted.columns || wanted.split;
    let spread = wanted.columns && exchanges;
    if spread {
        pitch = pitch.next_multiple_of(32);
    }
    let bytes = if exchanges { (pitch + if spread { MOST_SPREAD } else { 0 }) * wanted.size } else { 0 };
    // Lines that meet others come in pairs.
    let (pair, lines) = if wanted.meets { (2, 2 * wanted.lines) } else { (1, wanted.lines.max(1)) };
    // On an H200 256 times 2^16 points took 8 % less with bursts of 128 bytes, lines of 1024 points 45 % more.
    let bytes_at_once = if wanted.length <= SHORT { 2 * facts.burst } else { facts.burst };
    let burst = if wanted.columns { (bytes_at_once / (2 * wanted.size)).max(1) } else { 1 };
    let least = (burst * pair).min(lines);
    let most = (facts.largest_group / items).min(facts.local_memory.checked_div(bytes).unwrap_or(usize::MAX));
    if most < least.min(4) {
        return None;
    }
    let goal = (facts.group_items / items).max(least).min(most).min(lines) / pair * pair;
    // More lines where the last sub-group would else have little to do.
    let idle = |per: usize| (items * per).next_multiple_of(SUBGROUP) * 1000 / (items * per);
    let largest = (2 * facts.group_items / items).min(most).min(lines);
    let per = (goal..=largest).step_by(pair).min_by_key(|&per| idle(per)).unwrap_or(goal);
    if spread {
        // Neighbouring lines in banks of their own, as far as these go: there are 32, of 4 bytes.
        pitch += (128 / wanted.size / per.next_power_of_two()).clamp(1, MOST_SPREAD);
    }
    let halves = 2 * bytes * per > facts.local_memory / 2;
    Some((radices, Shape::Group { items, per, held, pitch, halves }))
}

/// Points of lines of which there is room for many in a work-group.
const SHORT: usize = 256;

/// Points that a work-item holds at most.
fn held(radices: &[usize], length: usize, items: usize) -> usize {
    radices.iter().map(|radix| (length / radix).div_ceil(items) * radix).max().unwrap_or(1)
}

/// What the stages cost, where a stage of a radix has as many points as `work` says, and each is one of `of`.
fn cost(facts: &Facts, radices: &[usize], work: impl Fn(usize) -> usize, of: usize) -> usize {
    let price = |radix: usize| RADICES.iter().find(|(of, _)| *of == radix).map_or(0, |(_, price)| *price);
    radices.iter().map(|&radix| (price(radix) + facts.exchange) * work(radix)).sum::<usize>() / of.max(1)
}

/// All ways to write a length as a product of radices, largest first.
fn factorizations(length: usize) -> Vec<Vec<usize>> {
    fn extend(rest: usize, from: usize, so_far: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
        if rest == 1 {
            all.push(so_far.clone());
            return;
        }
        if so_far.len() == MOST_STAGES {
            return;
        }
        for (at, &(radix, _)) in RADICES.iter().enumerate().skip(from) {
            if rest.is_multiple_of(radix) {
                so_far.push(radix);
                extend(rest / radix, at, so_far, all);
                so_far.pop();
            }
        }
    }
    if length == 1 {
        return vec![vec![1]];
    }
    let mut all = Vec::new();
    extend(length, 0, &mut Vec::new(), &mut all);
    all
}
