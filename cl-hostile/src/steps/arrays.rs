//! Steps with arrays of three axes: evaluations into arrays and parts of them, updates in place, products.

use crate::array_expression::{Ax, Both, cut};
use crate::dice::Dice;
use crate::finding::{Finding, Outcome, equal, refused, same};
use crate::nd::{Nd, Triple, positions};
use crate::operator::Op;
use crate::part::Part;
use crate::world::{World, compare_array};
use cl_array::{Array, ArrayExpr, ArrayViewMut, AxisSlice, Pad, contract, einsum};
use cl_core::{Error, Result};
use cl_sparse::{Csr, HostCsr};

/// The place of an expression's values.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// A new array, which replaces an array of the world.
    New,
    Assign,
    /// `+=`, `-=` or `*=` of a part.
    Update(Op),
    /// A closure of the part's own elements.
    Own(Op),
    /// The host.
    Host,
    /// A sum, an extreme and a count.
    Fold,
}

pub(crate) const PLACES: [Place; 9] = [
    Place::New,
    Place::New,
    Place::Assign,
    Place::Assign,
    Place::Update(Op::Add),
    Place::Update(Op::Mul),
    Place::Own(Op::Sub),
    Place::Host,
    Place::Fold,
];

/// Evaluates an expression into a place. `parts` makes the part of the array `into` that is assigned to.
pub(crate) fn evaluate(world: &mut World, place: Place, into: usize, parts: &[Part], ex: &Ax) -> Outcome {
    match place {
        Place::Host => {
            let Both { host, device } = ex.both(world)?;
            equal("the shape of an expression", device.shape(), host.shape)?;
            return same("an expression of arrays", &device.to_vec()?, &host.items);
        }
        Place::Fold => return fold(ex.both(world)?),
        _ => {}
    }
    world.change_array(into, |world, array, host| {
        let mut value = ex.both(world)?;
        if let Place::New = place {
            (*array, *host) = (value.device.collect_on(world.main_queue())?, value.host);
            return Ok(());
        }
        let (mut places, mut view) = (places_of(host), array.view_mut());
        for part in parts {
            (places, view) = (part.on_host(&places), part.of_view_mut(view));
        }
        for axis in 0..3 {
            let (len, room) = (value.host.shape[axis], places.shape[axis]);
            if len != 1 && len != room {
                let common = len.min(room);
                (value, places) = (cut(value, axis, common), places.cut(axis, common));
                view = view.slice_axis(axis, ..common as isize);
            }
        }
        let read = |at: Triple| {
            value.host.get(std::array::from_fn(|axis| if value.host.shape[axis] == 1 { 0 } else { at[axis] }))
        };
        for at in positions(places.shape) {
            let (place_of, x) = (places.get(at), read(at));
            let own = host.items[place_of];
            host.items[place_of] = match place {
                Place::Update(op) | Place::Own(op) => op.on_host(own, x),
                _ => x,
            };
        }
        let x = value.device;
        match place {
            Place::Update(Op::Add) => view.add_assign(x)?,
            Place::Update(_) => view.mul_assign(x)?,
            Place::Own(op) => {
                let x = x.broadcast(places.shape);
                view.assign_with(|own| own.zip(x).map(|(own, x)| op.of_values(own, x)))?;
            }
            _ => view.assign(x)?,
        }
        Ok(())
    })
}

/// Returns the position of each element of an array in its vector.
fn places_of(host: &Nd<i32>) -> Nd<usize> {
    Nd { shape: host.shape, items: (0..host.items.len()).collect() }
}

fn fold(Both { host, device }: Both<'_>) -> Outcome {
    let sum = host.items.iter().fold(0, |a: i32, &b| a.wrapping_add(b));
    equal("the sum of an array", device.clone().sum()?, sum)?;
    equal("the least element", device.clone().reduce_min()?, host.items.iter().copied().min())?;
    let positive = host.items.iter().filter(|&&x| x > 0).count() as u64;
    equal("the count", device.clone().map(|x| x.gt(0)).count()?, positive)?;
    let largest = host.items.iter().max();
    let position = positions(host.shape).find(|&at| Some(&host.get(at)) == largest);
    equal("the position of the largest element", device.argmax()?, position)
}

/// A closure of an array's own elements, at other coordinates than those that are replaced.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Own {
    Flip(usize),
    Roll(usize),
    Permute([usize; 3]),
    /// Sums of products with a sparse matrix: a fold over other elements.
    Product,
    /// The same, of elements whose coordinates are not numbered.
    ProductOfRanked,
    Neighbours,
    Take(usize),
    /// A fold that is evaluated before the update.
    Folded(usize),
    /// A scan that is evaluated before the update.
    Scanned(usize),
}

