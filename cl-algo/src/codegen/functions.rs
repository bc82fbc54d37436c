//! The functions that fragments become: on items, and on packs of them.
//!
//! Where every operation has a form for vectors, a pack is computed as one; device functions,
//! structs and checked indices go lane by lane, with the loads of whole packs in front.

use super::body::Body;
use super::flat;
use super::fragment::{Fragment, Kind, Output, Place, input};
use super::lanes::{Lanes, small_words, stored_name};
use crate::element::{ElementType, ScalarType};
use crate::expr::graph::Graph;
use crate::expr::op::{NodeId, Op, Site};
use std::fmt::{self, Write};

/// Writes the functions of all fragments, for packs of `width` items.
pub(crate) fn write(
    out: &mut String,
    graph: &Graph<'_>,
    fragments: &[Fragment],
    width: usize,
) -> fmt::Result {
    flat::write(out, graph, width)?;
    for fragment in fragments {
        let writer = Writer { graph, all: fragments, fragment, width };
        match &fragment.kind {
            Kind::Input => writer.write_input(out)?,
            Kind::Operator { of, arity } => writer.write_operator(out, of, *arity)?,
            Kind::Output { of, outputs } => writer.write_output(out, of, outputs)?,
        }
    }
    Ok(())
}

/// One fragment, being written.
struct Writer<'w> {
    graph: &'w Graph<'w>,
    all: &'w [Fragment],
    fragment: &'w Fragment,
    width: usize,
}

/// The operation that an error names.
const SCATTER: u32 = Site::Scatter as u32;

/// What the items that an operator works on are called.
const NAMES: [&str; 4] = ["a", "b", "c", "d"];

