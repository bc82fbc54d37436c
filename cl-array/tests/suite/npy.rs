//! Files of NumPy.

use cl_algo::num_complex::Complex;
use cl_array::npy::{ReadError, WriteError};
use cl_array::prelude::*;
use cl_test::each_device;
use half::f16;
use proptest::prelude::*;

/// A file as NumPy 1.26 writes it: `np.save(file, np.array([[1, 2, 3], [4, 5, 6]], dtype='<f4'))`.
fn numpy_file() -> Vec<u8> {
    let mut file =
        b"\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }".to_vec();
    file.resize(127, b' ');
    file.push(b'\n');
    (1..=6_u8).for_each(|value| file.extend(f32::from(value).to_le_bytes()));
    file
}

/// Returns a file of version 1.0 with this header and these bytes of elements.
fn file(header: &str, elements: &[u8]) -> Vec<u8> {
    [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes(), elements].concat()
}

/// Reads an array of bytes; the file lacks the elements, unless `elements` has them.
fn error(queue: &Queue, file: &[u8]) -> String {
    Array::<u8, 1>::read_npy(queue, file).map(|array| array.to_vec()).unwrap_err().to_string()
}

#[test]
fn files_of_numpy() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let file = numpy_file();
        let a = Array::<f32, 2>::read_npy(queue, &file[..]).unwrap();
        assert_eq!((a.shape(), a.to_vec().unwrap()), ([2, 3], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
        let mut written = Vec::new();
        a.write_npy(&mut written).unwrap();
        assert_eq!(written, file);
        // Several arrays may follow each other.
        let two = [&file[..], &file].concat();
        let mut rest = &two[..];
        Array::<f32, 2>::read_npy(queue, &mut rest).unwrap();
        assert_eq!(rest, file);
    });
}

#[test]
fn every_type_comes_back() {
    fn check<T: Element + PartialEq + std::fmt::Debug>(queue: &Queue, name: &str, values: [T; 6]) {
        let a = Array::from_slice(queue, [3, 2], &values).unwrap();
        let mut file = Vec::new();
        a.write_npy(&mut file).unwrap();
        let text = String::from_utf8_lossy(&file[10..128]).into_owned();
        assert!(text.starts_with(&format!("{{'descr': '{name}', 'fortran_order': False")), "{text}");
        assert_eq!(file.len(), 128 + 6 * size_of::<T>());
        let back = Array::<T, 2>::read_npy(queue, &file[..]).unwrap();
        assert_eq!((back.shape(), back.to_vec().unwrap()), ([3, 2], values.to_vec()));
        // The other byte order: real and imaginary parts are numbers of their own.
        if let Some(name) = name.strip_prefix('<') {
            let number = size_of::<T>() / if name.starts_with('c') { 2 } else { 1 };
            file[128..].chunks_exact_mut(number).for_each(<[u8]>::reverse);
            let at = file.iter().position(|&byte| byte == b'<').unwrap();
            file[at] = b'>';
            let back = Array::<T, 2>::read_npy(queue, &file[..]).unwrap();
            assert_eq!(back.to_vec().unwrap(), values);
        }
    }
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        check(queue, "|b1", [true, false, true, true, false, false]);
        check(queue, "|i1", [i8::MIN, -1, 0, 1, 2, i8::MAX]);
        check(queue, "|u1", [0_u8, 1, 2, 3, 4, u8::MAX]);
        check(queue, "<i2", [i16::MIN, -1, 0, 1, 2, i16::MAX]);
        check(queue, "<u2", [0_u16, 1, 2, 3, 0x1234, u16::MAX]);
        check(queue, "<i4", [i32::MIN, -1, 0, 1, 2, i32::MAX]);
        check(queue, "<u4", [0_u32, 1, 2, 3, 0x1234_5678, u32::MAX]);
        check(queue, "<i8", [i64::MIN, -1, 0, 1, 2, i64::MAX]);
        check(queue, "<u8", [0_u64, 1, 2, 3, 4, u64::MAX]);
        check(queue, "<f2", [0.0, 1.0, -2.5, 0.1, 65504.0, f32::INFINITY].map(f16::from_f32));
        check(queue, "<f4", [0.0_f32, 1.0, -2.5, 0.1, f32::MAX, f32::INFINITY]);
        check(queue, "<f8", [0.0_f64, 1.0, -2.5, 0.1, f64::MAX, f64::INFINITY]);
        check(queue, "<c8", [0.0_f32, 1.0, -2.5, 0.1, 7.0, 8.0].map(|x| Complex::new(x, 1.0 - x)));
        check(queue, "<c16", [0.0_f64, 1.0, -2.5, 0.1, 7.0, 8.0].map(|x| Complex::new(x, 1.0 - x)));
    });
}

