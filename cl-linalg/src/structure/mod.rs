//! Matrices with a structure: triangular, diagonal, symmetric and Hermitian ones.
//!
//! | file | concept |
//! | --- | --- |
//! | `mod` | structures, structured matrices, how they are made |
//! | `expressions` | transposition, scaling, sums: the structure of an expression |
//! | `products` | products, and updates of a matrix by products |
//! | `solves` | solutions of systems of equations |
//! | `triangular` | triangular systems in place, by recursive halving |

mod expressions;
mod products;
mod solves;
mod triangular;

use crate::{RealScalar, Result, Scalar};
use cl_algo::ranked::Half;
use cl_array::{Array, ArrayExpr, ArrayOperand, ArrayView};

pub use products::{add_matmul, add_matmul_half, add_outer, add_outer_half};

/// The structure of a matrix: which of the stored elements are used, and what the other elements of the matrix are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Structure {
    /// All elements are used.
    #[default]
    General,
    /// One half is used. The elements of the other half are zeros.
    Triangular {
        /// The half that is used.
        half: Half,
        /// `true` if the diagonal is one. The stored diagonal is then not used.
        unit: bool,
    },
    /// The diagonal is used. All other elements are zeros.
    Diagonal,
    /// One half is used, with the diagonal. The other half is its transpose.
    Symmetric(Half),
    /// One half is used, with the real parts of the diagonal. The other half is its conjugate transpose.
    Hermitian(Half),
}

impl Structure {
    /// The lower half with the diagonal.
    pub const LOWER: Structure = Structure::Triangular { half: Half::Lower, unit: false };
    /// The upper half with the diagonal.
    pub const UPPER: Structure = Structure::Triangular { half: Half::Upper, unit: false };
    /// The lower half, and a diagonal of ones.
    pub const UNIT_LOWER: Structure = Structure::Triangular { half: Half::Lower, unit: true };
    /// The upper half, and a diagonal of ones.
    pub const UNIT_UPPER: Structure = Structure::Triangular { half: Half::Upper, unit: true };

    /// Returns the structure of the transposed matrix.
    ///
    /// ```
    /// use cl_linalg::Structure;
    /// assert_eq!(Structure::UNIT_LOWER.transposed(), Structure::UNIT_UPPER);
    /// ```
    #[must_use]
    pub fn transposed(self) -> Structure {
        use Structure::{Hermitian, Symmetric, Triangular};
        match self {
            Triangular { half, unit } => Triangular { half: half.other(), unit },
            Symmetric(half) => Symmetric(half.other()),
            Hermitian(half) => Hermitian(half.other()),
            same => same,
        }
    }

    /// Returns the half outside of which all elements are zeros, for triangular matrices.
    fn half(self) -> Option<Half> {
        match self {
            Structure::Triangular { half, .. } => Some(half),
            _ => None,
        }
    }
}

/// A lazy matrix with a structure. Products and solves use the structure: they do less work, and never use the elements
/// that the structure leaves out.
///
/// Made by the methods of [`WithStructure`] and [`DiagonalMatrix`]. [`dense`](Structured::dense) is the expression of all
/// its elements, for functions that know no structure. A matrix that is not square is a deferred error.
///
/// ```
/// use cl_linalg::{Structure, prelude::*};
/// # fn main() -> cl_linalg::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = Array::from_slice(&queue, [2, 2], &[2.0_f32, f32::NAN, 1.0, 4.0])?;
/// let lower = a.lower();
/// assert_eq!(lower.dense().to_vec()?, [2.0, 0.0, 1.0, 4.0]);
/// assert_eq!(lower.clone().t().structure(), Structure::UPPER);
///
/// let square = lower.clone().matmul(&lower)?; // lower again: half of the sums, half of the elements
/// assert_eq!(square.structure(), Structure::LOWER);
/// assert_eq!(square.array().to_vec()?, [4.0, 0.0, 6.0, 16.0]);
///
/// let b = Array::from_slice(&queue, [2], &[2.0_f32, 9.0])?;
/// assert_eq!(lower.solve(&b)?.to_vec()?, [1.0, 2.0]); // by substitution
/// assert_eq!(a.symmetric(Half::Lower).matvec(&b)?.to_vec()?, [13.0, 38.0]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "structured matrices are lazy: nothing is computed until they are evaluated"]
pub struct Structured<'a, T: Scalar> {
    /// The stored elements. Those that the structure leaves out may be anything.
    stored: ArrayExpr<'a, T, 2>,
    structure: Structure,
}

/// A matrix with a structure that is stored with all its elements, zeros included: the result of an evaluation.
#[derive(Debug)]
pub struct StructuredArray<T: Scalar> {
    array: Array<T, 2>,
    structure: Structure,
}

impl<T: Scalar> StructuredArray<T> {
    /// Returns the structure.
    #[must_use]
    pub fn structure(&self) -> Structure {
        self.structure
    }

