//! Random numbers whose every bit is the same on the host and the device.

use cl_algo::prelude::*;
use cl_core::Result;
use cl_random::{
    Bernoulli, Engine, Exponential, Permutation, Philox2x32, Philox2x64, Philox4x32, Philox4x64, Poisson,
    Threefry2x32, Threefry4x64, UniformInteger,
};

/// A kind of random numbers: the distribution and the engine that they are drawn from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Draws {
    /// The words of an engine.
    Words,
    /// 32-bit halves of the words of a 64-bit engine.
    Halves,
    Range,
    Truth,
    Poisson,
    Uniform,
    Exponential,
    /// All numbers below the length, in random order.
    Order,
}

pub(crate) const DRAWS: [Draws; 8] = [
    Draws::Words,
    Draws::Halves,
    Draws::Range,
    Draws::Truth,
    Draws::Poisson,
    Draws::Uniform,
    Draws::Exponential,
    Draws::Order,
];

/// Gives `$then` the draws, and the name of the function in `host` and `device` that converts them to `i32`.
/// For `Draws::Order`, which does not draw, returns `$order`.
macro_rules! with_draws {
    ($which:expr, $key:expr, $order:expr, $then:ident) => {
        match $which {
            Draws::Words => $then!(words, <Philox4x32>::new($key).bits::<u32>()),
            Draws::Halves => $then!(words, <Threefry4x64>::new($key).bits::<u32>()),
            Draws::Range => {
                let distribution = UniformInteger::new(-20..=20)?;
                $then!(range, <Philox2x64>::new($key).draws(distribution))
            }
            Draws::Truth => {
                let distribution = Bernoulli::new(0.3)?;
                $then!(truth, <Threefry2x32>::new($key).draws(distribution))
            }
            Draws::Poisson => {
                let distribution = Poisson::new(4.0)?;
                $then!(words, <Philox2x32>::new($key).draws(distribution))
            }
            Draws::Uniform => $then!(float, <Philox4x64>::new($key).uniform::<f32>()),
            Draws::Exponential => {
                let distribution = Exponential::new(1.0_f32)?;
                $then!(float, <Philox4x32>::new($key).draws(distribution))
            }
            Draws::Order => $order,
        }
    };
}

/// Conversions from values to `i32` on the host. The factor of floats is a power of two, so that the product
/// is exact.
mod host {
    pub(super) fn words(x: u32) -> i32 {
        x as i32
    }

    pub(super) fn range(x: i32) -> i32 {
        x
    }

    pub(super) fn truth(x: bool) -> i32 {
        if x { 5 } else { -5 }
    }

    pub(super) fn float(x: f32) -> i32 {
        (x * 1024.0) as i32
    }
}

/// Conversions from values to `i32` on the device.
mod device {
    use super::Expr;

    pub(super) fn words(x: Expr<'_, u32>) -> Expr<'_, i32> {
        x.bitcast()
    }

    pub(super) fn range(x: Expr<'_, i32>) -> Expr<'_, i32> {
        x
    }

    pub(super) fn truth(x: Expr<'_, bool>) -> Expr<'_, i32> {
        x.select(5, -5)
    }

    pub(super) fn float(x: Expr<'_, f32>) -> Expr<'_, i32> {
        (x * 1024.0).cast()
    }
}

impl Draws {
    fn order(key: u64, len: usize) -> Permutation {
        Permutation::new(len as u64, &<Philox4x32>::new(key))
    }

    fn drawn(self, key: u64, skip: u64, len: usize) -> Result<Vec<i32>> {
        macro_rules! then {
            ($to:ident, $draws:expr) => {
                $draws.skip(skip).iter().take(len).map(host::$to).collect()
            };
        }
        let order = || {
            let order = Draws::order(key, len);
            (0..len as u64).map(|i| order.get(i) as i32).collect()
        };
        Ok(with_draws!(self, key, order(), then))
    }

    /// Returns the values that the host draws.
    #[allow(clippy::expect_used)] // the parameters are constants
    pub(crate) fn on_host(self, key: u64, skip: u64, len: usize) -> Vec<i32> {
        self.drawn(key, skip, len).expect("the parameters are valid")
    }

    /// Returns the values that the device draws.
    pub(crate) fn on_device<'a>(self, key: u64, skip: u64, len: usize) -> Result<Expr<'a, i32>> {
        macro_rules! then {
            ($to:ident, $draws:expr) => {
                device::$to($draws.skip(skip).take(len))
            };
        }
        Ok(with_draws!(self, key, Draws::order(key, len).iter().cast(), then))
    }
}
