//! The division of a pass into stages, and of its transforms among work-items.

use super::banks::{Gap, Lines};
use super::limits::DeviceLimits;

/// The division of a pass among work-items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A work-group computes several transforms together.
    Group {
        /// The number of work-items of a transform.
        items: usize,
        /// The number of transforms of a work-group.
        per: usize,
        /// The largest number of points that a work-item holds.
        held: usize,
        /// The distance between transforms in local memory.
        pitch: usize,
        /// The layout of real and imaginary parts in local memory.
        parts: PartLayout,
    },
    /// A work-item computes several transforms at once.
    Lines {
        /// The number of transforms.
        lines: usize,
    },
}

/// The layout of the real and the imaginary parts of points in local memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PartLayout {
    /// First all real parts, then all imaginary parts in the same memory, for lines whose two parts do not
    /// fit together.
    Turns,
    /// All real parts before all imaginary parts.
    Apart,
    /// Each real part before its imaginary part.
    Together,
}

/// The radices that have butterflies, each with its cost of a point, where a point of a butterfly of 2 costs
/// 10.
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

/// The largest radix on CPUs. A butterfly keeps two vectors for each point, and intermediate values. All of
/// them should stay in 32 registers. PoCL on 2 cores takes 0.59 ns a point for 64 points by 16 and 4, 0.45 ns
/// by 8 and 8; for 256 points 0.74 ns by 16 and 16, 0.58 ns by 8, 8 and 4.
const MOST_IN_REGISTERS: usize = 13;

/// The largest number of stages of a kernel.
const MOST_STAGES: usize = 8;

/// The properties of a pass that its shape depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) length: usize,
    /// The size of a real number in bytes.
    pub(crate) size: usize,
    pub(crate) lines: usize,
    /// `true` if neighbouring lines, instead of neighbouring points, are neighbours in memory; in and out.
    pub(crate) columns: [bool; 2],
    /// `true` if points of one line are combined after the last stage.
    pub(crate) split: bool,
    /// `true` if points are combined with those of another line in the same group.
    pub(crate) transforms_pairs_of_lines: bool,
}

/// The smallest work-group that has room for neighbouring columns.
const LEAST_GROUP: usize = 4;

/// Returns the radices, largest first, and the shape; `None` if the length is too large for one pass.
pub(crate) fn choose(limits: &DeviceLimits, wanted: Wanted) -> Option<(Vec<usize>, Shape)> {
    if limits.cpu || limits.largest_group < LEAST_GROUP {
        lines(limits, wanted)
    } else {
        group(limits, wanted)
    }
}

fn lines(limits: &DeviceLimits, wanted: Wanted) -> Option<(Vec<usize>, Shape)> {
    let widest = (limits.vector_bytes / wanted.size).clamp(2, 16);
    // The work area of a block holds the points twice.
    let fits = |lines: usize| 4 * wanted.length * lines * wanted.size <= limits.cache;
    let least = (widest / 2).min(wanted.lines.next_power_of_two());
    let lines = wanted.lines.next_power_of_two().min(widest);
    let lines = if fits(lines) { lines } else { least };
    if !fits(lines) {
        return None;
    }
    let radices = factorizations(wanted.length)
        .into_iter()
        .filter(|radices| radices.iter().all(|&radix| radix <= MOST_IN_REGISTERS))
        .min_by_key(|radices| cost(limits.exchange, radices, |_| 1, 1))?;
    Some((radices, Shape::Lines { lines }))
}

