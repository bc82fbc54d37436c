//! Expressions over vectors as lazy arrays, and back.

use cl_algo::ranked::{Layout, assign};
use cl_array::prelude::*;
use cl_random::{Engine, Philox4x32};
use cl_test::each_device;

#[test]
fn random_numbers_fill_shapes() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let draws = <Philox4x32>::new(2026).uniform::<f32>();
        let numbers: Vec<f32> = draws.iter().take(4 * 5 * 7).collect();
        let lazy = || ArrayExpr::from_expr(draws.take(4 * 5 * 7), [4, 5, 7]);
        assert_eq!(lazy().collect_on(queue).unwrap().to_vec().unwrap(), numbers);
        // In another order, and into parts.
        let host = ndarray::Array::from_shape_vec((4, 5, 7), numbers).unwrap();
        let moved = lazy().permute_axes([2, 0, 1]).collect_on(queue).unwrap();
        assert_eq!(moved.to_ndarray().unwrap(), host.view().permuted_axes([2, 0, 1]));
        let mut a = Array::filled(queue, [4, 5, 9], 0.0_f32).unwrap();
        a.slice_mut(s![.., ..; -1, 1..-1]).assign(lazy()).unwrap();
        assert_eq!(a.slice(s![.., ..; -1, 1..8]).to_ndarray().unwrap(), host);
        assert_eq!(a.slice(s![.., .., 0]).to_vec().unwrap(), [0.0; 20]);
        // Fused with arrays, broadcast, reduced.
        let row = ArrayExpr::from_expr(draws.take(7), [7]);
        let b = (lazy() - row).on(queue).collect().unwrap();
        let first = host.slice(ndarray::s![0, 0, ..]).to_owned();
        assert_eq!(b.to_ndarray().unwrap(), &host - &first);
        let most = lazy().on(queue).max_axis(2).unwrap().to_ndarray().unwrap();
        assert_eq!(most, host.map_axis(ndarray::Axis(2), |row| row.iter().copied().fold(0.0, f32::max)));
    });
}

#[test]
fn any_expression() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let host: Vec<i32> = (0..24).map(|i| i * i % 17).collect();
        let x = DeviceVec::from_slice(queue, &host).unwrap();
        let check = |expr: Expr<'_, i32>, wanted: &dyn Fn(usize) -> i32| {
            let len = expr.len().unwrap();
            let rows = |transposed: bool| -> Vec<i32> {
                let at = |i| if transposed { i % (len / 6) * 6 + i / (len / 6) } else { i };
                (0..len).map(|i| wanted(at(i))).collect()
            };
            let a = ArrayExpr::from_expr(expr.clone(), [len / 6, 6]);
            assert_eq!(a.clone().collect_on(queue).unwrap().to_vec().unwrap(), rows(false));
            assert_eq!(a.t().collect_on(queue).unwrap().to_vec().unwrap(), rows(true));
            let a = ArrayExpr::from_expr(expr, [len / 6, 2, 3]);
            assert_eq!(a.flatten().unwrap().on(queue).collect().unwrap().to_vec().unwrap(), rows(false));
        };
        check(x.iter(), &|i| host[i]);
        check(x.iter() * 2 + iota(1, 24), &|i| 2 * host[i] + 1 + i as i32);
        check(x.iter().rev(), &|i| host[23 - i]);
        check(x.iter().skip(3).take(18), &|i| host[3 + i]);
        check(x.iter().step_by(2), &|i| host[2 * i]);
        check(x.iter().shifted(1, Border::Clamp), &|i| host[(i + 1).min(23)]);
        check(x.iter().gather(iota(0_u32, 24).map(|i| (i * 5) % 24)), &|i| host[i * 5 % 24]);
        check(x.iter().flat_map(|x| [x, -x]), &|i| if i % 2 == 0 { host[i / 2] } else { -host[i / 2] });
    });
}

#[test]
fn contiguous_operands_become_vectors() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let host: Vec<i32> = (0..24).collect();
        let a = Array::from_slice(queue, [2, 3, 4], &host).unwrap();
        let doubled: Vec<i32> = host.iter().map(|x| 2 * x).collect();
        let flat = |e: ArrayExpr<'_, i32, 3>| e.flatten().unwrap().collect().unwrap().to_vec().unwrap();
        assert_eq!(flat(&a + &a), doubled);
        assert_eq!(a.slice(s![1.., .., ..]).iter().flatten().unwrap().sum().unwrap(), (12..24).sum());
        let column = Array::column_major(DeviceVec::from_slice(queue, &host).unwrap(), [4, 3, 2]).unwrap();
        assert_eq!(flat(column.t() + &a), doubled);
        // Steps are a stride of the vector.
        let steps = a.slice(s![.., .., ..; 2]).iter().flatten().unwrap().collect().unwrap();
        assert_eq!(steps.to_vec().unwrap(), (0..12).map(|i| 2 * i).collect::<Vec<_>>());
        assert_eq!(a.slice(s![0, 1, 2]).iter().flatten().unwrap().collect().unwrap().to_vec().unwrap(), [6]);
        let other = [
            column.iter().flatten().err(),
            a.slice(s![.., .., ..3]).iter().flatten().err(),
            (&a + a.slice(s![0, .., ..])).flatten().err(),
            a.slice(s![2, .., ..]).iter().flatten().err(),
        ];
        assert!(other[0].as_ref().unwrap().to_string().contains("collect"), "{other:?}");
        assert!(other.iter().all(Option::is_some), "{other:?}");
        let empty = Array::<i32, 2>::filled(queue, [3, 0], 1).unwrap();
        assert_eq!(empty.iter().flatten().unwrap().collect().unwrap().len(), 0);
        assert_eq!(ArrayExpr::from_expr(empty.as_vec(), [0, 5]).collect().unwrap().shape(), [0, 5]);
        // The same value everywhere.
        let ones = ArrayExpr::from_expr(1_i32, [2, 2]).on(queue).collect().unwrap();
        assert_eq!(ones.to_vec().unwrap(), [1; 4]);
    });
}

#[test]
fn errors() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(queue, &[1, 2, 3, 4]).unwrap();
        let message = ArrayExpr::from_expr(&x, [2, 3]).collect().unwrap_err().to_string();
        assert!(message.contains("[2, 3]") && message.contains('6') && message.contains('4'), "{message}");
        let huge = ArrayExpr::from_expr(&x, [usize::MAX, 2]).collect().unwrap_err().to_string();
        assert!(huge.contains("counted"), "{huge}");
        let wrong = x.iter().zip(iota(0, 3)).map(|(x, i)| x + i);
        assert!(ArrayExpr::from_expr(wrong, [2, 2]).collect().is_err());
    });
}

/// A space that is larger than the expression's shape never reads beyond the vector.
#[test]
fn larger_spaces_stay_in_range() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(queue, &[1, 2, 3, 4]).unwrap();
        let pairs = x.iter().flat_map(|x| [x, 10 * x]);
        let mut y = DeviceVec::filled(queue, 0, 16).unwrap();
        let layout = Layout::row_major(&[16]).unwrap();
        assign("assign", (&mut y, layout), pairs.clone().with_shape(&[8])).unwrap();
        let y = y.to_vec().unwrap();
        assert_eq!((&y[..8], &y[8..]), (&[1, 10, 2, 20, 3, 30, 4, 40][..], &[40; 8][..]));
        let none = pairs.take(0).with_shape(&[0]);
        let mut y = DeviceVec::filled(queue, 0, 16).unwrap();
        let message = assign("assign", (&mut y, layout), none).unwrap_err().to_string();
        assert!(message.contains("zero items"), "{message}");
    });
}
