//! Images on every device that has them. Pixels come back as they were. Kernels read and write them. Invalid
//! use is refused before the driver sees it.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::{
    A, Argb, Bgra, Buffer, BuildOptions, Context, D1, D1Array, D1Buffer, D2, D2Array, D3, Depth, Device,
    Dimensions, Error, Image, Image1d, Image1dBuffer, Image2d, Image2dArray, Image3d, Intensity, Luminance,
    Pixel, Program, Queue, QueueOptions, R, Rg, Rgba, Sampler, SamplerOptions, Snorm, Unorm, f16,
};
use cl_test::{counting, known_faults};
use std::fmt::Debug;

/// Runs a test on every device that has images. On other devices, checks that making an image says that
/// images are unsupported.
fn with_images(test: impl Fn(&Device, &Queue)) {
    with_images_but_for("", test);
}

/// Runs a test as [`with_images`] does, but leaves out devices that are known to fail the test of this name.
fn with_images_but_for(name: &str, test: impl Fn(&Device, &Queue)) {
    known_faults::each_device(name, |device| {
        let queue = Queue::on(device).unwrap();
        if device.has_images().unwrap() {
            test(device, &queue);
        } else {
            let refused = Image2d::filled(&queue, [1, 1], Rgba([0_u8; 4]));
            assert!(matches!(refused, Err(Error::Unsupported { .. })), "{refused:?}");
            assert!(Image2d::<Rgba<u8>>::formats(queue.context()).unwrap().is_empty());
        }
    });
}

/// Returns different pixels for different numbers.
fn pixel<P: Pixel>(number: usize) -> P {
    let mut pixel = P::zeroed();
    for (index, byte) in bytemuck::bytes_of_mut(&mut pixel).iter_mut().enumerate() {
        // The highest byte of a float or half stays small, so that the value is neither a NaN nor subnormal.
        *byte = if index % 2 == 1 { 0x3c } else { (number * 5 + index * 3) as u8 };
    }
    pixel
}

/// Checks every command on one kind of image and one kind of pixel. `size` is at least 3 along each
/// dimension.
fn all_commands<D: Dimensions, P: Pixel + PartialEq + Debug>(queue: &Queue, size: D::Size) {
    let context = queue.context();
    if !Image::<D, P>::is_supported(context).unwrap() {
        let refused = Image::<D, P>::filled(queue, size, P::zeroed());
        assert!(matches!(refused, Err(Error::Unsupported { .. })), "{refused:?}");
        return;
    }
    let position = |numbers: [usize; 3]| D::Size::try_from(&numbers[..D::COUNT]).ok().unwrap();
    let count = size.as_ref().iter().product::<usize>();
    let pixels: Vec<P> = (0..count).map(pixel).collect();
    let mut image = Image::<D, P>::from_slice(queue, size, &pixels).unwrap();
    assert_eq!((image.size(), image.pixels()), (size, count));
    assert_eq!(image.to_vec(queue).unwrap(), pixels, "{image:?}");

    // A box of two pixels along each dimension, one from the corner.
    let (at, two) = (position([1; 3]), position([2; 3]));
    let [width, height, _] = image.extent();
    let inside = |index: usize| {
        let place = [index % width, index / width % height, index / (width * height)];
        (0..D::COUNT).all(|axis| (1..3).contains(&place[axis]))
    };
    let boxed: Vec<usize> = (0..count).filter(|&index| inside(index)).collect();
    assert_eq!(boxed.len(), 1 << D::COUNT);
    let of = |numbers: &[usize]| numbers.iter().map(|&number| pixels[number]).collect::<Vec<P>>();
    let mut read = vec![P::zeroed(); boxed.len()];
    image.read(queue, at, two, &mut read).unwrap();
    assert_eq!(read, of(&boxed), "a box of {image:?}");

    let mut expected = pixels.clone();
    for (step, &index) in boxed.iter().enumerate() {
        expected[index] = pixel(100 + step);
    }
    let new: Vec<P> = (0..boxed.len()).map(|step| pixel(100 + step)).collect();
    image.write(queue, at, two, &new).unwrap();
    assert_eq!(image.to_vec(queue).unwrap(), expected, "written {image:?}");

    image.fill_region(queue, at, two, pixel(7)).unwrap();
    boxed.iter().for_each(|&index| expected[index] = pixel(7));
    assert_eq!(image.to_vec(queue).unwrap(), expected, "filled {image:?}");
    assert_eq!(
        Image::<D, P>::filled(queue, size, pixel(9)).unwrap().to_vec(queue).unwrap(),
        vec![pixel(9); count]
    );

    // Copies the box to the corner of another image.
    let source = Image::<D, P>::from_slice(queue, size, &pixels).unwrap();
    let mut copy = Image::<D, P>::filled(queue, size, pixel(90)).unwrap();
    copy.copy_from(queue, position([0; 3]), &source, at, two).unwrap();
    drop(source);
    let mut corner = vec![P::zeroed(); boxed.len()];
    copy.read(queue, position([0; 3]), two, &mut corner).unwrap();
    assert_eq!(corner, of(&boxed), "copied {image:?}");
    let all = copy.to_vec(queue).unwrap();
    assert_eq!(all.iter().filter(|&&other| other == pixel(90)).count(), count - boxed.len());

    // Arrays of lines have a test of their own, because of a known fault.
    if !(D::LAYERED && D::COUNT == 2) {
        by_buffer(queue, &mut copy, position([0; 3]), at, two, &of(&boxed));
    }

    // Maps the image as host memory.
    let map = image.map(queue, at, two).unwrap();
    assert_eq!(map.rows().flatten().copied().collect::<Vec<P>>(), vec![pixel(7); boxed.len()], "{image:?}");
    assert_eq!(map.row(0, 0).unwrap().len(), 2);
    assert!(map.row(2, 0).is_none() && map.row(0, 2).is_none());
    map.unmap().unwrap();
    let mut map = image.map_mut(queue, at, two).unwrap();
    for (row, values) in map.rows_mut().zip(new.chunks(2)) {
        row.copy_from_slice(values);
    }
    map.row_mut(0, 0).unwrap()[1] = pixel(55);
    assert_eq!(map.row(0, 0).unwrap()[1], pixel(55));
    drop(map);
    boxed.iter().zip(new).for_each(|(&index, pixel)| expected[index] = pixel);
    expected[boxed[1]] = pixel(55);
    assert_eq!(image.to_vec(queue).unwrap(), expected, "mapped {image:?}");
}

