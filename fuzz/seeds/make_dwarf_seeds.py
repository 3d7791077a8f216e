#!/usr/bin/env python3
"""Writes corpus/fuzz/dwarf: the debug sections of small programs in fuzz_dwarf.c's section form, and some whole files.
Usage: make_dwarf_seeds.py OUT_FOLDER

Needs gcc, clang-19 and llvm-objcopy-19. Addresses are linked low (-Ttext=0x1000), where the harness has its code."""
import pathlib
import struct
import subprocess
import sys
import tempfile

NAMES = [
    ".debug_info",
    ".debug_abbrev",
    ".debug_str",
    ".debug_line_str",
    ".debug_line",
    ".debug_ranges",
    ".debug_rnglists",
    ".debug_addr",
    ".debug_str_offsets",
    ".debug_aranges",
]
SOURCE = """
static inline __attribute__((always_inline)) int square(int x) { __asm__ volatile("" : "+r"(x)); return x * x + 1; }
static inline __attribute__((always_inline)) int twice(int x) { return square(x) + square(x + 1); }
int __attribute__((noinline)) sum(int x) { int s = 0; for (int i = 0; i < x; i++) s += twice(i); return s; }
void __attribute__((cold, noinline)) rare(void) { for (;;) ; }
void _start(void) { if (sum(3) > 4) rare(); for (;;) ; }
"""
PROGRAMS = {
    "gcc2": ["gcc", "-gdwarf-2", "-gstrict-dwarf"],
    "gcc3": ["gcc", "-gdwarf-3"],
    "gcc4": ["gcc", "-gdwarf-4"],
    "gcc5": ["gcc", "-gdwarf-5"],
    "gcc5-64": ["gcc", "-gdwarf-5", "-gdwarf64"],
    "clang4": ["clang-19", "-gdwarf-4"],
    "clang5": ["clang-19", "-gdwarf-5"],
    "clang5-sections": ["clang-19", "-gdwarf-5", "-ffunction-sections"],
    "ppc64": ["powerpc64-linux-gnu-gcc", "-gdwarf-5"],
    "arm": ["arm-linux-gnueabihf-gcc", "-gdwarf-4"],
}

WHOLE = {"file-object": ["gcc", "-gdwarf-5"], "file-object-arm": ["arm-linux-gnueabihf-gcc", "-mthumb", "-gdwarf-4"],
         "file-object-macho": ["clang-19", "-target", "arm64-apple-macos11", "-gdwarf-4"]}


def main():
    out = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "a.c").write_text(SOURCE)
        for name, command in PROGRAMS.items():
            program = folder / name
            subprocess.run(
                command
                + [
                    "-O2",
                    "-ffreestanding",
                    "-nostdlib",
                    "-static",
                    "-Wl,-Ttext=0x1000",
                    "-Wl,--build-id=none",
                    f"-fdebug-prefix-map={folder}=/src",
                    "-o",
                    program,
                    folder / "a.c",
                ],
                check=True,
                cwd=folder,
            )
            sizes, body = b"", b""
            for section in NAMES:
                part = folder / "part"
                part.write_bytes(b"")
                subprocess.run(
                    ["llvm-objcopy-19", f"--dump-section={section}={part}", program, "/dev/null"],
                    capture_output=True,
                    check=False,
                )
                content = part.read_bytes()
                sizes += struct.pack("<H", len(content))
                body += content
            flags = 1 if name == "ppc64" else 0
            (out / f"sections-{name}").write_bytes(bytes([flags]) + sizes + b"\0\0\0\0" + body)
        for name, command in WHOLE.items():
            subprocess.run(
                command
                + [
                    "-O2",
                    "-ffreestanding",
                    "-c",
                    f"-ffile-prefix-map={folder}=/src",
                    "-o",
                    out.resolve() / name,
                    "a.c",
                ],
                check=True,
                cwd=folder,
            )


main()
