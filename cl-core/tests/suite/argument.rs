//! Arguments of kernels. Right ones arrive as they were given. Wrong ones are refused with an error that
//! names them, before the driver is called.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise
#![allow(clippy::needless_borrows_for_generic_args)] // both ways to give a value are tested

use bytemuck::{Pod, Zeroable};
use cl_core::raw::*;
use cl_core::{
    Access, Arg, ArgumentError, Buffer, BufferOptions, BuildOptions, Context, Device, Error, Image2d, In,
    InOut, KernelAccess, KernelArg, Launch, Library, Local, Out, Program, Queue, QueueOptions, Rgba,
};
use cl_test::{counting, each_device};
use half::f16;
use std::sync::Mutex;

const SOURCE: &str = "
typedef struct { float4 at; int number; int rest[3]; } place;
typedef float real;
kernel void scale(global float *x, const float factor) { x[get_global_id(0)] *= factor; }
kernel void sums(global const float *x, constant float4 *y, global float *z, local float *tile) {
    const size_t i = get_global_id(0);
    tile[get_local_id(0)] = x[i];
    z[i] = tile[get_local_id(0)] + y[0].x;
}
kernel void threes(global float3 *x, float3 by) { x[get_global_id(0)] *= by; }
kernel void halves(global ushort *bits, global const half *x) { bits[0] = ((global const ushort *)x)[0]; }
kernel void half_value(global float *out, ushort bits) { out[0] = bits; }
kernel void unknown(global place *x, place by, global real *z) { x[0] = by; z[0] = by.at.y; }
kernel void vectors(global int *out, char16 a, short3 b, int8 c, long4 d, ulong3 e, float16 f, uchar2 g) {
    out[0] = a.sf; out[1] = b.z; out[2] = c.s7; out[3] = d.w; out[4] = e.z; out[5] = f.sf; out[6] = g.y;
}
kernel void copy(global int *from, global int *to) { to[get_global_id(0)] = from[get_global_id(0)]; }
kernel void copy_const(global const int *from, global int *to) { to[get_global_id(0)] = from[get_global_id(0)]; }
kernel void copy_constant(constant int *from, global int *to) { to[get_global_id(0)] = from[get_global_id(0)]; }
kernel void increment(global int *x) { x[get_global_id(0)] += 1; }
";

fn program(queue: &Queue) -> Program {
    Program::build(queue.context(), SOURCE, &BuildOptions::new()).unwrap()
}

/// Returns the error of a launch that must be refused for an argument.
fn refused(queue: &Queue, launch: Launch<'_>) -> ArgumentError {
    // SAFETY: never launched.
    match unsafe { launch.global(4).local(4).enqueue(queue) } {
        Err(Error::Argument(error)) => *error,
        other => panic!("not refused: {other:?}"),
    }
}

#[test]
fn errors_name_kernel_argument_and_types() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let scale = program(&queue).kernel("scale").unwrap();
        let mut x = Buffer::filled(&queue, 1.5_f32, 4).unwrap();
        let error = refused(&queue, scale.launch().arg(&mut x).arg(2_i32));
        assert_eq!(
            error.to_string(),
            "argument 1 (`factor`) of kernel `scale` is declared `float`, a value of type `i32` (`int`) was given"
        );
        let mut wrong = Buffer::filled(&queue, 1_i32, 4).unwrap();
        let error = refused(&queue, scale.launch().arg(&mut wrong).arg(2.0_f32));
        let text = "argument 0 (`x`) of kernel `scale` is declared `global float *`, device memory of `i32` was \
                    given: types must be the same";
        assert!(error.to_string().starts_with(text), "{error}");
        assert_eq!((error.kernel.as_str(), error.index, error.name.as_deref()), ("scale", 0, Some("x")));
        // A refused launch has no later effect.
        // SAFETY: one work-item an element.
        unsafe { scale.launch().arg(&mut x).arg(2.0_f32).global(4).enqueue(&queue) }.unwrap();
        assert_eq!(x.to_vec(&queue).unwrap(), [3.0; 4]);
    });
}

