//! Structured matrices, against plain loops: NaN stands where no element may be used.

use cl_core::{Device, Queue};
use cl_linalg::prelude::*;
use cl_linalg::{Error, Half, Structure, Structured, add_matmul, add_outer, add_outer_half};
use cl_test::{each_device, each_device_and_forced};
use num_complex::Complex;

type C32 = Complex<f32>;

const NAN: C32 = Complex::new(f32::NAN, f32::NAN);

/// Every structure that leaves elements out, in both halves.
const STRUCTURES: [Structure; 9] = [
    Structure::LOWER,
    Structure::UPPER,
    Structure::UNIT_LOWER,
    Structure::UNIT_UPPER,
    Structure::Diagonal,
    Structure::Symmetric(Half::Lower),
    Structure::Symmetric(Half::Upper),
    Structure::Hermitian(Half::Lower),
    Structure::Hermitian(Half::Upper),
];

/// A matrix in row-major order. Its elements are small integers, so that products are exact.
#[derive(Clone, Debug, PartialEq)]
struct Dense(usize, Vec<C32>);

impl Dense {
    fn from_fn(n: usize, element: impl Fn(usize, usize) -> C32) -> Dense {
        Dense(n, (0..n * n).map(|at| element(at / n, at % n)).collect())
    }

    /// Returns the elements that are stored for a structure, with NaN for those that it leaves out, and the matrix that
    /// they mean.
    fn pair(n: usize, seed: usize, structure: Structure) -> (Dense, Dense) {
        let part = |at: usize| ((at * at + seed * at + 3) % 7) as f32 - 3.0;
        let all = |i: usize, j: usize| Complex::new(part(i * n + j), part(i * n + j + 5));
        let inside = |half: Half, i: usize, j: usize| if half == Half::Lower { j < i } else { i < j };
        let (one, zero) = (C32::new(1.0, 0.0), C32::default());
        let stored = Dense::from_fn(n, |i, j| match structure {
            Structure::Diagonal => {
                if i == j {
                    all(i, j)
                } else {
                    NAN
                }
            }
            Structure::Triangular { unit: true, .. } if i == j => NAN,
            Structure::Hermitian(_) if i == j => C32::new(all(i, j).re, f32::NAN),
            Structure::Triangular { half, .. } | Structure::Symmetric(half) | Structure::Hermitian(half) => {
                if i == j || inside(half, i, j) {
                    all(i, j)
                } else {
                    NAN
                }
            }
            _ => all(i, j),
        });
        let meant = Dense::from_fn(n, |i, j| match structure {
            Structure::Diagonal => {
                if i == j {
                    all(i, j)
                } else {
                    zero
                }
            }
            Structure::Triangular { unit: true, .. } if i == j => one,
            Structure::Triangular { half, .. } => {
                if i == j || inside(half, i, j) {
                    all(i, j)
                } else {
                    zero
                }
            }
            Structure::Hermitian(_) if i == j => C32::new(all(i, j).re, 0.0),
            Structure::Symmetric(half) if inside(half, j, i) => all(j, i),
            Structure::Hermitian(half) if inside(half, j, i) => all(j, i).conj(),
            _ => all(i, j),
        });
        (stored, meant)
    }

    fn at(&self, i: usize, j: usize) -> C32 {
        self.1[i * self.0 + j]
    }

    fn t(&self) -> Dense {
        Dense::from_fn(self.0, |i, j| self.at(j, i))
    }

    fn map(&self, element: impl Fn(usize, usize, C32) -> C32) -> Dense {
        Dense::from_fn(self.0, |i, j| element(i, j, self.at(i, j)))
    }

    fn times(&self, other: &Dense) -> Dense {
        Dense::from_fn(self.0, |i, j| (0..self.0).map(|k| self.at(i, k) * other.at(k, j)).sum())
    }

    fn on(&self, queue: &Queue) -> Array<C32, 2> {
        Array::from_slice(queue, [self.0, self.0], &self.1).unwrap()
    }
}

fn is(matrix: &Structured<'_, C32>, structure: Structure, elements: &Dense, what: &str) {
    assert_eq!(matrix.structure(), structure, "{what}");
    assert_eq!(matrix.dense().to_vec().unwrap(), elements.1, "{what}");
}

