#!/usr/bin/env python3
"""Compares framemap with llvm-symbolizer at each code address of object files for every machine that clang supports.

Their debug info is only right if every relocation was applied correctly, so this mainly tests relocations.

    compare_relocations.py FRAMEMAP      exit 1 where they differ without a reason, 77 where clang or LLVM's tools of
                                         version 19 or later are not installed
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = """\
static inline __attribute__((always_inline)) int in1(int x) { return x * 3 + 1; }
static inline __attribute__((always_inline)) int in2(int x) { if (x > 3) return in1(x) - 2; return in1(x + 7); }
int g;
int a(int x) {
    g += in2(x);
    return g * x;
}
int b(int x) {
    for (int i = 0; i < x; i++)
        g ^= a(i) + in2(i);
    return g;
}
"""

TARGETS = """x86_64-linux-gnu i386-linux-gnu
aarch64-linux-gnu aarch64_be-linux-gnu armv7-linux-gnueabihf armebv7-linux-gnueabihf thumbv7-linux-gnueabihf
powerpc64-linux-gnu powerpc64le-linux-gnu powerpc-linux-gnu
mips-linux-gnu mipsel-linux-gnu mips64-linux-gnuabi64 mips64el-linux-gnuabi64
riscv64-linux-gnu riscv32-linux-gnu s390x-linux-gnu loongarch64-linux-gnu sparcv9-linux-gnu sparc-linux-gnu
bpfel bpfeb hexagon msp430
arm64-apple-macos11 x86_64-apple-macos11 armv7-apple-ios9 i386-apple-macos10.6""".split()

# Targets for which llvm-symbolizer 19 gives wrong names, which are not compared. powerpc64: it reads function
# descriptors (.opd) of object files before they are relocated, so that every function's code is at 0. riscv: it takes
# the assembler's labels for PC-relative pairs (.Lpcrel_hi0) for functions; the psABI says that .L names are local to
# the assembler.
WRONG_NAMES = ("powerpc64-", "riscv32", "riscv64")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


LEAST = 19  # least version of LLVM: older versions take labels in debug info for functions


def tool(name):
    """Returns the newest installed program with this name; the name may have a version at its end."""
    for found in [f"{name}-{version}" for version in range(30, LEAST - 1, -1)] + [name]:
        if shutil.which(found):
            version = re.search(r"version (\d+)", output(found, "--version"))
            return found if version and int(version.group(1)) >= LEAST else None
    return None


def llvm_answers(symbolizer, path, addresses):
    text = output(
        symbolizer, "--obj=" + path, "--output-style=LLVM", "--inlines", "--no-demangle", *map(hex, addresses)
    )
    for block in text.strip().split("\n\n"):
        lines = block.split("\n")
        yield [(lines[i], *lines[i + 1].rsplit(":", 2)) for i in range(0, len(lines), 2)]


def our_answers(framemap, path, section, addresses):
    text = output(framemap, "lookup", path, "-o", "json", *(f"{section}:{address:#x}" for address in addresses))
    for line in text.splitlines():
        frames = json.loads(line).get("source", [])
        yield [
            (
                frame.get("function", "??"),
                frame.get("file", "??"),
                str(frame.get("line", 0)),
                str(frame.get("column", 0)),
            )
            for frame in frames
        ]


def same(target, wanted, got):
    if wanted == got or wanted[0][1] == "??":  # in the padding after a function, it suffices that the name is equal
        return True
    if target.startswith(WRONG_NAMES):
        return [frame[1:] for frame in wanted] == [frame[1:] for frame in got] and [f[0] for f in wanted[:-1]] == [
            f[0] for f in got[:-1]
        ]
    return False


def compare(tools, framemap, target, version, folder):
    """Compares one target. Returns the number of addresses, or None if this clang does not support the target."""
    path = os.path.join(folder, "a.o")
    command = [
        tools["clang"], "-target", target, "-O2", f"-gdwarf-{version}", "-ffreestanding", "-fno-inline-functions", "-c",
        "a.c", "-o", path,
    ]
    if subprocess.run(command, cwd=folder, capture_output=True).returncode != 0:
        return None
    section = "__text" if "apple" in target else ".text"
    sizes = [line.split() for line in output(tools["llvm-size"], "-A", path).splitlines()]
    size = next(int(row[1]) for row in sizes if row and row[0] == section)
    addresses = range(0, size, 2)
    wanted, got = list(llvm_answers(tools["llvm-symbolizer"], path, addresses)), list(
        our_answers(framemap, path, section, addresses)
    )
    assert len(wanted) == len(got) == len(addresses)
    for address, theirs, ours in zip(addresses, wanted, got):
        if not same(target, theirs, ours):
            sys.exit(f"{target}, DWARF {version}, {section}+{address:#x}:\n  framemap {ours}\n  llvm     {theirs}")
    return len(addresses)


def main():
    framemap = os.path.abspath(sys.argv[1])
    tools = {name: tool(name) for name in ("clang", "llvm-symbolizer", "llvm-size")}
    if None in tools.values():
        print(
            "skipped: clang and llvm of version 19 or later are not installed (Debian, Ubuntu: apt install clang-19 "
            "llvm-19)"
        )
        return 77
    done, missing = 0, []
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "a.c"), "w") as file:
            file.write(SOURCE)
        for target in TARGETS:
            for version in (4, 5):
                count = compare(tools, framemap, target, version, folder)
                done += count or 0
                if count is None and target not in missing:
                    missing.append(target)
    print(
        f"{done} addresses of {len(TARGETS) - len(missing)} targets are the same"
        + (f"; this clang does not know {', '.join(missing)}" if missing else "")
    )
    return 0 if done else 77


if __name__ == "__main__":
    sys.exit(main())
