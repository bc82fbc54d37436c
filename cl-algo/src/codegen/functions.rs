//! The functions that fragments become: on items, and on packs of items.
//!
//! If every operation has a form for vectors, a pack is computed as one vector. Device functions, structs and checked
//! indices are computed item by item, after the loads of whole packs.

mod boxed;

use super::section::Section;
use super::source::with_callees;
use crate::element::{ElementType, ScalarType};
use crate::ir::fragment::{Fragment, Kind, Output, StoreIndex, source};
use crate::ir::function::Function;
use crate::ir::graph::Graph;
use crate::ir::op::{NodeId, Op};
use crate::lower::body::Body;
use crate::lower::value_type::{indexable_pack, once, packed_name, small_words, stored_name};
use crate::lower::{flat, or_else};
use std::fmt::{self, Write};

/// Writes the functions of all fragments, for packs of `width` items.
pub(crate) fn write(
    out: &mut Section,
    graph: &Graph<'_>,
    fragments: &[Fragment],
    width: usize,
    chunked: bool,
) -> fmt::Result {
    flat::write(&mut out.text, graph, width, chunked && has_operators(fragments))?;
    out.add_names(flat::names(graph));
    write_or_else(out, graph, fragments, width, chunked)?;
    for fragment in fragments {
        let writer = Writer { graph, all: fragments, fragment, width, chunked };
        match &fragment.kind {
            Kind::Input => writer.write_input(out)?,
            Kind::Operator { of, arity } => writer.write_operator(out, &vec![*of; *arity])?,
            Kind::Function { of } => {
                writer.write_operator(out, of)?;
                writer.write_packing(out)?;
            }
            Kind::Output { of, outputs } => writer.write_output(out, of, outputs)?,
        }
    }
    Ok(())
}

/// Writes the functions of the [`Op::OrElse`] nodes. A node that several inputs share is written once.
fn write_or_else(
    out: &mut Section,
    graph: &Graph<'_>,
    fragments: &[Fragment],
    width: usize,
    chunked: bool,
) -> fmt::Result {
    let mut written: Vec<NodeId> = Vec::new();
    for load in item_by_item(graph, fragments, width).flat_map(|body| body.own_loads(width)) {
        if is_or_else(graph, load.node) && !written.contains(&load.node) {
            written.push(load.node);
            or_else::write(&mut out.text, graph, &load, width, chunked)?;
            out.add_names(or_else::names(&load, chunked));
        }
    }
    Ok(())
}

/// Returns the device functions that are inlined wherever they are called. Compilers for CPUs vectorise only
/// loops whose calls are inlined.
pub(super) fn inlined(graph: &Graph<'_>, fragments: &[Fragment], width: usize) -> Vec<&'static Function> {
    let mut functions = Vec::new();
    for body in item_by_item(graph, fragments, width) {
        let loads = body.own_loads(width).into_iter().map(|load| load.node);
        let or_else_nodes: Vec<NodeId> = loads.filter(|&node| is_or_else(graph, node)).collect();
        let firsts = or_else_nodes.iter().flat_map(|&node| or_else::at_once(graph, node));
        functions.extend(Body::new(graph, &firsts.collect::<Vec<_>>()).functions());
        let rest = body.without(&or_else_nodes);
        if rest.has_vectorizable_calls() {
            functions.extend(rest.functions());
        }
    }
    with_callees(functions.into_iter())
}

/// Returns the inputs that are computed item by item.
fn item_by_item<'g>(
    graph: &'g Graph<'g>,
    fragments: &'g [Fragment],
    width: usize,
) -> impl Iterator<Item = Body<'g>> {
    let inputs = fragments.iter().filter(move |fragment| width > 1 && fragment.kind == Kind::Input);
    inputs.map(|input| Body::new(graph, &input.roots)).filter(move |body| !body.is_vectorizable(width))
}

