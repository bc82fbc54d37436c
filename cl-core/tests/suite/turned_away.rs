//! Programs that must not compile: what safe code cannot reach.

#[test]
fn unsound_programs_do_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/turned_away/*.rs");
}
