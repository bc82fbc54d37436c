//! Functions of OpenCL vectors.

use crate::math::precise::*;
use crate::math::values;
use cl_algo::math::signs::{all, any};
use cl_algo::math::*;
use cl_algo::prelude::*;
use cl_algo::{Component, I32x3, Vector};

/// Returns `count` vectors, some of them zero.
fn vectors<const N: usize>(count: usize, seed: usize) -> Vec<[f64; N]> {
    let component = |i: usize| ((i * 7919 + seed * 104_729) % 2003) as f64 / 256.0 - 4.0;
    let vector = |i: usize| std::array::from_fn(|lane| component(i * N + lane));
    (0..count).map(|i| if i % 50 == 7 { [0.0; N] } else { vector(i) }).collect()
}

fn dot_of(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Tests lengths and products of vectors whose components fit every type exactly.
fn geometry<T: Precise + Component, const N: usize>(test: &str)
where
    Vector<T, N>: Geometric<Component = T>,
{
    each_sound_device_with::<T>(test, |_, queue| {
        let (a, b) = (vectors::<N>(133, 1), vectors::<N>(133, 2));
        let upload = |values: &[[f64; N]]| {
            let values: Vec<_> = values.iter().map(|v| Vector::new(v.map(T::nearest))).collect();
            DeviceVec::from_slice(queue, &values).unwrap()
        };
        let (x, y) = (upload(&a), upload(&b));
        let n = N as f64;
        let scalars = values(&[
            dot(&x, &y),
            length(&x),
            distance(&x, &y),
            x.iter().zip(&y).map(|(x, y)| x.distance(y)),
        ]);
        let units = normalize(&x).collect().unwrap().to_vec().unwrap();
        for i in 0..a.len() {
            // The components, rounded to the type.
            let [a, b] = [a[i], b[i]].map(|v| v.map(|c| -> f64 { T::nearest(c).into() }));
            let of = |which: usize| scalars[which][i];
            let product: f64 = of(0).into();
            let most = a.iter().chain(&b).fold(0.0_f64, |most, c| most.max(c.abs()));
            let bound = most * most * (2.0 * n - 1.0) * two_to(-T::FRACTION);
            assert!((product - dot_of(&a, &b)).abs() <= bound, "dot({a:?}, {b:?}): {product}");
            let length = dot_of(&a, &a).sqrt();
            assert!(is_within([5.5 + n; 3], of(1), length), "length({a:?})");
            let between: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
            for which in [2, 3] {
                let distance = dot_of(&between, &between).sqrt();
                assert!(is_within([5.5 + 2.0 * n; 3], of(which), distance), "distance({a:?}, {b:?})");
            }
            // The zero vector has a test of its own.
            for (unit, a) in units[i].to_array().into_iter().zip(a).filter(|_| length > 0.0) {
                assert!(is_within([4.5 + n; 3], unit, a / length), "normalize: {:e}", unit.into());
            }
        }
    });
}

fn vector_product<T: Precise + Component, const N: usize>()
where
    Vector<T, N>: Spatial<Component = T>,
{
    each_device_with::<T>(|_, queue| {
        let (a, b) = (vectors::<N>(133, 3), vectors::<N>(133, 4));
        let [x, y] = [&a, &b].map(|values| {
            let values: Vec<_> = values.iter().map(|v| Vector::new(v.map(T::nearest))).collect();
            DeviceVec::from_slice(queue, &values).unwrap()
        });
        for (i, product) in cross(&x, &y).collect().unwrap().to_vec().unwrap().into_iter().enumerate() {
            let (a, b) = (a[i], b[i]);
            for lane in 0..N {
                let [j, k] = [(lane + 1) % 3, (lane + 2) % 3];
                let expected = if lane == 3 { 0.0 } else { a[j] * b[k] - a[k] * b[j] };
                let actual: f64 = product[lane].into();
                assert!((actual - expected).abs() <= 16.0 * 3.0 * two_to(-T::FRACTION), "{a:?} {b:?}");
            }
        }
    });
}

#[test]
fn geometry_of_f32() {
    geometry::<f32, 2>("math::geometric::geometry_of_f32");
    geometry::<f32, 3>("math::geometric::geometry_of_f32");
    geometry::<f32, 4>("math::geometric::geometry_of_f32");
    vector_product::<f32, 3>();
    vector_product::<f32, 4>();
}

#[test]
fn geometry_of_f64() {
    geometry::<f64, 2>("math::geometric::geometry_of_f64");
    geometry::<f64, 3>("math::geometric::geometry_of_f64");
    geometry::<f64, 4>("math::geometric::geometry_of_f64");
    vector_product::<f64, 3>();
    vector_product::<f64, 4>();
}

#[test]
fn geometry_of_f16() {
    // Half a mantissa: products of these components do not overflow, but are not exact.
    geometry::<half::f16, 2>("math::geometric::geometry_of_f16");
    geometry::<half::f16, 3>("math::geometric::geometry_of_f16");
    geometry::<half::f16, 4>("math::geometric::geometry_of_f16");
}

#[test]
fn fast_geometry() {
    each_device_with::<f32>(|_, queue| {
        let (a, b) = (vectors::<3>(133, 1), vectors::<3>(133, 2));
        let [x, y] = [&a, &b].map(|values| {
            let values: Vec<_> = values.iter().map(|v| Vector::new(v.map(|c| c as f32))).collect();
            DeviceVec::from_slice(queue, &values).unwrap()
        });
        let scalars = values(&[fast_length(&x), fast_distance(&x, &y)]);
        let units = fast_normalize(&x).collect().unwrap().to_vec().unwrap();
        for i in 0..a.len() {
            let length = dot_of(&a[i], &a[i]).sqrt();
            let between: Vec<f64> = a[i].iter().zip(&b[i]).map(|(a, b)| a - b).collect();
            assert!(is_within([8194.5; 3], scalars[0][i], length));
            assert!(is_within([8197.5; 3], scalars[1][i], dot_of(&between, &between).sqrt()));
            for (unit, a) in units[i].to_array().into_iter().zip(a[i]) {
                let expected = if length == 0.0 { 0.0 } else { a / length };
                assert!(is_within([8195.0; 3], unit, expected));
            }
        }
    });
}

#[test]
fn any_and_all_look_at_signs() {
    each_device_with::<f32>(|_, queue| {
        let a: Vec<I32x3> = (0..133_i32).map(|i| I32x3::from([i % 2, i / 2 % 2, i / 4 % 2]) * -7).collect();
        let x = DeviceVec::from_slice(queue, &a).unwrap();
        let results = values(&[any(&x), all(&x), x.iter().map(|x| x.any() & !x.all())]);
        for (i, v) in a.iter().enumerate() {
            let negative = v.to_array().map(|c| c < 0);
            let (any, all) = (negative.contains(&true), !negative.contains(&false));
            assert_eq!([results[0][i], results[1][i], results[2][i]], [any, all, any && !all], "{v:?}");
        }
    });
}
