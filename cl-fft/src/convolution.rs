//! Convolution and correlation by multiplication of spectra.

use crate::grid::{self, moved};
use crate::plan::{LONGEST, Problem, smooth_from};
use crate::planner::Planner;
use crate::real::Real;
use crate::real_fft::RealFft;
use cl_algo::num_complex::Complex;
use cl_algo::{DeviceVec, Element, Expr, Number, Operand, ViewMut};
use cl_core::{Error, Queue, Result};

/// The positions of the kernel for which a convolution has results. Below, `n` is the length of the input
/// along an axis, and `m` is the length of the kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ends {
    /// All positions where the kernel overlaps the input: `n + m - 1`. Points beyond the border are zero.
    Full,
    /// The positions where the middle of the kernel, its number `(m - 1) / 2`, lies over a point of the
    /// input: `n`. Points beyond the border are zero.
    #[default]
    Same,
    /// Only positions where the whole kernel lies within the border: `n - m + 1`.
    Valid,
    /// All `n` positions on a ring: beyond the last point, the input continues with its first point. The
    /// first number of the kernel belongs to a shift of zero.
    Cyclic,
}

/// A convolution with one or several kernels. The spectra of the kernels are computed once, by one transform
/// of real numbers. Each application of the convolution takes two transforms. Padding, products and cropping
/// take no extra passes.
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
    /// The length of one spectrum, and the number of spectra.
    len: usize,
    count: usize,
}

impl<T: Real + Number> Convolution<T>
where
    Complex<T>: Element + Number,
{
    /// Plans the convolution of grids of the given lengths with a kernel of the given lengths.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if the numbers of axes differ, if a length is 0 or too large, or if the kernel is larger
    /// than the grid with [`Ends::Valid`] or [`Ends::Cyclic`]; otherwise as [`Planner::c2c`] and [`RealFft::forward`].
    pub fn new<'a>(
        queue: &Queue,
        lengths: impl AsRef<[usize]>,
        kernel: impl Operand<'a, T>,
        kernel_lengths: impl AsRef<[usize]>,
        ends: Ends,
    ) -> Result<Convolution<T>> {
        Convolution::many(queue, lengths, kernel, kernel_lengths, 1, ends)
    }

    /// Plans the convolution with `count` kernels of the same lengths. The kernels lie one after the other, and so do
    /// the results. If `kernels` is a scalar, all numbers of all kernels equal the scalar.
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
        // The index of the kernel's number that belongs to a shift of zero. This number moves to the front, and the
        // numbers before it move to the end.
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
        // Each of these numbers of points gets a check of its own. A `count` of 0 would make the numbers that
        // include `count` 0, and the other numbers would remain unchecked.
        let len = grid::points(kernel_lengths)?;
        grid::points(&padded)?;
        grid::points(&with(&padded))?;
        let all = grid::points(&with(kernel_lengths))?;
        let kernels = match kernels.len() {
            None => kernels.take(all),
            Some(there) if there != all => {
                let reason = format!("there are {there} numbers instead of {count} x {len}");
                return Err(Error::invalid_input("kernels of a convolution", reason));
            }
            Some(_) => kernels,
        };
        let turned = moved(kernels, &with(kernel_lengths), &with(&padded), |axis, at| {
            // Axis 0 counts the kernels.
            if axis == 0 { at } else { (at + first[axis - 1] as u64) % padded[axis - 1] as u64 }
        });
        let spectra = planner.real(whole.clone().batch(count))?.forward(turned)?;
        let forward = planner.real(whole.clone().padded_from(lengths))?;
        let back = planner.real(whole.batch(count).padded_from(&kept))?;
        let len = spectra.len() / count.max(1);
        Ok(Convolution { forward, back, spectra, len, count })
    }

    /// Computes the results into a new vector.
    ///
    /// # Errors
    /// As [`RealFft::forward`].
    pub fn apply<'a>(&self, points: impl Operand<'a, T>) -> Result<DeviceVec<T>> {
        let spectrum = self.forward.forward(points)?;
        self.back.inverse(self.product(&spectrum))
    }

    /// Computes the results into an existing vector, or into a view of one.
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

    /// Returns the product of the points' spectrum with the spectrum of each kernel, one after the other.
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
        return Err(Error::invalid_input(what, reason));
    }
    for (axis, (&n, &m)) in lengths.iter().zip(kernel).enumerate() {
        if n == 0 || m == 0 {
            return Err(Error::invalid_input(what, format!("axis {axis} has a length of 0")));
        }
        if m > n && matches!(ends, Ends::Valid | Ends::Cyclic) {
            let reason =
                format!("along axis {axis} the kernel has {m} numbers, and the grid only {n} points");
            return Err(Error::invalid_input(what, reason));
        }
        // A longer transform does not exist: return the error before a search for a smooth length.
        let all = if ends == Ends::Cyclic { Some(n) } else { n.checked_add(m - 1) };
        if all.is_none_or(|all| all > LONGEST) {
            let reason = format!(
                "along axis {axis} the grid has {n} points and the kernel {m}, which is more than {LONGEST} together"
            );
            return Err(Error::invalid_input(what, reason));
        }
    }
    Ok(())
}

/// Returns the convolution of two vectors: `y[k] = Σ x[j] h[k - j]`.
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

/// Returns the correlation of two vectors, which measures how similar `x` is to the shifted `h`:
/// `y[k] = Σ x[j + k] h[j]`. With [`Ends::Full`] and [`Ends::Same`] the first results belong to negative shifts, as in
/// NumPy.
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
    // Check first: the code below needs a kernel that is not empty and fits.
    check(&[x.len()], &lengths, ends)?;
    let kernel = match ends {
        // On a ring, number j moves to index -j.
        Ends::Cyclic => moved(h, &lengths, &[x.len()], |_, at| {
            let n = x.len().max(1) as u64;
            (at * (n - 1)) % n
        }),
        _ => h.iter().rev(),
    };
    let len = kernel.len().unwrap_or_default();
    Convolution::new(x.queue(), [x.len()], kernel, [len], ends)?.apply(x)
}