/// Returns wrong arguments of `sums`: for each its index and its name in the error. The other arguments of
/// the launch are right.
fn wrong_for_sums<'a>(x: &'a Buffer<f32>, ints: &'a Buffer<i32>) -> Vec<(usize, &'static str, Wrong<'a>)> {
    vec![
        (0, "a value of type `f32` (`float`)", Wrong::Float),
        (0, "local memory of `f32`", Wrong::Local),
        (0, "device memory of `i32`", Wrong::Ints(ints)),
        (0, "memory of `f32` to be written", Wrong::Written(x)),
        (1, "memory of `f32` to be written", Wrong::Written(x)),
        (1, "a value of 3 bytes", Wrong::Bytes(&[1, 2, 3])),
        (2, "a value of type `f32` (`float`)", Wrong::Float),
        (2, "device memory of `i32`", Wrong::Ints(ints)),
        (2, "a value of 0 bytes", Wrong::Bytes(&[])),
        (3, "device memory of `i32`", Wrong::Ints(ints)),
        (3, "a value of type `f32` (`float`)", Wrong::Float),
        (3, "local memory of `u8`", Wrong::LocalBytes),
    ]
}

#[derive(Clone, Copy)]
enum Wrong<'a> {
    Float,
    Local,
    LocalBytes,
    Ints(&'a Buffer<i32>),
    Written(&'a Buffer<f32>),
    Bytes(&'a [u8]),
}

fn with<'a>(launch: Launch<'a>, wrong: Wrong<'a>) -> Launch<'a> {
    match wrong {
        Wrong::Float => launch.arg(1.0_f32),
        Wrong::Local => launch.arg(Local::<f32>::new(4)),
        Wrong::LocalBytes => launch.arg(Local::<u8>::new(16)),
        Wrong::Ints(ints) => launch.arg(ints),
        Wrong::Written(x) => launch.arg(Typed(x)),
        Wrong::Bytes(bytes) => launch.arg(Arg::Bytes(bytes)),
    }
}

/// A user's own argument type: memory of `f32` to be written.
struct Typed<'a>(&'a Buffer<f32>);

impl<'a> KernelArg<'a> for Typed<'a> {
    fn cl_type(&self) -> Option<cl_core::ClType> {
        cl_core::ClType::of::<f32>()
    }

    fn into_arg(self) -> Arg<'a> {
        Arg::Memory(self.0.memory(), Access::Write)
    }
}

#[test]
fn address_spaces_are_compared_before_the_driver_is_called() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        let sums = program(&queue).kernel("sums").unwrap();
        let x = Buffer::filled(&queue, 1.0_f32, 4).unwrap();
        let mut z = Buffer::filled(&queue, 0.0_f32, 4).unwrap();
        let ints = Buffer::filled(&queue, 1_i32, 4).unwrap();
        let calls = counter.calls_during(|| {
            for (position, given, wrong) in wrong_for_sums(&x, &ints) {
                let mut launch = sums.launch();
                for index in 0..4 {
                    launch = match index {
                        _ if index == position => with(launch, wrong),
                        0 | 1 => launch.arg(&x),
                        2 => launch.arg(InOut(z.memory())),
                        _ => launch.arg(Local::<f32>::new(4)),
                    };
                }
                let error = refused(&queue, launch);
                assert_eq!((error.index, error.given.as_str()), (position, given), "{error}");
            }
        });
        assert!(calls.is_empty(), "{calls:?} on {device}");
        let launch = sums.launch().arg(&x).arg(&x).arg(&mut z).arg(Local::<f32>::new(4));
        // SAFETY: one work-item an element; `y` has the four floats of one vector.
        unsafe { launch.global(4).local(4).enqueue(&queue) }.unwrap();
        assert_eq!(z.to_vec(&queue).unwrap(), [2.0; 4]);
    }
}

