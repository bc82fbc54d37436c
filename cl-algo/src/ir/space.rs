//! Index spaces: the axes that a kernel goes along, and the indices that it reads and writes on its way.
//!
//! The items of an index space have a coordinate along each axis, [`Op::Coordinate`]. Axes are counted from the last one,
//! so that shapes of different ranks agree in their last axes, as NumPy's broadcasting requires. An element of an array
//! is a load at an affine index: an offset, plus a stride for each axis times the coordinate ([`Op::Strided`]).
//!
//! Before a kernel is looked up, [`Space::lowered`] brings the space into the form that kernels are written for: axes of
//! length 1 are dropped, axes are put in the order of the output's strides, and neighbouring axes are merged if every
//! index allows it. A space of one axis is left for arrays that are contiguous, and such kernels are those of vectors.
//! The last axis of a larger space gives the items of a row, whose number is [`Op::Index`]. What the other axes add to an
//! index is computed once for each row, [`Op::Row`].

use super::graph::{Graph, Replace};
use super::leaf::{self, Scalar};
use super::op::{Node, NodeId, Op, Type};
use crate::codegen::section::Section;
use crate::element::ElementType;
use crate::lower::quotient;
use crate::lower::value_type::stored_name;
use cl_core::{Arg, Result};
use smallvec::SmallVec;
use std::fmt::{self, Write};

/// The maximal number of axes.
pub(crate) const MOST_AXES: usize = 6;

/// The number of elements that divides the indices of aligned rows: the largest pack of a row then begins at a multiple
/// of its size.
const ALIGNED: i64 = 16;

/// An index that is an affine function of the coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Affine {
    pub(crate) offset: i64,
    /// The factor of the coordinate along each axis, counted from the last axis.
    pub(crate) strides: [i64; MOST_AXES],
}

impl Affine {
    fn constant(offset: i64) -> Affine {
        Affine { offset, ..Affine::default() }
    }

    fn coordinate(axis: u32) -> Affine {
        let mut form = Affine::default();
        form.strides[axis as usize] = 1;
        form
    }

    fn plus(mut self, other: Affine) -> Affine {
        self.offset = self.offset.wrapping_add(other.offset);
        for (stride, other) in self.strides.iter_mut().zip(other.strides) {
            *stride = stride.wrapping_add(other);
        }
        self
    }

    fn times(mut self, factor: i64) -> Affine {
        self.offset = self.offset.wrapping_mul(factor);
        self.strides.iter_mut().for_each(|stride| *stride = stride.wrapping_mul(factor));
        self
    }

    /// Returns the value of a form without strides.
    pub(super) fn as_constant(self) -> Option<i64> {
        (self.strides == [0; MOST_AXES]).then_some(self.offset)
    }

    /// Returns the least and the greatest value in a space of this shape.
    pub(super) fn range(&self, axes: &[usize]) -> [i128; 2] {
        let (mut least, mut last) = (i128::from(self.offset), i128::from(self.offset));
        for (&stride, &extent) in self.strides.iter().zip(axes) {
            let far = i128::from(stride) * (extent as i128 - 1);
            if far < 0 { least += far } else { last += far }
        }
        [least, last]
    }

    /// Returns the largest absolute value in a space of this shape.
    fn reach(&self, axes: &[usize]) -> i128 {
        let along =
            |(&stride, &extent): (&i64, &usize)| i128::from(stride).abs() * (extent as i128 - 1).max(0);
        i128::from(self.offset).abs() + self.strides.iter().zip(axes).map(along).sum::<i128>()
    }
}

/// The number that a row begins with, and whether packs of the row are aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RowBegin {
    /// The number among [`Rows::begins`].
    pub(crate) slot: u32,
    /// `true` if the begins of all rows are multiples of [`ALIGNED`].
    pub(crate) aligned: bool,
}

/// The rows of an index space: the items that differ in the coordinate along the last axis alone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    /// The number of items in a row.
    pub(crate) len: usize,
    /// The extents of the other axes, the last one first.
    pub(crate) extents: SmallVec<[usize; MOST_AXES - 1]>,
    /// The numbers that each row has. The strides are those of the other axes, the last one first.
    pub(crate) begins: Vec<Affine>,
}

