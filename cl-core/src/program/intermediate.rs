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
    /// The constant that the module decorates with `SpecId id`. The type must be the constant's: a
    /// `bool`, or a number of 8 to 64 bits; [`Program::from_il`] refuses larger ones.
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
    /// Compiles a SPIR-V module, with values for some of its specialization constants. No cache is
    /// asked.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for bytes that are no SPIR-V module, a constant of an odd size or an
    /// invalid option, [`Error::Unsupported`] on a device older than OpenCL 2.1 (2.2 with constants)
    /// or without SPIR-V, [`Error::Build`] with the compiler's messages, [`Error::Driver`] otherwise.
    ///
    /// # Safety
    /// `il` is a valid module (`spirv-val` tells). Drivers do not validate modules: broken ones
    /// crash the process.
    pub unsafe fn from_il(
        context: &Context,
        il: &[u8],
        constants: &[SpecConstant],
        options: &BuildOptions,
    ) -> Result<Program> {
        const CALL: &str = "clCreateProgramWithIL";
        options.check()?;
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
        // SAFETY: a context, and bytes with their length, which the caller vouches for.
        let raw = unsafe { create(context.as_raw(), il.as_ptr().cast(), il.len(), &raw mut status) };
        // SAFETY: the call's only reference, if it made one.
        let program = unsafe { Program::created(context, raw, CALL, status) }?;
        for (set, constant) in set.iter().flat_map(|set| constants.iter().map(move |c| (set, c))) {
            // SAFETY: a program that is not built, and as many bytes as are said, at most eight.
            let status =
                unsafe { set(program.as_raw(), constant.id, constant.size, constant.bytes.as_ptr().cast()) };
            Error::check("clSetProgramSpecializationConstant", status)
                .map_err(|error| error.note(format!("constant {}", constant.id)))?;
        }
        program.run_build(options, None)?;
        Ok(program)
    }
}

/// That the bytes look like a module of SPIR-V, in either byte order.
fn check_module(il: &[u8]) -> Result<()> {
    let reason = match il.first_chunk() {
        _ if il.len() > MAX_BINARY_BYTES => format!("{} bytes are more than {MAX_BINARY_BYTES}", il.len()),
        _ if !il.len().is_multiple_of(4) => format!("{} bytes are no whole number of words", il.len()),
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
