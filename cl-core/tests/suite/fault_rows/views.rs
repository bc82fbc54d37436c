//! Views, sub-buffers, boxes and maps: the parts of a buffer.

use cl_core::{Buffer, BufferOptions, HostAccess, Layout, Migration, Queue, SliceMut};
use cl_test::sweep::{Operation, run};

const VALUES: [i32; 6] = [1, 2, 3, 4, 5, 6];

fn values(queue: &Queue) -> Buffer<i32> {
    Buffer::from_slice(queue, &VALUES).unwrap()
}

pub(crate) const ROWS: &[Operation] = &[
    Operation::new("Slice and SliceMut", |bench| {
        let mut x = values(&bench.queue);
        run(move || {
            let (mut left, mut right) = SliceMut::from(&mut x).split_at_mut(3)?;
            left.write(&bench.queue, &[7, 8, 9])?;
            right.copy_from(&bench.queue, left.as_slice())?;
            left.fill(&bench.queue, 0)?;
            assert_eq!(x.slice(2..5)?.to_vec(&bench.queue)?, [0, 7, 8]);
            Ok(())
        })
    }),
    Operation::new("Buffer::copy_within", |bench| {
        let mut x = values(&bench.queue);
        run(move || {
            x.copy_within(&bench.queue, ..2, 4)?;
            assert_eq!(x.to_vec(&bench.queue)?, [1, 2, 3, 4, 1, 2]);
            Ok(())
        })
    }),
    Operation::new("Buffer::sub_buffer", |bench| {
        let align = bench.device.base_address_align().unwrap() as usize / 8 / size_of::<i32>();
        let mut x = Buffer::filled(&bench.queue, 1, 2 * align).unwrap();
        run(move || {
            let known = bench.known();
            let mut part = x.sub_buffer_mut(align..)?;
            // SAFETY: one work-item for each element, which touches its own element only.
            unsafe { known.increment().launch().arg(&mut part).global(align).enqueue(&bench.queue)? };
            part.as_slice_mut().into_slice_mut(..1)?.fill(&bench.queue, 5)?;
            drop(part);
            assert_eq!(x.sub_buffer(align..)?.as_slice().to_vec(&bench.queue)?[..2], [5, 2]);
            assert_eq!(x.to_vec(&bench.queue)?[..align], vec![1; align]);
            Ok(())
        })
    }),
    Operation::new("Buffer::read_rect, write_rect", |bench| {
        let mut x = values(&bench.queue);
        run(move || {
            let (corner, mut read) = (Layout::rows(3).at([1, 0]), [0; 4]);
            x.write_rect(&bench.queue, [2, 2], corner, &[7, 8, 9, 10], Layout::packed())?;
            x.read_rect(&bench.queue, [2, 2], corner, &mut read, Layout::packed())?;
            assert_eq!(read, [7, 8, 9, 10]);
            Ok(())
        })
    }),
    Operation::new("Buffer::copy_rect_from, copy_rect_within", |bench| {
        let (mut x, y) = (values(&bench.queue), values(&bench.queue));
        run(move || {
            let (first, second) = (Layout::rows(3), Layout::rows(3).at([1, 0]));
            x.copy_rect_from(&bench.queue, [1, 2], first, &y, second)?;
            x.copy_rect_within(&bench.queue, [1, 2], Layout::rows(3).at([2, 0]), first)?;
            assert_eq!(x.to_vec(&bench.queue)?, [2, 2, 2, 5, 5, 5]);
            Ok(())
        })
    }),
    Operation::new("Buffer::map", |bench| {
        let x = values(&bench.queue);
        run(move || {
            let map = x.map(&bench.queue, 1..3)?;
            assert_eq!(*map, [2, 3]);
            map.unmap()
        })
    }),
    Operation::new("Buffer::map_mut, map_overwrite", |bench| {
        let mut x = values(&bench.queue);
        run(move || {
            let mut map = x.map_mut(&bench.queue, ..)?;
            map.reverse();
            map.unmap()?;
            let mut map = x.map_overwrite(&bench.queue, ..1)?;
            map[0] = 9;
            map.unmap()?;
            assert_eq!(x.to_vec(&bench.queue)?, [9, 5, 4, 3, 2, 1]);
            Ok(())
        })
    }),
    Operation::new("a map that goes from queue to queue", |bench| {
        let mut x = values(&bench.queue);
        run(move || {
            let map = x.map(&bench.profiling, ..)?;
            map.unmap()?;
            for queue in [bench.out_of_order.as_ref(), Some(&bench.queue)].into_iter().flatten() {
                let mut map = x.map_mut(queue, ..)?;
                map[0] += 1;
                map.unmap()?;
            }
            assert_eq!(x.to_vec(&bench.profiling)?[0], 2 + i32::from(bench.out_of_order.is_some()));
            Ok(())
        })
    }),
    // If unmapping fails when a guard is dropped, the failure is only logged.
    Operation::new("a map that is dropped", |bench| {
        let x = values(&bench.queue);
        run(move || x.map(&bench.queue, ..).map(drop))
    })
    .ignores_failures_of(&["clEnqueueUnmapMemObject"]),
    Operation::new("Buffer::migrate", |bench| {
        let x = values(&bench.queue);
        run(move || {
            x.migrate(&bench.queue, Migration::ToHost)?;
            x.migrate(&bench.queue, Migration::ToDevice)?;
            assert_eq!(x.to_vec(&bench.queue)?, VALUES);
            Ok(())
        })
    }),
    Operation::new("BufferOptions", |bench| {
        run(|| {
            let host = BufferOptions::new().in_host_memory();
            let x = host.from_slice(&bench.queue, &VALUES)?;
            let reads = BufferOptions::new().host(HostAccess::ReadOnly);
            let y = reads.filled(&bench.queue, [1_u8, 2, 3], 5)?;
            assert_eq!(x.to_vec(&bench.queue)?, VALUES);
            assert_eq!(y.to_vec(&bench.queue)?, [[1, 2, 3]; 5]);
            Ok(())
        })
    }),
    Operation::new("Memory::info", |bench| {
        let x = values(&bench.queue);
        run(move || {
            assert_eq!(x.memory().info()?.bytes, size_of_val(&VALUES));
            Ok(())
        })
    }),
];
