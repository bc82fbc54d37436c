//! The circles of files that there are, each with its reason.

/// Files, in order, and why they use each other.
pub(super) const KNOWN: &[(&[&str], &str)] = &[];
