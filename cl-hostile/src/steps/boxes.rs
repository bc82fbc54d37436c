//! Steps with boxes of buffers: reads, writes and copies of rectangles and cuboids, some of which do not fit.

use crate::dice::Dice;
use crate::finding::{Finding, Outcome, same};
use crate::world::World;
use cl_core::{Layout, Result};

#[derive(Clone, Copy, Debug)]
pub(crate) enum Move {
    Read,
    Write,
    Copy,
    CopyWithin,
}

pub(crate) const MOVES: [Move; 4] = [Move::Read, Move::Write, Move::Copy, Move::CopyWithin];

/// The origin and the pitches of a box.
#[derive(Clone, Copy)]
struct Rows {
    origin: [usize; 3],
    pitches: [usize; 2],
}

impl Rows {
    /// Returns a random layout with pitches that fit the box. The array may be too short for it.
    fn random([width, height, _]: [usize; 3], len: usize, dice: &mut Dice) -> Rows {
        let row = width.max(1) + dice.below(3);
        let slice = row * (height.max(1) + dice.below(3));
        let origin = if dice.one_in(3) { [0; 3] } else { [dice.below(3), dice.below(3), dice.below(3)] };
        let far = if dice.one_in(6) { len / row } else { 0 };
        Rows { origin: [origin[0], origin[1] + far, origin[2]], pitches: [row, slice] }
    }

    fn layout(self) -> Layout {
        Layout::rows(self.pitches[0]).slices(self.pitches[1]).at(self.origin)
    }

    /// Returns the positions of the box's elements in the array.
    fn positions(self, [width, height, depth]: [usize; 3]) -> Vec<usize> {
        let ([x, y, z], [row, slice]) = (self.origin, self.pitches);
        let position = |i: usize| {
            let (column, line, layer) = (i % width, i / width % height, i / (width * height));
            x + column + (y + line) * row + (z + layer) * slice
        };
        (0..width * height * depth).map(position).collect()
    }
}

fn fits(positions: &[usize], len: usize) -> bool {
    positions.iter().all(|&position| position < len)
}

/// Returns two values: whether two boxes share an element, and whether a driver may refuse to copy one to the
/// other.
///
/// Drivers use the test of OpenCL 1.1 (appendix E). The test counts each box as longer than it is, by a row
/// and a slice.
fn overlap(a: &[usize], b: &[usize], [row, slice]: [usize; 2]) -> (bool, bool) {
    let meet = a.iter().any(|position| b.contains(position));
    let span = |positions: &[usize]| Some((*positions.first()?, *positions.last()? + row + slice));
    let near = span(a).zip(span(b)).is_some_and(|((a, a_end), (b, b_end))| a <= b_end && b <= a_end);
    (meet, near)
}

/// Returns whether a command was accepted, or a finding. Valid commands must be accepted, and invalid ones
/// must be refused.
fn judged(done: Result<()>, valid: bool) -> Outcome<bool> {
    match (done, valid) {
        (Ok(()), true) => Ok(true),
        (Err(_), false) => Ok(false),
        (Ok(()), false) => Err(Finding::NoError("a box beyond its array, or boxes that overlap".to_owned())),
        (Err(error), true) => Err(error.into()),
    }
}

/// Runs one command on a box of a vector's buffer.
pub(crate) fn boxes(world: &mut World, what: Move, vector: usize, seed: u64) -> Outcome {
    let mut dice = Dice::new(seed, 10);
    world.change(vector, |world, device, host| {
        let extent = [1 + dice.below(9), 1 + dice.below(6), 1 + dice.below(4)];
        let here = Rows::random(extent, host.len(), &mut dice);
        let positions = here.positions(extent);
        let queue = world.queue(dice.below(4));
        let buffer = device.buffer_mut();
        match what {
            Move::Read | Move::Write => {
                let len = dice.below(2 * positions.len() + 20);
                let there = Rows::random(extent, len, &mut dice);
                let outside = there.positions(extent);
                let valid = fits(&positions, host.len()) && fits(&outside, len);
                let mut values: Vec<i32> = (0..len).map(|_| dice.value()).collect();
                let layout = there.layout();
                if matches!(what, Move::Write) {
                    let done = buffer.write_rect(queue, extent, here.layout(), &values, layout);
                    if judged(done, valid)? {
                        positions.iter().zip(&outside).for_each(|(&to, &from)| host[to] = values[from]);
                    }
                } else {
                    let mut expected = values.clone();
                    let done = buffer.read_rect(queue, extent, here.layout(), &mut values, layout);
                    if judged(done, valid)? {
                        positions.iter().zip(&outside).for_each(|(&from, &to)| expected[to] = host[from]);
                    }
                    same("a box that was read", &values, &expected)?;
                }
            }
            Move::Copy => {
                let other = world.resolve(dice.below(8));
                let source = &world.host[other];
                let there = Rows::random(extent, source.len(), &mut dice);
                let outside = there.positions(extent);
                let valid = fits(&positions, host.len()) && fits(&outside, source.len());
                let from = world.vector(other).buffer();
                let done = buffer.copy_rect_from(queue, extent, here.layout(), from, there.layout());
                if judged(done, valid)? {
                    positions.iter().zip(&outside).for_each(|(&to, &from)| host[to] = source[from]);
                }
            }
            Move::CopyWithin => {
                let there = Rows { origin: [dice.below(9), dice.below(9), dice.below(5)], ..here };
                let from = there.positions(extent);
                let fit = fits(&positions, host.len()) && fits(&from, host.len());
                let (meet, near) = overlap(&positions, &from, here.pitches);
                let done = buffer.copy_rect_within(queue, extent, here.layout(), there.layout());
                // Boxes that interleave or lie close together may be refused.
                let valid = fit && !meet && (done.is_ok() || !near);
                if judged(done, valid)? {
                    positions.iter().zip(&from).for_each(|(&to, &from)| host[to] = host[from]);
                }
            }
        }
        same("the vector of a box", &device.buffer().to_vec(queue)?, host)
    })
}
