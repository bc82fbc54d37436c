//! Generated text, with the names that it defines.

use super::definition::Definition;
use std::fmt::{self, Write};

/// Text that is generated for one kernel, and the names that it defines. A [`Definition`] is the same for text written
/// by hand.
#[derive(Debug, Default)]
pub(crate) struct Section {
    pub(crate) text: String,
    macros: Vec<String>,
    names: Vec<String>,
}

impl Section {
    /// Writes the definition of a macro. `rest` is its parameters, if any, and its value; they directly follow the
    /// name.
    pub(crate) fn define(&mut self, name: impl Into<String>, rest: impl fmt::Display) -> fmt::Result {
        let name = name.into();
        writeln!(self.text, "#define {name}{rest}")?;
        self.macros.push(name);
        Ok(())
    }

    /// Writes the head of a function, and opens its body.
    pub(crate) fn function(
        &mut self,
        result: &str,
        name: impl Into<String>,
        parameters: impl fmt::Display,
    ) -> fmt::Result {
        let name = name.into();
        writeln!(self.text, "static inline {result} {name}({parameters})\n{{")?;
        self.names.push(name);
        Ok(())
    }

    /// Adds names of functions and types that the text defines.
    pub(crate) fn add_names(&mut self, names: impl IntoIterator<Item = String>) {
        self.names.extend(names);
    }

    /// Appends text written by hand, with its names.
    pub(crate) fn push(&mut self, definition: &Definition) {
        self.text.push_str(definition.text());
        self.macros.extend(definition.macros().iter().map(|&name| name.to_owned()));
        self.names.extend(definition.names().iter().map(|&name| name.to_owned()));
    }

    /// Returns the macros. One may occur several times.
    pub(crate) fn macros(&self) -> impl Iterator<Item = &str> {
        self.macros.iter().map(String::as_str)
    }

    /// Returns the other names. One may occur several times.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }
}

impl Write for Section {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text.push_str(text);
        Ok(())
    }
}
