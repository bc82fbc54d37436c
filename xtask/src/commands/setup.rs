//! `setup`: makes the machine ready to run OpenCL, by saying what is wrong, or by installing PoCL.

use crate::command_line::{Privilege, on_path};
use crate::error::Result;
use crate::icd;
use crate::opencl::{self, Found, Sight};
use crate::packages::{Manager, Step};
use crate::progress::Task;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Register the vendors' drivers that are present but that no `.icd` file names
    #[arg(long)]
    register: bool,
}

/// Whether drivers may be registered, which changes what every program on the machine sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Register {
    Yes,
    No,
}

/// Leaves the machine with at least one OpenCL device, and lists them.
///
/// # Errors
///
/// If no device is found and none may be installed; the text holds the commands to type.
pub(crate) fn run(args: &Args) -> Result {
    let devices = ensure_device(if args.register { Register::Yes } else { Register::No })?;
    for device in devices {
        println!("{device}");
    }
    Ok(())
}

/// The same, for the commands that need a device.
///
/// # Errors
///
/// As for [`run`].
pub(crate) fn ensure_device(register: Register) -> Result<Vec<Found>> {
    // Before the search and whatever it finds: with PoCL in place nobody would miss the GPU.
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
        Sight::Nothing(why) => Err(format!("PoCL is installed, yet there is still no device.\n{why}").into()),
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
        return Err("no known package manager is here to install PoCL with. Install your vendor's OpenCL \
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
            (false, false) => "failed, going on",
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
        assert!(!mark.exists(), "went on after an essential step");

        carry_out("planted", vec![step(&["false"], false), touch]).expect("the first step may fail");
        assert!(mark.exists(), "did not go on");
    }
}
