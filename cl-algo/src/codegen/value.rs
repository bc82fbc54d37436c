//! The functions that compute an expression's items: one at a time, and a pack at once.
//!
//! | function | computes |
//! | --- | --- |
//! | `item_at(PARAMETERS i)` | the item at index `i` |
//! | `lane_at(PARAMETERS i, loaded…)` | the same, with the loads at `i` done before |
//! | `pack_at(PARAMETERS p)` | the items of pack `p` |
//!
//! Where every operation has a form for vectors, a pack is computed as one; device functions,
//! structs and checked indices go lane by lane, with the loads of whole packs in front.

use super::arithmetic::{self, Operand, mask_of};
use super::lanes::{Lanes, STORED_MASK, stored_name};
use crate::element::{ElementType, ScalarType};
use crate::expr::graph::Graph;
use crate::expr::op::{Beyond, Node, NodeId, Op, Type};
use std::fmt::{self, Write};

/// What to compute, of a graph: a tuple of its nodes.
pub(crate) struct Value<'g> {
    graph: &'g Graph<'g>,
    roots: &'g [NodeId],
    /// Which nodes that takes.
    needed: Vec<bool>,
}

impl<'g> Value<'g> {
    pub(crate) fn new(graph: &'g Graph<'g>, roots: &'g [NodeId]) -> Value<'g> {
        Value { graph, roots, needed: graph.needed(roots) }
    }

    fn nodes(&self) -> impl Iterator<Item = (NodeId, &'g Node)> + '_ {
        let nodes = self.graph.nodes.iter().enumerate().zip(&self.needed);
        nodes.filter(|(_, needed)| **needed).map(|((id, node), _)| (id as NodeId, node))
    }

    /// Whether every operation has a form for vectors.
    fn is_vectorizable(&self) -> bool {
        self.nodes().all(|(_, node)| {
            let vectors = !matches!(
                node.op,
                Op::Vector(_)
                    | Op::Function(_)
                    | Op::Checked(_)
                    | Op::Neighbour(_)
                    | Op::Inside
                    | Op::Field(_)
                    | Op::Lane(_)
                    | Op::Make
            );
            vectors && !is_wrong_in_packs(node) && (node.ty == Type::Index || node.ty.scalar().is_some())
        })
    }

    /// The loads of scalars at the item's own index.
    fn own_loads(&self) -> Vec<(NodeId, u32, ScalarType)> {
        let own = |node: &Node| self.graph.nodes[node.arguments[0] as usize].op == Op::Index;
        self.nodes()
            .filter_map(|(id, node)| match node.op {
                Op::Load(slot) if own(node) => Some((id, slot, node.ty.scalar()?)),
                _ => None,
            })
            .collect()
    }

    /// Writes the functions, for packs of `width` items.
    pub(crate) fn write(&self, out: &mut String, width: usize) -> fmt::Result {
        if width == 1 {
            self.write_items(out, "item_at", 1)?;
            return writeln!(out, "#define pack_at item_at\n");
        }
        if self.is_vectorizable() {
            self.write_items(out, "item_at", 1)?;
            return self.write_items(out, "pack_at", width);
        }
        self.write_lanes(out, width)
    }

    /// A function that computes `width` items at once.
    fn write_items(&self, out: &mut String, function: &str, width: usize) -> fmt::Result {
        let result = if width == 1 { "ITEM" } else { "PACK_ITEM" };
        writeln!(out, "inline {result} {function}(PARAMETERS const INDEX i)\n{{")?;
        self.write_body(out, width, &[])
    }

    fn write_lanes(&self, out: &mut String, width: usize) -> fmt::Result {
        let loads = self.own_loads();
        write!(out, "inline ITEM lane_at(PARAMETERS const INDEX i")?;
        for &(id, _, scalar) in &loads {
            write!(out, ", const {} v{id}", scalar.c_name())?;
        }
        writeln!(out, ")\n{{")?;
        let given: Vec<NodeId> = loads.iter().map(|&(id, ..)| id).collect();
        self.write_body(out, 1, &given)?;

        writeln!(out, "inline ITEM item_at(PARAMETERS const INDEX i)\n{{")?;
        write!(out, "    return lane_at(ARGUMENTS i")?;
        for &(id, ..) in &loads {
            write!(out, ", {}", self.load(&self.graph.nodes[id as usize], "i", 1))?;
        }
        writeln!(out, ");\n}}\n")?;

        writeln!(out, "inline PACK_ITEM pack_at(PARAMETERS const INDEX p)\n{{")?;
        for &(id, slot, scalar) in &loads {
            let name = stored_name(scalar.into());
            writeln!(
                out,
                "    const union {{ {name}{width} pack; {name} item[PACK]; }} l{id} = {{ .pack = ((global const {name}{width} *)x{slot})[p] }};"
            )?;
        }
        for (at, element) in self.elements().enumerate() {
            let name = if element == ElementType::BOOL { "char".into() } else { element.c_name() };
            writeln!(out, "    union {{ {name}{width} pack; {name} item[PACK]; }} r{at};")?;
        }
        writeln!(out, "#pragma unroll\n    for (uint k = 0; k < PACK; ++k) {{")?;
        write!(out, "        const ITEM item = lane_at(ARGUMENTS p * PACK + k")?;
        for &(id, _, scalar) in &loads {
            write!(out, ", l{id}.item[k]{}", if scalar == ScalarType::Bool { " != 0" } else { "" })?;
        }
        writeln!(out, ");")?;
        let single = self.roots.len() == 1;
        for (at, element) in self.elements().enumerate() {
            let minus = if element == ElementType::BOOL { "-" } else { "" };
            let part = if single { "item".to_owned() } else { format!("item.part{at}") };
            writeln!(out, "        r{at}.item[k] = {minus}{part};")?;
        }
        let parts: Vec<String> = (0..self.roots.len()).map(|at| format!("r{at}.pack")).collect();
        match &parts[..] {
            [part] => writeln!(out, "    }}\n    return {part};\n}}\n"),
            parts => writeln!(out, "    }}\n    return (PACK_ITEM){{{}}};\n}}\n", parts.join(", ")),
        }
    }

    fn elements(&self) -> impl Iterator<Item = ElementType> + '_ {
        self.roots.iter().filter_map(|&root| self.graph.nodes[root as usize].ty.element())
    }

    /// The statements of a function. The nodes in `given` are its parameters.
    fn write_body(&self, out: &mut String, width: usize, given: &[NodeId]) -> fmt::Result {
        let mut values: Vec<Lanes> = vec![Lanes::item(Type::Index); self.graph.nodes.len()];
        for (id, node) in self.nodes() {
            let mut operands: Vec<Operand> = node
                .arguments
                .iter()
                .map(|&argument| self.operand(argument, values[argument as usize]))
                .collect();
            let mut lanes = Lanes::pack(node.ty, width);
            if lanes.is_bool() && !matches!(node.op, Op::Load(_) | Op::Scalar(_)) {
                lanes.mask = mask_of(node.op, &operands);
            }
            values[id as usize] = lanes;
            if given.contains(&id) || matches!(node.ty, Type::Slice(_)) {
                continue;
            }
            if let Op::Pair(_, second) = node.op {
                let lanes = Lanes::pack(second, width);
                writeln!(out, "    {} w{id};", lanes.name())?;
                operands.push(Operand { text: format!("&w{id}"), lanes });
            }
            let text = self.text(node, lanes, &operands);
            writeln!(out, "    const {} v{id} = {text};", lanes.name())?;
        }
        let result = |&root: &NodeId| {
            let stored = Lanes { mask: STORED_MASK, ..values[root as usize] };
            arithmetic::as_mask(&self.operand(root, values[root as usize]), stored)
        };
        match self.roots {
            [root] => writeln!(out, "    return {};\n}}\n", result(root)),
            roots => {
                let parts: Vec<String> = roots.iter().map(result).collect();
                let name = if width == 1 { "ITEM" } else { "PACK_ITEM" };
                writeln!(out, "    return ({name}){{{}}};\n}}\n", parts.join(", "))
            }
        }
    }

    fn operand(&self, id: NodeId, lanes: Lanes) -> Operand {
        let text = match self.graph.nodes[id as usize].op {
            Op::Vector(slot) => self.pointer(slot, self.graph.nodes[id as usize].ty.element()),
            _ => format!("v{id}"),
        };
        Operand { text, lanes }
    }

    fn text(&self, node: &Node, lanes: Lanes, operands: &[Operand]) -> String {
        let of = |at: usize| operands[at].text.as_str();
        match node.op {
            Op::Index if lanes.width == 1 => "i".to_owned(),
            Op::Index => format!("({})(i * PACK) + LANES", lanes.name()),
            Op::Scalar(slot) if lanes.is_bool() => match lanes.width {
                1 => format!("(s{slot} != 0)"),
                _ => format!("({})(-(char)(s{slot}))", lanes.name()),
            },
            // C casts no structs.
            Op::Scalar(slot) if matches!(lanes.ty, Type::Element(ElementType::Struct(_))) => {
                format!("s{slot}")
            }
            Op::Scalar(slot) => format!("({})(s{slot})", lanes.name()),
            Op::Constant(bits) => constant(lanes, bits),
            Op::Load(_) => self.load(node, of(0), lanes.width),
            Op::Parameter(number) => format!("p{number}"),
            Op::Second => format!("w{}", node.arguments[0]),
            Op::Offset => format!("{} + {}", of(0), of(1)),
            Op::Affine => format!("{} * {} + {}", of(0), of(1), of(2)),
            Op::Checked(site) => checked(&operands[0], of(1), site as u32),
            Op::Neighbour(Beyond::Clamp) => format!("clamped_neighbour({}, {}, {})", of(0), of(1), of(2)),
            Op::Neighbour(Beyond::Wrap) => format!("wrapped_neighbour({}, {}, {})", of(0), of(1), of(2)),
            Op::Inside => format!("is_inside({}, {}, {})", of(0), of(1), of(2)),
            Op::Function(function) => {
                let arguments: Vec<&str> = operands.iter().map(|operand| operand.text.as_str()).collect();
                let fault = if function.0.checks_indices { " FAULT_ARGUMENT" } else { "" };
                format!("{}({}{fault})", function.0.name, arguments.join(", "))
            }
            op => arithmetic::apply(op, lanes, operands),
        }
    }

    /// The pointer to a vector, as one to elements of the type.
    fn pointer(&self, slot: u32, element: Option<ElementType>) -> String {
        match element {
            Some(element) if self.graph.vectors[slot as usize].element != element => {
                format!("((global const {} *)x{slot})", stored_name(element))
            }
            _ => format!("x{slot}"),
        }
    }

    /// The elements of a vector at an index, or at the indices of a pack's items.
    fn load(&self, node: &Node, index: &str, width: usize) -> String {
        let (Op::Load(slot), Some(element)) = (node.op, node.ty.element()) else { return String::new() };
        let pointer = self.pointer(slot, Some(element));
        let truth = element == ElementType::BOOL;
        if width == 1 {
            return match element {
                ElementType::Vector(_, 3) => format!("vload3({index}, {pointer})"),
                _ if truth => format!("({pointer}[{index}] != 0)"),
                _ => format!("{pointer}[{index}]"),
            };
        }
        let name = stored_name(element);
        let at = &self.graph.nodes[node.arguments[0] as usize];
        let pack = match at.op {
            Op::Index => format!("((global const {name}{width} *){pointer})[i]"),
            Op::Offset if self.graph.nodes[at.arguments[0] as usize].op == Op::Index => {
                format!("vload{width}(0, {pointer} + {index}.s0)")
            }
            // The same element for all.
            Op::Scalar(_) | Op::Constant(_) => format!("({name}{width})({pointer}[{index}.s0])"),
            _ => {
                let items: Vec<String> = (0..width).map(|k| format!("{pointer}[{index}.s{k:x}]")).collect();
                format!("({name}{width})({})", items.join(", "))
            }
        };
        // Masks are 0 and -1.
        if truth { format!("-as_char{width}({pack})") } else { pack }
    }
}

/// Functions of two results that PoCL 3.1 gets wrong for vectors of doubles; see [`arithmetic`] for those
/// of one.
fn is_wrong_in_packs(node: &Node) -> bool {
    matches!(node.op, Op::Pair("remquo" | "frexp", _)) && node.ty.scalar() == Some(ScalarType::F64)
}

impl From<ScalarType> for ElementType {
    fn from(scalar: ScalarType) -> ElementType {
        ElementType::Scalar(scalar)
    }
}

/// A data-driven index: of a signed type, what is negative becomes too large.
fn checked(index: &Operand, bound: &str, site: u32) -> String {
    format!("checked_index(fault, {site}u, (ulong)({}), {bound})", index.text)
}

/// A value in the source, exact by its bits.
fn constant(lanes: Lanes, bits: u64) -> String {
    let name = lanes.name();
    let text = match lanes.ty {
        Type::Index => format!("{bits}"),
        Type::Element(ElementType::Scalar(ScalarType::Bool)) => (if bits == 0 {
            "0"
        } else if lanes.width == 1 {
            "1"
        } else {
            "-1"
        })
        .to_owned(),
        Type::Element(ElementType::Scalar(scalar)) => number(scalar, bits),
        _ => {
            // The first number is in the lowest bits.
            let Some(scalar) = lanes.scalar() else { return String::new() };
            let of = |at: usize| number(scalar, (bits >> (8 * scalar.size() * at)) & mask(scalar));
            (0..lanes.count()).map(of).collect::<Vec<_>>().join(", ")
        }
    };
    format!("({name})({text})")
}

/// The bits of a scalar's size.
fn mask(scalar: ScalarType) -> u64 {
    u64::MAX >> (64 - 8 * scalar.size())
}

fn number(scalar: ScalarType, bits: u64) -> String {
    match scalar {
        ScalarType::F16 => format!("as_half((ushort)0x{bits:x})"),
        ScalarType::F32 => format!("as_float(0x{bits:x}u)"),
        ScalarType::F64 => format!("as_double(0x{bits:x}ul)"),
        _ => format!("({})0x{bits:x}ul", scalar.c_name()),
    }
}
