//! Programs from SPIR-V. Devices without SPIR-V refuse them. On other devices they are passed on unchanged.
//!
//! Perhaps no driver at hand has SPIR-V, so a fake one records the module that it gets, and makes a program
//! from source instead.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::raw::{
    Functions, c_char, c_void, cl_context, cl_device_id, cl_device_info, cl_int, cl_program, cl_uint, size_t,
};
use cl_core::{BuildOptions, Context, Device, Error, Library, Program, SpecConstant, Status};
use cl_test::counting::{self, Calls};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Returns the header of a module: magic, version 1.0, generator, bound, schema.
fn module() -> Vec<u8> {
    [0x0723_0203_u32, 0x0001_0000, 0, 1, 0].iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn from_il(device: &Device, il: &[u8], constants: &[SpecConstant]) -> cl_core::Result<Program> {
    let context = Context::on(device).unwrap();
    // SAFETY: the driver is a fake, or refuses all modules.
    unsafe { Program::from_il(&context, il, constants, &BuildOptions::new()) }
}

#[test]
fn what_is_no_module_is_refused_before_the_driver() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let context = Context::on(&device).unwrap();
        let good = module();
        let calls = counter.calls_during(|| {
            let source = b"kernel void f(global int *x) { x[0] = 1; }  ";
            let wide = [SpecConstant::new(1, [0_u64; 2])];
            let three = [SpecConstant::new(1, [0_u8; 3])];
            for (il, constants) in
                [(&b""[..], &[][..]), (source, &[]), (&good[..7], &[]), (&good, &wide), (&good, &three)]
            {
                // SAFETY: refused.
                let refused = unsafe { Program::from_il(&context, il, constants, &BuildOptions::new()) };
                assert!(matches!(refused, Err(Error::InvalidInput { .. })), "{refused:?}");
            }
            let options = BuildOptions::new().define("A B", 1);
            // SAFETY: refused.
            let refused = unsafe { Program::from_il(&context, &good, &[], &options) };
            assert!(matches!(refused, Err(Error::InvalidInput { what: "build option", .. })), "{refused:?}");
        });
        assert_eq!(calls, Calls::new());
    }
}

/// The arguments that the fake driver got.
#[derive(Debug, Default, PartialEq)]
struct Given {
    modules: Vec<Vec<u8>>,
    constants: Vec<(u32, Vec<u8>)>,
}

static GIVEN: Mutex<Given> = Mutex::new(Given { modules: Vec::new(), constants: Vec::new() });

fn given() -> MutexGuard<'static, Given> {
    GIVEN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn system() -> &'static Functions {
    Library::load().unwrap().functions()
}

/// Answers as the system, except for the versions of OpenCL and of SPIR-V.
unsafe fn info(
    texts: [(cl_device_info, &[u8]); 2],
    (device, name): (cl_device_id, cl_device_info),
    (size, value, size_ret): (size_t, *mut c_void, *mut size_t),
) -> cl_int {
    let Some((_, text)) = texts.iter().find(|(known, _)| *known == name) else {
        // SAFETY: the caller's arguments, unchanged.
        return unsafe { (system().clGetDeviceInfo)(device, name, size, value, size_ret) };
    };
    if !value.is_null() {
        // SAFETY: there is room for `size` bytes.
        unsafe { value.cast::<u8>().copy_from_nonoverlapping(text.as_ptr(), size.min(text.len())) };
    }
    if !size_ret.is_null() {
        // SAFETY: null or a pointer for the size.
        unsafe { *size_ret = text.len() };
    }
    0
}

const VERSION: cl_device_info = 0x102F;
const IL_VERSION: cl_device_info = 0x105B;

macro_rules! fake_devices {
    ($($name:ident: $version:literal, $il:literal;)*) => {
        $(
            unsafe extern "system" fn $name(
                device: cl_device_id,
                name: cl_device_info,
                size: size_t,
                value: *mut c_void,
                size_ret: *mut size_t,
            ) -> cl_int {
                // SAFETY: the caller's arguments.
                unsafe { info([(VERSION, $version), (IL_VERSION, $il)], (device, name), (size, value, size_ret)) }
            }
        )*
    };
}

fake_devices! {
    with_spirv: b"OpenCL 3.0 fake\0", b"SPIR-V_1.0 SPIR-V_1.2\0";
    without_il: b"OpenCL 3.0 fake\0", b"\0";
    without_constants: b"OpenCL 2.1 fake\0", b"SPIR-V_1.0\0";
    older: b"OpenCL 2.0 fake\0", b"SPIR-V_1.0\0";
}

