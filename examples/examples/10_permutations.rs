//! Orders in which elements are read and written: reversed, and at random.
//!
//! `cargo run --release --example 10_permutations -- --elements 1000000`. `rev` and `gather` change the order
//! in which an expression is read (a gather). `view_mut().rev()` and `scatter_mut` change the order in which it
//! is stored (a scatter). Neither copies the elements. Every index is checked: a wrong one is an error, and
//! accesses no other memory.

use cl_algo::prelude::*;
use cl_core::Error;
use clap::Parser;

#[derive(Parser)]
struct Options {
    /// The number of elements.
    #[arg(long, default_value_t = 200_000)]
    elements: usize,
}

fn main() -> cl_core::Result<()> {
    let Options { elements } = Options::parse();
    let queue = Queue::on(&Device::first()?)?;
    let host_x: Vec<f32> = (0..elements).map(|i| i as f32).collect();
    let host_order = random_order(elements);
    let x = DeviceVec::from_slice(&queue, &host_x)?;
    let order = DeviceVec::from_slice(&queue, &host_order)?;
    let mut y = DeviceVec::filled(&queue, 0.0, elements)?;

    // Reversing the input or the output gives the same result.
    let reversed: Vec<f32> = host_x.iter().rev().map(|x| 2.0 * x).collect();
    y.assign((2.0 * &x).rev())?;
    assert!(y.to_vec()? == reversed, "the input reversed");
    assign(y.view_mut().rev(), 2.0 * &x)?;
    assert!(y.to_vec()? == reversed, "the output reversed");

    // Element i comes from order[i] ...
    let gathered = x.iter().gather(&order).collect()?;
    assert!(gathered.to_vec()?.iter().zip(&host_order).all(|(x, &i)| *x == host_x[i as usize]), "gather");
    // ... and goes to order[i]. Each undoes the other, in either order.
    assign(y.scatter_mut(&order), &gathered)?;
    assert!(y.to_vec()? == host_x, "scatter after gather");
    assign(y.scatter_mut(&order), &x)?;
    assert!(y.iter().gather(&order).collect()?.to_vec()? == host_x, "gather after scatter");
    // One kernel can do both at once.
    assign(y.scatter_mut(&order), x.iter().gather(&order) + 1.0)?;
    assert!(y.to_vec()?.iter().zip(&host_x).all(|(y, x)| *y == x + 1.0), "gather and scatter at once");

    // Indices are data and may be wrong. The kernel accesses no memory out of range, and the wait for the
    // result returns the error.
    let wrong = x.iter().gather(index::<u64>() + 1).take(elements).collect()?;
    match wrong.to_vec() {
        Err(Error::IndexOutOfRange { operation, index, bound, .. }) => {
            assert_eq!((operation, index, bound), ("gather", elements as u64, elements as u64));
            println!("as expected: {operation} at {index}, which is not below {bound}");
        }
        other => panic!("an index out of range gave {other:?}"),
    }
    println!("{elements} elements on {}: all right", queue.device());
    Ok(())
}

/// Returns the numbers below `n` in random order (Fisher and Yates, with Marsaglia's xorshift).
fn random_order(n: usize) -> Vec<u32> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut order: Vec<u32> = (0..n as u32).collect();
    for last in (1..n).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        order.swap(last, (state % (last as u64 + 1)) as usize);
    }
    order
}
