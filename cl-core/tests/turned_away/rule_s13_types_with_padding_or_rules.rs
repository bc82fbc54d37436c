//! Elements are plain old data. `Copy` is not enough, because of `bool`, `char`, references and padding.

use cl_core::Buffer;

fn main() {}

fn refuse<T: Copy + Send + Sync + 'static>(_: Buffer<T>) {}