#[test]
fn ranks_and_orders() {
    fn check<const N: usize>(queue: &Queue, shape: [usize; N], text: &str) {
        let len = shape.iter().product::<usize>();
        let values: Vec<u16> = (0..len as u16).collect();
        let rows = Array::from_slice(queue, shape, &values).unwrap();
        let columns = Array::column_major(DeviceVec::from_slice(queue, &values).unwrap(), shape).unwrap();
        for a in [rows, columns] {
            let mut file = Vec::new();
            a.write_npy(&mut file).unwrap();
            assert_eq!((file.len() - 2 * len) % 64, 0);
            let header = String::from_utf8_lossy(&file[10..file.len() - 2 * len]).into_owned();
            assert!(header.contains(&format!("'shape': {text}, }}")) && header.ends_with('\n'), "{header}");
            // Elements are written as they lie in memory.
            let written: Vec<u16> = file[file.len() - 2 * len..]
                .chunks(2)
                .map(|two| u16::from_le_bytes([two[0], two[1]]))
                .collect();
            assert_eq!(written, values);
            let back = Array::<u16, N>::read_npy(queue, &file[..]).unwrap();
            assert_eq!(back.layout().is_contiguous(), a.layout().is_contiguous());
            assert_eq!((back.shape(), back.to_vec().unwrap()), (shape, a.to_vec().unwrap()));
        }
    }
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        check(queue, [], "()");
        check(queue, [3], "(3,)");
        check(queue, [0], "(0,)");
        check(queue, [2, 3], "(2, 3)");
        check(queue, [2, 0, 4], "(2, 0, 4)");
        check(queue, [4, 3, 2], "(4, 3, 2)");
        check(queue, [1, 2, 3, 1, 2, 2], "(1, 2, 3, 1, 2, 2)");
        // More elements than are read at once.
        check(queue, [300, 211], "(300, 211)");
    });
}

#[test]
fn other_versions_and_notations() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let read = |file: Vec<u8>| Array::<u8, 1>::read_npy(queue, &file[..]).unwrap().to_vec().unwrap();
        let header = "{\"shape\":(2L,) ,'fortran_order' :True, 'descr':'|u1'}  \n";
        assert_eq!(read(file(header, &[1, 2])), [1, 2]);
        for major in [2, 3] {
            let start = [&b"\x93NUMPY"[..], &[major, 0], &(header.len() as u32).to_le_bytes()].concat();
            assert_eq!(read([&start, header.as_bytes(), &[1, 2]].concat()), [1, 2]);
        }
        for order in ["<", ">", "=", "|"] {
            let header = format!("{{'descr': '{order}u1', 'fortran_order': False, 'shape': (2,), }}");
            assert_eq!(read(file(&header, &[1, 2])), [1, 2]);
        }
        // Bytes other than 0 are true.
        let header = "{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }";
        let flags = Array::<bool, 1>::read_npy(queue, &file(header, &[0, 1, 7])[..]).unwrap();
        assert_eq!(flags.to_vec().unwrap(), [false, true, true]);
    });
}

