//! Prints the profile of each device whose name contains the argument, as `cl-test/src/recorded/devices` keeps them.
//!
//! `cargo run -p cl-test --example record_device -- nvidia > cl-test/src/recorded/devices/NAME.txt`

use cl_core::Device;

fn main() -> cl_core::Result<()> {
    let wanted = std::env::args().nth(1).unwrap_or_default().to_lowercase();
    for device in Device::all()? {
        if device.to_string().to_lowercase().contains(&wanted) {
            print!("{}", cl_test::recorded::record(&device));
        }
    }
    Ok(())
}
