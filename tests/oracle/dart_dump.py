#!/usr/bin/env python3
"""dart_dump.py FILE: prints what `decode dump` of package:native_stack_traces prints. This second implementation was
written from the source of the package's version 0.5.7, keeps everything in memory and uses the package's data
structures, so that it has neither code nor design in common with mappers/dart/dump/dart_dump*.c. Where the package
stops with an exception, it does so, too.
"""

import os
import re
import struct
import sys

WORDS = os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "..", "..", "mappers", "dart", "dump", "dart_dump_dwarf_names.c"
)


def hexa(value, size=0):
    text = ("-" if value < 0 else "") + format(abs(value), "x")
    return text.rjust(2 * size, "0")


class Reader:
    def __init__(self, data, word=8, order="<"):
        self.data, self.word, self.order, self.at = data, word, order, 0

    def sub(self, offset, size=None):
        end = len(self.data) if size is None else offset + size
        assert 0 <= offset <= end <= len(self.data), "outside"
        return Reader(self.data[offset:end], self.word, self.order)

    @property
    def done(self):
        return self.at >= len(self.data)

    def bytes(self, size):
        assert self.at + size <= len(self.data), "past the end"
        self.at += size
        return self.data[self.at - size : self.at]

    def int(self, size, signed=False):
        # Dart's integers have 64 bits and a sign, so values are read as signed.
        code = {1: "b", 2: "h", 4: "i", 8: "q"}[size]
        return struct.unpack(self.order + (code if signed or size == 8 else code.upper()), self.bytes(size))[0]

    def word_(self):
        return self.int(self.word)

    def string(self):
        end = self.data.find(b"\0", self.at)
        text = self.data[self.at : len(self.data) if end < 0 else end]
        self.at = len(self.data) if end < 0 else end + 1
        return text.decode("latin-1")

    def fixed(self, size):
        return self.bytes(size).split(b"\0")[0].decode("latin-1")

    def leb(self, signed=False):
        value = shift = 0
        while True:
            byte = self.int(1)
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte & 0x80 == 0:
                return value - (1 << shift) if signed and byte & 0x40 else value

    def repeated(self, read):
        while not self.done:
            at = self.at
            item = read(self)
            if item is None:
                return
            yield at, item


# --- ELF ---

PT = {
    0: "PT_NULL", 1: "PT_LOAD", 2: "PT_DYNAMIC", 4: "PT_NOTE", 6: "PT_PHDR", 0x6474E550: "PT_GNU_EH_FRAME",
    0x6474E551: "PT_GNU_STACK", 0x6474E552: "PT_GNU_RELRO",
}
SHT = dict(enumerate("NULL PROGBITS SYMTAB STRTAB - HASH DYNAMIC NOTE NOBITS - - DYNSYM".split()))
DT = "NULL NEEDED PLTRELSZ PLTGOT HASH STRTAB SYMTAB RELA RELASZ - STRSZ SYMENT".split()


def strings_of(reader):
    return dict(reader.repeated(lambda r: r.string()))


def string_at(table, index):
    if index in table:
        return table[index]
    for key, value in table.items():
        if 0 <= index - key <= len(value):
            return value[index - key :]
    raise ValueError(f"no string {index}")