#[test]
fn structures_travel_through_expressions() {
    each_device(|device| {
        let (queue, n) = (&Queue::on(device).unwrap(), 6);
        let factors: Vec<C32> = (0..n).map(|at| C32::new(at as f32, 1.0)).collect();
        let d = &Array::from_slice(queue, [n], &factors).unwrap();
        for structure in STRUCTURES {
            let (stored, meant) = Dense::pair(n, 1, structure);
            let a = stored.on(queue);
            // By columns, in the middle of a larger array.
            let mut large = Array::filled(queue, [2 * n, n + 3], NAN).unwrap();
            large.slice_mut(s![1..; 2, 2..-1]).t().assign(&a).unwrap();
            let view = large.slice(s![1..; 2, 2..-1]);
            let transposed = view.with_structure(structure.transposed());
            is(&transposed.clone().t(), structure, &meant, "by columns");
            let adjoint = meant.t().map(|_, _, x| x.conj());
            is(&a.with_structure(structure).h(), structure.transposed(), &adjoint, "h");

            let scaled = transposed.scale(C32::new(2.0, 1.0)).scale_rows(d);
            let expected = meant.t().map(|i, _, x| x * C32::new(2.0, 1.0) * factors[i]);
            let left = match structure.transposed() {
                Structure::Triangular { half, .. } => Structure::Triangular { half, unit: false },
                Structure::Diagonal => Structure::Diagonal,
                _ => Structure::General,
            };
            is(&scaled, left, &expected, "scaled");
        }
        // A Hermitian matrix stays one if it is multiplied by a real number.
        let (stored, meant) = Dense::pair(n, 2, Structure::Hermitian(Half::Lower));
        let a = stored.on(queue);
        let twice = a.hermitian(Half::Lower).scale(C32::new(2.0, 0.0));
        is(&twice, Structure::Hermitian(Half::Lower), &meant.map(|_, _, x| x + x), "twice");
    });
}

#[test]
fn sums_have_the_common_structure() {
    use Structure::{Diagonal, General, Hermitian, Symmetric};
    let [lower, upper] = [Half::Lower, Half::Upper];
    let cases = [
        (Structure::UNIT_LOWER, Structure::LOWER, Structure::LOWER),
        (Structure::UPPER, Diagonal, Structure::UPPER),
        (Structure::LOWER, Structure::UPPER, General),
        (Diagonal, Diagonal, Diagonal),
        (Symmetric(lower), Symmetric(upper), Symmetric(lower)),
        (Symmetric(upper), Diagonal, Symmetric(upper)),
        (Hermitian(upper), Hermitian(lower), Hermitian(upper)),
        (Hermitian(lower), Symmetric(lower), General),
        (Symmetric(lower), General, General),
    ];
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        for (left, right, sum) in cases {
            let [(a, of_a), (b, of_b)] = [(1, left), (4, right)].map(|(seed, of)| Dense::pair(5, seed, of));
            let (a, b) = (a.on(queue), b.on(queue));
            let expected = of_a.map(|i, j, x| x + of_b.at(i, j));
            is(
                &(a.with_structure(left) + b.with_structure(right)),
                sum,
                &expected,
                &format!("{left:?} + {right:?}"),
            );
        }
    });
}

#[test]
fn products_have_the_structure_that_follows() {
    use Structure::{Diagonal, General, Hermitian, Symmetric};
    let cases = [
        (Structure::LOWER, Structure::UNIT_LOWER, Structure::LOWER),
        (Structure::UNIT_UPPER, Structure::UNIT_UPPER, Structure::UNIT_UPPER),
        (Structure::LOWER, Structure::UPPER, General),
        (Structure::UNIT_LOWER, Diagonal, Structure::LOWER),
        (Diagonal, Structure::UPPER, Structure::UPPER),
        (Diagonal, Diagonal, Diagonal),
        (Diagonal, Symmetric(Half::Upper), General),
        (Symmetric(Half::Lower), Structure::UPPER, General),
        (Hermitian(Half::Upper), Symmetric(Half::Upper), General),
        (General, Hermitian(Half::Lower), General),
    ];
    let check = |device: &Device, n: usize, (left, right, product): (Structure, Structure, Structure)| {
        let queue = &Queue::on(device).unwrap();
        let [(a, of_a), (b, of_b)] = [(1, left), (4, right)].map(|(seed, of)| Dense::pair(n, seed, of));
        let (a, b) = (a.on(queue), b.on(queue));
        let result = a.with_structure(left).matmul(b.with_structure(right)).unwrap();
        let what = format!("{left:?} times {right:?}, {n} rows");
        is(&result.view(), product, &of_a.times(&of_b), &what);
        assert_eq!(result.into_array().to_vec().unwrap(), of_a.times(&of_b).1, "{what}");
    };
    let (triangles, others) = cases.split_at(3);
    each_device_and_forced(|device| triangles.iter().for_each(|&case| check(device, 40, case)));
    each_device(|device| {
        others.iter().for_each(|&case| check(device, 40, case));
        // Small matrices are read where they are.
        check(device, 3, cases[0]);
        check(device, 3, cases[2]);
    });
}

