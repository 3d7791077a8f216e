#!/usr/bin/env python3
"""corpus/demo/make.py [FOLDER]: builds the two demo apps and writes the reports of their crashes, into FOLDER or in
place.

The apps are real machine code for Android and iOS. The apps cannot be run on the machine that builds them, so the
reports are derived from the files: each address is that of a call, or of the load that faults, and ids are the files'
own. It needs clang 19, lld, dsymutil and LLVM's tools.
"""

import os
import re
import shutil
import string
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
APP_LOAD = 0x102A3C000  # load address of the iOS app
LIBRARY_LOAD = 0x704E81B000  # load address of the Android library
FREE = (
    "-O2 -g -std=c++17 -w -ffreestanding -fvisibility=hidden -fno-exceptions -fno-rtti -fno-asynchronous-unwind-tables "
    "-fno-unwind-tables -fno-vectorize -fno-slp-vectorize -fno-unroll-loops"
).split()


def run(*command, folder=HERE):
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


class Program:
    """Finds in a finished file where a function calls another one, and where a marked source line loads memory."""

    def __init__(self, path, debug):
        self.path = path
        self.debug = debug
        self.code = {}
        name = None
        for line in run("llvm-objdump-19", "-d", "--no-show-raw-insn", "--demangle", path).splitlines():
            head = re.fullmatch(r"([0-9a-f]+) <(.*)>:", line)
            row = re.match(r" *([0-9a-f]+):\s+(.*)", line)
            if head:
                name = head[2]
                self.code[name] = []
            elif row and name:
                self.code[name].append((int(row[1], 16), row[2]))

    def call(self, function, wanted, after=0):
        """Returns the address of the first call in a function that is after the address `after`, and whose instruction
        contains the text `wanted`."""
        for address, text in self.code[function]:
            if address > after and re.match(r"blr?\s", text) and wanted in text:
                return address
        raise SystemExit(f"{self.path}: {function} does not call {wanted}")

    def load_at(self, function, place):
        """Returns the address of the first memory load in a function that belongs to a source line "file:line"."""
        for address, text in self.code[function]:
            if text.startswith("ld"):
                answer = run("llvm-symbolizer-19", "--output-style=JSON", f"--obj={self.debug}", hex(address))
                found = re.search(r'"FileName":"([^"]*)".*?"Line":(\d+)', answer)
                if found and f"{os.path.basename(found[1])}:{found[2]}" == place:
                    return address
        raise SystemExit(f"{self.path}: {function} has no load at {place}")

    def start(self, function):
        return self.code[function][0][0]


def marked(name, mark):
    with open(os.path.join(HERE, "src", name), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if mark in line:
                return f"{name}:{number}"
    raise SystemExit(f"{name} has no mark {mark}")


def compile_all(target, names, work):
    objects = []
    for name in names:
        objects.append(os.path.join(work, name.split(".")[0] + ".o"))
        run(
            "clang-19",
            f"--target={target}",
            "-fPIC",
            *FREE,
            f"-ffile-prefix-map={HERE}=/home/dev/demo",
            "-c",
            f"src/{name}",
            "-o",
            objects[-1],
        )
    return objects


def build_android(out, work):
    library = os.path.join(out, "symbols", "libdemo.so")
    objects = compile_all("aarch64-linux-android21", ["filter.cc", "android.cc"], work)
    run(
        "ld.lld-19",
        "-shared",
        "--build-id=sha1",
        "-soname",
        "libdemo.so",
        "-z",
        "max-page-size=4096",
        *objects,
        "-o",
        library,
    )
    return library


def build_ios(out, work):
    objects = compile_all("arm64-apple-ios14", ["filter.cc", "editor.mm"], work)
    objects = [os.path.basename(path) for path in objects]
    run(
        "ld64.lld-19",
        "-arch",
        "arm64",
        "-platform_version",
        "ios",
        "14.0",
        "17.0",
        "-undefined",
        "dynamic_lookup",
        "-e",
        "_main",
        "-oso_prefix",
        work + "/",
        *objects,
        "-o",
        "Demo",
        folder=work,
    )
    bundle = os.path.join(out, "symbols", "Demo.app.dSYM")
    shutil.rmtree(bundle, ignore_errors=True)
    run("dsymutil-19", "--oso-prepend-path", work, "Demo", "-o", bundle, folder=work)
    shutil.rmtree(os.path.join(bundle, "Contents", "Resources", "Relocations"), ignore_errors=True)
    return os.path.join(work, "Demo"), bundle


def fill(template, values, out):
    with open(os.path.join(HERE, template), encoding="utf-8", newline="") as file:
        text = string.Template(file.read()).substitute(values)
    with open(os.path.join(out, template.removesuffix(".in")), "w", encoding="utf-8", newline="") as file:
        file.write(text)


def write_tombstone(library, out):
    program = Program(library, library)
    run_name = "photo::blur_filter::run(photo::image const&, int) const"
    entry = "Java_com_example_demo_Photo_apply"
    apply = next(name for name in program.code if name.startswith("photo::apply_all("))
    notes = run("llvm-readelf-19", "-n", library)
    entry_pc = program.call(entry, "apply_all")
    fault = program.load_at(run_name, marked("photo.h", "CRASH"))
    apply_pc = program.call(apply, "blr")
    fill("tombstone.txt.in", {
        "pc": f"{LIBRARY_LOAD + fault:016x}",
        "lr": f"{LIBRARY_LOAD + apply_pc + 4:016x}",
        "fault": f"{fault:016x}",
        "apply": f"{apply_pc:016x}",
        "entry": f"{entry_pc:016x}",
        "entry_offset": entry_pc - program.start(entry),
        "id": re.search(r"Build ID: ([0-9a-f]+)", notes)[1],
    }, out)


def write_ios(app, bundle, out):
    program = Program(app, os.path.join(bundle, "Contents", "Resources", "DWARF", "Demo"))
    base = 0x100000000
    uuid = re.search(r"uuid ([0-9A-F-]+)", run("llvm-objdump-19", "--macho", "--private-headers", app))[1]
    run_name = "photo::blur_filter::run(photo::image const&, int) const"
    apply = next(name for name in program.code if name.startswith("photo::apply_all("))
    filters = program.call("-[PhotoEditor applyFiltersTo:]", "apply_all")
    places = {
        "fail": program.call("-[PhotoEditor failWithReason:]", "bl") + 4,
        "filters": filters + 4,
        "empty": program.call("-[PhotoEditor applyFiltersTo:]", "bl", filters) + 4,
        "fault": program.load_at(run_name, marked("photo.h", "CRASH")),
        "apply": program.call(apply, "blr") + 4,
        "start": program.call("+[PhotoEditor startWithPixels:]", "bl") + 4,
        "main": program.call("_main", "bl") + 4,
    }
    values = {"load": f"{APP_LOAD:x}", "end": f"{APP_LOAD + 0xBFFF:x}", "uuid": uuid.replace("-", "").lower()}
    for name, address in places.items():
        values[name] = f"0x{address - base + APP_LOAD:016x} 0x{APP_LOAD:x} + {address - base}"
    fill("ios.crash.in", values, out)


def main():
    out = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else HERE
    os.makedirs(os.path.join(out, "symbols"), exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        write_tombstone(build_android(out, work), out)
        write_ios(*build_ios(out, work), out)


if __name__ == "__main__":
    main()
