#!/usr/bin/env python3
"""corpus/dart/make.py [FOLDER]: makes the files of corpus/dart again, into FOLDER or in place: small programs with the
symbols and debug info that Dart's compiler writes, traces of these programs, and what Dart's decoder prints for the
traces. llvm-symbolizer finds where a program counter is in the source; this script formats the answer as Dart does,
with code of its own. It needs clang-19, lld-19 and llvm-19."""

import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
STUB = '"stub CallToRuntime"'
LAYOUTS = {
    # name: (target, text symbols). Programs of old versions have a text with stubs before the program's own text.
    "x64-3.13": ("x86_64-linux-gnu", ["_kDartSnapshotText"]),
    "x64-3.10": ("x86_64-linux-gnu", ["_kDartVmSnapshotInstructions", "_kDartIsolateSnapshotInstructions"]),
    "arm64-3.13": ("aarch64-linux-gnu", ["_kDartSnapshotText"]),
    "arm-3.10": ("armv7a-linux-gnueabi", ["_kDartVmSnapshotInstructions", "_kDartIsolateSnapshotInstructions"]),
}
ARCH = {"x86_64-linux-gnu": "x64", "aarch64-linux-gnu": "arm64", "armv7a-linux-gnueabi": "arm"}
# The fat file: Mach-O dylibs of two architectures, whose debug info is in dSYMs.
FAT = "macos-3.13"
FAT_SLICES = {"x64": "x86_64-apple-macos13", "arm64": "arm64-apple-macos13"}
BASE = {"x64": 0x7F41FBAF4000, "arm64": 0x751C2B3000, "arm": 0x3F1AB000}


def run(*words, **options):
    # with this variable set, the linker writes no modification times of object files
    options["env"] = dict(os.environ, ZERO_AR_DATE="1")
    return subprocess.run(words, check=True, capture_output=True, text=True, **options).stdout


def dart_names(text):
    """Spells the names in the debug info as Dart does. Each name keeps its length, so that offsets to later names stay
    right."""
    # Dart's debug info has no compilation folder
    text = re.sub(r'(\.asciz|\.string)(\s+)"\."', r'\1\2""\n\t.byte\t0', text)
    text = re.sub(r'"(\w+?)XLanonymousSclosureG"', r'"\1.<anonymous closure>"', text)
    return re.sub(r'"([A-Z][a-z]+)X(\w+)"', r'"\1.\2"', text)


def assembly(target, work):
    path = os.path.join(work, "program.s")
    arm = ["-marm"] if target.startswith("armv7") else []
    run(
        "clang-19",
        f"--target={target}",
        "-O1",
        "-gdwarf-2",
        "-fPIC",
        "-fno-asynchronous-unwind-tables",
        "-fno-unwind-tables",
        *arm,
        "-fdebug-compilation-dir=.",
        "-S",
        "program.c",
        "-o",
        path,
        cwd=HERE,
    )
    with open(path, encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r'(\.file\s+\d+) "\."', r"\1", text)
    return "\n".join(
        dart_names(line) if line.lstrip().startswith((".asciz", ".string")) else line for line in text.split("\n")
    )


def texts(symbols, body):
    """Adds Dart's text symbols before the program; the first text has stubs."""
    first = symbols[0]
    head = (
        f"\t.text\n\t.p2align 6\n\t.globl {first}\n\t.type {first}, %object\n{first}:\n\t.space 64\n{STUB}:\n"
        f"\t.space 32\n\t.size {STUB}, 32\n\t.type {STUB}, %function\n"
    )
    if len(symbols) > 1:
        head += f"\t.p2align 6\n\t.globl {symbols[1]}\n\t.type {symbols[1]}, %object\n{symbols[1]}:\n\t.space 64\n"
    return head + body


def assemble(target, source, out):
    """Compiles a program so that the result does not contain the path of the folder."""
    run(
        "clang-19",
        f"--target={target}",
        "-fdebug-compilation-dir=.",
        "-c",
        os.path.basename(source),
        "-o",
        out,
        cwd=os.path.dirname(source),
    )


