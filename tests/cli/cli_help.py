"""Shared by the checks of the command: they run the command under all its names with a separate cache, find other
tools, and compare two texts and print the differences."""

import os
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NATIVE = os.path.join(ROOT, "corpus", "native")
FRONTS = ("framemap", "addr2line", "llvm-addr2line", "llvm-symbolizer", "ndk-stack", "atos")


class Command:
    """The command that is tested, with links for all fronts in a temporary folder."""

    def __init__(self):
        self.program = os.environ.get("FRAMEMAP")
        if not self.program:
            sys.exit("FRAMEMAP names no command to be tested")
        self.folder = tempfile.mkdtemp(prefix="framemap-cli-")
        self.environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(self.folder, "cache"))
        for name in ("LLVM_SYMBOLIZER_OPTS", "LLVM_ADDR2LINE_OPTS", "DEBUGINFOD_URLS"):
            self.environment.pop(name, None)
        for name in FRONTS:
            os.symlink(os.path.abspath(self.program), self.path(name))

    def path(self, name):
        return os.path.join(self.folder, name)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, name, arguments=(), text="", folder=None):
        return run([self.path(name), *arguments], text, self.environment, folder)


def run(words, text="", environment=None, folder=None):
    """Returns the exit code, standard output and standard error."""
    done = subprocess.run(
        words,
        input=text.encode("utf-8", "surrogateescape"),
        capture_output=True,
        env=environment,
        cwd=folder,
        timeout=240,
    )
    return (
        done.returncode,
        done.stdout.decode("utf-8", "surrogateescape"),
        done.stderr.decode("utf-8", "surrogateescape"),
    )


def tool(*names):
    """Returns the first of the given tools that is installed; if none is, skips the check."""
    for name in names:
        found = shutil.which(name)
        if found:
            return found
    print("skipped: none of these is installed:", ", ".join(names))
    sys.exit(SKIPPED)


def need_llvm_names():
    """Skips the check if framemap was built without LLVM's demangler, since it then prints C++ names as GNU's tools
    do."""
    if os.environ.get("FRAMEMAP_LLVM_NAMES") == "OFF":
        print("skipped: framemap was built without libc++abi.a, so that it does not print C++ names as LLVM's tools do")
        sys.exit(SKIPPED)


def readers():
    """Returns the readers of debug info that this build has; reports if libdwarf is not one of them."""
    if os.environ.get("FRAMEMAP_WITH_LIBDWARF") == "OFF":
        print("without --reader=libdwarf: framemap was built without libdwarf")
        return ["fast"]
    return ["fast", "libdwarf"]


def samples(*endings):
    """Returns the native samples, as paths below their folder."""
    found = []
    for name in sorted(os.listdir(NATIVE)):
        path = os.path.join(NATIVE, name)
        if os.path.isfile(path) and name.endswith(endings):
            found.append(name)
    return found


class Findings:
    """Counts comparisons and prints those that fail."""

    def __init__(self):
        self.checks = 0
        self.faults = 0

    def same(self, what, got, wanted):
        self.checks += 1
        if got == wanted:
            return
        self.faults += 1
        if self.faults > 20:
            return
        print(f"{what}:")
        left, right = str(wanted).splitlines(), str(got).splitlines()
        shown = 0
        for at in range(max(len(left), len(right))):
            one = left[at] if at < len(left) else "(nothing)"
            other = right[at] if at < len(right) else "(nothing)"
            if one != other:
                print(f"  line {at + 1}: wanted {one!r}\n  {' ' * len(str(at + 1))}         got {other!r}")
                shown += 1
                if shown == 5:
                    break

    def true(self, what, holds, details=""):
        self.same(what, "holds" if holds else f"does not hold {details}", "holds")

    def end(self):
        print(f"{self.checks} comparisons, {self.faults} differ")
        sys.exit(1 if self.faults else 0)
