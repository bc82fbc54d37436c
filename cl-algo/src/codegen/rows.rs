//! The text and the arguments of a kernel for the parts of indices that are the same in a row.

use super::section::Section;
use crate::ir::leaf;
use crate::ir::rows::Rows;
use crate::lower::quotient;
use cl_core::Arg;
use std::fmt::{self, Write};
use std::ops::Range;

impl Rows {
    /// Returns the arguments for the parameters that [`write`](Rows::write) adds.
    pub(crate) fn arguments(&self, wide_index: bool) -> Vec<Arg<'static>> {
        let mut arguments = Vec::new();
        for &extent in &self.extents[self.divided()] {
            arguments.push(leaf::index(extent as i64, wide_index));
            arguments.extend(quotient::of_index(extent, wide_index));
        }
        for begin in &self.begins {
            let strides = begin.strides.iter().filter(|&&stride| stride != 0);
            arguments.extend(strides.chain([&begin.offset]).map(|&number| leaf::index(number, wide_index)));
        }
        arguments
    }

    /// Returns the axes in `extents` whose coordinates are found by division: those that are not apart, except for the
    /// last one.
    fn divided(&self) -> Range<usize> {
        let last = self.extents.len().saturating_sub(1);
        self.apart.min(last)..last
    }

    /// Writes two macros. `SPACE_PARAMETERS` is the list of the kernel's parameters: those of the leaves, then those
    /// for the space. `BEGIN_ROW(row)` computes the begins of a row. If axes are apart, it is
    /// `BEGIN_ROW(row, second, first)`: the coordinates along these axes, the first one last, after the number of the
    /// row among the rows of the other axes. Adds the begins to the `parameters` and `arguments` of functions.
    pub(crate) fn write(
        &self,
        out: &mut Section,
        parameters: &mut String,
        arguments: &mut String,
    ) -> fmt::Result {
        let axes = self.extents.len();
        let apart: Vec<String> = (0..self.apart.min(axes)).map(|axis| format!("at{axis}")).collect();
        let first = apart.len();
        let names: String = apart.iter().rev().map(|name| format!(", {name}")).collect();
        let (mut kernel, mut begin) = (parameters.clone(), String::new());
        write!(begin, "(row{names}) const INDEX q{first}_ = row;")?;
        for (axis, name) in apart.iter().enumerate() {
            write!(begin, " const INDEX c{axis}_ = {name};")?;
        }
        for axis in first..axes {
            if self.divided().contains(&axis) {
                write!(
                    kernel,
                    "const INDEX extent{axis}, const INDEX upper{axis}, const INDEX shift{axis}, "
                )?;
                let next = axis + 1;
                write!(begin, " const INDEX q{next}_ = divided(q{axis}_, upper{axis}, shift{axis}),")?;
                write!(begin, " c{axis}_ = q{axis}_ - q{next}_ * extent{axis};")?;
            } else {
                write!(begin, " const INDEX c{axis}_ = q{axis}_;")?;
            }
        }
        for (slot, moves) in self.begins.iter().enumerate() {
            write!(begin, " const INDEX row{slot} = row{slot}_begin")?;
            // An axis along which the begin does not move is left out, so that compilers find equal loads.
            for axis in (0..axes).filter(|&axis| moves.strides[axis] != 0) {
                write!(kernel, "const INDEX row{slot}_{axis}, ")?;
                write!(begin, " + c{axis}_ * row{slot}_{axis}")?;
            }
            write!(kernel, "const INDEX row{slot}_begin, ")?;
            write!(begin, ";")?;
            write!(parameters, "const INDEX row{slot}, ")?;
            write!(arguments, "row{slot}, ")?;
        }
        out.define("SPACE_PARAMETERS", format_args!(" {kernel}"))?;
        out.define("BEGIN_ROW", begin)
    }
}
