//! Interleaved values: results that several neighbouring items share are computed once for all of them.
//!
//! For example, with four values for each item, element i of `flat_map` is value i % 4 of item i / 4. The values become
//! a function of their own. A pack calls it once for every four elements; a single element calls it and takes one
//! value.
//!
//! Nodes that interleave equally many values at the same index are a family: one function computes the values of all of
//! them. A separate loop for each node would compute their common subexpressions twice under a compiler that does not
//! join the loops.

use super::body::Body;
use super::fold;
use super::value_type::{ValueType, indexable_pack, once, packed_name};
use crate::element::ElementType;
use crate::ir::graph::Graph;
use crate::ir::op::{Node, NodeId, Op};
use std::fmt::{self, Write};

/// Returns whether a pack of `width` items computes each group of values once. The index must be the item's own plus a
/// launch value, if any, and packs must consist of whole groups.
pub(crate) fn is_shared(graph: &Graph<'_>, node: &Node, width: usize) -> bool {
    let [parts @ .., index] = &node.arguments[..] else { return false };
    width.is_multiple_of(parts.len())
        && match graph.nodes[*index as usize].op {
            Op::Index => true,
            Op::Offset => offset(graph, *index).is_some() && reads_nothing(graph, parts),
            _ => false,
        }
}

/// Returns the scalar that is added to the item's own index, if the index has this form.
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

/// Returns the index of a shared node that interleaves, for the item at `index`.
pub(crate) fn shifted(graph: &Graph<'_>, node: &Node, index: &str) -> String {
    match node.arguments.last().and_then(|&own| offset(graph, own)) {
        Some(slot) => format!("{index} + s{slot}"),
        None => index.to_owned(),
    }
}

/// Returns whether the values read no vector. Such values can be computed for items beyond the last one, too.
fn reads_nothing(graph: &Graph<'_>, parts: &[NodeId]) -> bool {
    let needed = graph.needed(parts);
    let reads = |op| matches!(op, Op::Load(_) | Op::Vector(_) | Op::Checked(_));
    graph.nodes.iter().zip(needed).all(|(node, needed)| !(needed && reads(node.op)))
}

/// Returns the nodes that are computed together with a node that interleaves, including itself, in packs of `width`
/// items.
fn family(graph: &Graph<'_>, id: NodeId, width: usize) -> Vec<NodeId> {
    let of = &graph.nodes[id as usize];
    let is_like = |node: &Node| {
        node.op == Op::Interleave
            && node.arguments.len() == of.arguments.len()
            && node.arguments.last() == of.arguments.last()
            && has_packs(graph, node, width)
    };
    let nodes = || graph.nodes.iter().zip(0..);
    let alike: Vec<NodeId> = nodes().filter(|(node, _)| is_like(node)).map(|(_, id)| id).collect();
    let (Some(&first), Some(&last)) = (alike.first(), alike.last()) else { return vec![id] };
    // One function for all nodes is only possible if no other function is written between those of the first
    // and the last node. Such a function could call the function of the first node, and be called by the last
    // one.
    let has_function = |node: &Node| matches!(node.op, Op::Interleave | Op::Fold { .. });
    let between = nodes().filter(|&(node, id)| first <= id && id <= last && has_function(node)).count();
    if is_like(of) && between == alike.len() { alike } else { vec![id] }
}

/// Returns whether a node that interleaves has a function for packs of `width` items.
fn has_packs(graph: &Graph<'_>, node: &Node, width: usize) -> bool {
    width > 1 && is_shared(graph, node, width) && node.ty.scalar().is_some()
}

/// Returns the call for a node's item at `index`.
pub(crate) fn item(node: NodeId, index: &str) -> String {
    format!("flat{node}_item(ARGUMENTS {index})")
}

/// Returns the term for pack number `index` of a node. A family of several nodes needs a statement first, which is
/// returned for the first of its nodes in `needed`.
pub(crate) fn pack(
    graph: &Graph<'_>,
    node: NodeId,
    width: usize,
    index: &str,
    needed: &[bool],
) -> (Option<String>, String) {
    let family = family(graph, node, width);
    let [name, _, ..] = family[..] else {
        return (None, format!("flat{node}_pack(ARGUMENTS {index})"));
    };
    let is_first = family.iter().find(|&&id| needed[id as usize]) == Some(&node);
    let statement = is_first
        .then(|| format!("flat{name}_packs f{name};\n    flat{name}_pack(ARGUMENTS {index}, &f{name});"));
    (statement, format!("f{name}.pack{node}"))
}

