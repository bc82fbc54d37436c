//! The options of the command line.

use crate::Failure;
use cl_fft::plan::DeviceLimits;
use std::collections::HashMap;

const USUAL: &[&str] = &[
    "c2c-f32-256",
    "c2c-f32-1024",
    "c2c-f32-4096",
    "c2c-f32-1000",
    "c2c-f32-2187",
    "c2c-f32-8192",
    "c2c-f32-65536",
    "c2c-f32-1048576",
    "c2c-f32-16777216",
    "c2c-f32-1009",
    "c2c-f64-256",
    "c2c-f64-1024",
    "c2c-f64-4096",
    "c2c-f64-1000",
    "c2c-f64-2187",
    "c2c-f64-65536",
    "c2c-f64-1048576",
    "r2c-f32-1024",
    "r2c-f32-4096",
    "r2c-f32-1048576",
    "c2c-f32-4096x4096",
    "c2c-f32-512x512x512",
];

/// The settings that `--try` tries besides the default ones.
pub(crate) const CANDIDATES: &[&str] = &[
    "burst=128",
    "burst=32",
    "group_items=64",
    "group_items=256",
    "group_items=512",
    "held=8,8",
    "held=16,8",
    "held=32,16",
    "exchange=80",
    "exchange=20",
    "resident=0",
    "resident=8388608",
    "resident=16777216",
    "resident=33554432",
    "sines=false",
];

pub(crate) struct Options {
    pub(crate) points: u32,
    pub(crate) samples: usize,
    pub(crate) device: String,
    pub(crate) peers: HashMap<String, f64>,
    pub(crate) set: Vec<String>,
    pub(crate) candidates: bool,
    pub(crate) recipe: bool,
    pub(crate) names: Vec<String>,
}

pub(crate) fn options() -> Result<Options, Failure> {
    let mut options = Options {
        points: 27,
        samples: 15,
        device: String::new(),
        peers: HashMap::new(),
        set: Vec::new(),
        candidates: false,
        recipe: false,
        names: Vec::new(),
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--points" => options.points = value()?.parse()?,
            "--samples" => options.samples = value()?.parse()?,
            "--device" => options.device = value()?,
            "--peers" => {
                let text = std::fs::read_to_string(value()?)?;
                for line in text.lines() {
                    if let Some((name, ms)) = line.trim().split_once(' ') {
                        options.peers.insert(name.to_owned(), ms.trim().parse()?);
                    }
                }
            }
            "--set" => options.set.push(value()?),
            "--try" => options.candidates = true,
            "--recipe" => options.recipe = true,
            other if other.starts_with("--") => return Err(format!("unknown option {other}").into()),
            name => options.names.push(name.to_owned()),
        }
    }
    if options.names.is_empty() {
        options.names = USUAL.iter().map(|name| (*name).to_owned()).collect();
    }
    Ok(options)
}

/// Returns the `DeviceLimits` with the given changes.
pub(crate) fn with(mut limits: DeviceLimits, set: &[String]) -> Result<DeviceLimits, Failure> {
    for text in set {
        let (name, value) = text.split_once('=').ok_or(format!("{text} is not FACT=VALUE"))?;
        match name {
            "held" => {
                let (single, double) = value.split_once(',').unwrap_or((value, value));
                limits.held = [single.parse()?, double.parse()?];
            }
            "group_items" => limits.group_items = value.parse()?,
            "burst" => limits.burst = value.parse()?,
            "exchange" => limits.exchange = value.parse()?,
            "resident" => limits.resident = value.parse()?,
            "sines" => limits.sines = value.parse()?,
            "local_memory" => limits.local_memory = value.parse()?,
            "largest_group" => limits.largest_group = value.parse()?,
            "cpu" => limits.cpu = value.parse()?,
            _ => return Err(format!("no fact is called {name}").into()),
        }
    }
    Ok(limits)
}
