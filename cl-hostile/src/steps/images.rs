//! Steps with images: boxes of pixels that are written, filled, copied, mapped and read by several queues.

use crate::dice::Dice;
use crate::finding::{Finding, Outcome, refused, same};
use crate::world::World;
use cl_core::{Buffer, D1, D2, D2Array, D3, Dimensions, Image, Result, Rgba};

type Pixel = Rgba<u8>;

/// The number of kinds of images.
pub(crate) const KINDS: usize = 4;

/// Runs commands on two images of a kind.
pub(crate) fn images(world: &World, kind: usize, commands: usize, seed: u64) -> Outcome {
    match kind {
        0 => of::<D1>(world, commands, seed),
        1 => of::<D2>(world, commands, seed),
        2 => of::<D2Array>(world, commands, seed),
        _ => of::<D3>(world, commands, seed),
    }
}

/// Returns the first `D::COUNT` of three numbers, as a size or a position.
#[allow(clippy::panic)] // a bug in this crate
fn sized<D: Dimensions>(numbers: [usize; 3]) -> D::Size {
    D::Size::try_from(&numbers[..D::COUNT]).unwrap_or_else(|_| panic!("an image has {} dimensions", D::COUNT))
}

/// Returns the positions of a box's pixels in the data of an image, row after row.
fn positions(size: [usize; 3], at: [usize; 3], extent: [usize; 3]) -> Vec<usize> {
    let position = |i: usize| {
        let [x, y, z] = [i % extent[0], i / extent[0] % extent[1], i / (extent[0] * extent[1])];
        at[0] + x + size[0] * (at[1] + y + size[1] * (at[2] + z))
    };
    (0..extent.iter().product()).map(position).collect()
}

fn of<D: Dimensions>(world: &World, commands: usize, seed: u64) -> Outcome {
    let mut dice = Dice::new(seed, 11);
    let context = world.queue(0).context();
    if !context.device().has_images()? || !Image::<D, Pixel>::is_supported(context)? {
        return Ok(());
    }
    let mut size = [1; 3];
    size[..D::COUNT].iter_mut().for_each(|length| *length = 1 + dice.below(9));
    let count: usize = size.iter().product();
    let pixel = |dice: &mut Dice| Rgba((dice.next() as u32).to_le_bytes());
    let mut host = Vec::new();
    let mut device = Vec::new();
    for _ in 0..2 {
        let pixels: Vec<Pixel> = (0..count).map(|_| pixel(&mut dice)).collect();
        device.push(Image::<D, Pixel>::from_slice(world.queue(dice.below(4)), sized::<D>(size), &pixels)?);
        host.push(pixels);
    }
    for _ in 0..commands {
        let queue = world.queue(dice.below(4));
        // Some boxes reach beyond the image.
        let (mut at, mut extent) = ([0; 3], [1; 3]);
        let beyond = usize::from(dice.one_in(8));
        for axis in 0..D::COUNT {
            at[axis] = dice.below(size[axis]);
            extent[axis] = 1 + dice.below(size[axis] - at[axis] + beyond);
        }
        let inside = |at: [usize; 3]| (0..3).all(|axis| at[axis] + extent[axis] <= size[axis]);
        let valid = inside(at);
        let here = positions(size, at, extent);
        let values: Vec<Pixel> = here.iter().map(|_| pixel(&mut dice)).collect();
        let (position, of_box) = (sized::<D>(at), sized::<D>(extent));
        let i = dice.below(2);
        let (first, second) = device.split_at_mut(1);
        let (image, other) = if i == 0 { (&mut first[0], &second[0]) } else { (&mut second[0], &first[0]) };
        let read = |image: &Image<D, Pixel>| -> Result<Vec<Pixel>> {
            let mut read = vec![Rgba([0; 4]); here.len()];
            image.read(queue, position, of_box, &mut read).map(|()| read)
        };
        let expected =
            |host: &[Pixel]| -> Vec<Pixel> { here.iter().map(|&position| host[position]).collect() };
        let mut written = None;
        let done = match dice.below(7) {
            0 => image.write(queue, position, of_box, &values).map(|()| written = Some(values)),
            1 => {
                let pixel = values[0];
                let filled = vec![pixel; values.len()];
                image.fill_region(queue, position, of_box, pixel).map(|()| written = Some(filled))
            }
            2 => {
                let mut from = [0; 3];
                (0..D::COUNT).for_each(|axis| from[axis] = dice.below(size[axis]));
                let done = image.copy_from(queue, position, other, sized::<D>(from), of_box);
                if !inside(from) {
                    refused("a copy from beyond an image", done)?;
                    continue;
                }
                let there = positions(size, from, extent);
                done.map(|()| written = Some(there.iter().map(|&position| host[1 - i][position]).collect()))
            }
            3 => {
                let source = Buffer::from_slice(queue, &values)?;
                image.copy_from_buffer(queue, position, of_box, &source, 0).map(|()| written = Some(values))
            }
            4 => {
                let mut target = Buffer::filled(queue, Rgba([9; 4]), here.len() + 3)?;
                let copied = image.copy_to_buffer(queue, position, of_box, &mut target, 3);
                if copied.is_ok() && valid {
                    let got = target.to_vec(queue)?;
                    same("the rest of a buffer", &got[..3], &[Rgba([9; 4]); 3])?;
                    same("a box in a buffer", &got[3..], &expected(&host[i]))?;
                }
                copied
            }
            5 => image.map_mut(queue, position, of_box).map(|mut map| {
                let rows = map.rows_mut().zip(values.chunks(extent[0]));
                rows.for_each(|(row, values)| row.copy_from_slice(values));
                drop(map);
                written = Some(values);
            }),
            _ => match read(image) {
                Ok(got) if valid => {
                    same("a box of an image", &got, &expected(&host[i]))?;
                    Ok(())
                }
                done => done.map(drop),
            },
        };
        match (done, valid) {
            (Ok(()), true) => {}
            (Err(_), false) => continue,
            (Ok(()), false) => return Err(Finding::NoError("a box beyond an image".to_owned())),
            (Err(error), true) => return Err(error.into()),
        }
        for (&position, value) in here.iter().zip(written.into_iter().flatten()) {
            host[i][position] = value;
        }
    }
    let queue = world.queue(dice.below(4));
    (0..2).try_for_each(|i| same("an image", &device[i].to_vec(queue)?, &host[i]))
}
