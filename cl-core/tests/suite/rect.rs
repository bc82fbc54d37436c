//! Boxes of 2D and 3D arrays. Every element is compared with the host's, and every bad shape is refused.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::{Buffer, Error, Layout, Queue};
use cl_test::{counting, each_device, known_faults};

/// A box in two arrays, with all properties of a layout.
struct Shape {
    extent: [usize; 3],
    pitch: [usize; 2],
    at: [usize; 3],
    host_pitch: [usize; 2],
    host_at: [usize; 3],
}

const SHAPES: [Shape; 4] = [
    Shape { extent: [3, 2, 2], pitch: [5, 20], at: [1, 1, 0], host_pitch: [3, 6], host_at: [0, 0, 0] },
    Shape { extent: [1, 1, 1], pitch: [7, 7], at: [6, 0, 3], host_pitch: [1, 1], host_at: [0, 0, 0] },
    Shape { extent: [4, 3, 2], pitch: [4, 12], at: [0, 0, 1], host_pitch: [9, 36], host_at: [5, 1, 1] },
    Shape { extent: [2, 5, 3], pitch: [8, 48], at: [3, 1, 0], host_pitch: [2, 10], host_at: [0, 0, 2] },
];

fn layout(pitch: [usize; 2], at: [usize; 3]) -> Layout {
    Layout::rows(pitch[0]).slices(pitch[1]).at(at)
}

/// Returns the indices of a box's elements.
fn indices(extent: [usize; 3], pitch: [usize; 2], at: [usize; 3]) -> Vec<usize> {
    let mut indices = vec![];
    for z in at[2]..at[2] + extent[2] {
        for y in at[1]..at[1] + extent[1] {
            indices.extend((at[0]..at[0] + extent[0]).map(|x| x + y * pitch[0] + z * pitch[1]));
        }
    }
    indices
}

const LEN: usize = 200;

#[test]
fn boxes_are_read_written_and_copied() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let values: Vec<u32> = (0..LEN as u32).collect();
        for Shape { extent, pitch, at, host_pitch, host_at } in SHAPES {
            let (device_side, host_side) = (layout(pitch, at), layout(host_pitch, host_at));
            let pairs: Vec<(usize, usize)> =
                indices(extent, pitch, at).into_iter().zip(indices(extent, host_pitch, host_at)).collect();
            let mut buffer = Buffer::from_slice(&queue, &values).unwrap();

            let mut host = vec![9999; LEN];
            let mut expected = host.clone();
            pairs.iter().for_each(|&(d, h)| expected[h] = values[d]);
            buffer.read_rect(&queue, extent, device_side, &mut host, host_side).unwrap();
            assert_eq!(host, expected, "read of {extent:?} on {device}");

            let mut copy = Buffer::filled(&queue, 9999, LEN).unwrap();
            copy.copy_rect_from(&queue, extent, host_side, &buffer, device_side).unwrap();
            assert_eq!(copy.to_vec(&queue).unwrap(), expected, "copy of {extent:?} on {device}");

            let host: Vec<u32> = (1000..1000 + LEN as u32).collect();
            let mut expected = values.clone();
            pairs.iter().for_each(|&(d, h)| expected[d] = host[h]);
            buffer.write_rect(&queue, extent, device_side, &host, host_side).unwrap();
            assert_eq!(buffer.to_vec(&queue).unwrap(), expected, "write of {extent:?} on {device}");
        }
    });
}

#[test]
fn the_last_row_needs_no_padding() {
    known_faults::each_device("rect::the_last_row_needs_no_padding", |device| {
        let queue = Queue::on(device).unwrap();
        // Two rows of 2 with a pitch of 5: seven elements hold them.
        let mut buffer = Buffer::from_slice(&queue, &[0_u8, 1, 2, 3, 4, 5, 6]).unwrap();
        let mut host = [0; 4];
        buffer.read_rect(&queue, [2, 2], Layout::rows(5), &mut host, Layout::packed()).unwrap();
        assert_eq!(host, [0, 1, 5, 6]);
        buffer.write_rect(&queue, [2, 2], Layout::rows(5), &[9, 8, 7, 6], Layout::packed()).unwrap();
        assert_eq!(buffer.to_vec(&queue).unwrap(), [9, 8, 2, 3, 4, 7, 6]);
    });
}

