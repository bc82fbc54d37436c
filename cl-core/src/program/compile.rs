//! Compilation of source into a program, without a cache.

use super::{ObjectCode, Program, Source};
use crate::build_error::BuildError;
use crate::build_options::BuildOptions;
use crate::context::Context;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::raw::{c_char, cl_int};
use crate::status::Status;
use std::ffi::CString;
use std::ptr::null_mut;

impl Program {
    /// Compiles checked source with checked options.
    pub(crate) fn compile(context: &Context, source: &Source<'_>, options: &BuildOptions) -> Result<Program> {
        if source.headers().is_empty() {
            let program = Program::create(context, source.pieces())?;
            program.run_build(options, Some(source))?;
            return program.assembled(context, options);
        }
        // `clBuildProgram` takes no headers: a source with headers needs a compilation and a link.
        Program::link(context, &[&ObjectCode::compile_checked(context, source, options)?])?
            .assembled(context, options)
    }

    /// Assembles the program again for the options' PTX target, if they have one.
    fn assembled(self, context: &Context, options: &BuildOptions) -> Result<Program> {
        let Some(target) = options.target() else { return Ok(self) };
        let text = ptx_for(target, &self.binary()?).ok_or_else(|| {
            lacks(
                &self.0.device,
                &format!("programs for the PTX target {target}: its programs have another one"),
            )
        })?;
        let options = BuildOptions::new();
        // SAFETY: the driver made this text, which is assembled as the first text was. The assembler checks it.
        let program = unsafe { Program::from_binary(context, text.as_bytes(), &options) }?;
        Ok(program.declaring(self.declarations()?))
    }

    /// Creates a program that is not compiled yet.
    pub(super) fn create(context: &Context, pieces: &[&str]) -> Result<Program> {
        const CALL: &str = "clCreateProgramWithSource";
        let (texts, lengths): (Vec<*const c_char>, Vec<usize>) =
            pieces.iter().map(|piece| (piece.as_ptr().cast::<c_char>(), piece.len())).unzip();
        let count = count(pieces.len(), "program source")?;
        let mut status = 0;
        // SAFETY: one length for each string; the driver copies the strings.
        let raw = unsafe {
            (context.library().functions().clCreateProgramWithSource)(
                context.as_raw(),
                count,
                texts.as_ptr(),
                lengths.as_ptr(),
                &raw mut status,
            )
        };
        // SAFETY: the only reference, if the call made one.
        unsafe { Program::created(context, raw, CALL, status) }
    }

    /// Calls `clBuildProgram`; the error shows `source`.
    pub(super) fn run_build(&self, options: &BuildOptions, source: Option<&Source<'_>>) -> Result<()> {
        let text = options.to_c();
        let id = self.0.device.as_raw();
        let build = self.0.library.functions().clBuildProgram;
        // SAFETY: a program, its own context's device, a NUL-terminated string, no callback.
        let status = unsafe { build(self.0.raw, 1, &raw const id, text.as_ptr(), None, null_mut()) };
        self.outcome("clBuildProgram", status, options.to_string(), source)
    }

    /// Converts the status of a build, a compilation or a link to a result.
    pub(super) fn outcome(
        &self,
        call: &'static str,
        status: cl_int,
        options: String,
        source: Option<&Source<'_>>,
    ) -> Result<()> {
        match Status(status) {
            Status::SUCCESS => Ok(()),
            status @ (Status::BUILD_PROGRAM_FAILURE
            | Status::COMPILE_PROGRAM_FAILURE
            | Status::LINK_PROGRAM_FAILURE
            | Status::INVALID_BUILD_OPTIONS
            | Status::INVALID_COMPILER_OPTIONS
            | Status::INVALID_LINKER_OPTIONS) => Err(Error::Build(Box::new(BuildError {
                status,
                purpose: String::new(),
                device: self.0.device.to_string(),
                driver: self.0.device.driver_version().unwrap_or_default(),
                options,
                source: source.map(Source::text).unwrap_or_default(),
                headers: source.map(Source::headers).unwrap_or_default().iter().map(owned).collect(),
                log: self.log().unwrap_or_else(|error| error.to_string()),
            }))),
            Status::COMPILER_NOT_AVAILABLE => Err(lacks(&self.0.device, "a compiler: build from a binary")),
            Status::LINKER_NOT_AVAILABLE => {
                Err(lacks(&self.0.device, "a linker: give the source in one piece"))
            }
            status => Err(Error::driver(call, status).note(format!("on {}", self.0.device))),
        }
    }

