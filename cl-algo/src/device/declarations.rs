//! Declarations of the built-in functions that a program uses, for compilers that would otherwise read all
//! declarations.
//!
//! PoCL's compiler is clang, which learns built-in functions from a header of 14 500 declarations, and reads the header
//! with each program. PoCL 3.1 takes 300 ms to build a small program, and 29 ms without the header. A program in PoCL's
//! cache takes 64 ms, and 14 ms without the header. If the macro [`HEADER`] is defined, clang skips the header, as if
//! it had been read already.
//!
//! A name is declared with all overloads that OpenCL C 1.2 (section 6.12) gives it, or not at all: with only a few
//! overloads a call could choose a different one. A program that uses a built-in function that is not declared here is
//! compiled with the header.

use crate::element::ScalarType::{self, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
use cl_core::{BuildOptions, Context, Error, Program, Result};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

/// The macro that the header defines when it is read.
pub(super) const HEADER: &str = "_OPENCL_H_";

const FLOATS: &[ScalarType] = &[F16, F32, F64];
const INTEGERS: &[ScalarType] = &[I8, U8, I16, U16, I32, U32, I64, U64];
const NUMBERS: &[ScalarType] = &[I8, U8, I16, U16, I32, U32, I64, U64, F16, F32, F64];

const ONE: &[usize] = &[1];
const WIDTHS: &[usize] = &[1, 2, 3, 4, 8, 16];
/// The widths for which geometric functions exist.
const SPACE: &[usize] = &[1, 2, 3, 4];

/// Built-in functions with the same signatures.
struct Family {
    /// The names, separated by spaces. `#` stands for the width.
    names: &'static str,
    /// The types of the result and the arguments, separated by spaces:
    ///
    /// | word | type |
    /// | --- | --- |
    /// | `x` | the vector, or its element if the width is 1 |
    /// | `e` | the element |
    /// | `s`, `u` | as `x`, of signed and of unsigned integers as large as the element |
    /// | `w` | as `x`, of integers twice as large, signed if the element is |
    /// | `n` | as `x`, of `int` |
    /// | `r` | the result of comparisons: `int` if the width is 1, else `s` |
    /// | `*x`, `*n` | a pointer to `x` or `n` |
    /// | `@x` | a pointer to `x` for atomics |
    /// | `^e` | a pointer to `e` for reading |
    signatures: &'static [&'static str],
    elements: &'static [ScalarType],
    widths: &'static [usize],
    /// The functions' attributes, each followed by a comma.
    attributes: &'static str,
    /// The preprocessor condition under which the functions exist; empty if they always do.
    condition: &'static str,
}

impl Family {
    /// Returns a family of functions whose results depend only on the values of their arguments.
    const fn new(
        names: &'static str,
        signatures: &'static [&'static str],
        elements: &'static [ScalarType],
        widths: &'static [usize],
    ) -> Family {
        Family { names, signatures, elements, widths, attributes: "const, ", condition: "" }
    }

    const fn with(self, attributes: &'static str) -> Family {
        Family { attributes, ..self }
    }

    const fn when(self, condition: &'static str) -> Family {
        Family { condition, ..self }
    }
}

