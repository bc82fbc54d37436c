//! Operations in device memory: products of matrices by `cl_algo::ranked`, and kernels for what is smaller.

mod blocks;
mod elimination;
mod kernels;
mod panels;
mod reflectors;

use super::algorithms;
use super::ops::{Block, BlockedOps, Form, Operand, OperandVector, Operands, Triangle};
use super::settings::MOST_COLUMNS;
use crate::error::Result;
use crate::scalar::Scalar;
use cl_algo::ranked::{self, Half, Layout, RankedTarget, Triangles};
use cl_algo::{DeviceVec, Element, Expr, Val};
use cl_core::{Access, Arg};
use panels::{Kernel, Panel};
use std::ops::Range;

/// The index of the operand with the vectors of reflectors as a whole matrix, with ones on the diagonal.
const VECTORS: usize = 3;
/// The index of the operand with the factors of a panel's squares, one below the other.
const SQUARES: usize = VECTORS;
/// The index of the operand with products of these vectors and the matrix that is multiplied.
const PRODUCTS: usize = 4;
/// The index of the operand with products of factors `T` and these products.
const WEIGHTED: usize = 5;

/// The number of rows of the diagonal blocks of a solve.
const SOLVE_ROWS: usize = 64;

/// A matrix in device memory, in column-major order.
struct DeviceMatrix<'a, T: Scalar> {
    vector: Elements<'a, T>,
    rows: usize,
}

/// The elements of a [`DeviceMatrix`].
enum Elements<'a, T: Scalar> {
    Operand(OperandVector<'a, T>),
    Own(DeviceVec<T>),
}

impl<T: Scalar> Elements<'_, T> {
    fn vector(&self) -> &DeviceVec<T> {
        match self {
            Elements::Operand(operand) => operand.vector(),
            Elements::Own(vector) => vector,
        }
    }
}

/// Matrices in device memory.
pub(crate) struct DeviceOps<'a, T: Scalar> {
    operation: &'static str,
    matrices: [Option<DeviceMatrix<'a, T>>; 6],
    pivots: Option<Operand<'a, u32>>,
}

