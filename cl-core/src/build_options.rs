//! Typed build options.
//!
//! Drivers crash on a bare `-D` or `-I`, and some drivers read files that options name. So options
//! are values here, and text never reaches the driver unchecked.

use crate::error::{Error, Result};
use crate::macro_value::MacroValue;
use std::ffi::CString;
use std::fmt;

/// A version of the OpenCL C language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum CVersion {
    /// OpenCL C 1.1.
    C11,
    /// OpenCL C 1.2, which every device supports.
    C12,
    /// OpenCL C 2.0.
    C20,
    /// OpenCL C 3.0.
    C30,
}

/// The option that makes drivers keep the declarations of kernel arguments, so that launches can be
/// checked against them. It does not slow builds down: 110 ms with it, 113 ms without on PoCL 3.1.
const KEEP_ARGUMENTS: &str = "-cl-kernel-arg-info";

/// Options for [`Program::build`](crate::Program::build).
///
/// ```
/// use cl_core::BuildOptions;
/// let options = BuildOptions::new().define("TILE", 256).define("T", "float").fast_math();
/// assert_eq!(options.to_string(), "-D TILE=256 -D T=float -cl-fast-relaxed-math");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct BuildOptions {
    options: Vec<String>,
    uncached: bool,
    /// The target of NVIDIA's assembler.
    ptx_target: Option<&'static str>,
    /// The first invalid name or value; reported when the options are used.
    rejected: Option<String>,
}

impl BuildOptions {
    /// Returns empty options. The compiler then uses the device's default language version.
    #[must_use]
    pub fn new() -> BuildOptions {
        BuildOptions::default()
    }

    /// Defines a preprocessor macro, `-D name=value`, as a number or an identifier.
    ///
    /// The build fails with [`Error::InvalidInput`] if the name is not a C identifier of at most 64
    /// bytes, if the name is a word of the language, or if the value is text other than an identifier.
    #[must_use]
    pub fn define<'a>(mut self, name: &str, value: impl Into<MacroValue<'a>>) -> BuildOptions {
        let value = value.into();
        let refused = match value {
            _ if !is_identifier(name) || is_reserved(name) => Some(name),
            MacroValue::Name(value) if !is_identifier(value) => Some(value),
            _ => None,
        };
        match refused {
            None => self.options.push(format!("-D {name}={value}")),
            Some(text) => self.rejected = self.rejected.or_else(|| Some(text.to_owned())),
        }
        self
    }

    /// Requests a version of the language, `-cl-std`.
    #[must_use]
    pub fn language(self, version: CVersion) -> BuildOptions {
        self.with(match version {
            CVersion::C11 => "-cl-std=CL1.1",
            CVersion::C12 => "-cl-std=CL1.2",
            CVersion::C20 => "-cl-std=CL2.0",
            CVersion::C30 => "-cl-std=CL3.0",
        })
    }

    /// Compiles the program without any cache: nothing is read from a cache or stored in one, so
    /// the program's log and source are available. This setting does not reach the compiler.
    #[must_use]
    pub fn uncached(mut self) -> BuildOptions {
        self.uncached = true;
        self
    }

    pub(crate) fn is_uncached(&self) -> bool {
        self.uncached
    }

    /// Assembles the program for a target of NVIDIA's assembler, such as `sm_90a`, instead of the target that NVIDIA's compiler
    /// sets, such as `sm_90`. The instructions of Hopper's matrix units need this.
    ///
    /// The compiler assembles every program for its own target first. An `asm` statement hides an instruction of the other target
    /// from it behind `//sm_90a `, a comment to the end of the line. These comments' beginnings are then removed, and the text,
    /// the program's binary, is assembled a second time. The driver does not get this setting as an option.
    ///
    /// Only [`Program::build`](crate::Program::build) reads this setting. The build fails with [`Error::InvalidInput`] if the target
    /// is not an identifier, and with [`Error::Unsupported`] if the program's binary is not text for this family of targets.
    ///
    /// ```
    /// use cl_core::BuildOptions;
    /// const SOURCE: &str = r#"
    ///     kernel void f() { asm volatile("//sm_90a wgmma.fence.sync.aligned;" ::: "memory"); }
    /// "#;
    /// let options = BuildOptions::new().ptx_target("sm_90a"); // for `Program::build(&context, SOURCE, &options)`
    /// assert_eq!(options.to_string(), "");
    /// # let _ = SOURCE;
    /// ```
    #[must_use]
    pub fn ptx_target(mut self, target: &'static str) -> BuildOptions {
        if is_identifier(target) {
            self.ptx_target = Some(target);
        } else {
            self.rejected = self.rejected.or_else(|| Some(target.to_owned()));
        }
        self
    }

    /// Returns the target that [`ptx_target`](BuildOptions::ptx_target) has set.
    pub(crate) fn target(&self) -> Option<&'static str> {
        self.ptx_target
    }

    fn with(mut self, option: &str) -> BuildOptions {
        self.options.push(option.to_owned());
        self
    }

    /// Returns an error unless every option may be given to a driver.
    pub(crate) fn check(&self) -> Result<()> {
        match &self.rejected {
            None => Ok(()),
            Some(name) => Err(Error::InvalidInput {
                what: "build option",
                reason: format!(
                    "{name:?} cannot name a macro, its value or a target: use letters, digits and _, at most 64, \
                     and for a macro a word that the language does not reserve"
                ),
            }),
        }
    }

    /// Returns an error unless every option may be given to a driver, or if there is a PTX target, which only
    /// [`Program::build`](crate::Program::build) reads. `what` is the text that is compiled.
    pub(crate) fn check_without_target(&self, what: &str) -> Result<()> {
        self.check()?;
        match self.ptx_target {
            None => Ok(()),
            Some(target) => Err(Error::InvalidInput {
                what: "build option",
                reason: format!("{what} cannot have the PTX target {target}: build a program from source"),
            }),
        }
    }

    /// Returns the options for the driver, including the option that is always set.
    pub(crate) fn complete(&self) -> String {
        format!("{self} {KEEP_ARGUMENTS}").trim_start().to_owned()
    }

    /// Returns everything in the options that changes a program, for the key of a cache.
    pub(crate) fn key(&self) -> String {
        let target = self.ptx_target.map(|target| format!(" for {target}")).unwrap_or_default();
        self.complete() + &target
    }

    /// Returns the complete options for C. They consist of checked names and numbers, so they have
    /// no NUL byte.
    pub(crate) fn to_c(&self) -> CString {
        CString::new(self.complete()).unwrap_or_default()
    }
}

