//! Kernels of small matrices: their parameters, their shape, launches, and the pivots that they report.

use crate::error::Error;
use crate::scalar::Scalar;
use cl_algo::codegen::{Fused, Parameters, Template, profile};
use cl_algo::{DeviceProfile, DeviceVec, Expr, Rule, Shape, Sink, Tunable, ViewMut};
use cl_core::{Queue, Result};

/// The greatest number of rows of a small matrix.
pub(super) const MOST_ROWS: usize = 32;

/// The number of right-hand sides that are solved for at once.
const CHUNK: usize = 8;

/// The kernels of small matrices. On CPUs, "bytes" are those of one number of each of the matrices that a work-item has
/// at once. On GPUs, "group" is the number of work-items of a group.
///
/// CPUs: 10^5 Cholesky factors of 16 x 16 `f64` on two busy cores of an EPYC with AVX2 took 125 ms with 64 bytes, 146 ms with
/// 32 and 214 ms with 8, before matrices were read one after the other, which more than halved the processor's time.
static SMALL_MATRICES: Tunable =
    Tunable::new("linalg:batch", &[Rule::gpu().group(64), Rule::cpu().bytes(64)]);

/// The division of small matrices among work-items, and the type of their numbers.
#[derive(Clone, Copy, Debug, Parameters)]
pub(super) struct Division {
    /// The number of bytes of a real number.
    real_bytes: usize,
    is_complex: bool,
    /// The number of matrices that a work-item has at once, on CPUs.
    lanes: usize,
    /// The number of work-items that share a matrix, on GPUs.
    workers: usize,
    /// The number of matrices of a work-group, on GPUs.
    matrices: usize,
}

impl Division {
    /// Returns the division of matrices of `rows` rows, each of which needs room for `numbers` numbers.
    fn of<T: Scalar>(
        operation: &'static str,
        profile: &DeviceProfile,
        rows: usize,
        numbers: usize,
    ) -> Result<Division> {
        let (real_bytes, bytes) = (size_of::<T::Real>(), size_of::<T>());
        let rule = profile.rule(&SMALL_MATRICES, real_bytes);
        let tuning = profile.tuning(&SMALL_MATRICES, real_bytes);
        let numbers_at_once = tuning.bytes.unwrap_or(rule.held_bytes(real_bytes, 1)) / real_bytes;
        let division = Division { real_bytes, is_complex: T::IS_COMPLEX, lanes: 1, workers: 1, matrices: 1 };
        if profile.chunked {
            return Ok(Division { lanes: 1 << numbers_at_once.clamp(1, 16).ilog2(), ..division });
        }
        if numbers * bytes > profile.local_memory {
            let reason =
                format!("{operation} of matrices of {rows} rows, which need {} bytes", numbers * bytes);
            return Err(cl_core::Error::unsupported(reason, "a work-group's local memory".to_owned()));
        }
        let workers = rows.next_power_of_two().min(profile.largest_group);
        let group = tuning.group.unwrap_or(rule.group).clamp(workers, profile.largest_group);
        let fitting = (rule.local / (numbers * bytes).max(1)).max(1);
        Ok(Division { workers, matrices: (group / workers).min(fitting).max(1), ..division })
    }
}

/// The parameters of the kernels `small_cholesky`.
#[derive(Clone, Copy, Debug, Parameters)]
pub(super) struct Square {
    division: Division,
    side: usize,
}

/// The parameters of the kernel `small_lu`.
#[derive(Clone, Copy, Debug, Parameters)]
pub(super) struct Elimination {
    square: Square,
    task: Task,
    chunk: usize,
}

/// The results of an elimination, as in `kernels/small_lu.cl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Parameters)]
pub(super) enum Task {
    Factors = 0,
    Solutions = 1,
    Inverses = 2,
    Determinants = 3,
}

/// The parameters of the kernel `small_qr`.
#[derive(Clone, Copy, Debug, Parameters)]
pub(super) struct Rectangle {
    division: Division,
    rows: usize,
    columns: usize,
}

/// The parameters of the kernel `small_triangles`.
#[derive(Clone, Copy, Debug, Parameters)]
pub(super) struct Substitution {
    square: Square,
    triangle: Triangle,
    is_ordered: bool,
    chunk: usize,
}

/// The matrix of a triangular system.
#[derive(Clone, Copy, Debug, Parameters)]
pub(super) struct Triangle {
    pub(super) is_lower: bool,
    pub(super) is_unit: bool,
    /// `true` for the conjugate transpose of the triangle.
    pub(super) is_adjoint: bool,
}

/// Returns the shape of kernels that read and store matrices of `numbers` numbers as packs, or one by one for 1.
fn shape(profile: &DeviceProfile, size: usize, division: &Division, numbers: usize) -> Shape {
    let pack = if profile.chunked { (1 << numbers.trailing_zeros()).min(division.lanes) } else { 1 };
    let group = if profile.chunked { 1 } else { division.workers * division.matrices };
    let max_groups = if profile.chunked { profile.elementwise(size).max_groups } else { usize::MAX };
    Shape { chunked: profile.chunked, group, pack, packs: 1, max_groups, streams: false }
}

