//! The properties of kernels, on every device.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::raw::*;
use cl_core::{
    AddressSpace, Buffer, BuildOptions, ClType, Context, Device, Error, ImageAccess, Kernel, Library,
    Program, Queue,
};
use cl_test::{counting, each_device, known_faults};
use std::sync::atomic::{AtomicI32, Ordering};

const SOURCE: &str = "
typedef float real;
typedef struct { float a; int b; } pair;
kernel void many(global const float *x, global uint4 *restrict y, constant ushort *table, local char3 *tile,
                 const float factor, ulong2 n, volatile global int *counter, global real *typed, pair both,
                 global const volatile pair *pairs) {
    const size_t i = get_global_id(0);
    y[i] += (uint4)(x[i] * factor + table[0] + both.b + pairs[0].b + n.x);
    tile[get_local_id(0)] = (char3)(1);
    typed[i] = both.a + *counter;
}
kernel __attribute__((reqd_work_group_size(8, 2, 1))) void sized(global int *x) {
    local int tile[16];
    tile[get_local_id(0)] = x[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    x[get_global_id(0)] = tile[0];
}
kernel void put(global uint *x, const uint value) { x[get_global_id(0)] = value; }
";

fn kernel(device: &Device, name: &str) -> Kernel {
    let context = Context::on(device).unwrap();
    Program::build(&context, SOURCE, &BuildOptions::new()).unwrap().kernel(name).unwrap()
}

#[test]
fn arguments_as_declared() {
    each_device(|device| {
        let many = kernel(device, "many");
        assert_eq!(many.arguments(), 10);
        assert!(many.argument_info(10).is_none());
        let info = |index| many.argument_info(index).expect("programs from source keep this");
        let names: Vec<&str> = (0..10).map(|index| info(index).name.as_str()).collect();
        let expected = ["x", "y", "table", "tile", "factor", "n", "counter", "typed", "both", "pairs"];
        assert_eq!(names, expected);

        use AddressSpace::{Constant, Global, Local, Private};
        let spaces: Vec<AddressSpace> = (0..10).map(|index| info(index).address).collect();
        let expected = [Global, Global, Constant, Local, Private, Private, Global, Global, Private, Global];
        assert_eq!(spaces, expected);

        let elements: Vec<Option<ClType>> = (0..10).map(|index| info(index).element()).collect();
        let expected =
            ["float", "uint4", "ushort", "char3", "float", "ulong2", "int", "real", "pair", "pair"];
        assert_eq!(elements, expected.map(ClType::named));

        let those = |is: fn(&cl_core::ArgumentInfo) -> bool| -> Vec<usize> {
            (0..10).filter(|&index| is(info(index))).collect()
        };
        assert!(those(|info| info.is_const && info.address == Global) == [0, 9]);
        assert_eq!(those(|info| info.is_restrict), [1]);
        assert_eq!(those(|info| info.is_volatile), [6, 9]);
        assert!(those(|info| info.is_pipe || info.access.is_some()).is_empty());

        assert_eq!(info(0).to_string(), "global const float *");
        assert_eq!(info(1).to_string(), "global uint4 *");
        assert_eq!(info(2).to_string(), "constant ushort *");
        assert_eq!(info(3).to_string(), "local char3 *");
        assert_eq!(info(5).to_string(), "ulong2");
        assert_eq!(info(6).to_string(), "global volatile int *");
    });
}

#[test]
fn images_and_samplers() {
    each_device(|device| {
        if !device.has_images().unwrap() {
            return;
        }
        let source = "kernel void f(read_only image2d_t from, sampler_t how, write_only image2d_t to) {
            write_imagef(to, (int2)(0, 0), read_imagef(from, how, (float2)(0.0f, 0.0f)));
        }";
        let context = Context::on(device).unwrap();
        let f = Program::build(&context, source, &BuildOptions::new()).unwrap().kernel("f").unwrap();
        let access = |index| f.argument_info(index).unwrap().access;
        assert_eq!(access(0), Some(ImageAccess::ReadOnly));
        assert_eq!(access(1), None);
        assert_eq!(access(2), Some(ImageAccess::WriteOnly));
        assert_eq!(f.argument_info(0).unwrap().to_string(), "read_only image2d_t");
        assert_eq!(f.argument_info(0).unwrap().element(), None);
    });
}

#[test]
fn work_groups_and_resources() {
    each_device(|device| {
        let limits = device.limits().unwrap();
        let sized = kernel(device, "sized");
        assert_eq!(sized.required_work_group_size(), Some([8, 2, 1]));
        assert!((16..=limits.work_group_size).contains(&sized.work_group_size()));
        let resources = sized.resources().unwrap();
        assert_eq!(resources.work_group_size, sized.work_group_size());
        assert!(resources.preferred_multiple >= 1, "{resources:?}");
        assert!((64..=limits.local_memory).contains(&resources.local_memory), "{resources:?}");
        assert!(resources.private_memory < 1 << 32, "{resources:?}");
        assert_eq!(sized.global_work_size().unwrap(), None, "it is not built in");
        assert_eq!(sized.device(), device);

        let put = kernel(device, "put");
        assert_eq!(put.required_work_group_size(), None);
        assert_eq!(put.arguments(), 2);
    });
}

