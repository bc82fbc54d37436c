//! Structs that are elements, in device functions.

use cl_algo::{DeviceVec, Element, ElementType, Field, StructType, bytemuck, cl, device_fn};
use cl_core::Queue;
use cl_test::each_device;

#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Particle {
    at: f32,
    speed: f32,
    hits: u32,
}

// SAFETY: three fields of 4 bytes each; all of their bit patterns are valid.
unsafe impl bytemuck::Zeroable for Particle {}
// SAFETY: as above.
unsafe impl bytemuck::Pod for Particle {}

// SAFETY: the fields are at the offsets in `TYPE`.
unsafe impl Element for Particle {
    type Stored = Particle;
    const TYPE: ElementType = ElementType::Struct(&StructType {
        name: "structs::Particle",
        size: 12,
        fields: &[
            Field { name: "at", offset: 0, element: ElementType::F32 },
            Field { name: "speed", offset: 4, element: ElementType::F32 },
            Field { name: "hits", offset: 8, element: ElementType::U32 },
        ],
    });
    fn as_stored(values: &[Particle]) -> &[Particle] {
        values
    }
    fn from_stored(stored: Particle) -> Particle {
        stored
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(transparent)]
struct Metres(f32);

const REST: Particle = Particle { at: 0.5, speed: 0.0, hits: 0 };

/// Moves a particle between two walls.
#[device_fn]
fn moved(particle: Particle, dt: f32) -> Particle {
    let mut next = particle;
    next.at += next.speed * dt;
    if next.at < 0.0 || next.at > 1.0 {
        next = Particle { hits: particle.hits + 1, speed: -particle.speed, at: next.at.clamp(0.0, 1.0) };
    }
    if next.hits > 2 { REST } else { next }
}

#[device_fn]
fn fastest(index: u32, all: &[Particle]) -> (f32, u32) {
    let mut best = all[0];
    let pair = [all[index as usize], best];
    for i in 0..all.len() {
        if all[i].speed.abs() > best.speed.abs() {
            best = all[i];
        }
    }
    (best.speed + pair[0].at, pair[1].hits)
}

#[device_fn]
fn longer(x: Metres, by: f32) -> Metres {
    let mut y = Metres(x.0 + by);
    y.0 *= 2.0;
    y
}

/// A struct with a field whose name is a word of Rust.
#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Token {
    r#type: u32,
    length: u32,
}

#[device_fn]
fn next_token(token: Token) -> Token {
    let mut next = Token { r#type: token.r#type + 1, length: token.length };
    next.r#type *= 2;
    next.length += 1;
    next
}

fn particles() -> Vec<Particle> {
    (0..50_u8)
        .map(|i| Particle { at: f32::from(i) * 0.02, speed: f32::from(i) - 25.0, hits: u32::from(i % 4) })
        .collect()
}

#[test]
fn are_read_built_and_changed() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let host = particles();
        let there = DeviceVec::from_slice(queue, &host).unwrap();
        let expected: Vec<Particle> = host.iter().map(|&particle| moved(particle, 0.03)).collect();
        assert_eq!(moved(&there, 0.03).collect().unwrap().to_vec().unwrap(), expected);
        let by_closure =
            there.iter().map(cl!(|p: Particle| if p.hits > 1 { moved(p, 0.03).at } else { p.at }));
        let expected: Vec<f32> =
            host.iter().map(|&p| if p.hits > 1 { moved(p, 0.03).at } else { p.at }).collect();
        assert_eq!(by_closure.collect().unwrap().to_vec().unwrap(), expected);
        let index: Vec<u32> = (0..50).collect();
        agree!(queue, 0, fastest(index; host));
    });
}

#[test]
fn fields_may_be_named_like_words_of_rust() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let host = [Token { r#type: 3, length: 5 }, Token { r#type: 0, length: 1 }];
        let x = DeviceVec::from_slice(queue, &host).unwrap();
        assert_eq!(next_token(&x).collect().unwrap().to_vec().unwrap(), host.map(next_token));
    });
}

#[test]
fn newtypes_are_what_their_field_is() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(queue, &[Metres(1.0), Metres(2.5)]).unwrap();
        let longer = longer(&x, 0.5).collect().unwrap();
        assert_eq!(longer.to_vec().unwrap(), [Metres(3.0), Metres(6.0)]);
    });
}

/// Changes its parameter; the caller's struct must stay unchanged.
#[device_fn]
fn stopped(mut particle: Particle) -> f32 {
    particle.speed = 0.0;
    particle.at += 1.0;
    particle.at + particle.speed
}

#[device_fn]
fn next_to_stopped(particle: Particle) -> f32 {
    let beside = stopped(particle);
    beside + particle.at + particle.speed
}

#[test]
fn a_parameter_that_changes_is_no_variable_of_the_caller() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let x = DeviceVec::filled(queue, Particle { at: 0.5, speed: 2.0, hits: 0 }, 5).unwrap();
        assert_eq!(next_to_stopped(&x).collect().unwrap().to_vec().unwrap(), [4.0; 5]);
    });
}
