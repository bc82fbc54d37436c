//! Images: memory with two or three dimensions, typed pixels, and samplers that define the values beyond the
//! edges.
//!
//! `cargo run --release --example 21_images`. Graphics cards have special units that read images, convert
//! pixels and handle edges. The kernel blurs an image by the mean of nine pixels. Each pixel is compared with
//! the host's. On devices without images the example does nothing.

use cl_core::{
    Addressing, BuildOptions, Device, Error, Image2d, Program, Queue, Rgba, Sampler, SamplerOptions,
};

const SOURCE: &str = include_str!("../kernels/images.cl");

const WIDTH: usize = 200;
const HEIGHT: usize = 100;

/// Four channels of numbers from 0 to 255, row after row.
type Pixels = Vec<Rgba<u8>>;

fn main() -> cl_core::Result<()> {
    let queue = Queue::on(&Device::first()?)?;
    let pixels = picture();
    let blurred = match blur(&queue, &pixels) {
        Err(Error::Unsupported { feature, device, .. }) => {
            println!("{device} has no {feature}: nothing to blur");
            return Ok(());
        }
        blurred => blurred?,
    };
    assert!(blurred == blurred_on_host(&pixels), "the device's pixels differ from the host's");
    println!("{WIDTH} x {HEIGHT} pixels blurred on {}: all right", queue.device());
    Ok(())
}

fn blur(queue: &Queue, pixels: &Pixels) -> cl_core::Result<Pixels> {
    let from = Image2d::from_slice(queue, [WIDTH, HEIGHT], pixels)?;
    let mut to = Image2d::filled(queue, [WIDTH, HEIGHT], Rgba([0_u8; 4]))?;
    let edges = Sampler::new(queue.context(), SamplerOptions::new().addressing(Addressing::ClampToEdge))?;
    let blur = Program::build(queue.context(), SOURCE, &BuildOptions::new())?.kernel("blur")?;

    let launch = blur.launch().arg(&from).arg(&mut to).arg(&edges).global([WIDTH, HEIGHT]);
    // SAFETY: each work-item writes its own pixel, and there are as many work-items as pixels; the sampler
    // keeps all reads inside.
    unsafe { launch.enqueue(queue)? };
    to.to_vec(queue)
}

/// Returns a picture with edges in it.
fn picture() -> Pixels {
    let pixel = |i: usize| Rgba([i % 251, i / WIDTH, i * i % 256, 255].map(|channel| channel as u8));
    (0..WIDTH * HEIGHT).map(pixel).collect()
}

fn blurred_on_host(pixels: &Pixels) -> Pixels {
    let pixel = |x: isize, y: isize| {
        let (x, y) = (x.clamp(0, WIDTH as isize - 1), y.clamp(0, HEIGHT as isize - 1));
        pixels[y as usize * WIDTH + x as usize].0
    };
    let mean = |i: usize| {
        let (x, y) = ((i % WIDTH) as isize, (i / WIDTH) as isize);
        let mut sum = [0_u32; 4];
        for (dx, dy) in (0..9).map(|k| (k % 3 - 1, k / 3 - 1)) {
            for (sum, channel) in sum.iter_mut().zip(pixel(x + dx, y + dy)) {
                *sum += u32::from(channel);
            }
        }
        Rgba(sum.map(|sum| (sum / 9) as u8))
    };
    (0..pixels.len()).map(mean).collect()
}
