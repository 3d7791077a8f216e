#!/usr/bin/env python3
"""redis_rate.py FOLDER [SYMBOLS]: measures how many traces a second are restored with symbols in Redis, and with the
same symbols in files.

FOLDER is a build with bench_redis. SYMBOLS is an ELF file with a build id and functions; by default FOLDER's
libframemap.so. A trace has 20 frames at random functions of SYMBOLS. The restoring process runs on the first processor
that it may use, the server on the last one. Files and Redis are measured in three rounds each; each ratio compares
times of one round, so that other load of the machine affects both alike. --threads N checks that N threads get the same
answers.
"""

import os
import random
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "real")]
sys.dont_write_bytecode = True

import redis_servers

FRAMES, TRACES, ROUNDS, MEASURED = 20, 500, 3, 20000


def functions(path):
    """Returns the addresses and sizes of the functions in a symbol file, and its build id."""
    rows = subprocess.run(["nm", "-S", "--defined-only", path], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"^([0-9a-f]+) ([0-9a-f]+) [tT] ", rows, re.M)
    notes = subprocess.run(["readelf", "-n", path], capture_output=True, text=True, check=True).stdout
    return [(int(at, 16), int(size, 16)) for at, size in found], re.search(r"Build ID: (\w+)", notes).group(1)


def write_workload(path, symbols):
    rows, build_id = functions(symbols)
    choose = random.Random(20)
    name = os.path.basename(symbols)
    with open(path, "w", encoding="ascii") as out:
        for number in range(TRACES):
            text = "pid: %d, tid: 2, name: w  >>> app <<<\nbacktrace:\n" % (number + 1)
            for frame in range(FRAMES):
                at, size = choose.choice(rows)
                text += "      #%02d pc %016x  /data/lib/%s (BuildId: %s)\n" % (
                    frame,
                    at + choose.randrange(max(size, 1)),
                    name,
                    build_id,
                )
            out.write("== %d\n%s" % (len(text), text))


def run(program, options, how, workload, symbols):
    first = min(os.sched_getaffinity(0))
    words = ["taskset", "-c", str(first), program, *options, how, workload, symbols]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode or done.stderr:
        sys.exit("%s: %s" % (" ".join(words), done.stderr))
    rows = dict(line.split("\t")[:2] for line in done.stdout.splitlines())
    return float(rows["traces a second"]), float(rows["cpu of a trace"]), rows["answers"]


def main():
    redis_servers.skip_without_redis()
    words = sys.argv[1:]
    threads = words.pop(words.index("--threads") + 1) if "--threads" in words else "1"
    words = [word for word in words if word != "--threads"]
    folder, symbols = words[0], (
        words[1] if len(words) > 1 else os.path.realpath(os.path.join(words[0], "libframemap.so"))
    )
    program = os.path.join(folder, "bench", "bench_redis")
    common = ["-n", str(MEASURED), "-j", threads]
    rates = {"files": [], "warm": [], "cold": []}
    with tempfile.TemporaryDirectory() as work, redis_servers.Server(work) as server:
        os.sched_setaffinity(server.process.pid, {max(os.sched_getaffinity(0))})
        workload = os.path.join(work, "workload")
        write_workload(workload, symbols)
        for _ in range(ROUNDS):
            answers = set()
            for way, options, how in (
                ("files", [], "files"),
                ("warm", [], server.url()),
                ("cold", ["-b", "1"], server.url()),
            ):
                rate, cpu, answer = run(program, common + options, how, workload, symbols)
                rates[way].append((rate, cpu))
                answers.add(answer)
            if len(answers) != 1:
                sys.exit("the answers differ: %s" % answers)
    print("| symbols | traces/s (%d frames) | us of CPU for a trace | rate, ratio to files |" % FRAMES)
    print("| --- | --- | --- | --- |")
    for way, rows in rates.items():
        ratio = statistics.median(row[0] / base[0] for row, base in zip(rows, rates["files"]))
        print(
            "| %s | %.0f | %.1f | %.2f |"
            % (way, statistics.median(r for r, _ in rows), statistics.median(c for _, c in rows), ratio)
        )


if __name__ == "__main__":
    main()
