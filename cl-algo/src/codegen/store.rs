//! The functions that store an expression's items: one at a time, and a pack at once.
//!
//! | function | stores |
//! | --- | --- |
//! | `store_item(PARAMETERS OUTPUTS i, item)` | the item of index `i` |
//! | `store_pack(PARAMETERS OUTPUTS p, pack)` | the items of pack `p` |

use super::lanes::stored_name;
use crate::element::{ElementType, ScalarType};
use smallvec::SmallVec;
use std::fmt::{self, Write};

/// Where the parts of an item go: one output each.
pub(crate) type Outputs = SmallVec<[Output; 2]>;

/// An output of a kernel, as far as its source depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Output {
    pub(crate) element: ElementType,
    pub(crate) place: Place,
    /// It is one of the vectors that are read, too.
    pub(crate) in_place: bool,
}

/// Where in its vector an output's item goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    /// To the item's own index.
    Own,
    /// To `stride * i + offset`, both given at launch.
    Line,
    /// To an index that is a part of the item itself, behind the outputs' values: this one.
    Scatter(u32),
}

/// Writes the kernel parameters and the functions, for packs of `width` items.
pub(crate) fn write(out: &mut String, outputs: &[Output], width: usize) -> fmt::Result {
    let (parameters, arguments) = parameters(outputs);
    writeln!(out, "#define OUTPUTS {parameters}")?;
    writeln!(out, "#define OUTPUT_ARGUMENTS {arguments}")?;
    writeln!(out, "#define STORE(i, item) store_item(ARGUMENTS OUTPUT_ARGUMENTS i, item)")?;
    writeln!(out, "#define STORE_PACK(p, pack) store_pack(ARGUMENTS OUTPUT_ARGUMENTS p, pack)\n")?;

    writeln!(out, "inline void store_item(PARAMETERS OUTPUTS const INDEX i, const ITEM item)\n{{")?;
    for (at, output) in outputs.iter().enumerate() {
        writeln!(out, "    {}", store(at, *output, "i", &part("item", at, outputs)))?;
    }
    writeln!(out, "}}\n")?;
    if width == 1 {
        return writeln!(out, "#define store_pack store_item\n");
    }
    writeln!(out, "inline void store_pack(PARAMETERS OUTPUTS const INDEX p, const PACK_ITEM pack)\n{{")?;
    for (at, output) in outputs.iter().enumerate() {
        write_pack(out, at, *output, &part("pack", at, outputs), width)?;
    }
    writeln!(out, "}}\n")
}

/// An output's part of the item.
fn part(whole: &str, at: usize, outputs: &[Output]) -> String {
    if is_tuple(outputs) { format!("{whole}.part{at}") } else { whole.to_owned() }
}

/// Whether the items stored are tuples: of values, and of the indices they go to.
fn is_tuple(outputs: &[Output]) -> bool {
    outputs.len() != 1 || matches!(outputs[0].place, Place::Scatter(_))
}

/// The statement that stores one value.
fn store(at: usize, output: Output, index: &str, value: &str) -> String {
    let to = |index: &str| match output.element {
        ElementType::Vector(_, 3) => format!("vstore3({value}, {index}, out{at});"),
        _ => format!("out{at}[{index}] = {value};"),
    };
    match output.place {
        Place::Own => to(index),
        Place::Line => to(&format!("{index} * stride{at} + offset{at}")),
        Place::Scatter(by) => {
            let there = format!("item.part{by}");
            format!("if (may_write(fault, 2u, (ulong){there}, bound{at})) {}", to(&format!("(INDEX){there}")))
        }
    }
}

fn write_pack(out: &mut String, at: usize, output: Output, pack: &str, width: usize) -> fmt::Result {
    let name = stored_name(output.element);
    // Masks are 0 and -1.
    let value = match output.element {
        ElementType::Scalar(ScalarType::Bool) => format!("as_uchar{width}(-{pack})"),
        _ => pack.to_owned(),
    };
    if output.place == Place::Own {
        return writeln!(out, "    ((global {name}{width} *)out{at})[p] = {value};");
    }
    writeln!(out, "    const {name}{width} value{at} = {value};")?;
    for k in 0..width {
        let index = format!("(p * PACK + {k})");
        writeln!(out, "    {}", store(at, output, &index, &format!("value{at}.s{k:x}")))?;
    }
    Ok(())
}

/// The kernel parameters of all outputs, each followed by a comma, and the same list as arguments.
fn parameters(outputs: &[Output]) -> (String, String) {
    let (mut parameters, mut arguments) = (String::new(), String::new());
    for (at, output) in outputs.iter().enumerate() {
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
