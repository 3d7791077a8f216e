#!/usr/bin/env python3
"""corpus/native/bad/make.py [FOLDER]: writes the bad samples: each is a good sample of corpus/native in which one thing
was made wrong.

The name of a file says what is wrong. Every file is smaller than 32 KiB, whatever sizes it claims.
"""

import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
GB4 = 0xFFFFFFF0
FAT_MAGIC, ARM64, X86_64 = 0xCAFEBABE, 0x0100000C, 0x01000007


def good(name):
    with open(os.path.join(HERE, "..", name), "rb") as file:
        return bytearray(file.read())


class Elf:
    """A little-endian ELF64 file whose section headers can be changed field by field; a field is given by its name."""

    FIELDS = {
        "name": (0, "I"),
        "type": (4, "I"),
        "flags": (8, "Q"),
        "address": (16, "Q"),
        "offset": (24, "Q"),
        "size": (32, "Q"),
        "link": (40, "I"),
        "info": (44, "I"),
        "entsize": (56, "Q"),
    }

    def __init__(self, name):
        self.data = good(name)
        self.table = struct.unpack_from("<Q", self.data, 40)[0]
        count, names = struct.unpack_from("<HH", self.data, 60)
        text = self.get_at(self.table + names * 64, "offset")
        self.rows = {}
        for row in (self.table + 64 * number for number in range(count)):
            start = text + self.get_at(row, "name")
            self.rows[self.data[start:self.data.index(0, start)].decode()] = row

    def get_at(self, row, field):
        place, kind = self.FIELDS[field]
        return struct.unpack_from("<" + kind, self.data, row + place)[0]

    def get(self, section, field):
        return self.get_at(self.rows[section], field)

    def set(self, section, field, value):
        place, kind = self.FIELDS[field]
        struct.pack_into("<" + kind, self.data, self.rows[section] + place, value)
        return self

    def patch(self, place, kind, value):
        struct.pack_into("<" + kind, self.data, place, value)
        return self

    def patch_in(self, section, place, kind, value):
        return self.patch(self.get(section, "offset") + place, kind, value)


def elf():
    return Elf("gcc-x86_64-O2.elf")


def tiny_elf(flags, size, content):
    """Makes an ELF file of 4 KiB with one .debug_info section, whose header claims these flags and this size."""
    names = b"\0.debug_info\0.shstrtab\0"
    head = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 3, 62, 1, 0, 0, 1024, 0, 64, 0, 0, 64, 3, 2)
    body = head.ljust(256, b"\0") + content
    body = body.ljust(768, b"\0") + names
    table = bytes(64) + struct.pack("<IIQQQQIIQQ", 1, 1, flags, 0, 256, size, 0, 0, 1, 0)
    table += struct.pack("<IIQQQQIIQQ", 13, 3, 0, 0, 768, len(names), 0, 0, 1, 0)
    return (body.ljust(1024, b"\0") + table).ljust(4096, b"\0")


def fat(*slices, size=4096):
    """Makes a fat file. slices: (cpu, offset, size)."""
    rows = b"".join(struct.pack(">IIIII", cpu, 0, offset, length, 12) for cpu, offset, length in slices)
    return (struct.pack(">II", FAT_MAGIC, len(slices)) + rows).ljust(size, b"\0")


def macho(place, kind, value):
    data = good("macho-x86_64.o")
    struct.pack_into("<" + kind, data, place, value)
    return data


def fat_with_good_slice():
    inner = good("macho-x86_64.o")
    return fat((X86_64, 4096, len(inner)), (X86_64, 4096, len(inner))) + inner


def unended_names():
    """Makes a table of strings whose last name has no terminating zero: all zeros up to the end of its part of the file
    are overwritten."""
    file = elf()
    start, size = file.get(".strtab", "offset"), file.get(".strtab", "size")
    file.data[start:start + size] = file.data[start:start + size].replace(b"\0", b"x")
    return file.data


