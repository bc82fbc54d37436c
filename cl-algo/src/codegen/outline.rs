//! Outlining: a fold in an assigned expression becomes the input of a kernel of its own, and the rest of the expression
//! becomes the outputs of that kernel.

use crate::ir::fragment::{Fragment, Kind};
use crate::ir::fused::Fused;
use crate::ir::graph::{Graph, Replace};
use crate::ir::op::{NodeId, Op};
use smallvec::{SmallVec, smallvec};

impl<'a> Fused<'a> {
    /// Returns the assignment with a fold of entries as its input, and all computations on the fold's results as part
    /// of its outputs: see [`FoldKernel::run`](super::FoldKernel::run).
    pub(crate) fn outlined(self, node: NodeId) -> Fused<'a> {
        let parts = crate::ir::fold::parts(&self.graph, node);
        let mut graph = Graph::default();
        let roots = graph.absorb(&parts, Replace::Nothing, self.operation);
        let ty = self.graph.nodes[node as usize].ty;
        let result = graph.node(Op::Parameter(0), ty, &[]);
        let instead = |id: NodeId, _| (id == node).then_some(result);
        let mut values = SmallVec::new();
        let mut fragments: SmallVec<[Fragment; 2]> = smallvec![
            Fragment { name: "", kind: Kind::Input, roots: smallvec![roots[0]] },
            Fragment { name: "INITIAL", kind: Kind::Input, roots: smallvec![roots[2]] },
            Fragment {
                name: "COMBINE",
                kind: Kind::Operator { of: "", arity: 2 },
                roots: smallvec![roots[1]]
            },
        ];
        for fragment in &self.fragments {
            match &fragment.kind {
                Kind::Output { of, outputs } => {
                    let kind = Kind::Output { of, outputs: outputs.clone() };
                    // The values of the former input replace the parameters, which are the item.
                    let roots = graph.copied(&self.graph, &fragment.roots, |id, op| match op {
                        Op::Parameter(number) => values.get(number as usize).copied(),
                        op => instead(id, op),
                    });
                    fragments.push(Fragment { name: fragment.name, kind, roots });
                }
                _ => values = graph.copied(&self.graph, &fragment.roots, instead),
            }
        }
        graph.len = self.graph.len;
        graph.on.clone_from(&self.graph.on);
        Fused { graph, fragments, ..self }
    }

    /// Returns a fold among the inputs whose kernel computes exactly the `len` items that are wanted.
    pub(crate) fn fold_with_kernel(&self, len: usize) -> Option<(NodeId, &'a dyn super::FoldKernel)> {
        let inputs = self.fragments.iter().filter(|fragment| fragment.kind == Kind::Input);
        inputs.filter_map(|input| crate::ir::fold::with_kernel(&self.graph, &input.roots, len)).next()
    }
}