#[test]
fn vectors_are_multiplied_and_systems_solved() {
    each_device(|device| {
        let (queue, n) = (&Queue::on(device).unwrap(), 35);
        let x: Vec<C32> = (0..n).map(|at| C32::new((at % 5) as f32, 1.0)).collect();
        for structure in STRUCTURES {
            // Dominant diagonals: the solutions are accurate.
            let (stored, meant) = Dense::pair(n, 3, structure);
            let is_stored = |x: C32| if x.re.is_nan() { C32::default() } else { C32::new(200.0, 0.0) };
            let stored = stored.map(|i, j, x| if i == j { x + is_stored(x) } else { x });
            let is_one = matches!(structure, Structure::Triangular { unit: true, .. });
            let meant = meant.map(|i, j, x| if i == j && !is_one { x + 200.0 } else { x });
            // Elements of a unit triangle grow without bound: they are scaled down.
            let small = if is_one { 1.0 / 128.0 } else { 1.0 };
            let stored = stored.map(|_, _, x| x * small);
            let meant = meant.map(|i, j, x| if i == j && is_one { x } else { x * small });
            let product: Vec<C32> = (0..n).map(|i| (0..n).map(|k| meant.at(i, k) * x[k]).sum()).collect();

            let a = stored.on(queue);
            let b = Array::from_slice(queue, [n], &x).unwrap();
            let b = a.with_structure(structure).matvec(&b).unwrap();
            let near = |result: Vec<C32>, expected: &[C32], what: &str| {
                let size = expected.iter().map(|x| x.norm()).fold(0.0, f32::max);
                let error = result.iter().zip(expected).map(|(x, y)| (x - y).norm()).fold(0.0, f32::max);
                assert!(error < 1e-5 * size, "{structure:?}, {what}: {error}");
            };
            near(b.to_vec().unwrap(), &product, "matvec");
            // One half of each kind is enough for solves.
            if [Structure::LOWER, Structure::UNIT_LOWER].contains(&structure)
                || matches!(structure, Structure::Symmetric(Half::Upper) | Structure::Hermitian(Half::Upper))
            {
                continue;
            }
            let solved = a.with_structure(structure).solve(&b).unwrap();
            near(solved.to_vec().unwrap(), &x, "solve");
            let inverse = a.with_structure(structure).inverse().unwrap();
            let solved = inverse.view().matvec(&b).unwrap();
            near(solved.to_vec().unwrap(), &x, "inverse");
            let two = Array::from_slice(queue, [2, n], &[product.clone(), product].concat()).unwrap();
            let solved = a.with_structure(structure).solve(two.t()).unwrap();
            near(solved.t().to_vec().unwrap(), &[x.clone(), x.clone()].concat(), "solve of two");
        }
    });
}

/// Elements that cannot be read are gathered at an index out of range.
#[test]
fn the_other_half_of_a_symmetric_matrix_is_not_read() {
    each_device(|device| {
        let (queue, n) = (&Queue::on(device).unwrap(), 20);
        let a = Array::filled(queue, [n, n], 1.0_f32).unwrap();
        for half in [Half::Lower, Half::Upper] {
            let (stored, _) = Dense::pair(n, 1, Structure::Symmetric(half));
            let indices: Vec<u32> =
                stored.1.iter().map(|x| if x.re.is_nan() { 1 << 20 } else { 0 }).collect();
            let indices = Array::from_slice(queue, [n, n], &indices).unwrap();
            let gathered = a.iter().take_along_axis(1, &indices);
            let matrix = (&gathered).symmetric(half);
            assert_eq!(matrix.dense().to_vec().unwrap(), vec![1.0; n * n]);
            assert_eq!(matrix.matmul(&a).unwrap().into_array().to_vec().unwrap(), vec![n as f32; n * n]);
            assert!(gathered.to_vec().is_err(), "the indices are out of range");
        }
    });
}

