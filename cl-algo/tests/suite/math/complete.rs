//! Every built-in function of OpenCL C 1.2 is there, or is named here with the reason why not.

use cl_algo::math::signs::{all, any};
use cl_algo::math::{
    abs, abs_diff, acos, acosh, acospi, add_sat, asin, asinh, asinpi, atan, atan2, atan2pi, atanh, atanpi,
    bitselect, cbrt, ceil, clamp, clz, copysign, cos, cosh, cospi, cross, ctz, degrees, distance, dot, erf,
    erfc, exp, exp2, exp10, expm1, fast_distance, fast_length, fast_normalize, fdim, floor, fmod, fract,
    frexp, hadd, half_cos, half_divide, half_exp, half_exp2, half_exp10, half_log, half_log2, half_log10,
    half_powr, half_recip, half_rsqrt, half_sin, half_sqrt, half_tan, hypot, ilogb, isequal, isfinite,
    isgreater, isgreaterequal, isinf, isless, islessequal, islessgreater, isnan, isnormal, isnotequal,
    isordered, isunordered, ldexp, length, lgamma, lgamma_r, log, log1p, log2, log10, logb, mad, mad_hi,
    mad_sat, mad24, max, maxmag, min, minmag, mix, modf, mul_add, mul_hi, mul24, nan, native_cos,
    native_divide, native_exp, native_exp2, native_exp10, native_log, native_log2, native_log10, native_powr,
    native_recip, native_rsqrt, native_sin, native_sqrt, native_tan, nextafter, normalize, popcount, pow,
    pown, powr, radians, remainder, remquo, rhadd, rint, rootn, rotate, round, rsqrt, sign, signbit, sin,
    sincos, sinh, sinpi, smoothstep, sqrt, step, sub_sat, tan, tanh, tanpi, tgamma, trunc, upsample,
};
use cl_algo::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Display;

/// Sections 6.12.2 to 6.12.6 of the specification, and `ctz` of OpenCL C 2.0.
const BUILT_IN: &str = "
    acos acosh acospi asin asinh asinpi atan atan2 atanh atanpi atan2pi cbrt ceil copysign cos cosh cospi
    erfc erf exp exp2 exp10 expm1 fabs fdim floor fma fmax fmin fmod fract frexp hypot ilogb ldexp lgamma
    lgamma_r log log2 log10 log1p logb mad maxmag minmag modf nan nextafter pow pown powr remainder remquo
    rint rootn round rsqrt sin sincos sinh sinpi sqrt tan tanh tanpi tgamma trunc
    half_cos half_divide half_exp half_exp2 half_exp10 half_log half_log2 half_log10 half_powr half_recip
    half_rsqrt half_sin half_sqrt half_tan
    native_cos native_divide native_exp native_exp2 native_exp10 native_log native_log2 native_log10
    native_powr native_recip native_rsqrt native_sin native_sqrt native_tan
    abs abs_diff add_sat hadd rhadd clamp clz ctz mad_hi mad_sat max min mul_hi rotate sub_sat upsample
    popcount mad24 mul24
    degrees mix radians step smoothstep sign
    cross dot distance length normalize fast_distance fast_length fast_normalize
    isequal isnotequal isgreater isgreaterequal isless islessequal islessgreater isfinite isinf isnan
    isnormal isordered isunordered signbit any all bitselect select
    vload vstore vload_half vstore_half vec_step shuffle shuffle2 printf
    async_work_group_copy async_work_group_strided_copy wait_group_events prefetch
    atomic_add atomic_sub atomic_xchg atomic_inc atomic_dec atomic_cmpxchg atomic_min atomic_max atomic_and
    atomic_or atomic_xor barrier mem_fence read_mem_fence write_mem_fence
    read_image write_image get_image_width get_image_height get_image_depth
    get_image_channel_data_type get_image_channel_order get_image_dim get_image_array_size
    get_work_dim get_global_size get_global_id get_local_size get_local_id get_num_groups get_group_id
    get_global_offset
";

/// What is there, but does not end up in the kernel by its own name.
const WRITTEN_OTHERWISE: &[(&str, &str)] = &[
    ("fmod", "the operator %"),
    ("select", "the operator ?:, and select in packs"),
    ("mad_hi", "mul_hi and a sum that wraps"),
    ("ctz", "popcount of the bits after the last 1: OpenCL C 1.2 has no ctz"),
];

/// What is left out: all of a family, named by what its names begin with.
const LEFT_OUT: &[(&str, &str)] = &[
    ("atomic_", "it changes memory: no expression"),
    ("vload", "expressions read vectors at indices"),
    ("vstore", "sinks write"),
    ("async_", "it copies memory: no expression"),
    ("wait_group_events", "it waits for copies: no expression"),
    ("prefetch", "it has no value"),
    ("barrier", "work-items of an expression do not meet"),
    ("mem_fence", "as barrier"),
    ("read_mem_fence", "as barrier"),
    ("write_mem_fence", "as barrier"),
    ("printf", "it has no value"),
    ("read_image", "expressions read vectors, not images"),
    ("write_image", "expressions write vectors, not images"),
    ("get_image", "expressions read vectors, not images"),
    ("get_", "an expression knows its element's index only: `index`"),
    ("vec_step", "the host knows how many lanes a type has"),
    ("shuffle", "lanes are chosen on the host: `swizzle`"),
];

