#!/usr/bin/env python3
"""make.py FRAMEMAP FILE [--old] > FILE.sym: writes the symbols of a program as dump_syms does, from what framemap reads
of its debug info. Columns are left out, since the format has none. --old: the form of INLINE and INLINE_ORIGIN that
dump_syms wrote in 2020 and 2021."""

import json
import os
import subprocess
import sys


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode()


def describe(framemap, path):
    lines = (line.split(None, 1) for line in run(framemap, "info", path).splitlines()[1:])
    return {line[0]: line[1] for line in lines if len(line) == 2}


def positions(framemap, path):
    """Yields start, end and frames, innermost first, of each position of the image."""
    for line in run(framemap, "dump", "--no-cache", "-o", "jsonl", path).splitlines():
        row = json.loads(line)
        if row.get("scope") == "" and row.get("answers"):
            yield int(row["start"], 16), int(row["end"], 16), row["answers"][0]


def functions(rows):
    """Joins the adjacent positions of one function."""
    joined = []
    for start, end, frames in rows:
        name = frames[-1].get("function", "")
        if joined and joined[-1][0] == name and joined[-1][1][-1][1] == start:
            joined[-1][1].append((start, end, frames))
        else:
            joined.append((name, [(start, end, frames)]))
    return joined


class Numbers:
    """Numbers names in the order in which they are first used."""

    def __init__(self):
        self.names = {}

    def of(self, name):
        return self.names.setdefault(name, len(self.names))


def inlines(rows, files, origins):
    """Returns the ranges of each inlined call: a dictionary from the calls around it, outermost first, to ranges. Each
    call is a tuple of function, file and line. A call comes after the calls around it."""
    calls = {}
    for start, end, frames in rows:
        chain = ()
        for outer, inner in zip(reversed(frames), reversed(frames[:-1])):
            file = files.of(outer["file"]) if "file" in outer else -1
            chain += ((origins.of(inner.get("function", "")), file, outer.get("line", 0)),)
            ranges = calls.setdefault(chain, [])
            if ranges and ranges[-1][1] == start:
                ranges[-1][1] = end
            else:
                ranges.append([start, end])
    return calls


def in_order(calls):
    """Sorts calls so that each directly follows the calls around it."""
    first = {chain: ranges[0][0] for chain, ranges in calls.items()}
    return sorted(calls, key=lambda chain: [(first[chain[: i + 1]], call) for i, call in enumerate(chain)])


def body(rows, old, files, origins):
    lines = []
    for name, parts in functions(rows):
        start, end = parts[0][0], parts[-1][1]
        lines.append(f"FUNC {start:x} {end - start:x} 0 {name}")
        calls = inlines(parts, files, origins)
        for chain in in_order(calls):
            origin, file, line = chain[-1]
            ranges = " ".join(f"{low:x} {high - low:x}" for low, high in calls[chain])
            place = f"{line}" if old else f"{line} {file}"
            lines.append(f"INLINE {len(chain) - 1} {place} {origin} {ranges}")
        for low, high, frames in parts:
            if "file" in frames[0]:
                lines.append(f"{low:x} {high - low:x} {frames[0].get('line', 0)} {files.of(frames[0]['file'])}")
    return lines


def module(about, path):
    arch = {"i386": "x86"}.get(about["arch"], about["arch"])
    name = os.path.basename(path)
    if about["kind"] == "macho":
        return [f"MODULE mac {arch} {about['id'].upper()}0 {name}"]
    debug_id = about["debug_id"].replace("-", "").upper()
    return [f"MODULE Linux {arch} {debug_id}0 {name}", f"INFO CODE_ID {about['id'].upper()}"]


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--old"]
    old = "--old" in sys.argv
    framemap, path = arguments
    about = describe(framemap, path)
    files, origins = Numbers(), Numbers()
    lines = body(positions(framemap, path), old, files, origins)
    head = module(about, path) + [f"FILE {number} {name}" for name, number in files.names.items()]
    head += [f"INLINE_ORIGIN {number} {'0 ' if old else ''}{name}" for name, number in origins.names.items()]
    sys.stdout.write("\n".join(head + lines) + "\n")


main()