fn group(limits: &DeviceLimits, wanted: Wanted) -> Option<(Vec<usize>, Shape)> {
    let largest_prime = [13, 11, 7, 5, 3, 2].into_iter().find(|&prime| wanted.length.is_multiple_of(prime));
    let most_held = limits.held[usize::from(wanted.size == 8)].max(largest_prime.unwrap_or(1));
    let room = limits.local_memory - TAKEN;
    // A transform by a single butterfly needs no local memory.
    if wanted.length > RADICES[0].0 && wanted.length * wanted.size > room {
        return None;
    }
    let mut best: Option<(usize, Vec<usize>, usize)> = None;
    // With parts in turns, each exchange takes twice as many barriers.
    let turns = 2 * wanted.length * wanted.size > room;
    let exchange = limits.exchange + if turns { BY_TURNS } else { 0 };
    for radices in factorizations(wanted.length) {
        for radix in &radices {
            for together in 1..=2 {
                let items = (wanted.length / radix).div_ceil(together).max(1);
                let held = held(&radices, wanted.length, items);
                if items > limits.largest_group || held > most_held {
                    continue;
                }
                // Idle work-items cost as much as busy ones.
                let rounds = |radix: usize| (wanted.length / radix).div_ceil(items) * items * radix;
                let cost = cost(exchange, &radices, rounds, wanted.length);
                // If work-items hold more points, fewer of them run at a time.
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
    // Lines that are combined with others come in pairs.
    let (pair, lines) =
        if wanted.transforms_pairs_of_lines { (2, 2 * wanted.lines) } else { (1, wanted.lines.max(1)) };
    // Short lines leave room for longer bursts. On an H200, along the first of three axes, 512 points took 18
    // % less time with bursts of 128 bytes, and 256 points 2 % less with 256 bytes. 1024 points took 45 %
    // more with 128 bytes, because groups became too large. Groups of lines in pairs became too large, too:
    // 512 points took 40 % more with 96 bytes.
    let bytes_at_once =
        limits.burst * if wanted.transforms_pairs_of_lines { 1 } else { (LONG / wanted.length).clamp(1, 4) };
    let burst = if columns { (bytes_at_once / (2 * wanted.size)).max(1) } else { 1 };
    let least = (burst * pair).min(lines);
    let most = (limits.largest_group / items).min(room.checked_div(bytes).unwrap_or(usize::MAX));
    if most < least.min(4) {
        return None;
    }
    let goal = (limits.group_items / items).max(least).min(most).min(lines) / pair * pair;
    // Take more lines only if otherwise more than a third of the sub-groups' work-items would be idle. With
    // fewer idle work-items, more lines can be slower: on an H200, a line of 1000 points takes 100
    // work-items, and groups of one line, with 100 of 128 work-items busy, were 3 % faster than groups of two
    // lines, with 200 of 224 busy.
    let idle = |per: usize| (items * per).next_multiple_of(limits.sub_group) * 1000 / (items * per);
    let largest =
        if idle(goal) > 1500 { (2 * limits.group_items / items).min(most).min(lines) } else { goal };
    let per = (goal..=largest).step_by(pair).min_by_key(|&per| idle(per)).unwrap_or(goal);
    let parts = if 2 * bytes * per > room { PartLayout::Turns } else { PartLayout::Apart };
    Some((radices, Shape::Group { items, per, held, pitch: wanted.length, parts }))
}

impl Shape {
    /// Sets the layout of points in local memory, and returns the gaps between stages. The layout is chosen
    /// so that few of the points that are moved at once lie in the same bank.
    pub(crate) fn set_local_layout(
        &mut self,
        limits: &DeviceLimits,
        wanted: Wanted,
        radices: &[usize],
    ) -> Vec<Gap> {
        let &mut Shape::Group { items, per, ref mut pitch, ref mut parts, .. } = self else {
            return Vec::new();
        };
        let Wanted { length, size, columns, .. } = wanted;
        let lines = |bytes: usize, room: usize| {
            let most = (limits.local_memory - TAKEN) / (per * room);
            Lines { length, radices, items, per, columns, bytes, most }
        };
        if *parts == PartLayout::Turns {
            let layout = lines(size, size).local_layout();
            *pitch = layout.pitch;
            return layout.gaps;
        }
        // Moving both parts of a point at once takes fewer instructions. If both layouts take equally many turns,
        // separate parts were 1 % faster on an H200.
        let (apart, together) =
            (lines(size, 2 * size).local_layout(), lines(2 * size, 2 * size).local_layout());
        let layout = if together.turns < 2 * apart.turns {
            *parts = PartLayout::Together;
            together
        } else {
            apart
        };
        *pitch = layout.pitch;
        layout.gaps
    }
}

/// The length of lines for which the neighbouring columns of a work-group fill one burst. Shorter lines fill
/// up to four bursts.
const LONG: usize = 1024;

/// The additional cost of moving a point in two halves, in units of [`DeviceLimits::exchange`].
const BY_TURNS: usize = 30;

/// The bytes of local memory that drivers reserve.
const TAKEN: usize = 64;

/// Returns the largest number of points that a work-item holds.
fn held(radices: &[usize], length: usize, items: usize) -> usize {
    radices.iter().map(|radix| (length / radix).div_ceil(items) * radix).max().unwrap_or(1)
}

/// Returns the cost of the stages. A stage of a radix processes `work(radix)` points; the sum is divided by `of`.
fn cost(exchange: usize, radices: &[usize], work: impl Fn(usize) -> usize, of: usize) -> usize {
    let price = |radix: usize| RADICES.iter().find(|(of, _)| *of == radix).map_or(0, |(_, price)| *price);
    radices.iter().map(|&radix| (price(radix) + exchange) * work(radix)).sum::<usize>() / of.max(1)
}

/// Returns all ways to write a length as a product of radices, largest first.
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
