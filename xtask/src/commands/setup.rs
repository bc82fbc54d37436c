//! `setup`: makes the machine ready to run OpenCL, by reporting problems or by installing PoCL.

use crate::command_line::{Privilege, on_path};
use crate::error::Result;
use crate::icd;
use crate::opencl::{self, Found, Sight};
use crate::packages::{Manager, Step};
use crate::progress::Task;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Register the vendors' drivers that are present but not named by an `.icd` file
    #[arg(long)]
    register: bool,
}

/// `Yes` if drivers may be registered, which affects every program on the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Register {
    Yes,
    No,
}

/// Ensures that the machine has at least one OpenCL device, and lists the devices.
///
/// # Errors
///
/// If no device is found and PoCL may not be installed; the text contains the commands to type.
pub(crate) fn run(args: &Args) -> Result {
    let devices = ensure_device(if args.register { Register::Yes } else { Register::No })?;
    for device in devices {
        println!("{device}");
    }
    Ok(())
}

/// Ensures that the machine has at least one OpenCL device, for the commands that need one.
///
/// # Errors
///
/// The errors of [`run`].
pub(crate) fn ensure_device(register: Register) -> Result<Vec<Found>> {
    // Drivers are registered or reported before the search, even if the search will find a device: with PoCL
    // in place, a missing GPU could go unnoticed.
    match register {
        Register::Yes => icd::register_all()?,
        Register::No => icd::warn(),
    }
    match look()? {
        Sight::Devices(devices) => return Ok(devices),
        Sight::Nothing(why) => eprintln!("{why}"),
    }
    install()?;
    match look()? {
        Sight::Devices(devices) => Ok(devices),
        Sight::Nothing(why) => Err(format!("PoCL is installed, but still no device is found.\n{why}").into()),
    }
}

fn look() -> Result<Sight> {
    let task = Task::start("looking for OpenCL devices");
    let sight = opencl::look();
    task.dismiss();
    sight
}

/// Installs PoCL with the system's package manager.
fn install() -> Result {
    let Some(manager) = Manager::choose(on_path) else {
        return Err("no known package manager is found to install PoCL with. Install your vendor's OpenCL \
                    driver, or PoCL from https://portablecl.org, then run `cargo xtask setup` again"
            .into());
    };
    let Some(steps) = manager.plan(Privilege::current()) else {
        return Err(format!(
            "installing PoCL needs root, and `sudo -n` does not work here. Type\n{}\nthen run \
             `cargo xtask setup` again",
            manager.to_type()
        )
        .into());
    };
    carry_out(manager.program(), steps)
}

/// Runs the steps until an essential one fails.
fn carry_out(program: &str, steps: Vec<Step>) -> Result {
    for Step { command, essential } in steps {
        eprintln!("to install PoCL, running: {command}");
        let task = Task::start(format!("{program} for PoCL"));
        let succeeded = task.run(&command.expression())?;
        task.finish(match (succeeded, essential) {
            (true, _) => "ok",
            (false, true) => "FAILED",
            (false, false) => "failed, continuing",
        });
        if !succeeded && essential {
            return Err(format!("`{command}` failed: see above. PoCL is not installed").into());
        }
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::command_line::CommandLine;

    fn step(words: &[&str], essential: bool) -> Step {
        Step { command: CommandLine::new(words), essential }
    }

    #[test]
    fn only_an_essential_step_ends_the_installation() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mark = folder.path().join("mark");
        let touch = step(&["touch", mark.to_str().expect("UTF-8")], true);

        let error =
            carry_out("planted", vec![step(&["false"], true), touch.clone()]).expect_err("false fails");
        assert!(error.to_string().contains("`false` failed"), "{error}");
        assert!(!mark.exists(), "continued after an essential step");

        carry_out("planted", vec![step(&["false"], false), touch]).expect("the first step may fail");
        assert!(mark.exists(), "did not continue");
    }
}
