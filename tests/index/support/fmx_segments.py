#!/usr/bin/env python3
"""A second reader of the segment form of framemap indexes, written from docs/index-format.md alone; fmx_reader.py has
what all forms share.

As a program it reads lines: "index NAME HEX" opens and verifies an index; "at LINE COLUMN ANSWER" looks a generated
place up, "in SOURCE LINE COLUMN ANSWER" and "around LINE COLUMN ANSWER" the function around a place, "range LINE COLUMN
ANSWER" the range that covers a place, "offset KIND GROUP NUMBER ANSWER" an offset. ANSWER is "-" for none. The first
difference ends it with status 1.
"""

import sys

from fmx_reader import (
    CALL_SITES,
    GENERATED_STRETCHES,
    LINES,
    OFFSETS,
    OFFSET_LISTS,
    SEGMENT_BLOCKS,
    SEGMENT_GUIDE,
    SEGMENT_RANGES,
    SOURCES,
    SOURCE_STRETCHES,
    TEXTS,
    Bits,
    Index,
    need,
    width_of,
)

class Cursor:
    def __init__(self, data):
        self.bits, self.at = Bits(data), 0

    def take(self, width):
        value = self.bits.get(self.at, width)
        self.at += width
        return value


class Block:
    """The `count` segments of a block, each as (axis offset, source or None, line, column, name or None)."""

    def __init__(self, data, count, axis_offset):
        c = Cursor(data)
        widths = [c.take(6) for _ in range(6)]
        contexts, names, gap = c.take(7), c.take(7), c.take(1)
        axis_width, line_width, col_width, source_width, base_width, name_width = widths
        axis_offsets = [axis_offset] + [axis_offset + c.take(axis_width) for _ in range(count - 1)]
        rows = [
            (c.take(width_of(contexts + gap - 1)), c.take(width_of(names)), c.take(line_width), c.take(col_width))
            for _ in range(count)
        ]
        pairs = [(c.take(source_width), c.take(base_width)) for _ in range(contexts)]
        numbers = [c.take(name_width) for _ in range(names)]
        self.size = (c.at + 7) // 8
        need(c.take(8 * self.size - c.at) == 0, "bits after a block")
        need(
            list(dict.fromkeys(row[0] for row in rows if row[0] < contexts)) == list(range(contexts)),
            "contexts out of order",
        )
        need(list(dict.fromkeys(row[1] for row in rows if row[1])) == list(range(1, names + 1)), "names out of order")
        need(bool(gap) == any(row[0] == contexts for row in rows) and all(row[0] <= contexts for row in rows), "a gap")
        need(len({pair[0] for pair in pairs}) == contexts and len(set(numbers)) == names, "a context twice, or a name")
        self.check_widths(widths, axis_offsets, rows, pairs, numbers)
        self.segments = []
        for at, (context, name, line, col) in zip(axis_offsets, rows):
            name = numbers[name - 1] if name else None
            if context == contexts:
                need(line == col == 0, "an original place of nothing")
                self.segments.append((at, None, 0, 0, name))
            else:
                source, base = pairs[context]
                self.segments.append((at, source, base + line, col, name))

    @staticmethod
    def check_widths(widths, axis_offsets, rows, pairs, numbers):
        most = (
            axis_offsets[-1] - axis_offsets[0],
            max(row[2] for row in rows),
            max(row[3] for row in rows),
            max([p[0] for p in pairs] or [0]),
            max([p[1] for p in pairs] or [0]),
            max(numbers or [0]),
        )
        need(widths == [width_of(number) for number in most], "widths of a block")
        for context in range(len(pairs)):
            need(min(row[2] for row in rows if row[0] == context) == 0, "the base of a context")


