//! The chapters of the book, each as the documentation of a module, so that `cargo test --doc` compiles
//! what they show; and runs it, unless it says `no_run`.

macro_rules! chapters {
    ($($name:ident: $file:literal;)*) => {
        $(
            #[cfg(doctest)]
            #[doc = include_str!(concat!("src/", $file))]
            mod $name {}
        )*

        #[cfg(test)]
        const FILES: &[&str] = &[$($file),*];
    };
}

chapters! {
    introduction: "introduction.md";
    first_steps: "first-steps.md";
    expressions: "expressions.md";
    device_functions: "device-functions.md";
    algorithms: "algorithms.md";
    arrays: "arrays.md";
    linalg: "linalg.md";
    grids: "grids.md";
    random_numbers: "random-numbers.md";
    fourier_transforms: "fourier-transforms.md";
    sparse_matrices: "sparse-matrices.md";
    collections: "collections.md";
    kernels: "kernels.md";
    queues: "queues.md";
    performance: "performance.md";
    safety: "safety.md";
    errors: "errors.md";
    environment: "environment.md";
    limits: "limits.md";
    from_numpy: "from-numpy.md";
    from_c: "from-c.md";
    from_ocl: "from-ocl.md";
    from_opencl3: "from-opencl3.md";
    from_boost_compute: "from-boost-compute.md";
    from_vexcl: "from-vexcl.md";
}

#[cfg(test)]
mod tests {
    use super::FILES;

    /// In the order of the book, so that nobody adds a chapter that no test compiles.
    #[test]
    fn every_chapter_is_compiled() {
        let summary = include_str!("src/SUMMARY.md");
        let links = summary.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        assert_eq!(links.collect::<Vec<_>>(), FILES);
    }
}
