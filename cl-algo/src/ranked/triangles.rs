//! Halves of matrices that are zero, or not computed.

/// The half of a square matrix on one side of the diagonal, with the diagonal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Half {
    /// The elements whose column is at most their row.
    Lower,
    /// The elements whose row is at most their column.
    Upper,
}

impl Half {
    /// Returns the number of a half in kernels.
    pub(super) fn number(half: Option<Half>) -> usize {
        match half {
            None => 0,
            Some(Half::Lower) => 1,
            Some(Half::Upper) => 2,
        }
    }

    /// Returns the other half, in which the elements lie after a transposition.
    #[must_use]
    pub fn other(self) -> Half {
        match self {
            Half::Lower => Half::Upper,
            Half::Upper => Half::Lower,
        }
    }
}

/// The halves to which the matrices of a product are limited; `None` for a whole matrix.
///
/// The elements of an operand outside of its half are zeros, so that sums can be shorter: the expression must yield zeros
/// there. The elements of the output outside of its half are neither computed nor stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Triangles {
    /// The half of the left operand that is not zero.
    pub left: Option<Half>,
    /// The half of the right operand that is not zero.
    pub right: Option<Half>,
    /// The half of the output that is computed.
    pub output: Option<Half>,
}

impl Triangles {
    /// Returns the halves of the transposed product.
    pub(super) fn turned(self) -> Triangles {
        let turned = |half: Option<Half>| half.map(Half::other);
        Triangles { left: turned(self.right), right: turned(self.left), output: turned(self.output) }
    }

    /// Returns the halves as `triangles` of `kernels/contract.cl`.
    pub(super) fn bits(self) -> u32 {
        let bits = |half: Option<Half>| Half::number(half) as u32;
        bits(self.left) | bits(self.right) << 2 | bits(self.output) << 4
    }
}
