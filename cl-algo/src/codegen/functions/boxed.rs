//! The functions of inputs that have a faster form inside of a box.

use super::Writer;
use crate::codegen::section::Section;
use crate::ir::fragment::Fragment;
use crate::lower::body::Body;
use crate::lower::value_type::once;
use std::fmt::{self, Write};

impl Writer<'_> {
    /// Writes `item_at` and `pack_at` of an input with [`Op::Within`] nodes. `within` is the body for items inside of the
    /// boxes.
    ///
    /// A CPU's pack has many items, most of which are inside also in packs at the end of a row. So a CPU computes such a pack
    /// in a loop that is not unrolled, and each item by the body that suits it.
    pub(super) fn write_boxed_input(
        &self,
        out: &mut Section,
        body: &Body<'_>,
        within: &Body<'_>,
    ) -> fmt::Result {
        let named = |what: &str| Fragment::named(self.fragment.name, what);
        let (item_at, item_within, border) =
            (named("item_at"), named("item_within"), named("pack_at_border"));
        let call = |name: &str| format!("{name}(ARGUMENTS i * PACK + k)");
        let is_packed = self.width == 1 || within.is_vectorizable(self.width);
        self.write_item_function(out, body, item_at.clone())?;
        if !is_packed || self.chunked && self.width > 1 {
            self.write_item_function(out, within, item_within.clone())?;
        }
        if self.width > 1 {
            self.write_pack_function(out, border.clone(), once(self.chunked))?;
            let each = match within.box_of_item("i * PACK + k").filter(|_| self.chunked) {
                Some(inside) => format!("{inside} ? {} : {}", call(&item_within), call(&item_at)),
                None => call(&item_at),
            };
            self.write_item_by_item(out, &each, !self.chunked)?;
        }
        self.write_pack_at(out, "__attribute__((always_inline)) ")?;
        if let Some(condition) = within.write_neighbours(&mut out.text, self.width)? {
            let border = if self.width == 1 { item_at } else { border };
            writeln!(out, "    if (!({condition}))\n        return {border}(ARGUMENTS p);")?;
        }
        if !is_packed {
            return self.write_item_by_item(out, &call(&item_within), !self.chunked);
        }
        let values = within.write(&mut out.text, self.width, &[], &|_| String::new())?;
        self.write_return(out, &values, true)
    }

    /// Writes the function that computes the item at an index.
    fn write_item_function(&self, out: &mut Section, body: &Body<'_>, name: String) -> fmt::Result {
        out.function(&self.item(false), name, "PARAMETERS const INDEX i")?;
        let values = body.write(&mut out.text, 1, &[], &|_| String::new())?;
        self.write_return(out, &values, false)
    }
}
