//! Layouts: those that would leave their vector, or whose numbers wrap around, do not exist.

use cl_algo::prelude::*;
use cl_algo::ranked::{self, AxisMap, Layout, RankedTarget, load};
use cl_core::{Error, Result};
use cl_test::each_device;
use proptest::prelude::*;

const FAR: isize = isize::MAX;

fn map(axis: usize, stride: isize, offset: usize) -> AxisMap {
    AxisMap { axis: Some(axis), stride, offset }
}

/// Asserts that a layout is refused, for a reason with these parts.
#[track_caller]
fn refused(layout: Result<Layout>, parts: &[&str]) {
    let error = layout.map(|layout| format!("accepted: {layout:?}")).unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, Error::InvalidInput { .. }), "{text}");
    parts.iter().for_each(|part| assert!(text.contains(part), "{part:?} in {text}"));
}

#[test]
fn views_beyond_their_layout_are_refused() {
    let line = Layout::row_major(&[10]).unwrap();
    let table = Layout::row_major(&[3, 4]).unwrap();
    for (view, parts) in [
        // Negative indices.
        (line.view(&[map(0, -1, 0)], &[10, 1]), ["coordinates -9 to 0", "axis 0 of shape [10]"]),
        (
            table.view(&[map(1, 1, 0), map(0, -1, 1)], &[3, 3]),
            ["coordinates -1 to 1", "axis 1 of shape [3, 4]"],
        ),
        // Indices behind the last element, also where the index in the vector would be another element.
        (line.view(&[map(0, 1, 1)], &[10]), ["coordinates 1 to 10", "axis 0"]),
        (table.view(&[map(0, 1, 0), map(1, 1, 0)], &[2, 5]), ["coordinates 0 to 4", "axis 1"]),
        (line.view(&[AxisMap::at(10)], &[]), ["coordinates 10 to 10", "axis 0"]),
        // Numbers that would wrap around.
        (line.view(&[map(0, 1 << 62, 0)], &[5]), ["axis 0", "are beyond"]),
        (line.view(&[map(0, FAR, 0)], &[3]), ["axis 0", "are beyond"]),
        (line.view(&[map(0, isize::MIN, 0)], &[2]), ["axis 0", "coordinates -9223372036854775808 to 0"]),
        (line.view(&[map(0, isize::MIN, 9)], &[3]), ["axis 0", "are beyond"]),
        (line.view(&[AxisMap::at(usize::MAX)], &[]), ["axis 0", "are beyond"]),
        (
            line.view_of_sums([&[map(0, FAR, 0), map(0, FAR, 0), map(0, 2, 0)][..]], &[2]),
            ["axis 0", "are beyond"],
        ),
        (
            line.view_of_sums(
                [&[AxisMap::at(FAR as usize), AxisMap::at(FAR as usize), AxisMap::at(2)][..]],
                &[],
            ),
            ["axis 0", "are beyond"],
        ),
        // Maps and axes that do not fit.
        (table.view(&[AxisMap::whole(0)], &[3]), ["1 maps", "shape [3, 4] has 2 axes"]),
        (line.view(&[AxisMap::whole(0), AxisMap::at(0)], &[10]), ["2 maps", "shape [10] has 1 axes"]),
        (
            line.view(&[AxisMap::whole(1)], &[10]),
            ["axis 0", "axis 1 of the view, whose shape [10] has 1 axes"],
        ),
        (line.view(&[AxisMap::whole(6)], &[10]), ["axis 0", "axis 6 of the view"]),
        // Shapes that have no count.
        (line.view(&[AxisMap::at(0)], &[1 << 32, 1 << 31]), ["more elements", "[4294967296, 2147483648]"]),
        (line.view(&[AxisMap::at(0)], &[1; 7]), ["7 axes", "at most 6"]),
        (Layout::column_major(&[usize::MAX, 2]), ["more elements", ""]),
        (Layout::stacked(&line, &table), ["shapes [10] and [3, 4]", ""]),
    ] {
        refused(view, &parts);
    }
}

