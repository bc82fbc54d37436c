//! Every function of OpenCL as a Rust function that forwards to the process's library.

use super::*;
use crate::library::Library;
use crate::status::Status;
use cl_loader::define_forwarders;

/// Returns the table of the process's library, or the status for a missing library.
fn table() -> Result<&'static Functions, cl_int> {
    Library::load().map(Library::functions).map_err(|_| Status::PLATFORM_NOT_FOUND_KHR.0)
}

for_each_function!(define_forwarders);