class Elf:
    def __init__(self, data):
        word, order = {1: 4, 2: 8}[data[4]], {1: "<", 2: ">"}[data[5]]
        r = self.reader = Reader(data, word, order)
        r.at = 16
        self.type, self.machine, version = r.int(2), r.int(2), r.int(4)
        self.entry, self.phoff, self.shoff = r.word_(), r.word_(), r.word_()
        self.flags = r.int(4)
        _, self.phentsize, self.phnum, self.shentsize, self.shnum, self.shstrndx = (r.int(2) for _ in range(6))
        self.segments = [s for _, s in r.sub(self.phoff, self.phentsize * self.phnum).repeated(self.segment)]
        self.sections = [s for _, s in r.sub(self.shoff, self.shentsize * self.shnum).repeated(self.section)]
        names = strings_of(self.contents(self.sections[self.shstrndx]))
        for s in self.sections:
            s["name"] = string_at(names, s["name_at"])

    def segment(self, r):
        s = {"type": r.int(4)}
        if r.word == 8:
            s["flags"] = r.int(4)
        for key in ("offset", "vaddr", "paddr", "filesz", "memsz"):
            s[key] = r.word_()
        if r.word == 4:
            s["flags"] = r.int(4)
        s["align"] = r.word_()
        return s

    def section(self, r):
        s = {"name_at": r.int(4), "type": r.int(4)}
        for key in ("flags", "addr", "offset", "size"):
            s[key] = r.word_()
        s["link"], s["info"] = r.int(4), r.int(4)
        s["align"], s["entsize"] = r.word_(), r.word_()
        return s

    def contents(self, section):
        return self.reader.sub(section["offset"], section["size"])

    def named(self, name):
        found = [s for s in self.sections if s["name"] == name]
        return self.contents(found[0]) if len(found) == 1 else None

    def symbol(self, r):
        name = r.int(4)
        if r.word == 8:
            info, other, shndx, value, size = r.int(1), r.int(1), r.int(2), r.word_(), r.word_()
        else:
            value, size, info, other, shndx = r.word_(), r.word_(), r.int(1), r.int(1), r.int(2)
        return name, info, other, shndx, value, size

    def dump_section(self, s):
        kind, name = SHT.get(s["type"], "-"), s["name"]
        w = self.reader.word
        r = self.contents(s) if kind in ("STRTAB", "SYMTAB", "DYNSYM", "NOTE", "DYNAMIC") else None
        if kind == "STRTAB":
            return f'Section "{name}" is a string table:\n' + "".join(
                f"  {k} => {v}\n" for k, v in strings_of(r).items()
            )
        if kind in ("SYMTAB", "DYNSYM"):
            out = f'Section "{name}" is a symbol table:\n'
            names = strings_of(self.contents(self.sections[s["link"]]))
            for _, (at, info, other, shndx, value, size) in r.repeated(self.symbol):
                bind = ("local", "global", "weak")[info >> 4]
                sight = ("", " internal", " hidden", " protected")[other & 3]
                out += (
                    f' "{string_at(names, at)}" => a {bind}{sight} symbol that points to {size} bytes at location '
                    f'0x{hexa(value, w)} in section {shndx}\n'
                )
            return out
        if kind == "NOTE":
            _, size, type_ = r.int(4), r.int(4), r.int(4)
            owner = r.string()
            return (
                f'Section "{name}" is a note:\n  Type: {type_}\n  Name: "{owner}"\n'
                f'  Description: {list(r.bytes(size))}\n'
            )
        if kind == "DYNAMIC":
            entries = {}
            while True:
                tag, value = r.word_(), r.word_()
                if tag == 0:
                    break
                entries[tag] = value
            out = f'Section "{name}" is a dynamic table:\n'
            for tag, value in entries.items():
                if tag >= 12:
                    out += f" Unknown tag {tag} => {value}\n"
                    continue
                label = "null" if DT[tag] == "-" else f"DT_{DT[tag]}".ljust(11)
                out += (
                    f" {label} => "
                    + (
                        f"0x{hexa(value, w)}"
                        if DT[tag] in ("HASH", "PLTGOT", "SYMTAB", "STRTAB", "RELA")
                        else str(value)
                    )
                    + "\n"
                )
            return out
        return f'Section "{name}" is unparsed and {s["size"]} bytes long.\n'

    def dump(self):
        w = self.reader.word
        rule = "-" * 53 + "\n"

        def head(text):
            return rule + text + "\n" + rule + "\n"

        def type_of(names, value, prefix=""):
            name = names.get(value, "-")
            return f"unknown ({hexa(value, 4)})" if name == "-" else prefix + name

        out = head("             ELF header information")
        out += f"Format is {w * 8} bits and {'little' if self.reader.order == '<' else 'big'}-endian\n"
        out += (
            f"Type: 0x{hexa(self.type, 2)}\nMachine: 0x{hexa(self.type, 2)}\nEntry point: 0x{hexa(self.entry, w)}\n"
            f"Flags: 0x{hexa(self.flags, 4)}\n"
        )
        out += (
            f"Program header offset: 0x{hexa(self.phoff, w)}\nProgram header entry size: {self.phentsize}\n"
            f"Program header entry count: {self.phnum}\n"
        )
        out += (
            f"Section header offset: 0x{hexa(self.shoff, w)}\nSection header entry size: {self.shentsize}\n"
            f"Section header entry count: {self.shnum}\n"
        )
        out += f"Section header strings index: {self.shstrndx}\n\n" + head("            Program header information")
        out += "\n\n".join(
            f"Entry {i}:\nType: {type_of(PT, s['type'])}\nFlags: 0x{hexa(s['flags'], 4)}\n"
            f"Offset: 0x{hexa(s['offset'], w)}\n"
            f"Virtual address: 0x{hexa(s['vaddr'], w)}\nPhysical address: 0x{hexa(s['paddr'], w)}\n"
            f"Size in file: {s['filesz']}\n"
            f"Size in memory: {s['memsz']}\nAlignment: 0x{hexa(s['align'], w)}"
            for i, s in enumerate(self.segments)
        )
        out += "\n\n" + head("            Section header information")
        out += "\n\n".join(
            f"Entry {i}:\nName: \"{s['name']}\" (@ {s['name_at']})\nType: {type_of(SHT, s['type'], 'SHT_')}\n"
            f"Flags: 0x{hexa(s['flags'], w)}\n"
            f"Address: 0x{hexa(s['addr'], w)}\nOffset: 0x{hexa(s['offset'], w)}\nSize: {s['size']}\nLink: {s['link']}\n"
            f"Info: 0x{hexa(s['info'], 4)}\n"
            f"Address alignment: 0x{hexa(s['align'], w)}\nEntry size: {s['entsize']}"
            for i, s in enumerate(self.sections)
        )
        out += "\n\n" + head("                 Section information")
        return out + "".join(self.dump_section(s) + "\n" for s in self.sections)

    def debug(self, name):
        return self.named("." + name)


