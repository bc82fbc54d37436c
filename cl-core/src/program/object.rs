//! Separate compilation and linking: several sources that become one program.

use super::compile::{c_name, count, returned_null};
use super::{Program, Source};
use crate::build_options::BuildOptions;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::raw::{c_char, cl_program};
use std::ffi::CString;
use std::ptr::{null, null_mut};

/// Compiled source that is not linked, like an object file.
///
/// ```
/// # fn main() -> cl_core::Result<()> {
/// use cl_core::{BuildOptions, Context, Device, ObjectCode, Program};
/// let context = Context::on(&Device::first()?)?;
/// let options = BuildOptions::new();
/// let square = ObjectCode::compile(&context, "int square(int x) { return x * x; }", &options)?;
/// let kernel = "int square(int); kernel void f(global int *x) { x[0] = square(x[0]); }";
/// let kernel = ObjectCode::compile(&context, kernel, &options)?;
/// let program = Program::link(&context, &[&kernel, &square])?;
/// assert_eq!(program.kernel_names()?, ["f"]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct ObjectCode(Program);

impl ObjectCode {
    /// Compiles a source, with its headers, without linking it. Does not use a cache.
    ///
    /// # Errors
    /// As [`Program::build`].
    pub fn compile<'s>(
        context: &Context,
        source: impl Into<Source<'s>>,
        options: &BuildOptions,
    ) -> Result<ObjectCode> {
        let source = source.into();
        options.check_without_target("code that is not linked")?;
        source.check()?;
        ObjectCode::compile_checked(context, &source, options)
    }

    pub(super) fn compile_checked(
        context: &Context,
        source: &Source<'_>,
        options: &BuildOptions,
    ) -> Result<ObjectCode> {
        let program = Program::create(context, source.pieces())?;
        let headers = source.headers().iter().map(|(_, text)| Program::create(context, &[text]));
        let headers = headers.collect::<Result<Vec<_>>>()?;
        let raw: Vec<cl_program> = headers.iter().map(Program::as_raw).collect();
        let names: Vec<CString> = source.headers().iter().map(|(name, _)| c_name(name)).collect();
        let names: Vec<*const c_char> = names.iter().map(|name| name.as_ptr()).collect();
        let headers_given = if raw.is_empty() { 0 } else { count(raw.len(), "program header")? };
        let text = options.to_c();
        let id = context.device().as_raw();
        // SAFETY: programs of one context and its device, one name for each header, NUL-terminated
        // strings, no callback.
        let status = unsafe {
            (context.library().functions().clCompileProgram)(
                program.as_raw(),
                1,
                &raw const id,
                text.as_ptr(),
                headers_given,
                pointer(&raw),
                pointer(&names),
                None,
                null_mut(),
            )
        };
        program.outcome("clCompileProgram", status, options.to_string(), Some(source))?;
        Ok(ObjectCode(program))
    }

    /// Links objects to a library: one object of all their functions, which may still refer to
    /// missing names.
    ///
    /// # Errors
    /// As [`Program::link`].
    pub fn library(context: &Context, objects: &[&ObjectCode]) -> Result<ObjectCode> {
        link(context, objects, "-create-library").map(ObjectCode)
    }

    /// Returns the object as a program, for its log and its binary.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.0
    }
}

impl Program {
    /// Links objects to a program with kernels. Does not use a cache.
    ///
    /// # Errors
    /// [`Error::Build`] with the linker's messages, [`Error::InvalidInput`] for an empty list,
    /// [`Error::ForeignObject`] for an object of another context, [`Error::Unsupported`] on a
    /// device without a linker, [`Error::Driver`] otherwise.
    pub fn link(context: &Context, objects: &[&ObjectCode]) -> Result<Program> {
        link(context, objects, "")
    }
}

fn link(context: &Context, objects: &[&ObjectCode], options: &str) -> Result<Program> {
    const CALL: &str = "clLinkProgram";
    let count = count(objects.len(), "list of objects to link")?;
    if objects.iter().any(|object| object.0.0.context != context.as_raw()) {
        let reason = "an object was compiled in another context";
        return Err(Error::ForeignObject { operation: "link", reason });
    }
    let raw: Vec<cl_program> = objects.iter().map(|object| object.0.as_raw()).collect();
    let text = c_name(options);
    let id = context.device().as_raw();
    let mut status = 0;
    // SAFETY: programs of the context, its device, a NUL-terminated string, no callback.
    let linked = unsafe {
        (context.library().functions().clLinkProgram)(
            context.as_raw(),
            1,
            &raw const id,
            text.as_ptr(),
            count,
            raw.as_ptr(),
            None,
            null_mut(),
            &raw mut status,
        )
    };
    // A failed link may return a program, which holds the linker's log. Without such a program, the
    // first object makes the error, because it also knows the device.
    // SAFETY: the only reference.
    let program = (!linked.is_null()).then(|| unsafe { Program::from_raw(context, linked) });
    program.as_ref().unwrap_or(&objects[0].0).outcome(CALL, status, options.to_owned(), None)?;
    program.ok_or_else(|| returned_null(CALL))
}

/// Returns the pointer to a list for C, which needs null for an empty list.
fn pointer<T>(list: &[T]) -> *const T {
    if list.is_empty() { null() } else { list.as_ptr() }
}
