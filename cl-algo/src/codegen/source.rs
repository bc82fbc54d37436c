//! Kernel source: a generated prelude in front of a template.

use super::arithmetic::{self, Lanes};
use crate::device_profile::{DeviceFence, DeviceProfile, Shape};
use crate::element::ElementType;
use crate::expr::graph::{Graph, Node, Op};
use std::fmt::Write;

/// The kernel templates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Template {
    /// `kernels/assign.cl`.
    Assign {
        /// The target is one of the vectors that are read.
        in_place: bool,
    },
    /// `kernels/reduce.cl`, adding.
    Sum(Pass),
}

/// Which part of a reduction a kernel does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Pass {
    /// All of it: the work-group that finishes last combines what the others have found. Needs a
    /// fence.
    Only(DeviceFence),
    /// The first of two: one partial result a work-group.
    First,
    /// The second of two: combines partial results in one work-group.
    Second,
}

impl Template {
    /// The name of the kernel in the template.
    pub(crate) fn kernel(self) -> &'static str {
        match self {
            Template::Assign { .. } => "assign",
            Template::Sum(_) => "reduce",
        }
    }

    /// How it divides its work on a device.
    pub(crate) fn shape(self, profile: &DeviceProfile, element: ElementType) -> Shape {
        match self {
            Template::Assign { .. } => profile.elementwise(element),
            Template::Sum(Pass::Only(_) | Pass::First) => profile.reduction(element),
            Template::Sum(Pass::Second) => profile.final_reduction(element),
        }
    }

    fn text(self) -> &'static str {
        match self {
            Template::Assign { .. } => include_str!("../kernels/assign.cl"),
            Template::Sum(_) => include_str!("../kernels/reduce.cl"),
        }
    }
}

const PTX_FENCE: &str = r#"asm volatile("membar.gl;" ::: "memory")"#;
const C3_FENCE: &str =
    "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device)";

const SHAPE: &str = include_str!("../kernels/shape.cl");

/// The whole source of a template over an expression.
pub(crate) fn source(graph: &Graph<'_>, template: Template, shape: Shape, wide_index: bool) -> String {
    let root = &graph.nodes[graph.root as usize];
    let item = Lanes { element: root.element, width: 1 };
    let pack = Lanes { element: root.element, width: shape.pack };
    let mut text = String::with_capacity(8192);
    // Writing to a String cannot fail.
    let _ = write_prelude(&mut text, graph, shape, item, pack, wide_index);
    let _ = write_extras(&mut text, template, item, pack);
    text.push_str(SHAPE);
    text.push('\n');
    text.push_str(template.text());
    text
}

fn write_prelude(
    out: &mut String,
    graph: &Graph<'_>,
    shape: Shape,
    item: Lanes,
    pack: Lanes,
    wide_index: bool,
) -> std::fmt::Result {
    writeln!(out, "// {}", crate::expr::text(graph))?;
    for element in [ElementType::F64, ElementType::F16] {
        if graph.nodes.iter().any(|node| node.element == element) {
            let extension = if element == ElementType::F64 { "cl_khr_fp64" } else { "cl_khr_fp16" };
            writeln!(out, "#pragma OPENCL EXTENSION {extension} : enable")?;
        }
    }
    // The host computes a * b + c with two roundings, and so does the device.
    writeln!(out, "#pragma OPENCL FP_CONTRACT OFF")?;
    writeln!(out, "#define ITEM {}", item.name())?;
    writeln!(out, "#define PACK_ITEM {}", pack.name())?;
    writeln!(out, "#define INDEX {}", if wide_index { "ulong" } else { "uint" })?;
    writeln!(out, "#define GROUP {}", shape.group)?;
    writeln!(out, "#define PACK {}", shape.pack)?;
    writeln!(out, "#define PACKS {}", shape.packs)?;
    writeln!(out, "#define CHUNKED {}", u8::from(shape.chunked))?;
    let (parameters, arguments) = leaves(graph);
    writeln!(out, "#define PARAMETERS {parameters}")?;
    writeln!(out, "#define ARGUMENTS {arguments}")?;
    writeln!(out, "#define LOAD(i) item_at({arguments}i)")?;
    writeln!(out, "#define LOAD_PACK(p) pack_at({arguments}p)")?;
    writeln!(out)?;
    write_value(out, graph, "item_at", 1)?;
    write_value(out, graph, "pack_at", shape.pack)
}

