//! Writes the Matrix Market files that the example `28_heat_plate` reads: a plate of steel with a disc of
//! copper, a hole, and a cooling pipe.
//!
//! `cargo run --release --bin make_plate [folder]`. Without a folder it compares its output with the files in
//! `examples/data`.
//!
//! The plate is cut into squares. Heat flows from each square to its four neighbours: the difference of their
//! temperatures times the conductance of the metal between their midpoints (two halves in series). The left
//! edge is kept at 100 degrees, the right one at 20, the pipe at 0. No heat flows through the other edges or
//! into the hole. The heat that flows into a square flows out of it, which gives a row of the matrix and an
//! element of the right-hand side.

use cl_sparse::matrix_market::{Array, Symmetry, Writer};
use cl_sparse::{HostCsr, Triplets};
use clap::Parser;
use std::error::Error;
use std::path::{Path, PathBuf};

const WIDTH: usize = 84;
const HEIGHT: usize = 40;

/// The material at a position of the plate.
#[derive(Clone, Copy)]
enum Place {
    /// Metal with this conductivity.
    Metal(f64),
    /// A hole, through which no heat flows.
    Nothing,
    /// A body that is kept at this temperature.
    Kept(f64),
}

fn place(x: isize, y: isize) -> Place {
    let within = |x0: f64, y0: f64, radius: f64| (x as f64 - x0).hypot(y as f64 - y0) < radius;
    match (x, y) {
        (..0, _) => Place::Kept(100.0),
        (_, y) if !(0..HEIGHT as isize).contains(&y) => Place::Nothing,
        (x, _) if x >= WIDTH as isize => Place::Kept(20.0),
        _ if within(58.0, 26.0, 7.0) => Place::Kept(0.0),
        _ if within(30.0, 27.0, 8.0) => Place::Nothing,
        _ if within(26.0, 9.0, 6.5) => Place::Metal(8.0), // copper, compared with steel
        _ => Place::Metal(1.0),
    }
}

/// The matrix, the right-hand side, and the position of each unknown: row and column of its square.
type Plate = (HostCsr<f64>, Array<f64>, Array<i32>);

fn plate() -> Result<Plate, Box<dyn Error>> {
    let squares = (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y)));
    let metal = |&(x, y): &(usize, usize)| matches!(place(x as isize, y as isize), Place::Metal(_));
    let squares: Vec<(usize, usize)> = squares.filter(metal).collect();
    let number =
        |x: isize, y: isize| squares.binary_search_by_key(&(y, x), |&(x, y)| (y as isize, x as isize));

    let mut matrix = Triplets::new(squares.len(), squares.len());
    let mut heat = vec![0.0; squares.len()];
    for (row, &(x, y)) in squares.iter().enumerate() {
        let (x, y) = (x as isize, y as isize);
        let Place::Metal(own) = place(x, y) else { continue };
        for (x, y) in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)] {
            match place(x, y) {
                Place::Metal(other) => {
                    let flow = 2.0 * own * other / (own + other);
                    matrix.push(row, row, flow)?;
                    matrix.push(row, number(x, y).map_err(|_| "no such square")?, -flow)?;
                }
                Place::Kept(temperature) => {
                    // The distance to the body's surface is half of that to a neighbour.
                    matrix.push(row, row, 2.0 * own)?;
                    heat[row] += 2.0 * own * temperature;
                }
                Place::Nothing => {}
            }
        }
    }
    let rows = squares.iter().map(|&(_, y)| y as i32);
    let places = rows.chain(squares.iter().map(|&(x, _)| x as i32)).collect();
    Ok((matrix.to_csr()?, Array::column(heat), Array::new(squares.len(), 2, places)?))
}

#[derive(Parser)]
struct Options {
    /// The folder to write the files to; without it, compare with the files in `examples/data`
    folder: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let Options { folder } = Options::parse();
    let (matrix, heat, places) = plate()?;
    let comment = "Heat in a plate: written by the example make_plate";
    let mut files =
        [("plate.mtx", Vec::new()), ("plate_heat.mtx", Vec::new()), ("plate_places.mtx", Vec::new())];
    let writer = Writer::new().comment(comment);
    writer.clone().symmetry(Symmetry::Symmetric).write(&mut files[0].1, &matrix)?;
    writer.write_array(&mut files[1].1, &heat)?;
    writer.write_array(&mut files[2].1, &places)?;

    for (name, text) in &files {
        match &folder {
            Some(folder) => {
                let file = folder.join(name);
                std::fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
            }
            None => {
                let shipped = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name))?;
                assert!(shipped == *text, "{name} differs");
            }
        }
    }
    println!(
        "{} squares with {} flows between them: all right",
        matrix.rows(),
        matrix.nonzeros() - matrix.rows()
    );
    Ok(())
}
