//! Convolution and correlation by way of spectra.

use crate::grid::{self, moved};
use crate::plan::{LONGEST, Problem, smooth_from};
use crate::planner::Planner;
use crate::real::Real;
use crate::real_fft::RealFft;
use cl_algo::num_complex::Complex;
use cl_algo::{DeviceVec, Element, Expr, Number, Operand, ViewMut};
use cl_core::{Error, Queue, Result};

/// What becomes of the ends, where a kernel lies over the border.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ends {
    /// All points that the kernel touches: `n + m - 1`. Beyond the border there are zeros.
    Full,
    /// As many points as there are, with the middle of the kernel, `(m - 1) / 2`, over each of them.
    #[default]
    Same,
    /// Only where the kernel lies within the border: `n - m + 1`.
    Valid,
    /// The points are a ring, and the kernel's first number stands for no shift.
    Cyclic,
}

/// A convolution with one or many kernels, whose spectra are computed once: three transforms of real numbers, and
/// no pass for padding, products and cutting.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_fft::{Convolution, Ends};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 3.0])?;
/// let difference = DeviceVec::from_slice(&queue, &[1.0_f32, -1.0])?;
/// let convolution = Convolution::new(&queue, [3], &difference, [2], Ends::Full)?;
/// let y = convolution.apply(&x)?.to_vec()?;
/// for (y, expected) in y.into_iter().zip([1.0, 1.0, 1.0, -3.0]) {
///     assert!((y - expected).abs() < 1e-6);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "a convolution does nothing until it is applied"]
pub struct Convolution<T: Real>
where
    Complex<T>: Element,
{
    forward: RealFft<T>,
    back: RealFft<T>,
    spectra: DeviceVec<Complex<T>>,
    /// Numbers of one spectrum, and spectra.
    len: usize,
    count: usize,
}

impl<T: Real + Number> Convolution<T>
where
    Complex<T>: Element + Number,
{
    /// The convolution of grids of some lengths with a kernel of others.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] when the numbers of axes differ, a length is 0 or too large, or the kernel is larger than
    /// the grid with [`Ends::Valid`] or [`Ends::Cyclic`]; else as [`Planner::c2c`] and [`RealFft::forward`].
    pub fn new<'a>(
        queue: &Queue,
        lengths: impl AsRef<[usize]>,
        kernel: impl Operand<'a, T>,
        kernel_lengths: impl AsRef<[usize]>,
        ends: Ends,
    ) -> Result<Convolution<T>> {
        Convolution::many(queue, lengths, kernel, kernel_lengths, 1, ends)
    }

    /// The convolution with many kernels of the same lengths, which lie one after the other. Results do, too. A scalar
    /// stands for kernels of which each number is that one.
    ///
    /// # Errors
    /// As [`Convolution::new`].
    pub fn many<'a>(
        queue: &Queue,
        lengths: impl AsRef<[usize]>,
        kernels: impl Operand<'a, T>,
        kernel_lengths: impl AsRef<[usize]>,
        count: usize,
        ends: Ends,
    ) -> Result<Convolution<T>> {
        let (lengths, kernel_lengths) = (lengths.as_ref(), kernel_lengths.as_ref());
        check(lengths, kernel_lengths, ends)?;
        let sides = || lengths.iter().zip(kernel_lengths);
        let padded: Vec<usize> = match ends {
            Ends::Cyclic => lengths.to_vec(),
            _ => sides().map(|(n, m)| smooth_from(n + m - 1)).collect(),
        };
        let kept: Vec<usize> = sides()
            .map(|(n, m)| match ends {
                Ends::Full => n + m - 1,
                Ends::Valid => n - m + 1,
                Ends::Same | Ends::Cyclic => *n,
            })
            .collect();
        // Which number of the kernel stands for no shift: it comes first, and those before it last.
        let first: Vec<usize> = kernel_lengths
            .iter()
            .map(|m| match ends {
                Ends::Full | Ends::Cyclic => 0,
                Ends::Same => (m - 1) / 2,
                Ends::Valid => m - 1,
            })
            .collect();
        let planner = Planner::new(queue);
        let whole = Problem::new(&padded);
        let kernels = kernels.into_expr();
        let with = |lengths: &[usize]| [&[count], lengths].concat();
        // The kernels are no longer than what they are padded to, but then there may be none of them.
        let len = grid::points(kernel_lengths)?;
        grid::points(&padded)?;
        grid::points(&with(&padded))?;
        let all = grid::points(&with(kernel_lengths))?;
        let kernels = match kernels.len() {
            None => kernels.take(all),
            Some(there) if there != all => {
                let reason = format!("there are {there} numbers, and not {count} x {len}");
                return Err(Error::InvalidInput { what: "kernels of a convolution", reason });
            }
            Some(_) => kernels,
        };
        let turned = moved(kernels, &with(kernel_lengths), &with(&padded), |axis, at| {
            // The first axis is that of the kernels.
            if axis == 0 { at } else { (at + first[axis - 1] as u64) % padded[axis - 1] as u64 }
        });
        let spectra = planner.real(whole.clone().batch(count))?.forward(turned)?;
        let forward = planner.real(whole.clone().padded_from(lengths))?;
        let back = planner.real(whole.batch(count).padded_from(&kept))?;
        let len = spectra.len() / count.max(1);
        Ok(Convolution { forward, back, spectra, len, count })
    }

    /// The results, in a new vector.
    ///
    /// # Errors
    /// As [`RealFft::forward`].
    pub fn apply<'a>(&self, points: impl Operand<'a, T>) -> Result<DeviceVec<T>> {
        let spectrum = self.forward.forward(points)?;
        self.back.inverse(self.product(&spectrum))
    }

    /// The results, in a vector that is there, or in a view of one.
    ///
    /// # Errors
    /// As [`RealFft::forward_into`].
    pub fn apply_into<'r, 'a>(
        &self,
        results: impl Into<ViewMut<'r, T>>,
        points: impl Operand<'a, T>,
    ) -> Result<()> {
        let spectrum = self.forward.forward(points)?;
        self.back.inverse_into(results.into(), self.product(&spectrum))
    }

    /// The product of the points' spectrum with that of each kernel, one after the other.
    fn product<'s>(&'s self, spectrum: &'s DeviceVec<Complex<T>>) -> Expr<'s, Complex<T>> {
        if self.count == 1 {
            return spectrum * &self.spectra;
        }
        let len = self.len as u64;
        let again = cl_algo::iota(0_u64, self.spectra.len()).map(|index| index % len);
        spectrum.iter().gather(again) * &self.spectra
    }
}

