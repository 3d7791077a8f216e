#!/usr/bin/env python3
"""crash_dumps.py --framemap F [--emulator "qemu-aarch64 -L /usr/aarch64-linux-gnu"] [--count N] FOLDER: restores what
Dart's VM prints when a signal ends a program, and compares the result with what the VM itself knows. FOLDER is
dart-sass as npm's sass-embedded packages contain it (src/dart, src/sass.snapshot). The program is given work and, after
a while, its working thread gets SIGSEGV. The VM (3.11 and later) then lists program counters, and lists them a second
time with the names and distances that it knows. Each restored frame of both lists must have the frames that the debug
info has for the call, in a function that begins where the VM says. Exit 1 if one does not."""

import argparse
import collections
import ctypes
import json
import os
import re
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True

from dart_image import Image

WORK = "@function f($n) { @if $n < 2 { @return $n; } @return f($n - 1) + f($n - 2); } a { b: f(32); }"
TGKILL = {"x86_64": 234, "aarch64": 131}[os.uname().machine]
NAMED = re.compile(r"(?m)^  pc 0x([0-9a-f]+) fp 0x[0-9a-f]+ sp 0x[0-9a-f]+ \[(\w+)\] (.*)\+0x([0-9a-f]+)$")


def busiest_thread(process):
    """Returns the thread of a process that has used the most CPU time."""
    times = {}
    for thread in os.listdir(f"/proc/{process}/task"):
        with open(f"/proc/{process}/task/{thread}/stat", encoding="utf-8") as file:
            words = file.read().rsplit(")", 1)[1].split()
        times[int(thread)] = int(words[11]) + int(words[12])
    return max(times, key=times.get)


def crash(command, after):
    """Runs the program, ends it with the signal after this many seconds, and returns its output."""
    child = subprocess.Popen(
        [*command, "--stdin"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    child.stdin.write(WORK.encode())
    child.stdin.close()
    child.stdin = None
    time.sleep(after)
    ctypes.CDLL(None).syscall(TGKILL, child.pid, busiest_thread(child.pid), signal.SIGSEGV)
    try:
        return child.communicate(timeout=30)[0].decode(errors="replace")
    except subprocess.TimeoutExpired:
        child.kill()
        return child.communicate()[0].decode(errors="replace")



def check(image, framemap, snapshot, dump, counts, faults):
    """Compares the rows of both lists with the VM's own description of each program counter."""
    command = [framemap, "restore", "--no-cache", "-f", "dart-crash", "-o", "json", "-s", snapshot, "-"]
    out = subprocess.run(command, input=dump.encode(), capture_output=True, check=False).stdout.decode()
    start = re.search(r"isolate_instructions=([0-9a-f]+)", dump)
    begins = {
        int(pc, 16): int(pc, 16) - int(offset, 16) for pc, kind, _, offset in NAMED.findall(dump) if kind != "Stub"
    }
    for line in out.splitlines():
        for number, frame in enumerate(json.loads(line).get("frames", [])):
            pc = int(re.match(r"\s*pc 0x([0-9a-f]+)", frame["raw"])[1], 16)
            if pc not in begins:
                continue
            call = pc - int(start[1], 16) + image.text - (number > 0)
            got = [
                (
                    row.get("function", ""),
                    row.get("file", ""),
                    row.get("line", 0),
                    row.get("column", 0),
                    row.get("artificial", False),
                )
                for row in frame["source"]
                if row
            ]
            counts["frames"] += 1
            if got != image.chain(call):
                faults.append(f"{frame['raw']}: got {got}, want {image.chain(call)}")
            if begins[pc] == pc:
                counts["after a call that never returns, where the VM names the next function"] += 1
            elif begins[pc] - int(start[1], 16) + image.text != image.function_at(call).low:
                faults.append(f"{pc:#x}: in another function than the VM says")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--framemap", required=True)
    parser.add_argument("--emulator", default="")
    parser.add_argument("--count", type=int, default=3)
    parser.add_argument("--after", type=float, default=1.5, help="seconds")
    parser.add_argument("folder", metavar="FOLDER")
    given = parser.parse_args()
    snapshot = os.path.join(given.folder, "src", "sass.snapshot")
    command = [*given.emulator.split(), os.path.join(given.folder, "src", "dart"), snapshot]
    image, counts, faults = Image(snapshot), collections.Counter(), []
    for number in range(given.count):
        dump = crash(command, given.after + number * 0.07)
        counts["dumps" if NAMED.search(dump) else "dumps without a frame of Dart's"] += 1
        check(image, given.framemap, snapshot, dump, counts, faults)
    print(
        f"{given.folder}: "
        + ", ".join(f"{what}: {count}" for what, count in counts.items())
        + f"; {len(faults)} faults"
    )
    for fault in faults[:10]:
        print(f"    {fault}")
    return 1 if faults or not counts["frames"] else 0


if __name__ == "__main__":
    sys.exit(main())
