//! A profiler's report as a trace file, in the JSON format that Chrome defined.
//!
//! Format: "Trace Event Format", Google, 2016. Times are in microseconds. An event of the kind `X`
//! is a slice of a track, and `M` names a track. Slices of one track must nest or follow each
//! other, so commands that overlap go to several tracks, named `lane 0`, `lane 1` and so on.

use super::report::{ProfilerReport, Track};
use crate::event::Profile;
use std::fmt::{self, Write as _};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// The process number of the host; the queues follow.
const HOST: usize = 1;

impl ProfilerReport {
    /// Writes the regions and the commands as a trace that <https://ui.perfetto.dev> opens. The
    /// host has a group of tracks, and so does each queue.
    ///
    /// Device clocks are shifted so that each command is queued before the call that enqueued it
    /// returns. The remaining difference between the clocks is at most the duration of the quickest
    /// such call.
    ///
    /// # Errors
    /// The errors of `file`.
    pub fn write_trace(&self, file: &mut impl Write) -> io::Result<()> {
        write!(file, "{{\"displayTimeUnit\":\"ns\",\"traceEvents\":[")?;
        write!(file, "\n{}", name("process_name", HOST, 0, "host"))?;
        write!(file, ",\n{}", name("thread_name", HOST, 1, "regions"))?;
        for span in &self.spans {
            let (start, time) = (span.begin.as_nanos() as i128, (span.end - span.begin).as_nanos() as i128);
            write!(file, ",\n{}", slice(&span.name, "region", start, time, (HOST, 1), ""))?;
        }
        for (index, track) in self.tracks.iter().enumerate() {
            track.write(file, HOST + 1 + index)?;
        }
        file.write_all(b"\n]}\n")
    }

    /// Writes the trace to a new file at `path`, as [`write_trace`](ProfilerReport::write_trace)
    /// does.
    ///
    /// # Errors
    /// The errors of the file system.
    pub fn save_trace(&self, path: impl AsRef<Path>) -> io::Result<()> {
        let mut file = BufWriter::new(File::create(path)?);
        self.write_trace(&mut file)?;
        file.flush()
    }
}

impl Track {
    fn write(&self, file: &mut impl Write, process: usize) -> io::Result<()> {
        write!(file, ",\n{}", name("process_name", process, 0, &self.name))?;
        let mut commands: Vec<(&str, &Profile)> = Vec::new();
        for command in &self.commands {
            if let Some(profile) = &command.profile {
                commands.push((command.label.as_deref().unwrap_or(profile.command), profile));
            }
        }
        commands.sort_by_key(|(_, profile)| profile.started);
        // The end of the last command in each track.
        let mut lanes: Vec<u64> = Vec::new();
        for (label, profile) in commands {
            let free = lanes.iter().position(|&ended| ended <= profile.started);
            let lane = free.unwrap_or(lanes.len());
            let ended = profile.ended.max(profile.started);
            if free.is_some() {
                lanes[lane] = ended;
            } else {
                lanes.push(ended);
                write!(file, ",\n{}", name("thread_name", process, 1 + lane, &format!("lane {lane}")))?;
            }
            let start = i128::from(profile.started) + self.offset;
            let time = profile.running().as_nanos() as i128;
            let args = format!(
                "\"call\":{},\"queueing_us\":{},\"waiting_us\":{}",
                Text(profile.command),
                Micros(profile.queueing().as_nanos() as i128),
                Micros(profile.waiting().as_nanos() as i128)
            );
            write!(file, ",\n{}", slice(label, "command", start, time, (process, 1 + lane), &args))?;
        }
        Ok(())
    }
}

/// Returns the event that names a process or one of its threads.
fn name(what: &str, process: usize, thread: usize, name: &str) -> String {
    let name = Text(name);
    format!(
        "{{\"ph\":\"M\",\"name\":\"{what}\",\"pid\":{process},\"tid\":{thread},\"args\":{{\"name\":{name}}}}}"
    )
}

/// Returns the event for a slice of a track; times are in nanoseconds.
fn slice(
    name: &str,
    kind: &str,
    start: i128,
    time: i128,
    (process, thread): (usize, usize),
    args: &str,
) -> String {
    let (name, start, time) = (Text(name), Micros(start), Micros(time));
    format!(
        "{{\"ph\":\"X\",\"name\":{name},\"cat\":\"{kind}\",\"ts\":{start},\"dur\":{time},\
         \"pid\":{process},\"tid\":{thread},\"args\":{{{args}}}}}"
    )
}

/// A time in nanoseconds that displays as microseconds, with all digits.
struct Micros(i128);

impl fmt::Display for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, size) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        write!(f, "{sign}{}.{:03}", size / 1000, size % 1000)
    }
}

/// Text that displays as a JSON string.
struct Text<'t>(&'t str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                // JSON forbids these characters unescaped; DEL and all later ones are allowed.
                c if c < ' ' => write!(f, "\\u{:04x}", u32::from(c))?,
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}

#[cfg(test)]
mod tests {
    use super::{Micros, Text};

    #[test]
    fn text_becomes_a_json_string() {
        assert_eq!(Text("a\"b\\c\n\u{1}é").to_string(), "\"a\\\"b\\\\c\\u000a\\u0001é\"");
    }

    #[test]
    fn nanoseconds_keep_every_digit() {
        let written = [0, 1, 999, 1000, 1_234_567, -1, -1_500].map(|time| Micros(time).to_string());
        assert_eq!(written, ["0.000", "0.001", "0.999", "1.000", "1234.567", "-0.001", "-1.500"]);
    }
}
