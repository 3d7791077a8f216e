#!/usr/bin/env python3
"""A second reader of the class form of framemap indexes, written from docs/index-format.md alone; fmx_reader.py has
what both forms share.

As a program it reads lines. Names are the bytes in hex ("-" for no bytes).

index NAME HEX      opens and verifies an index
class NAME TEXT     looks up a residual class, and compares all of its contents with TEXT
none NAME           expects that there is no such class
source NAME TEXT    looks up an original class, and compares its source file
line CLASS METHOD LINE FROM END PLACE
                    searches the spans FROM to END of a method, END excluded, for the first that has the line
                    ("-": for the first without lines). PLACE: the span that must be found; "-": none

The program ends with status 1 at the first difference.
"""

import sys

from fmx_reader import (
    CLASSES,
    CLASS_FIELDS,
    CLASS_HASH,
    MEMBERS,
    METHODS,
    NAMES,
    NAME_HASH,
    NOTES,
    NOTE_LISTS,
    Bits,
    Index,
    need,
    unzigzag,
    width_of,
    xxh64,
)

SHORT, LONG = (6, 5, 4, 4, 4, 5, 4, 5, 3), (32, 32, 32, 6, 6, 6, 6, 6, 6)
RESIDUAL, ORIGINAL, PAIR = 1, 2, 4


def signed(number):
    number %= 1 << 32
    return number - (1 << 32) if number >> 31 else number


class Cursor:
    def __init__(self, data):
        self.bits, self.at = Bits(data), 0

    def take(self, width):
        value = self.bits.get(self.at, width)
        self.at += width
        return value


class Span:
    def __init__(self, shape, first, extent, line, code):
        self.shape = shape
        self.first, self.last = signed(first), signed(first + extent)
        self.line = signed(line)
        self.second = signed(line + (0 if code == 0 else extent if code == 1 else code - 2))
        need(shape & RESIDUAL == 0 or self.first <= self.last, "lines that end before they begin")
        need(shape & RESIDUAL or first == extent == 0, "residual lines of a span without")
        need(shape & ORIGINAL or line == 0, "original lines of a span without")
        need(shape & PAIR == 0 or shape & ORIGINAL, "a second line without a first")
        need(shape & PAIR or code == 0, "a second line of a span without")
        least = (
            0
            if self.second == self.line
            else 1 if shape & RESIDUAL and (self.second - self.line) % 2**32 == extent else None
        )
        need(code >= 2 if least is None else code == least, "the code of a second line")


