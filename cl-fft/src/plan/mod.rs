//! From a problem to a recipe, without a device.
//!
//! | file | concept |
//! | --- | --- |
//! | `limits` | the properties of a device that recipes depend on |
//! | `problem` | the transform that is wanted: lengths, axes, batch, strides |
//! | `recipe` | the passes that compute it |
//! | `axis` | the passes along one axis: one kernel, several kernels, or a convolution |
//! | `turns` | the number of lines of a long transform that are computed at once |
//! | `pass` | one kernel launch |
//! | `shape` | the stages of a launch, and the division of its work |
//! | `banks` | the addresses of points in local memory between stages |
//! | `numbers` | factors and powers |

mod axis;
mod banks;
mod limits;
mod numbers;
mod pass;
mod problem;
mod recipe;
mod shape;
mod turns;

pub use banks::Gap;
pub use limits::{DeviceLimits, LINES};
pub(crate) use numbers::{power, primitive_root, smooth_from};
pub use pass::{Convolution, Digit, Location, Pass, Phases, Table};
pub(crate) use problem::{Checked, LONGEST};
pub use problem::{Kind, Problem};
pub use recipe::{Recipe, Turns};
pub use shape::{PartLayout, Shape};
