//! Random formulas, for grids of any number of axes.

use proptest::prelude::*;

/// A distance along each of three axes. Grids with fewer axes use the first ones.
pub(super) type Offset = [i8; 3];

#[derive(Clone, Copy, Debug)]
pub(super) enum Symbol {
    Add,
    Sub,
    Mul,
}

#[derive(Clone, Debug)]
pub(super) enum Tree {
    Array(usize),
    Number(i8),
    /// The sum of multiples of the coordinates.
    Coordinates([i8; 3]),
    /// Numbers along an axis, modulo the number of axes.
    Along(usize, i8),
    Binary(Symbol, Box<Tree>, Box<Tree>),
    NumberLeft(Symbol, i8, Box<Tree>),
    NumberRight(Symbol, Box<Tree>, i8),
    Negative(Box<Tree>),
    /// `k - 2 x`, by `map`.
    Map(i8, Box<Tree>),
    /// `max(x, y) - z`, by `combine`.
    Combine(Box<[Tree; 3]>),
    Max(Box<Tree>, Box<Tree>),
    Apply(Rule, Box<Tree>),
    /// An axis, modulo the number of axes, or all.
    Border(Option<usize>, Beyond, Box<Tree>),
    Inline(Box<Tree>),
    Materialize(Box<Tree>),
    InLayers(Box<Tree>),
    /// Both operands are clones of one formula: `x + f(x)`.
    Shared(Box<Tree>, Rule),
}

/// An operator.
#[derive(Clone, Debug)]
pub(super) enum Rule {
    /// The sum of multiples of neighbours, by a closure or by a table.
    Terms {
        by_table: bool,
        terms: Vec<(Offset, i8)>,
    },
    /// The product of a neighbour of the data and the difference of two neighbours of the operand.
    Data(Box<Tree>, [Offset; 3]),
    Identity,
    Zero,
    Multiple(i8),
    Sum(Box<Rule>, Box<Rule>),
    Difference(Box<Rule>, Box<Rule>),
    Composition(Box<Rule>, Box<Rule>),
    NumberLeft(Symbol, i8, Box<Rule>),
    /// Without products, which have the number on the left.
    NumberRight(bool, Box<Rule>, i8),
    Negative(Box<Rule>),
}

/// A rule for values beyond a border.
#[derive(Clone, Debug)]
pub(super) enum Beyond {
    Value(i8),
    Function(Box<Tree>),
    Edge,
    Reflect,
    Symmetric,
    Antisymmetric,
    Periodic,
}

impl Tree {
    /// Returns the number of values that are read for one value of the formula.
    fn reads(&self) -> usize {
        match self {
            Tree::Array(_) | Tree::Number(_) | Tree::Coordinates(_) | Tree::Along(..) => 1,
            Tree::Binary(_, x, y) | Tree::Max(x, y) => x.reads() + y.reads(),
            Tree::NumberLeft(_, _, x)
            | Tree::NumberRight(_, x, _)
            | Tree::Negative(x)
            | Tree::Map(_, x)
            | Tree::Inline(x)
            | Tree::Materialize(x)
            | Tree::InLayers(x) => x.reads(),
            Tree::Combine(all) => all.iter().map(Tree::reads).sum(),
            Tree::Apply(rule, x) => rule.reads(x.reads()),
            Tree::Shared(x, rule) => x.reads() + rule.reads(x.reads()),
            Tree::Border(_, Beyond::Function(g), x) => x.reads() + 3 * g.reads(),
            Tree::Border(_, _, x) => 2 * x.reads(),
        }
    }
}

impl Rule {
    /// Returns the number of values that are read for one value, where the operand reads `own`.
    fn reads(&self, own: usize) -> usize {
        match self {
            Rule::Terms { terms, .. } => terms.len() * own,
            Rule::Data(data, _) => data.reads() + 2 * own,
            Rule::Zero => 0,
            Rule::Identity | Rule::Multiple(_) => own,
            Rule::Sum(a, b) | Rule::Difference(a, b) => a.reads(own) + b.reads(own),
            Rule::Composition(a, b) => a.reads(b.reads(own)),
            Rule::NumberLeft(Symbol::Mul, _, a) | Rule::Negative(a) => a.reads(own),
            Rule::NumberLeft(_, _, a) | Rule::NumberRight(_, a, _) => own + a.reads(own),
        }
    }
}

fn symbols() -> impl Strategy<Value = Symbol> {
    prop::sample::select(vec![Symbol::Add, Symbol::Sub, Symbol::Mul])
}

fn offsets() -> impl Strategy<Value = Offset> {
    // Most read a neighbour along one axis.
    prop_oneof![
        3 => (0..3_usize, -2..=2_i8).prop_map(|(axis, by)| {
            let mut offset = [0; 3];
            offset[axis] = by;
            // Grids with one axis have only the first.
            offset[0] = if axis == 0 { by } else { by.signum() };
            offset
        }),
        1 => prop::array::uniform3(-2..=2_i8),
    ]
}

