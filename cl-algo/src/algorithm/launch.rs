//! Launching a compiled template over an expression.

use crate::codegen::Compiled;
use crate::expr::graph::Graph;
use cl_core::{Access, Arg, Launch};

/// Begins a launch with the arguments that every template starts with: the expression's leaves.
pub(crate) fn launch<'a>(compiled: &'a Compiled, graph: &Graph<'a>) -> Launch<'a> {
    let mut launch = compiled.kernel.launch();
    for scalar in &graph.scalars {
        launch = launch.arg(Arg::Value(scalar.bytes, scalar.element.size()));
    }
    for vector in &graph.vectors {
        launch = launch.arg(Arg::Memory(vector.memory, Access::Read));
    }
    launch
}

/// An index or a length, as wide as the kernel wants it.
pub(crate) fn index<'a>(compiled: &Compiled, value: usize) -> Arg<'a> {
    if compiled.wide_index {
        Arg::value(value as u64)
    } else {
        // `compiled` chose 32 bits because every index fits.
        Arg::value(value as u32)
    }
}

/// The sizes of a launch over `len` elements.
pub(crate) fn sized<'a>(launch: Launch<'a>, compiled: &Compiled, groups: usize) -> Launch<'a> {
    let group = compiled.shape.group;
    launch.global(groups * group).local(group)
}
