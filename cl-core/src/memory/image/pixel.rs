//! Pixels as Rust types, which say what each channel means and how it is stored.

use crate::raw::{self, cl_channel_order, cl_channel_type};
use bytemuck::{Pod, Zeroable};
use half::f16;
use std::fmt;

/// The storage format of a pixel: its channels, their order, and their type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ImageFormat {
    /// The order of channels, such as `CL_RGBA`.
    pub order: cl_channel_order,
    /// The type of a channel, such as `CL_UNORM_INT8`.
    pub channel: cl_channel_type,
}

/// Returns the name of the constant with this value, for messages.
macro_rules! names {
    ($value:expr; $($name:ident)*) => {
        match $value {
            $(raw::$name => stringify!($name),)*
            _ => "another",
        }
    };
}

impl fmt::Display for ImageFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = names!(self.order; CL_R CL_A CL_RG CL_RA CL_RGB CL_RGBA CL_BGRA CL_ARGB CL_INTENSITY
            CL_LUMINANCE CL_Rx CL_RGx CL_RGBx CL_DEPTH CL_DEPTH_STENCIL CL_sRGB CL_sRGBx CL_sRGBA);
        let channel = names!(self.channel; CL_SNORM_INT8 CL_SNORM_INT16 CL_UNORM_INT8 CL_UNORM_INT16
            CL_UNORM_SHORT_565 CL_UNORM_SHORT_555 CL_UNORM_INT_101010 CL_SIGNED_INT8 CL_SIGNED_INT16
            CL_SIGNED_INT32 CL_UNSIGNED_INT8 CL_UNSIGNED_INT16 CL_UNSIGNED_INT32 CL_HALF_FLOAT CL_FLOAT
            CL_UNORM_INT24 CL_UNORM_INT_101010_2);
        write!(f, "{order} {channel}")
    }
}

impl fmt::Debug for ImageFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A pixel of an image, such as [`Rgba<u8>`].
///
/// # Safety
/// A value has exactly the size and the layout of one pixel in [`FORMAT`](Pixel::FORMAT).
pub unsafe trait Pixel: Pod {
    /// The storage format.
    const FORMAT: ImageFormat;

    /// Returns the pixel as `clEnqueueFillImage` needs it: red, green, blue and alpha as the bits
    /// of `f32`, `i32` or `u32`, the type that kernels read from images of this format.
    fn fill_color(self) -> [u32; 4];
}

/// One channel of a pixel.
///
/// | type | stored as | kernels read it by |
/// | --- | --- | --- |
/// | `u8`, `u16`, `u32` | `CL_UNSIGNED_INT…` | `read_imageui` |
/// | `i8`, `i16`, `i32` | `CL_SIGNED_INT…` | `read_imagei` |
/// | [`Unorm<u8>`], [`Unorm<u16>`] | `CL_UNORM_INT…`: 0 to 1 | `read_imagef` |
/// | [`Snorm<i8>`], [`Snorm<i16>`] | `CL_SNORM_INT…`: -1 to 1 | `read_imagef` |
/// | `f32`, [`f16`](struct@f16) | `CL_FLOAT`, `CL_HALF_FLOAT` | `read_imagef` |
///
/// # Safety
/// A value has exactly the size and the layout of one channel of type [`TYPE`](Channel::TYPE).
pub unsafe trait Channel: Pod {
    /// The storage type.
    const TYPE: cl_channel_type;
    /// One, in the encoding of fill colours: the alpha of pixels without an alpha channel.
    const ONE: u32;

    /// Returns the channel in the encoding of fill colours: the bits of an `f32`, an `i32` or a
    /// `u32`.
    fn fill_bits(self) -> u32;
}

/// An unsigned integer that represents a number from 0 to 1: `u8` or `u16`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Unorm<T>(pub T);

/// A signed integer that represents a number from -1 to 1: `i8` or `i16`. The least integer and the
/// next one both represent -1, and a fill may store either.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Snorm<T>(pub T);

// SAFETY: transparent around a type that is `Zeroable` or `Pod`.
unsafe impl<T: Zeroable> Zeroable for Unorm<T> {}
// SAFETY: as above.
unsafe impl<T: Pod> Pod for Unorm<T> {}
// SAFETY: as above.
unsafe impl<T: Zeroable> Zeroable for Snorm<T> {}
// SAFETY: as above.
unsafe impl<T: Pod> Pod for Snorm<T> {}