fn rules(trees: impl Strategy<Value = Tree> + 'static) -> impl Strategy<Value = Rule> {
    let terms = prop::collection::vec((offsets(), -3..=3_i8), 0..=4);
    let leaf = prop_oneof![
        6 => (any::<bool>(), terms).prop_map(|(by_table, terms)| Rule::Terms { by_table, terms }),
        2 => (trees, prop::array::uniform3(offsets()))
            .prop_map(|(data, offsets)| Rule::Data(Box::new(data), offsets)),
        1 => Just(Rule::Identity),
        1 => Just(Rule::Zero),
        1 => (-3..=3_i8).prop_map(Rule::Multiple),
    ];
    leaf.prop_recursive(2, 4, 2, |inner| {
        let inner = inner.prop_map(Box::new);
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            two.clone().prop_map(|(a, b)| Rule::Sum(a, b)),
            two.clone().prop_map(|(a, b)| Rule::Difference(a, b)),
            two.prop_map(|(a, b)| Rule::Composition(a, b)),
            (symbols(), -3..=3_i8, inner.clone()).prop_map(|(symbol, k, a)| Rule::NumberLeft(symbol, k, a)),
            (any::<bool>(), inner.clone(), -3..=3_i8).prop_map(|(adds, a, k)| Rule::NumberRight(adds, a, k)),
            inner.prop_map(Rule::Negative),
        ]
    })
}

fn leaves() -> impl Strategy<Value = Tree> + Clone {
    prop_oneof![
        6 => (0..2_usize).prop_map(Tree::Array),
        1 => (-5..=5_i8).prop_map(Tree::Number),
        1 => prop::array::uniform3(-3..=3_i8).prop_map(Tree::Coordinates),
        1 => (0..3_usize, 0..10_i8).prop_map(|(axis, seed)| Tree::Along(axis, seed)),
    ]
}

fn beyond(trees: impl Strategy<Value = Tree> + 'static) -> impl Strategy<Value = Beyond> {
    prop_oneof![
        (-5..=5_i8).prop_map(Beyond::Value),
        trees.prop_map(|tree| Beyond::Function(Box::new(tree))),
        Just(Beyond::Edge),
        Just(Beyond::Reflect),
        Just(Beyond::Symmetric),
        Just(Beyond::Antisymmetric),
        Just(Beyond::Periodic),
    ]
}

/// Returns functions that ask for a formula to be kept or computed again, or ask for nothing.
fn keeps() -> impl Strategy<Value = fn(Box<Tree>) -> Tree> {
    prop::sample::select(vec![
        Tree::Inline as fn(Box<Tree>) -> Tree,
        Tree::Materialize,
        Tree::InLayers,
        Tree::InLayers,
        |x| *x,
    ])
}

/// Returns formulas that read an array at least once.
pub(super) fn trees() -> impl Strategy<Value = Tree> {
    let tree = leaves().prop_recursive(4, 12, 3, |inner| {
        let small = leaves();
        let boxed = inner.clone().prop_map(Box::new);
        let two = (boxed.clone(), boxed.clone());
        prop_oneof![
            3 => (symbols(), two.clone()).prop_map(|(symbol, (x, y))| Tree::Binary(symbol, x, y)),
            1 => (symbols(), -5..=5_i8, boxed.clone()).prop_map(|(symbol, k, x)| Tree::NumberLeft(symbol, k, x)),
            1 => (symbols(), boxed.clone(), -5..=5_i8).prop_map(|(symbol, x, k)| Tree::NumberRight(symbol, x, k)),
            1 => boxed.clone().prop_map(Tree::Negative),
            1 => (-5..=5_i8, boxed.clone()).prop_map(|(k, x)| Tree::Map(k, x)),
            1 => prop::array::uniform3(inner).prop_map(|all| Tree::Combine(Box::new(all))),
            1 => two.prop_map(|(x, y)| Tree::Max(x, y)),
            3 => (rules(small.clone()), boxed.clone()).prop_map(|(rule, x)| Tree::Apply(rule, x)),
            3 => (prop::option::of(0..3_usize), beyond(small.clone()), boxed.clone())
                .prop_map(|(axis, beyond, x)| Tree::Border(axis, beyond, x)),
            // The most intricate: neighbours beyond borders, some of functions that are kept.
            12 => (rules(small.clone()), prop::option::of(0..3_usize), beyond(small.clone()), keeps(), boxed.clone())
                .prop_map(|(rule, axis, beyond, keep, x)| {
                    Tree::Apply(rule, Box::new(Tree::Border(axis, beyond, Box::new(keep(x)))))
                }),
            1 => (boxed.clone(), rules(small)).prop_map(|(x, rule)| Tree::Shared(x, rule)),
            1 => boxed.clone().prop_map(Tree::Inline),
            1 => boxed.clone().prop_map(Tree::Materialize),
            1 => boxed.prop_map(Tree::InLayers),
        ]
    });
    // Larger kernels take long to compile, and have no other parts.
    let tree = tree.prop_filter("reads many values", |tree| tree.reads() <= 100);
    tree.prop_map(|tree| Tree::Binary(Symbol::Add, Box::new(tree), Box::new(Tree::Array(0))))
}
