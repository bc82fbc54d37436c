//! The tests of this crate: one module for each feature.
#![allow(clippy::unwrap_used, clippy::expect_used)] // tests and their helpers may stop at the first surprise

mod arrays;
mod as_gpus;
mod driver_calls;
mod faults;
mod forms;
mod host;
mod interop;
mod kernels;
mod matrices;
mod matrix_market;
mod matrix_market_limits;
mod more_products;
mod ops;
mod ops_driver_calls;
mod parts_of_products;
mod products;
mod refused;
mod solver_driver_calls;
mod solver_systems;
mod solvers;
mod solvers_fail;
mod solvers_in_two_launches;
mod solvers_rounding;