#[test]
fn scalars_for_what_they_are_not() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        let program = program(&queue);
        let (scale, vectors) = (program.kernel("scale").unwrap(), program.kernel("vectors").unwrap());
        let mut x = Buffer::filled(&queue, 1.0_f32, 4).unwrap();
        let mut out = Buffer::filled(&queue, 0_i32, 8).unwrap();
        let y = Buffer::filled(&queue, 1.0_f32, 4).unwrap();
        let calls = counter.calls_during(|| {
            let given = [
                refused(&queue, scale.launch().arg(&mut x).arg(2.0_f64)).given,
                refused(&queue, scale.launch().arg(&mut x).arg(2_u32)).given,
                refused(&queue, scale.launch().arg(&mut x).arg([1.0_f32, 2.0])).given,
                refused(&queue, scale.launch().arg(&mut x).arg(&1_u32)).given,
                refused(&queue, scale.launch().arg(&mut x).arg(&y)).given,
                refused(&queue, scale.launch().arg(&mut x).arg(Local::<f32>::new(1))).given,
                refused(&queue, scale.launch().arg(&mut x).arg(Arg::value(1_u64))).given,
                refused(&queue, scale.launch().arg(&mut x).arg(Arg::Wide([0; 32]))).given,
            ];
            let expected = [
                "a value of type `f64` (`double`)",
                "a value of type `u32` (`uint`)",
                "a value of type `[f32; 2]` (`float2`)",
                "a value of type `u32` (`uint`)",
                "device memory of `f32`",
                "local memory of `f32`",
                "a value of 8 bytes",
                "a value of 32 bytes",
            ];
            assert_eq!(given, expected);
            let mut launch = vectors.launch().arg(&mut out).arg([1_i8; 16]).arg([1_i16; 4]);
            launch = launch.arg([1; 8]).arg([1_i64; 4]).arg([1_u64; 3]).arg(&[1.0_f32; 16]).arg([1_u8; 2]);
            let error = refused(&queue, launch);
            assert_eq!((error.index, error.declared.as_deref()), (2, Some("short3")));
        });
        assert!(calls.is_empty(), "{calls:?} on {device}");
    }
}

#[test]
fn vectors_arrive_whole() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let vectors = program(&queue).kernel("vectors").unwrap();
        let mut out = Buffer::filled(&queue, 0_i32, 7).unwrap();
        let mut f = [0.0_f32; 16];
        f[15] = 6.0;
        let mut a = [0_i8; 16];
        a[15] = 1;
        let launch = vectors.launch().arg(&mut out).arg(a).arg([0_i16, 0, 2]).arg([0, 0, 0, 0, 0, 0, 0, 3]);
        let launch = launch.arg([0_i64, 0, 0, 4]).arg([0_u64, 0, 5]).arg(&f).arg([0_u8, 7]);
        // SAFETY: the kernel writes seven numbers.
        unsafe { launch.global(1).enqueue(&queue) }.unwrap();
        assert_eq!(out.to_vec(&queue).unwrap(), [1, 2, 3, 4, 5, 6, 7]);
    });
}

#[test]
fn vectors_of_three_take_the_room_of_four() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let program = program(&queue);
        let threes = program.kernel("threes").unwrap();
        let packed = Buffer::filled(&queue, [1.0_f32; 3], 4).unwrap();
        let error = refused(&queue, threes.launch().arg(InOut(packed.memory())).arg([1.0_f32; 4]));
        assert_eq!((error.index, error.declared.as_deref()), (1, Some("float3")));
        let mut packed = packed;
        let error = refused(&queue, threes.launch().arg(&mut packed).arg([2.0_f32; 3]));
        assert!(error.to_string().contains("use arrays of four"), "{error}");

        let mut x = Buffer::from_slice(&queue, &[[1.0_f32, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]).unwrap();
        for by in [true, false] {
            let launch = threes.launch().arg(&mut x);
            let launch = if by { launch.arg([1.0_f32, 2.0, 3.0]) } else { launch.arg(&[1.0_f32, 2.0, 3.0]) };
            // SAFETY: one work-item a vector.
            unsafe { launch.global(2).enqueue(&queue) }.unwrap();
        }
        let rows: Vec<[f32; 3]> = x.to_vec(&queue).unwrap().iter().map(|&[x, y, z, _]| [x, y, z]).collect();
        assert_eq!(rows, [[1.0, 8.0, 27.0], [5.0, 24.0, 63.0]]);

        // A flat array of threes is read as consecutive numbers.
        let scale = program.kernel("scale").unwrap();
        // SAFETY: one work-item a number.
        unsafe { scale.launch().arg(&mut packed).arg(2.0_f32).global(12).enqueue(&queue) }.unwrap();
        assert_eq!(packed.to_vec(&queue).unwrap(), [[2.0; 3]; 4]);
    });
}

