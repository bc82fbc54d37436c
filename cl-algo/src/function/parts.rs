//! Vectors and complex numbers in device functions: their operators, lanes and methods.
//!
//! What an operator does is written where expressions have it, in `codegen/arithmetic`. Here it
//! becomes a function, so that each operand is written once. All texts that stand for such values
//! are names, calls, or in parentheses.

use super::device_type::Type;
use super::helpers;
use super::intern::keep;
use super::operators::Text;
use super::tree::Binary;
use super::{Function, Parameter};
use crate::codegen::arithmetic::{self, Operand};
use crate::codegen::lanes::Lanes;
use crate::codegen::structs;
use crate::element::{ElementType, ScalarType, StructType};
use crate::expr::op::Op;

impl Type {
    /// The numbers that the value is made of, and how many there are, for a vector or a complex number.
    pub(super) fn parts(&self) -> Option<(ScalarType, usize)> {
        match *self {
            Type::Element(ElementType::Vector(part, count)) => Some((part, usize::from(count))),
            Type::Element(ElementType::Complex(part)) => Some((part, 2)),
            _ => None,
        }
    }

    fn is_complex(&self) -> bool {
        matches!(self, Type::Element(ElementType::Complex(_)))
    }
}

/// A function of these parameters that returns a term.
fn returning(name: &str, parameters: &[(&str, &Type)], result: &Type, term: &str) -> &'static Function {
    defined(name, parameters, result, &format!("    return {term};\n"), Vec::new())
}

fn defined(
    name: &str,
    parameters: &[(&str, &Type)],
    result: &Type,
    body: &str,
    mut callees: Vec<&'static Function>,
) -> &'static Function {
    let mut types: Vec<ElementType> = result.element().into_iter().collect();
    for (_, of) in parameters {
        types.extend(of.element());
    }
    for of in parameters.iter().map(|(_, of)| *of).chain([result]) {
        if let Type::Array(item, _) = of {
            callees.push(helpers::array(item, of));
        }
    }
    let list: Vec<String> = parameters.iter().map(|(name, of)| format!("{} {name}", of.c_name())).collect();
    let hidden = if callees.iter().any(|callee| callee.checks_indices) { " FAULT_PARAMETER" } else { "" };
    let definition = format!("({}{hidden})\n{{\n{body}}}\n", list.join(", "));
    let kinds = parameters.iter().map(|(_, of)| Parameter::Value((*of).clone())).collect();
    let name = format!("{name}_{}", parameters.first().map_or(result, |(_, of)| of).rust_name());
    keep(Function::new(&name, kinds, result.clone(), &definition, callees, types))
}

/// The value of these numbers.
fn made(of: &Type, numbers: impl Iterator<Item = String>) -> String {
    format!("(({})({}))", of.c_name(), numbers.collect::<Vec<_>>().join(", "))
}

/// The type of what an operator makes of two values, at least one of which has parts; `None` if there
/// is no such operator.
pub(super) fn result(op: Binary, left: &Type, right: &Type) -> Option<Type> {
    let whole = if left.parts().is_some() { left } else { right };
    let (part, _) = whole.parts()?;
    let fits = |of: &Type| of == whole || *of == Type::Scalar(part);
    match op {
        Binary::Eq | Binary::Ne => (left == right).then_some(Type::Bool),
        Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Rem => {
            (fits(left) && fits(right)).then(|| whole.clone())
        }
        _ => None,
    }
}

/// An operator on two values, at least one of which has parts.
pub(super) fn binary(op: Binary, left: &Type, right: &Type, a: &str, b: &str) -> Option<Text> {
    let result = result(op, left, right)?;
    let (name, of) = match op {
        Binary::Add => ("sum", Op::Add),
        Binary::Sub => ("difference", Op::Sub),
        Binary::Mul => ("product", Op::Mul),
        Binary::Div => ("quotient", Op::Div),
        Binary::Rem => ("remainder", Op::Rem),
        Binary::Eq => ("equal", Op::Eq),
        Binary::Ne => ("different", Op::Ne),
        _ => return None,
    };
    let operands = [operand("a", left)?, operand("b", right)?];
    let term = arithmetic::apply(of, Lanes::item(result.element()?), &operands);
    Text::call(returning(name, &[("a", left), ("b", right)], &result, &term), &[a, b])
}

