//! The calls in the last column of the tables in "Coming from elsewhere", as code that compiles.
#![allow(unused, reason = "they show how something is written, and use nothing of it")]
#![allow(clippy::redundant_closure_for_method_calls, reason = "closures are what readers expect")]

use cl_algo::I32x2;
use cl_algo::math::{sin, sqrt};
use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;
use cl_algo::reducers::{Max, Sum};
use cl_algo::stl::{count_if, reduce, sort, sort_by, sort_by_key, sort_descending};
use cl_array::{Array, contract};
use cl_core::*;
use cl_fft::{Fft, RealFft, fft, ifft};
use cl_random::{Engine, Philox4x32, shuffle};
use cl_sparse::{Csr, HostCsr};

/// The chapters, as text.
const CHAPTERS: [&str; 5] = [
    include_str!("src/from-c.md"),
    include_str!("src/from-ocl.md"),
    include_str!("src/from-opencl3.md"),
    include_str!("src/from-boost-compute.md"),
    include_str!("src/from-vexcl.md"),
];

#[test]
fn every_call_of_the_tables_is_compiled_here() {
    let squeezed = |text: &str| text.split_whitespace().collect::<String>();
    // The other file also runs them.
    let here = squeezed(concat!(include_str!("tables.rs"), include_str!("boost_compute.rs")));
    let mut calls = Vec::new();
    for row in CHAPTERS.iter().flat_map(|chapter| chapter.lines()).filter(|line| line.starts_with('|')) {
        // A bar within code is written with a backslash.
        let row = row.replace("\\|", "\u{0}");
        let last = row.trim_end_matches('|').rsplit('|').next().unwrap_or_default().replace('\u{0}', "|");
        calls.extend(last.split('`').skip(1).step_by(2).filter(|code| is_whole(code)).map(str::to_owned));
    }
    assert!(calls.len() > 80, "the tables are not found");
    let lost: Vec<_> = calls.iter().filter(|call| !here.contains(&squeezed(call))).collect();
    assert!(lost.is_empty(), "compile them here, too: {lost:#?}");
}

/// Returns whether the text is a call with all of its arguments, and not the name of something, or cut short by dots.
fn is_whole(code: &str) -> bool {
    let whole_range = "(&queue, ..)";
    code.contains('(') && !code.starts_with("#[") && !code.replace(whole_range, "").contains("..")
}

struct Given {
    device: Device,
    context: Context,
    queue: Queue,
    event: Event,
    n: usize,
}

fn objects(given: Given, filter: Filter, options: QueueOptions) -> Result<()> {
    let Given { device, context, queue, n, .. } = given;
    Platform::all()?;
    Device::first()?;
    Device::all()?;
    {
        let filter = filter.clone();
        Device::select(filter)?;
    }
    Device::select(Filter::gpu())?;
    let devices = Device::select(Filter::gpu() & Filter::fp64())?;
    Device::select(Filter::from_env()?)?;
    Filter::from_env()?.take(1);
    Device::select_exclusive(filter, 1)?;
    device.name()?;
    Context::on(&device)?;
    Queue::on(&devices[0])?;
    let queue = Queue::on(&device)?;
    Queue::new(&context, options)?;
    Queue::new(&context, QueueOptions::new())?;
    Queue::new(&context, QueueOptions::new().profiling())?;
    UserEvent::new(&context)?;
    let shared: SvmVec<i32> = SvmVec::filled(&queue, 0, n)?;
    Ok(())
}

fn buffers(given: Given, host: Vec<f32>, start: usize, vec: Vec<f32>) -> Result<()> {
    let Given { queue, n, .. } = given;
    let mut buffer = Buffer::from_slice(&queue, &host)?;
    let mut other = Buffer::filled(&queue, 0.0, n)?;
    let mut x = Buffer::filled(&queue, 0.0_f32, n)?;
    buffer.fill(&queue, 0.0)?;
    buffer.to_vec(&queue)?;
    let mut target = vec![0.0; n];
    {
        let mut host = target;
        buffer.read(&queue, start, &mut host)?;
        buffer.read(&queue, 0, &mut host)?;
        x.read(&queue, 0, &mut host)?;
        buffer.write(&queue, 0, &host)?;
        x.write(&queue, 0, &host)?;
    }
    buffer.write_owned(&queue, start, vec)?;
    x.write_owned(&queue, 0, host)?;
    buffer.read_owned(&queue, ..)?.wait()?;
    buffer.map_mut(&queue, ..)?;
    x.map_mut(&queue, ..)?;
    x.fill(&queue, 0.0)?;
    x.to_vec(&queue)?;
    other.copy_from(&queue, &buffer)?;
    let image = Image2d::<Rgba<Unorm<u8>>>::from_slice(&queue, [1, 1], &[Rgba([Unorm(0); 4])])?;
    Ok(())
}

