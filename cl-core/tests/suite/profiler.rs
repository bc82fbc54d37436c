//! The profiler: regions, their tree, the table and the trace file.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::{
    Buffer, BuildOptions, Context, Device, Error, Profiler, ProfilerReport, Program, Queue, QueueOptions,
    RegionSummary, UserEvent,
};
use serde_json::Value;
use std::time::Duration;

fn profiling(device: &Device) -> Queue {
    Queue::new(&Context::on(device).unwrap(), QueueOptions::new().profiling()).unwrap()
}

/// Returns the report of three steps with two regions each, a launch among them, and a lone region with an
/// unusual name.
fn measured(queue: &Queue, other: &Queue) -> ProfilerReport {
    let source = "kernel void one(global int *x) { x[get_global_id(0)] = 1; }";
    let program = Program::build(queue.context(), source, &BuildOptions::new()).unwrap();
    let one = program.kernel("one").unwrap();
    let profiler = Profiler::new(&[queue, other]).unwrap();
    for _ in 0..3 {
        let _step = profiler.enter("step");
        let mut x = profiler.region("fill", || Buffer::filled(queue, 0, 1 << 16)).unwrap();
        profiler.region("launch", || {
            std::thread::sleep(Duration::from_millis(2));
            // SAFETY: work-item i writes element i; there are as many work-items as elements.
            unsafe { one.launch().arg(&mut x).global(1 << 16).enqueue(queue) }.unwrap();
        });
        assert_eq!(x.to_vec(queue).unwrap(), vec![1; 1 << 16]);
    }
    profiler.region("a \"b\"\\\n\u{7}é", || drop(Buffer::filled(other, 1, 10).unwrap()));
    profiler.finish()
}

fn check_times(region: &RegionSummary) {
    let children = |time: fn(&RegionSummary) -> Duration| region.children.iter().map(time).sum::<Duration>();
    assert!(children(|child| child.device) <= region.device, "{region:?}");
    assert!(children(|child| child.host) <= region.host, "{region:?}");
    assert!(region.children.iter().map(|child| child.commands).sum::<usize>() <= region.commands);
    for child in &region.children {
        let share = child.share_of(region);
        assert!((0.0..=1.0).contains(&share), "{share}");
        check_times(child);
    }
}

#[test]
fn regions_become_a_tree() {
    cl_test::each_device(|device| {
        let report = measured(&profiling(device), &profiling(device));
        let root = report.root();
        assert_eq!((root.name.as_str(), root.count, root.commands), ("total", 1, 10));
        assert_eq!(root.children.len(), 2);
        let step = report.find(&["step"]).unwrap();
        assert_eq!((step.count, step.commands), (3, 9));
        let names: Vec<_> = step.children.iter().map(|child| child.name.as_str()).collect();
        assert_eq!(names, ["fill", "launch"]);
        let launch = report.find(&["step", "launch"]).unwrap();
        assert_eq!((launch.count, launch.commands), (3, 3));
        assert!(launch.host >= Duration::from_millis(6), "{launch:?}");
        assert_eq!(report.find(&["launch"]), None);
        assert_eq!(report.find(&[]), Some(root));
        assert!(report.failures().is_empty());
        check_times(root);
        let table = report.to_string();
        let lines: Vec<&str> = table.lines().collect();
        assert!(lines[0].starts_with("region ") && lines[0].contains("device ms"), "{table}");
        assert!(lines[1].starts_with("total ") && lines[1].contains("100.0%"), "{table}");
        assert!(lines[2].starts_with("  step ") && lines[3].starts_with("    fill "), "{table}");
    });
}

