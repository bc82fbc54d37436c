//! Built-in functions of OpenCL C, and replacements for those that drivers get wrong.

use super::value_type::ValueType;
use crate::element::ScalarType::{self, F16, F32, F64, I32, I64, U32, U64};
use crate::ir::op::Op;

/// The replacement for a call on a pack or a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Instead {
    /// A separate call for each item.
    ItemByItem,
    /// A separate call for each item, of the function `corrected_` and the name in `kernels/corrected.cl`.
    Corrected,
    /// The upper half of the product of integers of twice the size.
    LongProduct,
}

/// The workarounds that are always on: name, types, and replacement.
const WORKAROUNDS: &[(&str, &[ScalarType], Instead)] = &[
    // PoCL 3.1 gets vectors of doubles wrong: an item's result depends on the other items, `fmod(2.119375, 0.018)` is
    // 0.391, and subnormal divisors take minutes. Separate calls cost nothing, because no device has an instruction for
    // them.
    ("fmod", &[F64], Instead::ItemByItem),
    ("remainder", &[F64], Instead::ItemByItem),
    ("remquo", &[F64], Instead::ItemByItem),
    ("frexp", &[F64], Instead::ItemByItem),
    // PoCL 3.1 loses the exponent of results in vectors of eight doubles on processors with AVX-512: 2.68 cubed is 0.30,
    // a 64th of it.
    ("pown", &[F64], Instead::ItemByItem),
    // NVIDIA 580: see kernels/corrected.cl.
    ("mad_sat", &[I64], Instead::Corrected),
    ("lgamma_r", &[F16, F32, F64], Instead::Corrected),
    // Not a built-in function: `function::SqrtNormal`.
    ("sqrt_normal", &[F32], Instead::Corrected),
    // PoCL 3.1 splits the factors into halves, while compilers have an instruction for the longer product.
    ("mul_hi", &[I32, U32], Instead::LongProduct),
];

fn workaround(name: &str, of: Option<ScalarType>) -> Option<Instead> {
    let of = of?;
    WORKAROUNDS.iter().find(|(known, types, _)| *known == name && types.contains(&of)).map(|row| row.2)
}

/// Returns whether the operation needs `kernels/corrected.cl`.
pub(crate) fn is_corrected(op: Op, of: Option<ScalarType>) -> bool {
    match op {
        Op::Call(name) | Op::Pair(&(name, _)) => workaround(name, of) == Some(Instead::Corrected),
        _ => false,
    }
}

/// Returns whether the operation has no form for packs: it writes a second result through a pointer, which a separate
/// call for each item cannot do.
pub(crate) fn is_for_items(op: Op, of: Option<ScalarType>) -> bool {
    matches!(op, Op::Pair(&(name, _)) if workaround(name, of).is_some())
}

/// Returns the call of a built-in function.
pub(super) fn call(name: &str, ty: ValueType, arguments: &[&str]) -> String {
    match workaround(name, ty.scalar()) {
        None => format!("{name}({})", arguments.join(", ")),
        Some(Instead::ItemByItem) => item_by_item(name, ty, arguments),
        Some(Instead::Corrected) => item_by_item(&format!("corrected_{name}"), ty, arguments),
        Some(Instead::LongProduct) => long_product(ty, arguments, ""),
    }
}

/// Returns the upper half of the product of two 32-bit numbers, computed with 64 bits; `added` is a term that is added
/// to the product.
pub(super) fn long_product(ty: ValueType, factors: &[&str], added: &str) -> String {
    let part = if ty.is_signed() { I64 } else { U64 };
    let product = |factor: &dyn Fn(&str) -> String| {
        let factors: Vec<String> = factors.iter().map(|of| factor(of)).collect();
        format!("({}{added})", factors.join(" * "))
    };
    match ty.count() {
        1 => format!("({})({} >> 32)", ty.name(), product(&|of| format!("({}){of}", part.c_name()))),
        // The even and the odd components are multiplied where they are: CPUs multiply like this, so no shuffle is
        // needed.
        count if count >= 8 => {
            let (wide, halves) = (format!("{}{}", part.c_name(), count / 2), format!("ulong{}", count / 2));
            let even = product(&|of| match ty.is_signed() {
                true => format!("(as_{wide}({of}) << 32 >> 32)"),
                false => format!("(as_{wide}({of}) & 0xffffffffUL)"),
            });
            let odd = product(&|of| format!("(as_{wide}({of}) >> 32)"));
            let (even, odd) = (format!("as_{halves}{even} >> 32"), format!("as_{halves}{odd}"));
            format!("as_{}(({even}) | ({odd} & 0xffffffff00000000UL))", ty.name())
        }
        _ => {
            let product = product(&|of| format!("convert_{}({of})", ty.name_as(part)));
            format!("convert_{}(({product} >> 32))", ty.name())
        }
    }
}

/// Returns separate calls of a function for all items of a pack or components of a vector.
fn item_by_item(name: &str, ty: ValueType, arguments: &[&str]) -> String {
    if ty.count() == 1 {
        return format!("{name}({})", arguments.join(", "));
    }
    let item = |k: usize| {
        let arguments: Vec<String> = arguments.iter().map(|argument| format!("{argument}.s{k:x}")).collect();
        format!("{name}({})", arguments.join(", "))
    };
    let all: Vec<String> = (0..ty.count()).map(item).collect();
    format!("({})({})", ty.name(), all.join(", "))
}
