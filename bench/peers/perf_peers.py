#!/usr/bin/env python3
"""Compares framemap convert --to folded with inferno-collapse-perf, on samples of perf script.

usage: perf_peers.py [--framemap F] [--install FOLDER] [--rounds N] [FILE...]

Without FILE the script makes two: one whose stacks repeat, and one whose stacks are nearly all distinct. Both programs
read the same file, in turns, and their outputs are compared. They are equal if function names contain no parentheses or
quotes, program names no blanks, and event names no periods, as in the files that the script makes. With --install,
cargo installs inferno into FOLDER; without inferno the comparison is skipped.
"""

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PEER = "inferno-collapse-perf"
SAMPLES, FUNCTIONS, DEEP = 60000, 4000, 24


def write_samples(path, distinct):
    """Writes samples of a program. Stacks are random walks over functions: with few functions they repeat, with many
    they do not."""
    choose = random.Random(7)
    stacks = [[choose.randrange(FUNCTIONS) for _ in range(choose.randrange(8, DEEP))] for _ in range(400)]
    with open(path, "w", encoding="utf-8") as out:
        for number in range(SAMPLES):
            stack = (
                [choose.randrange(FUNCTIONS) for _ in range(choose.randrange(8, DEEP))]
                if distinct
                else choose.choice(stacks)
            )
            out.write(
                f"worker {100 + number % 4}/{200 + number % 4} [00{number % 2}] {1000 + number / 1000:.6f}: cycles:u:\n"
            )
            for function in stack:
                out.write(
                    f"\t{0x7f0000000000 + 0x40 * function:16x} ns::part_{function % 97}::function_{function}+0x1c (/usr/lib/lib{function % 7}.so)\n"
                )
            out.write("\n")


def run(command, out):
    """Returns the wall-clock seconds, CPU seconds and peak megabytes of a run."""
    with open(out, "wb") as file:
        begin = time.monotonic()
        process = subprocess.Popen(command, stdout=file, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{command[0]} failed")
    return time.monotonic() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def same_lines(one, two):
    with open(one, "rb") as first, open(two, "rb") as second:
        return sorted(first) == sorted(second)


def compare(name, path, given, work):
    programs = {
        "framemap": [given.framemap, "convert", "--lossy", "--to", "folded", path],
        "inferno": [given.inferno, path],
    }
    times = {program: [] for program in programs}
    for _ in range(given.rounds):
        for program, command in programs.items():
            times[program].append(run(command, os.path.join(work, program)))
    for program, rows in times.items():
        wall, cpu, memory = (statistics.median(row[i] for row in rows) for i in range(3))
        print(f"{name}: {program} {wall:.3f} s, {cpu:.3f} s of processors, {memory:.0f} MB")
    ratios = [a[0] / b[0] for a, b in zip(times["framemap"], times["inferno"])]
    same = same_lines(os.path.join(work, "framemap"), os.path.join(work, "inferno"))
    print(
        f"{name}: framemap takes {min(ratios):.2f} / {statistics.median(ratios):.2f} / {max(ratios):.2f} of inferno's time, "
        f"output {'equal' if same else 'DIFFERENT'}"
    )


def find_peer(given):
    if given.install:
        made = subprocess.run(["cargo", "install", "--quiet", "inferno", "--root", given.install], check=False)
        if made.returncode:
            sys.exit("cargo did not install inferno")
        return os.path.join(given.install, "bin", PEER)
    return shutil.which(PEER) or shutil.which(os.path.expanduser(f"~/.cargo/bin/{PEER}"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--framemap", default=os.path.join(ROOT, "build", "release", "cli", "framemap"))
    parser.add_argument("--install", metavar="FOLDER")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("files", nargs="*", metavar="FILE")
    given = parser.parse_args()
    given.inferno = find_peer(given)
    if not given.inferno:
        print(f"skipped: {PEER} is not installed; --install FOLDER installs it with cargo")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as work:
        for path in given.files:
            compare(os.path.basename(path), path, given, work)
        for name in [] if given.files else ["repeating", "distinct"]:
            path = os.path.join(work, name)
            write_samples(path, name == "distinct")
            compare(name, path, given, work)


if __name__ == "__main__":
    main()
