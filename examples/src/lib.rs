//! Shared code of the examples: pictures, and a kernel in a crate of its own. The examples themselves are in
//! the folder `examples`, and their tools in `src/bin`.

pub mod matrix_product;
pub mod picture;