#[test]
fn boxes_move_within_a_buffer_unless_they_overlap() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        let values: Vec<u16> = (0..24).collect();
        let mut x = Buffer::from_slice(&queue, &values).unwrap();
        let six = Layout::rows(6).slices(24);
        let calls = counter.calls_during(|| {
            for (at, from) in [
                (six.at([0, 0]), six.at([0, 0])),
                (six.at([1, 1]), six.at([0, 0])),
                (six.at([0, 1]), six.at([1, 0])),
                (Layout::rows(5).at([2, 0]), six.at([0, 0])), // other pitches, spans that cross
            ] {
                let refused = x.copy_rect_within(&queue, [2, 2], at, from);
                assert!(matches!(refused, Err(Error::InvalidInput { what: "copy", .. })), "{refused:?}");
            }
        });
        assert!(calls.is_empty(), "{calls:?} on {device}");
        // Boxes side by side: their spans cross, but the boxes do not overlap.
        x.copy_rect_within(&queue, [2, 2], six.at([2, 0]), six.at([0, 0])).unwrap();
        let row = |r: u16| [6 * r, 6 * r + 1, 6 * r, 6 * r + 1, 6 * r + 4, 6 * r + 5];
        assert_eq!(x.to_vec(&queue).unwrap()[..12], [row(0), row(1)].concat());
    }
}

#[test]
fn shapes_that_cannot_be_are_refused_before_the_driver() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let (queue, elsewhere) = (Queue::on(&device).unwrap(), Queue::on(&device).unwrap());
        let mut x = Buffer::filled(&queue, 1_u32, 12).unwrap();
        let mut other = Buffer::filled(&queue, 1_u32, 100).unwrap();
        let most = usize::MAX;
        let packed = Layout::packed();
        let shapes = [
            ([2, 2, 1], Layout::rows(4).at([3, 2])),
            ([4, 3, 1], Layout::rows(4).at([0, 1])),
            ([5, 3, 1], packed),
            ([2, 2, 1], Layout::rows(1)),           // rows overlap
            ([2, 2, 2], Layout::rows(2).slices(3)), // slices overlap
            ([2, 2, 2], Layout::rows(2).slices(5)), // the slice is not a whole number of rows
            ([2, 2, 1], Layout::rows(most)),        // each of these wraps around
            ([1, 2, 1], Layout::rows(most / 2 + 2)),
            ([1, 1, 2], Layout::rows(1).slices(most)),
            ([1, 1, 1], Layout::rows(4).at([0, most])),
            ([1, 1, 1], Layout::rows(4).at([most, 0])),
            ([1, 1, 1], Layout::rows(2).slices(4).at([0, 0, most / 4 + 1])),
            ([most, 1, 1], packed),
            ([1, most, 1], packed),
            ([1, 1, most], packed),
            ([most, most, most], packed),
            ([1, 1, 1], Layout::rows(most / 2)), // an unused pitch that is too large in bytes
        ];
        let calls = counter.calls_during(|| {
            let mut host = vec![0; 100];
            for (extent, layout) in shapes {
                for refused in [
                    x.read_rect(&queue, extent, layout, &mut host, packed),
                    x.write_rect(&queue, extent, layout, &host, packed),
                    x.copy_rect_from(&queue, extent, layout, &other, packed),
                    other.read_rect(&queue, extent, packed, &mut host[..12], layout),
                    other.write_rect(&queue, extent, packed, &host[..12], layout),
                    other.copy_rect_from(&queue, extent, packed, &x, layout),
                ] {
                    let known =
                        matches!(refused, Err(Error::OutOfBounds { .. } | Error::InvalidInput { .. }));
                    assert!(known, "{refused:?} for {extent:?} in {layout:?}");
                }
            }
            for refused in [
                x.read_rect(&elsewhere, [1, 1], packed, &mut host, packed),
                x.write_rect(&elsewhere, [1, 1], packed, &host, packed),
                x.copy_rect_from(&elsewhere, [1, 1], packed, &other, packed),
            ] {
                assert!(matches!(refused, Err(Error::ForeignObject { .. })), "{refused:?}");
            }
            for extent in [[0, 2, 2], [2, 0, 2], [2, 2, 0]] {
                x.read_rect(&queue, extent, packed, &mut [], packed).unwrap();
                x.write_rect(&queue, extent, packed, &[], packed).unwrap();
                x.copy_rect_within(&queue, extent, packed, packed).unwrap();
            }
        });
        assert!(calls.is_empty(), "{calls:?} on {device}");
        let text = x.read_rect(&queue, [4, 3], Layout::rows(4).at([0, 1]), &mut [0; 12], packed).unwrap_err();
        assert_eq!(text.to_string(), "read_rect: elements 4..16 of a buffer that has 12");
    }
}
