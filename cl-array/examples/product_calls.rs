//! The host's time for one call of a product, without a driver's: the recorded H200.
use cl_algo::{Format, prelude::*};
use cl_array::Array;
use std::time::Instant;

fn user_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap().split_whitespace().collect();
    fields[11].parse::<f64>().unwrap() / 100.0
}

fn time(name: &str, count: usize, mut call: impl FnMut()) {
    for _ in 0..50 {
        call();
    }
    let mut best = f64::MAX;
    let mut user = f64::MAX;
    for _ in 0..5 {
        let (start, used) = (Instant::now(), user_seconds());
        for _ in 0..count {
            call();
        }
        best = best.min(start.elapsed().as_secs_f64() / count as f64);
        user = user.min((user_seconds() - used) / count as f64);
    }
    println!("{name:24} {:8.2} us wall, {:8.2} us user", best * 1e6, user * 1e6);
}

fn main() -> cl_core::Result<()> {
    let device = cl_test::recorded::device("nvidia-h200");
    let queue = Queue::on(&device)?;
    let only = std::env::args().nth(1).unwrap_or_default();
    let count: usize = std::env::args().nth(2).map_or(5000, |n| n.parse().unwrap());
    let edge: usize = std::env::args().nth(3).map_or(512, |n| n.parse().unwrap());
    let run = |name: &str, f: &mut dyn FnMut()| {
        if name.contains(&only) {
            time(name, count, f)
        }
    };
    let (a, b) =
        (Array::filled(&queue, [edge, edge], 1.0_f32)?, Array::filled(&queue, [edge, edge], 1.0_f32)?);
    let mut c = Array::filled(&queue, [edge, edge], 1.0_f32)?;
    let (da, db) =
        (Array::filled(&queue, [edge, edge], 1.0_f64)?, Array::filled(&queue, [edge, edge], 1.0_f64)?);
    let mut dc = Array::filled(&queue, [edge, edge], 1.0_f64)?;
    run("f32", &mut || c.assign_matmul(&a, &b).unwrap());
    run("f64", &mut || dc.assign_matmul(&da, &db).unwrap());
    run("TF32", &mut || {
        c.assign_matmul(a.iter().round_to(Format::Tf32), b.iter().round_to(Format::Tf32)).unwrap()
    });
    run("BF16", &mut || {
        c.assign_matmul(a.iter().round_to(Format::Bf16), b.iter().round_to(Format::Bf16)).unwrap()
    });
    run("F16", &mut || {
        c.assign_matmul(a.iter().round_to(Format::F16), b.iter().round_to(Format::F16)).unwrap()
    });
    let (x, y) = (DeviceVec::filled(&queue, 1.0_f32, 4096)?, DeviceVec::filled(&queue, 1.0_f32, 4096)?);
    let mut z = DeviceVec::filled(&queue, 1.0_f32, 4096)?;
    run("saxpy", &mut || z.assign(2.0_f32 * &x + &y).unwrap());
    run("array a + b.t()", &mut || c.assign(&a + b.t()).unwrap());
    let (sa, sb) = (Array::filled(&queue, [16, 16], 1.0_f32)?, Array::filled(&queue, [16, 16], 1.0_f32)?);
    let mut sc = Array::filled(&queue, [16, 16], 1.0_f32)?;
    run("small 16", &mut || sc.assign_matmul(&sa, &sb).unwrap());
    Ok(())
}
