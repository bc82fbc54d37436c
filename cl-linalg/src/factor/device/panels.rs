//! Launches of the kernels for panels.

use super::super::settings::MOST_COLUMNS;
use super::kernels;
use crate::error::Result;
use crate::scalar::Scalar;
use cl_algo::codegen::{Fused, Parameters, Ready, Template};
use cl_algo::{DeviceProfile, Shape};
use cl_core::{Arg, Queue};

/// The parameters of the kernels.
#[derive(Clone, Copy, Debug, Parameters)]
pub(super) struct Numbers {
    /// `true` if numbers are made of `double`.
    double: bool,
    /// `true` for complex numbers.
    complex: bool,
    /// The number of work-items of a group.
    group: usize,
    /// The number of rows or columns that a work-item, or a group of a square's rows, works on at once.
    strip: usize,
    /// The maximal number of columns of a panel.
    most_columns: usize,
    /// The maximal number of columns of a square.
    square_columns: usize,
}

/// How the work of a kernel is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Division {
    /// Each unit of work is that of one work-group.
    Groups,
    /// Each unit of work is that of one large work-group, as large as the device allows.
    LargeGroups,
    /// The only unit of work is that of one work-item.
    OneItem,
    /// The units of work are rows, of which a work-group has several.
    RowGroups,
    /// The units of work are columns, of which a small work-group has several, and a work-item of a CPU has one.
    Columns,
    /// The units of work are rows, of which a work-item of a CPU has several, and one of a GPU has one.
    Rows,
}

/// A kernel and the division of its work.
#[derive(Debug)]
pub(super) struct Panel {
    template: Template<Numbers>,
    division: Division,
}

/// A kernel that is ready to be launched.
pub(super) struct Kernel<'r>(&'r Ready<'r, 'r>);

impl Kernel<'_> {
    pub(super) fn index(&self, number: usize) -> Arg<'static> {
        self.0.index(number)
    }
}

/// The number of work-items of a group on GPUs, for kernels of one group or of groups with rows of a square; of one large group; for others.
const ONE_GROUP: usize = 256;
const LARGE_GROUP: usize = 1024;
const MANY_GROUPS: usize = 64;
/// The number of rows that a work-item of a CPU works on at once, and of columns that a small work-group works on.
const STRIP: usize = 64;
const COLUMNS: usize = 4;
/// The number of rows of a work-group that factorises a square, too: for 4096 rows, an H200 has a compute unit for each group.
const ROWS: usize = 32;

/// Returns the number of columns of the largest square that a work-group factorises: on GPUs in registers.
pub(super) fn square_columns<T: Scalar>(profile: &DeviceProfile) -> usize {
    if profile.chunked {
        return MOST_COLUMNS;
    }
    if size_of::<T>() > 8 { 32 } else { 64 }
}

/// The number of columns of the blocks of `kernels/divide.cl`, and bytes of local memory that are left for the driver.
const BLOCK: usize = 16;
const REST: usize = 64;

/// Returns the largest group of at most `group` work-items for which `kernels/divide.cl` has local memory: for the blocks of a
/// square, for reciprocals, and for a row of each work-item.
fn fitting<T: Scalar>(profile: &DeviceProfile, group: usize) -> usize {
    let blocks = square_columns::<T>(profile).div_ceil(BLOCK);
    let others = blocks * (blocks + 1) / 2 * BLOCK * BLOCK + blocks * BLOCK;
    let most = (profile.local_memory.saturating_sub(REST) / size_of::<T>()).saturating_sub(others);
    group.min(1 << (most / ((blocks - 1) * BLOCK)).max(1).ilog2())
}

fn shape(profile: &DeviceProfile, _size: usize, numbers: &Numbers) -> Shape {
    Shape {
        chunked: profile.chunked,
        group: numbers.group,
        pack: 1,
        packs: 1,
        max_groups: usize::MAX,
        streams: false,
    }
}

macro_rules! panels {
    ($($name:ident $kernel:literal $division:ident;)*) => {$(
        pub(super) static $name: Panel = Panel {
            template: Template { kernel: $kernel, definition: &kernels::$name, shape },
            division: Division::$division,
        };
    )*};
}

panels! {
    LU_PANEL "factor_lu_panel" LargeGroups;
    EXCHANGE "factor_exchange" Columns;
    CHOLESKY_SQUARE "factor_cholesky_square" OneItem;
    CHOLESKY_STEP "factor_cholesky_step" RowGroups;
    CHOLESKY_UNIT_STEP "factor_cholesky_step" RowGroups;
    PUT_SQUARES "factor_put_squares" Groups;
    DIVIDE "factor_divide" Rows;
    QR_PANEL "factor_qr_panel" LargeGroups;
    SOLVE "factor_solve" Columns;
    COPY_VECTORS "factor_copy_vectors" Groups;
}

/// Enqueues a kernel for a number of units of work, and matrices of up to `longest` elements. `arguments` returns its own
/// arguments. Nothing happens without units.
pub(super) fn launch<'s, T: Scalar>(
    operation: &'static str,
    queue: &Queue,
    longest: usize,
    panel: &'static Panel,
    units: usize,
    arguments: impl FnOnce(&Kernel<'_>) -> Vec<Arg<'s>>,
) -> Result<()> {
    if units == 0 {
        return Ok(());
    }
    let profile = cl_algo::codegen::profile(queue.context())?;
    let most = match panel.division {
        Division::Groups | Division::RowGroups => ONE_GROUP,
        Division::OneItem => 1,
        Division::LargeGroups => LARGE_GROUP,
        Division::Columns | Division::Rows => MANY_GROUPS,
    };
    let group = if profile.chunked { 1 } else { 1 << most.min(profile.largest_group).max(1).ilog2() };
    let group = if panel.division == Division::Rows { fitting::<T>(&profile, group) } else { group };
    let strip = match panel.division {
        Division::Rows if profile.chunked => STRIP,
        Division::Columns if group > 1 => COLUMNS,
        Division::RowGroups => ROWS,
        _ => 1,
    };
    let numbers = Numbers {
        double: size_of::<T::Real>() == size_of::<f64>(),
        complex: T::IS_COMPLEX,
        group,
        strip,
        most_columns: MOST_COLUMNS,
        square_columns: square_columns::<T>(&profile),
    };
    // The scalar is not read. It tells the type of items.
    let fused = Fused::new(operation).input("", T::zeroed());
    let filled = fused.by(&panel.template, numbers);
    let ready = filled.compile(queue, longest)?;
    let groups = match panel.division {
        Division::Groups | Division::LargeGroups | Division::OneItem => units,
        Division::Columns if group > 1 => units.div_ceil(strip),
        Division::RowGroups => units.div_ceil(strip),
        Division::Columns | Division::Rows => units.div_ceil(group * strip),
    };
    // SAFETY: the blocks lie within their matrices, and the kernels stay within the blocks.
    unsafe { ready.launch(&arguments(&Kernel(&ready)), groups, group) }?;
    Ok(())
}
