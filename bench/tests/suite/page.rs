//! Tests of the page in a real browser: its contents, and whether they are visible.
//!
//! Chromium is large, so these tests run only by `.ci/page`, which reports a missing browser.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may stop at the first surprise

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Reports, as the page's title, the boxes of elements, the table's contents before and after clicks on a
/// heading and with a filter, and the number of fetched resources.
const SPY: &str = r##"<script>{ // a block, because the page uses the same names
const box = (selector) => {
    const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
    return [x, y, width, height].map((value) => Math.round(value));
};
const column = (at) => [...document.querySelectorAll("#rows tbody tr")].filter((row) => !row.hidden)
    .map((row) => row.cells[at].textContent);
const heading = (text) => [...document.querySelectorAll("#rows th")].findIndex((th) => th.textContent === text);
const time = heading("time");
const boxes = ["#peers svg", "#roofline svg", "#sizes svg", "#beside table", "#rows"].map(box);
const seen = { boxes, before: column(time), headings: [...document.querySelectorAll("#rows th")].map((th) => th.textContent) };
document.querySelectorAll("#rows th button")[time].click();
seen.ascending = column(time);
document.querySelectorAll("#rows th button")[time].click();
seen.descending = column(time);
const filter = document.getElementById("filter");
filter.value = "SORT";
filter.dispatchEvent(new Event("input"));
seen.filtered = column(heading("case"));
filter.value = "";
filter.dispatchEvent(new Event("input"));
seen.curves = document.querySelectorAll("#sizes figure").length;
seen.dots = document.querySelectorAll("#peers circle").length;
seen.ranges = [...document.querySelectorAll("#peers .range")].filter((line) => +line.getAttribute("x1") < +line.getAttribute("x2")).length;
seen.first = document.querySelector("main section:not([hidden])").id;
seen.marks = document.querySelectorAll(".faster").length;
seen.fetched = performance.getEntriesByType("resource").length;
document.title = JSON.stringify(seen);
}</script></body>"##;

fn browser() -> &'static str {
    let works =
        |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|out| out.status.success());
    BROWSERS.into_iter().find(works).expect("Chromium, or a browser of its family, on the path")
}

/// Runs the browser without a window and without a network, with its own profile.
fn browse(folder: &Path, args: &[&str], page: &Path) -> String {
    let mut command = Command::new(browser());
    command.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--window-size=1400,2600",
    ]);
    command.arg("--host-resolver-rules=MAP * ~NOTFOUND");
    command.arg(format!("--user-data-dir={}", folder.join("profile").display()));
    let output = command.args(args).arg(format!("file://{}", page.display())).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Writes a page with changes: two devices whose names begin alike, three cases, three sizes, and another
/// library.
fn page(folder: &Path) -> PathBuf {
    let (mut new, mut old) = (String::new(), String::new());
    for (device, speed) in [("Maker's new </script> GPU (A)", 10.0), ("Maker's new CPU (B)", 1.0)] {
        for (case, cost) in [("copy (kernel)", 1.0), ("sum", 0.7), ("sort", 9.0)] {
            for n in [1 << 12, 1 << 16, 1 << 20] {
                let seconds = (1e-5 + n as f64 * 1e-9 * cost) / speed;
                let range = |seconds: f64| {
                    let [min, max] = [0.9, 1.2].map(|part| part * seconds);
                    format!(
                        r#"{{"min":{min},"median":{seconds},"max":{max},"each":[{max},{min},{seconds}]}}"#
                    )
                };
                let row = |seconds: f64| {
                    format!(
                        r#"{{"device":"{device}","driver":"1.0","case":"{case}","element":"u32","n":{n},
                            "clock":"device","median_seconds":{seconds},"deviation_seconds":{},
                            "ours":{{"host":{},"device":{}}},"gb_per_s":{},"fraction_of_copy":0.9,
                            "fraction_of_roofline":0.8,"peers":{{"CUB":{{"host":{}}}}}}}"#,
                        seconds / 100.0,
                        range(seconds * 1.5),
                        range(seconds),
                        8e-9 * n as f64 / seconds,
                        range(seconds * cost)
                    )
                    .replace('\n', " ")
                };
                new += &(row(seconds) + "\n");
                old += &(row(if case == "sum" { 2.0 * seconds } else { seconds }) + "\n");
            }
        }
    }
    let [new_file, old_file, page] = ["new.json", "old.json", "page.html"].map(|name| folder.join(name));
    std::fs::write(&new_file, new).unwrap();
    std::fs::write(&old_file, old).unwrap();
    let mut bench = Command::new(env!("CARGO_BIN_EXE_cl-bench"));
    bench.arg("--from").arg(new_file).arg("--compare").arg(old_file).arg("--html").arg(&page);
    let output = bench.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("6 faster, 0 slower, 12 within the noise, 0 not in the older report"), "{said}");
    page
}

