//! What the examples share: pictures. The examples themselves are in the folder `examples`, the tools that go with them
//! in `src/bin`.

pub mod picture;