pub(crate) const OWN: [Own; 10] = [
    Own::Flip(2),
    Own::Flip(0),
    Own::Roll(2),
    Own::Permute([0, 2, 1]),
    Own::Product,
    Own::ProductOfRanked,
    Own::Neighbours,
    Own::Take(1),
    Own::Folded(1),
    Own::Scanned(2),
];

/// Updates an array in place by an expression of its own elements at other coordinates. The update must be refused, or be
/// as if all new elements had been computed from the old ones.
pub(crate) fn update(world: &mut World, own: Own, into: usize, seed: u64) -> Outcome {
    world.change_array(into, |_, array, host| {
        let mut dice = Dice::new(seed, 11);
        let (shape, n) = (host.shape, host.items.len());
        if n == 0 {
            return Ok(());
        }
        let queue = array.queue().clone();
        let shift = 1 + dice.below(5);
        let (matrix, rows) = square(n, &mut dice);
        let matrix = Csr::new(&queue, &matrix)?;
        let at: Vec<u32> = (0..shape[1]).map(|_| dice.below(shape[1]) as u32).collect();
        let indices = Array::from_slice(&queue, [shape[1]], &at)?;
        let expected = match own {
            Own::Flip(axis) => Part::Flip(axis).on_host(host),
            Own::Roll(axis) => {
                let len = shape[axis];
                host.along(axis, len, |at| (at + len - shift % len) % len)
            }
            Own::Permute(order) => Part::Permute(order).on_host(host),
            Own::Product | Own::ProductOfRanked => Nd { shape, items: product(&rows, &host.items) },
            Own::Neighbours => {
                let before = |at: usize| at.saturating_sub(1);
                let moved = host.along(2, shape[2], before);
                Nd::build(shape, |at| host.get(at).wrapping_add(moved.get(at)))
            }
            Own::Take(axis) => host.along(axis, shape[axis], |i| at[i] as usize),
            Own::Folded(axis) => Nd::build(shape, |at| {
                let sum = host.line(at, axis).into_iter().fold(0, i32::wrapping_add);
                host.get(at).wrapping_sub(sum)
            }),
            Own::Scanned(axis) => Nd::build(shape, |at| {
                host.line(at, axis)[..=at[axis]].iter().copied().fold(0, i32::wrapping_add)
            }),
        };
        if expected.shape != shape {
            return Ok(()); // a permutation of axes of other lengths
        }
        let mut failure = None;
        let mut or_own =
            |made: Result<ArrayExpr<'static, i32, 3>>| made.map_err(|error| failure = Some(error)).ok();
        let done = array.assign_with(|x| match own {
            Own::Flip(axis) => x.flip(axis),
            Own::Roll(axis) => x.roll(axis, shift as isize),
            Own::Permute(order) => x.permute_axes(order),
            Own::Product => match x.clone().flatten() {
                Ok(flat) => ArrayExpr::from_expr(&matrix * flat, shape),
                Err(_) => x,
            },
            Own::ProductOfRanked => ArrayExpr::from_expr(&matrix * x.into_ranked(), shape),
            Own::Neighbours => x.stencil_padded(Pad::Edge, |at| at([0, 0, 0]) + at([0, 0, -1])).into_expr(),
            Own::Take(axis) => x.take(axis, &indices),
            Own::Folded(axis) => {
                let sums = x.clone().sum_axis(axis).map(|sums| owned(sums).insert_axis(axis));
                or_own(sums).map_or(x.clone(), |sums| x - sums)
            }
            Own::Scanned(axis) => or_own(x.clone().cumulative_sum(axis).map(owned)).unwrap_or(x),
        });
        if let Some(error) = failure {
            return Err(error.into());
        }
        // Folds and scans are evaluated before the update, and so must not be refused.
        let may_fail = !matches!(own, Own::Folded(_) | Own::Scanned(_));
        match done {
            Ok(()) => *host = expected,
            Err(Error::InvalidInput { .. }) if may_fail => {}
            Err(error) => return Err(error.into()),
        }
        compare_array("an array after an update by its own elements", array, host)
    })
}

fn owned<const N: usize>(array: Array<i32, N>) -> ArrayExpr<'static, i32, N> {
    cl_array::ArrayOperand::into_array_expr(array)
}

/// The entries of a row: columns and values.
type Row = Vec<(usize, i32)>;