static CHOLESKY: Template<Square> = Template {
    kernel: "small_cholesky",
    definition: &super::kernels::SMALL_CHOLESKY,
    shape: |profile, size, square| shape(profile, size, &square.division, square.side * square.side),
};
static LU: Template<Elimination> = Template {
    kernel: "small_lu",
    definition: &super::kernels::SMALL_LU,
    shape: |profile, size, values| {
        shape(profile, size, &values.square.division, values.square.side * values.square.side)
    },
};
static QR: Template<Rectangle> = Template {
    kernel: "small_qr",
    definition: &super::kernels::SMALL_QR,
    shape: |profile, size, values| shape(profile, size, &values.division, values.rows * values.columns),
};
static TRIANGLES: Template<Substitution> = Template {
    kernel: "small_triangles",
    definition: &super::kernels::SMALL_TRIANGLES,
    shape: |profile, size, values| {
        shape(profile, size, &values.square.division, values.square.side * values.square.side)
    },
};

/// The results of a kernel, and the info of each matrix: 0, or what [`check`] makes an error of.
type Output<T> = (DeviceVec<T>, DeviceVec<u32>);

/// A call for `count` matrices with the same number of rows and of columns. Neither number is 0.
#[derive(Clone, Copy)]
pub(super) struct Call<'q> {
    pub(super) operation: &'static str,
    pub(super) queue: &'q Queue,
    pub(super) count: usize,
    pub(super) rows: usize,
    pub(super) columns: usize,
}