    /// Returns the matrix with all its elements.
    #[must_use]
    pub fn array(&self) -> &Array<T, 2> {
        &self.array
    }

    /// Returns the matrix with all its elements, without its structure.
    #[must_use]
    pub fn into_array(self) -> Array<T, 2> {
        self.array
    }

    /// Returns the matrix with its structure.
    pub fn view(&self) -> Structured<'_, T> {
        Structured { stored: self.array.iter(), structure: self.structure }
    }
}

/// Matrices of which a part is used. Implemented for arrays, views and expressions of two axes.
///
/// See [`Structured`].
pub trait WithStructure<'a, T: Scalar>: ArrayOperand<'a, T, 2> + Sized {
    /// Returns the matrix with a structure, whose elements are taken from this one.
    fn with_structure(self, structure: Structure) -> Structured<'a, T> {
        Structured::new(self.into_array_expr(), structure)
    }

    /// Returns the lower triangular matrix: the elements above the diagonal are zeros.
    #[doc(alias = "tril")]
    fn lower(self) -> Structured<'a, T> {
        self.with_structure(Structure::LOWER)
    }

    /// Returns the upper triangular matrix: the elements below the diagonal are zeros.
    #[doc(alias = "triu")]
    fn upper(self) -> Structured<'a, T> {
        self.with_structure(Structure::UPPER)
    }

    /// Returns the lower triangular matrix with a diagonal of ones.
    fn unit_lower(self) -> Structured<'a, T> {
        self.with_structure(Structure::UNIT_LOWER)
    }

    /// Returns the upper triangular matrix with a diagonal of ones.
    fn unit_upper(self) -> Structured<'a, T> {
        self.with_structure(Structure::UNIT_UPPER)
    }

    /// Returns the symmetric matrix with these elements in one half. The other half is not used, and may hold anything.
    fn symmetric(self, half: Half) -> Structured<'a, T> {
        self.with_structure(Structure::Symmetric(half))
    }

    /// Returns the Hermitian matrix with these elements in one half; of real numbers, the symmetric matrix. The other half
    /// and the imaginary parts of the diagonal are not used, and may be anything.
    fn hermitian(self, half: Half) -> Structured<'a, T> {
        self.with_structure(Structure::Hermitian(half))
    }
}

// Not implemented for `Array` itself, so that `a.lower()` borrows `a`.
impl<'a, T: Scalar> WithStructure<'a, T> for &'a Array<T, 2> {}
impl<'a, T: Scalar> WithStructure<'a, T> for ArrayView<'a, T, 2> {}
impl<'a, T: Scalar> WithStructure<'a, T> for &ArrayView<'a, T, 2> {}
impl<'a, T: Scalar> WithStructure<'a, T> for ArrayExpr<'a, T, 2> {}
impl<'a, T: Scalar> WithStructure<'a, T> for &ArrayExpr<'a, T, 2> {}

/// Vectors that are the diagonal of a matrix. Implemented for arrays, views and expressions of one axis.
pub trait DiagonalMatrix<'a, T: Scalar>: ArrayOperand<'a, T, 1> + Sized {
    /// Returns the square matrix with these elements on its diagonal, and zeros elsewhere. The matrix is not stored.
    ///
    /// ```
    /// use cl_linalg::prelude::*;
    /// # fn main() -> cl_linalg::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let d = Array::from_slice(&queue, [2], &[2.0_f32, 4.0])?;
    /// let a = Array::from_slice(&queue, [2, 2], &[1.0_f32, 2.0, 3.0, 4.0])?;
    /// assert_eq!(d.diagonal_matrix().matmul(&a)?.array().to_vec()?, [2.0, 4.0, 12.0, 16.0]);
    /// assert_eq!(d.diagonal_matrix().solve(&d)?.to_vec()?, [1.0, 1.0]);
    /// # Ok(())
    /// # }
    /// ```
    fn diagonal_matrix(self) -> Structured<'a, T> {
        let diagonal = self.into_array_expr();
        let [n] = diagonal.shape();
        Structured { stored: diagonal.insert_axis(1).broadcast([n, n]), structure: Structure::Diagonal }
    }
}

// Not implemented for `Array` itself, so that `d.diagonal_matrix()` borrows `d`.
impl<'a, T: Scalar> DiagonalMatrix<'a, T> for &'a Array<T, 1> {}
impl<'a, T: Scalar> DiagonalMatrix<'a, T> for ArrayView<'a, T, 1> {}
impl<'a, T: Scalar> DiagonalMatrix<'a, T> for &ArrayView<'a, T, 1> {}
impl<'a, T: Scalar> DiagonalMatrix<'a, T> for ArrayExpr<'a, T, 1> {}
impl<'a, T: Scalar> DiagonalMatrix<'a, T> for &ArrayExpr<'a, T, 1> {}

/// A matrix with its structure: a [`Structured`] one, or an array, a view or an expression, all of whose elements are
/// used.
pub trait MatrixOperand<'a, T: Scalar> {
    /// Returns the matrix with its structure.
    fn into_structured(self) -> Structured<'a, T>;
}

