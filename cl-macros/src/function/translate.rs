//! The state of a translation: the names in scope, the enclosing loops, and the open types.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Error, Expr, Lifetime, Path, Result, Type};

/// A piece of a body: its code in the tree, and its code in the probe.
pub(super) struct Code {
    pub(super) tree: TokenStream,
    pub(super) probe: TokenStream,
}

impl Code {
    pub(super) fn new(tree: TokenStream, probe: impl ToTokens) -> Code {
        Code { tree, probe: probe.into_token_stream() }
    }
}

/// A local variable. The tree refers to it by its number.
struct Local {
    name: String,
    /// The open type of a variable that was declared without a value.
    open_type: Option<usize>,
}

/// A variable of the host that a closure reads: its name, local and type.
pub(super) type Capture = (Ident, usize, usize);

/// A loop around the code that is being translated.
struct Loop {
    id: usize,
    label: Option<String>,
    /// `true` if a `break` has a value.
    has_value: bool,
}

/// The translation of one body.
#[derive(Default)]
pub(super) struct Translator {
    /// The function's own name, which must not be called.
    own_name: Option<String>,
    /// The captures of a closure; `None` for functions, which cannot capture.
    captures: Option<Vec<Capture>>,
    locals: Vec<Local>,
    /// The names in scope, the innermost last.
    scope: Vec<(String, usize)>,
    loops: Vec<Loop>,
    loop_count: usize,
    /// The open types. Each is `Some` if the source code writes the type, and `None` if the probe
    /// infers it.
    types: Vec<Option<Type>>,
    constants: Vec<Path>,
    callees: usize,
}

/// Returns a name of the probe that user code cannot see. Errors are reported at `span`.
fn hidden(prefix: &str, number: usize, span: Span) -> Ident {
    Ident::new(&format!("__{prefix}{number}"), Span::mixed_site().located_at(span))
}

