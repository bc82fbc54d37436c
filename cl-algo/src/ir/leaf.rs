//! What an expression reads: vectors, and values given at launch.

use super::op::Type;
use crate::element::{Element, ElementType};
use cl_core::{Arg, Memory, Queue};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A vector that an expression reads.
#[derive(Clone, Copy)]
pub(crate) struct Vector<'a> {
    pub(crate) memory: &'a Memory,
    pub(crate) queue: &'a Queue,
    /// The type that its kernel argument is declared with.
    pub(crate) element: ElementType,
}

/// A value that becomes a kernel argument.
#[derive(Clone)]
pub(crate) struct Scalar {
    id: Id,
    bytes: Bytes,
    pub(crate) ty: Type,
}

/// The bytes of a value.
#[derive(Clone)]
enum Bytes {
    /// Up to 16 of them, and how many.
    Few([u8; 16], usize),
    Many(Arc<[u8]>),
}

impl Bytes {
    /// The bytes, and zeros behind them up to `size`.
    fn new(bytes: &[u8], size: usize) -> Bytes {
        let mut few = [0; 16];
        if size <= few.len() {
            few[..bytes.len()].copy_from_slice(bytes);
            return Bytes::Few(few, size);
        }
        let mut many = bytes.to_vec();
        many.resize(size, 0);
        Bytes::Many(many.into())
    }
}

/// What tells scalars apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Id {
    /// Not the value: another value must not be another kernel.
    Number(u64),
    /// The value: two views of the same range are the same view.
    Value(i64),
}

/// The number of the next scalar of a thread.
fn next() -> u64 {
    /// The count of numbers that a thread takes at once: an atomic addition takes as long as twenty other steps.
    const BLOCK: u64 = 1 << 16;
    static BLOCKS: AtomicU64 = AtomicU64::new(0);
    thread_local! {
        static NEXT: Cell<u64> = const { Cell::new(0) };
    }
    NEXT.with(|next| {
        let number = match next.get() {
            used if used.is_multiple_of(BLOCK) => BLOCK * BLOCKS.fetch_add(1, Ordering::Relaxed),
            number => number,
        };
        next.set(number + 1);
        number
    })
}

impl Scalar {
    pub(crate) fn new<T: Element>(value: T) -> Scalar {
        let stored = T::as_stored(std::slice::from_ref(&value));
        // As an argument, a vector of three takes the room of four.
        let bytes = match T::TYPE {
            ElementType::Vector(scalar, 3) => Bytes::new(bytemuck::cast_slice(stored), 4 * scalar.size()),
            _ => Bytes::new(bytemuck::cast_slice(stored), T::TYPE.size()),
        };
        Scalar { id: Id::Number(next()), bytes, ty: T::TYPE.into() }
    }

    /// An index, or a distance between two.
    pub(crate) fn index(value: i64) -> Scalar {
        Scalar { id: Id::Value(value), bytes: Bytes::new(&[], 0), ty: Type::Index }
    }

    /// The value, of an index.
    pub(crate) fn value(&self) -> i64 {
        if let Id::Value(value) = self.id { value } else { 0 }
    }

    pub(crate) fn is(&self, other: &Scalar) -> bool {
        self.id == other.id
    }

    /// The bits of a number.
    pub(crate) fn bits(&self) -> Option<u64> {
        match &self.bytes {
            Bytes::Few(bytes, 1..=8) => Some(u64::from_le_bytes(bytes[..8].try_into().ok()?)),
            _ => None,
        }
    }

    /// The kernel argument.
    pub(crate) fn argument(&self, wide_index: bool) -> Arg<'_> {
        if let Id::Value(value) = self.id {
            return index(value, wide_index);
        }
        match &self.bytes {
            Bytes::Few(few, len) => Arg::Value(*few, *len),
            Bytes::Many(many) => Arg::Bytes(many),
        }
    }
}

/// An index as wide as the kernel wants it, modulo that: a negative distance is added by wrapping.
pub(crate) fn index<'a>(value: i64, wide_index: bool) -> Arg<'a> {
    if wide_index { Arg::value(value) } else { Arg::value(value as i32) }
}