/// Returns a square matrix with few entries in each row, and its rows.
fn square(n: usize, dice: &mut Dice) -> (HostCsr<i32>, Vec<Row>) {
    let rows: Vec<Row> = (0..n)
        .map(|_| {
            let mut columns: Vec<usize> = (0..dice.below(4)).map(|_| dice.below(n)).collect();
            columns.sort_unstable();
            columns.dedup();
            columns.into_iter().map(|column| (column, dice.below(9) as i32 - 4)).collect()
        })
        .collect();
    let mut offsets = vec![0_u32];
    for row in &rows {
        offsets.push(offsets[offsets.len() - 1] + row.len() as u32);
    }
    let (columns, values) = rows.iter().flatten().map(|&(column, value)| (column as u32, value)).unzip();
    let matrix = HostCsr::new(n, n, offsets, columns, values);
    (matrix.unwrap_or_else(|error| panic!("the generator of matrices is wrong: {error}")), rows)
}

fn product(rows: &[Row], x: &[i32]) -> Vec<i32> {
    let term = |&(column, value): &(usize, i32)| x[column].wrapping_mul(value);
    rows.iter().map(|row| row.iter().map(term).fold(0, i32::wrapping_add)).collect()
}

/// Subscripts of sums of products of two matrices.
pub(crate) const SUBSCRIPTS: [&str; 7] =
    ["ij,jk->ik", "ij,kj->ik", "ij,jk->ki", "ij,ij->ij", "ij,ji->i", "ij,jk->", "ij,kl->jl"];

/// Adds the products of a layer of one array and a layer of another one, as subscripts say.
pub(crate) fn products(world: &World, subscripts: &str, [a, b]: [usize; 2], seed: u64) -> Outcome {
    let mut dice = Dice::new(seed, 12);
    let ((a, host_a), (b, host_b)) = (world.array(a), world.array(b));
    if host_a.shape[0] == 0 || host_b.shape[0] == 0 {
        return Ok(());
    }
    let (i, j) = (dice.below(host_a.shape[0]), dice.below(host_b.shape[0]));
    let (inputs, result) = subscripts.split_once("->").unwrap_or((subscripts, ""));
    let labels: Vec<char> = inputs.chars().filter(|label| *label != ',').collect();
    // The length of a label is the shortest of its axes.
    let lens = [&host_a.shape[1..], &host_b.shape[1..]].concat();
    let len_of = |label: char| {
        labels.iter().zip(&lens).filter(|(other, _)| **other == label).map(|(_, len)| *len).min().unwrap_or(1)
    };
    let part =
        |label: usize| AxisSlice::Range { start: 0, end: Some(len_of(labels[label]) as isize), step: 1 };
    let left = a.view().index_axis(0, i).slice_axis(0, part(0)).slice_axis(1, part(1));
    let right = b.view().index_axis(0, j).slice_axis(0, part(2)).slice_axis(1, part(3));
    let mut all = labels.clone();
    all.sort_unstable();
    all.dedup();
    let shape: Vec<usize> = result.chars().map(len_of).collect();
    let mut expected = vec![0_i32; shape.iter().product()];
    let count: usize = all.iter().map(|&label| len_of(label)).product();
    for mut number in 0..count {
        let at: Vec<usize> = all
            .iter()
            .map(|&label| {
                let digit = number % len_of(label);
                number /= len_of(label);
                digit
            })
            .collect();
        let of = |label: char| all.iter().position(|&other| other == label).map_or(0, |place| at[place]);
        let to = result.chars().fold(0, |to, label| to * len_of(label) + of(label));
        let x = host_a.get([i, of(labels[0]), of(labels[1])]);
        let y = host_b.get([j, of(labels[2]), of(labels[3])]);
        expected[to] = expected[to].wrapping_add(x.wrapping_mul(y));
    }
    let got = match shape.len() {
        0 => einsum::<i32, 2, 2, 0>(subscripts, left, right)?.to_vec()?,
        1 => einsum::<i32, 2, 2, 1>(subscripts, left, right)?.to_vec()?,
        _ => {
            let made: Array<i32, 2> = einsum(subscripts, &left, &right)?;
            if subscripts == "ij,jk->ik" {
                let again = left.iter().matmul(&right)?;
                same("a product of matrices", &again.to_vec()?, &expected)?;
                let again: Array<i32, 2> = contract(&left, &right, &[(1, 0)])?;
                same("a contraction", &again.to_vec()?, &expected)?;
            }
            made.to_vec()?
        }
    };
    same(&format!("einsum {subscripts:?}"), &got, &expected)
}

