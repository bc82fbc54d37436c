//! Operators for solvers: their size, and their product with a vector.

use cl_algo::{DeviceVec, Element, Expr, Operand, assign};
use cl_core::{Error, Result};
use std::fmt;

/// A linear operator: a matrix, or any other linear function from vectors to vectors.
///
/// Solvers need only [`apply`](LinearOperator::apply). An operator whose elements can be computed one by one, such as a
/// stencil, should also implement [`product`](LinearOperator::product): solvers then compute the product inside their
/// own kernels, together with its inner products.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_sparse::Csr;
/// use cl_sparse::solve::{BiCgStab, LinearOperator};
/// # use cl_sparse::generate;
///
/// /// A matrix and its square, added: two products, and no third matrix.
/// struct WithSquare<'a>(&'a Csr<f32>);
///
/// impl LinearOperator<f32> for WithSquare<'_> {
///     fn rows(&self) -> usize {
///         self.0.rows()
///     }
///
///     fn columns(&self) -> usize {
///         self.0.columns()
///     }
///
///     fn apply(&self, x: &DeviceVec<f32>, y: &mut DeviceVec<f32>) -> cl_core::Result<()> {
///         let once = (self.0 * x).collect()?;
///         y.assign(&once + self.0 * &once)
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a: Csr<f32> = Csr::new(&queue, &generate::five_point([10, 10], 4.0, -1.0)?)?;
/// let f = DeviceVec::filled(&queue, 1.0, 100)?;
/// let mut u = DeviceVec::filled(&queue, 0.0, 100)?;
/// let report = BiCgStab::new().solve(&WithSquare(&a), &f, &mut u)?;
/// assert!(report.residual < 1e-4);
/// # Ok(())
/// # }
/// ```
pub trait LinearOperator<T: Element> {
    /// Returns the number of elements of the result.
    fn rows(&self) -> usize;

    /// Returns the number of elements of the argument.
    fn columns(&self) -> usize;

    /// Computes `y = A x`. Does not block.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] unless the length of `x` is the number of columns, and that of `y` the number of rows;
    /// errors of the operator's kernels.
    fn apply(&self, x: &DeviceVec<T>, y: &mut DeviceVec<T>) -> Result<()>;

    /// Returns `A x` as an expression, if the operator supports it.
    ///
    /// The expression must read `x` itself, and must not hold values computed from `x`: solvers evaluate it several times
    /// while they change `x`.
    fn product<'a>(&'a self, x: &'a DeviceVec<T>) -> Option<Expr<'a, T>> {
        let _ = x;
        None
    }
}

impl<T: Element, A: LinearOperator<T> + ?Sized> LinearOperator<T> for &A {
    fn rows(&self) -> usize {
        (**self).rows()
    }

    fn columns(&self) -> usize {
        (**self).columns()
    }

    fn apply(&self, x: &DeviceVec<T>, y: &mut DeviceVec<T>) -> Result<()> {
        (**self).apply(x, y)
    }

    fn product<'a>(&'a self, x: &'a DeviceVec<T>) -> Option<Expr<'a, T>> {
        (**self).product(x)
    }
}

/// An operator without a matrix, made by [`from_fn`] or [`from_fn_with`].
pub struct MatrixFree<D, F> {
    rows: usize,
    columns: usize,
    data: D,
    product: F,
}

/// Creates an operator from a closure, which returns an expression with one element for each row. The closure must be
/// linear, which is not checked.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_sparse::solve::{Cg, from_fn};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let queue = Queue::on(&Device::first()?)?;
/// // -u'' on a line, where u is 0 beyond both ends.
/// let a = from_fn(100, 100, |u: Expr<'_, f64>| {
///     2.0 * &u - u.clone().shifted(-1, Border::Constant(0.0)) - u.shifted(1, Border::Constant(0.0))
/// });
/// let f = DeviceVec::filled(&queue, 1.0, 100)?;
/// let mut u = DeviceVec::filled(&queue, 0.0, 100)?;
/// let report = Cg::new().solve(&a, &f, &mut u)?;
/// assert!(report.iterations <= 50);
/// assert!((u.to_vec()?[0] - 50.0).abs() < 1e-6);
/// # Ok(())
/// # }
/// ```
pub fn from_fn<T: Element, F>(rows: usize, columns: usize, product: F) -> MatrixFree<(), F>
where
    F: for<'a> Fn(Expr<'a, T>) -> Expr<'a, T>,
{
    MatrixFree { rows, columns, data: (), product }
}

/// Creates an operator as [`from_fn`] does, from a closure that also needs other data, such as vectors. The
/// closure gets a reference to the data as its first argument.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_sparse::solve::{LinearOperator, from_fn_with};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let weights = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0])?;
/// let a = from_fn_with(&weights, 2, 2, |weights, x: Expr<'_, f32>| x * *weights);
/// let mut y = DeviceVec::filled(&queue, 0.0_f32, 2)?;
/// a.apply(&DeviceVec::filled(&queue, 3.0, 2)?, &mut y)?;
/// assert_eq!(y.to_vec()?, [3.0, 6.0]);
/// # Ok(())
/// # }
/// ```
pub fn from_fn_with<T: Element, D, F>(
    data: D,
    rows: usize,
    columns: usize,
    product: F,
) -> MatrixFree<D, WithData<F>>
where
    F: for<'a> Fn(&'a D, Expr<'a, T>) -> Expr<'a, T>,
{
    MatrixFree { rows, columns, data, product: WithData(product) }
}