# --- Mach-O ---


class MachO:
    def __init__(self, data):
        magic = struct.unpack("<I", data[:4])[0]
        word = 8 if magic in (0xFEEDFACF, 0xCFFAEDFE) else 4
        r = self.reader = Reader(data, word, "<" if magic in (0xFEEDFACF, 0xFEEDFACE) else ">")
        r.at = 4
        self.magic = magic
        self.cputype, self.subtype, self.filetype, self.ncmds, self.sizeofcmds, self.flags = (
            r.int(4) for _ in range(6)
        )
        self.reserved = r.int(4) if word == 8 else None
        self.commands = [c for _, c in r.sub(r.at, self.sizeofcmds).repeated(self.command)]
        self.dwarf = next((c for c in self.commands if c.get("segment") == "__DWARF"), None)

    def command(self, r):
        start = r.at
        cmd, size = r.int(4), r.int(4)
        c = {"cmd": cmd, "size": size}
        if cmd in (0x1, 0x19):
            c["segment"] = r.fixed(16)
            r.word_(), r.word_()
            c["fileoff"], c["filesize"] = r.word_(), r.word_()
            r.bytes(8)
            count = r.int(4)
            r.bytes(4)
            c["sections"] = {}
            for _ in range(count):
                name, _, _ = r.fixed(16), r.fixed(16), r.word_()
                c["sections"][name] = (r.word_(), r.int(4))
                r.bytes(28 if r.word == 8 else 24)
        elif cmd == 0x2:
            r.int(4)
            c["nsyms"] = r.int(4)
        r.at = start + size
        return c

    def dump(self):
        rule = "-" * 40 + "\n"
        out = rule + "               Header\n" + rule + "\n"
        out += (
            f"Magic: 0x{hexa(self.magic, 4)}\nCpu Type: 0x{hexa(self.cputype, 4)}\n"
            f"Cpu Subtype: 0x{hexa(self.subtype, 4)}\nFiletype: 0x{hexa(self.filetype, 4)}\n"
        )
        out += (
            f"Number of commands: {self.ncmds}\nSize of commands: {self.sizeofcmds}\nFlags: 0x{hexa(self.flags, 4)}\n"
        )
        if self.reserved is not None:
            out += f"Reserved: 0x{hexa(self.reserved, 4)}\n"
        out += "\n\n" + rule + "            Load commands\n" + rule + "\n"
        for c in self.commands:
            if "segment" in c:
                out += f'Segment "{c["segment"]}" of size {c["filesize"]} at offset 0x{hexa(c["fileoff"])}\nSections:\n'
                out += "".join(
                    f'Section "{name}" of size {size} at offset 0x{hexa(at, 4)}\n'
                    for name, (size, at) in c["sections"].items()
                )
            elif "nsyms" in c:
                out += f"Symbol table with {c['nsyms']} symbols of size {c['size']}\n"
            else:
                out += f"Uninterpreted command 0x{hexa(c['cmd'])} of size {c['size']}\n"
            out += "\n"
        return out

    def debug(self, name):
        if self.dwarf is None or "__" + name not in self.dwarf["sections"]:
            return None
        size, at = self.dwarf["sections"]["__" + name]
        return self.reader.sub(at, size)

    def is_dart(self):
        return any(
            name in self.reader.data
            for name in (b"_kDartVmSnapshotInstructions", b"_kDartIsolateSnapshotInstructions", b"_kDartSnapshotText")
        )