/// Writes the functions of all nodes that interleave, for packs of `width` items, and of all folds. Inner ones come
/// first. If `calls` is `true`, heavy functions are called instead of inlined.
pub(crate) fn write(out: &mut String, graph: &Graph<'_>, width: usize, calls: bool) -> fmt::Result {
    for (id, node) in graph.nodes.iter().enumerate() {
        let id = id as NodeId;
        fold::write(out, graph, id, node)?;
        let (Op::Interleave, Some(&index)) = (node.op, node.arguments.last()) else { continue };
        let members = family(graph, id, width);
        // All members' values are written by now.
        if members.last() != Some(&id) {
            continue;
        }
        let flats: Vec<Flat<'_>> = members.into_iter().filter_map(|id| Flat::of(graph, id)).collect();
        let Some(first) = flats.first() else { continue };
        let parts = flats.iter().flat_map(|flat| flat.parts).copied();
        let is_heavy = Body::new(graph, &parts.collect::<Vec<_>>()).functions().next().is_some();
        let once = once(calls && is_heavy);
        let family = Family { name: first.id, count: first.parts.len(), index, flats, once };
        family.write_group(out, graph)?;
        family.write_items(out)?;
        if has_packs(graph, node, width) {
            family.write_pack(out, width, offset(graph, index))?;
        }
    }
    Ok(())
}

/// The text in front of a loop over the groups of a pack. GPUs unroll it, because an array that is indexed by its
/// counter would lie in memory. CPUs do not, because their vectorisers need the loop.
const UNROLLED: &str = "#if !CHUNKED\n#pragma unroll\n#endif\n";

/// A node that interleaves.
struct Flat<'g> {
    id: NodeId,
    parts: &'g [NodeId],
    element: ElementType,
}

impl<'g> Flat<'g> {
    fn of(graph: &'g Graph<'_>, id: NodeId) -> Option<Flat<'g>> {
        let node = &graph.nodes[id as usize];
        let [parts @ .., _] = &node.arguments[..] else { return None };
        Some(Flat { id, parts, element: node.ty.element()? })
    }
}

/// Nodes that are computed together, at least one.
struct Family<'g> {
    /// The number of the first node.
    name: NodeId,
    /// The number of parts of each node.
    count: usize,
    index: NodeId,
    flats: Vec<Flat<'g>>,
    /// The attribute of the functions for items and packs, or an empty text: see [`once`].
    once: &'static str,
}

