//! Kernel source: a generated prelude in front of a template.

use super::lanes::{Lanes, stored_name};
use super::template::Request;
use super::value::Value;
use super::{store, structs};
use crate::device_profile::Shape;
use crate::element::{ElementType, ScalarType, StructType};
use crate::expr::graph::Graph;
use crate::expr::op::{Op, Type};
use crate::function::Function;
use std::fmt::{self, Write};

const SHAPE: &str = include_str!("../kernels/shape.cl");
const INDEX: &str = include_str!("../kernels/index.cl");
const NEIGHBOUR: &str = include_str!("../kernels/neighbour.cl");
const COMPLEX: &str = include_str!("../kernels/complex.cl");

/// The whole source of a template over an expression.
pub(crate) fn source(graph: &Graph<'_>, request: Request<'_>, shape: Shape, wide_index: bool) -> String {
    let mut text = String::with_capacity(8192);
    // Writing to a String cannot fail.
    let _ = write_prelude(&mut text, graph, shape, wide_index);
    let _ = Value::new(graph, &graph.roots).write(&mut text, shape.pack);
    if !request.outputs.is_empty() {
        let _ = store::write(&mut text, request.outputs, shape.pack);
    }
    let item = Lanes::item(graph.nodes[graph.root() as usize].ty);
    text.push_str(&(request.template.extras)(request.variant, item, Lanes { width: shape.pack, ..item }));
    text.push_str(SHAPE);
    text.push('\n');
    text.push_str(request.template.text);
    text
}

