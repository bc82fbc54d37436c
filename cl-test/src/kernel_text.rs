//! Checks of the OpenCL C of kernels: lists of names are complete, and the marks that generated programs rely
//! on are set.
//!
//! This is not a parser: it relies on how this workspace writes its kernels.

use std::collections::BTreeSet;

/// Checks the text of `definition`: compares the names that the text defines with the lists of macros and of
/// other names, and looks for [marks](missing_marks).
///
/// # Panics
/// - When the text defines a macro, a function, a type or a table that is not listed.
/// - When a macro is listed that the text does not define.
/// - When a mark is missing.
///
/// Names that macros paste together are not checked.
pub fn check(definition: &str, text: &str, listed_macros: &[&str], listed_names: &[&str]) {
    let found = |name: &&str| !name.starts_with("__");
    let defined: BTreeSet<&str> = macros(text).filter(found).collect();
    let listed: BTreeSet<&str> = listed_macros.iter().copied().collect();
    let missing: Vec<_> = defined.symmetric_difference(&listed).collect();
    assert!(
        missing.is_empty(),
        "{definition}: macros are defined and not listed, or listed and not defined: {missing:?}"
    );
    let kernels: Vec<&str> = kernels(text).collect();
    let missing: Vec<_> = names(text)
        .filter(|name| !listed_names.contains(name) && !listed.contains(name) && !kernels.contains(name))
        .collect();
    assert!(missing.is_empty(), "{definition}: names are defined and not listed: {missing:?}");
    let missing = missing_marks(text);
    assert!(missing.is_empty(), "{definition}: {missing:?}");
}

/// Returns the marks that a text lacks and generated programs rely on: each struct, each union and each of
/// their members begins with `VOLATILE`, each end of a kernel is `RETURN;`, and a kernel's parameters begin
/// with `PARAMETERS`.
#[must_use]
pub fn missing_marks(text: &str) -> Vec<String> {
    let mut missing = Vec::new();
    // One entry for each open brace: `true` if the brace opened the body of a struct or a union.
    let mut open: Vec<bool> = Vec::new();
    let (mut begins_body, mut begins_member, mut before) = (false, false, "");
    for token in tokens(text) {
        let is_aggregate = token == "struct" || token == "union";
        if is_aggregate && before != "VOLATILE" {
            missing.push(format!("`{before} {token}` is not `VOLATILE`"));
        }
        if begins_member && !["VOLATILE", "}"].contains(&token) {
            missing.push(format!("the member that begins with `{token}` is not `VOLATILE`"));
        }
        begins_body |= is_aggregate;
        match token {
            "{" => open.push(std::mem::take(&mut begins_body)),
            "}" => drop(open.pop()),
            // The struct has no body here, because it was defined elsewhere.
            ";" | ")" | "=" => begins_body = false,
            _ => {}
        }
        begins_member = (token == "{" || token == ";") && open.last() == Some(&true);
        before = token;
    }
    for rest in beginnings(text).filter(|rest| rest.starts_with("kernel ")) {
        let name = function(rest).unwrap_or_default();
        let (Some(opens), Some(end)) = (rest.find('{'), rest.find("\n}")) else {
            missing.push(format!("kernel `{name}` has no body that ends in the first column"));
            continue;
        };
        let (head, body) = (&rest[..opens], &rest[opens..end]);
        if !head.contains("PARAMETERS ") {
            missing.push(format!("the parameters of kernel `{name}` do not begin with `PARAMETERS`"));
        }
        if !body.ends_with("\n    RETURN;") || body.contains("return;") {
            missing.push(format!("not each end of kernel `{name}` is `RETURN;`"));
        }
    }
    missing
}

/// Returns the tokens of OpenCL C, words and other characters. Leaves out comments, white space, and the
/// lines of `#if`, `#else`, `#endif` and the like.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            rest = rest.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '\\');
            let first = rest.chars().next()?;
            let skipped = if ["//", "#if", "#e"].iter().any(|begin| rest.starts_with(begin)) {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            } else {
                let length = identifier(rest).len().max(first.len_utf8());
                let (token, behind) = rest.split_at(length);
                rest = behind;
                return Some(token);
            };
            rest = &rest[skipped..];
        }
    })
}