    /// Takes over the program that a function created, or returns its error.
    ///
    /// # Safety
    /// As for `from_raw`, if `raw` is not null.
    pub(super) unsafe fn created(
        context: &Context,
        raw: crate::raw::cl_program,
        call: &'static str,
        status: cl_int,
    ) -> Result<Program> {
        // Some drivers return a program along with an error; then the program is released.
        // SAFETY: by the caller's promise.
        let program = (!raw.is_null()).then(|| unsafe { Program::from_raw(context, raw) });
        Error::check(call, status).map_err(|error| error.note(format!("on {}", context.device())))?;
        program.ok_or_else(|| returned_null(call))
    }
}

/// Returns a program's text for another target, with the instructions behind `//target `; `None` if the binary is not a text
/// for a target of this family: `sm_90` is that of `sm_90a`.
fn ptx_for(target: &str, binary: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(binary).ok()?;
    let family = target.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let directive = text.lines().find(|line| line.starts_with(".target "))?;
    let others = directive.strip_prefix(&format!(".target {family}"))?;
    if !others.is_empty() && !others.starts_with(',') {
        return None;
    }
    let text = text.replacen(directive, &format!(".target {target}{others}"), 1);
    Some(text.replace(&format!("//{target} "), ""))
}

fn owned((name, text): &(&str, &str)) -> (String, String) {
    ((*name).to_owned(), (*text).to_owned())
}

/// Converts a number of items to OpenCL's type; an error for zero or too many.
pub(super) fn count(len: usize, what: &'static str) -> Result<u32> {
    if len == 0 {
        return Err(Error::InvalidInput { what, reason: "at least one is needed".to_owned() });
    }
    u32::try_from(len).map_err(|_| Error::InvalidInput { what, reason: format!("{len} are too many") })
}

/// Converts a checked name to a C string. The check has refused NUL bytes.
pub(super) fn c_name(name: &str) -> CString {
    CString::new(name).unwrap_or_default()
}

/// Returns the error for a driver that reports success and returns null.
pub(super) fn returned_null(call: &'static str) -> Error {
    Error::driver(call, Status::INVALID_PROGRAM).note("the driver returned null")
}

/// Returns the error for a feature that a device lacks.
pub(super) fn lacks(device: &Device, feature: &str) -> Error {
    Error::Unsupported { feature: feature.to_owned(), device: device.to_string() }
}

#[cfg(test)]
mod tests {
    use super::ptx_for;

    const TEXT: &str =
        ".version 9.0\n.target sm_90, texmode_independent\n\t//sm_90a wgmma.fence;\n\t// a comment\n\0";

    #[test]
    fn a_text_gets_another_target_and_its_instructions() {
        let changed = ".version 9.0\n.target sm_90a, texmode_independent\n\twgmma.fence;\n\t// a comment\n\0";
        assert_eq!(ptx_for("sm_90a", TEXT.as_bytes()).as_deref(), Some(changed));
        assert_eq!(ptx_for("sm_90a", b".target sm_90\n").as_deref(), Some(".target sm_90a\n"));
    }

    #[test]
    fn other_binaries_are_refused() {
        for binary in [&b""[..], b"\x7fELF", b".target sm_901\n", b".target sm_89\n", b"\xff.target sm_90\n"]
        {
            assert_eq!(ptx_for("sm_90a", binary), None, "{binary:?}");
        }
        assert_eq!(ptx_for("sm_100a", TEXT.as_bytes()), None);
    }
}
