//! Kernel source: a generated prelude in front of a template.

use super::aggregates;
use super::fragment::{Fragment, Kind, Place};
use super::functions;
use super::lanes::{small_words, stored_name};
use super::loops;
use super::names;
use super::structs;
use super::template::Chosen;
use crate::device_profile::{DeviceProfile, Shape};
use crate::element::{ElementType, ScalarType, StructType};
use crate::expr::graph::Graph;
use crate::expr::op::{Op, Type};
use crate::function::Function;
use crate::lower::builtin;
use smallvec::SmallVec;
use std::collections::BTreeSet;
use std::fmt::{self, Write};

const SMALL_PACKS: &str = include_str!("../kernels/small_packs.cl");
const SHAPE: &str = include_str!("../kernels/shape.cl");
const INDEX: &str = include_str!("../kernels/index.cl");
const NEIGHBOUR: &str = include_str!("../kernels/neighbour.cl");
const COMPLEX: &str = include_str!("../kernels/complex.cl");
const CORRECTED: &str = include_str!("../kernels/corrected.cl");

/// What the source of a kernel is made of.
pub(crate) struct Filling<'f> {
    pub(crate) template: &'f dyn Chosen,
    /// The values of the template's parameters.
    pub(crate) numbers: SmallVec<[i64; 8]>,
    /// What errors name: the function that the user called.
    pub(crate) operation: &'static str,
    pub(crate) graph: &'f Graph<'f>,
    pub(crate) fragments: &'f [Fragment],
}

/// A kernel of a program that may have several.
#[derive(Clone, Copy)]
pub(crate) struct Part<'f> {
    pub(crate) filling: &'f Filling<'f>,
    pub(crate) shape: Shape,
    /// Whether it looks at its end if the device has ended its loops too early.
    pub(crate) checks_loops: bool,
    /// Whether its structs and unions are `volatile`.
    pub(crate) volatile_structs: bool,
}

/// The source of a program, whose kernels all have indices of one width.
///
/// Each kernel has a prelude and a template, with macros and functions that bear the same names in all of them. So
/// macros end with their kernel, and what a kernel beyond the first defines gets its number behind its name. Texts and
/// definitions that are the same for all are there once.
pub(crate) fn program(parts: &[Part<'_>], wide_index: bool) -> String {
    let mut text = String::with_capacity(8192);
    let mut shared = Shared::default();
    for (number, part) in parts.iter().enumerate() {
        // Writing to a String cannot fail.
        if parts.len() > 1 {
            let _ = writeln!(text, "// ---- {}", part.filling.template.kernel());
        }
        let _ = part.write(&mut text, &mut shared, number, wide_index, number + 1 < parts.len());
    }
    if parts.iter().any(|part| part.volatile_structs) { aggregates::volatile(&text) } else { text }
}

/// What a name is called in the kernel of this number.
fn numbered(name: &str, number: usize) -> String {
    if number == 0 { name.to_owned() } else { format!("{name}_{number}") }
}

/// What the kernels of a program have in common, as far as it is written.
#[derive(Default)]
struct Shared {
    texts: Vec<&'static str>,
    functions: Vec<&'static Function>,
    structs: Vec<&'static StructType>,
}

impl Shared {
    /// Writes a text that is the same for all kernels.
    fn write(&mut self, out: &mut String, text: &'static str) {
        if !self.texts.contains(&text) {
            self.texts.push(text);
            out.push_str(text);
        }
    }
}

impl<'f> Part<'f> {
    /// Returns a kernel with what the device's faults ask for.
    pub(crate) fn on(profile: &DeviceProfile, filling: &'f Filling<'f>, shape: Shape) -> Part<'f> {
        let checks_loops = profile.loop_steps.is_some();
        Part { filling, shape, checks_loops, volatile_structs: profile.quirks.loses_structs }
    }

    fn write(
        self,
        out: &mut String,
        shared: &mut Shared,
        number: usize,
        wide_index: bool,
        others_follow: bool,
    ) -> fmt::Result {
        let Part { filling, shape, checks_loops, .. } = self;
        let faults = checks_loops || filling.has_faults();
        let mut own = String::with_capacity(4096);
        writeln!(own, "#define KERNEL_NUMBER {number}")?;
        write_shape(&mut own, shape, wide_index)?;
        filling.write_macros(&mut own, faults)?;
        let mut rest = String::with_capacity(8192);
        rest.push_str(SHAPE);
        rest.push('\n');
        functions::write(&mut rest, filling.graph, filling.fragments, shape.pack)?;
        if checks_loops {
            rest.push_str(&loops::checked(filling.template.text()));
        } else {
            rest.push_str(filling.template.text());
        }

        let mut macros: BTreeSet<&str> = names::macros(&own).chain(names::macros(&rest)).collect();
        filling.write_pragmas(out)?;
        out.push_str(&own);
        if faults {
            shared.write(out, INDEX);
        }
        if checks_loops {
            shared.write(out, loops::CHECK);
        }
        filling.write_shared(out, shared, shape.pack)?;
        if number > 0 {
            for name in names::definitions(&rest) {
                if macros.insert(name) {
                    writeln!(out, "#define {name} {}", numbered(name, number))?;
                }
            }
        }
        out.push_str(&rest);
        if others_follow {
            // Those of the compiler are not the kernel's.
            for name in macros.iter().filter(|name| !name.starts_with("__")) {
                writeln!(out, "#undef {name}")?;
            }
        }
        Ok(())
    }
}