/// Returns the macros of `#define` lines.
fn macros(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter_map(|line| line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define "))
        .map(|rest| identifier(rest.trim_start()))
        .filter(|name| !name.is_empty())
}

/// Returns the names of the kernels.
fn kernels(text: &str) -> impl Iterator<Item = &str> {
    beginnings(text).filter(|rest| rest.starts_with("kernel ")).filter_map(function)
}

/// Returns the names of functions, types and tables. Functions begin with `static inline` or `INLINE`, also
/// in macros; names that a macro pastes are left out. Types and tables begin in the first column. The closing
/// brace of a struct, before its name, is in the first column, too.
fn names(text: &str) -> impl Iterator<Item = &str> {
    beginnings(text).filter_map(|rest| {
        let line = rest.lines().next().unwrap_or_default();
        let trimmed = line.trim_start();
        if ["static inline ", "INLINE "].iter().any(|begin| trimmed.starts_with(begin)) {
            return function(rest);
        }
        if let Some(rest) = line.strip_prefix("} ") {
            return rest.trim_end().strip_suffix(';').filter(|name| identifier(name) == *name);
        }
        if let Some(rest) = line.strip_prefix("typedef ") {
            let named = rest.trim_end().strip_suffix(';')?;
            return Some(last_identifier(named.split(" __attribute__").next().unwrap_or_default()));
        }
        let rest = line.strip_prefix("constant ")?;
        Some(last_identifier(&rest[..rest.find(['[', '='])?]))
    })
}

/// Returns the rest of the text from the beginning of each line on.
fn beginnings(text: &str) -> impl Iterator<Item = &str> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let begin = at;
        at += line.len();
        &text[begin..]
    })
}

/// Returns the name of the function whose definition the text begins with. Returns `None` if the name is
/// pasted by a macro or is the argument of a macro.
fn function(text: &str) -> Option<&str> {
    const ATTRIBUTE: &str = "__attribute__";
    let mut from = 0;
    loop {
        let bracket = from + text[from..].find('(')?;
        let name = last_identifier(&text[..bracket]);
        // The position behind the closing bracket.
        let mut depth = 0;
        let end = bracket
            + text[bracket..].find(|letter| {
                depth += i32::from(letter == '(') - i32::from(letter == ')');
                depth == 0
            })?;
        if name != ATTRIBUTE {
            let pastes =
                text[..bracket].trim_end_matches(name).ends_with("##") || text[end + 1..].starts_with('(');
            return (!pastes).then_some(name);
        }
        from = end;
    }
}

/// Returns the identifier that the text begins with.
fn identifier(text: &str) -> &str {
    &text[..text.find(|letter: char| !is_of_identifiers(letter)).unwrap_or(text.len())]
}

/// Returns the identifier that the text ends with.
fn last_identifier(text: &str) -> &str {
    let text = text.trim_end();
    let begin = text.rfind(|letter: char| !is_of_identifiers(letter)).map_or(0, |at| at + 1);
    &text[begin..]
}

fn is_of_identifiers(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
#define GROUP 64
  # define ADD(a, b) ((a) + (b))
#if GROUP > 1
#define DEFINE(n, type)              \\
    static inline type made(type x)  \\
    {                                \\
    }                                \\
    static inline void dft_##n(int k)
static inline void DFT(2)(int k)
#endif
typedef VOLATILE struct {
    VOLATILE uint a;
} pair;
typedef uint word;
typedef uint near __attribute__((aligned(1)));
constant float TABLE[2] = { 1, 2 };
static inline uint2 sum(const pair p) { return call(p); }
static inline float __attribute__((overloadable))
quotient(const float a)
{
    typedef int not_here;
    if (a) {
    }
}
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void run(PARAMETERS global uint *x)
{
    if (x) {
        RETURN;
    }
    RETURN;
}
";
    const MACROS: [&str; 3] = ["GROUP", "ADD", "DEFINE"];
    const NAMES: [&str; 7] = ["made", "pair", "word", "near", "TABLE", "sum", "quotient"];

    #[test]
    fn names_are_found() {
        assert_eq!(macros(TEXT).collect::<Vec<_>>(), MACROS);
        assert_eq!(names(TEXT).collect::<Vec<_>>(), NAMES);
        assert_eq!(kernels(TEXT).collect::<Vec<_>>(), ["run"]);
        check("TEXT", TEXT, &MACROS, &NAMES);
    }

    #[test]
    #[should_panic(expected = "macros are defined and not listed")]
    fn a_macro_that_is_not_listed_is_found() {
        check("TEXT", TEXT, &MACROS[1..], &NAMES);
    }

    #[test]
    #[should_panic(expected = "names are defined and not listed: [\"quotient\"]")]
    fn a_function_that_is_not_listed_is_found() {
        check("TEXT", TEXT, &MACROS, &NAMES[..6]);
    }

    #[test]
    fn missing_marks_are_found() {
        assert!(missing_marks(TEXT).is_empty());
        for (marked, bare) in [
            ("VOLATILE struct", "struct"),
            ("    VOLATILE uint a", "    uint a"),
            ("        RETURN;", "        return;"),
            ("    RETURN;\n}\n", "}\n"),
            ("run(PARAMETERS ", "run("),
        ] {
            let text = TEXT.replacen(marked, bare, 1);
            assert_ne!(text, TEXT);
            assert_eq!(missing_marks(&text).len(), 1, "{bare}");
        }
        let nested = "VOLATILE union { // of two\n VOLATILE struct { VOLATILE uint a; } b;\n#if X\n VOLATILE uint c;\n#endif\n }";
        assert!(missing_marks(nested).is_empty());
        assert_eq!(missing_marks(&nested.replace("VOLATILE uint c", "uint c")).len(), 1);
        assert!(missing_marks("VOLATILE struct other f(const uint x) { int y; return x; }").is_empty());
    }
}
