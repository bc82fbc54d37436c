//! The six kinds of image, as types.

use crate::raw::{self, cl_image_desc, cl_mem, cl_mem_object_type};
use std::fmt::Debug;
use std::ptr::null_mut;

/// The kind of an image: one of [`D1`], [`D1Array`], [`D1Buffer`], [`D2`], [`D2Array`], [`D3`].
///
/// Positions and sizes are arrays of one number for each dimension, x first, in pixels. The layers
/// of an image array are its last dimension.
pub trait Dimensions: sealed::Sealed + 'static {
    /// A position or a size.
    type Size: Copy
        + Debug
        + PartialEq
        + AsRef<[usize]>
        + for<'a> TryFrom<&'a [usize]>
        + Send
        + Sync
        + 'static;

    /// OpenCL's constant for the kind.
    const KIND: cl_mem_object_type;
    /// The number of dimensions, including that of layers.
    const COUNT: usize;
    /// `true` if the last dimension counts layers.
    const LAYERED: bool;
    /// The name, for messages.
    const NAME: &'static str;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! dimensions {
    ($($(#[$doc:meta])* $name:ident, $count:literal, $kind:ident, $layered:literal, $text:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub enum $name {}

        impl sealed::Sealed for $name {}
        impl Dimensions for $name {
            type Size = [usize; $count];
            const KIND: cl_mem_object_type = raw::$kind;
            const COUNT: usize = $count;
            const LAYERED: bool = $layered;
            const NAME: &'static str = $text;
        }
    )*};
}

dimensions! {
    /// `image1d_t`: a line of pixels, `[width]`.
    D1, 1, CL_MEM_OBJECT_IMAGE1D, false, "1D image";
    /// `image1d_array_t`: lines of the same width, `[width, layers]`.
    D1Array, 2, CL_MEM_OBJECT_IMAGE1D_ARRAY, true, "1D image array";
    /// `image1d_buffer_t`: a buffer seen as a line of pixels, `[width]`. It can be longer than a
    /// [`D1`], and kernels read it without a sampler.
    D1Buffer, 1, CL_MEM_OBJECT_IMAGE1D_BUFFER, false, "1D image buffer";
    /// `image2d_t`: `[width, height]`.
    D2, 2, CL_MEM_OBJECT_IMAGE2D, false, "2D image";
    /// `image2d_array_t`: 2D images of the same size, `[width, height, layers]`.
    D2Array, 3, CL_MEM_OBJECT_IMAGE2D_ARRAY, true, "2D image array";
    /// `image3d_t`: `[width, height, depth]`. Many devices let kernels only read it.
    D3, 3, CL_MEM_OBJECT_IMAGE3D, false, "3D image";
}

/// Returns a position in three dimensions; missing numbers are 0.
pub(super) fn origin<D: Dimensions>(position: D::Size) -> [usize; 3] {
    padded(position.as_ref(), 0)
}

/// Returns a size in three dimensions; missing numbers are 1.
pub(super) fn extent<D: Dimensions>(size: D::Size) -> [usize; 3] {
    padded(size.as_ref(), 1)
}

fn padded(numbers: &[usize], rest: usize) -> [usize; 3] {
    let mut all = [rest; 3];
    all[..numbers.len()].copy_from_slice(numbers);
    all
}

/// Returns the description for `clCreateImage`. `row_pitch` is 0 unless the image lies over the
/// memory `base`.
pub(super) fn description<D: Dimensions>(
    size: D::Size,
    base: Option<cl_mem>,
    row_pitch: usize,
) -> cl_image_desc {
    let size = size.as_ref();
    let (plain, layers) = if D::LAYERED { size.split_at(size.len() - 1) } else { (size, &[][..]) };
    let number = |numbers: &[usize], index: usize| numbers.get(index).copied().unwrap_or(0);
    cl_image_desc {
        image_type: D::KIND,
        image_width: number(plain, 0),
        image_height: number(plain, 1),
        image_depth: number(plain, 2),
        image_array_size: number(layers, 0),
        image_row_pitch: row_pitch,
        image_slice_pitch: 0,
        num_mip_levels: 0,
        num_samples: 0,
        buffer: base.unwrap_or(null_mut()),
    }
}
