//! Products of matrices: sums of products along an axis that two index spaces share.

use super::assign::{RankedSink, Untyped};
use super::blocks::{Blocks, CONTRACT};
use super::expr::{coordinate_node, has_axes};
use super::fragments::{InFragments, common_format};
use super::panels::{Panels, Product};
use super::tiles::{CONTRACT_TILES, CONTRACT_UNIT_TILES, Tiles, is_cheap, lies_along};
use super::triangles::Triangles;
use crate::codegen::matrix_units::{UnitFormat, has_fragments, has_matrix_units};
use crate::codegen::{Fused, Parameters, Template};
use crate::device::{DeviceProfile, Shape, profile};
use crate::element::{Element, Number, ScalarType};
use crate::expr::{Item, Operand, Recorded, Val, record};
use crate::ir::graph::{Graph, Replace};
use crate::ir::leaf::{Scalar, Vector};
use crate::ir::op::{NodeId, Op};
use crate::ir::rows::{Affine, MOST_AXES, Rows};
use crate::ir::space::{Lowered, Space, StoreLine};
use crate::kernels;
use cl_core::{Arg, Memory, Queue, Result};
use smallvec::{SmallVec, smallvec};

/// The kernel `contract_small` of `kernels/contract_small.cl`.
static CONTRACT_SMALL: Template<Small> = Template {
    kernel: "contract_small",
    definition: &kernels::CONTRACT_SMALL,
    shape: |profile, size, values| {
        let shape = profile.elementwise(size);
        Shape { pack: shape.pack.min(values.pack_limit), packs: 1, ..shape }
    },
};

/// The parameters of the kernel `contract_small`.
#[derive(Clone, Copy, Debug, Parameters)]
struct Small {
    /// The number of rows of a unit of work.
    rows: usize,
    /// The maximal number of items in a pack, a power of two.
    pack_limit: usize,
}

/// The maximal number of rows, of columns and of products in a sum, of matrices that are read where they are.
const SMALL: usize = 32;

impl Small {
    fn of(profile: &DeviceProfile, shape: Product) -> Small {
        let columns = shape.columns.max(1);
        // Packs without a rest, unless they would be short.
        let (even, whole) = (1 << columns.trailing_zeros(), 1 << columns.ilog2());
        let rows = if profile.chunked { 1 << shape.rows.clamp(1, 8).ilog2() } else { 1 };
        Small { rows, pack_limit: if even >= whole.min(4) { even } else { whole } }
    }
}

fn is_small(product: Product) -> bool {
    // The space of small matrices has an item for each product that is added.
    product.inner > 0 && product.rows.max(product.columns).max(product.inner) <= SMALL
}

