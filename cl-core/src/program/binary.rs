//! Programs from binaries, and from kernels that are built into devices.

use super::Program;
use super::compile::{c_name, count, lacks};
use crate::build_options::BuildOptions;
use crate::context::Context;
use crate::error::{Error, Result};

/// The largest size of a binary.
pub(crate) const MAX_BINARY_BYTES: usize = 256 << 20;

impl Program {
    /// Loads a program from a binary that [`Program::binary`] returned for the same device and
    /// driver.
    ///
    /// A program need not store its own binaries: [`Program::build`] keeps them in a cache.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for an empty binary or one of more than 256 MiB, [`Error::Build`] or
    /// [`Error::Driver`] when the driver does not recognise the binary as its own.
    ///
    /// # Safety
    /// `binary` is unchanged, byte for byte, since this device's driver made it. Drivers do not
    /// verify binaries: a truncated or changed one crashes the process. On CPU devices a binary is
    /// native code that runs with all rights of the process.
    pub unsafe fn from_binary(context: &Context, binary: &[u8], options: &BuildOptions) -> Result<Program> {
        const CALL: &str = "clCreateProgramWithBinary";
        options.check()?;
        if binary.is_empty() || binary.len() > MAX_BINARY_BYTES {
            let reason = format!("{} bytes, must be 1 to {MAX_BINARY_BYTES}", binary.len());
            return Err(Error::InvalidInput { what: "program binary", reason });
        }
        let (bytes, length) = (binary.as_ptr(), binary.len());
        let id = context.device().as_raw();
        let (mut binary_status, mut status) = (0, 0);
        // SAFETY: one device with one binary and its length; the caller promises valid contents.
        let raw = unsafe {
            (context.library().functions().clCreateProgramWithBinary)(
                context.as_raw(),
                1,
                &raw const id,
                &raw const length,
                &raw const bytes,
                &raw mut binary_status,
                &raw mut status,
            )
        };
        // SAFETY: the only reference, if the call made one.
        let program = unsafe { Program::created(context, raw, CALL, status) }?;
        Error::check(CALL, binary_status)?;
        // Every driver requires a build, which loads a binary instead of compiling.
        program.run_build(options, None)?;
        Ok(program)
    }

    /// Returns a program of built-in kernels of the device, by their names,
    /// `CL_DEVICE_BUILT_IN_KERNELS`.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for an empty list or a name that is not an identifier,
    /// [`Error::Unsupported`] when the device lacks one of the kernels, [`Error::Driver`]
    /// otherwise.
    pub fn from_built_in_kernels(context: &Context, names: &[&str]) -> Result<Program> {
        const CALL: &str = "clCreateProgramWithBuiltInKernels";
        let what = "name of a built-in kernel";
        count(names.len(), what)?;
        // PoCL's names contain dots: `pocl.add.i32`.
        let plain = |name: &str| {
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.-:".contains(&b))
        };
        if let Some(name) = names.iter().find(|name| !plain(name)) {
            return Err(Error::InvalidInput { what, reason: format!("{name:?}") });
        }
        let device = context.device();
        let known = device.built_in_kernels()?;
        if let Some(name) = names.iter().find(|name| !known.iter().any(|k| k == *name)) {
            return Err(lacks(device, &format!("the built-in kernel `{name}`")));
        }
        let text = c_name(&names.join(";"));
        let id = device.as_raw();
        let mut status = 0;
        // SAFETY: the context's device and a NUL-terminated string.
        let raw = unsafe {
            (context.library().functions().clCreateProgramWithBuiltInKernels)(
                context.as_raw(),
                1,
                &raw const id,
                text.as_ptr(),
                &raw mut status,
            )
        };
        // SAFETY: the only reference, if the call made one.
        unsafe { Program::created(context, raw, CALL, status) }
    }
}
