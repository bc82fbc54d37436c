//! Counter-based random numbers, the same bits on any OpenCL device and on the host.
//!
//! ```
//! use cl_algo::prelude::*;
//! use cl_random::{Engine, Philox4x32};
//!
//! # fn main() -> cl_core::Result<()> {
//! let queue = Queue::on(&Device::first()?)?;
//! let engine: Philox4x32 = Philox4x32::new(2026);
//!
//! // Lazy: these numbers are computed where they are used, and stored nowhere.
//! let points = engine.uniform::<f32>().pairs(1 << 20);
//! let inside = points.map(|(x, y)| (x * x + y * y).lt(1.0)).on(&queue).count()?;
//! let pi = 4.0 * inside as f64 / f64::from(1 << 20);
//! assert!((pi - std::f64::consts::PI).abs() < 0.01);
//!
//! // Or stored, from where the last ones ended.
//! let mut noise = engine.stream(1).normal::<f32>();
//! let mut x = DeviceVec::filled(&queue, 0.0_f32, 1001)?;
//! noise.fill(&mut x)?;
//! let first = x.to_vec()?;
//! noise.fill(&mut x)?;
//! assert_ne!(first, x.to_vec()?);
//!
//! // The host draws the same numbers.
//! assert!(first.iter().copied().eq(engine.stream(1).normal().iter().take(1001)));
//! # Ok(())
//! # }
//! ```
//!
//! An [`Engine`] is a key and a counter. Block i of its words is a pure function of the key, the counter and i. An
//! engine therefore keeps no state, and any part of a sequence can be computed first, anywhere. [`Draws`] are sequences
//! of values that a [`Distribution`] makes from the words.
//!
//! | module | concept |
//! | --- | --- |
//! | `engine` | Philox and Threefry by Salmon, Moraes, Dror and Shaw, with the words of Random123 |
//! | `draws` | sequences of values: lazy, stored, on the host |
//! | `distribution` | from words to values |
//! | `real`, `math` | floating-point functions that round alike everywhere |
//! | `permutation` | shuffles, and permutations without memory |
//! | `stream` | streams that device functions draw from |
//! | `rng` | the traits of `rand_core`, for the host |
//!
//! [`Stream`]s are for device functions that draw as many numbers as they need, in an order that the function decides.
//!
//! # Distributions
//!
//! | values | distribution |
//! | --- | --- |
//! | words | [`Words`] (method [`bits`](Engine::bits)) |
//! | floats | [`StandardUniform`] on [0, 1) (method [`uniform`](Engine::uniform)) |
//! | floats | [`OpenClosed01`], [`Open01`], [`Uniform`] |
//! | floats | [`Normal`] (method [`normal`](Engine::normal)), [`LogNormal`], [`Exponential`], [`Gamma`] |
//! | integers | [`UniformInteger`], [`Poisson`], [`Discrete`] with given weights |
//! | `bool` | [`Bernoulli`] |
//! | permutations | [`shuffle`], [`permutation()`], [`Permutation`] |
//!
//! Integers, `bool`s, uniform and exponential floats have the same bits on the host and on all devices. The
//! other distributions do as well if square roots are rounded correctly: always for `f64`, and for `f32` on
//! devices that support it. On other devices, normal numbers differ as the device's square roots do: by at
//! most two units in the last place on Intel's runtime and Oclgrind. About one gamma number in a million is
//! then entirely different, because a comparison with a normal number decides which candidate is taken.
//!
//! All values are finite except log-normal numbers, whose range is unbounded. Constructors return an error for
//! parameters that would make other values infinite, and for parameters that a distribution does not allow, before any
//! driver call.
//!
//! # Streams
//!
//! The second column has the number of blocks of a sub-stream.
//!
//! | engine | blocks | [sub-streams](Engine::substream) of a stream | [streams](Engine::stream) of a key | keys |
//! | --- | --- | --- | --- | --- |
//! | [`Philox2x32`] | 2^32 | 2^16 | 2^16 | 2^32 |
//! | [`Philox4x32`] | 2^64 | 2^32 | 2^32 | 2^64 |
//! | [`Philox2x64`] | 2^64 | 2^32 | 2^32 | 2^64 |
//! | [`Philox4x64`] | 2^128 | 2^64 | 2^64 | 2^128 |
//! | [`Threefry2x32`] | 2^32 | 2^16 | 2^16 | 2^64 |
//! | [`Threefry4x32`] | 2^64 | 2^32 | 2^32 | 2^128 |
//! | [`Threefry2x64`] | 2^64 | 2^32 | 2^32 | 2^128 |
//! | [`Threefry4x64`] | 2^128 | 2^64 | 2^64 | 2^256 |
//!
//! Drawing beyond the end of a sub-stream continues in the next sub-stream.
//!
//! The engines are not suitable for cryptography: an observer of a few words can compute the others.

mod box_muller;
mod distribution;
mod draws;
mod engine;
mod math;
mod permutation;
mod real;
mod rng;
mod stream;

pub use distribution::{
    Bernoulli, Discrete, DiscreteDraws, Distribution, Exponential, Gamma, LogNormal, Normal, Open01,
    OpenClosed01, Poisson, RangeInteger, Real, StandardUniform, Uniform, UniformInteger, Words,
};
pub use draws::Draws;
pub use engine::{
    Engine, Philox2x32, Philox2x64, Philox4x32, Philox4x64, Threefry2x32, Threefry2x64, Threefry4x32,
    Threefry4x64, Word,
};
pub use permutation::{Permutation, permutation, shuffle};
pub use rng::CounterRng;
pub use stream::Stream;