impl<'a, T: Scalar> MatrixOperand<'a, T> for Structured<'a, T> {
    fn into_structured(self) -> Structured<'a, T> {
        self
    }
}

impl<'a, T: Scalar> MatrixOperand<'a, T> for &Structured<'a, T> {
    fn into_structured(self) -> Structured<'a, T> {
        self.clone()
    }
}

impl<'a, T: Scalar> MatrixOperand<'a, T> for &'a StructuredArray<T> {
    fn into_structured(self) -> Structured<'a, T> {
        self.view()
    }
}

macro_rules! general {
    ($($operand:ty)*) => {$(
        impl<'a, T: Scalar> MatrixOperand<'a, T> for $operand {
            fn into_structured(self) -> Structured<'a, T> {
                Structured { stored: self.into_array_expr(), structure: Structure::General }
            }
        }
    )*};
}

general!(Array<T, 2> &'a Array<T, 2> ArrayView<'a, T, 2> &ArrayView<'a, T, 2> ArrayExpr<'a, T, 2> &ArrayExpr<'a, T, 2>);

impl<'a, T: Scalar> Structured<'a, T> {
    fn new(stored: ArrayExpr<'a, T, 2>, structure: Structure) -> Structured<'a, T> {
        let shape = stored.shape();
        let stored = match structure {
            // The elements beside the diagonal are not read.
            Structure::Diagonal => stored.diagonal().diagonal_matrix().stored,
            _ => stored,
        };
        // A real Hermitian matrix is symmetric, whose expressions are simpler.
        let structure = match structure {
            Structure::Hermitian(half) if !T::IS_COMPLEX => Structure::Symmetric(half),
            other => other,
        };
        let matrix = Structured { stored, structure };
        if shape[0] == shape[1] || structure == Structure::General {
            return matrix;
        }
        matrix.failed("structure", format!("a matrix of shape {shape:?}; a {structure:?} matrix is square"))
    }

    /// Returns the matrix with a deferred error.
    fn failed(self, operation: &'static str, reason: String) -> Structured<'a, T> {
        let shape = self.stored.shape();
        let failed = self.stored.into_ranked().failed(cl_core::Error::invalid_input(operation, reason));
        Structured { stored: ArrayExpr::from_ranked(failed, shape), ..self }
    }

    /// Returns the numbers of rows and columns.
    #[must_use]
    pub fn shape(&self) -> [usize; 2] {
        self.stored.shape()
    }

    /// Returns the structure.
    #[must_use]
    pub fn structure(&self) -> Structure {
        self.structure
    }

    /// Returns all elements, lazily: zeros, ones and the mirrored half included. For functions that know no structure:
    /// `a.symmetric(half).dense().cholesky()`.
    #[doc(alias("to_dense", "full"))]
    pub fn dense(&self) -> ArrayExpr<'a, T, 2> {
        let (shape, stored, zero) = (self.shape(), self.stored.clone(), T::zeroed());
        let is_diagonal = || ArrayExpr::from_fn(shape, |[i, j]| i.eq(j));
        let mirrored =
            |half| ArrayExpr::from_ranked(stored.clone().into_ranked().mirrored(half, shape[0]), shape);
        let is_in = |half| {
            ArrayExpr::from_fn(shape, |[i, j]| match half {
                Half::Lower => i.ge(j),
                Half::Upper => i.le(j),
            })
        };
        match self.structure {
            Structure::General => stored,
            Structure::Triangular { half, .. } => is_in(half).select(self.with_diagonal(), zero),
            Structure::Diagonal => is_diagonal().select(stored, zero),
            Structure::Symmetric(half) => mirrored(half),
            Structure::Hermitian(half) => {
                let own = mirrored(half);
                let both = is_in(half).select(own.clone(), T::conjugates(own.clone()));
                is_diagonal().select(T::without_imaginary(own), both)
            }
        }
    }

    /// Returns the stored elements, with a diagonal that is one or real where the structure says so.
    fn with_diagonal(&self) -> ArrayExpr<'a, T, 2> {
        let stored = self.stored.clone();
        let is_diagonal = || ArrayExpr::from_fn(self.shape(), |[i, j]| i.eq(j));
        match self.structure {
            Structure::Triangular { unit: true, .. } => is_diagonal().select(one::<T>(), stored),
            Structure::Hermitian(_) => is_diagonal().select(T::without_imaginary(stored.clone()), stored),
            _ => stored,
        }
    }

    /// Evaluates the matrix, in one kernel. Does not wait.
    ///
    /// # Errors
    /// As [`ArrayExpr::collect`].
    pub fn collect(&self) -> Result<StructuredArray<T>> {
        Ok(StructuredArray { array: self.dense().collect()?, structure: self.structure })
    }
}

/// Returns the number 1.
fn one<T: Scalar>() -> T {
    T::from_real(T::Real::from_f64(1.0))
}