#[test]
fn updates_of_rank_one_are_added() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let i = C32::new(0.0, 1.0);
        let x = Array::from_slice(queue, [2], &[i + 1.0, i]).unwrap();
        let y = Array::from_slice(queue, [2], &[i, i + 2.0]).unwrap();
        let mut c = Array::filled(queue, [2, 2], C32::new(1.0, 0.0)).unwrap();
        add_outer(c.view_mut(), i, &x, y.iter().conj()).unwrap();
        let one = C32::new(1.0, 0.0);
        let product = |x: C32, y: C32| one + i * x * y.conj();
        let all = [product(i + 1.0, i), product(i + 1.0, i + 2.0), product(i, i), product(i, i + 2.0)];
        assert_eq!(c.to_vec().unwrap(), all);
        c.assign(one).unwrap();
        add_outer_half(Half::Upper, c.view_mut(), i, &x, y.iter().conj()).unwrap();
        assert_eq!(c.to_vec().unwrap(), [all[0], all[1], one, all[3]]);
        let long = Array::filled(queue, [3], one).unwrap();
        for error in [
            add_outer(c.view_mut(), i, &long, &x).unwrap_err(),
            add_outer_half(Half::Upper, c.view_mut(), i, &long, &x).unwrap_err(),
        ] {
            assert!(error.to_string().contains("[3, 2]") || error.to_string().contains("[3, 1]"), "{error}");
        }
    });
}

#[test]
fn wrong_shapes_and_singular_diagonals_are_errors() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let wide = Array::filled(queue, [2, 3], 1.0_f32).unwrap();
        let square = Array::<f32, 2>::eye(queue, 3).unwrap();
        let mut c = Array::filled(queue, [2, 3], 1.0_f32).unwrap();
        let d = Array::from_slice(queue, [3], &[1.0_f32, 0.0, 0.0]).unwrap();
        let short = d.slice(s![..2]);
        let fails = |result: cl_linalg::Result<()>, part: &str| {
            let error = result.unwrap_err();
            assert!(matches!(error, Error::Failed(_)) && error.to_string().contains(part), "{part}: {error}");
        };
        let other = || square.slice(s![..2, ..2]).lower();
        fails(wide.lower().matmul(&square).map(drop), "shape [2, 3]");
        fails(wide.symmetric(Half::Lower).collect().map(drop), "shape [2, 3]");
        fails(square.lower().matmul(&wide).map(drop), "[3, 3] and [2, 3]");
        fails(square.lower().matmul(other()).map(drop), "[3, 3] and [2, 2]");
        fails(short.clone().diagonal_matrix().matmul(&square).map(drop), "[2, 2] and [3, 3]");
        fails((square.lower() + other()).collect().map(drop), "[3, 3] and [2, 2]");
        fails(square.lower().scale_rows(&short).collect().map(drop), "2 factors");
        fails(square.upper().solve(&short).map(drop), "[3, 3]");
        fails(add_matmul(c.view_mut(), 1.0, &square, square.lower(), 0.0), "[2, 3] for the product");
        fails(square.lower().matvec(&short).map(drop), "[3, 3]");
        fails(d.diagonal_matrix().matvec(&short).map(drop), "[3, 3]");

        let singular = |result: Error| {
            assert!(matches!(result, Error::Singular { pivot: 1, .. }), "{result}");
        };
        singular(d.diagonal_matrix().solve(&d).unwrap_err());
        singular(d.diagonal_matrix().inverse().unwrap_err());
        singular(d.iter().diag().upper().solve(&d).unwrap_err());
        singular(d.iter().diag().lower().inverse().unwrap_err());
        assert_eq!(d.iter().diag().unit_lower().solve(&d).unwrap().to_vec().unwrap(), [1.0, 0.0, 0.0]);
        let empty = Array::filled(queue, [0, 0], 1.0_f32).unwrap();
        assert_eq!(empty.symmetric(Half::Upper).matmul(empty.lower()).unwrap().array().shape(), [0, 0]);
    });
}