/// The names of all functions that a text calls.
fn called(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices('(').filter_map(|(end, _)| {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let begin = text[..end].rfind(|c| !is_name(c)).map_or(0, |at| at + 1);
        (begin < end).then(|| &text[begin..end])
    })
}

#[test]
fn every_function_is_there_or_has_a_reason() {
    let (x, y) = (&index::<f32>(), &(index::<f32>() + 1.0));
    let (i, j) = (&index::<i32>(), &(index::<i32>() + 1));
    let v = &x.clone().splat::<3>();
    let expressions: Vec<Box<dyn Display + '_>> = vec![
        Box::new(zip((acos(x), acosh(x), acospi(x), asin(x), asinh(x), asinpi(x), atan(x), atanh(x)))),
        Box::new(zip((atanpi(x), atan2(x, y), atan2pi(x, y), cbrt(x), ceil(x), cos(x), cosh(x), cospi(x)))),
        Box::new(zip((copysign(x, y), erfc(x), erf(x), exp(x), exp2(x), exp10(x), expm1(x), abs(x)))),
        Box::new(zip((fdim(x, y), floor(x), mul_add(x, y, y), max(x, y), min(x, y), fract(x), frexp(x)))),
        Box::new(zip((hypot(x, y), ilogb(x), ldexp(x, i), lgamma(x), lgamma_r(x), log(x), log2(x)))),
        Box::new(zip((log10(x), log1p(x), logb(x), mad(x, y, y), maxmag(x, y), minmag(x, y), modf(x)))),
        Box::new(zip((nan(index::<u32>()), nextafter(x, y), pow(x, y), pown(x, i), powr(x, y), rint(x)))),
        Box::new(zip((remainder(x, y), remquo(x, y), rootn(x, i), round(x), rsqrt(x), sin(x), sincos(x)))),
        Box::new(zip((sinh(x), sinpi(x), sqrt(x), tan(x), tanh(x), tanpi(x), tgamma(x), trunc(x)))),
        Box::new(zip((
            half_cos(x),
            half_divide(x, y),
            half_exp(x),
            half_exp2(x),
            half_exp10(x),
            half_log(x),
        ))),
        Box::new(zip((half_log2(x), half_log10(x), half_powr(x, y), half_recip(x), half_rsqrt(x)))),
        Box::new(zip((half_sin(x), half_sqrt(x), half_tan(x), native_cos(x), native_divide(x, y)))),
        Box::new(zip((native_exp(x), native_exp2(x), native_exp10(x), native_log(x), native_log2(x)))),
        Box::new(zip((native_log10(x), native_powr(x, y), native_recip(x), native_rsqrt(x), native_sin(x)))),
        Box::new(zip((native_sqrt(x), native_tan(x), abs(i), abs_diff(i, j), add_sat(i, j), hadd(i, j)))),
        Box::new(zip((rhadd(i, j), clamp(i, j, j), clz(i), mad_sat(i, j, j), max(i, j), min(i, j)))),
        Box::new(zip((mul_hi(i, j), rotate(i, j), sub_sat(i, j), upsample(index::<i16>(), index::<u16>())))),
        Box::new(zip((popcount(i), mad24(i, j, j), mul24(i, j), degrees(x), mix(x, y, y), radians(x)))),
        Box::new(zip((step(x, y), smoothstep(x, y, y), sign(x), isequal(x, y), isnotequal(x, y)))),
        Box::new(zip((isgreater(x, y), isgreaterequal(x, y), isless(x, y), islessequal(x, y)))),
        Box::new(zip((islessgreater(x, y), isfinite(x), isinf(x), isnan(x), isnormal(x), isordered(x, y)))),
        Box::new(zip((isunordered(x, y), signbit(x), bitselect(i, j, j), mad_hi(i, j, j), ctz(i)))),
        Box::new(zip((isnan(x).select(x, y), fmod(x, y)))),
        Box::new(zip((dot(v, v), cross(v, v), length(v), distance(v, v), normalize(v), fast_length(v)))),
        Box::new(zip((
            fast_distance(v, v),
            fast_normalize(v),
            any(i.clone().splat::<2>()),
            all(i.clone().splat::<2>()),
        ))),
    ];
    let texts: Vec<String> = expressions.iter().map(ToString::to_string).collect();
    let there: BTreeSet<&str> = texts.iter().flat_map(|text| called(text)).collect();
    for name in BUILT_IN.split_whitespace() {
        let otherwise = WRITTEN_OTHERWISE.iter().any(|(other, _)| *other == name);
        let left_out = LEFT_OUT.iter().any(|(prefix, _)| name.starts_with(prefix));
        let answers = [there.contains(name), otherwise, left_out];
        assert_eq!(answers.iter().filter(|answer| **answer).count(), 1, "{name}: {answers:?}");
    }
}