impl<'a, T: Scalar> DeviceOps<'a, T> {
    pub(crate) fn new(operation: &'static str, operands: Operands<'a, T>) -> Result<DeviceOps<'a, T>> {
        let Operands { matrix, right, factors, pivots } = operands;
        let [matrix, right, factors] = [Some(matrix), right, factors].map(|operand| {
            operand.map(|Operand { vector, rows }| DeviceMatrix { vector: Elements::Operand(vector), rows })
        });
        Ok(DeviceOps { operation, matrices: [matrix, right, factors, None, None, None], pivots })
    }

    pub(crate) fn operation(&self) -> &'static str {
        self.operation
    }

    fn matrix(&self, index: usize) -> &DeviceMatrix<'a, T> {
        let Some(matrix) = &self.matrices[index] else { panic!("the algorithm has this operand") };
        matrix
    }

    /// Returns the vector of a matrix that is written, and the distance between its columns.
    pub(crate) fn written(&mut self, index: usize) -> (&mut DeviceVec<T>, usize) {
        let Some(matrix) = &mut self.matrices[index] else { panic!("the algorithm has this operand") };
        let vector = match &mut matrix.vector {
            Elements::Operand(OperandVector::Written(vector)) => &mut **vector,
            Elements::Own(vector) => vector,
            Elements::Operand(OperandVector::Read(_)) => panic!("an operand that is read is not written"),
        };
        (vector, matrix.rows)
    }

    /// Copies pivots to the device.
    pub(crate) fn set_pivots(&mut self, begin: usize, values: &[u32]) -> Result<()> {
        if let Some(Operand { vector: OperandVector::Written(pivots), .. }) = &mut self.pivots {
            pivots.write(begin, values)?;
        }
        Ok(())
    }

    /// Makes room for a matrix of this shape in one of the operands of its own. The elements are
    /// undefined.
    fn reserve(&mut self, index: usize, [rows, columns]: [usize; 2]) -> Result<()> {
        let len = rows * columns;
        let kept = self.matrices[index].take().filter(|matrix| matrix.vector.vector().len() >= len);
        let matrix = match kept {
            Some(kept) => DeviceMatrix { rows, ..kept },
            None => {
                let queue = self.matrix(0).vector.vector().queue();
                // SAFETY: each element is written before it is read: by `reflect`, and in squares the lower halves, which
                // alone are read.
                DeviceMatrix { vector: Elements::Own(unsafe { DeviceVec::uninit(queue, len) }?), rows }
            }
        };
        self.matrices[index] = Some(matrix);
        Ok(())
    }

    /// Returns the arguments for a block: the matrix, and the index of the first element; with the distance between
    /// columns.
    fn position(&self, block: &Block, access: Access) -> (Arg<'_>, usize, usize) {
        let DeviceMatrix { vector, rows } = self.matrix(block.matrix);
        let first = if block.is_empty() { 0 } else { block.columns.start * rows + block.rows.start };
        (Arg::Memory(vector.vector().buffer().memory(), access), first, *rows)
    }

    /// Returns the elements of a block, transposed or conjugated, and their layout.
    fn items(&self, block: &Block, form: Form) -> Result<(Expr<'_, T>, Layout)> {
        let DeviceMatrix { vector, rows } = self.matrix(block.matrix);
        let layout = match form {
            Form::Plain => blocks::transposed(block, *rows)?,
            Form::Adjoint => blocks::plain(block, *rows)?,
        };
        let items = ranked::load(vector.vector(), &layout);
        // The transpose of the adjoint is the conjugate.
        Ok((if form == Form::Plain { items } else { T::conjugate_items(items) }, layout))
    }

    /// Computes the product of two matrices, or subtracts it from what is there.
    fn product(
        &self,
        to: &Block,
        (left, left_form): (&Block, Form),
        (right, right_form): (&Block, Form),
        subtract: bool,
    ) -> Result<()> {
        assert!(!to.overlaps(left) && !to.overlaps(right), "operands do not overlap the result");
        let inner = if left_form == Form::Plain { left.columns.len() } else { left.rows.len() };
        if to.is_empty() || (subtract && inner == 0) {
            return Ok(());
        }
        let DeviceMatrix { vector, rows } = self.matrix(to.matrix);
        let layout = blocks::transposed(to, *rows)?;
        // SAFETY: the operands do not overlap the block. The expression that reads the block reads each element before
        // the same work-item writes it.
        let target = unsafe { RankedTarget::new(vector.vector(), layout) };
        // The transposed product is that of the transposed operands in the other order. Its rows are contiguous.
        let ((first, rows), (second, columns)) =
            (self.items(right, right_form)?, self.items(left, left_form)?);
        let operands = [(first, rows.shape()), (second, columns.shape())];
        let operation = self.operation;
        if subtract {
            let old = ranked::load(vector.vector(), &layout);
            ranked::contract(operation, target, operands, old, |product, old: Val<T>| old - product)?;
        } else {
            let nothing = cl_algo::zip(T::zeroed());
            ranked::contract(operation, target, operands, nothing, |product, _: Val<T>| product)?;
        }
        Ok(())
    }

    /// Enqueues a kernel for a number of units of work.
    fn launch<'s>(
        &'s self,
        panel: &'static Panel,
        units: usize,
        arguments: impl FnOnce(&Kernel<'_>) -> Vec<Arg<'s>>,
    ) -> Result<()> {
        let lens = self.matrices.iter().flatten().map(|matrix| matrix.vector.vector().len());
        let (queue, longest) = (self.matrix(0).vector.vector().queue(), lens.max().unwrap_or(0));
        panels::launch::<T>(self.operation, queue, longest, panel, units, arguments)
    }

    /// Divides the rows of a panel below its square by the adjoint of the square's lower half.
    pub(crate) fn divide_below(&self, panel: &Block) -> Result<()> {
        let profile = cl_algo::codegen::profile(self.matrix(0).vector.vector().queue().context())?;
        let Block { matrix, ref rows, ref columns } = *panel;
        let bottom = rows.start + columns.len();
        for part in algorithms::panels(columns.len(), panels::square_columns::<T>(&profile)) {
            let (top, left, right) =
                (rows.start + part.start, columns.start + part.start, columns.start + part.end);
            let (memory, first, stride) =
                self.position(&Block::new(matrix, top..bottom, left..right), Access::Write);
            // The kernel knows where the square ends and the rows below begin.
            let below = Block::new(matrix, bottom..rows.end, left..right);
            self.launch(&panels::DIVIDE, below.rows.len(), |kernel: &Kernel<'_>| {
                let indices = [first, stride].map(|number| kernel.index(number));
                let numbers =
                    [bottom - top, below.rows.len(), part.len()].map(|number| Arg::value(number as u32));
                [memory].into_iter().chain(indices).chain(numbers).collect()
            })?;
            let beside = Block::new(matrix, top + part.len()..bottom, left..right);
            let rest = Block::new(matrix, bottom..rows.end, right..columns.end);
            self.product(&rest, (&below, Form::Plain), (&beside, Form::Adjoint), true)?;
        }
        Ok(())
    }

    /// Factorises the square at the top of a panel, and divides the rows below by the adjoint of the factor, in steps of `most`
    /// columns: one launch each.
    fn cholesky_steps(&mut self, panel: &Block, most: usize) -> Result<()> {
        let Block { matrix, ref rows, ref columns } = *panel;
        let queue = self.matrix(0).vector.vector().queue();
        let is_real_double = T::TYPE == <f64 as Element>::TYPE;
        let step = if is_real_double && cl_algo::codegen::multiplies_doubles(queue)? {
            &panels::CHOLESKY_UNIT_STEP
        } else {
            &panels::CHOLESKY_STEP
        };
        self.reserve(SQUARES, [columns.len(), most])?;
        for square in algorithms::panels(columns.len(), most) {
            let (top, right) = (rows.start + square.start, columns.start + square.end);
            let (memory, first, stride) =
                self.position(&Block::new(matrix, top..rows.end, columns.start..right), Access::Write);
            let to = Block::new(SQUARES, square.clone(), 0..square.len());
            let (squares, square_first, square_stride) = self.position(&to, Access::Write);
            let below = rows.len() - square.end;
            // The square needs a work-group, even if there are no rows below it.
            self.launch(step, below.max(1), |kernel| {
                let indices = [first, stride, square_first, square_stride].map(|number| kernel.index(number));
                let numbers = [square.len(), below, square.start].map(|number| Arg::value(number as u32));
                [memory, squares].into_iter().chain(indices).chain(numbers).collect()
            })?;
        }
        let (memory, first, stride) = self.position(panel, Access::Write);
        let (squares, _, square_stride) =
            self.position(&Block::new(SQUARES, 0..columns.len(), 0..most), Access::Read);
        self.launch(&panels::PUT_SQUARES, columns.len(), |kernel| {
            let indices = [first, stride, square_stride].map(|number| kernel.index(number));
            let width = Arg::value(columns.len() as u32);
            [memory, squares].into_iter().chain(indices).chain([width]).collect()
        })
    }
}

