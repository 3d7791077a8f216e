#!/usr/bin/env python3
"""Chooses seeds from the inputs that a search found: choose_seeds.py CONTROL SEEDS FOUND

CONTROL is the control file of libFuzzer's -merge=1, which says which input reaches which features. SEEDS
(corpus/fuzz/NAME) has the seeds that stay. The chosen inputs are copied to FOUND (corpus/found/NAME), and replace those
of an earlier choice. Each time, the input that adds most edges for its bytes is chosen (greedy set cover), until 95 %
of all edges are reached or FOUND has BYTES_MOST. Then inputs whose edges the others reach are dropped, the biggest
first. Prints the number of seeds, edges and bytes."""

import collections
import hashlib
import os
import sys

WANTED = 0.95
BYTES_MOST = 480 * 1024  # most bytes of FOUND; check_harnesses refuses more than 500 KB
FILES_MOST = 1500
FILE_COSTS = 64  # bytes that a file costs besides its content: its name, and its entries in a folder and in a tree of
                 # git
COUNTERS = 8  # number of features of one edge, which say how often the edge was passed, in powers of two


def read_control(path):
    """Returns the inputs with their sizes and edges."""
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        lines = file.read().split("\n")
    names = lines[2 : 2 + int(lines[0])]
    edges = {}
    for line in lines[2 + len(names) :]:
        words = line.split()
        if words and words[0] == "FT":
            edges[int(words[1])] = {int(feature) // COUNTERS for feature in words[2:]}
    return [
        (name, os.path.getsize(name), edges.get(number, set()))
        for number, name in enumerate(names)
        if os.path.exists(name)
    ]


def without_needless(chosen, kept):
    """Drops chosen inputs whose edges the others reach as well. An input that was chosen late may have all edges of an
    input that was chosen early."""
    times = collections.Counter(edge for row in kept + chosen for edge in row[2])
    for row in sorted(chosen, key=lambda row: (-row[1], row[0])):
        if all(times[edge] > 1 for edge in row[2]):
            chosen = [other for other in chosen if other is not row]
            times.subtract(row[2])
    return chosen


def choose(inputs, seeds):
    """Returns the inputs to copy, the number of edges that they reach together with the seeds that stay, the number of
    all edges, and the number of bytes to copy."""
    kept = [row for row in inputs if os.path.dirname(os.path.realpath(row[0])) == os.path.realpath(seeds)]
    others = [row for row in inputs if row not in kept]
    every = set().union(*(row[2] for row in inputs)) if inputs else set()
    reached = set().union(*(row[2] for row in kept)) if kept else set()
    size = 0
    chosen = []
    while len(reached) < WANTED * len(every) and len(chosen) < FILES_MOST:
        others = [row for row in others if row[2] - reached and size + row[1] <= BYTES_MOST]
        if not others:
            break
        best = max(others, key=lambda row: (len(row[2] - reached) / (row[1] + FILE_COSTS), row[0]))
        chosen.append(best)
        reached |= best[2]
        size += best[1]
    fewer = without_needless(chosen, kept)
    size -= sum(row[1] for row in chosen) - sum(row[1] for row in fewer)
    return [row[0] for row in fewer], len(reached), len(every), size


def put(chosen, folder):
    contents = []
    for path in chosen:
        with open(path, "rb") as file:
            contents.append(file.read())
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))
    for content in contents:
        with open(os.path.join(folder, hashlib.sha256(content).hexdigest()[:12]), "wb") as file:
            file.write(content)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    control, seeds, found = sys.argv[1:]
    chosen, reached, every, size = choose(read_control(control), seeds)
    put(chosen, found)
    share = 100 * reached / every if every else 100
    name = os.path.basename(os.path.abspath(seeds))
    print(f"{name}: {len(chosen)} seeds chosen; {reached} of {every} edges ({share:.1f} %) with {size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
