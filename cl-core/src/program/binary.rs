//! Programs from binaries, and from what devices have built in.

use super::Program;
use super::compile::{c_name, count, lacks};
use crate::build_options::BuildOptions;
use crate::context::Context;
use crate::error::{Error, Result};

/// A binary larger than this is none.
pub(crate) const MAX_BINARY_BYTES: usize = 256 << 20;

impl Program {
    /// A program from a binary that [`Program::binary`] returned for the same device and driver.
    ///
    /// For binaries of one's own programs there is no need of this: [`Program::build`] keeps them.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for no bytes or more than 256 MiB, [`Error::Build`] or
    /// [`Error::Driver`] when the driver finds that the binary is not its own.
    ///
    /// # Safety
    /// `binary` is, byte for byte, what this device's driver made. Drivers do not verify binaries:
    /// truncated or changed ones crash the process, and on CPU devices a binary is native code that
    /// runs with all rights of the process.
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
        // SAFETY: one device with one binary and its length; the caller vouches for its content.
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
        // SAFETY: the call's only reference, if it made one.
        let program = unsafe { Program::created(context, raw, CALL, status) }?;
        Error::check(CALL, binary_status)?;
        // Every driver wants a build, which for a binary does not compile but load.
        program.run_build(options, None)?;
        Ok(program)
    }

    /// The kernels of these names that the device has built in, `CL_DEVICE_BUILT_IN_KERNELS`.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for no name or a name that is no identifier, [`Error::Unsupported`]
    /// when the device lacks one, [`Error::Driver`] otherwise.
    pub fn from_built_in_kernels(context: &Context, names: &[&str]) -> Result<Program> {
        const CALL: &str = "clCreateProgramWithBuiltInKernels";
        let what = "name of a built-in kernel";
        count(names.len(), what)?;
        // PoCL's names have dots in them: `pocl.add.i32`.
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
        // SAFETY: the call's only reference, if it made one.
        unsafe { Program::created(context, raw, CALL, status) }
    }
}
