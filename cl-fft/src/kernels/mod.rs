//! The files of this folder as definitions. Each definition lists the names that its file defines, and the
//! definitions that it uses.
//!
//! Each list must be complete; otherwise two kernels of one program could define a name twice. The tests of this file
//! compare the lists with the files.

use cl_algo::definitions;

definitions! {
    /// The butterflies: functions that transform a few points in registers.
    pub(crate) static BUTTERFLY = new(include_str!("butterfly.cl")) {
        macros SCALAR POINT K PASTE_ PASTE REAL DFT UNROLL BY NEEDS_5 NEEDS_7 NEEDS_8 NEEDS_9 DEFINE_ODD DEFINE_SQUARE
            DEFINE_COPRIME;
        names COS_5 SIN_5 COS_7 SIN_7 COS_9 SIN_9 COS_11 SIN_11 COS_13 SIN_13 COS_16 SIN_16 COS_25 SIN_25 COS_27
            SIN_27 COS_32 SIN_32 dft_1 dft_2 dft_3 dft_4 dft_5 dft_6 dft_7 dft_8 dft_9 dft_10 dft_11 dft_12 dft_13
            dft_14 dft_15 dft_16 dft_25 dft_27 dft_32;
    }
    /// Functions that load and store the points of lines.
    pub(crate) static ENDS = new(include_str!("ends.cl")) {
        macros SCRATCH COMPLEX REALS NUMBERS IN_STRIDE OUT_STRIDE IN_STEP OUT_STEP IN_BOUND OUT_BOUND WHOLE DIGIT
            FROM_PARAMETER FROM_ARGUMENT DIRECT_IN TO_PARAMETER TO_ARGUMENT DIRECT_OUT STORE_NUMBER UNIT_IN UNIT_OUT
            POINTS_OUT HAS_DIRECT_IN HAS_DIRECT_OUT ENDS_PARAMETERS ENDS SPLIT_POINTS S0 S1 S2 S3 S4 S5 S6 S7 W0 W1
            W2 W3 W4 W5 W6 W7;
        names line line_at times fetch given load_point put_point phase store_point mirrored;
    }
    /// The kernel in which a work-group transforms a few lines.
    pub(crate) static GROUP = new(include_str!("group.cl")) {
        macros COUNT ROUNDS OWN TURNS APART TOGETHER AFTER BEFORE NEXT_STEP FROM_HERE STEP_FROM APART_FROM_NEXT PUT GET
            SWITCH ALSO_READ REUSE EXCHANGE LOW FACTOR STAGE NEXT LAST SPLIT_ROUNDS MEET OWN_LINES MEET_ROUNDS
            MEET_OTHERS;
        uses BUTTERFLY ENDS;
    }
    /// Functions that load a block of lines into a work area, and store a block from a work area.
    pub(crate) static BLOCKS = new(include_str!("blocks.cl")) {
        macros AT AREA EXCHANGED_IN EXCHANGED_OUT VLOAD VSTORE ASK PLAIN_IN PLAIN_OUT BESIDE_IN BESIDE_OUT
            SCATTERING_STAGE OUT_SCALE;
        names lanes anywhere transpose beside_in take_beside advance beside_out put_beside gather scatter;
    }
    /// The kernel in which a work-item transforms several lines.
    pub(crate) static LANES = new(include_str!("lanes.cl")) {
        macros STAGE FROM_AREA TO_AREA FROM_LINES TO_LINES DEFINE_STAGE BEFORE_LAST DONE;
        names stages_between last_stage all_stages gathering_stage scattering_stage meet stage0 stage1 stage2 stage3
            stage4 stage5 stage6 stage7;
        uses BUTTERFLY ENDS BLOCKS;
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
