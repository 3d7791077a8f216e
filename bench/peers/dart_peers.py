"""Compares framemap with llvm-symbolizer and llvm-gsymutil on one Dart program. Called by scripts/bench."""

import os
import subprocess

from peers import Table, alternate, find, measure

TEXTS = (b"_kDartSnapshotText", b"_kDartIsolateSnapshotInstructions")


def is_program(path):
    with open(path, "rb") as file:
        head = file.read(4)
        return head in (b"\x7fELF", b"\xcf\xfa\xed\xfe") and any(text in head + file.read() for text in TEXTS)


class Program:
    def __init__(self, path, given, work):
        self.path, self.index, self.gsym = path, os.path.join(work, "app.fmx"), os.path.join(work, "app.gsym")
        self.framemap, self.own = os.path.join(given.build, "cli", "framemap"), os.path.join(
            given.build, "bench", "bench_dart"
        )
        self.rows = given.addresses
        self.gsymutil, self.symbolizer = find("llvm-gsymutil-19", "llvm-gsymutil"), find(
            "llvm-symbolizer-19", "llvm-symbolizer"
        )
        self.trace, self.addresses = self.workload("-w", "-n", str(self.rows)), self.workload("-l", str(self.rows))
        self.trace_of_one, self.address = self.workload("-w", "-n", "1"), self.addresses.split(b"\n")[0] + b"\n"

    def workload(self, *words):
        """Returns the trace, or the addresses, that the benchmark program makes from the Dart program."""
        return subprocess.run([self.own, *words, self.path], capture_output=True, check=True).stdout

    def answerers(self):
        """Returns the tools that are installed: tool -> (command, input with one line, input with many lines)."""
        rows = {
            "framemap symbolize, index": (
                [self.framemap, "symbolize", "-d", self.index],
                self.trace_of_one,
                self.trace,
            ),
            "framemap symbolize, symbols file": (
                [self.framemap, "symbolize", "-d", self.path],
                self.trace_of_one,
                self.trace,
            ),
        }
        if self.symbolizer:
            rows["llvm-symbolizer --functions=short"] = (
                [self.symbolizer, f"--obj={self.path}", "--functions=short", "--inlining"],
                self.address,
                self.addresses,
            )
        if self.gsymutil:
            rows["llvm-gsymutil, GSYM"] = (
                [self.gsymutil, "--addresses-from-stdin"],
                *(
                    b"".join(b"%s %s\n" % (row, self.gsym.encode()) for row in rows.split())
                    for rows in (self.address, self.addresses)
                ),
            )
        return rows

    def further(self, command, one, many):
        """Measures the seconds that each line after the first one takes."""
        first, all_of_them = measure(command, one), measure(command, many)
        return (
            None
            if first is None or all_of_them is None
            else (max(all_of_them[0] - first[0], 1e-9) / (self.rows - 1), all_of_them[1])
        )


def bench(program, rounds):
    print(f"\n#### {os.path.basename(program.path)}")
    builders = {"framemap index": lambda: measure([program.framemap, "index", program.path, "-o", program.index])}
    if program.gsymutil:
        builders["llvm-gsymutil, 1 thread"] = lambda: measure(
            [program.gsymutil, "--convert", program.path, "--num-threads=1", "--quiet", "-o", program.gsym]
        )
    alternate(Table("Building an index", "ms", 1e3), builders, rounds)
    rows = program.answerers()
    alternate(
        Table("One row of a fresh process", "ms", 1e3),
        {tool: lambda row=row: measure(row[0], row[1]) for tool, row in rows.items()},
        rounds,
    )
    alternate(
        Table(f"Each further row of a trace ({program.rows})", "µs", 1e6),
        {tool: lambda row=row: program.further(*row) for tool, row in rows.items()},
        rounds,
    )
    print("\nThe library's own calls (bench_dart), least, median, most of the rounds:\n\n```", flush=True)
    subprocess.run([program.own, "-r", str(rounds), program.path], check=True)
    print("```")
