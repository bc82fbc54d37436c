//! Kernel templates: `.cl` files that read items through `LOAD(i)` and write them by `STORE(i, item)`.

use super::definition::Definition;
use super::parameters::{Macro, Parameters};
use crate::device::{DeviceFence, DeviceProfile, Shape};
use std::fmt::{self, Write};

/// A kernel template: a [`Definition`] whose text contains the names of fragments, parameters and the shape.
/// [`Fused`](super::Fused) defines these names.
///
/// The text defines one kernel, whose parameters begin with `PARAMETERS OUTPUTS`; each of the two is a list that ends
/// in a comma, or empty. `RETURN;` stands for `return`, and also at the end of the kernel: on some devices it checks
/// whether loops were cut short. Structs, unions and each of their members begin with `VOLATILE`, because some
/// devices lose writes to them otherwise. Besides the macros of its fragments, the text can use:
///
/// | name | meaning |
/// | --- | --- |
/// | `INDEX` | `uint`, or `ulong` if vectors are long; `SIGNED_INDEX` likewise |
/// | `GROUP`, `PACK`, `PACKS`, `CHUNKED`, `TILE`, `FOR_EACH_TILE` | the shape; see `kernels/shape.cl` |
/// | `ARGUMENTS`, `OUTPUT_ARGUMENTS` | the arguments for a function that has the parameters `PARAMETERS`, `OUTPUTS` |
/// | `RETURN`, `VOLATILE` | see above |
/// | the fields of `P`, in capitals | the [parameters](Parameters) |
///
/// Several kernels may become one program ([`Fused::compile_all`](super::Fused::compile_all)). The names that the
/// second kernel's definitions list then end in `_1`, and so on.
pub struct Template<P: 'static = ()> {
    /// The name of the kernel.
    pub kernel: &'static str,
    /// The definition of the kernel, with the definitions that it uses.
    pub definition: &'static Definition,
    /// A function that returns how the kernel divides its work on a device, given the size in bytes of the largest
    /// element of its items, and the parameters.
    pub shape: fn(&DeviceProfile, usize, &P) -> Shape,
}

impl<P> fmt::Debug for Template<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Template").field("kernel", &self.kernel).finish_non_exhaustive()
    }
}

/// A template with its parameters, whose type is erased.
pub trait Chosen {
    fn kernel(&self) -> &'static str;
    fn definition(&self) -> &'static Definition;
    /// Returns the address of the template: two crates may give their kernels the same name.
    fn address(&self) -> usize;
    fn each_parameter(&self, define: &mut dyn FnMut(Macro, i64));
    fn shape(&self, profile: &DeviceProfile, size: usize) -> Shape;
    fn fence(&self) -> Option<DeviceFence>;
}

impl dyn Chosen + '_ {
    /// Returns the parameters as text for the end of an error; empty for a template without parameters.
    pub fn described(&self) -> String {
        let mut text = String::new();
        self.each_parameter(&mut |name, number| {
            let before = if text.is_empty() { "; compiled with" } else { "," };
            // Writing to a String cannot fail.
            let _ = write!(text, "{before} {name} {number}");
        });
        text
    }
}

impl<P: Parameters> Chosen for (&'static Template<P>, P) {
    fn kernel(&self) -> &'static str {
        self.0.kernel
    }

    fn definition(&self) -> &'static Definition {
        self.0.definition
    }

    fn address(&self) -> usize {
        std::ptr::from_ref(self.0).addr()
    }

    fn each_parameter(&self, define: &mut dyn FnMut(Macro, i64)) {
        self.1.each(Macro::default(), define);
    }

    fn shape(&self, profile: &DeviceProfile, size: usize) -> Shape {
        (self.0.shape)(profile, size, &self.1)
    }

    fn fence(&self) -> Option<DeviceFence> {
        self.1.fence()
    }
}
