//! The sub-commands, one file each, with a function `run` and, if the command takes arguments, a type `Args`.

pub(crate) mod bench;
pub(crate) mod book;
pub(crate) mod bundle;
pub(crate) mod check;
pub(crate) mod devices;
pub(crate) mod dieharder;
pub(crate) mod drivers;
pub(crate) mod dropin;
pub(crate) mod hostile;
pub(crate) mod probe;
pub(crate) mod setup;
pub(crate) mod test;
pub(crate) mod tidy;