class Run:
    """The spans of a method, read from their bytes."""

    def __init__(self, data):
        c = Cursor(data)
        flags = c.take(8)
        need(flags < 128, "flags of spans")
        self.long, self.shape, self.vary = bool(flags & 1), flags >> 1 & 7, bool(flags & 16)
        self.sorted, self.has_tree = bool(flags & 32), bool(flags & 64)
        self.numbers = [c.take(w) for w in (LONG if self.long else SHORT)]
        need(self.long == any(width_of(n) > w for n, w in zip(self.numbers, SHORT)), "a head of the wrong length")
        if self.long:
            need(c.take(144 - c.at) == 0, "bits after a head")
        spans, members, parts = (n + 1 for n in self.numbers[:3])
        first, extent, line, code, member, notes = self.numbers[3:]
        need(
            max(self.numbers[3:]) <= 33 and all(w <= 32 for w in (first, extent, line, member, notes)),
            "widths of spans",
        )
        local = width_of(members - 1)
        self.members = [c.take(member) for _ in range(members)]
        need(len(set(self.members)) == members, "a member twice")
        self.parts = [(c.take(width_of(spans - 1)), self.members[c.take(local)], c.take(2)) for _ in range(parts)]
        begins = [part[0] for part in self.parts]
        need(begins[0] == 0 and all(a < b for a, b in zip(begins, begins[1:])) and begins[-1] < spans, "parts")
        self.spans, self.span_members, self.notes = [], [], []
        for _ in range(spans):
            shape = c.take(3) if self.vary else self.shape
            self.spans.append(Span(shape, c.take(first), c.take(extent), c.take(line), c.take(code)))
            self.span_members.append(self.members[c.take(local)])
            self.notes.append(c.take(notes))
        self.check_shape()
        self.check_first_use()
        need(self.sorted == self.is_sorted(), "whether spans are sorted")
        need(
            self.has_tree == (spans > 64 and not self.sorted and bool(self.shape & RESIDUAL)), "whether there is a tree"
        )
        if self.has_tree:
            self.read_tree(c)
        self.size = (c.at + 7) // 8
        need(c.take(8 * self.size - c.at) == 0, "bits after the spans of a method")

    def check_shape(self):
        some, each = 0, 7
        for span in self.spans:
            some, each = some | span.shape, each & span.shape
        need(some == self.shape and self.vary == (some != each), "what spans have")

    def check_first_use(self):
        used, entries = [], {part[0]: part[1] for part in self.parts}
        for i, member in enumerate(self.span_members):
            for m in (member, entries.get(i)):
                if m is not None:
                    used.append(m)
        need(list(dict.fromkeys(used)) == self.members, "members out of order")

    def is_sorted(self):
        if len(self.spans) < 2 or any(s.shape & RESIDUAL == 0 for s in self.spans):
            return False
        return all(
            b.first > a.last or (a.first, a.last) == (b.first, b.last) for a, b in zip(self.spans, self.spans[1:])
        )

    def read_tree(self, c):
        boundaries, entries, least, width = c.take(32), c.take(32), c.take(33) - (1 << 31), c.take(6)
        self.boundaries = [least + c.take(width) for _ in range(boundaries)]
        begins = [c.take(width_of(entries)) for _ in range(2 * (boundaries - 1) + 1)]
        listed = [c.take(width_of(len(self.spans) - 1)) for _ in range(entries)]
        self.nodes = [listed[a:b] for a, b in zip(begins, begins[1:])]
        with_lines = [s for s in self.spans if s.shape & RESIDUAL]
        need(self.boundaries == sorted({s.first for s in with_lines} | {s.last + 1 for s in with_lines}), "boundaries")
        need(begins[0] == 0 and begins[-1] == entries, "entries of a tree")
        wanted = [[] for _ in self.nodes]
        for number, span in enumerate(self.spans):
            for node in self.nodes_of(span):
                wanted[node].append(number)
        need(wanted == self.nodes, "a tree")

    def nodes_of(self, span):
        if span.shape & RESIDUAL == 0:
            return [0]
        leaves, nodes = len(self.boundaries) - 1, []
        low, high = leaves + self.boundaries.index(span.first), leaves + self.boundaries.index(span.last + 1)
        while low < high:
            if low & 1:
                nodes.append(low)
                low += 1
            if high & 1:
                high -= 1
                nodes.append(high)
            low, high = low // 2, high // 2
        return nodes

    def find(self, line, begin, end):
        """Returns the first of the spans [begin, end) of the method that has the line, found with the table or tree
        that the file has for these spans. line None: the first span without lines. Returns None if no span fits."""
        if line is None:
            found = [
                i
                for i in (self.nodes[0] if self.has_tree else range(len(self.spans)))
                if self.spans[i].shape & RESIDUAL == 0
            ]
        elif self.sorted:
            low, high = begin, end
            while low < high:
                middle = (low + high) // 2
                low, high = (middle + 1, high) if self.spans[middle].last < line else (low, middle)
            return low if low < end and self.spans[low].first <= line else None
        elif self.has_tree:
            node = len(self.boundaries) - 1 + sum(b <= line for b in self.boundaries) - 1
            if line < self.boundaries[0] or line >= self.boundaries[-1]:
                return None
            found = []
            while node > 0:
                found += self.nodes[node]
                node //= 2
        else:
            found = [i for i, s in enumerate(self.spans) if s.shape & RESIDUAL and s.first <= line <= s.last]
        return min((i for i in found if begin <= i < end), default=None)