impl Filling<'_> {
    /// The name of the kernel in a program where it has this number.
    pub(crate) fn name(&self, number: usize) -> String {
        numbered(self.template.kernel(), number)
    }

    /// What the program is for, in build errors: the kernel, the user's call, the functions that the kernel calls, and
    /// the template's parameters.
    pub(crate) fn purpose(&self) -> String {
        let mut purpose = format!("kernel `{}`, for `{}`", self.template.kernel(), self.operation);
        let mut called: Vec<&str> = Vec::new();
        for node in &self.graph.nodes {
            if let Op::Function(function) = node.op
                && !called.contains(&function.0.given_name())
            {
                called.push(function.0.given_name());
            }
        }
        let before = if called.len() == 1 { ", with the function" } else { ", with the functions" };
        for (at, name) in called.into_iter().enumerate() {
            let _ = write!(purpose, "{} `{name}`", if at == 0 { before } else { "," });
        }
        purpose.push_str(&self.template.described());
        purpose
    }

    /// The whole source, with 32-bit indices.
    pub(crate) fn source(&self, profile: &DeviceProfile, shape: Shape) -> String {
        program(&[Part::on(profile, self, shape)], false)
    }

    /// Whether the kernel loads or stores packs of small numbers.
    fn has_small_packs(&self, width: usize) -> bool {
        let is_small = |element| small_words(element, width).is_some();
        let is_stored = |fragment: &Fragment| match &fragment.kind {
            Kind::Output { outputs, .. } => outputs.iter().any(|output| is_small(output.element)),
            _ => false,
        };
        let mut loads = self.graph.nodes.iter().filter(|node| matches!(node.op, Op::Load(_)));
        loads.any(|node| node.ty.element().is_some_and(is_small)) || self.fragments.iter().any(is_stored)
    }

    /// Whether the kernel has indices that data choose.
    pub(crate) fn has_faults(&self) -> bool {
        let scatters = |fragment: &Fragment| match &fragment.kind {
            Kind::Output { outputs, .. } => {
                outputs.iter().any(|output| matches!(output.place, Place::Scatter(_)))
            }
            _ => false,
        };
        self.fragments.iter().any(scatters)
            || self.graph.nodes.iter().any(|node| match node.op {
                Op::Checked(_) => true,
                Op::Function(function) => function.0.checks_indices,
                _ => false,
            })
    }

    /// What the kernel computes, for people, and what the compiler must know of it first.
    fn write_pragmas(&self, out: &mut String) -> fmt::Result {
        let graph = self.graph;
        for fragment in self.fragments {
            writeln!(out, "// {}: {}", fragment.label(), crate::expr::text(graph, &fragment.roots))?;
        }
        let functions = functions_of(graph);
        if uses(graph, &functions, ScalarType::F64) {
            writeln!(out, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#define USES_DOUBLE")?;
        }
        if uses(graph, &functions, ScalarType::F16) {
            writeln!(out, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#define USES_HALF")?;
        }
        // The host computes a * b + c with two roundings, and so does the device.
        writeln!(out, "#pragma OPENCL FP_CONTRACT OFF")
    }

    /// The template's parameters, and the kernel's.
    fn write_macros(&self, out: &mut String, faults: bool) -> fmt::Result {
        // Writing to a String cannot fail.
        self.template.each_parameter(&mut |name, number| {
            let _ = writeln!(out, "#define {name} {number}");
        });
        let (parameters, arguments) = leaves(self.graph, faults);
        writeln!(
            out,
            "#define FAULT_PARAMETER {}",
            if faults { ", global fault_record *fault" } else { "" }
        )?;
        writeln!(out, "#define FAULT_ARGUMENT {}", if faults { ", fault" } else { "" })?;
        writeln!(out, "#define PARAMETERS {parameters}")?;
        writeln!(out, "#define ARGUMENTS {arguments}")?;
        let (outputs, arguments) = self.outputs();
        writeln!(out, "#define OUTPUTS {outputs}")?;
        writeln!(out, "#define OUTPUT_ARGUMENTS {arguments}\n")
    }

    /// The texts and definitions that other kernels of the program may need as well.
    fn write_shared(&self, out: &mut String, shared: &mut Shared, width: usize) -> fmt::Result {
        let graph = self.graph;
        if graph.nodes.iter().any(|node| matches!(node.op, Op::Neighbour(_) | Op::Inside)) {
            shared.write(out, NEIGHBOUR);
        }
        let functions = functions_of(graph);
        let is_complex = |element: &ElementType| matches!(element, ElementType::Complex(_));
        if graph.nodes.iter().any(|node| node.ty.element().is_some_and(|element| is_complex(&element)))
            || functions.iter().any(|function| function.types.iter().any(is_complex))
        {
            shared.write(out, COMPLEX);
        }
        if graph.nodes.iter().any(|node| builtin::is_corrected(node.op, node.ty.scalar()))
            || functions.iter().any(|function| function.is_corrected)
        {
            shared.write(out, CORRECTED);
        }
        if self.has_small_packs(width) {
            shared.write(out, SMALL_PACKS);
        }
        write_structs(out, graph, &functions, shared)?;
        for function in functions {
            if !shared.functions.iter().any(|known| std::ptr::eq(*known, function)) {
                shared.functions.push(function);
                writeln!(out, "{}\n", function.source)?;
            }
        }
        Ok(())
    }

    /// The kernel parameters of all outputs, each followed by a comma, and the same list as
    /// arguments.
    fn outputs(&self) -> (String, String) {
        let (mut parameters, mut arguments) = (String::new(), String::new());
        let outputs = self.fragments.iter().flat_map(|fragment| match &fragment.kind {
            Kind::Output { outputs, .. } => &outputs[..],
            _ => &[],
        });
        for (at, output) in outputs.enumerate() {
            let restrict = if output.in_place { "" } else { "restrict " };
            let _ = write!(parameters, "global {} *{restrict}out{at}, ", stored_name(output.element));
            let _ = write!(arguments, "out{at}, ");
            match output.place {
                Place::Own => {}
                Place::Line => {
                    let _ = write!(parameters, "const INDEX stride{at}, const INDEX offset{at}, ");
                    let _ = write!(arguments, "stride{at}, offset{at}, ");
                }
                Place::Scatter(_) => {
                    let _ = write!(parameters, "const INDEX bound{at}, ");
                    let _ = write!(arguments, "bound{at}, ");
                }
            }
        }
        (parameters, arguments)
    }
}

fn write_shape(out: &mut String, shape: Shape, wide_index: bool) -> fmt::Result {
    let index = if wide_index { "ulong" } else { "uint" };
    writeln!(out, "#define INDEX {index}")?;
    writeln!(out, "#define SIGNED_INDEX {}", if wide_index { "long" } else { "int" })?;
    writeln!(out, "#define GROUP {}", shape.group)?;
    writeln!(out, "#define PACK {}", shape.pack)?;
    writeln!(out, "#define PACKS {}", shape.packs)?;
    writeln!(out, "#define CHUNKED {}", u8::from(shape.chunked))?;
    writeln!(out, "#define STREAM {}", u8::from(shape.streams))?;
    if shape.pack > 1 {
        let lanes: Vec<String> = (0..shape.pack).map(|lane| lane.to_string()).collect();
        writeln!(out, "#define INDEX_PACK {index}{}", shape.pack)?;
        writeln!(out, "#define LANES ((INDEX_PACK)({}))", lanes.join(", "))?;
    }
    Ok(())
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
            Type::Index | Type::Unit | Type::Array(..) => "INDEX".into(), // only indices are launched
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
fn functions_of(graph: &Graph<'_>) -> Vec<&'static Function> {
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
fn write_structs(
    out: &mut String,
    graph: &Graph<'_>,
    functions: &[&Function],
    shared: &mut Shared,
) -> fmt::Result {
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
        if !shared.structs.contains(&of) {
            shared.structs.push(of);
            structs::define(out, of)?;
        }
    }
    Ok(())
}
