//! Streams of random numbers in device functions.

use crate::box_muller::{normals_f32, normals_f64, square_of_radius_f32};
use crate::engine::{Philox4x32, scrambled};
use crate::real::{below_one_f32, below_one_f64};
use cl_algo::function::MulHi;
use cl_algo::function::probe::{Called, RandomStream};
use cl_algo::{Element, Expr, device_fn, index};

/// A stream of random numbers that a device function draws from: one for each work-item, with the same numbers on the host.
///
/// The stream has the words of [`Philox4x32`], in their order, and a few draws that change it. A device function takes it by
/// value, as `mut stream: Stream`. [`Philox4x32::streams`] makes a stream for each item of an expression.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_random::{Engine, Philox4x32, Stream};
///
/// /// Returns where a random walk ends.
/// #[device_fn]
/// fn walk(mut stream: Stream, steps: u32) -> f32 {
///     let mut at = 0.0;
///     for _step in 0..steps {
///         at += stream.normal();
///     }
///     at
/// }
///
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let engine: Philox4x32 = Philox4x32::new(7);
/// let walks = walk(engine.streams(1000), 100).on(&queue);
/// let mean_square = (walks.clone() * walks.clone()).sum()? / 1000.0;
/// assert!((mean_square - 100.0).abs() < 20.0);
///
/// // The host walks the same way: work-item 5 has stream 5 of the engine.
/// let alone = walk(Stream::new(&engine.stream(5)), 100);
/// let there = walks.collect()?.to_vec()?[5];
/// assert!((there - alone).abs() <= 1e-4);
/// # Ok(())
/// # }
/// ```
///
/// All draws have the same bits on the host and on all devices, except that normal numbers depend on how a device rounds square
/// roots, as those of [`Normal`](crate::Normal) do.
#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
pub struct Stream {
    /// The counter of the next block, the lowest word first.
    c0: u32,
    c1: u32,
    c2: u32,
    c3: u32,
    k0: u32,
    k1: u32,
    /// The words of the current block.
    w0: u32,
    w1: u32,
    w2: u32,
    w3: u32,
    /// The number of words of the current block that were drawn, modulo 4.
    used: u32,
    /// 1 if `spare` is the next normal number.
    has_spare: u32,
    spare: f32,
}

/// Returns the stream whose first block has this counter. `number` is added to the counter's last word.
#[device_fn]
fn begin(number: u32, c0: u32, c1: u32, c2: u32, c3: u32, k0: u32, k1: u32) -> Stream {
    Stream {
        c0: c0,
        c1: c1,
        c2: c2,
        c3: c3.wrapping_add(number),
        k0: k0,
        k1: k1,
        w0: 0,
        w1: 0,
        w2: 0,
        w3: 0,
        used: 0,
        has_spare: 0,
        spare: 0.0,
    }
}

/// Returns the stream after its next word, and this word.
#[device_fn]
pub fn step_bits(stream: Stream) -> (Stream, u32) {
    let mut next = stream;
    if next.used == 0 {
        let words = scrambled(next.c0, next.c1, next.c2, next.c3, next.k0, next.k1);
        next.w0 = words.0;
        next.w1 = words.1;
        next.w2 = words.2;
        next.w3 = words.3;
        next.c0 = next.c0.wrapping_add(1);
        if next.c0 == 0 {
            next.c1 = next.c1.wrapping_add(1);
            if next.c1 == 0 {
                next.c2 = next.c2.wrapping_add(1);
                if next.c2 == 0 {
                    next.c3 = next.c3.wrapping_add(1);
                }
            }
        }
    }
    let lower = if next.used == 0 { next.w0 } else { next.w1 };
    let upper = if next.used == 2 { next.w2 } else { next.w3 };
    let word = if next.used < 2 { lower } else { upper };
    next.used = (next.used + 1) & 3;
    (next, word)
}

#[device_fn]
pub fn step_below(stream: Stream, bound: u32) -> (Stream, u32) {
    let drawn = step_bits(stream);
    (drawn.0, drawn.1.mul_hi(bound))
}

#[device_fn]
pub fn step_uniform(stream: Stream) -> (Stream, f32) {
    let drawn = step_bits(stream);
    (drawn.0, below_one_f32(drawn.1))
}

