//! Samplers on every device that has images. Each option has its documented effect. Invalid samplers are
//! refused before the driver sees them.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::{
    Addressing, Buffer, BuildOptions, Context, Device, Error, Filtering, Image2d, Program, Queue, Rgba,
    Sampler, SamplerOptions, UserEvent,
};
use cl_test::{counting, each_device};

const SOURCE: &str = "kernel void look(read_only image2d_t image, sampler_t sampler, global float *x, \
    global float *red) { \
    size_t i = get_global_id(0); \
    red[i] = read_imagef(image, sampler, (float2)(x[i], 0.5f)).x; \
}";

/// Returns the values that a kernel reads at the coordinates `x`, in the middle of the only row. The red
/// values of the pixels are `row`.
fn look(queue: &Queue, row: &[f32], options: SamplerOptions, x: &[f32]) -> Vec<f32> {
    let pixels: Vec<_> = row.iter().map(|&red| Rgba([red, 0.0, 0.0, 1.0])).collect();
    let image = Image2d::from_slice(queue, [row.len(), 1], &pixels).unwrap();
    let sampler = Sampler::new(queue.context(), options).unwrap();
    assert_eq!(sampler.options(), options);
    let program = Program::build(queue.context(), SOURCE, &BuildOptions::new()).unwrap();
    let kernel = program.kernel("look").unwrap();
    let positions = Buffer::from_slice(queue, x).unwrap();
    let mut red = Buffer::filled(queue, -1.0, x.len()).unwrap();
    let launch = kernel.launch().arg(&image).arg(&sampler).arg(&positions).arg(&mut red);
    // SAFETY: item i reads and writes element i, and there are as many items as elements.
    unsafe { launch.global(x.len()).enqueue(queue) }.unwrap();
    drop(sampler); // the launch keeps the sampler
    red.to_vec(queue).unwrap()
}

fn with_images(test: impl Fn(&Device, &Queue)) {
    each_device(|device| {
        if device.has_images().unwrap() {
            test(device, &Queue::on(device).unwrap());
        }
    });
}

#[test]
fn beyond_the_edge() {
    with_images(|device, queue| {
        let row = [1.0, 2.0, 3.0, 4.0];
        let x = [-1.5, -0.5, 0.5, 3.5, 4.5, 5.5];
        let at = |options: SamplerOptions| look(queue, &row, options, &x);
        let options = SamplerOptions::new();
        assert_eq!(at(options), [1.0, 1.0, 1.0, 4.0, 4.0, 4.0], "{device}");
        let border = options.addressing(Addressing::ClampToBorder);
        assert_eq!(at(border), [0.0, 0.0, 1.0, 4.0, 0.0, 0.0], "{device}");
        let inside = look(queue, &row, options.addressing(Addressing::None), &[0.5, 1.5, 2.5, 3.5]);
        assert_eq!(inside, row, "{device}");

        let x = x.map(|x| x / 4.0);
        let at = |options: SamplerOptions| look(queue, &row, options.normalized(), &x);
        assert_eq!(at(options), [1.0, 1.0, 1.0, 4.0, 4.0, 4.0], "{device}");
        assert_eq!(at(options.addressing(Addressing::Repeat)), [3.0, 4.0, 1.0, 4.0, 1.0, 2.0], "{device}");
        let mirrored = at(options.addressing(Addressing::MirroredRepeat));
        assert_eq!(mirrored, [2.0, 1.0, 1.0, 4.0, 4.0, 3.0], "{device}");
    });
}

/// Checks that launches keep their sampler. PoCL 3.1 frees a sampler at its release, and reads it when the
/// kernel runs.
#[test]
fn launches_keep_their_sampler() {
    with_images(|device, queue| {
        for _ in 0..20 {
            let pixels = [1.0, 2.0, 3.0, 4.0].map(|red| Rgba([red, 0.0, 0.0, 1.0]));
            let image = Image2d::from_slice(queue, [4, 1], &pixels).unwrap();
            let mirrored = SamplerOptions::new().normalized().addressing(Addressing::MirroredRepeat);
            let sampler = Sampler::new(queue.context(), mirrored).unwrap();
            let program = Program::build(queue.context(), SOURCE, &BuildOptions::new()).unwrap();
            let kernel = program.kernel("look").unwrap();
            let positions = Buffer::from_slice(queue, &[-0.375_f32, 1.375]).unwrap();
            let mut red = Buffer::filled(queue, -1.0_f32, 2).unwrap();
            let go = UserEvent::new(queue.context()).unwrap();
            let launch = kernel.launch().arg(&image).arg(&sampler).arg(&positions).arg(&mut red);
            // SAFETY: item i reads and writes element i, and there are as many items as elements.
            unsafe { launch.global(2).enqueue(queue.after(&[go.event()])) }.unwrap();
            if !cl_test::flushing_blocks(device) {
                queue.flush().unwrap();
            }
            drop(sampler);
            // These vectors overwrite memory that was freed.
            let others: Vec<_> = (0..64_u8).map(|i| vec![i; 64]).collect();
            go.complete().unwrap();
            assert_eq!(red.to_vec(queue).unwrap(), [2.0, 3.0], "{device}");
            drop(others);
        }
    });
}

