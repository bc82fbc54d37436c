//! PageRank (Brin and Page, 1998): which vertices of a graph somebody is at most of the time who follows edges at
//! random, and now and then starts anew at a random vertex.
//!
//! `cargo run --release --example 32_page_rank [graph.mtx]`: a Matrix Market file whose entry in row i, column j is an
//! edge from i to j, or a graph by R-MAT. Each iteration is one product with the graph's matrix and everything that is
//! done with it, in one kernel, and one reduction, whose result stays on the device. Draws the ranks from the largest
//! to the smallest, both axes logarithmic. A graph by R-MAT is the same in the small as in the large, which gives
//! steps.

use cl_algo::math::abs;
use cl_algo::prelude::*;
use cl_algo::stl::sort_descending;
use cl_examples::picture;
use cl_random::{Engine, Philox4x32};
use cl_sparse::generate::{RMat, rmat};
use cl_sparse::{Csr, HostCsr, matrix_market};
use clap::Parser;
use plotters::prelude::*;
use std::error::Error;
use std::path::PathBuf;

/// How likely it is that an edge is followed.
const FOLLOWED: f32 = 0.85;

/// When two ranks after each other differ by less than this in all, they are good enough.
const TOLERANCE: f32 = 1e-5;

#[derive(Parser)]
struct Options {
    /// A Matrix Market file, an edge an entry; without one a graph is made up.
    graph: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let edges: HostCsr<f32> = match Options::parse().graph {
        Some(file) => matrix_market::read_file(file)?,
        None => rmat(RMat::new(14, 1 << 18), &mut Philox4x32::<10>::new(1998).rng(), |_| 1.0)?,
    };
    if edges.rows() != edges.columns() || edges.rows() == 0 {
        return Err("the matrix of a graph is square, and not empty".into());
    }
    let queue = Queue::on(&Device::first()?)?;
    let n = edges.rows();
    let mut graph = Csr::new(&queue, &edges)?;

    // Out of each vertex all edges together are followed with probability 1; in rows where they lead to.
    let out = graph.row_sums().collect()?;
    graph.scale_rows(out.iter().eq(0.0).select(0.0, 1.0 / &out))?;
    let steps = graph.transposed()?;

    let mut rank = DeviceVec::filled(&queue, 1.0 / n as f32, n)?;
    let mut next = DeviceVec::filled(&queue, 0.0_f32, n)?;
    let mut iterations = 0;
    loop {
        // Who is at a vertex without edges starts anew.
        let stuck = out.iter().eq(0.0).select(&rank, 0.0).sum_on_device()?;
        let anew = (1.0 - FOLLOWED + FOLLOWED * stuck.iter()) / n as f32;
        assign(&mut next, FOLLOWED * (&steps * &rank) + anew)?;
        std::mem::swap(&mut rank, &mut next);
        iterations += 1;
        // The host looks now and then only.
        if iterations % 10 == 0 && abs(&rank - &next).sum()? < TOLERANCE {
            break;
        }
        if iterations == 1000 {
            return Err("the ranks do not settle".into());
        }
    }
    check(&edges, &rank.to_vec()?);
    sort_descending(&mut rank)?;
    let rank = rank.to_vec()?;
    let file = draw(&rank)?;
    println!(
        "{n} vertices on {}: {iterations} iterations, the first has {:.2} % of the time, the median {:.4}: all right; \
         see {}",
        queue.device(),
        100.0 * rank[0],
        100.0 * rank[n / 2],
        file.display()
    );
    Ok(())
}

/// Follows all edges of the graph once more, on the host: the ranks must stay.
fn check(edges: &HostCsr<f32>, rank: &[f32]) {
    let n = rank.len() as f64;
    let mut next = vec![0.0; rank.len()];
    let mut stuck = 0.0;
    for (from, &rank) in rank.iter().enumerate() {
        let (to, weights) = edges.row(from);
        let out = weights.iter().copied().map(f64::from).sum::<f64>();
        if out == 0.0 {
            stuck += f64::from(rank);
            continue;
        }
        for (&to, &weight) in to.iter().zip(weights) {
            next[to as usize] += f64::from(rank) * f64::from(weight) / out;
        }
    }
    let anew = (1.0 - f64::from(FOLLOWED) + f64::from(FOLLOWED) * stuck) / n;
    let total = rank.iter().copied().map(f64::from).sum::<f64>();
    assert!((total - 1.0).abs() < 1e-4, "probabilities are {total} together");
    let change = |(next, &rank): (&f64, &f32)| (f64::from(FOLLOWED) * next + anew - f64::from(rank)).abs();
    let change = next.iter().zip(rank).map(change).sum::<f64>();
    assert!(change < f64::from(2.0 * TOLERANCE), "the ranks change by {change}");
}

/// Draws the ranks, the largest first.
fn draw(rank: &[f32]) -> Result<PathBuf, Box<dyn Error>> {
    picture::draw((900, 600), |area| {
        let across = 1.0..1.2 * rank.len() as f32;
        let up = 0.5 * rank[rank.len() - 1]..2.0 * rank[0];
        let mut chart = ChartBuilder::on(area)
            .margin(15)
            .x_label_area_size(45)
            .y_label_area_size(80)
            .build_cartesian_2d(across.log_scale(), up.log_scale())?;
        let mut mesh = chart.configure_mesh();
        mesh.light_line_style(TRANSPARENT).label_style(("sans-serif", 14));
        mesh.x_desc("vertex, the most visited first").y_desc("share of the time").draw()?;
        let places = rank.iter().enumerate().map(|(place, &rank)| (place as f32 + 1.0, rank));
        chart.draw_series(places.map(|at| Circle::new(at, 2, BLUE.filled())))?;
        Ok(())
    })
}