const FAMILIES: &[Family] = &[
    Family::new(
        "acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt ceil cos cosh cospi degrees erf erfc exp exp10 exp2 \
         expm1 fabs floor lgamma log log10 log1p log2 logb radians rint round rsqrt sign sin sinh sinpi sqrt tan tanh \
         tanpi tgamma trunc",
        &["x x"],
        FLOATS,
        WIDTHS,
    ),
    Family::new(
        "atan2 atan2pi copysign fdim fmod hypot maxmag minmag nextafter pow powr remainder",
        &["x x x"],
        FLOATS,
        WIDTHS,
    ),
    Family::new("fma mad", &["x x x x"], FLOATS, WIDTHS),
    Family::new("fmax fmin", &["x x x", "x x e"], FLOATS, WIDTHS),
    Family::new("step", &["x x x", "x e x"], FLOATS, WIDTHS),
    Family::new("mix", &["x x x x", "x x x e"], FLOATS, WIDTHS),
    Family::new("smoothstep", &["x x x x", "x e e x"], FLOATS, WIDTHS),
    Family::new("ldexp", &["x x n", "x x int"], FLOATS, WIDTHS),
    Family::new("pown rootn", &["x x n"], FLOATS, WIDTHS),
    Family::new("ilogb", &["n x"], FLOATS, WIDTHS),
    Family::new("nan", &["x u"], FLOATS, WIDTHS),
    Family::new("fract modf sincos", &["x x *x"], FLOATS, WIDTHS).with(""),
    Family::new("frexp lgamma_r", &["x x *n"], FLOATS, WIDTHS).with(""),
    Family::new("remquo", &["x x x *n"], FLOATS, WIDTHS).with(""),
    Family::new(
        "half_cos half_exp half_exp10 half_exp2 half_log half_log10 half_log2 half_recip half_rsqrt half_sin half_sqrt \
         half_tan native_cos native_exp native_exp10 native_exp2 native_log native_log10 native_log2 native_recip \
         native_rsqrt native_sin native_sqrt native_tan",
        &["x x"],
        &[F32],
        WIDTHS,
    ),
    Family::new("half_divide half_powr native_divide native_powr", &["x x x"], &[F32], WIDTHS),
    Family::new(
        "isequal isgreater isgreaterequal isless islessequal islessgreater isnotequal isordered isunordered",
        &["r x x"],
        FLOATS,
        WIDTHS,
    ),
    Family::new("isfinite isinf isnan isnormal signbit", &["r x"], FLOATS, WIDTHS),
    Family::new("distance dot", &["e x x"], FLOATS, SPACE),
    Family::new("length", &["e x"], FLOATS, SPACE),
    Family::new("normalize", &["x x"], FLOATS, SPACE),
    Family::new("cross", &["x x x"], FLOATS, &[3, 4]),
    Family::new("fast_distance", &["e x x"], &[F32], SPACE),
    Family::new("fast_length", &["e x"], &[F32], SPACE),
    Family::new("fast_normalize", &["x x"], &[F32], SPACE),
    Family::new("add_sat hadd mul_hi rhadd rotate sub_sat", &["x x x"], INTEGERS, WIDTHS),
    Family::new("mad_hi mad_sat", &["x x x x"], INTEGERS, WIDTHS),
    Family::new("clz popcount", &["x x"], INTEGERS, WIDTHS),
    Family::new("abs", &["u x"], INTEGERS, WIDTHS),
    Family::new("abs_diff", &["u x x"], INTEGERS, WIDTHS),
    Family::new("upsample", &["w x u"], &[I8, U8, I16, U16, I32, U32], WIDTHS),
    Family::new("mad24", &["x x x x"], &[I32, U32], WIDTHS),
    Family::new("mul24", &["x x x"], &[I32, U32], WIDTHS),
    Family::new("all any", &["int x"], &[I8, I16, I32, I64], WIDTHS),
    Family::new("max min", &["x x x", "x x e"], NUMBERS, WIDTHS),
    Family::new("clamp", &["x x x x", "x x e e"], NUMBERS, WIDTHS),
    Family::new("bitselect", &["x x x x"], NUMBERS, WIDTHS),
    Family::new("select", &["x x x s", "x x x u"], NUMBERS, WIDTHS),
    Family::new("vload#", &["x size_t ^e"], NUMBERS, &[2, 3, 4, 8, 16]).with("pure, "),
    Family::new("vstore#", &["void x size_t *e"], NUMBERS, &[2, 3, 4, 8, 16]).with(""),
    Family::new(
        "get_global_id get_global_offset get_global_size get_group_id get_local_id get_local_size get_num_groups",
        &["size_t uint"],
        &[U32],
        ONE,
    ),
    Family::new("barrier", &["void cl_mem_fence_flags"], &[U32], ONE).with("convergent, "),
    Family::new("mem_fence", &["void cl_mem_fence_flags"], &[U32], ONE).with(""),
    Family::new(
        "atomic_work_item_fence",
        &["void cl_mem_fence_flags memory_order memory_scope"],
        &[U32],
        ONE,
    )
    .with("")
    .when("__OPENCL_C_VERSION__ >= 200"),
    Family::new("atomic_inc", &["x @x"], &[I32, U32], ONE).with(""),
    Family::new("atomic_add atomic_max atomic_min atomic_or", &["x @x x"], &[I32, U32], ONE).with(""),
    Family::new("atomic_xchg", &["x @x x"], &[I32, U32, F32], ONE).with(""),
    Family::new("atomic_cmpxchg", &["x @x x x"], &[I32, U32], ONE).with(""),
    Family::new("atom_add atom_xchg", &["x @x x"], &[I32, U32], ONE).with(""),
    Family::new("atom_add atom_xchg", &["x @x x"], &[I64, U64], ONE)
        .with("")
        .when("defined(cl_khr_int64_base_atomics)"),
];

