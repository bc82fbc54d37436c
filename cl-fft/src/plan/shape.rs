//! How the transforms of a pass are divided among work-items, and into stages.

use super::banks::{Gap, Lines};
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
        /// How points change places in local memory.
        parts: Parts,
    },
    /// A work-item does several transforms at once.
    Lanes {
        /// How many.
        lanes: usize,
    },
}

/// Where the real and the imaginary parts of points are in local memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Parts {
    /// They take turns in the same place, for lines of which there is room for one half only.
    Turns,
    /// All of the one before all of the other.
    Apart,
    /// Each real part before its imaginary part.
    Together,
}

/// The radices that butterflies exist for, and what a point of them costs, in tenths.
const RADICES: [(usize, usize); 18] = [
    (32, 75),
    (27, 70),
    (25, 82),
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

/// The largest radix on CPUs. Two vectors a point, and what is made of them, are to stay in 32 registers: PoCL on 2 cores
/// needs 0.59 ns a point for 64 points by 16 and 4, 0.45 by 8 and 8; for 256 by 16 and 16 0.74, 0.58 by 8, 8 and 4.
const MOST_IN_REGISTERS: usize = 13;

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
    pub(crate) columns: [bool; 2],
    /// Whether points meet after the last stage.
    pub(crate) split: bool,
    /// Whether they meet those of another line, in the same group.
    pub(crate) meets: bool,
}

/// The least work-group that has room for neighbouring columns.
const LEAST_GROUP: usize = 4;

/// Radices, largest first, and shape; nothing if the length is too large for one pass.
pub(crate) fn choose(facts: &Facts, wanted: Wanted) -> Option<(Vec<usize>, Shape)> {
    if facts.cpu || facts.largest_group < LEAST_GROUP { lanes(facts, wanted) } else { group(facts, wanted) }
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
    let radices = factorizations(wanted.length)
        .into_iter()
        .filter(|radices| radices.iter().all(|&radix| radix <= MOST_IN_REGISTERS))
        .min_by_key(|radices| cost(facts.exchange, radices, |_| 1, 1))?;
    Some((radices, Shape::Lanes { lanes }))
}

fn group(facts: &Facts, wanted: Wanted) -> Option<(Vec<usize>, Shape)> {
    let largest_prime = [13, 11, 7, 5, 3, 2].into_iter().find(|&prime| wanted.length.is_multiple_of(prime));
    let most_held = facts.held[usize::from(wanted.size == 8)].max(largest_prime.unwrap_or(1));
    let room = facts.local_memory - TAKEN;
    // Only what one butterfly does needs no local memory.
    if wanted.length > RADICES[0].0 && wanted.length * wanted.size > room {
        return None;
    }
    let mut best: Option<(usize, Vec<usize>, usize)> = None;
    // Where parts take turns, each exchange has twice the barriers.
    let turns = 2 * wanted.length * wanted.size > room;
    let exchange = facts.exchange + if turns { BY_TURNS } else { 0 };
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
                let cost = cost(exchange, &radices, rounds, wanted.length);
                // Work-items that hold more are fewer at a time.
                let cost = cost + cost * held.saturating_sub(16) / 160;
                if best.as_ref().is_none_or(|(least, ..)| cost < *least) {
                    best = Some((cost, radices.clone(), items));
                }
            }
        }
    }
    let (_, radices, items) = best?;
    let held = held(&radices, wanted.length, items);
    let exchanges = radices.len() > 1 || wanted.columns.contains(&true) || wanted.split;
    let columns = wanted.columns.contains(&true);
    let bytes = if exchanges { wanted.length.next_multiple_of(32) * wanted.size } else { 0 };
    // Lines that meet others come in pairs.
    let (pair, lines) = if wanted.meets { (2, 2 * wanted.lines) } else { (1, wanted.lines.max(1)) };
    // Short lines leave room for more of them. On an H200 512 points along the first of three axes took 18 % less with
    // bursts of 128 bytes, 256 points 2 % less with 256, and 1024 points 45 % more with 128: too large groups. So are those
    // of lines in pairs: of 512 points, 40 % more with 96.
    let bytes_at_once = facts.burst * if wanted.meets { 1 } else { (LONG / wanted.length).clamp(1, 4) };
    let burst = if columns { (bytes_at_once / (2 * wanted.size)).max(1) } else { 1 };
    let least = (burst * pair).min(lines);
    let most = (facts.largest_group / items).min(room.checked_div(bytes).unwrap_or(usize::MAX));
    if most < least.min(4) {
        return None;
    }
    let goal = (facts.group_items / items).max(least).min(most).min(lines) / pair * pair;
    // More lines where more than a third of the work-items of the sub-groups would else have nothing to do. On an H200
    // 1000 points by 100 work-items, of 128, were 3 % faster than two lines by 200, of 224.
    let idle = |per: usize| (items * per).next_multiple_of(facts.sub_group) * 1000 / (items * per);
    let largest = if idle(goal) > 1500 { (2 * facts.group_items / items).min(most).min(lines) } else { goal };
    let per = (goal..=largest).step_by(pair).min_by_key(|&per| idle(per)).unwrap_or(goal);
    let parts = if 2 * bytes * per > room { Parts::Turns } else { Parts::Apart };
    Some((radices, Shape::Group { items, per, held, pitch: wanted.length, parts }))
}

impl Shape {
    /// Places the points in local memory, so that few of those that are moved at once meet in a bank: the gaps between
    /// stages.
    pub(crate) fn places(&mut self, facts: &Facts, wanted: Wanted, radices: &[usize]) -> Vec<Gap> {
        let &mut Shape::Group { items, per, ref mut pitch, ref mut parts, .. } = self else {
            return Vec::new();
        };
        let Wanted { length, size, columns, .. } = wanted;
        let lines = |bytes: usize, room: usize| {
            let most = (facts.local_memory - TAKEN) / (per * room);
            Lines { length, radices, items, per, columns, bytes, most }
        };
        if *parts == Parts::Turns {
            let places = lines(size, size).places();
            *pitch = places.pitch;
            return places.gaps;
        }
        // Both parts of a point at once are fewer instructions. Where they take as many turns, both apart were 1 % faster
        // on an H200.
        let (apart, together) = (lines(size, 2 * size).places(), lines(2 * size, 2 * size).places());
        let places = if together.turns < 2 * apart.turns {
            *parts = Parts::Together;
            together
        } else {
            apart
        };
        *pitch = places.pitch;
        places.gaps
    }
}

/// Points of lines of which there is room for one burst in a work-group.
const LONG: usize = 1024;

/// What it costs besides to move a point in two halves, as [`Facts::exchange`] counts.
const BY_TURNS: usize = 30;

/// Bytes of local memory that drivers take for themselves.
const TAKEN: usize = 64;

/// Points that a work-item holds at most.
fn held(radices: &[usize], length: usize, items: usize) -> usize {
    radices.iter().map(|radix| (length / radix).div_ceil(items) * radix).max().unwrap_or(1)
}

/// What the stages cost, where a stage of a radix has as many points as `work` says, and each is one of `of`.
fn cost(exchange: usize, radices: &[usize], work: impl Fn(usize) -> usize, of: usize) -> usize {
    let price = |radix: usize| RADICES.iter().find(|(of, _)| *of == radix).map_or(0, |(_, price)| *price);
    radices.iter().map(|&radix| (price(radix) + exchange) * work(radix)).sum::<usize>() / of.max(1)
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
