#!/usr/bin/env python3
"""Writes the seeds of the harnesses of public calls to corpus/fuzz. The inputs of these harnesses begin with choices,
so that a plain file cannot be a seed.

make_call_seeds.py [NAME...]     index, values, file, trace, folder, cache, options; all without a name
"""

import base64
import json
import os
import struct
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CORPUS = os.path.join(ROOT, "corpus")


def content(*parts):
    with open(os.path.join(CORPUS, *parts), "rb") as file:
        return file.read()


def text(value):
    """Encodes a text as the harnesses' fuzz_text reads it."""
    return bytes([len(value)]) + value


def index():
    questions = bytes([9, 10, 3, 0, 1, 0, 0, 16, 7, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 40, 200])
    names = [name for name in sorted(os.listdir(os.path.join(CORPUS, "fuzz", "view"))) if name.startswith("bytes-")]
    for number, name in enumerate(name for name in names if "-bad-" not in name):
        data = content("fuzz", "view", name)[1:]
        style, scope = ((1, b""), (0x0F, b"a.b.c"))[number % 2]
        yield name[6:], bytes([style]) + text(scope) + struct.pack("<H", len(data)) + data + bytes(
            [1, 0, 0]
        ) + questions


def values():
    """Returns the values of a build in the order in which the harness returns them: the head, then pages or classes.
    Each build is returned once whole, and once with one value cut short."""
    for name in ("native", "javascript", "java"):
        vectors = json.loads(content("kv", name + ".json"))["values"]
        rows = [base64.b64decode(vectors["head"])] + [
            base64.b64decode(v) for f, v in sorted(vectors.items()) if f != "head"
        ]
        for seal, part in ((0, rows), (1, [row[:-9] + row[-8:] for row in rows])):
            yield f"{name}-{seal}", b"".join(bytes([seal]) + struct.pack("<H", len(row)) + row for row in part)


def file():
    rows = (("r8", "mapping.txt", 1), ("sourcemap", "main.js.map", 2), ("image", "liba.so", 0))
    for harness, _, choice in rows:
        names = sorted(os.listdir(os.path.join(CORPUS, "fuzz", harness)))
        for name in [name for name in names if len(content("fuzz", harness, name)) < 4096][:6]:
            yield f"{harness}-{name}", bytes([choice]) + content("fuzz", harness, name)
    yield "script", bytes([3]) + b"function a(){}\n//# sourceMappingURL=main.js.map\n"
    yield "hash", bytes([1]) + b"# pg_map_hash: SHA-256 " + b"0" * 64 + b"\na.B -> a:\n"


def trace():
    answers = bytes([2, 0x7F]) + text(b"outer(int)") + text(b"/src/a.cc") + text(b"com.a.B") + text(b"_Z5outeri")
    answers += (
        struct.pack("<IB", 12, 3)
        + text(b"one\ntwo\n")
        + bytes([0x08])
        + text(b"in\x1b[31m\nner")
        + text(b'b\\"c')
        + bytes([7, 0])
    )
    for name in sorted(os.listdir(os.path.join(CORPUS, "fuzz", "restore"))):
        for choice in (0, 3):
            yield f"{name}-{choice}", bytes([choice]) + answers + content("fuzz", "restore", name)


def folder():
    def row(what, where, name, *more):
        return bytes([what, where, name]) + b"".join(more)

    put = [4 + 8 * form for form in range(6)]
    yield "script-and-map", b"\0" + row(put[1], 0, 3, text(b"")) + row(put[2], 0, 4, text(b"main.js.map"))
    yield "outside", b"\0" + row(put[3], 0, 4, text(b"")) + row(put[2], 0, 4, text(b"../outside/secret.js.map"))
    yield "link-out", b"\1" + row(2 + 8 * 8, 0, 3) + row(put[3], 0, 4, text(b"")) + row(2 + 8 * 7, 0, 7)
    yield "loop", b"\1" + row(0, 0, 7) + row(2, 1, 8) + row(2 + 8, 1, 9) + row(put[0], 1, 2, text(b""))
    yield "device-and-fifo", b"\0" + row(2 + 8 * 5, 0, 0) + row(67, 0, 1) + row(put[0], 0, 2, text(b""))
    yield "holes", b"\0" + row(put[4], 0, 14, text(b"")) + row(3, 0, 14, b"\xff\xff\x0f") + row(
        put[0], 0, 2, text(b"")
    ) + row(3, 0, 2, b"\x20\0\0")
    yield "bundle", b"\1" + row(0, 0, 6) + row(0, 1, 7) + row(0, 2, 8) + row(0, 3, 9) + row(
        put[5], 4, 10, text(b"\xcf\xfa\xed\xfe")
    )
    yield "build-ids", b"\1" + row(0, 0, 11) + row(0, 1, 12) + row(put[5], 2, 13, text(b"\x7fELF")) + row(
        4, 0, 255, text(b"\xff\n;"), text(b"")
    )


def cache():
    yield "store-and-load", bytes([2, 3, 0, 3, 2, 2, 0, 2, 7, 0, 0, 0x20])
    yield "damaged", bytes([2, 3, 3, 3, 1, 40, 0]) + text(b"\xff\xff") + bytes([0, 3, 4, 3, 4, 100, 0]) + text(
        b""
    ) + bytes([0, 3])
    yield "link", bytes([2, 3, 5, 3, 5, 0, 3, 2, 3, 0, 3, 7, 0, 0, 0])
    yield "folder-link", bytes([2, 3, 5, 3, 245, 0, 3, 2, 3, 7, 0, 0, 0])
    yield "others", bytes([2, 3, 6, 0]) + text(b"notes.txt") + bytes([6, 0]) + text(b"0" * 64) + bytes([6, 0]) + text(
        b"0" * 64 + b".fmx"
    ) + bytes([7, 0, 0, 0])
    yield "modes", bytes([2, 3, 5, 3, 6, 0, 3, 5, 3, 0xF3, 2, 3, 0, 3])


def options():
    rows = (
        (0, b"-s", b"path", b"--functions=short", b"-xi", b"--", b"-s"),
        (1, b"--func", b"--dem", b"--demangle=gnu", b"-fshort", b"-C"),
        (2, b"-f=linkage", b"-s=a", b"--input=", b"--nothing", b"--inlines=yes"),
        (4, b"-symbols", b"a", b"-inlines", b"-", b"-x"),
        (8, b"@", b"-s 'a b' \"c\\\"d\" \\e @ f"),
        (0, b"find", b"--arch", b"x64", b"-l", b"0x1,2", b"--location=3", b"rest"),
        (0, b"--no-verbose", b"find", b"--arch=none", b"-dx"),
        (0, b"12", b"64K", b"5G", b"18446744073709551615M", b"llvm", b"none"),
    )
    for number, (choice, *words) in enumerate(rows):
        yield f"line-{number}", bytes([choice]) + b"\0".join(words)


def main():
    makers = {maker.__name__: maker for maker in (index, values, file, trace, folder, cache, options)}
    for name in sys.argv[1:] or makers:
        target = os.path.join(CORPUS, "fuzz", name)
        os.makedirs(target, exist_ok=True)
        for seed, data in makers[name]():
            with open(os.path.join(target, seed), "wb") as out:
                out.write(data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
