"""The inputs of a full run of scripts/bench: built or downloaded once and kept in a folder. An input that is not
available is skipped with a message."""

import glob
import os
import re
import shutil
import subprocess

from growth import write_mapping
from peers import find, say

HERE = os.path.dirname(os.path.abspath(__file__))
JARS = ("scala-library", "groovy", "libbatik-java")  # packages whose classes have line numbers
# Packages of npm that contain both a script and its map.
SCRIPTS = {
    "@babel/standalone@7.26.4": "@babel/standalone/babel.min.js",
    "maplibre-gl@4.7.1": "maplibre-gl/dist/maplibre-gl.js",
    "ol@10.3.1": "ol/dist/ol.js",
}
UNITS = (6, 24, 96)  # units of the C programs of three sizes: 1, 4 and 16 times as many
# How many times the mapping of an app is repeated, which gives a mapping of 100 MB.
APPS = 50


class Absent(Exception):
    """Raised if an input is not available, with the reason."""


class Inputs:
    def __init__(self, given):
        self.given = given
        self.folder = os.path.join(given.build, "inputs")
        self.log = os.path.join(given.build, "inputs.log")
        self.absent = {}  # name of a missing input -> reason
        os.makedirs(self.folder, exist_ok=True)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def run(self, command, **options):
        """Runs a command with its output appended to the log; raises Absent if it fails."""
        with open(self.log, "ab") as out:
            try:
                failed = subprocess.run(
                    ["nice", *command], stdin=subprocess.DEVNULL, stdout=out, stderr=out, check=False, **options
                ).returncode
            except OSError as error:
                raise Absent(str(error)) from error
        if failed:
            raise Absent(f"{os.path.basename(command[0])} failed, see {self.log}")

    def one(self, what, name, make):
        """Returns the path of an input, which is built if it does not exist yet; None: it is not available."""
        path = self.path(name)
        if os.path.exists(path):
            return path
        say(f"preparing {what}")
        try:
            return make(path)
        except Absent as why:
            self.absent[what] = str(why)
            say(f"  left out: {why}")
            return None

    # --- getting inputs from Debian's archive ---

    def download(self, package):
        """Unpacks a Debian package; returns the folder."""
        if not find("apt-get") or not find("dpkg-deb"):
            raise Absent("this is no Debian or Ubuntu")
        folder = self.path("packages", package)
        if not os.path.isdir(folder):
            made = folder + ".new"
            shutil.rmtree(made, ignore_errors=True)
            os.makedirs(made)
            self.run(["apt-get", "download", package], cwd=made)
            for archive in glob.glob(os.path.join(made, "*.deb")):
                self.run(["dpkg-deb", "-x", archive, made])
                os.remove(archive)
            os.rename(made, folder)
        return folder

    def newest_kernel(self):
        """Returns the name of the package with debug info on which the package linux-image-ARCH-dbg depends."""
        arch = subprocess.run(
            ["dpkg", "--print-architecture"], capture_output=True, text=True, check=False
        ).stdout.strip()
        listed = subprocess.run(
            ["apt-cache", "depends", f"linux-image-{arch}-dbg"], capture_output=True, text=True, check=False
        ).stdout
        found = re.search(r"Depends: (linux-image-\S+-dbg)", listed)
        if not found:
            raise Absent("apt knows no package of the kernel's debug information")
        return found[1]

    def kernel(self):
        if self.given.kernel:
            return self.given.kernel
        here = sorted(glob.glob("/usr/lib/debug/boot/vmlinux-*") + glob.glob("/usr/lib/debug/lib/modules/*/vmlinux"))
        if here:
            return here[-1]

        def make(path):
            if self.given.quick:
                raise Absent("some 800 MB are not fetched in a quick run; --kernel FILE names one")
            folder = self.download(self.newest_kernel())
            found = glob.glob(os.path.join(folder, "usr/lib/debug/boot/vmlinux-*"))
            if not found:
                raise Absent("no vmlinux in the package")
            os.symlink(found[0], path)
            return path
        return self.one("the kernel's image", "vmlinux", make)

    def libc(self):
        def make(path):
            roots = ["/"] if os.path.isdir("/usr/lib/debug/.build-id") else []
            try:
                roots = roots or [self.download("libc6-dbg")]
            except Absent:
                pass
            files = [
                name for root in roots for name in glob.glob(os.path.join(root, "usr/lib/debug/.build-id/*/*.debug"))
            ]
            if not files:
                raise Absent("no libc6-dbg")
            os.symlink(max(files, key=os.path.getsize), path)
            return path
        return self.one("libc's debug file", "libc.debug", make)

    def sources(self, package):
        """Returns the folder of a package's sources. apt downloads them with separate package lists, which include
        sources."""
        if not find("apt-get"):
            raise Absent("this is no Debian or Ubuntu")
        folder = self.path("sources", package)
        if not glob.glob(os.path.join(folder, "*", "")):
            for name in ("lists/partial", "cache/archives/partial", "parts"):
                os.makedirs(os.path.join(folder, name), exist_ok=True)
            for path in glob.glob("/etc/apt/sources.list.d/*.sources"):
                with (
                    open(path, encoding="utf-8") as file,
                    open(os.path.join(folder, "parts", os.path.basename(path)), "w", encoding="utf-8") as out,
                ):
                    out.write(re.sub(r"(?m)^Types:.*", "Types: deb-src", file.read()))
            lines = []
            for path in ["/etc/apt/sources.list", *glob.glob("/etc/apt/sources.list.d/*.list")]:
                if os.path.exists(path):
                    with open(path, encoding="utf-8") as file:
                        lines += [re.sub(r"^deb\s", "deb-src ", line) for line in file if line.startswith("deb ")]
            with open(os.path.join(folder, "parts.list"), "w", encoding="utf-8") as out:
                out.writelines(lines)
            apt = ["apt-get", "-o", f"Dir::Etc::SourceList={folder}/parts.list", "-o", f"Dir::Etc::SourceParts={folder}/parts",
                   "-o", f"Dir::State::Lists={folder}/lists", "-o", f"Dir::Cache={folder}/cache"]
            self.run([*apt, "update"])
            self.run([*apt, "--download-only", "source", package], cwd=folder)
            for archive in glob.glob(os.path.join(folder, "*.orig.tar.*")):
                self.run(["tar", "xf", archive, "-C", folder])
        found = [name for name in glob.glob(os.path.join(folder, "*", "")) if os.path.isdir(os.path.join(name, "src"))]
        if not found:
            raise Absent(f"no sources of {package}")
        return found[0]

    def cxx(self):
        def large(path):
            self.run(
                [os.path.join(HERE, "make_large.sh"), path],
                env=dict(os.environ, CXX=find("clang++-19", "clang++", "c++") or "c++"),
            )
            return path

        def make(path):
            if self.given.quick:
                return large(self.path("large"))
            try:
                self.run([os.path.join(HERE, "make_protobuf.sh"), path, self.sources("protobuf")])
                return path
            except Absent as why:
                say(f"  no protobuf ({why}); bench/inputs/make_large.sh in its place")
                return large(self.path("large"))
        if self.given.quick and not os.path.exists(self.path("protobuf")):
            return self.one("a C++ program", "large", make)
        return self.one("a large C++ program", "protobuf", make)

    # --- making inputs on this machine ---

    def units(self):
        """Makes C programs with 1, 4 and 16 times as many units of the same kind."""
        def make(path):
            self.run([os.path.join(HERE, "make_units.py"), self.folder, *map(str, UNITS)])
            return path
        made = self.one("libraries of 1, 4 and 16 times so many units", f"units{UNITS[-1]}.so", make)
        return [self.path(f"units{count}.so") for count in UNITS] if made else []

    def dsym(self):
        def make(path):
            self.run([os.path.join(HERE, "make_units.py"), self.folder, str(UNITS[1]), "--dsym"])
            return path
        return self.one("a dSYM", f"units{UNITS[1]}.dsym", make)

    def dart(self):
        def make(path):
            self.run([os.path.join(HERE, "make_units.py"), self.folder, str(UNITS[0]), "--dart"])
            return path
        return self.one("a program with the text symbol of Dart's", f"units{UNITS[0]}.dart", make)

    # --- getting mappings and source maps ---

    def jars(self):
        found = []
        for package in JARS:
            try:
                folder = self.download(package)
            except Absent as why:
                say(f"  without {package}: {why}")
                continue
            found += [
                path
                for path in glob.glob(os.path.join(folder, "usr/share/**/*.jar"), recursive=True)
                if not os.path.islink(path)
            ]
        unique = {os.path.getsize(path): path for path in sorted(found)}
        return sorted(path for path in unique.values() if not re.search("javadoc|sources|indy|-all", path))

    def mapping(self):
        def make(path):
            if self.given.quick or not find("java") or not os.path.exists("/usr/share/java/proguard.jar"):
                raise Absent("needs Java and proguard-cli, and no quick run")
            jars = self.jars()
            if not jars:
                raise Absent("no libraries to rename")
            try:
                self.run([os.path.join(HERE, "make_java.sh"), path, *jars])
            except Absent as why:
                say(f"  fewer libraries, as {why}")
                self.run([os.path.join(HERE, "make_java.sh"), path, *(jar for jar in jars if "scala" in jar)])
            return path
        return self.given.mapping or self.one("a large mapping", "mapping.txt", make)

    def mapping_of_app(self):
        """Makes a mapping: an app's mapping from the tests of the proguard crate, repeated many times. cargo has
        downloaded the crate already, because the crate is measured, too."""
        def make(path):
            cargo = os.environ.get("CARGO_HOME", os.path.expanduser("~/.cargo"))
            found = sorted(glob.glob(os.path.join(cargo, "registry/src/*/proguard-*/tests/res/mapping-r8.txt")))
            if self.given.quick or not found:
                raise Absent("needs the proguard crate, and no quick run")
            write_mapping(found[-1], APPS, path, os.path.getsize(found[-1]))
            return path
        return self.one("an app's mapping", "mapping-app.txt", make)

    def maps(self):
        """Makes source maps with their scripts in the same folder."""
        def make(path):
            if not find("npm"):
                raise Absent("no npm here")
            os.makedirs(self.path("npm"), exist_ok=True)
            with open(self.path("npm", "package.json"), "w", encoding="ascii") as out:
                out.write('{"private": true}\n')
            self.run(
                ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", *SCRIPTS],
                cwd=self.path("npm"),
            )
            return path
        self.one("source maps of npm's packages", "npm/node_modules", make)
        found = [self.path("npm", "node_modules", name + ".map") for name in SCRIPTS.values()]
        return [path for path in found if os.path.exists(path)]