#[test]
fn between_pixels() {
    with_images(|device, queue| {
        let row = [0.0, 8.0];
        let x = [0.5, 0.75, 1.0, 1.25, 1.5];
        let nearest = look(queue, &row, SamplerOptions::new(), &x);
        assert_eq!(nearest, [0.0, 0.0, 8.0, 8.0, 8.0], "{device}");
        let linear = look(queue, &row, SamplerOptions::new().filtering(Filtering::Linear), &x);
        for (found, expected) in linear.iter().zip([0.0, 2.0, 4.0, 6.0, 8.0]) {
            // Devices weight with 8 bits after the binary point.
            assert!((found - expected).abs() <= 8.0 / 256.0, "{linear:?} on {device}");
        }
    });
}

#[test]
fn what_cannot_be_is_refused_before_the_driver_sees_it() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let context = Context::on(&device).unwrap();
        let calls = counter.calls_during(|| {
            for addressing in [Addressing::Repeat, Addressing::MirroredRepeat] {
                let refused = Sampler::new(&context, SamplerOptions::new().addressing(addressing));
                assert!(matches!(refused, Err(Error::InvalidInput { what: "sampler", .. })), "{refused:?}");
            }
            // SAFETY: null is allowed.
            let refused = unsafe { Sampler::from_raw(&context, std::ptr::null_mut()) };
            assert!(
                matches!(refused, Err(Error::InvalidInput { what: "sampler handle", .. })),
                "{refused:?}"
            );
        });
        assert!(calls.is_empty(), "{calls:?} on {device}");
        if !device.has_images().unwrap() {
            let refused = Sampler::new(&context, SamplerOptions::new());
            assert!(matches!(refused, Err(Error::Unsupported { .. })), "{refused:?}");
        }
    }
}

#[test]
fn arguments_of_another_kind_are_refused() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        if !device.has_images().unwrap() {
            continue;
        }
        let queue = Queue::on(&device).unwrap();
        let sampler = Sampler::new(queue.context(), SamplerOptions::new()).unwrap();
        let image = Image2d::filled(&queue, [1, 1], Rgba([0.0_f32; 4])).unwrap();
        let program = Program::build(queue.context(), SOURCE, &BuildOptions::new()).unwrap();
        let kernel = program.kernel("look").unwrap();
        if kernel.argument_info(0).is_none() {
            continue; // the driver does not tell the kernel's declaration
        }
        let buffer = Buffer::filled(&queue, 0.0_f32, 1).unwrap();
        let calls = counter.calls_during(|| {
            let launch = || kernel.launch().global(1);
            for launch in [
                launch().arg(&image).arg(&sampler).arg(&image).arg(&buffer),
                launch().arg(&image).arg(&sampler).arg(&buffer).arg(&sampler),
                launch().arg(7_u64).arg(&sampler).arg(&buffer).arg(&buffer),
            ] {
                // SAFETY: refused.
                let refused = unsafe { launch.enqueue(&queue) };
                assert!(matches!(refused, Err(Error::Argument(_))), "{refused:?}");
            }
        });
        assert!(calls.is_empty(), "{calls:?} on {device}");
    }
}

#[test]
fn samplers_of_other_contexts_are_refused() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        if !device.has_images().unwrap() {
            continue;
        }
        let queue = Queue::on(&device).unwrap();
        let foreign = Sampler::new(&Context::on(&device).unwrap(), SamplerOptions::new()).unwrap();
        let image = Image2d::filled(&queue, [1, 1], Rgba([0.0_f32; 4])).unwrap();
        let program = Program::build(queue.context(), SOURCE, &BuildOptions::new()).unwrap();
        let kernel = program.kernel("look").unwrap();
        let buffer = Buffer::filled(&queue, 0.0_f32, 1).unwrap();
        let calls = counter.calls_during(|| {
            let launch = kernel.launch().arg(&image).arg(&foreign).arg(&buffer).arg(&buffer).global(1);
            // SAFETY: refused.
            let refused = unsafe { launch.enqueue(&queue) };
            assert!(matches!(refused, Err(Error::ForeignObject { .. })), "{refused:?}");
        });
        assert!(calls.is_empty(), "{calls:?} on {device}");
        // SAFETY: `foreign` keeps its own reference in every case.
        let refused = unsafe { Sampler::from_raw(queue.context(), foreign.as_raw()) };
        assert!(matches!(refused, Err(Error::ForeignObject { .. })), "{refused:?}");
    }
}

#[test]
fn handles_go_out_and_in() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        if !device.has_images().unwrap() {
            continue;
        }
        let context = Context::on(&device).unwrap();
        let options = SamplerOptions::new().normalized().addressing(Addressing::MirroredRepeat);
        let options = options.filtering(Filtering::Linear);
        let calls = counter.calls_during(|| {
            let sampler = Sampler::new(&context, options).unwrap();
            let retain = context.library().functions().clRetainSampler;
            // SAFETY: a valid sampler.
            assert_eq!(unsafe { retain(sampler.as_raw()) }, 0);
            // SAFETY: the reference made above.
            let adopted = unsafe { Sampler::from_raw(&context, sampler.as_raw()) }.unwrap();
            assert_eq!(adopted.options(), options);
        });
        assert_eq!(
            (calls["clCreateSampler"], calls["clRetainSampler"], calls["clReleaseSampler"]),
            (1, 1, 2)
        );
    }
}
