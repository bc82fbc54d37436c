//! The comments of a source file in Rust or OpenCL C, and words in prose.

/// A comment, with all its consecutive lines that have the same marker, or a paragraph of a document.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Prose<'t> {
    /// The text of each line without its marker, with the index of the line.
    pub(super) lines: Vec<(usize, &'t str)>,
}

/// The kind of text that the scanner is in.
#[derive(Clone, Copy)]
enum Within {
    Code,
    /// A string literal. A raw string has the number of `#` after its closing quote. An ordinary string, with
    /// escapes, has `None`.
    Text(Option<usize>),
    BlockComment,
}

/// Returns the comments of `source`. Lines of comments with one marker, directly below each other, are one comment.
pub(super) fn comments(source: &str) -> Vec<Prose<'_>> {
    let mut found: Vec<Prose<'_>> = Vec::new();
    let mut within = Within::Code;
    // The marker of the line above, if that line is nothing but a comment.
    let mut above = "";
    for (index, line) in source.lines().enumerate() {
        let mut marker = "";
        let mut at = 0;
        while at < line.len() {
            let rest = &line[at..];
            match within {
                Within::Code if rest.starts_with("//") => {
                    let is_whole = line[..at].trim().is_empty();
                    let kinds = ["///", "//!", "//"];
                    let kind = kinds.into_iter().find(|kind| rest.starts_with(kind)).unwrap_or_default();
                    let text = (index, &rest[kind.len()..]);
                    match found.last_mut() {
                        Some(comment) if is_whole && kind == above => comment.lines.push(text),
                        _ => found.push(Prose { lines: vec![text] }),
                    }
                    marker = if is_whole { kind } else { "" };
                    at = line.len();
                }
                Within::Code if rest.starts_with("/*") => {
                    found.push(Prose::default());
                    within = Within::BlockComment;
                    at += 2;
                }
                Within::Code => {
                    let (next, length) = code(rest, &line[..at]);
                    within = next;
                    at += length;
                }
                Within::Text(hashes) => match end_of_text(rest, hashes) {
                    Some(length) => {
                        within = Within::Code;
                        at += length;
                    }
                    None => at = line.len(),
                },
                Within::BlockComment => {
                    let length = rest.find("*/");
                    if let Some(comment) = found.last_mut() {
                        comment.lines.push((index, &rest[..length.unwrap_or(rest.len())]));
                    }
                    if length.is_some() {
                        within = Within::Code;
                    }
                    at = length.map_or(line.len(), |length| at + length + 2);
                }
            }
        }
        above = marker;
    }
    found
}

/// Returns the state behind the first token of `rest`, and the token's length in bytes.
fn code(rest: &str, before: &str) -> (Within, usize) {
    let continues_name = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
    if let Some(raw) = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r')).filter(|_| !continues_name)
    {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw[hashes..].starts_with('"') {
            return (Within::Text(Some(hashes)), rest.len() - raw.len() + hashes + 1);
        }
    }
    let mut letters = rest.chars();
    match letters.next() {
        Some('"') => (Within::Text(None), 1),
        // A quote begins a character literal if an escape follows, or one character and another quote.
        // Otherwise it begins a lifetime.
        Some('\'') => match (letters.next(), letters.next()) {
            (Some('\\'), Some(escaped)) => {
                let start = 2 + escaped.len_utf8();
                (Within::Code, rest[start..].find('\'').map_or(rest.len(), |end| start + end + 1))
            }
            (Some(letter), Some('\'')) => (Within::Code, letter.len_utf8() + 2),
            _ => (Within::Code, 1),
        },
        letter => (Within::Code, letter.map_or(1, char::len_utf8)),
    }
}

/// Returns the length of the literal's text up to and with its closing quote; `None` if the literal goes on
/// in the next line.
fn end_of_text(rest: &str, hashes: Option<usize>) -> Option<usize> {
    match hashes {
        Some(hashes) => {
            let end = format!("\"{}", "#".repeat(hashes));
            rest.find(&end).map(|at| at + end.len())
        }
        None => {
            let mut escaped = false;
            let end = rest.bytes().position(|byte| {
                let ends = byte == b'"' && !escaped;
                escaped = byte == b'\\' && !escaped;
                ends
            });
            end.map(|at| at + 1)
        }
    }
}