fn check(lengths: &[usize], kernel: &[usize], ends: Ends) -> Result<()> {
    let what = "lengths of a convolution";
    if lengths.len() != kernel.len() {
        let reason = format!("the grid has {} axes, and the kernel {}", lengths.len(), kernel.len());
        return Err(Error::InvalidInput { what, reason });
    }
    for (axis, (&n, &m)) in lengths.iter().zip(kernel).enumerate() {
        if n == 0 || m == 0 {
            return Err(Error::InvalidInput { what, reason: format!("axis {axis} has a length of 0") });
        }
        if m > n && matches!(ends, Ends::Valid | Ends::Cyclic) {
            let reason =
                format!("along axis {axis} the kernel has {m} numbers, and the grid {n} points only");
            return Err(Error::InvalidInput { what, reason });
        }
        // A longer one has no transform, and is not to be searched for a smooth length that it fits into.
        let all = if ends == Ends::Cyclic { Some(n) } else { n.checked_add(m - 1) };
        if all.is_none_or(|all| all > LONGEST) {
            let reason = format!(
                "along axis {axis} the grid has {n} points and the kernel {m}, which is more than {LONGEST} together"
            );
            return Err(Error::InvalidInput { what, reason });
        }
    }
    Ok(())
}

/// The convolution of two vectors: `y[k] = Σ x[j] h[k - j]`.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_fft::{Ends, convolve};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[0.0_f32, 1.0, 0.0, 0.0])?;
/// let kernel = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 3.0])?;
/// let y = convolve(&x, &kernel, Ends::Same)?.to_vec()?;
/// for (y, expected) in y.into_iter().zip([1.0, 2.0, 3.0, 0.0]) {
///     assert!((y - expected).abs() < 1e-5);
/// }
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Convolution::new`].
pub fn convolve<T: Real + Number>(x: &DeviceVec<T>, kernel: &DeviceVec<T>, ends: Ends) -> Result<DeviceVec<T>>
where
    Complex<T>: Element + Number,
{
    Convolution::new(x.queue(), [x.len()], kernel, [kernel.len()], ends)?.apply(x)
}

/// The correlation of two vectors: how much `h`, shifted, is like `x`. `y[k] = Σ x[j + k] h[j]`, where with
/// [`Ends::Full`] and [`Ends::Same`] the first results are of negative shifts, as NumPy has them.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_fft::{Ends, correlate};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[0.0_f32, 0.0, 1.0, 2.0])?;
/// let wanted = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0])?;
/// let likeness = correlate(&x, &wanted, Ends::Valid)?;
/// assert_eq!(likeness.iter().max_element()?.map(|(place, _)| place), Some(2)); // it begins there
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Convolution::new`].
pub fn correlate<T: Real + Number>(x: &DeviceVec<T>, h: &DeviceVec<T>, ends: Ends) -> Result<DeviceVec<T>>
where
    Complex<T>: Element + Number,
{
    let lengths = [h.len()];
    // Before anything is made of a kernel that is empty, or that does not fit.
    check(&[x.len()], &lengths, ends)?;
    let kernel = match ends {
        // A ring has no ends: number j goes to the place of -j.
        Ends::Cyclic => moved(h, &lengths, &[x.len()], |_, at| {
            let n = x.len().max(1) as u64;
            (at * (n - 1)) % n
        }),
        _ => h.iter().rev(),
    };
    let len = kernel.len().unwrap_or_default();
    Convolution::new(x.queue(), [x.len()], kernel, [len], ends)?.apply(x)
}