/// Defines one method for each option without a value.
macro_rules! flags {
    ($($(#[doc = $doc:literal])+ $method:ident = $option:literal;)*) => {
        impl BuildOptions {
            $(
                $(#[doc = $doc])+
                #[must_use]
                pub fn $method(self) -> BuildOptions {
                    self.with($option)
                }
            )*
        }

        #[cfg(test)]
        type Flag = fn(BuildOptions) -> BuildOptions;

        #[cfg(test)]
        const FLAGS: &[(Flag, &str)] = &[$((BuildOptions::$method, $option)),*];
    };
}

flags! {
    /// Trades IEEE results for speed, `-cl-fast-relaxed-math`. Includes
    /// [`finite_math`](BuildOptions::finite_math) and [`unsafe_math`](BuildOptions::unsafe_math).
    fast_math = "-cl-fast-relaxed-math";
    /// Rounds single-precision `/` and `sqrt` correctly. Needs
    /// [`Device::rounds_division_correctly`](crate::Device::rounds_division_correctly).
    correctly_rounded_division = "-cl-fp32-correctly-rounded-divide-sqrt";
    /// Allows `a * b + c` to become one less accurate instruction, `-cl-mad-enable`.
    allow_mad = "-cl-mad-enable";
    /// Ignores the sign of zero, `-cl-no-signed-zeros`.
    no_signed_zeros = "-cl-no-signed-zeros";
    /// Reorders arithmetic as if it were exact, `-cl-unsafe-math-optimizations`.
    unsafe_math = "-cl-unsafe-math-optimizations";
    /// Assumes that no number is infinite or NaN, `-cl-finite-math-only`.
    finite_math = "-cl-finite-math-only";
    /// Allows denormal numbers to become zero, `-cl-denorms-are-zero`.
    denormals_are_zero = "-cl-denorms-are-zero";
    /// Reads literals such as `1.0` as `float`, `-cl-single-precision-constant`.
    single_precision_literals = "-cl-single-precision-constant";
    /// Promises that the work-group size divides the global size, `-cl-uniform-work-group-size`.
    /// Needs OpenCL C 2.0.
    uniform_work_groups = "-cl-uniform-work-group-size";
    /// Turns optimisation off, `-cl-opt-disable`.
    no_optimization = "-cl-opt-disable";
    /// Adds information for debuggers, `-g`. Needs a driver that knows the option.
    debug = "-g";
    /// Suppresses warnings, `-w`.
    no_warnings = "-w";
    /// Treats warnings as errors, `-Werror`.
    warnings_are_errors = "-Werror";
}

impl fmt::Display for BuildOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.options.join(" "))
    }
}

/// Returns whether `name` is valid as a name in OpenCL C and in an option.
pub(crate) fn is_identifier(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && name.len() <= 64
}

