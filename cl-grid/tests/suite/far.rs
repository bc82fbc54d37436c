//! Points far from the grid: coordinates beyond 32 bits, compared with 64-bit arithmetic on the host.

use cl_grid::Threads;
use cl_grid::prelude::*;
use cl_test::each_device;

/// Distances around the ends of 32 bits, and far beyond.
const FAR: [i64; 9] = [
    (1 << 31) - 3,
    1 << 31,
    (1 << 32) + 1,
    1 << 40,
    -(1 << 31) - 7,
    -(1 << 31) + 2,
    -(1 << 32),
    5 - (1 << 40),
    3,
];

const POINTS: usize = 5;

/// Returns a function at a distance from the points.
fn moved<'a, T: cl_grid::GridNumber>(function: Formula<'a, T, 1>, by: i64) -> Formula<'a, T, 1> {
    Operator::new(move |at| at([by as isize])).of(function)
}

/// Checks a function of the coordinate at far points, on the device and on the host.
#[track_caller]
fn check(queue: &Queue, function: &Formula<'_, i64, 1>, wanted: impl Fn(i64) -> i64) {
    let mut h = Array::<i64, 1>::zeros(queue, [POINTS]).unwrap();
    for by in FAR {
        let wanted: Vec<i64> = (0..POINTS as i64).map(|i| wanted(i + by)).collect();
        h.whole().assign(moved(function.clone(), by)).unwrap();
        assert_eq!(h.to_vec().unwrap(), wanted, "{by}");
        let mut own = [0; POINTS];
        let on_host = moved(function.clone(), by) + Formula::from_host([POINTS], vec![0; POINTS]);
        on_host.inside(0).assign_to_host(&mut own, Threads::One).unwrap();
        assert_eq!(own[..], wanted, "{by}, host");
    }
}

#[test]
fn functions_of_far_coordinates() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        check(queue, &Formula::from_fn(|[i]| i.cast()), |i| i);
        // Constants, comparisons, functions, shifts, and the smaller type of a result.
        let of = |i: Val<i32>| {
            let chosen = (i.gt(7) & (i % 2).eq(0)).select((i >> 3) - 5, -i);
            chosen.min(1 << 30).cast::<i64>() + (i.abs() + 1).cast::<i64>() + (i % 1000).cast::<i64>()
        };
        check(queue, &Formula::from_fn(|[i]| of(i)), |i| {
            let chosen = if i > 7 && i % 2 == 0 { (i >> 3) - 5 } else { -i };
            chosen.min(1 << 30) + i.abs() + 1 + i % 1000
        });
    });
}

#[test]
fn positions_of_far_points() {
    each_device(|device| {
        if !cl_test::offers(device, "f64", device.has_fp64()) {
            return;
        }
        let queue = &Queue::on(device).unwrap();
        let grid = Grid::uniform([POINTS], [0.5]).unwrap().with_origin([3.0]).unwrap();
        let of_position = grid.function::<f64>(|[x]| 2.0 * x) - grid.position::<f64>(0);
        for by in FAR {
            let wanted: Vec<f64> = (0..POINTS as i64).map(|i| (i + by) as f64 * 0.5 + 3.0).collect();
            assert_eq!(moved(of_position.clone(), by).collect_on(queue).unwrap().to_vec().unwrap(), wanted);
        }
        // A grid whose last points are beyond 32 bits: the array is an expression, and takes no memory.
        let len = (1 << 31) + 8;
        let numbers = ArrayExpr::from_fn([len], |[i]| i.cast::<f64>()).on(queue);
        let grid = Grid::uniform([len], [2.0]).unwrap();
        let both = grid.function::<f64>(|[x]| x) + Formula::from(numbers);
        let begin = (1 << 31) - 2;
        let wanted: Vec<f64> = (begin..len).map(|i| 3.0 * i as f64).collect();
        assert_eq!(both.inside([(begin, 0)]).to_vec().unwrap(), wanted);
    });
}

#[test]
fn borders_are_continued_far_away() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let values = [1_i64, 20, 300, 4000, 50_000];
        let n = POINTS as i64;
        let u = Array::from_slice(queue, [POINTS], &values).unwrap();
        let reflected = |i: i64| {
            let at = i.rem_euclid(2 * (n - 1));
            values[at.min(2 * (n - 1) - at) as usize]
        };
        let symmetric = |i: i64| {
            let at = i.rem_euclid(2 * n);
            values[at.min(2 * n - 1 - at) as usize]
        };
        let is_inside = |i: i64| (0..n).contains(&i);
        let cases: [(BorderRule<'_, i64, 1>, &dyn Fn(i64) -> i64); 7] = [
            (BorderRule::Periodic, &|i| values[i.rem_euclid(n) as usize]),
            (BorderRule::Reflect, &reflected),
            (BorderRule::Symmetric, &symmetric),
            (BorderRule::Antisymmetric, &|i| {
                if i.div_euclid(n) % 2 == 0 { symmetric(i) } else { -symmetric(i) }
            }),
            (BorderRule::Edge, &|i| values[i.clamp(0, n - 1) as usize]),
            (BorderRule::Value(-7), &|i| if is_inside(i) { values[i as usize] } else { -7 }),
            (BorderRule::Function(Formula::from_fn(|[i]| i.cast::<i64>() * 3)), &|i| {
                if is_inside(i) { values[i as usize] } else { 3 * i }
            }),
        ];
        for (rule, wanted) in cases {
            let bordered = Formula::from(&u).border(rule.clone());
            for by in FAR {
                let wanted: Vec<i64> = (0..n).map(|i| wanted(i + by)).collect();
                let found = moved(bordered.clone(), by).to_vec().unwrap();
                assert_eq!(found, wanted, "{rule:?} {by}");
            }
        }
    });
}

#[device_fn]
fn steps(at: i32) -> i32 {
    let mut count = 0;
    let mut rest = at;
    while rest > 1 {
        rest /= 2;
        count += 1;
    }
    count
}

#[test]
fn what_is_too_far_is_refused() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let mut h = Array::<i32, 1>::zeros(queue, [POINTS]).unwrap();
        let at_once = |by: isize| Operator::<i32, 1>::new(move |at| at([by])).of(Formula::from_fn(|[i]| i));
        for by in [isize::MIN, isize::MAX, (1 << 40) + 1, -(1 << 40) - 1] {
            let message = h.whole().assign(at_once(by)).unwrap_err().to_string();
            assert!(message.contains("distance") && message.contains(&by.to_string()), "{message}");
        }
        // A device function has the type that it has.
        let logarithm = || Formula::<i32, 1>::from_fn(|[i]| steps(i));
        let far = |by: isize| Operator::<i32, 1>::new(move |at| at([by])).of(logarithm());
        h.whole().assign(far(1 << 20)).unwrap();
        let message = h.whole().assign(far(1 << 31)).unwrap_err().to_string();
        assert!(message.contains("32 bits") && message.contains("device function"), "{message}");
        assert_eq!(h.get([1]).unwrap(), 20);
    });
}
