//! The lists of names, compared with the texts.

#[test]
fn definitions_list_their_names_and_have_their_marks() {
    for (name, definition) in super::ALL {
        cl_test::kernel_text::check(name, definition.text(), definition.macros(), definition.names());
    }
}

/// Returns whether a line declares, after `PARAMETERS`, a parameter that is a struct and not `const`.
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

/// Checks that no function changes a parameter that is a struct. On Mesa 22 the parameter shares its memory with
/// the caller's variable.
#[test]
fn no_kernel_changes_a_parameter_that_is_a_struct() {
    for (line, changes) in [
        ("void f(PARAMETERS ITEM value, const uint me)", true),
        ("void f(PARAMETERS OUTPUTS const INDEX begin, run_total carry)", true),
        ("void f(PARAMETERS const ITEM value, ITEM *total, local ITEM *room)", false),
    ] {
        assert_eq!(changes_a_struct(line), changes, "{line}");
    }
    for (name, definition) in super::ALL {
        for line in definition.text().lines() {
            assert!(!changes_a_struct(line), "{name}: {line}");
        }
    }
}
