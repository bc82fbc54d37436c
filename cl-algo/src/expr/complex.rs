//! Complex numbers in expressions.

use super::parts::{AnyExpr, Composite, PartOp};
use super::{Expr, Operand, Symbol, Val, extend};
use crate::element::{ComplexPart, Element};
use crate::ir::op::Op;
use num_complex::Complex;

/// Returns complex numbers made of their real and imaginary parts. In closures, use [`Val::complex`].
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::num_complex::Complex;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 3.0])?;
/// let z = (complex(&x, 2.0) * Complex::i() + 1.0).collect()?;
/// assert_eq!(z.to_vec()?, [Complex::new(-1.0, 1.0), Complex::new(-1.0, 3.0)]);
/// assert_eq!(z.iter().norm_sqr().sum()?, 12.0);
/// # Ok(())
/// # }
/// ```
pub fn complex<'a, T: ComplexPart>(re: impl Operand<'a, T>, im: impl Operand<'a, T>) -> Expr<'a, Complex<T>>
where
    Complex<T>: Element,
{
    Expr::made_of([AnyExpr::of::<T>(re), AnyExpr::of::<T>(im)])
}

/// Returns complex numbers made of their distances from 0 and their angles in radians.
///
/// In closures, use [`Val::from_polar`].
pub fn from_polar<'a, T: ComplexPart>(
    r: impl Operand<'a, T>,
    theta: impl Operand<'a, T>,
) -> Expr<'a, Complex<T>>
where
    Complex<T>: Element,
{
    super::zip::<(T, T)>((r, theta)).map(|(r, theta)| Val::from_polar(r, theta))
}

impl<T: ComplexPart> Val<T>
where
    Complex<T>: Element,
{
    /// Returns the complex number of a real and an imaginary part.
    #[must_use]
    pub fn complex(re: impl Symbol<T>, im: impl Symbol<T>) -> Val<Complex<T>> {
        Val::made_of(&[&re.into_val(), &im.into_val()])
    }

    /// Returns the complex number of a distance from 0 and an angle in radians.
    #[must_use]
    pub fn from_polar(r: impl Symbol<T>, theta: impl Symbol<T>) -> Val<Complex<T>> {
        let (r, theta) = (r.into_val(), theta.into_val());
        Val::complex(r * call("cos", [theta]), r * call("sin", [theta]))
    }
}

impl<T: ComplexPart> Val<Complex<T>>
where
    Complex<T>: Element,
{
    /// Returns the real part.
    #[must_use]
    pub fn re(self) -> Val<T> {
        self.part(PartOp::component(0))
    }

    /// Returns the imaginary part.
    #[must_use]
    pub fn im(self) -> Val<T> {
        self.part(PartOp::component(1))
    }

    /// Returns the complex conjugate.
    #[must_use]
    pub fn conj(self) -> Val<Complex<T>> {
        Val::complex(self.re(), -self.im())
    }

    /// Returns the square of the distance from 0.
    #[must_use]
    pub fn norm_sqr(self) -> Val<T> {
        self.re() * self.re() + self.im() * self.im()
    }

    /// Returns the distance from 0, without undue overflow.
    #[must_use]
    pub fn norm(self) -> Val<T> {
        call("hypot", [self.re(), self.im()])
    }

    /// Returns the angle, from -π to π.
    #[must_use]
    pub fn arg(self) -> Val<T> {
        call("atan2", [self.im(), self.re()])
    }

    /// Returns e to the power of the number.
    #[must_use]
    pub fn exp(self) -> Val<Complex<T>> {
        call("complex_exp", [self])
    }
}

/// Returns the result of a built-in function, or of a function in `kernels/complex.cl`.
fn call<T: Element, R: Element, const N: usize>(name: &'static str, arguments: [Val<T>; N]) -> Val<R> {
    extend(|recording| {
        let arguments = arguments.map(|argument| argument.node(recording));
        recording.apply(Op::Call(name), R::TYPE, &arguments)
    })
}

macro_rules! methods {
    ($($(#[$doc:meta])* $name:ident $result:ty;)*) => {
        impl<'a, T: ComplexPart> Expr<'a, Complex<T>>
        where
            Complex<T>: Element,
        {
            $(
                $(#[$doc])*
                pub fn $name(self) -> Expr<'a, $result> {
                    self.map(|z| z.$name())
                }
            )*
        }
    };
}

methods! {
    /// Returns the real parts.
    #[doc(alias = "real")]
    re T;
    /// Returns the imaginary parts.
    #[doc(alias = "imag")]
    im T;
    /// Returns the complex conjugates.
    conj Complex<T>;
    /// Returns the squares of the distances from 0.
    norm_sqr T;
    /// Returns the distances from 0, without undue overflow.
    #[doc(alias("abs", "absolute"))]
    norm T;
    /// Returns the angles, from -π to π.
    #[doc(alias = "angle")]
    arg T;
    /// Returns e to the power of each number.
    exp Complex<T>;
}
