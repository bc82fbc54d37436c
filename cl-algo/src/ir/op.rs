//! The operations of nodes: in the graph of an expression, and in the code of a device function.

use super::format::Format;
use super::function::Function;
use super::rows::RowBegin;
pub(crate) use super::types::Type;
use crate::element::ElementType;
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use std::mem::discriminant;

/// The index of a node in its graph.
pub(crate) type NodeId = u32;

/// An operation, or a kind of leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    /// The index of the item that is computed.
    Index,
    /// The launch value in this slot.
    Scalar(u32),
    /// A value that is part of the source, given by its bytes.
    Constant(u64),
    /// The whole vector in this slot; in a function's arguments it is followed by its length.
    Vector(u32),
    /// The element of the vector in this slot at the index that is the argument.
    Load(u32),
    /// The argument of this number, of an operator or of a helper of device functions.
    Parameter(u32),
    /// The variable of this number, in a device function.
    Variable(u32),

    /// Index arithmetic: argument 0 plus argument 1.
    Offset,
    /// Index arithmetic: argument 1 minus argument 0.
    Mirror,
    /// Index arithmetic: argument 0 times argument 1 plus argument 2.
    Affine,
    /// The coordinate of the item along an axis of its index space. Axes are counted from the last one.
    Coordinate(u32),
    /// Index arithmetic: argument 0, plus the products of the pairs of arguments after it.
    Strided,
    /// Index arithmetic: as [`Op::Affine`], where the indices of neighbouring rows are neighbours.
    Crossed,
    /// The part of an index that depends on the item's row: see [`space`](super::space).
    Row(RowBegin),
    /// Index arithmetic: argument 0 plus this number, which is part of the source.
    Near(i32),
    /// Index arithmetic: argument 0 divided by this number, rounded down.
    Quotient(u32),
    /// One of `n` values, chosen by an index `i`: the value with the number `i % n`. The arguments are the
    /// `n` values, then `i`. The values depend on `i` only through `i / n`, an [`Op::Quotient`], so `n`
    /// neighbouring items share them.
    Interleave,
    /// Argument 0, an integer computed from data, as an index below argument 1.
    Checked(Site),
    /// `true` if argument 0, an integer computed from data, is an index below argument 1.
    Writable(Site),
    /// Argument 0, an integer that is known to be in range, as an index.
    Trusted,
    /// The number of the current entry of a fold. The arguments that a fold computes for each entry use it as
    /// other nodes use [`Op::Index`].
    Entry,
    /// The first or the second of two values that a fold combines.
    Folded(u32),
    /// The combination of the entries of a range. Arguments: the value of an entry; two values combined; the
    /// value of an empty range; the number of the range; its first entry, and the entry after its last, both
    /// integers; the distance of entries, if it is not 1. The first three arguments are computed from
    /// [`Op::Entry`] and [`Op::Folded`], which refer to the innermost fold. These three arguments do not
    /// depend on [`Op::Index`].
    Fold {
        /// The number of entries that a work-item of a GPU loads at once.
        at_once: u8,
        /// The slot of the kernel that folds all ranges in their order.
        kernel: Option<u32>,
    },
    /// The index argument 0 plus argument 1, in a range of length argument 2.
    Neighbour(Beyond),
    /// `true` if the index argument 0 plus argument 1 is below argument 2.
    Inside,
    /// Argument 1, which equals argument 0 where the arguments from the third on, [`Op::Inside`] nodes, are true.
    /// Argument 0 may read beyond its vectors elsewhere. Items compute argument 1. Packs compute argument 0 if all
    /// their items are inside, and item by item otherwise.
    Within,

    Neg,
    Not,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    /// `&&`: argument 1 is computed only if argument 0 is true. Only in device functions.
    And,
    /// `||`: argument 1 is computed only if argument 0 is false. Only in device functions.
    Or,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// Argument 1 if argument 0 is true, else argument 2.
    Select,
    /// Rust's `as`.
    Cast,
    /// OpenCL's `convert_` with a rounding mode, and with saturation if the flag is `true`.
    Convert(Rounding, bool),
    /// The same bits, as another type.
    Bitcast,
    /// Argument 0, an `f32`, rounded to the nearest number of this format.
    Rounded(Format),
    /// A built-in function of OpenCL C.
    Call(&'static str),
    /// A built-in function of OpenCL C whose result is a `bool`.
    Test(&'static str),
    /// A built-in function of OpenCL C that returns a second result, of this type, through a pointer, its last
    /// argument.
    Pair(&'static (&'static str, ElementType)),
    /// The second result of argument 0.
    Second,
    /// A function of the user's or of another crate.
    Function(FunctionRef),
    /// Argument 1 if argument 0 is true, else the result of the function for the other arguments, which is called only
    /// then. Only in expressions.
    OrElse(FunctionRef),
    /// The field of this number, of a struct or a tuple.
    Field(u32),
    /// The component of this number, of a vector or a complex number.
    Component(u32),
    /// A vector, complex number, struct or array, made of its components, fields or items.
    Make,
    /// The item of argument 0, an array or a slice, at index argument 1, which is in range.
    Item,
    /// The length of argument 0, a slice.
    Len,
}

