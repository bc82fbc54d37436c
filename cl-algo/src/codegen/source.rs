//! Kernel source: a generated prelude in front of a template.

use super::definition::Definition;
use super::functions;
use super::section::Section;
use super::template::Chosen;
use crate::device::{DeviceProfile, Shape};
use crate::element::{ElementType, ScalarType, StructType};
use crate::ir::fragment::{Fragment, Kind, StoreIndex};
use crate::ir::function::Function;
use crate::ir::graph::Graph;
use crate::ir::op::{Op, Type};
use crate::ir::rows::Rows;
use crate::kernels;
use crate::lower::value_type::{ValueType, small_words, stored_name};
use crate::lower::{builtin, structs};
use smallvec::SmallVec;
use std::collections::BTreeSet;
use std::fmt::{self, Write};

/// The template, graph and fragments that the source of a kernel is made of.
pub(crate) struct Filling<'f> {
    pub(crate) template: &'f dyn Chosen,
    /// The values of the template's parameters.
    pub(crate) numbers: SmallVec<[i64; 8]>,
    /// The function that the user called, which errors name.
    pub(crate) operation: &'static str,
    pub(crate) graph: &'f Graph<'f>,
    pub(crate) fragments: &'f [Fragment],
    /// The rows of an index space with several axes.
    pub(crate) rows: Option<&'f Rows>,
}

/// A kernel of a program that may have several.
#[derive(Clone, Copy)]
pub(crate) struct ProgramKernel<'f> {
    pub(crate) filling: &'f Filling<'f>,
    pub(crate) shape: Shape,
    /// `true` if the kernel checks at its end whether the device has ended its loops too early.
    pub(crate) checks_loops: bool,
    /// `true` if its structs and unions are `volatile`.
    pub(crate) volatile_structs: bool,
}

/// Returns the source of a program, whose kernels all have indices of one width.
///
/// A program is a list of definitions. Definitions that depend on the kernel have the same names for every kernel. So
/// macros are undefined after their kernel, and names that a kernel beyond the first defines end in its number.
/// Definitions that are equal for all kernels are written once.
pub(crate) fn program(parts: &[ProgramKernel<'_>], wide_index: bool) -> String {
    let mut program = Program { text: String::with_capacity(8192), wide_index, ..Program::default() };
    for (number, part) in parts.iter().enumerate() {
        // Writing to a String cannot fail.
        if parts.len() > 1 {
            let _ = writeln!(program.text, "// ---- {}", part.filling.template.kernel());
        }
        let _ = program.write(part, number, number + 1 < parts.len());
    }
    program.text
}

/// Returns the name that a definition has in the kernel of this number.
fn numbered(name: &str, number: usize) -> String {
    if number == 0 { name.to_owned() } else { format!("{name}_{number}") }
}

impl<'f> ProgramKernel<'f> {
    /// Returns a kernel with the workarounds that the device needs.
    pub(crate) fn on(profile: &DeviceProfile, filling: &'f Filling<'f>, shape: Shape) -> ProgramKernel<'f> {
        let checks_loops = profile.loop_steps.is_some();
        ProgramKernel { filling, shape, checks_loops, volatile_structs: profile.quirks.loses_structs }
    }

    /// Writes the macros `RETURN` and `VOLATILE`, which are marks in the texts of kernels, as the device
    /// needs them.
    ///
    /// `RETURN` ends a kernel. On devices that end loops too early, it first checks whether they did.
    ///
    /// `VOLATILE` stands before structs, unions and their members. Mesa 22 forgets a write to a struct if the struct is
    /// copied as a whole and then written again in the same basic block, which may come from an unrolled loop;
    /// `kernels/probe.cl` tests this. The compiler keeps writes to `volatile` memory. Members have to be `volatile` as
    /// well as their struct: a struct without a name, such as the result of a function, is not `volatile` itself.
    fn write_marks(&self, out: &mut Section) -> fmt::Result {
        let end = if self.checks_loops { "do { check_loops(fault); return; } while (0)" } else { "return" };
        out.define("RETURN", format_args!(" {end}"))?;
        let volatile = if self.volatile_structs { "volatile" } else { "" };
        out.define("VOLATILE", format_args!(" {volatile}\n"))
    }
}

