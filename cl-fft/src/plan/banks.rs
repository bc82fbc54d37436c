//! The addresses of points in local memory between the stages of a work-group, chosen to avoid bank conflicts.
//!
//! Local memory has 32 banks of 4 bytes, and serves each bank once a turn. A stage leaves its points at distances of
//! its radix times the radices before, so that many points may lie in one bank. Unused slots between points spread them
//! over the banks. The number of unused slots and their positions are found by counting the turns that the first
//! work-items take.

use super::numbers::divisors;

/// The unused slots between the stages of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Gap {
    /// The number of rows between two gaps. A row is the points of those transforms of a stage that have the
    /// same factors.
    pub rows: usize,
    /// The number of unused slots in a gap.
    pub free: usize,
}

/// The bytes that local memory serves in a turn.
const WIDTH: usize = 128;
/// The number of banks, of 4 bytes each.
const BANKS: usize = WIDTH / 4;

/// The number of sub-groups whose turns are counted.
const SAMPLE: usize = 4;

/// The largest number of unused slots in one gap.
const MOST_FREE: usize = 16;

/// The properties of a work-group's lines that their addresses depend on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines<'r> {
    pub(crate) length: usize,
    pub(crate) radices: &'r [usize],
    /// The number of work-items of a line.
    pub(crate) items: usize,
    /// The number of lines of a group.
    pub(crate) per: usize,
    /// `true` if neighbouring work-items have neighbouring lines; in and out.
    pub(crate) columns: [bool; 2],
    /// The size of a slot in bytes.
    pub(crate) bytes: usize,
    /// The number of slots that a line has room for.
    pub(crate) most: usize,
}

/// One exchange of a line's points.
#[derive(Clone, Copy)]
struct Exchange {
    /// The product of the radices of the stages before.
    before: usize,
    radix: usize,
    next: usize,
    /// `true` if neighbouring work-items have neighbouring lines; before and after.
    columns: [bool; 2],
}

/// The layout of a line's points in local memory.
pub(crate) struct LocalLayout {
    /// The gaps between stages.
    pub(crate) gaps: Vec<Gap>,
    /// The distance between lines.
    pub(crate) pitch: usize,
    /// The turns that the first sub-groups take.
    pub(crate) turns: usize,
}

