#!/usr/bin/env python3
"""Compares mappers/native/image with LLVM's Mach-O reader: sections and symbols of every Mach-O file under a folder.

    compare_macho.py IMAGE_DUMP FOLDER      exit 1 where they differ, 77 where LLVM's tools are not installed
"""

import os
import shutil
import subprocess
import sys

MAGICS = {b"\xfe\xed\xfa\xce", b"\xfe\xed\xfa\xcf", b"\xce\xfa\xed\xfe", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe"}
RAISED = 0x10000  # in object files, the reader raises the addresses of sections by this many bytes
WHOLE = {
    "__debug_str_offs": ".debug_str_offsets",
    "__apple_namespac": ".apple_namespaces",
    "__debug_gnu_pubn": ".debug_gnu_pubnames",
    "__debug_gnu_pubt": ".debug_gnu_pubtypes",
}
STAB, TYPE, SECT = 0xE0, 0x0E, 0x0E


def tool(name):
    for candidate in (name, name + "-19", name + "-18", name + "-17", name + "-16"):
        if shutil.which(candidate):
            return candidate
    return None


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def ours(dump, path, arch):
    image, sections, symbols = None, [], []
    for line in output(dump, path, arch).splitlines():
        fields = line.split("\t")
        if fields[0] == "image":
            image = fields[1:]
        elif fields[0] == "section":
            sections.append((int(fields[1]), fields[2], int(fields[3], 16), int(fields[4], 16)))
        elif fields[0] == "symbol":
            symbols.append((int(fields[1], 16), fields[5], fields[3][0], "g" in fields[3]))
    return image, sections, sorted(symbols)


def plain(name, segment):
    if segment != "__DWARF":
        return name
    return WHOLE.get(name, name.replace("__", ".", 1))


def headers_of(objdump, path, arch):
    """Returns the sections, the segment of each by its number, and the UUID, as llvm-objdump prints them."""
    sections, segment_of, uuid, current = [], {}, "", {}
    for line in output(objdump, "--macho", f"--arch={arch}", "--private-headers", path).splitlines():
        words = line.split()
        if len(words) < 2:
            continue
        if words[0] == "uuid":
            uuid = words[1].replace("-", "").lower()
        if words[0] == "Section":
            current = {}
        elif words[0] in ("sectname", "segname", "addr", "size"):
            current[words[0]] = words[1]
            if len(current) == 4 and "sectname" in current:
                number = len(sections) + 1
                segment_of[number] = current["segname"]
                sections.append(
                    (
                        number,
                        plain(current["sectname"], current["segname"]),
                        int(current["addr"], 16),
                        int(current["size"], 16),
                    )
                )
                current = {}
        elif words[0] in ("cmd", "Load"):
            current = {}
    return sections, segment_of, uuid


# The words that llvm-nm -m prints before the name of a symbol; their order varies.
ATTRIBUTES = (
    "non-external",
    "external",
    "weak",
    "private",
    "automatically hidden",
    "[no dead strip]",
    "[alt entry]",
    "[cold func]",
    "(was a private external)",
    "[Thumb]",
    "[referenced dynamically]",
    "definition",
)


def symbols_of(nm, path, arch, segment_of):
    """Returns the symbols in a loaded section, according to llvm-nm -m."""
    found = []
    for line in output(nm, "-m", "--no-sort", f"--arch={arch}", path).splitlines():
        if "(" not in line or "(undefined)" in line or "(absolute)" in line or line.startswith(" "):
            continue
        address, rest = line.split(" ", 1)
        place, rest = rest[1:].split(")", 1)
        segment = place.split(",")[0]
        if segment == "__DWARF":
            continue
        words, name = rest.strip(), rest.strip()
        while (word := next((word for word in ATTRIBUTES if name.startswith(word + " ")), None)) is not None:
            name = name[len(word) + 1:]
        is_global = "non-external" not in words and "was a private external" not in words
        found.append((int(address, 16), name[1:] if name.startswith("_") else name, is_global))
    return sorted(found)


def compare(dump, tools, path, arch):
    image, sections, symbols = ours(dump, path, arch)
    wanted, segment_of, uuid = headers_of(tools["objdump"], path, arch)
    raised = RAISED if image[2] == "object" else 0
    wanted = [
        (number, name, address + (raised if segment_of[number] != "__DWARF" else 0), size)
        for number, name, address, size in wanted
    ]
    differences = []
    if image[1] != arch:
        differences.append(f"architecture {image[1]}, wanted {arch}")
    if (image[4] if len(image) > 4 else "") != uuid:
        differences.append(f"UUID {image[4]}, wanted {uuid}")
    if sections != wanted:
        differences += [f"section {a}, wanted {b}" for a, b in zip(sections, wanted) if a != b] or [
            f"{len(sections)} sections, wanted {len(wanted)}"
        ]
    named = sorted((address - raised, name, is_global) for address, name, _, is_global in symbols)
    expected = [row for row in symbols_of(tools["nm"], path, arch, segment_of) if row[1]]
    if named != expected:
        differences += [f"symbol {a}, wanted {b}" for a, b in zip(named, expected) if a != b] or [
            f"{len(named)} symbols, wanted {len(expected)}"
        ]
    return differences


def files_under(folder):
    for root, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "bad"]
        for name in sorted(names):
            path = os.path.join(root, name)
            with open(path, "rb") as file:
                if file.read(4) in MAGICS:
                    yield path


def main():
    dump, folder = sys.argv[1:3]
    tools = {name: tool("llvm-" + name) for name in ("objdump", "nm", "lipo")}
    if None in tools.values():
        print("skipped: LLVM's binary tools are not installed (Debian, Ubuntu: apt install llvm)")
        return 77
    count = failed = 0
    for path in files_under(folder):
        for arch in output(tools["lipo"], "-archs", path).split():
            count += 1
            differences = compare(dump, tools, path, arch)
            failed += bool(differences)
            for difference in differences[:10]:
                print(f"{path} ({arch}): {difference}")
    if count == 0:
        print("skipped: there is no Mach-O file")
        return 77
    print(f"{count} images, {failed} of them differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
