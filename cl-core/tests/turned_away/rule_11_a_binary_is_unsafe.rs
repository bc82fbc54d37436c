//! A binary is native code that no driver verifies. The caller must vouch for it, which safe code cannot do.

use cl_core::{BuildOptions, Context, Program};

fn main() {}

fn load(context: &Context, binary: &[u8]) {
    let _ = Program::from_binary(context, binary, &BuildOptions::new());
    let _ = Program::from_il(context, binary, &[], &BuildOptions::new());
}