impl Rows {
    /// Returns the number of rows.
    pub(crate) fn count(&self) -> usize {
        self.extents.iter().product()
    }

    /// Returns the arguments for the parameters that [`write`](Rows::write) adds.
    pub(crate) fn arguments(&self, wide_index: bool) -> Vec<Arg<'static>> {
        let mut arguments = Vec::new();
        let inner = self.extents.len().saturating_sub(1);
        for &extent in &self.extents[..inner] {
            arguments.push(leaf::index(extent as i64, wide_index));
            arguments.extend(quotient::of_index(extent, wide_index));
        }
        for begin in &self.begins {
            let strides = begin.strides.iter().filter(|&&stride| stride != 0);
            arguments.extend(strides.chain([&begin.offset]).map(|&number| leaf::index(number, wide_index)));
        }
        arguments
    }

    /// Returns the facts that the kernel's source depends on.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = i64> {
        let moves = |begin: &Affine| {
            (0..self.extents.len())
                .filter(|&axis| begin.strides[axis] != 0)
                .map(|axis| 1 << axis)
                .sum::<i64>()
        };
        [self.extents.len() as i64, self.begins.len() as i64].into_iter().chain(self.begins.iter().map(moves))
    }

    /// Writes `SPACE_PARAMETERS`, the kernel's parameters for the space, with those of the leaves before them, and
    /// `BEGIN_ROW(row)`, which computes the begins of a row. Adds the begins to the parameters and arguments of
    /// functions.
    pub(crate) fn write(
        &self,
        out: &mut Section,
        parameters: &mut String,
        arguments: &mut String,
    ) -> fmt::Result {
        let axes = self.extents.len();
        let (mut kernel, mut begin) = (parameters.clone(), String::new());
        write!(begin, "(row) const INDEX q0_ = row;")?;
        for axis in 0..axes {
            if axis + 1 < axes {
                write!(
                    kernel,
                    "const INDEX extent{axis}, const INDEX upper{axis}, const INDEX shift{axis}, "
                )?;
                let next = axis + 1;
                write!(begin, " const INDEX q{next}_ = divided(q{axis}_, upper{axis}, shift{axis}),")?;
                write!(begin, " c{axis}_ = q{axis}_ - q{next}_ * extent{axis};")?;
            } else {
                write!(begin, " const INDEX c{axis}_ = q{axis}_;")?;
            }
        }
        for (slot, moves) in self.begins.iter().enumerate() {
            write!(begin, " const INDEX row{slot} = row{slot}_begin")?;
            // An axis along which the begin does not move is left out, so that compilers find equal loads.
            for axis in (0..axes).filter(|&axis| moves.strides[axis] != 0) {
                write!(kernel, "const INDEX row{slot}_{axis}, ")?;
                write!(begin, " + c{axis}_ * row{slot}_{axis}")?;
            }
            write!(kernel, "const INDEX row{slot}_begin, ")?;
            write!(begin, ";")?;
            write!(parameters, "const INDEX row{slot}, ")?;
            write!(arguments, "row{slot}, ")?;
        }
        out.define("SPACE_PARAMETERS", format_args!(" {kernel}"))?;
        out.define("BEGIN_ROW", begin)
    }

    /// Returns the number of the rows' begins at `offset` with these strides, which is added if it is new.
    fn begin(&mut self, begin: Affine) -> RowBegin {
        let known = self.begins.iter().position(|other| *other == begin);
        let slot = known.unwrap_or_else(|| {
            self.begins.push(begin);
            self.begins.len() - 1
        }) as u32;
        let aligned = begin.offset % ALIGNED == 0 && begin.strides.iter().all(|stride| stride % ALIGNED == 0);
        RowBegin { slot, aligned }
    }
}

/// The index that an output's item is stored to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StoreLine {
    /// `stride * i + offset`, in a space of one axis.
    Vector { stride: i64, offset: i64 },
    /// `stride * i` after the begin of the row.
    Row { stride: i64, begin: RowBegin },
}

