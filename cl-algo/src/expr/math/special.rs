//! The error function and the gamma function.

use super::*;
use crate::element::Float;

functions! { T: Float where
    /// Returns the error function. Errors up to 4, 16 and 16 ulp.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_algo::math::{erf, erfc};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[-0.5_f32, 0.0, 2.0])?;
    /// for one in (erf(&x) + erfc(&x)).collect()?.to_vec()? {
    ///     assert!((one - 1.0).abs() < 1e-5);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    erf(x) -> T = Op::Call("erf");
    /// Returns 1 minus the error function, precise where the result is small. Errors up to 4, 16 and 16 ulp.
    erfc(x) -> T = Op::Call("erfc");
    /// Returns the gamma function. Errors up to 4, 16 and 16 ulp.
    #[doc(alias = "gamma")]
    tgamma(x) -> T = Op::Call("tgamma");
    /// Returns the logarithm of the gamma function's magnitude. OpenCL does not bound the error.
    #[doc(alias("gammaln", "ln_gamma"))]
    lgamma(x) -> T = Op::Call("lgamma");
}

pairs! { T: Float where
    /// Returns the logarithm of the gamma function's magnitude, and the function's sign. OpenCL does not bound the
    /// error.
    lgamma_r(x) -> (T, i32);
}
