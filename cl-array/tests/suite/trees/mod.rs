//! Random expression trees of mixed rank, compared with a model on the host, which computes element by element.
//!
//! 60 trees; `CL_TEST_CASES=5000` evaluates more. Each program has a few arrays and evaluates trees over them one after
//! the other. The result of a tree is an array that later trees read.

mod change;
mod grow;
mod model;
mod ranks;
mod sink;

use cl_array::prelude::*;
use cl_test::{each_device_and_forced, full_or_small};
use grow::{Leaves, grow};
use std::cell::Cell;
use std::fmt::Write as _;

/// The number of elements above which changes do not enlarge an array.
const MOST: usize = 3000;

/// The number of trees of a program.
const TREES: u64 = 5;

/// Random numbers (Steele, Lea, Flood, *Fast splittable pseudorandom number generators*, 2014).
struct Random(u64);

impl Random {
    fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    fn below(&mut self, end: usize) -> usize {
        (self.number() % end as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn small(&mut self) -> i32 {
        self.below(41) as i32 - 20
    }

    fn permutation(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        (1..count).for_each(|at| order.swap(at, self.below(at + 1)));
        order
    }

    /// Returns a random shape of a random rank; some axes have length 0 or 1.
    fn shape(&mut self) -> Vec<usize> {
        let rank = [0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5][self.below(12)];
        let largest = [1, 1500, 50, 13, 7, 5][rank];
        (0..rank)
            .map(|_| match self.below(40) {
                0 => 0,
                1..9 => 1,
                9..14 => largest,
                _ => 1 + self.below(largest),
            })
            .collect()
    }
}

/// Prints what a panicking test was doing.
struct Named(String);

impl Drop for Named {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", self.0);
        }
    }
}

fn run(queue: &Queue, program: u64) {
    let random = &mut Random(program);
    let mut leaves = Leaves::new(queue, random);
    let mut named = Named(format!("program {program}"));
    for tree in 0..TREES {
        let size = 1 + random.below(7);
        let node = grow(random, &leaves, size);
        write!(named.0, "\ntree {tree}: {}", node.text).unwrap();
        let result = node.sink(random, queue, &leaves, &mut named.0);
        leaves.add(result);
    }
}

#[test]
fn random_trees() {
    let trees: u64 =
        std::env::var("CL_TEST_CASES").map_or(full_or_small(60, 15), |trees| trees.parse().unwrap());
    // Each device, and each forced one, runs every second program.
    let turn = Cell::new(0);
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let first = turn.replace(turn.get() + 1) % 2;
        (first..trees.div_ceil(TREES)).step_by(2).for_each(|program| run(queue, program));
    });
}