# --- DWARF ---


def words():
    """Returns the names of DWARF's constants. This table is shared with framemap; readelf is used to check it in
    both."""
    text, tables = open(WORDS, encoding="utf-8").read(), {}
    for name, body in re.findall(r"const (\w+)\[\] = \{(.*?)\};", text, re.S):
        tables[name] = {int(code, 16): word for code, word in re.findall(r'\[(0x\w+)\] = "(\w+)"', body)}
    return tables


class Dwarf:
    def __init__(self, image):
        self.words = words()
        self.strings = strings_of(image.debug("debug_str")) if image.debug("debug_str") else None
        self.line_strings = strings_of(image.debug("debug_line_str")) if image.debug("debug_line_str") else None
        self.tables = dict(image.debug("debug_abbrev").repeated(self.table))
        self.info = image.debug("debug_info")
        self.units = [u for _, u in self.info.repeated(self.unit)]
        self.programs = dict(image.debug("debug_line").repeated(self.program))

    def word(self, table, prefix, code):
        name = self.words[table].get(code)
        return f"{prefix}_{name}" if name else f"unrecognized {prefix} code"

    def table(self, r):
        return dict((abbr["code"], abbr) for _, abbr in r.repeated(self.abbreviation))

    def abbreviation(self, r):
        code = r.leb()
        if code == 0:
            return None
        return {
            "code": code,
            "tag": r.leb(),
            "children": {0: False, 1: True}[r.int(1)],
            "attributes": [a for _, a in r.repeated(self.attribute)],
        }

    @staticmethod
    def attribute(r):
        name, form = r.leb(), r.leb()
        if name == 0 or form == 0:
            return None
        return name, form, r.leb(True) if form == 0x21 else None

    def value(self, r, form, implicit, size):
        name = self.words["forms"][form]
        if implicit is not None:
            return implicit
        if name == "string":
            return r.string()
        if name in ("strp", "line_strp"):
            return string_at(self.strings if name == "strp" else self.line_strings, r.int(4))
        if name == "flag":
            return r.int(1) != 0
        if name == "addr":
            return r.int(size)
        if name in ("sdata", "udata", "ref_udata"):
            return r.leb(name == "sdata")
        if name in ("block1", "block2", "block4", "block", "exprloc", "data16"):
            return r.bytes(
                16 if name == "data16" else r.leb() if name in ("block", "exprloc") else r.int(int(name[-1]))
            )
        return r.int(
            {
                "data1": 1,
                "ref1": 1,
                "data2": 2,
                "ref2": 2,
                "data4": 4,
                "ref4": 4,
                "sec_offset": 4,
                "data8": 8,
                "ref8": 8,
            }[name]
        )

    def text(self, unit, form, value):
        name = self.words["forms"][form]
        if name == "addr":
            return "0x" + hexa(value)
        if name == "sec_offset":
            return hexa(value, 4)
        if name == "flag":
            return "true" if value else "false"
        if name.startswith("ref"):
            size = {"ref1": 1, "ref2": 2, "ref4": 4, "ref8": 8}.get(name, 0)
            die = unit["dies"].get(value, {"attributes": []})
            origin = next(
                (v for (n, _, _), v in die["attributes"] if n == 0x03), "<unresolved>"
            )  # as in the package, no further reference is followed
            return f"0x{hexa(value, size)} (origin: {origin})"
        # as in the package, bytes are not printed as text
        return value.hex() if isinstance(value, bytes) else str(value)

    def die(self, r, unit):
        code = r.leb()
        if code == 0:
            return None
        abbr = unit["table"][code]
        attributes = [(a, self.value(r, a[1], a[2], unit["address"])) for a in abbr["attributes"]]
        children = dict(r.repeated(lambda s: self.die(s, unit))) if abbr["children"] else {}
        return {"code": code, "attributes": attributes, "children": children}

    def unit(self, r):
        size = r.int(4)
        if size == 0:
            return None
        assert r.int(2) == 2, "not DWARF 2"
        at = r.int(4)
        unit = {"size": size, "at": at, "table": self.tables[at], "address": r.int(1)}
        unit["dies"] = dict(r.repeated(lambda s: self.die(s, unit)))
        work = [item for die in unit["dies"].values() for item in die["children"].items()]
        for offset, die in work:  # the list grows during the loop
            unit["dies"][offset] = die
            work.extend(die["children"].items())
        return unit

    def dump_die(self, unit, die, indent, out):
        out.append(f"{indent}Abbreviation code: {die['code']}):\n")
        for (name, form, _), value in die["attributes"]:
            out.append(f"{indent}  {self.word('attributes', 'DW_AT', name)} => {self.text(unit, form, value)}\n")
        if die["children"]:
            out.append(f"{indent}Children ({len(die['children'])}):\n")
            for i, (offset, child) in enumerate(sorted(die["children"].items())):
                out.append(f"{indent}Child {i} (at offset 0x{hexa(offset)}):\n")
                self.dump_die(unit, child, indent + "  ", out)

    def program(self, r):
        size = r.int(4)
        if size == 0:
            return None
        start = r.at
        p = {"size": size, "version": r.int(2), "length": r.int(4)}
        p["min"] = r.int(1)
        if p["version"] == 4:
            r.int(1)  # the package that is compared fails at a table of version 4
        p["stmt"], p["base"], p["range"], p["opcodes"] = r.int(1) == 1, r.int(1, True), r.int(1), r.int(1)
        p["lengths"] = [r.leb() for _ in range(1, p["opcodes"])]
        p["folders"] = [f for _, f in r.repeated(lambda s: s.string() or None)]
        p["files"] = [
            f
            for _, f in r.repeated(
                lambda s: (lambda name: (name, s.leb(), s.leb(), s.leb()) if name else None)(s.string())
            )
        ]
        assert r.at == start + 6 + p["length"], "header length"
        code = r.sub(r.at, size - (r.at - start))
        r.at = start + size
        p["rows"] = list(self.rows(code, p))
        return p

    @staticmethod
    def rows(r, p):
        def fresh():
            return {
                "address": 0, "file": 1, "line": 1, "column": 0, "stmt": p["stmt"], "block": False, "end": False,
                "prologue": False, "epilogue": False, "isa": 0,
            }

        s = fresh()
        while not r.done:
            op = r.int(1)
            emit = False
            if op >= p["opcodes"]:
                s["address"] += (op - p["opcodes"]) // p["range"] * p["min"]
                s["line"] += p["base"] + (op - p["opcodes"]) % p["range"]
                emit = True
            elif op == 0:
                size, sub = r.int(1), r.int(1)
                if sub == 1:
                    yield {**s, "end": True}
                    s = fresh()
                else:
                    assert sub == 2, "extended opcode"
                    s["address"] = r.int(size - 1)
            elif op == 1:
                emit = True
            elif op == 2:
                s["address"] += p["min"] * r.leb()
            elif op == 3:
                s["line"] += r.leb(True)
            elif op in (4, 5, 12):
                s[{4: "file", 5: "column", 12: "isa"}[op]] = r.leb()
            elif op == 6:
                s["stmt"] = not s["stmt"]
            elif op in (7, 10, 11):
                s[{7: "block", 10: "prologue", 11: "epilogue"}[op]] = True
            elif op == 8:
                s["address"] += (255 - p["opcodes"]) // p["range"] * p["min"]
            elif op == 9:
                s["address"] += r.int(2)
            else:
                raise ValueError("opcode")
            if emit:
                yield dict(s)
                s.update(block=False, prologue=False, epilogue=False)

    def dump_program(self, p, out):
        out.append(
            f"  Size: {p['size']}\n  Version: {p['version']}\n  Header length: {p['length']}\n"
            f"  Min instruction length: {p['min']}\n"
        )
        out.append(
            f"  Default value of is_stmt: {'true' if p['stmt'] else 'false'}\n  Line base: {p['base']}\n"
            f"  Line range: {p['range']}\n  Opcode base: {p['opcodes']}\n"
        )
        out.append(
            "Standard opcode lengths:\n" + "".join(f"    Opcode {i + 1}: {n}\n" for i, n in enumerate(p["lengths"]))
        )
        out.append(
            "Include directories:\n" + "".join(f"    {f}\n" for f in p["folders"])
            if p["folders"]
            else "No include directories.\n"
        )
        if not p["files"]:
            out.append("No file information.\n")
        else:
            rows = [("Entry", "Dir", "Time", "Size", "Name")] + [
                (str(i + 1), str(f[1]), str(f[2]), str(f[3]), f[0]) for i, f in enumerate(p["files"])
            ]
            widths = [max(len(row[i]) for row in rows) for i in range(4)]
            out.append("File information:\n")
            out.extend("".join(" " + row[i].ljust(widths[i]) for i in range(4)) + " " + row[4] + "\n" for row in rows)
        out.append("Results of line number program:\n")
        for s in p["rows"]:
            flag = {key: "" if s[key] else "not " for key in ("stmt", "block", "end", "prologue", "epilogue")}
            out.append(
                f"Current line number state machine registers:\n  Address: {hexa(s['address'])}\n  Op index: 0\n"
                f"  File index: {s['file']}\n  Line number: {s['line']}\n"
                f"  Column number: {s['column']}\n  Is {flag['stmt']}a statement.\n"
                f"  Is {flag['block']}at the beginning of a basic block.\n"
                f"  Is {flag['end']}just after the end of a sequence.\n"
                f"  Is {flag['prologue']}at a function entry breakpoint.\n"
                f"  Is {flag['epilogue']}at a function exit breakpoint.\n"
                f"  Applicable instruction set architecture: {s['isa']}\n  Block discrimator: 0\n\n"
            )

    def dump(self):
        rule = "-" * 40 + "\n"
        out = [rule + "         Abbreviation tables\n" + rule + "\n"]
        for offset, table in self.tables.items():
            out.append(f"(Offset {hexa(offset, 4)}) Abbreviations table:\n\n")
            for code, abbr in table.items():
                out.append(
                    f"  {code}:\n    Tag: {self.word('tags', 'DW_TAG', abbr['tag'])}\n"
                    f"    Children: DW_CHILDREN_{'yes' if abbr['children'] else 'no'}\n    Attributes:\n"
                )
                out.extend(
                    f"      {self.word('attributes', 'DW_AT', n)}: {self.word('forms', 'DW_FORM', f)}\n"
                    for n, f, _ in abbr["attributes"]
                )
                out.append("\n")
        out.append(rule + "          Debug information\n" + rule + "\n")
        for unit in self.units:
            out.append(
                f"Compilation unit:\n  Size: {unit['size']}\n  Version: 2\n"
                f"  Abbreviations offset: 0x{hexa(unit['at'], 4)}\n  Address size: {unit['address']}\n\n"
            )
            for offset, die in unit["dies"].items():
                out.append(f"Debug information entry at offset 0x{hexa(offset)}:\n")
                self.dump_die(unit, die, "", out)
                out.append("\n")
            out.append("\n")
        out.append(rule + "        Line number information\n" + rule + "\n")
        for offset, program in self.programs.items():
            out.append(f"Line number program @ 0x{hexa(offset)}\n")
            self.dump_program(program, out)
        return "".join(out)


