//! Elements of your own types: a struct with `#[derive(Element)]` is stored in device vectors like a number.
//!
//! `cargo run --release --example 11_structs`. `#[repr(C)]` fixes the layout, so that host and device agree on
//! it. Device functions take and return such structs. A vector of structs has a method for each field, which
//! returns an expression. Algorithms move whole structs.

use cl_algo::prelude::*;

/// A ball above a floor.
#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Ball {
    /// The mass, in kilogrammes.
    mass: f32,
    /// The position, in metres: the distance from the thrower, and the height above the floor.
    across: f32,
    up: f32,
    /// The velocity in both directions, in metres per second.
    speed: f32,
    climb: f32,
    /// The number of times that the ball has met the floor.
    bounces: u32,
}

/// Returns the ball a moment later. At the floor it bounces and loses a tenth of its speed.
#[device_fn]
fn later(ball: Ball, seconds: f32) -> Ball {
    let mut next = ball;
    next.climb -= 9.81 * seconds;
    next.across += next.speed * seconds;
    next.up += next.climb * seconds;
    if next.up < 0.0 {
        next.up = -next.up;
        next.climb = -0.9 * next.climb;
        next.bounces += 1;
    }
    next
}

const STEPS: usize = 300;
const SECONDS: f32 = 0.01;

fn main() -> cl_core::Result<()> {
    let queue = Queue::on(&Device::first()?)?;
    let thrown = |i: u16| Ball {
        mass: 0.1 + 0.05 * f32::from(i % 17),
        across: 0.0,
        up: 1.0,
        speed: 0.1 * f32::from(i % 101),
        climb: 0.02 * f32::from(i % 211),
        bounces: 0,
    };
    let thrown: Vec<Ball> = (0..10_000).map(thrown).collect();
    let mut balls = DeviceVec::from_slice(&queue, &thrown)?;
    for _ in 0..STEPS {
        balls.assign_with(|balls| later(balls, SECONDS))?;
    }
    println!("{} balls after 3 seconds on {}", balls.len(), queue.device());

    // Fields take part in expressions.
    let energy = (balls.mass() * balls.speed() * balls.speed() * 0.5).sum()?;
    println!("energy of their way across: {energy:.0} J");
    println!("bounces: {}", balls.bounces().sum()?);

    // Whole structs are selected and sorted: balls that flew farther than 25 m, the heaviest first.
    let mut far = balls.iter().filter(|ball| ball.across().gt(25.0)).collect()?;
    far.sort_by(|a, b| a.mass().gt(b.mass()))?;
    let far = far.to_vec()?;
    println!("{} flew farther than 25 m; the heaviest of them: {:?}", far.len(), far[0]);

    // The host runs the same function.
    let on_host = |&ball: &Ball| (0..STEPS).fold(ball, |ball, _| later(ball, SECONDS));
    let expected: Vec<Ball> = thrown.iter().map(on_host).collect();
    assert!(balls.to_vec()? == expected, "the host's balls are at other positions");
    let mut expected: Vec<Ball> = expected.into_iter().filter(|ball| ball.across > 25.0).collect();
    expected.sort_by(|a, b| b.mass.total_cmp(&a.mass));
    assert!(far == expected, "the host selected other balls");
    println!("all right");
    Ok(())
}
