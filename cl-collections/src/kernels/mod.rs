//! The kernel texts of this folder as definitions: the names that each text defines, and the definitions that it uses.

use cl_algo::definitions;

definitions! {
    /// Copies pieces of bytes.
    pub(crate) static COPY_PIECES = new(include_str!("copy_pieces.cl")) {
        macros BLOCK;
        names piece_at;
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
