//! The statements of a generated function: one for each node that its results need.

use super::value_type::{STORED_MASK, ValueType, small_words, stored_name, stored_pack};
use super::{flat, fold, or_else};
use crate::element::{ElementType, ScalarType};
use crate::ir::function::Function;
use crate::ir::graph::Graph;
use crate::ir::op::{Beyond, FunctionRef, Node, NodeId, Op, Type};
use crate::ir::rows::RowBegin;
use crate::lower::builtin;
use crate::lower::operation::{self, Operand, mask_of};
use crate::lower::quotient;
use std::fmt::{self, Write};

/// Nodes of a graph that are to be computed.
pub(crate) struct Body<'g> {
    graph: &'g Graph<'g>,
    roots: &'g [NodeId],
    /// For each node, `true` if it must be computed.
    needed: Vec<bool>,
    /// `true` for packs whose items are all inside the boxes of [`Op::Within`].
    is_within: bool,
}

/// A scalar at the item's own index: from a vector, from interleaved values, or from a function that is called for few
/// items.
pub(crate) struct OwnLoad {
    pub(crate) node: NodeId,
    pub(crate) scalar: ScalarType,
}

impl<'g> Body<'g> {
    pub(crate) fn new(graph: &'g Graph<'g>, roots: &'g [NodeId]) -> Body<'g> {
        Body::with_given(graph, roots, &[])
    }

    /// Returns the body for packs whose items are all inside the boxes of [`Op::Within`] nodes; `None` without such nodes.
    pub(crate) fn within(&self) -> Option<Body<'g>> {
        let is_boxed = self.nodes().any(|(_, node)| node.op == Op::Within);
        is_boxed.then(|| Body::of(self.graph, self.roots, &[], true))
    }

