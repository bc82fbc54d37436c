//! Sub-groups of any width, simulated on PoCL: the functions of Khronos' extensions, made of barriers.
//!
//! PoCL's devices claim to be GPUs, and the functions of `cl_khr_subgroup_shuffle` and
//! `cl_khr_subgroup_ballot` are put in front of every program that uses them. All work-items of a group meet
//! in each of these functions. All sub-groups of a group must therefore call them together, and outside of
//! loops whose end depends on their results, because PoCL 3.1 never ends barriers in such loops. Sorts meet
//! these conditions.

use crate::forced::{answer, devices, gpu_info, system};
use cl_core::Device;
use cl_core::raw::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The width of sub-groups.
static WIDTH: AtomicUsize = AtomicUsize::new(0);
/// The largest number of work-items of a group, if the device allows as many.
static LARGEST: AtomicUsize = AtomicUsize::new(0);

/// The functions, in OpenCL C. They exchange values through memory that all work-groups share, with a part of
/// it for each of 256 neighbouring groups. The assembler reserves this memory: OpenCL C 1.2 does not allow
/// global variables that can be written to, and allows local variables in kernels only.
const FUNCTIONS: &str = r#"
static inline volatile uint *simulated_room(void)
{
    uint *rooms;
    __asm__ volatile(".ifndef simulated_rooms\n.pushsection .bss\n.balign 64\nsimulated_rooms:\n.zero 4 * 256 * 256\n"
                 ".popsection\n.endif\nlea simulated_rooms(%%rip), %0" : "=r"(rooms));
    return rooms + get_group_id(0) % 256 * 256;
}
#define get_sub_group_local_id() ((uint)get_local_id(0) % SIMULATED_WIDTH)
#define sub_group_barrier(flags) barrier(CLK_LOCAL_MEM_FENCE)
static inline uint simulated_shuffle(const uint word, const uint lane)
{
    const uint me = get_local_id(0);
    volatile uint *room = simulated_room();
    barrier(CLK_LOCAL_MEM_FENCE);
    room[me] = word;
    barrier(CLK_LOCAL_MEM_FENCE);
    return room[me - me % SIMULATED_WIDTH + lane % SIMULATED_WIDTH];
}
static inline uint4 simulated_ballot(const uint condition)
{
    const uint me = get_local_id(0), first = me - me % SIMULATED_WIDTH;
    volatile uint *room = simulated_room();
    barrier(CLK_LOCAL_MEM_FENCE);
    room[me] = condition;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint4 lanes = 0;
    for (uint lane = 0; lane < SIMULATED_WIDTH; ++lane) {
        const uint bit = room[first + lane] != 0 ? 1u << lane % 32 : 0;
        if (lane < 32)
            lanes.x |= bit;
        else
            lanes.y |= bit;
    }
    return lanes;
}
#define sub_group_shuffle(word, lane) simulated_shuffle(word, lane)
#define sub_group_ballot(condition) simulated_ballot(condition)
"#;

unsafe extern "system" fn info(
    device: cl_device_id,
    name: cl_device_info,
    size: size_t,
    value: *mut c_void,
    size_ret: *mut size_t,
) -> cl_int {
    if name == CL_DEVICE_MAX_WORK_GROUP_SIZE {
        let mut own: size_t = 0;
        // SAFETY: a pointer to the number that the name stands for.
        let status =
            unsafe { gpu_info(device, name, size_of_val(&own), (&raw mut own).cast(), std::ptr::null_mut()) };
        if status != CL_SUCCESS {
            return status;
        }
        let largest = own.min(LARGEST.load(Ordering::Relaxed));
        // SAFETY: the caller's pointers.
        return unsafe { answer(&largest.to_ne_bytes(), size, value, size_ret) };
    }
    // SAFETY: the caller's arguments, unchanged.
    unsafe { gpu_info(device, name, size, value, size_ret) }
}

unsafe extern "system" fn with_functions(
    context: cl_context,
    count: cl_uint,
    strings: *const *const c_char,
    lengths: *const size_t,
    status: *mut cl_int,
) -> cl_program {
    // SAFETY: the caller's arrays of `count` entries; `cl-core` gives all lengths.
    let text: Vec<u8> = unsafe {
        let strings = std::slice::from_raw_parts(strings.cast::<*const u8>(), count as usize);
        let lengths = std::slice::from_raw_parts(lengths, count as usize);
        let pieces = strings.iter().zip(lengths);
        pieces.flat_map(|(&piece, &len)| std::slice::from_raw_parts(piece, len)).copied().collect()
    };
    let uses = String::from_utf8_lossy(&text).contains("#define SUB_GROUPS 2\n");
    let width = WIDTH.load(Ordering::Relaxed);
    let before = if uses { format!("#define SIMULATED_WIDTH {width}\n{FUNCTIONS}") } else { String::new() };
    let text = [before.into_bytes(), text].concat();
    let create = system().clCreateProgramWithSource;
    // SAFETY: one string of this length, and the caller's context and pointer.
    unsafe { create(context, 1, &text.as_ptr().cast(), &text.len(), status) }
}

/// Returns PoCL's devices among those that tests run on, as GPUs with sub-groups of `width` work-items.
/// Work-groups have up to `largest` work-items, at most 256, or fewer if the device allows fewer. Only one
/// result of this function may be in use at a time.
///
/// # Panics
/// When `largest` is more than 256, or when the machine has no device.
#[must_use]
pub fn sub_groups(width: usize, largest: usize) -> Vec<Device> {
    assert!(largest <= 256, "simulated work-groups have at most 256 work-items, not {largest}");
    WIDTH.store(width, Ordering::Relaxed);
    LARGEST.store(largest, Ordering::Relaxed);
    let functions =
        Functions { clGetDeviceInfo: info, clCreateProgramWithSource: with_functions, ..*system() };
    // SAFETY: two entries behave as described above; the others are the system's.
    let mut all = unsafe { devices(functions) };
    // Compilers other than PoCL's do not support memory that the assembler reserves.
    all.retain(|device| device.platform().name().is_ok_and(|name| name == "Portable Computing Language"));
    all
}