#[test]
fn malformed_files() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let entries = "'descr': '|u1', 'fortran_order': False";
        for (header, expected) in [
            ("", "byte 0 of the header: `{` is expected"),
            ("{", "a key in quotes, or `}`"),
            ("{'descr' '|u1'}", "byte 9 of the header: `:` is expected"),
            ("{'descr': [('a', '<f4')], }", "types with fields are not supported"),
            ("{'descr': '|u1", "a string that ends"),
            ("{'descr': '|u1' 'shape': (2,)}", "`,` or `}`"),
            ("{'descr': '|u1', 'descr': '|u1'}", "each key once"),
            ("{'type': '|u1'}", "`descr`, `fortran_order` or `shape`"),
            ("{'fortran_order': 1}", "`True` or `False`"),
            ("{'shape': 3}", "a shape in parentheses"),
            ("{'shape': (3)}", "`,` before the `)`"),
            ("{'shape': (3 4)}", "`,` or `)`"),
            ("{'shape': (-1,)}", "a length that memory can have"),
            ("{'shape': (18446744073709551616,)}", "a length that memory can have"),
            ("{'descr': '|u1', 'shape': (2,)}", "no key `fortran_order`"),
            ("{} x", "the end of the header"),
            ("{'descr': '|u2', 'fortran_order': False, 'shape': (2,)}", "type `|u2`, and `u1` is needed"),
            ("{'descr': '|O', 'fortran_order': False, 'shape': (2,)}", "type `|O`"),
            (&format!("{{{entries}, 'shape': (2, 1)}}"), "shape [2, 1], and an array with 1 axes is needed"),
            (&format!("{{{entries}, 'shape': (9223372036854775807,)}}"), "more elements than can be counted"),
            // Memory is not reserved for elements that the file does not have.
            (&format!("{{{entries}, 'shape': (9223372036854775806,)}}"), "after 2 of 9223372036854775806"),
        ] {
            let message = error(queue, &file(header, &[1, 2]));
            assert!(message.contains(expected), "{header}: {message}");
        }
        let long = [&b"\x93NUMPY\x02\x00"[..], &[255; 4]].concat();
        assert!(error(queue, &long).contains("4294967295 bytes"), "{}", error(queue, &long));
        assert!(error(queue, b"\x93NUMPY\x01\x01").contains("version 1.1"));
        assert!(error(queue, b"").contains("not a file of NumPy"));
        assert!(error(queue, b"PK\x03\x04").contains("not a file of NumPy"));
        // Every end that comes too early.
        let whole = numpy_file();
        for end in 0..whole.len() {
            match Array::<f32, 2>::read_npy(queue, &whole[..end]).map(|_| ()) {
                Err(ReadError::Magic) => assert_eq!(end, 0),
                Err(ReadError::TruncatedHeader) => assert!(end < 128),
                Err(ReadError::Truncated { read, count: 6, .. }) => assert_eq!(read, (end - 128) / 4),
                other => panic!("{end}: {other:?}"),
            }
        }
    });
}

#[test]
fn what_files_cannot_be() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::from_slice(queue, [1], &[cl_algo::F32x2::from([1.0, 2.0])]).unwrap();
        assert!(matches!(a.write_npy(Vec::new()), Err(WriteError::NoType(name)) if name == "float2"));
        let read = Array::<cl_algo::F32x2, 1>::read_npy(queue, &numpy_file()[..]);
        assert!(matches!(read, Err(ReadError::NoType(_))));
        let folder = std::env::temp_dir();
        let a = Array::from_slice(queue, [1], &[1]).unwrap();
        assert!(matches!(a.save_npy(&folder), Err(WriteError::Create { .. })));
        let missing = folder.join("cl-array-missing").join("x.npy");
        let error = Array::<i32, 1>::load_npy(queue, &missing).unwrap_err();
        assert!(error.to_string().contains("cl-array-missing"), "{error}");
        assert!(cl_core::Error::from(error).to_string().contains(".npy file"));
        // A writer without room.
        assert!(matches!(a.write_npy(&mut [0; 130][..]), Err(WriteError::Io(_))));
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    /// Reading damaged files returns a result, and an array is whole.
    #[test]
    fn damaged_files(changes in proptest::collection::vec((0_usize..152, any::<u8>()), 0..4), end in 0_usize..160) {
        let queue = first_queue();
        let mut file = numpy_file();
        for (at, byte) in changes {
            file[at] = byte;
        }
        file.truncate(end);
        if let Ok(a) = Array::<f32, 2>::read_npy(queue, &file[..]) {
            prop_assert_eq!(a.to_vec().unwrap().len(), a.shape().iter().product::<usize>());
        }
    }

    /// Any text as a header returns a result.
    #[test]
    fn any_header(header in "[{}():,'LTrueFalsedcpOn_h 0-9<|f4]{0,60}") {
        let _ = Array::<f32, 2>::read_npy(first_queue(), &file(&header, &[0; 8])[..]);
    }
}

/// Returns a queue that all cases share.
fn first_queue() -> &'static Queue {
    static QUEUE: std::sync::LazyLock<Queue> =
        std::sync::LazyLock::new(|| Queue::on(&Device::first().unwrap()).unwrap());
    &QUEUE
}
