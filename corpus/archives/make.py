#!/usr/bin/env python3
"""Makes the archives in this folder from files of corpus/demo and corpus/native, with binutils.

make.py [FOLDER]   writes them to FOLDER (default: next to this file); the bytes are the same at each run
"""

import gzip
import io
import lzma
import os
import subprocess
import sys
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
DEMO = os.path.join(HERE, "..", "demo", "symbols")
NATIVE = os.path.join(HERE, "..", "native")


def read(*parts):
    with open(os.path.join(*parts), "rb") as file:
        return file.read()


def make_zip(files, align=0):
    """Makes a zip archive. files: (name, bytes, method). align: the alignment of stored files, by padding in the extra
    field as zipalign does."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data, method in files:
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type = method
            if align and method == zipfile.ZIP_STORED:
                at = archive.fp.tell() + 30 + len(name)
                info.extra = b"\xd9\x35" + ((-(at + 4)) % align).to_bytes(2, "little") + b"\0" * ((-(at + 4)) % align)
            archive.writestr(info, data)
    return out.getvalue()


def ar_member(name, data):
    head = b"%-16s%-12d%-6d%-6d%-8s%-10d`\n" % (name, 0, 0, 0, b"100644", len(data))
    return head + data + b"\n" * (len(data) % 2)


def make_kernel(payload):
    """Makes a bzImage of x86 with one sector of setup code, as Linux's Documentation/arch/x86/boot.rst describes it."""
    head = bytearray(1024)
    head[0x1F1] = 1
    head[0x202:0x206] = b"HdrS"
    head[0x206:0x208] = (0x20F).to_bytes(2, "little")
    head[0x248:0x24C] = (16).to_bytes(4, "little")
    head[0x24C:0x250] = len(payload).to_bytes(4, "little")
    return bytes(head) + bytes(16) + payload + b"rest"


def run(*words):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout.decode()


def symbol_names(words, kinds):
    return {
        row.split()[0]
        for row in run("nm", "--format=posix", "--defined-only", *words).splitlines()
        if row.split()[1] in kinds
    }


def make_debugdata(path):
    """Makes a stripped program whose local functions are in .gnu_debugdata, as GDB's manual describes it
    (MiniDebugInfo), with binutils."""
    with tempfile.TemporaryDirectory() as folder:
        keep, inner, packed, out = (os.path.join(folder, name) for name in ("keep", "inner", "packed", "out"))
        with open(keep, "w", encoding="utf-8") as file:
            file.write(
                "".join(
                    name + "\n" for name in sorted(symbol_names([path], "TtD") - symbol_names(["-D", path], "TtDWw"))
                )
            )
        run("objcopy", "--only-keep-debug", path, inner)
        run("objcopy", "-S", "--remove-section", ".comment", "--keep-symbols=" + keep, inner)
        run("strip", "--strip-all", "-R", ".comment", "-o", out, path)
        with open(packed, "wb") as file:
            file.write(lzma.compress(read(inner), preset=0))
        run("objcopy", "--add-section", ".gnu_debugdata=" + packed, out)
        return read(out)


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else HERE
    stored, deflated = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED
    library, mapping = read(DEMO, "libdemo.so"), read(DEMO, "mapping.txt")
    manifest = b"<manifest/>\n" * 40
    object_file = read(NATIVE, "clang-arm64-O2.o")
    dex = b"dex\n035\0" + bytes(104)
    long_name = b"a_name_of_an_object_file_that_is_long.o"
    files = {
        "base.apk": make_zip(
            [("AndroidManifest.xml", manifest, deflated), ("lib/arm64-v8a/libdemo.so", library, stored)], 4096
        ),
        "app.aab": make_zip(
            [
                ("base/manifest/AndroidManifest.xml", manifest, deflated),
                ("base/lib/arm64-v8a/libdemo.so", library, deflated),
                ("BUNDLE-METADATA/com.android.tools.build.obfuscation/proguard.map", mapping, deflated),
            ]
        ),
        "native-debug-symbols.zip": make_zip([("arm64-v8a/libdemo.so.dbg", library, deflated)]),
        "nothing.jar": make_zip([("META-INF/MANIFEST.MF", b"Manifest-Version: 1.0\n", deflated)]),
        "no-symbols.apk": make_zip([("AndroidManifest.xml", b"<manifest/>\n", stored), ("classes.dex", dex, stored)]),
        "no-symbols.ipa": make_zip([("Payload/Demo.app/Info.plist", b"bplist00\n", stored)]),
        "no-symbols.jar": make_zip([("com/example/Demo.class", b"\xca\xfe\xba\xbe\0\0\0\x34\n", stored)]),
        "no-symbols.xcarchive.zip": make_zip([("Demo.xcarchive/Info.plist", b"<?xml version=\"1.0\"?>\n", stored)]),
        "gnu.a": b"!<arch>\n"
        + ar_member(b"//", long_name + b"/\n")
        + ar_member(b"/0", object_file)
        + ar_member(b"short.o/", b"\x00\x01\x02"),
        "bsd.a": b"!<arch>\n" + ar_member(b"#1/%d" % (len(long_name) + 1), long_name + b"\0" + object_file),
    }
    files["all.zip"] = make_zip(
        [("store/base.apk", files["base.apk"], stored), ("store/app.aab", files["app.aab"], deflated)]
    )
    whole = read(NATIVE, "gcc-x86_64-O2-symtab.elf")
    size = len(whole).to_bytes(4, "little")
    files["vmlinuz"] = make_kernel(gzip.compress(whole, mtime=0))
    files["vmlinuz-xz"] = make_kernel(lzma.compress(whole, preset=0, check=lzma.CHECK_CRC32) + size)
    files["vmlinuz-lz4"] = make_kernel(b"\x02\x21\x4c\x18" + size)
    files["packed.zip"] = make_zip(
        [
            ("libdemo.so.gz", gzip.compress(library, mtime=0), deflated),
            ("libdemo.so.xz", lzma.compress(library, preset=0), stored),
        ]
    )
    deep = make_zip([("libdemo.so", library, deflated)])
    for depth in range(5):
        deep = make_zip([("inner.zip", deep, deflated if depth % 2 else stored)])
    files["deep.zip"] = deep
    files["debugdata.elf"] = make_debugdata(os.path.join(NATIVE, "gcc-x86_64-O2-symtab.elf"))
    files["libdemo.so.xz"] = lzma.compress(library, preset=0)
    for name, data in files.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)


if __name__ == "__main__":
    main()
