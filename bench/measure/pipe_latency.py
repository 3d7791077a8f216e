#!/usr/bin/env python3
"""bench/measure/pipe_latency.py FRAMEMAP [LINES_PER_SECOND [SECONDS]]: measures how long a line takes through a busy
pipe.

Writes log lines of several processes at a steady rate, with a short stack of one of them now and then, and prints the
wall-clock milliseconds from the write of each line to its arrival: median, 99th percentile and the longest. framemap
keeps a stack open until its process writes another line, which happens here after 200 lines of other processes; these
lines wait as well, since framemap keeps the order of lines."""

import os
import select
import subprocess
import sys
import time


def line_of(number):
    at = number % 200
    if at == 100:
        return "11-21 10:00:00.000   300   300 E AndroidRuntime: FATAL EXCEPTION: main %d\n" % number
    if 100 < at < 106:
        return "11-21 10:00:00.000   300   300 E AndroidRuntime: \tat a.b.c%d(SourceFile:%d)\n" % (number, at)
    return "11-21 10:00:00.000   %d   900 I App     : work %d\n" % (400 + number % 5, number)


def class_of(number):
    at = number % 200
    return "outside" if at < 100 else "stack" if at < 106 else "below a stack"


def report(name, values):
    values = sorted(values)
    if not values:
        return
    median, most, longest = (1000 * values[min(len(values) - 1, int(len(values) * part))] for part in (0.5, 0.99, 1))
    print(f"{name:16} {len(values):7} lines, ms: median {median:.2f}, 99 % {most:.2f}, longest {longest:.2f}")


def main():
    given = [float(word) for word in sys.argv[2:]]
    rate, seconds = given[0] if given else 2000.0, given[1] if len(given) > 1 else 10.0
    process = subprocess.Popen(
        [sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
    )
    written, taken, rest, begin = [], [], b"", time.monotonic()
    while len(taken) < rate * seconds and process.poll() is None:
        due = begin + len(written) / rate
        wait = max(0.0, due - time.monotonic()) if len(written) < rate * seconds else 2.0
        if select.select([process.stdout], [], [], wait)[0]:
            pieces = (rest + os.read(process.stdout.fileno(), 65536)).split(b"\n")
            rest, now = pieces.pop(), time.monotonic()
            taken += [now - written[len(taken) + i] for i in range(len(pieces))]
        elif len(written) < rate * seconds:
            process.stdin.write(line_of(len(written)).encode())
            written.append(time.monotonic())
        else:
            break
    process.stdin.close()
    process.wait()
    for name in ("outside", "stack", "below a stack"):
        report(name, [value for i, value in enumerate(taken) if class_of(i) == name])


main()