/// Words that a macro must not redefine: those of C99, OpenCL C and the preprocessor.
const RESERVED: &[&str] = &[
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "_Bool",
    "_Complex",
    "_Imaginary",
    "asm",
    "bool",
    "half",
    "size_t",
    "ptrdiff_t",
    "intptr_t",
    "uintptr_t",
    "uchar",
    "ushort",
    "uint",
    "ulong",
    "kernel",
    "global",
    "local",
    "constant",
    "private",
    "generic",
    "pipe",
    "uniform",
    "read_only",
    "write_only",
    "read_write",
    "event_t",
    "defined",
    "include",
    "define",
    "undef",
    "ifdef",
    "ifndef",
    "endif",
    "elif",
    "pragma",
    "error",
    "line",
];

/// Returns whether a macro must not have this name: it is a word of the language, or it begins with
/// two underscores, and such names are reserved for the compiler.
fn is_reserved(name: &str) -> bool {
    name.starts_with("__") || RESERVED.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_that_are_no_identifiers_are_rejected() {
        let long = "x".repeat(65);
        for name in ["", "1A", "A B", "A=1 -I/", "A;", "A\0", "é", "-I", "a\nb", "\"a\"", &long] {
            for options in [BuildOptions::new().define(name, 1), BuildOptions::new().define("A", name)] {
                assert!(matches!(options.check(), Err(Error::InvalidInput { .. })), "{name:?}");
                assert_eq!(options.to_string(), "", "{name:?} must not reach the driver");
            }
        }
        for name in ["int", "kernel", "__OPENCL_VERSION__", "defined"] {
            assert!(BuildOptions::new().define(name, 1).check().is_err(), "{name}");
        }
        assert!(BuildOptions::new().define("_A1", -1).define("T", "int").check().is_ok());
    }

    /// Returns whether a driver may be given this text: only known flags, and macros (`-D`) whose
    /// value is an identifier or a number.
    fn allowed(text: &str) -> bool {
        let mut words = text.split(' ').filter(|_| !text.is_empty());
        while let Some(word) = words.next() {
            let known = FLAGS.iter().any(|(_, flag)| *flag == word)
                || ["CL1.1", "CL1.2", "CL2.0", "CL3.0"].iter().any(|v| word == format!("-cl-std={v}"));
            if known {
                continue;
            }
            let Some((name, value)) = words.next().and_then(|next| next.split_once('=')) else {
                return false;
            };
            let digits = value.strip_prefix(['-', '~']).unwrap_or(value);
            let number = digits.starts_with(|c: char| c.is_ascii_digit())
                && digits.bytes().all(|b| b.is_ascii_digit() || b".e-fUL".contains(&b));
            let name_of = |text: &str| is_identifier(text.strip_prefix('-').unwrap_or(text));
            if word != "-D" || !is_identifier(name) || !(number || name_of(value)) {
                return false;
            }
        }
        true
    }

    /// A call of the builder.
    #[derive(Clone, Debug)]
    enum Call {
        Flag(usize),
        Language(CVersion),
        Name(String, String),
        Signed(String, i64),
        Unsigned(String, u64),
        Float(String, u32),
        Double(String, u64),
    }

    impl Call {
        fn on(&self, options: BuildOptions) -> BuildOptions {
            match self {
                Call::Flag(index) => FLAGS[*index].0(options),
                Call::Language(version) => options.language(*version),
                Call::Name(name, value) => options.define(name, value.as_str()),
                Call::Signed(name, value) => options.define(name, *value),
                Call::Unsigned(name, value) => options.define(name, *value),
                Call::Float(name, bits) => options.define(name, f32::from_bits(*bits)),
                Call::Double(name, bits) => options.define(name, f64::from_bits(*bits)),
            }
        }
    }

    fn any_call() -> impl Strategy<Value = Call> {
        let name = || prop_oneof!["[A-Za-z_][A-Za-z0-9_]{0,70}", "\\PC{0,8}", "[-DI@ ='\"\\\\\0\n/;#a]{0,8}"];
        let versions = vec![CVersion::C11, CVersion::C12, CVersion::C20, CVersion::C30];
        prop_oneof![
            (0..FLAGS.len()).prop_map(Call::Flag),
            prop::sample::select(versions).prop_map(Call::Language),
            (name(), name()).prop_map(|(name, value)| Call::Name(name, value)),
            (name(), any::<i64>()).prop_map(|(name, value)| Call::Signed(name, value)),
            (name(), any::<u64>()).prop_map(|(name, value)| Call::Unsigned(name, value)),
            (name(), any::<u32>()).prop_map(|(name, bits)| Call::Float(name, bits)),
            (name(), any::<u64>()).prop_map(|(name, bits)| Call::Double(name, bits)),
        ]
    }

    proptest! {
        #[test]
        fn only_known_options_reach_the_driver(calls in prop::collection::vec(any_call(), 0..6)) {
            let options = calls.iter().fold(BuildOptions::new(), |options, call| call.on(options));
            prop_assert!(allowed(&options.to_string()), "{options}");
            prop_assert_eq!(options.to_c().into_bytes(), options.complete().into_bytes());
        }
    }
}
