//! Lists the machine's OpenCL platforms and devices, as `clinfo` does.
//!
//! `cargo run --release --example 01_devices`. Every device that can run OpenCL appears here: graphics cards,
//! processors, accelerators. A platform is a driver with its devices. If a driver fails to return a property,
//! the error is printed in place of the property, so that one faulty driver does not hide the other devices.

use cl_core::{Device, Platform, Result};
use std::fmt::Display;

fn main() -> Result<()> {
    for platform in Platform::all()? {
        line(0, "Platform", platform.name());
        line(1, "Vendor", platform.vendor());
        line(1, "Version", platform.version());
        line(1, "Profile", platform.profile());
        line(1, "Extensions", platform.extensions().map(|names| names.len()));
        match platform.devices() {
            Ok(devices) if devices.is_empty() => line(1, "Devices", Ok("none")),
            Ok(devices) => devices.iter().for_each(show),
            Err(error) => line::<u32>(1, "Devices", Err(error)),
        }
        println!();
    }
    Ok(())
}

/// Prints all properties of one device.
fn show(device: &Device) {
    println!();
    line(1, "Device", device.name());
    line(2, "Kind", device.kind());
    line(2, "Vendor", device.vendor());
    line(2, "Vendor id", device.vendor_id().map(|id| format!("{id:#06x}")));
    line(2, "Version", device.version());
    line(2, "Driver", device.driver_version());
    line(2, "Language", device.c_version());
    line(2, "Profile", device.profile());
    line(2, "Available", device.is_available().map(yes));
    line(2, "Compute units", device.compute_units());
    line(2, "Clock", device.clock().map(|clock| format!("{clock} MHz")));
    line(2, "Address width", device.limits().map(|limits| format!("{} bits", limits.address_bits)));
    line(2, "Global memory", device.global_memory().map(bytes));
    line(2, "Largest buffer", device.max_allocation().map(bytes));
    line(2, "Global cache", device.global_cache().map(bytes));
    line(2, "Local memory", device.local_memory().map(bytes));
    line(2, "Work-group size", device.max_work_group_size().map(|size| format!("at most {size}")));
    line(2, "Work-item sizes", device.max_work_item_sizes().map(|sizes| format!("at most {}", by(&sizes))));
    line(2, "Profiling timer", device.profiling_resolution().map(|step| format!("{step} ns")));
    line(2, "Double (fp64)", device.has_fp64().map(yes));
    line(2, "Half (fp16)", device.has_fp16().map(yes));
    line(2, "Exact / and sqrt", device.rounds_division_correctly().map(yes));
    line(2, "Extensions", device.extensions().map(|names| names.len()));
    for name in device.extensions().unwrap_or_default() {
        println!("        {name}");
    }
}

/// Prints one property, or the driver's error instead.
fn line<T: Display>(depth: usize, name: &str, value: Result<T>) {
    let (indent, width) = (2 * depth, 22 - 2 * depth);
    match value {
        Ok(value) => println!("{:indent$}{name:width$}{value}", ""),
        Err(error) => println!("{:indent$}{name:width$}({error})", ""),
    }
}

fn yes(value: bool) -> &'static str {
    if value { "yes" } else { "no" }
}

/// Formats sizes along the dimensions: `1024 x 1024 x 64`.
fn by(sizes: &[usize]) -> String {
    sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" x ")
}

/// Formats a size in the largest unit in which it is at least one: `48 KiB`, `15.7 GiB`.
fn bytes(size: u64) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut amount = size as f64;
    let mut unit = 0;
    while amount >= 1024.0 && unit + 1 < units.len() {
        amount /= 1024.0;
        unit += 1;
    }
    // One decimal, which is left out if it is 0.
    let rounded = (amount * 10.0).round() / 10.0;
    format!("{rounded} {}", units[unit])
}
