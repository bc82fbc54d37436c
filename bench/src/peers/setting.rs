//! The surroundings of a measurement.

use crate::options::Size;
use std::path::Path;

/// The device, the sizes, and the files that the processes of a session share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting<'p> {
    /// The device's number among all devices, and its name.
    pub(crate) number: usize,
    pub(crate) device: &'p str,
    pub(crate) is_gpu: bool,
    pub(crate) sizes: &'p [Size],
    /// The file with the digests of our verified results.
    pub(crate) answers: &'p Path,
    /// The folder for random matrices.
    pub(crate) matrices: &'p Path,
}
