//! Factorisations: residuals, and what is computed from the factors.

mod errors;
mod places;
mod residuals;
mod sample;
mod solves;