unsafe extern "system" fn create(
    context: cl_context,
    il: *const c_void,
    length: size_t,
    status: *mut cl_int,
) -> cl_program {
    // SAFETY: OpenCL's caller gives `length` bytes.
    given().modules.push(unsafe { std::slice::from_raw_parts(il.cast::<u8>(), length) }.to_vec());
    let source: *const c_char = c"kernel void from_spirv(global int *x) { x[0] = 1; }".as_ptr();
    // SAFETY: one string that ends in NUL; the caller's context and pointer for the status.
    unsafe { (system().clCreateProgramWithSource)(context, 1, &raw const source, std::ptr::null(), status) }
}

unsafe extern "system" fn set(_: cl_program, id: cl_uint, size: size_t, value: *const c_void) -> cl_int {
    if id == 404 {
        return Status::INVALID_SPEC_ID.0;
    }
    // SAFETY: OpenCL's caller gives `size` bytes.
    given().constants.push((id, unsafe { std::slice::from_raw_parts(value.cast::<u8>(), size) }.to_vec()));
    0
}

type Info =
    unsafe extern "system" fn(cl_device_id, cl_device_info, size_t, *mut c_void, *mut size_t) -> cl_int;

/// Returns the first device, of a driver that answers with `info`.
fn fake(info: Info, functions_there: bool) -> Device {
    let mut functions = *system();
    functions.clGetDeviceInfo = info;
    functions.clCreateProgramWithIL = functions_there.then_some(create as _);
    functions.clSetProgramSpecializationConstant = functions_there.then_some(set as _);
    // SAFETY: the entries are the system's, or fakes that keep to OpenCL's rules.
    Device::all_of(unsafe { Library::from_functions(functions) }).unwrap().swap_remove(0)
}

#[test]
fn a_module_and_its_constants_reach_the_driver() {
    let constants = [
        SpecConstant::new(1, true),
        SpecConstant::new(2, -2_i16),
        SpecConstant::new(3, 1.5_f32),
        SpecConstant::new(4, u64::MAX - 1),
    ];
    *given() = Given::default();
    let program = from_il(&fake(with_spirv, true), &module(), &constants).unwrap();
    assert_eq!(program.kernel_names().unwrap(), ["from_spirv"]);
    let bytes = [
        (1, vec![1]),
        (2, (-2_i16).to_ne_bytes().to_vec()),
        (3, 1.5_f32.to_ne_bytes().to_vec()),
        (4, (u64::MAX - 1).to_ne_bytes().to_vec()),
    ];
    assert_eq!(*given(), Given { modules: vec![module()], constants: bytes.to_vec() });

    // Constants need OpenCL 2.2, a module alone 2.1.
    from_il(&fake(without_constants, true), &module(), &[]).unwrap();
    let made = given().modules.len();
    for (device, constants, missing) in [
        (fake(without_constants, true), &constants[..], "clSetProgramSpecializationConstant"),
        (fake(without_il, true), &[], "SPIR-V"),
        (fake(older, true), &[], "clCreateProgramWithIL"),
        (fake(with_spirv, false), &[], "clCreateProgramWithIL"),
    ] {
        let error = from_il(&device, &module(), constants).unwrap_err();
        assert!(matches!(error, Error::Unsupported { .. }), "{error}");
        assert!(error.to_string().contains(missing), "{error}");
    }
    assert_eq!(given().modules.len(), made, "nothing was created");

    let error = from_il(&fake(with_spirv, true), &module(), &[SpecConstant::new(404, 1)]).unwrap_err();
    assert_eq!(error.status(), Some(Status::INVALID_SPEC_ID));
    assert!(error.to_string().contains("constant 404"), "{error}");
}

/// Checks devices without SPIR-V. PoCL has SPIR-V only if it was built with it.
#[test]
fn devices_without_spirv_say_so() {
    cl_test::each_device(|device| {
        let name = cl_core::raw::CL_DEVICE_IL_VERSION;
        let mut size = 0;
        // SAFETY: a valid device; only the size is asked for.
        unsafe {
            (device.library().functions().clGetDeviceInfo)(
                device.as_raw(),
                name,
                0,
                std::ptr::null_mut(),
                &raw mut size,
            )
        };
        if size <= 1 {
            let error = from_il(device, &module(), &[]).unwrap_err();
            assert!(matches!(error, Error::Unsupported { .. }), "{error}");
        }
    });
}
