#!/usr/bin/env python3
"""real_traces.py FRAMEMAP CHECK COMPILER: runs programs that crash or print their stacks, restores the stacks, and
compares the result.

CHECK is one of
    debugger    a program prints its own stack as glibc and as Android do; restored, it must equal gdb's backtrace
    symbolizer  AddressSanitizer runs framemap as its llvm-symbolizer; the report must equal that with LLVM's tool
    report      AddressSanitizer's raw report, restored, must have the names of the sanitizer's own report

Exits with 77 and a message if a tool that it needs is missing.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SKIPPED = 77


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def fail(what, got, wanted):
    print(f"{what} differs\n---- got\n{got}\n---- wanted\n{wanted}")
    sys.exit(1)


def run(command, check=True, **options):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, **options)
    if check and done.returncode != 0:
        print(f"{' '.join(command)}\nended with {done.returncode}\n{done.stdout}{done.stderr}")
        sys.exit(1)
    return done


def need(*tools):
    for tool in tools:
        if not shutil.which(tool):
            skip(f"no {tool} here")


def compile_program(compiler, source, work, *flags):
    program = os.path.join(work, "program")
    done = run([compiler, *flags, os.path.join(HERE, source), "-o", program], check=False)
    if done.returncode != 0:
        skip(f"{compiler} {' '.join(flags)} does not build here: {done.stderr.strip().splitlines()[-1:]}")
    return program


def sources(compiler):
    """Returns the C program, and the C++ program if there is a C++ compiler of the same version, each with its
    compiler."""
    rows = [(compiler, "crash.c")]
    sister = compiler.replace("gcc", "g++").replace("clang", "clang++")
    if shutil.which(sister):
        rows.append((sister, "crash.cc"))
    return rows


def restore(framemap, program, text, work):
    environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(work, "cache"))
    return run([framemap, "restore", "-s", program], input=text, env=environment).stdout


# --- checking restored frames against a debugger ---


def gdb_frames(text):
    """Returns (function, file, line) of the frames in gdb's backtrace, from the frame that called `report` on."""
    rows = re.findall(r"^#\d+ +(?:0x[0-9a-f]+ in )?(\w+) \(.*\) at (\S+):(\d+)$", text, re.M)
    names = [row[0] for row in rows]
    return [(name, os.path.basename(file), int(line)) for name, file, line in rows[names.index("report") + 1:]]


def restored_frames(framemap, program, text, work):
    """Yields (function, file, line) of the restored frames of each trace that are in the program itself, from the frame
    that called `report` on."""
    import json
    environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(work, "cache"))
    lines = run([framemap, "restore", "-s", program, "-o", "json"], input=text, env=environment).stdout.splitlines()
    for trace in (line for line in map(json.loads, lines) if line["t"] == "trace"):
        chain = [inner for frame in trace["frames"] for inner in frame["source"] if inner.get("line")]
        names = [inner["function"] for inner in chain]
        yield trace["format"], [
            (inner["function"], os.path.basename(inner["file"]), inner["line"])
            for inner in chain[names.index("report") + 1 :]
        ]


def check_debugger(framemap, compiler, work):
    need("gdb")
    program = compile_program(compiler, "trace.c", work, "-O2", "-g", "-rdynamic", "-fno-optimize-sibling-calls")
    session = run(["gdb", "-nx", "-batch", "-ex", "break done", "-ex", "run", "-ex", "bt", program], check=False)
    if "Breakpoint 1, done" not in session.stdout:
        skip("gdb can't run a program here")
    wanted = gdb_frames(session.stdout)
    raw = "".join(
        line + "\n"
        for line in session.stdout.splitlines()
        if re.match(r".*\[0x[0-9a-f]+\]$|backtrace:$| +#\d+ pc ", line)
    )
    seen = set()
    for name, got in restored_frames(framemap, program, raw, work):
        seen.add(name)
        if got != wanted:
            fail(f"{compiler}: {name}", "\n".join(map(str, got)) + "\nfrom\n" + raw, "\n".join(map(str, wanted)))
    if len(seen) != 2 or len(wanted) < 8:
        fail(
            f"{compiler}: the traces found",
            seen,
            "one of glibc, one of Android, each of 8 frames or more: " + str(wanted),
        )
    print(f"{compiler}: {len(wanted)} frames of {len(seen)} texts are gdb's")


