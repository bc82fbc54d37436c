//! Vectors, complex numbers and structs as elements.

use super::many;
use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;
use cl_algo::{F32x3, F32x4, F64x2, I32x4, U8x16};
use cl_test::golden::Case;
use cl_test::golden_cases;

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
pub(crate) struct Body {
    pub(crate) mass: f32,
    pub(crate) at: F32x3,
}

/// Fields of every kind.
#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Mixed {
    body: Body,
    z: Complex<f32>,
    count: u16,
    fixed: bool,
    r#type: u8,
}

pub(crate) const BODY: Body = Body { mass: 1.0, at: F32x3::splat(0.0) };
const MIXED: Mixed = Mixed { body: BODY, z: Complex::new(0.0, 1.0), count: 3, fixed: true, r#type: 5 };
const I: Complex<f32> = Complex::new(0.0, 1.0);

pub(crate) const CASES: &[Case] = golden_cases! {
    "vectors of four, f32": |q| { let x = many(q, F32x4::splat(1.0))?; (&x * &x + 2.0).collect()? };
    "vectors of three, f32": |q| { let x = many(q, F32x3::splat(1.0))?; (&x * &x - &x).collect()? };
    "vectors of sixteen, u8": |q| { let x = many(q, U8x16::splat(1))?; (&x + &x).collect()? };
    "vectors of two, f64": |q| { let x = many(q, F64x2::splat(1.0))?; (1.0 / &x).collect()? };
    "components": |q| { let x = many(q, F32x4::splat(1.0))?; (x.iter().x() + x.iter().w()).collect()? };
    "vectors of components": |q| { let x = many(q, 1.0_f32)?; vector((&x, 0.0, &x * &x, 1.0)).collect()? };
    "components in another order": |q| many(q, I32x4::splat(1))?.iter().swizzle([3, 1, 0, 2]).collect()?;
    "complex products, f32": |q| { let z = many(q, I)?; (&z * &z + I * &z).collect()? };
    "complex quotients, f32": |q| { let z = many(q, I)?; (1.0 / &z).collect()? };
    "complex products, f64": |q| { let z = many(q, Complex::new(1.0_f64, 2.0))?; (&z * &z).collect()? };
    "complex exponentials": |q| many(q, I)?.iter().exp().collect()?;
    "parts of complex numbers": |q| {
        many(q, I)?.iter().map(|z| (z.re(), z.im(), z.conj(), z.norm(), z.arg())).collect()?
    };
    "complex numbers of parts": |q| { let x = many(q, 1.0_f32)?; complex(&x, &x * 2.0).collect()? };
    "fields of a struct": |q| { let x = many(q, BODY)?; (x.at() * x.mass()).collect()? };
    "a struct from expressions": |q| {
        let x = many(q, 1.0_f32)?;
        Body::expr(&x, vector((&x, 0.0, &x * &x))).collect()?
    };
    "a struct with every kind of field": |q| many(q, MIXED)?.iter().map(|m| {
        let body = Body::val(m.body().mass() + 1.0, m.body().at());
        Mixed::val(body, m.z() * m.z(), m.count() + 1, !m.fixed(), m.r#type())
    }).collect()?;
    "structs at neighbours": |q| many(q, BODY)?.iter().shifted(-1, Border::Constant(BODY)).collect()?;
    "structs, gathered and scattered": |q| {
        let (x, i, mut y) = (many(q, MIXED)?, many(q, 0_u32)?, many(q, MIXED)?);
        assign(y.scatter_mut(&i), x.iter().rev())?
    };
};