impl Op {
    /// Returns the function that the operation calls.
    pub(crate) fn function(self) -> Option<&'static Function> {
        match self {
            Op::Function(FunctionRef(function)) | Op::OrElse(FunctionRef(function)) => Some(function),
            _ => None,
        }
    }

    /// Returns all data of the operation besides its kind, if the data are one number.
    #[inline(always)]
    fn number(&self) -> Option<u64> {
        match *self {
            Op::Scalar(number)
            | Op::Vector(number)
            | Op::Load(number)
            | Op::Parameter(number)
            | Op::Variable(number)
            | Op::Coordinate(number)
            | Op::Quotient(number)
            | Op::Folded(number)
            | Op::Field(number)
            | Op::Component(number) => Some(number.into()),
            Op::Constant(bits) => Some(bits),
            Op::Rounded(format) => Some(format as u64),
            Op::Near(by) => Some(u64::from(by.cast_unsigned())),
            Op::Row(begin) => Some(u64::from(begin.slot) << 1 | u64::from(begin.aligned)),
            Op::Index
            | Op::Offset
            | Op::Mirror
            | Op::Affine
            | Op::Crossed
            | Op::Strided
            | Op::Interleave
            | Op::Trusted
            | Op::Entry => Some(0),
            Op::Inside | Op::Within | Op::Neg | Op::Not | Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Rem => {
                Some(0)
            }
            Op::BitAnd | Op::BitOr | Op::BitXor | Op::And | Op::Or | Op::Shl | Op::Shr | Op::Eq => Some(0),
            Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Select | Op::Cast | Op::Bitcast => Some(0),
            Op::Second | Op::Make | Op::Item | Op::Len => Some(0),
            Op::Checked(_) | Op::Writable(_) | Op::Fold { .. } | Op::Neighbour(_) | Op::Convert(..) => None,
            Op::Call(_) | Op::Test(_) | Op::Pair(_) | Op::Function(_) | Op::OrElse(_) => None,
        }
    }

    /// Returns the operator of two operands, as Rust and C write it.
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            Op::Add | Op::Offset => "+",
            Op::Sub => "-",
            Op::Mul => "*",
            Op::Div => "/",
            Op::Rem => "%",
            Op::BitAnd => "&",
            Op::BitOr => "|",
            Op::BitXor => "^",
            Op::And => "&&",
            Op::Or => "||",
            Op::Shl => "<<",
            Op::Shr => ">>",
            Op::Eq => "==",
            Op::Ne => "!=",
            Op::Lt => "<",
            Op::Le => "<=",
            Op::Gt => ">",
            Op::Ge => ">=",
            _ => "?",
        }
    }

    /// Returns the type of the operation's result for operands of these types; `None` if it is not defined for them, or
    /// if its type does not follow from them.
    pub(crate) fn result(self, of: &[Type]) -> Option<Type> {
        let &first = of.first()?;
        let integer = |of: Type| of.number().is_some_and(|of| !of.is_float());
        match (self, of) {
            (Op::Neg, [of]) => (of.number().is_some() || of.parts().is_some()).then_some(first),
            (Op::Not, [of]) => (integer(*of) || *of == Type::BOOL).then_some(first),
            (Op::And | Op::Or, [Type::BOOL, Type::BOOL]) => Some(first),
            (Op::Eq | Op::Ne, [a, b]) => (a == b
                && (a.parts().is_some() || a.scalar().is_some() || *a == Type::Index))
                .then_some(Type::BOOL),
            (Op::Lt | Op::Le | Op::Gt | Op::Ge, [a, _]) => a.scalar().map(|_| Type::BOOL),
            (Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Rem, [a, b]) => {
                let whole = if a.parts().is_some() { a } else { b };
                match whole.parts() {
                    Some((part, _)) => {
                        let fits = |of: &Type| of == whole || *of == Type::from(part);
                        (fits(a) && fits(b)).then_some(*whole)
                    }
                    None => a.number().map(|_| first),
                }
            }
            (Op::BitAnd | Op::BitOr | Op::BitXor, [a, _]) => {
                (integer(*a) || *a == Type::BOOL).then_some(first)
            }
            (Op::Shl | Op::Shr, [a, b]) => (integer(*a) && integer(*b)).then_some(first),
            (Op::Select, [_, yes, _]) | (Op::OrElse(_), [_, yes, ..]) => Some(*yes),
            (Op::Test(_) | Op::Writable(_), _) => Some(Type::BOOL),
            (Op::Call(_) | Op::Rounded(_), _) => Some(first),
            (Op::Checked(_), _) => Some(Type::Index),
            (Op::Len, _) => Some(Type::Element(ElementType::U64)),
            (Op::Component(_), [of]) => of.parts().map(|(part, _)| part.into()),
            (Op::Field(at), [Type::Element(ElementType::Struct(of))]) => {
                of.fields.get(at as usize).map(|field| field.element.into())
            }
            (Op::Item, [Type::Array(item, _), _]) => Some(**item),
            (Op::Item, [Type::Slice(item), _]) => Some((*item).into()),
            (Op::Function(function), _) => Some(function.0.result),
            _ => None,
        }
    }
}

