//! Random safe programs over the whole public API, each compared with a plain model on the host.
//!
//! | module | concept |
//! | --- | --- |
//! | `array_expression` | expressions of arrays: how they are made, their values on the host, their form on the device |
//! | `call` | device functions |
//! | `claim` | layouts of arrays, right and wrong |
//! | `draws` | random numbers that the host draws, too |
//! | `dice` | random numbers that a seed repeats |
//! | `expression` | expressions: how they are made, their values on the host, their form on the device |
//! | `finding` | things that a program should not do |
//! | `hunt` | runs programs in processes of their own, and shortens those that fail |
//! | `nd` | the model of an array |
//! | `operator` | operators of two values |
//! | `part` | parts of arrays |
//! | `program` | a list of steps |
//! | `steps` | the effect of a step, on the device and in the model |
//! | `target` | views of views that steps write to |
//! | `world` | the vectors and matrices of a program, and the model's copies |
//!
//! `tests/hostile.rs` runs the programs in processes of their own, on an OpenCL library that watches the
//! memory behind every buffer.
#![forbid(unsafe_code)]

mod array_expression;
mod call;
mod claim;
mod dice;
mod draws;
mod expression;
mod finding;
mod hunt;
mod nd;
mod operator;
mod part;
mod program;
mod steps;
mod target;
mod world;

pub use finding::Finding;
pub use hunt::{Hunt, Report, Task};
pub use program::Program;
