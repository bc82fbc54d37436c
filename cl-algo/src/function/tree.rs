//! A device function as data: the form in which `#[device_fn]` and `cl!` write a function's body.
//!
//! The macros see syntax only, so types are numbers here: indices into the [`BodyTypes`] that the compiler found for one
//! monomorphisation. Names are resolved: a local is a number.

use super::device_type::Constant;
use crate::ir::function::Function;
use crate::ir::op::{Op, Type};

/// The number of a local variable or parameter.
pub type Local = usize;
/// The index of a type in [`BodyTypes::types`].
pub type TypeIndex = usize;
/// The number of a loop.
pub type LoopId = usize;
/// A part of the tree.
pub type Part = &'static Node;

/// The types, constants and functions that one monomorphisation of a body mentions.
#[derive(Debug)]
pub struct BodyTypes {
    /// The types of literals, calls and other expressions whose syntax does not determine the type.
    pub types: Vec<Type>,
    /// Constant host values.
    pub constants: Vec<Constant>,
    /// The device functions that are called.
    pub callees: Vec<&'static Function>,
}

/// A function.
#[derive(Debug)]
pub struct Body {
    /// The name in Rust.
    pub name: &'static str,
    /// The parameters, and their declarations.
    pub parameters: &'static [(Local, Declared)],
    /// The names of all locals.
    pub locals: &'static [&'static str],
    /// The result's type.
    pub result: TypeIndex,
    /// The statements and the value.
    pub block: Block,
}

/// The declaration of a parameter.
#[derive(Debug)]
pub enum Declared {
    /// `x: T`.
    Value(TypeIndex),
    /// `x: &[T]`, given by the type of its elements.
    Slice(TypeIndex),
}

/// Statements, and the value of the block if it has one.
#[derive(Debug)]
pub struct Block {
    /// The statements, in order.
    pub statements: &'static [Node],
    /// The last expression.
    pub tail: Option<Part>,
}

/// An expression or a statement. A node with an optional type has a value only if the type is there.
#[derive(Debug)]
#[allow(missing_docs)] // named after the syntax
pub enum Node {
    Local(Local),
    Integer(u128, TypeIndex),
    Float(&'static str, TypeIndex),
    Bool(bool),
    Constant(usize),
    Unary(Unary, Part),
    Binary(Binary, Part, Part),
    Cast(Part, TypeIndex),
    /// A method of a primitive type, the receiver first.
    Method(&'static str, &'static [Node], TypeIndex),
    /// A device function, by its index in [`BodyTypes::callees`].
    Call(usize, &'static [Node]),
    Index(Part, Part),
    Field(Part, &'static str),
    Tuple(&'static [Node], TypeIndex),
    Struct(&'static [(&'static str, Node)], TypeIndex),
    Array(&'static [Node], TypeIndex),
    Repeat(Part, TypeIndex),
    Block(Block, Option<TypeIndex>),
    If(Part, Block, Option<Part>, Option<TypeIndex>),
    Match(Part, &'static [Arm], Option<TypeIndex>),
    Loop(LoopId, Block, Option<TypeIndex>),
    While(LoopId, Part, Block),
    For(LoopId, For),
    Break(LoopId, Option<Part>),
    Continue(LoopId),
    Return(Part),
    Let(Pattern, Part),
    /// `let x;`
    Declare(Local, TypeIndex),
    /// `target = value`, or `target op= value`.
    Assign(Part, Option<Binary>, Part),
}

/// `for variable in range.step_by(k).rev() { block }`.
#[derive(Debug)]
pub struct For {
    /// The variable; `None` for `_`.
    pub variable: Option<Local>,
    /// The first index.
    pub begin: Part,
    /// The end of the range.
    pub end: Part,
    /// `true` if `end` belongs to the range.
    pub inclusive: bool,
    /// The adapters, in the order of their calls.
    pub adapters: &'static [Adapter],
    /// The repeated block.
    pub block: Block,
}

/// A method of a range.
#[derive(Debug)]
#[allow(missing_docs)] // named after the methods
pub enum Adapter {
    Rev,
    StepBy(Part),
}

/// An arm of a `match`.
#[derive(Debug)]
pub struct Arm {
    /// The pattern that the value must match.
    pub pattern: Pattern,
    /// The condition after `if`.
    pub guard: Option<Part>,
    /// The value of the arm.
    pub value: Part,
}

/// A pattern that a value may match.
#[derive(Debug)]
#[allow(missing_docs)] // named after the syntax
pub enum Pattern {
    Any,
    Bind(Local),
    /// `name @ pattern`.
    Named(Local, &'static Pattern),
    Value(MatchValue),
    /// Begin, end, and `true` if the end belongs to the range.
    Range(Option<MatchValue>, Option<MatchValue>, bool),
    Or(&'static [Pattern]),
    Tuple(&'static [Pattern]),
}

/// A number in a pattern, of the type of the value that it is compared with.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // named after the syntax
pub enum MatchValue {
    Integer(i128),
    Bool(bool),
    Constant(usize),
}

macro_rules! operators {
    ($(#[$doc:meta])* $name:ident: $($op:ident)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs)] // named after the traits
        pub enum $name {
            $($op,)*
        }

        impl $name {
            /// Returns the operation.
            pub(crate) fn op(self) -> Op {
                match self {
                    $($name::$op => Op::$op,)*
                }
            }
        }
    };
}

operators! {
    /// Operators of one operand.
    Unary: Neg Not
}

operators! {
    /// Operators of two operands.
    Binary: Add Sub Mul Div Rem BitAnd BitOr BitXor Shl Shr And Or Eq Ne Lt Le Gt Ge
}

impl Node {
    /// Returns whether the value is one C expression, whose operands may be evaluated in any order.
    pub(crate) fn is_simple(&self) -> bool {
        let all = |nodes: &[Node]| nodes.iter().all(Node::is_simple);
        match self {
            Node::Local(_) | Node::Integer(..) | Node::Float(..) | Node::Bool(_) | Node::Constant(_) => true,
            Node::Unary(_, x) | Node::Cast(x, _) | Node::Field(x, _) => x.is_simple(),
            Node::Binary(_, x, y) => x.is_simple() && y.is_simple(),
            Node::Method(_, arguments, _) | Node::Call(_, arguments) => all(arguments),
            Node::Tuple(items, _) => all(items),
            Node::Struct(fields, _) => fields.iter().all(|(_, value)| value.is_simple()),
            Node::Index(base, index) => base.is_place() && index.is_simple(),
            Node::Block(block, Some(_)) => block.is_simple(),
            Node::If(condition, then, Some(otherwise), Some(_)) => {
                condition.is_simple() && then.is_simple() && otherwise.is_simple()
            }
            _ => false,
        }
    }

    /// Returns whether the node names a variable or a part of one, without an index that must be computed before.
    pub(crate) fn is_place(&self) -> bool {
        match self {
            Node::Local(_) => true,
            Node::Field(base, _) => base.is_place(),
            Node::Index(base, index) => base.is_place() && index.is_simple(),
            _ => false,
        }
    }
}

impl Block {
    fn is_simple(&self) -> bool {
        self.statements.is_empty() && self.tail.is_some_and(Node::is_simple)
    }
}
