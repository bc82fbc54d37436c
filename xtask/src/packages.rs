//! The system's package manager, and its commands that install an OpenCL loader and PoCL.

use crate::command_line::{CommandLine, Privilege};

/// A package manager that offers PoCL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manager {
    Apt,
    Dnf,
    Pacman,
    Zypper,
    Apk,
    Brew,
}

/// One command of an installation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// The command, without `sudo`.
    pub(crate) command: CommandLine,
    /// `true` if the installation fails when this step fails.
    pub(crate) essential: bool,
}

impl Manager {
    /// The managers in the order in which they are looked for. Brew comes last, because on Linux it
    /// supplements the system's own manager.
    const ALL: [Self; 6] = [Self::Apt, Self::Dnf, Self::Pacman, Self::Zypper, Self::Apk, Self::Brew];

    /// Returns the first manager whose program is `installed`.
    pub(crate) fn choose(installed: impl Fn(&str) -> bool) -> Option<Self> {
        Self::ALL.into_iter().find(|manager| installed(manager.program()))
    }

    /// Returns the name of the program.
    pub(crate) fn program(self) -> &'static str {
        match self {
            Self::Apt => "apt-get",
            Self::Dnf => "dnf",
            Self::Pacman => "pacman",
            Self::Zypper => "zypper",
            Self::Apk => "apk",
            Self::Brew => "brew",
        }
    }

    /// Returns the commands that install the OpenCL loader and PoCL, in order, without `sudo`.
    pub(crate) fn steps(self) -> Vec<Step> {
        let essential = |command| Step { command, essential: true };
        match self {
            Self::Apt => {
                let apt = |words: &[&str]| CommandLine::new(words).env("DEBIAN_FRONTEND", "noninteractive");
                vec![
                    // A fresh system has no package lists. If one of several sources is
                    // unreachable, the update fails, but the packages may still come from
                    // another source.
                    Step { command: apt(&["apt-get", "update"]), essential: false },
                    essential(apt(&[
                        "apt-get",
                        "install",
                        "-y",
                        "--no-install-recommends",
                        "ocl-icd-libopencl1",
                        "pocl-opencl-icd",
                    ])),
                ]
            }
            // Fedora has two loaders that exclude each other, ocl-icd and OpenCL-ICD-Loader. Asking
            // for the file that both provide keeps the one that is installed.
            Self::Dnf => {
                vec![essential(CommandLine::new(&[
                    "dnf",
                    "install",
                    "-y",
                    "libOpenCL.so.1()(64bit)",
                    "pocl",
                ]))]
            }
            // A fresh system has no package lists, so that `-S` alone would find nothing.
            Self::Pacman => vec![essential(CommandLine::new(&[
                "pacman",
                "-Sy",
                "--noconfirm",
                "--needed",
                "ocl-icd",
                "pocl",
            ]))],
            Self::Zypper => vec![essential(CommandLine::new(&[
                "zypper",
                "--non-interactive",
                "install",
                "--no-recommends",
                "libOpenCL1",
                "pocl",
            ]))],
            Self::Apk => {
                vec![essential(CommandLine::new(&["apk", "add", "--no-cache", "opencl-icd-loader", "pocl"]))]
            }
            Self::Brew => vec![essential(CommandLine::new(&["brew", "install", "pocl"]))],
        }
    }

    /// Returns the commands in the form in which this process may run them, or `None` if it may not.
    pub(crate) fn plan(self, privilege: Privilege) -> Option<Vec<Step>> {
        match privilege {
            // Brew refuses to run as root, and asks for the rights that it needs itself.
            _ if self == Self::Brew => Some(self.steps()),
            Privilege::Root => Some(self.steps()),
            Privilege::Sudo => Some(self.steps_behind(&["sudo", "-n"])),
            Privilege::None => None,
        }
    }

    /// Returns the commands for the user to type, one per line.
    pub(crate) fn to_type(self) -> String {
        let steps = if self == Self::Brew { self.steps() } else { self.steps_behind(&["sudo"]) };
        steps.iter().map(|step| format!("    {}", step.command)).collect::<Vec<_>>().join("\n")
    }

    fn steps_behind(self, prefix: &[&str]) -> Vec<Step> {
        let steps = self.steps().into_iter();
        steps.map(|step| Step { command: step.command.behind(prefix), ..step }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(plan: Option<Vec<Step>>) -> Vec<String> {
        plan.expect("a plan").iter().map(|step| step.command.to_string()).collect()
    }

    #[test]
    fn the_first_manager_found_is_chosen() {
        assert_eq!(Manager::choose(|name| name == "zypper"), Some(Manager::Zypper));
        assert_eq!(Manager::choose(|name| name == "brew" || name == "apt-get"), Some(Manager::Apt));
        assert_eq!(Manager::choose(|_| false), None);
    }

    #[test]
    fn every_manager_calls_its_own_program_and_asks_for_pocl() {
        for manager in Manager::ALL {
            let commands = lines(Some(manager.steps()));
            assert!(commands.iter().all(|line| line.contains(manager.program())), "{commands:?}");
            assert!(commands.iter().any(|line| line.contains("pocl")), "{commands:?}");
            assert!(manager.steps().iter().any(|step| step.essential));
        }
    }

    #[test]
    fn debian_fetches_its_lists_first_and_asks_nothing() {
        let install = "apt-get install -y --no-install-recommends ocl-icd-libopencl1 pocl-opencl-icd";
        assert_eq!(
            lines(Manager::Apt.plan(Privilege::Root)),
            [
                "DEBIAN_FRONTEND=noninteractive apt-get update".to_owned(),
                format!("DEBIAN_FRONTEND=noninteractive {install}"),
            ]
        );
        assert_eq!(
            lines(Manager::Apt.plan(Privilege::Sudo)),
            [
                "sudo -n env DEBIAN_FRONTEND=noninteractive apt-get update".to_owned(),
                format!("sudo -n env DEBIAN_FRONTEND=noninteractive {install}"),
            ]
        );
    }

    #[test]
    fn one_unreachable_package_list_does_not_end_the_installation() {
        let essential: Vec<bool> = Manager::Apt.steps().iter().map(|step| step.essential).collect();
        assert_eq!(essential, [false, true]);
    }

    #[test]
    fn without_rights_nothing_runs_but_the_command_is_shown() {
        assert_eq!(Manager::Dnf.plan(Privilege::None), None);
        assert_eq!(Manager::Dnf.to_type(), "    sudo dnf install -y 'libOpenCL.so.1()(64bit)' pocl");
    }

    #[test]
    fn brew_never_meets_sudo() {
        for privilege in [Privilege::Root, Privilege::Sudo, Privilege::None] {
            assert_eq!(lines(Manager::Brew.plan(privilege)), ["brew install pocl"]);
        }
        assert_eq!(Manager::Brew.to_type(), "    brew install pocl");
    }
}
