//! The kernel texts of this folder as definitions: the names that each text defines, and the definitions that it uses.
//!
//! Each text must list the names that it defines; otherwise two kernels of one program could define the same name
//! twice. The tests of this file compare the lists with the texts.

use cl_algo::definitions;

definitions! {
    /// The type of offsets.
    pub(crate) static ROWS = new(include_str!("rows.cl")) {
        names OFFSET;
    }
    /// The kernel for CPUs: each work-item has contiguous rows.
    pub(crate) static CHUNKS = new(include_str!("chunks.cl")) {
        uses ROWS;
    }
    /// The kernel that loads rows into local memory.
    pub(crate) static STAGED = new(include_str!("staged.cl")) {
        macros ROOM;
        uses ROWS;
    }
    /// The kernel in which several work-items share a row.
    pub(crate) static LANES = new(include_str!("lanes.cl")) {
        macros STEPS ROOM PLACE;
        uses ROWS;
    }
    /// The kernel for rows of very different lengths.
    pub(crate) static MERGE = new(include_str!("merge.cl")) {
        macros TILE_ITEMS MOST_LANES MOST_STEPS PLACE WALK;
        uses ROWS;
    }
    /// The kernel for slices of sorted rows.
    pub(crate) static SELL = new(include_str!("sell.cl")) {
        uses ROWS;
    }
    /// The kernel for products with several vectors.
    pub(crate) static MANY = new(include_str!("many.cl")) {
        macros BLOCK STEPS;
        uses ROWS;
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
