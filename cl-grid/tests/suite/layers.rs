//! Functions that kernels keep in layers: in arrays whose axes have any order, and where the layers fail.

// Both preludes, as in programs that use vectors and grids.
use cl_algo::DeviceProfile;
use cl_algo::prelude::*;
use cl_core::Status;
use cl_grid::prelude::*;
use cl_test::faults::exclusive;
use cl_test::{each_device, full_or_small};

/// Returns the coordinates of an element, in row-major order.
fn point<const N: usize>(mut at: usize, shape: [usize; N]) -> [i64; N] {
    let mut point = [0; N];
    for axis in (0..N).rev() {
        (point[axis], at) = ((at % shape[axis]) as i64, at / shape[axis]);
    }
    point
}

fn value<const N: usize>(at: [i64; N], factors: [i64; 3]) -> i32 {
    (at.iter().zip(factors).map(|(at, factor)| at * factor).sum::<i64>() % 17) as i32
}

/// The distances that the operator reads at, with their weights. No two axes are alike.
fn weights<const N: usize>() -> Vec<([i64; N], i32)> {
    let along = |axis: usize, by: i64| std::array::from_fn(|other| if other == axis { by } else { 0 });
    (0..N).flat_map(|axis| [(along(axis, -1), 2 + axis as i32), (along(axis, 1), -1)]).collect()
}

fn operator<const N: usize>() -> Operator<'static, i32, N> {
    Operator::new(|at| {
        weights()
            .into_iter()
            .fold(-5 * at([0; N]), |sum, (by, weight)| sum + weight * at(by.map(|by| by as isize)))
    })
}

/// Applies the operator to values in row-major order, the values at the edges of the grid repeated beyond them.
fn on_host<const N: usize>(values: &[i32], shape: [usize; N]) -> Vec<i32> {
    let at = |point: [i64; N], by: [i64; N]| {
        let inside = |axis: usize| (point[axis] + by[axis]).clamp(0, shape[axis] as i64 - 1) as usize;
        values[(0..N).fold(0, |index, axis| index * shape[axis] + inside(axis))]
    };
    let of = |point: [i64; N]| {
        weights().into_iter().fold(-5 * at(point, [0; N]), |sum, (by, weight)| sum + weight * at(point, by))
    };
    (0..values.len()).map(|index| of(point(index, shape))).collect()
}

/// Checks `A(A(f) + g)` on a grid of this shape, in arrays with this order of axes: axis `order[i]` is the grid's axis `i`.
fn check<const N: usize>(queue: &Queue, shape: [usize; N], order: [usize; N], margin: usize) {
    let count = shape.iter().product();
    let functions = [[3, 5, 7], [2, 11, 1]]
        .map(|factors| -> Vec<i32> { (0..count).map(|index| value(point(index, shape), factors)).collect() });
    let [f_host, g_host] = &functions;
    let inner: Vec<i32> = on_host(f_host, shape).into_iter().zip(g_host).map(|(f, g)| f + g).collect();
    let mut wanted = on_host(&inner, shape);
    for (index, value) in wanted.iter_mut().enumerate() {
        let is_inside = |(&at, &len): (&i64, &usize)| (margin as i64..(len - margin) as i64).contains(&at);
        if !point(index, shape).iter().zip(&shape).all(is_inside) {
            *value = -77;
        }
    }
    let mut stored = [0; N];
    (0..N).for_each(|axis| stored[order[axis]] = shape[axis]);
    let array = |host: &[i32]| {
        let mut array = Array::filled(queue, stored, -77).unwrap();
        let host = Array::from_slice(queue, shape, host).unwrap();
        array.view_mut().permute_axes(order).assign(&host).unwrap();
        array
    };
    let (f, g) = (array(f_host), array(g_host));
    let mut h = Array::filled(queue, stored, -77).unwrap();
    let a = operator::<N>();
    let inner = a.of(Formula::from(f.permute_axes(order)).border(BorderRule::Edge)) + g.permute_axes(order);
    let formula = a.of(inner.in_layers().border(BorderRule::Edge));
    if DeviceProfile::of(queue.device()).unwrap().chunked {
        let plan = formula.plan(queue).unwrap().to_string();
        assert!(plan.contains("is kept in layers"), "{plan}");
    }
    h.view_mut().permute_axes(order).inside(margin).assign(&formula).unwrap();
    assert_eq!(h.permute_axes(order).to_vec().unwrap(), wanted, "{shape:?} {order:?} {margin}");
}

#[test]
fn axes_may_have_any_order() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        for margin in [0, 2] {
            check(queue, [24, 37, 26], [2, 1, 0], margin);
            if full_or_small(false, true) {
                continue;
            }
            check(queue, [40, 24, 26], [1, 0, 2], margin);
            check(queue, [24, 26, 40], [0, 2, 1], margin);
            check(queue, [150, 171], [1, 0], margin);
        }
        check(queue, full_or_small([9, 30, 700], [9, 30, 40]), [2, 1, 0], 0);
        check(queue, [full_or_small(20_000, 9000)], [0], 0);
    });
}

/// Three points far from each other, in a space with more points than an array can have.
#[test]
fn spaces_too_large_to_keep_are_computed_again() {
    const FAR: i32 = 1 << 21;
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let f = Formula::<i32, 3>::from_fn(|[x, y, z]| x + 2 * y + 3 * z);
        let far = FAR as isize;
        let sums = Operator::new(|at| at([far, 0, 0]) + at([0, far, 0]) + at([0, 0, far]));
        let mut h = Array::filled(queue, [8, 8, 8], 0).unwrap();
        h.whole().assign(sums.of(f)).unwrap();
        assert_eq!(h.get([1, 0, 2]).unwrap(), 6 * FAR + 3 * 7);
    });
}

/// An error of the layers comes before anything is stored, also near the borders.
#[test]
fn an_error_of_layers_loses_nothing() {
    const SHAPE: [usize; 2] = [150, 151];
    let faults = exclusive();
    for device in faults.devices() {
        let queue = &Queue::on(&device).unwrap();
        let f = Array::filled(queue, SHAPE, 2).unwrap();
        let formula = operator::<2>().of((Formula::from(&f) * 3).in_layers().border(BorderRule::Edge));
        let fresh = || Array::filled(queue, SHAPE, -77).unwrap();
        fresh().whole().assign(&formula).unwrap();
        let (mut memory, mut call) = (0, 1);
        loop {
            let mut h = fresh();
            queue.finish().unwrap();
            queue.trim_scratch();
            faults.fail(call, Status::OUT_OF_RESOURCES);
            let result = h.whole().assign(&formula);
            let hit = faults.hit();
            faults.forward_all();
            let Some(name) = hit else { break };
            if name == "clCreateBuffer" {
                memory += 1;
                assert!(result.is_err());
                assert!(h.to_vec().unwrap().iter().all(|&value| value == -77), "call {call}");
            }
            call += 1;
        }
        let is_cpu = DeviceProfile::of(&device).unwrap().chunked;
        assert_eq!(memory > 0, is_cpu, "{call} calls");
    }
}

/// A program may use the preludes of vectors and of grids together: no name means two things.
#[test]
fn preludes_of_vectors_and_grids_agree() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(queue, &[1, 2, 4]).unwrap();
        let shifted = x.iter().shifted(1, Border::Clamp).collect().unwrap();
        let f = Array::from_vec(shifted, [3]).unwrap();
        let sums = Operator::new(|at| at([-1]) + at([1]));
        let sums = sums.of(Formula::from(&f).border(BorderRule::Edge));
        assert_eq!(sums.to_vec().unwrap(), [6, 6, 8]);
    });
}
