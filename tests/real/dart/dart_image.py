"""A second reader of the debug info that Dart's compiler writes, with which framemap's is compared. Written from the
DWARF standard and the files themselves: ELF and Mach-O, little-endian, one compile unit of DWARF 2, one line program.
It is slow and short, and refuses files that it does not support."""

import bisect
import struct

TEXTS = ("_kDartSnapshotText", "_kDartIsolateSnapshotInstructions")
STUBS = "_kDartVmSnapshotInstructions"
ELF_ARCH = {3: "ia32", 40: "arm", 62: "x64", 183: "arm64", 243: "riscv64"}
MACH_ARCH = {0x01000007: "x64", 0x0100000C: "arm64"}
SUBPROGRAM, INLINED, UNIT = 0x2E, 0x1D, 0x11
NAME, STMT_LIST, LOW, HIGH, ORIGIN, ARTIFICIAL = 0x03, 0x10, 0x11, 0x12, 0x31, 0x34
CALL_COLUMN, CALL_FILE, CALL_LINE = 0x57, 0x58, 0x59


class Die:
    """A function, or a function that was inlined into it."""

    __slots__ = ("origin", "low", "high", "artificial", "call", "inner", "name")

    def __init__(self, values):
        self.origin = values.get(ORIGIN)
        self.low, self.high = values[LOW], values[HIGH]
        self.artificial = bool(values.get(ARTIFICIAL))
        self.call = (values.get(CALL_FILE, 0), values.get(CALL_LINE, 0), values.get(CALL_COLUMN, 0))
        self.inner, self.name = [], None


