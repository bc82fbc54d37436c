//! Calls of device functions, methods, and constructors.

use super::methods;
use super::translate::{Code, Translator, gate};
use proc_macro2::Span;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Error, Expr, ExprCall, ExprMethodCall, ExprPath, Ident, Path, Result};

/// Types whose associated functions are methods that devices have.
const PRIMITIVES: &[&str] =
    &["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "isize", "usize", "f32", "f64", "f16", "bool"];

/// Returns the type in `Type::function`: its name begins with a capital letter.
fn type_of(path: &Path) -> Option<Path> {
    let mut of = path.clone();
    of.segments.pop();
    of.segments.pop_punct();
    let last = of.segments.last()?.ident.to_string();
    last.starts_with(char::is_uppercase).then_some(of)
}

impl Translator {
    pub(super) fn call(&mut self, call: &ExprCall) -> Result<Code> {
        let Expr::Path(path) = &*call.func else {
            return Err(Error::new(
                call.func.span(),
                "only functions that are named can be called on a device",
            ));
        };
        let Some(name) = path.path.segments.last().map(|segment| &segment.ident) else {
            return Err(Error::new(path.span(), "this path does not name a function"));
        };
        if self.find_expr(&call.func).is_some() {
            return Err(Error::new(
                path.span(),
                "a closure cannot be called on a device: make it a function with #[device_fn]",
            ));
        }
        let own = path.path.get_ident().is_some_and(|name| self.is_own_name(name));
        if own {
            return Err(Error::new(
                path.span(),
                "a device function cannot call itself: devices have no stack for it. Use a loop",
            ));
        }
        if name.to_string().starts_with(char::is_uppercase) {
            return self.constructor(call, path);
        }
        let first = path.path.segments.first().map(|segment| segment.ident.to_string());
        let of_primitive = first.is_some_and(|first| PRIMITIVES.contains(&first.as_str()));
        if path.path.segments.len() > 1 && (of_primitive || name == "from") {
            return self.associated(call, name);
        }
        if methods::CONSTRUCTORS.contains(&name.to_string().as_str())
            && let Some(of) = type_of(&path.path)
        {
            return self.of_parts(call, &of, name);
        }
        self.device_function(call, path)
    }

    /// Translates a tuple struct, such as a newtype around a number.
    fn constructor(&mut self, call: &ExprCall, path: &ExprPath) -> Result<Code> {
        let (trees, probes) = self.values(&call.args)?;
        let names = (0..trees.len()).map(|at| at.to_string());
        let (open, probe) = self.probed(call.span(), &quote! { #path(#(#probes),*) });
        Ok(Code::new(quote! { Node::Struct(&[#((#names, #trees)),*], #open) }, probe))
    }

    /// Translates `f32::max(a, b)`, `f32::from_bits(x)`, `f64::from(x)`.
    fn associated(&mut self, call: &ExprCall, name: &Ident) -> Result<Code> {
        methods::check(name)?;
        let (trees, probes) = self.values(&call.args)?;
        if trees.is_empty() {
            return Err(Error::new(call.span(), "devices do not have this function"));
        }
        let func = &call.func;
        let probe = match name == "from" {
            true => {
                let probes =
                    call.args.iter().zip(&probes).map(|(x, probe)| gate("convertible", x.span(), probe));
                gate("convertible", call.span(), &quote_spanned! {call.span()=> #func(#(#probes),*) })
            }
            false => quote! { #func(#(#probes),*) },
        };
        let name = name.to_string();
        let (open, probe) = self.probed(call.span(), &probe);
        Ok(Code::new(quote! { Node::Method(#name, &[#(#trees),*], #open) }, probe))
    }

    /// Translates `Complex::new(re, im)`, `F32x4::splat(x)`. The function
    /// `made_on_devices` exists only for types that devices have.
    fn of_parts(&mut self, call: &ExprCall, of: &Path, name: &Ident) -> Result<Code> {
        let (trees, probes) = self.values(&call.args)?;
        if trees.is_empty() {
            return Err(Error::new(call.span(), "devices do not have this function"));
        }
        let (func, name) = (&call.func, name.to_string());
        let made = quote_spanned! {call.func.span()=> #of::made_on_devices };
        let probe = quote! { {
            use ::cl_algo::function::probe::MadeOnDevices as _;
            #made(#func(#(#probes),*))
        } };
        let (open, probe) = self.probed(call.span(), &probe);
        Ok(Code::new(quote! { Node::Method(#name, &[#(#trees),*], #open) }, probe))
    }

    /// Translates a call of a device function, whose type in probes determines the monomorphisation.
    fn device_function(&mut self, call: &ExprCall, path: &ExprPath) -> Result<Code> {
        // The function that users call has more type parameters than written: one for each
        // argument's kind.
        if let Some(segment) = path.path.segments.last().filter(|segment| !segment.arguments.is_none()) {
            return Err(Error::new(
                segment.arguments.span(),
                "leave out the types of a device function: they follow from its arguments",
            ));
        }
        let (trees, probes) = self.values(&call.args)?;
        let (path, span) = (&path.path, call.func.span());
        let called = match probes.len() {
            0 => quote_spanned! {span=> #path::__device() },
            // Another function has no type that the path with `__device` could name.
            _ => {
                let probes = call.args.iter().zip(&probes).map(|(argument, probe)| {
                    quote_spanned! {argument.span()=> ::cl_algo::function::probed_call::given(#probe) }
                });
                quote_spanned! {span=> ::cl_algo::function::probed_call::call(#path, (#(#probes,)*)) }
            }
        };
        let (callee, probe) = self.callee(call.span(), &called);
        Ok(Code::new(quote! { Node::Call(#callee, &[#(#trees),*]) }, probe))
    }

    pub(super) fn method_call(&mut self, call: &ExprMethodCall) -> Result<Code> {
        if methods::DRAWS.contains(&call.method.to_string().as_str()) {
            return self.draw(call);
        }
        methods::check(&call.method)?;
        if let Some(turbofish) = &call.turbofish {
            return Err(Error::new(turbofish.span(), "methods of numbers take no types"));
        }
        let (trees, probes) = self.values(std::iter::once(&*call.receiver).chain(&call.args))?;
        let (method, name) = (&call.method, call.method.to_string());
        let receiver = gate(methods::receiver(&name), call.receiver.span(), &probes[0]);
        let arguments = &probes[1..];
        let probe = quote_spanned! {call.span()=> #receiver.#method(#(#arguments),*) };
        let probe = if name == "into" { gate("convertible", call.span(), &probe) } else { probe };
        let (open, probe) = self.probed(call.span(), &probe);
        Ok(Code::new(quote! { Node::Method(#name, &[#(#trees),*], #open) }, probe))
    }

    /// Translates a draw from a random stream, which changes the stream. `s.normal()` becomes
    /// `{ let (next, value) = step(s); s = next; value }`. The type of `s` has a hidden method for each draw, whose result
    /// names the device function `step`.
    fn draw(&mut self, call: &ExprMethodCall) -> Result<Code> {
        let (span, name) = (call.span(), &call.method);
        if self.find_expr(&call.receiver).is_none() {
            let reason =
                format!("`{name}` changes the stream: call it on a variable, `let mut stream = ..;`");
            return Err(Error::new(call.receiver.span(), reason));
        }
        let (trees, probes) = self.values(std::iter::once(&*call.receiver).chain(&call.args))?;
        let place = self.place(&call.receiver)?;
        let (stream, arguments) = (&probes[0], &probes[1..]);
        let step = Ident::new(&format!("__device_{name}"), name.span());
        let stream = gate("random_stream", call.receiver.span(), stream);
        let called = quote_spanned! {name.span()=> #stream.#step(#(#arguments),*) };
        let (callee, called) = self.callee(span, &called);
        let mark = self.enter();
        let [next, value] = ["next", "value"].map(|name| Ident::new(name, Span::mixed_site()));
        let (next_local, value_local) = (self.declare(&next), self.declare(&value));
        self.leave(mark);
        let (tree, changed) = (place.tree, place.probe);
        let probe = quote_spanned! {span=> { let (#next, #value) = #called; #changed = #next; #value } };
        let (open, probe) = self.probed(span, &probe);
        let statements = quote! { &[
            Node::Let(
                Pattern::Tuple(&[Pattern::Bind(#next_local), Pattern::Bind(#value_local)]),
                &Node::Call(#callee, &[#(#trees),*])
            ),
            Node::Assign(&#tree, None, &Node::Local(#next_local)),
        ] };
        let block = quote! { Block { statements: #statements, tail: Some(&Node::Local(#value_local)) } };
        Ok(Code::new(quote! { Node::Block(#block, Some(#open)) }, probe))
    }
}
