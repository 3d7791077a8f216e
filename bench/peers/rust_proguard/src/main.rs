//! bench_rust_proguard index MAPPING CACHE      writes the crate's own index of a mapping
//! bench_rust_proguard retrace CACHE TRACE      restores a trace to standard output
//! bench_rust_proguard lookups CACHE TRACE      nanoseconds for each of the trace's frames, without reading or writing text

use std::io::{BufWriter, Write};
use std::time::Instant;

use proguard::{ProguardCache, ProguardMapping, StackFrame};

fn read(path: &str) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn index(mapping: &str, out: &str) {
    let bytes = read(mapping);
    let file = std::fs::File::create(out).expect("can't be written");
    let mut writer = BufWriter::new(file);
    ProguardCache::write(&ProguardMapping::new(&bytes), &mut writer).expect("can't be written");
    writer.flush().expect("can't be written");
}

fn retrace(cache: &ProguardCache, trace: &str) {
    let text = cache.remap_stacktrace(trace).expect("can't be formatted");
    std::io::stdout().write_all(text.as_bytes()).expect("can't be written");
}

fn lookups(cache: &ProguardCache, trace: &str) {
    let frames: Vec<_> = trace.lines().filter_map(|line| StackFrame::try_parse(line.as_bytes())).collect();
    let start = Instant::now();
    let answers: usize = frames.iter().map(|frame| cache.remap_frame(frame).count()).sum();
    let each = start.elapsed().as_nanos() as f64 / frames.len() as f64;
    println!("lookups\t{each:.1}\tns\t{} frames\t{answers} answers", frames.len());
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    assert!(words.len() == 4, "usage: bench_rust_proguard index|retrace|lookups FILE FILE");
    if words[1] == "index" {
        return index(&words[2], &words[3]);
    }
    let bytes = read(&words[2]);
    let cache = ProguardCache::parse(&bytes).expect("not a cache");
    let trace = String::from_utf8(read(&words[3])).expect("not UTF-8");
    match words[1].as_str() {
        "retrace" => retrace(&cache, &trace),
        _ => lookups(&cache, &trace),
    }
}
