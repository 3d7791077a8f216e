#!/usr/bin/env python3
"""A client of docs/kv-format.md, written from that document and docs/index-format.md alone.

    kv_reader.py VECTORS...    checks the values of each file of corpus/kv/ as the file describes them; exit 1 at the
                               first difference
"""
import base64
import json
import sys

import fmx_reader
from fmx_reader import FIELDS, GENERATED_STRETCHES, NAMES, CLASSES, SOURCES, TEXTS, WIDE_FIELDS, need, xxh64
from fmx_classes import ClassIndex
from fmx_segments import SegmentIndex

PAGES, CLASS_CHECKS, CLASS_HASH = 43, 44, 20
FIELDS.update({PAGES: 3, CLASS_CHECKS: 1})
WIDE_FIELDS.update({(PAGES, 0), (PAGES, 1)})


class Store:
    """The values of one build, read from the lines of a vector file."""

    def __init__(self, vectors):
        self.values = {field: base64.b64decode(value) for field, value in vectors["values"].items()}
        self.head = fmx_reader.Index(self.values["head"])
        need(self.head.flags & 8, "a head without its flag")
        for rows in (self.head.tables[PAGES].rows, self.head.tables[CLASS_CHECKS].rows):
            need(rows == sorted(rows), "a list out of order")
        self.check_lists()

    def check_lists(self):
        """Checks that the head lists exactly those values that the store has."""
        pages = {first + i for first, more, _ in self.head.tables[PAGES].rows for i in range(more + 1)}
        need(
            {"page:%x" % page for page in pages} == {field for field in self.values if field.startswith("page:")},
            "the list of pages",
        )
        names = [field[6:].encode() for field in self.values if field.startswith("class:")]
        need(
            sorted(xxh64(name) & 0xFFFFFFFF for name in names)
            == [row[0] for row in self.head.tables[CLASS_CHECKS].rows],
            "the list of classes",
        )

    def page_field(self, page):
        runs = [row for row in self.head.tables[PAGES].rows if row[0] <= page]
        if not runs:
            return None
        first, more, continues = runs[-1]
        if page > first + more and not continues:
            return None
        return "page:%x" % min(page, first + more)

    def class_field(self, name):
        listed = [xxh64(name.encode()) & 0xFFFFFFFF] in self.head.tables[CLASS_CHECKS].rows
        return "class:" + name if listed else None


def text(value):
    return None if value is None else value.decode()


def frames_at(value, position):
    """Returns [function, file, line, column] of each frame, innermost first."""
    index = fmx_reader.Index(value)
    index.verify()
    scope = index.scope(b"")
    places = [] if scope is None else index.lookup(scope, position)
    if not places:
        return None
    path, line, col, _, code, _ = places[0]
    frames, node = [], code - 1 if code else None
    while node is not None:
        function = index.function(node)
        frames.append([text(index.record_text(function[0], function[1])) if function else None, text(path), line, col])
        parent = index.parent(node)
        if parent is None:
            break
        node, path, line, col = parent
    return frames


def segment_at(value, line, col):
    index = SegmentIndex(value)
    index.verify()
    number = index.at(line, col)
    if number is None:
        return None
    _, source, original_line, original_col, name = index.rows[number]
    if source is None:
        return None
    address = index.text(*index.tables[SOURCES][source][:2])
    return [
        text(address),
        original_line,
        original_col,
        text(None if name is None else index.text(*index.tables[TEXTS][name])),
    ]


def class_of(value, name):
    index = ClassIndex(value)
    index.verify()
    row = index.find(CLASSES, CLASS_HASH, name.encode())
    return None if row is None else text(index.text(*index.tables[NAMES][index.tables[CLASSES][row][2]][:2]))


def answer(store, query):
    if "position" in query:
        page = query["position"] >> 12
        field, read = store.page_field(page), lambda value: frames_at(value, query["position"])
    elif "line" in query:
        page = query["line"] >> 4 << 20 | query["column"] >> 12
        field, read = store.page_field(page), lambda value: segment_at(value, query["line"], query["column"])
    else:
        page, field, read = None, store.class_field(query["class"]), lambda value: class_of(value, query["class"])
    need(page == query.get("page"), "page %s of a query" % page)
    return field, None if field is None else read(store.values[field])


def main():
    asked = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            vectors = json.load(file)
        store = Store(vectors)
        for query in vectors["queries"]:
            got = answer(store, query)
            if got != (query["field"], query["answer"]):
                sys.exit("%s: %s: got %s" % (path, query, got))
            asked += 1
    print("%d answers agree" % asked)
    return 0 if asked else 1


if __name__ == "__main__":
    sys.exit(main())
