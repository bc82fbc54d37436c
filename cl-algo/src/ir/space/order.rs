//! The order and the direction of the axes of a space.

use super::Space;

impl Space {
    /// Returns whether items along `axis` are neighbours in memory in more of the indices, from `forms[from]` on, than
    /// items along `other`. The items of a row should be neighbours.
    pub(super) fn is_nearer(&self, axis: Option<&usize>, other: Option<&usize>, from: usize) -> bool {
        let forms = &self.forms[from..];
        let far = |axis: &usize| {
            let count = |is: fn(u64) -> bool| {
                forms.iter().filter(|form| is(form.strides[*axis].unsigned_abs())).count()
            };
            (count(|stride| stride > 1), forms.len() - count(|stride| stride == 1))
        };
        match (axis.map(far), other.map(far)) {
            (Some(axis), Some(other)) => axis < other,
            (axis, _) => axis.is_some(),
        }
    }

    /// Turns the axes along which the strides of one of the indices are negative.
    pub(super) fn turn_upwards(&mut self, axes: &[usize], by: usize) {
        let form = self.forms.get(by).copied().unwrap_or_default();
        axes.iter().filter(|&&axis| form.strides[axis] < 0).for_each(|&axis| self.turn(axis));
    }

    /// Turns the direction of an axis around.
    pub(super) fn turn(&mut self, axis: usize) {
        let last = self.axes[axis] as i64 - 1;
        for form in &mut self.forms {
            let stride = form.strides[axis];
            form.offset = form.offset.wrapping_add(stride.wrapping_mul(last));
            form.strides[axis] = stride.wrapping_neg();
        }
    }
}
