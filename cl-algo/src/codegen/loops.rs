//! Adds a check to each end of a kernel, for devices that end loops too early.

/// The call of it.
const CALL: &str = "check_loops(fault);";

/// A template's text with the call wherever one of its kernels ends.
pub(super) fn checked(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 256);
    let mut rest = text;
    while let Some(begin) = next_kernel(rest) {
        let Some(body) = body(&rest[begin..]) else { break };
        let (from, to) = (begin + body.start, begin + body.end);
        match parameters(text, &rest[begin..from]) {
            Some(at) => {
                out.push_str(&rest[..begin + at]);
                out.push_str("PARAMETERS ");
                out.push_str(&rest[begin + at..from]);
            }
            None => out.push_str(&rest[..from]),
        }
        out.push_str(&rest[from..to].replace("return;", &format!("{{ {CALL} return; }}")));
        out.push_str("    ");
        out.push_str(CALL);
        out.push('\n');
        rest = &rest[to..];
    }
    out.push_str(rest);
    out
}

/// Where the next kernel begins.
fn next_kernel(text: &str) -> Option<usize> {
    let mut at = 0;
    text.split_inclusive('\n').find_map(|line| {
        let begin = at;
        at += line.len();
        line.trim_start().starts_with("kernel ").then_some(begin)
    })
}

/// Returns where the parameters of the kernel with this head begin, unless `PARAMETERS`, which ends with the record of
/// faults, is one of them.
fn parameters(text: &str, head: &str) -> Option<usize> {
    let has_it = |part: &str| words(part).any(|word| word == "PARAMETERS");
    if has_it(head) || words(head).filter_map(|word| definition(text, word)).any(has_it) {
        return None;
    }
    let name = head.find("void ")?;
    head[name..].find('(').map(|open| name + open + 1)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c != '_' && !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
}

/// Returns the lines that define a macro, if the text defines it.
fn definition<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let begins = |line: &str| line.strip_prefix("#define ").and_then(|rest| words(rest).next()) == Some(name);
    let mut at = 0;
    let begin = text.split_inclusive('\n').find_map(|line| {
        let begin = at;
        at += line.len();
        begins(line).then_some(begin)
    })?;
    let lines = text[begin..].split_inclusive('\n');
    let length = lines.scan(true, |follows, line| {
        let here = *follows;
        *follows = line.trim_end().ends_with('\\');
        here.then_some(line.len())
    });
    Some(&text[begin..begin + length.sum::<usize>()])
}

/// What lies between the braces of the kernel at the beginning of the text.
fn body(text: &str) -> Option<std::ops::Range<usize>> {
    let (mut depth, mut begin) = (0, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => {
                depth += 1;
                if depth == 1 {
                    begin = at + 1;
                }
            }
            b'}' if depth == 1 => return Some(begin..at),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_of_every_kernel_is_checked() {
        let text = "static void f() { return; }\nkernel void a(PARAMETERS int x)\n{\n    if (x) {\n        return;\n    }\n}\n\
                    // }\n#if 0\nkernel A((1))\nvoid b(MORE_PARAMETERS int y) {\n}\n#endif\n";
        assert_eq!(
            checked(text),
            "static void f() { return; }\nkernel void a(PARAMETERS int x)\n{\n    if (x) {\n        { check_loops(fault); \
             return; }\n    }\n    check_loops(fault);\n}\n// }\n#if 0\nkernel A((1))\nvoid b(PARAMETERS MORE_PARAMETERS int y) {\n    \
             check_loops(fault);\n}\n#endif\n"
        );
        let text = "#define ALL(k) int k, \\\n    PARAMETERS int y\nkernel void c(ALL(x))\n{\n}\n";
        assert_eq!(checked(text), text.replace("{\n", "{\n    check_loops(fault);\n"));
        assert_eq!(checked("no kernel"), "no kernel");
    }
}
