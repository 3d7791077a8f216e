#!/usr/bin/env python3
"""Compares `framemap retrace` with R8's own retrace, on random mappings and stacks.

    compare_retrace.py --framemap BUILD/framemap --r8 CLASSPATH [--blocks N] [--rounds N] [--seed S]

CLASSPATH is r8.jar, or a class path with com.android.tools.r8.retrace.Retrace and all classes that it needs; by default
the value of FRAMEMAP_R8. Each round writes one mapping of N blocks and a stack for each block, and compares the outputs
of both programs, with and without --verbose. Exit 0: all are equal; 1: some differ, and the smallest block that differs
is printed; 77: R8 or Java is missing.
"""
import argparse
import collections
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

from java_mappings import Maker

VERSION = '# {"id":"com.android.tools.r8.mapping","version":"2.2"}'


def run(command):
    return subprocess.run(command, capture_output=True, check=False)


def text_of(blocks):
    """Puts before each stack a line that no tool changes, so that the output can be divided into blocks again."""
    mapping = [VERSION]
    stacks = []
    for number, (lines, stack) in enumerate(blocks):
        mapping += lines
        stacks += (
            [f"=== {number} ==="] + stack + ["e.n.D: x y"]
        )  # the exception line resets the state, so that no block depends on earlier ones
    return "\n".join(mapping) + "\n", "\n".join(stacks) + "\n"


class Pair:
    def __init__(self, framemap, r8, folder):
        java = shutil.which("java") or "java"
        self.commands = ([java, "-Xss64m", "-cp", r8, "com.android.tools.r8.retrace.Retrace"], [framemap, "retrace"])
        self.mapping, self.stack = folder / "mapping.txt", folder / "stack.txt"

    def ask(self, blocks, verbose):
        mapping, stack = text_of(blocks)
        self.mapping.write_text(mapping, encoding="utf-8")
        self.stack.write_text(stack, encoding="utf-8")
        options = ["--quiet"] + (["--verbose"] if verbose else [])
        return [run(command + options + [str(self.mapping), str(self.stack)]) for command in self.commands]


def cut(output):
    return output.decode("utf-8", "replace").split("=== ")


def differing(results):
    """Returns the numbers of the blocks that differ; [0] if one of the programs rejects them."""
    if results[0].returncode or results[1].returncode:
        return [0]
    ours, theirs = cut(results[1].stdout), cut(results[0].stdout)
    if len(ours) != len(theirs):
        return [0]
    return [number - 1 for number, parts in enumerate(zip(theirs, ours)) if parts[0] != parts[1]]


def shrink(lines, differs):
    """Removes lines one by one, as long as the outputs still differ without them."""
    at = 0
    while at < len(lines):
        fewer = lines[:at] + lines[at + 1:]
        if differs(fewer):
            lines = fewer
        else:
            at += 1
    return lines


def show(pair, block, verbose):
    lines, stack = block

    def differs(lines, stack):
        results = pair.ask([(lines, stack)], verbose)
        return differing(results) and [result.returncode for result in results] == codes

    codes = [result.returncode for result in pair.ask([block], verbose)]
    lines = shrink(lines, lambda fewer: differs(fewer, stack))
    stack = shrink(stack, lambda fewer: differs(lines, fewer))
    results = pair.ask([(lines, stack)], verbose)
    print("--- mapping", *lines, "--- stack", *stack, sep="\n")
    for name, result in zip(("R8", "framemap"), results):
        print(f"--- {name}, exit {result.returncode}")
        print(result.stdout.decode("utf-8", "replace"), result.stderr.decode("utf-8", "replace")[:400], sep="")


def compare(pair, blocks, verbose, counts):
    """Returns whether all outputs are equal. Some blocks make R8 fail for the whole file: these blocks are found and
    left out."""
    results = pair.ask(blocks, verbose)
    if results[0].returncode and len(blocks) > 1:
        half = len(blocks) // 2
        return compare(pair, blocks[:half], verbose, counts) and compare(pair, blocks[half:], verbose, counts)
    if results[0].returncode:
        counts["left out"] += 1
        return True
    found = differing(results)
    if found:
        print(f"{len(found)} of {len(blocks)} blocks differ{' with --verbose' if verbose else ''}; one of them:")
        show(pair, blocks[found[0]], verbose)
        return False
    counts["equal"] += len(blocks)
    counts["lines"] += sum(len(stack) for _, stack in blocks)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--framemap", required=True)
    parser.add_argument("--r8", default=os.environ.get("FRAMEMAP_R8", ""))
    parser.add_argument("--blocks", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not options.r8 or not shutil.which("java"):
        print("skipped: no R8 (FRAMEMAP_R8 or --r8 names its classes) or no Java")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        counts = collections.Counter()
        pair = Pair(options.framemap, options.r8, pathlib.Path(folder))
        for number in range(options.seed, options.seed + options.rounds):
            maker = Maker(random.Random(number))
            blocks = [(maker.mapping(f"k{i}."), maker.stack(f"k{i}.")) for i in range(options.blocks)]
            if not all(compare(pair, blocks, verbose, counts) for verbose in (False, True)):
                print(f"seed {number}")
                return 1
    print(
        f"equal, plain and verbose: {counts['equal']} mappings of two classes, {counts['lines']} lines; left out, as "
        f"R8 ends with an error of "
        f"its own: {counts['left out']}"
    )
    if counts["left out"] * 10 > counts["equal"]:
        print("too many were left out")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