/// `-x`.
pub(super) fn negative(of: &Type, x: &str) -> Option<Text> {
    of.parts()?;
    let operand = operand("x", of)?;
    let term = arithmetic::apply(Op::Neg, operand.lanes, std::slice::from_ref(&operand));
    Text::call(returning("negative", &[("x", of)], of, &term), &[x])
}

fn operand(name: &str, of: &Type) -> Option<Operand> {
    Some(Operand { text: name.to_owned(), lanes: Lanes::item(of.element()?) })
}

/// One number of a vector or a complex number: what can be assigned to, if the value can.
pub(super) fn lane(value: &str, at: usize) -> String {
    format!("({value}).s{at:x}")
}

/// A lane of a vector, by an index that may be out of bounds.
pub(super) fn lane_at(of: &Type) -> Option<&'static Function> {
    let (part, count) = of.parts()?;
    let checked = helpers::checked_index();
    // Not by an address: vectors in registers have none.
    let choice: String = (0..count - 1).map(|at| format!("at == {at} ? x.s{at:x} : ")).collect();
    let body = format!(
        "    const ulong at = {}(index, {count} FAULT_ARGUMENT);\n    return {choice}x.s{:x};\n",
        checked.name,
        count - 1
    );
    let index = Type::Scalar(ScalarType::U64);
    Some(defined("lane", &[("x", of), ("index", &index)], &Type::Scalar(part), &body, vec![checked]))
}

/// The vector with another number in one lane.
pub(super) fn with_lane(of: &Type) -> Option<&'static Function> {
    let (part, count) = of.parts()?;
    let term = made(of, (0..count).map(|at| format!("at == {at} ? value : x.s{at:x}")));
    let (index, part) = (Type::Scalar(ScalarType::U64), Type::Scalar(part));
    Some(returning("with_lane", &[("x", of), ("at", &index), ("value", &part)], of, &term))
}

/// Whether structs of this type keep a vector or a complex number, which are arrays there.
pub(super) fn has_parts(of: &StructType) -> bool {
    of.fields.iter().any(|field| structs::numbers(of, field).is_some())
}

