#!/usr/bin/env python3
"""Makes the vectors of docs/kv-format.md from symbol files of this corpus.

    make.py FRAMEMAP [--check]    --check: compares the vectors with the files in the tree, writes nothing; exit 1 if
                                  they differ

Values come from `framemap dump -o kv`, answers from `framemap lookup` on the whole file.
"""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
DEMO = os.path.join(HERE, "..", "demo", "symbols")


def run(framemap, *arguments):
    return subprocess.run([framemap, *arguments], check=True, capture_output=True, text=True).stdout


def values_of(framemap, path):
    build, values = None, {}
    for line in run(framemap, "dump", "-o", "kv", path).splitlines():
        key, value = line.split("\t")
        parts = key.split(":", 4)
        build, values[parts[4]] = ":".join(parts[:4]), value
    return build, values


def looked_up(framemap, path, words):
    found = []
    for at in range(0, len(words), 500):
        found += [
            json.loads(line) for line in run(framemap, "lookup", "-o", "json", path, *words[at : at + 500]).splitlines()
        ]
    return [row.get("source") or [] for row in found]


def with_field(query, values, page, continues):
    """Returns the field of the page that has the answer. continues: if the page of the query has no value, the last
    page before it that has a value gives the answer."""
    pages = [int(field[5:], 16) for field in values if field.startswith("page:")]
    before = [p for p in pages if p <= page] if continues else [p for p in pages if p == page]
    return {**query, "page": page, "field": "page:%x" % max(before) if before else None}


def native(framemap):
    path = os.path.join(DEMO, "libdemo.so")
    build, values = values_of(framemap, path)
    positions = list(range(0x12E0, 0x1540, 4)) + [0, 0x2000, 0x123456]
    queries = []
    for position, frames in zip(positions, looked_up(framemap, path, ["0x%x" % p for p in positions])):
        chain = [
            [f.get("symbol", f.get("function")), f.get("file"), f.get("line", 0), f.get("column", 0)] for f in frames
        ]
        queries.append(with_field({"position": position, "answer": chain or None}, values, position >> 12, False))
    return build, values, queries


def javascript(framemap):
    path = os.path.join(DEMO, "shop.js.map")
    build, values = values_of(framemap, path)
    places = [(0, col) for col in range(0, 700, 3)] + [(1, 0), (40, 3)]
    queries = []
    for (line, col), frames in zip(places, looked_up(framemap, path, ["%d:%d" % (l + 1, c + 1) for l, c in places])):
        found = (
            [frames[0]["file"], frames[0]["line"] - 1, frames[0]["column"] - 1, frames[0].get("name")]
            if frames
            else None
        )
        queries.append(
            with_field({"line": line, "column": col, "answer": found}, values, line >> 4 << 20 | col >> 12, True)
        )
    return build, values, queries


def java(framemap):
    path = os.path.join(DEMO, "mapping.txt")
    build, values = values_of(framemap, path)
    names = ["a.a", "a.b", "a.c", "a.d", "a.e", "java.lang.String", "head"]
    queries = []
    for name, frames in zip(names, looked_up(framemap, path, names)):
        field = "class:" + name
        queries.append({"class": name, "field": field if field in values else None,
                        "answer": frames[0]["class"] if frames and field in values else None})
    return build, values, queries


def main():
    if len(sys.argv) < 2:
        print(__doc__.strip())
        return 2
    changed = 0
    for name, make in (("native", native), ("javascript", javascript), ("java", java)):
        build, values, queries = make(sys.argv[1])
        rows = ",\n".join("    " + json.dumps(query) for query in queries)
        fields = ",\n".join("    %s: %s" % (json.dumps(field), json.dumps(value)) for field, value in values.items())
        text = '{\n  "build": %s,\n  "values": {\n%s\n  },\n  "queries": [\n%s\n  ]\n}\n' % (
            json.dumps(build),
            fields,
            rows,
        )
        path = os.path.join(HERE, name + ".json")
        if "--check" in sys.argv:
            with open(path, encoding="utf-8") as file:
                if file.read() != text:
                    print("%s differs: make it again with corpus/kv/make.py" % path, file=sys.stderr)
                    changed += 1
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