/// An index space with the indices that a kernel computes in it.
pub(crate) struct Space {
    /// The extent of each axis, counted from the last one.
    axes: SmallVec<[usize; MOST_AXES]>,
    /// The indices of the outputs, then those that the graph uses.
    forms: Vec<Affine>,
    /// The number of outputs.
    stores: usize,
    /// A bound of the absolute values of the indices that are not affine.
    computed: i128,
}

/// How a space is brought into the form of a kernel.
#[derive(Clone, Copy)]
struct Finish {
    reach: usize,
    /// `true` for kernels that work on rows also if the space has one axis.
    has_rows: bool,
    /// `true` for kernels that read inputs across rows.
    crosses: bool,
}

/// How a kernel folds the rows of a space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Folding {
    /// `true` if the items of a row are folded; `false` if rows are folded into one row, item by item.
    pub(crate) inner: bool,
    /// The number of neighbouring rows that make up an output.
    pub(crate) rows: usize,
    /// `true` if neighbouring outputs share elements of an input, as in a product of matrices.
    pub(crate) shares: bool,
}

/// A graph whose coordinates have become rows and items of rows.
pub(crate) struct Lowered<'a> {
    pub(crate) graph: Graph<'a>,
    pub(crate) stores: Vec<StoreLine>,
    /// `None` if the space has one axis.
    pub(crate) rows: Option<Rows>,
    /// The number of items.
    pub(crate) len: usize,
    /// A bound of the absolute values of all indices.
    pub(crate) reach: usize,
    /// `true` if an input is not contiguous along a row, and contiguous along the axis of neighbouring rows.
    pub(crate) crosses: bool,
}

