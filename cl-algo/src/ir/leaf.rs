//! The leaves of an expression: vectors, and launch values.

use super::op::Type;
use crate::element::{Element, ElementType};
use cl_core::{Arg, Memory, Queue};
use std::borrow::Cow;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A vector that an expression reads.
#[derive(Clone)]
pub(crate) struct Vector<'a> {
    storage: Storage<'a>,
    /// The type that its kernel argument is declared with.
    pub(crate) element: ElementType,
    /// The number of bytes that expressions may read, which is less than the memory's of a vector with spare capacity.
    pub(crate) bytes: usize,
}

/// The memory of a vector, and the queue that works on it.
#[derive(Clone)]
enum Storage<'a> {
    Borrowed(&'a Memory, &'a Queue),
    /// A vector that was moved into the expression. Clones of the expression share the memory.
    Owned(Arc<(Memory, Queue)>),
}

impl<'a> Vector<'a> {
    pub(crate) fn new(memory: &'a Memory, queue: &'a Queue, element: ElementType) -> Vector<'a> {
        Vector { storage: Storage::Borrowed(memory, queue), element, bytes: memory.bytes() }
    }

    /// Moves memory into an expression. It is released when the last clone of the expression is dropped, and the driver
    /// keeps it for the commands in flight.
    pub(crate) fn owned(memory: Memory, queue: Queue, element: ElementType) -> Vector<'a> {
        let bytes = memory.bytes();
        Vector { storage: Storage::Owned(Arc::new((memory, queue))), element, bytes }
    }

    /// Limits the vector to its first `len` elements.
    pub(crate) fn of_len(self, len: usize) -> Vector<'a> {
        Vector { bytes: self.bytes.min(len.saturating_mul(self.element.size())), ..self }
    }

    pub(crate) fn memory(&self) -> &Memory {
        match &self.storage {
            Storage::Borrowed(memory, _) => memory,
            Storage::Owned(owned) => &owned.0,
        }
    }

    pub(crate) fn queue(&self) -> &Queue {
        match &self.storage {
            Storage::Borrowed(_, queue) => queue,
            Storage::Owned(owned) => &owned.1,
        }
    }

    /// Returns the queue, for an expression that may outlive this value.
    pub(crate) fn shared_queue(&self) -> Cow<'a, Queue> {
        match &self.storage {
            Storage::Borrowed(_, queue) => Cow::Borrowed(queue),
            Storage::Owned(owned) => Cow::Owned(owned.1.clone()),
        }
    }

    /// Returns a clone that shares the memory, if the vector was moved into the expression.
    pub(crate) fn shared(&self) -> Option<Vector<'static>> {
        let Storage::Owned(owned) = &self.storage else { return None };
        let storage = Storage::Owned(Arc::clone(owned));
        Some(Vector { storage, element: self.element, bytes: self.bytes })
    }

    /// Returns whether both are the same memory.
    pub(crate) fn is(&self, other: &Vector<'_>) -> bool {
        std::ptr::eq(self.memory(), other.memory())
    }
}

/// A launch value, which becomes a kernel argument.
#[derive(Clone)]
pub(crate) struct Scalar {
    id: Id,
    bytes: Bytes,
    pub(crate) ty: Type,
}

/// The bytes of a value.
#[derive(Clone)]
enum Bytes {
    /// Up to 16 bytes, and their number.
    Few([u8; 16], usize),
    Many(Arc<[u8]>),
}

impl Bytes {
    /// Returns the bytes, padded with zeros to `size`.
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

/// The identity of a scalar.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Id {
    /// A number that is unique to the scalar. The value is not part of the identity, because one kernel serves
    /// all values.
    Number(u64),
    /// The value, so that two views of the same range are equal.
    Value(i64),
}

/// Returns the next number for a scalar of this thread.
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
        // As an argument, a vector of three takes the space of four.
        let bytes = match T::TYPE {
            ElementType::Vector(scalar, 3) => Bytes::new(bytemuck::cast_slice(stored), 4 * scalar.size()),
            _ => Bytes::new(bytemuck::cast_slice(stored), T::TYPE.size()),
        };
        Scalar { id: Id::Number(next()), bytes, ty: T::TYPE.into() }
    }

    /// Returns a value of zero bytes.
    pub(crate) fn zero(element: ElementType) -> Scalar {
        let size = match element {
            ElementType::Vector(scalar, 3) => 4 * scalar.size(),
            element => element.size(),
        };
        Scalar { id: Id::Number(next()), bytes: Bytes::new(&[], size), ty: element.into() }
    }

    /// Returns an index, or a distance between two indices.
    pub(crate) fn index(value: i64) -> Scalar {
        Scalar { id: Id::Value(value), bytes: Bytes::new(&[], 0), ty: Type::Index }
    }

    /// Returns the value of an index.
    pub(crate) fn value(&self) -> i64 {
        if let Id::Value(value) = self.id { value } else { 0 }
    }

    pub(crate) fn is(&self, other: &Scalar) -> bool {
        self.id == other.id
    }

    /// Returns the bits of a number.
    pub(crate) fn bits(&self) -> Option<u64> {
        match &self.bytes {
            Bytes::Few(bytes, 1..=8) => Some(u64::from_le_bytes(bytes[..8].try_into().ok()?)),
            _ => None,
        }
    }

    /// Returns the kernel argument.
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

/// Returns an index as wide as the kernel's `INDEX`, truncated: adding a negative distance wraps around.
pub(crate) fn index<'a>(value: i64, wide_index: bool) -> Arg<'a> {
    if wide_index { Arg::value(value) } else { Arg::value(value as i32) }
}
