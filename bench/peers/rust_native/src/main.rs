//! bench_rust_native one FILE ADDRESS: prints one answer of the addr2line crate, from the symbol file itself
//! bench_rust_native addr2line FILE FOLDER ROUNDS: times the addr2line crate, after each address was looked up once
//! bench_rust_native write FILE CACHE: writes a symcache of a symbol file
//! bench_rust_native symcache CACHE FILE FOLDER ROUNDS: times the symbolic-symcache crate
//! bench_rust_native blazesym FILE FOLDER ROUNDS: times the blazesym crate on the symbol file
//! bench_rust_native gsym GSYM FOLDER ROUNDS: times the blazesym crate's reader of GSYM
//!
//! FOLDER has the addresses that bench_lookups -w writes. The output is that of bench_lookups: pattern, then minimum,
//! median and maximum of the rounds, and the unit, separated by TAB. Times are CPU time. Each answer is the whole
//! inline chain, with mangled names.

use std::hint::black_box;

use addr2line::gimli::Reader;
use blazesym::symbolize::source::{Elf, GsymFile, Source};
use blazesym::symbolize::{Input, Symbolizer};
use symbolic_common::ByteView;
use symbolic_debuginfo::Object;
use symbolic_symcache::{SymCache, SymCacheConverter};

fn open(path: &str) -> ByteView<'static> {
    ByteView::open(path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn spent() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    let told = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    assert!(told == 0, "no clock");
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

fn number(text: &str) -> u64 {
    u64::from_str_radix(text.trim_start_matches("0x"), 16).expect("a hexadecimal number")
}

fn addresses(folder: &str, pattern: &str) -> Vec<u64> {
    let text = std::fs::read_to_string(format!("{folder}/{pattern}")).expect("addresses");
    text.lines().map(number).collect()
}

/// Times the lookup of at most `most` addresses of each pattern; `ask` looks all of them up.
fn time(folder: &str, rounds: &str, most: usize, mut ask: impl FnMut(&[u64])) {
    for pattern in ["random", "clustered", "hot"] {
        let mut all = addresses(folder, pattern);
        all.truncate(most);
        ask(&all);
        let mut times: Vec<f64> = (0..rounds.parse::<usize>().expect("rounds"))
            .map(|_| {
                let start = spent();
                ask(&all);
                (spent() - start) as f64 / all.len() as f64
            })
            .collect();
        times.sort_by(f64::total_cmp);
        println!("{pattern}\t{:.1}\t{:.1}\t{:.1}\tns", times[0], times[times.len() / 2], times[times.len() - 1]);
    }
}

fn one(path: &str, address: &str) {
    let loader = addr2line::Loader::new(path).expect("a symbol file");
    let mut frames = loader.find_frames(number(address)).expect("an answer");
    while let Some(frame) = frames.next().expect("a frame") {
        let name = frame.function.as_ref().and_then(|name| name.raw_name().ok().map(|name| name.into_owned()));
        let place = frame.location.map(|place| (place.file.unwrap_or("??").to_owned(), place.line.unwrap_or(0)));
        println!("{name:?} {place:?}");
    }
}

fn ask_addr2line(loader: &addr2line::Loader, addresses: &[u64]) {
    for address in addresses {
        let mut frames = loader.find_frames(*address).expect("an answer");
        while let Some(frame) = frames.next().expect("a frame") {
            black_box(frame.function.as_ref().map(|name| name.name.len()));
            black_box(frame.location.map(|place| (place.file, place.line)));
        }
    }
}

fn write(path: &str, out: &str) {
    let bytes = open(path);
    let object = Object::parse(&bytes).expect("a symbol file");
    let mut converter = SymCacheConverter::new();
    converter.process_object(&object).expect("a symbol file");
    let mut file = std::io::BufWriter::new(std::fs::File::create(out).expect("can't be written"));
    converter.serialize(&mut file).expect("can't be written");
}

fn ask_symcache(cache: &SymCache, base: u64, addresses: &[u64]) {
    for address in addresses {
        for place in cache.lookup(address - base) {
            black_box(place.function().name());
            black_box(place.file());
            black_box(place.line());
        }
    }
}

fn ask_blazesym(symbolizer: &Symbolizer, source: &Source, addresses: &[u64]) {
    for some in addresses.chunks(1024) {
        black_box(symbolizer.symbolize(source, Input::VirtOffset(some)).expect("answers"));
    }
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
    match words[..] {
        ["one", path, address] => one(path, address),
        ["addr2line", path, folder, rounds] => {
            let loader = addr2line::Loader::new(path).expect("a symbol file");
            time(folder, rounds, 100_000, |some| ask_addr2line(&loader, some));
        }
        ["write", path, out] => write(path, out),
        ["symcache", path, symbols, folder, rounds] => {
            let (bytes, symbols) = (open(path), open(symbols));
            let base = Object::parse(&symbols).expect("a symbol file").load_address();
            let cache = SymCache::parse(&bytes).expect("a symcache");
            println!("cache\t{}\tbytes", bytes.len());
            time(folder, rounds, usize::MAX, |some| ask_symcache(&cache, base, some));
        }
        ["blazesym", path, folder, rounds] => {
            let symbolizer = Symbolizer::builder().enable_demangling(false).build();
            let source = Source::Elf(Elf::new(path));
            time(folder, rounds, 20_000, |some| ask_blazesym(&symbolizer, &source, some));
        }
        ["gsym", path, folder, rounds] => {
            let symbolizer = Symbolizer::builder().enable_demangling(false).build();
            let source = Source::from(GsymFile::new(path));
            time(folder, rounds, 20_000, |some| ask_blazesym(&symbolizer, &source, some));
        }
        _ => panic!("see the head of src/main.rs"),
    }
}
