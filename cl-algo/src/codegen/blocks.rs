//! The macros of `kernels/assign_blocks.cl`: inputs that are contiguous across rows, read in blocks.

use super::section::Section;
use crate::element::ElementType;
use crate::ir::graph::Graph;
use crate::ir::op::{Node, Op};
use crate::ir::rows::{RowBegin, Rows};
use crate::lower::operation::reinterpreted;
use crate::lower::value_type::stored_name;
use std::fmt::{self, Write};

/// A load at an index `stride * i + begin` whose elements are contiguous across rows: [`Op::Crossed`].
struct Crossing<'g> {
    load: &'g Node,
    element: ElementType,
    /// The number of the vector.
    vector: u32,
    /// The number of the scalar that is the distance of neighbouring items of a row.
    stride: u32,
    begin: RowBegin,
}

impl Graph<'_> {
    /// Returns the sizes in bytes of the elements that are read in blocks.
    pub(crate) fn crossing_sizes(&self) -> Vec<usize> {
        self.crossings().map(|crossing| crossing.element.size()).collect()
    }

    /// Returns the name of the pointer to a pack of a load at an [`Op::Crossed`] index.
    pub(crate) fn block(&self, load: &Node) -> String {
        let number = self.nodes.iter().position(|node| std::ptr::eq(node, load)).unwrap_or_default();
        format!("block{number}")
    }

    fn crossings(&self) -> impl Iterator<Item = Crossing<'_>> {
        self.nodes.iter().filter_map(|load| {
            let Op::Load(vector) = load.op else { return None };
            let index = &self.nodes[load.arguments[0] as usize];
            let (Op::Crossed, &[_, stride, begin]) = (index.op, &index.arguments[..]) else { return None };
            let (Op::Scalar(stride), Op::Row(begin)) =
                (self.nodes[stride as usize].op, self.nodes[begin as usize].op)
            else {
                return None;
            };
            Some(Crossing { load, element: load.ty.element()?, vector, stride, begin })
        })
    }

    /// Writes the macros that read and use blocks, and adds the pointers to their packs to the parameters and arguments
    /// of functions. Graphs without such loads need none of these.
    pub(crate) fn write_blocks(
        &self,
        out: &mut Section,
        rows: &Rows,
        chunked: bool,
        parameters: &mut String,
        arguments: &mut String,
    ) -> fmt::Result {
        if self.crossings().next().is_none() {
            return Ok(());
        }
        let space = if chunked { "" } else { "local " };
        let (mut blocks, mut fill) = (String::new(), String::new());
        let (mut pack, mut no_pack) = ("(m, j)".to_owned(), String::new());
        let mut prefetch = " { BEGIN_ROW(top + beyond + m)".to_owned();
        for Crossing { load, element, vector, stride, begin: RowBegin { slot: row, .. } } in self.crossings()
        {
            let (name, block, x) = (stored_name(element), self.block(load), self.pointer(vector, element));
            let square = if element.size() < 8 { 8 } else { 4 };
            write!(blocks, " {space}{name} {block}_items[SIDE * BLOCK_STRIDE] BLOCK_ALIGNMENT;")?;
            write!(fill, " const INDEX {block}_begin = row{row} + column * s{stride};")?;
            write!(fill, " FILL_BLOCK({name}, {square}, {block}_items, {x}, {block}_begin, s{stride})")?;
            write!(prefetch, " PREFETCH({x} + (INDEX)({block}_begin + beyond + (ahead + m) * s{stride}))")?;
            write!(pack, " const {space}{name} *{block} = {block}_items + (m) * BLOCK_STRIDE + (j) * PACK;")?;
            write!(no_pack, " const {space}{name} *{block} = 0;")?;
            write!(parameters, "const {space}{name} *{block}, ")?;
            write!(arguments, "{block}, ")?;
        }
        for (vector, element, row) in self.loads_of_rows().filter(|(.., row)| rows.moves(*row)) {
            let x = self.pointer(vector, element);
            write!(prefetch, " PREFETCH({x} + (INDEX)(row{} + column + ahead))", row.slot)?;
        }
        out.define("BLOCKS", blocks)?;
        out.define("FILL_BLOCKS", fill)?;
        out.define("PREFETCH_NEXT", prefetch + " }")?;
        out.define("BEGIN_PACK", pack)?;
        out.define("NO_PACK", no_pack)
    }

    /// Returns the loads of consecutive elements of rows: the vector's number, the element and the begin of the row.
    fn loads_of_rows(&self) -> impl Iterator<Item = (u32, ElementType, RowBegin)> {
        self.nodes.iter().filter_map(|load| {
            let Op::Load(vector) = load.op else { return None };
            let index = &self.nodes[load.arguments[0] as usize];
            let (Op::Offset, &[own, begin]) = (index.op, &index.arguments[..]) else { return None };
            match (self.nodes[own as usize].op, self.nodes[begin as usize].op) {
                (Op::Index, Op::Row(begin)) => Some((vector, load.ty.element()?, begin)),
                _ => None,
            }
        })
    }

    /// Returns the pointer to elements of a vector.
    fn pointer(&self, vector: u32, element: ElementType) -> String {
        match self.vectors[vector as usize].element == element {
            true => format!("x{vector}"),
            false => reinterpreted(&format!("x{vector}"), element),
        }
    }
}
