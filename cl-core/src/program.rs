//! Programs: kernels compiled from source.

use crate::build_error::BuildError;
use crate::build_options::BuildOptions;
use crate::context::Context;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::event::log_failed_release;
use crate::info;
use crate::kernel::Kernel;
use crate::library::Library;
use crate::raw::{cl_context, cl_program};
use crate::status::Status;
use std::ffi::CString;
use std::fmt;
use std::ptr::null_mut;

/// Source longer than this is a mistake of the program that wrote it.
const MAX_SOURCE_BYTES: usize = 64 << 20;

/// Makes drivers keep what kernels declare about their arguments, so that launches can be checked
/// against it. Builds take as long with it: 110 ms against 113 on PoCL 3.1.
const KEEP_ARGUMENTS: &str = "-cl-kernel-arg-info";

/// A program that was compiled for one device.
pub struct Program {
    library: Library,
    raw: cl_program,
    context: cl_context,
    device: Device,
}

// SAFETY: OpenCL programs may be used from any thread.
unsafe impl Send for Program {}
// SAFETY: as above.
unsafe impl Sync for Program {}

impl Program {
    /// Compiles OpenCL C for the context's device.
    ///
    /// # Errors
    /// [`Error::Build`] with the compiler's messages beside the source lines,
    /// [`Error::InvalidInput`] for a NUL byte or an invalid option, [`Error::Driver`] otherwise.
    pub fn build(context: &Context, source: &str, options: &BuildOptions) -> Result<Program> {
        options.check()?;
        if let Some(at) = source.find('\0') {
            // Drivers cut the source there without a word.
            let reason = format!("there is a NUL byte at position {at}");
            return Err(Error::InvalidInput { what: "program source", reason });
        }
        if source.len() > MAX_SOURCE_BYTES {
            let reason = format!("{} bytes are more than {MAX_SOURCE_BYTES}", source.len());
            return Err(Error::InvalidInput { what: "program source", reason });
        }
        let program = Program::create(context, source)?;
        // The options are made of checked names and numbers: there is no NUL byte in them.
        let text = CString::new(format!("{options} {KEEP_ARGUMENTS}")).unwrap_or_default();
        let id = program.device.as_raw();
        let build = program.library.functions().clBuildProgram;
        // SAFETY: a new program, its own context's device, a NUL-terminated string, no callback.
        let status = unsafe { build(program.raw, 1, &raw const id, text.as_ptr(), None, null_mut()) };
        match Status(status) {
            Status::SUCCESS => Ok(program),
            status @ (Status::BUILD_PROGRAM_FAILURE | Status::INVALID_BUILD_OPTIONS) => {
                Err(program.build_error(status, source, options))
            }
            status => Err(Error::driver("clBuildProgram", status).note(format!("on {}", program.device))),
        }
    }

    fn create(context: &Context, source: &str) -> Result<Program> {
        let library = context.library();
        let (text, length) = (source.as_ptr().cast(), source.len());
        let mut status = 0;
        // SAFETY: one string with its length; the driver copies it.
        let raw = unsafe {
            (library.functions().clCreateProgramWithSource)(
                context.as_raw(),
                1,
                &raw const text,
                &raw const length,
                &raw mut status,
            )
        };
        Error::check("clCreateProgramWithSource", status)?;
        Ok(Program { library, raw, context: context.as_raw(), device: context.device().clone() })
    }

    fn build_error(&self, status: Status, source: &str, options: &BuildOptions) -> Error {
        Error::Build(Box::new(BuildError {
            status,
            device: self.device.to_string(),
            driver: self.device.driver_version().unwrap_or_default(),
            options: options.to_string(),
            source: source.to_owned(),
            log: self.log().unwrap_or_else(|error| error.to_string()),
        }))
    }

    /// The compiler's log. Successful builds have one, too: warnings, resource usage.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn log(&self) -> Result<String> {
        let get = self.library.functions().clGetProgramBuildInfo;
        info::text("clGetProgramBuildInfo", |size, value, ret| {
            // SAFETY: the program and its own device; `info` passes matching pointers and sizes.
            unsafe { get(self.raw, self.device.as_raw(), cl_sys::CL_PROGRAM_BUILD_LOG, size, value, ret) }
        })
    }

    /// The names of the program's kernels.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn kernel_names(&self) -> Result<Vec<String>> {
        let get = self.library.functions().clGetProgramInfo;
        let names = info::text("clGetProgramInfo", |size, value, ret| {
            // SAFETY: a valid program; `info` passes matching pointers and sizes.
            unsafe { get(self.raw, cl_sys::CL_PROGRAM_KERNEL_NAMES, size, value, ret) }
        })?;
        Ok(names.split(';').filter(|name| !name.is_empty()).map(str::to_owned).collect())
    }

    /// The kernel of this name.
    ///
    /// # Errors
    /// [`Error::UnknownKernel`] with the names that exist, or [`Error::Driver`].
    pub fn kernel(&self, name: &str) -> Result<Kernel> {
        let unknown = || -> Result<Kernel> {
            let available = self.kernel_names().unwrap_or_default();
            Err(Error::UnknownKernel { name: name.to_owned(), available })
        };
        let Ok(text) = CString::new(name) else { return unknown() };
        let mut status = 0;
        // SAFETY: a built program and a NUL-terminated name.
        let raw =
            unsafe { (self.library.functions().clCreateKernel)(self.raw, text.as_ptr(), &raw mut status) };
        if Status(status) == Status::INVALID_KERNEL_NAME {
            return unknown();
        }
        Error::check("clCreateKernel", status).map_err(|error| error.note(format!("kernel `{name}`")))?;
        // SAFETY: the call succeeded and gave us the only reference.
        unsafe { Kernel::from_raw(self.library, raw, name, self.context, &self.device) }
    }

    /// The C handle.
    #[must_use]
    pub fn as_raw(&self) -> cl_program {
        self.raw
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: the handle is owned and released once; kernels keep the program.
        let status = unsafe { (self.library.functions().clReleaseProgram)(self.raw) };
        log_failed_release("clReleaseProgram", status);
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program").field("kernels", &self.kernel_names()).finish_non_exhaustive()
    }
}
