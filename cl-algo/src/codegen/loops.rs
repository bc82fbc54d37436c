//! Kernels for devices that end loops too early: they look at their end whether that happened.

/// The function that looks, behind `kernels/index.cl`.
pub(super) const CHECK: &str = include_str!("../kernels/loops.cl");

/// The call of it.
const CALL: &str = "check_loops(fault);";

/// A template's text with the call wherever one of its kernels ends.
pub(super) fn checked(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 256);
    let mut rest = text;
    while let Some(begin) = next_kernel(rest) {
        let Some(body) = body(&rest[begin..]) else { break };
        let (from, to) = (begin + body.start, begin + body.end);
        out.push_str(&rest[..from]);
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
        let text = "static void f() { return; }\nkernel void a(int x)\n{\n    if (x) {\n        return;\n    }\n}\n\
                    // }\n#if 0\nkernel void b() {\n}\n#endif\n";
        assert_eq!(
            checked(text),
            "static void f() { return; }\nkernel void a(int x)\n{\n    if (x) {\n        { check_loops(fault); \
             return; }\n    }\n    check_loops(fault);\n}\n// }\n#if 0\nkernel void b() {\n    \
             check_loops(fault);\n}\n#endif\n"
        );
        assert_eq!(checked("no kernel"), "no kernel");
    }
}
