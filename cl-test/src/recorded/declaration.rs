//! The kernels that a program's text declares.

use super::preprocessor::{Macros, logical_lines, tokens};

/// A kernel as the text declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Declaration {
    pub(super) name: String,
    /// The number of the kernel's parameters.
    pub(super) parameters: usize,
    /// The size of work-groups that the kernel requires; zeros if it accepts any size.
    pub(super) group: [usize; 3],
}

/// The kernels and macros of a text. Lines in branches of `#if` that are not taken are left out.
#[derive(Debug, Default)]
pub(super) struct Declared {
    pub(super) kernels: Vec<Declaration>,
    /// The macros at the end of the text.
    macros: Macros,
}

impl Declared {
    /// Reads a text. `definitions` are the macros that the compiler defines, each as a text that can follow
    /// `#define`.
    pub(super) fn read(text: &str, definitions: impl IntoIterator<Item = String>) -> Declared {
        let mut declared = Declared::default();
        definitions.into_iter().for_each(|definition| declared.macros.define(&definition));
        // Three values for each open `#if`: whether its current branch is taken, whether one of its branches
        // was taken, and whether the lines around the `#if` are taken.
        let mut open: Vec<(bool, bool, bool)> = Vec::new();
        // The tokens of a kernel's declaration that have been read.
        let mut kernel: Option<Vec<String>> = None;
        for line in logical_lines(text) {
            let counts = open.last().is_none_or(|&(counts, ..)| counts);
            if let Some(directive) = line.trim_start().strip_prefix('#') {
                let directive = directive.trim_start();
                let end = directive.find(|c: char| !c.is_alphabetic()).unwrap_or(directive.len());
                declared.directive(directive.split_at(end), counts, &mut open);
            } else if counts {
                declared.line(&line, &mut kernel);
            }
        }
        declared
    }

    fn directive(&mut self, (name, rest): (&str, &str), counts: bool, open: &mut Vec<(bool, bool, bool)>) {
        match name {
            "define" if counts => self.macros.define(rest),
            "undef" if counts => self.macros.undefine(rest),
            "if" | "ifdef" | "ifndef" => {
                let holds = counts
                    && match name {
                        "if" => self.macros.evaluate(rest) != 0,
                        "ifdef" => self.macros.has(rest),
                        _ => !self.macros.has(rest),
                    };
                open.push((holds, holds, counts));
            }
            "elif" | "else" => {
                if let Some((_, done, outer)) = open.pop() {
                    let holds = outer && !done && (name == "else" || self.macros.evaluate(rest) != 0);
                    open.push((holds, done || holds, outer));
                }
            }
            "endif" => drop(open.pop()),
            _ => {}
        }
    }

    /// Reads a line that is not a directive. The line may begin a kernel's declaration, or continue one.
    fn line(&mut self, line: &str, kernel: &mut Option<Vec<String>>) {
        if kernel.is_none() && !line.contains("kernel") {
            return;
        }
        let words = tokens(line);
        let begins = words.iter().position(|word| word == "kernel" || word == "__kernel");
        match (&mut *kernel, begins) {
            (Some(begun), _) => begun.extend(words),
            (None, Some(at)) => *kernel = Some(words[at..].to_vec()),
            (None, None) => return,
        }
        if let Some(begun) = kernel.take_if(|begun| begun.iter().any(|word| word == "{" || word == ";")) {
            self.kernels.extend(declaration(&self.macros.expand(&begun)));
        }
    }

    /// Returns the value of a macro that is a number.
    pub(super) fn value(&self, name: &str) -> usize {
        usize::try_from(self.macros.evaluate(name)).unwrap_or(0)
    }
}

/// Reads an expanded declaration: `kernel`, attributes, `void`, the name, and the parameters in brackets.
fn declaration(words: &[String]) -> Option<Declaration> {
    let void = words.iter().position(|word| word == "void")?;
    let name = words.get(void + 1)?.clone();
    let mut group = [0; 3];
    if let Some(at) = words.iter().position(|word| word == "reqd_work_group_size") {
        let numbers = words[at + 2..].iter().filter_map(|word| word.parse().ok());
        group.iter_mut().zip(numbers).for_each(|(place, number)| *place = number);
    }
    let (mut depth, mut parameters, mut empty) = (0, 1, true);
    for word in &words[void + 2..] {
        match word.as_str() {
            "(" => depth += 1,
            ")" => depth -= 1,
            "," if depth == 1 => parameters += 1,
            _ => empty = false,
        }
        if depth == 0 {
            break;
        }
    }
    Some(Declaration { name, parameters: if empty { 0 } else { parameters }, group })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_found_behind_macros_and_conditions() {
        let text = "
            #define GROUP 64
            #define PARAMETERS const float s0, global const float *x0,
            #if GROUP > 1 // many
            kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) ATTRIBUTE
            void sum(PARAMETERS global float *out,
                     const uint length)
            {
            #else
            kernel void sum(const uint length) {
            #endif
            }
            #undef PARAMETERS
            #define PARAMETERS
            #define sum sum_1
            kernel void sum(PARAMETERS float (*f)(int, int)) {}
            __kernel void none() {}
        ";
        let declared = Declared::read(text, ["ATTRIBUTE".to_owned()]);
        let found: Vec<_> = declared
            .kernels
            .iter()
            .map(|kernel| (kernel.name.as_str(), kernel.parameters, kernel.group))
            .collect();
        assert_eq!(found, [("sum", 4, [64, 1, 1]), ("sum_1", 1, [0; 3]), ("none", 0, [0; 3])]);
        assert_eq!(declared.value("GROUP"), 64);
    }
}
