//! Makes structs and unions `volatile`, for devices that lose writes to them.
//!
//! Mesa 22 forgets a write to a struct if the struct is copied as a whole and then written again, in the same
//! stretch of code, which may be one of a loop that was unrolled. `kernels/probe.cl` tries this. The compiler
//! keeps writes to `volatile` memory. Members have to be `volatile` besides their struct: a struct without a name
//! of its own, such as the result of a function, is not `volatile` itself.

/// Returns a program's text in which each struct, each union and each of their members is `volatile`.
pub(super) fn volatile(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    // The braces that are open: whether each of them opened the body of a struct or a union.
    let mut open: Vec<bool> = Vec::new();
    let (mut rest, mut begins_body) = (text, false);
    while let Some(first) = rest.chars().next() {
        let length = comment(rest).or_else(|| word(rest)).unwrap_or(first.len_utf8());
        let (token, behind) = rest.split_at(length);
        rest = behind;
        if token == "struct" || token == "union" {
            out.push_str("volatile ");
            begins_body = true;
        }
        out.push_str(token);
        match token {
            "{" => {
                open.push(begins_body);
                begins_body = false;
            }
            "}" => drop(open.pop()),
            // The struct has no body here: it was defined elsewhere.
            ";" | ")" | "=" => begins_body = false,
            _ => {}
        }
        let in_body = open.last() == Some(&true);
        if in_body && (token == "{" || token == ";") && begins_plain_member(rest) {
            out.push_str(" volatile ");
        }
    }
    out
}

/// Returns the length of the comment or the conditional of the preprocessor that the text begins with.
fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") || text.starts_with("#if") || text.starts_with("#e") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    text.starts_with("/*").then(|| text.find("*/").map_or(text.len(), |end| end + 2))
}

/// Returns the length of the word that the text begins with.
fn word(text: &str) -> Option<usize> {
    let is_part = |c: char| c == '_' || c.is_ascii_alphanumeric();
    let length = text.find(|c| !is_part(c)).unwrap_or(text.len());
    (length > 0).then_some(length)
}

/// Returns whether a member's declaration follows that is not of a struct or a union, which is `volatile` anyway.
fn begins_plain_member(mut text: &str) -> bool {
    loop {
        text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\\');
        match comment(text) {
            Some(length) => text = &text[length..],
            None => break,
        }
    }
    word(text).is_some_and(|length| !matches!(&text[..length], "struct" | "union"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structs_and_their_members_become_volatile() {
        for (text, expected) in [
            ("int f(int x) { int y; return x; }", "int f(int x) { int y; return x; }"),
            (
                "typedef struct { uint a; ulong b[2]; } item;",
                "typedef volatile struct { volatile  uint a; volatile  ulong b[2]; } item;",
            ),
            (
                "typedef struct {\n    uint a; // one; of two\n    // the other\n    uint b;\n} item;",
                "typedef volatile struct { volatile \n    uint a; volatile  // one; of two\n    // the other\n    \
                 uint b;\n} item;",
            ),
            (
                "#define U(T) typedef union { \\\n T v; \\\n uint w[(sizeof(T) + 3) / 4]; \\\n } T##_w",
                "#define U(T) typedef volatile union { volatile  \\\n T v; volatile  \\\n uint w[(sizeof(T) + 3) / 4]; \
                 \\\n } T##_w",
            ),
            (
                "typedef struct { union { uint a; } u;\n#if X\nuint b;\n#endif\n} item;",
                "typedef volatile struct { volatile union { volatile  uint a; } u; volatile \n#if X\nuint b;\n#endif\n} \
                 item;",
            ),
            (
                "const union { uint2 p; uint i[2]; } x = { .p = y }; if (z) { f(); }",
                "const volatile union { volatile  uint2 p; volatile  uint i[2]; } x = { .p = y }; if (z) { f(); }",
            ),
            (
                "struct other f(struct other *x) { int y; }",
                "volatile struct other f(volatile struct other *x) { int y; }",
            ),
            ("// a struct {\nint x;", "// a struct {\nint x;"),
        ] {
            assert_eq!(volatile(text), expected);
        }
    }

    /// Returns whether a line declares a parameter that is a struct and not `const`, behind `PARAMETERS`.
    fn changes_a_struct(line: &str) -> bool {
        let is_given = |part: &&str| !part.is_empty() && !["PARAMETERS", "OUTPUTS"].contains(part);
        let ends = |part: &&str| part.ends_with([',', ')']);
        line.contains("PARAMETERS")
            && line.split_inclusive(['(', ',', ')']).filter(ends).any(|parameter| {
                let words: Vec<&str> = parameter.split([' ', ',', ')']).filter(is_given).collect();
                matches!(words[..], ["ITEM" | "CARRIED" | "run_total" | "tile_message", name]
                    if name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric()))
            })
    }

    /// On Mesa 22 a parameter that is a struct shares its memory with the caller's variable, so no function may change
    /// one.
    #[test]
    fn no_kernel_changes_a_parameter_that_is_a_struct() {
        for (line, changes) in [
            ("void f(PARAMETERS ITEM value, const uint me)", true),
            ("void f(PARAMETERS OUTPUTS const INDEX begin, run_total carry)", true),
            ("void f(PARAMETERS const ITEM value, ITEM *total, local ITEM *room)", false),
        ] {
            assert_eq!(changes_a_struct(line), changes, "{line}");
        }
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/kernels");
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            for line in text.lines() {
                assert!(!changes_a_struct(line), "{path:?}: {line}");
            }
        }
    }
}
