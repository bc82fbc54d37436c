//! The texts of this folder as definitions: the names that each text defines, and the definitions that it uses.
//!
//! A text must list every name that it defines, because otherwise two kernels of one program could define it twice. Tests
//! compare the lists with the texts.

use crate::definitions;

definitions! {
    /// The division of a range of elements among work-items.
    pub(crate) static SHAPE = new(include_str!("shape.cl")) {
        macros TILE_PACKS TILE CUT FOR_EACH_TILE PUT_PACK STREAM_PACK;
    }
    /// Indices that data choose, and the record of out-of-range indices.
    pub(crate) static INDEX = shared(include_str!("index.cl")) {
        names fault_record record_fault checked_index may_write;
    }
    /// The check for devices that end loops too early.
    pub(crate) static LOOPS = shared(include_str!("loops.cl")) {
        names check_loops;
        uses INDEX;
    }
    /// Neighbours in a vector.
    pub(crate) static NEIGHBOUR = shared(include_str!("neighbour.cl")) {
        names clamped_neighbour wrapped_neighbour is_inside;
    }
    /// Complex numbers.
    pub(crate) static COMPLEX = shared(include_str!("complex.cl")) {
        macros DEFINE_COMPLEX;
        names complex_multiply complex_quotient_part complex_quotient complex_quotient_of_limits complex_divide
            complex_remainder complex_exp;
    }
    /// Built-in functions that a driver gets wrong.
    pub(crate) static CORRECTED = shared(include_str!("corrected.cl")) {
        macros DEFINE_LGAMMA_R;
        names corrected_mad_sat corrected_lgamma_r corrected_sqrt_normal;
    }
    /// Numbers rounded to shorter formats.
    pub(crate) static ROUNDED = shared(include_str!("rounded.cl")) {
        macros DEFINE_ROUNDED;
        names without_bits rounded_to_tf32 rounded_to_bf16 rounded_to_f16;
    }
    /// Packs of more than four small numbers.
    pub(crate) static SMALL_PACKS = shared(include_str!("small_packs.cl")) {
        macros GET_SMALL PUT_SMALL;
        names kept_uint2 kept_uint4;
    }
    /// Exchange of values among the work-items of a sub-group.
    pub static SUBGROUP = new(include_str!("subgroup.cl")) {
        macros LANE_BIT LANES_BELOW LANES_UP_TO FIRST_LANE LAST_LANE IN_SUBGROUPS SUBGROUP_LANE STAY_APART FORGET VOTE SUBGROUP_BARRIER EXCHANGED;
        names lane_mask word_from_below word_from_lane own_lane vote scan_lanes carried_words carried_from_below
            carried_from_lane;
    }
    /// Scan of the totals of the sub-groups of a work-group.
    pub static GROUP_SCAN = new(include_str!("group_scan.cl")) {
        macros SUBGROUPS OWN_SUBGROUP ROW_PLACE ALSO_READ BELOW;
        names scan_subgroups;
        uses SUBGROUP;
    }
    /// Messages: words by which work-groups of one launch exchange values.
    pub(crate) static MESSAGE = new(include_str!("message.cl")) {
        macros WRITE_MESSAGE READ_MESSAGE WRITE_MESSAGES READ_MESSAGES;
    }
    /// Decoupled look-back: the combined totals of the tiles before a tile, in one launch.
    pub static LOOK_BACK = new(include_str!("look_back.cl")) {
        macros WORDS IN_TWOS TOTAL PREFIX PUBLISHED;
        names tile_total publish peek tile_message follow_chain complete_block look_back tell_total find_prefix
            compute_missing;
        uses SUBGROUP MESSAGE TAKE_TILE;
    }
    /// The work-group that finishes last.
    pub static LAST_GROUP = new(include_str!("last_group.cl")) {
        macros DEVICE_FENCE;
        names is_last_group;
    }
    /// The beginning of functions that are always inlined. PoCL 3.1, or its LLVM 15, crashes if it may inline large
    /// ones later.
    pub static INLINE = new("#define INLINE __attribute__((always_inline)) static inline\n") {
        macros INLINE;
    }
    /// The number of work-items that combine the values of a work-group in the first of two steps. The second
    /// step combines the results of these work-items.
    pub static FOLDERS = new("#define FOLDERS (GROUP < 16 ? GROUP : 16)\n") {
        macros FOLDERS;
    }
    /// Sums of the values of a work-group's work-items.
    pub static GROUP_SUMS = new(include_str!("group_sums.cl")) {
        names sum_pack sum_group;
        uses INLINE FOLDERS;
    }
    /// The tiles of work-groups, in the order in which groups begin or by their numbers.
    pub(crate) static TAKE_TILE = new(include_str!("take_tile.cl")) {
        macros TAKE_TILE;
        names take_tile;
    }
    /// Counts of packs, and ranks computed from them.
    pub static ROW_COUNTS = new(include_str!("row_counts.cl")) {
        macros ROWS_TOGETHER PART_BITS PART;
        names rank_packs;
        uses SUBGROUP;
    }
    /// Elementwise evaluation.
    pub(crate) static ASSIGN = new(include_str!("assign.cl")) {}
    /// Packs of an index space that begin at any element.
    pub(crate) static LOOSE_PACKS = shared(include_str!("loose_packs.cl")) {
        macros LOOSE_PACK;
    }
    /// Division by the extents of an index space.
    pub(crate) static SPACE = shared(include_str!("space.cl")) {
        names divided;
    }
    /// Elementwise evaluation of an index space with several axes.
    pub(crate) static ASSIGN_ROWS = new(include_str!("assign_rows.cl")) {
        uses SPACE;
    }
    /// Elementwise evaluation of an index space whose items read neighbours in other rows.
    pub(crate) static ASSIGN_TILES = new(include_str!("assign_tiles.cl")) {
        macros LINES;
        uses SPACE;
    }
    /// Elementwise evaluation of an index space with inputs that are contiguous across rows.
    pub(crate) static ASSIGN_BLOCKS = new(include_str!("assign_blocks.cl")) {
        macros BLOCK_STRIDE BLOCK_ALIGNMENT BLOCKS_READ PREFETCHES PREFETCH FILL_BLOCK;
        uses SPACE TRANSPOSE;
    }
    /// Elementwise evaluation of an index space whose items read neighbours of another expression's items.
    pub(crate) static ASSIGN_LAYERS = new(include_str!("assign_layers.cl")) {
        macros LINE KEEP_PACK KEEP_ITEM;
        uses SPACE;
    }
    /// Transpositions in registers.
    pub(crate) static TRANSPOSE = new(include_str!("transpose.cl")) {
        macros LINE_AT TRANSPOSE_4 LOW_ITEMS HIGH_ITEMS LOW_PAIRS HIGH_PAIRS TRANSPOSE_8;
    }
    /// Reduction along axes of an index space.
    pub(crate) static FOLD_AXES = new(include_str!("fold_axes.cl")) {
        macros DECLARE_PIECE FOLLOW FOLLOW_PACK ROWS_AT_ONCE FOLD_NEXT FOLD_ROWS FOLD_OUTPUTS PUT_PACK_OF PUT_ITEM_OF;
        names fold_items fold_packs fold_row put_pack;
        uses SPACE PARTS;
    }
    /// The copy of a matrix into panels.
    pub(crate) static PACK_PANELS = new(include_str!("pack_panels.cl")) {
        macros UNITS_OF_STEP PADDED COPY_LINES;
        uses SPACE;
    }
    /// Products of matrices in panels.
    pub(crate) static CONTRACT = new(include_str!("contract.cl")) {
        macros SPLAT PUT_ROW PACKS_ACROSS PACK_STEP LEFT_LINE RIGHT_LINE LEFT_PACKS RIGHT_PACKS LEFT_SHARE RIGHT_SHARE
            WORK_DOWN PACKS_DOWN FETCH KEEP PREFETCHED PREFETCH_PART LEFT_IS_LOWER LEFT_IS_UPPER RIGHT_IS_LOWER RIGHT_IS_UPPER
            OUTPUT_IS_LOWER
            OUTPUT_IS_UPPER HAS INNER_FIRST INNER_LAST IS_LEFT_OUT BALANCED;
        uses SPACE;
    }
    /// The half of a product that is computed.
    pub(crate) static OUTPUT_HALF = new(include_str!("output_half.cl")) {
        macros IS_STORED IS_LEFT_OUT;
    }
    /// Matrix units for doubles.
    pub static DOUBLE_UNITS = shared(include_str!("double_units.cl")) {
        macros UNIT_LINE UNIT_STEP MULTIPLY_TILES;
    }
    /// Matrix units.
    pub(crate) static MATRIX_UNITS = new(include_str!("matrix_units.cl")) {
        macros UNIT UNIT_FORMAT MULTIPLY_UNITS;
        names unit_word;
        uses DOUBLE_UNITS;
    }
    /// The kernel that tests matrix units.
    pub(crate) static MATRIX_UNITS_TEST = new(include_str!("matrix_units_test.cl")) {
        macros UNIT_NUMBERS TEST_UNIT;
        uses MATRIX_UNITS;
    }
    /// Matrix units for numbers of 19 bits or fewer.
    pub(crate) static FRAGMENTS = new(include_str!("fragments.cl")) {
        macros WARP_GROUP AT_ONCE FRAGMENT_LINE FRAGMENT_COLUMN FRAGMENT_FORMAT FRAGMENT_ORDER FRAGMENTS_AT
            EIGHT_TOTALS FRAGMENT_TOTALS TOTAL_NAMES MULTIPLY_FRAGMENTS BEGIN_PRODUCTS COMMIT_PRODUCTS AWAIT_PRODUCTS
            SETTLE_TOTALS LEFT_NAME RIGHT_NAME IS_ADDED_NAME;
        target "sm_90a";
    }
    /// The kernel that tests these matrix units.
    pub(crate) static FRAGMENTS_TEST = new(include_str!("fragments_test.cl")) {
        names number_bits put_test_chunk;
        uses FRAGMENTS;
    }
    /// The copy of two matrices into fragments.
    pub(crate) static PACK_FRAGMENTS = new(include_str!("pack_fragments.cl")) {
        macros CHUNK ITEMS LINES_IN_CHUNK STEPS LINES_OF CHUNKS_EACH READ_PACKS READ_ITEMS LINE_AT CHUNK_AT STEP_AT ITEM_AT PLACE_AT IN_PACKS
            COPY_UNIT;
        names chunk_of;
        uses SPACE MATRIX_UNITS;
    }
    /// Products of matrices in fragments, by matrix units.
    pub(crate) static CONTRACT_FRAGMENTS = new(include_str!("contract_fragments.cl")) {
        macros MULTIPLIERS STAGES STAGE DEPTH ROW_BLOCKS LOCAL_ADDRESS AWAIT_PHASE ARRIVE EXPECT_BYTES COPY_CHUNKS NEXT_STAGE
            NUMBER EMPTYING TALL BROAD ACROSS ROW_OF COLUMN_OF DOWN PAIR READ_FRAGMENTS PUT GIVE NEIGHBOURS PUT_AT;
        uses SPACE FRAGMENTS OUTPUT_HALF;
    }
    /// The same of doubles.
    pub(crate) static CONTRACT_UNITS = new(include_str!("contract_fragments.cl")) {
        macros MULTIPLIERS STAGES STAGE DEPTH ROW_BLOCKS LOCAL_ADDRESS AWAIT_PHASE ARRIVE EXPECT_BYTES COPY_CHUNKS NEXT_STAGE
            NUMBER EMPTYING TALL BROAD ACROSS ROW_OF COLUMN_OF DOWN PAIR READ_FRAGMENTS PUT GIVE NEIGHBOURS PUT_AT;
        uses SPACE MATRIX_UNITS OUTPUT_HALF;
    }
    /// Products of small matrices.
    pub(crate) static CONTRACT_SMALL = new(include_str!("contract_small.cl")) {
        macros SPLAT ROW_OF;
        uses SPACE;
    }
    /// Products of matrices that are read where they are, tile by tile.
    pub(crate) static CONTRACT_TILES = new(include_str!("contract_tiles.cl")) {
        macros TEAM BLOCK_HEIGHT ACROSS BLOCKS_ACROSS TEAMS LINES KEPT CHUNK STEP_KEPT PITCH KEPT_OF LINE_KEPT DEPTH STAGE SUMS LEFT_SHARE
            RIGHT_SHARE LINE_OF PLACE_OF FETCH_LINES LOAD_LEFT LOAD_RIGHT ALWAYS WHERE FETCH KEEP_LINES KEEP ROW_OF COLUMN_OF;
        uses SPACE OUTPUT_HALF;
    }
    /// The same by matrix units.
    pub(crate) static CONTRACT_UNIT_TILES = new(include_str!("contract_tiles.cl")) {
        macros TEAM BLOCK_HEIGHT ACROSS BLOCKS_ACROSS TEAMS LINES KEPT CHUNK STEP_KEPT PITCH KEPT_OF LINE_KEPT DEPTH STAGE SUMS LEFT_SHARE
            RIGHT_SHARE LINE_OF PLACE_OF FETCH_LINES LOAD_LEFT LOAD_RIGHT ALWAYS WHERE FETCH KEEP_LINES KEEP ROW_OF COLUMN_OF;
        uses SPACE MATRIX_UNITS OUTPUT_HALF;
    }
    /// Solutions of small triangular systems.
    pub(crate) static SUBSTITUTE = new(include_str!("substitute.cl")) {
        macros AT_ONCE SPLAT LAST_COLUMN DIVIDED LOWER_AT;
        uses SPACE;
    }
    /// The combination of partial results of a reduction along axes.
    pub(crate) static FOLD_PARTS = new(include_str!("fold_parts.cl")) {
        macros ACROSS;
        uses SPACE PARTS;
    }
    /// Folds along an axis in the order of the items.
    pub(crate) static FOLD_LEFT = new(include_str!("fold_left.cl")) {
        uses SPACE;
    }
    /// Folds of rows whose results the items of the same row read.
    pub(crate) static FOLD_LINES = new(include_str!("fold_lines.cl")) {
        macros AFTER_0 AFTER_1 AFTER_2 AFTER_3 PACKS_AFTER_0 PACKS_AFTER_1 PACKS_AFTER_2 PACKS_AFTER_3 AFTER_ALL
            PACKS_AFTER_ALL EACH_PACK OWN_PACK OWN_PLACE VALUE_AT FOLD_PACKS FOLD_LANES FOLD_LINE;
        uses SPACE;
    }
    /// Scans along an axis of an index space.
    pub(crate) static SCAN_AXES = new(include_str!("scan_axes.cl")) {
        macros HAS_PREFIX STORED_RESULT PUT_RESULT SCAN_DOWN PACK_OF ITEM_OF PUT_RESULT_PACK PUT_RESULT_ITEM
            PREFIX_OF_PACK PREFIX_OF_ITEM PUT_PART_OF_PACK PUT_PART_OF_ITEM;
        names prefix_before prefix_of_pack put_pack;
        uses SPACE PARTS;
    }
    /// Partial results in global memory.
    pub(crate) static PARTS = new(include_str!("parts.cl")) {
        macros WORDS;
        names item_words put_part get_part;
    }
    /// Elementwise evaluation of a slice whose first pack is incomplete.
    pub(crate) static ASSIGN_SLICE = new(include_str!("assign_slice.cl")) {}
    /// Elementwise evaluation under a mask.
    pub(crate) static ASSIGN_IF = new(include_str!("assign_if.cl")) {
        macros ITEM_OF_PACK;
    }
    /// Reduction to one value.
    pub(crate) static REDUCE = new(include_str!("reduce.cl")) {
        macros FOLLOW FOLLOW_PACK FOR_FEW_PACK LOST ACCUMULATE SETTLE UNROLLED FOLDED EACH_WIDTH FOLD_NEIGHBOURS;
        names fold_pack fold_group fold_tile reduce_share fold_partials;
        uses INLINE FOLDERS LAST_GROUP;
    }
    /// Search for the first item that is true.
    pub(crate) static FIND = new(include_str!("find.cl")) {
        macros NOWHERE NOTHING LOOK_EACH HIT_PARAMETER HIT_ARGUMENT HAS_HIT IS_HIT;
        names is_hit first_of_tile find_share min_of_group min_of_partials;
        uses LAST_GROUP;
    }
    /// A look-back that carries items.
    pub(crate) static CARRIED_ITEMS = new("#define CARRIED ITEM\n#define CARRY(a, b) COMBINE(a, b)\n\n") {
        macros CARRIED CARRY;
    }
    /// Scans in one launch.
    pub(crate) static SCAN = new(include_str!("scan.cl")) {
        macros BEGINS_AGAIN PUTS_ASIDE;
        names scan_row scan_pack prefix_of_pack prefix_of_subgroup total_to tile_total scan_serially scan_late;
        uses CARRIED_ITEMS GROUP_SCAN LOOK_BACK;
    }
    /// Scans by work-items that own chunks.
    pub(crate) static SCAN_RUNS = new(include_str!("scan_runs.cl")) {
        macros WORDS RUNS STEP BEGIN;
        names item_words;
    }
    /// Items that a selection keeps.
    pub(crate) static KEPT = new(include_str!("kept.cl")) {
        macros IS_KEPT IS_KEPT_AFTER;
        names begins_run;
    }
    /// A look-back that carries counts.
    pub(crate) static CARRIED_COUNTS = new("#define CARRIED INDEX\n#define CARRY(a, b) ((a) + (b))\n#define IN_PLACE 0\n\n") {
        macros CARRIED CARRY IN_PLACE;
    }
    /// Selections in one launch.
    pub(crate) static SELECT = new(include_str!("select.cl")) {
        macros REJECT_STORE;
        names kept_of tile_total;
        uses CARRIED_COUNTS GROUP_SCAN LOOK_BACK ROW_COUNTS KEPT;
    }
    /// Selections by work-items that own chunks.
    pub(crate) static SELECT_RUNS = new(include_str!("select_runs.cl")) {
        macros BLOCK BLOCKS FEW REJECT_STORE IS_FAR PLACE;
        names tile_total;
        uses CARRIED_COUNTS LOOK_BACK KEPT;
    }
    /// Totals of items that are divided into runs.
    pub(crate) static RUN_TOTALS = new(include_str!("run_totals.cl")) {
        names run_total join_runs;
    }
    /// Runs of items with equal keys.
    pub(crate) static KEY_RUNS = new(include_str!("key_runs.cl")) {
        names next_value first_value is_head;
        uses RUN_TOTALS;
    }
    /// A look-back that carries runs.
    pub(crate) static KEYED_LOOK_BACK = new(include_str!("keyed_look_back.cl")) {
        macros CARRIED CARRY IN_PLACE;
        names scan_subgroups;
        uses KEY_RUNS;
    }
    /// Tiles by key that do not count runs.
    pub(crate) static RUNS_UNCOUNTED = new("#define COUNTS_RUNS 0\n\n") {
        macros COUNTS_RUNS;
    }
    /// Tiles by key that count runs.
    pub(crate) static RUNS_COUNTED = new("#define COUNTS_RUNS 1\n") {
        macros COUNTS_RUNS;
    }
    /// Runs without an initial item.
    pub(crate) static NO_INITIAL = new("#define HAS_INITIAL 0\n\n") {
        macros HAS_INITIAL;
    }
    /// Tiles by key.
    pub(crate) static KEY_TILE = new(include_str!("key_tile.cl")) {
        macros HEAD_PACKS HEAD_WORDS HEADS SELDOM;
        names key_words key_from_below key_from_lane item_words item_from_below item_from_lane key_before heads_of_pack
            cut_heads load_tile value_of_pack scan_rows scan_subgroup;
        uses GROUP_SCAN;
    }
    /// Scans by key in one launch.
    pub(crate) static SCAN_BY_KEY = new(include_str!("scan_by_key.cl")) {
        uses RUNS_UNCOUNTED KEYED_LOOK_BACK GROUP_SCAN LOOK_BACK KEY_TILE;
    }
    /// Scans by key by work-items that own chunks.
    pub(crate) static SCAN_BY_KEY_RUNS = new(include_str!("scan_by_key_runs.cl")) {
        macros WORDS BEGIN;
        names total_words scan_item;
        uses KEY_RUNS;
    }
    /// Reductions by key in one launch.
    pub(crate) static REDUCE_BY_KEY = new(include_str!("reduce_by_key.cl")) {
        uses RUNS_COUNTED NO_INITIAL KEYED_LOOK_BACK GROUP_SCAN LOOK_BACK ROW_COUNTS KEY_TILE;
    }
    /// The totals that sub-groups exchange in reductions of segments.
    pub(crate) static SEGMENT_CARRY = new("#define CARRIED run_total\n#define CARRY(a, b) join_runs(ARGUMENTS a, b)\n\n") {
        macros CARRIED CARRY;
        uses RUN_TOTALS;
    }
    /// Reductions of segments by tiles.
    pub(crate) static REDUCE_SEGMENTS = new(include_str!("reduce_segments.cl")) {
        macros OWN_ITEMS HEAD_WORDS SPAN CELL CELL_AT LEFT RIGHT;
        names segments_of_tile find_segments;
        uses SEGMENT_CARRY GROUP_SCAN;
    }
    /// Reductions by key by work-items that own chunks.
    pub(crate) static REDUCE_BY_KEY_RUNS = new(include_str!("reduce_by_key_runs.cl")) {
        macros BLOCK;
        names reduce_tile tile_total;
        uses NO_INITIAL KEYED_LOOK_BACK LOOK_BACK;
    }
    /// Keys as unsigned numbers, and their values.
    pub(crate) static SORT_ITEMS = new(include_str!("sort_items.cl")) {
        macros BINS PASTE_ PASTE EACH_VALUE PART VALUE DEFINE_VALUE VALUE_PARAMETER VALUE_PARAMETERS
            VALUE_ARGUMENT VALUE_ARGUMENTS VALUE_AT VALUE_NEAR DIGIT LAST_KEY;
        names word1 word2 word4 word8 word16 KEY ordered unordered shifted part0_ part1_ part2_ part3_ part4_ part5_ part6_ part7_
            value0_ value1_ value2_ value3_ value4_ value5_ value6_ value7_;
    }
    /// Bytes in ascending order, from their counts.
    pub(crate) static FILL_RUNS = new(include_str!("fill_runs.cl")) {
        macros NUMBERS;
    }
    /// Counts of all digits.
    pub(crate) static SORT_TOTALS = new(include_str!("sort_totals.cl")) {
        macros PASSES_AT_ONCE TILES SHIFT MASK SUMS;
        uses SORT_ITEMS LAST_GROUP;
    }
    /// Sub-groups that exchange counts of digits.
    pub(crate) static CARRIED_DIGITS = new("#define CARRIED uint\n#define CARRY(a, b) ((a) + (b))\n\n") {
        macros CARRIED CARRY;
    }
    /// The counts of a selection by order.
    pub(crate) static RADIX_COUNTS = new(include_str!("radix_counts.cl")) {
        macros DIGIT_BITS BINS SAMPLE BELOW_LOW UP_TO_LOW BELOW_HIGH UP_TO_HIGH INSIDE_COUNT STORED_COUNT LISTED_COUNT LISTED
            TABLE KEY_BITS SAMPLED OPEN;
    }
    /// The candidates of a selection by order.
    pub(crate) static RADIX_CANDIDATES = new(include_str!("radix_candidates.cl")) {
        macros KEEP_INDEX IS_INSIDE COUNT_LOW COUNT_BOUNDS BLOCK EACH_ITEM;
        uses RADIX_COUNTS;
    }
    /// Selection by order.
    pub(crate) static RADIX_SELECT = new(include_str!("radix_select.cl")) {
        macros PASS_NUMBERS LESS_INSIDE EQUAL_INSIDE WORK_ITEMS MY_NUMBER PART_SHIFT BITS_OF COUNT COUNT_ITEM MOST_ROUNDS
            LOADED LEAST_CANDIDATES AT_ONCE STORE_ITEM ARE_ALL_WANTED HAS_LIST;
        names key_range load_range store_range narrow advance narrow_alone sample_at;
        uses RADIX_COUNTS GROUP_COUNT;
    }
    /// Sums over the work-items of a group.
    pub(crate) static GROUP_COUNT = new(include_str!("group_count.cl")) {
        macros GROUP_BARRIER;
        names count_before;
        uses CARRIED_DIGITS GROUP_SCAN;
    }
    /// The exchange of items around a pivot, in place.
    pub(crate) static EXCHANGE = new(include_str!("exchange.cl")) {
        macros LESS EQUAL GREATER NOT_AN_ITEM ALL_BYTES BYTES_OF BYTES_BELOW UNIT_BEGIN UNIT_END CODES_OF CODE_AT
            MISPLACED_EQUALS STRICT_CODE STEP LISTED_STEP;
        names find_unit misplaced_of list_step;
        uses GROUP_COUNT UNITS;
    }
    /// The units of an exchange of items.
    pub(crate) static UNITS = new(include_str!("units.cl")) {
        macros FIRST_BEGIN SECOND_BEGIN;
    }
    /// The order of each pair of units around the keys of a sample.
    pub(crate) static RADIX_SPLIT = new(include_str!("radix_split.cl")) {
        macros BLOCK LIST WIDTH LOAD_ALL STORE_ALL LESS_MASK COMPRESSED MOVE_STEP;
        names all_items;
        uses RADIX_COUNTS UNITS;
    }
    /// A pass of a radix sort in one launch.
    pub(crate) static SORT_SWEEP = new(include_str!("sort_sweep.cl")) {
        macros COUNT_BITS COUNT_OF TOTAL PREFIX MESSAGE AT_ONCE TEAM TEAMS ROWS ITEMS TEAM_BARRIER EACH_ROW PLACE
            TILES GATHERS DECLARE_VALUE LOAD_VALUE IN_TILE PUT_VALUE GATHER_VALUE KEEP_RANK;
        names shared_room tell_missing count_below lanes_with lanes_below lanes_above;
        uses CARRIED_DIGITS SUBGROUP SORT_ITEMS MESSAGE TAKE_TILE;
    }
    /// The steps of a pass of a radix sort by a work-item alone.
    pub(crate) static SORT_CHUNK = new(include_str!("sort_chunk.cl")) {
        macros COPIES LINE PUT_LINE PUT_KEYS MOVED_VALUE GATHERS DEFINE_LINES MOVE_VALUE PUT_VALUES PUT_SOME_VALUES COPY_VALUE;
        names line1 line2 line4 line8 line16 key_line count_digits move_items copy_items;
        uses INLINE SORT_ITEMS;
    }
    /// A pass of a radix sort by work-items that own chunks.
    pub(crate) static SORT_RUNS = new(include_str!("sort_runs.cl")) {
        macros CHUNKS SEGMENT_BEGIN HEAD BEGIN END CHUNKS_OF TOP_PASSES MOST_STEPS PLAN TAKE_PLAN MOVED_PARAMETER
            MOVED_ARGUMENT HOLD_VALUE SHIFT_VALUE DROP_VALUE AGREE;
        names varying_bits shift_of count_of_digits insert_items;
        uses SORT_CHUNK;
    }
    /// Cuts of two sorted sequences.
    pub(crate) static MERGE_PATH = new(include_str!("merge_path.cl")) {
        macros PAIRS PAIRS_TOTAL PAIR_AT;
        names pair_of_runs pair_at pair_of part_of_pair merge_path;
    }
    /// The search for a cut.
    pub(crate) static MERGE_SEARCH = new(include_str!("merge_search.cl")) {
        macros SEARCH_MERGE_PATH SEARCH_PROBE;
    }
    /// Merges in local memory that select an index.
    pub(crate) static MERGE_BY_SELECTION = new("#define MERGE_JUMPS 0\n") {
        macros MERGE_JUMPS;
    }
    /// Merges in local memory that jump.
    pub(crate) static MERGE_BY_JUMPS = new("#define MERGE_JUMPS 1\n") {
        macros MERGE_JUMPS;
    }
    /// Cuts that agree with each other.
    pub(crate) static MERGE_AGREE = new(include_str!("merge_agree.cl")) {
        names agreed_cuts;
    }
    /// Merges in local memory.
    pub(crate) static MERGE_LOCAL = new(include_str!("merge_local.cl")) {
        names merge_path_local merge_local;
    }
    /// Merges.
    pub(crate) static MERGE = new(include_str!("merge.cl")) {
        macros ITEM_AT;
        names part_of_group consistent_cut;
        uses MERGE_PATH MERGE_AGREE MERGE_BY_SELECTION MERGE_LOCAL;
    }
    /// The cuts of a merge.
    pub(crate) static MERGE_CUTS = new(include_str!("merge_cuts.cl")) {
        macros A_OF_PAIR B_OF_PAIR;
        uses MERGE_PATH MERGE_SEARCH;
    }
    /// Cuts of two sorted sequences for set operations.
    pub(crate) static SET_PATH = new(include_str!("set_path.cl")) {
        macros DEFINE_BALANCED_CUT SEQUENCES_IN_MEMORY A_IN_MEMORY B_IN_MEMORY;
        names balanced_cut count_kept;
        uses MERGE_SEARCH;
    }
    /// The cuts of a set operation.
    pub(crate) static SET_CUTS = new(include_str!("set_cuts.cl")) {
        uses SET_PATH;
    }
    /// Set operations in one launch after the cuts.
    pub(crate) static SET_TILES = new(include_str!("set_tiles.cl")) {
        macros A_IN_TILE B_IN_TILE SEQUENCES_IN_TILE ROOM;
        names balanced_local_cut balanced_halves_cut set_tile tile_at tile_total;
        uses SET_PATH CARRIED_COUNTS GROUP_SCAN LOOK_BACK;
    }
    /// Set operations by work-items that own chunks.
    pub(crate) static SET_RUNS = new(include_str!("set_runs.cl")) {
        macros ROOM STEP FINISH;
        names set_pieces pieces_of cut_at tile_total;
        uses SET_PATH CARRIED_COUNTS LOOK_BACK;
    }
    /// Tiles that a work-group sorts in local memory.
    pub(crate) static SORT_TILE = new(include_str!("sort_tile.cl")) {
        macros ORDER PUT_ITEMS;
        names sort_tile;
        uses INLINE MERGE_AGREE MERGE_BY_JUMPS MERGE_LOCAL;
    }
    /// Blocks that are sorted before they are merged.
    pub(crate) static SORT_BLOCKS = new(include_str!("sort_blocks.cl")) {
        macros BASE;
        names merge_both_ends merge_rest;
        uses SORT_TILE;
    }
    /// Merges of all sorted tiles at once.
    pub(crate) static MERGE_RANKS = new(include_str!("merge_ranks.cl")) {
        macros AT_ONCE;
        names count_before;
    }
    /// Items of segments as numbers.
    pub(crate) static SORT_TAGGED = new(include_str!("sort_tagged.cl")) {
        macros TAG NUMBER_OF INDEX_OF SEGMENT_OF LESS;
        names A_ITEM is_less;
        uses SORT_ITEMS;
    }
    /// Sorts of all segments that are not long.
    pub(crate) static SORT_SEGMENTS = new(include_str!("sort_segments.cl")) {
        macros MOST TOGETHER PASSES PASS_BITS HOME_PARAMETER FROM PASS_VALUE SET_ASIDE PUT_TILE_VALUE WORDS
            FEW_TAG FEW_LAST FEW_LESS TILE_NUMBER;
        names tile_end FEW_ITEM sort_few;
        uses SORT_CHUNK SORT_TAGGED SORT_TILE;
    }
    /// Searches in a sorted sequence.
    pub(crate) static SEARCH = new(include_str!("search.cl")) {
        macros SEARCH IS_LESS IS_NOT_GREATER BUCKETS;
        uses SEARCH_BUCKETS;
    }
    /// Buckets of a sorted sequence.
    pub(crate) static SEARCH_BUCKETS = new(include_str!("search_buckets.cl")) {
        names bucket_range range_of bucket_of;
    }
    /// Where the buckets of a sorted sequence begin.
    pub(crate) static SEARCH_INDEX = new(include_str!("search_index.cl")) {
        names items_before;
        uses SEARCH_BUCKETS;
    }
    /// Tables of the values of each index.
    pub(crate) static INDEX_TABLES = new(include_str!("index_tables.cl")) {
        macros BEGIN TAKE_ITEM TAKE_INTO;
    }
    /// Numbers keys by hash tables.
    pub(crate) static DICTIONARY = new(include_str!("dictionary.cl")) {
        macros CODE TABLE_OF;
        names slot_of;
    }
    /// The results of the tables.
    pub(crate) static INDEX_TOTALS = new(include_str!("index_totals.cl")) {}
    /// Histograms.
    pub(crate) static HISTOGRAM = new(include_str!("histogram.cl")) {
        macros STRIDE COUNT OUTSIDE;
    }
    /// The sums of the tables of a histogram.
    pub(crate) static HISTOGRAM_TOTAL = new(include_str!("histogram_total.cl")) {}
    /// The values that sub-groups exchange in their test.
    pub(crate) static TRIED = new("typedef VOLATILE struct { VOLATILE ulong scale; VOLATILE uint shift; } carried;\n#define CARRIED carried\n// First a, then b: the order matters.\n#define CARRY(a, b) ((carried){ (a).scale * (b).scale, (b).shift + (uint)(b).scale * (a).shift })\n\n") {
        macros CARRIED CARRY;
        names carried;
    }
    /// The kernel that tests sub-groups.
    pub(crate) static SUBGROUP_TEST = new(include_str!("subgroup_test.cl")) {
        macros ANSWER ANSWER_VALUE ANSWER_LANES;
        uses TRIED SUBGROUP;
    }
}

#[cfg(test)]
mod tests;
