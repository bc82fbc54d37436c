//! A search for the `#include` directives of a C text, as the compiler would find them.
//!
//! The first translation phases of C (C99, 5.1.1.2) decide which lines are directives: trigraphs
//! are replaced, lines that end in a backslash are joined, and comments become blanks. Only then do
//! lines that begin with `#` count. Each of these steps can hide a directive from a search for the
//! word `#include` alone.

/// A directive that makes the compiler read another file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Include<'t> {
    /// The number of the line on which the directive ends, from 1.
    pub(super) line: usize,
    /// The directive's text, without comments.
    pub(super) text: String,
    /// The name between quotes or angle brackets, borrowed from the text `'t`; `None` for macros.
    pub(super) name: Option<&'t str>,
}

/// The directives that name a file: those of C, and those that compilers add.
const READING: [&str; 4] = ["include", "include_next", "import", "embed"];

/// Returns all include directives, including those in parts that `#if` may skip. Only the compiler
/// knows the macros that decide which parts are skipped.
pub(super) fn includes(text: &str) -> Vec<Include<'_>> {
    // Most kernels contain none of these words, and need no closer look.
    if !READING.iter().any(|word| may_contain(text, word)) {
        return Vec::new();
    }
    let read = |trigraphs| {
        let lines = logical_lines(text, trigraphs).into_iter();
        lines.filter_map(|(line, content)| include(text, line, &content))
    };
    let mut found: Vec<_> = read(false).collect();
    // Compilers differ in their support of trigraphs, so a line may be a comment for only some of
    // them.
    if text.contains("??") {
        for other in read(true) {
            if !found.contains(&other) {
                found.push(other);
            }
        }
    }
    found
}

/// Returns `true` if the word occurs, or may occur once trigraphs and joined lines are resolved.
fn may_contain(text: &str, word: &str) -> bool {
    text.contains(word) || text.contains('\\') || text.contains("??/")
}

fn include<'t>(text: &'t str, line: usize, content: &str) -> Option<Include<'t>> {
    let rest = content.trim_start();
    let rest = rest.strip_prefix('#').or_else(|| rest.strip_prefix("%:"))?.trim_start();
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
    let (word, operand) = rest.split_at(end);
    if !READING.contains(&word) {
        return None;
    }
    let operand = operand.trim();
    let name = quoted(operand, '"', '"').or_else(|| quoted(operand, '<', '>'));
    // The name is looked up in the original text, so that it has the text's lifetime.
    let name = name.and_then(|name| text.find(name).map(|at| &text[at..at + name.len()]));
    Some(Include { line, text: content.trim().to_owned(), name })
}

/// Returns the text between `open` and `close`, if nothing follows `close`.
fn quoted(operand: &str, open: char, close: char) -> Option<&str> {
    let name = operand.strip_prefix(open)?.strip_suffix(close)?;
    (!name.contains([open, close])).then_some(name)
}

/// Returns the lines of the text, joined and without comments, each with the number of its last
/// line.
fn logical_lines(text: &str, trigraphs: bool) -> Vec<(usize, String)> {
    let mut reader = Reader { text, at: 0, line: 1, trigraphs };
    let mut lines = Vec::new();
    let mut line = String::new();
    // The open quote, if any: comments do not begin in literals.
    let mut literal = None;
    while let Some(c) = reader.next() {
        match (literal, c) {
            (_, '\n') => {
                // A literal that is not closed ends with its line.
                literal = None;
                lines.push((reader.line - 1, std::mem::take(&mut line)));
            }
            (Some(_), '\\') => {
                line.push(c);
                line.extend(reader.next_if(|next| next != '\n'));
            }
            (Some(quote), _) => {
                line.push(c);
                if c == quote {
                    literal = None;
                }
            }
            (None, '/') if reader.next_if(|next| next == '*').is_some() => {
                reader.skip_comment();
                line.push(' ');
            }
            (None, '/') if reader.next_if(|next| next == '/').is_some() => {
                while reader.next_if(|next| next != '\n').is_some() {}
            }
            (None, _) => {
                line.push(c);
                // In the name of a header `\` does not escape, but otherwise the name is read like a
                // literal: both end with the quote or the line.
                if c == '"' || c == '\'' {
                    literal = Some(c);
                }
            }
        }
    }
    lines.push((reader.line, line));
    lines
}