/// Returns the stream after its next two words, and these as one word, the lower half first.
#[device_fn]
fn step_long(stream: Stream) -> (Stream, u64) {
    let low = step_bits(stream);
    let high = step_bits(low.0);
    (high.0, low.1 as u64 | (high.1 as u64) << 32)
}

#[device_fn]
pub fn step_uniform_f64(stream: Stream) -> (Stream, f64) {
    let drawn = step_long(stream);
    (drawn.0, below_one_f64(drawn.1))
}

#[device_fn]
pub fn step_exponential(stream: Stream) -> (Stream, f32) {
    let drawn = step_bits(stream);
    (drawn.0, 0.5 * square_of_radius_f32(drawn.1))
}

#[device_fn]
pub fn step_normal(stream: Stream) -> (Stream, f32) {
    let mut next = stream;
    let mut value = next.spare;
    if next.has_spare == 0 {
        let a = step_bits(next);
        let b = step_bits(a.0);
        let both = normals_f32(a.1, b.1);
        next = b.0;
        value = both.0;
        next.spare = both.1;
        next.has_spare = 1;
    } else {
        next.has_spare = 0;
    }
    (next, value)
}

#[device_fn]
pub fn step_normal_f64(stream: Stream) -> (Stream, f64) {
    let a = step_long(stream);
    let b = step_long(a.0);
    (b.0, normals_f64(a.1, b.1).0)
}

/// Defines draws: methods for the host, and the hidden methods that name the device function of each to `#[device_fn]`.
macro_rules! draws {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty)?) -> $value:ty: $step:ident $hidden:ident;)*) => {
        impl Stream {$(
            $(#[$doc])*
            pub fn $name(&mut self $(, $argument: $type)?) -> $value {
                let (next, value) = $step(*self $(, $argument)?);
                *self = next;
                value
            }

            #[doc(hidden)]
            #[must_use]
            pub fn $hidden(self $(, $argument: $type)?) -> Called<$step, (Stream, $value)> {
                $step::__device(self $(, $argument)?)
            }
        )*}
    };
}

draws! {
    /// Returns the next word: that of [`Engine::bits`](crate::Engine::bits).
    bits() -> u32: step_bits __device_bits;
    /// Returns an integer below `bound`, from the next word; 0 for a bound of 0. All are equally likely up to one part in
    /// 2^32 / `bound`.
    below(bound: u32) -> u32: step_below __device_below;
    /// Returns a float in [0, 1), from the next word: that of [`Engine::uniform`](crate::Engine::uniform).
    uniform() -> f32: step_uniform __device_uniform;
    /// Returns a float in [0, 1), from the next two words.
    uniform_f64() -> f64: step_uniform_f64 __device_uniform_f64;
    /// Returns a number of the exponential distribution with mean 1, from the next word.
    exponential() -> f32: step_exponential __device_exponential;
    /// Returns a number of the normal distribution with mean 0 and standard deviation 1. Every second call takes two words, the
    /// others none. If nothing else is drawn, the numbers are those of [`Engine::normal`](crate::Engine::normal).
    normal() -> f32: step_normal __device_normal;
    /// Returns a number of the normal distribution with mean 0 and standard deviation 1, from the next four words.
    normal_f64() -> f64: step_normal_f64 __device_normal_f64;
}

impl RandomStream for Stream {}

impl Stream {
    /// Returns the stream of the engine's words from its first block on.
    #[must_use]
    pub fn new(engine: &Philox4x32) -> Stream {
        let ([c0, c1, c2, c3], [k0, k1]) = (engine.counter(), engine.key());
        begin(0, c0, c1, c2, c3, k0, k1)
    }
}

impl Philox4x32 {
    /// Returns `count` streams, lazily: stream i has the words of [`stream(i)`](crate::Engine::stream). They are made in the kernel and
    /// take no memory. There are 2^32 streams; larger numbers wrap around.
    pub fn streams<'a>(&self, count: usize) -> Expr<'a, Stream> {
        let ([c0, c1, c2, c3], [k0, k1]) = (self.counter(), self.key());
        begin(index::<u32>(), c0, c1, c2, c3, k0, k1).take(count)
    }
}