/// Checks two kernels of one program, where the name of one begins with the name of the other.
#[test]
fn local_memory_is_the_kernels_own() {
    const SOURCE: &str = "#define SIZED(name, size) \
        kernel void name(global float *x) { \
            local float shared[size]; \
            size_t i = get_local_id(0); \
            shared[i] = x[i]; \
            barrier(CLK_LOCAL_MEM_FENCE); \
            x[i] = shared[0]; \
        }\n\
        SIZED(sized, 64)\n\
        SIZED(sized_1, 4096)\n";
    known_faults::each_device("kernel::local_memory_is_the_kernels_own", |device| {
        let context = Context::on(device).unwrap();
        let program = Program::build(&context, SOURCE, &BuildOptions::new()).unwrap();
        let local_memory = |name| program.kernel(name).unwrap().resources().unwrap().local_memory;
        assert!((4 * 64..4 * 4096).contains(&local_memory("sized")));
        assert!(local_memory("sized_1") >= 4 * 4096);
    });
}

#[test]
fn attributes_as_text() {
    known_faults::each_device("kernel::attributes_as_text", |device| {
        let attributes = |name: &str| kernel(device, name).attributes().unwrap();
        let text: String = attributes("sized").split_whitespace().collect();
        assert!(text.contains("reqd_work_group_size(8,2,1)"), "{text:?}");
        let none = attributes("put");
        assert!(!none.contains("reqd_work_group_size"), "{none:?}");
    });
}

#[test]
fn sub_groups() {
    each_device(|device| {
        let put = kernel(device, "put");
        if device.max_sub_groups().unwrap().unwrap_or(0) == 0 {
            let refused = [
                put.sub_group_size(8).map(drop),
                put.sub_groups([8, 2]).map(drop),
                put.local_size_for(1).map(drop),
                put.max_sub_groups().map(drop),
                put.required_sub_groups().map(drop),
            ];
            for refused in refused {
                assert!(matches!(refused, Err(Error::Unsupported { .. })), "{refused:?}");
            }
            return;
        }
        let size = put.sub_group_size(64).unwrap();
        assert!(size >= 1);
        assert_eq!(put.sub_groups(64).unwrap(), 64_usize.div_ceil(size));
        assert!(put.max_sub_groups().unwrap() >= 1);
        let local = put.local_size_for(1).unwrap().unwrap();
        assert_eq!(put.sub_groups(local).unwrap(), 1);
        assert_eq!(put.required_sub_groups().unwrap(), None);
        assert_eq!(put.required_sub_group_size().unwrap(), None);
    });
}

/// Checks that `kernel` works, however it was made.
fn assert_puts(queue: &Queue, put: &Kernel, value: u32) {
    let mut x = Buffer::filled(queue, 0_u32, 4).unwrap();
    // SAFETY: one work-item an element.
    unsafe { put.launch().arg(&mut x).arg(value).global(4).enqueue(queue) }.unwrap();
    assert_eq!(x.to_vec(queue).unwrap(), [value; 4]);
}

#[test]
fn clones() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let put =
            Program::build(queue.context(), SOURCE, &BuildOptions::new()).unwrap().kernel("put").unwrap();
        let before = put.try_clone().unwrap();
        assert_puts(&queue, &put, 1);
        // The buffer of the launch above has been released.
        let after = put.try_clone().unwrap();
        assert_ne!(put.as_raw(), after.as_raw());
        assert_eq!((after.name(), after.arguments()), ("put", 2));
        drop(put);
        assert_puts(&queue, &before, 2);
        assert_puts(&queue, &after, 3);
    });
}

#[test]
fn clones_are_released() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let put = kernel(&device, "put");
        let calls = counter.calls_during(|| {
            drop(put.try_clone().unwrap());
            drop(put);
        });
        assert_eq!((calls["clCreateKernel"], calls["clReleaseKernel"]), (1, 2), "on {device}");
    }
}

/// The answer of [`fail`].
static ANSWER: AtomicI32 = AtomicI32::new(0);

/// Answers as a driver that knows nothing about arguments.
unsafe extern "system" fn fail(
    _: cl_kernel,
    _: cl_uint,
    _: cl_kernel_arg_info,
    _: size_t,
    _: *mut c_void,
    _: *mut size_t,
) -> cl_int {
    ANSWER.load(Ordering::Relaxed)
}

#[test]
fn drivers_that_tell_nothing_about_arguments() {
    // SAFETY: the system's functions; the other one fails as OpenCL lets it.
    let library = unsafe {
        Library::from_functions(Functions {
            clGetKernelArgInfo: fail,
            ..*Library::load().unwrap().functions()
        })
    };
    for device in Device::all_of(library).unwrap() {
        let queue = Queue::on(&device).unwrap();
        let program = Program::build(queue.context(), SOURCE, &BuildOptions::new().uncached()).unwrap();
        for tolerated in [CL_KERNEL_ARG_INFO_NOT_AVAILABLE, CL_INVALID_VALUE] {
            ANSWER.store(tolerated, Ordering::Relaxed);
            let put = program.kernel("put").unwrap();
            assert!(put.argument_info(0).is_none());
            assert_puts(&queue, &put, 4);
        }
        ANSWER.store(CL_OUT_OF_HOST_MEMORY, Ordering::Relaxed);
        let error = program.kernel("put").unwrap_err();
        assert_eq!(error.status(), Some(cl_core::Status(CL_OUT_OF_HOST_MEMORY)));
        assert!(error.to_string().contains("argument 0 of kernel `put`"), "{error}");
    }
}
