//! Products of matrices and vectors.

use crate::array::Array;
use crate::expr::{ArrayExpr, ArrayOperand};
use crate::rank::{Broadcast, Rank};
use crate::view::ArrayViewMut;
use cl_algo::ranked::{self, AxisMap, Layout, RankedSink, RankedTarget, Triangles};
use cl_algo::{DeviceVec, Element, Expr, Item, Number, Recorded, Val};
use cl_core::{Error, Result};

/// The result of a product of arrays of ranks `N` and `M`.
pub(crate) type Product<T, const N: usize, const M: usize> = <Rank<N> as Broadcast<Rank<M>>>::Array<T>;

/// The minimal number of rows and of columns of products that are computed from panels. Smaller ones are sums along
/// an axis, which read their operands where they are.
const LEAST: usize = 4;

impl<'a, T: Number, const N: usize> ArrayExpr<'a, T, N> {
    /// Returns the product of two matrices, of shapes `[m, k]` and `[k, n]`, or of stacks of matrices in the last two
    /// axes. The other axes are broadcast. The operands are evaluated inside the product, each element once, or, where that is
    /// faster, once for each block of the product that needs it.
    ///
    /// A float is a sum of products, each of which is added with one rounding or with two, in an order that depends on
    /// the shapes, the layout of the output, whether the operands take few operations, and the device only. Matrices of
    /// `f32` that are both [rounded](ArrayExpr::round_to) to a shorter format are multiplied by the matrix units of GPUs that
    /// have them.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 2], &[1.0_f32, 2.0, 3.0, 4.0])?;
    /// let b = Array::from_slice(&queue, [2, 3], &[1.0_f32, 0.0, 2.0, 0.0, 1.0, 1.0])?;
    /// assert_eq!(a.matmul(&b)?.to_vec()?, [1.0, 2.0, 4.0, 3.0, 4.0, 10.0]);
    /// assert_eq!((2.0 * a.t()).matmul(&b)?.to_vec()?, [2.0, 6.0, 10.0, 4.0, 8.0, 16.0]);
    ///
    /// let stack = Array::from_slice(&queue, [2, 1, 2], &[1.0_f32, 0.0, 0.0, 1.0])?;
    /// assert_eq!(stack.matmul(&b)?.shape(), [2, 1, 3]); // two products
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`] unless the first matrices have as many columns as the second ones have rows, if an
    /// operand has fewer than two axes, or if the other axes cannot be broadcast; as [`ArrayExpr::collect`].
    #[doc(alias("dot", "gemm", "product", "bmm"))]
    pub fn matmul<const M: usize>(self, other: impl ArrayOperand<'a, T, M>) -> Result<Product<T, N, M>>
    where
        Rank<N>: Broadcast<Rank<M>>,
    {
        let (vector, shape) = Pair::of("matmul", self, other.into_array_expr())?.product()?;
        <Rank<N> as Broadcast<Rank<M>>>::array(vector, &shape)
    }

    /// Returns what a closure computes of each element of a product of matrices and of the element of `with` at the same
    /// coordinates, in the kernel that multiplies. `with` is broadcast to the shape of the product. See
    /// [`matmul`](ArrayExpr::matmul).
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let inputs = Array::from_slice(&queue, [2, 2], &[1.0_f32, 2.0, 3.0, 4.0])?;
    /// let weights = Array::from_slice(&queue, [2, 2], &[1.0_f32, -1.0, 0.0, 1.0])?;
    /// let bias = Array::from_slice(&queue, [2], &[0.5_f32, -1.0])?;
    /// let layer = inputs.matmul_with(&weights, &bias, |product, bias| (product + bias).max(0.0))?;
    /// assert_eq!(layer.to_vec()?, [1.5, 0.0, 3.5, 0.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`matmul`](ArrayExpr::matmul); [`Error::InvalidInput`] if `with` cannot be broadcast to the product's shape.
    #[doc(alias("gemm", "addmm", "linear"))]
    pub fn matmul_with<E: Item, R: Recorded, const M: usize, const L: usize>(
        self,
        other: impl ArrayOperand<'a, T, M>,
        with: impl ArrayOperand<'a, E, L>,
        finish: impl FnOnce(Val<T>, E::Values) -> R,
    ) -> Result<Product<R::Item, N, M>>
    where
        R::Item: Element,
        Rank<N>: Broadcast<Rank<M>>,
    {
        let pair = Pair::of("matmul_with", self, other.into_array_expr())?;
        let with = with.into_array_expr();
        let shape = pair.shape();
        if ranked::broadcast("matmul_with", &with.shape(), &shape)? != shape {
            let reason = format!(
                "an operand of shape {:?} cannot be broadcast to the product's shape {shape:?}",
                with.shape()
            );
            return Err(Error::invalid_input("matmul_with", reason));
        }
        let vector = pair.contract(with.repeated(&shape), finish)?;
        <Rank<N> as Broadcast<Rank<M>>>::array(vector, &shape)
    }
}

impl<'a, T: Number> ArrayExpr<'a, T, 2> {
    /// Returns the product of a matrix of shape `[m, k]` and a vector of length `k`.
    ///
    /// # Errors
    /// As [`matmul`](ArrayExpr::matmul).
    #[doc(alias("dot", "gemv"))]
    pub fn matvec(self, vector: impl ArrayOperand<'a, T, 1>) -> Result<Array<T, 1>> {
        let vector = vector.into_array_expr();
        let ([m, k], [len]) = (self.shape(), vector.shape());
        fits("matvec", [k, len], &self.shape(), &vector.shape())?;
        let vector = vector.into_inner().at_coordinates(&[AxisMap::whole(1)], 2);
        ArrayExpr::lazy(self.into_inner() * vector, [m, k]).sum_axis(1)
    }
}

impl<'a, T: Number> ArrayExpr<'a, T, 1> {
    /// Returns the sum of the products of the elements of two vectors. Complex elements are not conjugated.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [3], &[1, 2, 3])?;
    /// let b = Array::from_slice(&queue, [3], &[4, 5, 6])?;
    /// assert_eq!(a.dot(&b)?, 32);
    /// assert_eq!(a.outer(&b).row(1).to_vec()?, [8, 10, 12]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for different lengths; as [`ArrayExpr::collect`].
    #[doc(alias("inner", "inner_product", "vdot"))]
    pub fn dot(self, other: impl ArrayOperand<'a, T, 1>) -> Result<T> {
        let other = other.into_array_expr();
        let ([left], [right]) = (self.shape(), other.shape());
        fits("dot", [left, right], &self.shape(), &other.shape())?;
        (self * other).sum()
    }

    /// Returns the matrix of the products of each element of this vector with each of another one, lazily.
    #[doc(alias("outer_prod", "ger"))]
    pub fn outer(self, other: impl ArrayOperand<'a, T, 1>) -> ArrayExpr<'a, T, 2> {
        let other = other.into_array_expr();
        let ([rows], [columns]) = (self.shape(), other.shape());
        let left = self.into_inner().at_coordinates(&[AxisMap::whole(0)], 2);
        let right = other.into_inner().at_coordinates(&[AxisMap::whole(1)], 2);
        ArrayExpr::lazy(left * right, [rows, columns])
    }
}

/// Returns an error unless the two lengths that a product adds over are equal.
fn fits(operation: &'static str, [left, right]: [usize; 2], shape: &[usize], other: &[usize]) -> Result<()> {
    if left != right {
        let reason = format!(
            "shapes {shape:?} and {other:?}: the product adds along an axis of length {left} of the first and of length \
             {right} of the second; they must be equal"
        );
        return Err(Error::invalid_input(operation, reason));
    }
    Ok(())
}

/// Two operands whose last two axes are matrices.
struct Pair<'a, T: Item> {
    operation: &'static str,
    operands: [Expr<'a, T>; 2],
    /// The shapes of the operands' axes in front of the matrices.
    own: [Vec<usize>; 2],
    /// The axes in front of the matrices of the product.
    batch: Vec<usize>,
    /// The numbers of rows of the first matrix, of its columns, and of columns of the second.
    sizes: [usize; 3],
}

impl<'a, T: Number> Pair<'a, T> {
    fn of<const N: usize, const M: usize>(
        operation: &'static str,
        left: ArrayExpr<'a, T, N>,
        right: ArrayExpr<'a, T, M>,
    ) -> Result<Pair<'a, T>> {
        let (left_shape, right_shape) = (left.shape(), right.shape());
        let (&[ref left_batch @ .., m, k], &[ref right_batch @ .., rows, n]) =
            (&left_shape[..], &right_shape[..])
        else {
            let reason = format!(
                "shapes {left_shape:?} and {right_shape:?}: both operands need two axes or more; a vector is multiplied \
                 by `matvec` or `dot`"
            );
            return Err(Error::invalid_input(operation, reason));
        };
        fits(operation, [k, rows], &left_shape, &right_shape)?;
        Ok(Pair {
            operation,
            own: [left_batch.to_vec(), right_batch.to_vec()],
            batch: ranked::broadcast(operation, left_batch, right_batch)?,
            operands: [left.into_inner(), right.into_inner()],
            sizes: [m, k, n],
        })
    }

    /// Returns the shape of the product.
    fn shape(&self) -> Vec<usize> {
        let [m, _, n] = self.sizes;
        self.batch.iter().copied().chain([m, n]).collect()
    }

    /// Returns the maps of an operand's batch axes, in a space that begins with the axes `self.batch`.
    fn batch_maps(&self, operand: usize) -> impl Iterator<Item = AxisMap> {
        let (own, batch) = (&self.own[operand], &self.batch);
        let ahead = batch.len() - own.len();
        own.iter().enumerate().map(move |(axis, &len)| {
            if len == 1 && batch[ahead + axis] != 1 { AxisMap::at(0) } else { AxisMap::whole(ahead + axis) }
        })
    }

    /// Returns the product, in row-major order, and its shape.
    fn product(self) -> Result<(DeviceVec<T>, Vec<usize>)> {
        let [m, k, n] = self.sizes;
        let (shape, rank) = (self.shape(), self.batch.len());
        // Small products are sums along an axis of the space of all products of elements.
        if m.min(n) >= LEAST || rank + 3 > ranked::MAX_RANK {
            let vector = self.contract(cl_algo::zip(T::zeroed()), |item, _: Val<T>| item)?;
            return Ok((vector, shape));
        }
        let [left, right] = [0, 1].map(|operand| -> Vec<AxisMap> {
            let matrix = [rank + operand, rank + operand + 1].map(AxisMap::whole);
            self.batch_maps(operand).chain(matrix).collect()
        });
        let [a, b] = self.operands;
        let value = a.at_coordinates(&left, rank + 3) * b.at_coordinates(&right, rank + 3);
        let space: Vec<usize> = self.batch.iter().copied().chain([m, k, n]).collect();
        Ok((sums(self.operation, value, &space, &[rank + 1], &shape)?, shape))
    }

    /// Returns an error unless the product has the shape of the array that it is assigned to.
    fn has_shape(&self, own: &[usize]) -> Result<()> {
        let shape = self.shape();
        if own != shape {
            let reason =
                format!("the product has shape {shape:?}, and the array that it is assigned to {own:?}");
            return Err(Error::invalid_input(self.operation, reason));
        }
        Ok(())
    }

    /// Returns what `finish` computes of each element of the product, and of an expression over its space.
    fn contract<E: Item, R: Recorded>(
        self,
        with: Expr<'a, E>,
        finish: impl FnOnce(Val<T>, E::Values) -> R,
    ) -> Result<DeviceVec<R::Item>>
    where
        R::Item: Element,
    {
        let [left, right] = &self.operands;
        let both = left.clone() * right.clone();
        let queue = ranked::queue_of(self.operation, &both)?;
        let layout = Layout::row_major(&self.shape())?;
        // SAFETY: the kernels enqueued next write every element. If they cannot be enqueued, the vector is dropped.
        let vector = unsafe { DeviceVec::uninit(queue, layout.len()) }?;
        // SAFETY: nothing else knows the vector.
        self.contract_into(unsafe { RankedTarget::new(&vector, layout) }, with, finish)?;
        Ok(vector)
    }

    /// Does the same as [`contract`](Pair::contract), with an output of the product's shape.
    fn contract_into<'t, E: Item, R: Recorded>(
        self,
        output: impl RankedSink<'t, R::Item>,
        with: Expr<'t, E>,
        finish: impl FnOnce(Val<T>, E::Values) -> R,
    ) -> Result<()>
    where
        'a: 't,
    {
        let operation = self.operation;
        let [(left, rows), (right, columns)] = self.matrices();
        ranked::contract(operation, output, [(left, &rows), (right, &columns)], with, finish)
    }

    /// Does the same as [`contract_into`](Pair::contract_into) with the output's own elements as the other operand.
    fn contract_with<'t, R: Recorded>(
        self,
        output: impl RankedSink<'t, R::Item>,
        finish: impl FnOnce(Val<T>, <R::Item as Item>::Values) -> R,
    ) -> Result<()>
    where
        'a: 't,
    {
        let operation = self.operation;
        let [(left, rows), (right, columns)] = self.matrices();
        ranked::contract_with(
            operation,
            output,
            [(left, &rows), (right, &columns)],
            Triangles::default(),
            finish,
        )
    }

    /// Returns the operands of [`ranked::contract`], with their shapes.
    fn matrices(self) -> [(Expr<'a, T>, Vec<usize>); 2] {
        let maps = [0, 1].map(|operand| self.batch_maps(operand).collect::<Vec<_>>());
        let Pair { operands, own, batch, sizes, .. } = self;
        let mut maps = maps.into_iter().zip(own).zip(sizes.windows(2));
        operands.map(|operand| {
            let ((mut maps, own), matrix) = maps.next().unwrap_or_default();
            // An operand that all products share has no axes in front of the matrix.
            let batched = own.iter().any(|&len| len != 1);
            let rank = if batched { batch.len() } else { 0 };
            if !batched {
                maps.iter_mut().for_each(|map| *map = AxisMap::at(0));
            }
            maps.extend([rank, rank + 1].map(AxisMap::whole));
            let shape = batch[..rank].iter().chain(matrix).copied().collect();
            (operand.at_coordinates(&maps, rank + 2), shape)
        })
    }
}

impl<'a, T: Number, const N: usize> ArrayViewMut<'a, T, N> {
    /// Evaluates a product of matrices into the view, whose shape must be that of the product. See
    /// [`ArrayExpr::matmul`].
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 2], &[1, 2, 3, 4])?;
    /// let mut c = Array::filled(&queue, [3, 3], 0)?;
    /// c.slice_mut(s![1.., 1..]).assign_matmul(&a, a.t())?;
    /// assert_eq!(c.to_vec()?, [0, 0, 0, 0, 5, 11, 0, 11, 25]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`ArrayExpr::matmul`]; [`Error::InvalidInput`] if the view has another shape than the product.
    #[doc(alias("out", "gemm"))]
    pub fn assign_matmul<const L: usize, const M: usize>(
        self,
        left: impl ArrayOperand<'a, T, L>,
        right: impl ArrayOperand<'a, T, M>,
    ) -> Result<()> {
        let pair = Pair::of("assign_matmul", left.into_array_expr(), right.into_array_expr())?;
        pair.has_shape(&self.shape())?;
        pair.contract_into(self.into_target()?, cl_algo::zip(T::zeroed()), |item, _: Val<T>| item)
    }

    /// Adds a product of matrices to the view: `C = alpha A B + beta C`, in the kernel that multiplies. `C` is not read
    /// if `beta` is zero, and NaN in `A` and `B` does not matter if `alpha` is zero.
    ///
    /// The operands are any expressions, transposed views and parts of the same array included: [`split_at`] gives
    /// parts of one array without a common element.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 2], &[1, 2, 3, 4])?;
    /// let mut c = Array::filled(&queue, [2, 2], 10)?;
    /// c.add_matmul(-1, &a, a.t(), 2)?;
    /// assert_eq!(c.to_vec()?, [15, 9, 9, -5]);
    ///
    /// // The last column less the product of the first two.
    /// let mut d = Array::from_slice(&queue, [2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// let (left, right) = d.view_mut().split_at(1, 2)?;
    /// right.add_matmul(-1, left.view(), a.column(0).insert_axis(1), 1)?;
    /// assert_eq!(d.to_vec()?, [1, 2, -4, 4, 5, -13]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`assign_matmul`](ArrayViewMut::assign_matmul).
    ///
    /// [`split_at`]: ArrayViewMut::split_at
    #[doc(alias("gemm", "baddbmm", "addmm", "accumulate"))]
    pub fn add_matmul<const L: usize, const M: usize>(
        self,
        alpha: T,
        left: impl ArrayOperand<'a, T, L>,
        right: impl ArrayOperand<'a, T, M>,
        beta: T,
    ) -> Result<()>
    where
        T: PartialEq,
    {
        let pair = Pair::of("add_matmul", left.into_array_expr(), right.into_array_expr())?;
        pair.has_shape(&self.shape())?;
        let target = self.into_target()?;
        // Scalars are launch values: other factors do not compile other kernels.
        // A factor of zero leaves out its numbers, which may be NaN, as in the BLAS.
        let product = |item: Val<T>| if alpha == T::zeroed() { Val::known(alpha) } else { item * alpha };
        if beta == T::zeroed() {
            return pair.contract_into(target, cl_algo::zip(T::zeroed()), |item, _: Val<T>| product(item));
        }
        pair.contract_with(target, |item, own| product(item) + own * beta)
    }
}

/// Returns the sums of a lazy array of shape `space` along `axes`. The sums have the shape `shape`.
pub(crate) fn sums<T: Number>(
    operation: &'static str,
    value: Expr<'_, T>,
    space: &[usize],
    axes: &[usize],
    shape: &[usize],
) -> Result<DeviceVec<T>> {
    let queue = ranked::queue_of(operation, &value)?;
    let layout = Layout::row_major(shape)?;
    if axes.iter().any(|&axis| space[axis] == 0) {
        return DeviceVec::filled(queue, T::zeroed(), layout.len());
    }
    // SAFETY: the kernels enqueued next write every element. If they cannot be enqueued, the vector is dropped.
    let vector = unsafe { DeviceVec::uninit(queue, layout.len()) }?;
    // SAFETY: nothing else knows the vector.
    let target = unsafe { RankedTarget::new(&vector, layout) };
    ranked::fold::<T, Val<T>>(operation, target, value, (space, axes), |a, b| a + b, |sum| sum)?;
    Ok(vector)
}
