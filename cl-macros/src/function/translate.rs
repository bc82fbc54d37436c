//! What a translation knows: the names in scope, the loops around, and the types left open.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Error, Expr, Lifetime, Path, Result, Type};

/// A piece of a body: as a part of the tree, and as a part of the probe.
pub(super) struct Code {
    pub(super) tree: TokenStream,
    pub(super) probe: TokenStream,
}

impl Code {
    pub(super) fn new(tree: TokenStream, probe: impl ToTokens) -> Code {
        Code { tree, probe: probe.into_token_stream() }
    }
}

/// A local variable. The tree knows it by its number.
struct Local {
    name: String,
    /// The type, of a variable that was declared without a value.
    open_type: Option<usize>,
}

/// A variable of the host that a closure reads: its name, local and type.
pub(super) type Capture = (Ident, usize, usize);

/// A loop around the place that is translated.
struct Loop {
    id: usize,
    label: Option<String>,
    /// Whether a `break` brings a value.
    has_value: bool,
}

/// The translation of one body.
#[derive(Default)]
pub(super) struct Translator {
    /// The function's own name: it must not call itself.
    own_name: Option<String>,
    /// What a closure captures; none for functions, which cannot.
    captures: Option<Vec<Capture>>,
    locals: Vec<Local>,
    /// Names in scope, the innermost last.
    scope: Vec<(String, usize)>,
    loops: Vec<Loop>,
    loop_count: usize,
    /// For each open type, the type itself if it is written out.
    types: Vec<Option<Type>>,
    constants: Vec<Path>,
    callees: usize,
}

/// A name of the probe, which user code cannot see, with errors reported at `span`.
fn hidden(prefix: &str, number: usize, span: Span) -> Ident {
    Ident::new(&format!("__{prefix}{number}"), Span::mixed_site().located_at(span))
}

