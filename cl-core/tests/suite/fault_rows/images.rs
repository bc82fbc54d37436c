//! Images of each kind, and samplers.

use super::lacking;
use cl_core::{
    Addressing, Buffer, BuildOptions, Context, D1, D1Array, D1Buffer, D2, D2Array, D3, Dimensions, Filtering,
    Image, Image1dBuffer, Image2d, Kernel, Program, Result, Rgba, Sampler, SamplerOptions,
};
use cl_test::sweep::{Bench, Operation, Run, run};

type Pixel = Rgba<u8>;

const DARK: Pixel = Rgba([1, 2, 3, 4]);
const LIGHT: Pixel = Rgba([200, 100, 50, 25]);

/// Returns an image of the kind, if the device has this kind.
fn image<D: Dimensions>(bench: &Bench, size: D::Size) -> Option<Image<D, Pixel>> {
    let has = Image::<D, Pixel>::is_supported(&bench.context).unwrap();
    has.then(|| Image::filled(&bench.queue, size, DARK).unwrap())
}

/// Returns a size that is `number` in each dimension.
fn all<D: Dimensions>(number: usize) -> D::Size {
    D::Size::try_from(&[number; 3][..D::COUNT]).unwrap_or_else(|_| unreachable!("as many as the kind has"))
}

fn makes<D: Dimensions>(bench: &Bench) -> Option<Run<'_>> {
    let pixels = image::<D>(bench, all::<D>(2))?.pixels();
    run(move || {
        let made: Image<D, Pixel> = Image::from_slice(&bench.queue, all::<D>(2), &vec![LIGHT; pixels])?;
        assert_eq!(made.to_vec(&bench.queue)?, vec![LIGHT; pixels]);
        Image::<D, Pixel>::filled(&bench.queue, all::<D>(2), DARK).map(drop)
    })
}

fn moves<D: Dimensions>(bench: &Bench) -> Option<Run<'_>> {
    let (mut x, y) = (image::<D>(bench, all::<D>(3))?, image::<D>(bench, all::<D>(3))?);
    let mut buffer = Buffer::filled(&bench.queue, LIGHT, 2).unwrap();
    run(move || {
        let (queue, at, one, mut seen) = (&bench.queue, all::<D>(1), all::<D>(1), [DARK]);
        x.write(queue, at, one, &[LIGHT])?;
        x.read(queue, at, one, &mut seen)?;
        assert_eq!(seen, [LIGHT]);
        x.fill_region(queue, all::<D>(2), one, LIGHT)?;
        x.copy_from(queue, at, &y, all::<D>(0), one)?;
        x.copy_to_buffer(queue, at, one, &mut buffer, 0)?;
        x.copy_from_buffer(queue, all::<D>(0), one, &buffer, 1)?;
        assert_eq!(buffer.to_vec(queue)?, [DARK, LIGHT]);
        let seen = x.to_vec(queue)?;
        assert_eq!([seen[0], seen[seen.len() - 1]], [LIGHT; 2]);
        Ok(())
    })
}

fn maps<D: Dimensions>(bench: &Bench) -> Option<Run<'_>> {
    let mut x = image::<D>(bench, all::<D>(2))?;
    run(move || {
        let mut map = x.map_mut(&bench.queue, all::<D>(0), all::<D>(2))?;
        map.rows_mut().for_each(|row| row.fill(LIGHT));
        map.unmap()?;
        let map = x.map(&bench.queue, all::<D>(1), all::<D>(1))?;
        assert_eq!(map.row(0, 0), Some(&[LIGHT][..]));
        map.unmap()
    })
}

/// Takes over a second reference.
fn adopts<D: Dimensions>(bench: &Bench) -> Option<Run<'_>> {
    let x = image::<D>(bench, all::<D>(2))?;
    let (library, raw) = (bench.device.library(), x.as_raw());
    // SAFETY: the image is alive.
    assert_eq!(unsafe { (library.functions().clRetainMemObject)(raw) }, 0);
    run(move || {
        let _kept = x;
        // SAFETY: as above; the reference is taken over, or released after an error.
        let taken = unsafe {
            Image::<D, Pixel>::from_raw(&bench.context, raw).inspect_err(|_| {
                (library.functions().clReleaseMemObject)(raw);
            })
        };
        taken.map(drop)
    })
}

/// Returns a kernel of a program that the context keeps.
fn sampling(context: &Context) -> Kernel {
    let source = "kernel void look(read_only image2d_t image, sampler_t sampler, global uint4 *x) {
        x[0] = read_imageui(image, sampler, (int2)(9, 9));
    }";
    Program::build(context, source, &BuildOptions::new()).and_then(|program| program.kernel("look")).unwrap()
}

/// Makes an image in a context in which the device has not been asked for anything yet.
fn asks_first(bench: &Bench) -> Result<()> {
    if Image2d::<Pixel>::is_supported(&bench.context)? {
        Image2d::filled(&bench.queue, [2, 2], DARK)?;
    }
    assert_eq!(Image::<D3, Pixel>::formats(&bench.context)?, Image::<D3, Pixel>::formats(&bench.context)?);
    Ok(())
}