/// Returns the different colours in an area of a picture that has one colour per pixel.
fn colours(picture: &(Vec<u8>, usize, usize), area: &[usize]) -> HashSet<[u8; 3]> {
    let (bytes, width, channels) = picture;
    let [x, y, w, h] = area else { panic!("{area:?}") };
    let pixel = |x: usize, y: usize| -> [u8; 3] {
        let at = (y * width + x) * channels;
        bytes[at..at + 3].try_into().unwrap()
    };
    (*y..y + h).flat_map(|y| (*x..(x + w).min(*width)).map(move |x| pixel(x, y))).collect()
}

fn decoded(file: &Path) -> (Vec<u8>, usize, usize) {
    let decoder = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(file).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!(info.bit_depth, png::BitDepth::Eight);
    (bytes, info.width as usize, info.color_type.samples())
}

#[test]
#[ignore = "needs Chromium, as .ci/page does"]
fn tables_and_plots_are_seen_sorted_and_filtered() {
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path());
    let spied = folder.path().join("spied.html");
    let text = std::fs::read_to_string(&page).unwrap();
    std::fs::write(&spied, text.replace("</body>", SPY)).unwrap();

    let dom = browse(folder.path(), &["--dump-dom"], &spied);
    let (_, title) = dom.split_once("<title>").unwrap();
    let (title, _) = title.split_once("</title>").unwrap();
    let seen: serde_json::Value = serde_json::from_str(title).unwrap();
    let texts = |name: &str| -> Vec<String> {
        seen[name].as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
    };
    for heading in ["device", "case", "n", "time", "host", "GB/s", "of roof", "CUB / ours", "change"] {
        assert!(texts("headings").contains(&heading.to_owned()), "{heading}: {seen}");
    }
    // Sorted as texts, 1.05 ms would come before 1.41 µs.
    let seconds = |name: &str| -> Vec<f64> {
        let value = |text: String| {
            let (number, unit) = text.split_once(' ').unwrap();
            let unit = match unit {
                "ms" => 1e-3,
                "µs" => 1e-6,
                other => panic!("{other}"),
            };
            number.parse::<f64>().unwrap() * unit
        };
        texts(name).into_iter().map(value).collect()
    };
    assert_eq!(seconds("before").len(), 18);
    assert!(!seconds("before").is_sorted() && seconds("ascending").is_sorted(), "{seen}");
    assert!(seconds("descending").is_sorted_by(|a, b| a >= b), "{seen}");
    assert_eq!(texts("filtered"), ["sort"; 6]);
    assert_eq!([&seen["curves"], &seen["dots"], &seen["marks"], &seen["fetched"]], [3, 6, 6, 0]);
    assert_eq!((seen["ranges"].as_u64(), seen["first"].as_str()), (Some(6), Some("peers")));

    let shot = folder.path().join("page.png");
    browse(folder.path(), &[&format!("--screenshot={}", shot.display())], &page);
    let picture = decoded(&shot);
    // Bars of two devices, dots, lines of two devices, and text, each on the background and with smooth
    // edges.
    for (part, area) in seen["boxes"].as_array().unwrap().iter().enumerate() {
        let area: Vec<usize> =
            area.as_array().unwrap().iter().map(|v| v.as_u64().unwrap() as usize).collect();
        assert!(area[2] > 100 && area[3] > 60, "part {part}: {area:?}");
        let found = colours(&picture, &area).len();
        assert!(found > 20, "part {part}, {area:?}: {found} colours");
    }
    // The area beside the first plot has only the background.
    assert_eq!(colours(&picture, &[1380, 0, 20, 1000]).len(), 1);
}

#[test]
#[ignore = "needs Chromium, as .ci/page does"]
fn a_page_is_dark_where_that_is_wished_and_prints() {
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path());
    let ground = |wish: &str| -> u32 {
        let shot = folder.path().join("ground.png");
        browse(folder.path(), &[wish, &format!("--screenshot={}", shot.display())], &page);
        let ground = colours(&decoded(&shot), &[0, 0, 8, 8]);
        assert_eq!(ground.len(), 1);
        ground.into_iter().flatten().map(u32::from).sum()
    };
    assert!(ground("--blink-settings=preferredColorScheme=1") > 700);
    assert!(ground("--blink-settings=preferredColorScheme=0") < 150);

    let paper = folder.path().join("page.pdf");
    browse(folder.path(), &[&format!("--print-to-pdf={}", paper.display())], &page);
    let printed = std::fs::read(&paper).unwrap();
    assert!(printed.starts_with(b"%PDF") && printed.len() > 20_000, "{} bytes", printed.len());
}
