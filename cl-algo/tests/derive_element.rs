//! `#[derive(Element)]`: newtypes on devices, and the types that it turns away.

use cl_algo::{DeviceVec, Element, ElementType};
use cl_core::Queue;
use cl_test::each_device;

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(transparent)]
struct Metres(f32);

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(transparent)]
struct Id {
    number: u64,
}

/// An element around an element.
#[derive(Clone, Copy, Element)]
#[repr(transparent)]
struct Altitude(#[allow(dead_code)] Metres);

#[test]
fn newtypes_are_what_their_field_is() {
    assert_eq!(Metres::TYPE, ElementType::F32);
    assert_eq!(Id::TYPE, ElementType::U64);
    assert_eq!(Altitude::TYPE, ElementType::F32);
}

#[test]
fn newtypes_round_trip() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();

        let metres: Vec<_> = (0..1000_u16).map(|i| Metres(f32::from(i) * 0.1 - 7.0)).collect();
        let there = DeviceVec::from_slice(&queue, &metres).unwrap();
        assert_eq!(there.to_vec().unwrap(), metres);
        assert_eq!(there.expr().collect().unwrap().to_vec().unwrap(), metres);

        let ids: Vec<_> = (0..1000).map(|i| Id { number: u64::MAX - i }).collect();
        let there = DeviceVec::from_slice(&queue, &ids).unwrap();
        assert_eq!(there.to_vec().unwrap(), ids);
        assert_eq!(there.expr().collect().unwrap().to_vec().unwrap(), ids);
    });
}

#[test]
fn everything_else_is_turned_away() {
    trybuild::TestCases::new().compile_fail("tests/derive/*.rs");
}
