//! The texts of the folder `kernels` as definitions.

use cl_algo::codegen::library::DOUBLE_UNITS;
use cl_algo::definitions;

definitions! {
    /// Real and complex numbers.
    pub(super) static NUMBERS = shared(include_str!("kernels/numbers.cl")) {
        macros REAL NUMBER SMALLEST REAL_PART FROM_REAL CONJUGATE SIZE LARGEST ABSOLUTE SQUARE TIMES SCALED ZERO_NUMBER ONE_NUMBER HAS_RECIPROCAL;
        names product quotient reciprocal_of divided_by;
    }
    /// Exchanges of rows in local memory.
    pub(super) static ROWS = shared(include_str!("kernels/rows.cl")) {
        names keeper_of exchange_all;
        uses NUMBERS;
    }
    pub(super) static LU_PANEL = new(include_str!("kernels/lu_panel.cl")) {
        macros KEPT;
        uses NUMBERS;
    }
    pub(super) static LU_STRIP = new(include_str!("kernels/lu_strip.cl")) {
        macros FIND_BETTER;
        uses NUMBERS;
    }
    pub(super) static LU_UPDATE = new(include_str!("kernels/lu_update.cl")) {
        macros FLYING;
        uses NUMBERS ROWS;
    }
    pub(super) static EXCHANGE = new(include_str!("kernels/exchange.cl")) {
        uses NUMBERS ROWS;
    }
    pub(super) static CHOLESKY_SQUARE = new(include_str!("kernels/cholesky_square.cl")) {
        uses NUMBERS;
    }
    /// The items of a work-item of a step.
    pub(super) static CHOLESKY_ITEMS = shared(include_str!("kernels/cholesky_items.cl")) {
        macros SIDE ACROSS OWN_LINES OWN_COLUMNS PITCH IS_BELOW OWN DECLARE_OWN EACH_OWN UPDATE_OWN;
        uses NUMBERS;
    }
    /// The items of a work-item of a step, for matrix units.
    pub(super) static CHOLESKY_UNITS = shared(include_str!("kernels/cholesky_units.cl")) {
        macros WARPS TALL BROAD PITCH OWN DECLARE_OWN EACH_OWN UPDATE_OWN;
        uses NUMBERS DOUBLE_UNITS;
    }
    pub(super) static CHOLESKY_STEP = new(include_str!("kernels/cholesky_step.cl")) {
        macros LINES STEP_COLUMNS DEPTH SHARE HAS_LINE ROW_OF FETCH;
        uses CHOLESKY_ITEMS;
    }
    pub(super) static CHOLESKY_UNIT_STEP = new(include_str!("kernels/cholesky_step.cl")) {
        macros LINES STEP_COLUMNS DEPTH SHARE HAS_LINE ROW_OF FETCH;
        uses CHOLESKY_UNITS;
    }
    pub(super) static PUT_SQUARES = new(include_str!("kernels/put_squares.cl")) {
        uses NUMBERS;
    }
    pub(super) static DIVIDE = new(include_str!("kernels/divide.cl")) {
        macros AT_ONCE BLOCKS BLOCK_OF BLOCK_ITEMS SHARE;
        uses NUMBERS;
    }
    pub(super) static QR_PANEL = new(include_str!("kernels/qr_panel.cl")) {
        macros LANES SLOTS;
        uses NUMBERS;
    }
    /// Sums over a work-group, for strips.
    pub(super) static QR_SUMS = shared(include_str!("kernels/qr_sums.cl")) {
        macros SHARES PADDED PADDED_SHARES PLUS ROOM_FOR_SUMS COMBINE_SHARE COMBINE;
        names plus_product;
        uses NUMBERS;
    }
    pub(super) static QR_STRIP = new(include_str!("kernels/qr_strip.cl")) {
        macros LEAST_SQUARE MOST_SQUARE MULTIPLY_COLUMNS;
        uses NUMBERS QR_SUMS;
    }
    pub(super) static QR_APPLY = new(include_str!("kernels/qr_apply.cl")) {
        uses NUMBERS QR_SUMS;
    }
    pub(super) static QR_MERGE = new(include_str!("kernels/qr_merge.cl")) {
        macros AT;
        uses NUMBERS;
    }
    pub(super) static SOLVE = new(include_str!("kernels/solve.cl")) {
        macros OWN AHEAD;
        uses NUMBERS;
    }
    pub(super) static COPY_VECTORS = new(include_str!("kernels/copy_vectors.cl")) {
        uses NUMBERS;
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