# --- files ---

CPUS = {12: "ARM", 0x0100000C: "ARM64", 7: "I386", 0x01000007: "X64"}


def dump_fat(data):
    count = struct.unpack(">I", data[4:8])[0]
    arches = [struct.unpack(">5I", data[8 + 20 * i : 28 + 20 * i]) for i in range(count)]
    chosen = {}
    for cpu, _, offset, size, _ in arches:
        if cpu not in CPUS:
            continue
        image = MachO(data[offset : offset + size])
        if not image.is_dart():
            continue
        if cpu not in chosen or image.filetype == 10 or chosen[cpu].dwarf is None:
            chosen[cpu] = image
    rule = "-" * 40 + "\n"
    out = rule + "       Universal Binary Header\n" + rule + f"\nMagic: 0xbebafeca\nNumber of architectures: {count}\n"
    for i, (cpu, subtype, offset, size, align) in enumerate(arches):
        out += (
            f"Arch {i}:\n  Cpu Type: 0x{hexa(cpu, 4)}\n  Cpu Subtype: 0x{hexa(subtype, 4)}\n"
            f"  Offset: 0x{hexa(offset, 4)}\n  Size: {size}\n  Alignment: {align}\n"
        )
    rule = "-" * 58 + "\n"
    for cpu, image in chosen.items():
        out += (
            "\n\n"
            + rule
            + f"          Selected Mach-O Contents for CPU_ARCH_{CPUS[cpu]}\n"
            + rule
            + "\n"
            + image.dump()
        )
    out += "\n"
    for cpu, image in chosen.items():
        if image.dwarf is not None:
            out += f"For architecture CPU_ARCH_{CPUS[cpu]}:\n" + Dwarf(image).dump() + "\n"
    return out


def dump(path):
    if path.endswith(".dSYM"):
        folder = os.path.join(path, "Contents", "Resources", "DWARF")
        (name,) = os.listdir(folder)
        path = os.path.join(folder, name)
    data = open(path, "rb").read()
    if data[:4] == b"\xca\xfe\xba\xbe":
        return dump_fat(data)
    image = Elf(data) if data[:4] == b"\x7fELF" else MachO(data)
    return image.dump() + "\n" + Dwarf(image).dump()


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    sys.stdout.write(dump(sys.argv[1]))
