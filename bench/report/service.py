"""The part of a full run of scripts/bench that resembles a service: stacks of many builds, restored by one session.
Builds are the same symbols under other ids, each compiled to an index of its own, so that they share nothing in the
CPU's caches."""

import hashlib
import os
import random
import re
import shutil
import subprocess

from inputs import Absent
from peers import median, say, measured_rows

BUILDS, STACKS, FRAMES = 100, 20, 20
# The ELF note with a build id: the id has 20 bytes if a linker wrote it, or 16 if Dart's compiler did.
NOTE = re.compile(rb"\x04\0\0\0(?:\x14\0\0\0\x03\0\0\0GNU\0(.{20})|\x10\0\0\0\x03\0\0\0GNU\0(.{16}))", re.S)
MEMORY = 4 << 30
MAPPING_MOST = 3_000_000  # size in bytes of the part of the mapping that is used


def build_id(kind, build, size=20):
    return hashlib.sha1(f"{kind} {build}".encode()).hexdigest()[:2 * size]


class Builds:
    """The indexes and stacks of the builds of one platform."""

    def __init__(self, run, folder, kind):
        self.run, self.kind = run, kind
        self.symbols, self.work = os.path.join(folder, "symbols", kind), os.path.join(run.work, "service")
        self.workload = os.path.join(folder, kind + ".stacks")
        self.dice = random.Random(kind)
        os.makedirs(self.work, exist_ok=True)

    def program(self, name):
        return os.path.join(self.run.build, "bench", name)

    def index(self, path, *names):
        out = os.path.join(self.symbols, *names)
        os.makedirs(os.path.dirname(out), exist_ok=True)
        framemap = os.path.join(self.run.build, "cli", "framemap")
        if subprocess.run(
            [framemap, "index", "-q", path, "-o", out], stderr=subprocess.DEVNULL, check=False
        ).returncode:
            raise Absent(f"framemap index fails on {path}")
        return out

    def listed(self, *command):
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()

    def write(self, stack_of):
        """Writes the stacks of all builds; stack_of(build) returns the text of one stack of a build."""
        with open(self.workload, "wb") as out:
            for build in range(BUILDS):
                for _ in range(STACKS):
                    text = stack_of(build).encode()
                    out.write(b"== %d %d\n%s" % (build, len(text), text))

    def patched(self, source, edit):
        """Makes indexes of all builds of a file; edit(bytes, build) returns the bytes of a build."""
        with open(source, "rb") as file:
            original = file.read()
        path = os.path.join(self.work, os.path.basename(source))
        for build in range(BUILDS):
            with open(path, "wb") as out:
                out.write(edit(original, build))
            yield build, path
        os.remove(path)

    def with_build_ids(self, source):
        """Makes indexes of all builds of an ELF file, each build with another build id."""
        with open(source, "rb") as file:
            found = NOTE.search(file.read())
        if not found:
            raise Absent(f"no build id in {source}")
        own = found[1] or found[2]
        edit = lambda bytes_, build: bytes_.replace(own, bytes.fromhex(build_id(self.kind, build, len(own))))
        for build, path in self.patched(source, edit):
            self.index(path, f"{build:03}.fmx")
        return own.hex()


def native(builds, inputs):
    source = inputs.cxx()
    if not source:
        raise Absent("no C++ program")
    builds.with_build_ids(source)
    addresses = os.path.join(builds.work, "addresses")
    os.makedirs(addresses, exist_ok=True)
    subprocess.run(
        [
            builds.program("bench_lookups"),
            "-n",
            "20000",
            "-w",
            addresses,
            os.path.join(builds.symbols, "000.fmx"),
            source,
        ],
        check=True,
    )
    with open(os.path.join(addresses, "random"), encoding="ascii") as file:
        places = [int(line, 16) for line in file]
    head = (
        "*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\nABI: 'x86_64'\npid: 4242, tid: 4243, name: worker  >>> com.example.app <<<\n"
        "signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0000000000000008\nbacktrace:\n"
    )

    def stack(build):
        rows = [
            f"      #{number:02} pc {builds.dice.choice(places):016x}  /data/app/com.example/lib/x86_64/libapp.so (BuildId: {build_id('native', build)})\n"
            for number in range(FRAMES)
        ]
        return head + "".join(rows)

    builds.write(stack)


def java(builds, inputs):
    from growth import write_mapping
    mapping = inputs.mapping()
    if not mapping:
        raise Absent("no mapping")
    source = os.path.join(builds.work, "mapping.txt")
    write_mapping(mapping, 1, source, MAPPING_MOST)
    head = b"# compiler: R8\n# pg_map_id: %s\n# pg_map_hash: SHA-256 %s\n"

    def edit(bytes_, build):
        name = hashlib.sha256(f"java {build}".encode()).hexdigest().encode()
        return head % (name, name) + bytes_
    rows = [
        line for line in builds.listed(builds.program("bench_java"), "-w", "40000", source) if "(SourceFile:" in line
    ]
    for build, path in builds.patched(source, edit):
        builds.index(path, f"{build:03}.fmx")

    def stack(build):
        name = "r8-map-id-" + hashlib.sha256(f"java {build}".encode()).hexdigest()
        return "java.lang.IllegalStateException: no answer\n" + "".join(
            row.replace("SourceFile", name) + "\n" for row in builds.dice.sample(rows, FRAMES)
        )
    builds.write(stack)