#[test]
fn halves() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let program = program(&queue);
        let halves = program.kernel("halves").unwrap();
        let mut bits = Buffer::filled(&queue, 0_u16, 1).unwrap();
        let x = Buffer::from_slice(&queue, &[f16::from_f32(-1.5)]).unwrap();
        // SAFETY: the kernel copies one number.
        unsafe { halves.launch().arg(&mut bits).arg(&x).global(1).enqueue(&queue) }.unwrap();
        assert_eq!(bits.to_vec(&queue).unwrap(), [f16::from_f32(-1.5).to_bits()]);
        let ints = Buffer::filled(&queue, 0_i16, 1).unwrap();
        assert_eq!(refused(&queue, halves.launch().arg(&mut bits).arg(&ints)).index, 1);
        let half_value = program.kernel("half_value").unwrap();
        let mut out = Buffer::filled(&queue, 0.0_f32, 1).unwrap();
        let error = refused(&queue, half_value.launch().arg(&mut out).arg(f16::ONE));
        assert_eq!(error.given, "a value of type `f16` (`half`)");
        if device.has_fp16().unwrap() {
            let source = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable
                kernel void f(global half *x, half by) { x[get_global_id(0)] *= by; }";
            let f =
                Program::build(queue.context(), source, &BuildOptions::new()).unwrap().kernel("f").unwrap();
            let mut x = Buffer::filled(&queue, f16::from_f32(3.0), 4).unwrap();
            // SAFETY: one work-item an element.
            unsafe { f.launch().arg(&mut x).arg(f16::from_f32(0.5)).global(4).enqueue(&queue) }.unwrap();
            assert_eq!(x.to_vec(&queue).unwrap(), [f16::from_f32(1.5); 4]);
        }
    });
}

#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
struct Place {
    at: [f32; 4],
    number: i32,
    rest: [i32; 3],
}

#[test]
fn structs_and_names_of_the_kernel_are_not_compared() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let unknown = program(&queue).kernel("unknown").unwrap();
        let place = Place { at: [1.0, 2.0, 3.0, 4.0], number: 5, rest: [6, 7, 8] };
        let mut x = Buffer::filled(&queue, Place::zeroed(), 1).unwrap();
        let mut z = Buffer::filled(&queue, 0.0_f32, 1).unwrap();
        let launch = unknown.launch().arg(&mut x).arg(&place).arg(&mut z);
        // SAFETY: one struct and one number are written.
        unsafe { launch.global(1).enqueue(&queue) }.unwrap();
        assert_eq!(x.to_vec(&queue).unwrap(), [place]);
        assert_eq!(z.to_vec(&queue).unwrap(), [2.0]);
        // Address spaces are still compared.
        let error = refused(&queue, unknown.launch().arg(&place).arg(&place).arg(&mut z));
        assert_eq!((error.index, error.given.as_str()), (0, "a value of 32 bytes"));
        assert_eq!(refused(&queue, unknown.launch().arg(&mut x).arg(&z).arg(&z)).index, 1);
    });
}

