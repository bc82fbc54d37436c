//! Operators form a vector space with a product, the composition: the laws hold exactly for integers.

use cl_grid::prelude::*;
use cl_test::each_device;

#[test]
fn sums_multiples_and_compositions_obey_their_laws() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let f =
            &Array::from_fn(queue, [7, 9], |[i, j]| (i * i * 7 + j * 5 + i * j).cast::<i32>() % 31).unwrap();
        let k = Array::from_fn(queue, [7, 9], |[i, j]| (i + 2 * j).cast::<i32>() % 5).unwrap();
        let a = Operator::<i32, 2>::new(|at| at([1, 0]) - 2 * at([0, 0]) + at([-1, 1]));
        let b = Operator::with([&k], |f, [k]| k([0, 1]) * f([0, -1]) + f([0, 0]));
        let c = Operator::from_table(&[([1, 1], 3), ([0, 0], -1)]);
        let (zero, one) = (Operator::zero(), Operator::identity());
        // Margins in which every operator below reads within the grid.
        let values = |operator: &Operator<'_, i32, 2>| operator.of(f).inside(3).to_vec().unwrap();
        let same = |left: Operator<'_, i32, 2>, right: Operator<'_, i32, 2>, name: &str| {
            assert_eq!(values(&left), values(&right), "{name}");
        };
        assert_eq!(values(&one), Formula::from(f).inside(3).to_vec().unwrap());
        assert_eq!(values(&zero), [0; 3]);
        // Sums.
        same(&a + (&b + &c), (&a + &b) + &c, "sums associate");
        same(&a + &b, &b + &a, "sums commute");
        same(&a + &zero, a.clone(), "zero is neutral");
        same(&a - &a, zero.clone(), "a difference to itself");
        same(-&a, &zero - &a, "negatives");
        // Multiples, and numbers as multiples of the identity.
        same(2 * (&a + &b), 2 * &a + 2 * &b, "multiples of sums");
        same(2 * (3 * &a), 6 * &a, "multiples of multiples");
        same(3 + &a, 3 * &one + &a, "a number on the left");
        same(&a - 3, &a - Operator::multiple(3), "a number on the right");
        same(3 - &a, -(&a - 3), "a number less an operator");
        // Compositions.
        same(a.compose(&b.compose(&c)), a.compose(&b).compose(&c), "compositions associate");
        same(a.compose(&one), a.clone(), "the identity is neutral, inside");
        same(one.compose(&a), a.clone(), "the identity is neutral, outside");
        same(a.compose(&zero), zero.clone(), "zero inside");
        same(zero.compose(&a), zero, "zero outside");
        same((&a + &b).compose(&c), a.compose(&c) + b.compose(&c), "compositions distribute, outside");
        same(a.compose(&(&b + &c)), a.compose(&b) + a.compose(&c), "compositions distribute, inside");
        let twice = a.of(b.of(f)).inside(3).to_vec().unwrap();
        assert_eq!(twice, values(&a.compose(&b)));
        assert_ne!(twice, values(&b.compose(&a)), "compositions do not commute");
        // Operators are linear.
        let sum = a.of(Formula::from(f) + 2 * Formula::from(&k)).inside(1).to_vec().unwrap();
        assert_eq!(sum, (a.of(f) + 2 * a.of(&k)).inside(1).to_vec().unwrap());
    });
}
