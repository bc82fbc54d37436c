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

/// Not every byte is one.
#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(transparent)]
struct Flag(bool);

/// A struct with a field of its own.
mod hidden {
    use super::Element;

    #[derive(Clone, Copy, Debug, PartialEq, Element)]
    #[repr(C)]
    pub(super) struct Account {
        balance: i64,
    }

    impl Account {
        pub(super) const fn of(balance: i64) -> Account {
            Account { balance }
        }
    }
}

#[test]
fn a_newtype_of_bool_is_a_byte_there() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let mut there = DeviceVec::from_slice(&queue, &[Flag(true), Flag(false)]).unwrap();
        there.buffer_mut().write(&queue, 1, &[2]).unwrap();
        assert_eq!(there.to_vec().unwrap(), [Flag(true), Flag(true)]);
    });
}

#[test]
fn fields_that_nobody_sees_cross_as_well() {
    use hidden::Account;

    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let accounts = [Account::of(-1), Account::of(i64::MAX)];
        let there = DeviceVec::from_slice(&queue, &accounts).unwrap();
        assert_eq!(there.iter().rev().collect().unwrap().to_vec().unwrap(), [accounts[1], accounts[0]]);
    });
}

#[test]
fn newtypes_are_what_their_field_is() {
    assert_eq!(Metres::TYPE, ElementType::F32);
    assert_eq!(Id::TYPE, ElementType::U64);
    assert_eq!(Altitude::TYPE, ElementType::F32);
    assert_eq!(Flag::TYPE, ElementType::BOOL);
}

#[test]
fn newtypes_round_trip() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();

        let metres: Vec<_> = (0..1000_u16).map(|i| Metres(f32::from(i) * 0.1 - 7.0)).collect();
        let there = DeviceVec::from_slice(&queue, &metres).unwrap();
        assert_eq!(there.to_vec().unwrap(), metres);
        assert_eq!(there.iter().collect().unwrap().to_vec().unwrap(), metres);

        let ids: Vec<_> = (0..1000).map(|i| Id { number: u64::MAX - i }).collect();
        let there = DeviceVec::from_slice(&queue, &ids).unwrap();
        assert_eq!(there.to_vec().unwrap(), ids);
        assert_eq!(there.iter().collect().unwrap().to_vec().unwrap(), ids);
    });
}

#[test]
fn everything_else_is_turned_away() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/derive/*.rs");
    cases.compile_fail("tests/turned_away/*.rs");
}
