//! Programs: compiled kernels, from any kind of source.

mod binary;
mod compile;
mod directives;
mod info;
mod intermediate;
mod object;
mod source;

pub use info::ProgramKind;
pub use intermediate::SpecConstant;
pub use object::ObjectCode;
pub use source::Source;

pub(crate) use binary::MAX_BINARY_BYTES;

use crate::build_options::BuildOptions;
use crate::cache;
use crate::context::Context;
use crate::device::Device;
use crate::error::Result;
use crate::kernel::Declaration;
use crate::library::Library;
use crate::raw::{cl_context, cl_program};
use crate::status::log_failed_release;
use std::fmt;
use std::sync::Arc;

/// A program that was compiled for one device. Cheap to clone.
///
/// | from | function |
/// | --- | --- |
/// | source, in one or several pieces, with or without headers | [`Program::build`] |
/// | several sources, compiled separately | [`ObjectCode::compile`], [`Program::link`] |
/// | a binary of the same device and driver | [`Program::from_binary`] |
/// | SPIR-V | [`Program::from_il`] |
/// | kernels that are built into the device | [`Program::from_built_in_kernels`] |
///
/// ```
/// use cl_core::{BuildOptions, Device, Program, Queue};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// const SOURCE: &str = "kernel void add(global float *x, const float a) { x[get_global_id(0)] += a; }";
/// let program = Program::build(queue.context(), SOURCE, &BuildOptions::new())?;
/// assert_eq!(program.kernel_names()?, ["add"]);
/// let add = program.kernel("add")?;
/// assert!(program.kernel("subtract").is_err()); // the error lists those that there are
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Program(Arc<Handle>);

/// The C handle, released with the last clone.
struct Handle {
    library: Library,
    raw: cl_program,
    /// The context. Only compared, never used: the program retains its context.
    context: cl_context,
    device: Device,
    /// The compiler's declarations of the kernels, for a program whose binary may lack them.
    declarations: Vec<Declaration>,
}

// SAFETY: OpenCL programs may be used from any thread.
unsafe impl Send for Handle {}
// SAFETY: as above.
unsafe impl Sync for Handle {}

impl Program {
    /// Compiles OpenCL C for the context's device, or loads the result of an earlier compilation.
    ///
    /// The same source with the same options is compiled once for each context, and once for each
    /// machine and user while device, driver and version of this crate stay the same.
    /// [`CacheStatistics`](crate::CacheStatistics) documents where results are kept and how to see
    /// cache hits. [`BuildOptions::uncached`] builds without a cache.
    ///
    /// ```
    /// # fn main() -> cl_core::Result<()> {
    /// use cl_core::{BuildOptions, Context, Device, Program, Source};
    /// let context = Context::on(&Device::first()?)?;
    /// let source = Source::new("#include \"tile.h\"\nkernel void f(global int *x) { x[0] = TILE; }")
    ///     .header("tile.h", "#define TILE 256\n");
    /// let program = Program::build(&context, source, &BuildOptions::new())?;
    /// assert_eq!(program.kernel_names()?, ["f"]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Build`](crate::Error::Build) with the compiler's messages beside the source lines,
    /// [`Error::InvalidInput`](crate::Error::InvalidInput) for a NUL byte, an `#include` of
    /// anything but the source's own headers, a bad header name or an invalid option,
    /// [`Error::Unsupported`](crate::Error::Unsupported) on a device without a compiler,
    /// [`Error::Driver`](crate::Error::Driver) otherwise. A failure of the cache is not an error:
    /// the program is then compiled.
    pub fn build<'s>(
        context: &Context,
        source: impl Into<Source<'s>>,
        options: &BuildOptions,
    ) -> Result<Program> {
        let source = source.into();
        options.check()?;
        source.check()?;
        if options.is_uncached() {
            return Program::compile(context, &source, options);
        }
        cache::build(context, &source, options)
    }

    /// Takes over the reference that a `clCreateProgram…` function returned.
    ///
    /// # Safety
    /// `raw` is a program of `context` and its library, and nobody else releases its reference.
    unsafe fn from_raw(context: &Context, raw: cl_program) -> Program {
        Program(Arc::new(Handle {
            library: context.library(),
            raw,
            context: context.as_raw(),
            device: context.device().clone(),
            declarations: Vec::new(),
        }))
    }

    /// Keeps the compiler's declarations of the kernels. The program is new, so it has no clones.
    pub(crate) fn declaring(mut self, declarations: Vec<Declaration>) -> Program {
        if let Some(handle) = Arc::get_mut(&mut self.0) {
            handle.declarations = declarations;
        }
        self
    }

    /// Returns the kept declaration of a kernel.
    pub(crate) fn declaration(&self, kernel: &str) -> Option<&Declaration> {
        self.0.declarations.iter().find(|declaration| declaration.name == kernel)
    }

    /// Returns the library that made the program.
    pub(crate) fn library(&self) -> Library {
        self.0.library
    }

    /// Returns the program's context, to be compared only.
    pub(crate) fn context(&self) -> cl_context {
        self.0.context
    }

    /// Returns the device that the program was compiled for.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.0.device
    }

    /// Returns the C handle.
    #[must_use]
    pub fn as_raw(&self) -> cl_program {
        self.0.raw
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: the handle is owned, and released once; kernels keep the program.
        let status = unsafe { (self.library.functions().clReleaseProgram)(self.raw) };
        log_failed_release("clReleaseProgram", status);
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program").field("kernels", &self.kernel_names()).finish_non_exhaustive()
    }
}