class Image:
    """A program. bits, arch, id; text, stubs_text: addresses of its two texts; symbols: (address, size, name) in the
    order of the symbol table; functions; files; rows and rows_end of the line table."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        self.id, self.text, self.stubs_text, self.text_name, self.text_size = "", None, None, None, 0
        self.sections, self.symbols = {}, []
        self.is_mach = self.data[:4] != b"\x7fELF"
        if self.data[:4] == b"\x7fELF":
            self.read_elf()
        elif self.data[:4] == b"\xcf\xfa\xed\xfe":
            self.read_mach()
        else:
            raise ValueError("neither ELF nor 64-bit Mach-O")
        for address, size, name in self.symbols:
            if name in TEXTS:
                self.text, self.text_name, self.text_size = address, name, size
            elif name == STUBS:
                self.stubs_text = address
        if self.text is None:
            raise ValueError("no text symbol of Dart's")
        if not self.sections.get("debug_info"):
            raise ValueError("no debug info")
        self.read_entries()
        self.read_lines()

    # --- reading the containers ELF and Mach-O ---

    def read_elf(self):
        data = self.data
        self.bits = 64 if data[4] == 2 else 32
        self.arch = ELF_ARCH[struct.unpack_from("<H", data, 18)[0]]
        wide = self.bits == 64
        at = struct.unpack_from("<Q", data, 40)[0] if wide else struct.unpack_from("<I", data, 32)[0]
        size, count, names = struct.unpack_from("<HHH", data, 58 if wide else 46)
        rows = [struct.unpack_from("<IIQQQQII" if wide else "<IIIIIIII", data, at + i * size) for i in range(count)]
        strings = rows[names][4]
        for name, kind, _, _, offset, length, link, _ in rows:
            name = self.string(strings + name)
            if kind == 2:
                self.elf_symbols(offset, length, rows[link][4], wide)
            elif name == ".note.gnu.build-id":
                owner, described = struct.unpack_from("<II", data, offset)
                self.id = data[offset + 12 + (owner + 3 & ~3):][:described].hex()
            elif name.startswith(".debug_"):
                self.sections[name[1:]] = data[offset:offset + length]

    def elf_symbols(self, offset, length, strings, wide):
        for at in range(offset, offset + length, 24 if wide else 16):
            if wide:
                name, _, _, section, value, size = struct.unpack_from("<IBBHQQ", self.data, at)
            else:
                name, value, size, _, _, section = struct.unpack_from("<IIIBBH", self.data, at)
            if section:
                self.symbols.append((value, size, self.string(strings + name)))

    def read_mach(self):
        data = self.data
        self.bits = 64
        self.arch = MACH_ARCH[struct.unpack_from("<I", data, 4)[0]]
        count, at = struct.unpack_from("<I", data, 16)[0], 32
        for _ in range(count):
            command, size = struct.unpack_from("<II", data, at)
            if command == 0x19:
                self.mach_sections(at)
            elif command == 0x1B:
                self.id = data[at + 8:at + 24].hex()
            elif command == 2:
                self.mach_symbols(*struct.unpack_from("<IIII", data, at + 8)[:3])
            at += size

    def mach_sections(self, at):
        for i in range(struct.unpack_from("<I", self.data, at + 64)[0]):
            row = at + 72 + i * 80
            name = self.data[row:row + 16].rstrip(b"\0").decode()
            _, length, offset = struct.unpack_from("<QQI", self.data, row + 32)
            if name.startswith("__debug_"):
                self.sections[name[2:]] = self.data[offset:offset + length]

    def mach_symbols(self, offset, count, strings):
        for at in range(offset, offset + count * 16, 16):
            name, kind, _, _, value = struct.unpack_from("<IBBHQ", self.data, at)
            if kind & 0xE0 == 0 and kind & 0x0E == 0x0E:
                self.symbols.append((value, 0, self.string(strings + name)))

    def string(self, at):
        return self.data[at:self.data.index(b"\0", at)].decode("utf-8", "surrogateescape")

    # --- reading debug info ---

    def read_abbreviations(self):
        data, at, out = self.sections["debug_abbrev"], 0, {}
        while True:
            code, at = leb(data, at)
            if code == 0:
                return out
            tag, at = leb(data, at)
            children = data[at]
            at += 1
            forms = []
            while True:
                attribute, at = leb(data, at)
                form, at = leb(data, at)
                if attribute == 0:
                    break
                forms.append((attribute, form))
            out[code] = (tag, forms, children)

    def read_entries(self):
        data = self.sections["debug_info"]
        length, version, _, address_bytes = struct.unpack_from("<IHIB", data)
        if version != 2 or length + 4 != len(data):
            raise ValueError(f"{version=}, {length=} of {len(data)}")
        abbreviations = self.read_abbreviations()
        names, stack, at = {}, [], 11
        self.functions = []
        while at < len(data):
            offset = at
            code, at = leb(data, at)
            if code == 0:
                if stack:
                    stack.pop()
                continue
            tag, forms, children = abbreviations[code]
            values = {}
            for attribute, form in forms:
                values[attribute], at = read_form(data, at, form, address_bytes, self.sections)
            die = None
            if NAME in values:
                names[offset] = values[NAME]
            if tag in (SUBPROGRAM, INLINED) and LOW in values:
                die = Die(values)
                (stack[-1].inner if tag == INLINED and stack and stack[-1] else self.functions).append(die)
            if tag == UNIT:
                self.line_offset = values[STMT_LIST]
            if children:
                stack.append(die)
        self.names = names
        self.functions.sort(key=lambda die: die.low)
        self.lows = [die.low for die in self.functions]

    def read_lines(self):
        data, at = self.sections["debug_line"], self.line_offset
        length, version, header = struct.unpack_from("<IHI", data, at)
        end, program = at + 4 + length, at + 10 + header
        minimum, is_statement, base, span, first = struct.unpack_from("<BBbBB", data, at + 10)
        if version != 2 or not is_statement:
            raise ValueError(f"line program of {version=}")
        counts = data[at + 15:at + 14 + first]
        at += 14 + first
        if data[at]:
            raise ValueError("a table of folders")
        at += 1
        self.files = [None]
        while data[at]:
            stop = data.index(b"\0", at)
            self.files.append(data[at:stop].decode("utf-8", "surrogateescape"))
            at = stop + 1
            for _ in range(3):
                _, at = leb(data, at)
        self.rows, self.rows_end = run_lines(data, program, end, minimum, base, span, first, counts)
        self.row_addresses = [row[0] for row in self.rows]

    # --- answers ---

    def function_at(self, address):
        at = bisect.bisect_right(self.lows, address) - 1
        if at < 0 or not self.functions[at].low <= address < self.functions[at].high:
            return None
        return self.functions[at]

    def row_at(self, address):
        at = bisect.bisect_right(self.row_addresses, address) - 1
        return self.rows[at][1:] if at >= 0 and address < self.rows_end else (0, 0, 0)

    def place(self, place):
        file, line, column = place
        return self.files[file] if 0 < file < len(self.files) else "", line, column

    def chain(self, address):
        """Returns [(function, file, line, column, artificial)], innermost first; empty where no function is."""
        die = self.function_at(address)
        chain = []
        while die:
            chain.append(die)
            die = next((inner for inner in die.inner if inner.low <= address < inner.high), None)
        out, place = [], self.row_at(address) if chain else None
        for die in reversed(chain):
            out.append((self.names[die.origin], *self.place(place), die.artificial))
            place = die.call
        if len(chain) == 1 and chain[0].low == address:
            # The function was awaited: the address is the function's start and not a call. Such a frame is not marked
            # as artificial.
            out = [(*out[0][:4], False)]
        return out

    def symbol_at(self, address):
        """Returns the name of the symbol that starts nearest below an address, the first in the table if there are
        several, and its distance."""
        best = None
        for value, size, name in self.symbols:
            if value <= address and (size == 0 or address < value + size) and (best is None or best[0] < value):
                best = (value, name)
        return (best[1], address - best[0]) if best else None

    def edges(self):
        """Returns the addresses at which the answer may change."""
        out = set(self.row_addresses) | {self.rows_end}
        waiting = list(self.functions)
        while waiting:
            die = waiting.pop()
            out |= {die.low, die.high}
            waiting += die.inner
        out |= {value for value, _, _ in self.symbols} | {value + size for value, size, _ in self.symbols}
        return out

    def functions_and_inlined(self):
        """Yields all functions and inlined functions, in any order."""
        waiting = list(self.functions)
        while waiting:
            die = waiting.pop()
            waiting += die.inner
            yield die


def leb(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def signed_leb(data, at):
    start = at
    value, at = leb(data, at)
    return (value - (1 << 7 * (at - start)) if data[at - 1] & 64 else value), at


def read_form(data, at, form, address_bytes, sections):
    if form == 0x01:
        return int.from_bytes(data[at:at + address_bytes], "little"), at + address_bytes
    if form == 0x08:
        stop = data.index(b"\0", at)
        return data[at:stop].decode("utf-8", "surrogateescape"), stop + 1
    if form == 0x0F:
        return leb(data, at)
    if form in (0x0B, 0x0C):
        return data[at], at + 1
    if form in (0x06, 0x13, 0x17):
        return struct.unpack_from("<I", data, at)[0], at + 4
    if form == 0x0E:
        start = struct.unpack_from("<I", data, at)[0]
        strings = sections["debug_str"]
        return strings[start:strings.index(b"\0", start)].decode(), at + 4
    raise ValueError(f"form {form:#x}")


def run_lines(data, at, end, minimum, base, span, first, counts):
    """Runs a line program. Returns its rows (address, file, line, column), and the address at which the sequence ends.
    Of several rows at one address, only the last is returned."""
    rows, finish = {}, 0
    address, file, line, column = 0, 1, 1, 0
    while at < end:
        code = data[at]
        at += 1
        if code >= first:
            code -= first
            address += code // span * minimum
            line += base + code % span
            rows[address] = (file, line, column)
        elif code == 0:
            size, at = leb(data, at)
            if data[at] == 1:
                finish = address
                address, file, line, column = 0, 1, 1, 0
            elif data[at] == 2:
                address = int.from_bytes(data[at + 1:at + size], "little")
            at += size
        elif code == 1:
            rows[address] = (file, line, column)
        elif code == 2:
            step, at = leb(data, at)
            address += step * minimum
        elif code == 3:
            step, at = signed_leb(data, at)
            line += step
        elif code == 4:
            file, at = leb(data, at)
        elif code == 5:
            column, at = leb(data, at)
        elif code == 8:
            address += (255 - first) // span * minimum
        elif code == 9:
            address += struct.unpack_from("<H", data, at)[0]
            at += 2
        else:
            for _ in range(counts[code - 1]):
                _, at = leb(data, at)
    return sorted((where, *row) for where, row in rows.items()), finish
