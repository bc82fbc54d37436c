//! An OpenCL library that fails when it is told to, and counts what was made and not released.
//!
//! It exports every function of OpenCL and forwards each call to the system's library. Tests load it
//! by its path, as a program loads any OpenCL library, and control it through a few functions of its
//! own, which it exports beside OpenCL's; `cl_test::faults` is the comfortable way to do so.
//!
//! | file | concept |
//! | --- | --- |
//! | `exports` | OpenCL's functions, each with the steps before and after the forwarded call |
//! | `plan` | which call is to fail, or to lie, and how; the C functions that say so |
//! | `guard` | canaries behind buffers, and poison in fresh memory |
//! | `ledger` | how many references of each kind were made and released |
//!
//! A call that is to fail never reaches the driver. The exception are releases and the ends of maps: those
//! are carried out and then reported as failed, because nobody repeats them, and the objects would be lost.
//!
//! What the system's library lacks, this one has all the same, and reports `CL_INVALID_OPERATION`:
//! a library cannot take back a symbol.

mod exports;
mod guard;
mod ledger;
mod plan;
