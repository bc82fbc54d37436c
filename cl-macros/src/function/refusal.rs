//! Errors for code outside of the subset, with alternatives.

/// Errors at the offending token.
pub(super) mod refuse {
    use syn::spanned::Spanned;
    use syn::{Error, Expr, Macro};

    /// Returns the error for a macro call.
    pub(in super::super) fn macros(call: &Macro) -> Error {
        let name = call.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        let reason = match name.as_str() {
            "println" | "print" | "eprintln" | "eprint" | "dbg" => {
                "a device function cannot print: return the value"
            }
            "assert" | "assert_eq" | "assert_ne" | "debug_assert" | "debug_assert_eq" | "panic"
            | "unreachable" | "todo" | "unimplemented" => {
                "nothing can panic on a device: return a value that tells what is wrong"
            }
            "vec" => "there is no memory to allocate on a device: use an array, `[value; N]`",
            _ => "macros cannot be called in a device function: write out what it does",
        };
        Error::new(call.path.span(), reason)
    }

    /// Returns an error for a `let` in the condition of an `if` or `while`.
    pub(in super::super) fn binding_condition(condition: &Expr) -> Option<Error> {
        match condition {
            Expr::Let(binding) => {
                Some(Error::new(binding.span(), "a condition cannot bind names on a device: use `match`"))
            }
            Expr::Binary(binary) => {
                binding_condition(&binary.left).or_else(|| binding_condition(&binary.right))
            }
            _ => None,
        }
    }

    /// Returns the error for an expression that devices do not support.
    pub(in super::super) fn expression(expr: &Expr) -> Error {
        let reason = match expr {
            Expr::Macro(call) => return macros(&call.mac),
            Expr::Reference(_) | Expr::RawAddr(_) => {
                "there are no references on a device: pass values, or a slice that is a parameter"
            }
            Expr::Closure(_) => "there are no closures on a device: write a function with #[device_fn]",
            Expr::Try(_) => "there is no `?` on a device: nothing there is an `Option` or a `Result`",
            Expr::Async(_) | Expr::Await(_) => "nothing can be awaited on a device",
            Expr::Unsafe(_) => "a device function is safe code: use a raw OpenCL function for what is not",
            Expr::Range(_) => "a range is not a value on a device: it can only be looped over",
            Expr::Tuple(_) => "`()` is not a value on a device",
            Expr::Let(_) => "a condition cannot bind names on a device: use `match`",
            _ => "this cannot be translated for a device",
        };
        Error::new(expr.span(), reason)
    }
}