/// Multiplies the matrices in the last two axes of two index spaces, and stores what `finish` computes of each item of
/// the product.
///
/// The left matrices have the shape `[.., m, k]`, the right ones `[.., k, n]`, and the products `[.., m, n]`, which is
/// the output's shape. `operands` are the left and the right expression, each with the shape of its space: `[m, k]` or `[k, n]` if it
/// has one matrix for all products. `with` is an expression over the output's space, whose items `finish` gets as its second
/// argument.
///
/// Floats are multiplied and added with one rounding. The order of additions depends on the shapes, the layout of the output,
/// whether the operands take few operations, and the device only.
/// Operands that are both [rounded](crate::Expr::round_to) to the same format may be multiplied by matrix units. Both operands
/// are copied into the order in which they are read, so that each of their items is computed once. Small matrices are not
/// copied, nor are on GPUs those of up to about a thousand rows, or 768 for matrix units: each of their items is computed for each block of the product
/// that needs it, if that takes few operations.
///
/// # Errors
/// As [`assign`](super::assign) and [`count`](super::count); [`Error::InvalidInput`](cl_core::Error::InvalidInput) for an output of fewer than two
/// axes, and for shapes that do not fit.
pub fn contract<'t, T: Number, E: Item, R: Recorded>(
    operation: &'static str,
    sink: impl RankedSink<'t, R::Item>,
    operands: [(crate::Expr<'t, T>, &[usize]); 2],
    with: impl Operand<'t, E>,
    finish: impl FnOnce(Val<T>, E::Values) -> R,
) -> Result<()> {
    let mut targets = Vec::new();
    sink.add_targets(&mut targets);
    let others = with.into_expr().into_graph();
    multiply::<T, E, R>(operation, &targets, operands, Triangles::default(), (others, false), finish)
}

/// Multiplies matrices as [`contract`] does, and stores what `finish` computes of each item of the product and of the
/// output's own element, which it replaces. `triangles` are the halves of matrices that are zero, or not computed.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::ranked::{Half, Layout, Triangles, contract_with, load};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = DeviceVec::from_slice(&queue, &[1, 2, 3, 4])?;
/// let mut c = DeviceVec::from_slice(&queue, &[100, 0, 0, 100])?;
/// let square = Layout::row_major(&[2, 2])?;
/// let operands = [(load(&a, &square), square.shape()), (load(&a, &square), square.shape())];
/// // The lower half of the square is added, and the upper half is not touched.
/// let lower = Triangles { output: Some(Half::Lower), ..Triangles::default() };
/// contract_with("add_square", (&mut c, square), operands, lower, |item: Val<i32>, own: Val<i32>| own + item)?;
/// assert_eq!(c.to_vec()?, [107, 0, 15, 122]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`contract`].
pub fn contract_with<'t, T: Number, R: Recorded>(
    operation: &'static str,
    sink: impl RankedSink<'t, R::Item>,
    operands: [(crate::Expr<'t, T>, &[usize]); 2],
    triangles: Triangles,
    finish: impl FnOnce(Val<T>, <R::Item as Item>::Values) -> R,
) -> Result<()> {
    let mut targets = Vec::new();
    sink.add_targets(&mut targets);
    let own = targets.iter().map(Untyped::own_elements).reduce(|all, next| all.zip(&next, operation));
    let own = (own.unwrap_or_default(), true);
    multiply::<T, R::Item, R>(operation, &targets, operands, triangles, own, finish)
}

/// Multiplies matrices as [`contract`] does, of which some halves are zero or not computed.
///
/// # Errors
/// As [`contract`].
pub fn contract_triangles<'t, T: Number, R: Recorded>(
    operation: &'static str,
    sink: impl RankedSink<'t, R::Item>,
    operands: [(crate::Expr<'t, T>, &[usize]); 2],
    triangles: Triangles,
    finish: impl FnOnce(Val<T>) -> R,
) -> Result<()> {
    let mut targets = Vec::new();
    sink.add_targets(&mut targets);
    let nothing = (crate::expr::zip(T::zeroed()).into_graph(), false);
    let finish = |item, _: Val<T>| finish(item);
    multiply::<T, T, R>(operation, &targets, operands, triangles, nothing, finish)
}

/// Does the same as [`contract`] for targets whose type is erased. The flag of `results` is true if they read elements
/// of the targets, each at the coordinates at which it is replaced.
fn multiply<'t, T: Number, E: Item, R: Recorded>(
    operation: &'static str,
    targets: &[Untyped<'t>],
    operands: [(crate::Expr<'t, T>, &[usize]); 2],
    triangles: Triangles,
    (results, in_place): (Graph<'t>, bool),
    finish: impl FnOnce(Val<T>, E::Values) -> R,
) -> Result<()> {
    let Some(first) = targets.first() else { return Ok(()) };
    let shapes = [operands[0].1, operands[1].1];
    let (product, has_batches) = Product::of(operation, shapes, first.shape())?;
    targets.iter().try_for_each(|target| target.check(operation, first.shape()))?;
    let [left, right] = operands.map(|(operand, _)| operand.into_graph());
    for (graph, shape) in [(&left, shapes[0]), (&right, shapes[1]), (&results, first.shape())] {
        graph.check()?;
        has_axes(operation, graph, shape)?;
    }
    let [left_has, right_has] = has_batches;
    if targets.iter().all(|target| is_by_columns(target.affine())) {
        // The kernels store rows: the rows of the transposed product.
        let turned = targets.iter().map(Untyped::turned).collect::<Result<Vec<_>>>()?;
        let operands = [(turned_graph(&right), right_has), (turned_graph(&left), left_has)];
        let results = (turned_graph(&results), in_place);
        let (product, triangles) = (product.turned(), triangles.turned());
        return multiply_rows::<T, E, R>(operation, &turned, operands, product, triangles, results, finish);
    }
    let operands = [(left, left_has), (right, right_has)];
    multiply_rows::<T, E, R>(operation, targets, operands, product, triangles, (results, in_place), finish)
}

/// Returns whether the elements of an output lie column by column.
fn is_by_columns(form: Affine) -> bool {
    form.strides[0].abs() > 1 && form.strides[1].abs() == 1
}

/// Returns a graph over matrices as a graph over the transposed matrices.
fn turned_graph<'a>(of: &Graph<'a>) -> Graph<'a> {
    let mut graph = Graph::default();
    graph.len = of.len;
    let order: Vec<usize> = [1, 0].into_iter().chain(2..MOST_AXES).collect();
    let nodes: Vec<NodeId> = order.into_iter().map(|axis| coordinate_node(&mut graph, axis)).collect();
    graph.roots = graph.include(of, Replace::Coordinates(&nodes));
    graph.pruned()
}

/// Does the same as [`multiply`] for outputs that are stored row by row.
fn multiply_rows<'t, T: Number, E: Item, R: Recorded>(
    operation: &'static str,
    targets: &[Untyped<'t>],
    [(left, left_has), (right, right_has)]: [(Graph<'t>, bool); 2],
    product: Product,
    triangles: Triangles,
    (mut results, in_place): (Graph<'t>, bool),
    finish: impl FnOnce(Val<T>, E::Values) -> R,
) -> Result<()> {
    let Some(first) = targets.first() else { return Ok(()) };
    let (queue, Product { rows, columns, inner, .. }) = (first.queue(), product);
    let batch_axes = &first.shape()[..first.shape().len() - 2];
    // The results are a graph of their own, a function of an item of the product.
    results.len = None;
    let others = std::mem::take(&mut results.roots);
    let items: Vec<NodeId> = results.parameters::<T>().into_iter().chain(others).collect();
    let finish = record::<(T, E), R>(|(item, other)| finish(item, other));
    results.roots = results.absorb(&finish, Replace::Parameters(&items), operation);
    let results = results.pruned();
    results.check()?;
    Fused::new(operation).check_with(&[&left, &right, &results])?;
    let lens = |has_batches: bool, matrix: [usize; 2]| -> Vec<usize> {
        batch_axes.iter().filter(|_| has_batches).copied().chain(matrix).collect()
    };
    let left = Matrices { graph: left, shape: lens(left_has, [rows, inner]) };
    let right = Matrices { graph: right, shape: lens(right_has, [inner, columns]) };
    for shape in [&left.shape, &right.shape] {
        super::layout::count(shape)?;
    }
    let call = Call { operation, queue, targets, product, triangles, left, right, results, in_place };
    if product.batches * rows * columns == 0 {
        return Ok(());
    }
    let whole = lens(true, [rows, inner]).len() + 1;
    if whole <= MOST_AXES {
        // The kernel for small matrices stores all items of the product.
        if is_small(product) && triangles.output.is_none() {
            return call.small::<T>(batch_axes);
        }
        if let Some((tiles, units)) = call.tiles::<T>()? {
            return call.in_tiles::<T>(batch_axes, tiles, units);
        }
    }
    call.in_panels::<T>()
}

/// An operand: matrices in the last two axes of an index space.
struct Matrices<'t> {
    graph: Graph<'t>,
    shape: Vec<usize>,
}

/// A call of [`contract`].
struct Call<'c, 't> {
    operation: &'static str,
    queue: &'t Queue,
    targets: &'c [Untyped<'t>],
    product: Product,
    triangles: Triangles,
    left: Matrices<'t>,
    right: Matrices<'t>,
    /// The results, as functions of an item of the product, a parameter.
    results: Graph<'t>,
    /// `true` if the results read elements of the targets.
    in_place: bool,
}

impl<'t> Call<'_, 't> {
    /// Returns what a kernel is filled with that reads matrices where they are, and a bound of all indices. The axes of its space
    /// are those of the product, with the inner axis in front of the last one.
    fn in_place<T: Number>(
        &self,
        batch_axes: &[usize],
        operands: [&Graph<'t>; 2],
    ) -> Result<(Fused<'t>, usize)> {
        let &Call { operation, product: Product { rows, columns, inner, .. }, .. } = self;
        // For each graph, the axes of the space that its last two axes are, counted from the last one.
        let mut graph = Graph::short();
        let mut counts: SmallVec<[usize; 3]> = SmallVec::new();
        for (part, matrix) in [(operands[0], [1, 2]), (operands[1], [0, 1]), (&self.results, [0, 2])] {
            let batch = 3..MOST_AXES;
            let nodes: Vec<NodeId> =
                matrix.into_iter().chain(batch).map(|axis| coordinate_node(&mut graph, axis)).collect();
            let roots = graph.include(part, Replace::Coordinates(&nodes));
            counts.push(roots.len());
            graph.roots.extend(roots);
        }
        let shape: Vec<usize> = batch_axes.iter().copied().chain([rows, inner, columns]).collect();
        let forms: Vec<Affine> = self.targets.iter().map(|target| over_inner_axis(target.affine())).collect();
        let Lowered { mut graph, stores, rows: space, reach, .. } =
            Space::in_order(operation, &graph, &forms, &shape, 2)?;
        let roots = std::mem::take(&mut graph.roots);
        let (left, rest) = roots.split_at(counts[0]);
        let (right, results) = rest.split_at(counts[1]);
        graph.len = None;
        let mut fused = Fused::new(operation);
        fused.graph = graph;
        fused.read_nodes("", right.into());
        fused.read_nodes("LEFT", left.into());
        Ok((self.with_outputs(with_step::<T>(fused), results.into(), &stores, space), reach))
    }

    /// Multiplies small matrices that are read where they are.
    fn small<T: Number>(&self, batch_axes: &[usize]) -> Result<()> {
        let &Call { queue, product: Product { batches, rows, columns, inner }, .. } = self;
        let (fused, reach) = self.in_place::<T>(batch_axes, [&self.left.graph, &self.right.graph])?;
        let profile = profile(queue.context())?;
        let small = Small::of(&profile, self.product);
        let ready = fused.by(&CONTRACT_SMALL, small).compile(queue, reach)?;
        let shape = ready.shape();
        let (packs, blocks) = (columns.div_ceil(shape.pack), rows.div_ceil(small.rows));
        let mut own: Vec<_> = [rows, columns, inner, batches].into_iter().map(|n| ready.index(n)).collect();
        for count in [packs, blocks] {
            own.push(ready.index(count));
            own.extend(ready.division(count));
        }
        let groups = (batches * packs * blocks).div_ceil(shape.group).clamp(1, shape.max_groups);
        // SAFETY: the kernel reads items of the matrices and stores the outputs. All indices were checked when the space
        // was lowered.
        unsafe { ready.launch(&own, groups, shape.group) }
    }

    /// Returns the tiles of matrices that are read where they are, and the numbers that matrix units multiply. Returns `None`
    /// if the matrices are copied.
    fn tiles<T: Number>(&self) -> Result<Option<(Tiles, Option<UnitFormat>)>> {
        let &Call { queue, product, ref left, ref right, .. } = self;
        let Some(size) = T::TYPE.scalar().map(ScalarType::size) else { return Ok(None) };
        // The kernel adds all products of a sum.
        let Triangles { left: left_half, right: right_half, output } = self.triangles;
        if left_half.or(right_half).is_some() || ![left, right].iter().all(|of| is_cheap(&of.graph)) {
            return Ok(None);
        }
        let units = match self.unit_format::<T>() {
            Some(format) if has_matrix_units(queue, format)? => Some(format),
            _ => None,
        };
        let along = [lies_along(&left.graph, &left.shape, 0), lies_along(&right.graph, &right.shape, 1)];
        let tiles = Tiles::of(&*profile(queue.context())?, product, (size, units), along, output);
        Ok(tiles.map(|tiles| (tiles, units)))
    }

    /// Multiplies matrices that are read where they are, tile by tile.
    fn in_tiles<T: Number>(
        mut self,
        batch_axes: &[usize],
        tiles: Tiles,
        units: Option<UnitFormat>,
    ) -> Result<()> {
        let Call { queue, product: Product { batches, rows, columns, inner }, .. } = self;
        if let Some(UnitFormat::Of(_)) = units {
            // The kernel rounds the numbers.
            for operand in [&mut self.left, &mut self.right] {
                operand.graph.replace_root_by_argument();
            }
        }
        let (mut fused, reach) = self.in_place::<T>(batch_axes, [&self.left.graph, &self.right.graph])?;
        // The sum of two sums.
        let [a, b] = [0, 1].map(|k| fused.graph.node(Op::Parameter(k), T::TYPE, &[]));
        let added = fused.graph.node(Op::Add, T::TYPE, &[a, b]);
        fused.operate_by("ADDED", "", smallvec![added], 2);
        let template = if units.is_some() { &CONTRACT_UNIT_TILES } else { &CONTRACT_TILES };
        let ready = fused.by(template, tiles).compile(queue, reach)?;
        let shape = ready.shape();
        let (blocks, right_panels) = (rows.div_ceil(tiles.left_width), columns.div_ceil(tiles.width));
        let numbers = [rows, columns, inner, batches, blocks, right_panels];
        let own: SmallVec<[_; 6]> = numbers.into_iter().map(|number| ready.index(number)).collect();
        let groups = (batches * blocks * right_panels).clamp(1, shape.max_groups);
        // SAFETY: as in `small`.
        unsafe { ready.launch(&own, groups, shape.group) }
    }

    /// Multiplies matrices that are copied into panels.
    fn in_panels<T: Number>(&self) -> Result<()> {
        let &Call { operation, queue, product, .. } = self;
        let Product { batches, rows, columns, inner } = product;
        let profile = profile(queue.context())?;
        // The kernel of matrix units needs a step along the inner axis.
        if inner > 0
            && let Some(units) = self.units::<T>()?
        {
            let operands = [&self.left, &self.right].map(|of| (&of.graph, &of.shape[..]));
            let &Call { targets, ref results, in_place, triangles: Triangles { output, .. }, .. } = self;
            let call =
                InFragments { operation, queue, targets, product, output, operands, results, in_place };
            return call.multiply(&profile, units);
        }
        let pack = if T::TYPE.scalar().is_some() { profile.elementwise(T::TYPE.size()).pack } else { 1 };
        let blocks = Blocks::of(&profile, T::TYPE, pack, product);
        let padded = if profile.chunked { inner } else { inner.next_multiple_of(blocks.depth) };
        let panels = [(&self.left, blocks.left_width, true), (&self.right, blocks.width, false)].map(
            |(of, width, is_left)| Panels { operation, queue, shape: &of.shape, width, padded, is_left },
        );
        let size = T::TYPE.size();
        let (left, right) = (panels[0].room(size)?, panels[1].room(size)?);
        let copies =
            [panels[0].copy::<T>(&self.left.graph, &left)?, panels[1].copy::<T>(&self.right.graph, &right)?];
        let mut compiled: SmallVec<[_; 2]> = SmallVec::new();
        for copy in copies.iter().flatten() {
            compiled.push((copy, copy.compile(queue)?));
        }
        let forms: Vec<Affine> = self.targets.iter().map(Untyped::affine).collect();
        let Some(first) = self.targets.first() else { return Ok(()) };
        let Lowered { mut graph, stores, rows: space, reach, .. } =
            Space::in_order(operation, &self.results, &forms, first.shape(), 1)?;
        let [left_items, right_items] = [&left, &right].map(|packed| items_of::<T>(&packed.memory, queue));
        let mut fused = Fused::new(operation).with_input("", right_items);
        fused.read("LEFT", left_items);
        fused = with_step::<T>(fused);
        graph.len = None;
        let roots = fused.graph.absorb(&graph, Replace::Nothing, operation);
        let fused = self.with_outputs(fused, roots, &stores, space);
        let reach = reach.max(left.items).max(right.items);
        let ready = fused.by(&CONTRACT, blocks).compile(queue, reach)?;
        let shape = ready.shape();
        let row_blocks = rows.div_ceil(blocks.left_width * blocks.block);
        let right_panels = columns.div_ceil(blocks.width);
        let numbers = [rows, columns, padded, batches, left.batch, right.batch];
        let mut own: Vec<_> = numbers.into_iter().map(|number| ready.index(number)).collect();
        for count in [row_blocks, right_panels] {
            own.push(ready.index(count));
            own.extend(ready.division(count));
        }
        own.push(Arg::value(self.triangles.bits()));
        let groups = (batches * row_blocks * right_panels).clamp(1, shape.max_groups);
        for (copy, ready) in compiled {
            copy.launch(&ready)?;
        }
        // SAFETY: the kernel reads panels that were written before it, and stores the outputs, whose indices were checked
        // when the space was lowered.
        unsafe { ready.launch(&own, groups, shape.group) }
    }

    /// Returns the format of both operands, if there are matrix units for it.
    fn unit_format<T: Number>(&self) -> Option<UnitFormat> {
        if T::TYPE.scalar() == Some(ScalarType::F64) {
            return Some(UnitFormat::Doubles);
        }
        common_format(&self.left.graph, &self.right.graph).map(UnitFormat::Of)
    }

    /// Returns the numbers that matrix units multiply as fragments, if they are those of the operands.
    fn units<T: Number>(&self) -> Result<Option<UnitFormat>> {
        // The kernel of matrix units adds all products of a sum.
        if self.triangles.left.or(self.triangles.right).is_some() {
            return Ok(None);
        }
        let Some(format) = self.unit_format::<T>() else { return Ok(None) };
        let has = match format {
            UnitFormat::Doubles => has_matrix_units(self.queue, format)?,
            UnitFormat::Of(format) => has_fragments(self.queue, format)?,
        };
        Ok(has.then_some(format))
    }

    /// Returns what a kernel is filled with: also the outputs, to which these nodes are stored.
    fn with_outputs<'f>(
        &self,
        fused: Fused<'f>,
        roots: SmallVec<[NodeId; 2]>,
        stores: &[StoreLine],
        rows: Option<Rows>,
    ) -> Fused<'f>
    where
        't: 'f,
    {
        let count = self.targets.iter().map(Untyped::len).max().unwrap_or_default();
        let targets = self.targets.iter().zip(stores).map(|(target, store)| target.with_index(*store, count));
        let mut fused = fused.with_targets("", "", roots, targets, self.in_place);
        fused.rows = rows;
        fused
    }
}

/// Adds what all kernels do with items: a sum begins with `ZERO`, and `STEP` is `total + a b` of the arguments `(total, a, b)`.
/// Floats are rounded once.
fn with_step<T: Number>(mut fused: Fused<'_>) -> Fused<'_> {
    let zero = fused.graph.scalar_node(Scalar::new(T::zeroed()));
    fused.read_nodes("ZERO", smallvec![zero]);
    let graph = &mut fused.graph;
    let [total, a, b] = [0, 1, 2].map(|k| graph.node(Op::Parameter(k), T::TYPE, &[]));
    let sum = if T::TYPE.is_float() {
        graph.node(Op::Call("fma"), T::TYPE, &[a, b, total])
    } else {
        let product = graph.node(Op::Mul, T::TYPE, &[a, b]);
        graph.node(Op::Add, T::TYPE, &[total, product])
    };
    fused.operate_by("STEP", "", smallvec![sum], 3);
    fused
}

/// Returns the index of an output as a function of the coordinates of a space that has the inner axis in front of the
/// last one.
pub(super) fn over_inner_axis(form: Affine) -> Affine {
    let mut strides = [0; MOST_AXES];
    strides[0] = form.strides[0];
    strides[2..].copy_from_slice(&form.strides[1..MOST_AXES - 1]);
    Affine { strides, ..form }
}

/// Returns the graph of the items in memory, in order.
fn items_of<'m, T: Element>(memory: &'m Memory, queue: &'m Queue) -> Graph<'m> {
    let mut graph = Graph::vector(Vector::new(memory, queue, T::TYPE), 0);
    // The template knows the length.
    graph.len = None;
    graph
}