impl Writer<'_> {
    fn body<'b>(&'b self) -> Body<'b> {
        Body::new(self.graph, &self.fragment.roots)
    }

    /// The type of the fragment's items.
    fn item(&self, pack: bool) -> String {
        self.fragment.item(self.all, self.graph, pack)
    }

    /// The definition of the type of the fragment's items, unless another fragment has it.
    fn write_types(&self, out: &mut String) -> fmt::Result {
        let own = Fragment::named(self.fragment.name, "ITEM");
        let (item, pack) = (self.item(false), self.item(true));
        if item == own {
            return write_item_types(out, &own, &pack, &self.elements(), self.width);
        }
        if self.fragment.kind == Kind::Input {
            let own_pack = Fragment::named(self.fragment.name, "PACK_ITEM");
            writeln!(out, "#define {own} {item}\n#define {own_pack} {pack}\n")?;
        }
        Ok(())
    }

    fn elements(&self) -> Vec<ElementType> {
        self.fragment.elements(self.graph)
    }

    /// The elements of the items that the fragment works on.
    fn elements_of(&self, of: &str) -> Vec<ElementType> {
        input(self.all, of).map_or_else(Vec::new, |input| input.elements(self.graph))
    }

    fn write_input(&self, out: &mut String) -> fmt::Result {
        let name = self.fragment.name;
        self.write_types(out)?;
        let named = |what: &str| Fragment::named(name, what);
        if let [element] = self.elements()[..] {
            writeln!(out, "#define {} {}", named("STORED"), stored_name(element))?;
        }
        if let Some(vector) = self.vector() {
            writeln!(out, "#define {} {vector}", named("LOAD_FROM"))?;
        }
        writeln!(out, "#define {}(i) {}(ARGUMENTS i)", named("LOAD"), named("item_at"))?;
        writeln!(out, "#define {}(p) {}(ARGUMENTS p)\n", named("LOAD_PACK"), named("pack_at"))?;
        self.write_packing(out)?;
        self.write_lane(out)?;
        let body = self.body();
        if self.width > 1 && !body.is_vectorizable(self.width) {
            return self.write_input_by_lane(out, &body);
        }
        let no_parameter = |_: u32| String::new();
        writeln!(
            out,
            "static inline {} {}(PARAMETERS const INDEX i)\n{{",
            self.item(false),
            named("item_at")
        )?;
        let values = body.write(out, 1, &[], &no_parameter)?;
        self.write_return(out, &values, false)?;
        if self.width == 1 {
            return writeln!(out, "#define {} {}\n", named("pack_at"), named("item_at"));
        }
        self.write_pack_at(out)?;
        let values = body.write(out, self.width, &[], &no_parameter)?;
        self.write_return(out, &values, true)
    }

    /// The name of the vector that an input is, if its items are those of a vector, in order.
    fn vector(&self) -> Option<String> {
        let [root] = self.fragment.roots[..] else { return None };
        let node = &self.graph.nodes[root as usize];
        let Op::Load(slot) = node.op else { return None };
        let own = self.graph.nodes[node.arguments[0] as usize].op == Op::Index;
        let same = Some(self.graph.vectors[slot as usize].element) == node.ty.element();
        (own && same).then(|| format!("x{slot}"))
    }

    /// The name of the vector that an output is, if it stores whole items in a vector, in order.
    fn target(&self, outputs: &[Output]) -> Option<String> {
        let ([root], [output]) = (&self.fragment.roots[..], outputs) else { return None };
        let item = matches!(self.graph.nodes[*root as usize].op, Op::Parameter(_));
        (item && output.place == Place::Own).then(|| format!("out{}", self.number(0)))
    }

    /// `UNPACK(pack, items)` and `PACKED(items)`: between a pack and an array of its items.
    fn write_packing(&self, out: &mut String) -> fmt::Result {
        let named = |what: &str| Fragment::named(self.fragment.name, what);
        let (unpack, packed) = (named("UNPACK"), named("PACKED"));
        let (item, pack, elements) = (self.item(false), self.item(true), self.elements());
        if self.width == 1 {
            return writeln!(
                out,
                "#define {unpack}(pack, items) (*(items) = (pack))\n#define {packed}(items) (*(items))\n"
            );
        }
        let (unpack_items, packed_items) = (named("unpack_items"), named("packed_items"));
        writeln!(out, "#define {unpack}(pack, items) {unpack_items}(pack, items)")?;
        writeln!(out, "#define {packed}(items) {packed_items}(items)\n")?;
        writeln!(out, "static inline void {unpack_items}(const {pack} pack, {item} *items)\n{{")?;
        let lane = self.write_unpacked(out, "pack", self.fragment.name, &elements)?;
        writeln!(
            out,
            "#pragma unroll\n    for (uint k = 0; k < PACK; ++k)\n        items[k] = {lane};\n}}\n"
        )?;
        writeln!(out, "static inline {pack} {packed_items}(const {item} *items)\n{{")?;
        self.write_by_lane(out, "items[k]")
    }

    /// The item of one lane of a pack.
    fn write_lane(&self, out: &mut String) -> fmt::Result {
        let named = |what: &str| Fragment::named(self.fragment.name, what);
        if self.width == 1 {
            return writeln!(out, "#define {}(pack, k) (pack)\n", named("LANE"));
        }
        let (item, pack) = (self.item(false), self.item(true));
        writeln!(out, "#define {} {}\n", named("LANE"), named("lane_of"))?;
        writeln!(out, "static inline {item} {}(const {pack} pack, const uint k)\n{{", named("lane_of"))?;
        let item = self.write_unpacked(out, "pack", self.fragment.name, &self.elements())?;
        writeln!(out, "    return {item};\n}}\n")
    }

    /// The beginning of `pack_at`, for pack `p`. As a `size_t`, because packs at fixed distances have one
    /// address then, where a sum of `uint` may wrap around; `i` is for indices.
    fn write_pack_at(&self, out: &mut String) -> fmt::Result {
        let (item, name) = (self.item(true), Fragment::named(self.fragment.name, "pack_at"));
        writeln!(out, "static inline {item} {name}(PARAMETERS const size_t p)\n{{\n    const INDEX i = p;")
    }

    /// As `lane_at`, with the loads at the item's index done before, and for a pack at once.
    fn write_input_by_lane(&self, out: &mut String, body: &Body<'_>) -> fmt::Result {
        let named = |what: &str| Fragment::named(self.fragment.name, what);
        let (lane_at, item) = (named("lane_at"), self.item(false));
        let loads = body.own_loads(self.width);
        write!(out, "static inline {item} {lane_at}(PARAMETERS const INDEX i")?;
        for load in &loads {
            write!(out, ", const {} v{}", load.scalar.c_name(), load.node)?;
        }
        writeln!(out, ")\n{{")?;
        let given: Vec<NodeId> = loads.iter().map(|load| load.node).collect();
        let values = body.write(out, 1, &given, &|_| String::new())?;
        self.write_return(out, &values, false)?;

        writeln!(out, "static inline {item} {}(PARAMETERS const INDEX i)\n{{", named("item_at"))?;
        write!(out, "    return {lane_at}(ARGUMENTS i")?;
        for load in &loads {
            write!(out, ", {}", body.load_item(load, "i"))?;
        }
        writeln!(out, ");\n}}\n")?;

        self.write_pack_at(out)?;
        for load in &loads {
            let name = match self.graph.nodes[load.node as usize].op {
                Op::Interleave => packed_name(load.scalar.into()),
                _ => stored_name(load.scalar.into()),
            };
            let (ty, pack) = (lanes(&name, self.width), body.load_pack(load, self.width));
            writeln!(out, "    const {ty} l{} = {{ .pack = {pack} }};", load.node)?;
        }
        let arguments: Vec<String> = loads
            .iter()
            .map(|load| format!(", {}", lane(&format!("l{}", load.node), load.scalar.into())))
            .collect();
        self.write_by_lane(out, &format!("{lane_at}(ARGUMENTS i * PACK + k{})", arguments.concat()))
    }

    fn write_operator(&self, out: &mut String, of: &str, arity: usize) -> fmt::Result {
        let name = self.fragment.name;
        self.write_types(out)?;
        let (names, elements) = (&NAMES[..arity.min(NAMES.len())], self.elements_of(of));
        let list = names.join(", ");
        writeln!(out, "#define {name}({list}) {name}_item(ARGUMENTS {list})")?;
        writeln!(out, "#define {name}_PACK({list}) {name}_pack(ARGUMENTS {list})\n")?;
        let parameter = |number: u32| {
            part(names[number as usize / elements.len()], number as usize % elements.len(), &elements)
        };
        let parameters = |pack: bool| {
            let ty = Fragment::named(of, if pack { "PACK_ITEM" } else { "ITEM" });
            names.iter().map(|name| format!("const {ty} {name}")).collect::<Vec<_>>().join(", ")
        };
        let body = self.body();
        writeln!(
            out,
            "static inline {} {name}_item(PARAMETERS {})\n{{",
            self.item(false),
            parameters(false)
        )?;
        let values = body.write(out, 1, &[], &parameter)?;
        self.write_return(out, &values, false)?;
        if self.width == 1 {
            return writeln!(out, "#define {name}_pack {name}_item\n");
        }
        writeln!(out, "static inline {} {name}_pack(PARAMETERS {})\n{{", self.item(true), parameters(true))?;
        if body.is_vectorizable(self.width) {
            let values = body.write(out, self.width, &[], &parameter)?;
            return self.write_return(out, &values, true);
        }
        let mut arguments = Vec::new();
        for name in names {
            arguments.push(self.write_unpacked(out, name, of, &elements)?);
        }
        self.write_by_lane(out, &format!("{name}_item(ARGUMENTS {})", arguments.join(", ")))
    }

    fn write_output(&self, out: &mut String, of: &str, outputs: &[Output]) -> fmt::Result {
        let named = |what: &str| Fragment::named(self.fragment.name, what);
        let (store_item, store_pack) = (named("store_item"), named("store_pack"));
        if let Some(vector) = self.target(outputs) {
            writeln!(out, "#define {} {vector}", named("STORE_TO"))?;
        }
        writeln!(
            out,
            "#define {}(i, item) {store_item}(ARGUMENTS OUTPUT_ARGUMENTS i, item)",
            named("STORE")
        )?;
        writeln!(
            out,
            "#define {}(p, pack) {store_pack}(ARGUMENTS OUTPUT_ARGUMENTS p, pack)\n",
            named("STORE_PACK")
        )?;
        let elements = self.elements_of(of);
        let parameter = |number: u32| part("item", number as usize, &elements);
        let body = self.body();
        writeln!(
            out,
            "static inline void {store_item}(PARAMETERS OUTPUTS const INDEX i, const {} item)\n{{",
            self.item(false)
        )?;
        let values = body.write(out, 1, &[], &parameter)?;
        for (at, output) in outputs.iter().enumerate() {
            writeln!(out, "    {}", self.store(at, *output, "i", &values[at], &values))?;
        }
        writeln!(out, "}}\n")?;
        if self.width == 1 {
            return writeln!(out, "#define {store_pack} {store_item}\n");
        }
        writeln!(
            out,
            "static inline void {store_pack}(PARAMETERS OUTPUTS const size_t p, const {} item)\n{{",
            self.item(true)
        )?;
        writeln!(out, "    const INDEX i = p;")?;
        let in_packs = outputs
            .iter()
            .all(|output| output.element.scalar().is_some() && !matches!(output.place, Place::Scatter(_)));
        if in_packs && body.is_vectorizable(self.width) {
            let values = body.write(out, self.width, &[], &parameter)?;
            for (at, output) in outputs.iter().enumerate() {
                self.write_store_pack(out, at, *output, &values[at])?;
            }
            return writeln!(out, "}}\n");
        }
        let argument = self.write_unpacked(out, "item", of, &elements)?;
        writeln!(out, "#pragma unroll\n    for (uint k = 0; k < PACK; ++k)")?;
        writeln!(out, "        {store_item}(ARGUMENTS OUTPUT_ARGUMENTS i * PACK + k, {argument});\n}}\n")
    }

    /// The number of an output among those of all fragments: what its kernel parameters end in.
    fn number(&self, at: usize) -> usize {
        let before = self.all.iter().take_while(|fragment| !std::ptr::eq(*fragment, self.fragment));
        let outputs = |fragment: &Fragment| match &fragment.kind {
            Kind::Output { outputs, .. } => outputs.len(),
            _ => 0,
        };
        before.map(outputs).sum::<usize>() + at
    }

    /// The statement that stores one value.
    fn store(&self, at: usize, output: Output, index: &str, value: &str, values: &[String]) -> String {
        let number = self.number(at);
        let to = |index: &str| match output.element {
            ElementType::Vector(_, 3) => format!("vstore3({value}, {index}, out{number});"),
            _ => format!("out{number}[{index}] = {value};"),
        };
        match output.place {
            Place::Own => to(index),
            Place::Line => to(&format!("{index} * stride{number} + offset{number}")),
            Place::Scatter(by) => {
                let there = &values[by as usize];
                let allowed = format!("may_write(fault, {SCATTER}u, (ulong){there}, bound{number})");
                format!("if ({allowed}) {}", to(&format!("(INDEX){there}")))
            }
        }
    }

    fn write_store_pack(&self, out: &mut String, at: usize, output: Output, pack: &str) -> fmt::Result {
        let (name, width, number) = (stored_name(output.element), self.width, self.number(at));
        // Masks are 0 and -1.
        let value = match output.element {
            ElementType::Scalar(ScalarType::Bool) => format!("as_uchar{width}(-{pack})"),
            _ => pack.to_owned(),
        };
        if output.place == Place::Own {
            // What was just read is in the caches already.
            let put = if output.in_place { "PUT_PACK" } else { "STREAM_PACK" };
            return match small_words(output.element, width) {
                Some(words) => {
                    writeln!(out, "    PUT_SMALL({put}, {name}{width}, {words}, out{number}, p, {value});")
                }
                None => writeln!(out, "    {put}((global {name}{width} *)out{number} + p, {value});"),
            };
        }
        writeln!(out, "    const {name}{width} stored{number} = {value};")?;
        for k in 0..width {
            let index = format!("(i * PACK + {k})");
            writeln!(out, "    {}", self.store(at, output, &index, &format!("stored{number}.s{k:x}"), &[]))?;
        }
        Ok(())
    }

    /// The end of a function whose result has these parts.
    fn write_return(&self, out: &mut String, values: &[String], pack: bool) -> fmt::Result {
        match values {
            [value] => writeln!(out, "    return {value};\n}}\n"),
            parts => writeln!(out, "    return ({}){{{}}};\n}}\n", self.item(pack), parts.join(", ")),
        }
    }

    /// The lanes of a pack in variables; the result is the item of lane `k`.
    fn write_unpacked(
        &self,
        out: &mut String,
        pack: &str,
        of: &str,
        elements: &[ElementType],
    ) -> Result<String, fmt::Error> {
        for at in 0..elements.len() {
            let ty = lanes(&packed_name(elements[at]), self.width);
            writeln!(out, "    const {ty} {pack}{at} = {{ .pack = {} }};", part(pack, at, elements))?;
        }
        let items: Vec<String> =
            elements.iter().enumerate().map(|(at, &element)| lane(&format!("{pack}{at}"), element)).collect();
        Ok(match &items[..] {
            [item] => item.clone(),
            items => format!("({}){{{}}}", Fragment::named(of, "ITEM"), items.join(", ")),
        })
    }

    /// The end of a function on packs that calls another one lane by lane.
    fn write_by_lane(&self, out: &mut String, call: &str) -> fmt::Result {
        let elements = self.elements();
        for (at, &element) in elements.iter().enumerate() {
            writeln!(out, "    {} r{at};", lanes(&packed_name(element), self.width))?;
        }
        writeln!(out, "#pragma unroll\n    for (uint k = 0; k < PACK; ++k) {{")?;
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

/// The definitions of the types of items and of packs of them.
fn write_item_types(
    out: &mut String,
    item: &str,
    pack: &str,
    elements: &[ElementType],
    width: usize,
) -> fmt::Result {
    if let [element] = elements {
        writeln!(out, "#define {item} {}", element.c_name())?;
        return match width {
            1 => writeln!(out, "#define {pack} {item}\n"),
            _ => writeln!(out, "#define {pack} {}{width}\n", packed_name(*element)),
        };
    }
    let parts = |name: &dyn Fn(ElementType) -> String| -> String {
        elements.iter().enumerate().map(|(at, &element)| format!("{} part{at}; ", name(element))).collect()
    };
    writeln!(out, "typedef struct {{ {}}} {item};", parts(&|element| element.c_name().into_owned()))?;
    match width {
        1 => writeln!(out, "#define {pack} {item}\n"),
        _ => writeln!(
            out,
            "typedef struct {{ {}}} {pack};\n",
            parts(&|element| format!("{}{width}", packed_name(element)))
        ),
    }
}

/// A part of an item: the item itself, if it has one only.
fn part(item: &str, at: usize, elements: &[ElementType]) -> String {
    if elements.len() == 1 { item.to_owned() } else { format!("{item}.part{at}") }
}

/// The scalar of a pack: truth values are masks of bytes.
pub(super) fn packed_name(element: ElementType) -> String {
    if element == ElementType::BOOL { "char".to_owned() } else { Lanes::item(element).name() }
}

/// A pack whose lanes can be reached by a variable.
pub(super) fn lanes(scalar: &str, width: usize) -> String {
    format!("union {{ {scalar}{width} pack; {scalar} item[PACK]; }}")
}

/// Lane `k` of such a pack.
fn lane(pack: &str, element: ElementType) -> String {
    let truth = if element == ElementType::BOOL { " != 0" } else { "" };
    format!("{pack}.item[k]{truth}")
}