/// Stores values at coordinates along an axis, each of which is named once at most. Some coordinates may be beyond the axis.
pub(crate) fn put(world: &mut World, axis: usize, into: usize, seed: u64) -> Outcome {
    world.change_array(into, |_, array, host| {
        let mut dice = Dice::new(seed, 13);
        let len = host.shape[axis];
        if host.is_empty() {
            return Ok(());
        }
        let mut free: Vec<i64> = (0..len as i64).collect();
        let count = 1 + dice.below(len);
        let mut at: Vec<i64> = (0..count).map(|_| free.swap_remove(dice.below(free.len()))).collect();
        let wrong = dice.one_in(4);
        if wrong {
            at[dice.below(count)] = dice.pick(&[-1, len as i64, i64::MIN, i64::MAX, 1 << 32]);
        }
        let queue = array.queue().clone();
        queue.finish()?;
        let shape = std::array::from_fn(|other| if other == axis { count } else { 1 });
        let indices = Array::from_slice(&queue, shape, &at)?;
        let value = Array::from_fn(&queue, [count], |[i]| (i * 3 + 1).cast::<i32>())?;
        let values: ArrayExpr<'_, i32, 3> = match axis {
            0 => value.iter().insert_axis(1).insert_axis(2),
            1 => value.iter().insert_axis(0).insert_axis(2),
            _ => value.iter().insert_axis(0).insert_axis(0),
        };
        array.put_along_axis(axis, &indices, values)?;
        for (i, &at) in at.iter().enumerate().filter(|(_, at)| (0..len as i64).contains(at)) {
            for place in positions(host.shape).filter(|place| place[axis] == at as usize) {
                let [a, b, c] = place;
                let to = (a * host.shape[1] + b) * host.shape[2] + c;
                host.items[to] = 3 * i as i32 + 1;
            }
        }
        match (queue.finish(), wrong) {
            (Ok(()), false) | (Err(Error::IndexOutOfRange { .. }), true) => {}
            (Ok(()), true) => return Err(Finding::NoError("a coordinate beyond the axis".to_owned())),
            (Err(error), _) => return Err(error.into()),
        }
        compare_array("an array after put_along_axis", array, host)
    })
}

/// The number of kinds of invalid uses.
pub(crate) const WRONG: usize = 12;

/// Uses an array in a way that must be refused.
pub(crate) fn refuse(world: &mut World, which: usize, into: usize, ex: &Ax) -> Outcome {
    let huge = world.array(into).0.shape();
    world.change_array(into, |world, array, host| {
        let Both { device, .. } = ex.both(world)?;
        let slice = |start: isize, end: Option<isize>, step: isize| AxisSlice::Range { start, end, step };
        let len = host.shape[0] as isize;
        match which {
            0 => refused("an axis beyond the rank", array.view_mut().flip(3).assign(1)),
            1 => refused(
                "a slice beyond the axis",
                array.view().slice_axis(0, slice(0, Some(len + 1), 1)).to_vec(),
            ),
            2 => refused("a slice with step 0", array.view().slice_axis(0, slice(0, None, 0)).to_vec()),
            3 => refused("an index beyond the axis", array.view().index_axis(0, host.shape[0]).to_vec()),
            4 => refused("axes named twice", array.view_mut().permute_axes([0, 0, 2]).assign(1)),
            5 => {
                let longer = [huge[0] + 2, huge[1] + 2, huge[2] + 2];
                refused(
                    "a shape that does not fit",
                    array.assign(device.sum_axis(0)?.iter().broadcast(longer)),
                )
            }
            6 => refused("an axis of a fold beyond the rank", device.sum_axis(3)),
            7 => refused("a window longer than the array", {
                array.view().windows::<6>([huge[0] + 1, 1, 1]).collect()
            }),
            // An array with more elements than can be counted.
            8 => refused("a broadcast to 2^61 elements", {
                array
                    .view()
                    .slice_axis(0, ..0_isize)
                    .broadcast([0, 1 << 40, 1 << 40])
                    .broadcast([1 << 61, 1, 1])
                    .to_vec()
            }),
            9 => refused("an element beyond the array", array.get([host.shape[0], 0, 0])),
            10 => {
                let view: ArrayViewMut<'_, i32, 3> = array.view_mut();
                refused("values of another length", view.write(&vec![0; host.items.len() + 1]))
            }
            _ => refused("another number of elements", array.reshape([host.items.len() + 1])),
        }?;
        compare_array("an array after a refused use", array, host)
    })
}
