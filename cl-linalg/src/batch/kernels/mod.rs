//! The kernel texts of this folder as definitions: the names that each text defines, and the definitions that it uses.

use cl_algo::definitions;

definitions! {
    /// Small matrices in private or local memory.
    pub(crate) static SMALL_MATRIX = new(include_str!("small_matrix.cl")) {
        macros PASTE_ PASTE REAL FLAG REALS FLAGS CHOOSE LANE RE SYNC ROOM ROOMS_OF_WORKERS FOR_EACH_MATRIX EACH_ELEMENT
            FOR_OWN SET_LANE ITEM_OF_LANE FETCH PUT FETCH_ALL PUT_ALL PUT_COUNT NOT_FINITE RECORD;
        names NUMBER number_of conjugate_of times minus_product product_of chosen size_of square_of inverse_of;
    }
    /// Cholesky factors of small matrices.
    pub(crate) static SMALL_CHOLESKY = new(include_str!("small_cholesky.cl")) {
        uses SMALL_MATRIX;
    }
    /// Gaussian elimination of small matrices.
    pub(crate) static SMALL_LU = new(include_str!("small_lu.cl")) {
        macros FACTORS SOLUTIONS INVERSES DETERMINANTS EXCHANGE SWAP SWAP_IMAGINARY;
        uses SMALL_MATRIX;
    }
    /// Householder's factorisation of small matrices.
    pub(crate) static SMALL_QR = new(include_str!("small_qr.cl")) {
        uses SMALL_MATRIX;
    }
    /// Small triangular systems.
    pub(crate) static SMALL_TRIANGLES = new(include_str!("small_triangles.cl")) {
        macros ELEMENT SUBSTITUTE;
        uses SMALL_MATRIX;
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
