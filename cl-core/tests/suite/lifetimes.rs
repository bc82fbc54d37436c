//! The borrow checker's guarantees about device memory: programs that must not compile.

#[test]
fn borrows_are_kept() {
    trybuild::TestCases::new().compile_fail("tests/lifetimes/*.rs");
}