impl Space {
    /// Lowers `graph` to a kernel over the space of the given shape, which has at least one item. `stores` are the
    /// indices of the outputs.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] if a load at an affine index reaches beyond its vector.
    pub(crate) fn lowered<'a>(
        operation: &'static str,
        graph: &Graph<'a>,
        stores: &[Affine],
        shape: &[usize],
    ) -> Result<Lowered<'a>> {
        let indices = Indices::of(graph);
        let mut space = Space::new(operation, graph, &indices, stores, shape)?;
        let reach = space.reach();
        let mut axes: Vec<usize> = (0..space.axes.len()).collect();
        space.sort(&mut axes, 0);
        let own = space.forms.first().copied().unwrap_or_default();
        axes.iter().filter(|&&axis| own.strides[axis] < 0).for_each(|&axis| space.turn(axis));
        space.merge(&mut axes);
        let crossed = space.crossing(&axes);
        if let Some(at) = crossed {
            let axis = axes.remove(at);
            axes.insert(1, axis);
        }
        space.arrange(&axes);
        let crosses =
            crossed.is_some() && graph.nodes.iter().all(|node| node.ty.element().is_none_or(is_scalar));
        let lowered = space.finish(graph, &indices, Finish { reach, has_rows: false, crosses });
        Ok(Lowered { crosses, ..lowered })
    }

    /// Lowers `graph` to a kernel that folds the axes for which `is_folded` is true. Axes are counted from the last one.
    /// The strides of `stores` are zero along folded axes.
    ///
    /// # Errors
    /// As [`Space::lowered`].
    pub(crate) fn folded<'a>(
        operation: &'static str,
        graph: &Graph<'a>,
        stores: &[Affine],
        shape: &[usize],
        is_folded: impl Fn(usize) -> bool,
    ) -> Result<(Lowered<'a>, Folding)> {
        let indices = Indices::of(graph);
        let mut space = Space::new(operation, graph, &indices, stores, shape)?;
        let reach = space.reach();
        let (mut folded, mut kept): (Vec<usize>, Vec<usize>) =
            (0..space.axes.len()).partition(|&axis| is_folded(axis));
        // The input that is read most often decides about the order of the folded axes.
        let main = stores.len().min(space.forms.len() - 1);
        space.sort(&mut kept, 0);
        space.sort(&mut folded, main);
        for (axes, form) in [(&kept, 0), (&folded, main)] {
            let form = space.forms[form];
            axes.iter().filter(|&&axis| form.strides[axis] < 0).for_each(|&axis| space.turn(axis));
        }
        space.merge(&mut kept);
        space.merge(&mut folded);
        // The items of a row should be neighbours in memory in as many inputs as possible.
        let loads = &space.forms[space.stores..];
        let far = |axes: &[usize]| {
            let axis = *axes.first()?;
            let count = |is: fn(u64) -> bool| {
                loads.iter().filter(|form| is(form.strides[axis].unsigned_abs())).count()
            };
            Some((count(|stride| stride > 1), loads.len() - count(|stride| stride == 1)))
        };
        let inner = match (far(&folded), far(&kept)) {
            (Some(folded), Some(kept)) => folded < kept,
            (folded, _) => folded.is_some(),
        };
        let shares =
            !inner && kept.get(1).is_some_and(|&axis| loads.iter().any(|form| form.strides[axis] == 0));
        let rows: usize = folded.iter().skip(usize::from(inner)).map(|&axis| space.axes[axis]).product();
        let axes: Vec<usize> = match (inner, kept.split_first()) {
            (false, Some((first, rest))) => {
                std::iter::once(first).chain(&folded).chain(rest).copied().collect()
            }
            _ => folded.iter().chain(&kept).copied().collect(),
        };
        space.arrange(&axes);
        Ok((
            space.finish(graph, &indices, Finish { reach, has_rows: true, crosses: false }),
            Folding { inner, rows, shares },
        ))
    }

    fn new(
        operation: &'static str,
        graph: &Graph<'_>,
        indices: &Indices,
        stores: &[Affine],
        shape: &[usize],
    ) -> Result<Space> {
        let used = indices.used.iter().map(|&id| indices.forms[id as usize].unwrap_or_default());
        let axes: SmallVec<[usize; MOST_AXES]> = shape.iter().rev().copied().collect();
        let space = Space {
            computed: graph.loads_within(&indices.forms, &axes, operation)?,
            axes,
            forms: stores.iter().copied().chain(used).collect(),
            stores: stores.len(),
        };
        Ok(space)
    }

    /// Returns a bound of the absolute values of all indices.
    fn reach(&self) -> usize {
        let reach = self.forms.iter().map(|form| form.reach(&self.axes)).fold(self.computed, i128::max);
        usize::try_from(reach).unwrap_or(usize::MAX)
    }

    /// Leaves out axes of length 1, and sorts the others by the strides of one of the indices.
    fn sort(&self, axes: &mut Vec<usize>, by: usize) {
        axes.retain(|&axis| self.axes[axis] > 1);
        let Some(form) = self.forms.get(by) else { return };
        // An axis of stride 0 has no place among the others.
        if axes.iter().all(|&axis| form.strides[axis] != 0) {
            axes.sort_by_key(|&axis| form.strides[axis].unsigned_abs());
        }
    }

    /// Returns the position in `axes` of the axis along which an input is contiguous that is not contiguous along the
    /// first of them, as in a transposition.
    fn crossing(&self, axes: &[usize]) -> Option<usize> {
        let first = *axes.first()?;
        let crosses = |form: &&Affine| form.strides[first].unsigned_abs() > 1;
        self.forms[self.stores..]
            .iter()
            .filter(crosses)
            .find_map(|form| axes.iter().position(|&axis| form.strides[axis] == 1))
    }

    /// Merges neighbours among `axes` if all indices allow it.
    fn merge(&mut self, axes: &mut Vec<usize>) {
        let mut at = 0;
        while at + 1 < axes.len() {
            let (inner, outer) = (axes[at], axes[at + 1]);
            let extent = self.axes[inner] as i64;
            let merges = |form: &Affine| form.strides[inner].checked_mul(extent) == Some(form.strides[outer]);
            if self.forms.iter().all(merges) {
                self.axes[inner] *= self.axes[outer];
                axes.remove(at + 1);
            } else {
                at += 1;
            }
        }
    }

    /// Keeps these axes, in this order.
    fn arrange(&mut self, order: &[usize]) {
        for form in &mut self.forms {
            let mut strides = [0; MOST_AXES];
            order.iter().zip(&mut strides).for_each(|(&from, to)| *to = form.strides[from]);
            form.strides = strides;
        }
        self.axes = order.iter().map(|&axis| self.axes[axis]).collect();
        if self.axes.is_empty() {
            self.axes.push(1);
        }
    }

    /// Returns the graph with the indices of the arranged space.
    fn finish<'a>(&self, graph: &Graph<'a>, indices: &Indices, how: Finish) -> Lowered<'a> {
        let Finish { reach, crosses, .. } = how;
        let has_rows = how.has_rows || self.axes.len() > 1;
        let mut rows = Rows { len: self.axes[0], extents: self.axes[1..].into(), begins: Vec::new() };
        let mut lowered = Graph::default();
        (lowered.on, lowered.failure) = (graph.on, graph.failure.clone());
        let own = lowered.node(Op::Index, Type::Index, &[]);
        let mut used = indices.used.iter().zip(&self.forms[self.stores..]).peekable();
        let mut moved = vec![NodeId::MAX; graph.nodes.len()];
        for (id, node) in graph.nodes.iter().enumerate() {
            moved[id] = match used.next_if(|(used, _)| **used as usize == id) {
                Some((_, form)) if has_rows => row_index(*form, own, crosses, &mut lowered, &mut rows),
                Some((_, form)) => vector_index(*form, own, &mut lowered),
                // Other steps of an affine index are not needed.
                None if indices.forms[id].is_some()
                    && !matches!(node.op, Op::Scalar(_) | Op::Constant(_)) =>
                {
                    NodeId::MAX
                }
                None => lowered.adopt(graph, node, &moved, Replace::Nothing),
            };
        }
        lowered.roots = graph.roots.iter().map(|&root| moved[root as usize]).collect();
        let store = |form: &Affine| match has_rows {
            true => StoreLine::Row { stride: form.strides[0], begin: rows.begin(begin_of(*form)) },
            false => StoreLine::Vector { stride: form.strides[0], offset: form.offset },
        };
        let stores = self.forms[..self.stores].iter().map(store).collect();
        let len = self.axes.iter().product();
        lowered.len = Some(len);
        Lowered {
            graph: lowered.pruned(),
            stores,
            rows: has_rows.then_some(rows),
            len,
            reach,
            crosses: false,
        }
    }

    /// Turns the direction of an axis around.
    fn turn(&mut self, axis: usize) {
        let last = self.axes[axis] as i64 - 1;
        for form in &mut self.forms {
            let stride = form.strides[axis];
            form.offset = form.offset.wrapping_add(stride.wrapping_mul(last));
            form.strides[axis] = stride.wrapping_neg();
        }
    }
}

