//! Elements are plain old data: `Copy` is not enough, for `bool`, `char`, references and padding.

use cl_core::Buffer;

fn main() {}

fn refuse<T: Copy + Send + Sync + 'static>(_: Buffer<T>) {}
