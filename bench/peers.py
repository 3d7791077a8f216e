"""What scripts/bench measures with: commands in turns, and tables of their costs."""

import os
import shutil
import subprocess
import tempfile
import time


def find(*names):
    return next((path for path in map(shutil.which, names) if path), None)


def measure(command, text=b""):
    """Wall seconds and peak memory in KiB of a command, its output thrown away; None when it fails."""
    with tempfile.TemporaryFile() as given:
        given.write(text)
        given.seek(0)
        start = time.perf_counter()
        child = subprocess.Popen(command, stdin=given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
    return None if child.returncode else (seconds, usage.ru_maxrss)


class Table:
    """Costs of several tools, one row each, and their ratio to the first row's in the same round."""

    def __init__(self, title, unit, scale):
        self.title, self.unit, self.scale = title, unit, scale
        self.costs, self.memory, self.absent = {}, {}, []

    def add(self, tool, seconds, memory):
        self.costs.setdefault(tool, []).append(seconds)
        self.memory[tool] = max(memory, self.memory.get(tool, 0))

    def spread(self, values, digits):
        values = sorted(values)
        return " / ".join(f"{value:.{digits}f}" for value in (values[0], values[len(values) // 2], values[-1]))

    def print(self):
        print(f"\n{self.title}\n\n| tool | {self.unit}, min / median / max | x | peak memory |\n| --- | --- | --- | --- |")
        base = next(iter(self.costs.values()), [])
        for tool, costs in self.costs.items():
            ratios = [cost / own for cost, own in zip(costs, base) if own > 0]
            times = self.spread([cost * self.scale for cost in costs], 2)
            print(f"| {tool} | {times} | {self.spread(ratios, 2) if ratios else '-'} | {self.memory[tool] / 1024:.0f} MB |")
        for tool in self.absent:
            print(f"| {tool} | not here | - | - |")


def alternate(table, commands, rounds):
    """Runs every command in each round; commands: tool -> a call that measures and gives (seconds, memory), or None."""
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
    table.print()