/// Returns the node of an index of a space of one axis.
fn vector_index<'a>(form: Affine, own: NodeId, graph: &mut Graph<'a>) -> NodeId {
    match form.strides[0] {
        0 => graph.scalar_node(Scalar::index(form.offset)),
        stride => graph.affine(own, stride, form.offset),
    }
}

/// Returns the node of an index of a space with rows. `crosses` is true if the kernel reads inputs across rows.
fn row_index(form: Affine, own: NodeId, crosses: bool, graph: &mut Graph<'_>, rows: &mut Rows) -> NodeId {
    let (stride, begin) = (form.strides[0], begin_of(form));
    if begin == Affine::default() && stride == 1 {
        return own;
    }
    let row = graph.node(Op::Row(rows.begin(begin)), Type::Index, &[]);
    match stride {
        0 => row,
        1 => graph.node(Op::Offset, Type::Index, &[own, row]),
        -1 => graph.node(Op::Mirror, Type::Index, &[own, row]),
        stride => {
            let stride = graph.scalar_node(Scalar::index(stride));
            let op = if crosses && begin.strides[0] == 1 { Op::Crossed } else { Op::Affine };
            graph.node(op, Type::Index, &[own, stride, row])
        }
    }
}

fn is_scalar(element: ElementType) -> bool {
    element.scalar().is_some()
}

