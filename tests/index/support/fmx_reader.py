#!/usr/bin/env python3
"""A second reader of framemap indexes, written from docs/index-format.md alone. It is slow and simple, and an oracle
for the reader in C.

As a program it reads lines: "index NAME HEX" opens and verifies an index, "ask SCOPE POSITION ANSWER" looks up in it
and compares. SCOPE is a number or the key's bytes in hex ("-" for no bytes); ANSWER is what answer_text() writes. The
first difference ends it with status 1.
"""

import sys

MASK = (1 << 64) - 1
P1, P2, P3, P4, P5 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5


def rotl(value, by):
    return (value << by | value >> (64 - by)) & MASK


def lane_round(lane, word):
    return rotl((lane + word * P2) & MASK, 31) * P1 & MASK


def xxh64(data, seed=0):
    at, size = 0, len(data)
    if size >= 32:
        lanes = [(seed + P1 + P2) & MASK, (seed + P2) & MASK, seed, (seed - P1) & MASK]
        while at + 32 <= size:
            for i in range(4):
                lanes[i] = lane_round(lanes[i], int.from_bytes(data[at + 8 * i:at + 8 * i + 8], "little"))
            at += 32
        value = sum(rotl(lane, by) for lane, by in zip(lanes, (1, 7, 12, 18))) & MASK
        for lane in lanes:
            value = ((value ^ lane_round(0, lane)) * P1 + P4) & MASK
    else:
        value = (seed + P5) & MASK
    value = (value + size) & MASK
    while at + 8 <= size:
        value = (rotl(value ^ lane_round(0, int.from_bytes(data[at:at + 8], "little")), 27) * P1 + P4) & MASK
        at += 8
    if at + 4 <= size:
        value = (rotl(value ^ (int.from_bytes(data[at:at + 4], "little") * P1 & MASK), 23) * P2 + P3) & MASK
        at += 4
    for byte in data[at:]:
        value = rotl(value ^ (byte * P5 & MASK), 11) * P1 & MASK
    value = (value ^ value >> 33) * P2 & MASK
    value = (value ^ value >> 29) * P3 & MASK
    return value ^ value >> 32


class Damaged(Exception):
    pass


def need(condition, what):
    if not condition:
        raise Damaged(what)


def unzigzag(code):
    return code >> 1 if code & 1 == 0 else -(code >> 1) - 1


def width_of(number):
    return number.bit_length()


(
    ATTRIBUTES,
    SCOPES,
    SCOPE_HASH,
    RANGES,
    BUCKETS,
    BLOCKS,
    NODES,
    WIDES,
    ROOTS,
    EXTRAS,
    FUNCTIONS,
    FILES,
    TEXTS,
    GROUPS,
    PLACES,
    STRINGS,
    NAMES,
    NAME_HASH,
    CLASSES,
    CLASS_HASH,
    METHODS,
    CLASS_FIELDS,
    SPANS,
    MEMBERS,
    NOTE_LISTS,
    NOTES,
    SOURCES,
    LINES,
    SEGMENT_BLOCKS,
    SEGMENT_GUIDE,
    SEGMENTS,
    SOURCE_STRETCHES,
    GENERATED_STRETCHES,
    OFFSET_LISTS,
    OFFSETS,
    CALL_SITES,
    SEGMENT_RANGES,
    SORTED_TEXTS,
    SYMBOLS,
    NODE_RANKS,
    ROOT_GROUPS,
    DETAILS,
) = range(1, 43)
FIELDS = {
    ATTRIBUTES: 4,
    SCOPES: 4,
    SCOPE_HASH: 1,
    RANGES: 2,
    BUCKETS: 1,
    BLOCKS: 0,
    NODES: 5,
    WIDES: 5,
    ROOTS: 3,
    EXTRAS: 4,
    FUNCTIONS: 7,
    FILES: 4,
    TEXTS: 2,
    GROUPS: 1,
    PLACES: 6,
    STRINGS: 0,
    NAMES: 4,
    NAME_HASH: 1,
    CLASSES: 6,
    CLASS_HASH: 1,
    METHODS: 3,
    CLASS_FIELDS: 3,
    SPANS: 0,
    MEMBERS: 7,
    NOTE_LISTS: 1,
    NOTES: 6,
    SOURCES: 7,
    LINES: 2,
    SEGMENT_BLOCKS: 2,
    SEGMENT_GUIDE: 1,
    SEGMENTS: 0,
    SOURCE_STRETCHES: 6,
    GENERATED_STRETCHES: 7,
    OFFSET_LISTS: 3,
    OFFSETS: 1,
    CALL_SITES: 7,
    SEGMENT_RANGES: 2,
    SORTED_TEXTS: 1,
    SYMBOLS: 0,
    NODE_RANKS: 2,
    ROOT_GROUPS: 1,
    DETAILS: 5,
}
WIDE_FIELDS = {(SCOPES, 0), (RANGES, 0), (RANGES, 1), (ROOTS, 0), (ROOTS, 1), (NOTES, 5), (NODE_RANKS, 1)}
GREATEST_LINE = (1 << 32) - 1


