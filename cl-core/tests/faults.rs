//! Every driver call of every operation fails once with each of seven codes, and every answer of a
//! driver has a wrong size: always an error of the right kind, no panic, no leak, and all is usable
//! afterwards. `cl_test::sweep` says what is asked; the rows below say of what.
//!
//! **A new operation** is one row: its name, and a closure that prepares what it works on and returns
//! `run` of the operation itself, which ends with a look at its result where it has one.
#![allow(clippy::unwrap_used)] // what is prepared is not disturbed

use cl_core::{
    Access, Arg, Buffer, BuildOptions, Context, Device, DeviceKind, Error, Event, EventStatus, Filter, Local,
    Partition, PartitionKinds, Platform, Program, Queue, QueueOptions, Status,
};
use cl_test::faults::exclusive;
use cl_test::sweep::{Bench, Operation, failures, lies, run};

const SOURCE: &str = "kernel void twice(global const int *x, global int *y, local int *t, const int f)
    {
        const size_t i = get_global_id(0);
        t[get_local_id(0)] = x[i];
        y[i] = f * t[get_local_id(0)];
    }";

/// The devices that a search finds, searched for in the faulty library.
fn platforms(bench: &Bench) -> cl_core::Result<Vec<Platform>> {
    Platform::all_of(bench.device.library())
}

#[rustfmt::skip] // one row an operation
const OPERATIONS: &[Operation] = &[
    // Discovery. Texts that only help to describe a failure may be missing.
    Operation::new("Platform::all_of", |bench| run(|| platforms(bench).map(drop))),
    Operation::new("Platform::devices", |bench| run(|| bench.device.platform().devices().map(drop))),
    Operation::new("Platform::devices_of", |bench| {
        run(|| bench.device.platform().devices_of(DeviceKind::all()).map(drop))
    }),
];

#[test]
fn every_driver_call_may_fail() {
    let faults = exclusive();
    for device in faults.devices() {
        failures(&faults, &device, OPERATIONS);
    }
}

#[test]
fn answers_of_wrong_size() {
    let faults = exclusive();
    for device in faults.devices() {
        lies(&faults, &device, OPERATIONS);
    }
}
