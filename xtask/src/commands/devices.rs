//! `devices`: prints a table of all OpenCL devices of this machine.

use std::fmt::Display;

use cl_core::Device;
use comfy_table::{LineStyle, Table, presets};

use crate::error::Result;
use crate::icd;

const HEADER: [&str; 7] = ["platform", "device", "type", "compute units", "memory", "version", "driver"];

/// Prints the table.
///
/// # Errors
///
/// If no device is found; the text says what to install.
pub(crate) fn run() -> Result {
    // An unregistered driver explains why a device is missing from the table.
    icd::warn();
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none())).set_header(HEADER);
    for device in Device::all()? {
        table.add_row([
            cell(device.platform().name()),
            cell(device.name()),
            cell(device.kind()),
            cell(device.compute_units()),
            device.global_memory().map_or_else(unknown, gibibytes),
            cell(device.version()),
            cell(device.driver_version()),
        ]);
    }
    println!("{table}");
    Ok(())
}

/// Returns the text of one property. If the driver does not answer, only this cell is unknown.
fn cell<T: Display>(value: cl_core::Result<T>) -> String {
    value.map_or_else(unknown, |value| value.to_string().trim().to_owned())
}

fn unknown(error: cl_core::Error) -> String {
    eprintln!("warning: {error}");
    "?".to_owned()
}

fn gibibytes(bytes: u64) -> String {
    format!("{:.1} GiB", bytes as f64 / (1_u64 << 30) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_shown_in_gibibytes() {
        assert_eq!(gibibytes(0), "0.0 GiB");
        assert_eq!(gibibytes(3 << 29), "1.5 GiB");
    }
}
