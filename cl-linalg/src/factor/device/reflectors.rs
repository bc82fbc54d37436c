//! Panels of QR on GPUs, in two levels: strips of few columns, which a work-group keeps in registers while it factorises
//! them, and the other columns of the panel, which each strip's reflectors are applied to at once.

use super::super::algorithms;
use super::super::ops::Block;
use super::panels::QR_PANEL;
use super::{DeviceOps, Kernel, kernels};
use crate::error::Result;
use crate::scalar::Scalar;
use cl_algo::codegen::{Filled, Fused, Parameters, Ready, Template};
use cl_algo::{DeviceProfile, Shape};
use cl_core::{Access, Arg};

/// The parameters of the kernels.
#[derive(Clone, Copy, Debug, Parameters)]
pub(super) struct StripNumbers {
    /// `true` if numbers are made of `double`.
    double: bool,
    /// `true` for complex numbers.
    complex: bool,
    /// The number of work-items of a group.
    group: usize,
    /// The number of rows of a strip that a work-item keeps in registers; 0 if it keeps none.
    rows: usize,
    /// The maximal number of columns of a strip.
    columns: usize,
}

/// The number of work-items of a group.
const GROUP: usize = 256;
/// The bytes of a strip that a work-item keeps in registers, of which it has 255 with 4 bytes each.
const KEPT_BYTES: usize = 512;
/// The number of rows that a work-item keeps in registers, at least and at most.
const LEAST_ROWS: usize = 4;
const MOST_ROWS: usize = 32;
/// The maximal number of columns of a strip. Those of narrower ones are too few for their launches.
const MOST_COLUMNS: usize = 16;
const LEAST_COLUMNS: usize = 2;
/// The local memory that is left for other uses than sums, in bytes.
const OTHER_BYTES: usize = 8 << 10;

/// The shape of a strip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Strip {
    pub(super) group: usize,
    /// The number of rows of each work-item; 0 if the strip stays in memory.
    pub(super) rows: usize,
    pub(super) columns: usize,
}

impl Strip {
    /// Returns the shape for panels with `height` rows, of numbers of `size` bytes. `None` if the device's work-groups
    /// are too small.
    pub(super) fn new(profile: &DeviceProfile, size: usize, height: usize) -> Option<Strip> {
        let group = 1 << GROUP.min(profile.largest_group).max(1).ilog2();
        let sums = profile.local_memory.saturating_sub(OTHER_BYTES) / ((group + MOST_COLUMNS) * size);
        if group < MOST_COLUMNS || sums < LEAST_COLUMNS {
            return None;
        }
        let columns = |rows: usize| 1 << MOST_COLUMNS.min(KEPT_BYTES / (rows * size)).min(sums).ilog2();
        let rows = height.div_ceil(group).next_power_of_two().max(LEAST_ROWS);
        Some(if rows <= MOST_ROWS && KEPT_BYTES / (rows * size) >= LEAST_COLUMNS {
            Strip { group, rows, columns: columns(rows) }
        } else {
            Strip { group, rows: 0, columns: columns(LEAST_ROWS) }
        })
    }

    /// Returns the parameters of kernels for numbers of type `T`.
    pub(super) fn numbers<T: Scalar>(self) -> StripNumbers {
        let Strip { group, rows, columns } = self;
        let double = size_of::<T::Real>() == size_of::<f64>();
        StripNumbers { double, complex: T::IS_COMPLEX, group, rows, columns }
    }
}

pub(super) fn shape(profile: &DeviceProfile, _size: usize, numbers: &StripNumbers) -> Shape {
    Shape {
        chunked: profile.chunked,
        group: numbers.group,
        pack: 1,
        packs: 1,
        max_groups: usize::MAX,
        streams: false,
    }
}

static STRIP: Template<StripNumbers> =
    Template { kernel: "factor_qr_strip", definition: &kernels::QR_STRIP, shape };
static APPLY: Template<StripNumbers> =
    Template { kernel: "factor_qr_apply", definition: &kernels::QR_APPLY, shape };
static MERGE: Template<StripNumbers> =
    Template { kernel: "factor_qr_merge", definition: &kernels::QR_MERGE, shape };

