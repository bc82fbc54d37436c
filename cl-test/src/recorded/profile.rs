//! A device's answers to the questions of `clGetDeviceInfo` and `clGetPlatformInfo`, as a text.
//!
//! A line holds the name of a question in C and the answer, `CL_DEVICE_MAX_COMPUTE_UNITS = 132`. The driver
//! does not know questions that have no line. Lines that begin with `#` are for people.

use cl_core::Device;
use cl_core::raw::*;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ptr::null_mut;

/// The text form of an answer's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Characters, with a NUL at the end.
    Text,
    /// Numbers of four bytes, with spaces between them.
    Words,
    /// Numbers of eight bytes, with spaces between them.
    Longs,
    /// Names with versions, with commas between them: `cl_khr_fp64 1.0.0`.
    Versions,
}

/// Makes a table of questions from their names in C.
macro_rules! questions {
    ($($name:ident $form:ident)*) => {
        &[$((stringify!($name), $name, Form::$form),)*]
    };
}

/// A question: its name in C, its number, and the form of the answer.
type Question = (&'static str, cl_uint, Form);

const PLATFORM: &[Question] = questions! {
    CL_PLATFORM_NAME Text
    CL_PLATFORM_VENDOR Text
    CL_PLATFORM_VERSION Text
    CL_PLATFORM_PROFILE Text
    CL_PLATFORM_EXTENSIONS Text
};

/// The questions whose answers may decide which kernel a device gets, and those that `cl-core` checks calls
/// against.
const DEVICE: &[Question] = questions! {
    CL_DEVICE_NAME Text
    CL_DEVICE_VENDOR Text
    CL_DEVICE_VENDOR_ID Words
    CL_DEVICE_VERSION Text
    CL_DRIVER_VERSION Text
    CL_DEVICE_PROFILE Text
    CL_DEVICE_OPENCL_C_VERSION Text
    CL_DEVICE_OPENCL_C_ALL_VERSIONS Versions
    CL_DEVICE_OPENCL_C_FEATURES Versions
    CL_DEVICE_EXTENSIONS Text
    CL_DEVICE_TYPE Longs
    CL_DEVICE_AVAILABLE Words
    CL_DEVICE_COMPILER_AVAILABLE Words
    CL_DEVICE_LINKER_AVAILABLE Words
    CL_DEVICE_ENDIAN_LITTLE Words
    CL_DEVICE_ADDRESS_BITS Words
    CL_DEVICE_MAX_COMPUTE_UNITS Words
    CL_DEVICE_MAX_CLOCK_FREQUENCY Words
    CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS Words
    CL_DEVICE_MAX_WORK_ITEM_SIZES Longs
    CL_DEVICE_MAX_WORK_GROUP_SIZE Longs
    CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE Longs
    CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT Words
    CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT Words
    CL_DEVICE_MAX_NUM_SUB_GROUPS Words
    CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS Words
    CL_DEVICE_SUB_GROUP_SIZES_INTEL Longs
    CL_DEVICE_WARP_SIZE_NV Words
    CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV Words
    CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV Words
    CL_DEVICE_WAVEFRONT_WIDTH_AMD Words
    CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR Words
    CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT Words
    CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT Words
    CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG Words
    CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF Words
    CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT Words
    CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE Words
    CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR Words
    CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT Words
    CL_DEVICE_NATIVE_VECTOR_WIDTH_INT Words
    CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG Words
    CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF Words
    CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT Words
    CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE Words
    CL_DEVICE_SINGLE_FP_CONFIG Longs
    CL_DEVICE_DOUBLE_FP_CONFIG Longs
    CL_DEVICE_HALF_FP_CONFIG Longs
    CL_DEVICE_GLOBAL_MEM_SIZE Longs
    CL_DEVICE_GLOBAL_MEM_CACHE_TYPE Words
    CL_DEVICE_GLOBAL_MEM_CACHE_SIZE Longs
    CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE Words
    CL_DEVICE_LOCAL_MEM_TYPE Words
    CL_DEVICE_LOCAL_MEM_SIZE Longs
    CL_DEVICE_MAX_MEM_ALLOC_SIZE Longs
    CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE Longs
    CL_DEVICE_MAX_CONSTANT_ARGS Words
    CL_DEVICE_MAX_PARAMETER_SIZE Longs
    CL_DEVICE_MEM_BASE_ADDR_ALIGN Words
    CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE Words
    CL_DEVICE_HOST_UNIFIED_MEMORY Words
    CL_DEVICE_ERROR_CORRECTION_SUPPORT Words
    CL_DEVICE_IMAGE_SUPPORT Words
    CL_DEVICE_QUEUE_PROPERTIES Longs
    CL_DEVICE_EXECUTION_CAPABILITIES Longs
    CL_DEVICE_PROFILING_TIMER_RESOLUTION Longs
    CL_DEVICE_SVM_CAPABILITIES Longs
    CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES Longs
    CL_DEVICE_ATOMIC_FENCE_CAPABILITIES Longs
    CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT Words
    CL_DEVICE_PARTITION_MAX_SUB_DEVICES Words
};

/// The answers by the numbers of their questions, as bytes.
pub(super) type Answers = BTreeMap<cl_uint, Vec<u8>>;

/// A device, and its platform, which has no other device.
#[derive(Debug)]
pub(super) struct Profile {
    pub(super) platform: Answers,
    pub(super) device: Answers,
}

impl Profile {
    /// Reads a profile.
    ///
    /// # Panics
    /// When a line is not an answer to one of the questions, or when the device has no name.
    pub(super) fn read(name: &str, text: &str) -> Profile {
        let mut profile = Profile { platform: Answers::new(), device: Answers::new() };
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let Some((key, value)) = line.split_once('=') else { panic!("{name}: not an answer: {line}") };
            let (key, value) = (key.trim(), value.trim());
            let find = |table: &[Question]| table.iter().find(|question| question.0 == key).copied();
            if let Some((_, number, form)) = find(DEVICE) {
                profile.device.insert(number, form.bytes(value));
            } else if let Some((_, number, form)) = find(PLATFORM) {
                profile.platform.insert(number, form.bytes(value));
            } else {
                panic!("{name}: `{key}` is not among the questions");
            }
        }
        assert!(profile.device.contains_key(&CL_DEVICE_NAME), "{name}: the device has no name");
        // A cache on disk finds programs by the platform's version, among others. With another version, the
        // recorded device does not get programs of the real device.
        let version = profile.platform.get(&CL_PLATFORM_VERSION).map(|bytes| Form::Text.text(bytes));
        let version = format!("{} (recorded)", version.unwrap_or_default());
        profile.platform.insert(CL_PLATFORM_VERSION, Form::Text.bytes(&version));
        profile
    }

    /// Returns an answer that is text.
    pub(super) fn text(&self, question: cl_uint) -> String {
        self.device.get(&question).map(|bytes| Form::Text.text(bytes)).unwrap_or_default()
    }

    /// Returns an answer that is a number, or the first of several numbers; 0 if the driver did not answer.
    pub(super) fn number(&self, question: cl_uint) -> usize {
        let bytes = self.device.get(&question).map_or(&[][..], Vec::as_slice);
        let long = bytes.first_chunk().map(|bytes| usize::from_ne_bytes(*bytes));
        let word = || bytes.first_chunk().map(|bytes| u32::from_ne_bytes(*bytes) as usize);
        long.or_else(word).unwrap_or(0)
    }
}