    /// Returns the nodes that a function computes for `roots`, if the nodes in `given` are its parameters.
    /// Interleaved values and the entries of folds are computed by other functions: see
    /// [`flat`](super::flat), [`fold`](super::fold).
    pub(crate) fn with_given(graph: &'g Graph<'g>, roots: &'g [NodeId], given: &[NodeId]) -> Body<'g> {
        Body::of(graph, roots, given, false)
    }

    fn of(graph: &'g Graph<'g>, roots: &'g [NodeId], given: &[NodeId], is_within: bool) -> Body<'g> {
        let mut needed = vec![false; graph.nodes.len()];
        roots.iter().for_each(|&root| needed[root as usize] = true);
        // Arguments come before the nodes that use them.
        for id in (0..graph.nodes.len()).rev().filter(|&id| !given.contains(&(id as NodeId))) {
            if needed[id] {
                let node = &graph.nodes[id];
                let seen = match node.op {
                    Op::Interleave => node.arguments.len() - 1..node.arguments.len(),
                    Op::Within => value_within(is_within)..value_within(is_within) + 1,
                    _ => node.of_entries()..node.arguments.len(),
                };
                node.arguments[seen].iter().for_each(|&argument| needed[argument as usize] = true);
            }
        }
        Body { graph, roots, needed, is_within }
    }

    /// Returns the body for the same roots, if the nodes in `given` are parameters of the function.
    pub(crate) fn without(&self, given: &[NodeId]) -> Body<'g> {
        if given.is_empty() {
            return Body { needed: self.needed.clone(), ..*self };
        }
        Body::of(self.graph, self.roots, given, self.is_within)
    }

    /// Returns the functions that are called, except those of values that are given.
    pub(crate) fn functions(&self) -> impl Iterator<Item = &'static Function> + '_ {
        self.nodes().filter_map(|(_, node)| match node.op {
            Op::Function(FunctionRef(function)) => Some(function),
            _ => None,
        })
    }

    /// Returns whether compilers should vectorise a loop over items that calls device functions. The body
    /// must call at least one function. Neither the body nor a function may check an index or contain a loop.
    pub(crate) fn has_vectorizable_calls(&self) -> bool {
        let checks_nothing =
            |(_, node): (NodeId, &Node)| !matches!(node.op, Op::Checked(_) | Op::Fold { .. });
        self.nodes().all(checks_nothing)
            && self.functions().next().is_some()
            && self.functions().all(|function| !function.has_loops && !function.checks_indices)
    }

    fn op(&self, node: NodeId) -> Op {
        self.graph.nodes[node as usize].op
    }

    fn nodes(&self) -> impl Iterator<Item = (NodeId, &'g Node)> + '_ {
        let nodes = self.graph.nodes.iter().enumerate().zip(&self.needed);
        nodes.filter(|(_, needed)| **needed).map(|((id, node), _)| (id as NodeId, node))
    }

    /// Returns whether every operation has a form for vectors of `width` items.
    ///
    /// Neighbours have one if their indices are consecutive, at a distance from the item's own index: see
    /// [`write_neighbours`](Body::write_neighbours).
    pub(crate) fn is_vectorizable(&self, width: usize) -> bool {
        self.nodes().all(|(_, node)| {
            let item_by_item = matches!(
                node.op,
                Op::Vector(_)
                    | Op::Function(_)
                    | Op::OrElse(_)
                    | Op::Checked(_)
                    | Op::Trusted
                    | Op::Fold { .. }
                    | Op::Field(_)
                    | Op::Component(_)
                    | Op::Make
            );
            let item_by_item = item_by_item
                || builtin::is_for_items(node.op, node.ty.scalar())
                || matches!(node.op, Op::Neighbour(_) | Op::Inside)
                    && !self.is_consecutive(node.arguments[0])
                || node.op == Op::Interleave && !self.is_own_flat(node, width);
            !item_by_item && (node.ty == Type::Index || node.ty.scalar().is_some())
        })
    }

    /// Returns whether the node interleaves values that neighbouring items of a pack share.
    fn is_own_flat(&self, node: &Node, width: usize) -> bool {
        flat::is_shared(self.graph, node, width)
    }

    /// Returns the loads that can be done for a pack of `width` items at once.
    pub(crate) fn own_loads(&self, width: usize) -> Vec<OwnLoad> {
        self.nodes()
            .filter(|(_, node)| match node.op {
                Op::Load(_) => self.op(node.arguments[0]) == Op::Index,
                Op::Interleave => self.is_own_flat(node, width),
                Op::OrElse(_) => node.ty != Type::BOOL,
                _ => false,
            })
            .filter_map(|(node, of)| Some(OwnLoad { node, scalar: of.ty.scalar()? }))
            .collect()
    }

    /// Writes the statements, for `width` items at once. The nodes in `given` are parameters of the function.
    /// `parameter` returns the text of an [`Op::Parameter`] by its number. Returns the names of the roots.
    pub(crate) fn write(
        &self,
        out: &mut String,
        width: usize,
        given: &[NodeId],
        parameter: &dyn Fn(u32) -> String,
    ) -> Result<Vec<String>, fmt::Error> {
        let mut values: Vec<ValueType> = vec![ValueType::item(Type::Index); self.graph.nodes.len()];
        for (id, node) in self.nodes() {
            let mut operands: Vec<Operand> = node
                .arguments
                .iter()
                .map(|&argument| self.operand(argument, values[argument as usize]))
                .collect();
            let mut ty = ValueType::pack(node.ty, width);
            if ty.is_bool()
                && !matches!(
                    node.op,
                    Op::Load(_)
                        | Op::Scalar(_)
                        | Op::Parameter(_)
                        | Op::Inside
                        | Op::Interleave
                        | Op::Fold { .. }
                        | Op::Folded(_)
                )
            {
                ty.mask = mask_of(node.op, &operands);
            }
            if node.op == Op::Within {
                ty.mask = operands[value_within(self.is_within)].ty.mask;
            }
            values[id as usize] = ty;
            if given.contains(&id) || matches!(node.ty, Type::Slice(_)) {
                continue;
            }
            if let Op::Pair(&(_, second)) = node.op {
                let ty = ValueType::pack(second, width);
                writeln!(out, "    {} w{id};", ty.name())?;
                operands.push(Operand::new(format!("&w{id}"), ty, node.op));
            }
            let text = match node.op {
                Op::Parameter(number) => parameter(number),
                Op::Interleave if width > 1 => self.flat_pack(out, id, width, "i")?,
                Op::Interleave => flat::item(id, operands.last().map_or("i", |last| &last.text)),
                Op::Neighbour(_) if width > 1 => format!("({})(first{id}) + LANES", ty.name()),
                Op::Fold { .. } => fold::call(id, operands[fold::ENDS..].iter().map(|operand| &operand.text)),
                _ => match self.graph.launched_divisor(node) {
                    Some(slot) => {
                        let (numbers, upper) = (format!("by{slot}"), format!("w{id}"));
                        let [a, b] = [&*operands[0].text, &*operands[1].text];
                        writeln!(out, "    {}", quotient::upper_half(&upper, ty, a, &numbers))?;
                        quotient::text(node.op, ty, [a, b], &numbers, &upper)
                    }
                    None => self.text(node, ty, &operands),
                },
            };
            writeln!(out, "    const {} v{id} = {text};", ty.name())?;
        }
        let result = |&root: &NodeId| {
            let stored = ValueType { mask: STORED_MASK, ..values[root as usize] };
            operation::as_mask(&self.operand(root, values[root as usize]), stored)
        };
        Ok(self.roots.iter().map(result).collect())
    }

    fn operand(&self, id: NodeId, ty: ValueType) -> Operand {
        let node = &self.graph.nodes[id as usize];
        let text = match node.op {
            Op::Vector(slot) => self.pointer(slot, node.ty.element()),
            _ => format!("v{id}"),
        };
        Operand::new(text, ty, node.op)
    }

    fn text(&self, node: &Node, ty: ValueType, operands: &[Operand]) -> String {
        let of = |at: usize| operands[at].text.as_str();
        match node.op {
            Op::Index if ty.width == 1 => "i".to_owned(),
            Op::Index => format!("({})(i * PACK) + LANES", ty.name()),
            Op::Scalar(slot) if ty.is_bool() => match ty.width {
                1 => format!("(s{slot} != 0)"),
                _ => format!("({})(-(char)(s{slot}))", ty.name()),
            },
            Op::Scalar(slot) => scalar(slot, ty),
            Op::Load(_) => self.load(node, of(0), ty.width),
            Op::Second => format!("w{}", node.arguments[0]),
            Op::Row(begin) if ty.width == 1 => format!("row{}", begin.slot),
            Op::Row(begin) => format!("({})(row{})", ty.name(), begin.slot),
            Op::Offset => format!("{} + {}", of(0), of(1)),
            Op::Near(by) => format!("{} + ({})({by})", of(0), ty.name()),
            Op::Mirror => format!("{} - {}", of(1), of(0)),
            Op::Affine | Op::Crossed => format!("{} * {} + {}", of(0), of(1), of(2)),
            Op::Strided => strided(operands),
            Op::Quotient(by) => format!("{} / {by}", of(0)),
            Op::Neighbour(Beyond::Clamp) => format!("clamped_neighbour({}, {}, {})", of(0), of(1), of(2)),
            Op::Neighbour(Beyond::Wrap) => format!("wrapped_neighbour({}, {}, {})", of(0), of(1), of(2)),
            Op::Inside if ty.width > 1 => format!("(char{})(-1)", ty.width),
            Op::Inside => format!("is_inside({}, {}, {})", of(0), of(1), of(2)),
            Op::Within => of(value_within(self.is_within)).to_owned(),
            op => operation::apply(op, ty, operands),
        }
    }

    /// Returns the pointer to a vector, cast to elements of the type.
    fn pointer(&self, slot: u32, element: Option<ElementType>) -> String {
        match element {
            Some(element) if self.graph.vectors[slot as usize].element != element => {
                operation::reinterpreted(&format!("x{slot}"), element)
            }
            _ => format!("x{slot}"),
        }
    }

    /// Returns whether the items of a pack read consecutive elements at this index, except at borders.
    fn is_consecutive(&self, index: NodeId) -> bool {
        let node = &self.graph.nodes[index as usize];
        match node.op {
            Op::Index => true,
            Op::Offset | Op::Near(_) | Op::Neighbour(_) => self.is_consecutive(node.arguments[0]),
            _ => false,
        }
    }

    /// Returns the term for the index of a pack's first item.
    fn first(&self, index: NodeId) -> String {
        let node = &self.graph.nodes[index as usize];
        match (node.op, &node.arguments[..]) {
            (Op::Offset, &[own, by]) => format!("{} + {}", self.first(own), self.launched(by)),
            (Op::Near(by), &[own]) => format!("{} + ({by})", self.first(own)),
            (Op::Neighbour(_), _) => format!("first{index}"),
            _ => "i * PACK".to_owned(),
        }
    }

    /// Writes variables for the first neighbours of pack `i`. Returns the condition under which all neighbours of its
    /// items are consecutive elements of their vectors, as nearly everywhere. Functions on packs assume this condition.
    /// Returns `None` without neighbours.
    pub(crate) fn write_neighbours(
        &self,
        out: &mut String,
        width: usize,
    ) -> Result<Option<String>, fmt::Error> {
        let mut conditions = Vec::new();
        for (id, node) in self.nodes() {
            if node.op == Op::Within {
                for &inside in &node.arguments[2..] {
                    let condition = self.box_condition(inside, "i * PACK", width - 1);
                    if !conditions.contains(&condition) {
                        conditions.push(condition);
                    }
                }
                continue;
            }
            let (Op::Neighbour(_) | Op::Inside, &[own, offset, length]) = (node.op, &node.arguments[..])
            else {
                continue;
            };
            let (own, offset, length) = (self.first(own), self.launched(offset), self.launched(length));
            match node.op {
                Op::Neighbour(Beyond::Clamp) => {
                    writeln!(out, "    const INDEX first{id} = {own} + {offset};")?;
                }
                Op::Neighbour(Beyond::Wrap) => {
                    let first = format!("wrapped_neighbour({own}, {offset}, {length})");
                    writeln!(out, "    const INDEX first{id} = {first};")?;
                    conditions.push(format!("first{id} < {length} - (PACK - 1)"));
                    continue;
                }
                _ => {}
            }
            let condition = format!("is_inside({own}, {offset}, {length} - (PACK - 1))");
            if !conditions.contains(&condition) {
                conditions.push(condition);
            }
        }
        Ok((!conditions.is_empty()).then(|| conditions.join(" && ")))
    }

    /// Returns the condition that the item at an index is inside the boxes of the [`Op::Within`] nodes; `None` without any.
    pub(crate) fn box_of_item(&self, index: &str) -> Option<String> {
        let boxed = self.nodes().filter(|(_, node)| node.op == Op::Within);
        let mut conditions: Vec<String> = Vec::new();
        for &inside in boxed.flat_map(|(_, node)| &node.arguments[2..]) {
            let condition = self.box_condition(inside, index, 0);
            if !conditions.contains(&condition) {
                conditions.push(condition);
            }
        }
        (!conditions.is_empty()).then(|| conditions.join(" && "))
    }

    /// Returns the condition that an [`Op::Inside`] node gives, for the item at an index and `more` items after it.
    fn box_condition(&self, inside: NodeId, index: &str, more: usize) -> String {
        let arguments = &self.graph.nodes[inside as usize].arguments;
        let [offset, length] = [1, 2].map(|at| self.launched(arguments[at]));
        match self.least(arguments[0], index, more) {
            // A box may be shorter than a pack.
            (least, true) if more > 0 => {
                format!(
                    "is_inside({least}, {offset}, {length}) && is_inside({least} + {more}, {offset}, {length})"
                )
            }
            (coordinate, _) => format!("is_inside({coordinate}, {offset}, {length})"),
        }
    }

    /// Returns the term for the least of the coordinates of an item and of `more` items after it, and whether they differ.
    fn least(&self, coordinate: NodeId, index: &str, more: usize) -> (String, bool) {
        let node = &self.graph.nodes[coordinate as usize];
        let of = |own: NodeId| self.least(own, index, more);
        match (node.op, &node.arguments[..]) {
            (Op::Index, _) => (index.to_owned(), true),
            (Op::Near(by), &[own]) => (format!("{} + ({by})", of(own).0), of(own).1),
            (Op::Offset, &[own, by]) => (format!("{} + {}", of(own).0, self.launched(by)), true),
            (Op::Mirror, &[own, from]) => {
                (format!("{} - ({} + {more})", self.launched(from), of(own).0), true)
            }
            _ => (self.launched(coordinate), false),
        }
    }

    /// Returns the name of a launch value that is not a vector.
    fn launched(&self, node: NodeId) -> String {
        match self.op(node) {
            Op::Scalar(slot) => format!("s{slot}"),
            Op::Row(begin) => format!("row{}", begin.slot),
            _ => String::new(), // no other node is built
        }
    }

    /// Returns the element that a load reads at an index.
    pub(crate) fn load_item(&self, load: &OwnLoad, index: &str) -> String {
        match &self.graph.nodes[load.node as usize] {
            Node { op: Op::OrElse(_), .. } => or_else::call(load.node, 1, index),
            node if node.op == Op::Interleave => {
                flat::item(load.node, &flat::shifted(self.graph, node, index))
            }
            node => self.load(node, index, 1),
        }
    }

    /// Returns the term for the elements that a load reads for pack `p`, and writes a statement first if the term needs
    /// one.
    pub(crate) fn load_pack(
        &self,
        out: &mut String,
        load: &OwnLoad,
        width: usize,
    ) -> Result<String, fmt::Error> {
        match self.op(load.node) {
            Op::Load(slot) => Ok(stored_pack(load.scalar.into(), width, &format!("x{slot}"))),
            Op::OrElse(_) => Ok(or_else::call(load.node, width, "p")),
            _ => self.flat_pack(out, load.node, width, "p"),
        }
    }

    /// Returns the term for pack `index` of an [`Op::Interleave`], and writes a statement first if the term
    /// needs one.
    fn flat_pack(
        &self,
        out: &mut String,
        node: NodeId,
        width: usize,
        index: &str,
    ) -> Result<String, fmt::Error> {
        let (statement, term) = flat::pack(self.graph, node, width, index, &self.needed);
        if let Some(statement) = statement {
            writeln!(out, "    {statement}")?;
        }
        Ok(term)
    }

    /// Returns the begin of the row if the elements at this index are those of an aligned row, in order.
    fn aligned_row(&self, at: &Node) -> Option<RowBegin> {
        let &[own, row] = &at.arguments[..] else { return None };
        match (self.op(own), self.op(row)) {
            (Op::Index, Op::Row(begin)) => begin.aligned.then_some(begin),
            _ => None,
        }
    }

    /// Returns the element of a vector at an index, or the elements at the indices of a pack's items.
    fn load(&self, node: &Node, index: &str, width: usize) -> String {
        let (Op::Load(slot), Some(element)) = (node.op, node.ty.element()) else { return String::new() };
        let pointer = self.pointer(slot, Some(element));
        let truth = element == ElementType::BOOL;
        let at = &self.graph.nodes[node.arguments[0] as usize];
        if let (Op::Near(by), &[base]) = (at.op, &at.arguments[..])
            && let Some(pack) = self.near_load(node, element, &pointer, base, by, width)
        {
            return pack;
        }
        if width == 1 {
            return operation::load(element, &pointer, index);
        }
        let name = stored_name(element);
        let pack = match at.op {
            Op::Index => stored_pack(element, width, &pointer),
            Op::Offset if self.aligned_row(at).is_some() => {
                let row =
                    self.aligned_row(at).map_or_else(String::new, |begin| format!(" + row{}", begin.slot));
                stored_pack(element, width, &format!("({pointer}{row})"))
            }
            Op::Crossed => format!("vload{width}(0, {})", self.graph.block(node)),
            // The same element for the whole pack.
            Op::Row(begin) => format!("({name}{width})({pointer}[row{}])", begin.slot),
            Op::Offset
                if matches!(self.op(at.arguments[1]), Op::Row(_)) && self.is_consecutive(at.arguments[0]) =>
            {
                format!("LOOSE_PACK({name}, {width}, {pointer} + {index}.s0)")
            }
            Op::Offset | Op::Neighbour(_) if self.is_consecutive(at.arguments[0]) => {
                format!("vload{width}(0, {pointer} + {index}.s0)")
            }
            Op::Mirror if self.is_consecutive(at.arguments[0]) => {
                let reversed: String = (0..width).rev().map(|k| format!("{k:x}")).collect();
                format!("vload{width}(0, {pointer} + {index}.s{:x}).s{reversed}", width - 1)
            }
            // The same element for the whole pack: a scalar on the device.
            Op::Constant(at) => format!("({name}{width})({pointer}[{at}])"),
            _ => {
                let items: Vec<String> = (0..width).map(|k| format!("{pointer}[{index}.s{k:x}]")).collect();
                format!("({name}{width})({})", items.join(", "))
            }
        };
        // A mask is 0 or -1; a byte in memory is true unless it is 0.
        if truth { format!("({pack} != (uchar{width})(0))") } else { pack }
    }
}

impl Body<'_> {
    /// Returns the elements at the distance `by` from the aligned row at the index `base`, each as a component of an aligned
    /// pack. An element is loaded alone if its pack has elements that no load of the body reads: they may lie outside the vector.
    fn pack_of_parts(
        &self,
        load: &Node,
        element: ElementType,
        pointer: &str,
        base: NodeId,
        by: i32,
        width: usize,
    ) -> String {
        let (name, width) = (stored_name(element), width as i32);
        let row = self.graph.tiled_row(base).map_or(0, |begin| begin.slot);
        let distance = |other: &Node| {
            let at = other.arguments[0];
            match (self.op(at), &self.graph.nodes[at as usize].arguments[..]) {
                _ if other.op != load.op || other.ty != load.ty => None,
                _ if at == base => Some(0),
                (Op::Near(by), &[near]) if near == base => Some(by),
                _ => None,
            }
        };
        let loads = || self.nodes().filter(|(_, node)| matches!(node.op, Op::Load(_)));
        let begins: Vec<i32> = loads().filter_map(|(_, node)| distance(node)).collect();
        let is_read = |at: i32| begins.iter().any(|&begin| (begin..begin + width).contains(&at));
        let part = |at: i32| {
            let pack = at.div_euclid(width);
            match (pack * width..(pack + 1) * width).all(is_read) {
                true => {
                    let of = stored_pack(element, width as usize, &format!("({pointer} + row{row})"));
                    let of = of.strip_suffix("[p]").unwrap_or(&of);
                    format!("{of}[p + ({pack})].s{:x}", at.rem_euclid(width))
                }
                false => format!("({pointer} + v{base}.s0)[{at}]"),
            }
        };
        let parts: Vec<String> = (by..by + width).map(part).collect();
        format!("({name}{width})({})", parts.join(", "))
    }

    /// Returns the element, or the elements, at the distance `by` from the index `base`. The distance is added to the
    /// pointer, not to the index: so compilers make it a part of the instruction that loads, and keep one pointer for all
    /// distances.
    fn near_load(
        &self,
        load: &Node,
        element: ElementType,
        pointer: &str,
        base: NodeId,
        by: i32,
        width: usize,
    ) -> Option<String> {
        if matches!(element, ElementType::Vector(_, 3)) {
            return None; // their elements have no pointer of their type
        }
        let name = stored_name(element);
        let load = match self.op(base) {
            _ if width == 1 => format!("({pointer} + v{base})[{by}]"),
            Op::Row(begin) => format!("({name}{width})(({pointer} + row{})[{by}])", begin.slot),
            Op::Scalar(slot) => format!("({name}{width})(({pointer} + s{slot})[{by}])"),
            _ if self.graph.tiled_row(base).is_some() && small_words(element, width).is_none() => {
                self.pack_of_parts(load, element, pointer, base, by, width)
            }
            _ if self.is_consecutive(base) => {
                format!("LOOSE_PACK({name}, {width}, {pointer} + v{base}.s0 + ({by}))")
            }
            _ => {
                let items = (0..width).map(|k| format!("({pointer} + v{base}.s{k:x})[{by}]"));
                format!("({name}{width})({})", items.collect::<Vec<_>>().join(", "))
            }
        };
        Some(match (element, width) {
            (ElementType::BOOL, 1) => format!("({load} != 0)"),
            (ElementType::BOOL, _) => format!("({load} != (uchar{width})(0))"),
            _ => load,
        })
    }
}

/// Returns the number of the argument of an [`Op::Within`] node that is computed.
fn value_within(is_within: bool) -> usize {
    usize::from(!is_within)
}

/// Returns operand 0, plus the products of the pairs of operands after it.
fn strided(operands: &[Operand]) -> String {
    let products =
        operands[1..].chunks_exact(2).map(|pair| format!(" + {} * {}", pair[0].text, pair[1].text));
    operands[0].text.clone() + &products.collect::<String>()
}

/// Returns a launch value, repeated for all items of a pack.
fn scalar(slot: u32, ty: ValueType) -> String {
    match ty.width {
        1 => format!("s{slot}"),
        _ => format!("({})(s{slot})", ty.name()),
    }
}