impl Graph<'_> {
    /// Returns the name of the tile of a load at an [`Op::Crossed`] index: the elements for a block of rows.
    pub(crate) fn tile(&self, load: &Node) -> String {
        let number = self.nodes.iter().position(|node| std::ptr::eq(node, load)).unwrap_or_default();
        format!("tile{number}")
    }

    /// Writes the macros of `kernels/assign_blocks.cl` that read tiles, and adds the tiles to the parameters and
    /// arguments of functions.
    pub(crate) fn write_tiles(
        &self,
        out: &mut Section,
        parameters: &mut String,
        arguments: &mut String,
    ) -> fmt::Result {
        let (mut block, mut row, mut no_block) = ("(p)".to_owned(), "(k)".to_owned(), String::new());
        for load in &self.nodes {
            let Op::Load(slot) = load.op else { continue };
            let index = &self.nodes[load.arguments[0] as usize];
            let (Op::Crossed, &[_, stride, begin], Some(element)) =
                (index.op, &index.arguments[..], load.ty.element())
            else {
                continue;
            };
            let (Op::Scalar(stride), Op::Row(begin)) =
                (self.nodes[stride as usize].op, self.nodes[begin as usize].op)
            else {
                continue;
            };
            let (name, tile) = (stored_name(element), self.tile(load));
            write!(block, " {name} {tile}_items[PACK * BLOCK];")?;
            write!(
                block,
                " for (uint j = 0; j < PACK; ++j) for (uint k = 0; k < BLOCK; ++k) {tile}_items[j * BLOCK + k]"
            )?;
            write!(block, " = x{slot}[row{} + ((INDEX)(p) * PACK + j) * s{stride} + k];", begin.slot)?;
            write!(row, " const {name} *{tile} = {tile}_items + (k);")?;
            write!(no_block, " const {name} *{tile} = 0;")?;
            write!(parameters, "const {name} *{tile}, ")?;
            write!(arguments, "{tile}, ")?;
        }
        out.define("BEGIN_BLOCK", block)?;
        out.define("BEGIN_BLOCK_ROW", row)?;
        out.define("NO_BLOCK", no_block)
    }
}

/// Returns what the axes before the last add to an index, with the offset.
fn begin_of(form: Affine) -> Affine {
    let mut strides = [0; MOST_AXES];
    strides[..MOST_AXES - 1].copy_from_slice(&form.strides[1..]);
    Affine { offset: form.offset, strides }
}

/// The indices of a graph.
struct Indices {
    /// For each node that is an affine index, its form.
    forms: Vec<Option<Affine>>,
    /// The affine indices that nodes of other kinds use: loads, checks and casts.
    used: Vec<NodeId>,
}

impl Indices {
    fn of(graph: &Graph<'_>) -> Indices {
        let mut forms: Vec<Option<Affine>> = Vec::with_capacity(graph.nodes.len());
        for node in &graph.nodes {
            let form = if node.ty == Type::Index { affine_form(graph, node, &forms) } else { None };
            forms.push(form);
        }
        let mut is_used = vec![false; graph.nodes.len()];
        for (node, form) in graph.nodes.iter().zip(&forms) {
            if form.is_none() {
                node.arguments.iter().for_each(|&argument| is_used[argument as usize] = true);
            }
        }
        let is_index = |&id: &NodeId| {
            let op = graph.nodes[id as usize].op;
            is_used[id as usize]
                && forms[id as usize].is_some()
                && !matches!(op, Op::Scalar(_) | Op::Constant(_))
        };
        let used = (0..graph.nodes.len() as NodeId).filter(is_index).collect();
        Indices { forms, used }
    }
}

fn affine_form(graph: &Graph<'_>, node: &Node, forms: &[Option<Affine>]) -> Option<Affine> {
    let of = |at: usize| forms[node.arguments[at] as usize];
    let constant = |at: usize| of(at).and_then(Affine::as_constant);
    match node.op {
        Op::Coordinate(axis) => Some(Affine::coordinate(axis)),
        Op::Scalar(slot) => Some(Affine::constant(graph.scalars[slot as usize].value())),
        Op::Constant(bits) => Some(Affine::constant(bits as i64)),
        Op::Offset => Some(of(0)?.plus(of(1)?)),
        Op::Mirror => Some(of(1)?.plus(of(0)?.times(-1))),
        Op::Affine => Some(of(0)?.times(constant(1)?).plus(of(2)?)),
        Op::Strided => {
            let mut sum = of(0)?;
            for at in (1..node.arguments.len()).step_by(2) {
                sum = sum.plus(of(at)?.times(constant(at + 1)?));
            }
            Some(sum)
        }
        _ => None,
    }
}
