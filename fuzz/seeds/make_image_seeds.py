#!/usr/bin/env python3
"""Makes corpus/fuzz/image: the smallest object files of every format, width and byte order that clang, lld and llvm's
tools make.

    fuzz/seeds/make_image_seeds.py [FOLDER]     needs clang-19, lld-19, llvm-19

The same tools give the same bytes. Inputs that crashed in fuzzing are in the same folder under names crash-WHAT; they
are not made here.
"""

import os
import subprocess
import sys
import tempfile

SOURCE = "int data = 3;\nint twice(int x) { return x + x + data; }\n"
ELF = {  # name of the file: (target, flags)
    "elf-x86_64": ("x86_64-linux-gnu", []),
    "elf-i386": ("i386-linux-gnu", []),
    "elf-arm-thumb": ("thumbv7-linux-gnueabihf", []),
    "elf-arm64": ("aarch64-linux-gnu", []),
    "elf-ppc64be": ("powerpc64-linux-gnu", ["-mabi=elfv1"]),
    "elf-mips64el": ("mips64el-linux-gnu", []),
    "elf-riscv64": ("riscv64-linux-gnu", ["-mrelax"]),
}
MACHO = {
    "macho-arm64": "arm64-apple-macos11",
    "macho-x86_64": "x86_64-apple-macos11",
    "macho-armv7": "armv7-apple-ios9",
}


def run(*command):
    subprocess.run(command, check=True)


def compile_to(out, target, *flags, source="a.c"):
    run(
        "clang-19",
        "-target",
        target,
        "-O1",
        "-g1",
        "-ffreestanding",
        "-fno-ident",
        "-fno-asynchronous-unwind-tables",
        "-ffile-compilation-dir=.",
        *flags,
        "-c",
        source,
        "-o",
        out,
    )


def make(folder):
    os.makedirs(folder, exist_ok=True)
    folder = os.path.abspath(folder)
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        with open("a.c", "w") as file:
            file.write(SOURCE)
        with open("many.c", "w") as file:
            file.write(
                "".join(f"int function_of_a_long_name_{i}(int x) {{ return x * {i} + x; }}\n" for i in range(40))
            )
        for name, (target, flags) in ELF.items():
            compile_to(f"{folder}/{name}", target, *flags)
        for method in ("zlib", "zstd"): # sections are only compressed where that makes them smaller
            compile_to(f"{folder}/elf-x86_64-{method}", "x86_64-linux-gnu", f"-gz={method}", source="many.c")
        for name, target in MACHO.items():
            compile_to(f"{folder}/{name}", target)
        run(
            "llvm-lipo-19",
            "-create",
            f"{folder}/macho-arm64",
            f"{folder}/macho-x86_64",
            "-output",
            f"{folder}/macho-fat",
            "-segalign",
            "arm64",
            "8",
            "-segalign",
            "x86_64",
            "8",
        )
        compile_to("pic.o", "aarch64-linux-gnu", "-fPIC")
        run(
            "ld.lld-19",
            "-shared",
            "--build-id",
            "-z",
            "max-page-size=4096",
            "-z",
            "norelro",
            "--hash-style=both",
            "-o",
            "linked",
            "pic.o",
        )
        run("llvm-objcopy-19", "--strip-all", "--strip-sections", "linked", f"{folder}/elf-arm64-no-sections")
        run("llvm-objcopy-19", "--only-keep-debug", "linked", f"{folder}/elf-arm64-split-off")


if __name__ == "__main__":
    make(
        sys.argv[1]
        if len(sys.argv) > 1
        else os.path.join(os.path.dirname(__file__), "..", "..", "corpus", "fuzz", "image")
    )
