//! The kernel text of this folder as a definition.

use cl_algo::definitions;

definitions! {
    /// One-sided Jacobi rotations.
    pub(crate) static JACOBI = new(include_str!("jacobi.cl")) {
        macros REAL LEAST_SQUARE PARTIAL TOTAL;
        names next_position total_of;
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn definitions_list_their_names_and_have_their_marks() {
        for (name, definition) in super::ALL {
            cl_test::kernel_text::check(name, definition.text(), definition.macros(), definition.names());
        }
    }
}
