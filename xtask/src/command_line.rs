//! Commands as values, so that the same command is announced, run and suggested to the user.

use std::fmt;
use std::path::Path;

use duct::Expression;

/// The right of this process to change the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Privilege {
    /// The user is root.
    Root,
    /// `sudo` works without asking for a password.
    Sudo,
    /// Neither: commands can only be suggested.
    None,
}

impl Privilege {
    /// Asks the system, and never prompts the user.
    pub(crate) fn current() -> Self {
        let root = duct::cmd!("id", "-u").stderr_null().read().is_ok_and(|uid| uid.trim() == "0");
        if root {
            return Self::Root;
        }
        let sudo = duct::cmd!("sudo", "-n", "true").stdin_null().stdout_null().stderr_null().run();
        if sudo.is_ok() { Self::Sudo } else { Self::None }
    }
}

/// A program with its arguments and extra environment variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CommandLine {
    env: Vec<(String, String)>,
    words: Vec<String>,
}

impl CommandLine {
    /// Creates the command of `words`, of which the first is the program.
    pub(crate) fn new(words: &[&str]) -> Self {
        Self { env: Vec::new(), words: words.iter().map(ToString::to_string).collect() }
    }

    /// Adds one environment variable.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Returns the same command with the words of `prefix`, such as `sudo -n`, in front.
    ///
    /// The variables are set by `env`, because sudo does not pass its own on.
    pub(crate) fn behind(&self, prefix: &[&str]) -> Self {
        let mut words: Vec<String> = prefix.iter().map(ToString::to_string).collect();
        if !self.env.is_empty() {
            words.push("env".to_owned());
            words.extend(self.env.iter().map(|(name, value)| format!("{name}={value}")));
        }
        words.extend(self.words.iter().cloned());
        Self { env: Vec::new(), words }
    }

    /// Returns the command for `duct` to run.
    pub(crate) fn expression(&self) -> Expression {
        let (program, args) = self.words.split_first().map_or(("", [].as_slice()), |(p, a)| (p.as_str(), a));
        self.env.iter().fold(duct::cmd(program, args), |e, (name, value)| e.env(name, value))
    }
}

/// Writes the command as a shell reads it.
impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variables = self.env.iter().map(|(name, value)| format!("{name}={}", quoted(value)));
        let words = self.words.iter().map(|word| quoted(word));
        f.write_str(&variables.chain(words).collect::<Vec<_>>().join(" "))
    }
}

/// Returns `word`, quoted as one word of a POSIX shell.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:+,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Returns whether `PATH` contains a program of this name.
pub(crate) fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|dir| is_program(&dir.join(program)))
}

fn is_program(path: &Path) -> bool {
    path.is_file() || path.with_extension("exe").is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_is_what_a_shell_takes() {
        let command = CommandLine::new(&["echo", "two words", "it's", "a=b", ""]).env("NAME", "a value");
        assert_eq!(command.to_string(), r"NAME='a value' echo 'two words' 'it'\''s' a=b ''");
    }

    #[test]
    fn variables_survive_sudo() {
        let command = CommandLine::new(&["apt-get", "update"]).env("A", "1").behind(&["sudo", "-n"]);
        assert_eq!(command.to_string(), "sudo -n env A=1 apt-get update");
    }

    #[test]
    fn a_program_nobody_has_is_not_on_the_path() {
        assert!(!on_path("no-such-program-here"));
    }

    #[cfg(unix)]
    #[test]
    fn expression_passes_words_and_variables() {
        let command = CommandLine::new(&["env"]).env("XTASK_PLANTED", "here");
        let output = command.expression().read().expect("env runs");
        assert!(output.lines().any(|line| line == "XTASK_PLANTED=here"));
    }
}