fn write_prelude(out: &mut String, graph: &Graph<'_>, shape: Shape, wide_index: bool) -> fmt::Result {
    writeln!(out, "// {}", crate::expr::text(graph))?;
    let functions = functions(graph);
    if uses(graph, &functions, ScalarType::F64) {
        writeln!(out, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#define USES_DOUBLE")?;
    }
    if uses(graph, &functions, ScalarType::F16) {
        writeln!(out, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable")?;
    }
    // The host computes a * b + c with two roundings, and so does the device.
    writeln!(out, "#pragma OPENCL FP_CONTRACT OFF")?;
    let index = if wide_index { "ulong" } else { "uint" };
    writeln!(out, "#define INDEX {index}")?;
    writeln!(out, "#define SIGNED_INDEX {}", if wide_index { "long" } else { "int" })?;
    writeln!(out, "#define GROUP {}", shape.group)?;
    writeln!(out, "#define PACK {}", shape.pack)?;
    writeln!(out, "#define PACKS {}", shape.packs)?;
    writeln!(out, "#define CHUNKED {}", u8::from(shape.chunked))?;
    if shape.pack > 1 {
        let lanes: Vec<String> = (0..shape.pack).map(|lane| lane.to_string()).collect();
        writeln!(out, "#define INDEX_PACK {index}{}", shape.pack)?;
        writeln!(out, "#define LANES ((INDEX_PACK)({}))", lanes.join(", "))?;
    }
    let faults = has_faults(graph);
    let (parameters, arguments) = leaves(graph, faults);
    writeln!(out, "#define FAULT_PARAMETER {}", if faults { ", global fault_record *fault" } else { "" })?;
    writeln!(out, "#define FAULT_ARGUMENT {}", if faults { ", fault" } else { "" })?;
    writeln!(out, "#define PARAMETERS {parameters}")?;
    writeln!(out, "#define ARGUMENTS {arguments}")?;
    writeln!(out, "#define LOAD(i) item_at(ARGUMENTS i)")?;
    writeln!(out, "#define LOAD_PACK(p) pack_at(ARGUMENTS p)\n")?;
    if faults {
        out.push_str(INDEX);
    }
    if graph.nodes.iter().any(|node| matches!(node.op, Op::Neighbour(_) | Op::Inside)) {
        out.push_str(NEIGHBOUR);
    }
    if graph.nodes.iter().any(|node| matches!(node.ty, Type::Element(ElementType::Complex(_)))) {
        out.push_str(COMPLEX);
    }
    write_structs(out, graph, &functions)?;
    for function in functions {
        writeln!(out, "{}\n", function.source)?;
    }
    write_items(out, graph, shape.pack)
}

/// The types of an item and of a pack of items.
fn write_items(out: &mut String, graph: &Graph<'_>, width: usize) -> fmt::Result {
    let packed = |element: ElementType| match element {
        ElementType::Scalar(ScalarType::Bool) if width > 1 => format!("char{width}"),
        element => Lanes::pack(element, width).name(),
    };
    if let [root] = &graph.roots[..] {
        let element = graph.nodes[*root as usize].ty.element().unwrap_or(ElementType::I8);
        writeln!(out, "#define ITEM {}", element.c_name())?;
        return writeln!(out, "#define PACK_ITEM {}\n", packed(element));
    }
    for (name, width) in [("ITEM", 1), ("PACK_ITEM", width)] {
        if name == "PACK_ITEM" && width == 1 {
            writeln!(out, "#define PACK_ITEM ITEM")?;
            continue;
        }
        write!(out, "typedef struct {{ ")?;
        for (at, element) in graph.elements().enumerate() {
            let part = if width == 1 { element.c_name().into_owned() } else { packed(element) };
            write!(out, "{part} part{at}; ")?;
        }
        writeln!(out, "}} {name};")?;
    }
    writeln!(out)
}

/// Whether the kernel has indices that data choose.
pub(crate) fn has_faults(graph: &Graph<'_>) -> bool {
    graph.scatters
        || graph.nodes.iter().any(|node| match node.op {
            Op::Checked(_) => true,
            Op::Function(function) => function.0.checks_indices,
            _ => false,
        })
}

/// The parameters that every kernel over the expression begins with, each followed by a comma,
/// and the same list as arguments.
fn leaves(graph: &Graph<'_>, faults: bool) -> (String, String) {
    let mut parameters = String::new();
    let mut arguments = String::new();
    for (slot, scalar) in graph.scalars.iter().enumerate() {
        let name = match scalar.ty {
            Type::Element(ElementType::Scalar(ScalarType::Bool)) => "uchar".into(),
            Type::Element(element) | Type::Slice(element) => element.c_name(),
            Type::Index => "INDEX".into(),
        };
        let _ = write!(parameters, "const {name} s{slot}, ");
        let _ = write!(arguments, "s{slot}, ");
    }
    for (slot, vector) in graph.vectors.iter().enumerate() {
        let _ = write!(parameters, "global const {} *x{slot}, ", stored_name(vector.element));
        let _ = write!(arguments, "x{slot}, ");
    }
    if faults {
        parameters.push_str("global fault_record *fault, ");
        arguments.push_str("fault, ");
    }
    (parameters, arguments)
}

/// The functions that the graph calls, each after those that it calls itself.
fn functions(graph: &Graph<'_>) -> Vec<&'static Function> {
    fn add(function: &'static Function, into: &mut Vec<&'static Function>) {
        if into.iter().any(|known| std::ptr::eq(*known, function)) {
            return;
        }
        function.callees.iter().for_each(|callee| add(callee, into));
        into.push(function);
    }
    let mut functions = Vec::new();
    for node in &graph.nodes {
        if let Op::Function(function) = node.op {
            add(function.0, &mut functions);
        }
    }
    functions
}

/// Whether anything has parts of a scalar type.
fn uses(graph: &Graph<'_>, functions: &[&Function], part: ScalarType) -> bool {
    let node = |element: Option<ElementType>| element.is_some_and(|element| element.contains(part));
    graph.nodes.iter().any(|other| node(other.ty.element()))
        || functions.iter().any(|function| function.types.iter().any(|element| element.contains(part)))
}

/// The definitions of all structs, each after those that it has as fields.
fn write_structs(out: &mut String, graph: &Graph<'_>, functions: &[&Function]) -> fmt::Result {
    fn add(element: ElementType, into: &mut Vec<&'static StructType>) {
        let ElementType::Struct(of) = element else { return };
        if into.contains(&of) {
            return;
        }
        of.fields.iter().for_each(|field| add(field.element, into));
        into.push(of);
    }
    let mut structs = Vec::new();
    graph.nodes.iter().filter_map(|node| node.ty.element()).for_each(|element| add(element, &mut structs));
    for function in functions {
        function.types.iter().for_each(|&element| add(element, &mut structs));
    }
    for of in structs {
        structs::define(out, of)?;
    }
    Ok(())
}