/// The field of a struct, by its number.
pub(super) fn field(of: &'static StructType, at: usize) -> Option<&'static Function> {
    let field = of.fields.get(at)?;
    let (whole, result) = (Type::Element(ElementType::Struct(of)), Type::from(field.element));
    Some(returning(field.name, &[("whole", &whole)], &result, &structs::read(of, at, "whole")))
}

/// The struct of its fields, in order.
pub(super) fn make(of: &'static StructType) -> &'static Function {
    let names: Vec<String> = (0..of.fields.len()).map(|at| format!("v{at}")).collect();
    let types: Vec<Type> = of.fields.iter().map(|field| Type::from(field.element)).collect();
    let parameters: Vec<(&str, &Type)> = names.iter().map(String::as_str).zip(&types).collect();
    let values: Vec<&str> = names.iter().map(String::as_str).collect();
    let result = Type::Element(ElementType::Struct(of));
    returning("make", &parameters, &result, &structs::make(of, &values))
}

/// What makes a value with parts of others, or others of it; `None` for other names and types.
pub(super) fn converted(name: &str, of: &Type, result: &Type, arguments: &[&str]) -> Option<Text> {
    let array_of = |array: &Type| match array {
        Type::Array(item, len) => item.scalar().map(|item| (item, *len)),
        _ => None,
    };
    match (name, arguments) {
        ("new", [re, im]) if result.is_complex() => {
            Text::plain(format!("(({})({re}, {im}))", result.c_name()))
        }
        ("from" | "into", [re]) if result.is_complex() && of.scalar().is_some() => {
            Text::plain(format!("(({})({re}, 0))", result.c_name()))
        }
        ("splat", [x]) if result.parts().is_some() => Text::plain(format!("(({})({x}))", result.c_name())),
        ("new" | "from" | "into", [x]) if result.parts().is_some() && array_of(of) == result.parts() => {
            let numbers = (0..result.parts()?.1).map(|at| format!("x.v[{at}]"));
            Text::call(returning("vector", &[("x", of)], result, &made(result, numbers)), &[x])
        }
        ("to_array" | "from" | "into", [x]) if of.parts().is_some() && array_of(result) == of.parts() => {
            let numbers: Vec<String> = (0..of.parts()?.1).map(|at| format!("x.s{at:x}")).collect();
            // A variable, as for all arrays: see `Emitter::aggregate`.
            let body = format!(
                "    const {} array = {{{{{}}}}};\n    return array;\n",
                result.c_name(),
                numbers.join(", ")
            );
            Text::call(defined("array", &[("x", of)], result, &body, Vec::new()), &[x])
        }
        _ => None,
    }
}

/// Methods of complex numbers: name, and the term of `z`, and of `by` where there is one. `$C` is the
/// type, `$T` that of its parts. The formulas are those of `num_complex`.
const OF_COMPLEX: &[(&str, &str)] = &[
    ("conj", "($C)(z.x, -z.y)"),
    ("norm_sqr", "z.x * z.x + z.y * z.y"),
    ("norm", "hypot(z.x, z.y)"),
    ("l1_norm", "fabs(z.x) + fabs(z.y)"),
    ("arg", "atan2(z.y, z.x)"),
    ("exp", "complex_exp(z)"),
    ("scale", "z * by"),
    ("unscale", "z / by"),
    ("inv", "($C)(z.x / (z.x * z.x + z.y * z.y), -z.y / (z.x * z.x + z.y * z.y))"),
    ("is_nan", "isnan(z.x) || isnan(z.y)"),
    ("is_infinite", "!(isnan(z.x) || isnan(z.y)) && (isinf(z.x) || isinf(z.y))"),
    ("is_finite", "isfinite(z.x) && isfinite(z.y)"),
    ("is_normal", "isnormal(z.x) && isnormal(z.y)"),
];

/// By squaring, in the order in which `num_complex` multiplies.
const POWER: &str = "    if (n == 0)
        return ($C)(1, 0);
    while ((n & 1) == 0) {
        z = complex_multiply(z, z);
        n >>= 1;
    }
    $C power = z;
    while (n > 1) {
        n >>= 1;
        z = complex_multiply(z, z);
        if (n & 1)
            power = complex_multiply(power, z);
    }
    return power;
";

/// A method of complex numbers; `None` if they have none of this name.
pub(super) fn of_complex(name: &str, of: &Type, result: &Type, arguments: &[&str]) -> Option<Text> {
    let (part, _) = of.parts().filter(|_| of.is_complex())?;
    let filled = |text: &str| text.replace("$C", &of.c_name()).replace("$T", part.c_name());
    let (unsigned, signed) = (Type::Scalar(ScalarType::U32), Type::Scalar(ScalarType::I32));
    if let "powu" | "powi" = name {
        let powu = defined("powu", &[("z", of), ("n", &unsigned)], of, &filled(POWER), Vec::new());
        if name == "powu" {
            return Text::call(powu, arguments);
        }
        let inverse = of_complex("inv", of, of, &["z"])?;
        let body =
            format!("    return n < 0 ? {0}({1}, 0u - (uint)n) : {0}(z, (uint)n);\n", powu.name, inverse.0);
        let callees = inverse.1.into_iter().chain([powu]).collect();
        return Text::call(defined("powi", &[("z", of), ("n", &signed)], of, &body, callees), arguments);
    }
    let (_, term) = OF_COMPLEX.iter().find(|(known, _)| *known == name)?;
    let part = Type::Scalar(part);
    let parameters = [("z", of), ("by", &part)];
    let parameters = parameters.get(..arguments.len())?;
    Text::call(returning(name, parameters, result, &filled(term)), arguments)
}