/// Copies the box at one position of an image, where `pixels` are, to a buffer, and back to another position.
fn by_buffer<D: Dimensions, P: Pixel + PartialEq + Debug>(
    queue: &Queue,
    image: &mut Image<D, P>,
    from: D::Size,
    to: D::Size,
    size: D::Size,
    pixels: &[P],
) {
    let mut buffer = Buffer::filled(queue, pixel::<P>(2), pixels.len() + 3).unwrap();
    image.copy_to_buffer(queue, from, size, &mut buffer, 3).unwrap();
    let mut held = vec![pixel::<P>(2); 3];
    held.extend(pixels);
    assert_eq!(buffer.to_vec(queue).unwrap(), held, "to a buffer from {image:?}");
    image.copy_from_buffer(queue, to, size, &buffer, 3).unwrap();
    let mut read = vec![P::zeroed(); pixels.len()];
    image.read(queue, to, size, &mut read).unwrap();
    assert_eq!(read, pixels, "from a buffer to {image:?}");
}

/// Checks all kinds of images.
fn all_kinds<P: Pixel + PartialEq + Debug>(queue: &Queue) {
    all_commands::<D1, P>(queue, [5]);
    all_commands::<D1Array, P>(queue, [5, 4]);
    all_commands::<D1Buffer, P>(queue, [6]);
    all_commands::<D2, P>(queue, [7, 3]);
    all_commands::<D2Array, P>(queue, [4, 3, 5]);
    all_commands::<D3, P>(queue, [3, 5, 4]);
}

#[test]
fn every_kind_does_every_command() {
    with_images_but_for("image::every_kind_does_every_command", |_, queue| all_kinds::<Rgba<u8>>(queue));
}

#[test]
fn layers_of_lines_are_copied_to_buffers_and_back() {
    known_faults::each_device("image::layers_of_lines_are_copied_to_buffers_and_back", |device| {
        let queue = Queue::on(device).unwrap();
        if !Image::<D1Array, Rgba<u8>>::is_supported(queue.context()).unwrap() {
            return;
        }
        let pixels: Vec<Rgba<u8>> = (0..20).map(pixel).collect();
        let mut image = Image::from_slice(&queue, [5, 4], &pixels).unwrap();
        let boxed = [pixels[0], pixels[1], pixels[5], pixels[6]];
        by_buffer::<D1Array, _>(&queue, &mut image, [0, 0], [2, 1], [2, 2], &boxed);
    });
}

