use cl_grid::multigrid::{Boundary, Multigrid, Problem, Smoother, Cycle};
use cl_grid::prelude::*;

#[test]
fn probe() {
    let queue = Queue::on(&Device::first().unwrap()).unwrap();
    for smoother in [Smoother::Chebyshev, Smoother::RedBlack, Smoother::Jacobi] {
    for boundary in [Boundary::Dirichlet, Boundary::Reflect, Boundary::Symmetric, Boundary::Periodic] {
        for n in [64, 97, 100] {
            let grid = Grid::uniform([n, n], [1.0; 2]).unwrap();
            let problem = Problem::<f64, 2>::new(&grid).boundary(boundary);
            let mut mg = Multigrid::new(&queue, &problem).unwrap().tolerance(1e-9).max_cycles(12).smoother(smoother);
            let f = Array::from_fn(&queue, [n, n], |[i, j]| ((i * 7919 + j * 104729 + i * j * 31) % 101).cast::<f64>() ).unwrap();
            let begin = std::time::Instant::now();
            let (_, report) = mg.solve(&f).unwrap();
            let r = &report.residuals;
            println!("{smoother:?} {boundary:?} {n} {:?}: {} cycles, factor {:.3} last {:.3} {:?}", mg.shapes(), report.cycles(), report.factor().unwrap(), r[r.len()-1]/r[r.len()-2], begin.elapsed() / report.cycles() as u32);
        }
    }
    }
}
#[test]
fn probe3() {
    let queue = Queue::on(&Device::first().unwrap()).unwrap();
    for smoother in [Smoother::Chebyshev, Smoother::RedBlack] {
    for boundary in [Boundary::Dirichlet, Boundary::Symmetric, Boundary::Periodic] {
        for n in [32, 33, 48] {
            let grid = Grid::uniform([n; 3], [1.0; 3]).unwrap();
            let problem = Problem::<f64, 3>::new(&grid).boundary(boundary);
            let mut mg = Multigrid::new(&queue, &problem).unwrap().tolerance(1e-9).max_cycles(12).smoother(smoother);
            let f = Array::from_fn(&queue, [n; 3], |[i, j, k]| ((i * 7919 + j * 104729 + i * j * 31 + k * 37 * i) % 101).cast::<f64>() ).unwrap();
            let begin = std::time::Instant::now();
            let (_, report) = mg.solve(&f).unwrap();
            let r = &report.residuals;
            println!("{smoother:?} {boundary:?} {n} {:?}: {} cycles, factor {:.3} last {:.3} {:?}", mg.shapes(), report.cycles(), report.factor().unwrap(), r[r.len()-1]/r[r.len()-2], begin.elapsed() / report.cycles() as u32);
        }
    }
    }
}
