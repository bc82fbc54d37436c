//! A kernel in a crate of its own: the product of two dense matrices.
//!
//! The matrices are any expressions, the product goes to any sink, and all of it is one kernel.
//! `examples/33_matrix_product.rs` shows uses of it, and the documentation of [`cl_algo::codegen`] describes
//! the parts.

use cl_algo::codegen::{Definition, Fused, Parameters, Template};
use cl_algo::prelude::*;
use cl_algo::{DeviceProfile, Shape, Sink};
use cl_core::{Error, Result};

/// The parameters of the kernel.
#[derive(Clone, Copy, Parameters)]
struct Block {
    /// The rows and columns of the block of a work-group.
    side: usize,
}

static PRODUCT: Template<Block> = Template {
    kernel: "matrix_product",
    definition: &Definition::new(include_str!("../kernels/matrix_product.cl"))
        .defining_macros(&["PER", "ROW", "COLUMN"]),
    shape,
};

/// Returns the shape: on GPUs a work-item has four items of a block, on CPUs all of them.
fn shape(profile: &DeviceProfile, _size: usize, block: &Block) -> Shape {
    let items = block.side * block.side;
    let group = if profile.chunked { 1 } else { (items / 4).clamp(1, profile.largest_group) };
    Shape { chunked: profile.chunked, group, pack: 1, packs: 1, max_groups: usize::MAX, streams: false }
}

/// The rows and columns of the matrices.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// The rows of the first matrix, and of the product.
    pub rows: usize,
    /// The columns of the first matrix, which are the rows of the second.
    pub inner: usize,
    /// The columns of the second matrix, and of the product.
    pub columns: usize,
}

/// Multiplies two matrices, which are stored row by row.
///
/// # Errors
/// [`Error::InvalidInput`] if the number of items of an operand or of the output does not match `size`; errors
/// of [`Fused::check_on`] and [`Filled::compile`](cl_algo::codegen::Filled::compile).
pub fn multiply<'a, T: Number>(
    queue: &Queue,
    size: Size,
    a: impl Operand<'a, T>,
    b: impl Operand<'a, T>,
    product: impl Sink<'a, T>,
) -> Result<()> {
    let Size { rows, inner, columns } = size;
    let Some(items) = rows.checked_mul(columns) else {
        return Err(Error::invalid_input("product", format!("it has {rows} rows of {columns}")));
    };
    let (a, b) = (a.into_expr(), b.into_expr());
    has_items("first matrix", a.len(), rows, inner)?;
    has_items("second matrix", b.len(), inner, columns)?;
    if inner == 0 {
        // The sums have no terms, and kernels cannot get vectors without elements.
        return assign(product, constant(T::zeroed()).take(items));
    }
    let fused = Fused::new("multiply")
        .input("A", a)
        .input("B", b)
        .input("ZERO", T::zeroed())
        .operator("ADD_PRODUCT", "A", |(a, b, sum): (Val<T>, Val<T>, Val<T>)| a * b + sum)
        .output::<T>("", "A", product);
    fused.check_on(queue)?;
    has_items("product", fused.room(), rows, columns)?;
    if items == 0 {
        return Ok(());
    }
    // Two blocks are in local memory: with 16 rows of 16 items of 16 bytes they take 8 KiB.
    let block = Block { side: 16 };
    let longest = (rows * inner).max(inner * columns).max(items);
    let ready = fused.by(&PRODUCT, block).compile(queue, longest)?;
    let groups = rows.div_ceil(block.side) * columns.div_ceil(block.side);
    let own = [rows, inner, columns].map(|number| ready.index(number));
    // SAFETY: the kernel loads items up to `rows`, `columns` and `inner`, and the matrices were checked to
    // have these sizes.
    unsafe { ready.launch(&own, groups, ready.shape().group) }
}

/// Returns an error unless a matrix has as many items as its rows times its columns.
fn has_items(what: &'static str, items: Option<usize>, rows: usize, columns: usize) -> Result<()> {
    match (items, rows.checked_mul(columns)) {
        (Some(items), Some(product)) if items == product => Ok(()),
        (items, _) => {
            let items = items.map_or("no length".to_owned(), |items| format!("{items} items"));
            Err(Error::invalid_input(what, format!("it has {items}; {rows} rows of {columns} are needed")))
        }
    }
}