impl Call<'_> {
    /// Returns the lower triangular factors.
    pub(super) fn cholesky<T: Scalar>(&self, items: Expr<'_, T>) -> Result<Output<T>> {
        let mut factors = self.uninit(self.rows * self.rows)?;
        let info = self.cholesky_into(items, factors.view_mut())?;
        Ok((factors, info))
    }

    /// Stores the lower triangular factors, and returns the info.
    pub(super) fn cholesky_into<T: Scalar>(
        &self,
        items: Expr<'_, T>,
        factors: ViewMut<'_, T>,
    ) -> Result<DeviceVec<u32>> {
        let mut info = self.uninit(1)?;
        let square = self.square::<T>(self.rows * (self.rows + 1))?;
        let fused = self.fused(items, factors, &mut info);
        self.launch(&fused, (&CHOLESKY, square), &square.division, &[], self.rows)?;
        Ok(info)
    }

    /// Returns the factors of an elimination, and the order of the rows.
    pub(super) fn lu<T: Scalar>(&self, items: Expr<'_, T>) -> Result<(Output<T>, DeviceVec<u32>)> {
        let (mut factors, mut info) = (self.uninit(self.rows * self.rows)?, self.uninit(1)?);
        let mut order = self.uninit(self.rows)?;
        let values = self.elimination::<T>(Task::Factors, 1)?;
        let fused = self
            .fused(items, &mut factors, &mut info)
            .input("ORDER", 0_u32)
            .output::<u32>("ORDER", "ORDER", &mut order);
        self.launch(&fused, (&LU, values), &values.square.division, &[0], self.rows)?;
        Ok(((factors, info), order))
    }

    /// Returns the determinants.
    pub(super) fn determinants<T: Scalar>(&self, items: Expr<'_, T>) -> Result<Output<T>> {
        let (mut determinants, mut info) = (self.uninit(1)?, self.uninit(1)?);
        let values = self.elimination::<T>(Task::Determinants, 1)?;
        let fused = self.fused(items, &mut determinants, &mut info);
        self.launch(&fused, (&LU, values), &values.square.division, &[0], self.rows)?;
        Ok((determinants, info))
    }

    /// Returns the inverses.
    pub(super) fn inverses<T: Scalar>(&self, items: Expr<'_, T>) -> Result<Output<T>> {
        let (mut inverses, mut info) = (self.uninit(self.rows * self.rows)?, self.uninit(1)?);
        let values = self.elimination::<T>(Task::Inverses, self.rows)?;
        let fused = self.fused(items, &mut inverses, &mut info);
        self.launch(&fused, (&LU, values), &values.square.division, &[self.rows], self.rows)?;
        Ok((inverses, info))
    }

    /// Returns the solutions for `right`, which has `self.columns` columns for each matrix.
    pub(super) fn solutions<T: Scalar>(&self, items: Expr<'_, T>, right: Expr<'_, T>) -> Result<Output<T>> {
        let (mut solutions, mut info) = (self.uninit(self.rows * self.columns)?, self.uninit(1)?);
        let values = self.elimination::<T>(Task::Solutions, self.columns)?;
        let fused = self.fused(items, &mut solutions, &mut info).input("RIGHT", right);
        self.launch(&fused, (&LU, values), &values.square.division, &[self.columns], self.columns)?;
        Ok((solutions, info))
    }

    /// Returns the orthonormal columns and the triangles of Householder's factorisation.
    pub(super) fn qr<T: Scalar>(&self, items: Expr<'_, T>) -> Result<(Output<T>, DeviceVec<T>)> {
        let Call { rows, columns, .. } = *self;
        let (mut q, mut info) = (self.uninit(rows * columns)?, self.uninit(1)?);
        let mut r = self.uninit(columns * columns)?;
        let division = self.division::<T>(2 * (rows + 1) * (columns + 1))?;
        let fused = self.fused(items, &mut q, &mut info).output::<T>("R", "", &mut r);
        self.launch(&fused, (&QR, Rectangle { division, rows, columns }), &division, &[], columns)?;
        Ok(((q, info), r))
    }

    /// Returns the solutions of triangular systems for `right`, which has `self.columns` columns for each matrix, and
    /// whose rows are taken in `order`.
    pub(super) fn triangular<T: Scalar>(
        &self,
        triangle: Triangle,
        items: Expr<'_, T>,
        right: Expr<'_, T>,
        order: Option<&DeviceVec<u32>>,
    ) -> Result<Output<T>> {
        let (mut solutions, mut info) = (self.uninit(self.rows * self.columns)?, self.uninit(1)?);
        let chunk = self.columns.min(CHUNK);
        let square = self.square::<T>(self.rows * (self.rows + chunk + 2))?;
        let values = Substitution { square, triangle, is_ordered: order.is_some(), chunk };
        let mut fused = self.fused(items, &mut solutions, &mut info).input("RIGHT", right);
        if let Some(order) = order {
            fused = fused.input("ORDER", order);
        }
        self.launch(&fused, (&TRIANGLES, values), &square.division, &[self.columns], self.columns)?;
        Ok((solutions, info))
    }

    /// Returns a vector of `len` elements for each matrix, all of which a kernel must write.
    fn uninit<E: cl_algo::Element>(&self, len: usize) -> Result<DeviceVec<E>> {
        // SAFETY: the kernel that is enqueued next writes every element. If it cannot be enqueued, the vector is dropped.
        unsafe { DeviceVec::uninit(self.queue, self.count * len) }
    }

    fn division<T: Scalar>(&self, numbers: usize) -> Result<Division> {
        Division::of::<T>(self.operation, &*profile(self.queue.context())?, self.rows, numbers)
    }

    fn square<T: Scalar>(&self, numbers: usize) -> Result<Square> {
        Ok(Square { division: self.division::<T>(numbers)?, side: self.rows })
    }

    fn elimination<T: Scalar>(&self, task: Task, columns: usize) -> Result<Elimination> {
        let chunk = columns.min(CHUNK);
        Ok(Elimination { square: self.square::<T>((self.rows + 1) * (self.rows + chunk + 3))?, task, chunk })
    }

    /// Returns what all kernels are filled with: the matrices, the results, and the info.
    fn fused<'a, T: Scalar>(
        &self,
        items: Expr<'a, T>,
        results: impl Sink<'a, T>,
        info: &'a mut DeviceVec<u32>,
    ) -> Fused<'a> {
        Fused::new(self.operation)
            .input("", items)
            .input("INFO", 0_u32)
            .output::<T>("", "", results)
            .output::<u32>("INFO", "INFO", info)
    }

    /// Launches a kernel whose own arguments are the number of matrices and `own`. A row of its longest input or output
    /// has `columns` elements.
    fn launch<P: Parameters>(
        &self,
        fused: &Fused<'_>,
        (template, parameters): (&'static Template<P>, P),
        division: &Division,
        own: &[usize],
        columns: usize,
    ) -> Result<()> {
        let longest = self.count * self.rows * self.rows.max(self.columns).max(columns);
        let ready = fused.by(template, parameters).compile(self.queue, longest)?;
        let shape = ready.shape();
        let own: Vec<_> =
            std::iter::once(&self.count).chain(own).map(|&number| ready.index(number)).collect();
        let together = if shape.chunked { division.lanes } else { division.matrices };
        let groups = self.count.div_ceil(together).clamp(1, shape.max_groups);
        // SAFETY: the kernel reads and writes `count` matrices of these numbers of rows and columns, which the inputs and
        // outputs have.
        unsafe { ready.launch(&own, groups, shape.group) }
    }
}

/// The mark of a pivot that is NaN or infinite: `NOT_FINITE` of `kernels/small_matrix.cl`.
pub(super) const NOT_FINITE: u32 = 0x1_0000;

/// Waits, and returns an error for the first matrix with a bad pivot. `bad` makes the error of a finite one.
pub(super) fn check(
    operation: &'static str,
    info: &DeviceVec<u32>,
    bad: impl FnOnce(usize) -> Error,
) -> Result<(), Error> {
    let Some(matrix) = info.iter().ne(0).position()? else { return Ok(()) };
    let error = match info.get(matrix)? {
        0 => return Ok(()),
        NOT_FINITE.. => Error::NotFinite { operation },
        pivot => bad(pivot as usize - 1),
    };
    Err(Error::InBatch { matrix, error: Box::new(error) })
}