/// A program that is being written.
#[derive(Default)]
struct Program {
    text: String,
    wide_index: bool,
    /// The definitions that are written once for all kernels.
    shared: Vec<&'static Definition>,
    functions: Vec<&'static Function>,
    structs: Vec<&'static StructType>,
}

impl Program {
    /// Writes a definition that is equal for all kernels, with the definitions that it uses, unless it was written
    /// before.
    fn share(&mut self, definition: &'static Definition) {
        for part in definition.in_order() {
            if !self.shared.iter().any(|known| std::ptr::eq(*known, part)) {
                self.shared.push(part);
                self.text.push_str(part.text());
            }
        }
    }

    /// Writes a kernel and everything that it consists of.
    fn write(&mut self, part: &ProgramKernel<'_>, number: usize, others_follow: bool) -> fmt::Result {
        let ProgramKernel { filling, shape, checks_loops, .. } = *part;
        let faults = checks_loops || filling.checks_indices();
        let mut own = Section::default();
        write_shape(&mut own, shape, self.wide_index)?;
        filling.write_macros(&mut own, faults, shape.chunked)?;
        part.write_marks(&mut own)?;
        let mut rest = Section::default();
        rest.push(&kernels::SHAPE);
        rest.write_char('\n')?;
        functions::write(&mut rest, filling.graph, filling.fragments, shape.pack, shape.chunked)?;
        filling.write_pragmas(&mut self.text)?;
        self.text.push_str(&own.text);
        if faults {
            self.share(&kernels::INDEX);
        }
        if checks_loops {
            self.share(&kernels::LOOPS);
        }
        filling.write_shared(self, shape)?;
        for definition in filling.template.definition().in_order() {
            if definition.is_shared() {
                self.share(definition);
            } else {
                rest.push(definition);
            }
        }

        let mut macros: BTreeSet<&str> = [&own, &rest].iter().flat_map(|section| section.macros()).collect();
        if number > 0 {
            for name in rest.names().chain([filling.template.kernel()]) {
                if macros.insert(name) {
                    writeln!(self.text, "#define {name} {}", numbered(name, number))?;
                }
            }
        }
        self.text.push_str(&rest.text);
        if others_follow {
            for name in macros {
                writeln!(self.text, "#undef {name}")?;
            }
        }
        Ok(())
    }
}

