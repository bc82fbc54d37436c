//! Functions on grids, evaluated on the host by loops. Grids have three axes; those without some have one point along these.

use std::rc::Rc;

/// The first point along each axis, and the point behind the last.
pub(super) type Region = [(i64, i64); 3];
pub(super) type Point = [i64; 3];

/// The coordinates of functions that have values everywhere.
pub(super) const EVERYWHERE: (i64, i64) = (-1 << 40, 1 << 40);

/// The numbers in which the host computes.
pub(super) trait Number: Copy + std::fmt::Debug {
    fn of(value: i32) -> Self;
    /// Returns the number that stands for a coordinate in formulas.
    fn coordinate(at: i64) -> Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
}

impl Number for i32 {
    fn of(value: i32) -> i32 {
        value
    }

    fn coordinate(at: i64) -> i32 {
        at as i32
    }

    fn add(self, other: i32) -> i32 {
        self.wrapping_add(other)
    }

    fn sub(self, other: i32) -> i32 {
        self.wrapping_sub(other)
    }

    fn mul(self, other: i32) -> i32 {
        self.wrapping_mul(other)
    }

    fn max(self, other: i32) -> i32 {
        Ord::max(self, other)
    }
}

/// A floating-point number, and the same sum with the absolute values of its terms, to which its error is proportional.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tracked<T> {
    pub(super) value: T,
    pub(super) size: f64,
}

macro_rules! tracked {
    ($($type:ident)*) => {$(
        impl Number for Tracked<$type> {
            fn of(value: i32) -> Self {
                let value = value as $type / 8.0;
                Tracked { value, size: f64::from(value).abs() }
            }

            fn coordinate(at: i64) -> Self {
                // Small, so that products do not overflow.
                Self::of(8 * at.rem_euclid(8) as i32)
            }

            fn add(self, other: Self) -> Self {
                Tracked { value: self.value + other.value, size: self.size + other.size }
            }

            fn sub(self, other: Self) -> Self {
                Tracked { value: self.value - other.value, size: self.size + other.size }
            }

            fn mul(self, other: Self) -> Self {
                Tracked { value: self.value * other.value, size: self.size * other.size }
            }

            fn max(self, other: Self) -> Self {
                Tracked { value: self.value.max(other.value), size: self.size.max(other.size) }
            }
        }
    )*};
}

tracked!(f32 f64);

/// A function on a grid.
pub(super) struct Model<M> {
    kind: Kind<M>,
    /// The points at which the function has values.
    pub(super) domain: Region,
    /// `true` if the function belongs to a grid, and has borders.
    pub(super) has_grid: bool,
}

enum Kind<M> {
    Array(Vec<M>),
    Function(Box<dyn Fn(Point) -> M>),
    Stencil { inputs: Vec<Rc<Model<M>>>, reads: Vec<(usize, Point)>, compute: Box<dyn Fn(&[M]) -> M> },
    Bordered { inner: Rc<Model<M>>, axis: usize, rule: Rule<M> },
}

/// A rule for values beyond a border.
pub(super) enum Rule<M> {
    Value(M),
    Function(Rc<Model<M>>),
    Edge,
    Reflect,
    Symmetric,
    Antisymmetric,
    Periodic,
}

/// Returns the points of a region in row-major order.
pub(super) fn points(region: &Region) -> impl Iterator<Item = Point> {
    let [x, y, z] = *region;
    (x.0..x.1).flat_map(move |i| (y.0..y.1).flat_map(move |j| (z.0..z.1).map(move |k| [i, j, k])))
}

/// Returns the index of a point in an array of a shape.
pub(super) fn index(at: Point, shape: [usize; 3]) -> usize {
    at.iter().zip(shape).fold(0, |index, (&at, len)| index * len + usize::try_from(at).unwrap())
}

fn index_in(at: Point, region: &Region) -> usize {
    let shape = region.map(|(begin, end)| usize::try_from(end - begin).unwrap());
    for axis in 0..3 {
        assert!((region[axis].0..region[axis].1).contains(&at[axis]), "{at:?} in {region:?}");
    }
    index(std::array::from_fn(|axis| at[axis] - region[axis].0), shape)
}

