//! Programs and kernels. A build reads the text and records it; nothing is compiled.
//!
//! Every function here is OpenCL's function of a similar name, see `library.rs`. Each is as safe to call as
//! OpenCL's.

use super::declaration::Declared;
use super::objects::{
    BuiltProgram, Kernel, Platform, Program, clone_from_handle, from_handle, into_handle, release, retain,
};
use super::probes::KERNELS;
use super::queries::{answer, count, report};
use cl_core::raw::*;
use std::ffi::CStr;
use std::ptr::null_mut;
use std::sync::{Mutex, OnceLock, PoisonError};

pub(super) unsafe extern "system" fn create_program(
    context: cl_context,
    count: cl_uint,
    strings: *const *const c_char,
    lengths: *const size_t,
    status: *mut cl_int,
) -> cl_program {
    let mut source = String::new();
    for at in 0..count as usize {
        // SAFETY: `count` strings, each of its length, or ending in NUL.
        let piece = unsafe {
            let string = *strings.add(at);
            match lengths.as_ref().map(|_| *lengths.add(at)).filter(|&length| length > 0) {
                Some(length) => std::slice::from_raw_parts(string.cast(), length),
                None => CStr::from_ptr(string).to_bytes(),
            }
        };
        source.push_str(&String::from_utf8_lossy(piece));
    }
    // SAFETY: the caller's context and pointer.
    unsafe {
        report(status, CL_SUCCESS);
        into_handle(Program { context: clone_from_handle(context), source, built: OnceLock::new() })
    }
}

pub(super) unsafe extern "system" fn build_program(
    program: cl_program,
    _: cl_uint,
    _: *const cl_device_id,
    options: *const c_char,
    done: Option<BuildCallback>,
    data: *mut c_void,
) -> cl_int {
    // SAFETY: the caller's program, and a string or null.
    let (program_object, options) = unsafe {
        let text = if options.is_null() { c"" } else { CStr::from_ptr(options) };
        (from_handle::<Program>(program), text.to_string_lossy().into_owned())
    };
    let context = &program_object.context;
    let definitions = predefined(context.platform, &options);
    let declared = Declared::read(&program_object.source, definitions);
    // A program with a binary is recorded when it is assembled for its target.
    let is_recorded = binary_of(program_object).is_none();
    let built = BuiltProgram { source: program_object.source.clone(), options: options.clone() };
    if declared.kernels.iter().any(|kernel| KERNELS.contains(&kernel.name.as_str())) {
        let mut probes = context.platform.probes.lock().unwrap_or_else(PoisonError::into_inner);
        if !probes.contains(&built) {
            probes.push(built);
        }
    } else if is_recorded {
        context.built.lock().unwrap_or_else(PoisonError::into_inner).push(built);
    }
    if program_object.built.set((declared, options)).is_err() {
        return CL_INVALID_OPERATION;
    }
    if let Some(done) = done {
        done(program, data);
    }
    CL_SUCCESS
}

/// The first line of the binaries of programs. Their source follows.
const TARGET: &str = ".target sm_90\n";

/// The first line of programs for another target.
const OWN_TARGET: &str = ".target sm_90a\n";

/// Returns the binary of a program with instructions that are hidden from the compiler. Nothing is compiled, so other programs
/// have no binary, and caches have nothing to keep.
fn binary_of(program: &Program) -> Option<String> {
    program.source.contains("//sm_90a ").then(|| format!("{TARGET}{}", program.source))
}

/// Creates a program from a binary whose target was changed.
pub(super) unsafe extern "system" fn create_from_binary(
    context: cl_context,
    _: cl_uint,
    _: *const cl_device_id,
    lengths: *const size_t,
    binaries: *const *const c_uchar,
    binary_status: *mut cl_int,
    status: *mut cl_int,
) -> cl_program {
    // SAFETY: the caller's context and pointers, to one binary of this length.
    unsafe {
        let binary = String::from_utf8_lossy(std::slice::from_raw_parts(*binaries, *lengths)).into_owned();
        let source = binary.strip_prefix(OWN_TARGET).map(str::to_owned);
        let found = if source.is_some() { CL_SUCCESS } else { CL_INVALID_BINARY };
        report(binary_status, found);
        report(status, found);
        source.map_or(null_mut(), |source| {
            into_handle(Program { context: clone_from_handle(context), source, built: OnceLock::new() })
        })
    }
}

