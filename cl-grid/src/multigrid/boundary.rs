//! Boundary conditions of an axis.

/// The condition at both ends of an axis of a grid on which an equation is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Boundary {
    /// Zero at the border, which lies one step beyond the last point. Other values at the border go into the right-hand
    /// side, by [`Problem::right_hand_side`](super::Problem::right_hand_side).
    #[default]
    Dirichlet,
    /// The derivative across the border is zero. The border lies on the last point, as for
    /// [`BorderRule::Reflect`](crate::BorderRule::Reflect).
    #[doc(alias = "Neumann")]
    Reflect,
    /// The derivative across the border is zero. The border lies half a step beyond the last point, as for
    /// [`BorderRule::Symmetric`](crate::BorderRule::Symmetric).
    #[doc(alias = "Neumann")]
    Symmetric,
    /// The axis is a circle: the point behind the last one is the first one.
    Periodic,
}
