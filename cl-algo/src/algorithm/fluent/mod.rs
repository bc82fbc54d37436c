//! Algorithms as methods of expressions and of device vectors.
//!
//! | file | concept |
//! | --- | --- |
//! | `new_vectors` | new vectors as outputs |
//! | `scan` | scans, also by key |
//! | `selection` | `filter`, `dedup`, `partition` |
//! | `by_key` | reductions of runs of equal keys |
//! | `reductions` | sums, means and extremes of a device vector |
//! | `vector` | changes of a whole vector: `sort`, `retain`, `reverse` and others |

mod by_key;
mod new_vectors;
mod reductions;
mod scan;
mod selection;
mod vector;

pub(in crate::algorithm) use new_vectors::NewVectors;
pub use scan::Scan;
pub use selection::Selection;
