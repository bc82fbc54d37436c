//! Arrays on the host, computed element by element.

/// An array on the host: its shape, and its elements in row-major order.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Model {
    pub(super) shape: Vec<usize>,
    pub(super) elements: Vec<i32>,
}

impl Model {
    /// Returns the array whose elements a closure computes from their coordinates.
    pub(super) fn new(shape: &[usize], mut element: impl FnMut(&[usize]) -> i32) -> Model {
        let mut at = vec![0; shape.len()];
        let elements = (0..shape.iter().product()).map(|index| {
            let mut rest = index;
            for (at, len) in at.iter_mut().zip(shape).rev() {
                (*at, rest) = (rest % len, rest / len);
            }
            element(&at)
        });
        Model { elements: elements.collect(), shape: shape.to_vec() }
    }

    pub(super) fn rank(&self) -> usize {
        self.shape.len()
    }

    pub(super) fn at(&self, at: &[usize]) -> i32 {
        self.elements[self.index(at)]
    }

    pub(super) fn at_mut(&mut self, at: &[usize]) -> &mut i32 {
        let index = self.index(at);
        &mut self.elements[index]
    }

    fn index(&self, at: &[usize]) -> usize {
        at.iter().zip(&self.shape).fold(0, |index, (&at, &len)| {
            assert!(at < len, "{at:?} of {:?}", self.shape);
            index * len + at
        })
    }

    pub(super) fn map(&self, of: impl Fn(i32) -> i32) -> Model {
        Model { elements: self.elements.iter().map(|&x| of(x)).collect(), shape: self.shape.clone() }
    }

    /// Returns the array with another length along an axis. `from` returns the coordinate to read there, or `None` for
    /// an element that is `otherwise`.
    pub(super) fn along(
        &self,
        axis: usize,
        len: usize,
        otherwise: i32,
        from: impl Fn(usize) -> Option<usize>,
    ) -> Model {
        let mut shape = self.shape.clone();
        shape[axis] = len;
        Model::new(&shape, |at| {
            let mut at = at.to_vec();
            match from(at[axis]) {
                Some(from) => {
                    at[axis] = from;
                    self.at(&at)
                }
                None => otherwise,
            }
        })
    }

    pub(super) fn permuted(&self, order: &[usize]) -> Model {
        let shape: Vec<usize> = order.iter().map(|&axis| self.shape[axis]).collect();
        Model::new(&shape, |at| {
            let mut from = vec![0; at.len()];
            order.iter().zip(at).for_each(|(&axis, &at)| from[axis] = at);
            self.at(&from)
        })
    }

    /// Returns the array with its axes of length 1 repeated, and with axes added in front.
    pub(super) fn broadcast(&self, shape: &[usize]) -> Model {
        let ahead = shape.len() - self.rank();
        Model::new(shape, |at| {
            let from: Vec<usize> = at[ahead..]
                .iter()
                .zip(&self.shape)
                .map(|(&at, &len)| if len == 1 { 0 } else { at })
                .collect();
            self.at(&from)
        })
    }

    /// Returns an element-wise function of two arrays, which are broadcast.
    pub(super) fn join(&self, other: &Model, of: impl Fn(i32, i32) -> i32) -> Model {
        let shape = joined(&self.shape, &other.shape);
        let (a, b) = (self.broadcast(&shape), other.broadcast(&shape));
        let elements = a.elements.iter().zip(&b.elements).map(|(&a, &b)| of(a, b)).collect();
        Model { shape, elements }
    }

    /// Returns a function of all elements that differ in their coordinates along `axes` only.
    pub(super) fn fold<R>(&self, axes: &[usize], of: impl Fn(&[i32]) -> R) -> (Vec<usize>, Vec<R>) {
        let kept: Vec<usize> = (0..self.rank()).filter(|axis| !axes.contains(axis)).collect();
        let shape: Vec<usize> = kept.iter().map(|&axis| self.shape[axis]).collect();
        let folded: Vec<usize> =
            (0..self.rank()).filter(|axis| axes.contains(axis)).map(|axis| self.shape[axis]).collect();
        let mut results = Vec::new();
        Model::new(&shape, |outer| {
            let mut at = vec![0; self.rank()];
            kept.iter().zip(outer).for_each(|(&axis, &outer)| at[axis] = outer);
            let line = Model::new(&folded, |inner| {
                let folded = (0..self.rank()).filter(|axis| axes.contains(axis));
                folded.zip(inner).for_each(|(axis, &inner)| at[axis] = inner);
                self.at(&at)
            });
            results.push(of(&line.elements));
            0
        });
        (shape, results)
    }
}

/// Returns the shape that two shapes are broadcast to.
pub(super) fn joined(a: &[usize], b: &[usize]) -> Vec<usize> {
    let rank = a.len().max(b.len());
    let len = |shape: &[usize], axis: usize| (axis + shape.len()).checked_sub(rank).map_or(1, |at| shape[at]);
    let both = |axis| match (len(a, axis), len(b, axis)) {
        (1, other) | (other, _) => other,
    };
    (0..rank).map(both).collect()
}