def mach_texts(body):
    """Adds Dart's text symbols before a program in Mach-O. Unlike ELF's, this assembler has no directive for the sizes
    of symbols, and symbol names have one more underscore than in C."""
    head = (
        f"\t.section __TEXT,__text,regular,pure_instructions\n\t.p2align 6\n\t.globl _kDartSnapshotText\n"
        f"_kDartSnapshotText:\n\t.space 64\n{STUB}:\n\t.space 32\n"
    )
    return head + body


def build_fat(folder, work):
    parts = []
    for arch, target in FAT_SLICES.items():
        source, image, dsym = (os.path.join(work, f"{arch}.{end}") for end in ("s", "dylib", "dSYM"))
        with open(source, "w", encoding="utf-8") as file:
            file.write(mach_texts(assembly(target, work)))
        assemble(target, source, source + ".o")
        run(
            "ld64.lld-19",
            "-dylib",
            "-oso_prefix",
            work + "/",
            "-arch",
            target.split("-")[0],
            "-platform_version",
            "macos",
            "13.0",
            "13.0",
            "-undefined",
            "dynamic_lookup",
            "-install_name",
            "App",
            source + ".o",
            "-o",
            image,
        )
        run("dsymutil-19", "--flat", "--oso-prepend-path", work, image, "-o", dsym)
        parts.append((arch, dsym))
    out = os.path.join(folder, f"app.{FAT}.symbols")
    run("llvm-lipo-19", "-create", *(path for _, path in parts), "-output", out)
    return parts


def build(name, folder, work):
    target, symbols = LAYOUTS[name]
    source, out = os.path.join(work, "all.s"), os.path.join(folder, f"app.{name}.symbols")
    with open(source, "w", encoding="utf-8") as file:
        file.write(texts(symbols, assembly(target, work)))
    assemble(target, source, os.path.join(work, "all.o"))
    run("ld.lld-19", "-shared", "--build-id=md5", "-z", "max-page-size=4096", os.path.join(work, "all.o"), "-o", out)
    return out


def build_dump(folder, work):
    """Writes debug info in exactly the form of Dart's compiler, as an example for `decode dump`."""
    for name, target, directive, size in (
        ("x64", "x86_64-linux-gnu", ".quad", 8),
        ("arm", "armv7a-linux-gnueabi", ".long", 4),
    ):
        part = os.path.join(work, f"{name}.o")
        run(
            "clang-19",
            f"--target={target}",
            f"-DADDRESS={directive}",
            f"-DADDRESS_SIZE={size}",
            "-c",
            os.path.join(HERE, "dump.S"),
            "-o",
            part,
        )
        run(
            "ld.lld-19",
            "-O0",
            "-shared",
            "--build-id=md5",
            "-z",
            "max-page-size=4096",
            "--hash-style=sysv",
            part,
            "-o",
            os.path.join(folder, f"dump.{name}.symbols"),
        )


def symbol_table(path):
    rows = {}
    for line in run("llvm-nm-19", "--defined-only", path).splitlines():
        address, _, symbol = line.split(" ", 2)
        rows[symbol] = int(address, 16)
    return rows


def build_id(path):
    if path.endswith(".dSYM"):
        return (
            re.search(r"uuid ([\w-]+)", run("llvm-objdump-19", "--macho", "--private-headers", path))
            .group(1)
            .replace("-", "")
            .lower()
        )
    return re.search(r"Build ID: (\w+)", run("llvm-readelf-19", "-n", path)).group(1)


# --- traces ---


def functions(path):
    """Yields (start, end) of each function of the debug info."""
    text = run("llvm-dwarfdump-19", "--debug-info", path)
    for entry in re.split(r"\n0x", text):
        low, high = re.search(r"DW_AT_low_pc\s+\((0x\w+)\)", entry), re.search(r"DW_AT_high_pc\s+\((0x\w+)\)", entry)
        if "DW_TAG_subprogram" in entry and low and high:
            yield int(low.group(1), 16), int(high.group(1), 16)


