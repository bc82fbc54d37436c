//! Keys as unsigned numbers in the same order, and back.

use crate::algorithm::sort::ScalarKey;
use crate::element::{Element, ScalarType};
use crate::expr::{Val, extend};
use crate::ir::graph::Graph;
use crate::ir::op::{NodeId, Op, Type};

/// Returns the type of a key's digits, and the bits in which the key's bits differ from them: the sign, and all bits if
/// the largest key comes first.
fn flip<K: ScalarKey>(descending: bool) -> u64 {
    let signed = K::TYPE.scalar().is_some_and(|scalar| scalar.is_signed() || scalar.is_float());
    let sign = u64::from(signed) << (K::BITS - 1);
    if descending { sign ^ (u64::MAX >> (64 - K::BITS)) } else { sign }
}

/// Adds `x ^ bits`.
fn flipped<K: ScalarKey>(graph: &mut Graph<'_>, x: NodeId, bits: u64) -> NodeId {
    let bits = graph.node(Op::Constant(bits), K::Digits::TYPE, &[]);
    graph.node(Op::BitXor, K::Digits::TYPE, &[x, bits])
}

/// Returns a key as an unsigned number in the same order, or in the reverse order.
///
/// Floats are in their total order.
pub(in crate::algorithm) fn digits_of<K: ScalarKey>(key: Val<K>, descending: bool) -> Val<K::Digits> {
    extend(|recording| {
        let key = key.node(recording);
        let graph = recording.graph();
        let ordered = graph.total_key(key).unwrap_or(key);
        // A number of the same size first, so that the sign is not extended.
        let unsigned = match graph.ty(ordered).scalar() {
            Some(scalar) if scalar.is_signed() => {
                graph.node(Op::Bitcast, Type::from(scalar.unsigned()), &[ordered])
            }
            _ => ordered,
        };
        let wide = graph.converted(unsigned, K::Digits::TYPE.into()).unwrap_or(unsigned);
        flipped::<K>(graph, wide, flip::<K>(descending))
    })
}

/// Returns the key of a number that [`digits_of`] returned.
pub(super) fn key_of<K: ScalarKey>(digits: Val<K::Digits>, descending: bool) -> Val<K> {
    extend(|recording| {
        let digits = digits.node(recording);
        let graph = recording.graph();
        let bits = flipped::<K>(graph, digits, flip::<K>(descending));
        let scalar = K::TYPE.scalar().unwrap_or(ScalarType::U32);
        if scalar == ScalarType::Bool {
            let zero = graph.node(Op::Constant(0), K::Digits::TYPE, &[]);
            return graph.node(Op::Ne, K::TYPE, &[bits, zero]);
        }
        let narrow = graph.converted(bits, scalar.unsigned().into()).unwrap_or(bits);
        if scalar.unsigned() == scalar {
            return narrow;
        }
        let same = graph.node(Op::Bitcast, K::TYPE, &[narrow]);
        if !scalar.is_float() {
            return same;
        }
        // The conversion of a float's bits to a number in the total order is its own inverse.
        let bits = graph.total_key(same).unwrap_or(same);
        graph.node(Op::Bitcast, K::TYPE, &[bits])
    })
}