SAMPLES = {
    "empty": lambda: b"",
    "text": lambda: b"This is not a symbol file, but somebody's note about one.\n",
    "zeros": lambda: bytes(4096),
    "magic-only": lambda: b"\x7fELF",
    "elf-header-cut": lambda: elf().data[:40],
    "elf-cut-in-debug-info": lambda: elf().data[: elf().get(".debug_info", "offset") + 100],
    "elf-class-unknown": lambda: elf().patch(4, "B", 7).data,
    "elf-byte-order-unknown": lambda: elf().patch(5, "B", 9).data,
    "elf-section-table-past-end": lambda: elf().patch(40, "Q", 1 << 40).data,
    "elf-section-rows-too-small": lambda: elf().patch(58, "H", 1).data,
    "elf-section-count-hidden-and-huge": lambda: elf().patch(60, "H", 0).patch(elf().table + 32, "Q", 1 << 60).data,
    "elf-section-names-in-no-section": lambda: elf().patch(62, "H", 0x7FFF).data,
    "elf-section-past-end": lambda: elf().set(".debug_info", "offset", 1 << 20).data,
    "elf-section-end-wraps": lambda: elf()
    .set(".debug_line", "offset", 100)
    .set(".debug_line", "size", (1 << 64) - 50)
    .data,
    "elf-4gb-section-in-4kb": lambda: tiny_elf(0, GB4, b""),
    "elf-4gb-inflated-in-4kb": lambda: tiny_elf(
        0x800, 64, struct.pack("<IIQQ", 1, 0, GB4, 1) + b"\x78\x9c\x03\0\0\0\0\1"
    ),
    "elf-4gb-inflated-zstd-in-4kb": lambda: tiny_elf(
        0x800, 64, struct.pack("<IIQQ", 2, 0, GB4, 1) + b"\x28\xb5\x2f\xfd\x20\0\1\0\0"
    ),
    "elf-compression-unknown": lambda: tiny_elf(0x800, 64, struct.pack("<IIQQ", 77, 0, 100, 1)),
    "elf-compressed-garbage": lambda: tiny_elf(0x800, 64, struct.pack("<IIQQ", 1, 0, 100, 1) + b"\xde\xad\xbe\xef" * 8),
    "elf-symbol-names-past-end": lambda: elf().set(".strtab", "size", 1).data,
    "elf-symbol-names-unended": unended_names,
    "elf-symbols-of-odd-size": lambda: elf().set(".symtab", "entsize", 23).data,
    "elf-note-longer-than-section": lambda: elf().patch_in(".note.gnu.build-id", 4, "I", 0x7FFFFFFF).data,
    "elf-segment-wraps": lambda: elf().patch(64 + 16, "Q", (1 << 64) - 4096).data,
    "dwarf-unit-longer-than-section": lambda: elf().patch_in(".debug_info", 0, "I", 0x7FFFFFFF).data,
    "dwarf-unit-of-no-length": lambda: elf().patch_in(".debug_info", 0, "I", 0).data,
    "dwarf-version-99": lambda: elf().patch_in(".debug_info", 4, "H", 99).data,
    "dwarf-abbreviations-past-end": lambda: elf().patch_in(".debug_info", 8, "I", 0x00FFFFFF).data,
    "dwarf-abbreviations-all-ones": lambda: elf().patch_in(".debug_abbrev", 0, "16s", b"\xff" * 16).data,
    "dwarf-lines-longer-than-section": lambda: elf().patch_in(".debug_line", 0, "I", 0x7FFFFFFF).data,
    "dwarf-line-range-of-zero": lambda: elf().patch_in(".debug_line", 16, "B", 0).data,
    "dwarf-address-size-3": lambda: elf().patch_in(".debug_info", 7, "B", 3).data,
    "macho-header-cut": lambda: good("macho-x86_64.o")[:20],
    "macho-cut-in-commands": lambda: good("macho-x86_64.o")[:200],
    "macho-command-of-no-size": lambda: macho(36, "I", 0),
    "macho-4-billion-commands": lambda: macho(16, "I", 0xFFFFFFFF),
    "macho-commands-past-end": lambda: macho(20, "I", 0x7FFFFFFF),
    "macho-4-billion-sections": lambda: macho(32 + 64, "I", 0xFFFFFFFF),
    "macho-fat-of-itself": lambda: fat((ARM64, 0, 4096)),
    "macho-fat-slice-past-end": lambda: fat((ARM64, 4096, GB4)),
    "macho-fat-4-billion-slices": lambda: struct.pack(">II", FAT_MAGIC, 0xFFFFFFFF).ljust(4096, b"\0"),
    "macho-fat-of-no-slices": lambda: fat(),
    "macho-fat-same-arch-twice": fat_with_good_slice,
}


def main():
    out = sys.argv[1] if len(sys.argv) > 1 else HERE
    for name, make in SAMPLES.items():
        with open(os.path.join(out, f"bad-{name}.bin"), "wb") as file:
            file.write(make())


if __name__ == "__main__":
    main()