/// The kind of access that uses an index computed from data. An error for an out-of-range index names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Site {
    Gather = 1,
    Scatter = 2,
    /// A slice in a device function.
    Slice = 3,
    /// A local array in a device function.
    Array = 4,
    /// An output with less room than the kernel may need. Number 5 is in `fault.rs`.
    Output = 6,
}

/// The element that is read as the neighbour if the neighbour's index is beyond an end of the vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beyond {
    /// The element at the end, repeated.
    Clamp,
    /// The other end.
    Wrap,
}

/// The rounding of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// The default rounding: floats to integers towards zero, all others to nearest.
    Default,
    /// To nearest, ties to even.
    NearestEven,
    /// Towards zero.
    TowardsZero,
    /// Towards positive infinity.
    Up,
    /// Towards negative infinity.
    Down,
}

/// A function, compared by address: equal functions exist once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FunctionRef(pub(crate) &'static Function);

impl PartialEq for FunctionRef {
    fn eq(&self, other: &FunctionRef) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for FunctionRef {}

/// The operands of a node, which are earlier nodes.
pub(crate) type Arguments = SmallVec<[NodeId; 4]>;

/// One operation on earlier nodes.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) code: Code,
    pub(crate) op: Op,
    pub(crate) ty: Type,
    pub(crate) arguments: Arguments,
}

impl Node {
    #[inline(always)]
    pub(crate) fn new(op: Op, ty: impl Into<Type>, arguments: &[NodeId]) -> Node {
        let ty = ty.into();
        // Copied one by one, because a call of `memcpy` takes longer.
        let few = match *arguments {
            [] => [0; 4],
            [a] => [a, 0, 0, 0],
            [a, b] => [a, b, 0, 0],
            [a, b, c] => [a, b, c, 0],
            ref many => {
                let code = Code::hashed(&op, ty, many);
                return Node { code, op, ty, arguments: Arguments::from_slice(many) };
            }
        };
        let code = Code::exact(&op, ty, &few, arguments.len());
        let code = code.unwrap_or_else(|| Code::hashed(&op, ty, arguments));
        Node { code, op, ty, arguments: Arguments::from_buf_and_len(few, arguments.len()) }
    }

    #[inline(never)]
    fn is_as_a_whole(&self, other: &Node) -> bool {
        self.op == other.op && self.ty == other.ty && self.arguments.iter().eq(other.arguments.iter())
    }

    #[inline]
    pub(crate) fn hash(&self) -> u64 {
        let mut hasher = Mixed(self.code.0);
        discriminant(&self.op).hash(&mut hasher);
        hasher.finish()
    }
}

impl PartialEq for Node {
    #[inline]
    fn eq(&self, other: &Node) -> bool {
        self.code == other.code
            && discriminant(&self.op) == discriminant(&other.op)
            && (self.code.is_exact() || self.is_as_a_whole(other))
    }
}

impl Eq for Node {}

/// The contents of a node in one number, except for the kind of its operation. For most nodes the number determines
/// everything, so that comparing them takes a few instructions. For others it is a hash. Every operator and every call
/// of a kernel compares all nodes of its expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Code(u64);

impl Code {
    /// The bit that is set in exact codes: those that determine the whole node, except for the kind of its
    /// operation.
    const EXACT: u64 = 1 << 63;

    /// Returns the code of a node with up to three arguments, if everything fits: 14 bits for each argument, 2 for
    /// their number, 4 for the type and 15 for the number of the operation.
    #[inline(always)]
    fn exact(op: &Op, ty: Type, few: &[NodeId; 4], count: usize) -> Option<Code> {
        let of = match ty {
            Type::Element(ElementType::Scalar(scalar)) => scalar as u64,
            Type::Index => 15,
            _ => return None,
        };
        let detail = op.number()?;
        let [a, b, c, _] = few.map(u64::from);
        let fits = (a | b | c) >> 14 | detail >> 15 == 0;
        fits.then_some(Code(
            Code::EXACT | detail << 48 | of << 44 | (count as u64) << 42 | c << 28 | b << 14 | a,
        ))
    }

