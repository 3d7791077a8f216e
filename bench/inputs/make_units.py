#!/usr/bin/env python3
"""bench/inputs/make_units.py FOLDER UNITS... [--dsym | --dart]: makes a C library FOLDER/unitsN.so with debug
information for each given number N of units. Its size is proportional to N.

Each unit has types, functions that inline others three deep, and calls between them, all under names of its own; units
differ, but are of one size. With --dsym it makes the files of arm64 dSYMs, unitsN.dsym, instead (clang, ld64.lld and
dsymutil of LLVM), with --dart ELF files that have the text symbol of Dart's snapshots, unitsN.dart. Otherwise CC
chooses the compiler. JOBS is the number of compilers that run at the same time."""

import concurrent.futures
import os
import random
import shutil
import subprocess
import sys
import tempfile

FUNCTIONS = 160


def types(unit, dice):
    for number in range(24):
        members = "".join(
            f" {dice.choice(('int', 'long', 'char', 'unsigned short'))} field_{index};"
            for index in range(dice.randint(3, 9))
        )
        yield f"struct unit{unit}_record{number} {{{members} struct unit{unit}_record{number} *next; }};"


def leaf(unit, number, dice):
    a, b = dice.randint(3, 99), dice.randint(3, 99)
    return f"""static inline __attribute__((always_inline)) int unit{unit}_leaf{number}(struct unit{unit}_record{number} *record, int by)
{{
    int sum = by * {a};
    if (record->field_0 > by)
        sum += (int)record->field_1 ^ {b};
    return sum - (int)record->field_2;
}}"""


def middle(unit, number):
    return f"""static inline __attribute__((always_inline)) int unit{unit}_middle{number}(struct unit{unit}_record{number} *record, int count)
{{
    int total = 0;
    for (; record && count; record = record->next, count--)
        total += unit{unit}_leaf{number}(record, total + count);
    return total;
}}"""


def function(unit, number, dice):
    one, two = dice.randrange(24), dice.randrange(24)
    call = f"unit{unit}_work{number - 1}(0, 0, total)" if number else "total"
    return f"""__attribute__((noinline)) int unit{unit}_work{number}(struct unit{unit}_record{one} *one, struct unit{unit}_record{two} *two, int count)
{{
    int total = unit{unit}_middle{one}(one, count);
    if (total % {dice.randint(3, 17)} == 1) {{
        total -= unit{unit}_middle{two}(two, total);
        shared ^= total;
    }}
    for (int i = 0; i < count; i += {dice.randint(1, 5)})
        total += two ? unit{unit}_leaf{two}(two, i) : i;
    return {call} + shared;
}}"""


def source(unit):
    dice = random.Random(unit)
    parts = ["extern volatile int shared;", *types(unit, dice)]
    parts += [leaf(unit, number, dice) for number in range(24)] + [middle(unit, number) for number in range(24)]
    parts += [function(unit, number, dice) for number in range(FUNCTIONS)]
    return "\n\n".join(parts) + "\n"


DART = '.text\n.p2align 6\n.globl _kDartSnapshotText\n.type _kDartSnapshotText, %object\n_kDartSnapshotText:\n.space 64\n.section .note.GNU-stack,"",@progbits\n'


def compile_units(count, work, command):
    def one(unit):
        with open(os.path.join(work, f"unit{unit}.c"), "w", encoding="ascii") as out:
            out.write(source(unit))
        subprocess.run([*command, "-c", f"unit{unit}.c", "-o", f"unit{unit}.o"], cwd=work, check=True)

    with open(os.path.join(work, "shared.c"), "w", encoding="ascii") as out:
        out.write("volatile int shared;\n")
    subprocess.run([*command, "-c", "shared.c", "-o", "shared.o"], cwd=work, check=True)
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
        list(pool.map(one, range(count)))
    return [f"unit{unit}.o" for unit in range(count)] + ["shared.o"]


def find(*names):
    return next((path for path in map(shutil.which, names) if path), None) or sys.exit(f"{names[0]} is not here")


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    folder, counts = os.path.abspath(words[0]), [int(word) for word in words[1:]]
    with tempfile.TemporaryDirectory() as work:
        flags = ["-g", "-O2", "-ffreestanding", f"-ffile-prefix-map={work}=/proj"]
        clang = find("clang-19", "clang")
        apple = "--dsym" in sys.argv
        compiler = [clang, "-target", "arm64-apple-macos11"] if apple else [os.environ.get("CC", clang), "-fPIC"]
        objects = compile_units(max(counts), work, [*compiler, *flags])
        head = []
        if "--dart" in sys.argv:
            with open(os.path.join(work, "dart.s"), "w", encoding="ascii") as out:
                out.write(DART)
            head = ["dart.s"]
        for count in counts:
            some = head + objects[:count] + objects[-1:]
            if apple:
                link = [
                    find("ld64.lld-19", "ld64.lld"), "-arch", "arm64", "-platform_version", "macos", "11.0", "11.0",
                    "-dylib", "-undefined", "dynamic_lookup",
                ]
                subprocess.run([*link, *some, "-o", "units.dylib"], cwd=work, check=True)
                out = os.path.join(folder, f"units{count}.dsym")
                subprocess.run(
                    [find("dsymutil-19", "dsymutil"), "--flat", "units.dylib", "-o", out],
                    cwd=work,
                    check=True,
                    stderr=subprocess.DEVNULL,
                )
            else:
                out = os.path.join(folder, f"units{count}.{'dart' if head else 'so'}")
                subprocess.run(
                    [*compiler, "-shared", "-nostdlib", "-Wl,--build-id=sha1", *some, "-o", out], cwd=work, check=True
                )


if __name__ == "__main__":
    main()