class SegmentIndex(Index):
    def __init__(self, data):
        super().__init__(data)
        need(self.flags & 32, "not of the segment form")
        self.rows = []
        expected = 0
        for number, (axis_offset, at) in enumerate(self.tables[SEGMENT_BLOCKS].rows):
            need(at == expected, "where a block begins")
            block = Block(self.segments[at:], min(64, self.positions - 64 * number), axis_offset)
            expected += block.size
            self.rows += block.segments
        need(expected == len(self.segments) and len(self.rows) == self.positions, "the number of segments")

    def line(self, number):
        """Returns the first axis offset of a line and the end of the line's range."""
        lines = self.tables[LINES]
        rows = range(max(0, len(lines) - 1))
        row = number if lines.widths[1] == 0 else next((r for r in rows if lines[r][1] == number), None)
        if row is None or row not in rows or lines[row][0] == lines[row + 1][0]:
            return None
        return lines[row][0], lines[row + 1][0]

    def at(self, line, col):
        found = self.line(line)
        if found is None:
            return None
        begin, end = found
        axis_offset = min(begin + col, end)
        before = [n for n, row in enumerate(self.rows) if row[0] < axis_offset]
        number = before[-1] if before else None
        following = 0 if number is None else number + 1
        if axis_offset < end and following < len(self.rows) and self.rows[following][0] == axis_offset:
            number = following
        return None if number is None or self.rows[number][0] < begin else number

    def segment_text(self, line, col):
        number = self.at(line, col)
        if number is None:
            return "-"
        axis_offset, source, original_line, original_col, name = self.rows[number]
        place = (
            "nowhere"
            if source is None
            else "%s|%s|%s|%d:%d:%d"
            % (self.source(source) + (original_line, original_col, self.tables[SOURCES][source][6]))
        )
        return "%d@%d %s %s" % (
            number,
            axis_offset - self.line(line)[0],
            place,
            show(None if name is None else self.text(*self.tables[TEXTS][name])),
        )

    def source(self, number):
        row = self.tables[SOURCES][number]
        address, spelled, content = (self.text(*row[f:f + 2]) for f in (0, 2, 4))
        return show(address), show(address if spelled is None else spelled), show(content)

    def stretch(self, table, key):
        rows = [row for row in self.tables[table].rows if row[:len(key)] <= key and row[:len(key) - 2] == key[:-2]]
        if not rows or not any(rows[-1][f] for f in range(len(key), len(rows[-1])) if f != len(key) + 2):
            return "-"
        text, size, origin = rows[-1][len(key):len(key) + 3]
        site, flags = rows[-1][len(key) + 3:] or (0, 0)
        return "%s/%d%s%s" % (show(self.text(text, size)), origin, "!" * flags, self.sites(site))

    def sites(self, code):
        shown = ""
        while code:
            source, line, col, text, size, code, flags = self.tables[CALL_SITES][code - 1]
            shown += "<%d:%d:%d:%s%s" % (source, line, col, show(self.text(text, size)), "!" * flags)
        return shown

    def range(self, line, col):
        rows = [row for row in self.tables[SEGMENT_RANGES].rows if row <= [line, col]]
        if not rows:
            return "-"
        from_line, from_col = rows[-1]
        begin, end = self.line(from_line) or (0, 0)
        if from_line == line:
            number = self.at(line, col)
            return str(number) if number is not None and self.rows[number][0] == begin + from_col else "-"
        last = [n for n, row in enumerate(self.rows) if row[0] < end]
        lines = [row for row in range(from_line + 1, line) if self.line(row)]
        is_last = (
            end > begin and self.rows[last[-1]][0] == begin + from_col and not lines and self.at(line, col) is None
        )
        return str(last[-1]) if is_last else "-"

    def offset(self, kind, group, number):
        lists = self.tables[OFFSET_LISTS]
        for i in range(len(lists) - 1):
            first, end = lists[i][2], lists[i + 1][2]
            if lists[i][:2] == [kind, group] and number < end - first and self.tables[OFFSETS][first + number][0]:
                return str(self.tables[OFFSETS][first + number][0] - 1)
        return "-"

    def verify(self):
        axis_offsets = [row[0] for row in self.rows]
        need(all(a <= b for a, b in zip(axis_offsets, axis_offsets[1:])), "segments that do not rise")
        self.verify_lines(axis_offsets)
        self.verify_guide(axis_offsets)
        for row in self.tables[SOURCES].rows:
            need(row[0] and row[6] < 4, "a source")
        for number, row in enumerate(self.tables[CALL_SITES].rows):
            need(row[0] < len(self.tables[SOURCES]) and row[5] <= number and row[6] < 2, "a call site")
        for row in self.tables[GENERATED_STRETCHES].rows:
            need(row[5] <= len(self.tables[CALL_SITES]) and row[6] < 2, "a stretch")
        for table, fields in ((SOURCE_STRETCHES, 3), (GENERATED_STRETCHES, 2), (OFFSET_LISTS, 2), (SEGMENT_RANGES, 2)):
            keys = [row[:fields] for row in self.tables[table].rows]
            if table == OFFSET_LISTS:
                keys = keys[:-1]
            need(all(a < b for a, b in zip(keys, keys[1:])), "rows that do not rise")

    def verify_lines(self, axis_offsets):
        lines = self.tables[LINES].rows
        if not lines:
            return need(not axis_offsets, "segments without lines")
        ends = [b[0] for a, b in zip(lines, lines[1:]) if a[0] < b[0]]
        need(
            lines[0][0] == 0
            and lines[-1][1] == 0
            and {end - 1 for end in ends} <= set(axis_offsets)
            and ends[-1] == axis_offsets[-1] + 1,
            "the length of a line",
        )
        last = len(lines) - 2 if self.tables[LINES].widths[1] == 0 else lines[-2][1]
        need((last // 4 < len(ends)) == (self.tables[LINES].widths[1] == 0) or last == 0, "whether each line has a row")

    def verify_guide(self, axis_offsets):
        blocks, guide = self.tables[SEGMENT_BLOCKS].rows, self.tables[SEGMENT_GUIDE].rows
        if not axis_offsets:
            return
        shift = 0
        while (axis_offsets[-1] >> shift) >= 2 * len(blocks):
            shift += 1
        need(shift == self.shift, "the shift")
        wanted = [
            [max([0] + [n for n, row in enumerate(blocks) if row[0] < k << shift])]
            for k in range((axis_offsets[-1] >> shift) + 1)
        ]
        need(guide == (wanted if len(blocks) > 1 else []), "the guide")


def show(text):
    return "~" if text is None else text.decode("latin-1")


def answer(index, words):
    numbers = [int(word) for word in words[1:]]
    if words[0] == "at":
        return index.segment_text(*numbers)
    if words[0] == "in":
        return index.stretch(SOURCE_STRETCHES, numbers)
    if words[0] == "around":
        return index.stretch(GENERATED_STRETCHES, numbers)
    if words[0] == "range":
        return index.range(*numbers)
    return index.offset(*numbers)


def main():
    index, name, asked = None, "", 0
    for line in sys.stdin:
        words = line.rstrip("\n").split(" ")
        if words[0] == "index":
            name = words[1]
            index = SegmentIndex(bytes.fromhex(words[2]))
            index.verify()
            continue
        numbers = 2 if words[0] in ("at", "around", "range") else 3
        got, wanted = answer(index, words[:numbers + 1]), " ".join(words[numbers + 1:])
        if got != wanted:
            sys.exit("%s: %s: got\n  %s\nwanted\n  %s" % (name, " ".join(words[:numbers + 1]), got, wanted))
        asked += 1
    print("%d answers agree" % asked)
    return 0 if asked else 1


if __name__ == "__main__":
    sys.exit(main())
