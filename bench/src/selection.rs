//! The cases and sizes that the options select.

use crate::cases::{self, Case};
use crate::options::{Options, Size};
use crate::report::Row;
use crate::{failure::Failure, worker};

/// The cases to measure, and their sizes; without sizes those of the options or of the device are used.
pub(crate) struct Selection {
    pub(crate) cases: Vec<&'static Case>,
    pub(crate) sizes: Vec<Size>,
}

impl Selection {
    /// Returns what the options select. `old` is the older report.
    pub(crate) fn of(options: &Options, old: Option<&[Row]>) -> Result<Selection, Failure> {
        let wanted = |case: &&Case| options.is_wanted(&case.label());
        let mut sizes = Vec::new();
        let all = || cases::ALL.iter().filter(wanted);
        let mut chosen: Vec<&Case> = if options.again.is_some() {
            let rows: Vec<&Row> = old.into_iter().flatten().collect();
            sizes.extend(
                rows.iter().filter(|row| row.case == OF_SIZES).map(|row| Size(row.vector_bytes() / 4)),
            );
            if sizes.is_empty() {
                return Err(
                    format!("the older report has no row `{OF_SIZES}`, so its sizes are not known").into()
                );
            }
            let is_old = |case: &Case| rows.iter().any(|row| row.label() == case.label());
            all().filter(|case| !case.by_host && is_old(case)).collect()
        } else if options.main {
            all().filter(|case| cases::MAIN.contains(&&*case.label())).collect()
        } else {
            worker::chosen(options)?
        };
        if let Some(part) = options.part {
            let mut at = 0..;
            chosen.retain(|case| case.ceiling.is_some() || at.next().is_some_and(|at| part.has(at)));
        }
        if chosen.is_empty() {
            return Err("no case is selected".into());
        }
        sizes.sort_unstable();
        sizes.dedup();
        Ok(Selection { cases: chosen, sizes })
    }
}

/// The case whose numbers of elements are the sizes of a report.
const OF_SIZES: &str = "copy (kernel)";
