//! The cases, one file for each family.

mod array;
mod array_by_hand;
mod array_products;
mod array_reductions;
mod array_stencils;
mod by_key;
mod calls;
mod case;
mod ceilings;
mod copy;
mod elementwise;
mod fft;
mod grid;
mod grid_by_hand;
mod linalg_factors;
mod linalg_spectra;
mod linalg_transfers;
mod lorenz;
mod order_statistics;
mod random;
mod scan;
mod segments;
mod select;
pub(crate) mod sets;
mod sort;
mod sorted;
mod sparse;
mod sum;
mod table;
mod transfer;
mod verify;

use crate::matrices;
use crate::timing::Step;
pub(crate) use array_products::SMALL;
use case::Prepare;
pub(crate) use case::{Case, Ceiling, Timed, Traffic};
pub(crate) use table::{FAR, keys_to_join, keys_to_look_up, rows};
use verify::{into_vector, into_vector_by, to_scalar, to_value, verify, verify_by};

/// The greatest number of elements that the host sorts: sorting this many takes a second.
const HOST_SORT_N: usize = 1 << 24;

/// The greatest number of elements of the cases whose vectors fill neither whole tiles nor whole packs.
const A_PRIME: usize = 10_000_019;

/// Returns the case of a product of two square matrices with `edge` rows.
const fn product(name: &'static str, element: &'static str, edge: usize, prepare: Prepare<Step>) -> Case {
    Case::new(name, element, 0, prepare).exactly(edge * edge).flops(2.0 * edge as f64)
}

/// Returns the case of a formula on a grid.
const fn on_grid(name: &'static str, element: &'static str, bytes: usize, prepare: Prepare<Step>) -> Case {
    Case::new(name, element, bytes, prepare).at_least(512).only_in_full()
}

/// Returns the case of a cycle of multigrid that moves some elements for each point.
const fn cycle(name: &'static str, element: &'static str, bytes: usize, prepare: Prepare<Step>) -> Case {
    Case::new(name, element, bytes, prepare).at_least(1 << 12).by_host().only_in_full()
}

/// The labels of the main cases.
pub(crate) const MAIN: [&str; 10] = [
    "copy (kernel) f32",
    "saxpy z = a x + y f32",
    "sum f32",
    "inclusive scan u32",
    "copy_if, half kept u32",
    "sort u32",
    "reduce_by_key, runs of 4 u32",
    "merge of two halves u32",
    "uniform, Philox 4x32 f32",
    "FFT of 1024 points c32",
];

