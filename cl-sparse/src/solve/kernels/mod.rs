//! The kernel texts of this folder as definitions: the names that each text defines, and the definitions that it uses.
//!
//! Each text must list the names that it defines; otherwise two kernels of one program could define the same name
//! twice. The tests of this file compare the lists with the texts.

use cl_algo::codegen::library::{GROUP_SUMS, INLINE, LAST_GROUP};
use cl_algo::definitions;

definitions! {
    /// The state of a solver: the numbers that a step stores for later steps.
    pub(crate) static BEGIN = new(include_str!("begin.cl")) {
        macros REAL SMALLEST JOIN_ JOIN REAL_PACK TO_REAL_PACK SUM SUM_PACK RESTRICT INTO LAST REASON DONE ZERO RESIDUAL
            THRESHOLD OWN HISTORY RUNNING CONVERGED NOT_FINITE INDEFINITE INDEFINITE_PRECONDITIONER BREAKDOWN SQUARE;
        names slot stop note commence;
        uses INLINE;
    }
    /// The macros of `element_pack`, which works on a pack of elements.
    pub(crate) static PACKS = new(include_str!("packs.cl")) {
        macros VALUE WIDE WIDEN NAMED LOADED SIDE FACTOR AT;
        uses BEGIN;
    }
    /// The macros of `element_item`, which works on a single element.
    pub(crate) static ITEMS = new(include_str!("items.cl")) {
        macros VALUE WIDE WIDEN NAMED LOADED SIDE FACTOR AT;
        uses BEGIN;
    }
    /// The work on packs of elements.
    pub(crate) static CG_PACKS = new(include_str!("cg.cl")) {
        macros VECTORS VECTOR_ARGUMENTS START PRODUCT UPDATE DIRECTION ENERGY FIRST CLEAR ALPHA BETA RZ;
        names element_pack;
        uses PACKS;
    }
    /// The work on single elements.
    pub(crate) static CG_ITEMS = new(include_str!("cg.cl")) {
        macros VECTORS VECTOR_ARGUMENTS START PRODUCT UPDATE DIRECTION ENERGY FIRST CLEAR ALPHA BETA RZ;
        names element_item;
        uses ITEMS;
    }
    /// The function that computes the state of conjugate gradients from the sums of a step.
    pub(crate) static CG_DECIDE = new(include_str!("cg_decide.cl")) {
        names weigh decide;
    }
    /// The kernel for the steps of conjugate gradients.
    pub(crate) static CG = new(include_str!("step.cl")) {
        macros IS_DUE CHAINS PACK_SUM ITEM_SUM RESTRICT;
        names work;
        uses CG_PACKS CG_ITEMS CG_DECIDE GROUP_SUMS LAST_GROUP;
    }
    /// The work on packs of elements.
    pub(crate) static BICGSTAB_PACKS = new(include_str!("bicgstab.cl")) {
        macros VECTORS VECTOR_ARGUMENTS START PRODUCT HALF STABILIZE UPDATE DIRECTION CLEAR ALPHA OMEGA BETA RHO
            HALF_SUM HALFWAY SHADOW_PRODUCT;
        names element_pack;
        uses PACKS;
    }
    /// The work on single elements.
    pub(crate) static BICGSTAB_ITEMS = new(include_str!("bicgstab.cl")) {
        macros VECTORS VECTOR_ARGUMENTS START PRODUCT HALF STABILIZE UPDATE DIRECTION CLEAR ALPHA OMEGA BETA RHO
            HALF_SUM HALFWAY SHADOW_PRODUCT;
        names element_item;
        uses ITEMS;
    }
    /// The function that computes the state of BiCGStab from the sums of a step.
    pub(crate) static BICGSTAB_DECIDE = new(include_str!("bicgstab_decide.cl")) {
        names decide;
    }
    /// The kernel for the steps of BiCGStab.
    pub(crate) static BICGSTAB = new(include_str!("step.cl")) {
        macros IS_DUE CHAINS PACK_SUM ITEM_SUM RESTRICT;
        names work;
        uses BICGSTAB_PACKS BICGSTAB_ITEMS BICGSTAB_DECIDE GROUP_SUMS LAST_GROUP;
    }
    /// The indices of the numbers that only GMRES has.
    pub(crate) static GMRES_NUMBERS = new(include_str!("gmres_numbers.cl")) {
        macros COLUMNS WIDTH AGAIN SCALE H PART G Y COSINE SINE R NOISE;
        uses BEGIN;
    }
    /// The work on packs of elements.
    pub(crate) static GMRES_PACKS = new(include_str!("gmres.cl")) {
        macros VECTORS VECTOR_ARGUMENTS NUMBERS START RESTART NORMALIZE PRODUCT SUBTRACT SUBTRACT_AGAIN COMBINE ADD
            CLEAR IS_DUE;
        names element_pack;
        uses GMRES_NUMBERS PACKS;
    }
    /// The work on single elements.
    pub(crate) static GMRES_ITEMS = new(include_str!("gmres.cl")) {
        macros VECTORS VECTOR_ARGUMENTS NUMBERS START RESTART NORMALIZE PRODUCT SUBTRACT SUBTRACT_AGAIN COMBINE ADD
            CLEAR IS_DUE;
        names element_item;
        uses ITEMS;
    }
    /// The functions that compute the state of GMRES from the sums of a step.
    pub(crate) static GMRES_DECIDE = new(include_str!("gmres_decide.cl")) {
        names begin_basis end_column decide;
    }
    /// The kernel for the steps of GMRES.
    pub(crate) static GMRES = new(include_str!("step.cl")) {
        macros IS_DUE CHAINS PACK_SUM ITEM_SUM RESTRICT;
        names work;
        uses GMRES_NUMBERS GMRES_PACKS GMRES_ITEMS GMRES_DECIDE GROUP_SUMS LAST_GROUP;
    }
    /// The kernel for the inner products of a new vector with the vectors of the basis.
    pub(crate) static GMRES_PROJECT = new(include_str!("gmres_project.cl")) {
        macros AT_PACK;
        names share;
        uses GMRES_NUMBERS GROUP_SUMS LAST_GROUP;
    }
    /// The kernel that solves the triangular system at the end of a cycle.
    pub(crate) static GMRES_TRIANGLE = new(include_str!("gmres_triangle.cl")) {
        uses GMRES_NUMBERS;
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
