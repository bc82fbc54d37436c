//! Reductions with margins, compared with loops.

use cl_core::Error;
use cl_grid::prelude::*;
use cl_test::each_device;

#[test]
fn reductions_without_margins_and_with_some_agree_with_loops() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let ahead = Operator::<f32, 2>::new(|at| at([1, 0]) - 2.0 * at([0, 1]));
        // The second grid has borders with kernels of their own in an evaluation.
        for shape in [[6, 7], [131, 140]] {
            let [rows, columns] = shape;
            let value = |i: usize, j: usize| ((i * 31 + j * 17) % 23) as f32 - 9.0;
            let host: Vec<f32> = (0..rows * columns).map(|at| value(at / columns, at % columns)).collect();
            let f = Array::from_slice(queue, shape, &host).unwrap();
            let difference = ahead.of(Formula::from(&f).border(BorderRule::Periodic));
            let at = |i: usize, j: usize| value((i + 1) % rows, j) - 2.0 * value(i, (j + 1) % columns);
            for margins in [[(0, 0), (0, 0)], [(1, 2), (0, 3)], [(rows - 1, 0), (0, 1)]] {
                let [(first, end), (left, right)] =
                    [(margins[0].0, rows - margins[0].1), (margins[1].0, columns - margins[1].1)];
                let all = || (first..end).flat_map(|i| (left..right).map(move |j| at(i, j)));
                let inside = difference.inside(margins);
                // Sums of small integers are exact.
                assert_eq!(inside.sum().unwrap(), all().sum::<f32>(), "{shape:?} {margins:?}");
                assert_eq!(inside.norm_l1().unwrap(), all().map(f32::abs).sum::<f32>());
                assert_eq!(inside.norm_max().unwrap(), all().map(f32::abs).fold(0.0, f32::max));
                assert_eq!(inside.reduce_min().unwrap(), all().reduce(f32::min));
                assert_eq!(inside.reduce_max().unwrap(), all().reduce(f32::max));
                let norm = all().map(|x| f64::from(x * x)).sum::<f64>().sqrt();
                assert!((f64::from(inside.norm().unwrap()) - norm).abs() <= 1e-5 * norm);
                if margins == [(0, 0); 2] {
                    assert_eq!(difference.sum().unwrap(), inside.sum().unwrap());
                    assert_eq!(difference.reduce_max().unwrap(), inside.reduce_max().unwrap());
                }
            }
            // A temporary array, and no margins at the borders that are not read.
            let kept = ahead.of((Formula::from(&f) * 3.0).materialize()).inside([(0, 1), (0, 1)]);
            let wanted = (0..rows - 1).flat_map(|i| (0..columns - 1).map(move |j| 3.0 * at(i, j)));
            assert_eq!(kept.sum().unwrap(), wanted.sum::<f32>());
        }
    });
}

#[test]
fn insides_without_points_have_neutral_reductions() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let f = Array::filled(queue, [4, 5], 2.0_f32).unwrap();
        let ahead = Operator::new(|at| at([1, 0]) + at([0, -2]));
        let bordered = ahead.of(Formula::from(&f).border(BorderRule::Antisymmetric)) * 3.0;
        let along = Formula::along_axis(0, &[1.0, 2.0, 3.0, 4.0]);
        let kept = ahead.of((&bordered + along).materialize());
        for formula in [ahead.of(&f), bordered, kept] {
            for margins in
                [[(2, 2), (0, 0)], [(0, 0), (5, 0)], [(9, 9), (0, 9)], [(usize::MAX, usize::MAX); 2]]
            {
                let inside = formula.inside(margins);
                assert_eq!(inside.sum().unwrap(), 0.0);
                assert_eq!(inside.norm().unwrap(), 0.0);
                assert_eq!(inside.norm_l1().unwrap(), 0.0);
                assert_eq!(inside.norm_max().unwrap(), 0.0);
                assert_eq!(inside.reduce_min().unwrap(), None);
                assert_eq!(inside.reduce_max().unwrap(), None);
                assert!(inside.to_vec().unwrap().is_empty());
                assert!(inside.collect().unwrap().shape().contains(&0));
            }
        }
        // A grid without points.
        let none = Array::<f32, 2>::zeros(queue, [0, 3]).unwrap();
        let formula = ahead.of(Formula::from(&none).border(BorderRule::Value(1.0)));
        assert_eq!(formula.sum().unwrap(), 0.0);
        assert_eq!(formula.collect().unwrap().shape(), [0, 3]);
        let error = Formula::from(&none).border(BorderRule::Edge).sum().unwrap_err();
        assert!(
            matches!(&error, Error::InvalidInput { what: "border", reason, .. } if reason.contains("[0, 3]"))
        );
    });
}
