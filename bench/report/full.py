"""A run of scripts/bench without files on its command line: downloads other tools, prepares inputs, measures framemap
and these tools in turns, and prints Markdown."""

import contextlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
import types

import goals
import growth
import java_peers
import native_full
import service
import sourcemap_peers
import text_full
from inputs import Absent, Inputs
from peers import Settings, find, say

BENCH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(BENCH)
PACKAGES = (
    "llvm-19|llvm", "llvm-19-dev|llvm-dev", "clang-19|clang", "lld-19|lld", "elfutils", "binutils", "proguard-cli",
    "g++", "nodejs", "npm", "cargo", "util-linux",
)
NEEDS = {"native": ("kernel", "libc", "cxx", "units", "dsym"), "growth": ("units", "mapping", "maps"), "maps": ("maps",), "mapping": ("mapping",), "text": (),
         "service": ("cxx", "mapping", "maps", "dart")}
SECTIONS = tuple(NEEDS)


class Run:
    """Settings and results that all parts of a run share."""

    def __init__(self, given, work):
        self.build, self.quick, self.rounds, self.work = given.build, given.quick, given.rounds, work
        self.crate = self.gsym_reader = None
        self.findings = {}

    def find(self, key, values):
        if values:
            self.findings.setdefault(key, []).extend(values)


def install_packages():
    """Installs those compared tools that Debian has as packages, with the functions of scripts/lib.sh."""
    words = ["sh", "-c", f'root={ROOT}; . "$root/scripts/lib.sh"; for entry; do (need_packages "$entry") || say "left out: $entry"; done', "bench", *PACKAGES]
    subprocess.run(words, stdout=sys.stderr, check=False)


def build_crate(run):
    """Builds the program that uses the crates for native symbols, and returns its path; None if it cannot be built."""
    if not find("cargo"):
        return None
    say("building the crates for native symbols (addr2line, symbolic-symcache, blazesym)")
    target = os.path.join(run.build, "cargo-native")
    made = subprocess.run(
        ["nice", "cargo", "build", "--release", "--quiet"],
        cwd=os.path.join(BENCH, "peers", "rust_native"),
        stdout=sys.stderr,
        env=dict(os.environ, CARGO_TARGET_DIR=target),
        check=False,
    )
    return None if made.returncode else os.path.join(target, "release", "bench_rust_native")


def build_gsym_reader(run):
    """Builds the program that uses LLVM's GSYM reader, and returns its path; None if LLVM's development files are not
    installed."""
    config, compiler = find("llvm-config-19", "llvm-config"), find("g++", "c++")
    if not config or not compiler:
        return None
    out = os.path.join(run.build, "bench", "gsym_llvm")
    flags = subprocess.run(
        [config, "--cxxflags", "--ldflags", "--libs"], capture_output=True, text=True, check=False
    ).stdout.split()
    made = subprocess.run(
        [compiler, "-O2", os.path.join(BENCH, "measure", "gsym_llvm.cc"), *flags, "-o", out],
        capture_output=True,
        check=False,
    )
    return None if made.returncode else out


def version(command):
    try:
        lines = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
    except OSError:
        return None
    return next((line.strip() for line in lines if any(sign.isdigit() for sign in line)), None)


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return next(
            (line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), platform.machine()
        )


def print_head(given, inputs):
    print("## The last run\n")
    with open("/proc/meminfo", encoding="utf-8") as file:
        memory = int(file.readline().split()[1]) / (1 << 20)
    shown = version(["git", "-C", ROOT, "describe", "--always", "--dirty"])
    print(f"- framemap {shown or ''}; {time.strftime('%Y-%m-%d', time.gmtime())}")
    print(
        f"- {os.cpu_count()} × {processor()}, {memory:.0f} GB, Linux {platform.release().split('-')[0]}, load {os.getloadavg()[0]:.1f} at the start"
    )
    print(
        f"- command: `scripts/bench {' '.join(given.words)}`; {given.rounds} rounds"
        + (f"; measured under `{' '.join(Settings.before)}`" if Settings.before else "")
    )
    tools = {"gcc": ["cc", "--version"], "llvm": [find("llvm-symbolizer-19", "llvm-symbolizer") or "llvm-symbolizer", "--version"], "elfutils": ["eu-addr2line", "--version"],
             "binutils": ["addr2line", "--version"], "rustc": ["rustc", "--version"], "node": ["node", "--version"]}
    print(
        "- "
        + "; ".join(
            f"{name}: {shown or 'not here'}"
            for name, shown in ((name, version(command)) for name, command in tools.items())
        )
    )
    for what, why in inputs.absent.items():
        print(f"- left out: {what} ({why})")
    sys.stdout.flush()


