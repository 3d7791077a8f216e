#!/usr/bin/env python3
"""bench/inputs/make_java.py MAPPING... > OUT: makes a big mapping in the form that R8 writes, from ProGuard's mappings
of real programs.

R8 numbers the lines of each renamed method name from 1 up, so that overloads differ, names every class's source file,
marks code that compilers generated, and has the map's id and hash at the top. Names, methods, line counts and inline
groups stay those of the real programs. Renamed classes of the second MAPPING and later get a prefix."""

import hashlib
import io
import re
import sys

METHOD = re.compile(r"    (\d+):(\d+):([^(]+\([^)]*\))(?::(\d+))?(?::(\d+))? -> (.+)")
HEAD = """# compiler: R8
# compiler_version: 8.2.47
# min_api: 24
# {"id":"com.android.tools.r8.mapping","version":"2.2"}
# pg_map_id: %.7s
# pg_map_hash: SHA-256 %s
"""


def source_of(original):
    return original.rsplit(".", 1)[-1].split("$", 1)[0] + ".java"


def groups(lines):
    """Returns the lines of members in groups that belong together: an inline group (a first line with a range, then
    the lines of its callers, each with one line number) or a single line."""
    run = []
    for line in lines:
        found = METHOD.fullmatch(line)
        caller = found and found[4] and not found[5]
        if run and not (caller and METHOD.fullmatch(run[0]) and line.split(":")[:2] == run[0].split(":")[:2]):
            yield run
            run = []
        run.append(line)
    if run:
        yield run


def write_class(head, lines, prefix, out):
    original, renamed = head[:-1].split(" -> ")
    out.write(f'{original} -> {prefix}{renamed}:\n# {{"id":"sourceFile","fileName":"{source_of(original)}"}}\n')
    next_line = {}
    for run in groups(lines):
        last = METHOD.fullmatch(run[-1])
        if not last:
            out.write(run[0] + "\n")
            continue
        first = next_line.get(last[6], 1)
        span = int(last[2]) - int(last[1])
        next_line[last[6]] = first + span + 1
        for line in run:
            found = METHOD.fullmatch(line)
            own = f"{found[4]}:{found[5] or found[4]}" if found[4] else f"{found[1]}:{found[2]}"
            out.write(f"    {first}:{first + span}:{found[3]}:{own} -> {found[6]}\n")
        if " access$" in run[-1]:
            out.write('      # {"id":"com.android.tools.r8.synthesized"}\n')


def convert(path, prefix, out):
    head, lines = None, []
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = line.rstrip("\n")
            if line.startswith("#"):
                continue
            if line.startswith(" "):
                lines.append(line)
                continue
            if head:
                write_class(head, lines, prefix, out)
            head, lines = line, []
    if head:
        write_class(head, lines, prefix, out)


def main():
    classes = io.StringIO()
    for number, path in enumerate(sys.argv[1:]):
        convert(path, f"p{number}." if number else "", classes)
    digest = hashlib.sha256(classes.getvalue().encode()).hexdigest()
    sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(HEAD % (digest, digest))
    sys.stdout.write(classes.getvalue())


if __name__ == "__main__":
    main()