impl<'t> Prose<'t> {
    /// Returns the words that are neither code nor quoted, each with the index of its line, without the text of fenced
    /// blocks.
    pub(super) fn words(&self) -> Vec<(usize, String)> {
        let mut words = Vec::new();
        let (mut fenced, mut code, mut quoted) = (false, false, false);
        for (index, line) in &self.lines {
            if line.trim_start().starts_with("```") {
                fenced = !fenced;
                continue;
            }
            if line.trim().is_empty() {
                // Code or a quotation that is not closed ends at the end of its paragraph.
                (code, quoted) = (false, false);
            }
            if fenced {
                continue;
            }
            let mut plain = String::new();
            for letter in line.chars() {
                match letter {
                    '`' => code = !code,
                    '"' if !code => quoted = !quoted,
                    _ if code || quoted => continue,
                    _ => plain.push(letter),
                }
                if matches!(letter, '`' | '"') {
                    // Code and quotations are left out; the mark in their place keeps the words around them
                    // apart.
                    plain.push('`');
                }
            }
            words.extend(plain.split_whitespace().map(|word| (*index, word.to_owned())));
        }
        words
    }
}

/// Returns the paragraphs of a Markdown document. `lines` are its lines outside of fenced code.
pub(super) fn paragraphs<'t>(lines: impl Iterator<Item = (usize, &'t str)>) -> Vec<Prose<'t>> {
    let mut found = vec![Prose::default()];
    for (index, line) in lines {
        let trimmed = line.trim_start();
        let begins =
            trimmed.is_empty() || ["- ", "* ", "|", "#"].iter().any(|mark| trimmed.starts_with(mark));
        if begins {
            found.push(Prose::default());
        }
        if let Some(paragraph) = found.last_mut() {
            paragraph.lines.push((index, line));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<Vec<(usize, &str)>> {
        comments(source).into_iter().map(|comment| comment.lines).collect()
    }

    #[test]
    fn comments_are_found_outside_of_literals() {
        let source = "//! a\n//! b\n/// c\nfn f<'a>(x: &'a str) { // d\n// e\n\"// no \\\" // no\"; // f\n\
                      r#\"// no \" // no\n// no\n\"#; // g\nlet q = '\"'; // h\nlet q = ('\\'', '\\u{22}'); // i\n\
                      for r in \"\" {} /* j\n k */ //l\n";
        let expected = [
            vec![(0, " a"), (1, " b")],
            vec![(2, " c")],
            vec![(3, " d")],
            vec![(4, " e")],
            vec![(5, " f")],
            vec![(8, " g")],
            vec![(9, " h")],
            vec![(10, " i")],
            vec![(11, " j"), (12, " k ")],
            vec![(12, "l")],
        ];
        assert_eq!(texts(source), expected);
    }

    #[test]
    fn words_are_those_that_somebody_says() {
        let lines =
            vec![(3, " a `b` c"), (4, "\"d `e\" f` g\" h"), (5, "```"), (6, "i"), (7, "```"), (8, "j\" k")];
        let text = Prose { lines };
        let words: Vec<_> = text.words().into_iter().filter(|(_, word)| !word.starts_with('`')).collect();
        let expected = [(3, "a"), (3, "c"), (4, "h"), (8, "j`")];
        assert_eq!(words, expected.map(|(line, word)| (line, word.to_owned())));
    }

    #[test]
    fn list_items_and_rows_are_paragraphs() {
        let text = "a\nb\n\n- c\n  d\n- e\n| f |\n| g |\n";
        let found = paragraphs(text.lines().enumerate());
        let lengths: Vec<_> = found.iter().map(|paragraph| paragraph.lines.len()).collect();
        assert_eq!(lengths, [2, 1, 2, 1, 1, 1]);
    }
}