def native(inputs, run):
    run.crate, run.gsym_reader = (None if run.no_rust else build_crate(run)), build_gsym_reader(run)
    named = {
        "kernel": inputs.kernel(), "C++": inputs.cxx(), "Rust": run.crate, "libc": inputs.libc(),
        "C units": (inputs.units() or [None])[-1], "dSYM": inputs.dsym(),
    }
    images = []
    for name, path in named.items():
        if path:
            images.append(native_full.Image(name, os.path.realpath(path), run))
        else:
            say(f"without {name}")
    print(
        "\nImages: "
        + "; ".join(
            f"{image.name} {os.path.basename(image.path)} {os.path.getsize(image.path):,} bytes" for image in images
        )
    )
    native_full.bench(images, run)


def peers_of(run):
    return types.SimpleNamespace(
        build=run.build,
        rust=not run.no_rust,
        npm=not run.no_npm,
        lines=100000 if run.quick else 1000000,
        addresses=20000,
    )


def maps(inputs, run):
    print("\n### Source maps")
    for number, path in enumerate(inputs.maps()):
        say(f"source map {os.path.basename(path)}")
        with tempfile.TemporaryDirectory() as work:
            found = sourcemap_peers.bench(sourcemap_peers.Map(path, peers_of(run), work), run.rounds)
        if number == 0:
            run.find("map build", found.get("build, CPU", []))
            run.find("map decode", found.get("decode", []))


def mapping(inputs, run):
    path = inputs.mapping()
    print("\n### Mappings" + ("" if path else "\n\nNone here."))
    if path:
        say(f"mapping {os.path.basename(path)}")
        with tempfile.TemporaryDirectory() as work:
            found = java_peers.bench(java_peers.Mapping(path, peers_of(run), work), min(run.rounds, 3))
        run.find("mapping build", found.get("build", [])[1:2])
        run.find("mapping lookup", [value * 1e-3 for value in found.get("random", [])[1:2]])
    path = inputs.mapping_of_app()
    if path:
        found = java_peers.bench_own(peers_of(run), path)
        run.find("app mapping build", found.get("build", [])[1:2])
        run.find("app mapping lookup", [value * 1e-3 for value in found.get("random", [])[1:2]])


def set_up(given):
    if given.install:
        install_packages()
    launcher = os.path.join(given.build, "bench", "bench_cost")
    Settings.launcher = launcher if os.path.exists(launcher) else None
    if given.priority:
        words = ["chrt", "-r", str(given.priority)]
        if find("chrt") and subprocess.run([*words, "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
            Settings.before = words
        else:
            say("real-time priority is not permitted here; measuring without it")


class Tee:
    """Writes text to standard output and keeps a copy of it."""

    def __init__(self):
        self.out, self.parts = sys.stdout, []

    def write(self, text):
        self.parts.append(text)
        return self.out.write(text)

    def flush(self):
        self.out.flush()


def write_docs(text):
    """Replaces the results in docs/benchmarks.md by those of this run."""
    path = os.path.join(ROOT, "docs", "benchmarks.md")
    with open(path, encoding="utf-8") as file:
        before, _, after = file.read().partition("## The last run\n")
    _, mark, rest = after.partition("\n## ")
    with open(path, "w", encoding="utf-8") as file:
        file.write(before + text.rstrip() + "\n" + mark + rest)


def run_all(given):
    tee = Tee()
    with contextlib.redirect_stdout(tee):
        run_parts(given)
    if given.docs:
        write_docs("".join(tee.parts))


def run_parts(given):
    set_up(given)
    inputs = Inputs(given)
    parts = {
        "native": native, "growth": growth.bench, "maps": maps, "mapping": mapping, "text": text_full.bench,
        "service": service.bench,
    }
    with tempfile.TemporaryDirectory(dir=given.build) as work:
        run = Run(given, work)
        run.no_rust, run.no_npm = given.no_rust, given.no_npm
        wanted = dict.fromkeys(name for part in given.only or SECTIONS for name in NEEDS[part])
        for prepare in wanted:
            getattr(inputs, prepare)()
        print_head(given, inputs)
        for name in given.only or SECTIONS:
            try:
                parts[name](inputs, run)
            except (Absent, OSError, ValueError, KeyError, IndexError, subprocess.SubprocessError) as error:
                traceback.print_exc(file=sys.stderr)
                print(f"\n({name}: broke off, {error})", flush=True)
        goals.print_goals(run.findings)
    if given.forget:
        shutil.rmtree(inputs.folder, ignore_errors=True)
