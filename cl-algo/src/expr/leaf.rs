//! What an expression reads: vectors, and values given at launch.

use super::op::Type;
use crate::element::{Element, ElementType};
use cl_core::{Arg, Memory, Queue};
use smallvec::SmallVec;
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
    bytes: SmallVec<[u8; 16]>,
    pub(crate) ty: Type,
}

/// What tells scalars apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Id {
    /// Not the value: another value must not be another kernel.
    Number(u64),
    /// The value: two views of the same range are the same view.
    Value(i64),
}

static NEXT: AtomicU64 = AtomicU64::new(0);

impl Scalar {
    pub(crate) fn new<T: Element>(value: T) -> Scalar {
        let stored = T::as_stored(std::slice::from_ref(&value));
        let mut bytes = SmallVec::from_slice(bytemuck::cast_slice(stored));
        if let ElementType::Vector(scalar, 3) = T::TYPE {
            // As an argument, a vector of three takes the room of four.
            bytes.resize(4 * scalar.size(), 0);
        }
        Scalar { id: Id::Number(NEXT.fetch_add(1, Ordering::Relaxed)), bytes, ty: T::TYPE.into() }
    }

    /// An index, or a distance between two.
    pub(crate) fn index(value: i64) -> Scalar {
        Scalar { id: Id::Value(value), bytes: SmallVec::new(), ty: Type::Index }
    }

    /// The value, of an index.
    pub(crate) fn value(&self) -> i64 {
        if let Id::Value(value) = self.id { value } else { 0 }
    }

    pub(crate) fn is(&self, other: &Scalar) -> bool {
        self.id == other.id
    }

    /// The kernel argument.
    pub(crate) fn argument(&self, wide_index: bool) -> Arg<'_> {
        if let Id::Value(value) = self.id {
            return index(value, wide_index);
        }
        let size = self.bytes.len();
        if size > 16 {
            return Arg::Bytes(&self.bytes);
        }
        let mut bytes = [0; 16];
        bytes[..size].copy_from_slice(&self.bytes);
        Arg::Value(bytes, size)
    }
}

/// An index as wide as the kernel wants it, modulo that: a negative distance is added by wrapping.
pub(crate) fn index<'a>(value: i64, wide_index: bool) -> Arg<'a> {
    if wide_index { Arg::value(value) } else { Arg::value(value as i32) }
}
