//! From a problem to a recipe, without a device.
//!
//! | file | concept |
//! | --- | --- |
//! | `facts` | what counts of a device |
//! | `problem` | what is to be transformed: lengths, axes, batch, strides |
//! | `recipe` | the passes that do it |
//! | `axis` | the passes along one axis: one kernel, several, or by way of a convolution |
//! | `turns` | how many lines of a long transform are done at once |
//! | `pass` | one kernel launch |
//! | `shape` | its stages, and how it divides its work |
//! | `banks` | where points stand in local memory between stages |
//! | `numbers` | factors and powers |

mod axis;
mod banks;
mod facts;
mod numbers;
mod pass;
mod problem;
mod recipe;
mod shape;
mod turns;

pub use banks::Gap;
pub use facts::{Facts, LINES};
pub(crate) use numbers::{power, primitive_root, smooth_from};
pub use pass::{Convolution, Digit, Pass, Phases, Place, Table};
pub(crate) use problem::{Checked, LONGEST};
pub use problem::{Kind, Problem};
pub use recipe::{Recipe, Turns};
pub use shape::{Parts, Shape};
