#!/usr/bin/env python3
"""Checks that the output of restore does not depend on how its input is cut, nor on pauses that are shorter than its
deadlines.

    cut_logs.py FRAMEMAP [--seed N] [--rounds N] [--symbols PATH] [-v] FILE|FOLDER...

Each file is restored whole, as text and as JSON, and then through a pipe in pieces of random sizes, as many as --rounds
says. The next piece is written when framemap has read the previous one, so that each piece is a read of its own. Every
third round has pauses of up to 20 ms. Differences are printed with the seed that shows them again; the exit code is 1
if there are any.

framemap holds back less of a pipe than of a file (256 KiB of a stack or document, not megabytes). So if the result for
a larger file through a pipe differs from the result for the whole file, it is compared with the result of a pipe in
pieces of 64 KiB, and is counted separately.

On a busy machine a piece may take so long that a deadline passes (75 ms without a line of the stack's process, while
others write), and then the output may differ. A difference is therefore tried again with the same cuts and
pauses; one that does not occur again is counted separately as late. A difference that is due to the cuts occurs again
each time."""

import argparse
import fcntl
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import termios
import time

HELD = 256 << 10  # number of bytes of a pipe that framemap holds back
# Limits for a file and a round. A large file is cut into larger pieces: with too many pieces, a deadline would pass.
PIECES_MOST = 500
PAUSE_MOST = 0.02
PAUSES = 8
TRIES = 6  # number of runs in which a difference has to occur before it counts as one


def command(args):
    return [args.framemap, "restore"] + (["-s", args.symbols] if args.symbols else [])


def whole(args, output, path):
    return subprocess.run(
        command(args) + ["-o", output, path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
    ).stdout


def unread(pipe):
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)


def write_pieces(pipe, text, sizes, pauses):
    at = 0
    for number, size in enumerate(sizes):
        os.write(pipe, text[at : at + size])
        at += size
        while unread(pipe):
            time.sleep(0)
        if number in pauses:
            time.sleep(pauses[number])


def cut(args, output, text, sizes, pauses):
    with tempfile.TemporaryFile() as out:
        with subprocess.Popen(
            command(args) + ["-o", output], stdin=subprocess.PIPE, stdout=out, stderr=subprocess.DEVNULL
        ) as process:
            write_pieces(process.stdin.fileno(), text, sizes, pauses)
            process.stdin.close()
        out.seek(0)
        return out.read()


def sizes_of(text, rng):
    """Cuts a text into pieces of 1 byte up to a size that is drawn at random for the file."""
    most = max(rng.choice([1, 7, 64, 1000, 4096, 60000]), 2 * len(text) // PIECES_MOST)
    sizes, left = [], len(text)
    while left:
        sizes.append(min(left, rng.randint(1, most), 65536))
        left -= sizes[-1]
    return sizes


def pauses_of(sizes, rng):
    return {rng.randrange(len(sizes)): rng.uniform(0, PAUSE_MOST) for _ in range(PAUSES)} if sizes else {}


def compare(args, output, path, text, seed, paused):
    """Restores the text in pieces and compares the output. Returns "equal", "late", "held" (it differs because less of
    a pipe is held back) or "differs"."""
    rng = random.Random("%d %s" % (seed, path))
    sizes = sizes_of(text, rng)
    pauses = pauses_of(sizes, rng) if paused else {}
    want = whole(args, output, path)
    for number in range(TRIES):
        got = cut(args, output, text, sizes, pauses)
        if got == want:
            return "late" if number else "equal"
    if len(text) > HELD and got == cut(
        args, output, text, [min(65536, len(text) - at) for at in range(0, len(text), 65536)], {}
    ):
        return "held"
    return "differs"


def files_of(paths):
    for path in paths:
        yield from (
            sorted(str(one) for one in pathlib.Path(path).rglob("*") if one.is_file())
            if os.path.isdir(path)
            else [path]
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("framemap")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--symbols")
    parser.add_argument("-v", action="store_true")
    args = parser.parse_args()
    counts, size = {"equal": 0, "late": 0, "held": 0, "differs": 0}, 0
    for number, path in enumerate(files_of(args.files)):
        text = pathlib.Path(path).read_bytes()
        for seed in range(args.seed, args.seed + args.rounds):
            for output in ("text", "json"):
                paused = (number + seed) % 3 == 0
                result = compare(args, output, path, text, seed, paused)
                counts[result] += 1
                if args.v or result == "differs":
                    print(
                        "%s: %s, -o %s, --seed %d%s" % (path, result, output, seed, ", with pauses" if paused else ""),
                        flush=True,
                    )
        size += len(text)
    print("%d bytes: %d equal, %d late, %d held back less, %d differ" % (size, *counts.values()))
    return 1 if counts["differs"] or not size else 0


if __name__ == "__main__":
    sys.exit(main())