class Bits:
    """Packed fields, read from the bytes as one large number."""

    def __init__(self, data):
        self.value = int.from_bytes(data, "little")
        self.size = 8 * len(data)

    def get(self, at, width):
        need(at + width <= self.size, "a field outside of its section")
        return self.value >> at & (1 << width) - 1


class Table:
    def __init__(self, data, widths, count):
        self.rows = []
        row_bits = sum(widths)
        for r in range(count):
            bits = Bits(data[r * row_bits // 8:((r + 1) * row_bits + 7) // 8])
            at, row = r * row_bits % 8, []
            for width in widths:
                row.append(bits.get(at, width))
                at += width
            self.rows.append(row)
        self.widths = widths

    def __getitem__(self, row):
        need(0 <= row < len(self.rows), "a row that is not there")
        return self.rows[row]

    def __len__(self):
        return len(self.rows)


class Index:
    def __init__(self, data):
        self.data = data
        need(data[:4] == b"FMX\0", "magic")
        self.version = self.u32(4)
        need(self.version in (1, 2), "version")
        head, sections = self.u32(8), self.u32(12)
        need(sections <= 64 and head == 56 + 40 * sections and self.u64(16) == len(data), "sizes in the header")
        need(self.u64(24) == xxh64(data[32:head], xxh64(data[:24])), "check of the header")
        self.base, self.positions, self.shift = self.u64(32), self.u64(40), data[48]
        self.flags = data[50]
        need(self.shift <= 62 and self.flags < 64 and data[51:56] == bytes(5), "header")
        self.numbered = bool(self.flags & 2)
        self.tables = {id: Table(b"", [0] * FIELDS[id], 0) for id in FIELDS}
        self.symbols, self.sorted, self.root_bytes, self.roots = [], None, b"", []
        self.blocks = self.strings = self.spans = self.segments = b""
        self.read_sections(head, sections)
        need(data[-8:] == bytes(8), "tail")
        if self.version > 1:
            self.roots = self.read_roots()
        self.nodes = len(self.tables[NODES]) + (len(self.roots) if self.version > 1 else 0)
        self.root_of, self.row_of = self.number_nodes()
        need(len(self.tables[DETAILS]) <= len(self.tables[FUNCTIONS]), "details of no function")

    def u32(self, at):
        return int.from_bytes(self.data[at:at + 4], "little")

    def u64(self, at):
        return int.from_bytes(self.data[at:at + 8], "little")

    def read_sections(self, head, sections):
        expected, before = head, 0
        for i in range(sections):
            entry = 56 + 40 * i
            id, widths = self.data[entry], list(self.data[entry + 1:entry + 8])
            count, offset, size, check = (self.u64(entry + at) for at in (8, 16, 24, 32))
            need(id > before and offset == expected and offset + size + 8 <= len(self.data), "directory")
            before, expected = id, offset + size
            if id not in FIELDS:
                continue
            data = self.data[offset:offset + size]
            need(xxh64(data) == check, "hash of section %d" % id)
            need(not any(widths[FIELDS[id]:]), "widths")
            if id == BLOCKS:
                self.blocks = data
            elif id == STRINGS:
                self.strings = data
            elif id == SYMBOLS:
                self.read_symbols(data)
            elif id == ROOTS and self.version > 1:
                self.root_bytes = data
            elif id == SPANS:
                self.spans = data
            elif id == SEGMENTS:
                self.segments = data
            else:
                widths = widths[:FIELDS[id]]
                need(all(w <= (64 if (id, f) in WIDE_FIELDS else 57) for f, w in enumerate(widths)), "widths")
                need(sum(widths) > 0 and size == (count * sum(widths) + 7) // 8, "size of section %d" % id)
                self.tables[id] = Table(data, widths, count)
        need(expected + 8 == len(self.data), "sections do not fill the file")

    # --- reading nodes and functions of version 2 ---

    def ranks(self):
        """Returns {number: rank} of the nodes whose bit is set in a table; if the index does not have the table, of all
        nodes."""
        ranks, count = self.tables[NODE_RANKS].rows, len(self.roots)
        if not ranks:
            need(count == self.nodes, "a table of bits that is not there")
            return {i: i for i in range(count)}
        need(len(ranks) == (self.nodes + 63) // 64, "rows of a table of bits")
        numbers = [64 * r + bit for r, (_, bits) in enumerate(ranks) for bit in range(64) if bits >> bit & 1]
        need(all(n < self.nodes for n in numbers) and len(numbers) == count, "bits")
        need(all(before == sum(n < 64 * r for n in numbers) for r, (before, _) in enumerate(ranks)), "sums of bits")
        return {n: rank for rank, n in enumerate(numbers)}

    def number_nodes(self):
        """Maps nodes to the numbers of roots (out-of-line functions) and to rows of the section NODES."""
        if self.version == 1:
            width, rows = self.tables[NODES].widths[2], self.tables[NODES].rows
            roots = {n: row[2] | row[3] << width for n, row in enumerate(rows) if row[1] == 0}
            return roots, {n: n for n in range(len(rows)) if n not in roots}
        roots = self.ranks()
        return roots, {n: row for row, n in enumerate(n for n in range(self.nodes) if n not in roots)}

    def read_roots(self):
        """Returns (begin, size, flags, code of the function) of each root. Flags: 1, it has a start; 2, it has extra
        texts; 4, the compiler generated it."""
        roots, expected = [], 0
        for i, (at,) in enumerate(self.tables[ROOT_GROUPS].rows):
            need(at == expected, "a group of roots out of place")
            group, size = self.read_root_group(Bits(self.root_bytes[at:]))
            need(len(group) == 32 or i + 1 == len(self.tables[ROOT_GROUPS]), "a group of too few roots")
            roots, expected = roots + group, at + size
        need(expected == len(self.root_bytes), "bytes of no root")
        return roots

    def read_root_group(self, bits):
        at = 0

        def take(width):
            nonlocal at
            at += width
            return bits.get(at - width, width)

        count, base_width, begin_width, size_width, gaps, varying, common, bare = [
            take(w) for w in (5, 7, 7, 7, 1, 3, 3, 1)
        ]
        count += 1
        kinds, width, functions = (
            [[take(1) for _ in range(count)] for _ in range(1 + bare)],
            width_of(len(self.tables[FUNCTIONS])),
            [],
        )
        codes = [take(width) + 1 for _ in kinds]
        for i in range(count):
            kind = next((k for k, bits in enumerate(kinds) if bits[i]), None)
            functions.append(take(width) if kind is None else codes[kind])
            if kind is not None:
                codes[kind] += 1
        base = take(base_width)
        begins = [take(begin_width) for _ in range(count + gaps)]
        sizes = [take(size_width) for _ in range(count)]
        if gaps:
            sizes = [b - a - gap for a, b, gap in zip(begins, begins[1:], sizes)]
            need(min(sizes) >= 0, "a size")
        own = [sum(flag for flag in (1, 2, 4) if varying & flag and take(1)) for _ in range(count)]
        need(varying & common == 0 and max(functions) <= len(self.tables[FUNCTIONS]), "flags and functions")
        flags = [common | f for f in own]
        return [(base + begin if f & 1 else 0, size, f, function)
                for begin, size, f, function in zip(begins, sizes, flags, functions)], (at + 7) // 8

    def read_symbols(self, data):
        need(len(data) >= 8, "symbols")
        at = 8
        for size, count in enumerate(data[:8], 1):
            for _ in range(count):
                self.symbols.append(data[at:at + size])
                at += size
        need(at == len(data) and 0 < len(self.symbols) <= 255, "symbols")

    def decode(self, codes):
        if not self.symbols:
            return codes
        out, at = b"", 0
        while at < len(codes):
            if codes[at] == 255:
                need(at + 1 < len(codes), "a plain byte")
                out += codes[at + 1:at + 2]
                at += 2
            else:
                need(codes[at] < len(self.symbols), "a code")
                out += self.symbols[codes[at]]
                at += 1
        return out

    def read_group(self, at):
        """Returns the texts of a group, and where the group ends."""
        bits = Bits(self.strings[at:])
        count, common_width, size_width = bits.get(0, 5) + 1, bits.get(5, 4), bits.get(9, 5)
        bit, heads = 14, []
        for i in range(count):
            common = bits.get(bit, common_width) if i else 0
            bit += common_width if i else 0
            heads.append((common, bits.get(bit, size_width)))
            bit += size_width
        at, texts = at + (bit + 7) // 8, [b""]
        for common, size in heads:
            need(at + size <= len(self.strings) and common <= len(texts[-1]), "a text of a group")
            texts.append(texts[-1][:common] + self.decode(self.strings[at:at + size]))
            at += size
        return texts[1:], at

    def sorted_texts(self):
        if self.sorted is None:
            self.sorted, groups = [], self.tables[SORTED_TEXTS].rows
            for i, (at,) in enumerate(groups):
                texts, end = self.read_group(at)
                need(len(texts) == 32 or i + 1 == len(groups), "a group of too few texts")
                need(end == (groups[i + 1][0] if i + 1 < len(groups) else len(self.strings)), "a group's end")
                self.sorted += texts
            need(all(a < b for a, b in zip(self.sorted, self.sorted[1:])), "texts out of order")
        return self.sorted

    def record_text(self, at, size):
        """Returns a text of the section FUNCTIONS, EXTRAS, FILES or TEXTS."""
        if self.version == 1:
            return self.text(at, size)
        need(size == 0 and at <= len(self.sorted_texts()), "a text that is not there")
        return self.sorted_texts()[at - 1] if at else None

    def text(self, at, size):
        if at == 0:
            need(size == 0, "size of an absent text")
            return None
        need(at + size <= len(self.strings), "a text outside the strings")
        return self.strings[at:at + size]

    def text_code(self, code):
        return None if code == 0 else self.record_text(*self.tables[TEXTS][code - 1])

    # --- finding scopes and axis offsets ---

    def scope_key(self, scope):
        row = self.tables[SCOPES][scope]
        return row[0] if self.numbered else self.text(row[0], row[1])

    def scope(self, key):
        slots, scopes = self.tables[SCOPE_HASH], self.tables[SCOPES]
        bisected = None
        low, high = 0, len(scopes)
        while low < high:
            middle = (low + high) // 2
            found = self.scope_key(middle)
            if found == key:
                bisected = middle
                break
            low, high = (middle + 1, high) if found < key else (low, middle)
        if len(slots):
            need(len(slots) & len(slots) - 1 == 0, "a hash of no power of two")
            at = xxh64(key) % len(slots)
            for _ in range(64):
                code = slots[at][0]
                if code == 0:
                    need(bisected is None, "a scope that the hash has not")
                    return None
                if self.scope_key(code - 1) == key:
                    need(bisected == code - 1, "the hash's scope")
                    return bisected
                at = (at + 1) % len(slots)
            return None
        return bisected

    def ranges(self, scope):
        scopes, ranges = self.tables[SCOPES], self.tables[RANGES]
        if scopes.widths[2] == 0 and len(ranges) == len(scopes) + 1:
            return scope, scope + 1
        return scopes[scope][2], scopes[scope + 1][2] if scope + 1 < len(scopes) else len(ranges) - 1

    def axis_offset(self, scope, position):
        """Returns the row of the range that contains a position, and the position's axis offset; None if no range
        contains it."""
        first, end = self.ranges(scope)
        rows = self.tables[RANGES]
        found = None
        for r in range(first, end):
            if rows[r][0] <= position:
                found = r
        if found is None:
            return None
        distance = position - rows[found][0] >> self.tables[SCOPES][scope][3]
        return found, rows[found][1] + min(distance, rows[found + 1][1] - rows[found][1] - 1)

    # --- blocks ---

    def block(self, bucket):
        """Returns a list of entries: (low, line relative to the function's, column, name code, node code, file code,
        follows), or (low, None) for a gap."""
        bits = Bits(self.blocks[self.tables[BUCKETS][bucket][0]:])
        at = 4

        def take(width):
            nonlocal at
            at += width
            return bits.get(at - width, width)

        flags = bits.get(0, 4)
        is_long = flags & 1
        rows, contexts, line_width, col_width, file_width, node_width, base_width = (
            take(w) for w in ((32, 32, 6, 6, 6, 6, 6) if is_long else (8, 6, 4, 4, 5, 5, 4)))
        rows += 1
        need(max(line_width, col_width, file_width, node_width, base_width) <= 34, "a width")
        at = 104 if is_long else 40
        follows = names = 0
        if flags & 8:
            follows, names = take(1), take(31 if is_long else 15)
        groups = max(len(self.tables[GROUPS]) - 1, 0)
        base = take(width_of(self.nodes + groups)) if contexts else 0
        gap = 1 if flags & 4 else 0
        lows = [0] + self.lows(take, rows - 1)
        packed = [
            (take(width_of(contexts + gap - 1)), take(width_of(names)), take(line_width), take(col_width))
            for _ in range(rows)
        ]
        shared = [
            (take(node_width), take(file_width), take(base_width), take(1) if follows else 0) for _ in range(contexts)
        ]
        texts = [take(width_of(max(len(self.tables[TEXTS]) - 1, 0))) for _ in range(names)]
        entries = []
        for low, (context, name, line, col) in zip(lows, packed):
            if context == contexts and gap:
                entries.append((low, None))
                continue
            need(context < contexts and name <= names, "an entry")
            delta, file, line_base, grows = shared[context]
            entries.append(
                (
                    low,
                    None if line == 0 else unzigzag(line_base) + line - 1,
                    col,
                    texts[name - 1] + 1 if name else 0,
                    base + delta - 1 if delta else 0,
                    file,
                    bool(grows),
                )
            )
        return bool(flags & 2), entries

    def lows(self, take, entries):
        """Returns the low bits of the entries after the first one."""
        upper = max((u for u in range(6) if 1 << u <= entries and entries + (1 << u) <= 64), default=0)
        if entries < 4 or upper < 2 or upper > self.shift:
            return [take(self.shift) for _ in range(entries)]
        word, parts, part = take(entries + (1 << upper)), [], 0
        for _ in range(entries + (1 << upper)):
            if word & 1:
                parts.append(part)
            else:
                part += 1
            word >>= 1
        need(len(parts) == entries and part == 1 << upper, "a word of upper parts")
        return [part << self.shift - upper | take(self.shift - upper) for part in parts]

    # --- records ---

    def path(self, file):
        if file is None:
            return None
        folder, folder_size, name, name_size = self.tables[FILES][file]
        return (self.record_text(folder, folder_size) or b"") + self.record_text(name, name_size)

    def function(self, node):
        """Returns name (two fields), class, home, line, flags and language of the node's function."""
        if self.version == 1:
            code = self.tables[NODES][node][0]
            return None if code == 0 else self.tables[FUNCTIONS][code - 1]
        code = self.roots[self.root_of[node]][3] if node in self.root_of else self.tables[NODES][self.row_of[node]][0]
        if code == 0:
            return None
        details = self.tables[DETAILS]
        return self.tables[FUNCTIONS][code - 1][:2] + (details[code - 1] if code <= len(details) else [0, 0, 0, 0, 1])

    def home(self, node):
        """Returns file and line of the node's function."""
        function = self.function(node)
        if function is None:
            return None, 0
        return (function[3] - 1 if function[3] else None), function[4]

    def parent(self, node):
        """Returns parent, call path, call line and call column of a node; the parent of a root is None."""
        if node in self.root_of:
            return None, None, 0, 0
        _, up, line, col, _ = self.tables[NODES][self.row_of[node]]
        need(up > 0, "a node that is up to nothing")
        if up == (1 << self.tables[NODES].widths[1]) - 1:
            row = [r for r in self.tables[WIDES].rows if r[0] == node]
            need(len(row) == 1, "a wide node without its row")
            _, parent, file, line, col = row[0]
            need(parent < node, "a parent after its child")
            return parent, self.path(file - 1 if file else None), line, col
        home, decl_line = self.home(node - up)
        return node - up, self.path(home), decl_line + unzigzag(line - 1) if line else 0, col

    def root(self, node):
        """Returns start, size, whether there is a start, symbol and aliases of a root."""
        number = self.root_of[node]
        begin, size, flags = self.tables[ROOTS][number] if self.version == 1 else self.roots[number][:3]
        extras = [r for r in self.tables[EXTRAS].rows if r[0] == number]
        need(bool(flags & 2) == bool(extras), "extra texts of a root")
        symbol = [self.record_text(r[1], r[2]) for r in extras if r[3] == 0]
        return (
            begin,
            size,
            bool(flags & 1),
            symbol[0] if symbol else None,
            [self.record_text(r[1], r[2]) for r in extras if r[3] == 1],
        )

    def frame(self, node):
        function = self.function(node) or [0] * 7
        parent, call_path, call_line, call_col = self.parent(node)
        begin, size, has_begin, symbol, aliases = self.root(node) if parent is None else (0, 0, False, None, [])
        if self.version == 1 or parent is not None:
            flags = self.tables[NODES][self.row_of.get(node, node)][4]
        else:
            flags = self.roots[self.root_of[node]][2] >> 2
        flags |= 2 if has_begin else 0
        declared = self.path(function[3] - 1 if function[3] else None) if function[5] & 1 else None
        language = (function[6] - 1) % 256 if self.function(node) else 0
        fields = [
            self.record_text(function[0], function[1]),
            self.text_code(function[2]),
            declared,
            function[4],
            language,
            call_path,
            call_line,
            call_col,
            flags,
            begin,
            size,
            symbol,
        ]
        return parent, "|".join(show(f) for f in fields) + "".join("+" + show(a) for a in aliases)

    def chain(self, code):
        if code == 0:
            return "none"
        frames, node = [], code - 1
        while node is not None:
            need(len(frames) < 1024, "a chain of too many nodes")
            node, frame = self.frame(node)
            frames.append(frame)
        return "<".join(frames)

    # --- answers ---

    def places(self, entry, grown):
        """Returns (file path, line, column, name, node code, flags) of each alternative. grown: positions since the
        start of the entry in its block."""
        if entry[1:] == (None,):
            return []
        _, line, col, name, code, file, follows = entry
        nodes = self.nodes
        if code > nodes:
            group = code - nodes - 1
            rows = [
                self.tables[PLACES][r] for r in range(self.tables[GROUPS][group][0], self.tables[GROUPS][group + 1][0])
            ]
            return [
                (
                    self.path(r[1] - 1 if r[1] else None),
                    grow(r[2], (line or 0) + grown) if r[5] & 1 else r[2],
                    r[3],
                    self.text_code(r[4]),
                    r[0],
                    r[5],
                )
                for r in rows
            ]
        home, decl_line = self.home(code - 1) if code else (None, 0)
        path = self.path(home if file == 0 else None if file == 1 else file - 2)
        line = 0 if line is None else line + decl_line
        need(0 <= line <= GREATEST_LINE, "a line")
        return [(path, grow(line, grown) if follows else line, col, self.text_code(name), code, 1 if follows else 0)]

    def lookup(self, scope, position):
        """Returns the places at a position."""
        found = self.axis_offset(scope, position)
        if found is None:
            return []
        row, at = found
        bucket = at >> self.shift
        entry = [e for e in self.block(bucket)[1] if (bucket << self.shift) + e[0] <= at][-1]
        first, begin = self.tables[RANGES][row]
        entry_position = first + ((bucket << self.shift) + entry[0] - begin << self.tables[SCOPES][scope][3])
        return self.places(entry, position - entry_position)

    def answer_text(self, scope, position):
        return ";".join("%s@%s:%d:%d:%s:%d" % (self.chain(code), show(path), line, col, show(name), flags)
                        for path, line, col, name, code, flags in self.lookup(scope, position))

    def verify(self):
        keys = [self.scope_key(i) for i in range(len(self.tables[SCOPES]))]
        need(all(a < b for a, b in zip(keys, keys[1:])), "scopes out of order")
        need(all(self.scope(key) == i for i, key in enumerate(keys)), "a scope that is not found")
        axis_offsets = [row[1] for row in self.tables[RANGES].rows]
        need(
            axis_offsets[0] == 0
            and all(a < b for a, b in zip(axis_offsets, axis_offsets[1:]))
            and axis_offsets[-1] <= 1 << 62,
            "ranges out of order",
        )
        if self.flags & 8:
            return
        need(len(self.tables[BUCKETS]) == (axis_offsets[-1] - 1 >> self.shift) + 1, "number of buckets")
        begins, entries = set(), 0
        for bucket in range(len(self.tables[BUCKETS])):
            carried, rows = self.block(bucket)
            lows = [row[0] for row in rows]
            need(all(a < b for a, b in zip(lows, lows[1:])), "entries out of order")
            own = lows[1:] if carried else lows
            entries += len(own)
            begins.update((bucket << self.shift) + low for low in own)
        need(entries == self.positions and begins.issuperset(axis_offsets[:-1]), "entries")
        for node in range(self.nodes):
            self.frame(node)


def grow(line, by):
    return 0 if line == 0 else min(line + by, GREATEST_LINE)


def show(value):
    return "" if value is None else str(value) if isinstance(value, int) else value.decode("latin-1")


def main():
    index, name, asked = None, "", 0
    for line in sys.stdin:
        words = line.rstrip("\n").split(" ", 3)
        if words[0] == "index":
            name = words[1]
            index = Index(bytes.fromhex(words[2]))
            index.verify()
            continue
        key = int(words[1]) if index.numbered else bytes.fromhex(words[1].replace("-", ""))
        scope = index.scope(key)
        got = "no scope" if scope is None else index.answer_text(scope, int(words[2]))
        if got != words[3]:
            sys.exit("%s: scope %s, position %s: got\n  %s\nwanted\n  %s" % (name, key, words[2], got, words[3]))
        asked += 1
    print("%d answers agree" % asked)
    return 0 if asked else 1


if __name__ == "__main__":
    sys.exit(main())
