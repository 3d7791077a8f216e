#!/usr/bin/env python3
"""corpus/java/library.py OUT.jar [MODULE...]: writes the classes of the installed JDK as a library that old
ProGuards can read.

ProGuard 6 reads class files up to Java 14. It needs only names and types of a library, whose form has not changed
since, so each class gets the version number of Java 8. The classes cannot be run."""

import io
import os
import shutil
import sys
import zipfile

JAVA8 = b"\0\0\0\x34"
MODULES = [
    "java.base",
    "java.logging",
    "java.xml",
    "java.sql",
    "java.desktop",
    "java.management",
    "java.naming",
    "java.compiler",
    "jdk.unsupported",
]


def java_home():
    java = shutil.which("java")
    if not java:
        sys.exit("library.py: there is no java here")
    return os.path.dirname(os.path.dirname(os.path.realpath(java)))


def module_classes(path):
    with open(path, "rb") as file:
        file.seek(4)  # skips the header of a .jmod file; the rest is a ZIP archive
        with zipfile.ZipFile(io.BytesIO(file.read())) as module:
            for name in module.namelist():
                if name.startswith("classes/") and name.endswith(".class") and "module-info" not in name:
                    code = module.read(name)
                    yield name.removeprefix("classes/"), code[:4] + JAVA8 + code[8:]


def main():
    with zipfile.ZipFile(sys.argv[1], "w") as jar:
        for module in sys.argv[2:] or MODULES:
            for name, code in module_classes(os.path.join(java_home(), "jmods", module + ".jmod")):
                jar.writestr(zipfile.ZipInfo(name), code)


if __name__ == "__main__":
    main()