impl<T: Scalar> BlockedOps<T> for DeviceOps<'_, T> {
    fn solve_block(&self) -> usize {
        SOLVE_ROWS
    }

    fn lu_panel(&mut self, panel: &Block) -> Result<()> {
        assert!(panel.columns.len() <= MOST_COLUMNS, "a panel has at most {MOST_COLUMNS} columns");
        self.eliminate(panel)
    }

    fn exchange_rows(&mut self, of: &Block, pivots: Range<usize>, backwards: bool) -> Result<()> {
        let Some(all) = &self.pivots else { return Ok(()) };
        let all = Arg::Memory(all.vector.vector().buffer().memory(), Access::Read);
        let (matrix, first, stride) = self.position(of, Access::Write);
        self.launch(&panels::EXCHANGE, of.columns.len(), |kernel| {
            let own = [matrix, all, kernel.index(first), kernel.index(stride)];
            let numbers = [of.columns.len(), pivots.start, pivots.end, usize::from(backwards)];
            own.into_iter().chain(numbers.map(|number| Arg::value(number as u32))).collect()
        })
    }

    fn cholesky_panel(&mut self, panel: &Block) -> Result<()> {
        let queue = self.matrix(0).vector.vector().queue().clone();
        let profile = cl_algo::codegen::profile(queue.context())?;
        let most = panels::square_columns::<T>(&profile);
        // A step takes up to 26 KiB of local memory, and whole warps. OpenCL demands 32 KiB of devices with its full profile.
        if !profile.chunked && profile.largest_group >= 32 && profile.local_memory >= 32 << 10 {
            return self.cholesky_steps(panel, most);
        }
        let Block { matrix, ref rows, ref columns } = *panel;
        for square in algorithms::panels(columns.len(), most) {
            let (top, left) = (rows.start + square.start, columns.start + square.start);
            let (bottom, right) = (rows.start + square.end, columns.start + square.end);
            let own = Block::new(matrix, top..rows.end, left..right);
            let (memory, first, stride) = self.position(&own, Access::Write);
            self.launch(&panels::CHOLESKY_SQUARE, 1, |kernel| {
                vec![memory, kernel.index(first), kernel.index(stride), Arg::value(square.len() as u32)]
            })?;
            self.divide_below(&own)?;
            let below = Block::new(matrix, bottom..rows.end, left..right);
            let beside = Block::new(matrix, bottom..rows.start + columns.len(), left..right);
            let rest = Block::new(matrix, bottom..rows.end, right..columns.end);
            self.subtract_product(&rest, (&below, Form::Plain), (&beside, Form::Adjoint))?;
        }
        Ok(())
    }

    fn qr_panel(&mut self, panel: &Block, factor: &Block) -> Result<()> {
        let width = panel.columns.len();
        assert!(width <= MOST_COLUMNS, "a panel has at most {MOST_COLUMNS} columns");
        self.factorize_panel(panel, factor)
    }

    fn solve_triangle(&mut self, triangle: &Triangle, right: &Block) -> Result<()> {
        let &Triangle { ref block, lower, unit, form } = triangle;
        assert!(!right.overlaps(block), "operands do not overlap the result");
        let (matrix, first, stride) = self.position(block, Access::Read);
        let (target, target_first, target_stride) = self.position(right, Access::Write);
        let [size, sides] = right.shape();
        self.launch(&panels::SOLVE, sides, |kernel| {
            let indices = [first, stride, target_first, target_stride].map(|number| kernel.index(number));
            let flags = [lower, unit, form == Form::Adjoint].map(usize::from);
            let numbers = [size, sides].into_iter().chain(flags);
            let numbers = numbers.map(|number| Arg::value(number as u32));
            [matrix, target].into_iter().chain(indices).chain(numbers).collect()
        })
    }

    fn subtract_product(&mut self, from: &Block, left: (&Block, Form), right: (&Block, Form)) -> Result<()> {
        self.product(from, left, right, true)
    }

    fn subtract_hermitian(&mut self, from: &Block, a: &Block) -> Result<()> {
        assert!(!from.overlaps(a), "operands do not overlap the result");
        if from.is_empty() || a.is_empty() {
            return Ok(());
        }
        let DeviceMatrix { vector, rows } = self.matrix(from.matrix);
        // SAFETY: the operand does not overlap the block, of which each element is read before the same work-item writes
        // it.
        let target = unsafe { RankedTarget::new(vector.vector(), blocks::transposed(from, *rows)?) };
        // The lower half is the upper one of the transposed block. The product is its own adjoint.
        let upper = Triangles { output: Some(Half::Upper), ..Triangles::default() };
        let ((first, rows), (second, columns)) = (self.items(a, Form::Adjoint)?, self.items(a, Form::Plain)?);
        let operands = [(first, rows.shape()), (second, columns.shape())];
        let subtract = |product, own: Val<T>| own - product;
        Ok(ranked::contract_with(self.operation, target, operands, upper, subtract)?)
    }

    fn reflect(&mut self, vectors: &Block, factor: &Block, form: Form, of: &Block) -> Result<()> {
        if of.is_empty() || vectors.is_empty() {
            return Ok(());
        }
        let ([height, width], columns) = (vectors.shape(), of.columns.len());
        self.reserve(VECTORS, [height, width])?;
        self.reserve(PRODUCTS, [width, columns])?;
        self.reserve(WEIGHTED, [width, columns])?;
        let whole = Block::new(VECTORS, 0..height, 0..width);
        {
            let (matrix, first, stride) = self.position(vectors, Access::Read);
            let (copy, _, _) = self.position(&whole, Access::Write);
            self.launch(&panels::COPY_VECTORS, width, |kernel| {
                let indices = [first, stride].map(|number| kernel.index(number));
                [matrix, copy].into_iter().chain(indices).chain([Arg::value(height as u32)]).collect()
            })?;
        }
        let products = Block::new(PRODUCTS, 0..width, 0..columns);
        let weighted = Block::new(WEIGHTED, 0..width, 0..columns);
        self.product(&products, (&whole, Form::Adjoint), (of, Form::Plain), false)?;
        self.product(&weighted, (factor, form), (&products, Form::Plain), false)?;
        self.product(of, (&whole, Form::Plain), (&weighted, Form::Plain), true)
    }

    fn diagonal(&mut self, of: &Block) -> Result<Vec<T>> {
        let DeviceMatrix { vector, rows } = self.matrix(of.matrix);
        Ok(blocks::diagonal(self.operation, vector.vector(), of, *rows)?)
    }

    fn is_finite(&mut self, of: &Block, lower: bool) -> Result<bool> {
        let DeviceMatrix { vector, rows } = self.matrix(of.matrix);
        Ok(blocks::is_finite(self.operation, vector.vector(), of, *rows, lower)?)
    }

    fn finish(self) -> Result<()> {
        Ok(())
    }
}