impl Form {
    fn bytes(self, text: &str) -> Vec<u8> {
        match self {
            Form::Text => text.bytes().chain([0]).collect(),
            Form::Words => numbers(text).flat_map(|number| (number as u32).to_ne_bytes()).collect(),
            Form::Longs => numbers(text).flat_map(u64::to_ne_bytes).collect(),
            Form::Versions => {
                let listed = text.split(',').map(str::trim).filter(|one| !one.is_empty());
                listed.flat_map(version_bytes).collect()
            }
        }
    }

    fn text(self, bytes: &[u8]) -> String {
        let join = |numbers: Vec<String>| numbers.join(" ");
        match self {
            Form::Text => {
                let text = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
                String::from_utf8_lossy(text).trim().replace('\n', " ")
            }
            Form::Words => {
                let words = bytes.as_chunks().0.iter();
                join(words.map(|word| u32::from_ne_bytes(*word).to_string()).collect())
            }
            Form::Longs => {
                let longs = bytes.as_chunks().0.iter();
                join(longs.map(|long| u64::from_ne_bytes(*long).to_string()).collect())
            }
            Form::Versions => {
                let versions: Vec<String> = bytes.chunks_exact(VERSION).map(version_text).collect();
                versions.join(", ")
            }
        }
    }
}

/// Reads numbers with spaces between them.
fn numbers(text: &str) -> impl Iterator<Item = u64> {
    text.split_whitespace().map(move |number| match number.parse() {
        Ok(number) => number,
        Err(error) => panic!("`{number}` in `{text}`: {error}"),
    })
}

/// The bytes of a `cl_name_version`: four of the version, and the name's.
const VERSION: usize = 4 + CL_NAME_VERSION_MAX_NAME_SIZE;