impl Family<'_> {
    /// Writes the function that computes all values of one group, those of the first node first.
    fn write_group(&self, out: &mut String, graph: &Graph<'_>) -> fmt::Result {
        let (id, count) = (self.name, self.count);
        let is_place =
            |node: &Node| node.op == Op::Quotient(count as u32) && node.arguments[..] == [self.index];
        // The graph has no quotient node if the values are the same for all groups.
        let place = graph.nodes.iter().position(is_place).map(|place| place as NodeId);
        let given: Vec<NodeId> = place.into_iter().collect();
        let names = self.flats.iter().flat_map(|flat| vec![ValueType::item(flat.element).name(); count]);
        let fields: String =
            names.enumerate().map(|(part, name)| format!("VOLATILE {name} part{part}; ")).collect();
        writeln!(out, "typedef VOLATILE struct {{ {fields}}} flat{id}_group;\n")?;
        let parameter = place.map_or_else(|| "place".to_owned(), |place| format!("v{place}"));
        writeln!(
            out,
            "static inline __attribute__((always_inline)) void flat{id}_at(PARAMETERS const INDEX {parameter}, \
             private flat{id}_group *group)\n{{"
        )?;
        let parts: Vec<NodeId> = self.flats.iter().flat_map(|flat| flat.parts).copied().collect();
        let body = Body::with_given(graph, &parts, &given);
        let values = body.write(out, 1, &given, &|_| String::new())?;
        // The result is stored through a pointer: if it is returned, inlining adds alias information that Oclgrind
        // 21.10 does not understand.
        for (part, value) in values.iter().enumerate() {
            writeln!(out, "    group->part{part} = {value};")?;
        }
        writeln!(out, "}}\n")
    }

    /// Writes the functions for one item of each node. The value is selected by comparisons, because an array that is
    /// indexed by a variable would lie in memory.
    fn write_items(&self, out: &mut String) -> fmt::Result {
        let (group, count) = (self.name, self.count);
        for (flat, first) in self.flats.iter().zip((0..).step_by(count)) {
            let (id, name) = (flat.id, ValueType::item(flat.element).name());
            writeln!(out, "static inline {}{name} flat{id}_item(PARAMETERS const INDEX i)\n{{", self.once)?;
            writeln!(
                out,
                "    flat{group}_group group;\n    flat{group}_at(ARGUMENTS i / {count}, &group);"
            )?;
            writeln!(out, "    const uint part = (uint)(i % {count});")?;
            let choice = |part: usize| format!("part == {part} ? group.part{} : ", first + part);
            let choices: String = (0..count - 1).map(choice).collect();
            writeln!(out, "    return {choices}group.part{};\n}}\n", first + count - 1)?;
        }
        Ok(())
    }

    /// Writes the function for packs of each node: as many groups as fit, and one group more if the pack begins within
    /// a group, because of the scalar `offset`.
    fn write_pack(&self, out: &mut String, width: usize, offset: Option<u32>) -> fmt::Result {
        let (id, count) = (self.name, self.count);
        self.begin_pack(out, width)?;
        let groups = width / count;
        match offset {
            None => {
                writeln!(out, "{UNROLLED}    for (uint k = 0; k < {groups}; ++k) {{")?;
                writeln!(
                    out,
                    "        flat{id}_group group;\n        flat{id}_at(ARGUMENTS p * {groups} + k, &group);"
                )?;
                self.put(out, |part, first| format!("group.part{}", first + part))?;
            }
            Some(slot) => {
                writeln!(out, "    const INDEX place = (p * PACK + s{slot}) / {count};")?;
                writeln!(out, "    const uint within = (uint)((p * PACK + s{slot}) % {count});")?;
                writeln!(out, "    flat{id}_group group;\n    flat{id}_at(ARGUMENTS place, &group);")?;
                writeln!(out, "{UNROLLED}    for (uint k = 0; k < {groups}; ++k) {{")?;
                writeln!(
                    out,
                    "        flat{id}_group next;\n        flat{id}_at(ARGUMENTS place + k + 1, &next);"
                )?;
                self.put(out, |part, first| {
                    let of = |at: usize| match at.checked_sub(count) {
                        None => format!("group.part{}", first + at),
                        Some(at) => format!("next.part{}", first + at),
                    };
                    let choices: String =
                        (0..count - 1).map(|by| format!("within == {by} ? {} : ", of(by + part))).collect();
                    format!("({choices}{})", of(count - 1 + part))
                })?;
                writeln!(out, "        group = next;")?;
            }
        }
        writeln!(out, "    }}")?;
        match &self.flats[..] {
            [_] => writeln!(out, "    return all.pack;")?,
            flats => {
                for Flat { id, .. } in flats {
                    writeln!(out, "    packs->pack{id} = all{id}.pack;")?;
                }
            }
        }
        writeln!(out, "}}\n")
    }

    /// Returns the name of a node's pack within the function for packs.
    fn all(&self, flat: &Flat<'_>) -> String {
        if self.flats.len() == 1 { "all".to_owned() } else { format!("all{}", flat.id) }
    }

    /// Writes the head of the function for packs, which returns the pack of a single node, and its declarations.
    fn begin_pack(&self, out: &mut String, width: usize) -> fmt::Result {
        let id = self.name;
        if let [flat] = &self.flats[..] {
            let name = packed_name(flat.element);
            writeln!(
                out,
                "static inline {}{name}{width} flat{id}_pack(PARAMETERS const INDEX p)\n{{",
                self.once
            )?;
        } else {
            let field =
                |flat: &Flat<'_>| format!("VOLATILE {}{width} pack{}; ", packed_name(flat.element), flat.id);
            let fields: String = self.flats.iter().map(field).collect();
            writeln!(out, "typedef VOLATILE struct {{ {fields}}} flat{id}_packs;\n")?;
            let inline = if self.once.is_empty() { "__attribute__((always_inline)) " } else { self.once };
            writeln!(
                out,
                "static inline {}void flat{id}_pack(PARAMETERS const INDEX p, \
                 private flat{id}_packs *packs)\n{{",
                inline
            )?;
        }
        for flat in &self.flats {
            writeln!(out, "    {} {};", indexable_pack(&packed_name(flat.element), width), self.all(flat))?;
        }
        Ok(())
    }

    /// Writes the statements for group k of the pack. `value` returns value number `part` of a node, whose first value
    /// has number `first` in the group.
    fn put(&self, out: &mut String, value: impl Fn(usize, usize) -> String) -> fmt::Result {
        let count = self.count;
        for (flat, first) in self.flats.iter().zip((0..).step_by(count)) {
            // Masks are 0 and -1.
            let minus = if flat.element == ElementType::BOOL { "-" } else { "" };
            for part in 0..count {
                let (all, value) = (self.all(flat), value(part, first));
                writeln!(out, "        {all}.item[k * {count} + {part}] = {minus}{value};")?;
            }
        }
        Ok(())
    }
}

/// Returns the names of the functions and types that [`write`] defines.
pub(crate) fn names(graph: &Graph<'_>) -> impl Iterator<Item = String> {
    graph.nodes.iter().enumerate().flat_map(|(id, node)| {
        let (of, ends): (_, &[&str]) = match node.op {
            Op::Interleave => ("flat", &["_group", "_at", "_item", "_pack", "_packs"]),
            Op::Fold { .. } => ("fold", &["", "_entry", "_combine"]),
            _ => ("", &[]),
        };
        ends.iter().map(move |end| format!("{of}{id}{end}"))
    })
}
