"""The performance goals of framemap, and a table that compares them with the results of a run of scripts/bench."""

from peers import median

MORE, LESS = 1, -1

# Columns: what is measured, key of the result, which direction is better, least acceptable value, aim, unit.
GOALS = (
    ("compile the kernel's image, by the clock, two threads, against llvm-gsymutil with two", "compile wall 2, kernel", MORE, 4, 8, "times"),
    ("compile C++, processors' time, against the same with one", "compile cpu, C++", MORE, 3, 6, "times"),
    ("compile Rust, likewise", "compile cpu, Rust", MORE, 3, 6, "times"),
    ("compile a C library, likewise", "compile cpu, libc", MORE, 3, 6, "times"),
    ("compile small C units, likewise", "compile cpu, C units", MORE, 3, 6, "times"),
    ("peak memory while compiling the kernel, of the same", "peak, kernel", LESS, 0.25, 0.1, "of it"),
    ("likewise C++", "peak, C++", LESS, 0.25, 0.1, "of it"),
    ("likewise Rust", "peak, Rust", LESS, 0.25, 0.1, "of it"),
    ("index, with columns, of GSYM's bytes: kernel", "bytes, kernel", LESS, 0.70, 0.55, "of it"),
    ("likewise C++", "bytes, C++", LESS, 0.90, 0.60, "of it"),
    ("likewise Rust", "bytes, Rust", LESS, 0.95, 0.55, "of it"),
    ("lookup of the kernel's text, in brief, against a flat sorted array: random", "flat random, kernel", MORE, 2, 4, "times"),
    ("likewise clustered", "flat clustered, kernel", MORE, 2, 4, "times"),
    ("likewise random, with all that a frame has", "flat random in full, kernel", MORE, 2, 4, "times"),
    ("likewise clustered, with all that a frame has", "flat clustered in full, kernel", MORE, 2, 4, "times"),
    ("likewise random, many at once", "flat random at once, kernel", MORE, 2, 4, "times"),
    ("likewise clustered, many at once", "flat clustered at once, kernel", MORE, 2, 4, "times"),
    ("against the symcache crate: random", "symcache random, kernel", MORE, 2, 4, "times"),
    ("likewise clustered", "symcache clustered, kernel", MORE, 2, 4, "times"),
    ("likewise random, many at once", "symcache random at once, kernel", MORE, 2, 4, "times"),
    ("likewise clustered, many at once", "symcache clustered at once, kernel", MORE, 2, 4, "times"),
    ("against LLVM's reader of GSYM: random", "gsym of llvm random, kernel", MORE, 8, 20, "times"),
    ("likewise clustered", "gsym of llvm clustered, kernel", MORE, 8, 20, "times"),
    ("likewise random, many at once", "gsym of llvm random at once, kernel", MORE, 8, 20, "times"),
    ("likewise clustered, many at once", "gsym of llvm clustered at once, kernel", MORE, 8, 20, "times"),
    ("against a reader of GSYM in C, made for this: random", "gsym random, kernel", MORE, 8, 20, "times"),
    ("likewise clustered", "gsym clustered, kernel", MORE, 8, 20, "times"),
    ("likewise random, many at once", "gsym random at once, kernel", MORE, 8, 20, "times"),
    ("addresses a second through a pipe, kernel, against llvm-symbolizer", "pipe, kernel", MORE, 20, 40, "times"),
    ("likewise C++", "pipe, C++", MORE, 20, 40, "times"),
    ("source map: decoding `mappings`", "map decode", MORE, 250, 400, "MB/s"),
    ("source map, whole, to an index", "map build", MORE, 200, 320, "MB/s"),
    ("mapping.txt to an index, nearly each name new", "mapping build", MORE, 250, 450, "MB/s"),
    ("likewise an app's by R8, many times", "app mapping build", MORE, 250, 450, "MB/s"),
    ("mapping.txt, one lookup", "mapping lookup", LESS, 0.8, 0.3, "µs"),
    ("likewise an app's by R8, many times", "app mapping lookup", LESS, 0.8, 0.3, "µs"),
    ("stack lines recognised, mixed log (3 of 10 lines belong to stacks), by the clock, a thread for each processor", "text", MORE, 0.8, 1.5, "GB/s"),
    ("likewise one thread", "text, one thread", MORE, 0.8, 1.5, "GB/s"),
    ("one cold lookup of a symbol file without index, against the addr2line crate: kernel", "cold, kernel", LESS, 1.0, 0.5, "of it"),
    ("likewise C++", "cold, C++", LESS, 1.0, 0.5, "of it"),
    ("compiling on two threads, the kernel's image", "scaling", MORE, 1.6, 1.9, "times"),
    ("growth: time of 16 times the input, a sixteenth of it, against once", "growth", LESS, 1.15, 1.0, "of it"),
)


def better(value, bound, way):
    return value >= bound if way == MORE else value <= bound


def verdict(value, way, least, aim):
    if better(value, aim, way):
        return "aim"
    return "yes" if better(value, least, way) else "**no**"


def print_goals(findings):
    """Prints the goals and the measured values. findings: key -> values of the rounds."""
    print("\n### What is asked, and what was found\n\nMedians of the rounds, then least and most.\n")
    print("| measure | at least | aim | found | reached |\n| --- | --- | --- | --- | --- |")
    for measure, key, way, least, aim, unit in GOALS:
        values = sorted(findings.get(key, []))
        if not values:
            print(f"| {measure} | {least} {unit} | {aim} | not measured | - |")
            continue
        found = median(values)
        rest = f" ({values[0]:.3g} to {values[-1]:.3g})" if len(values) > 1 else ""
        print(f"| {measure} | {least} {unit} | {aim} | {found:.3g}{rest} | {verdict(found, way, least, aim)} |")
