//! New strings of pieces of others.

use super::{Strings, checked_size};
use crate::kernels;
use cl_algo::codegen::{Fused, Template};
use cl_algo::prelude::*;
use cl_algo::{Shape, stl};
use cl_core::{Access, Arg, Queue, Result};

/// The kernel `copy_pieces` of `kernels/copy_pieces.cl`.
static COPY: Template = Template {
    kernel: "copy_pieces",
    definition: &kernels::COPY_PIECES,
    shape: |profile, _, ()| Shape { pack: 16, packs: 1, ..profile.elementwise(1) },
};

impl Strings {
    /// Returns the strings at the given indices. Indices out of range are reported as by [`Expr::gather`].
    ///
    /// One kernel for the pieces, a scan of their lengths, a sum of them, which is read, and one kernel for the bytes. By
    /// bytes; a search for the first string of each work-group. Blocks.
    ///
    /// ```
    /// use cl_collections::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let strings = Strings::from_slice(&queue, &["zero", "one", "two"])?;
    /// let order = DeviceVec::from_slice(&queue, &[2_u32, 0, 2])?;
    /// assert_eq!(strings.gather(&order)?.to_vec()?, ["two", "zero", "two"]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`](cl_core::Error::InvalidInput) for results of 2^32 bytes or more, and as [`Expr::collect`].
    #[doc(alias("take", "filter"))]
    pub fn gather<'a, I: Integer>(&'a self, indices: impl Operand<'a, I>) -> Result<Strings> {
        let begins = self.offsets.slice(..self.len());
        self.pieces(begins.zip(self.lengths()).gather(indices))
    }

    /// Returns the strings of several collections, one after the other. Two kernels for each; does not wait.
    ///
    /// # Errors
    /// [`Error::InvalidInput`](cl_core::Error::InvalidInput) for results of 2^32 bytes or more, and as [`Expr::collect`].
    #[doc(alias = "append")]
    pub fn concat<'a>(queue: &Queue, parts: impl IntoIterator<Item = &'a Strings>) -> Result<Strings> {
        let mut bytes = DeviceVec::with_capacity(queue, 1)?;
        let mut offsets = DeviceVec::filled(queue, 0, 1)?;
        for part in parts {
            checked_size((bytes.len() + part.size) as u64)?;
            offsets.extend(part.offsets.slice(1..) + bytes.len() as u32)?;
            bytes.extend(part.bytes())?;
        }
        let size = bytes.len();
        bytes.resize(size.max(1), 0)?;
        Ok(Strings { bytes, offsets, size })
    }

    /// Returns new strings of pieces of the bytes: their begins and lengths.
    pub(super) fn pieces(&self, pieces: Expr<'_, (u32, u32)>) -> Result<Strings> {
        let (begins, lengths) = pieces.collect_on(self.queue())?;
        let size = if begins.is_empty() { 0 } else { lengths.iter().sum_as::<u64>()? };
        let count = checked_size(size)? as usize;
        let mut offsets = DeviceVec::filled(self.queue(), 0, begins.len() + 1)?;
        stl::inclusive_scan(&lengths, offsets.slice_mut(1..))?;
        let mut bytes = match count {
            0 => DeviceVec::filled(self.queue(), 0, 1)?,
            // SAFETY: the copy writes all bytes. If it cannot be enqueued, the vector is dropped.
            _ => unsafe { DeviceVec::uninit(self.queue(), count) }?,
        };
        if count > 0 {
            self.copy_pieces(&COPY, &begins, &offsets, &mut bytes)?;
        }
        Ok(Strings { bytes, offsets, size: count })
    }

    /// Copies pieces of the bytes, one after the other. `begins` has the first byte of each piece, and `offsets` the position
    /// of each piece in the output, then the output's length.
    fn copy_pieces(
        &self,
        template: &'static Template,
        begins: &DeviceVec<u32>,
        offsets: &DeviceVec<u32>,
        output: &mut DeviceVec<u8>,
    ) -> Result<()> {
        let (count, source) = (output.len(), self.bytes.len());
        let fused = Fused::new("gather").input("BEGIN", begins).input("OFFSET", offsets);
        let ready = fused.by(template, ()).compile(self.queue(), source.max(count))?;
        let shape = ready.shape();
        let own = [
            Arg::Memory(self.bytes.buffer().memory(), Access::Read),
            Arg::Memory(output.buffer().memory(), Access::Overwrite),
            ready.index(source),
            ready.index(count),
            Arg::value(begins.len() as u32),
        ];
        // SAFETY: the offsets ascend from 0 to `count`, the length of the output, and each piece lies within the bytes.
        unsafe { ready.launch(&own, shape.groups(count), shape.group) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kernel in a GPU's shape.
    static TILED: Template = Template {
        shape: |_, _, ()| Shape {
            chunked: false,
            group: 4,
            pack: 16,
            packs: 1,
            max_groups: 3,
            streams: false,
        },
        ..COPY
    };

    /// Pieces of any length, empty ones too, at the edges of packs and tiles, and in any order.
    #[test]
    fn pieces_are_copied_in_both_shapes() {
        cl_test::each_device(|device| {
            let queue = &Queue::on(device).unwrap();
            let source: String = (0..997_u32).map(|i| char::from(b'!' + (i * 7 % 90) as u8)).collect();
            let strings = Strings::from_slice(queue, &[&source]).unwrap();
            for most in [3, 40, 300] {
                let pieces: Vec<(usize, usize)> = (0..120)
                    .map(|i| (i * 389 % 997, i * i % most))
                    .map(|(at, len)| (at, len.min(997 - at)))
                    .collect();
                let mut offsets = vec![0_u32];
                offsets.extend(pieces.iter().scan(0, |sum, (_, len)| {
                    *sum += *len as u32;
                    Some(*sum)
                }));
                let expected: String = pieces.iter().map(|&(at, len)| &source[at..at + len]).collect();
                let begins: Vec<u32> = pieces.iter().map(|&(at, _)| at as u32).collect();
                let begins = DeviceVec::from_slice(queue, &begins).unwrap();
                let offsets = DeviceVec::from_slice(queue, &offsets).unwrap();
                for template in [&COPY, &TILED] {
                    let mut copied = DeviceVec::filled(queue, b'.', expected.len()).unwrap();
                    strings.copy_pieces(template, &begins, &offsets, &mut copied).unwrap();
                    assert_eq!(copied.to_vec().unwrap(), expected.as_bytes(), "{most}");
                }
            }
        });
    }
}