/// Returns the macros that a compiler defines for this device, and those that `options` define. Each is a
/// text that can follow `#define`.
fn predefined(platform: &Platform, options: &str) -> Vec<String> {
    let profile = &platform.profile;
    let mut macros: Vec<String> =
        profile.text(CL_DEVICE_EXTENSIONS).split_whitespace().map(|name| format!("{name} 1")).collect();
    let language = options.split_whitespace().find_map(|option| option.strip_prefix("-cl-std=CL"));
    let language = language.unwrap_or("1.2").replace('.', "");
    macros.push(format!("__OPENCL_C_VERSION__ {language}0"));
    macros.push("__ENDIAN_LITTLE__ 1".to_owned());
    let mut words = options.split_whitespace();
    while let Some(word) = words.next() {
        if let Some(rest) = word.strip_prefix("-D") {
            let definition = if rest.is_empty() { words.next().unwrap_or_default() } else { rest };
            let (name, value) = definition.split_once('=').unwrap_or((definition, "1"));
            macros.push(format!("{name} {value}"));
        }
    }
    macros
}

pub(super) unsafe extern "system" fn program(
    handle: cl_program,
    name: cl_program_info,
    size: size_t,
    value: *mut c_void,
    length: *mut size_t,
) -> cl_int {
    // SAFETY: the caller's program and pointers.
    unsafe {
        let program = from_handle::<Program>(handle);
        let text = |text: &str| [text.as_bytes(), &[0]].concat();
        match name {
            CL_PROGRAM_SOURCE => answer(&text(&program.source), size, value, length),
            CL_PROGRAM_KERNEL_NAMES => {
                let names: Vec<&str> = program.kernels().iter().map(|kernel| kernel.name.as_str()).collect();
                answer(&text(&names.join(";")), size, value, length)
            }
            CL_PROGRAM_NUM_KERNELS => answer(&program.kernels().len().to_ne_bytes(), size, value, length),
            CL_PROGRAM_NUM_DEVICES => answer(&1_u32.to_ne_bytes(), size, value, length),
            CL_PROGRAM_BINARY_SIZES => {
                let binary = binary_of(program).map_or(0, |binary| binary.len());
                answer(&binary.to_ne_bytes(), size, value, length)
            }
            CL_PROGRAM_BINARIES => {
                let Some(binary) = binary_of(program) else { return CL_INVALID_VALUE };
                if let Some(length) = length.as_mut() {
                    *length = size_of::<*mut u8>();
                }
                if let Some(place) = value.cast::<*mut u8>().as_ref() {
                    place.copy_from_nonoverlapping(binary.as_ptr(), binary.len());
                }
                CL_SUCCESS
            }
            _ => CL_INVALID_VALUE,
        }
    }
}

pub(super) unsafe extern "system" fn build(
    handle: cl_program,
    _: cl_device_id,
    name: cl_program_build_info,
    size: size_t,
    value: *mut c_void,
    length: *mut size_t,
) -> cl_int {
    // SAFETY: the caller's program and pointers.
    unsafe {
        let program = from_handle::<Program>(handle);
        let (is_built, options) = match program.built.get() {
            Some((_, options)) => (true, options.as_str()),
            None => (false, ""),
        };
        match name {
            CL_PROGRAM_BUILD_STATUS => {
                let status = if is_built { CL_BUILD_SUCCESS } else { CL_BUILD_NONE };
                answer(&status.to_ne_bytes(), size, value, length)
            }
            CL_PROGRAM_BUILD_OPTIONS => answer(&[options.as_bytes(), &[0]].concat(), size, value, length),
            CL_PROGRAM_BUILD_LOG => answer(&[0], size, value, length),
            CL_PROGRAM_BINARY_TYPE => {
                let kind: cl_uint = if is_built { 4 } else { 0 }; // an executable
                answer(&kind.to_ne_bytes(), size, value, length)
            }
            _ => CL_INVALID_VALUE,
        }
    }
}