/// An expression of the probe that must be one of the types that `kind`, a function in `cl_algo`'s
/// `function::probe`, lets through.
pub(super) fn gate(kind: &str, span: Span, probe: &TokenStream) -> TokenStream {
    let kind = Ident::new(kind, Span::mixed_site().located_at(span));
    quote_spanned! {span=> ::cl_algo::function::probe::#kind(#probe) }
}

impl Translator {
    /// A translation of a function, which must not call itself.
    pub(super) fn of_function(name: &str) -> Translator {
        Translator { own_name: Some(name.to_owned()), ..Translator::default() }
    }

    /// A translation of a closure, which may capture.
    pub(super) fn of_closure() -> Translator {
        Translator { captures: Some(Vec::new()), ..Translator::default() }
    }

    /// What was captured.
    pub(super) fn captures(&self) -> Vec<Capture> {
        self.captures.clone().unwrap_or_default()
    }

    /// The local that stands for a name of the host: a name in small letters, as rustc's own lints
    /// tell variables from constants.
    pub(super) fn capture(&mut self, name: &Ident) -> Option<usize> {
        if !name.to_string().starts_with(|first: char| first.is_lowercase() || first == '_') {
            return None;
        }
        let known = self.captures.as_ref()?.iter().find(|(known, ..)| known == name);
        if let Some(&(_, local, _)) = known {
            return Some(local);
        }
        let (local, open) = (self.add_local(name), self.open_type(None));
        self.captures.as_mut()?.push((name.clone(), local, open));
        Some(local)
    }

    /// Whether this is the name of the function itself.
    pub(super) fn is_own_name(&self, name: &Ident) -> bool {
        self.own_name.as_ref().is_some_and(|own| name == own)
    }

    /// Begins a scope; give the result to [`Translator::leave`].
    pub(super) fn enter(&self) -> usize {
        self.scope.len()
    }

    /// Ends the scope that began at `mark`.
    pub(super) fn leave(&mut self, mark: usize) {
        self.scope.truncate(mark);
    }

    /// A new variable, which hides those of the same name.
    pub(super) fn declare(&mut self, ident: &Ident) -> usize {
        let local = self.add_local(ident);
        self.scope.push((ident.to_string(), local));
        local
    }

    fn add_local(&mut self, ident: &Ident) -> usize {
        let name = ident.to_string();
        let name = name.strip_prefix("r#").unwrap_or(&name).to_owned();
        self.locals.push(Local { name, open_type: None });
        self.locals.len() - 1
    }

    /// A new variable whose first value comes later; the number of its type.
    pub(super) fn declare_open(&mut self, ident: &Ident) -> (usize, usize) {
        let local = self.declare(ident);
        let open = self.open_type(None);
        self.locals[local].open_type = Some(open);
        (local, open)
    }

    /// The variable of this name.
    pub(super) fn find(&self, ident: &Ident) -> Option<usize> {
        let found = self.scope.iter().rev().find(|(name, _)| ident == name);
        found.map(|&(_, local)| local)
    }

    /// The variable that an expression names.
    pub(super) fn find_expr(&self, expr: &Expr) -> Option<usize> {
        match expr {
            Expr::Path(path) => self.find(path.path.get_ident()?),
            Expr::Paren(inner) => self.find_expr(&inner.expr),
            _ => None,
        }
    }

    /// A type that the compiler is to tell: by what is written, or by the probe.
    pub(super) fn open_type(&mut self, written: Option<Type>) -> usize {
        self.types.push(written);
        self.types.len() - 1
    }

    /// Marks an expression of the probe as one of that type.
    pub(super) fn mark(open: usize, span: Span, probe: &TokenStream) -> TokenStream {
        let unknown = hidden("t", open, span);
        // The parentheses give the whole the span, which errors point at, instead of the hidden name's.
        quote_spanned! {span=> (#unknown).of(#probe) }
    }

    /// A new open type, and the expression marked as one of it.
    pub(super) fn probed(&mut self, span: Span, probe: &TokenStream) -> (usize, TokenStream) {
        let open = self.open_type(None);
        (open, Translator::mark(open, span, probe))
    }

    /// What is assigned to a variable that was declared without a value has that variable's type.
    pub(super) fn assigned(&self, local: usize, span: Span, probe: TokenStream) -> TokenStream {
        match self.locals[local].open_type {
            Some(open) => Translator::mark(open, span, &probe),
            None => probe,
        }
    }

    /// A constant of the host; its number.
    pub(super) fn constant(&mut self, path: &Path) -> usize {
        self.constants.push(path.clone());
        self.constants.len() - 1
    }

    /// A device function that is called; the number, and the probe of the call.
    pub(super) fn callee(&mut self, span: Span, call: &TokenStream) -> (usize, TokenStream) {
        let index = self.callees;
        self.callees += 1;
        let callee = hidden("f", index, span);
        (index, quote_spanned! {span=> #callee.call(#call) })
    }

    /// Begins a loop.
    pub(super) fn enter_loop(&mut self, label: Option<&Lifetime>) -> usize {
        let id = self.loop_count;
        self.loop_count += 1;
        self.loops.push(Loop { id, label: label.map(|label| label.ident.to_string()), has_value: false });
        id
    }

    /// Ends the innermost loop; whether a `break` brings a value.
    pub(super) fn leave_loop(&mut self) -> bool {
        self.loops.pop().is_some_and(|left| left.has_value)
    }

    /// The loop that a `break` or `continue` at `span` means.
    pub(super) fn target(&mut self, label: Option<&Lifetime>, span: Span, with_value: bool) -> Result<usize> {
        let found = match label {
            None => self.loops.last_mut(),
            Some(label) => {
                let name = Some(label.ident.to_string());
                self.loops.iter_mut().rev().find(|around| around.label == name)
            }
        };
        let Some(found) = found else {
            return Err(Error::new(span, "there is no such loop around this"));
        };
        found.has_value |= with_value;
        Ok(found.id)
    }

    /// The names of all variables, for the tree.
    pub(super) fn local_names(&self) -> TokenStream {
        let names = self.locals.iter().map(|local| &local.name);
        quote! { &[#(#names),*] }
    }

    /// The declarations outside of the probe by which the compiler tells the types.
    pub(super) fn unknowns(&self) -> TokenStream {
        let types = self.types.iter().enumerate().map(|(at, written)| {
            let name = Translator::type_name(at);
            match written {
                Some(of) => quote_spanned! {of.span()=>
                    let #name = ::cl_algo::function::probe::Unknown::<#of>::written();
                },
                None => quote! { let #name = ::cl_algo::function::probe::Unknown::new(); },
            }
        });
        let callees = (0..self.callees).map(|at| {
            let name = hidden("f", at, Span::mixed_site());
            quote! { let #name = ::cl_algo::function::probe::Callee::new(); }
        });
        quote! { #(#types)* #(#callees)* }
    }

    /// The variable outside of the probe that stands for an open type.
    pub(super) fn type_name(open: usize) -> Ident {
        hidden("t", open, Span::mixed_site())
    }

    fn type_names(&self) -> impl Iterator<Item = Ident> {
        (0..self.types.len()).map(Translator::type_name)
    }

    fn callee_names(&self) -> impl Iterator<Item = Ident> {
        (0..self.callees).map(|at| hidden("f", at, Span::mixed_site()))
    }

    /// The closure that gives the constants.
    pub(super) fn constants(&self) -> TokenStream {
        let constants = &self.constants;
        let name = hidden("c", 0, Span::mixed_site());
        quote! { let #name = || ::std::vec![#(::cl_algo::function::device_type::Constant::new(#constants)),*]; }
    }

    /// What stands for this monomorphisation of a closure: what was inferred, and the code that gives
    /// the constants.
    pub(super) fn key(&self) -> TokenStream {
        let constants = hidden("c", 0, Span::mixed_site());
        let mut inferred = quote! { () };
        for name in self.type_names().chain(self.callee_names()) {
            inferred = quote! { (#inferred, #name) };
        }
        quote! { ::cl_algo::function::intern::key(&#inferred, &#constants) }
    }

    /// What the compiler told.
    pub(super) fn facts(&self) -> TokenStream {
        let (types, callees) = (self.type_names(), self.callee_names());
        let constants = hidden("c", 0, Span::mixed_site());
        quote! {
            ::cl_algo::function::tree::Facts {
                types: ::std::vec![#(#types.device_type()),*],
                constants: #constants(),
                callees: ::std::vec![#(#callees.function()?),*],
            }
        }
    }
}
