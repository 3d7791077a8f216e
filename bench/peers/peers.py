"""Runs commands alternately, measures their costs, and prints tables. Used by scripts/bench."""

import collections
import os
import shutil
import subprocess
import sys
import tempfile
import time

Cost = collections.namedtuple("Cost", "wall cpu peak")  # wall-clock seconds, CPU seconds, peak memory in KiB


class Settings:
    """Settings of all measurements; set by the script scripts/bench."""

    # Path of bench_cost, a small program that starts the measured commands. It must be small, because a process has at
    # least the peak memory of the process that started it.
    launcher = None
    before = []  # words that precede each command that is measured, such as "chrt -r 50"
    # True: no progress messages are printed.
    quiet = False


def find(*names):
    return next((path for path in map(shutil.which, names) if path), None)


def say(text):
    if not Settings.quiet:
        print(text, file=sys.stderr, flush=True)


def launched(command, text, output):
    with tempfile.NamedTemporaryFile("r") as result, tempfile.TemporaryFile() as given:
        given.write(text)
        given.seek(0)
        subprocess.run(
            [*Settings.before, Settings.launcher, result.name, *command],
            stdin=given,
            stdout=output,
            stderr=subprocess.DEVNULL,
            check=True,
        )
        wall, cpu, peak, status = result.read().split()
    return None if int(status) else Cost(float(wall), float(cpu), int(peak))


def waited_for(command, text, output):
    with tempfile.TemporaryFile() as given:
        given.write(text)
        given.seek(0)
        start = time.perf_counter()
        child = subprocess.Popen([*Settings.before, *command], stdin=given, stdout=output, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
    return None if child.returncode else Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)


def cost(command, text=b"", output=subprocess.DEVNULL):
    """Returns the cost of a command with the given standard input, and discards the output. None if the command
    fails."""
    try:
        return (launched if Settings.launcher else waited_for)(command, text, output)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


def measure(command, text=b""):
    """Returns wall-clock seconds and peak memory in KiB of a command; its output is discarded. None if it fails."""
    found = cost(command, text)
    return found and (found.wall, found.peak)


def measured_rows(command, timeout=1800):
    """Returns the output of a benchmark program, which has lines of words separated by TAB, as {first word: the numbers
    after it}; {} if the program fails."""
    try:
        made = subprocess.run(
            [*Settings.before, *command], capture_output=True, text=True, timeout=timeout, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return {}
    if made.returncode:
        say(f"  {os.path.basename(command[0])} failed: {made.stderr.strip()[-300:]}")
        return {}
    rows = {}
    for line in made.stdout.splitlines():
        name, *words = line.split("\t")
        numbers = [
            float(word)
            for word in words
            if word.replace(".", "").replace("e+", "").replace("e-", "").replace("-", "").isdigit()
        ]
        unit = next((word for word in words[::-1] if not word.replace(".", "").isdigit()), "")
        rows[(name, unit) if (name, "") in rows or name in rows else name] = numbers
    return rows


def median(values):
    return sorted(values)[len(values) // 2]


def spread(values, digits=2):
    values = sorted(values)
    return " / ".join(f"{value:,.{digits}f}" for value in (values[0], values[len(values) // 2], values[-1]))


class Table:
    """A table of the costs of several tools, with one row for each tool. A row has the ratio to the first row in the
    same round."""

    def __init__(self, title, unit, scale):
        self.title, self.unit, self.scale = title, unit, scale
        self.costs, self.memory, self.absent = {}, {}, []

    def add(self, tool, seconds, memory):
        self.costs.setdefault(tool, []).append(seconds)
        self.memory[tool] = max(memory, self.memory.get(tool, 0))

    def ratios(self, tool, base):
        """Returns for each round the cost of a tool, divided by the cost of the table's first tool."""
        return [one / own for one, own in zip(self.costs.get(tool, []), self.costs.get(base, [])) if own > 0]

    def print(self):
        print(
            f"\n{self.title}\n\n| tool | {self.unit}, min / median / max | x | peak memory |\n| --- | --- | --- | --- |"
        )
        first = next(iter(self.costs), None)
        for tool, costs in self.costs.items():
            ratios = self.ratios(tool, first)
            times = spread([one * self.scale for one in costs])
            peak = f"{self.memory[tool] / 1024:.0f} MB" if self.memory[tool] else "-"
            print(f"| {tool} | {times} | {spread(ratios) if ratios else '-'} | {peak} |")
        for tool in self.absent:
            print(f"| {tool} | not here | - | - |")
        sys.stdout.flush()


def alternate(table, commands, rounds):
    """Runs every command once in each round. commands: tool -> a function that measures and returns (seconds, memory),
    or None."""
    broken = set()
    for _ in range(rounds):
        for tool, call in commands.items():
            result = None if tool in broken else call()
            if result is None:
                broken.add(tool)
            else:
                table.add(tool, *result)
    for tool in broken:
        print(f"({tool} failed on this file and is left out)")
        table.costs.pop(tool, None)
    table.print()
    return table
