//! Sums of products over any axes of two arrays.
//!
//! Each axis has a label. Axes with the same label have the same coordinate. Labels that the result does not have are
//! summed over.

use crate::array::Array;
use crate::expr::ArrayOperand;
use crate::product::sums;
use cl_algo::ranked::{self, AxisMap, Layout, MAX_RANK, RankedTarget};
use cl_algo::{DeviceVec, Expr, Number, Val};
use cl_core::{Error, Queue, Result};

/// Multiplies the elements of two arrays and adds the products over pairs of axes, one of `left` and one of `right`. The
/// result has the other axes of `left`, then the other axes of `right`.
///
/// ```
/// use cl_array::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = Array::from_fn(&queue, [2, 3, 4], |[i, j, k]| i + j + k)?;
/// let b = Array::from_fn(&queue, [4, 3], |[k, j]| k * j)?;
/// let c: Array<u64, 1> = contract(&a, &b, &[(1, 1), (2, 0)])?; // the sum over j and k
/// assert_eq!(c.to_vec()?, [72, 90]);
/// let d: Array<u64, 3> = contract(&a, &b, &[(2, 0)])?;
/// assert_eq!(d.shape(), [2, 3, 3]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`Error::InvalidInput`] for an axis that an array does not have or that is given twice, for pairs of different
/// lengths, and unless `R` is the number of the other axes; as [`ArrayExpr::collect`](crate::ArrayExpr::collect).
#[doc(alias("tensordot", "contraction", "tensor_product"))]
pub fn contract<'a, T: Number, const N: usize, const M: usize, const R: usize>(
    left: impl ArrayOperand<'a, T, N>,
    right: impl ArrayOperand<'a, T, M>,
    pairs: &[(usize, usize)],
) -> Result<Array<T, R>> {
    let (left, right) = (left.into_array_expr(), right.into_array_expr());
    let mut labels: [Vec<char>; 2] = [label(0, N), label(N, M)];
    let [of_left, of_right] = &mut labels;
    for (at, &(i, j)) in pairs.iter().enumerate() {
        if i >= N || j >= M || pairs[..at].iter().any(|&(k, l)| k == i || l == j) {
            let reason = format!(
                "the pair of axes ({i}, {j}) among {pairs:?}, of arrays that have {N} and {M} axes; each axis can be \
                 summed over once"
            );
            return Err(Error::invalid_input("contract", reason));
        }
        of_right[j] = of_left[i];
    }
    let is_single = |other: &[char]| {
        let other = other.to_vec();
        move |label: &char| !other.contains(label)
    };
    let free_left = of_left.iter().copied().filter(is_single(of_right));
    let free_right = of_right.iter().copied().filter(is_single(of_left));
    let result: Vec<char> = free_left.chain(free_right).collect();
    let shapes = [left.shape().to_vec(), right.shape().to_vec()];
    let operands = [left.into_inner(), right.into_inner()];
    Contraction::of("contract", labels, shapes, result)?.evaluate(operands)
}

/// Returns `count` labels, from number `first` on.
fn label(first: usize, count: usize) -> Vec<char> {
    ('a'..='z').skip(first).take(count).collect()
}

/// Multiplies the elements of two arrays and adds products, by Einstein's rule: `subscripts` has a letter for each axis
/// of both arrays and of the result, and the products are added over all letters that the result does not have.
///
/// A letter that is twice in one array takes its diagonal. Without `->`, the result has the letters that are there once,
/// in alphabetical order. Spaces do not matter.
///
/// ```
/// use cl_array::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = Array::from_slice(&queue, [2, 2], &[1, 2, 3, 4])?;
/// let b = Array::from_slice(&queue, [2, 2], &[5, 6, 7, 8])?;
/// let product: Array<i32, 2> = einsum("ij,jk->ik", &a, &b)?;
/// assert_eq!(product.to_vec()?, [19, 22, 43, 50]);
/// let rows: Array<i32, 1> = einsum("ij,ij->i", &a, &b)?; // the dot product of each pair of rows
/// assert_eq!(rows.to_vec()?, [17, 53]);
/// let traces: Array<i32, 0> = einsum("ii,jj->", &a, &b)?; // the product of the traces
/// assert_eq!(traces.to_vec()?, [65]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`Error::InvalidInput`] for subscripts that do not have the arrays' numbers of axes or `R` letters for the result,
/// for axes of one letter with different lengths, for more than 6 letters in a result, and for ellipses; as
/// [`ArrayExpr::collect`](crate::ArrayExpr::collect).
pub fn einsum<'a, T: Number, const N: usize, const M: usize, const R: usize>(
    subscripts: &str,
    left: impl ArrayOperand<'a, T, N>,
    right: impl ArrayOperand<'a, T, M>,
) -> Result<Array<T, R>> {
    let (left, right) = (left.into_array_expr(), right.into_array_expr());
    let (labels, result) = parsed(subscripts)?;
    let shapes = [left.shape().to_vec(), right.shape().to_vec()];
    let operands = [left.into_inner(), right.into_inner()];
    Contraction::of("einsum", labels, shapes, result)?.evaluate(operands)
}