/// A closure that also gets data.
#[doc(hidden)]
#[allow(missing_debug_implementations)] // closures have no `Debug`
pub struct WithData<F>(F);

/// A function from a vector and data to an expression.
#[doc(hidden)]
pub trait ProductOf<T: Element, D> {
    fn of<'a>(&self, data: &'a D, x: Expr<'a, T>) -> Expr<'a, T>;
}

impl<T: Element, F: for<'a> Fn(Expr<'a, T>) -> Expr<'a, T>> ProductOf<T, ()> for F {
    fn of<'a>(&self, (): &'a (), x: Expr<'a, T>) -> Expr<'a, T> {
        self(x)
    }
}

impl<T: Element, D, F: for<'a> Fn(&'a D, Expr<'a, T>) -> Expr<'a, T>> ProductOf<T, D> for WithData<F> {
    fn of<'a>(&self, data: &'a D, x: Expr<'a, T>) -> Expr<'a, T> {
        (self.0)(data, x)
    }
}

impl<T: Element, D, F: ProductOf<T, D>> LinearOperator<T> for MatrixFree<D, F> {
    fn rows(&self) -> usize {
        self.rows
    }

    fn columns(&self) -> usize {
        self.columns
    }

    fn apply(&self, x: &DeviceVec<T>, y: &mut DeviceVec<T>) -> Result<()> {
        fits("apply: columns and `x`", self.columns, x.len())?;
        fits("apply: rows and `y`", self.rows, y.len())?;
        assign(y, self.product.of(&self.data, x.into_expr()))
    }

    fn product<'a>(&'a self, x: &'a DeviceVec<T>) -> Option<Expr<'a, T>> {
        Some(self.product.of(&self.data, x.into_expr()))
    }
}

/// Returns an error unless the length is the expected one.
pub(super) fn fits(operation: &'static str, expected: usize, len: usize) -> Result<()> {
    if expected == len {
        return Ok(());
    }
    Err(Error::length_mismatch(operation, expected, len))
}

impl<D, F> fmt::Debug for MatrixFree<D, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MatrixFree({} by {})", self.rows, self.columns)
    }
}

/// A square operator, and its number of rows.
///
/// An operator of a user may return a different size at each call, and may replace vectors that it is given. Solvers
/// ask for the size once, when they create a `Square`, and check the length of each result against that size.
#[derive(Clone, Copy)]
pub(super) struct Square<'r, T: Element> {
    a: &'r dyn LinearOperator<T>,
    rows: usize,
}

impl<'r, T: Element> Square<'r, T> {
    /// Asks the operator for its size. `operation` is the name in errors.
    pub(super) fn of(operation: &'static str, a: &'r dyn LinearOperator<T>) -> Result<Self> {
        let rows = a.rows();
        fits(operation, rows, a.columns())?;
        Ok(Square { a, rows })
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// Computes `y = A x`. The operator may replace `y` by another vector, so the length of `y` is checked
    /// afterwards.
    pub(super) fn apply(&self, x: &DeviceVec<T>, y: &mut DeviceVec<T>) -> Result<()> {
        self.a.apply(x, y)?;
        fits("product", self.rows, y.len())
    }

    /// Returns `A x` as an expression if the operator has one; otherwise computes `A x` in `q`.
    pub(super) fn product(&self, x: &'r DeviceVec<T>, q: &mut DeviceVec<T>) -> Result<Product<'r, T>> {
        let product = self.expression(x)?;
        if product.is_none() {
            self.apply(x, q)?;
        }
        Ok(Product(product))
    }

    /// Returns `A x` as an expression if the operator has one.
    pub(super) fn expression(&self, x: &'r DeviceVec<T>) -> Result<Option<Expr<'r, T>>> {
        let product = self.a.product(x);
        let len = product.as_ref().and_then(Expr::len);
        fits("product", self.rows, len.unwrap_or(self.rows))?;
        Ok(product)
    }
}

/// An operator's product with a vector: an expression that the step must store itself, or `None` if the product is
/// already stored.
pub(super) struct Product<'r, T: Element>(Option<Expr<'r, T>>);

impl<'r, T: Element> Product<'r, T> {
    /// Returns whether the step must store the product.
    pub(super) fn must_store(&self) -> bool {
        self.0.is_some()
    }

    /// Returns the product as an input of the step: the expression, or else the elements of `q`.
    pub(super) fn input(self, q: &'r DeviceVec<T>) -> Expr<'r, T> {
        self.0.unwrap_or_else(|| q.iter())
    }
}
