//! Streams in device functions: the same numbers as on the host, and as the engine's own draws.

use cl_algo::prelude::*;
use cl_random::{Engine, Philox4x32, Stream};
use cl_test::{each_device, offers};

/// Returns draw `number` of one kind.
#[device_fn]
fn word(mut stream: Stream, number: u32) -> u32 {
    let mut word = 0;
    for _at in 0..number + 1 {
        word = stream.bits();
    }
    word
}

#[device_fn]
fn uniform(mut stream: Stream, number: u32) -> f32 {
    let mut x = 0.0;
    for _at in 0..number + 1 {
        x = stream.uniform();
    }
    x
}

#[device_fn]
fn normal(mut stream: Stream, number: u32) -> f32 {
    let mut x = 0.0;
    for _at in 0..number + 1 {
        x = stream.normal();
    }
    x
}

/// Draws different numbers, in an order that depends on the numbers themselves.
#[device_fn]
fn mixed(mut stream: Stream, count: u32) -> f32 {
    let mut sum = 0.0;
    for at in 0..count {
        sum += if at % 3 == 0 { stream.uniform() - stream.uniform() } else { stream.exponential() };
        if stream.below(10) < 3 {
            sum += (stream.bits() >> 8) as f32;
        }
    }
    sum
}

#[device_fn]
fn long(mut stream: Stream) -> f64 {
    stream.uniform_f64() + 10.0 * stream.normal_f64()
}

/// An engine whose counter carries after the first block of each stream.
fn engine() -> Philox4x32 {
    Philox4x32::new(0x1234_5678_9abc_def0).with_counter([u32::MAX, u32::MAX, 5, 7])
}

#[test]
fn words_are_those_of_the_engine() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let engine = engine();
        for number in [0, 3, 4, 9] {
            let got = word(engine.streams(100), number).on(queue).collect().unwrap().to_vec().unwrap();
            let wanted = (0..100).map(|i| engine.stream(i).bits::<u32>().get(number.into()));
            assert!(got.into_iter().eq(wanted), "{number}");
        }
        let got = uniform(engine.streams(100), 6).on(queue).collect().unwrap().to_vec().unwrap();
        assert!(got.into_iter().eq((0..100).map(|i| engine.stream(i).uniform::<f32>().get(6))));
        for number in [0, 1, 4] {
            let got = normal(engine.streams(100), number).on(queue).collect().unwrap().to_vec().unwrap();
            for (i, got) in got.into_iter().enumerate() {
                let wanted = engine.stream(i as u64).normal::<f32>().get(number.into());
                assert!((got - wanted).abs() <= 4.0 * f32::EPSILON * wanted.abs(), "{got} {wanted}");
            }
        }
    });
}

#[test]
fn the_host_draws_the_same() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let engine = engine();
        let got = mixed(engine.streams(300), 50).on(queue).collect().unwrap().to_vec().unwrap();
        for (i, got) in got.into_iter().enumerate() {
            assert_eq!(got, mixed(Stream::new(&engine.stream(i as u64)), 50), "{i}");
        }
        if offers(device, "double precision", device.has_fp64()) {
            let got = long(engine.streams(100)).on(queue).collect().unwrap().to_vec().unwrap();
            for (i, got) in got.into_iter().enumerate() {
                assert_eq!(got, long(Stream::new(&engine.stream(i as u64))), "{i}");
            }
        }
        // Streams can be stored, and go on where they stopped.
        let stored = engine.streams(10).on(queue).collect().unwrap();
        assert_eq!(
            word(&stored, 3).collect().unwrap().to_vec().unwrap()[4],
            engine.stream(4).bits::<u32>().get(3)
        );
    });
}

#[test]
fn methods_of_the_host() {
    let mut stream = Stream::new(&engine());
    let words: Vec<u32> = (0..8).map(|_| stream.bits()).collect();
    assert!(words.iter().copied().eq(engine().bits::<u32>().iter().take(8)));
    assert_eq!(stream.below(0), 0);
    assert!((0..100).all(|_| stream.below(7) < 7));
    let mut stream = Stream::new(&engine());
    let normals: Vec<f32> = (0..9).map(|_| stream.normal()).collect();
    assert!(normals.into_iter().eq(engine().normal::<f32>().iter().take(9)));
}