impl<T: Scalar> DeviceOps<'_, T> {
    /// Compiles a kernel for strips.
    pub(super) fn compiled<'f, 'a>(&'f self, filled: &Filled<'f, 'a, StripNumbers>) -> Result<Ready<'f, 'a>> {
        let lens = self.matrices.iter().flatten().map(|matrix| matrix.vector.vector().len());
        Ok(filled.compile(self.matrix(0).vector.vector().queue(), lens.max().unwrap_or(0))?)
    }

    /// Enqueues a kernel for strips in `groups` work-groups. `more` is an argument after the matrices of the blocks.
    pub(super) fn enqueue_strip(
        &self,
        ready: &Ready<'_, '_>,
        shape: Strip,
        groups: usize,
        blocks: &[&Block],
        more: Option<Arg<'_>>,
        numbers: &[usize],
    ) -> Result<()> {
        let positions: Vec<_> = blocks.iter().map(|block| self.position(block, Access::Write)).collect();
        let memories = positions.iter().map(|&(memory, ..)| memory).chain(more);
        let indices = positions.iter().flat_map(|&(_, first, stride)| [first, stride]);
        let numbers = numbers.iter().map(|&number| Arg::value(number as u32));
        let arguments: Vec<Arg<'_>> =
            memories.chain(indices.map(|number| ready.index(number))).chain(numbers).collect();
        // SAFETY: the blocks lie within their matrices, and the kernels stay within the blocks.
        unsafe { ready.launch(&arguments, groups, shape.group) }?;
        Ok(())
    }

    /// Factorises a panel on a device, as [`BlockedOps::qr_panel`](super::super::ops::BlockedOps::qr_panel) says.
    pub(super) fn factorize_panel(&self, panel: &Block, factor: &Block) -> Result<()> {
        let profile = cl_algo::codegen::profile(self.matrix(0).vector.vector().queue().context())?;
        let shape =
            if profile.chunked { None } else { Strip::new(&profile, size_of::<T>(), panel.rows.len()) };
        let Some(shape) = shape else { return self.factorize_in_memory(panel, factor) };
        let part = |of: &Block, top: usize, left: usize, width: usize| {
            let (rows, columns) =
                (of.rows.start + top..of.rows.end, of.columns.start + left..of.columns.start + left + width);
            Block::new(of.matrix, rows, columns)
        };
        let width = panel.columns.len();
        // The scalar is not read. It tells the type of items. The kernels are looked up once a panel, which has many strips.
        let fused = Fused::new(self.operation).input("", T::zeroed());
        let [strip_kernel, apply] = [&STRIP, &APPLY].map(|template| fused.by(template, shape.numbers::<T>()));
        let strip_kernel = (shape.rows > 0).then(|| self.compiled(&strip_kernel)).transpose()?;
        let apply = (width > shape.columns).then(|| self.compiled(&apply)).transpose()?;
        for strip in algorithms::panels(width, shape.columns) {
            let before = strip.start;
            let (own, own_factor) =
                (part(panel, before, before, strip.len()), part(factor, before, before, strip.len()));
            let height = own.rows.len();
            match &strip_kernel {
                Some(kernel) => {
                    let numbers = [height, strip.len()];
                    self.enqueue_strip(kernel, shape, 1, &[&own, &own_factor], None, &numbers)?;
                }
                None => self.factorize_in_memory(&own, &own_factor)?,
            }
            if let Some(kernel) = &apply {
                let (all, factors) = (part(panel, before, 0, width), part(factor, 0, 0, width));
                let numbers = [height, before, strip.len()];
                self.enqueue_strip(kernel, shape, width - strip.len(), &[&all, &factors], None, &numbers)?;
            }
        }
        if width > shape.columns {
            let merge = Strip { rows: 0, columns: 0, ..shape };
            let kernel = fused.by(&MERGE, merge.numbers::<T>());
            let numbers = [width, shape.columns];
            self.enqueue_strip(&self.compiled(&kernel)?, merge, 1, &[factor], None, &numbers)?;
        }
        Ok(())
    }

    /// Factorises a panel by one work-group, which reads it many times.
    fn factorize_in_memory(&self, panel: &Block, factor: &Block) -> Result<()> {
        let [height, width] = panel.shape();
        let (matrix, first, stride) = self.position(panel, Access::Write);
        let (factors, factor_first, factor_stride) = self.position(factor, Access::Write);
        self.launch(&QR_PANEL, 1, |kernel: &Kernel<'_>| {
            let indices = [first, stride, factor_first, factor_stride].map(|number| kernel.index(number));
            let numbers = [height, width].map(|number| Arg::value(number as u32));
            [matrix, factors].into_iter().chain(indices).chain(numbers).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_fit_into_registers_and_local_memory() {
        let device = cl_test::forced::gpus().remove(0);
        let context = cl_core::Context::on(&device).unwrap();
        let mut profile = (*cl_algo::codegen::profile(&context).unwrap()).clone();
        profile.largest_group = 1024;
        for local_memory in [48 << 10, 32 << 10] {
            profile.local_memory = local_memory;
            for (size, height) in [4, 8, 16]
                .into_iter()
                .flat_map(|size| [1, 300, 4096, 9000, 1 << 20].map(|height| (size, height)))
            {
                let Strip { group, rows, columns } = Strip::new(&profile, size, height).unwrap();
                assert!(rows == 0 || (rows * group >= height && rows * columns * size <= KEPT_BYTES));
                let sums = columns * (group + MOST_COLUMNS) * size;
                assert!(columns >= LEAST_COLUMNS && sums + OTHER_BYTES <= local_memory);
            }
        }
        profile.largest_group = 8;
        assert_eq!(Strip::new(&profile, 8, 100), None);
    }
}