pub(crate) const ROWS: &[Operation] = &[
    Operation::new("Image::formats, asked first", |bench| run(|| asks_first(bench))).in_own_context(),
    Operation::new("Image1d::from_slice, filled", makes::<D1>),
    Operation::new("Image1dArray::from_slice, filled", makes::<D1Array>),
    Operation::new("Image1dBuffer::from_slice, filled", makes::<D1Buffer>),
    Operation::new("Image2d::from_slice, filled", makes::<D2>),
    Operation::new("Image2dArray::from_slice, filled", makes::<D2Array>),
    Operation::new("Image3d::from_slice, filled", makes::<D3>),
    Operation::new("commands of Image1d", moves::<D1>),
    Operation::new("commands of Image1dArray", moves::<D1Array>),
    Operation::new("commands of Image1dBuffer", moves::<D1Buffer>),
    Operation::new("commands of Image2d", moves::<D2>),
    Operation::new("commands of Image2dArray", moves::<D2Array>),
    Operation::new("commands of Image3d", moves::<D3>),
    Operation::new("maps of Image1d", maps::<D1>),
    Operation::new("maps of Image1dArray", maps::<D1Array>),
    Operation::new("maps of Image2d", maps::<D2>),
    Operation::new("maps of Image2dArray", maps::<D2Array>),
    Operation::new("maps of Image3d", maps::<D3>),
    Operation::new("Image2d::from_raw", adopts::<D2>),
    Operation::new("Image2dArray::from_raw", adopts::<D2Array>),
    Operation::new("an image that goes from queue to queue", |bench| {
        let mut x = image::<D2>(bench, [2, 2])?;
        run(move || {
            x.fill(&bench.profiling, LIGHT)?;
            for queue in [bench.out_of_order.as_ref(), Some(&bench.queue)].into_iter().flatten() {
                x.fill_region(queue, [0, 0], [1, 1], DARK)?;
                assert_eq!(x.to_vec(queue)?, [DARK, LIGHT, LIGHT, LIGHT]);
            }
            Ok(())
        })
    }),
    Operation::new("Image1dBuffer::over", |bench| {
        image::<D1Buffer>(bench, [1])?;
        run(|| {
            let buffer = Buffer::filled(&bench.queue, DARK, 4)?;
            let mut image = Image1dBuffer::over(&bench.context, buffer)?;
            image.fill(&bench.queue, LIGHT)?;
            let buffer = image.into_buffer().unwrap();
            assert_eq!(buffer.to_vec(&bench.queue)?, [LIGHT; 4]);
            Ok(())
        })
    }),
    Operation::new("Image2d::over", |bench| {
        image::<D2>(bench, [1, 1])?;
        let pitch = bench.device.image_pitch_alignment().unwrap().filter(|&pitch| pitch > 0)? as usize;
        let pitch = 4_usize.next_multiple_of(pitch);
        run(move || {
            let buffer = Buffer::filled(&bench.queue, DARK, 2 * pitch)?;
            let mut image = Image2d::over(&bench.context, buffer, [4, 2], pitch)?;
            image.fill(&bench.queue, LIGHT)?;
            assert_eq!(image.buffer().unwrap().to_vec(&bench.queue)?[0], LIGHT);
            Ok(())
        })
    }),
    Operation::new("Sampler::new", |bench| {
        let smooth = SamplerOptions::new().normalized().filtering(Filtering::Linear);
        let wanted = smooth.addressing(Addressing::Repeat);
        run(move || lacking(Sampler::new(&bench.context, wanted)).map(drop))
    }),
    Operation::new("Sampler::from_raw", |bench| {
        let made = lacking(Sampler::new(&bench.context, SamplerOptions::new())).unwrap()?;
        let (library, raw) = (bench.device.library(), made.as_raw());
        // SAFETY: the sampler is alive.
        assert_eq!(unsafe { (library.functions().clRetainSampler)(raw) }, 0);
        run(move || {
            // SAFETY: as above; the reference is taken over, or released after an error.
            let taken = unsafe {
                Sampler::from_raw(&bench.context, raw).inspect_err(|_| {
                    (library.functions().clReleaseSampler)(raw);
                })
            };
            assert_eq!(taken?.options(), made.options());
            Ok(())
        })
    }),
    Operation::new("Launch with an image and a sampler", |bench| {
        let (x, kernel) = (image::<D2>(bench, [2, 2])?, sampling(&bench.context));
        let mut seen = Buffer::filled(&bench.queue, [0_u32; 4], 1).unwrap();
        run(move || {
            let nearest = Sampler::new(&bench.context, SamplerOptions::new())?;
            // SAFETY: one work-item, which writes the only element.
            unsafe { kernel.launch().arg(&x).arg(&nearest).arg(&mut seen).global(1).enqueue(&bench.queue)? };
            assert_eq!(seen.to_vec(&bench.queue)?, [DARK.0.map(u32::from)]);
            Ok(())
        })
    })
    // Whoever releases the sampler asks again.
    .ignores_failures_of(&["clEnqueueMarkerWithWaitList", "clWaitForEvents", "clGetEventInfo"]),
];
