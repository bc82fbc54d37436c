//! Named pieces of a program's text, which list the definitions that they use.

use std::fmt;

/// A piece of a program's text: OpenCL C with the names that it defines and the definitions that it uses.
///
/// A program contains each definition that a kernel uses once, after the definitions that it uses itself. A program may
/// have several kernels ([`Fused::compile_all`](super::Fused::compile_all)). Macros are undefined after their kernel,
/// and from the second kernel on all other names end in the kernel's number. The lists of names here decide this; the
/// text is not searched.
///
/// [`definitions!`](crate::definitions) writes statics of this type.
///
/// ```
/// use cl_algo::codegen::Definition;
///
/// static HALVES: Definition = Definition::new(
///     "#define HALF(x) half_of(x)\n\
///      static inline uint half_of(const uint x) { return x / 2; }\n",
/// )
/// .defining_macros(&["HALF"])
/// .defining(&["half_of"]);
/// static QUARTERS: Definition =
///     Definition::new("#define QUARTER(x) HALF(HALF(x))\n").defining_macros(&["QUARTER"]).using(&[&HALVES]);
/// assert_eq!(QUARTERS.macros(), ["QUARTER"]);
/// ```
#[derive(Clone, Copy)]
pub struct Definition {
    text: &'static str,
    macros: &'static [&'static str],
    names: &'static [&'static str],
    used: &'static [&'static Definition],
    shared: bool,
    target: Option<&'static str>,
}

impl Definition {
    /// Returns a definition of which each kernel of a program has its own copy. Its text may depend on the kernel's
    /// parameters, fragments and shape.
    #[must_use]
    pub const fn new(text: &'static str) -> Definition {
        Definition { text, macros: &[], names: &[], used: &[], shared: false, target: None }
    }

    /// Returns a definition that all kernels of a program share. Its text must have the same meaning in all of them.
    #[must_use]
    pub const fn shared(text: &'static str) -> Definition {
        Definition { shared: true, ..Definition::new(text) }
    }

    /// Sets the macros that the text defines.
    #[must_use]
    pub const fn defining_macros(self, macros: &'static [&'static str]) -> Definition {
        Definition { macros, ..self }
    }

    /// Sets the functions, types and `constant` tables that the text defines. A name that a macro pastes together is
    /// listed as pasted. The kernel's own name is [`Template::kernel`](super::Template::kernel).
    #[must_use]
    pub const fn defining(self, names: &'static [&'static str]) -> Definition {
        Definition { names, ..self }
    }

    /// Sets the definitions that the text uses.
    #[must_use]
    pub const fn using(self, used: &'static [&'static Definition]) -> Definition {
        Definition { used, ..self }
    }

    /// Sets the target of NVIDIA's assembler that kernels with this text need. See [`BuildOptions::ptx_target`].
    ///
    /// [`BuildOptions::ptx_target`]: cl_core::BuildOptions::ptx_target
    #[must_use]
    pub const fn for_ptx_target(self, target: &'static str) -> Definition {
        Definition { target: Some(target), ..self }
    }

    /// Returns the text.
    #[must_use]
    pub const fn text(&self) -> &'static str {
        self.text
    }

    /// Returns the macros that the text defines.
    #[must_use]
    pub const fn macros(&self) -> &'static [&'static str] {
        self.macros
    }

    /// Returns the functions, types and tables that the text defines.
    #[must_use]
    pub const fn names(&self) -> &'static [&'static str] {
        self.names
    }

    /// Returns the target that the definition, or one that it uses, needs.
    pub(super) fn ptx_target(&'static self) -> Option<&'static str> {
        self.in_order().into_iter().find_map(|definition| definition.target)
    }

    pub(super) const fn is_shared(&self) -> bool {
        self.shared
    }

    /// Returns the definitions that this one uses, directly or not, each once and in the order of use, then this one.
    pub(super) fn in_order(&'static self) -> Vec<&'static Definition> {
        fn add(definition: &'static Definition, into: &mut Vec<&'static Definition>) {
            if into.iter().any(|known| std::ptr::eq(*known, definition)) {
                return;
            }
            definition.used.iter().for_each(|used| add(used, into));
            into.push(definition);
        }
        let mut all = Vec::new();
        add(self, &mut all);
        all
    }
}

impl fmt::Debug for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Definition { macros, names, used, .. } = self;
        f.debug_struct("Definition")
            .field("macros", macros)
            .field("names", names)
            .field("used", used)
            .finish_non_exhaustive()
    }
}

/// Writes statics of [`Definition`](crate::codegen::Definition)s: a text, usually by `include_str!`, with the names
/// that it defines and the definitions that it uses.
///
/// `new` and `shared` are the functions of `Definition` that make it. Empty lists can be left out. Under `cfg(test)`
/// the macro also defines `ALL`, the list of all definitions with their names, for a test of the lists.
///
/// ```
/// cl_algo::definitions! {
///     /// Halves of numbers.
///     static HALVES = shared("#define HALF(x) half_of(x)\nstatic inline uint half_of(const uint x) { return x / 2; }\n") {
///         macros HALF;
///         names half_of;
///     }
///     /// Quarters of numbers.
///     pub static QUARTERS = shared("#define QUARTER(x) HALF(HALF(x))\n") {
///         macros QUARTER;
///         uses HALVES;
///     }
/// }
/// # fn main() { assert_eq!(QUARTERS.macros(), ["QUARTER"]); }
/// ```
///
/// [codegen::Definition]: crate::codegen::Definition
#[macro_export]
macro_rules! definitions {
    ($(
        $(#[$attribute:meta])*
        $visible:vis static $definition:ident = $make:ident($text:expr) {
            $(macros $($macro:ident)+;)?
            $(names $($name:ident)+;)?
            $(uses $($used:ident)+;)?
            $(target $target:literal;)?
        }
    )*) => {
        $(
            $(#[$attribute])*
            $visible static $definition: $crate::codegen::Definition = $crate::codegen::Definition::$make($text)
                $(.defining_macros(&[$(::core::stringify!($macro)),+]))?
                $(.defining(&[$(::core::stringify!($name)),+]))?
                $(.using(&[$(&$used),+]))?
                $(.for_ptx_target($target))?;
        )*

        /// All definitions of this file with their names.
        #[cfg(test)]
        #[allow(dead_code)]
        pub(crate) static ALL: &[(&str, &$crate::codegen::Definition)] =
            &[$((::core::stringify!($definition), &$definition)),*];
    };
}