    #[inline(never)]
    fn hashed(op: &Op, ty: Type, arguments: &[NodeId]) -> Code {
        let detail = op.number().unwrap_or_else(|| match *op {
            Op::Call(name) | Op::Test(name) | Op::Pair(&(name, _)) => name.len() as u64,
            Op::Function(function) | Op::OrElse(function) => std::ptr::from_ref(function.0).addr() as u64,
            _ => 0,
        });
        let mut hasher = Mixed(detail);
        let ty = ty.scalar().map_or(0, |scalar| 1 + scalar as u64);
        hasher.write_u64(arguments.iter().fold(ty, |all, &id| all.rotate_left(16) ^ u64::from(id)));
        Code(hasher.finish() & !Code::EXACT)
    }

    #[inline]
    fn is_exact(self) -> bool {
        self.0 & Code::EXACT != 0
    }
}

/// A hasher that mixes words by multiplications whose upper halves are folded into the lower ones, as
/// foldhash does. It has no random seed: tables compare the nodes of equal hashes, so a collision costs time
/// and changes no result.
pub(crate) struct Mixed(pub(crate) u64);

impl Hasher for Mixed {
    #[inline]
    fn write_isize(&mut self, word: isize) {
        self.write_u64(word as u64);
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ 0x9e37_79b9_7f4a_7c15) * u128::from(word ^ 0x2545_f491_4f6c_dd1d);
        self.0 = product as u64 ^ (product >> 64) as u64;
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::ScalarType;

    /// Compares nodes that differ in one property each. Some of these properties do not fit into an exact
    /// code.
    #[test]
    fn nodes_are_equal_only_to_themselves() {
        const SIN: Op = Op::Pair(&("sincos", ElementType::F32));
        const WIDE: Op = Op::Pair(&("sincos", ElementType::F64));
        const MOD: Op = Op::Pair(&("remquo", ElementType::F32));
        let numbers = |op: fn(u32) -> Op| [0, 1, 1 << 14, 1 << 15, (1 << 15) + 1, u32::MAX].map(op);
        let mut ops: Vec<Op> = numbers(Op::Scalar).into_iter().chain(numbers(Op::Component)).collect();
        ops.extend([0, 1, u64::MAX, 1 << 48].map(Op::Constant));
        ops.extend([
            Op::Add,
            Op::Mul,
            Op::Make,
            SIN,
            WIDE,
            MOD,
            Op::Call("sin"),
            Op::Call("cos"),
            Op::Test("all"),
        ]);
        ops.extend([Op::Checked(Site::Gather), Op::Checked(Site::Slice), Op::Writable(Site::Slice)]);
        ops.extend([Op::Neighbour(Beyond::Clamp), Op::Neighbour(Beyond::Wrap)]);
        ops.extend([Op::Convert(Rounding::Up, true), Op::Convert(Rounding::Up, false)]);
        let folds = [(4, None), (8, None), (4, Some(0)), (4, Some(1))];
        ops.extend(folds.map(|(at_once, kernel)| Op::Fold { at_once, kernel }));
        let vector = ElementType::Vector(ScalarType::F32, 2);
        let complex = ElementType::Complex(ScalarType::F32);
        let types: [Type; 6] =
            [ElementType::F32.into(), Type::BOOL, Type::Index, Type::Unit, vector.into(), complex.into()];
        let last = (1 << 14) - 1;
        let arguments: [&[NodeId]; 13] = [
            &[],
            &[0],
            &[1],
            &[last],
            &[last + 1],
            &[0, 0],
            &[0, 1],
            &[1, 0],
            &[0, 0, 0],
            &[0, 0, 1],
            &[0, 0, last + 1],
            &[0, 0, 0, 0],
            &[0, 0, 0, 0, 1],
        ];
        let mut nodes = Vec::new();
        for op in ops {
            for ty in types {
                nodes.extend(arguments.map(|arguments| Node::new(op, ty, arguments)));
            }
        }
        for (at, node) in nodes.iter().enumerate() {
            assert_eq!(*node, Node::new(node.op, node.ty, &node.arguments));
            assert_eq!(nodes.iter().position(|other| other == node), Some(at), "{node:?}");
        }
        let exact = nodes.iter().filter(|node| node.code.is_exact()).count();
        assert!(0 < exact && exact < nodes.len());
    }
}