/// Wraps an expression of the probe that must have one of the types of `kind`, a function in
/// `cl_algo`'s `function::probe`.
pub(super) fn gate(kind: &str, span: Span, probe: &TokenStream) -> TokenStream {
    let kind = Ident::new(kind, Span::mixed_site().located_at(span));
    quote_spanned! {span=> ::cl_algo::function::probe::#kind(#probe) }
}

impl Translator {
    /// Begins the translation of a function, which must not call itself.
    pub(super) fn of_function(name: &str) -> Translator {
        Translator { own_name: Some(name.to_owned()), ..Translator::default() }
    }

    /// Begins the translation of a closure, which may capture.
    pub(super) fn of_closure() -> Translator {
        Translator { captures: Some(Vec::new()), ..Translator::default() }
    }

    /// Returns the captures.
    pub(super) fn captures(&self) -> Vec<Capture> {
        self.captures.clone().unwrap_or_default()
    }

    /// Returns the local that stands for a name of the host, and captures the name. Only lowercase
    /// names are variables, as in rustc's own lints.
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

    /// Returns `true` if this is the name of the function itself.
    pub(super) fn is_own_name(&self, name: &Ident) -> bool {
        self.own_name.as_ref().is_some_and(|own| name == own)
    }

    /// Begins a scope. [`Translator::leave`] takes the result.
    pub(super) fn enter(&self) -> usize {
        self.scope.len()
    }

    /// Ends the scope that began at `mark`.
    pub(super) fn leave(&mut self, mark: usize) {
        self.scope.truncate(mark);
    }

    /// Declares a new variable, which hides variables of the same name.
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

    /// Declares a variable whose first value comes later. Returns its number, and that of its type.
    pub(super) fn declare_open(&mut self, ident: &Ident) -> (usize, usize) {
        let local = self.declare(ident);
        let open = self.open_type(None);
        self.locals[local].open_type = Some(open);
        (local, open)
    }

    /// Returns the variable of this name.
    pub(super) fn find(&self, ident: &Ident) -> Option<usize> {
        let found = self.scope.iter().rev().find(|(name, _)| ident == name);
        found.map(|&(_, local)| local)
    }

    /// Returns the variable that an expression names.
    pub(super) fn find_expr(&self, expr: &Expr) -> Option<usize> {
        match expr {
            Expr::Path(path) => self.find(path.path.get_ident()?),
            Expr::Paren(inner) => self.find_expr(&inner.expr),
            _ => None,
        }
    }

    /// Adds a type that the compiler determines: from the written type, or from the probe.
    pub(super) fn open_type(&mut self, written: Option<Type>) -> usize {
        self.types.push(written);
        self.types.len() - 1
    }

    /// Marks an expression of the probe as having an open type.
    pub(super) fn mark(open: usize, span: Span, probe: &TokenStream) -> TokenStream {
        let unknown = hidden("t", open, span);
        // The parentheses give the whole expression the span, so that errors point at it instead of the
        // hidden name.
        quote_spanned! {span=> (#unknown).of(#probe) }
    }

    /// Adds an open type, and marks an expression with it.
    pub(super) fn probed(&mut self, span: Span, probe: &TokenStream) -> (usize, TokenStream) {
        let open = self.open_type(None);
        (open, Translator::mark(open, span, probe))
    }

    /// Marks a value that is assigned to a variable. If the variable was declared without a value,
    /// the assigned value determines its open type.
    pub(super) fn assigned(&self, local: usize, span: Span, probe: TokenStream) -> TokenStream {
        match self.locals[local].open_type {
            Some(open) => Translator::mark(open, span, &probe),
            None => probe,
        }
    }

    /// Adds a constant of the host, and returns its number.
    pub(super) fn constant(&mut self, path: &Path) -> usize {
        self.constants.push(path.clone());
        self.constants.len() - 1
    }

    /// Adds a called device function. Returns its number, and the probe of the call.
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

    /// Ends the innermost loop. Returns `true` if a `break` has a value.
    pub(super) fn leave_loop(&mut self) -> bool {
        self.loops.pop().is_some_and(|left| left.has_value)
    }

    /// Returns the loop that a `break` or `continue` at `span` refers to.
    pub(super) fn target(&mut self, label: Option<&Lifetime>, span: Span, with_value: bool) -> Result<usize> {
        let found = match label {
            None => self.loops.last_mut(),
            Some(label) => {
                let name = Some(label.ident.to_string());
                self.loops.iter_mut().rev().find(|around| around.label == name)
            }
        };
        let Some(found) = found else {
            let reason = match label {
                Some(label) => format!("no loop around this has the label `{label}`"),
                None => "there is no loop around this".to_owned(),
            };
            return Err(Error::new(span, reason));
        };
        found.has_value |= with_value;
        Ok(found.id)
    }

    /// Returns the names of all variables, for the tree.
    pub(super) fn local_names(&self) -> TokenStream {
        let names = self.locals.iter().map(|local| &local.name);
        quote! { &[#(#names),*] }
    }

    /// Returns the declarations outside of the probe that collect the inferred types.
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

    /// Returns the variable outside of the probe that stands for an open type.
    pub(super) fn type_name(open: usize) -> Ident {
        hidden("t", open, Span::mixed_site())
    }

    fn type_names(&self) -> impl Iterator<Item = Ident> {
        (0..self.types.len()).map(Translator::type_name)
    }

    fn callee_names(&self) -> impl Iterator<Item = Ident> {
        (0..self.callees).map(|at| hidden("f", at, Span::mixed_site()))
    }

    /// Returns the closure that returns the constants.
    pub(super) fn constants(&self) -> TokenStream {
        let constants = &self.constants;
        let name = hidden("c", 0, Span::mixed_site());
        quote! { let #name = || ::std::vec![#(::cl_algo::function::device_type::Constant::new(#constants)),*]; }
    }

    /// Returns a key for this monomorphisation of a closure: the inferred types and callees, and the
    /// code that returns the constants.
    pub(super) fn key(&self) -> TokenStream {
        let constants = hidden("c", 0, Span::mixed_site());
        let mut inferred = quote! { () };
        for name in self.type_names().chain(self.callee_names()) {
            inferred = quote! { (#inferred, #name) };
        }
        quote! { ::cl_algo::function::intern::key(&#inferred, &#constants) }
    }

    /// Returns the `BodyTypes` that the compiler inferred.
    pub(super) fn body_types(&self) -> TokenStream {
        let (types, callees) = (self.type_names(), self.callee_names());
        let constants = hidden("c", 0, Span::mixed_site());
        quote! {
            ::cl_algo::function::tree::BodyTypes {
                types: ::std::vec![#(#types.device_type()),*],
                constants: #constants(),
                callees: ::std::vec![#(#callees.function()?),*],
            }
        }
    }
}
