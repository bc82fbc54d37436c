//! The numbers that a kernel is compiled with, as structs.

use crate::device::DeviceFence;
use std::fmt;

/// The numbers that a [`Template`](super::Template) is compiled with: a struct whose fields are macros of the kernel,
/// with their names in capitals.
///
/// Derive this trait. A field is a number (`u8`, `u32`, `i64`, `usize` or `Option<usize>`), a `bool`, an enum without
/// fields, an array, or another struct of parameters, whose fields also become macros. The macros of an array end in
/// the index of the item: `radices: [usize; 2]` becomes `RADICES0` and `RADICES1`, and nested arrays are numbered
/// through. A kernel is compiled once for each combination of values.
///
/// ```
/// use cl_algo::codegen::Parameters;
///
/// #[derive(Clone, Copy, Debug, Parameters)]
/// struct Tile {
///     rows: usize,
///     transposed: bool,
/// }
/// # let mut text = String::new();
/// # Tile { rows: 8, transposed: true }.each(Default::default(), &mut |name, number| text += &format!("{name} {number};"));
/// # assert_eq!(text, "ROWS 8;TRANSPOSED 1;");
/// ```
///
/// A kernel of `Tile { rows: 8, transposed: true }` begins with `#define ROWS 8` and `#define TRANSPOSED 1`.
pub trait Parameters: Copy + Send + Sync + 'static {
    /// Calls `define` with each macro and its value. The macro of a number is `name`; those of a struct are made by
    /// [`Macro::field`].
    fn each(&self, name: Macro, define: &mut dyn FnMut(Macro, i64));

    /// Returns the fence that the kernel uses, for which the compiler may need an option.
    fn fence(&self) -> Option<DeviceFence> {
        None
    }
}

/// The name of a parameter in OpenCL C.
#[derive(Clone, Copy, Debug, Default)]
pub struct Macro {
    name: &'static str,
    item: Option<usize>,
}

impl Macro {
    /// Returns the name of a field of the struct that `self` names. If the struct is an item of an array, the name ends
    /// in the item's index.
    #[must_use]
    pub const fn field(self, name: &'static str) -> Macro {
        Macro { name, ..self }
    }
}

impl fmt::Display for Macro {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        self.item.map_or(Ok(()), |item| write!(f, "{item}"))
    }
}

/// The parameters of a template without parameters.
impl Parameters for () {
    fn each(&self, _: Macro, _: &mut dyn FnMut(Macro, i64)) {}
}

macro_rules! numbers {
    ($($number:ty),*) => {
        $(impl Parameters for $number {
            fn each(&self, name: Macro, define: &mut dyn FnMut(Macro, i64)) {
                define(name, *self as i64);
            }
        })*
    };
}

numbers!(bool, u8, u32, i64, usize);

/// -1 stands for `None`.
impl Parameters for Option<usize> {
    fn each(&self, name: Macro, define: &mut dyn FnMut(Macro, i64)) {
        define(name, self.map_or(-1, |number| number as i64));
    }
}

/// `FENCE` of `kernels/last_group.cl`: 0 stands for `None`.
impl Parameters for Option<DeviceFence> {
    fn each(&self, name: Macro, define: &mut dyn FnMut(Macro, i64)) {
        define(name, self.map_or(0, DeviceFence::number));
    }

    fn fence(&self) -> Option<DeviceFence> {
        *self
    }
}

impl<T: Parameters, const N: usize> Parameters for [T; N] {
    fn each(&self, name: Macro, define: &mut dyn FnMut(Macro, i64)) {
        for (at, item) in self.iter().enumerate() {
            let at = name.item.map_or(at, |outer| outer * N + at);
            item.each(Macro { item: Some(at), ..name }, define);
        }
    }
}
