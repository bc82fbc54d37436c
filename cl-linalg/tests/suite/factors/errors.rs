//! Matrices that cannot be factorised, and shapes that do not fit.

use cl_linalg::prelude::*;
use cl_linalg::{Error, FactorSettings, RunsOn};

#[test]
fn singular_matrices_name_the_pivot() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let b = Array::filled(&queue, [20], 1.0_f32).unwrap();
        // Row 13 is row 2 again.
        let a = Array::from_fn(&queue, [20, 20], |[i, j]| {
            let i = i.eq(13).select(2_u64, i);
            ((i * 7 + j * 3) % 11 + i.eq(j).select(40_u64, 0_u64)).cast::<f32>()
        })
        .unwrap();
        let a = {
            let mut copy = a.try_clone().unwrap();
            copy.row_mut(13).assign(a.row(2)).unwrap();
            copy
        };
        let diagonal = Array::from_fn(&queue, [20, 20], |[i, j]| (i.eq(j) & i.ne(13)).cast::<f32>()).unwrap();
        for place in [RunsOn::Host, RunsOn::Device, RunsOn::Hybrid] {
            let settings = FactorSettings::new().runs_on(place).panel(8);
            let lu = diagonal.lu_with(&settings).unwrap();
            assert_eq!(lu.zero_pivot(), Some(13), "{place:?}");
            assert_eq!((lu.det(), lu.log_det()), (0.0, (0.0, f32::NEG_INFINITY)));
            for failed in [lu.solve(&b).map(drop), lu.inverse().map(drop)] {
                assert!(matches!(failed, Err(Error::Singular { pivot: 13, .. })), "{failed:?}");
            }
            let failed = diagonal.qr_with(&settings).unwrap().solve(&b);
            assert!(
                matches!(failed, Err(Error::Singular { pivot: 13, operation: "least_squares", .. })),
                "{failed:?}"
            );
            // The pivot is zero to rounding.
            let pivots = a.lu_with(&settings).unwrap().u().unwrap().diagonal().to_vec().unwrap();
            assert!(pivots.iter().any(|pivot| pivot.abs() < 1e-4), "{place:?} {pivots:?}");
            // Indefinite from row 13 on.
            let failed = diagonal.cholesky_with(&settings).unwrap_err();
            let expected = "cholesky: the matrix is not positive definite: pivot 13 is not positive";
            assert_eq!(failed.to_string(), expected, "{place:?}");
        }
        let failed = diagonal.lower().inverse().unwrap_err();
        assert_eq!(failed.to_string(), "inverse: the matrix is singular: pivot 13 is zero");
    });
}

#[test]
fn nan_and_infinities_are_refused() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for value in [f32::NAN, f32::INFINITY] {
            let mut a = Array::from_fn(&queue, [12, 12], |[i, j]| i.eq(j).cast::<f32>()).unwrap();
            a.set([7, 3], value).unwrap();
            for place in [RunsOn::Host, RunsOn::Device, RunsOn::Hybrid] {
                let settings = FactorSettings::new().runs_on(place);
                for (operation, result) in [
                    ("lu", a.lu_with(&settings).map(drop)),
                    ("qr", a.qr_with(&settings).map(drop)),
                    ("cholesky", a.cholesky_with(&settings).map(drop)),
                ] {
                    let expected = format!("{operation}: an element is NaN or infinite");
                    assert_eq!(result.unwrap_err().to_string(), expected, "{place:?}");
                }
                // The upper half is not used.
                assert!(a.t().cholesky_with(&settings).is_ok(), "{place:?}");
            }
            assert!(matches!(a.qr_pivoted(), Err(Error::NotFinite { .. })));
        }
        // Numbers overflow on the way.
        let a = Array::from_slice(&queue, [2, 2], &[3e38_f32, 3e38, -3e38, 3e38]).unwrap();
        for place in [RunsOn::Host, RunsOn::Device, RunsOn::Hybrid] {
            let failed = a.lu_with(&FactorSettings::new().runs_on(place));
            assert!(matches!(failed, Err(Error::NotFinite { operation: "lu", .. })), "{place:?} {failed:?}");
        }
    });
}

#[test]
fn shapes_must_fit() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let wide = Array::filled(&queue, [2, 3], 1.0_f32).unwrap();
        let square = Array::from_fn(&queue, [3, 3], |[i, j]| i.eq(j).cast::<f32>()).unwrap();
        let vector = Array::filled(&queue, [2], 1.0_f32).unwrap();
        for (message, result) in [
            ("shape [2, 3]", wide.cholesky().map(drop)),
            ("shape [2, 3]", wide.inverse().map(drop)),
            ("shape [2, 3]", wide.det().map(drop)),
            ("shape [2, 3]", wide.log_det().map(drop)),
            ("shape [2, 3]", wide.condition().map(drop)),
            ("shape [2, 3]", wide.solve(&vector).map(drop)),
            ("shape [2, 3]", wide.upper().inverse().map(drop)),
            ("shape [2, 3]", wide.qr().unwrap().least_squares(&vector).map(drop)),
            ("shape [3, 3] and right-hand sides of shape [2]", square.solve(&vector).map(drop)),
            ("shape [3, 3] and right-hand sides of shape [2, 3]", square.solve(&wide).map(drop)),
            (
                "shape [3, 3] and right-hand sides of shape [2]",
                square.cholesky().unwrap().solve(&vector).map(drop),
            ),
            ("shape [3, 3] and right-hand sides of shape [2]", square.least_squares(&vector).map(drop)),
            (
                "shape [3, 3] and right-hand sides of shape [2]",
                square.qr().unwrap().apply_q(&vector).map(drop),
            ),
            ("shape [2, 3] and right-hand sides of shape [3, 3]", wide.least_squares(&square).map(drop)),
        ] {
            let text = result.unwrap_err().to_string();
            assert!(text.contains(message), "{text}");
        }
        let empty = Array::<f32, 2>::filled(&queue, [0, 0], 0.0).unwrap();
        let none = Array::<f32, 1>::filled(&queue, [0], 0.0).unwrap();
        assert_eq!(empty.det().unwrap(), 1.0);
        assert_eq!(empty.log_det().unwrap(), (1.0, 0.0));
        assert_eq!(empty.rank().unwrap(), 0);
        assert_eq!(empty.solve(&none).unwrap().shape(), [0]);
        assert_eq!(empty.inverse().unwrap().shape(), [0, 0]);
    });
}
