//! What the examples share: pictures, and a kernel in a crate of its own. The examples themselves are in the folder `examples`, the tools that go with them
//! in `src/bin`.

pub mod matrix_product;
pub mod picture;