#[test]
fn every_pixel_comes_back() {
    with_images(|_, queue| {
        all_commands::<D2, Rgba<i8>>(queue, [5, 4]);
        all_commands::<D2, Rgba<u16>>(queue, [5, 4]);
        all_commands::<D2, Rgba<i16>>(queue, [5, 4]);
        all_commands::<D2, Rgba<u32>>(queue, [5, 4]);
        all_commands::<D2, Rgba<i32>>(queue, [5, 4]);
        all_commands::<D2, Rgba<f16>>(queue, [5, 4]);
        all_commands::<D2, Rgba<f32>>(queue, [5, 4]);
        all_commands::<D2, Rgba<Unorm<u8>>>(queue, [5, 4]);
        all_commands::<D2, Rgba<Unorm<u16>>>(queue, [5, 4]);
        all_commands::<D2, Rgba<Snorm<i8>>>(queue, [5, 4]);
        all_commands::<D2, Rgba<Snorm<i16>>>(queue, [5, 4]);
        all_commands::<D2, Bgra<Unorm<u8>>>(queue, [5, 4]);
        all_commands::<D2, Bgra<u8>>(queue, [5, 4]);
        all_commands::<D2, Argb<Unorm<u8>>>(queue, [5, 4]);
        all_commands::<D2, R<u8>>(queue, [5, 4]);
        all_commands::<D2, R<f32>>(queue, [5, 4]);
        all_commands::<D2, A<Unorm<u8>>>(queue, [5, 4]);
        all_commands::<D2, Rg<u16>>(queue, [5, 4]);
        all_commands::<D2, Rg<f32>>(queue, [5, 4]);
        all_commands::<D2, Intensity<f32>>(queue, [5, 4]);
        all_commands::<D2, Luminance<Unorm<u8>>>(queue, [5, 4]);
        all_commands::<D2, Depth<f32>>(queue, [5, 4]);
    });
}

#[test]
fn images_of_different_kinds_are_copied() {
    with_images(|device, queue| {
        let pixels: Vec<Rgba<u8>> = (0..24).map(pixel).collect();
        let volume = Image3d::from_slice(queue, [3, 2, 4], &pixels).unwrap();
        let mut slice = Image2d::filled(queue, [3, 2], pixel(0)).unwrap();
        slice.copy_from(queue, [0, 0], &volume, [0, 0, 2], [3, 2]).unwrap();
        assert_eq!(slice.to_vec(queue).unwrap(), pixels[12..18], "{device}");
    });
}

const KERNELS: &str = "
constant sampler_t plain = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
kernel void transpose(read_only image2d_t from, sampler_t sampler, write_only image2d_t to) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imageui(to, at.yx, read_imageui(from, sampler, at));
}
kernel void invert(read_only image2d_t from, write_only image2d_t to) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float4 color = read_imagef(from, plain, at);
    write_imagef(to, at, (float4)(1 - color.x, 1 - color.y, 1 - color.z, color.w));
}
kernel void layers(read_only image2d_array_t from, write_only image2d_array_t to) {
    int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
    write_imagei(to, at, -read_imagei(from, plain, at));
}
kernel void set(global uint4 *to, uint value) {
    to[get_global_id(0)] = value;
}
kernel void line(read_only image1d_buffer_t from, write_only image1d_t to) {
    int at = get_global_id(0);
    write_imageui(to, at, read_imageui(from, at) + 1);
}
";

fn program(queue: &Queue) -> Program {
    Program::build(queue.context(), KERNELS, &BuildOptions::new()).unwrap()
}

