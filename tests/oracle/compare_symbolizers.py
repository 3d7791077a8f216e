#!/usr/bin/env python3
"""Compares framemap's answers with llvm-symbolizer's and eu-addr2line's.

    compare_symbolizers.py --framemap BUILD/framemap [--random N] [--boundaries N] [--eu N] [--seed S] FILE...

Looks up three addresses for each row of FILE's line tables (its start, the byte before it, its middle), the start of
each symbol, and N random addresses of its code; compares function, file, line, column and the whole inline chain. Every
difference is assigned to a class of known_differences.md; a difference that fits no class fails the run. Exit 0: equal
except for differences in classes; 1: other differences; 77: a tool is missing.
"""
import argparse
import collections
import json
import random
import re
import shutil
import subprocess
import sys

LLVM_NAMES = ("llvm-{}-19", "llvm-{}")


def find_llvm(tool):
    for pattern in LLVM_NAMES:
        path = shutil.which(pattern.format(tool))
        if path:
            return path
    print(f"skipped: llvm-{tool} is not installed")
    sys.exit(77)


def run(command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True, errors="replace", check=False)
    return done.stdout


# --- choosing the addresses that are looked up ---

def code_sections(path):
    """Yields (low, high) of every executable section, as llvm-objdump lists them."""
    for line in run([find_llvm("objdump"), "-h", path]).splitlines():
        match = re.match(r"\s*\d+\s+(\S*)\s+([0-9a-f]+)\s+([0-9a-f]+)\s+(?:.*\b)?TEXT\b", line)
        if match and int(match[2], 16) > 0:
            yield int(match[3], 16), int(match[3], 16) + int(match[2], 16)


def row_addresses(path):
    """Returns the start of every row of every line table."""
    found = set()
    process = subprocess.Popen(
        [find_llvm("dwarfdump"), "--debug-line", path], stdout=subprocess.PIPE, text=True, errors="replace"
    )
    for line in process.stdout:
        if line.startswith("0x"):
            found.add(int(line[:18], 16))
    process.wait()
    return found


def symbol_addresses(path):
    for line in run([find_llvm("nm"), "--defined-only", path]).splitlines():
        match = re.match(r"([0-9a-f]+) [tTwWiV] ", line)
        if match:
            yield int(match[1], 16)