#[test]
fn numbers_of_layouts_do_not_wrap() {
    let line = Layout::row_major(&[10]).unwrap();
    // Along an axis of one coordinate, and without elements, a stride may have any value.
    let one = line.view(&[map(0, isize::MIN, 7)], &[1]).unwrap();
    assert_eq!((one.index(&[0]), one.reach(), one.repeats(), one.is_contiguous()), (Some(7), 8, false, true));
    let again = one.view(&[map(0, FAR, 0)], &[1]).unwrap();
    assert_eq!((again.reach(), again.reshape(&[]).map(|all| all.reach())), (8, Some(8)));
    let none = line.view(&[map(0, isize::MIN, usize::MAX >> 1)], &[0]).unwrap();
    assert_eq!((none.len(), none.reach(), none.offset(), none.index(&[0])), (0, 0, 0, None));
    // Many elements that are one.
    let many = line.view(&[AxisMap::at(9)], &[1 << 31, 1 << 31]).unwrap();
    assert_eq!((many.len(), many.reach(), many.repeats()), (1 << 62, 10, true));
    assert_eq!(many.index(&[(1 << 31) - 1, 5]), Some(9));
    assert_eq!(many.index(&[1 << 31, 5]), None);
    assert_eq!(many.reshape(&[1 << 62]).map(|all| all.len()), Some(1 << 62));
    // The largest vector, its last element and its halves.
    let whole = Layout::row_major(&[FAR as usize - 1]).unwrap();
    let back = whole.view(&[map(0, -1, FAR as usize - 2)], &[FAR as usize - 1]).unwrap();
    assert_eq!(
        (back.reach(), back.index(&[0]), back.repeats()),
        (FAR as usize - 1, Some(FAR as usize - 2), false)
    );
    let ends = whole.view(&[map(0, 2 - FAR, FAR as usize - 2)], &[2]).unwrap();
    assert_eq!((ends.index(&[0]), ends.index(&[1])), (Some(FAR as usize - 2), Some(0)));
    assert_eq!(ends.reshape(&[1, 2, 1]).map(|all| all.index(&[0, 1, 0])), Some(Some(0)));
    let stack = Layout::stacked(&ends, &ends).unwrap();
    assert_eq!(
        (stack.shape(), stack.index(&[1, 1]), stack.reach()),
        (&[2, 2][..], Some(0), FAR as usize - 1)
    );
}