/// A reader of characters that joins lines and, if requested, replaces trigraphs.
#[derive(Clone, Copy)]
struct Reader<'t> {
    text: &'t str,
    at: usize,
    line: usize,
    trigraphs: bool,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        loop {
            let rest = &self.text[self.at..];
            let trigraph = rest.strip_prefix("??").filter(|_| self.trigraphs);
            let (c, bytes) = match trigraph.and_then(|tail| tail.chars().next()) {
                Some('/') => ('\\', 3),
                Some('=') => ('#', 3),
                _ => match rest.strip_prefix("\r\n") {
                    Some(_) => ('\n', 2),
                    None => rest.chars().next().map(|c| (c, c.len_utf8()))?,
                },
            };
            self.at += bytes;
            if c == '\n' || c == '\r' {
                self.line += 1;
                return Some('\n');
            }
            if c != '\\' {
                return Some(c);
            }
            // clang also joins lines when blanks follow the backslash.
            let tail = self.text[self.at..].trim_start_matches([' ', '\t', '\x0b', '\x0c']);
            let broken = tail.strip_prefix("\r\n").or_else(|| tail.strip_prefix(['\n', '\r']));
            match broken {
                Some(tail) => {
                    self.at = self.text.len() - tail.len();
                    self.line += 1;
                }
                None => return Some(c),
            }
        }
    }

    fn next_if(&mut self, wanted: impl Fn(char) -> bool) -> Option<char> {
        let mut ahead = *self;
        let c = ahead.next().filter(|&c| wanted(c))?;
        *self = ahead;
        Some(c)
    }

    /// Skips past the `*/`, or to the end of the text.
    fn skip_comment(&mut self) {
        let mut star = false;
        while let Some(c) = self.next() {
            if star && c == '/' {
                return;
            }
            star = c == '*';
        }
    }
}

#[cfg(test)]
mod tests {
    use super::includes;
    use proptest::prelude::*;

    fn names(text: &str) -> Vec<Option<&str>> {
        includes(text).into_iter().map(|include| include.name).collect()
    }

    #[test]
    fn directives_are_found_in_every_disguise() {
        for text in [
            "#include \"a.h\"",
            "  #  include <a.h>  ",
            "int x;\n\t#include \"a.h\"\n",
            "#inc\\\nlude \"a.h\"",
            "#inc\\  \r\nlude \"a.h\"",
            "#inc??/\nlude \"a.h\"",
            "??=include \"a.h\"",
            "%:include \"a.h\"",
            "#/* why */include/**/\"a.h\" // here",
            "/* it's */ #include \"a.h\"",
            "// it's\n#include \"a.h\"",
            "char q = '\n#include \"a.h\"",
            "#if 0\n#include \"a.h\"\n#endif",
            "#include_next <a.h>",
            "#import \"a.h\"",
            "#embed \"a.h\"",
            "x\r#include \"a.h\"\r",
            "// ??/\n#include \"a.h\"",
        ] {
            assert_eq!(names(text), [Some("a.h")], "{text:?}");
        }
        for text in ["#include NAME", "#include \"a.h", "#include", "#include \"a\" \"b\"", "#include <a>b>"]
        {
            assert_eq!(names(text), [None], "{text:?}");
        }
    }

    #[test]
    fn other_text_is_none() {
        for text in [
            "",
            "// #include \"a.h\"",
            "/*\n#include \"a.h\"\n*/",
            "int include = 1;",
            "#define include 1",
            "// joined \\\n#include \"a.h\"",
            "constant char *s = \"\\\n#include <a.h>\";",
            "#includes \"a.h\"",
        ] {
            assert_eq!(names(text), [], "{text:?}");
        }
    }

    #[test]
    fn the_line_is_told() {
        let found = includes("1\n2 \\\n3\n/*\n*/ #include \"a.h\"\n");
        assert_eq!((found[0].line, found[0].text.as_str()), (5, "#include \"a.h\""));
    }

    proptest! {
        #[test]
        fn any_text_is_read_to_its_end(text in "(\\PC|[\\\\\n\r\"'/*#?= ]|include|\\?\\?/){0,60}") {
            includes(&text);
            let hidden = format!("{text}\n*/ // \"\n#include <marker>\n");
            prop_assert!(includes(&hidden).iter().any(|i| i.name == Some("marker")) || text.contains("/*")
                || text.contains('\\') || text.contains("??/"), "{hidden:?}");
        }
    }
}
