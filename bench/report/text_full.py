"""Measures how fast stack lines are recognised, in a full run of scripts/bench: MB/s for logs with many, some and few
stacks."""

import os
import re
import subprocess
import sys

from peers import say

HERE = os.path.dirname(os.path.abspath(__file__))
SHARES = (100, 30, 1)  # percentages of the lines that belong to stacks, one for each log
MIXED = 30
WHAT = {"read": "stacks found", "restore": "found, and printed again", "frames": "frames in it",
        "read.frame": "stacks found, for each frame"}


def make_log(share, run):
    maker, path = os.path.join(HERE, "..", "inputs", "make_log.py"), os.path.join(run.work, f"log{share}")
    with open(path, "wb") as out:
        made = subprocess.run(
            [sys.executable, maker, "--share", str(share), "--megabytes", "8" if run.quick else "32"],
            stdout=out,
            check=False,
        )
    return path if made.returncode == 0 else None


def bench(_inputs, run):
    program = os.path.join(run.build, "bench", "bench_text")
    print("\n### Stack lines in logs")
    if not os.path.exists(program):
        print("\nNot measured: bench_text is not built.")
        return
    print("\n| share of stack lines | what | found |\n| --- | --- | --- |")
    for share in SHARES:
        say(f"a log with {share} % of stacks")
        path = make_log(share, run)
        output = subprocess.run([program, path], capture_output=True, text=True, check=False).stdout if path else ""
        for line in output.splitlines():
            found = re.fullmatch(r"(.*?)[\t ]+([0-9.]+)[\t ]+(\S+)", line)
            if not found:
                continue
            what = found[1].partition(".")[2]
            print(f"| {share} % | {WHAT.get(what, what)} | {found[2]} {found[3]} |", flush=True)
            scale = {"MB/s": 1e-3, "GB/s": 1}.get(found[3])
            measure = {"read": "text, one thread", "read.threads": "text"}.get(what)
            if share == MIXED and scale and measure:
                run.find(measure, [float(found[2]) * scale])
