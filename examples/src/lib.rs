//! Programs to copy from: see the `examples` folder. The library itself is empty.