/// Returns whether the template combines or compares items. Such templates mention a load several times, and unroll
/// loops over packs. With heavy loads inlined, reductions took three to four times as long to compile as assignments.
fn has_operators(fragments: &[Fragment]) -> bool {
    fragments.iter().any(|fragment| matches!(fragment.kind, Kind::Operator { .. }))
}

fn is_or_else(graph: &Graph<'_>, node: NodeId) -> bool {
    matches!(graph.nodes[node as usize].op, Op::OrElse(_))
}

/// A fragment that is being written.
struct Writer<'w> {
    graph: &'w Graph<'w>,
    all: &'w [Fragment],
    fragment: &'w Fragment,
    width: usize,
    /// `true` for CPUs.
    chunked: bool,
}

/// The names of the items that an operator works on.
const NAMES: [&str; 4] = ["a", "b", "c", "d"];

impl Writer<'_> {
    fn body<'b>(&'b self) -> Body<'b> {
        Body::new(self.graph, &self.fragment.roots)
    }

    /// Returns the type of the fragment's items.
    fn item(&self, pack: bool) -> String {
        self.fragment.item(self.all, self.graph, pack)
    }

    /// Writes the type of the fragment's items, unless another fragment defines it.
    fn write_types(&self, out: &mut Section) -> fmt::Result {
        let own = Fragment::named(self.fragment.name, "ITEM");
        let (item, pack) = (self.item(false), self.item(true));
        if item == own {
            return write_item_types(out, &own, &pack, &self.elements(), self.width);
        }
        if matches!(self.fragment.kind, Kind::Input | Kind::Function { .. }) {
            let own_pack = Fragment::named(self.fragment.name, "PACK_ITEM");
            out.define(own, format_args!(" {item}"))?;
            out.define(own_pack, format_args!(" {pack}\n"))?;
        }
        Ok(())
    }

    fn elements(&self) -> Vec<ElementType> {
        self.fragment.elements(self.graph)
    }

    /// Returns the elements of the items of the input or function called `of`.
    fn elements_of(&self, of: &str) -> Vec<ElementType> {
        source(self.all, of).map_or_else(Vec::new, |source| source.elements(self.graph))
    }

    fn write_input(&self, out: &mut Section) -> fmt::Result {
        let name = self.fragment.name;
        self.write_types(out)?;
        let named = |what: &str| Fragment::named(name, what);
        if let [element] = self.elements()[..] {
            out.define(named("STORED"), format_args!(" {}", stored_name(element)))?;
        }
        if let Some(vector) = self.vector() {
            out.define(named("LOAD_FROM"), format_args!(" {vector}"))?;
        }
        out.define(named("LOAD"), format_args!("(i) {}(ARGUMENTS i)", named("item_at")))?;
        out.define(named("LOAD_PACK"), format_args!("(p) {}(ARGUMENTS p)\n", named("pack_at")))?;
        self.write_packing(out)?;
        self.write_lane(out)?;
        let body = self.body();
        if let Some(within) = body.within() {
            return self.write_boxed_input(out, &body, &within);
        }
        if self.width > 1 && !body.is_vectorizable(self.width) {
            return self.write_input_item_by_item(out, &body);
        }
        let no_parameter = |_: u32| String::new();
        out.function(&self.item(false), named("item_at"), "PARAMETERS const INDEX i")?;
        let values = body.write(&mut out.text, 1, &[], &no_parameter)?;
        self.write_return(out, &values, false)?;
        if self.width == 1 {
            return out.define(named("pack_at"), format_args!(" {}\n", named("item_at")));
        }
        let mut neighbours = String::new();
        let border = match body.write_neighbours(&mut neighbours, self.width)? {
            None => String::new(),
            Some(condition) => {
                let border = named("pack_at_border");
                self.write_pack_function(out, border.clone(), "")?;
                self.write_item_by_item(out, &format!("{}(ARGUMENTS i * PACK + k)", named("item_at")), true)?;
                format!("{neighbours}    if (!({condition}))\n        return {border}(ARGUMENTS p);\n")
            }
        };
        // The weights of a convolution would otherwise be arguments of a call for each pack.
        let is_stencil = self.graph.nodes.iter().any(|node| matches!(node.op, Op::Near(_)));
        self.write_pack_at(out, if is_stencil { "__attribute__((always_inline)) " } else { "" })?;
        out.write_str(&border)?;
        let values = body.write(&mut out.text, self.width, &[], &no_parameter)?;
        self.write_return(out, &values, true)
    }

    /// Returns the name of the input's vector if its items are those of a vector, in order.
    fn vector(&self) -> Option<String> {
        let [root] = self.fragment.roots[..] else { return None };
        let node = &self.graph.nodes[root as usize];
        let Op::Load(slot) = node.op else { return None };
        let own = self.graph.nodes[node.arguments[0] as usize].op == Op::Index;
        let same = Some(self.graph.vectors[slot as usize].element) == node.ty.element();
        (own && same).then(|| format!("x{slot}"))
    }

    /// Returns the name of the output's vector if it stores whole items in a vector, in order.
    fn target(&self, outputs: &[Output]) -> Option<String> {
        let ([root], [output]) = (&self.fragment.roots[..], outputs) else { return None };
        let item = matches!(self.graph.nodes[*root as usize].op, Op::Parameter(_));
        (item && output.index == StoreIndex::Own).then(|| format!("out{}", self.number(0)))
    }

    /// Writes `UNPACK(pack, items)` and `PACKED(items)`, which convert between a pack and an array of its items.
    fn write_packing(&self, out: &mut Section) -> fmt::Result {
        let named = |what: &str| Fragment::named(self.fragment.name, what);
        let (unpack, packed) = (named("UNPACK"), named("PACKED"));
        let (item, pack, elements) = (self.item(false), self.item(true), self.elements());
        if self.width == 1 {
            out.define(unpack, "(pack, items) (*(items) = (pack))")?;
            return out.define(packed, "(items) (*(items))\n");
        }
        let (unpack_items, packed_items) = (named("unpack_items"), named("packed_items"));
        out.define(unpack, format_args!("(pack, items) {unpack_items}(pack, items)"))?;
        out.define(packed, format_args!("(items) {packed_items}(items)\n"))?;
        out.function("void", unpack_items, format_args!("const {pack} pack, {item} *items"))?;
        let unpacked = self.write_unpacked(out, "pack", self.fragment.name, &elements)?;
        writeln!(
            out,
            "#pragma unroll\n    for (uint k = 0; k < PACK; ++k)\n        items[k] = {unpacked};\n}}\n"
        )?;
        out.function(&pack, packed_items, format_args!("const {item} *items"))?;
        self.write_item_by_item(out, "items[k]", true)
    }

    /// Writes `LANE(pack, k)`, item `k` of a pack.
    fn write_lane(&self, out: &mut Section) -> fmt::Result {
        let named = |what: &str| Fragment::named(self.fragment.name, what);
        if self.width == 1 {
            return out.define(named("LANE"), "(pack, k) (pack)\n");
        }
        let (item, pack) = (self.item(false), self.item(true));
        out.define(named("LANE"), format_args!(" {}\n", named("lane_of")))?;
        out.function(&item, named("lane_of"), format_args!("const {pack} pack, const uint k"))?;
        let item = self.write_unpacked(out, "pack", self.fragment.name, &self.elements())?;
        writeln!(out, "    return {item};\n}}\n")
    }

    /// Writes the beginning of `pack_at`. `mark` is an attribute of the function, or empty.
    fn write_pack_at(&self, out: &mut Section, mark: &str) -> fmt::Result {
        self.write_pack_function(out, Fragment::named(self.fragment.name, "pack_at"), mark)
    }

    /// Writes the beginning of the function `name`, which computes pack `p`.
    ///
    /// `p` is a `size_t`, so that packs at fixed distances share one address computation. A sum of `uint`
    /// could wrap around, so it would need an address of its own. Index arithmetic of the expression uses
    /// `i`, the same number as an `INDEX`.
    fn write_pack_function(&self, out: &mut Section, name: String, mark: &str) -> fmt::Result {
        out.function(&format!("{mark}{}", self.item(true)), name, "PARAMETERS const size_t p")?;
        writeln!(out, "    const INDEX i = p;")
    }

    /// Writes `lane_at`, `item_at` and `pack_at` of an input that is computed item by item. The arguments of
    /// `lane_at` are the values of [`Body::own_loads`]. `pack_at` loads them for the whole pack at once, and
    /// then calls `lane_at` for each item.
    fn write_input_item_by_item(&self, out: &mut Section, body: &Body<'_>) -> fmt::Result {
        let named = |what: &str| Fragment::named(self.fragment.name, what);
        let (lane_at, item) = (named("lane_at"), self.item(false));
        let loads = body.own_loads(self.width);
        let given: String =
            loads.iter().map(|load| format!(", const {} v{}", load.scalar.c_name(), load.node)).collect();
        let nodes: Vec<NodeId> = loads.iter().map(|load| load.node).collect();
        let or_else_nodes: Vec<NodeId> =
            nodes.iter().copied().filter(|&node| is_or_else(self.graph, node)).collect();
        let rest = body.without(&or_else_nodes);
        // A compiler vectorises a loop that is not unrolled and calls no function.
        let is_vectorized = self.chunked && rest.has_vectorizable_calls();
        let inlined = if is_vectorized { "__attribute__((always_inline)) " } else { "" };
        let is_heavy = rest.functions().next().is_some();
        let once = once(is_vectorized || self.chunked && is_heavy && has_operators(self.all));
        let parameters = format_args!("PARAMETERS const INDEX i{given}").to_string();
        out.function(&format!("{inlined}{item}"), lane_at.clone(), parameters)?;
        let given = nodes;
        let values = rest.write(&mut out.text, 1, &given, &|_| String::new())?;
        self.write_return(out, &values, false)?;

        out.function(&format!("{once}{item}"), named("item_at"), "PARAMETERS const INDEX i")?;
        write!(out, "    return {lane_at}(ARGUMENTS i")?;
        for load in &loads {
            write!(out, ", {}", body.load_item(load, "i"))?;
        }
        writeln!(out, ");\n}}\n")?;

        self.write_pack_at(out, once)?;
        for load in &loads {
            let name = match self.graph.nodes[load.node as usize].op {
                Op::Interleave | Op::OrElse(_) => packed_name(load.scalar.into()),
                _ => stored_name(load.scalar.into()),
            };
            let (ty, pack) =
                (indexable_pack(&name, self.width), body.load_pack(&mut out.text, load, self.width)?);
            writeln!(out, "    const {ty} l{} = {{ .pack = {pack} }};", load.node)?;
        }
        let arguments: Vec<String> = loads
            .iter()
            .map(|load| format!(", {}", item_of_pack(&format!("l{}", load.node), load.scalar.into())))
            .collect();
        self.write_item_by_item(
            out,
            &format!("{lane_at}(ARGUMENTS i * PACK + k{})", arguments.concat()),
            !is_vectorized,
        )
    }

    /// Writes a function whose arguments are items of the inputs and functions called `of`.
    fn write_operator(&self, out: &mut Section, of: &[&'static str]) -> fmt::Result {
        let name = self.fragment.name;
        self.write_types(out)?;
        let names = &NAMES[..of.len().min(NAMES.len())];
        let elements: Vec<Vec<ElementType>> = of.iter().map(|of| self.elements_of(of)).collect();
        let list = names.join(", ");
        out.define(name, format_args!("({list}) {name}_item(ARGUMENTS {list})"))?;
        out.define(format!("{name}_PACK"), format_args!("({list}) {name}_pack(ARGUMENTS {list})\n"))?;
        // Parameters are numbered through all elements of all arguments.
        let parts: Vec<String> = names
            .iter()
            .zip(&elements)
            .flat_map(|(name, of)| (0..of.len()).map(move |at| part(name, at, of)))
            .collect();
        let parameter = |number: u32| parts[number as usize].clone();
        let parameters = |pack: bool| {
            let what = if pack { "PACK_ITEM" } else { "ITEM" };
            let declared = |(name, of): (&&str, &&str)| format!("const {} {name}", Fragment::named(of, what));
            names.iter().zip(of).map(declared).collect::<Vec<_>>().join(", ")
        };
        let body = self.body();
        let function = |out: &mut Section, what: &str, pack: bool| {
            let parameters = format_args!("PARAMETERS {}", parameters(pack)).to_string();
            out.function(&self.item(pack), format!("{name}_{what}"), parameters)
        };
        function(out, "item", false)?;
        let values = body.write(&mut out.text, 1, &[], &parameter)?;
        self.write_return(out, &values, false)?;
        if self.width == 1 {
            return out.define(format!("{name}_pack"), format_args!(" {name}_item\n"));
        }
        function(out, "pack", true)?;
        if body.is_vectorizable(self.width) {
            let values = body.write(&mut out.text, self.width, &[], &parameter)?;
            return self.write_return(out, &values, true);
        }
        let mut arguments = Vec::new();
        for ((name, of), elements) in names.iter().zip(of).zip(&elements) {
            arguments.push(self.write_unpacked(out, name, of, elements)?);
        }
        self.write_item_by_item(out, &format!("{name}_item(ARGUMENTS {})", arguments.join(", ")), true)
    }

    fn write_output(&self, out: &mut Section, of: &str, outputs: &[Output]) -> fmt::Result {
        let named = |what: &str| Fragment::named(self.fragment.name, what);
        let (store_item, store_pack) = (named("store_item"), named("store_pack"));
        if let Some(vector) = self.target(outputs) {
            out.define(named("STORE_TO"), format_args!(" {vector}"))?;
        }
        let passed = "ARGUMENTS OUTPUT_ARGUMENTS";
        out.define(named("STORE"), format_args!("(i, item) {store_item}({passed} i, item)"))?;
        out.define(named("STORE_PACK"), format_args!("(p, pack) {store_pack}({passed} p, pack)\n"))?;
        let elements = self.elements_of(of);
        let parameter = |number: u32| part("item", number as usize, &elements);
        let body = self.body();
        let parameters = format!("PARAMETERS OUTPUTS const INDEX i, const {} item", self.item(false));
        out.function("void", store_item.clone(), parameters)?;
        let values = body.write(&mut out.text, 1, &[], &parameter)?;
        for (at, output) in outputs.iter().enumerate() {
            writeln!(out, "    {}", self.store(at, *output, "i", &values[at], &values))?;
        }
        writeln!(out, "}}\n")?;
        if self.width == 1 {
            return out.define(store_pack, format_args!(" {store_item}\n"));
        }
        let parameters = format!("PARAMETERS OUTPUTS const size_t p, const {} item", self.item(true));
        out.function("void", store_pack, parameters)?;
        writeln!(out, "    const INDEX i = p;")?;
        // Nothing tells the function that all neighbours of a pack are consecutive.
        let has_neighbours = body.write_neighbours(&mut String::new(), self.width)?.is_some();
        let in_packs = !has_neighbours
            && outputs.iter().all(|output| {
                output.element.scalar().is_some() && !matches!(output.index, StoreIndex::Scatter { .. })
            });
        if in_packs && body.is_vectorizable(self.width) {
            let values = body.write(&mut out.text, self.width, &[], &parameter)?;
            for (at, output) in outputs.iter().enumerate() {
                self.write_store_pack(out, at, *output, &values[at])?;
            }
            return writeln!(out, "}}\n");
        }
        let argument = self.write_unpacked(out, "item", of, &elements)?;
        writeln!(out, "#pragma unroll\n    for (uint k = 0; k < PACK; ++k)")?;
        writeln!(out, "        {store_item}(ARGUMENTS OUTPUT_ARGUMENTS i * PACK + k, {argument});\n}}\n")
    }

    /// Returns the number of an output among the outputs of all fragments. The names of the output's kernel
    /// parameters end in this number.
    fn number(&self, at: usize) -> usize {
        let before = self.all.iter().take_while(|fragment| !std::ptr::eq(*fragment, self.fragment));
        let outputs = |fragment: &Fragment| match &fragment.kind {
            Kind::Output { outputs, .. } => outputs.len(),
            _ => 0,
        };
        before.map(outputs).sum::<usize>() + at
    }

    /// Returns the statement that stores one value.
    fn store(&self, at: usize, output: Output, index: &str, value: &str, values: &[String]) -> String {
        let number = self.number(at);
        let to = |index: &str| match output.element {
            ElementType::Vector(_, 3) => format!("vstore3({value}, {index}, out{number});"),
            _ => format!("out{number}[{index}] = {value};"),
        };
        match output.index {
            StoreIndex::Own => to(index),
            StoreIndex::Slice { .. } => to(&format!("{index} + offset{number}")),
            StoreIndex::Line => to(&format!("{index} * stride{number} + offset{number}")),
            StoreIndex::Row { begin, strided: false } => to(&format!("{index} + row{}", begin.slot)),
            StoreIndex::Row { begin, strided: true } => {
                to(&format!("{index} * stride{number} + row{}", begin.slot))
            }
            StoreIndex::Scatter { checked, place, site } => {
                let [checked, place] = [checked, place].map(|root| &values[root as usize]);
                let allowed = format!("may_write(fault, {}u, (ulong){checked}, bound{number})", site as u32);
                format!("if ({allowed}) {}", to(&format!("(INDEX){place}")))
            }
        }
    }

    fn write_store_pack(&self, out: &mut Section, at: usize, output: Output, pack: &str) -> fmt::Result {
        let (name, width, number) = (stored_name(output.element), self.width, self.number(at));
        // Masks are 0 and -1.
        let value = match output.element {
            ElementType::Scalar(ScalarType::Bool) => format!("as_uchar{width}(-{pack})"),
            _ => pack.to_owned(),
        };
        let target = match output.index {
            StoreIndex::Own => Some(format!("out{number}")),
            StoreIndex::Slice { aligned: true } => Some(format!("(out{number} + offset{number})")),
            StoreIndex::Row { begin, strided: false } if begin.aligned => {
                Some(format!("(out{number} + row{})", begin.slot))
            }
            StoreIndex::Row { begin, strided: false } => {
                return writeln!(out, "    vstore{width}({value}, p, out{number} + row{});", begin.slot);
            }
            StoreIndex::Slice { aligned: false } => {
                return writeln!(out, "    vstore{width}({value}, p, out{number} + offset{number});");
            }
            _ => None,
        };
        if let Some(target) = target {
            // An element that was just read is in the caches already.
            let put = if output.in_place { "PUT_PACK" } else { "STREAM_PACK" };
            return match small_words(output.element, width) {
                Some(words) => {
                    writeln!(out, "    PUT_SMALL({put}, {name}{width}, {words}, {target}, p, {value});")
                }
                None => writeln!(out, "    {put}((global {name}{width} *){target} + p, {value});"),
            };
        }
        writeln!(out, "    const {name}{width} stored{number} = {value};")?;
        for k in 0..width {
            let index = format!("(i * PACK + {k})");
            writeln!(out, "    {}", self.store(at, output, &index, &format!("stored{number}.s{k:x}"), &[]))?;
        }
        Ok(())
    }

    /// Writes the end of a function whose result consists of these values.
    fn write_return(&self, out: &mut Section, values: &[String], pack: bool) -> fmt::Result {
        match values {
            [value] => writeln!(out, "    return {value};\n}}\n"),
            parts => writeln!(out, "    return ({}){{{}}};\n}}\n", self.item(pack), parts.join(", ")),
        }
    }

    /// Writes variables that hold the items of a pack, and returns the expression of item `k`.
    fn write_unpacked(
        &self,
        out: &mut Section,
        pack: &str,
        of: &str,
        elements: &[ElementType],
    ) -> Result<String, fmt::Error> {
        for at in 0..elements.len() {
            let ty = indexable_pack(&packed_name(elements[at]), self.width);
            writeln!(out, "    const {ty} {pack}{at} = {{ .pack = {} }};", part(pack, at, elements))?;
        }
        let items: Vec<String> = elements
            .iter()
            .enumerate()
            .map(|(at, &element)| item_of_pack(&format!("{pack}{at}"), element))
            .collect();
        Ok(match &items[..] {
            [item] => item.clone(),
            items => format!("({}){{{}}}", Fragment::named(of, "ITEM"), items.join(", ")),
        })
    }

    /// Writes the end of a function on packs that calls another one item by item.
    fn write_item_by_item(&self, out: &mut Section, call: &str, unrolled: bool) -> fmt::Result {
        let elements = self.elements();
        for (at, &element) in elements.iter().enumerate() {
            writeln!(out, "    {} r{at};", indexable_pack(&packed_name(element), self.width))?;
        }
        let unroll = if unrolled { "#pragma unroll\n" } else { "" };
        writeln!(out, "{unroll}    for (uint k = 0; k < PACK; ++k) {{")?;
        writeln!(out, "        const {} result = {call};", self.item(false))?;
        for (at, &element) in elements.iter().enumerate() {
            // Masks are 0 and -1.
            let minus = if element == ElementType::BOOL { "-" } else { "" };
            writeln!(out, "        r{at}.item[k] = {minus}{};", part("result", at, &elements))?;
        }
        writeln!(out, "    }}")?;
        let parts: Vec<String> = (0..elements.len()).map(|at| format!("r{at}.pack")).collect();
        self.write_return(out, &parts, true)
    }
}