/// Returns the labels of the operands' axes, and those of the result.
fn parsed(subscripts: &str) -> Result<([Vec<char>; 2], Vec<char>)> {
    let wrong =
        |reason: &str| Err(Error::invalid_input("einsum", format!("subscripts {subscripts:?}: {reason}")));
    let text: String = subscripts.chars().filter(|c| !c.is_whitespace()).collect();
    let (operands, result) = match text.split_once("->") {
        Some((operands, result)) => (operands, Some(result)),
        None => (&text[..], None),
    };
    if !operands.chars().chain(result.unwrap_or("").chars()).all(|c| c.is_ascii_alphabetic() || c == ',') {
        return wrong("an axis is an ASCII letter; write the letters of all axes, as in `ij,jk->ik`");
    }
    let (Some((left, right)), false) =
        (operands.split_once(','), result.is_some_and(|text| text.contains(',')))
    else {
        return wrong("there are two operands, with a comma between them, and one result");
    };
    if right.contains(',') {
        return wrong("there are two operands; multiply more of them in several steps");
    }
    let labels = [left.chars().collect::<Vec<_>>(), right.chars().collect::<Vec<_>>()];
    let result = result.map_or_else(
        || {
            let all: Vec<char> = labels.concat();
            let mut once: Vec<char> = all
                .iter()
                .copied()
                .filter(|label| all.iter().filter(|other| *other == label).count() == 1)
                .collect();
            once.sort_unstable();
            once
        },
        |result| result.chars().collect(),
    );
    Ok((labels, result))
}

/// A sum of products over labelled axes.
struct Contraction {
    operation: &'static str,
    /// The label of each axis of both operands.
    labels: [Vec<char>; 2],
    result: Vec<char>,
    /// All labels, each once, and the lengths of their axes.
    lens: Vec<(char, usize)>,
}

/// The labels of a product of matrices, by what they are there.
struct Roles {
    /// In both operands and in the result.
    batch: Vec<char>,
    /// In one operand and in the result.
    free: [Vec<char>; 2],
    /// In both operands and not in the result.
    inner: Vec<char>,
    /// In one operand only.
    alone: [Vec<char>; 2],
}

impl Contraction {
    fn of(
        operation: &'static str,
        labels: [Vec<char>; 2],
        shapes: [Vec<usize>; 2],
        result: Vec<char>,
    ) -> Result<Contraction> {
        let wrong = |reason: String| Err(Error::invalid_input(operation, reason));
        let mut lens: Vec<(char, usize)> = Vec::new();
        for (labels, shape) in labels.iter().zip(&shapes) {
            if labels.len() != shape.len() {
                let text: String = labels.iter().collect();
                return wrong(format!(
                    "{text:?} has {} letters; an array of shape {shape:?} needs one for each axis",
                    labels.len()
                ));
            }
            for (&label, &len) in labels.iter().zip(shape) {
                match lens.iter().find(|&&(known, _)| known == label) {
                    Some(&(_, known)) if known != len => {
                        return wrong(format!(
                            "shapes {:?} and {:?}: axes that are summed over or taken together have lengths {known} and \
                             {len}; they must be equal",
                            shapes[0], shapes[1]
                        ));
                    }
                    Some(_) => {}
                    None => lens.push((label, len)),
                }
            }
        }
        for (at, label) in result.iter().enumerate() {
            if result[..at].contains(label) || !lens.iter().any(|(known, _)| known == label) {
                return wrong(format!(
                    "the result's letter {label:?} must be a letter of an operand, and be there once"
                ));
            }
        }
        if result.len() > MAX_RANK {
            return wrong(format!("the result has {} axes; arrays have at most {MAX_RANK}", result.len()));
        }
        Ok(Contraction { operation, labels, result, lens })
    }

    fn len(&self, label: char) -> usize {
        self.lens.iter().find(|&&(known, _)| known == label).map_or(1, |&(_, len)| len)
    }

    fn shape(&self, labels: &[char]) -> Vec<usize> {
        labels.iter().map(|&label| self.len(label)).collect()
    }

