#!/usr/bin/env python3
"""giant_maps.py FRAMEMAP [WORD]: writes source maps, some of more than a gigabyte, to a folder and gives each to
`framemap index`, first without a limit on memory, then with a ceiling of 256 MB. Prints the time and the memory that
each takes. Each map must be accepted, or refused with a message, within SECONDS_EACH for each gigabyte and within the
memory that its row allows. Needs some 3 GB of disk and up to 4 GB of memory. WORD: only maps with this word in their
names are tried.
"""

import gzip
import os
import resource
import subprocess
import sys
import tempfile
import time

MB = 1 << 20
GB = 1 << 30
SECONDS_EACH = 60
HEAD = b'{"version":3,"sources":["a.js","b.js"],"names":["f","g"],'


def repeated(piece, size):
    """Yields copies of a piece, about a megabyte at a time, up to `size` bytes in total."""
    block = piece * (MB // len(piece) + 1)
    for _ in range(size // len(block)):
        yield block
    yield piece * (size % len(block) // len(piece))


def around(head, piece, size, tail):
    yield head
    yield from repeated(piece, size)
    yield tail


def numbered(head, form, count, tail):
    yield head
    for begin in range(0, count, 10000):
        yield b",".join(form % i for i in range(begin, min(count, begin + 10000))) + (
            b"," if begin + 10000 < count else b""
        )
    yield tail


SECTION = b'{"offset":{"line":%d,"column":0},"map":{"version":3,"sources":["a"],"names":[],"mappings":"AAAA"}}'
NESTED = 10 ** 6

# Rows: the name; the pieces of the file; whether the map is accepted; and the memory allowed, as a multiple of the
# file's size and a number of MB.
CASES = (
    (
        "1 GB of mappings",
        lambda: around(HEAD + b'"mappings":"', b"AACA;CAAC,IAEE,kBAAA,OADDA;", GB, b'"}'),
        True,
        2.4,
        64,
    ),
    (
        "1 GB of mappings in one line",
        lambda: around(HEAD + b'"mappings":"AAAA', b",CACA,IADI", GB, b'"}'),
        True,
        2.2,
        64,
    ),
    (
        "1 GB of contents",
        lambda: around(HEAD + b'"mappings":"AAAA","sourcesContent":["', b"line of \\\"text\\\"\\n", GB, b'"]}'),
        True,
        1.1,
        64,
    ),
    (
        "100 million segments",
        lambda: around(HEAD + b'"mappings":"AAAA', b",CACA" * 40 + b";AADA", 508 * MB, b'"}'),
        True,
        1.6,
        64,
    ),
    ("a billion lines", lambda: around(HEAD + b'"mappings":"', b";", GB, b'A"}'), True, 1.1, 64),
    ("a million sections", lambda: numbered(b'{"version":3,"sections":[', SECTION, 10**6, b"]}"), True, 3, 64),
    ("columns of 2^31", lambda: around(HEAD + b'"mappings":"', b"8////DAAA,C;", 96 * MB, b'"}'), True, 2.6, 64),
    ("names after the end", lambda: around(HEAD + b'"mappings":"AAAAE', b",CAAAA", 256 * MB, b'"}'), False, 2, 64),
    ("100 MB of a number", lambda: around(HEAD + b'"mappings":"', b"g", 100 * MB, b'"}'), False, 1.1, 64),
    ("10 million arrays in arrays", lambda: around(HEAD + b'"mappings":"","x":', b"[", 10**7, b""), False, 1.1, 64),
    (
        "10 million sources",
        lambda: around(b'{"version":3,"mappings":"","sources":[""', b',""', 3 * 10**7, b"]}"),
        True,
        12,
        64,
    ),
    (
        "a line of falling columns",
        lambda: around(HEAD + b'"mappings":"+/////D', b",D", 200 * MB, b'"}'),
        False,
        1.1,
        1536,
    ),
    (
        "a million ranges in ranges",
        lambda: [HEAD + b'"mappings":"AAAA","scopes":"BFBAA,CBA', b",ECBA,IAAA" * NESTED, b",FB" * NESTED, b'"}'],
        True,
        16,
        64,
    ),
    (
        "a gigabyte in gzip",
        lambda: (gzip.compress(b"".join(around(HEAD + b'"mappings":"A"', b" ", GB, b"}")), 9),),
        True,
        1100,
        64,
    ),
)


def write(path, pieces):
    with open(path, "wb") as file:
        for piece in pieces:
            file.write(piece)
    return os.path.getsize(path)


def run(command):
    """Returns (exit code, output, CPU seconds, peak bytes)."""
    begin = time.time()
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (12 * GB, 12 * GB)),
    )
    said = process.stderr.read().decode("utf-8", "replace").strip()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, said, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, time.time() - begin


def faults(case, size, code, said, seconds, peak):
    _, _, taken, times, base = case
    if code not in (0, 1):
        yield "ended with %d" % code
    if (code == 0) != taken:
        yield "taken" if code == 0 else "refused"
    if code == 1 and not said:
        yield "refused without a word"
    if seconds > SECONDS_EACH * (1 + size / GB) * (1 if times < 1000 else 2):
        yield "%.0f seconds" % seconds
    if peak > times * size + base * MB:
        yield "%d MB of memory" % (peak // MB)


def main():
    framemap, bad = sys.argv[1], 0
    word = sys.argv[2] if len(sys.argv) > 2 else ""
    for case in (case for case in CASES if word in case[0]):
        with tempfile.TemporaryDirectory(prefix="framemap-giant-") as folder:
            path, index = os.path.join(folder, "m.js.map"), os.path.join(folder, "m.fmx")
            size = write(path, case[1]())
            code, said, seconds, peak, wall = run([framemap, "index", path, "-o", index])
            wrong = list(faults(case, size, code, said, seconds, peak))
            made = os.path.getsize(index) if code == 0 and os.path.exists(index) else 0
            print(
                "%-30s %7.1f MB %6.2f s (%6.2f) %6.2f s/GB, memory %7.1f MB = %5.2f times, index %7.1f MB %s"
                % (
                    case[0],
                    size / MB,
                    seconds,
                    wall,
                    seconds / size * GB,
                    peak / MB,
                    peak / size,
                    made / MB,
                    said.replace(path, "m")[-150:].split("\n")[-1],
                )
            )
            code, said, seconds, peak, wall = run([framemap, "index", "--max-memory=256M", path, "-o", index])
            if code not in (0, 1) or (code == 1 and not said) or peak > 256 * MB + 64 * MB + size:
                wrong.append("with a ceiling: %d, %s, %d MB" % (code, said[-100:], peak // MB))
            print(
                "%-30s under 256 MB: %6.2f s, memory %7.1f MB, %s"
                % ("", seconds, peak / MB, "taken" if code == 0 else said.replace(path, "m")[-110:].split("\n")[-1])
            )
            for what in wrong:
                print("  WRONG: " + what)
            bad += len(wrong)
            sys.stdout.flush()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
