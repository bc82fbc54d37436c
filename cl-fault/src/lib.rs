//! An OpenCL library that fails when it is told to, and counts the objects that were made and not released.
//!
//! It exports every function of OpenCL and forwards each call to the system's library. Tests load it by its
//! path, as a program loads any OpenCL library. They control it through a few functions of its own, which it
//! exports beside OpenCL's; `cl_test::faults` is the comfortable way to do so.
//!
//! | file | concept |
//! | --- | --- |
//! | `exports` | OpenCL's functions, each with the steps before and after the forwarded call |
//! | `plan` | the call that will fail or lie, and how; the C functions that set this |
//! | `guard` | canaries before and behind buffers, and poison in fresh memory |
//! | `ledger` | the number of references of each kind that were made and released |
//!
//! A call that is planned to fail never reaches the driver. Releases and the ends of maps are the exception:
//! they are carried out and then reported as failed, because nobody repeats them, and the objects would be
//! lost.
//!
//! This library also has the functions that the system's library lacks, because a library cannot take back a
//! symbol. These functions report `CL_INVALID_OPERATION`.

mod exports;
mod guard;
mod ledger;
mod plan;
