//! Factorisations: residuals, and what is computed from the factors.

mod agreement;
mod errors;
mod residuals;
mod sample;
mod solves;
