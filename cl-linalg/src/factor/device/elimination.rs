//! Panels of LU on GPUs, in two levels, as those of QR: strips of few columns, which a work-group keeps in registers while
//! it factorises them, and the other columns of the panel.

use super::super::algorithms;
use super::super::ops::Block;
use super::panels::LU_PANEL;
use super::reflectors::{Strip, StripNumbers, shape};
use super::{DeviceOps, Kernel, kernels};
use crate::error::Result;
use crate::scalar::Scalar;
use cl_algo::codegen::{Fused, Template};
use cl_core::{Access, Arg, Memory};

/// The maximal number of columns of a strip that stays in memory. Work-items read all of them again for each column.
const COLUMNS_IN_MEMORY: usize = 8;

static STRIP: Template<StripNumbers> =
    Template { kernel: "factor_lu_strip", definition: &kernels::LU_STRIP, shape };
static UPDATE: Template<StripNumbers> =
    Template { kernel: "factor_lu_update", definition: &kernels::LU_UPDATE, shape };

impl<T: Scalar> DeviceOps<'_, T> {
    /// Eliminates in a panel on a device, as [`BlockedOps::lu_panel`](super::super::ops::BlockedOps::lu_panel) says.
    pub(super) fn eliminate(&self, panel: &Block) -> Result<()> {
        let Some(pivots) = &self.pivots else { return Ok(()) };
        let pivots = pivots.vector.vector().buffer().memory();
        let profile = cl_algo::codegen::profile(self.matrix(0).vector.vector().queue().context())?;
        let shape =
            if profile.chunked { None } else { Strip::new(&profile, size_of::<T>(), panel.rows.len()) };
        let Some(mut shape) = shape else { return self.eliminate_in_memory(panel, pivots) };
        if shape.rows == 0 {
            shape.columns = shape.columns.min(COLUMNS_IN_MEMORY);
        }
        let width = panel.columns.len();
        let update_shape = Strip { rows: 0, ..shape };
        // The scalar is not read. It tells the type of items. The kernels are looked up once a panel, which has many strips.
        let fused = Fused::new(self.operation).input("", T::zeroed());
        let strip_kernel = fused.by(&STRIP, shape.numbers::<T>());
        let update = fused.by(&UPDATE, update_shape.numbers::<T>());
        let strip_kernel = (shape.rows > 0).then(|| self.compiled(&strip_kernel)).transpose()?;
        let update = (width > shape.columns).then(|| self.compiled(&update)).transpose()?;
        for strip in algorithms::panels(width, shape.columns) {
            let rows = panel.rows.start + strip.start..panel.rows.end;
            let columns = panel.columns.start + strip.start..panel.columns.start + strip.end;
            let own = Block::new(panel.matrix, rows.clone(), columns.clone());
            match &strip_kernel {
                Some(kernel) => {
                    let numbers = [rows.len(), strip.len(), rows.start, columns.start];
                    let pivots = Some(Arg::Memory(pivots, Access::Write));
                    self.enqueue_strip(kernel, shape, 1, &[&own], pivots, &numbers)?;
                }
                None => self.eliminate_in_memory(&own, pivots)?,
            }
            if let Some(kernel) = &update {
                let all = Block::new(panel.matrix, rows.clone(), panel.columns.clone());
                let numbers = [rows.len(), rows.start, columns.start, strip.start, strip.len()];
                let pivots = Some(Arg::Memory(pivots, Access::Read));
                self.enqueue_strip(kernel, update_shape, width - strip.len(), &[&all], pivots, &numbers)?;
            }
        }
        Ok(())
    }

    /// Eliminates in a panel by one work-group, which reads it many times.
    fn eliminate_in_memory(&self, panel: &Block, pivots: &Memory) -> Result<()> {
        let (matrix, first, stride) = self.position(panel, Access::Write);
        self.launch(&LU_PANEL, 1, |kernel: &Kernel<'_>| {
            let own = [matrix, Arg::Memory(pivots, Access::Write), kernel.index(first), kernel.index(stride)];
            let [height, width] = panel.shape();
            let numbers = [height, width, panel.rows.start, panel.columns.start];
            own.into_iter().chain(numbers.map(|number| Arg::value(number as u32))).collect()
        })
    }
}