/// All cases, the limits first.
pub(crate) const ALL: &[Case] = &[
    Case::new("copy (clEnqueueCopyBuffer)", "f32", 8, copy::by_driver).ceiling(Ceiling::Bandwidth),
    Case::new("copy (kernel)", "f32", 8, copy::by_kernel).ceiling(Ceiling::Bandwidth),
    Case::reads("read (kernel)", "u32", 4, ceilings::read).ceiling(Ceiling::Bandwidth),
    Case::writes("write (kernel)", "u32", 4, ceilings::write).ceiling(Ceiling::Bandwidth),
    Case::rate("f32", ceilings::f32_rate),
    Case::rate("f64", ceilings::f64_rate),
    Case::new("launch and wait", "u32", 0, ceilings::latency).by_host().at_most(1).ceiling(Ceiling::Latency),
    Case::new("saxpy z = a x + y", "f32", 12, elementwise::saxpy),
    Case::new("saxpy y = a x + y, in place", "f32", 12, elementwise::saxpy_in_place),
    Case::new("saxpy z = a x + y, of views that begin at 1", "f32", 12, elementwise::saxpy_of_views)
        .only_in_full(),
    Case::new("daxpy z = a x + y", "f64", 24, elementwise::daxpy),
    Case::new("z = a b + c", "f32", 16, elementwise::multiply_add),
    Case::new("a += b + c d", "f32", 20, elementwise::add_in_place),
    Case::new("three outputs: x + y, x - y, x y", "f32", 20, elementwise::three_outputs),
    Case::new("second difference, shifted", "f32", 8, elementwise::laplacian),
    Case::new("reverse", "f32", 8, elementwise::reverse),
    Case::new("gather, random permutation", "f32", 12, elementwise::gather),
    Case::new("array: a * b + c", "f32", 16, array::multiply_add),
    Case::new("array: a * b + c, as vectors", "f32", 16, array::multiply_add_of_vectors).only_in_full(),
    Case::new("array: a * a + b * b + d * d + e * e", "f32", 20, array::squares).only_in_full(),
    Case::new("array: a * a + b * b + d * d + e * e, as vectors", "f32", 20, array::squares_of_vectors)
        .only_in_full(),
    Case::new("array: a + b", "f32", 12, array::add).only_in_full(),
    Case::new("array: a + row", "f32", 8, array::add_row).only_in_full(),
    Case::new("array: a + column", "f32", 8, array::add_column).only_in_full(),
    Case::new("array: transposed copy", "f32", 8, array::transpose),
    Case::new("array: transposed copy, by hand", "f32", 8, array_by_hand::transpose)
        .at_least(array_by_hand::LEAST)
        .only_in_full(),
    Case::new("array: transposed a + b", "f32", 12, array::transpose_and_add).only_in_full(),
    Case::new("array: permutation (2, 0, 1)", "f32", 8, array::permute).only_in_full(),
    Case::reads("array: sum", "f32", 4, array_reductions::of_all).only_in_full(),
    Case::reads("array: sums of rows", "f32", 4, array_reductions::along_rows),
    Case::reads("array: sums of rows, by hand", "f32", 4, array_by_hand::sum_rows)
        .at_least(array_by_hand::LEAST)
        .only_in_full(),
    Case::reads("array: sums of columns", "f32", 4, array_reductions::along_columns),
    Case::reads("array: sums of columns, by hand", "f32", 4, array_by_hand::sum_columns)
        .at_least(array_by_hand::LEAST)
        .only_in_full(),
    Case::reads("array: sums of rows of exp(a) + b * b", "f32", 8, array_reductions::fused_along_rows)
        .only_in_full(),
    Case::new("array: exp(a) + b * b", "f32", 12, array_reductions::stored).only_in_full(),
    Case::reads("array: argmax of rows", "f32", 4, array_reductions::argmax_along_rows).only_in_full(),
    Case::new("array: 7-point operator of f + g", "f32", 12, array_stencils::seven_point_f32).at_least(64),
    Case::new("array: 7-point operator of f + g, by hand", "f32", 12, array_by_hand::seven_point::<f32>)
        .at_least(array_by_hand::LEAST)
        .only_in_full(),
    Case::new("array: 7-point operator of f + g", "f64", 24, array_stencils::seven_point_f64)
        .at_least(64)
        .only_in_full(),
    Case::new("array: 7-point operator of f + g, by hand", "f64", 24, array_by_hand::seven_point::<f64>)
        .at_least(array_by_hand::LEAST)
        .only_in_full(),
    Case::new("grid: lap(f + g)", "f32", 12, grid::of_sum_decided::<f32>).at_least(64).only_in_full(),
    on_grid("grid: lap(f + g), one kernel", "f32", 12, grid::of_sum_in_one_kernel::<f32>),
    Case::new("grid: lap(f + g), one kernel, by hand", "f32", 12, array_by_hand::seven_point::<f32>)
        .at_least(array_by_hand::LEAST)
        .only_in_full(),
    on_grid("grid: lap(f + g), with a temporary", "f32", 12, grid::of_sum_with_temporary::<f32>),
    Case::new(
        "grid: lap(f + g), with a temporary, by hand",
        "f32",
        12,
        grid_by_hand::of_sum_with_temporary::<f32>,
    )
    .at_least(array_by_hand::LEAST)
    .only_in_full(),
    Case::new("grid: B(A(f) + g)", "f32", 12, grid::composed_decided::<f32>).at_least(512).only_in_full(),
    on_grid("grid: B(A(f) + g), one kernel", "f32", 12, grid::composed_in_one_kernel::<f32>),
    Case::new(
        "grid: B(A(f) + g), one kernel, by hand",
        "f32",
        12,
        grid_by_hand::composed_in_one_kernel::<f32>,
    )
    .at_least(array_by_hand::LEAST)
    .only_in_full(),
    on_grid("grid: B(A(f) + g), with a temporary", "f32", 12, grid::composed_with_temporary::<f32>),
    Case::new(
        "grid: B(A(f) + g), with a temporary, by hand",
        "f32",
        12,
        grid_by_hand::composed_with_temporary::<f32>,
    )
    .at_least(array_by_hand::LEAST)
    .only_in_full(),
    Case::new("grid: B(A(f) + g), layers", "f32", 12, grid::in_layers::<f32>).at_least(512).only_in_full(),
    Case::new(
        "grid: B(A(f) + g), in local memory, by hand",
        "f32",
        12,
        grid_by_hand::composed_in_local_memory::<f32>,
    )
    .at_least(array_by_hand::LEAST)
    .only_in_full(),
    Case::new("grid: lap(f + g)", "f64", 24, grid::of_sum_decided::<f64>).at_least(64).only_in_full(),
    on_grid("grid: lap(f + g), one kernel", "f64", 24, grid::of_sum_in_one_kernel::<f64>),
    Case::new("grid: lap(f + g), one kernel, by hand", "f64", 24, array_by_hand::seven_point::<f64>)
        .at_least(array_by_hand::LEAST)
        .only_in_full(),
    on_grid("grid: lap(f + g), with a temporary", "f64", 24, grid::of_sum_with_temporary::<f64>),
    Case::new(
        "grid: lap(f + g), with a temporary, by hand",
        "f64",
        24,
        grid_by_hand::of_sum_with_temporary::<f64>,
    )
    .at_least(array_by_hand::LEAST)
    .only_in_full(),
    Case::new("grid: B(A(f) + g)", "f64", 24, grid::composed_decided::<f64>).at_least(512).only_in_full(),
    on_grid("grid: B(A(f) + g), one kernel", "f64", 24, grid::composed_in_one_kernel::<f64>),
    Case::new(
        "grid: B(A(f) + g), one kernel, by hand",
        "f64",
        24,
        grid_by_hand::composed_in_one_kernel::<f64>,
    )
    .at_least(array_by_hand::LEAST)
    .only_in_full(),
    on_grid("grid: B(A(f) + g), with a temporary", "f64", 24, grid::composed_with_temporary::<f64>),
    Case::new(
        "grid: B(A(f) + g), with a temporary, by hand",
        "f64",
        24,
        grid_by_hand::composed_with_temporary::<f64>,
    )
    .at_least(array_by_hand::LEAST)
    .only_in_full(),
    Case::new("grid: B(A(f) + g), layers", "f64", 24, grid::in_layers::<f64>).at_least(512).only_in_full(),
    Case::new(
        "grid: B(A(f) + g), in local memory, by hand",
        "f64",
        24,
        grid_by_hand::composed_in_local_memory::<f64>,
    )
    .at_least(array_by_hand::LEAST)
    .only_in_full(),
    cycle("grid: multigrid cycle, red-black", "f32", 4 * grid::RED_BLACK, grid::red_black::<f32>),
    cycle("grid: multigrid cycle, red-black", "f64", 8 * grid::RED_BLACK, grid::red_black::<f64>),
    cycle("grid: multigrid cycle, Chebyshev", "f32", 4 * grid::CHEBYSHEV, grid::chebyshev::<f32>),
    cycle("grid: multigrid cycle, Chebyshev", "f64", 8 * grid::CHEBYSHEV, grid::chebyshev::<f64>),
    Case::new("array: convolution, 7 x 7", "f32", 8, array_stencils::convolution)
        .at_least(256)
        .flops(98.0)
        .only_in_full(),
    product("array: product, 512 x 512", "f32", 512, array_products::plain::<f32>),
    product("array: product, 512 x 512", "f64", 512, array_products::plain::<f64>).only_in_full(),
    product("array: product, 1000 x 1000", "f32", 1000, array_products::plain::<f32>).only_in_full(),
    product("array: product, 1000 x 1000", "f64", 1000, array_products::plain::<f64>).only_in_full(),
    product("array: product, 1023 x 1023", "f32", 1023, array_products::plain::<f32>).only_in_full(),
    product("array: product, 1023 x 1023", "f64", 1023, array_products::plain::<f64>).only_in_full(),
    product("array: product, 1024 x 1024", "f32", 1024, array_products::plain::<f32>).only_in_full(),
    product("array: product, 1024 x 1024", "f64", 1024, array_products::plain::<f64>).only_in_full(),
    product("array: product, 2048 x 2048", "f32", 2048, array_products::plain::<f32>).only_in_full(),
    product("array: product, 2048 x 2048", "f64", 2048, array_products::plain::<f64>).only_in_full(),
    product("array: product, 2049 x 2049", "f32", 2049, array_products::plain::<f32>).only_in_full(),
    product("array: product, 2049 x 2049", "f64", 2049, array_products::plain::<f64>).only_in_full(),
    product(
        "array: product, 1024 x 1024, left transposed",
        "f32",
        1024,
        array_products::left_transposed::<f32>,
    )
    .only_in_full(),
    product(
        "array: product, 1024 x 1024, left transposed",
        "f64",
        1024,
        array_products::left_transposed::<f64>,
    )
    .only_in_full(),
    product(
        "array: product, 1024 x 1024, right transposed",
        "f32",
        1024,
        array_products::right_transposed::<f32>,
    )
    .only_in_full(),
    product(
        "array: product, 1024 x 1024, right transposed",
        "f64",
        1024,
        array_products::right_transposed::<f64>,
    )
    .only_in_full(),
    product(
        "array: product, 1024 x 1024, both transposed",
        "f32",
        1024,
        array_products::both_transposed::<f32>,
    )
    .only_in_full(),
    product(
        "array: product, 1024 x 1024, both transposed",
        "f64",
        1024,
        array_products::both_transposed::<f64>,
    )
    .only_in_full(),
    product("array: product, 4096 x 4096", "f32", 4096, array_products::plain::<f32>).only_in_full(),
    product("array: product, 4096 x 4096", "f64", 4096, array_products::plain::<f64>).only_in_full(),
    product("array: product, 8192 x 8192", "f32", 8192, array_products::plain::<f32>).only_in_full(),
    product("array: product in TF32, 1024 x 1024", "f32", 1024, array_products::in_tf32).only_in_full(),
    product("array: product in TF32, 2048 x 2048", "f32", 2048, array_products::in_tf32).only_in_full(),
    product("array: product in TF32, 4096 x 4096", "f32", 4096, array_products::in_tf32).only_in_full(),
    product("array: product in TF32, 8192 x 8192", "f32", 8192, array_products::in_tf32).only_in_full(),
    product("array: product in BF16, 1024 x 1024", "f32", 1024, array_products::in_bf16).only_in_full(),
    product("array: product in BF16, 2048 x 2048", "f32", 2048, array_products::in_bf16).only_in_full(),
    product("array: product in BF16, 4096 x 4096", "f32", 4096, array_products::in_bf16).only_in_full(),
    product("array: product in BF16, 8192 x 8192", "f32", 8192, array_products::in_bf16).only_in_full(),
    product("array: product in F16, 1024 x 1024", "f32", 1024, array_products::in_f16).only_in_full(),
    product("array: product in F16, 2048 x 2048", "f32", 2048, array_products::in_f16).only_in_full(),
    product("array: product in F16, 4096 x 4096", "f32", 4096, array_products::in_f16).only_in_full(),
    product("array: product in F16, 8192 x 8192", "f32", 8192, array_products::in_f16).only_in_full(),
    Case::new("array: products, 8 x 8", "f32", 12, array_products::small)
        .in_units_of(array_products::SMALL_ELEMENTS)
        .at_most(array_products::ALL_SMALL_ELEMENTS)
        .flops(16.0)
        .only_in_full(),
    Case::new("linalg: lu 2048", "f64", 0, linalg_factors::lu)
        .exactly(2048 * 2048)
        .flops(2.0 / 3.0 * 2048.0)
        .by_host()
        .only_in_full(),
    Case::new("linalg: lu 4096", "f64", 0, linalg_factors::lu)
        .exactly(4096 * 4096)
        .flops(2.0 / 3.0 * 4096.0)
        .by_host()
        .only_in_full(),
    Case::new("linalg: cholesky 2048", "f64", 0, linalg_factors::cholesky)
        .exactly(2048 * 2048)
        .flops(1.0 / 3.0 * 2048.0)
        .by_host()
        .only_in_full(),
    Case::new("linalg: cholesky 4096", "f64", 0, linalg_factors::cholesky)
        .exactly(4096 * 4096)
        .flops(1.0 / 3.0 * 4096.0)
        .by_host()
        .only_in_full(),
    Case::new("linalg: qr 1000", "f64", 0, linalg_factors::qr)
        .exactly(1000 * 1000)
        .flops(4.0 / 3.0 * 1000.0)
        .by_host()
        .only_in_full(),
    Case::new("linalg: qr 4096", "f64", 0, linalg_factors::qr)
        .exactly(4096 * 4096)
        .flops(4.0 / 3.0 * 4096.0)
        .by_host()
        .only_in_full(),
    Case::restored("linalg: trsm 2048x256", "f64", 0, linalg_factors::triangular_solve)
        .exactly(2048 * 2048)
        .flops(256.0)
        .by_host()
        .only_in_full(),
    Case::reads("linalg: gemv 4096", "f32", 4, linalg_factors::multiply::<f32>)
        .exactly(4096 * 4096)
        .only_in_full(),
    Case::reads("linalg: gemv 4096, transposed", "f32", 4, linalg_factors::multiply_transposed::<f32>)
        .exactly(4096 * 4096)
        .only_in_full(),
    Case::reads("linalg: gemv 4096", "f64", 8, linalg_factors::multiply::<f64>)
        .exactly(4096 * 4096)
        .only_in_full(),
    Case::reads("linalg: gemv 4096, transposed", "f64", 8, linalg_factors::multiply_transposed::<f64>)
        .exactly(4096 * 4096)
        .only_in_full(),
    Case::new("linalg: slice of 100 x 100 to the host", "f64", 8, linalg_transfers::to_host::<100>)
        .exactly(linalg_transfers::count(100))
        .by_host()
        .only_in_full(),
    Case::new("linalg: slice of 100 x 100 to the device", "f64", 8, linalg_transfers::to_device::<100>)
        .exactly(linalg_transfers::count(100))
        .by_host()
        .only_in_full(),
    Case::new("linalg: slice of 1000 x 1000 to the host", "f64", 8, linalg_transfers::to_host::<1000>)
        .exactly(linalg_transfers::count(1000))
        .by_host()
        .only_in_full(),
    Case::new("linalg: slice of 1000 x 1000 to the device", "f64", 8, linalg_transfers::to_device::<1000>)
        .exactly(linalg_transfers::count(1000))
        .by_host()
        .only_in_full(),
    Case::new("linalg: slice of 2000 x 2000 to the host", "f64", 8, linalg_transfers::to_host::<2000>)
        .exactly(linalg_transfers::count(2000))
        .by_host()
        .only_in_full(),
    Case::new("linalg: slice of 2000 x 2000 to the device", "f64", 8, linalg_transfers::to_device::<2000>)
        .exactly(linalg_transfers::count(2000))
        .by_host()
        .only_in_full(),
    Case::new("linalg: batch of Cholesky factors, 16 x 16", "f64", 16, linalg_spectra::cholesky)
        .in_units_of(linalg_spectra::SMALL_ELEMENTS)
        .at_most(linalg_spectra::ALL_SMALL_ELEMENTS)
        .by_host(),
    Case::reads("linalg: batch of solves, 16 x 16", "f64", 8, linalg_spectra::solve)
        .in_units_of(linalg_spectra::SMALL_ELEMENTS)
        .at_most(linalg_spectra::ALL_SMALL_ELEMENTS)
        .by_host()
        .only_in_full(),
    Case::new("linalg: eigh, 256 x 256", "f64", 0, linalg_spectra::eigh)
        .exactly(256 * 256)
        .by_host()
        .only_in_full(),
    Case::new("linalg: svd, 256 x 256", "f64", 0, linalg_spectra::svd)
        .exactly(256 * 256)
        .by_host()
        .only_in_full(),
    Case::reads("sum", "f32", 4, sum::f32),
    Case::reads("sum", "u32", 4, sum::u32),
    Case::reads("sum", "f64", 8, sum::f64),
    Case::reads("dot product", "f32", 8, sum::dot),
    Case::new("inclusive scan", "u32", 8, scan::u32),
    Case::new("inclusive scan, 10000019 elements", "u32", 8, scan::u32).at_most(A_PRIME).only_in_full(),
    Case::new("inclusive scan", "f32", 8, scan::f32),
    Case::new("inclusive scan", "u64", 16, scan::u64),
    Case::new("copy_if, half kept", "u32", 6, select::copy_half),
    Case::new("partition_copy, half", "u32", 8, select::partition_half),
    Case::new("unique, runs of 4", "u32", 5, select::runs_of_4),
    Case::new("unique, runs of 1000", "u32", 4, select::runs_of_1000),
    Case::new("scan by key, runs of 4", "u32", 12, by_key::scan_runs_of_4),
    Case::new("reduce_by_key, runs of 4", "u32", 10, by_key::reduce_runs_of_4),
    Case::new("reduce_by_key, runs of 1000", "u32", 8, by_key::reduce_runs_of_1000),
    Case::reads("reduce in order, by +", "u32", 4, sum::in_order),
    Case::reads("maximum", "f32", 4, sum::max),
    Case::reads("max_element", "f32", 4, sum::max_element),
    Case::reads("count_if", "f32", 4, sum::count_if),
    Case::reads("find what is not there", "f32", 4, sum::find_nothing),
    Case::reads("variance", "f32", 4, sum::variance),
    Case::reads("select: the middle of random numbers", "f32", 4, order_statistics::middle),
    Case::reads("select: the middle of 16 values", "f32", 4, order_statistics::middle_of_few).only_in_full(),
    Case::reads("select: top 100", "f32", 4, order_statistics::top_100),
    Case::restored("select: nth_element, in place", "f32", 8, order_statistics::around).only_in_full(),
    Case::restored("select: nth_element of 16 values", "f32", 8, order_statistics::around_few).only_in_full(),
    Case::reads("segment: sums, of 4 items", "u32", 5, segments::sums_of_4),
    Case::reads("segment: sums, of 100 items", "u32", 4, segments::sums_of_100),
    Case::reads("segment: sums, of 100000 items", "u32", 4, segments::sums_of_100_000).only_in_full(),
    Case::reads("segment: sums, of 4 items and half of all", "u32", 5, segments::sums_with_a_long_one),
    Case::new("segment: scans, of 4 items", "u32", 12, segments::scan_of_4).only_in_full(),
    Case::restored("segment: sorts, of 4 items", "u32", 8, segments::sort_of_4),
    Case::restored("segment: sorts, of 100 items", "u32", 8, segments::sort_of_100).only_in_full(),
    Case::restored("segment: sorts, of 100000 items", "u32", 8, segments::sort_of_100_000).only_in_full(),
    Case::restored("segment: sorts, of 4 items and half of all", "u32", 8, segments::sort_with_a_long_one)
        .only_in_full(),
    Case::new("merge of two halves", "u32", 8, sorted::merge),
    Case::new("set: union of two halves", "u32", 7, sets::union),
    Case::new("set: intersection of two halves", "u32", 5, sets::intersection),
    Case::new("set: difference of one value", "u32", 5, sets::difference_of_one).only_in_full(),
    Case::restored("merge sort of random numbers", "u32", 8, sorted::merge_sort),
    Case::new("lower bounds, random needles", "u32", 12, sorted::search).only_in_full(),
    Case::reads("histogram, 256 bins", "u8", 1, sorted::histogram),
    Case::reads("histogram, 256 bins, all in one", "u8", 1, sorted::histogram_of_one),
    Case::reads("histogram, 256 bins, mostly small", "u8", 1, sorted::histogram_of_small).only_in_full(),
    Case::writes("random bits, Philox 4x32", "u32", 4, random::bits::<u32>),
    Case::writes("uniform, Philox 4x32", "f32", 4, random::uniform::<f32>),
    Case::writes("uniform, Philox 4x32", "f64", 8, random::uniform::<f64>),
    Case::writes("uniform, Threefry 4x32", "f32", 4, random::threefry),
    Case::writes("normal, Philox 4x32", "f32", 4, random::normal::<f32>),
    Case::writes("normal, Philox 4x32", "f64", 8, random::normal::<f64>),
    Case::writes("exponential, Philox 4x32", "f32", 4, random::exponential),
    Case::writes("gamma of shape 2, Philox 4x32", "f32", 4, random::gamma),
    Case::writes("Poisson of mean 4, Philox 4x32", "u32", 4, random::poisson),
    Case::writes("permutation without memory", "u64", 8, random::permutation),
    Case::new("pi by points that are stored", "f32", 16, random::stored_pi),
    Case::new("pi by points that are not stored", "f32", 0, random::pi),
    Case::new("FFT of 256 points", "c32", 16, |queue, n| fft::complex::<f32>(queue, n, 256)).in_units_of(256),
    Case::new("FFT of 1024 points", "c32", 16, |queue, n| fft::complex::<f32>(queue, n, 1024))
        .in_units_of(1024),
    Case::new("FFT of 4096 points", "c32", 16, |queue, n| fft::complex::<f32>(queue, n, 4096))
        .in_units_of(4096),
    Case::new("FFT of 8192 points", "c32", 16, |queue, n| fft::complex::<f32>(queue, n, 8192))
        .in_units_of(8192),
    Case::new("FFT of 1000 points", "c32", 16, |queue, n| fft::complex::<f32>(queue, n, 1000))
        .in_units_of(1000),
    Case::new("FFT of 1009 points", "c32", 16, |queue, n| fft::complex::<f32>(queue, n, 1009))
        .in_units_of(1009),
    Case::new("FFT of 2187 points", "c32", 16, |queue, n| fft::complex::<f32>(queue, n, 2187))
        .in_units_of(2187),
    Case::new("FFT of 2^16 points", "c32", 16, |queue, n| fft::complex::<f32>(queue, n, 65_536))
        .in_units_of(65_536),
    Case::new("FFT of 2^20 points", "c32", 16, |queue, n| fft::complex::<f32>(queue, n, 1_048_576))
        .in_units_of(1_048_576),
    Case::new("FFT of 512 x 512 points", "c32", 16, |queue, n| fft::of_shape(queue, n, [512, 512]))
        .in_units_of(512 * 512)
        .only_in_full(),
    Case::new("FFT of 64 x 64 x 64 points", "c32", 16, |queue, n| fft::of_shape(queue, n, [64, 64, 64]))
        .in_units_of(64 * 64 * 64)
        .only_in_full(),
    Case::new("FFT of 256 points", "c64", 32, |queue, n| fft::complex::<f64>(queue, n, 256)).in_units_of(256),
    Case::new("FFT of 1000 points", "c64", 32, |queue, n| fft::complex::<f64>(queue, n, 1000))
        .in_units_of(1000),
    Case::new("FFT of 1024 points", "c64", 32, |queue, n| fft::complex::<f64>(queue, n, 1024))
        .in_units_of(1024),
    Case::new("FFT of 4096 points", "c64", 32, |queue, n| fft::complex::<f64>(queue, n, 4096))
        .in_units_of(4096),
    Case::new("FFT of 2^20 points", "c64", 32, |queue, n| fft::complex::<f64>(queue, n, 1_048_576))
        .in_units_of(1_048_576),
    Case::new("real FFT of 1024 points", "f32", 8, |queue, n| fft::real(queue, n, 1024)).in_units_of(1024),
    Case::new("real FFT of 2^20 points", "f32", 8, |queue, n| fft::real(queue, n, 1_048_576))
        .in_units_of(1_048_576),
    Case::new("sparse product, 5-point stencil", "f32", 52, sparse::of_poisson::<f32>).at_most(4_000_000),
    Case::new("sparse product, 5-point stencil", "f64", 80, sparse::of_poisson::<f64>).at_most(4_000_000),
    Case::new("sparse product, 5-point stencil, optimized", "f32", 52, sparse::of_poisson_optimized::<f32>)
        .at_most(4_000_000),
    Case::new("sparse product, 5-point stencil, optimized", "f64", 80, sparse::of_poisson_optimized::<f64>)
        .at_most(4_000_000),
    Case::new("sparse product, 32 anywhere in a row", "f32", 268, sparse::of_random::<f32>)
        .at_least(matrices::RANDOM_ROW)
        .at_most(2_000_000),
    Case::new("sparse product, 32 anywhere in a row", "f64", 404, sparse::of_random::<f64>)
        .at_least(matrices::RANDOM_ROW)
        .at_most(2_000_000),
    Case::new(
        "sparse product, 32 anywhere in a row, optimized",
        "f32",
        268,
        sparse::of_random_optimized::<f32>,
    )
    .at_least(matrices::RANDOM_ROW)
    .at_most(2_000_000),
    Case::new(
        "sparse product, 32 anywhere in a row, optimized",
        "f64",
        404,
        sparse::of_random_optimized::<f64>,
    )
    .at_least(matrices::RANDOM_ROW)
    .at_most(2_000_000),
    Case::new("sparse product, power law", "f32", 0, sparse::of_power_law::<f32>).at_most(1_000_000),
    Case::new("sparse product, power law", "f64", 0, sparse::of_power_law::<f64>).at_most(1_000_000),
    Case::new("sparse product, power law, optimized", "f32", 0, sparse::of_power_law_optimized::<f32>)
        .at_most(1_000_000),
    Case::new("sparse product, power law, optimized", "f64", 0, sparse::of_power_law_optimized::<f64>)
        .at_most(1_000_000),
    Case::new("50 iterations of CG, 7-point stencil", "f64", 0, sparse::of_a_cube)
        .at_least(sparse::LEAST_ROWS)
        .at_most(2_097_152),
    Case::new("100 iterations of CG, 5-point stencil", "f64", 0, sparse::of_a_square)
        .at_least(sparse::LEAST_ROWS)
        .at_most(65_025),
    Case::new("rows of triplets in any order", "f32", 0, sparse::of_triplets)
        .at_most(100_000_000)
        .only_in_full(),
    Case::restored("the sort that rows of triplets take", "f32", 0, sparse::sort_of_triplets)
        .at_most(100_000_000)
        .only_in_full(),
    Case::restored("sort", "u32", 8, sort::u32),
    Case::restored("sort", "f32", 8, sort::f32),
    Case::restored("sort", "u64", 16, sort::u64),
    Case::restored("sort", "u8", 2, sort::u8).only_in_full(),
    Case::restored("sort", "u16", 4, sort::u16).only_in_full(),
    Case::restored("sort", "i32", 8, sort::i32).only_in_full(),
    Case::restored("sort", "f64", 16, sort::f64).only_in_full(),
    Case::restored("sort, 10000019 elements", "u32", 8, sort::u32).at_most(A_PRIME).only_in_full(),
    Case::restored("sort, already sorted", "u32", 8, sort::sorted).only_in_full(),
    Case::restored("sort, 16 values", "u32", 8, sort::few).only_in_full(),
    Case::restored("sort, mostly small", "u32", 8, sort::skewed).only_in_full(),
    Case::restored("sort_by_key, one vector of u32", "u32", 16, sort::by_key),
    Case::restored("sort_by_key, already sorted", "u32", 16, sort::by_sorted).only_in_full(),
    Case::restored("sort_by_key, mostly small", "u32", 16, sort::by_skewed).only_in_full(),
    Case::restored("slice::sort_unstable", "u32", 8, sort::on_host).by_host().at_most(HOST_SORT_N),
    Case::new("Lorenz RK4 step, naive", "f64", 48, lorenz::naive)
        .at_most(lorenz::SYSTEMS)
        .flops(lorenz::FLOPS),
    Case::new("Lorenz RK4 step, recorded", "f64", 48, lorenz::recorded)
        .at_most(lorenz::SYSTEMS)
        .flops(lorenz::FLOPS),
    table::case("table: sums of 10 groups", "u32", 8, table::group_by::<10, 1>),
    table::case("table: sums of 10000 groups", "u32", 8, table::group_by::<10_000, 1>),
    table::case("table: sums of 1000000 groups", "u32", 8, table::group_by::<1_000_000, 1>),
    table::case("table: sums of 10000 groups, keys anywhere", "u32", 8, table::group_by::<10_000, { FAR }>),
    table::case("table: sum, min and max of 10000 groups", "f32", 8, table::several),
    table::case("table: value counts of 10000 keys", "u32", 4, table::counts),
    table::case("table: inner join with sorted keys", "u32", 12, table::join),
    Case::new("table: lookups in a map", "u32", 8, table::lookups).at_most(table::LOOKUPS).only_in_full(),
    Case::transfer("host to device: slice", transfer::slice_to_device),
    Case::transfer("host to device: pinned vector", transfer::pinned_to_device),
    Case::transfer("host to device: bare clEnqueueWriteBuffer", transfer::bare_to_device),
    Case::transfer("device to host: slice", transfer::slice_from_device),
    Case::transfer("device to host: pinned vector", transfer::pinned_from_device),
    Case::transfer("device to host: bare clEnqueueReadBuffer", transfer::bare_from_device),
    Case::new("first call in a context, its program on disk", "f32", 0, calls::first).by_host().at_most(1024),
    Case::against("call: launch", "bare C calls", true, calls::launch),
    Case::against("call: launch to a busy device", "bare C calls", false, calls::launch),
    Case::against("call: launch, driver does nothing", "bare C calls", false, calls::launch_alone),
    Case::against(
        "call: launch of three arguments, driver does nothing",
        "bare C calls",
        false,
        calls::small_launch_alone,
    ),
    Case::against("call: five-node expression", "bare enqueue", true, calls::expression_case),
    Case::against(
        "call: five-node expression, driver does nothing",
        "nothing",
        false,
        calls::expression_alone,
    ),
    Case::against(
        "call: five-node expression to a busy device",
        "bare enqueue",
        false,
        calls::expression_case,
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ceilings_come_first_and_main_cases_exist() {
        assert!(MAIN.iter().all(|label| ALL.iter().any(|case| case.label() == *label)));
        assert!(ALL[0].ceiling.is_some() && ALL.is_sorted_by_key(|case| case.ceiling.is_none()));
    }
}
