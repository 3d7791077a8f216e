#!/usr/bin/env python3
"""compare_dwarf.py FRAMEMAP MAKE FILE...: writes the symbols of each program for Breakpad with MAKE (make.py of
corpus/native/breakpad), and looks up the start and the last byte of each of its positions in both. The frames have to
be the same, apart from columns. Then it checks that the sample beside MAKE is what MAKE writes."""

import json
import os
import re
import subprocess
import sys
import tempfile


def run(*command, text=None):
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, input=text)
    return done.stdout


def addresses(symbols):
    """Returns the addresses at which records of the text start, and those before these."""
    found = set()
    for line in symbols.decode().splitlines():
        row = re.match(r"([0-9a-f]+) ([0-9a-f]+) \d+ \d+$", line) or re.match(r"FUNC ([0-9a-f]+) ([0-9a-f]+) ", line)
        if row:
            start, size = int(row.group(1), 16), int(row.group(2), 16)
            found |= {start, start + size - 1, start + size}
    return sorted(found)


def answers(framemap, path, wanted):
    text = "".join(f"+{address:#x}\n" for address in wanted).encode()
    for line in run(framemap, "lookup", "--no-cache", "-o", "json", path, text=text).splitlines():
        yield [
            (frame.get("function"), frame.get("file"), frame.get("line"), frame.get("inlined", False))
            for frame in json.loads(line).get("source", [])
        ]


def compare(framemap, make, path, folder):
    symbols = run(sys.executable, make, framemap, path)
    target = os.path.join(folder, os.path.basename(path) + ".sym")
    with open(target, "wb") as file:
        file.write(symbols)
    wanted = addresses(symbols)
    pairs = zip(wanted, answers(framemap, path, wanted), answers(framemap, target, wanted))
    wrong = [f"{path} +{address:#x}: {dwarf} is {breakpad}" for address, dwarf, breakpad in pairs if dwarf != breakpad]
    print(f"{os.path.basename(path)}: {len(wanted)} addresses, {len(wrong)} differences")
    return wrong


def main():
    framemap, make, paths = sys.argv[1], sys.argv[2], sys.argv[3:]
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            wrong += compare(framemap, make, path, folder)
    here = os.path.dirname(make)
    program = os.path.join(here, "../../demo/symbols/libdemo.so")
    for name, options in (("libdemo.so.sym", ()), ("libdemo.old.sym", ("--old",))):
        with open(os.path.join(here, name), "rb") as file:
            if file.read() != run(sys.executable, make, framemap, program, *options):
                wrong.append(f"{name} is not what {make} writes")
    print("\n".join(wrong[:20]))
    sys.exit(1 if wrong else 0)


main()
