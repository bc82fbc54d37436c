//! Structs in generated code.
//!
//! In memory a struct has no padding, and its fields have Rust's alignment. OpenCL aligns vectors to their size, so in
//! structs vectors and complex numbers are declared as arrays of their numbers. A `bool` is a `uchar`. `VOLATILE` is
//! empty, or `volatile` for devices that lose writes: see `source`.

use super::operation;
use super::value_type::ValueType;
use crate::element::{ElementType, Field, ScalarType, StructType};
use std::fmt::{self, Write};

/// Writes the definition of a struct. The structs in its fields must be defined before.
pub(crate) fn define(out: &mut String, of: &StructType) -> fmt::Result {
    writeln!(out, "typedef VOLATILE struct {{")?;
    for field in of.fields {
        match numbers(of, field) {
            Some((scalar, count)) => {
                writeln!(out, "    VOLATILE {} {}[{count}];", scalar.c_name(), field.c_name())?;
            }
            None if field.element == ElementType::BOOL => {
                writeln!(out, "    VOLATILE uchar {};", field.c_name())?;
            }
            None => writeln!(out, "    VOLATILE {} {};", field.element.c_name(), field.c_name())?,
        }
    }
    let name = of.c_name();
    writeln!(out, "}} {name};")?;
    // If the layout differs from the host's, the program does not compile. The sizes of the fields add up to this size,
    // so an equal size means that there is no padding, and each field is at its offset.
    if of.size > 0 {
        writeln!(out, "typedef char size_of_{name}[sizeof({name}) == {} ? 1 : -1];\n", of.size)?;
    }
    Ok(())
}

/// Returns the element and the length of the array that a field is, if it is an array. Tuples have no arrays; they have
/// no size because they are never stored in memory.
pub(crate) fn numbers(of: &StructType, field: &Field) -> Option<(ScalarType, u8)> {
    match field.element {
        _ if of.size == 0 => None,
        ElementType::Vector(scalar, count) => Some((scalar, count)),
        ElementType::Complex(part) => Some((part, 2)),
        _ => None,
    }
}

/// Returns the value of field number `field` of the struct called `whole`.
pub(crate) fn read(of: &StructType, field: usize, whole: &str) -> String {
    let Some(field) = of.fields.get(field) else { return String::new() };
    let there = format!("{whole}.{}", field.c_name());
    match numbers(of, field) {
        Some((_, count)) => {
            let numbers: Vec<String> = (0..count).map(|at| format!("{there}[{at}]")).collect();
            format!("({})({})", field.element.c_name(), numbers.join(", "))
        }
        None if field.element == ElementType::BOOL => format!("({there} != 0)"),
        None => there,
    }
}

/// Returns the struct of these values, which are names.
pub(crate) fn make(of: &StructType, values: &[&str]) -> String {
    let fields = of.fields.iter().zip(values).map(|(field, value)| initial(of, field, value));
    format!("({}){{{}}}", of.c_name(), fields.collect::<Vec<_>>().join(", "))
}

/// Returns whether fields of the struct are arrays.
pub(super) fn has_arrays(of: &StructType) -> bool {
    of.fields.iter().any(|field| numbers(of, field).is_some())
}

/// Returns the initial value of a field for a value, which is a name or a term in parentheses.
fn initial(of: &StructType, field: &Field, value: &str) -> String {
    match numbers(of, field) {
        Some((_, count)) => {
            let numbers: Vec<String> = (0..count).map(|at| format!("{value}.s{at:x}")).collect();
            format!("{{{}}}", numbers.join(", "))
        }
        None => value.to_owned(),
    }
}

/// Returns the term for the order of two integers of 128 bits: whether the left one is less.
pub(super) fn less(left: &str, right: &str) -> String {
    format!(
        "({left}.field_high < {right}.field_high || ({left}.field_high == {right}.field_high && {left}.field_low < \
         {right}.field_low))"
    )
}

/// Returns the term for the equality of two structs, which are equal if all fields are.
pub(crate) fn equal(of: &StructType, left: &str, right: &str) -> String {
    let fields = of.fields.iter().enumerate().map(|(at, field)| {
        let (a, b) = (read(of, at, left), read(of, at, right));
        operation::equal(&a, &b, ValueType::item(field.element))
    });
    format!("({})", fields.collect::<Vec<_>>().join(" && "))
}