#[test]
fn the_trace_is_what_perfetto_reads() {
    cl_test::each_device(|device| {
        let report = measured(&profiling(device), &profiling(device));
        let mut file = Vec::new();
        report.write_trace(&mut file).unwrap();
        let trace: Value = serde_json::from_slice(&file).expect("it is JSON");
        let events = trace["traceEvents"].as_array().unwrap();
        let named = |kind: &str| -> Vec<&str> {
            let named = events.iter().filter(|event| event["name"] == kind && event["ph"] == "M");
            named.map(|event| event["args"]["name"].as_str().unwrap()).collect()
        };
        let processes = named("process_name");
        assert_eq!(processes.len(), 3);
        assert_eq!(processes[0], "host");
        assert!(processes[1].starts_with("queue 0: ") && processes[1].ends_with(&device.to_string()));
        let slices: Vec<&Value> = events.iter().filter(|event| event["ph"] == "X").collect();
        let of_kind = |kind: &str| slices.iter().filter(|slice| slice["cat"] == kind).count();
        assert_eq!((of_kind("region"), of_kind("command")), (10, 10));
        assert_eq!(slices.iter().filter(|slice| slice["name"] == "one").count(), 3, "kernels by their name");
        assert!(slices.iter().any(|slice| slice["name"] == "a \"b\"\\\n\u{7}é"), "text survives");
        let number = |slice: &Value, key: &str| slice[key].as_f64().unwrap();
        let end = slices.iter().filter(|slice| slice["cat"] == "region");
        let end = end.map(|slice| number(slice, "ts") + number(slice, "dur")).fold(0.0, f64::max);
        for slice in &slices {
            assert!(number(slice, "ts") >= 0.0 && number(slice, "dur") >= 0.0, "{slice}");
            // The host waited for all but the last command before its regions ended.
            assert!(number(slice, "ts") <= end + 1e6, "the clocks are apart: {slice}");
        }
        // Slices of one track follow each other.
        for process in [2, 3] {
            let mut track: Vec<_> = slices.iter().filter(|slice| slice["pid"] == process).collect();
            track.sort_by(|a, b| {
                let key = |s: &Value| (s["tid"].as_u64(), number(s, "ts"));
                key(a).partial_cmp(&key(b)).unwrap()
            });
            for pair in track.windows(2).filter(|pair| pair[0]["tid"] == pair[1]["tid"]) {
                let ended = number(pair[0], "ts") + number(pair[0], "dur");
                assert!(ended <= number(pair[1], "ts") + 2e-3, "{pair:?}");
            }
        }
    });
}

#[test]
fn a_trace_becomes_a_file() {
    let device = Device::first().unwrap();
    let profiler_queue = profiling(&device);
    let report = Profiler::new(&[&profiler_queue]).unwrap().finish();
    let path = std::env::temp_dir().join(format!("cl-core trace {}.json", std::process::id()));
    report.save_trace(&path).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(serde_json::from_str::<Value>(&text).is_ok(), "{text}");
    assert!(report.save_trace(std::env::temp_dir()).is_err(), "a folder is not a file");
}

#[test]
fn regions_may_end_in_any_order() {
    cl_test::each_device(|device| {
        let queue = profiling(device);
        let profiler = Profiler::new(&[&queue]).unwrap();
        let outer = profiler.enter("outer");
        let inner = profiler.enter("inner");
        drop(outer); // also ends the inner region
        let later = profiler.enter("later");
        drop(inner); // has no effect any more
        let inside = profiler.enter("inside");
        drop(Buffer::filled(&queue, 1, 10).unwrap());
        let _ = (later, inside); // `finish` would end them if they had been forgotten
        let report = profiler.finish();
        assert_eq!(report.find(&["outer", "inner"]).unwrap().count, 1);
        assert_eq!(report.find(&["later", "inside"]).unwrap().commands, 1);
        assert_eq!(report.root().children.len(), 2);
    });
}

#[test]
fn a_failed_command_costs_its_own_time_only() {
    cl_test::each_device(|device| {
        let queue = profiling(device);
        let profiler = Profiler::new(&[&queue]).unwrap();
        let good = profiler.region("good", || Buffer::filled(&queue, 1, 10)).unwrap();
        assert_eq!(good.to_vec(&queue).unwrap(), [1; 10]);
        let bad = UserEvent::new(queue.context()).unwrap();
        let marker = profiler.region("bad", || queue.after(&[bad.event()]).marker()).unwrap();
        bad.fail(cl_core::Status(-5)).unwrap();
        let failed = marker.wait().is_err();
        let report = profiler.finish();
        assert_eq!(report.find(&["good"]).unwrap().commands, 1);
        let failures = report.failures().len();
        // Some drivers have no times for a marker, which counts as a failure as well.
        assert!(failures == 1 || !failed, "{report}");
        let table = report.to_string();
        assert_eq!(table.lines().filter(|line| line.starts_with("failed: ")).count(), failures, "{table}");
    });
}

#[test]
fn queues_that_cannot_be_measured_are_refused() {
    cl_test::each_device(|device| {
        let (plain, queue) = (Queue::on(device).unwrap(), profiling(device));
        let refused = Profiler::new(&[&queue, &plain]);
        assert!(matches!(refused, Err(Error::InvalidInput { what: "recording", .. })), "{refused:?}");
        let refused = Profiler::new(&[&queue, &queue]);
        assert!(matches!(refused, Err(Error::InvalidInput { what: "recording", .. })), "{refused:?}");
        // Neither attempt has left the queue in use.
        assert_eq!(queue.record().unwrap().finish(), Ok(vec![]));
    });
}
