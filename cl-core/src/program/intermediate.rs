//! Programs from an intermediate language: SPIR-V.

use super::compile::lacks;
use super::{MAX_BINARY_BYTES, Program};
use crate::build_options::BuildOptions;
use crate::context::Context;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::raw::require;
use bytemuck::NoUninit;

/// The first word of a SPIR-V module (SPIR-V specification, 2.3).
const SPIRV_MAGIC: u32 = 0x0723_0203;

/// A value for one specialization constant of a SPIR-V module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpecConstant {
    id: u32,
    bytes: [u8; 8],
    size: usize,
}

impl SpecConstant {
    /// Sets the constant that the module decorates with `SpecId id`. `T` must be the constant's
    /// type: a `bool`, or a number of 8 to 64 bits. [`Program::from_il`] refuses larger types.
    #[must_use]
    pub fn new<T: NoUninit>(id: u32, value: T) -> SpecConstant {
        let given = bytemuck::bytes_of(&value);
        let mut bytes = [0; 8];
        let fits = given.len().min(bytes.len());
        bytes[..fits].copy_from_slice(&given[..fits]);
        SpecConstant { id, bytes, size: given.len() }
    }

    fn check(&self) -> Result<()> {
        if matches!(self.size, 1 | 2 | 4 | 8) {
            return Ok(());
        }
        let reason = format!("number {} has {} bytes, must have 1, 2, 4 or 8", self.id, self.size);
        Err(Error::InvalidInput { what: "specialization constant", reason })
    }
}

impl Program {
    /// Compiles a SPIR-V module, with values for some of its specialization constants. Does not use
    /// a cache.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for bytes that are not a SPIR-V module, a constant of an unsupported
    /// size or an invalid option, [`Error::Unsupported`] on a device older than OpenCL 2.1 (2.2
    /// with constants) or without SPIR-V, [`Error::Build`] with the compiler's messages,
    /// [`Error::Driver`] otherwise.
    ///
    /// # Safety
    /// `il` is a valid module; `spirv-val` checks this. Drivers do not validate modules: an invalid
    /// one crashes the process.
    pub unsafe fn from_il(
        context: &Context,
        il: &[u8],
        constants: &[SpecConstant],
        options: &BuildOptions,
    ) -> Result<Program> {
        const CALL: &str = "clCreateProgramWithIL";
        options.check_without_target("a SPIR-V module")?;
        constants.iter().try_for_each(SpecConstant::check)?;
        check_module(il)?;
        let device = context.device();
        let create = require::clCreateProgramWithIL(device)?;
        let set = match constants {
            [] => None,
            _ => Some(require::clSetProgramSpecializationConstant(device)?),
        };
        require_spirv(device)?;
        let mut status = 0;
        // SAFETY: a context, and bytes with their length; the caller promises valid contents.
        let raw = unsafe { create(context.as_raw(), il.as_ptr().cast(), il.len(), &raw mut status) };
        // SAFETY: the only reference, if the call made one.
        let program = unsafe { Program::created(context, raw, CALL, status) }?;
        for (set, constant) in set.iter().flat_map(|set| constants.iter().map(move |c| (set, c))) {
            // SAFETY: a program that is not built; `constant.bytes` holds `constant.size` bytes, at
            // most eight.
            let status =
                unsafe { set(program.as_raw(), constant.id, constant.size, constant.bytes.as_ptr().cast()) };
            Error::check("clSetProgramSpecializationConstant", status)
                .map_err(|error| error.note(format!("constant {}", constant.id)))?;
        }
        program.run_build(options, None)?;
        Ok(program)
    }
}

/// Returns an error unless the bytes look like a SPIR-V module, in either byte order.
fn check_module(il: &[u8]) -> Result<()> {
    let reason = match il.first_chunk() {
        _ if il.len() > MAX_BINARY_BYTES => format!("{} bytes are more than {MAX_BINARY_BYTES}", il.len()),
        _ if !il.len().is_multiple_of(4) => format!("{} bytes are not a multiple of 4", il.len()),
        Some(&word) if [SPIRV_MAGIC.to_le_bytes(), SPIRV_MAGIC.to_be_bytes()].contains(&word) => {
            return Ok(());
        }
        _ => "it does not begin with SPIR-V's magic number".to_owned(),
    };
    Err(Error::InvalidInput { what: "SPIR-V module", reason })
}

fn require_spirv(device: &Device) -> Result<()> {
    let versions = device.il_version()?.unwrap_or_default();
    if versions.split_whitespace().any(|version| version.starts_with("SPIR-V")) {
        return Ok(());
    }
    Err(lacks(device, "SPIR-V, or any other intermediate language"))
}
