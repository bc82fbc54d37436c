//! Functions that generated text calls for operations that are not one C expression.

use super::intern::keep;
use crate::element::{ElementType, ScalarType};
use crate::ir::function::Function;
use crate::ir::types::Type;

/// Returns the definition of an array's type, in the form of a function, for functions that use the type.
pub(super) fn array(item: Type, of: Type) -> &'static Function {
    let len = if let Type::Array(_, len) = of { len } else { 0 };
    let (name, item_name) = (of.c_name(), item.c_name());
    let callees = match item {
        Type::Array(inner, _) => vec![array(*inner, item)],
        _ => Vec::new(),
    };
    let source = format!("typedef VOLATILE struct {{ VOLATILE {item_name} v[{len}]; }} {name};");
    let types = item.element().into_iter().collect();
    keep(Function { name, source, types, ..Function::new("array", Vec::new(), Type::Unit, "", callees) })
}

/// Powers by squaring, modulo the type's range.
const POWER: &str = "($T x, uint n)
{
    $WIDE result = 1, power = ($WIDE)x;
    for (; n != 0; n >>= 1) {
        if (n & 1)
            result *= power;
        power *= power;
    }
    return ($T)result;
}
";

/// Powers of complex numbers, multiplied in the order of `num_complex`.
const COMPLEX_POWER: &str = "($T z, uint n)
{
    if (n == 0)
        return ($T)(1, 0);
    while ((n & 1) == 0) {
        z = complex_multiply(z, z);
        n >>= 1;
    }
    $T power = z;
    while (n > 1) {
        n >>= 1;
        z = complex_multiply(z, z);
        if (n & 1)
            power = complex_multiply(power, z);
    }
    return power;
}
";

/// Returns the function for powers of an integer or a complex number.
pub(super) fn power(of: Type) -> &'static Function {
    let wide = if of.scalar().is_some_and(|of| of.size() == 8) { ScalarType::U64 } else { ScalarType::U32 };
    let text = if of.is_complex() { COMPLEX_POWER } else { POWER };
    let definition = text.replace("$T", &of.c_name()).replace("$WIDE", wide.c_name());
    let parameters = vec![of, ElementType::U32.into()];
    keep(Function::new(&format!("power_{}", of.rust_name()), parameters, of, &definition, Vec::new()))
}