    /// Returns an operand as an expression over the space of these labels.
    fn over<'a, T: Number>(&self, operand: Expr<'a, T>, own: &[char], space: &[char]) -> Expr<'a, T> {
        let axis = |label: &char| space.iter().position(|other| other == label);
        let maps: Vec<AxisMap> =
            own.iter().map(|label| axis(label).map_or(AxisMap::at(0), AxisMap::whole)).collect();
        operand.at_coordinates(&maps, space.len())
    }

    fn evaluate<T: Number, const R: usize>(mut self, mut operands: [Expr<'_, T>; 2]) -> Result<Array<T, R>> {
        if self.result.len() != R {
            let reason = format!("the result has {} axes, and {R} are asked for", self.result.len());
            return Err(Error::invalid_input(self.operation, reason));
        }
        let shape = self.shape(&self.result);
        let vector = if self.roles().is_some() && self.has_left_columns() {
            self.labels.swap(0, 1);
            operands.swap(0, 1);
            self.product(operands, &shape)?
        } else {
            self.product(operands, &shape)?
        };
        Array::from_vec(vector, std::array::from_fn(|axis| shape[axis]))
    }

    fn product<T: Number>(&self, operands: [Expr<'_, T>; 2], shape: &[usize]) -> Result<DeviceVec<T>> {
        match self.roles() {
            Some(roles) => self.as_matrices(&roles, operands),
            None => self.as_sum(operands, shape),
        }
    }

    /// Returns whether the last axis of the result, along which its elements are neighbours in memory, is an axis of the
    /// left operand alone. The product of the operands in the other order then has its columns there.
    fn has_left_columns(&self) -> bool {
        let [left, right] = &self.labels;
        self.result.last().is_some_and(|label| left.contains(label) && !right.contains(label))
    }

    /// Returns the roles of the labels in a product of matrices; `None` if all labels together are the axes of one space,
    /// and matrices would be small.
    fn roles(&self) -> Option<Roles> {
        /// The minimal number of rows and of columns that are worth panels.
        const LEAST: usize = 4;
        let [left, right] = &self.labels;
        let mut roles = Roles {
            batch: Vec::new(),
            free: [Vec::new(), Vec::new()],
            inner: Vec::new(),
            alone: [Vec::new(), Vec::new()],
        };
        // The order of the result, so that few results have to be reordered.
        let summed = self.lens.iter().map(|&(label, _)| label).filter(|label| !self.result.contains(label));
        for label in self.result.iter().copied().chain(summed) {
            let role = match (left.contains(&label), right.contains(&label), self.result.contains(&label)) {
                (true, true, true) => &mut roles.batch,
                (true, true, false) => &mut roles.inner,
                (is_left, _, true) => &mut roles.free[usize::from(!is_left)],
                (is_left, _, false) => &mut roles.alone[usize::from(!is_left)],
            };
            role.push(label);
        }
        let count = |labels: &[char]| self.shape(labels).iter().product::<usize>();
        let is_large = !roles.inner.is_empty() && roles.free.iter().all(|free| count(free) >= LEAST);
        (is_large || self.lens.len() > MAX_RANK).then_some(roles)
    }

    /// Returns the sums along axes of the space of all labels, in one or two kernels.
    fn as_sum<T: Number>(&self, [a, b]: [Expr<'_, T>; 2], shape: &[usize]) -> Result<DeviceVec<T>> {
        let summed = self.lens.iter().map(|&(label, _)| label).filter(|label| !self.result.contains(label));
        let space: Vec<char> = self.result.iter().copied().chain(summed).collect();
        let [left, right] = &self.labels;
        let value = self.over(a, left, &space) * self.over(b, right, &space);
        let axes: Vec<usize> = (self.result.len()..space.len()).collect();
        sums(self.operation, value, &self.shape(&space), &axes, shape)
    }

    /// Returns the product of two stacks of matrices, whose axes are the products of axes in one role.
    fn as_matrices<T: Number>(&self, roles: &Roles, operands: [Expr<'_, T>; 2]) -> Result<DeviceVec<T>> {
        let operation = self.operation;
        let both = operands[0].clone() * operands[1].clone();
        let queue = ranked::queue_of(operation, &both)?;
        let Roles { batch, free: [rows, columns], inner, .. } = roles;
        let group = |labels: &[char]| self.shape(labels).iter().product::<usize>();
        let [batches, m, n] = [batch, rows, columns].map(|labels| group(labels));
        let [a, b] = operands;
        let left = self.matrices(queue, a, 0, roles, [rows, inner])?;
        let right = self.matrices(queue, b, 1, roles, [inner, columns])?;
        let product: Vec<char> = batch.iter().chain(rows).chain(columns).copied().collect();
        let in_order = Layout::row_major(&self.shape(&self.result))?;
        // SAFETY: the kernels enqueued next write every element. If they cannot be enqueued, the vector is dropped.
        let vector = unsafe { DeviceVec::<T>::uninit(queue, in_order.len()) }?;
        let target = |vector: &DeviceVec<T>, layout: Layout| {
            // SAFETY: nothing else knows the vector.
            let target = unsafe { RankedTarget::new(vector, layout) };
            let operands = [left.expr()?, right.expr()?];
            ranked::contract(operation, target, operands, cl_algo::zip(T::zeroed()), |item, _: Val<T>| item)
        };
        // The result with its axes in the order of the product, each role as one axis, if its layout allows it.
        let stack = [batches, m, n];
        let axis_of = |label: &char| product.iter().position(|other| other == label);
        let maps: Vec<AxisMap> =
            self.result.iter().map(|label| axis_of(label).map_or(AxisMap::at(0), AxisMap::whole)).collect();
        if let Some(layout) = in_order.view(&maps, &self.shape(&product))?.reshape(&stack) {
            target(&vector, layout)?;
            return Ok(vector);
        }
        // SAFETY: as above.
        let unordered = unsafe { DeviceVec::<T>::uninit(queue, in_order.len()) }?;
        target(&unordered, Layout::row_major(&stack)?)?;
        let items = ranked::load(&unordered, &Layout::row_major(&self.shape(&product))?);
        let items = self.over(items, &product, &self.result);
        // SAFETY: as above.
        ranked::assign(operation, unsafe { RankedTarget::new(&vector, in_order) }, items)?;
        Ok(vector)
    }

    /// Returns an operand as a stack of matrices, whose rows and columns have the labels `sides`. Labels that are in this
    /// operand alone are summed over.
    fn matrices<'a, T: Number>(
        &self,
        queue: &'a Queue,
        operand: Expr<'a, T>,
        number: usize,
        roles: &Roles,
        sides: [&Vec<char>; 2],
    ) -> Result<Matrices<'a, T>> {
        let (own, batch, alone) = (&self.labels[number], &roles.batch, &roles.alone[number]);
        let labels: Vec<char> = batch.iter().chain(sides[0]).chain(sides[1]).copied().collect();
        let group = |labels: &[char]| self.shape(labels).iter().product::<usize>();
        let stack: Vec<usize> = [batch, sides[0], sides[1]].into_iter().map(|labels| group(labels)).collect();
        let has_batch = !batch.is_empty();
        let shape = self.shape(&labels);
        let layout = Layout::row_major(&shape)?;
        let stored = if alone.is_empty() {
            let items = self.over(operand, own, &labels);
            // Axes in one role that follow each other in memory are read as one axis; others are copied.
            let groups = [batch.len(), sides[0].len(), sides[1].len()];
            let groups = if has_batch { &groups[..] } else { &groups[1..] };
            if let Some(items) = items.clone().with_joined_axes(&shape, groups)? {
                return Ok(Matrices { items: Items::Lazy(items), stack, has_batch });
            }
            // SAFETY: the kernel enqueued next writes every element. If it cannot be enqueued, the vector is dropped.
            let vector = unsafe { DeviceVec::uninit(queue, layout.len()) }?;
            // SAFETY: nothing else knows the vector.
            ranked::assign(self.operation, unsafe { RankedTarget::new(&vector, layout) }, items.on(queue))?;
            vector
        } else {
            let space: Vec<char> = labels.iter().chain(alone).copied().collect();
            let axes: Vec<usize> = (labels.len()..space.len()).collect();
            let items = self.over(operand, own, &space).on(queue);
            sums(self.operation, items, &self.shape(&space), &axes, &self.shape(&labels))?
        };
        Ok(Matrices { items: Items::Stored(stored), stack, has_batch })
    }
}

/// An operand as a stack of matrices.
struct Matrices<'a, T: Number> {
    items: Items<'a, T>,
    /// The number of matrices, of their rows and of their columns.
    stack: Vec<usize>,
    has_batch: bool,
}

/// The elements of matrices.
enum Items<'a, T: Number> {
    Lazy(Expr<'a, T>),
    Stored(DeviceVec<T>),
}

impl<T: Number> Matrices<'_, T> {
    /// Returns the matrices as an operand of [`ranked::contract`], with their shape.
    fn expr(&self) -> Result<(Expr<'_, T>, &[usize])> {
        let shape = if self.has_batch { &self.stack[..] } else { &self.stack[1..] };
        let expr = match &self.items {
            Items::Lazy(expr) => expr.clone(),
            Items::Stored(vector) => ranked::load(vector, &Layout::row_major(shape)?),
        };
        Ok((expr, shape))
    }
}
