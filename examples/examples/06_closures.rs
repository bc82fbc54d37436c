//! Closures: your own operations in place of operators, and ways to inspect expressions.
//!
//! `cargo run --release --example 06_closures`. A closure that only computes is *recorded*: it runs once, on
//! symbols in place of numbers, and its operations become part of the kernel. A closure with branches or loops
//! is written as `cl!(|x: i32| ...)` and *translated*; it captures the variables that it uses. Here both become
//! kernels. One expression is printed as text, as a graph for `dot -Tsvg`, and as the source of its kernel.
//! `CL_SHOW_KERNELS=1` prints the source of every kernel of any program.

use cl_algo::prelude::*;

const LEN: usize = 100_000;

fn main() -> cl_core::Result<()> {
    let device = Device::first()?;
    let queue = Queue::on(&device)?;
    let host: Vec<i32> = (0..LEN as i32).map(|i| i * 7919 % 1013 - 500).collect();
    let x = DeviceVec::from_slice(&queue, &host)?;

    // Captured variables become arguments, so that another limit does not compile another kernel.
    for limit in [10, 100] {
        let cut = x.iter().map(cl!(|x: i32| if x > limit { limit } else { x }));
        let expected: Vec<i32> = host.iter().map(|&x| x.min(limit)).collect();
        assert_eq!(cut.collect()?.to_vec()?, expected);
    }

    // Statements, loops and early returns. The results go right into the sum, and no digits are stored.
    let digits = cl!(|x: i32| -> u32 {
        let (mut rest, mut count) = (x.unsigned_abs(), 1);
        while rest > 9 {
            rest /= 10;
            count += 1;
        }
        count
    });
    let expected: u32 = host.iter().map(|x| x.unsigned_abs().to_string().len() as u32).sum();
    assert_eq!(x.iter().map(digits).sum()?, expected);

    // A closure that returns a tuple makes two vectors in one kernel.
    let step = 10;
    let split = x.iter().map(cl!(|x: i32| (x / step, x % step)));
    let (tens, ones) = split.collect()?;
    let (tens, ones) = (tens.to_vec()?, ones.to_vec()?);
    assert!((0..LEN).all(|i| (tens[i], ones[i]) == (host[i] / step, host[i] % step)));

    // Recorded closures become part of the expression: x * x is computed once.
    let scale = 3;
    let expression = x.iter().map(|x| (x * x + scale) * (x * x - scale));
    println!("As text:\n{expression}\n");
    println!("As a graph:\n{}", expression.graphviz());
    println!("As a kernel:\n{}", expression.kernel_source(&device)?);
    let values = expression.collect()?.to_vec()?;
    assert!(host.iter().zip(&values).all(|(x, &value)| value == (x * x + scale).wrapping_mul(x * x - scale)));
    println!("{LEN} elements on {device}: all right");
    Ok(())
}
