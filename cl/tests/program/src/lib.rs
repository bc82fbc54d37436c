//! A program that depends on `cl` and on no other crate of the workspace.
//!
//! The macros must find cl-algo through `cl`. This package must therefore not depend on cl-algo, and has no
//! dependency for its tests.