#[test]
fn kernels_read_and_write_images() {
    with_images(|device, queue| {
        let program = program(queue);
        let pixels: Vec<Rgba<u16>> = (0..12).map(pixel).collect();
        let from = Image2d::from_slice(queue, [4, 3], &pixels).unwrap();
        let mut to = Image2d::filled(queue, [3, 4], pixel::<Rgba<u16>>(0)).unwrap();
        let sampler = Sampler::new(queue.context(), SamplerOptions::new()).unwrap();
        let transpose = program.kernel("transpose").unwrap();
        let launch = transpose.launch().arg(&from).arg(&sampler).arg(&mut to).global([4, 3]);
        // SAFETY: each item reads and writes one pixel of its own, and all lie inside.
        unsafe { launch.enqueue(queue) }.unwrap();
        let transposed: Vec<_> = (0..12).map(|index| pixels[index / 3 + index % 3 * 4]).collect();
        assert_eq!(to.to_vec(queue).unwrap(), transposed, "{device}");

        if Image2d::<Bgra<Unorm<u8>>>::is_supported(queue.context()).unwrap() {
            let from = Image2d::filled(queue, [5, 5], Bgra([255_u8, 0, 51, 204].map(Unorm))).unwrap();
            let mut to = Image2d::filled(queue, [5, 5], Rgba([Unorm(0_u8); 4])).unwrap();
            let invert = program.kernel("invert").unwrap();
            // SAFETY: as above.
            unsafe { invert.launch().arg(&from).arg(&mut to).global([5, 5]).enqueue(queue) }.unwrap();
            assert_eq!(to.to_vec(queue).unwrap(), [Rgba([204, 255, 0, 204].map(Unorm)); 25], "{device}");
        }
    });
}

#[test]
fn kernels_read_and_write_arrays_and_lines() {
    with_images_but_for("image::kernels_read_and_write_arrays_and_lines", |device, queue| {
        let program = program(queue);
        let pixels: Vec<Rgba<i32>> = (0..24).map(|n| Rgba([n, n + 1, -n, 7])).collect();
        let from = Image2dArray::from_slice(queue, [2, 3, 4], &pixels).unwrap();
        let mut to = Image2dArray::filled(queue, [2, 3, 4], Rgba([0; 4])).unwrap();
        let layers = program.kernel("layers").unwrap();
        // SAFETY: each item reads and writes one pixel of its own, and all lie inside.
        unsafe { layers.launch().arg(&from).arg(&mut to).global([2, 3, 4]).enqueue(queue) }.unwrap();
        let negated: Vec<_> = pixels.iter().map(|pixel| Rgba(pixel.0.map(|n| -n))).collect();
        assert_eq!(to.to_vec(queue).unwrap(), negated, "{device}");

        let numbers: Vec<Rgba<u32>> = (0..10).map(|n| Rgba([n, 2 * n, 3 * n, 4 * n])).collect();
        let from = Image1dBuffer::from_slice(queue, [10], &numbers).unwrap();
        let mut to = Image1d::filled(queue, [10], Rgba([0; 4])).unwrap();
        let line = program.kernel("line").unwrap();
        // SAFETY: as above.
        unsafe { line.launch().arg(&from).arg(&mut to).global(10).enqueue(queue) }.unwrap();
        let more: Vec<_> = numbers.iter().map(|pixel| Rgba(pixel.0.map(|n| n + 1))).collect();
        assert_eq!(to.to_vec(queue).unwrap(), more, "{device}");
    });
}

#[test]
fn a_buffer_and_the_image_over_it_are_one_memory() {
    with_images(|device, queue| {
        let pixels: Vec<Rgba<u32>> = (0..10).map(pixel).collect();
        let buffer = Buffer::from_slice(queue, &pixels).unwrap();
        let context = queue.context();
        let mut image = Image1dBuffer::over(context, buffer).unwrap();
        assert_eq!(image.to_vec(queue).unwrap(), pixels, "{device}");
        let program = program(queue);
        let set = program.kernel("set").unwrap();
        // Two queues: the buffer's commands and the image's wait for each other.
        let other = Queue::new(context, QueueOptions::new()).unwrap();
        for round in 0..50_u32 {
            let launch = set.launch().arg(image.buffer_arg_mut().unwrap()).arg(round).global(10);
            // SAFETY: item i writes element i, and there are ten.
            unsafe { launch.enqueue(&other) }.unwrap();
            assert_eq!(image.to_vec(queue).unwrap(), [Rgba([round; 4]); 10]);
            image.fill(queue, Rgba([round + 1; 4])).unwrap();
            assert_eq!(image.buffer().unwrap().to_vec(&other).unwrap(), [Rgba([round + 1; 4]); 10]);
        }
        let buffer = image.into_buffer().unwrap();
        assert_eq!(buffer.to_vec(queue).unwrap(), [Rgba([50; 4]); 10]);
        assert!(Image2d::filled(queue, [1, 1], pixel::<Rgba<u8>>(0)).unwrap().buffer().is_none());
    });
}