impl Filling<'_> {
    /// Returns the kernel's name in a program where it has this number.
    pub(crate) fn name(&self, number: usize) -> String {
        numbered(self.template.kernel(), number)
    }

    /// Returns the purpose of the program, for build errors: the kernel, the user's call, the functions that the kernel
    /// calls, and the template's parameters.
    pub(crate) fn purpose(&self) -> String {
        let mut purpose = format!("kernel `{}`, for `{}`", self.template.kernel(), self.operation);
        let mut called: Vec<&str> = Vec::new();
        for node in &self.graph.nodes {
            if let Some(function) = node.op.function()
                && !called.contains(&function.given_name())
            {
                called.push(function.given_name());
            }
        }
        let before = if called.len() == 1 { ", with the function" } else { ", with the functions" };
        for (at, name) in called.into_iter().enumerate() {
            let _ = write!(purpose, "{} `{name}`", if at == 0 { before } else { "," });
        }
        purpose.push_str(&self.template.described());
        purpose
    }

    /// Returns the whole source, with 32-bit indices.
    pub(crate) fn source(&self, profile: &DeviceProfile, shape: Shape) -> String {
        program(&[ProgramKernel::on(profile, self, shape)], false)
    }

    /// Returns whether the kernel loads or stores packs of small numbers.
    fn has_small_packs(&self, width: usize) -> bool {
        let is_small = |element| small_words(element, width).is_some();
        let is_stored = |fragment: &Fragment| match &fragment.kind {
            Kind::Output { outputs, .. } => outputs.iter().any(|output| is_small(output.element)),
            _ => false,
        };
        let mut loads = self.graph.nodes.iter().filter(|node| matches!(node.op, Op::Load(_)));
        loads.any(|node| node.ty.element().is_some_and(is_small)) || self.fragments.iter().any(is_stored)
    }

    /// Returns whether the kernel has indices that data choose.
    pub(crate) fn checks_indices(&self) -> bool {
        let scatters = |fragment: &Fragment| match &fragment.kind {
            Kind::Output { outputs, .. } => {
                outputs.iter().any(|output| matches!(output.index, StoreIndex::Scatter { .. }))
            }
            _ => false,
        };
        self.fragments.iter().any(scatters)
            || self.graph.nodes.iter().any(|node| match node.op {
                Op::Checked(_) => true,
                op => op.function().is_some_and(|function| function.checks_indices),
            })
    }

    /// Writes the expressions that the kernel computes, as comments for people, and the pragmas for the compiler.
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
        // The host computes a * b + c with two roundings, so the device has to do the same.
        writeln!(out, "#pragma OPENCL FP_CONTRACT OFF")
    }

    /// Writes the template's parameters, and the kernel's.
    fn write_macros(&self, out: &mut Section, faults: bool, chunked: bool) -> fmt::Result {
        // Writing to a String cannot fail.
        self.template.each_parameter(&mut |name, number| {
            let _ = out.define(name.to_string(), format_args!(" {number}"));
        });
        let (mut parameters, mut arguments) = leaves(self.graph, faults);
        if let Some(rows) = self.rows {
            rows.write(out, &mut parameters, &mut arguments)?;
            self.graph.write_blocks(out, rows, chunked, &mut parameters, &mut arguments)?;
        }
        let (fault_parameter, fault_argument) =
            if faults { (", global fault_record *fault", ", fault") } else { ("", "") };
        out.define("FAULT_PARAMETER", format_args!(" {fault_parameter}"))?;
        out.define("FAULT_ARGUMENT", format_args!(" {fault_argument}"))?;
        out.define("PARAMETERS", format_args!(" {parameters}"))?;
        out.define("ARGUMENTS", format_args!(" {arguments}"))?;
        let (outputs, arguments) = self.outputs();
        out.define("OUTPUTS", format_args!(" {outputs}"))?;
        out.define("OUTPUT_ARGUMENTS", format_args!(" {arguments}"))
    }

    /// Writes the texts and definitions that other kernels of the program may need as well.
    fn write_shared(&self, program: &mut Program, shape: Shape) -> fmt::Result {
        let graph = self.graph;
        if graph.nodes.iter().any(|node| matches!(node.op, Op::Neighbour(_) | Op::Inside)) {
            program.share(&kernels::NEIGHBOUR);
        }
        let functions = functions_of(graph);
        let is_complex = |element: &ElementType| matches!(element, ElementType::Complex(_));
        if graph.nodes.iter().any(|node| node.ty.element().is_some_and(|element| is_complex(&element)))
            || functions.iter().any(|function| function.types.iter().any(is_complex))
        {
            program.share(&kernels::COMPLEX);
        }
        if graph.nodes.iter().any(|node| builtin::is_corrected(node.op, node.ty.scalar()))
            || functions.iter().any(|function| function.is_corrected)
        {
            program.share(&kernels::CORRECTED);
        }
        if graph.nodes.iter().any(|node| matches!(node.op, Op::Rounded(_))) {
            program.share(&kernels::ROUNDED);
        }
        if shape.pack > 1 && graph.nodes.iter().any(|node| matches!(node.op, Op::Near(_) | Op::Row(_))) {
            program.share(&kernels::LOOSE_PACKS);
        }
        if self.has_small_packs(shape.pack) {
            program.share(&kernels::SMALL_PACKS);
        }
        write_structs(program, graph, &functions)?;
        let inlined = match shape.chunked {
            true => functions::inlined(graph, self.fragments, shape.pack),
            false => Vec::new(),
        };
        for function in functions {
            if !program.functions.iter().any(|known| std::ptr::eq(*known, function)) {
                program.functions.push(function);
                let is_inlined = inlined.iter().any(|known| std::ptr::eq(*known, function));
                let inline = if is_inlined { "__attribute__((always_inline)) " } else { "" };
                writeln!(program.text, "{inline}{}\n", function.source)?;
            }
        }
        Ok(())
    }

    /// Returns the kernel parameters of all outputs, each followed by a comma, and the same list as arguments.
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
            match output.index {
                StoreIndex::Own => {}
                StoreIndex::Slice { .. } => {
                    let _ = write!(parameters, "const INDEX offset{at}, ");
                    let _ = write!(arguments, "offset{at}, ");
                }
                StoreIndex::Line => {
                    let _ = write!(parameters, "const INDEX stride{at}, const INDEX offset{at}, ");
                    let _ = write!(arguments, "stride{at}, offset{at}, ");
                }
                StoreIndex::Row { strided: false, .. } => {}
                StoreIndex::Row { .. } => {
                    let _ = write!(parameters, "const INDEX stride{at}, ");
                    let _ = write!(arguments, "stride{at}, ");
                }
                StoreIndex::Scatter { .. } => {
                    let _ = write!(parameters, "const INDEX bound{at}, ");
                    let _ = write!(arguments, "bound{at}, ");
                }
            }
        }
        (parameters, arguments)
    }
}

