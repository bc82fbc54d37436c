//! Interleaved parts: items that several neighbours share are computed once for all of them.
//!
//! With four values of each item, `flat_map` makes element i value i % 4 of the item i / 4. That becomes a function of
//! its own: a pack calls it once for every four items, an item calls it and takes one part.

use super::body::Body;
use super::fold;
use super::lanes::{Lanes, lanes, packed_name};
use crate::element::ElementType;
use crate::ir::graph::Graph;
use crate::ir::op::{Node, NodeId, Op};
use std::fmt::{self, Write};

/// Whether a pack of `width` items computes each group of parts once: where the index is the item's own, or so
/// many places further on, and packs are made of whole groups.
pub(crate) fn is_shared(graph: &Graph<'_>, node: &Node, width: usize) -> bool {
    let [parts @ .., index] = &node.arguments[..] else { return false };
    width.is_multiple_of(parts.len())
        && match graph.nodes[*index as usize].op {
            Op::Index => true,
            Op::Offset => offset(graph, *index).is_some() && reads_nothing(graph, parts),
            _ => false,
        }
}

/// The scalar that is added to the item's own index, if that is all.
fn offset(graph: &Graph<'_>, index: NodeId) -> Option<u32> {
    let (Op::Offset, [own, by]) =
        (graph.nodes[index as usize].op, &graph.nodes[index as usize].arguments[..])
    else {
        return None;
    };
    match (graph.nodes[*own as usize].op, graph.nodes[*by as usize].op) {
        (Op::Index, Op::Scalar(slot)) => Some(slot),
        _ => None,
    }
}

/// The index of a node that interleaves and is shared, for the item at `index`.
pub(crate) fn shifted(graph: &Graph<'_>, node: &Node, index: &str) -> String {
    match node.arguments.last().and_then(|&own| offset(graph, own)) {
        Some(slot) => format!("{index} + s{slot}"),
        None => index.to_owned(),
    }
}

/// Whether no vector is read, so that parts beyond the last item can be computed.
fn reads_nothing(graph: &Graph<'_>, parts: &[NodeId]) -> bool {
    let needed = graph.needed(parts);
    let reads = |op| matches!(op, Op::Load(_) | Op::Vector(_) | Op::Checked(_));
    graph.nodes.iter().zip(needed).all(|(node, needed)| !(needed && reads(node.op)))
}

/// What the item at `index` is called, or the pack of that number.
pub(crate) fn call(node: NodeId, width: usize, index: &str) -> String {
    let what = if width == 1 { "item" } else { "pack" };
    format!("flat{node}_{what}(ARGUMENTS {index})")
}

/// Writes the functions of all nodes that interleave, for packs of `width` items, and of all folds. Those
/// inside of others come first.
pub(crate) fn write(out: &mut String, graph: &Graph<'_>, width: usize) -> fmt::Result {
    for (id, node) in graph.nodes.iter().enumerate() {
        fold::write(out, graph, id as NodeId, node)?;
        if let (Op::Interleave, [parts @ .., index], Some(element)) =
            (node.op, &node.arguments[..], node.ty.element())
        {
            let flat = Flat { id: id as NodeId, parts, index: *index, element };
            flat.write_group(out, graph)?;
            flat.write_item(out)?;
            if width > 1 && is_shared(graph, node, width) && element.scalar().is_some() {
                match offset(graph, *index) {
                    None => flat.write_pack(out, width)?,
                    Some(slot) => flat.write_shifted_pack(out, width, slot)?,
                }
            }
        }
    }
    Ok(())
}

/// In front of a loop over the groups of a pack: on GPUs an array that is indexed by its counter would lie in
/// memory, while vectorisers of CPUs want to see the loop.
const UNROLLED: &str = "#if !CHUNKED\n#pragma unroll\n#endif\n";

/// One node that interleaves.
struct Flat<'g> {
    id: NodeId,
    parts: &'g [NodeId],
    index: NodeId,
    element: ElementType,
}