pub(super) unsafe extern "system" fn create_kernel(
    program: cl_program,
    name: *const c_char,
    status: *mut cl_int,
) -> cl_kernel {
    // SAFETY: the caller's program, string and pointer.
    unsafe {
        let program = clone_from_handle::<Program>(program);
        let name = CStr::from_ptr(name).to_string_lossy();
        let found = program.kernels().iter().find(|kernel| kernel.name == name).cloned();
        report(status, if found.is_some() { CL_SUCCESS } else { CL_INVALID_KERNEL_NAME });
        found.map_or(null_mut(), |declaration| {
            let arguments = Mutex::new(vec![None; declaration.parameters]);
            into_handle(Kernel { program, declaration, arguments })
        })
    }
}

pub(super) unsafe extern "system" fn set_argument(
    kernel: cl_kernel,
    index: cl_uint,
    size: size_t,
    value: *const c_void,
) -> cl_int {
    // SAFETY: the caller's kernel.
    let kernel = unsafe { from_handle::<Kernel>(kernel) };
    let mut arguments = kernel.arguments.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(place) = arguments.get_mut(index as usize) else { return CL_INVALID_ARG_INDEX };
    // SAFETY: the caller's value of this size, or null.
    *place = (!value.is_null()).then(|| unsafe { std::slice::from_raw_parts(value.cast(), size) }.to_vec());
    CL_SUCCESS
}

pub(super) unsafe extern "system" fn kernel(
    handle: cl_kernel,
    name: cl_kernel_info,
    size: size_t,
    value: *mut c_void,
    length: *mut size_t,
) -> cl_int {
    // SAFETY: the caller's kernel and pointers.
    unsafe {
        let kernel = from_handle::<Kernel>(handle);
        match name {
            CL_KERNEL_FUNCTION_NAME => {
                answer(&[kernel.declaration.name.as_bytes(), &[0]].concat(), size, value, length)
            }
            CL_KERNEL_NUM_ARGS => {
                answer(&(kernel.declaration.parameters as cl_uint).to_ne_bytes(), size, value, length)
            }
            CL_KERNEL_ATTRIBUTES => answer(&[0], size, value, length),
            _ => CL_INVALID_VALUE,
        }
    }
}

/// Answers no question: only the number of arguments is known.
pub(super) unsafe extern "system" fn argument(
    _: cl_kernel,
    _: cl_uint,
    _: cl_kernel_arg_info,
    _: size_t,
    _: *mut c_void,
    _: *mut size_t,
) -> cl_int {
    CL_KERNEL_ARG_INFO_NOT_AVAILABLE
}

pub(super) unsafe extern "system" fn work_group(
    handle: cl_kernel,
    _: cl_device_id,
    name: cl_kernel_work_group_info,
    size: size_t,
    value: *mut c_void,
    length: *mut size_t,
) -> cl_int {
    // SAFETY: the caller's kernel and pointers.
    unsafe {
        let kernel = from_handle::<Kernel>(handle);
        let largest = kernel.program.context.platform.profile.number(CL_DEVICE_MAX_WORK_GROUP_SIZE);
        match name {
            CL_KERNEL_WORK_GROUP_SIZE => answer(&largest.to_ne_bytes(), size, value, length),
            CL_KERNEL_COMPILE_WORK_GROUP_SIZE => {
                let group = kernel.declaration.group.map(usize::to_ne_bytes);
                answer(group.as_flattened(), size, value, length)
            }
            CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE => {
                answer(&1_usize.to_ne_bytes(), size, value, length)
            }
            CL_KERNEL_LOCAL_MEM_SIZE | CL_KERNEL_PRIVATE_MEM_SIZE => {
                answer(&0_u64.to_ne_bytes(), size, value, length)
            }
            _ => CL_INVALID_VALUE,
        }
    }
}

count! {
    retain_program, release_program: cl_program, Program;
    retain_kernel, release_kernel: cl_kernel, Kernel;
}