class ClassIndex(Index):
    def __init__(self, data):
        super().__init__(data)
        need(self.flags & 16, "not of the class form")
        self.runs, at = [], 0
        for row in self.tables[METHODS].rows:
            need(row[2] == at, "where the spans of a method begin")
            self.runs.append(Run(self.spans[at:]))
            at += self.runs[-1].size
        need(at == len(self.spans) and sum(len(run.spans) for run in self.runs) == self.positions, "spans of no method")

    def find(self, table, hash_table, key):
        rows = [self.text(row[0], row[1]) for row in self.tables[table].rows]
        slots = self.tables[hash_table]
        if len(slots) == 0:
            return rows.index(key) if key in rows else None
        need(len(slots) & len(slots) - 1 == 0, "a hash of no power of two")
        at = xxh64(key) % len(slots)
        for _ in range(64):
            code = slots[at][0]
            if code == 0:
                return None
            if rows[code - 1] == key:
                return code - 1
            at = (at + 1) % len(slots)
        return None

    def row_range(self, table, row, field, end):
        rows = self.tables[table]
        return range(rows[row][field], rows[row + 1][field] if row + 1 < len(rows) else end)

    def source(self, original):
        row = self.find(NAMES, NAME_HASH, original)
        return None if row is None else self.text(*self.tables[NAMES][row][2:])

    def member_text(self, number):
        holder, *texts = self.tables[MEMBERS][number]
        name = self.tables[NAMES][holder]
        return "|".join(
            show(t)
            for t in (
                self.text(*name[:2]),
                self.text(*name[2:]),
                self.text(*texts[:2]),
                self.text(*texts[2:4]),
                self.text(*texts[4:]),
            )
        )

    def notes_text(self, code):
        notes = [self.tables[NOTES][i] for i in self.row_range(NOTE_LISTS, code - 1, 0, None)] if code else []
        return "".join(
            "{%d,%s,%d,%d,%d}" % (n[0], show(self.text(n[1], n[2])), unzigzag(n[3]), unzigzag(n[4]), unzigzag(n[5]))
            for n in notes
        )

    def method_text(self, number):
        run = self.runs[number]
        begins = {first: "part(%s,%d)" % (self.member_text(entry), flags) for first, entry, flags in run.parts}
        text = "method(%s)" % show(self.text(*self.tables[METHODS][number][:2]))
        for i, span in enumerate(run.spans):
            lines = "%d:%d" % (span.first, span.last) if span.shape & RESIDUAL else ""
            original = ("%d" % span.line if span.shape & ORIGINAL else "") + (
                ":%d" % span.second if span.shape & PAIR else ""
            )
            text += begins.get(i, "") + "span(%s>%s,%s,%s)" % (
                lines,
                original,
                self.member_text(run.span_members[i]),
                self.notes_text(run.notes[i]),
            )
        return text

    def methods_of(self, number):
        return self.row_range(CLASSES, number, 4, len(self.tables[METHODS]))

    def class_text(self, residual):
        number = self.find(CLASSES, CLASS_HASH, residual)
        if number is None:
            return None
        row = self.tables[CLASSES][number]
        text = "class(%s,%d)" % (show(self.text(*self.tables[NAMES][row[2]][:2])), row[3])
        text += "".join(self.method_text(i) for i in self.methods_of(number))
        for i in self.row_range(CLASSES, number, 5, len(self.tables[CLASS_FIELDS])):
            field = self.tables[CLASS_FIELDS][i]
            text += "field(%s,%s)" % (show(self.text(*field[:2])), self.member_text(field[2]))
        return text

    def line(self, residual, method, line, begin, end):
        for i in self.methods_of(self.find(CLASSES, CLASS_HASH, residual)):
            if self.text(*self.tables[METHODS][i][:2]) == method:
                return self.runs[i].find(line, begin, end)
        return None

    def sorted_texts(self, table, rows, once=True):
        texts = [self.text(*self.tables[table][i][:2]) for i in rows]
        need(
            all(t is not None for t in texts)
            and texts == sorted(texts)
            and (not once or len(set(texts)) == len(texts)),
            "texts out of order",
        )

    def verify(self):
        self.sorted_texts(NAMES, range(len(self.tables[NAMES])))
        self.sorted_texts(CLASSES, range(len(self.tables[CLASSES])))
        for number, row in enumerate(self.tables[CLASSES].rows):
            need(self.find(CLASSES, CLASS_HASH, self.text(row[0], row[1])) == number and row[3] <= 1, "a class")
            self.sorted_texts(METHODS, self.methods_of(number))
            self.sorted_texts(
                CLASS_FIELDS, self.row_range(CLASSES, number, 5, len(self.tables[CLASS_FIELDS])), once=False
            )
        for number, row in enumerate(self.tables[NAMES].rows):
            if row[2]:
                need(self.find(NAMES, NAME_HASH, self.text(row[0], row[1])) == number, "a name")


def show(text):
    return "~" if text is None else text.decode("latin-1")


def key(word):
    return bytes.fromhex(word.replace("-", ""))


def answer(index, words):
    if words[0] == "class":
        return index.class_text(key(words[1])), words[2]
    if words[0] == "none":
        return index.class_text(key(words[1])), None
    if words[0] == "source":
        return show(index.source(key(words[1]))), words[2]
    line, begin, end, place = words[3].split(" ")
    found = index.line(key(words[1]), key(words[2]), None if line == "-" else int(line), int(begin), int(end))
    return found, None if place == "-" else int(place)


def main():
    index, name, asked = None, "", 0
    for line in sys.stdin:
        line = line.rstrip("\n")
        words = line.split(" ", 3 if line.startswith("line ") else 2)
        if words[0] == "index":
            name = words[1]
            index = ClassIndex(bytes.fromhex(words[2]))
            index.verify()
            continue
        got, wanted = answer(index, words)
        if got != wanted:
            sys.exit("%s: %s: got\n  %s\nwanted\n  %s" % (name, " ".join(words[:2]), got, wanted))
        asked += 1
    print("%d answers agree" % asked)
    return 0 if asked else 1


if __name__ == "__main__":
    sys.exit(main())
