//! Products with several vectors at once.

use super::rows::WIDE;
use super::template::{MANY, Many};
use crate::index::Index;
use crate::matrix::Csr;
use crate::plan::Kernel;
use cl_algo::codegen::Fused;
use cl_algo::{DeviceVec, Item, Number, Operand, Sink, Val, assign};
use cl_core::{Access, Arg, Error, Result};

/// The largest work-group size.
const GROUP: usize = 128;

impl<T: Number, I: Index> Csr<T, I> {
    /// Computes the products with several vectors at once in a new vector. Each matrix entry is read once for many
    /// vectors.
    ///
    /// The vectors are interleaved, like the columns of a dense matrix that is stored row by row: element i of vector j
    /// is at `i * vectors + j`, in the input and in the result. The input may be any expression.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the number of elements is not the number of columns times `vectors`;
    /// [`Error::TooLarge`], [`Error::Driver`].
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::{Csr, HostCsr};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a: Csr<f32> = Csr::new(&queue, &HostCsr::from_dense(2, 2, &[1.0, 2.0, 0.0, 3.0])?)?;
    /// // The vectors (1, 10) and (2, 20).
    /// let x = DeviceVec::from_slice(&queue, &[1.0, 2.0, 10.0, 20.0])?;
    /// assert_eq!(a.multiply_many(2, &x)?.to_vec()?, [21.0, 42.0, 30.0, 60.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn multiply_many<'a>(&'a self, vectors: usize, x: impl Operand<'a, T>) -> Result<DeviceVec<T>> {
        let len = self.result_len(vectors)?;
        let x = x.into_expr();
        self.check_len(vectors, x.len())?;
        // SAFETY: the kernel enqueued next on the same queue writes every element. If it cannot be enqueued, the
        // vector is dropped here.
        let mut products = unsafe { <T as Item>::uninit(self.queue(), len) }?;
        self.multiply_many_as("multiply_many", &mut products, vectors, x)?;
        Ok(products)
    }

    /// Computes the products with several vectors at once in a sink; see [`Csr::multiply_many`].
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::{Csr, HostCsr};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a: Csr<f32> = Csr::new(&queue, &HostCsr::from_dense(2, 2, &[1.0, 2.0, 0.0, 3.0])?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 10.0, 20.0])?;
    /// let mut y = DeviceVec::filled(&queue, 0.0, 6)?;
    /// a.multiply_many_into(y.slice_mut(..4), 2, 2.0 * &x)?;
    /// assert_eq!(y.to_vec()?, [42.0, 84.0, 60.0, 120.0, 0.0, 0.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Csr::multiply_many`]; [`Error::LengthMismatch`] if the sink's length is not the number of rows times
    /// `vectors`.
    pub fn multiply_many_into<'a>(
        &'a self,
        sink: impl Sink<'a, T>,
        vectors: usize,
        x: impl Operand<'a, T>,
    ) -> Result<()> {
        self.multiply_many_as("multiply_many_into", sink, vectors, x)
    }

    /// Computes the products; errors name the function that the user called.
    fn multiply_many_as<'a>(
        &'a self,
        called: &'static str,
        sink: impl Sink<'a, T>,
        vectors: usize,
        x: impl Operand<'a, T>,
    ) -> Result<()> {
        let x = x.into_expr();
        let given = x.len();
        if self.nonzeros() == 0 {
            // A kernel cannot get a buffer of zero bytes.
            Fused::new(called).input("", x).check()?;
            self.check_len(vectors, given)?;
            return assign(sink, T::zeroed().into_expr().take(self.result_len(vectors)?).on(self.queue()));
        }
        let entries = Fused::new(called).input("", self.values());
        let fused = entries
            .input("X", x)
            .input::<T>("INITIAL", T::zeroed())
            .operator("TIMES", "", |(a, x): (Val<T>, Val<T>)| a * x)
            .operator("PLUS", "", |(a, b): (Val<T>, Val<T>)| a + b)
            .output::<T>("", "", sink);
        fused.check()?;
        self.check_len(vectors, given)?;
        let len = self.result_len(vectors)?;
        if let Some(right) = fused.room().filter(|&room| room != len) {
            return Err(Error::length_mismatch("matrix * vectors", len, right));
        }
        if len == 0 {
            return Ok(());
        }
        self.launch_many(fused, vectors, len)
    }

    fn launch_many(&self, fused: Fused<'_>, vectors: usize, len: usize) -> Result<()> {
        let queue = self.queue();
        let read = self.columns() * vectors;
        let rows = self.row_kernel();
        // CPUs use contiguous rows, as for one vector.
        let chunks = match (rows.kernel, rows.cuts()) {
            (Kernel::Chunks { chunks }, Some(cuts)) => Some((chunks, cuts)),
            _ => None,
        };
        let group = self.group().min(GROUP);
        let many =
            Many { wide_offsets: size_of::<I>() == 8, group_items: group, of_chunks: chunks.is_some() };
        let compiled_len =
            if chunks.is_some() { WIDE } else { len.max(read).max(self.nonzeros()).saturating_add(group) };
        let ready = fused.by(&MANY, many).compile(queue, compiled_len)?;
        let mut own = vec![
            Arg::Memory(self.row_offsets().buffer().memory(), Access::Read),
            Arg::Memory(self.column_indices().buffer().memory(), Access::Read),
        ];
        own.extend(chunks.map(|(_, cuts)| Arg::Memory(cuts.buffer().memory(), Access::Read)));
        own.extend([ready.index(self.rows()), ready.index(vectors)]);
        let (groups, group) = chunks.map_or((len.div_ceil(group), group), |(chunks, _)| (chunks, 1));
        // SAFETY: each column is less than `columns`, and `x` has `vectors` numbers for each column; each number of the
        // result is stored once.
        unsafe { ready.launch(&own, groups, group) }
    }

    /// Returns the number of elements of the products.
    fn result_len(&self, vectors: usize) -> Result<usize> {
        self.rows().checked_mul(vectors).ok_or_else(|| too_many(self.rows(), vectors))
    }

    /// Returns an error unless `given`, if known, is the number of elements of `vectors` vectors.
    fn check_len(&self, vectors: usize, given: Option<usize>) -> Result<()> {
        let left = self.columns().checked_mul(vectors).ok_or_else(|| too_many(self.columns(), vectors))?;
        match given {
            Some(right) if right != left => Err(Error::length_mismatch("matrix * vectors", left, right)),
            _ => Ok(()),
        }
    }
}

fn too_many(elements: usize, vectors: usize) -> Error {
    let reason = format!("{vectors} vectors of {elements} elements are more than memory can hold");
    Error::invalid_input("number of vectors", reason)
}
