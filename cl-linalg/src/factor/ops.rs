//! The trait of a processor on which blocked algorithms keep matrices and compute.

use crate::error::Result;
use crate::scalar::Scalar;
use cl_algo::{DeviceVec, Element};
use std::ops::Range;

/// A matrix in column-major order that a processor works on.
#[derive(Debug)]
pub(crate) struct Operand<'a, T: Element> {
    pub(crate) vector: OperandVector<'a, T>,
    /// The number of rows, which is the distance between columns in memory.
    pub(crate) rows: usize,
}

/// The elements of an [`Operand`].
#[derive(Debug)]
pub(crate) enum OperandVector<'a, T: Element> {
    /// Elements that are read.
    Read(&'a DeviceVec<T>),
    /// Elements that are read and written.
    Written(&'a mut DeviceVec<T>),
}

impl<'a, T: Element> Operand<'a, T> {
    pub(crate) fn read(vector: &'a DeviceVec<T>, rows: usize) -> Operand<'a, T> {
        Operand { vector: OperandVector::Read(vector), rows }
    }

    pub(crate) fn written(vector: &'a mut DeviceVec<T>, rows: usize) -> Operand<'a, T> {
        Operand { vector: OperandVector::Written(vector), rows }
    }
}

impl<T: Element> OperandVector<'_, T> {
    pub(crate) fn vector(&self) -> &DeviceVec<T> {
        match self {
            OperandVector::Read(vector) => vector,
            OperandVector::Written(vector) => vector,
        }
    }
}

/// A block of a matrix: neighbouring rows and columns. `matrix` is the index of the operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) matrix: usize,
    pub(crate) rows: Range<usize>,
    pub(crate) columns: Range<usize>,
}

impl Block {
    pub(crate) fn new(matrix: usize, rows: Range<usize>, columns: Range<usize>) -> Block {
        Block { matrix, rows, columns }
    }

    /// Returns the numbers of rows and columns.
    pub(crate) fn shape(&self) -> [usize; 2] {
        [self.rows.len(), self.columns.len()]
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.shape().contains(&0)
    }

    /// Returns whether two blocks have an element in common.
    pub(crate) fn overlaps(&self, other: &Block) -> bool {
        let meet = |a: &Range<usize>, b: &Range<usize>| a.start.max(b.start) < a.end.min(b.end);
        self.matrix == other.matrix && meet(&self.rows, &other.rows) && meet(&self.columns, &other.columns)
    }
}

/// The way in which an operand is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The matrix itself.
    Plain,
    /// The conjugate transpose.
    Adjoint,
}

/// A triangular matrix: one half of a square block.
#[derive(Clone, Debug)]
pub(crate) struct Triangle {
    pub(crate) block: Block,
    /// `true` for the lower half.
    pub(crate) lower: bool,
    /// `true` if the elements on the diagonal are ones, which are not stored.
    pub(crate) unit: bool,
    pub(crate) form: Form,
}

/// A processor on which blocked algorithms keep matrices and compute: the host, the device, or both.
///
/// A block that is written has no element in common with the blocks that are read. Blocks without elements are left
/// as they are.
pub(crate) trait BlockedOps<T: Scalar> {
    /// Returns the number of rows of the diagonal blocks of a solve.
    fn solve_block(&self) -> usize;

    /// Factorises a block of at least as many rows as columns by Gaussian elimination with partial pivoting. The row
    /// that column `j` was exchanged with becomes pivot `j`; only the rows of the block are exchanged. A column of zeros
    /// is left as it is.
    fn lu_panel(&mut self, panel: &Block) -> Result<()>;

    /// Exchanges rows of a block: row `j` with the row of pivot `j`, for each `j` of `pivots`; in reverse order if
    /// `backwards`. The rows of the block are those of the matrix from the first on.
    fn exchange_rows(&mut self, of: &Block, pivots: Range<usize>, backwards: bool) -> Result<()>;

    /// Factorises the square at the top of a block, of which the lower half is read and the whole may be written, and
    /// divides the rows below by the adjoint of the factor.
    fn cholesky_panel(&mut self, panel: &Block) -> Result<()>;

    /// Factorises a block of at least as many rows as columns by reflectors. Their vectors replace the elements below
    /// the diagonal. `factor`, a square with a row for each column of the panel, becomes the upper triangular factor `T`
    /// of the product of the reflectors, `I - V T Vᴴ`, with zeros below its diagonal.
    fn qr_panel(&mut self, panel: &Block, factor: &Block) -> Result<()>;

    /// Solves `op(A) X = B` for a triangular `A`. `X` replaces `B`.
    fn solve_triangle(&mut self, triangle: &Triangle, right: &Block) -> Result<()>;

    /// Subtracts the product of two matrices from a block.
    fn subtract_product(&mut self, from: &Block, left: (&Block, Form), right: (&Block, Form)) -> Result<()>;

    /// Subtracts `A Aᴴ` from the lower half of a square block. The upper half becomes undefined.
    fn subtract_hermitian(&mut self, from: &Block, a: &Block) -> Result<()>;

    /// Multiplies a block by `I - V T Vᴴ`, or by its adjoint, from the left. `vectors` is a panel that
    /// [`qr_panel`](BlockedOps::qr_panel) has factorised, `factor` its `T`.
    fn reflect(&mut self, vectors: &Block, factor: &Block, form: Form, of: &Block) -> Result<()>;

    /// Returns the elements on the diagonal of a block. Waits for the device.
    fn diagonal(&mut self, of: &Block) -> Result<Vec<T>>;

    /// Returns whether all elements of a block are finite: those of its lower half if `lower`. Waits for the device.
    fn is_finite(&mut self, of: &Block, lower: bool) -> Result<bool>;

    /// Makes the results visible to other users of the operands.
    fn finish(self) -> Result<()>;
}

/// The operands of an algorithm.
#[derive(Debug)]
pub(crate) struct Operands<'a, T: Scalar> {
    pub(crate) matrix: Operand<'a, T>,
    pub(crate) right: Option<Operand<'a, T>>,
    /// The factors `T` of QR.
    pub(crate) factors: Option<Operand<'a, T>>,
    /// The pivots of LU.
    pub(crate) pivots: Option<Operand<'a, u32>>,
}

impl<'a, T: Scalar> Operands<'a, T> {
    pub(crate) fn of(matrix: Operand<'a, T>) -> Operands<'a, T> {
        Operands { matrix, right: None, factors: None, pivots: None }
    }
}

/// Returns whether a number is neither infinite nor NaN.
pub(crate) fn is_finite<T: Scalar>(number: T) -> bool {
    // Any other number times 0 is NaN.
    number * T::zeroed() == T::zeroed()
}
