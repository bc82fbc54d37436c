//! Properties of a program, and its kernels.

use super::Program;
use super::compile::{c_name, lacks};
use crate::build_error::decode_log;
use crate::error::{Error, Result};
use crate::info;
use crate::kernel::{Declaration, Kernel};
use crate::raw::{cl_kernel, cl_program_build_info, cl_program_info, cl_uint};
use crate::status::Status;
use crate::status::log_failed_release;
use std::ptr::null_mut;

/// The contents of a program for its device, `CL_PROGRAM_BINARY_TYPE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProgramKind {
    /// Nothing, because the program is not compiled.
    None,
    /// Compiled source that is not linked: [`ObjectCode::compile`](crate::ObjectCode::compile).
    Object,
    /// Linked functions without kernels: [`ObjectCode::library`](crate::ObjectCode::library).
    Library,
    /// Kernels that can run.
    Executable,
    /// Another number, of an extension or of a version of OpenCL later than 3.0.
    Other(u32),
}

impl Program {
    /// Returns the compiler's log. Successful builds have one, too, with warnings and resource
    /// usage.
    ///
    /// A program from the cache on disk has the log of loading it, which is usually empty. A build
    /// with [`BuildOptions::uncached`](crate::BuildOptions::uncached) has the compiler's log.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn log(&self) -> Result<String> {
        let query = self.build_query(cl_sys::CL_PROGRAM_BUILD_LOG);
        Ok(decode_log(&info::bytes("clGetProgramBuildInfo", query)?))
    }

    /// Returns the options that the program was built with, as text, `CL_PROGRAM_BUILD_OPTIONS`.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn options(&self) -> Result<String> {
        info::text("clGetProgramBuildInfo", self.build_query(cl_sys::CL_PROGRAM_BUILD_OPTIONS))
    }

    /// Returns the kind of the program's contents for its device.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn kind(&self) -> Result<ProgramKind> {
        let query = self.build_query(cl_sys::CL_PROGRAM_BINARY_TYPE);
        Ok(match info::value::<u32>("clGetProgramBuildInfo", query)? {
            0 => ProgramKind::None,
            1 => ProgramKind::Object,
            2 => ProgramKind::Library,
            4 => ProgramKind::Executable,
            other => ProgramKind::Other(other),
        })
    }

    /// Returns the source. It is empty for a program that was not made from source, or that came
    /// from the cache on disk.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn source(&self) -> Result<String> {
        let mut source = info::bytes("clGetProgramInfo", self.query(cl_sys::CL_PROGRAM_SOURCE))?;
        if source.last() == Some(&0) {
            source.pop();
        }
        Ok(String::from_utf8_lossy(&source).into_owned())
    }

    /// Returns the program's binary for its device, for [`Program::from_binary`] on the same device
    /// and driver.
    ///
    /// # Errors
    /// [`Error::Unsupported`] when the program has no binary, [`Error::Driver`] when the driver
    /// fails to answer.
    pub fn binary(&self) -> Result<Vec<u8>> {
        let size: usize = info::value("clGetProgramInfo", self.query(cl_sys::CL_PROGRAM_BINARY_SIZES))?;
        if size == 0 {
            return Err(lacks(&self.0.device, "the binary of this program"));
        }
        if size > super::MAX_BINARY_BYTES {
            return Err(Error::driver("clGetProgramInfo", Status::INVALID_VALUE)
                .note(format!("the driver reports a program binary of {size} bytes")));
        }
        let mut binary = info::room("clGetProgramInfo", size, 0_u8)?;
        let mut place = binary.as_mut_ptr();
        // SAFETY: the property is a list of pointers, one for each device. Each points to room for
        // the number of bytes that the driver has just reported.
        let status = unsafe {
            (self.0.library.functions().clGetProgramInfo)(
                self.0.raw,
                cl_sys::CL_PROGRAM_BINARIES,
                size_of_val(&place),
                (&raw mut place).cast(),
                null_mut(),
            )
        };
        Error::check("clGetProgramInfo", status)?;
        Ok(binary)
    }

    /// Returns the names of the program's kernels.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn kernel_names(&self) -> Result<Vec<String>> {
        let names = info::text("clGetProgramInfo", self.query(cl_sys::CL_PROGRAM_KERNEL_NAMES))?;
        Ok(names.split(';').filter(|name| !name.is_empty()).map(str::to_owned).collect())
    }

    /// Returns the kernel of this name.
    ///
    /// # Errors
    /// [`Error::UnknownKernel`] with the names that exist, or [`Error::Driver`].
    pub fn kernel(&self, name: &str) -> Result<Kernel> {
        let unknown = || -> Result<Kernel> {
            let available = self.kernel_names().unwrap_or_default();
            Err(Error::UnknownKernel { name: name.to_owned(), available })
        };
        if name.contains('\0') {
            return unknown();
        }
        let text = c_name(name);
        let mut status = 0;
        // SAFETY: a program and a NUL-terminated name.
        let raw = unsafe {
            (self.0.library.functions().clCreateKernel)(self.0.raw, text.as_ptr(), &raw mut status)
        };
        if Status(status) == Status::INVALID_KERNEL_NAME {
            return unknown();
        }
        Error::check("clCreateKernel", status).map_err(|error| error.note(format!("kernel `{name}`")))?;
        // SAFETY: the call succeeded and gave us the only reference.
        unsafe { Kernel::from_raw(self, raw, name) }
    }

    /// Returns all kernels of the program, in the driver's order.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails.
    pub fn kernels(&self) -> Result<Vec<Kernel>> {
        const CALL: &str = "clCreateKernelsInProgram";
        let create = self.0.library.functions().clCreateKernelsInProgram;
        let mut count: cl_uint = 0;
        // SAFETY: a program; null with no entries asks for the number.
        Error::check(CALL, unsafe { create(self.0.raw, 0, null_mut(), &raw mut count) })?;
        if count == 0 {
            return Ok(Vec::new());
        }
        let mut raw: Vec<cl_kernel> = info::room(CALL, count as usize, null_mut())?;
        // SAFETY: there is room for `count` kernels.
        Error::check(CALL, unsafe { create(self.0.raw, count, raw.as_mut_ptr(), null_mut()) })?;
        let mut owned = Unnamed { program: self, raw };
        let mut kernels = Vec::with_capacity(owned.raw.len());
        while let Some(&raw) = owned.raw.first() {
            if raw.is_null() {
                // The driver returned fewer kernels than it had reported.
                return Err(Error::driver(CALL, Status::INVALID_KERNEL).note("the driver left out kernels"));
            }
            let name = self.name_of(raw)?;
            owned.raw.remove(0);
            // SAFETY: the only reference, which `owned` has given up.
            kernels.push(unsafe { Kernel::from_raw(self, raw, &name) }?);
        }
        Ok(kernels)
    }

    /// Returns the compiler's declarations of all kernels.
    pub(crate) fn declarations(&self) -> Result<Vec<Declaration>> {
        let names = self.kernel_names()?;
        names.iter().map(|name| self.kernel(name)?.declaration()).collect()
    }

    fn name_of(&self, kernel: cl_kernel) -> Result<String> {
        let get = self.0.library.functions().clGetKernelInfo;
        info::text("clGetKernelInfo", |size, value, ret| {
            // SAFETY: a valid kernel; `info` passes matching pointers and sizes.
            unsafe { get(kernel, cl_sys::CL_KERNEL_FUNCTION_NAME, size, value, ret) }
        })
    }

    fn query(&self, name: cl_program_info) -> impl info::Query + '_ {
        let get = self.0.library.functions().clGetProgramInfo;
        // SAFETY: a valid program; `info` passes matching pointers and sizes.
        move |size, value, ret| unsafe { get(self.0.raw, name, size, value, ret) }
    }

    fn build_query(&self, name: cl_program_build_info) -> impl info::Query + '_ {
        let get = self.0.library.functions().clGetProgramBuildInfo;
        let device = self.0.device.as_raw();
        // SAFETY: the program and its own device; `info` passes matching pointers and sizes.
        move |size, value, ret| unsafe { get(self.0.raw, device, name, size, value, ret) }
    }
}

/// Kernels whose names are not known yet. Dropping releases them if asking for a name fails.
struct Unnamed<'p> {
    program: &'p Program,
    raw: Vec<cl_kernel>,
}

impl Drop for Unnamed<'_> {
    fn drop(&mut self) {
        for &raw in self.raw.iter().filter(|raw| !raw.is_null()) {
            // SAFETY: the references that `clCreateKernelsInProgram` returned, each released once.
            let status = unsafe { (self.program.0.library.functions().clReleaseKernel)(raw) };
            log_failed_release("clReleaseKernel", status);
        }
    }
}
