//! The processors that compute a decomposition.

/// The processor that computes a decomposition. Unless a program chooses one, a row of the tuning table does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RunsOn {
    /// The host, with all its threads. The matrix is mapped or transferred.
    Host,
    /// The device.
    Device,
    /// Both: the host factorises panels, and the device updates the rest of the matrix. Eigenvalues and singular values
    /// are then computed on the device.
    Hybrid,
}
