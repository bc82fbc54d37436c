//! Kernel templates: `.cl` files that read items through `LOAD(i)` and write them by `STORE(i, item)`.

use super::lanes::Lanes;
use super::store::Output;
use crate::device_profile::{DeviceProfile, Shape};
use cl_core::BuildOptions;

/// A kernel template.
pub(crate) struct Template {
    /// The name of the kernel, which no other template has.
    pub(crate) kernel: &'static str,
    pub(crate) text: &'static str,
    /// How it divides its work on a device: given the size of an item's largest part, and the
    /// variant.
    pub(crate) shape: fn(&DeviceProfile, usize, u32) -> Shape,
    /// What the variant adds to the prelude, for items of this type, alone and in packs.
    pub(crate) extras: fn(u32, Lanes, Lanes) -> String,
    /// What the variant adds to the compiler's options.
    pub(crate) options: fn(u32, BuildOptions) -> BuildOptions,
}

/// A template, what it is filled with, and which of its variants is meant.
#[derive(Clone, Copy)]
pub(crate) struct Request<'r> {
    pub(crate) template: &'static Template,
    pub(crate) variant: u32,
    pub(crate) outputs: &'r [Output],
}
