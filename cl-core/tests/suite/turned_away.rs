//! Programs that must not compile, because safe code must not be able to do the same.

#[test]
fn unsound_programs_do_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/turned_away/*.rs");
}
