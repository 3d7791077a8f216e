"""Compares framemap with other tools that restore Java stacks, on one mapping and one trace. Called by
scripts/bench."""

import os
import subprocess

from peers import Table, alternate, find, measure, measured_rows

HERE = os.path.dirname(os.path.abspath(__file__))
PROGUARD = ["/usr/share/java/retrace.jar", "/usr/share/java/proguard.jar"]
CRASH = 40  # number of lines of a small trace
OWN_ROUNDS = 15  # rounds of the benchmarks that measure framemap alone


def is_mapping(path):
    with open(path, "rb") as file:
        head = file.read(1 << 16)
    return b"\0" not in head and b" -> " in head


def build_crate(folder):
    """Builds the program that uses the proguard crate, and returns its path; None if it cannot be built."""
    target = os.path.join(folder, "cargo")
    made = subprocess.run(["nice", "cargo", "build", "--release", "--quiet"], cwd=os.path.join(HERE, "rust_proguard"),
                          env=dict(os.environ, CARGO_TARGET_DIR=target), check=False)
    return None if made.returncode else os.path.join(target, "release", "bench_rust_proguard")


class Mapping:
    def __init__(self, path, given, work):
        self.path, self.work = path, work
        self.framemap = os.path.join(given.build, "cli", "framemap")
        self.own = os.path.join(given.build, "bench", "bench_java")
        self.index, self.cache = os.path.join(work, "map.fmx"), os.path.join(work, "map.cache")
        self.crate = build_crate(given.build) if given.rust and find("cargo") else None
        self.trace, self.crash = self.write_trace("trace", given.lines), self.write_trace("crash", CRASH)
        self.lines = given.lines

    def write_trace(self, name, lines):
        path = os.path.join(self.work, name)
        with open(path, "wb") as out:
            subprocess.run([self.own, "-w", str(lines), self.path], stdout=out, check=True)
        return path

    def builders(self):
        rows = {"framemap index": lambda: measure([self.framemap, "index", "-q", self.path, "-o", self.index])}
        if self.crate:
            rows["proguard crate, index"] = lambda: measure([self.crate, "index", self.path, self.cache])
        return rows

    def from_text(self, trace):
        """Returns commands that read the mapping as text."""
        commands = {"framemap retrace": [self.framemap, "retrace", "--quiet", self.path, trace]}
        if all(map(os.path.exists, PROGUARD)) and find("java"):
            commands["ProGuard's retrace"] = [
                "java", "-Xmx8g", "-cp", ":".join(PROGUARD), "proguard.retrace.ReTrace", self.path, trace,
            ]
        jar = os.environ.get("FRAMEMAP_R8")
        if jar and find("java"):
            commands["R8's retrace"] = [
                "java", "-Xmx8g", "-cp", jar, "com.android.tools.r8.retrace.Retrace", "--quiet", self.path, trace,
            ]
        return {tool: lambda command=command: measure(command) for tool, command in commands.items()}

    def from_index(self, trace):
        """Returns commands that use an index or cache built from the mapping."""
        commands = {"framemap retrace, index": [self.framemap, "retrace", "--quiet", self.index, trace],
                    "framemap restore, index": [self.framemap, "restore", "--no-cache", "-s", self.index, trace]}
        if self.crate:
            commands["proguard crate, index"] = [self.crate, "retrace", self.cache, trace]
        return {tool: lambda command=command: measure(command) for tool, command in commands.items()}

    def print_sizes(self):
        print("\nSizes\n\n| what | bytes |\n| --- | --- |")
        for what, path in {
            "the mapping": self.path,
            "framemap's index": self.index,
            "the crate's index": self.cache,
        }.items():
            if os.path.exists(path):
                print(f"| {what} | {os.path.getsize(path):,} |")


def own_calls(program, *rest):
    """Prints and returns the results of bench_java. Most measurements take less than a tenth of a second, and the first
    build is dominated by page faults, so three rounds are not enough."""
    found = measured_rows([program, "-r", str(OWN_ROUNDS), *rest])
    for name, unit in (("build", "MB/s"), ("build, one thread", "MB/s"), ("random", "ns"), ("near", "ns"), ("hot", "ns"), ("retrace", "lines/s")):
        if name in found:
            print(f"| {name} | {' / '.join(f'{value:,.0f}' for value in found[name])} {unit} |", flush=True)
    return found


def bench_own(given, path):
    """Prints the tables for a mapping that only framemap is measured with."""
    print(
        f"\n#### {os.path.basename(path)}, {os.path.getsize(path):,} bytes\n\nThe library's own calls alone, least / median / most of {OWN_ROUNDS} rounds:\n\n| what | |\n| --- | --- |"
    )
    return own_calls(os.path.join(given.build, "bench", "bench_java"), path)


def bench(mapping, rounds):
    """Measures one mapping and prints the tables; returns the results of bench_java: name -> [minimum, median,
    maximum]."""
    print(f"\n#### {os.path.basename(mapping.path)}, {os.path.getsize(mapping.path):,} bytes")
    alternate(Table("Building an index", "ms", 1e3), mapping.builders(), rounds)
    mapping.print_sizes()
    alternate(
        Table(f"A crash of {CRASH} lines, the mapping read as text", "ms", 1e3),
        mapping.from_text(mapping.crash),
        rounds,
    )
    alternate(Table(f"A crash of {CRASH} lines, by index", "ms", 1e3), mapping.from_index(mapping.crash), rounds)
    alternate(
        Table(f"{mapping.lines} lines, the mapping read as text", "ms", 1e3), mapping.from_text(mapping.trace), rounds
    )
    alternate(Table(f"{mapping.lines} lines, by index", "ms", 1e3), mapping.from_index(mapping.trace), rounds)
    print(
        f"\nThe library's own calls (bench_java), least / median / most of {OWN_ROUNDS} rounds, and the crate's:\n\n| what | |\n| --- | --- |"
    )
    found = own_calls(mapping.own, "-t", mapping.trace, mapping.path)
    crate = measured_rows([mapping.crate, "lookups", mapping.cache, mapping.trace]) if mapping.crate else {}
    if "lookups" in crate:
        print(f"| a frame of the trace, proguard crate | {crate['lookups'][0]:,.0f} ns |", flush=True)
    return found