def addresses(path):
    """Returns some addresses of each function, then an address of the stub."""
    found = []
    for low, high in sorted(functions(path)):
        found += list(range(low + 1, high, 5))[:12]
    return found + [symbol_table(path)[STUB.strip('"')] + 9]


def chain(path, address):
    """Returns the frames of an address as (name, file:line:column), innermost first."""
    lines = run("llvm-symbolizer-19", "--functions=short", "-e", path, hex(address)).strip().split("\n")
    return [(lines[i], *re.match(r"(.*):(\d+):(\d+)$", lines[i + 1]).groups()) for i in range(0, len(lines) - 1, 2)]


def place(file, line, column):
    return file + (f":{line}" + (f":{column}" if column != "0" else "") if line != "0" else "")


def restored(path, address, internal, number):
    table = symbol_table(path)
    if any(low <= address < high for low, high in functions(path)):
        frames = [(f"{name} ({place(*where)})", name == "List.add") for name, *where in chain(path, address)]
    else:
        stub = STUB.strip('"')
        frames = [(f"{stub}+0x{address - table[stub]:x}", True)]
    return [f"#{number + i:<6d} {text}" for i, text in enumerate(t for t, hidden in frames if internal or not hidden)]


def header(arch, symbols, path):
    table, base = symbol_table(path), BASE[arch]
    vm = f"{base + table[symbols[0]]:x}" if len(symbols) > 1 else "0"
    return [
        "*** " * 15 + "***",
        "pid: 25392, tid: 139921365399232, name DartWorker",
        f"os: linux arch: {arch} comp: no sim: no",
        f"build_id: '{build_id(path)}'",
        f"isolate_dso_base: {base:x}, vm_dso_base: {base if vm != '0' else 0:x}",
        f"isolate_instructions: {base + table[symbols[-1]]:x}, vm_instructions: {vm}",
    ]


def row(arch, symbols, path, index, address):
    table, digits = symbol_table(path), 8 if arch == "arm" else 16
    symbol = max((s for s in symbols if table[s] <= address), key=lambda s: table[s])
    linked = (
        f" virt {address:0{digits}x}" if symbol != "_kDartVmSnapshotInstructions" else ""
    )  # the VM prints no virtual addresses for its stubs
    return f"    #{index:02d} abs {BASE[arch] + address:0{digits}x}{linked} {symbol}+0x{address - table[symbol]:x}"


def write(path, lines):
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write("\n".join(lines) + "\n")


def traces(name, arch, symbols, folder, path):
    raw = ["Unhandled exception:", "Bad state: demo", *header(arch, symbols, path)]
    shown = {internal: list(raw) for internal in (False, True)}
    number = {False: 0, True: 0}
    for index, address in enumerate(addresses(path)):
        raw.append(row(arch, symbols, path, index, address))
        for internal, lines in shown.items():
            rows = restored(path, address, internal, number[internal])
            number[internal] += len(rows)
            lines += rows
    write(os.path.join(folder, f"{name}.trace.txt"), raw)
    write(os.path.join(folder, f"{name}.translated.txt"), shown[False])
    write(os.path.join(folder, f"{name}.symbolized.txt"), shown[True])


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else HERE
    for name in LAYOUTS:
        with tempfile.TemporaryDirectory() as work:
            traces(name, ARCH[LAYOUTS[name][0]], LAYOUTS[name][1], folder, build(name, folder, work))
    with tempfile.TemporaryDirectory() as work:
        for arch, path in build_fat(folder, work):
            traces(f"{FAT}.{arch}", arch, ["_kDartSnapshotText"], folder, path)
    with tempfile.TemporaryDirectory() as work:
        build_dump(folder, work)


main()