impl<M: Number + 'static> Model<M> {
    pub(super) fn array(values: Vec<M>, shape: [usize; 3]) -> Rc<Model<M>> {
        let domain = shape.map(|len| (0, len as i64));
        Rc::new(Model { kind: Kind::Array(values), domain, has_grid: true })
    }

    pub(super) fn function(
        domain: Region,
        has_grid: bool,
        of: impl Fn(Point) -> M + 'static,
    ) -> Rc<Model<M>> {
        Rc::new(Model { kind: Kind::Function(Box::new(of)), domain, has_grid })
    }

    pub(super) fn stencil(
        inputs: Vec<Rc<Model<M>>>,
        reads: Vec<(usize, Point)>,
        compute: impl Fn(&[M]) -> M + 'static,
    ) -> Rc<Model<M>> {
        let mut domain = [EVERYWHERE; 3];
        for &(input, by) in &reads {
            for axis in 0..3 {
                let (begin, end) = inputs[input].domain[axis];
                // Ends that are endless stay where they are, nearly.
                domain[axis].0 = domain[axis].0.max(begin - by[axis]);
                domain[axis].1 = domain[axis].1.min(end - by[axis]);
            }
        }
        let has_grid = inputs.iter().any(|input| input.has_grid);
        Rc::new(Model { kind: Kind::Stencil { inputs, reads, compute: Box::new(compute) }, domain, has_grid })
    }

    /// Returns the function, continued beyond the ends of an axis; `None` if it lacks values to continue.
    pub(super) fn bordered(
        inner: &Rc<Model<M>>,
        axis: usize,
        rule: Rule<M>,
        shape: [usize; 3],
    ) -> Option<Rc<Model<M>>> {
        let mut domain = inner.domain;
        if !inner.has_grid || domain[axis].0 > 0 || domain[axis].1 < shape[axis] as i64 {
            return None;
        }
        domain[axis] = EVERYWHERE;
        if let Rule::Function(function) = &rule {
            for (own, other) in domain.iter_mut().zip(&function.domain) {
                *own = (own.0.max(other.0), own.1.min(other.1));
            }
        }
        Some(Rc::new(Model {
            kind: Kind::Bordered { inner: inner.clone(), axis, rule },
            domain,
            has_grid: true,
        }))
    }

    /// Returns the values at the points of a region.
    pub(super) fn values(&self, region: &Region, shape: [usize; 3]) -> Vec<M> {
        match &self.kind {
            Kind::Array(values) => points(region).map(|at| values[index(at, shape)]).collect(),
            Kind::Function(of) => points(region).map(of).collect(),
            Kind::Stencil { inputs, reads, compute } => {
                let operands: Vec<_> = inputs
                    .iter()
                    .enumerate()
                    .map(|(input, model)| {
                        let own: Vec<Point> =
                            reads.iter().filter(|read| read.0 == input).map(|read| read.1).collect();
                        let around: Region = std::array::from_fn(|axis| {
                            let by = own.iter().map(|by| by[axis]);
                            let (low, high) = (by.clone().min().unwrap_or(0), by.max().unwrap_or(0));
                            (region[axis].0 + low, region[axis].1 + high)
                        });
                        let values = if own.is_empty() { Vec::new() } else { model.values(&around, shape) };
                        (around, values)
                    })
                    .collect();
                let mut items = Vec::new();
                points(region)
                    .map(|at| {
                        items.clear();
                        items.extend(reads.iter().map(|&(input, by)| {
                            let (around, values) = &operands[input];
                            values[index_in(std::array::from_fn(|axis| at[axis] + by[axis]), around)]
                        }));
                        compute(&items)
                    })
                    .collect()
            }
            Kind::Bordered { inner, axis, rule } => {
                let (axis, len) = (*axis, shape[*axis] as i64);
                let mut around = *region;
                around[axis] = (0, len);
                let own = inner.values(&around, shape);
                let other = match rule {
                    Rule::Function(function) => function.values(region, shape),
                    _ => Vec::new(),
                };
                points(region)
                    .enumerate()
                    .map(|(number, mut at)| {
                        let is_beyond = !(0..len).contains(&at[axis]);
                        match rule {
                            Rule::Value(value) if is_beyond => return *value,
                            Rule::Function(_) if is_beyond => return other[number],
                            _ => {}
                        }
                        let (inside, is_odd) = rule.inside(at[axis], len);
                        at[axis] = inside;
                        let value = own[index_in(at, &around)];
                        if is_odd { M::of(0).sub(value) } else { value }
                    })
                    .collect()
            }
        }
    }
}

impl<M> Rule<M> {
    /// Returns the coordinate whose value is taken, and whether its sign changes.
    fn inside(&self, mut at: i64, len: i64) -> (i64, bool) {
        let mut is_odd = false;
        while !(0..len).contains(&at) {
            at = match self {
                Rule::Value(_) | Rule::Function(_) => unreachable!(),
                Rule::Edge => at.clamp(0, len - 1),
                Rule::Periodic => at.rem_euclid(len),
                Rule::Reflect if len == 1 => 0,
                Rule::Reflect if at < 0 => -at,
                Rule::Reflect => 2 * (len - 1) - at,
                Rule::Symmetric | Rule::Antisymmetric if at < 0 => -1 - at,
                Rule::Symmetric | Rule::Antisymmetric => 2 * len - 1 - at,
            };
            is_odd ^= matches!(self, Rule::Antisymmetric);
        }
        (at, is_odd)
    }
}