# --- checking restored frames against AddressSanitizer ---


def sanitizer_report(program, **options):
    words = ":".join(f"{key}={value}" for key, value in options.items())
    environment = dict(os.environ, ASAN_OPTIONS=words + ":detect_leaks=0")
    return run(["setarch", "-R", program], check=False, env=environment).stderr


def without_numbers(report):
    """Removes from a report what differs from run to run: the process id, and the start address of the stack, which
    depends on the size of the environment."""
    report = re.sub(r"\b(bp|sp) 0x[0-9a-f]+", r"\1 STACK", report)
    return re.sub(r"==\d+==", "==PID==", report)


def check_symbolizer(framemap, compiler, work):
    need("setarch")
    real = shutil.which("llvm-symbolizer-19") or shutil.which("llvm-symbolizer") or skip("no llvm-symbolizer here")
    link = os.path.join(work, "llvm-symbolizer")
    os.symlink(framemap, link)
    os.environ["XDG_CACHE_HOME"] = os.path.join(work, "cache")
    for language, source in sources(compiler):
        program = compile_program(language, source, work, "-O1", "-g", "-fsanitize=address")
        wanted = without_numbers(sanitizer_report(program, external_symbolizer_path=real))
        got = without_numbers(sanitizer_report(program, external_symbolizer_path=link))
        if f"{source}:" not in wanted:
            skip(f"{language}'s sanitizer does not use a symbolizer here")
        if got != wanted:
            fail(f"{language}: the report", got, wanted)
        print(f"{language}: the same report of {len(wanted.splitlines())} lines")


def plain_name(name):
    """Reduces a name to its scopes and its own name: "int jobs::twice<main()::<lambda(int)> >(…) const" becomes
    jobs::twice."""
    name = name.replace("operator()", "operator").replace(" const", "")
    before = None
    while before != name:
        before, name = name, re.sub(r"<[^<>]*>|\([^()]*\)|\{[^{}]*\}", "", name)
    return name.split()[-1]


def same_frame(got, wanted):
    """Whether two frames are the same. The sanitizer prints only the name in the debug info, framemap also prints the
    scopes around it."""
    return got[1] == wanted[1] and (got[0] == wanted[0] or got[0].endswith("::" + wanted[0]))


def report_frames(report, source):
    """Returns (function, file:line) of every frame line in the program's own source."""
    rows = re.findall(r"^ *#\d+ 0x[0-9a-f]+ in (.*) (\S+?):(\d+)(?::\d+)?(?: .*)?$", report, re.M)
    return [(plain_name(name), f"{source}:{line}") for name, file, line in rows if os.path.basename(file) == source]


def check_report(framemap, compiler, work):
    need("setarch")
    for language, source in sources(compiler):
        program = compile_program(language, source, work, "-O1", "-g", "-fsanitize=address")
        wanted = report_frames(sanitizer_report(program), source)
        raw = sanitizer_report(program, symbolize=0)
        restored = restore(framemap, program, raw, work)
        # Names are compared without their parameters: the sanitizer's own reader does not decode those of C++.
        got = report_frames(restored, source)
        if len(wanted) < 6:
            skip(f"{language}'s sanitizer names no lines of its own here")
        if len(got) != len(wanted) or not all(map(same_frame, got, wanted)):
            fail(
                f"{language}: the restored report",
                restored + "\n" + "\n".join(map(str, got)),
                "\n".join(map(str, wanted)),
            )
        print(f"{language}: {len(wanted)} frames are the sanitizer's own")


def main():
    framemap, check, compiler = sys.argv[1:]
    need(compiler)
    checks = {"debugger": check_debugger, "symbolizer": check_symbolizer, "report": check_report}
    with tempfile.TemporaryDirectory() as work:
        checks[check](os.path.abspath(framemap), compiler, work)


if __name__ == "__main__":
    main()