async fn kernels(given: Given, source: &str, options: BuildOptions) -> Result<()> {
    let Given { context, queue, event, n, .. } = given;
    let program = Program::build(&context, source, &options)?;
    let s = source;
    Program::build(queue.context(), s, &BuildOptions::new())?;
    Program::build(&context, source, &BuildOptions::new().define("N", 4))?;
    program.kernel("scale")?;
    program.kernel("add")?;
    let kernel = program.kernel("saxpy")?;
    let (mut x, mut buffer) = (Buffer::filled(&queue, 0.0_f32, n)?, Buffer::filled(&queue, 0.0_f32, n)?);
    let (a, count) = (1.0_f32, 256);
    let launch = kernel.launch().arg(&mut buffer).arg(10.0_f32);
    let launch = kernel.launch().arg(&mut x).arg(a);
    let launch = launch.arg(Local::<f32>::new(256)).arg(Local::<f32>::new(count)).global(n).local(64);
    // SAFETY: never run.
    unsafe { launch.enqueue(&queue)? }
    let launch = kernel.launch();
    // SAFETY: as above.
    unsafe { launch.enqueue(queue.after(&[&event]))? };
    let signalled = None;
    {
        let mut event = signalled;
        x.fill(queue.signal(&mut event), 1.0)?;
    }
    event.wait()?;
    event.profile()?;
    event.await?;
    Ok(())
}

fn algorithms(given: Given, host: Vec<f32>, engine: Philox4x32, k: isize) -> Result<()> {
    let Given { queue, n, .. } = given;
    let mut x = DeviceVec::filled(&queue, 0.0_f32, n)?;
    let mut y = DeviceVec::from_slice(&queue, &host)?;
    let (mut a, mut b, mut c) = (y.iter().collect()?, y.iter().collect()?, y.iter().collect()?);
    x.to_vec()?;
    {
        let (v, pos, range) = (1.0, 0, 1..2);
        x.push(v)?;
        x.splice(pos..pos, &y)?;
        x.erase(range)?;
        x.first()?;
        x.last()?;
        x.resize(n, 0.0)?;
    }
    x.buffer().read_owned(&queue, ..)?;
    x.assign(7.0)?;
    let lazy = iota(0, n);
    x.assign(index::<f32>())?;
    y.assign(sqrt(&x))?;
    c.assign(&a + &b)?;
    let lazy = 2.0 * &x + sin(&x);
    x.sum()?;
    reduce(&x, 0.0, |a, b| a + b)?;
    (&x * &y).sum()?;
    x.iter().min_element()?;
    count_if(&x, |x| x.gt(3.0))?;
    sort(&mut x)?;
    sort_descending(&mut x)?;
    sort(x.slice_mut(1..))?;
    sort_by(&mut x, |a, b| a.lt(b))?;
    let (mut keys, mut values) = (a, b);
    sort_by_key(&mut keys, &mut values)?;
    let (lazy, lazier) = (zip((&x, &y)), x.iter().zip(&y));
    let indices = DeviceVec::filled(&queue, 0_u32, n)?;
    let lazy = x.iter().gather(&indices);
    let lazy = x.iter().step_by(3);
    let lazy = x.iter().shifted(k, Border::Wrap).rev();
    let (a, b) = (1.0, 2.0);
    let lazy = x.iter().eq(a).select(b, &x);
    shuffle(&mut x, &engine)?;
    Ok(())
}

fn expressions(given: Given, host: Vec<f64>, matrix: HostCsr<f64>, seed: u64) -> Result<()> {
    #[device_fn]
    fn f(x: f64) -> f64 {
        x * x
    }
    let Given { queue, n, .. } = given;
    let mut x = DeviceVec::filled(&queue, 0.0, n)?;
    let y = DeviceVec::from_slice(&queue, &host)?;
    let (mut z, mut a, mut b) = (y.iter().collect()?, y.iter().collect()?, y.iter().collect()?);
    z.assign(2.0 * &x + sin(&y))?;
    x.add_assign(&y)?;
    x.assign_with(|x| 2.0 * x + &y)?;
    assign((&mut a, &mut b), (&x + &y, &x - &y))?;
    let (here, three) = (index::<u64>(), constant(3));
    let lazy = x.iter().gt(0.0).select(&x, 0.0);
    let lazy = x.iter().cast::<f32>();
    x.iter().reduce_with((Sum, Max))?;
    let i = DeviceVec::filled(&queue, 0_u32, n)?;
    let lazy = x.iter().gather(&i);
    let sink = x.scatter_mut(&i);
    let lazy = x.iter().step_by(2);
    let lazy = x.reinterpret::<I32x2>();
    let engine: Philox4x32 = Philox4x32::new(seed);
    let (uniform, normal) = (engine.uniform::<f64>(), engine.normal::<f64>());
    let plan: Fft<f64> = Fft::c2c(&queue, [n])?;
    let plan: RealFft<f64> = RealFft::new_on(&queue, [n])?;
    let (k, f) = (y.iter().collect()?, DeviceVec::filled(&queue, Complex::new(1.0, 0.0), n)?);
    let u = ifft(&queue, &fft(&queue, &f)? * &k)?;
    let host = matrix;
    let a: Csr<f64> = Csr::new(&queue, &host)?;
    let (mut r, f, u) = (y.iter().collect()?, y.iter().collect()?, y.iter().collect()?);
    r.assign(&f - &a * &u)?;
    Ok(())
}

fn arrays([a, b]: [Array<f32, 2>; 2], i: usize, shape: [usize; 3]) -> Result<()> {
    let row = a.row(i);
    let other = a.reshape(shape)?;
    let sums: Array<f32, 1> = a.sum_axis(1)?;
    let product: Array<f32, 2> = contract(&a, &b, &[(1, 0)])?;
    Ok(())
}