/// Writes the types of items and of packs.
fn write_item_types(
    out: &mut Section,
    item: &str,
    pack: &str,
    elements: &[ElementType],
    width: usize,
) -> fmt::Result {
    if let [element] = elements {
        out.define(item, format_args!(" {}", element.c_name()))?;
        return match width {
            1 => out.define(pack, format_args!(" {item}\n")),
            _ => out.define(pack, format_args!(" {}{width}\n", packed_name(*element))),
        };
    }
    let parts = |name: &dyn Fn(ElementType) -> String| -> String {
        elements
            .iter()
            .enumerate()
            .map(|(at, &element)| format!("VOLATILE {} part{at}; ", name(element)))
            .collect()
    };
    writeln!(
        out,
        "typedef VOLATILE struct {{ {}}} {item};",
        parts(&|element| element.c_name().into_owned())
    )?;
    out.add_names([item.to_owned()]);
    if width == 1 {
        return out.define(pack, format_args!(" {item}\n"));
    }
    out.add_names([pack.to_owned()]);
    let packed = parts(&|element| format!("{}{width}", packed_name(element)));
    writeln!(out, "typedef VOLATILE struct {{ {packed}}} {pack};\n")
}

/// Returns the expression of a part of an item: the item itself if it has only one.
fn part(item: &str, at: usize, elements: &[ElementType]) -> String {
    if elements.len() == 1 { item.to_owned() } else { format!("{item}.part{at}") }
}

/// Returns the term for item `k` of the variable `pack`, whose type is the union that [`indexable_pack`] returns.
fn item_of_pack(pack: &str, element: ElementType) -> String {
    let truth = if element == ElementType::BOOL { " != 0" } else { "" };
    format!("{pack}.item[k]{truth}")
}
