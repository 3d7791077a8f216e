#!/usr/bin/env python3
"""compare_maps.py [--framemap F] [--count N] [--largest N] FOLDER: compiles each source map below FOLDER, strictly and
leniently, and has `info` describe it. For the largest maps, and for as many others, looks up random positions and
compares the answers with those of @jridgewell/trace-mapping, which must be installed in the working folder or above
it."""

import argparse
import collections
import json
import os
import posixpath
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def run(*command, text=None):
    done = subprocess.run(
        command,
        input=text,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        check=False,
        encoding="utf-8",
        errors="replace",
    )
    return done.returncode, done.stdout, done.stderr


def find(folder):
    for where, _, names in os.walk(folder):
        yield from (os.path.join(where, name) for name in sorted(names) if name.endswith(".map"))


def compile_all(framemap, maps, out):
    """Compiles the maps. Returns how many compile strictly, how many only leniently, and how many not at all, and the
    messages."""
    counts, said = collections.Counter(), collections.Counter()
    for path in maps:
        code, _, errors = run(framemap, "index", "--strict", "-o", out, path)
        kind = "strict"
        if code:
            said[errors.strip().split(": ", 2)[-1][:100]] += 1
            code, _, errors = run(framemap, "index", "--lenient", "-q", "-o", out, path)
            kind = "refused" if code else "lenient"
            if code not in (0, 1, 2):
                print(f"  CRASH {code}: {path}")
        if not code and run(framemap, "info", out)[0]:
            print(f"  info fails: {path}")
            kind = "no info"
        counts[kind] += 1
    return counts, said


def same_file(own, other):
    if own is None or other is None:
        return own == other
    plain = [posixpath.normpath(one.replace(":///", ":/").replace("://", ":/")) for one in (own, other)]
    return plain[0] == plain[1]


def compare(framemap, path, count, seed):
    """Compares random positions of a map. Returns the number of positions, and those that differ."""
    code, text, errors = run("node", os.path.join(HERE, "positions.mjs"), str(count), str(seed), path)
    if code:
        print(f"  trace-mapping refuses {path}: {errors.strip().splitlines()[-1][:100] if errors.strip() else code}")
        return 0, []
    asked = [json.loads(line) for line in text.splitlines()]
    _, got, errors = run(
        framemap, "lookup", "--no-cache", "-o", "json", path, text="".join(one["at"] + "\n" for one in asked)
    )
    answers = [json.loads(line) for line in got.splitlines()]
    if len(answers) != len(asked):
        return len(asked), [(path, "answers", len(answers), errors[:200])]
    different = []
    for one, answer in zip(asked, answers):
        frame = (answer.get("source") or [{}])[0]
        own = (frame.get("line"), (frame.get("column") or 0) - 1 if frame else None, frame.get("name"))
        other = (one.get("line"), one.get("column"), one.get("name"))
        if not same_file(frame.get("file"), one.get("file")) or own != other:
            different.append((path, one, frame))
    return len(asked), different


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--framemap", default="build/release/cli/framemap")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--largest", type=int, default=200)
    parser.add_argument("--show", type=int, default=10)
    parser.add_argument("folder")
    options = parser.parse_args()
    maps = list(find(options.folder))
    with tempfile.TemporaryDirectory() as folder:
        counts, said = compile_all(options.framemap, maps, os.path.join(folder, "map.fmx"))
    print(f"{len(maps)} maps: " + ", ".join(f"{count} {kind}" for kind, count in counts.items()))
    for what, count in said.most_common(12):
        print(f"  {count:6} {what}")
    maps.sort(key=os.path.getsize, reverse=True)
    rest = maps[options.largest :]
    chosen = maps[: options.largest] + random.Random(1).sample(rest, min(options.largest, len(rest)))
    places, different = 0, []
    for number, path in enumerate(chosen):
        asked, other = compare(options.framemap, path, options.count, number + 1)
        places += asked
        different += other
    twice = sum(isinstance(one[1], dict) and one[1]["twice"] for one in different)
    print(
        f"{len(chosen)} maps, {sum(map(os.path.getsize, chosen)) >> 20} MiB, {places} places: {len(different)} differ "
        f"from trace-mapping, {twice} of them where segments begin at one column"
    )
    for one in different[: options.show]:
        print("  ", *one)
    return 1 if len(different) > twice else 0


if __name__ == "__main__":
    sys.exit(main())
