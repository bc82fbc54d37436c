//! Checks the sentences of comments and documents: see the section "Words" of CONTRIBUTING.md.

use super::super::comments::{self, Prose};
use super::super::file::{Offence, SourceFile};
use super::links;

/// The words that a comment must not begin with: a comment begins with a verb or with the noun that is described.
const BEGINNINGS: [&str; 5] = ["What", "That", "Whether", "So many", "So much"];

/// Checks that comments begin with a verb or a noun, and that neither comments nor documents say "is none" or "is no".
pub(super) fn sentences(files: &[SourceFile]) -> Vec<Offence> {
    let mut offences = Vec::new();
    for file in files {
        let text = file.text.as_deref().unwrap_or_default();
        let prose = match file.extension() {
            "rs" | "cl" if !file.is_golden() => comments::comments(text),
            "md" => comments::paragraphs(links::prose(text)),
            _ => continue,
        };
        for piece in &prose {
            if file.extension() != "md"
                && let Some((index, word)) = beginning(piece)
            {
                let problem = format!("begins with `{word}`: begin with a verb or a noun");
                offences.push(Offence::line(file, index, problem));
            }
            for (index, phrase) in denials(piece) {
                let problem = format!("`{phrase}`: write `not a`, `zero` or `without`");
                offences.push(Offence::line(file, index, problem));
            }
        }
    }
    offences
}

/// Returns the forbidden beginning of the comment's first line.
fn beginning(comment: &Prose<'_>) -> Option<(usize, &'static str)> {
    let (index, line) = comment.lines.first()?;
    let begins = |word: &&str| {
        let rest = line.trim_start().strip_prefix(word);
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    };
    BEGINNINGS.into_iter().find(begins).map(|word| (*index, word))
}

/// Returns every "is none" and "is no", except "is no longer" and "there is no".
fn denials(prose: &Prose<'_>) -> Vec<(usize, String)> {
    let words = prose.words();
    let mut found = Vec::new();
    for (at, pair) in words.windows(2).enumerate() {
        let [(index, verb), (_, denial)] = pair else { continue };
        let verb = verb.trim_start_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let bare = denial.trim_end_matches(|c: char| !c.is_alphanumeric());
        let is_allowed =
            at.checked_sub(1).is_some_and(|before| words[before].1.to_lowercase().ends_with("there"))
                || (bare == "no" && words.get(at + 2).is_some_and(|(_, next)| next.starts_with("longer")));
        if matches!(verb.as_str(), "is" | "are") && matches!(bare, "no" | "none") && !is_allowed {
            found.push((*index, format!("{verb} {bare}")));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        let file = SourceFile { path: path.to_owned(), text: Some(text.to_owned()) };
        sentences(&[file]).into_iter().filter_map(|offence| offence.line).collect()
    }

    #[test]
    fn comments_that_begin_with_a_pronoun_are_found() {
        let text = "//! What it is.\n//! What follows is not the first line.\n\n/// That.\nstruct A; // Whether so.\n\
                    /// So many rows.\n/// So much.\n// So much\n";
        assert_eq!(lines("a.rs", text), [1, 4, 5, 6, 8]);
        assert_eq!(lines("a.cl", "// Whether\n"), [1]);
        let fine = "/// Whatever\n/// So few\n/// What\nlet x = \"// What\";\n// So long\n";
        assert_eq!(lines("a.rs", fine), [0; 0]);
        assert_eq!(lines("a.md", "What\n"), [0; 0]);
        assert_eq!(lines("a/tests/golden/b.cl", "// What\n"), [0; 0]);
    }

    #[test]
    fn denials_are_found() {
        let text = "/// A view that is none.\n/// It is\n/// no view.\nlet x = \"is none\"; // are no more\n/* x is no y */\n";
        assert_eq!(lines("a.rs", text), [1, 2, 4, 5]);
        assert_eq!(lines("a.md", "a is none\n\n- That is\n  no good (are none)\n"), [1, 3, 4]);
    }

    #[test]
    fn other_denials_pass() {
        let text = "It is no longer; there are no rows, there is none. That is. No one `is no x` is `no`. \
                    \"is none\" is \"no\" is nobody, this no\n\nis\n\nno\n\n- is\n- no\n\n```\nis no code\n```\n";
        assert_eq!(lines("a.md", text), [0; 0]);
        assert_eq!(lines("a.toml", "# is none\n"), [0; 0]);
    }
}
