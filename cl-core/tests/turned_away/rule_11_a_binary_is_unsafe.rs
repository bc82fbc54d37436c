//! A binary is native code that no driver verifies: giving one is a promise, which safe code cannot give.

use cl_core::{BuildOptions, Context, Program};

fn main() {}

fn load(context: &Context, binary: &[u8]) {
    let _ = Program::from_binary(context, binary, &BuildOptions::new());
    let _ = Program::from_il(context, binary, &[], &BuildOptions::new());
}