/// The beginnings of the names of other built-in functions, separated by spaces. A program that uses one of these is compiled
/// with the header at once, because PoCL prints a line to the standard error of the user for each program that does not compile.
/// Functions of sub-groups are missing: kernels name them for devices that have them.
const IN_HEADER: &str = "amd_ arm_ async_ atom_ atomic_ bit_reverse bitfield_ capture_event_ create_user_event ctz \
    dot_ enqueue_marker get_default_queue get_enqueued_ get_fence get_global_linear_id get_image_ get_local_linear_id \
    get_work_dim is_valid_event is_valid_reserve_id ndrange_ prefetch read_image read_mem_fence release_event retain_event \
    set_user_event shuffle vload_half vloada_half vstore_half vstorea_half wait_group_events work_group_ write_image \
    write_mem_fence";

/// Returns the preprocessor condition under which a type exists.
fn condition(element: ScalarType) -> &'static str {
    match element {
        F16 => "defined(cl_khr_fp16)",
        F64 => "defined(cl_khr_fp64)",
        _ => "",
    }
}

/// Joins conditions that must all hold, leaving out empty ones.
fn all(conditions: &[&str]) -> String {
    conditions.iter().copied().filter(|condition| !condition.is_empty()).collect::<Vec<_>>().join(" && ")
}

/// Returns the name of a vector type, or of its element if the width is 1.
fn vector(element: ScalarType, width: usize) -> String {
    let name = element.c_name();
    if width == 1 { name.to_owned() } else { format!("{name}{width}") }
}

/// Returns the element and the width of all vector types and scalar types.
fn vectors() -> impl Iterator<Item = (ScalarType, usize)> {
    NUMBERS.iter().flat_map(|element| WIDTHS.iter().map(move |width| (*element, *width)))
}

/// Returns the type for a word in a family's signature.
fn typed(word: &str, element: ScalarType, width: usize, space: &str) -> String {
    let target = |word| typed(word, element, width, space);
    match word.split_at(1) {
        ("x", "") => vector(element, width),
        ("e", "") => vector(element, 1),
        ("s", "") => vector(element.signed(), width),
        ("u", "") => vector(element.unsigned(), width),
        ("w", "") => {
            let of = NUMBERS
                .iter()
                .find(|of| of.size() == 2 * element.size() && of.is_signed() == element.is_signed());
            vector(*of.unwrap_or(&element), width)
        }
        ("n", "") => vector(I32, width),
        ("r", "") => vector(if width == 1 { I32 } else { element.signed() }, width),
        ("*", word) => format!("{space} {}*", target(word)),
        ("@", word) => format!("volatile {space} {}*", target(word)),
        ("^", word) => format!("const {space} {}*", target(word)),
        _ => word.to_owned(),
    }
}

/// Address spaces, and the preprocessor condition for functions with pointers to them.
type Spaces = (&'static [&'static str], &'static str);

const NAMED: &str = "!defined(__opencl_c_generic_address_space)";
const GENERIC: &str = "defined(__opencl_c_generic_address_space)";

/// Returns the address spaces of the pointer in a signature.
fn spaces(signature: &str) -> &'static [Spaces] {
    match signature.chars().find(|c| "*@^".contains(*c)) {
        Some('*') => &[(&["global", "local", "private"], NAMED), (&[""], GENERIC)],
        Some('^') => &[(&["global", "local", "private"], NAMED), (&[""], GENERIC), (&["constant"], "")],
        Some(_) => &[(&["global", "local"], "")],
        None => &[(&[""], "")],
    }
}

/// Declarations, each once, with its condition in front.
#[derive(Default)]
struct Declarations(BTreeSet<(String, String)>);

impl Declarations {
    /// Adds a family's function of one width, for all its types.
    fn add_function(&mut self, name: &str, family: &Family, width: usize) {
        for &element in family.elements {
            for &signature in family.signatures {
                for (spaces, for_spaces) in spaces(signature) {
                    for space in *spaces {
                        let mut types = signature.split(' ').map(|word| typed(word, element, width, space));
                        let (result, attributes) = (types.next().unwrap_or_default(), family.attributes);
                        let arguments = types.collect::<Vec<_>>().join(", ");
                        self.0.insert((
                            all(&[condition(element), for_spaces, family.condition]),
                            format!(
                                "__attribute__(({attributes}overloadable)) {result} {name}({arguments});"
                            ),
                        ));
                    }
                }
            }
        }
    }