def choose_addresses(path, limit, count, seed):
    generator = random.Random(seed)
    sections = list(code_sections(path))
    rows = sorted(address for address in row_addresses(path) if any(low <= address <= high for low, high in sections))
    wanted = set(rows)
    for address, following in zip(rows, rows[1:] + rows[-1:]):
        wanted.add((address + following) // 2)
        if address > 0:
            wanted.add(address - 1)
    wanted.update(symbol_addresses(path))
    wanted = sorted(wanted)
    if limit and len(wanted) > limit:
        wanted = sorted(generator.sample(wanted, limit))
    total = sum(high - low for low, high in sections)
    for _ in range(count if total else 0):
        at = generator.randrange(total)
        for low, high in sections:
            if at < high - low:
                wanted.append(low + at)
                break
            at -= high - low
    return wanted


# --- answers ---

Frame = collections.namedtuple("Frame", "function file line column")


def llvm_style(command, path, addresses):
    """Returns the answers of llvm-symbolizer, or of a program that behaves like it: address to list of frames,
    innermost first."""
    command = command + [f"--obj={path}", "--output-style=JSON", "--no-demangle", "--inlines"]
    answers = {}
    for line in run(command, "".join(f"0x{address:x}\n" for address in addresses)).splitlines():
        answer = json.loads(line)
        frames = [Frame(s.get("FunctionName", ""), s.get("FileName", ""), s.get("Line", 0), s.get("Column", 0))
                  for s in answer.get("Symbol", [])]
        answers[int(answer["Address"], 16)] = frames
    return answers


def eu_addr2line(path, addresses):
    """Returns for each address the answer of eu-addr2line: (function of the innermost frame, file, line, column), and
    the files and lines of the frames around it."""
    answers = {}
    frames = None
    text = run(["eu-addr2line", "-a", "-i", "-f", "-e", path], "".join(f"0x{address:x}\n" for address in addresses))
    lines = iter(text.splitlines())
    for line in lines:
        if re.fullmatch(r"0x[0-9a-f]{8,16}", line):
            frames = answers.setdefault(int(line, 16), [])
            continue
        function = line.split(" inlined at ")[0]
        place = re.match(r"(.*?):(\d+)(?::(\d+))?(?: .*)?$", next(lines, "??:0"))
        if not place or place[1] == "??":
            frames.append(Frame("" if function == "??" else function, "", 0, 0))
        else:
            frames.append(Frame("" if function == "??" else function, place[1], int(place[2]), int(place[3] or 0)))
    return answers


# --- classifying differences (known_differences.md says for each class which tool is right) ---

def basename(path):
    return path.rsplit("/", 1)[-1]


def classify(ours, theirs):
    """Returns the class of a difference from llvm-symbolizer, or None."""
    if len(ours) == len(theirs) and ours[:-1] == theirs[:-1] and ours and theirs:
        mine, other = ours[-1], theirs[-1]
        if mine.function == other.function and mine.file == "" and mine.line == 0 and other.line == 0 and other.file:
            return "file-symbol"
        if mine == ("", "", 0, 0) and other.function and other.line == 0:
            return "symbol-past-section"
    return None


def has_split_units(path):
    return any(
        name in run([find_llvm("dwarfdump"), "--debug-info", "--recurse-depth=0", path])
        for name in ("DW_AT_dwo_name", "DW_AT_GNU_dwo_name")
    )


def classify_eu(ours, theirs):
    """Returns the class of a difference from eu-addr2line, or None."""
    if [f[1:3] for f in ours] == [f[1:3] for f in theirs]:
        if [f.column for f in ours] == [f.column for f in theirs]:
            return "eu-symbol-name"
        return "eu-column-of-call"
    if [(basename(f.file), f.line) for f in ours] == [(basename(f.file), f.line) for f in theirs]:
        return "eu-folder-twice"
    if theirs and theirs[0].line == 0 and ours and ours[0].line == 0:
        return "eu-line-zero"
    if all(f.line == 0 for f in theirs):
        return "eu-finds-no-unit"
    if len(theirs) == 1 and theirs[0].function == "" and ours == [Frame("", "", 0, 0)]:
        return "eu-past-sequence"
    if ours and theirs and (basename(ours[0].file), ours[0].line) == (basename(theirs[0].file), theirs[0].line):
        if any(f.line == 0 for f in ours[1:]):
            return "eu-call-without-line"
        if len(ours) == 1 and len(theirs) > 1 and ours[0].function == theirs[0].function:
            return "eu-nested-function"
        return "eu-other-sibling"
    return None


def compare(ours, theirs, classify_one, report, name):
    counts = collections.Counter()
    shown = 0
    for address in sorted(theirs):
        mine = ours.get(address, [])
        if mine == theirs[address]:
            counts["equal"] += 1
            continue
        kind = classify_one(mine, theirs[address])
        counts[kind or "UNNAMED"] += 1
        if kind is None and shown < report:
            shown += 1
            print(
                f"  {name} 0x{address:x}\n    framemap {[tuple(f) for f in mine]}\n"
                f"    other    {[tuple(f) for f in theirs[address]]}"
            )
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--framemap", required=True, help="the framemap program (its llvm-symbolizer front is asked)")
    parser.add_argument("--random", type=int, default=1000)
    parser.add_argument("--boundaries", type=int, default=0, help="at most so many row boundaries; 0: all")
    parser.add_argument("--eu", type=int, default=0, help="ask eu-addr2line about so many of them (about 200 a second)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=int, default=5, help="unnamed differences to print for each file")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    symbolizer = find_llvm("symbolizer")
    failed = False
    for path in options.files:
        addresses = choose_addresses(path, options.boundaries, options.random, options.seed)
        ours = llvm_style([options.framemap, "llvm-symbolizer"], path, addresses)
        split = has_split_units(path)
        counts = compare(
            ours,
            llvm_style([symbolizer], path, addresses),
            lambda mine, other, split=split: classify(mine, other) or ("split-unit" if split else None),
            options.report,
            "llvm-symbolizer",
        )
        print(f"{path}: llvm-symbolizer {sum(counts.values())} addresses: {dict(counts)}", flush=True)
        failed |= counts["UNNAMED"] > 0 or not counts
        if options.eu and shutil.which("eu-addr2line"):
            distinct = sorted(set(addresses))
            sample = random.Random(options.seed).sample(distinct, min(options.eu, len(distinct)))
            counts = compare(ours, eu_addr2line(path, sample), classify_eu, options.report, "eu-addr2line")
            print(f"{path}: eu-addr2line {sum(counts.values())} addresses: {dict(counts)}", flush=True)
            failed |= counts["UNNAMED"] > 0
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