/// What single templates need on top.
fn write_extras(out: &mut String, template: Template, item: Lanes, pack: Lanes) -> std::fmt::Result {
    match template {
        Template::Assign { in_place } => {
            writeln!(out, "#define OUT_RESTRICT {}", if in_place { "" } else { "restrict" })
        }
        Template::Sum(pass) => {
            match pass {
                Pass::Only(DeviceFence::Ptx) => writeln!(out, "#define DEVICE_FENCE() {PTX_FENCE}")?,
                Pass::Only(DeviceFence::OpenClC3) => writeln!(out, "#define DEVICE_FENCE() {C3_FENCE}")?,
                Pass::First | Pass::Second => {}
            }
            let add = |lanes| arithmetic::apply(Op::Add, lanes, &["(a)", "(b)"]);
            writeln!(out, "#define COMBINE(a, b) ({})", add(item))?;
            writeln!(out, "#define COMBINE_PACK(a, b) ({})", add(pack))?;
            writeln!(out, "#define IDENTITY 0")?;
            writeln!(out, "#define COMPENSATED {}", u8::from(item.element.is_float()))
        }
    }
}

/// The parameters that every kernel over the expression begins with, each followed by a comma,
/// and the same list as arguments.
fn leaves(graph: &Graph<'_>) -> (String, String) {
    let mut parameters = String::new();
    let mut arguments = String::new();
    for (slot, scalar) in graph.scalars.iter().enumerate() {
        let _ = write!(parameters, "const {} s{slot}, ", scalar.element.c_name());
        let _ = write!(arguments, "s{slot}, ");
    }
    for slot in 0..graph.vectors.len() {
        let _ = write!(parameters, "global const {} *x{slot}, ", vector_type(graph, slot as u32));
        let _ = write!(arguments, "x{slot}, ");
    }
    (parameters, arguments)
}

/// The element type of a vector: that of its loads.
fn vector_type(graph: &Graph<'_>, slot: u32) -> &'static str {
    let load = graph.nodes.iter().find(|node| node.op == Op::Load && node.arguments[0] == slot);
    load.map_or("char", |node| node.element.c_name())
}

/// A function that computes the expression at one place: an item's index, or a pack's.
fn write_value(out: &mut String, graph: &Graph<'_>, function: &str, width: usize) -> std::fmt::Result {
    let lanes = |node: &Node| Lanes { element: node.element, width };
    let result = lanes(&graph.nodes[graph.root as usize]).name();
    writeln!(out, "inline {result} {function}(PARAMETERS const INDEX i)\n{{")?;
    for (id, node) in graph.nodes.iter().enumerate() {
        let lanes = lanes(node);
        let name = lanes.name();
        let slot = node.arguments[0];
        let value = match node.op {
            Op::Index => continue, // every load is at the element's own index so far
            Op::Load if width == 1 => format!("x{slot}[i]"),
            Op::Load => format!("((global const {name} *)x{slot})[i]"),
            Op::Scalar => format!("({name})(s{slot})"),
            op => {
                let names: Vec<String> = node.arguments.iter().map(|id| format!("v{id}")).collect();
                let operands: Vec<&str> = names.iter().take(op.arity()).map(String::as_str).collect();
                arithmetic::apply(op, lanes, &operands)
            }
        };
        writeln!(out, "    const {name} v{id} = {value};")?;
    }
    writeln!(out, "    return v{};\n}}\n", graph.root)
}
