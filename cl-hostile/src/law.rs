//! Random numbers whose every bit is the same on the host and the device.

use cl_algo::prelude::*;
use cl_core::Result;
use cl_random::{
    Bernoulli, Engine, Exponential, Permutation, Philox2x32, Philox2x64, Philox4x32, Philox4x64, Poisson,
    Threefry2x32, Threefry4x64, UniformInteger,
};

#[derive(Clone, Copy, Debug)]
pub(crate) enum Law {
    /// The words of an engine.
    Words,
    /// Halves of long words.
    Halves,
    Range,
    Truth,
    Poisson,
    Uniform,
    Exponential,
    /// All numbers below the length, in random order.
    Order,
}

pub(crate) const LAWS: [Law; 8] = [
    Law::Words,
    Law::Halves,
    Law::Range,
    Law::Truth,
    Law::Poisson,
    Law::Uniform,
    Law::Exponential,
    Law::Order,
];

/// Gives `$then` the draws of a law, and the name of the function in `host` and `device` that converts them
/// to `i32`. For `Law::Order`, which does not draw, returns `$order`.
macro_rules! laws {
    ($law:expr, $key:expr, $order:expr, $then:ident) => {
        match $law {
            Law::Words => $then!(words, <Philox4x32>::new($key).bits::<u32>()),
            Law::Halves => $then!(words, <Threefry4x64>::new($key).bits::<u32>()),
            Law::Range => {
                let law = UniformInteger::new(-20..=20)?;
                $then!(range, <Philox2x64>::new($key).draws(law))
            }
            Law::Truth => {
                let law = Bernoulli::new(0.3)?;
                $then!(truth, <Threefry2x32>::new($key).draws(law))
            }
            Law::Poisson => {
                let law = Poisson::new(4.0)?;
                $then!(words, <Philox2x32>::new($key).draws(law))
            }
            Law::Uniform => $then!(float, <Philox4x64>::new($key).uniform::<f32>()),
            Law::Exponential => {
                let law = Exponential::new(1.0_f32)?;
                $then!(float, <Philox4x32>::new($key).draws(law))
            }
            Law::Order => $order,
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

impl Law {
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
            let order = Law::order(key, len);
            (0..len as u64).map(|i| order.get(i) as i32).collect()
        };
        Ok(laws!(self, key, order(), then))
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
        Ok(laws!(self, key, Law::order(key, len).iter().cast(), then))
    }
}
