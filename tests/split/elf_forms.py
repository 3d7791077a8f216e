"""Rewrites ELF files in the forms that tools give to debug files: code and data without bytes (SHT_NOBITS), with or
without their sizes, without program headers, without a section table. Addresses of sections and segments, symbols and
debug info are not changed."""

import struct

SHT_PROGBITS, SHT_SYMTAB, SHT_STRTAB, SHT_NOTE, SHT_NOBITS, SHT_DYNSYM = 1, 2, 3, 7, 8, 11
SHF_ALLOC = 2
PT_LOAD = 1


class Elf:
    """The headers and the bytes of a file; both can be changed in place."""

    def __init__(self, data):
        if data[:4] != b"\x7fELF":
            raise ValueError("not an ELF file")
        self.data = bytearray(data)
        self.is64, self.order = data[4] == 2, "<" if data[5] == 1 else ">"
        self.word = "Q" if self.is64 else "I"
        header = self.unpack("HHI3" + self.word + "IHHHHHH", 16) if self.is64 else self.unpack("HHIIIIIHHHHHH", 16)
        self.type = header[0]
        self.segments_at, self.sections_at = header[4], header[5]
        self.segment_size, self.segment_count, self.section_size, self.section_count, self.names_section = header[8:13]

    def unpack(self, form, at):
        return struct.unpack_from(self.order + form, self.data, at)

    def pack(self, form, at, *values):
        struct.pack_into(self.order + form, self.data, at, *values)

    def section(self, number):
        """Returns a section header: name, type, flags, address, offset, size, link, info, align, entry size."""
        at = self.sections_at + number * self.section_size
        return self.unpack("IIQQQQIIQQ" if self.is64 else "10I", at)

    def set_section(self, number, **changes):
        names = ("name", "type", "flags", "address", "offset", "size", "link", "info", "align", "entry")
        fields = dict(zip(names, self.section(number)), **changes)
        at = self.sections_at + number * self.section_size
        self.pack("IIQQQQIIQQ" if self.is64 else "10I", at, *(fields[name] for name in names))

    def section_name(self, number):
        strings = self.section(self.names_section)
        start = strings[4] + self.section(number)[0]
        return self.data[start:self.data.index(0, start)].decode()

    def sections(self):
        return range(1, self.section_count)

    def loaded(self, number):
        """Whether a section has code or data of the program: a debug file does not have its bytes."""
        kind, flags = self.section(number)[1:3]
        return flags & SHF_ALLOC and kind not in (SHT_NOTE, SHT_NOBITS)

    def hollow(self, keep_dynamic, sizes):
        """Removes the bytes of code and data. sizes: section headers keep the sizes. keep_dynamic: the dynamic symbols
        are kept, as in Dart's files."""
        for number in self.sections():
            _, kind, flags, _, offset, size = self.section(number)[:6]
            if self.loaded(number) and not (keep_dynamic and kind in (SHT_DYNSYM, SHT_STRTAB)):
                self.data[offset:offset + size] = bytes(size)
                self.set_section(number, type=SHT_NOBITS, **({} if sizes else {"size": 0}))
            elif kind == SHT_NOBITS and flags & SHF_ALLOC and not sizes:
                self.set_section(number, size=0)
        return self

    def segments(self):
        for number in range(self.segment_count):
            at = self.segments_at + number * self.segment_size
            if self.is64:
                kind, _, offset, address, _, file_size, memory_size, _ = self.unpack("IIQQQQQQ", at)
            else:
                kind, offset, address, _, file_size, memory_size = self.unpack("6I", at)
            yield kind, offset, address, file_size, memory_size

    def without_segments(self):
        self.pack(self.word, 32 if self.is64 else 28, 0)
        self.pack("H", 56 if self.is64 else 44, 0)
        self.segment_count = 0
        return self

    def without_sections(self):
        self.pack(self.word, 40 if self.is64 else 32, 0)
        self.pack("H", 60 if self.is64 else 48, 0)
        self.pack("H", 62 if self.is64 else 50, 0)
        return self

    def moved_down(self, by):
        """Moves sections and symbols down so that this address becomes 0; sections below it are not loaded any more."""
        for number in self.sections():
            _, kind, flags, address, offset, size = self.section(number)[:6]
            if flags & SHF_ALLOC:
                self.set_section(
                    number, **({"address": address - by} if address >= by else {"flags": flags & ~SHF_ALLOC})
                )
            if kind == SHT_SYMTAB:
                self.move_symbols(offset, size, by)
        return self

    def move_symbols(self, offset, size, by):
        row, value_at = (24, 8) if self.is64 else (16, 4)
        for at in range(offset + value_at, offset + size, row):
            value = self.unpack(self.word, at)[0]
            if value >= by:
                self.pack(self.word, at, value - by)