macro_rules! channels {
    ($($type:ty, $name:ident, $one:expr, |$value:ident| $bits:expr;)*) => {$(
        // SAFETY: the standard defines the channel type as this integer or float.
        unsafe impl Channel for $type {
            const TYPE: cl_channel_type = raw::$name;
            const ONE: u32 = $one;
            fn fill_bits(self) -> u32 {
                let $value = self;
                $bits
            }
        }
    )*};
}

/// The bits of 1.0.
const ONE: u32 = 1.0_f32.to_bits();

channels! {
    u8, CL_UNSIGNED_INT8, 1, |value| u32::from(value);
    u16, CL_UNSIGNED_INT16, 1, |value| u32::from(value);
    u32, CL_UNSIGNED_INT32, 1, |value| value;
    i8, CL_SIGNED_INT8, 1, |value| i32::from(value).cast_unsigned();
    i16, CL_SIGNED_INT16, 1, |value| i32::from(value).cast_unsigned();
    i32, CL_SIGNED_INT32, 1, |value| value.cast_unsigned();
    f32, CL_FLOAT, ONE, |value| value.to_bits();
    f16, CL_HALF_FLOAT, ONE, |value| value.to_f32().to_bits();
    Unorm<u8>, CL_UNORM_INT8, ONE, |value| (f32::from(value.0) / f32::from(u8::MAX)).to_bits();
    Unorm<u16>, CL_UNORM_INT16, ONE, |value| (f32::from(value.0) / f32::from(u16::MAX)).to_bits();
    Snorm<i8>, CL_SNORM_INT8, ONE, |value| (f32::from(value.0) / f32::from(i8::MAX)).max(-1.0).to_bits();
    Snorm<i16>, CL_SNORM_INT16, ONE, |value| (f32::from(value.0) / f32::from(i16::MAX)).max(-1.0).to_bits();
}

macro_rules! pixels {
    ($(
        $(#[$doc:meta])*
        $name:ident($content:ty), $order:ident, |$channels:ident, $one:ident| $color:expr;
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[repr(transparent)]
        pub struct $name<C>(pub $content);

        // SAFETY: transparent around channels that are `Zeroable` or `Pod`.
        unsafe impl<C: Zeroable> Zeroable for $name<C> {}
        // SAFETY: as above; an array has no padding.
        unsafe impl<C: Pod> Pod for $name<C> {}
        // SAFETY: the channels lie one after the other, in the order that the format names.
        unsafe impl<C: Channel> Pixel for $name<C> {
            const FORMAT: ImageFormat = ImageFormat { order: raw::$order, channel: C::TYPE };
            fn fill_color(self) -> [u32; 4] {
                let ($channels, $one) = (self.0, C::ONE);
                $color
            }
        }
    )*};
}

pixels! {
    /// Red alone; kernels read (r, 0, 0, 1).
    R(C), CL_R, |r, one| [r.fill_bits(), 0, 0, one];
    /// Alpha alone; kernels read (0, 0, 0, a).
    A(C), CL_A, |a, _one| [0, 0, 0, a.fill_bits()];
    /// Red and green; kernels read (r, g, 0, 1).
    Rg([C; 2]), CL_RG, |rg, one| [rg[0].fill_bits(), rg[1].fill_bits(), 0, one];
    /// Red, green, blue, alpha: the order that every device with images supports.
    Rgba([C; 4]), CL_RGBA, |rgba, _one| rgba.map(C::fill_bits);
    /// Blue, green, red, alpha in memory; kernels read (r, g, b, a). Channels of 8 bits only.
    Bgra([C; 4]), CL_BGRA, |bgra, _one| [bgra[2], bgra[1], bgra[0], bgra[3]].map(C::fill_bits);
    /// Alpha, red, green, blue in memory; kernels read (r, g, b, a). Channels of 8 bits only.
    Argb([C; 4]), CL_ARGB, |argb, _one| [argb[1], argb[2], argb[3], argb[0]].map(C::fill_bits);
    /// One value; kernels read (i, i, i, i). Normalised channels and floats only.
    Intensity(C), CL_INTENSITY, |i, _one| [i.fill_bits(); 4];
    /// One value; kernels read (l, l, l, 1). Normalised channels and floats only.
    Luminance(C), CL_LUMINANCE, |l, one| [l.fill_bits(), l.fill_bits(), l.fill_bits(), one];
    /// A depth (OpenCL 2.0); kernels read a single `float`. `Unorm<u16>` or `f32` only.
    Depth(C), CL_DEPTH, |d, _one| [d.fill_bits(), 0, 0, 0];
}
