//! bench_rust_sourcemap sourcemap|cache MAP SCRIPT PLACES: measures one crate on one map: reads and decodes the map,
//! then looks up every position of PLACES, in the order of that file and in the order of the text. Prints lines like
//! those of framemap's bench_sourcemap: words separated by TAB. Reading files is not timed; parsing the JSON is, in
//! wall-clock and CPU time. The cache also reads the script.

use sourcemap::SourceMap;
use std::time::Instant;
use symbolic_sourcemapcache::{SourceMapCache, SourceMapCacheWriter, SourcePosition};

fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the CPU time of this process in nanoseconds, which other load affects less than wall-clock time.
fn spent() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    let told = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    assert!(told == 0, "no clock");
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Reads the file PLACES; lines and columns of the result count from 0.
fn read_places(path: &str) -> Vec<(u32, u32)> {
    let text = read(path);
    let pair = |line: &str| {
        let (line, column) = line.split_once(':').expect("LINE:COL");
        (line.parse::<u32>().unwrap() - 1, column.parse::<u32>().unwrap() - 1)
    };
    text.lines().map(pair).collect()
}

/// Returns the start of a build, as wall-clock time and CPU time.
fn now() -> (Instant, u64) {
    (Instant::now(), spent())
}

fn built(size: usize, start: (Instant, u64)) {
    let (wall, cpu) = (start.0.elapsed().as_nanos() as f64, (spent() - start.1) as f64);
    println!("build\t{:.1}\tMB/s", size as f64 * 1e3 / wall);
    println!("build, CPU\t{:.1}\tMB/s", size as f64 * 1e3 / cpu);
}

fn time(places: &[(u32, u32)], ask: impl Fn(u32, u32) -> bool) {
    let mut ascending = places.to_vec();
    ascending.sort_unstable();
    for (name, places) in [("random", places), ("ascending", &ascending[..])] {
        let start = spent();
        let mapped = places.iter().filter(|(line, column)| ask(*line, *column)).count();
        println!("{name}\t{:.1}\tns\t{mapped} mapped", (spent() - start) as f64 / places.len() as f64);
    }
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    assert!(words.len() == 5, "usage: bench_rust_sourcemap sourcemap|cache MAP SCRIPT PLACES");
    let map = read(&words[2]);
    let places = read_places(&words[4]);
    if words[1] == "sourcemap" {
        let start = now();
        let parsed = SourceMap::from_slice(map.as_bytes()).expect("no map");
        built(map.len(), start);
        return time(&places, |line, column| parsed.lookup_token(line, column).is_some());
    }
    let script = read(&words[3]);
    let start = now();
    let mut bytes = Vec::new();
    SourceMapCacheWriter::new(&script, &map).expect("no map").serialize(&mut bytes).expect("no cache");
    built(map.len(), start);
    println!("index\t{}\tbytes", bytes.len());
    let cache = SourceMapCache::parse(&bytes).expect("no cache");
    time(&places, |line, column| cache.lookup(SourcePosition::new(line, column)).is_some());
}