#[test]
fn buffers_that_no_image_can_lie_over_come_back() {
    with_images(|device, queue| {
        let context = queue.context();
        let pixels: Vec<Rgba<u8>> = (0..4096).map(pixel).collect();
        let elsewhere = Queue::on(device).unwrap();
        let foreign = Buffer::from_slice(&elsewhere, &pixels).unwrap();
        let refused = Image1dBuffer::over(context, foreign).unwrap_err();
        assert!(matches!(refused.error, Error::ForeignObject { .. }), "{refused}");
        assert_eq!(refused.buffer.to_vec(&elsewhere).unwrap(), pixels);

        let empty = Buffer::<Rgba<u8>>::from_slice(queue, &[]).unwrap();
        let refused = Image1dBuffer::over(context, empty).unwrap_err();
        assert!(matches!(refused.error, Error::InvalidInput { what: "image size", .. }), "{refused}");

        let buffer = Buffer::from_slice(queue, &pixels).unwrap();
        let Some(alignment @ 1..) = device.image_pitch_alignment().unwrap() else {
            let refused = Image2d::over(context, buffer, [64, 64], 64).unwrap_err();
            assert!(matches!(refused.error, Error::Unsupported { .. }), "{refused}");
            assert_eq!(refused.buffer.to_vec(queue).unwrap(), pixels);
            return;
        };
        let pitch = alignment.max(16) as usize;
        let fits = [pitch - 3, 4096 / pitch];
        let mut refused = Image2d::over(context, buffer, fits, pitch + 1).map(drop).err();
        for (size, pitch) in [([pitch + 1, 1], pitch), ([pitch, fits[1] + 1], pitch)] {
            let buffer = refused.take().unwrap().buffer;
            refused = Image2d::over(context, buffer, size, pitch).map(drop).err();
        }
        let image = Image2d::over(context, refused.unwrap().buffer, fits, pitch).unwrap();
        let rows = pixels.chunks(pitch).take(fits[1]).flat_map(|row| &row[..fits[0]]);
        assert_eq!(image.to_vec(queue).unwrap(), rows.copied().collect::<Vec<_>>(), "{device}");
    });
}

#[test]
fn queues_see_each_others_images() {
    with_images(|_, queue| {
        let mut queues = vec![queue.clone()];
        for options in [QueueOptions::new(), QueueOptions::new().out_of_order()] {
            queues.extend(Queue::new(queue.context(), options));
        }
        let mut one = Image2d::filled(queue, [64, 64], Rgba([0_u32; 4])).unwrap();
        let mut other = Image2d::filled(queue, [64, 64], Rgba([0_u32; 4])).unwrap();
        for round in 0..100_u32 {
            let queue = |step: usize| &queues[(round as usize + step) % queues.len()];
            one.fill(queue(0), Rgba([round; 4])).unwrap();
            other.copy_from(queue(1), [0, 0], &one, [0, 0], [64, 64]).unwrap();
            one.fill(queue(2), Rgba([u32::MAX; 4])).unwrap();
            let map = other.map_mut(queue(3), [0, 0], [64, 64]).unwrap();
            assert!(map.rows().flatten().all(|&pixel| pixel == Rgba([round; 4])), "round {round}");
        }
    });
}

#[test]
fn wrong_sizes_are_refused_before_the_driver_sees_them() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        if !device.has_images().unwrap() {
            continue;
        }
        type Pixel = Rgba<u8>;
        // The abilities of the device are asked once a context.
        Image2d::<Pixel>::is_supported(queue.context()).unwrap();
        Image3d::<Pixel>::is_supported(queue.context()).unwrap();
        Image2dArray::<Pixel>::is_supported(queue.context()).unwrap();
        drop(Image2d::filled(&queue, [1, 1], pixel::<Pixel>(0)).unwrap());
        device.limits().unwrap();
        let wide = device.max_image_2d_width().unwrap();
        let high = device.max_image_2d_height().unwrap();
        let deep = device.max_image_3d_depth().unwrap();
        let layers = device.max_image_array().unwrap();
        let name = device.to_string();
        let calls = counter.calls_during(|| {
            let refused = |result: cl_core::Result<()>| match result {
                // The error names the device, so the driver is asked for the name.
                Err(Error::InvalidInput { what: "image size", reason, .. }) => {
                    assert!(reason.contains(&name));
                }
                other => panic!("{other:?}"),
            };
            for size in [[0, 1], [1, 0], [wide + 1, 1], [1, high + 1], [usize::MAX, usize::MAX]] {
                refused(Image2d::filled(&queue, size, pixel::<Pixel>(0)).map(drop));
                refused(Image2d::from_slice(&queue, size, &[pixel::<Pixel>(0)]).map(drop));
            }
            refused(Image3d::filled(&queue, [1, 1, deep + 1], pixel::<Pixel>(0)).map(drop));
            refused(Image3d::filled(&queue, [1, 1, 0], pixel::<Pixel>(0)).map(drop));
            refused(Image2dArray::filled(&queue, [1, 1, layers + 1], pixel::<Pixel>(0)).map(drop));
            let short = Image2d::from_slice(&queue, [2, 2], &[pixel::<Pixel>(0); 3]).map(drop);
            assert_eq!(short, Err(Error::length_mismatch("image", 4, 3)));
        });
        let info = ["clGetDeviceInfo", "clGetPlatformInfo"];
        assert!(calls.keys().all(|call| info.contains(call)), "{calls:?} on {device}");
    }
}

