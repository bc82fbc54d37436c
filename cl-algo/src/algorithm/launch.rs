//! Launching a compiled template over an expression.

use crate::codegen::Compiled;
use crate::expr::graph::Graph;
use crate::expr::leaf;
use cl_core::{Access, Arg, Launch, Memory};

/// Begins a launch with the arguments that every template starts with: the expression's leaves, and
/// the fault record if it has one.
pub(crate) fn launch<'a>(
    compiled: &'a Compiled,
    graph: &'a Graph<'_>,
    faults: Option<&'a Memory>,
) -> Launch<'a> {
    let mut launch = compiled.kernel.launch();
    for scalar in &graph.scalars {
        launch = launch.arg(scalar.argument(compiled.wide_index));
    }
    for vector in &graph.vectors {
        launch = launch.arg(Arg::Memory(vector.memory, Access::Read));
    }
    match faults {
        Some(record) => launch.arg(Arg::Memory(record, Access::Write)),
        None => launch,
    }
}

/// An index or a length, as wide as the kernel wants it.
pub(crate) fn index<'a>(compiled: &Compiled, value: usize) -> Arg<'a> {
    leaf::index(value as i64, compiled.wide_index)
}

/// The sizes of a launch over `len` elements.
pub(crate) fn sized<'a>(launch: Launch<'a>, compiled: &Compiled, groups: usize) -> Launch<'a> {
    let group = compiled.shape.group;
    launch.global(groups * group).local(group)
}

/// Kernels with 64-bit indices, which only vectors of 2^31 elements get, on short vectors.
#[cfg(test)]
mod tests {
    use super::super::{assign, reduce};
    use super::*;
    use crate::codegen::{Output, Place, Request, compiled};
    use crate::element::ElementType;
    use crate::expr::Expr;
    use crate::vec::DeviceVec;
    use cl_core::{Buffer, Queue};
    use std::sync::Arc;

    fn compiled_for(expr: &Expr<'_, u32>, queue: &Queue, request: Request<'_>, len: usize) -> Arc<Compiled> {
        compiled(queue.context(), expr.graph(), request, len).unwrap()
    }

    #[test]
    fn indices_have_64_bits_where_32_might_not_do() {
        const WIDE: usize = 1 << 31;
        let whole = [Output { element: ElementType::U32, place: Place::Own, in_place: false }];
        let assign = assign::request(&whole);
        cl_test::each_device(|device| {
            let queue = Queue::on(device).unwrap();
            for len in [1, 1000, 4097, 20_003] {
                let host: Vec<u32> = (0..len as u32).collect();
                let x = DeviceVec::from_slice(&queue, &host).unwrap();
                let expr = &x * 3;
                assert!(!compiled_for(&expr, &queue, assign, WIDE - 1).wide_index);

                let wide = compiled_for(&expr, &queue, assign, WIDE);
                assert!(wide.wide_index);
                let mut out = DeviceVec::filled(&queue, 0_u32, len).unwrap();
                let pass = launch(&wide, expr.graph(), None).arg(out.buffer_mut()).arg(index(&wide, 0));
                let pass = pass.arg(index(&wide, len));
                // SAFETY: `out` has as many elements as are computed.
                unsafe { sized(pass, &wide, wide.shape.groups(len)).enqueue(&queue).unwrap() };
                let tripled: Vec<u32> = host.iter().map(|x| 3 * x).collect();
                assert_eq!(out.to_vec().unwrap(), tripled);

                let wide = compiled_for(&expr, &queue, reduce::first_pass(), WIDE);
                let groups = wide.shape.groups(len);
                let mut partials = Buffer::filled(&queue, 0_u32, groups).unwrap();
                let pass = launch(&wide, expr.graph(), None).arg(&mut partials).arg(index(&wide, len));
                // SAFETY: one partial result a work-group.
                unsafe { sized(pass, &wide, groups).enqueue(&queue).unwrap() };
                let total = partials.to_vec(&queue).unwrap().iter().sum::<u32>();
                assert_eq!(total, tripled.iter().sum::<u32>());
            }
        });
    }
}