def script(builds, inputs):
    maps = inputs.maps()
    if not maps:
        raise Absent("no source maps")
    places = [line.split(":") for line in builds.listed(builds.program("bench_sourcemap"), "-l", "40000", maps[0])]
    name = os.path.basename(maps[0])
    index = None
    for build in range(BUILDS):
        folder = os.path.join(builds.symbols, f"{build:03}")
        os.makedirs(folder, exist_ok=True)
        if index is None:
            index = builds.index(maps[0], "000", name.removesuffix(".map") + ".fmx")
        else:
            shutil.copy(index, folder)

    def stack(build):
        rows = [
            f"    at {builds.dice.choice('abcdefgh')} (https://cdn.example/{build:03}/{name.removesuffix('.map')}:{line}:{column})\n"
            for line, column in builds.dice.sample(places, FRAMES)
        ]
        return "Error: no answer\n" + "".join(rows)
    builds.write(stack)


def dart(builds, inputs):
    source = inputs.dart()
    if not source:
        raise Absent("no program with Dart's text symbol")
    own = builds.with_build_ids(source)
    rows = [line for line in builds.listed(builds.program("bench_dart"), "-w", "-n", "20000", source)]
    begin = next(number for number, line in enumerate(rows) if line.startswith("    #00"))
    head, frames = "\n".join(rows[:begin]) + "\n", [line.split(" ", 5)[5] for line in rows if line.startswith("    #")]

    def stack(build):
        some = "".join(f"    #{number:02} {frame}\n" for number, frame in enumerate(builds.dice.sample(frames, FRAMES)))
        return re.sub(r"build_id: '[0-9a-f]+'", f"build_id: '{build_id('dart', build, len(own) // 2)}'", head) + some
    builds.write(stack)


KINDS = {"native": native, "java": java, "js": script, "dart": dart}


def prepare(inputs, run, folder):
    """Makes the files of traces that bench_service restores. Returns a dictionary from the kind of stacks to the
    workload."""
    ready = {}
    for kind, make in KINDS.items():
        builds = Builds(run, folder, kind)
        try:
            if not os.path.exists(builds.workload):
                say(f"{BUILDS} builds of {kind}")
                shutil.rmtree(builds.symbols, ignore_errors=True)
                make(builds, inputs)
            ready[kind] = builds.workload
        except (Absent, OSError, subprocess.SubprocessError, StopIteration, IndexError) as why:
            if os.path.exists(builds.workload):
                os.remove(builds.workload)
            say(f"  without {kind}: {why}")
    return ready


def folder_bytes(folder):
    return sum(os.path.getsize(os.path.join(path, name)) for path, _, names in os.walk(folder) for name in names)


def numbers(found):
    return {key if isinstance(key, str) else key[0]: values[0] for key, values in found.items() if values}


def print_row(kind, threads, keeps, rounds):
    value = {name: median([one[name] for one in rounds]) for name in rounds[0]}
    traces = sorted(one["traces"] for one in rounds)
    print(
        f"| {kind} | {threads} | {keeps} | {value['traces']:,.0f} ({traces[0]:,.0f} to {traces[-1]:,.0f}) | {value['p50']:,.0f} | {value['p99']:,.0f} | {value['most'] / 1000:,.1f} | "
        f"{value['restored']:.1f} % | {value['opening the folder']:,.0f} ms | {value['peak memory'] / 1024:,.0f} MB |",
        flush=True,
    )


def bench(inputs, run):
    folder = os.path.join(run.work, "service-builds")
    os.makedirs(folder, exist_ok=True)
    ready = prepare(inputs, run, folder)
    if not ready:
        raise Absent("no kind of builds could be made")
    symbols = os.path.join(folder, "symbols")
    print(
        f"\n### A service\n\n{FRAMES} frames a trace, {BUILDS} builds of each kind in rotation by Zipf's law, symbols as indexes in a folder ({folder_bytes(symbols) / 1e6:,.0f} MB), "
        f"one session, JSON out; at most 4 GB of address space (RLIMIT_AS). Opening an index is counted with the trace that wants it first. What the session keeps of indexes: "
        "1 GiB (its default), or a quarter of what the builds of a kind need, so that indexes come and go. Opened ahead: by framemap_session_prepare, so that no trace opens an index. "
        "A store: the indexes as values in memory, asked for through framemap_session_options.fetch; values are kept up to a limit, or none is. Medians of the rounds.\n"
    )
    print(
        "| stacks | threads | keeps | traces a second | p50, µs | p99, µs | most, ms | restored | opening the folder | peak memory |\n"
        + "| --- " * 10
        + "|"
    )
    rows = {kind: [path] for kind, path in ready.items()}
    if len(ready) > 1:
        rows["mixed"] = list(ready.values())
    command, traces = [os.path.join(run.build, "bench", "bench_service"), "-m", str(MEMORY)], (
        2000 if run.quick else 20000
    )
    for kind, workloads in rows.items():
        own = symbols if kind == "mixed" else os.path.join(symbols, kind)
        say(f"service: {kind}")
        variants = [
            (keeps, words, threads)
            for keeps, words in (("1 GiB", []), ("a quarter", ["-b", str(folder_bytes(own) // 4)]))
            for threads in (1, 2)
        ]
        variants.append(("1 GiB, opened ahead", ["-p"], 1))
        if kind != "mixed":
            variants += [("a store, 256 MiB of values", ["-s", "-p"], 1), ("a store, no values", ["-s", "-b", "1"], 1)]
        found = {variant[::2]: [] for variant in variants}
        for _ in range(min(run.rounds, 3)):
            for keeps, words, threads in variants:
                counts = ["-j", str(threads), "-n", str(traces // threads)]
                measured = measured_rows([*command, *words, *counts, own, *workloads])
                if measured:
                    found[keeps, threads].append(numbers(measured))
        for (keeps, threads), rounds in found.items():
            if rounds:
                print_row(kind, threads, keeps, rounds)
            else:
                print(f"| {kind} | {threads} | {keeps} | failed | - | - | - | - | - | - |")