#[test]
fn images_beyond_the_allocation_limit_are_refused() {
    with_images(|device, queue| {
        let limit = device.limits().unwrap().allocation;
        let size = [
            device.max_image_3d_width().unwrap(),
            device.max_image_3d_height().unwrap(),
            device.max_image_3d_depth().unwrap(),
        ];
        let bytes = size.iter().map(|&n| n as u128).product::<u128>() * 16;
        let result = Image3d::filled(queue, size, Rgba([0.0_f32; 4])).map(drop);
        if bytes > u128::from(limit) {
            assert!(
                matches!(result, Err(Error::TooLarge { bytes: named, .. }) if named == bytes),
                "{result:?}"
            );
        }
    });
}

#[test]
fn wrong_regions_are_refused_before_the_driver_sees_them() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        if !device.has_images().unwrap() {
            continue;
        }
        let grey = Rgba([9_u8; 4]);
        let mut image = Image2d::filled(&queue, [4, 3], grey).unwrap();
        let other = Image2d::filled(&queue, [4, 3], grey).unwrap();
        let mut buffer = Buffer::filled(&queue, grey, 12).unwrap();
        let elsewhere = Queue::on(&device).unwrap();
        let foreign = Image2d::filled(&elsewhere, [4, 3], grey).unwrap();
        let foreign_buffer = Buffer::filled(&elsewhere, grey, 12).unwrap();
        let mut four = [grey; 4];
        let calls = counter.calls_during(|| {
            for at in [[3, 0], [0, 2], [4, 3], [usize::MAX, 0], [0, usize::MAX - 1], [1 << 63, 1 << 63]] {
                let outside = |result: cl_core::Result<()>, wanted: &str| {
                    assert!(
                        matches!(
                            &result,
                            Err(Error::OutsideImage { operation, origin, size: [2, 2, 1], image: [4, 3, 1], .. })
                                if operation == &wanted && origin == &[at[0], at[1], 0]
                        ),
                        "{result:?}"
                    );
                };
                outside(image.read(&queue, at, [2, 2], &mut four), "read");
                outside(image.write(&queue, at, [2, 2], &four), "write");
                outside(image.fill_region(&queue, at, [2, 2], grey), "fill");
                outside(image.copy_from(&queue, at, &other, [0, 0], [2, 2]), "copy");
                outside(image.copy_from(&queue, [0, 0], &other, at, [2, 2]), "copy");
                outside(image.map(&queue, at, [2, 2]).map(drop), "map");
                outside(image.map_mut(&queue, at, [2, 2]).map(drop), "map");
                let copied = image.copy_from_buffer(&queue, at, [2, 2], &buffer, 0);
                outside(copied, "copy from a buffer");
                let copied = image.copy_to_buffer(&queue, at, [2, 2], &mut buffer, 0);
                outside(copied, "copy to a buffer");
            }
            for start in [9, 12, usize::MAX, 1 << 62] {
                let end = start.saturating_add(4);
                let beyond = |operation| Err(Error::out_of_bounds(operation, start, end, 12));
                let copied = image.copy_from_buffer(&queue, [0, 0], [2, 2], &buffer, start);
                assert_eq!(copied, beyond("copy from a buffer"));
                let copied = image.copy_to_buffer(&queue, [0, 0], [2, 2], &mut buffer, start);
                assert_eq!(copied, beyond("copy to a buffer"));
            }
            let unequal = |operation, left, right| Err(Error::length_mismatch(operation, left, right));
            assert_eq!(image.read(&queue, [0, 0], [3, 1], &mut four), unequal("read", 4, 3));
            assert_eq!(image.write(&queue, [0, 0], [3, 2], &four), unequal("write", 6, 4));
            let empty = image.map(&queue, [0, 0], [0, 2]).map(drop);
            assert!(matches!(empty, Err(Error::InvalidInput { what: "image region", .. })), "{empty:?}");
            for refused in [
                image.read(&elsewhere, [0, 0], [2, 2], &mut four),
                image.write(&elsewhere, [0, 0], [2, 2], &four),
                image.fill(&elsewhere, grey),
                image.map(&elsewhere, [0, 0], [1, 1]).map(drop),
                image.copy_from(&queue, [0, 0], &foreign, [0, 0], [1, 1]),
                image.copy_from_buffer(&queue, [0, 0], [1, 1], &foreign_buffer, 0),
                foreign.copy_to_buffer(&elsewhere, [0, 0], [1, 1], &mut buffer, 0),
            ] {
                assert!(matches!(refused, Err(Error::ForeignObject { .. })), "{refused:?}");
            }
            // Commands on boxes without pixels do nothing, also at the edge.
            image.read(&queue, [4, 3], [0, 0], &mut []).unwrap();
            image.write(&queue, [0, 0], [0, 3], &[]).unwrap();
            image.fill_region(&queue, [4, 0], [0, 3], grey).unwrap();
            image.copy_from(&queue, [0, 0], &other, [4, 0], [0, 3]).unwrap();
            image.copy_from_buffer(&queue, [0, 0], [0, 0], &buffer, 12).unwrap();
            image.copy_to_buffer(&queue, [0, 0], [0, 0], &mut buffer, 12).unwrap();
        });
        assert!(calls.is_empty(), "{calls:?} on {device}");
        assert_eq!(image.to_vec(&queue).unwrap(), [grey; 12]);
    }
}