fn write_shape(out: &mut Section, shape: Shape, wide_index: bool) -> fmt::Result {
    let (index, signed) = if wide_index { ("ulong", "long") } else { ("uint", "int") };
    out.define("INDEX", format_args!(" {index}"))?;
    out.define("SIGNED_INDEX", format_args!(" {signed}"))?;
    out.define("GROUP", format_args!(" {}", shape.group))?;
    out.define("PACK", format_args!(" {}", shape.pack))?;
    out.define("PACKS", format_args!(" {}", shape.packs))?;
    out.define("CHUNKED", format_args!(" {}", u8::from(shape.chunked)))?;
    out.define("STREAM", format_args!(" {}", u8::from(shape.streams)))?;
    if shape.pack > 1 {
        let numbers: Vec<String> = (0..shape.pack).map(|k| k.to_string()).collect();
        out.define("INDEX_PACK", format_args!(" {index}{}", shape.pack))?;
        out.define("LANES", format_args!(" ((INDEX_PACK)({}))", numbers.join(", ")))?;
    }
    Ok(())
}

/// Returns the parameters that every kernel of the expression begins with, each followed by a comma, and the same list
/// as arguments. A value `s0` that integers are divided by is followed by `by0`, its
/// [numbers](crate::lower::quotient::numbers).
fn leaves(graph: &Graph<'_>, faults: bool) -> (String, String) {
    let mut parameters = String::new();
    let mut arguments = String::new();
    let divisors = graph.launched_divisors();
    for (slot, scalar) in graph.scalars.iter().enumerate() {
        let name = match scalar.ty {
            Type::Element(ElementType::Scalar(ScalarType::Bool)) => "uchar".into(),
            Type::Element(element) | Type::Slice(element) => element.c_name(),
            Type::Index | Type::Unit | Type::Array(..) => "INDEX".into(), // only indices are launched
        };
        let _ = write!(parameters, "const {name} s{slot}, ");
        let _ = write!(arguments, "s{slot}, ");
        if divisors.contains(&(slot as u32)) {
            let name = ValueType::item(scalar.ty).unsigned().name();
            let _ = write!(parameters, "const {name}2 by{slot}, ");
            let _ = write!(arguments, "by{slot}, ");
        }
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

/// Returns the functions that the graph calls, each after its callees.
fn functions_of(graph: &Graph<'_>) -> Vec<&'static Function> {
    with_callees(graph.nodes.iter().filter_map(|node| node.op.function()))
}

/// Returns functions, each after its callees.
pub(super) fn with_callees(called: impl Iterator<Item = &'static Function>) -> Vec<&'static Function> {
    fn add(function: &'static Function, into: &mut Vec<&'static Function>) {
        if into.iter().any(|known| std::ptr::eq(*known, function)) {
            return;
        }
        function.callees.iter().for_each(|callee| add(callee, into));
        into.push(function);
    }
    let mut functions = Vec::new();
    called.for_each(|function| add(function, &mut functions));
    functions
}

/// Returns whether a node or a function contains numbers of a scalar type.
fn uses(graph: &Graph<'_>, functions: &[&Function], part: ScalarType) -> bool {
    let node = |element: Option<ElementType>| element.is_some_and(|element| element.contains(part));
    graph.nodes.iter().any(|other| node(other.ty.element()))
        || functions.iter().any(|function| function.types.iter().any(|element| element.contains(part)))
}

/// Writes the definitions of all structs, each after the structs in its fields.
fn write_structs(program: &mut Program, graph: &Graph<'_>, functions: &[&Function]) -> fmt::Result {
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
        if !program.structs.contains(&of) {
            program.structs.push(of);
            structs::define(&mut program.text, of)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codegen::{Fused, Template};
    use crate::{Val, iota};

    /// Checks that devices with faults get kernels with checks and `volatile`.
    #[test]
    fn marks_depend_on_the_device() {
        static COPY: Template = Template {
            kernel: "copy",
            definition: &Definition::new(
                "kernel void copy(PARAMETERS OUTPUTS const uint i) { STORE(i, LOAD(i)); RETURN; }",
            ),
            shape: |_, _, ()| unreachable!("the shape is given"),
        };
        let fused = Fused::new("test").input("", iota(0_u32, 8)).with_whole_outputs::<u32>();
        let chosen = (&COPY, ());
        let filling = fused.filling(&chosen);
        let shape = Shape { chunked: false, group: 1, pack: 1, packs: 1, max_groups: 1, streams: false };
        for checks_loops in [false, true] {
            let part =
                ProgramKernel { filling: &filling, shape, checks_loops, volatile_structs: checks_loops };
            let text = program(&[part], false);
            for (mark, plain, faulty) in
                [("RETURN", "return", "do { check_loops"), ("VOLATILE", "\n", "volatile\n")]
            {
                let begin = format!("#define {mark} {}", if checks_loops { faulty } else { plain });
                assert!(text.contains(&begin), "{begin}: {text}");
            }
            assert_eq!(text.contains("static inline void check_loops"), checks_loops);
            assert_eq!(text.contains("global fault_record *fault, \n"), checks_loops);
        }
    }

    /// Checks that generated text lists its names, as handwritten definitions do.
    #[test]
    fn generated_functions_list_their_names() {
        type Pair = (Val<f32>, Val<u32>);
        let ramp = || iota(0_u32, 8).cast::<f32>();
        let pairs = || crate::zip((ramp(), iota(0_u32, 8)));
        let fused = [
            Fused::new("test").input("", ramp()).input("KEY", pairs()).with_whole_outputs::<f32>(),
            Fused::new("test")
                .input("", pairs())
                .operator("ADD", "", |(a, b): (Pair, Pair)| (a.0 + b.0, a.1 + b.1))
                .with_whole_outputs::<(f32, u32)>(),
            Fused::new("test").input("", iota(0_u32, 8).flat_map(|x| [x, x + 1])),
        ];
        for (fused, width) in fused.iter().flat_map(|fused| [(fused, 1), (fused, 4)]) {
            let mut section = Section::default();
            functions::write(&mut section, &fused.graph, &fused.fragments, width, true).unwrap();
            let (macros, names): (Vec<_>, Vec<_>) = (section.macros().collect(), section.names().collect());
            cl_test::kernel_text::check("the generated text", &section.text, &macros, &names);
        }
    }
}