fn version_bytes(text: &str) -> Vec<u8> {
    let (name, version) = text.rsplit_once(' ').unwrap_or((text, "0.0.0"));
    let numbers: Vec<u32> = version.split('.').map(|part| part.parse().unwrap_or(0)).collect();
    let [major, minor, patch] = numbers[..] else { panic!("`{text}` has a version of three numbers") };
    let mut bytes = CL_MAKE_VERSION(major, minor, patch).to_ne_bytes().to_vec();
    bytes.extend(name.bytes());
    bytes.resize(VERSION, 0);
    bytes
}

fn version_text(bytes: &[u8]) -> String {
    let packed = bytes.first_chunk().map_or(0, |bytes| u32::from_ne_bytes(*bytes));
    let name = Form::Text.text(&bytes[4..]);
    format!("{name} {}.{}.{}", CL_VERSION_MAJOR(packed), CL_VERSION_MINOR(packed), CL_VERSION_PATCH(packed))
}

/// Returns the answer to a question in a profile's text.
pub(super) fn answer<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let mut lines = text.lines().filter_map(|line| line.split_once(" = "));
    lines.find(|(other, _)| *other == key).map(|(_, answer)| answer.trim())
}

/// Returns a line for each question whose answers differ in two profiles: both answers, or the words of lists that only one
/// of them has.
pub(super) fn differences(old: &str, new: &str) -> Vec<String> {
    let keys = PLATFORM.iter().chain(DEVICE).map(|(key, ..)| *key);
    let differs = |key: &&str| answer(old, key) != answer(new, key);
    let line = |key: &str| match (answer(old, key), answer(new, key)) {
        (Some(old), Some(new)) if new.split_whitespace().count() > 2 => {
            let without = |one: &str, other: &str| -> String {
                let missing =
                    one.split_whitespace().filter(|word| !other.split_whitespace().any(|one| one == *word));
                missing.map(|word| format!(" {word}")).collect()
            };
            let parts = [("without", without(old, new)), ("also", without(new, old))];
            let parts = parts.iter().filter(|(_, words)| !words.is_empty());
            let parts: Vec<String> = parts.map(|(word, words)| format!("{word}{words}")).collect();
            format!("{key}: {}", if parts.is_empty() { "another order".to_owned() } else { parts.join("; ") })
        }
        (old, new) => {
            format!("{key}: {}, recorded as {}", new.unwrap_or("no answer"), old.unwrap_or("no answer"))
        }
    };
    keys.filter(differs).map(line).collect()
}

/// Asks a device all questions of a profile, and returns the profile's text.
#[must_use]
pub fn record(device: &Device) -> String {
    let functions = device.library().functions();
    let mut text = format!("# Recorded from {device}.\n");
    for &(name, number, form) in PLATFORM {
        let platform = device.platform().as_raw();
        // SAFETY: a platform of this library; `ask` gives memory for the answer.
        let answer = ask(|size, value, length| unsafe {
            (functions.clGetPlatformInfo)(platform, number, size, value, length)
        });
        write_answer(&mut text, name, form, answer);
    }
    for &(name, number, form) in DEVICE {
        // SAFETY: a device of this library; `ask` gives memory for the answer.
        let answer = ask(|size, value, length| unsafe {
            (functions.clGetDeviceInfo)(device.as_raw(), number, size, value, length)
        });
        write_answer(&mut text, name, form, answer);
    }
    text
}

fn write_answer(text: &mut String, name: &str, form: Form, answer: Option<Vec<u8>>) {
    if let Some(bytes) = answer {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "{}", format!("{name} = {}", form.text(&bytes)).trim_end());
    }
}

/// Returns the answer to a question, if the driver knows the question.
fn ask(question: impl Fn(size_t, *mut c_void, *mut size_t) -> cl_int) -> Option<Vec<u8>> {
    let mut length = 0;
    if question(0, null_mut(), &raw mut length) != CL_SUCCESS {
        return None;
    }
    let mut bytes = vec![0_u8; length];
    let status = question(length, bytes.as_mut_ptr().cast(), null_mut());
    (status == CL_SUCCESS).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_survive_being_written() {
        for (form, text) in [
            (Form::Text, "NVIDIA H200"),
            (Form::Words, "32"),
            (Form::Longs, "1024 1024 64"),
            (Form::Versions, "OpenCL C 1.2.0, __opencl_c_fp64 3.0.0"),
        ] {
            assert_eq!(form.text(&form.bytes(text)), text);
        }
    }

    #[test]
    fn a_recorded_device_is_recorded_as_it_is() {
        for (device, profile) in super::super::devices().iter().zip(super::super::PROFILES) {
            let again = Profile::read(profile.0, &record(device));
            let first = Profile::read(profile.0, profile.1);
            assert_eq!(again.device, first.device, "{}", profile.0);
        }
    }
}
