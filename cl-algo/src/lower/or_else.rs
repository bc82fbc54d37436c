//! Values that a function must compute for few of the items.
//!
//! [`Op::OrElse`](crate::ir::op::Op::OrElse) is a value that most items have directly, such as the first candidate of a
//! rejection method, and the call of a function for the others. A loop that calls a function is not vectorised, so CPUs
//! compute a pack in two loops: first the values of all items, then the missing ones.

use super::body::{Body, OwnLoad};
use super::value_type::indexable_pack;
use crate::ir::graph::Graph;
use crate::ir::op::NodeId;
use std::fmt::{self, Write};

/// Returns the call for the item at `index`, or for the pack of that number.
pub(crate) fn call(node: NodeId, width: usize, index: &str) -> String {
    let what = if width == 1 { "item" } else { "pack" };
    format!("or_else{node}_{what}(ARGUMENTS {index})")
}

/// Returns the nodes that are computed for all items: the condition and the direct value.
pub(crate) fn at_once(graph: &Graph<'_>, node: NodeId) -> impl Iterator<Item = NodeId> {
    graph.nodes[node as usize].arguments.iter().copied().take(2)
}

/// Writes the functions of a node, for packs of `width` items.
pub(crate) fn write(
    out: &mut String,
    graph: &Graph<'_>,
    load: &OwnLoad,
    width: usize,
    chunked: bool,
) -> fmt::Result {
    let (id, name) = (load.node, load.scalar.c_name());
    let given = "PARAMETERS const INDEX i";
    let each = "for (uint k = 0; k < PACK; ++k)";
    let written =
        |out: &mut String, roots: &[NodeId]| Body::new(graph, roots).write(out, 1, &[], &|_| String::new());
    if !chunked {
        writeln!(out, "static inline {name} or_else{id}_item({given})\n{{")?;
        for value in written(out, &[id])? {
            writeln!(out, "    return {value};\n}}\n")?;
        }
        writeln!(out, "static inline {name}{width} or_else{id}_pack(PARAMETERS const INDEX p)\n{{")?;
        writeln!(out, "    {} all;\n#pragma unroll\n    {each}", indexable_pack(name, width))?;
        return writeln!(
            out,
            "        all.item[k] = or_else{id}_item(ARGUMENTS p * PACK + k);\n    return all.pack;\n}}\n"
        );
    }

    let inline = "static inline __attribute__((always_inline))";
    writeln!(out, "{inline} void or_else{id}_first({given}, private {name} *item, private int *lacks)\n{{")?;
    let first: Vec<NodeId> = at_once(graph, id).collect();
    for (to, value) in ["*lacks = !", "*item = "].into_iter().zip(written(out, &first)?) {
        writeln!(out, "    {to}{value};")?;
    }
    // One copy of each is enough, and takes less time to compile.
    let once = "static __attribute__((noinline))";
    writeln!(out, "}}\n\n{once} {name} or_else{id}_rest({given})\n{{")?;
    let arguments = written(out, &graph.nodes[id as usize].arguments[first.len()..])?;
    if let Some(function) = graph.nodes[id as usize].op.function() {
        let fault = if function.checks_indices { " FAULT_ARGUMENT" } else { "" };
        writeln!(out, "    return {}({}{fault});\n}}\n", function.name, arguments.join(", "))?;
    }
    writeln!(out, "{once} {name} or_else{id}_item({given})\n{{\n    {name} item;\n    int lacks;")?;
    writeln!(out, "    or_else{id}_first(ARGUMENTS i, &item, &lacks);")?;
    writeln!(out, "    return lacks ? or_else{id}_rest(ARGUMENTS i) : item;\n}}\n")?;
    writeln!(out, "{once} {name}{width} or_else{id}_pack(PARAMETERS const INDEX p)\n{{")?;
    writeln!(out, "    {} all;\n    int lacks[PACK];", indexable_pack(name, width))?;
    writeln!(out, "    {each}\n        or_else{id}_first(ARGUMENTS p * PACK + k, &all.item[k], &lacks[k]);")?;
    writeln!(out, "    {each}\n        if (lacks[k])")?;
    writeln!(out, "            all.item[k] = or_else{id}_rest(ARGUMENTS p * PACK + k);")?;
    writeln!(out, "    return all.pack;\n}}\n")
}

/// Returns the names of the functions that [`write`] defines.
pub(crate) fn names(load: &OwnLoad, chunked: bool) -> impl Iterator<Item = String> {
    let id = load.node;
    let names: &[&str] = if chunked { &["item", "first", "rest", "pack"] } else { &["item", "pack"] };
    names.iter().map(move |what| format!("or_else{id}_{what}"))
}