#[test]
fn nothing_but_images_for_images() {
    each_device(|device| {
        if !device.has_images().unwrap() {
            return;
        }
        let queue = Queue::on(device).unwrap();
        let source =
            "kernel void f(write_only image2d_t to) { write_imagef(to, (int2)(0, 0), (float4)(1.0f)); }";
        let f = Program::build(queue.context(), source, &BuildOptions::new()).unwrap().kernel("f").unwrap();
        let text = "argument 0 (`to`) of kernel `f` is declared `write_only image2d_t`, ";
        let error = refused(&queue, f.launch().arg(1_u64)).to_string();
        assert_eq!(error, format!("{text}a value of type `u64` (`ulong`) was given"));
        let error = refused(&queue, f.launch().arg(Local::<f32>::new(4))).to_string();
        assert_eq!(error, format!("{text}local memory of `f32` was given"));
        let image = Image2d::filled(&queue, [1, 1], Rgba([0.0_f32; 4])).unwrap();
        let error = refused(&queue, f.launch().arg(&image)).to_string();
        let hint = "the kernel may write it: give it as `&mut`";
        assert_eq!(error, format!("{text}an image or a pipe was given: {hint}"));
    });
}

#[test]
fn empty_memory_never_reaches_a_kernel() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        let scale = program(&queue).kernel("scale").unwrap();
        let mut none = Buffer::<f32>::from_slice(&queue, &[]).unwrap();
        let calls = counter.calls_during(|| {
            let error = refused(&queue, scale.launch().arg(&mut none).arg(1.0_f32));
            assert_eq!((error.index, error.given.as_str()), (0, "empty memory of `f32`"));
            // SAFETY: no work-item runs.
            unsafe { scale.launch().arg(&mut none).arg(1.0_f32).global(0).enqueue(&queue) }.unwrap();
        });
        assert!(calls.is_empty(), "{calls:?} on {device}");
    }
}

/// The launches on the library of [`recording`]: the events that each one waits for, and its own event.
static LAUNCHES: Mutex<Vec<(Vec<usize>, usize)>> = Mutex::new(Vec::new());

unsafe extern "system" fn record(
    queue: cl_command_queue,
    kernel: cl_kernel,
    dimensions: cl_uint,
    offset: *const size_t,
    global: *const size_t,
    local: *const size_t,
    waits: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    // SAFETY: the caller's arguments, unchanged.
    let status = unsafe {
        clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, waits, list, event)
    };
    // SAFETY: the list has `waits` events, and the launch has stored its own event if one was wanted.
    let (list, own) = unsafe {
        let list = if waits == 0 { &[] } else { std::slice::from_raw_parts(list, waits as usize) };
        (list, if event.is_null() { 0 } else { *event as usize })
    };
    LAUNCHES.lock().unwrap().push((list.iter().map(|&event| event as usize).collect(), own));
    status
}

/// Returns whether the second of two readers of one buffer waits for the first, on an out-of-order queue.
fn second_waits(
    queue: &Queue,
    kernel: &str,
    read: impl for<'a> Fn(Launch<'a>, &'a mut Buffer<i32>) -> Launch<'a>,
) -> bool {
    let copy = program(queue).kernel(kernel).unwrap();
    let mut x = Buffer::filled(queue, 1_i32, 4).unwrap();
    let mut outs: Vec<Buffer<i32>> = (0..2).map(|_| Buffer::filled(queue, 0, 4).unwrap()).collect();
    LAUNCHES.lock().unwrap().clear();
    for out in &mut outs {
        let launch = read(copy.launch(), &mut x).arg(Out(out)).global(4);
        // SAFETY: work-item i copies element i.
        unsafe { launch.enqueue(queue) }.unwrap();
    }
    assert!(outs.iter().all(|out| out.to_vec(queue).unwrap() == [1; 4]));
    let launches = LAUNCHES.lock().unwrap();
    let [(_, first), (waits, _)] = &launches[..] else { panic!("two launches, not {launches:?}") };
    assert_ne!(*first, 0);
    waits.contains(first)
}

