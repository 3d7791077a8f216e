#!/usr/bin/env python3
"""Chooses seeds out of what a search found: choose_seeds.py CONTROL FOLDER

CONTROL is the control file of libFuzzer's -merge=1: which input reaches which features. FOLDER (corpus/fuzz/NAME) has
the seeds so far. Those that an earlier choice put there (found-*) are chosen anew, all others stay. Inputs are copied
there, each time the one that adds most edges for its bytes (the greedy way to cover a set), until 95 % of all edges are
reached or FOLDER has BYTES_MOST; then those go whose edges the others reach, the biggest first. Prints how much that
is.
"""

import collections
import hashlib
import os
import sys

WANTED = 0.95
BYTES_MOST = 196 * 1024  # check_harnesses refuses more than 200 KB
FILES_MOST = 800
FILE_COSTS = 64  # bytes: of its name, and of its entries in a folder and in a tree of git
FOUND = "found-"  # how the names of chosen seeds begin
COUNTERS = 8  # features of one edge: how often it was passed, in powers of two


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


def is_found(name):
    return os.path.basename(name).startswith(FOUND)


def without_needless(chosen, kept):
    """Drops chosen inputs whose edges the others reach as well: an input that is chosen late may have all edges of an
    earlier one."""
    times = collections.Counter(edge for row in kept + chosen for edge in row[2])
    for row in sorted(chosen, key=lambda row: (-row[1], row[0])):
        if all(times[edge] > 1 for edge in row[2]):
            chosen = [other for other in chosen if other is not row]
            times.subtract(row[2])
    return chosen


def choose(inputs, folder):
    """Returns the inputs to copy, the number of edges that they reach together with the inputs that stay, the number of
    all edges, and the number of bytes of all these inputs."""
    kept = [
        row
        for row in inputs
        if os.path.dirname(os.path.realpath(row[0])) == os.path.realpath(folder) and not is_found(row[0])
    ]
    others = [row for row in inputs if row not in kept]
    every = set().union(*(row[2] for row in inputs)) if inputs else set()
    reached = set().union(*(row[2] for row in kept)) if kept else set()
    staying = [name for name in os.listdir(folder) if not is_found(name)]
    size = sum(os.path.getsize(os.path.join(folder, name)) for name in staying)
    chosen = []
    while len(reached) < WANTED * len(every) and len(staying) + len(chosen) < FILES_MOST:
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
    for name in os.listdir(folder):
        if is_found(name):
            os.remove(os.path.join(folder, name))
    for content in contents:
        with open(os.path.join(folder, FOUND + hashlib.sha256(content).hexdigest()[:12]), "wb") as file:
            file.write(content)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    control, folder = sys.argv[1:]
    chosen, reached, every, size = choose(read_control(control), folder)
    put(chosen, folder)
    share = 100 * reached / every if every else 100
    name = os.path.basename(os.path.abspath(folder))
    print(f"{name}: {len(chosen)} seeds chosen; {reached} of {every} edges ({share:.1f} %) with {size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
