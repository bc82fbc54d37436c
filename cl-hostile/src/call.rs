//! Device functions, which the model calls on the host.

use cl_algo::I32x4;
use cl_algo::prelude::*;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Call {
    /// A loop whose length the data choose.
    Loop,
    /// Three elements of a vector.
    Window,
    /// Components of vectors.
    Components,
    /// Elements of an array, which the data choose.
    Array,
}

pub(crate) const CALLS: [Call; 4] = [Call::Loop, Call::Window, Call::Components, Call::Array];

#[device_fn]
fn steps_to_one(x: i32) -> i32 {
    let mut n = (x & 63) as u32 + 1;
    let mut steps = 0;
    while n > 1 {
        n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
        steps += 1;
        if steps > 70 {
            break;
        }
    }
    steps
}

#[device_fn]
fn window(x: i32, at: u64, table: &[i32]) -> i32 {
    let mut sum = x;
    if table.len() > 0 {
        for i in 0..3_u64 {
            sum = sum.wrapping_mul(3).wrapping_add(table[((at + i) % table.len() as u64) as usize]);
        }
    }
    sum
}

#[device_fn]
fn components(x: i32, at: u64) -> i32 {
    let small = x & 1023;
    let mut v = I32x4::from([small, 1, -small, (at & 255) as i32]);
    v[(small & 3) as usize] += 7;
    let w = v * 3 + I32x4::from([1, 2, 3, 4]);
    w[0] + 2 * w[1] + 3 * w[2] - w[((at + 1) & 3) as usize]
}

#[device_fn]
fn array(x: i32) -> i32 {
    let mut counts = [0_i32; 5];
    for i in 0..8 {
        let digit = (x >> (4 * i)) & 15;
        counts[(digit % 5) as usize] += digit + 1;
    }
    let mut largest = 0;
    for i in 0..5_usize {
        largest = if counts[i] > counts[largest as usize] { i as i32 } else { largest };
    }
    largest * 100 + counts[largest as usize]
}

impl Call {
    pub(crate) fn on_host(self, x: &[i32], table: &[i32]) -> Vec<i32> {
        let items = x.iter().copied().zip(0_u64..);
        match self {
            Call::Loop => items.map(|(x, _)| steps_to_one(x)).collect(),
            Call::Window => items.map(|(x, at)| window(x, at, table)).collect(),
            Call::Components => items.map(|(x, at)| components(x, at)).collect(),
            Call::Array => items.map(|(x, _)| array(x)).collect(),
        }
    }

    pub(crate) fn on_device<'w>(self, x: Expr<'w, i32>, table: &'w DeviceVec<i32>) -> Expr<'w, i32> {
        match self {
            Call::Loop => steps_to_one(x),
            // An empty slice is refused.
            Call::Window if table.is_empty() => x,
            Call::Window => window(x, index::<u64>(), table),
            Call::Components => components(x, index::<u64>()),
            Call::Array => array(x),
        }
    }
}