#[test]
fn marks_and_declarations_decide_who_waits() {
    let system = Library::load().unwrap().functions();
    // SAFETY: the system's functions, one of them observed.
    let library = unsafe { Library::from_functions(Functions { clEnqueueNDRangeKernel: record, ..*system }) };
    for device in Device::all_of(library).unwrap() {
        if !device.has_out_of_order_queues().unwrap() {
            continue;
        }
        let context = Context::on(&device).unwrap();
        let queue = Queue::new(&context, QueueOptions::new().out_of_order()).unwrap();
        // Without a mark, the declaration decides, not the borrow.
        assert!(second_waits(&queue, "copy", |launch, x| launch.arg(&*x)));
        assert!(second_waits(&queue, "copy", |launch, x| launch.arg(x)));
        assert!(!second_waits(&queue, "copy_const", |launch, x| launch.arg(&*x)));
        assert!(!second_waits(&queue, "copy_const", |launch, x| launch.arg(x)));
        assert!(!second_waits(&queue, "copy_constant", |launch, x| launch.arg(x)));
        // The library trusts a mark.
        assert!(!second_waits(&queue, "copy", |launch, x| launch.arg(In(&*x))));
        assert!(!second_waits(&queue, "copy", |launch, x| launch.arg(In(x.memory()))));
        assert!(second_waits(&queue, "copy", |launch, x| launch.arg(InOut(x))));
        assert!(second_waits(&queue, "copy", |launch, x| launch.arg(Out(x.memory()))));
    }
}

#[test]
fn results_across_queues_do_not_depend_on_marks() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let other = Queue::new(queue.context(), QueueOptions::new()).unwrap();
        let program = program(&queue);
        let (copy, increment) = (program.kernel("copy").unwrap(), program.kernel("increment").unwrap());
        let mut x = Buffer::filled(&queue, 0_i32, 1000).unwrap();
        let mut y = Buffer::filled(&queue, 0_i32, 1000).unwrap();
        for round in 0..50 {
            // SAFETY: work-item i touches element i only.
            unsafe { increment.launch().arg(InOut(&mut x)).global(1000).enqueue(&queue) }.unwrap();
            let launch = if round % 2 == 0 { copy.launch().arg(In(&x)) } else { copy.launch().arg(&x) };
            // SAFETY: as above; `from` is read only.
            unsafe { launch.arg(Out(&mut y)).global(1000).enqueue(&other) }.unwrap();
            assert_eq!(y.to_vec(&other).unwrap(), [round + 1; 1000]);
        }
    });
}

#[test]
fn buffers_are_used_as_they_were_made_for() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        let kernel = program(&queue).kernel("copy").unwrap();
        let made = |access, value| BufferOptions::new().kernel(access).filled(&queue, value, 3).unwrap();
        let (mut read, mut written) = (made(KernelAccess::ReadOnly, 1), made(KernelAccess::WriteOnly, 2));
        // Declared without `const`, but only read.
        // SAFETY: work-item i copies element i.
        unsafe { kernel.launch().arg(&read).arg(&mut written).global(2).enqueue(&queue) }.unwrap();
        assert_eq!(written.to_vec(&queue).unwrap(), [1, 1, 2]);
        let mut plain = Buffer::filled(&queue, 0, 3).unwrap();
        let calls = counter.calls_during(|| {
            // SAFETY: never run.
            let refused = unsafe {
                [
                    kernel.launch().arg(&plain).arg(&mut read).global(3).enqueue(&queue),
                    kernel.launch().arg(In(&plain)).arg(Out(&mut read)).global(3).enqueue(&queue),
                    kernel.launch().arg(&written).arg(&mut plain).global(3).enqueue(&queue),
                    kernel.launch().arg(In(&written)).arg(&mut plain).global(3).enqueue(&queue),
                ]
            };
            for refused in refused {
                let text = refused.unwrap_err().to_string();
                assert!(text.contains("KernelAccess::"), "{text}");
            }
        });
        assert!(calls.is_empty(), "{calls:?} on {device}");
    }
}