    /// Adds a conversion from every type to the type with which `conversion` begins.
    fn add_conversion(&mut self, name: &str, conversion: &str) {
        let result = conversion.split('_').next().unwrap_or_default();
        for (element, width) in vectors().filter(|(element, width)| vector(*element, *width) == result) {
            for &from in NUMBERS {
                self.0.insert((
                    all(&[condition(element), condition(from)]),
                    format!("__attribute__((const, overloadable)) {result} {name}({});", vector(from, width)),
                ));
            }
        }
    }
}

/// The families by the names of their functions, each with the width of the function.
static BY_NAME: LazyLock<HashMap<String, Vec<(&Family, usize)>>> = LazyLock::new(|| {
    let mut by_name: HashMap<String, Vec<(&Family, usize)>> = HashMap::new();
    for family in FAMILIES {
        for (name, &width) in
            family.names.split(' ').flat_map(|name| family.widths.iter().map(move |width| (name, width)))
        {
            by_name.entry(name.replace('#', &width.to_string())).or_default().push((family, width));
        }
    }
    by_name
});

/// Compiles a program. If the compiler would read all declarations of built-in functions, declares only those that the
/// program uses.
pub(crate) fn build(
    context: &Context,
    reads_all_declarations: bool,
    text: &str,
    options: &BuildOptions,
) -> Result<Program> {
    if reads_all_declarations && !names(text).any(is_in_header_alone) {
        let declared = format!("{}{text}", of(text));
        match Program::build(context, &declared, &options.clone().define(HEADER, 1)) {
            // The program has an error, or uses a function that is not declared.
            Err(Error::Build(_)) => {}
            program => return program,
        }
    }
    Program::build(context, text, options)
}

/// Returns the words of a program, without its comments.
fn names(program: &str) -> impl Iterator<Item = &str> {
    let code = program.lines().filter_map(|line| line.split("//").next());
    code.flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'))
}

/// Returns whether a name may be a built-in function that is not declared here.
fn is_in_header_alone(name: &str) -> bool {
    !BY_NAME.contains_key(name) && IN_HEADER.split(' ').any(|beginning| name.starts_with(beginning))
}

