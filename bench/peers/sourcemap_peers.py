"""Compares framemap with other libraries that read source maps, on one map. Called by scripts/bench."""

import os
import shutil
import subprocess

from peers import Settings, Table, find, measure

HERE = os.path.dirname(os.path.abspath(__file__))
PLACES = 100000
LIBRARIES = ("trace-mapping", "source-map", "source-map-js")
BUILT = {
    "build": "Reading and decoding, or building an index (JSON included), by the clock",
    "build, CPU": "The same in the processors' time",
}
ASKED = {"random": "Lookups of places in no order", "ascending": "Lookups of the same places in the order of the text"}


def is_map(path):
    with open(path, "rb") as file:
        head = file.read(1 << 16)
    return path.endswith(".map") and head.lstrip(b"\xef\xbb\xbf)]}'\r\n \t").startswith(b"{")


def install_libraries(folder):
    """Installs the npm libraries, and returns their folder; None if they cannot be installed."""
    target = os.path.join(folder, "npm")
    os.makedirs(target, exist_ok=True)
    for name in ("package.json", "bench.mjs"):
        shutil.copy(os.path.join(HERE, "js_sourcemap", name), target)
    command = ["npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--silent"]
    return None if subprocess.run(command, cwd=target, check=False).returncode else target


def build_crates(folder):
    """Builds the program that uses the crates, and returns its path; None if it cannot be built."""
    target = os.path.join(folder, "cargo")
    made = subprocess.run(["nice", "cargo", "build", "--release", "--quiet"], cwd=os.path.join(HERE, "rust_sourcemap"),
                          env=dict(os.environ, CARGO_TARGET_DIR=target), check=False)
    return None if made.returncode else os.path.join(target, "release", "bench_rust_sourcemap")


def run_measured(command):
    """Returns the results of a benchmark program, name -> number, and the program's peak memory in KiB; ({}, 0) if it
    fails."""
    child = subprocess.Popen([*Settings.before, *command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    with child.stdout:
        rows = [line.split("\t") for line in child.stdout]
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return ({}, 0) if child.returncode else ({row[0]: float(row[1]) for row in rows}, usage.ru_maxrss)


class Map:
    def __init__(self, path, given, work):
        self.path, self.work = path, work
        self.framemap = os.path.join(given.build, "cli", "framemap")
        self.own = os.path.join(given.build, "bench", "bench_sourcemap")
        self.index, self.places = os.path.join(work, "map.fmx"), os.path.join(work, "places")
        self.libraries = install_libraries(given.build) if given.npm and find("npm") and find("node") else None
        self.crates = build_crates(given.build) if given.rust and find("cargo") else None
        with open(self.places, "wb") as out:
            subprocess.run([self.own, "-l", str(PLACES), path], stdout=out, check=True)

    def programs(self):
        """Returns the programs to measure: tool -> command; None: the tool is not installed, or cannot read this
        map."""
        rows = {"framemap": [self.own, "-r", "1", "-n", str(PLACES), self.path],
                "framemap, one thread": [self.own, "-j", "1", "-r", "1", "-n", str(PLACES), self.path]}
        for library in LIBRARIES:
            rows[library] = self.libraries and [
                "node",
                os.path.join(self.libraries, "bench.mjs"),
                library,
                self.path,
                self.places,
            ]
        script = self.path.removesuffix(".map")
        rows["sourcemap crate"] = self.crates and [self.crates, "sourcemap", self.path, script, self.places]
        cache = self.crates if os.path.exists(script) else None # the crate's cache also needs the script of the map
        rows["symbolic-sourcemapcache crate"] = cache and [cache, "cache", self.path, script, self.places]
        return rows


def print_whole_process(map_, rounds):
    with open(map_.places, "rb") as file:
        places = file.read()
    table = Table("Whole processes of framemap, by the clock", "ms", 1e3)
    for _ in range(rounds):
        table.add("framemap index", *measure([map_.framemap, "index", map_.path, "-o", map_.index]))
        table.add(
            f"framemap lookup, {PLACES} places through a pipe", *measure([map_.framemap, "lookup", map_.index], places)
        )
    table.print()


def bench(map_, rounds):
    """Measures a map and prints the tables; returns the results of bench_sourcemap with one thread: name -> MB/s of the
    rounds."""
    size = os.path.getsize(map_.path)
    print(f"\n#### {os.path.basename(map_.path)}, {size:,} bytes")
    found = {}
    tables = {name: Table(title, "ms", 1e3) for name, title in BUILT.items()}
    tables.update({name: Table(title, "ns", 1e9) for name, title in ASKED.items()})
    programs = map_.programs()
    absent = [tool for tool, command in programs.items() if not command]
    for _ in range(rounds):
        for tool, command in programs.items():
            if tool in absent:
                continue
            row, memory = run_measured(command)
            if not row:
                absent.append(tool)
                continue
            for name in BUILT:
                tables[name].add(tool, size * 1e-6 / row[name], memory)
            for name in ASKED:
                tables[name].add(tool, row[name] * 1e-9, memory)
            if tool == "framemap, one thread":
                for name in ("build, CPU", "decode"):
                    found.setdefault(name, []).extend([row[name]] if name in row else [])
    for table in tables.values():
        table.absent = absent
        table.print()
    print_whole_process(map_, rounds)
    print(f"\nIndex: {os.path.getsize(map_.index):,} bytes", flush=True)
    return found
