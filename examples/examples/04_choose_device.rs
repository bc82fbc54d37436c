//! Chooses devices by the needs of the program and by the wishes of its user.
//!
//! `cargo run --release --example 04_choose_device`, or with a choice: `CL_DEVICE_TYPE=cpu cargo run --example
//! 04_choose_device`. `Filter::from_env` lists the variables.

use cl_core::{Buffer, Device, Error, Filter, Queue, Version};

fn main() -> cl_core::Result<()> {
    // The user allows every device, unless an environment variable restricts the choice.
    let allowed = Filter::from_env()?;
    let needed = Filter::opencl(Version::new(1, 2)) & Filter::global_memory(64 << 20);
    let usable = needed & allowed;
    println!("wanted: {usable}");

    // GPUs if there are any. A filter is a set of devices, so the order of its terms never matters.
    let devices = match Device::select(usable.clone() & Filter::gpu()) {
        Err(Error::NoDevice { .. }) => Device::select(usable)?,
        gpus => gpus?,
    };

    for device in &devices {
        let queue = Queue::on(device)?;
        let ones = Buffer::filled(&queue, 1_u32, 1000)?;
        assert_eq!(ones.to_vec(&queue)?, [1; 1000]);
        println!("chosen: {device}, OpenCL {}, works", device.opencl_version()?);
    }

    // If no device matches, the error gives the reason for each device.
    match Device::select(Filter::name("a device that nobody has")) {
        Err(error @ Error::NoDevice { .. }) => println!("\nand if none fits:\n{error}"),
        other => panic!("this should have found nothing: {other:?}"),
    }
    Ok(())
}
