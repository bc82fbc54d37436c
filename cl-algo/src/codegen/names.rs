//! The names that OpenCL C text defines.
//!
//! This is no parser: it knows how this workspace writes its kernels. A name that it overlooks is defined twice in a
//! program of several kernels, which the compiler refuses.

/// The macros of `#define` lines.
pub(super) fn macros(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter_map(|line| line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define "))
        .map(|rest| identifier(rest.trim_start()))
        .filter(|name| !name.is_empty())
}

/// Functions that are `static inline`, also those that a macro writes out, unless it pastes their names; types and
/// tables whose definition begins, and for structs ends, in the first column; kernels.
pub(super) fn definitions(text: &str) -> impl Iterator<Item = &str> {
    let mut begin = 0;
    text.split_inclusive('\n')
        .filter_map(move |line| {
            let (at, trimmed) = (begin, line.trim_start());
            begin += line.len();
            if trimmed.starts_with("static inline ") || line.starts_with("kernel ") {
                return function(&text[at..]);
            }
            if let Some(rest) = line.strip_prefix("} ") {
                return rest.trim_end().strip_suffix(';').filter(|name| identifier(name) == *name);
            }
            if let Some(rest) = line.strip_prefix("typedef ") {
                return rest.trim_end().strip_suffix(';').map(last_identifier);
            }
            let rest = line.strip_prefix("constant ")?;
            Some(last_identifier(&rest[..rest.find(['[', '='])?]))
        })
        .filter(|name| !name.is_empty())
}

/// The name of the function whose definition the text begins with, if a macro does not paste it.
fn function(text: &str) -> Option<&str> {
    const ATTRIBUTE: &str = "__attribute__";
    let mut from = 0;
    loop {
        let bracket = from + text[from..].find('(')?;
        let name = last_identifier(&text[..bracket]);
        if name != ATTRIBUTE {
            return (!text[..bracket].trim_end_matches(name).ends_with("##")).then_some(name);
        }
        // Behind the attribute: its brackets are in pairs.
        let mut depth = 0;
        let end = text[bracket..].find(|letter| {
            depth += i32::from(letter == '(') - i32::from(letter == ')');
            depth == 0
        })?;
        from = bracket + end;
    }
}

/// The identifier that the text begins with.
fn identifier(text: &str) -> &str {
    &text[..text.find(|letter: char| !is_of_identifiers(letter)).unwrap_or(text.len())]
}

/// The identifier that the text ends with.
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
#endif
typedef struct {
    uint a;
} pair;
typedef uint word;
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
void run(global uint *x)
{
}
";

    #[test]
    fn macros_are_found() {
        assert_eq!(macros(TEXT).collect::<Vec<_>>(), ["GROUP", "ADD", "DEFINE"]);
    }

    #[test]
    fn definitions_are_found() {
        let found: Vec<&str> = definitions(TEXT).collect();
        assert_eq!(found, ["made", "pair", "word", "TABLE", "sum", "quotient", "run"]);
    }
}