/// Returns the declarations of the built-in functions whose names occur in the program.
fn of(program: &str) -> String {
    let names: HashSet<&str> = names(program).collect();
    let mut declarations = Declarations::default();
    for name in names {
        for (family, width) in BY_NAME.get(name).into_iter().flatten() {
            declarations.add_function(name, family, *width);
        }
        match name.strip_prefix("convert_") {
            // A macro appends a type to this name; it may be any type.
            Some("") => vectors().for_each(|(element, width)| {
                let to = vector(element, width);
                declarations.add_conversion(&format!("convert_{to}"), &to);
            }),
            Some(conversion) => declarations.add_conversion(name, conversion),
            None => {}
        }
    }
    let mut text = "#ifdef cl_khr_fp16\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#endif\n".to_owned();
    // Declarations without a condition come first.
    let mut within = String::new();
    for (condition, declaration) in declarations.0 {
        if condition != within {
            text += if within.is_empty() { "" } else { "#endif\n" };
            text += &format!("#if {condition}\n");
            within = condition;
        }
        text += &declaration;
        text.push('\n');
    }
    text + if within.is_empty() { "" } else { "#endif\n" }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The path of the header in Debian's PoCL.
    const FILE: &str = "/usr/share/pocl/include/opencl-c.h";

    /// The attributes and the result of a declaration, and the words of each argument.
    type Signature = (Vec<String>, Vec<Vec<String>>);

    /// Returns the name and the signature of a function's declaration; `None` for other declarations.
    fn signature(declaration: &str) -> Option<(String, Signature)> {
        let declaration = declaration
            .replace("__attribute__((", "")
            .replace("overloadable))", "__ovld")
            .replace('*', " * ");
        let (before, arguments) = declaration.split_once('(')?;
        let mut before: Vec<String> = before
            .split([' ', ','])
            .filter(|word| !word.is_empty())
            .map(|word| {
                match word {
                    "__cnfn" => "const",
                    "__purefn" => "pure",
                    "__conv" => "convergent",
                    word => word,
                }
                .to_owned()
            })
            .collect();
        let name = before.pop()?;
        before.sort();
        let arguments = arguments.trim_end_matches(')').split(',').map(|argument| {
            let mut words: Vec<String> =
                argument.split_whitespace().map(|word| word.trim_start_matches("__").to_owned()).collect();
            // The argument's name is left out.
            let is_name = |word: &String| ["p", "val", "cmp", "flags"].contains(&word.as_str());
            words.retain(|word| !is_name(word));
            words.sort();
            words
        });
        Some((name, (before, arguments.collect())))
    }

    /// Returns the functions that a text declares, except those for C++ and for optional features.
    fn signatures(text: &str) -> HashMap<String, BTreeSet<Signature>> {
        let mut found: HashMap<String, BTreeSet<Signature>> = HashMap::new();
        let mut conditions: Vec<&str> = Vec::new();
        let mut declarations = String::new();
        for line in text.lines().map(str::trim) {
            if line.starts_with("#if") {
                conditions.push(line);
            } else if line.starts_with("#endif") {
                conditions.pop();
            } else if !line.starts_with(['#', '/', '*'])
                && !conditions.iter().any(|condition| {
                    *condition == "#ifdef __OPENCL_CPP_VERSION__" || condition.contains("integer_dot_product")
                })
            {
                declarations += line.split("//").next().unwrap_or_default();
                declarations.push(' ');
            }
        }
        for declaration in declarations.split(';') {
            if let Some((name, signature)) = signature(declaration.trim()) {
                found.entry(name).or_default().insert(signature);
            }
        }
        found
    }

    /// Checks that every declared name has the header's overloads, so that each call finds the same function.
    #[test]
    fn every_name_has_the_overloads_of_the_header() {
        let Ok(header) = std::fs::read_to_string(FILE) else {
            eprintln!("skipped: {FILE} does not exist");
            return;
        };
        let header = signatures(&header);
        let conversions =
            ["convert_float", "convert_uchar16_sat", "convert_long3_rtz", "convert_double4", "convert_half2"];
        let names: Vec<&str> = BY_NAME.keys().map(String::as_str).chain(conversions).collect();
        let own = signatures(&of(&names.join(" ")));
        for name in names {
            assert!(!own[name].is_empty());
            assert_eq!(own[name], header[name], "{name}");
        }
    }

    /// Checks that the first program that is built has all functions that it uses.
    #[test]
    fn other_functions_are_compiled_with_the_header() {
        assert!(
            is_in_header_alone("atomic_and")
                && !is_in_header_alone("atomic_add")
                && !is_in_header_alone("my_atomic_and")
        );
        let counter = cl_test::counting::exclusive();
        for device in cl_test::counting::devices() {
            let context = Context::on(&device).unwrap();
            for function in ["atomic_and(x, 3)", "atomic_add(x, 3)"] {
                let text = format!("kernel void f(global int *x) {{ {function}; }}");
                let calls = counter.calls_during(|| {
                    build(&context, true, &text, &BuildOptions::new().uncached()).unwrap();
                });
                assert_eq!(calls["clBuildProgram"], 1, "{function} on {device}");
            }
        }
        let Ok(header) = std::fs::read_to_string(FILE) else { return };
        // The last two are words of attributes and conditions.
        let others = [
            "convert_",
            "sub_group_",
            "get_sub_group_",
            "get_max_sub_group",
            "get_num_sub_groups",
            "intel_sub_group_",
            "deprecated",
            "defined",
        ];
        let mut unknown: Vec<String> = signatures(&header).into_keys().collect();
        unknown.retain(|name| !BY_NAME.contains_key(&**name) && !is_in_header_alone(name));
        unknown.retain(|name| !others.iter().any(|other| name.starts_with(other)));
        assert_eq!(unknown, [""; 0]);
    }

    #[test]
    fn pasted_conversions_are_declared() {
        let own = signatures(&of("#define TO JOIN(convert_, REAL)"));
        assert!(["convert_double16", "convert_char"].into_iter().all(|name| own.contains_key(name)));
        assert!(!own.contains_key("convert_char_sat"));
    }

    #[test]
    fn only_names_that_occur_are_declared() {
        let own = signatures(&of("z = my_sin(min(x, y)) + convert_void(x); // not exp"));
        assert_eq!(own.keys().collect::<Vec<_>>(), ["min"]);
    }
}
