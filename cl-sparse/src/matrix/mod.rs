//! Matrices on a device.