#[test]
fn handles_go_out_and_in_and_nothing_leaks() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        if !device.has_images().unwrap() {
            continue;
        }
        let context = queue.context();
        let calls = counter.calls_during(|| {
            let pixels: Vec<Rgba<u8>> = (0..24).map(pixel).collect();
            let image = Image2dArray::from_slice(&queue, [2, 3, 4], &pixels).unwrap();
            let raw = image.as_raw();
            // SAFETY: refused, so that nothing is taken over.
            let refused = unsafe {
                [
                    Image2dArray::<Rgba<i8>>::from_raw(context, raw).map(drop),
                    Image3d::<Rgba<u8>>::from_raw(context, raw).map(drop),
                    Image2dArray::<Rgba<u8>>::from_raw(context, std::ptr::null_mut()).map(drop),
                ]
            };
            for refused in refused {
                assert!(
                    matches!(refused, Err(Error::InvalidInput { what: "image handle", .. })),
                    "{refused:?}"
                );
            }
            // SAFETY: as above.
            let refused = unsafe { Image2dArray::<Rgba<u8>>::from_raw(&Context::on(&device).unwrap(), raw) };
            assert!(matches!(refused, Err(Error::ForeignObject { .. })), "{refused:?}");
            // SAFETY: a valid image.
            assert_eq!(unsafe { (context.library().functions().clRetainMemObject)(raw) }, 0);
            // SAFETY: the reference made above; the image is written.
            let adopted = unsafe { Image2dArray::<Rgba<u8>>::from_raw(context, raw) }.unwrap();
            drop(image);
            assert_eq!(adopted.size(), [2, 3, 4]);
            assert_eq!(adopted.to_vec(&queue).unwrap(), pixels);
            drop(adopted.map(&queue, [0, 0, 0], [1, 1, 1]).unwrap());
            drop(Image1dBuffer::from_slice(&queue, [24], &pixels).unwrap());
        });
        let count = |name| calls.get(name).copied().unwrap_or(0);
        let made = count("clCreateImage") + count("clCreateBuffer") + count("clRetainMemObject");
        assert_eq!((made, count("clReleaseMemObject")), (4, 4));
        assert_eq!(count("clEnqueueMapImage"), count("clEnqueueUnmapMemObject"));
    }
}