impl Flat<'_> {
    /// All parts at one place.
    fn write_group(&self, out: &mut String, graph: &Graph<'_>) -> fmt::Result {
        let (id, count) = (self.id, self.parts.len());
        let is_place =
            |node: &Node| node.op == Op::Quotient(count as u32) && node.arguments[..] == [self.index];
        // None, where the parts are the same everywhere.
        let place = graph.nodes.iter().position(is_place).map(|place| place as NodeId);
        let given: Vec<NodeId> = place.into_iter().collect();
        let name = Lanes::item(self.element).name();
        let fields: String = (0..count).map(|part| format!("VOLATILE {name} part{part}; ")).collect();
        writeln!(out, "typedef VOLATILE struct {{ {fields}}} flat{id}_group;\n")?;
        let parameter = place.map_or_else(|| "place".to_owned(), |place| format!("v{place}"));
        writeln!(
            out,
            "static inline __attribute__((always_inline)) void flat{id}_at(PARAMETERS const INDEX {parameter}, \
             private flat{id}_group *group)\n{{"
        )?;
        let body = Body::beyond(graph, self.parts, &given);
        let values = body.write(out, 1, &given, &|_| String::new())?;
        // Not returned, because what is inlined then says of aliases what Oclgrind 21.10 does not understand.
        for (part, value) in values.iter().enumerate() {
            writeln!(out, "    group->part{part} = {value};")?;
        }
        writeln!(out, "}}\n")
    }

    /// One part: chosen by comparisons, because an array that is indexed by a variable would lie in
    /// memory.
    fn write_item(&self, out: &mut String) -> fmt::Result {
        let (id, count, name) = (self.id, self.parts.len(), Lanes::item(self.element).name());
        writeln!(out, "static inline {name} flat{id}_item(PARAMETERS const INDEX i)\n{{")?;
        writeln!(out, "    flat{id}_group group;\n    flat{id}_at(ARGUMENTS i / {count}, &group);")?;
        writeln!(out, "    const uint part = (uint)(i % {count});")?;
        let choices: String =
            (0..count - 1).map(|part| format!("part == {part} ? group.part{part} : ")).collect();
        writeln!(out, "    return {choices}group.part{};\n}}\n", count - 1)
    }

    /// As many groups as a pack has room for.
    fn write_pack(&self, out: &mut String, width: usize) -> fmt::Result {
        let (id, count) = (self.id, self.parts.len());
        let groups = width / count;
        self.begin_pack(out, width)?;
        writeln!(out, "{UNROLLED}    for (uint k = 0; k < {groups}; ++k) {{")?;
        writeln!(
            out,
            "        flat{id}_group group;\n        flat{id}_at(ARGUMENTS p * {groups} + k, &group);"
        )?;
        for part in 0..count {
            self.put(out, part, &format!("group.part{part}"))?;
        }
        writeln!(out, "    }}\n    return all.pack;\n}}\n")
    }

    /// One group more, because the pack begins within the first one.
    fn write_shifted_pack(&self, out: &mut String, width: usize, slot: u32) -> fmt::Result {
        let (id, count) = (self.id, self.parts.len());
        self.begin_pack(out, width)?;
        writeln!(out, "    const INDEX place = (p * PACK + s{slot}) / {count};")?;
        writeln!(out, "    const uint within = (uint)((p * PACK + s{slot}) % {count});")?;
        writeln!(out, "    flat{id}_group group;\n    flat{id}_at(ARGUMENTS place, &group);")?;
        writeln!(out, "{UNROLLED}    for (uint k = 0; k < {}; ++k) {{", width / count)?;
        writeln!(out, "        flat{id}_group next;\n        flat{id}_at(ARGUMENTS place + k + 1, &next);")?;
        for part in 0..count {
            let of = |at: usize| match at.checked_sub(count) {
                None => format!("group.part{at}"),
                Some(at) => format!("next.part{at}"),
            };
            let choices: String =
                (0..count - 1).map(|by| format!("within == {by} ? {} : ", of(by + part))).collect();
            self.put(out, part, &format!("({choices}{})", of(count - 1 + part)))?;
        }
        writeln!(out, "        group = next;\n    }}\n    return all.pack;\n}}\n")
    }

    fn begin_pack(&self, out: &mut String, width: usize) -> fmt::Result {
        let (id, name) = (self.id, packed_name(self.element));
        writeln!(out, "static inline {name}{width} flat{id}_pack(PARAMETERS const INDEX p)\n{{")?;
        writeln!(out, "    {} all;", lanes(&name, width))
    }

    /// Part of group k of the pack.
    fn put(&self, out: &mut String, part: usize, value: &str) -> fmt::Result {
        // Masks are 0 and -1.
        let minus = if self.element == ElementType::BOOL { "-" } else { "" };
        writeln!(out, "        all.item[k * {} + {part}] = {minus}{value};", self.parts.len())
    }
}

/// The names of the functions and types that [`write`] defines.
pub(crate) fn names(graph: &Graph<'_>) -> impl Iterator<Item = String> {
    graph.nodes.iter().enumerate().flat_map(|(id, node)| {
        let (of, ends): (_, &[&str]) = match node.op {
            Op::Interleave => ("flat", &["_group", "_at", "_item", "_pack"]),
            Op::Fold { .. } => ("fold", &["", "_entry", "_combine"]),
            _ => ("", &[]),
        };
        ends.iter().map(move |end| format!("{of}{id}{end}"))
    })
}