impl Lines<'_> {
    /// Returns the layout that takes the fewest turns.
    pub(crate) fn local_layout(&self) -> LocalLayout {
        let banks = WIDTH / self.bytes;
        let columns = self.columns.contains(&true);
        let exchanges = self.exchanges();
        if exchanges.is_empty() {
            // Only whole lines are exchanged, and an odd distance puts each line into another bank.
            let pitch = if columns { self.length | 1 } else { self.length };
            return LocalLayout { gaps: Vec::new(), pitch: pitch.min(self.most.max(self.length)), turns: 0 };
        }
        // First find the gaps for a distance that keeps neighbouring lines apart, then the best distance.
        let spread = self.length.next_multiple_of(banks) + (banks / self.per.next_power_of_two()).max(1);
        let likely = if columns { spread } else { self.length };
        let gaps: Vec<Gap> = exchanges.iter().map(|exchange| self.gap(exchange, likely)).collect();
        let room = |(exchange, gap): (&Exchange, &Gap)| {
            let blocks = self.length / (exchange.before * exchange.radix * gap.rows);
            self.length + gap.free * (blocks - 1)
        };
        let least = exchanges.iter().zip(&gaps).map(room).max().unwrap_or(self.length);
        let turns = |pitch: usize| -> usize {
            let all = exchanges.iter().zip(&gaps);
            all.map(|(exchange, gap)| self.turns(exchange, *gap, pitch)).sum()
        };
        let most = if self.per > 1 { (least + banks - 1).min(self.most).max(least) } else { least };
        let (turns, pitch) = (least..=most).map(|pitch| (turns(pitch), pitch)).min().unwrap_or((0, least));
        LocalLayout { gaps, pitch, turns }
    }

    fn exchanges(&self) -> Vec<Exchange> {
        let mut before = 1;
        let pairs = self.radices.windows(2).enumerate();
        pairs
            .map(|(at, pair)| {
                let columns = [self.columns[usize::from(at > 0)], self.columns[1]];
                let exchange = Exchange { before, radix: pair[0], next: pair[1], columns };
                before *= pair[0];
                exchange
            })
            .collect()
    }

    /// Returns the gap with which an exchange takes the fewest turns, and among such gaps the one that takes
    /// the least room. The number of points between two gaps is a multiple of a row of the stage that writes,
    /// and divides the distance between the points that a work-item reads for the next stage. The distances
    /// between slots of a work-item are thus compile-time constants.
    fn gap(&self, exchange: &Exchange, pitch: usize) -> Gap {
        let rest = self.length / (exchange.before * exchange.radix * exchange.next);
        let mut best = (usize::MAX, usize::MAX, Gap { rows: 1, free: 0 });
        for rows in divisors(rest) {
            let blocks = rest * exchange.next / rows;
            for free in 0..=MOST_FREE {
                let room = free * (blocks - 1);
                if 4 * room > self.length || self.length + room > self.most {
                    break;
                }
                let gap = Gap { rows, free };
                let turns = self.turns(exchange, gap, pitch);
                if (turns, room) < (best.0, best.1) {
                    best = (turns, room, gap);
                }
            }
        }
        best.2
    }

    /// Returns the turns that the first sub-groups take to write one point each, and to read one point each.
    fn turns(&self, exchange: &Exchange, gap: Gap, pitch: usize) -> usize {
        let &Exchange { before, radix, next, .. } = exchange;
        let block = before * radix * gap.rows;
        let after =
            |b: usize| b % before + before * radix * (b / before) + gap.free * (b / (before * gap.rows));
        let wanted = |b: usize| b + gap.free * (b / block);
        self.rounds(exchange.columns[0], self.length / radix, pitch, after)
            + self.rounds(exchange.columns[1], self.length / next, pitch, wanted)
    }

    /// Returns the turns that the first sub-groups take if each work-item accesses slot `place(b)` of its
    /// line, where b is the index of its transform. A line has `count` transforms.
    fn rounds(&self, columns: bool, count: usize, pitch: usize, place: impl Fn(usize) -> usize) -> usize {
        let banks = WIDTH / self.bytes;
        let ids = self.items * self.per;
        let mut turns = 0;
        for first in (0..ids.min(SAMPLE * BANKS)).step_by(banks) {
            let mut met = [0_u8; BANKS];
            for id in first..(first + banks).min(ids) {
                let (item, number) =
                    if columns { (id / self.per, id % self.per) } else { (id % self.items, id / self.items) };
                if item < count {
                    met[(number * pitch + place(item)) % banks] += 1;
                }
            }
            turns += met.iter().map(|&met| usize::from(met)).max().unwrap_or(0);
        }
        turns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(radices: &[usize], items: usize, bytes: usize) -> Lines<'_> {
        let length = radices.iter().product();
        Lines { length, radices, items, per: 1, columns: [false, false], bytes, most: 2 * length }
    }

    #[test]
    fn powers_of_two_meet_in_no_bank() {
        // Two exchanges, each with a write and a read of four sub-groups that take one turn each.
        assert_eq!(lines(&[16, 16, 16], 256, 4).local_layout().turns, 16);
        // Twice the bytes take twice the turns.
        assert_eq!(lines(&[16, 16, 16], 256, 8).local_layout().turns, 32);
    }

    #[test]
    fn without_room_there_are_no_gaps() {
        let full = Lines { most: 4096, ..lines(&[16, 16, 16], 256, 4) };
        let layout = full.local_layout();
        assert!(layout.gaps.iter().all(|gap| gap.free == 0) && layout.pitch == 4096 && layout.turns > 16);
    }

    #[test]
    fn columns_beside_each_other_are_in_banks_of_their_own() {
        let radices = [16, 16];
        let columns = Lines { per: 16, columns: [true, true], most: 300, ..lines(&radices, 16, 4) };
        assert_eq!(columns.local_layout().turns, 8);
    }
}
