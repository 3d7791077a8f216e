"""Measures how time and memory grow with the input, in a full run of scripts/bench: the same kind of input in 1, 4 and
16 times the size."""

import json
import os
import re

from peers import cost, median, say, spread

TIMES = (1, 4, 16)


def classes_with_lines(source, most):
    """Returns whole classes of a mapping, up to about this many bytes. Only lines with line numbers are kept."""
    kept, one, numbered, size = [], [], False, 0
    with open(source, encoding="utf-8") as file:
        for line in file:
            if line[0] not in " #":
                if numbered:
                    kept += one
                    size += sum(map(len, one))
                if size >= most:
                    return kept
                one, numbered = [], False
            numbered = numbered or re.match(r" +\d+:\d+:", line) is not None
            one.append(line)
    return kept + (one if numbered else [])


def write_mapping(source, times, path, most):
    """Writes at most about `most` bytes of a mapping, `times` times, each time with other class names. The file begins
    with an id, as R8's mappings do."""
    lines = classes_with_lines(source, most)
    with open(path, "w", encoding="utf-8") as out:
        out.write(f"# compiler: R8\n# pg_map_id: {times:07x}\n")
        for time in range(times):
            for line in lines:
                if line[0] not in " #":
                    original, _, renamed = line.partition(" -> ")
                    line = f"p{time}.{original} -> p{time}.{renamed}"
                out.write(line)


def write_map(source, times, path):
    """Writes an index map whose sections have the same source map `times` times, each time with other sources."""
    with open(source, encoding="utf-8") as file:
        one = json.load(file)
    one.pop("sourcesContent", None)
    lines = one["mappings"].count(";") + 1
    sections = [
        {
            "offset": {"line": time * lines, "column": 0},
            "map": dict(one, sources=[f"{time}/{name}" for name in one["sources"]]),
        }
        for time in range(times)
    ]
    with open(path, "w", encoding="utf-8") as out:
        json.dump({"version": 3, "sections": sections}, out, separators=(",", ":"))


def kinds(inputs, run):
    """Returns the inputs of each kind: kind -> files of 1, 4 and 16 times the size."""
    units = inputs.units()
    rows = {"C units (DWARF)": units} if len(units) == len(TIMES) else {}
    mapping, maps = inputs.mapping(), inputs.maps()
    if mapping:
        rows["mapping.txt"] = [os.path.join(run.work, f"mapping{time}.txt") for time in TIMES]
        for time, path in zip(TIMES, rows["mapping.txt"]):
            write_mapping(mapping, time, path, 6_000_000)
    if maps:
        rows["source map"] = [os.path.join(run.work, f"script{time}.js.map") for time in TIMES]
        for time, path in zip(TIMES, rows["source map"]):
            write_map(maps[0], time, path)
    return rows


def bench(inputs, run):
    print(
        "\n### Growth\n\n`framemap index` with one thread: seconds of the processor, least / median / most of the rounds; x: of the input once. Peak memory has the mapped file in it.\n"
    )
    print(
        "| input | bytes | seconds | x | peak memory | x | index | x |\n| --- | --- | --- | --- | --- | --- | --- | --- |"
    )
    framemap, out = os.path.join(run.build, "cli", "framemap"), os.path.join(run.work, "growth.fmx")
    growth = []
    for kind, paths in kinds(inputs, run).items():
        say(f"growth of {kind}")
        costs, sizes = [[] for _ in paths], [0 for _ in paths]
        for _ in range(run.rounds):
            for number, path in enumerate(paths):
                found = cost([framemap, "index", "-q", "--lenient", "-j", "1", path, "-o", out])
                if found:
                    costs[number].append(found)
                    sizes[number] = os.path.getsize(out)
        if not all(costs):
            print(f"| {kind} | failed | - | - | - | - | - | - |")
            continue
        medians = [median([one.cpu for one in found]) for found in costs]
        peaks = [max(one.peak for one in found) for found in costs]
        for number, path in enumerate(paths):
            times = spread([one.cpu for one in costs[number]], 3)
            print(
                f"| {kind} | {os.path.getsize(path):,} | {times} | {medians[number] / max(medians[0], 1e-9):.2f} | {peaks[number] / 1024:.0f} MB | "
                f"{peaks[number] / peaks[0]:.2f} | {sizes[number]:,} | {sizes[number] / max(sizes[0], 1):.2f} |",
                flush=True,
            )
        scale = os.path.getsize(paths[-1]) / os.path.getsize(paths[0])
        growth.append(medians[-1] / max(medians[0], 1e-9) / scale)
    run.find("growth", growth)