/// Returns the coordinates of all elements of a shape.
fn coordinates(shape: &[usize]) -> Vec<Vec<usize>> {
    shape.iter().fold(vec![Vec::new()], |all, &len| {
        let longer = |at: &Vec<usize>| (0..len).map(|next| [&at[..], &[next]].concat()).collect::<Vec<_>>();
        all.iter().flat_map(longer).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    /// A view exists if all its coordinates do, and then has their elements.
    #[test]
    fn views_are_those_of_all_coordinates(
        shape in proptest::collection::vec(1_usize..5, 1..4),
        view in proptest::collection::vec(0_usize..4, 0..4),
        numbers in proptest::collection::vec((0_usize..4, -2_isize..3, 0_usize..4), 4),
        by_columns: bool,
    ) {
        let whole = if by_columns { Layout::column_major(&shape) } else { Layout::row_major(&shape) }.unwrap();
        // The first axis has two maps.
        let maps: Vec<AxisMap> = numbers
            .iter()
            .map(|&(axis, stride, offset)| AxisMap { axis: Some(axis).filter(|&axis| axis < view.len()), stride, offset })
            .collect();
        let maps: Vec<&[AxisMap]> =
            (0..shape.len()).map(|axis| if axis == 0 { &maps[..2] } else { &maps[axis + 1..axis + 2] }).collect();
        let along = |maps: &[AxisMap], at: &[usize]| -> Option<usize> {
            let of = |map: &AxisMap| map.offset as isize + map.axis.map_or(0, |axis| at[axis] as isize * map.stride);
            usize::try_from(maps.iter().map(of).sum::<isize>()).ok()
        };
        let expected: Option<Vec<usize>> = coordinates(&view)
            .iter()
            .map(|at| maps.iter().map(|maps| along(maps, at)).collect::<Option<Vec<_>>>())
            .map(|at| at.and_then(|at| whole.index(&at)))
            .collect();
        let layout = whole.view_of_sums(maps, &view);
        prop_assert_eq!(layout.is_ok(), expected.is_some(), "{:?}", layout);
        let (Ok(layout), Some(indices)) = (layout, expected) else { return Ok(()) };
        let found: Vec<usize> = coordinates(&view).iter().filter_map(|at| layout.index(at)).collect();
        prop_assert_eq!(&found, &indices);
        prop_assert_eq!((layout.len(), layout.reach()), (indices.len(), indices.iter().max().map_or(0, |last| last + 1)));
        let mut once = indices.clone();
        once.sort_unstable();
        once.dedup();
        prop_assert!(once.len() == indices.len() || layout.repeats());
        let is_line = indices.windows(2).all(|pair| pair[1] == pair[0] + 1);
        prop_assert_eq!(layout.is_contiguous(), is_line, "{:?}", layout);
        if let Some(line) = layout.reshape(&[indices.len()]) {
            let found: Vec<usize> = (0..indices.len()).filter_map(|at| line.index(&[at])).collect();
            prop_assert_eq!(found, indices);
        }
    }
}

/// Everything that takes a layout compares it with the vector.
#[test]
fn layouts_longer_than_their_vector_are_refused() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let ten = Layout::row_major(&[2, 5]).unwrap();
        let nine = DeviceVec::from_slice(queue, &[1, 2, 3, 4, 5, 6, 7, 8, 9]).unwrap();
        let x = DeviceVec::filled(queue, 7, 10).unwrap();
        let all = || load(&x, &ten);
        let mut host = [0; 10];
        // Refused targets are not written, so they share their elements.
        // SAFETY: as above.
        let target = || unsafe { RankedTarget::new(&nine, ten) };
        for error in [
            ranked::assign("test", target(), all()),
            ranked::assign("test", RankedTarget::from((&mut x.try_clone().unwrap(), ten)), load(&nine, &ten)),
            ranked::assign_with("test", target(), |own: Expr<'_, i32>| own + 1),
            ranked::fold::<i32, Val<i32>>("test", target(), all(), (&[2, 5], &[]), |a, b| a + b, |sum| sum),
            ranked::scan::<i32, _>(
                "test",
                target(),
                all(),
                (&[2, 5], 1),
                None,
                |a: Val<i32>, b| a + b,
                |sum| sum,
            ),
            ranked::scatter("test", target(), (1, 5), ranked::coordinate::<u32>(1, 2), all()),
            ranked::read("test", &nine, &ten, None, &mut host),
            ranked::write("test", target(), None, &[7; 10]),
        ] {
            let error = error.unwrap_err();
            assert!(matches!(error, Error::OutOfBounds { .. }), "{error}");
        }
        assert_eq!(nine.to_vec().unwrap(), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    });
}

/// An expression over one space is not evaluated over another one, where its coordinates would be others or wrap around.
#[test]
fn expressions_of_other_spaces_are_refused() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let x = DeviceVec::filled(queue, 7, 12).unwrap();
        let mut y = DeviceVec::filled(queue, 1, 12).unwrap();
        let table = Layout::row_major(&[3, 4]).unwrap();
        let all = || load(&x, &table);
        let far = |stride| all().at_coordinates(&[map(0, stride, 0), AxisMap::whole(1)], 2);
        let offset = AxisMap::at(usize::MAX);
        let cube = || load(&x, &Layout::row_major(&[2, 2, 3]).unwrap());
        for (shape, value, part) in [
            (
                &[12][..],
                ranked::coordinate(0, 6),
                "6 axes or more, and is evaluated over a space of shape [12]",
            ),
            (&[12], all(), "2 axes or more, and is evaluated over a space of shape [12]"),
            (&[12], all().at_coordinates(&[map(0, 1, 1)], 1), "2 axes or more is read at 1 coordinates"),
            (&[12], all().gather_axis(0, &[3], iota(0, 12)), "2 axes or more is read at 1 coordinates"),
            (
                &[3, 4],
                all().at_coordinates(&[AxisMap::whole(0), AxisMap::whole(2)], 2),
                "axis 2 of a space of 2 axes",
            ),
            (&[3, 4], far(1 << 62), "coordinates beyond 9223372036854775807 in a space of shape [3, 4]"),
            (&[3, 4], far(isize::MAX), "coordinates beyond"),
            (&[3, 4], far(isize::MIN), "coordinates beyond"),
            (&[3, 4], all().at_coordinates(&[offset, AxisMap::whole(1)], 2), "a coordinate is beyond"),
            (
                &[3, 4],
                all().at_sums_of_coordinates([&[offset, offset][..], &[offset]], 2),
                "a coordinate is beyond",
            ),
        ] {
            let target = (&mut y, Layout::row_major(shape).unwrap());
            refused(ranked::assign("test", target, value.on(queue)).map(|()| table), &[part]);
        }
        let target = (&mut y, Layout::scalar());
        let folded =
            ranked::fold::<i32, Val<i32>>("test", target, all(), (&[3, 4], &[0, 2]), |a, b| a + b, |sum| sum);
        refused(folded.map(|()| table), &["axis 2 of shape [3, 4]"]);
        let joined = cube().with_joined_axes(&[2, 3], &[2]).map(|_| table);
        refused(joined, &["3 axes or more, and the shape [2, 3]"]);
        let gathered = all().gather_axis(2, &[3, 4], iota(0, 3)).on(queue);
        refused(
            ranked::assign("test", (&mut y, table), gathered).map(|()| table),
            &["axis 2 of shape [3, 4], which has 2 axes"],
        );
        refused((all() + &x).collect().map(|_| table), &["depends on the coordinates of an index space"]);
        // The kernel moves kept items along an axis that spaces with layers do not have.
        let along_first = load(&x, &Layout::row_major(&[12, 1, 1, 1, 1, 1]).unwrap());
        if let Some(layers) = ranked::Layers::<i32>::new(queue, &[3, 4], &table, 64 << 10).unwrap() {
            let assigned = layers.assign("test", (&mut y, table), 1, layers.items() + along_first);
            refused(assigned.map(|()| table), &["6 axes or more, and the shape [3, 4]"]);
        }
        let (six, three) = (Layout::row_major(&[2, 3]).unwrap(), Layout::row_major(&[3, 3]).unwrap());
        let stack = || load(&x, &six);
        for (left, right, part) in [
            (
                (stack(), &[2, 2][..]),
                (all(), &[3, 3][..]),
                "shapes [2, 2] and [3, 3] do not fit an output of shape [2, 3]",
            ),
            ((stack(), &[2, 3]), (all(), &[3, 4]), "shapes [2, 3] and [3, 4] do not fit"),
            ((stack(), &[3, 2]), (all(), &[2, 3]), "shapes [3, 2] and [2, 3] do not fit"),
            ((cube(), &[2, 2, 3]), (all(), &[3, 3]), "shapes [2, 2, 3] and [3, 3] do not fit"),
            ((cube(), &[2, 3]), (all(), &[3, 3]), "3 axes or more, and the shape [2, 3]"),
            ((stack(), &[2, 3]), (cube(), &[3, 3]), "3 axes or more, and the shape [3, 3]"),
        ] {
            let output = (&mut y, six);
            let product =
                ranked::contract("test", output, [left, right], 0, |item: Val<i32>, _: Val<i32>| item);
            refused(product.map(|()| table), &[part]);
        }
        for (lower, shape, part) in [
            (
                stack(),
                &[2, 3][..],
                "a matrix of shape [2, 3] for right-hand sides of shape [3, 3]: it must be [3, 3]",
            ),
            (
                load(&x, &three),
                &[1, 3, 3],
                "a matrix of shape [1, 3, 3] for right-hand sides of shape [3, 3]",
            ),
            (cube(), &[3, 3], "3 axes or more, and the shape [3, 3]"),
        ] {
            let solved = ranked::substitute("test", (&mut y, three), (lower, shape), true, 1);
            refused(solved.map(|()| table), &[part]);
        }
        assert_eq!(y.to_vec().unwrap(), [1; 12]);
    });
}
