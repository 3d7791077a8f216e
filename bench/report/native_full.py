"""The part of a full run of scripts/bench that measures native images: compiling, the size of indexes, lookups in the
process, lookups through a pipe, and lookups without an index."""

import os
import subprocess

from peers import Settings, cost, find, median, say, spread, measured_rows

HERE = os.path.dirname(os.path.abspath(__file__))
# Number of addresses for tools that take milliseconds for each address.
FEW = 200
OWN, OWN_TWO = "framemap, 1 thread", "framemap, 2 threads"
GSYM, GSYM_TWO, CACHE = "llvm-gsymutil, 1 thread", "llvm-gsymutil, 2 threads", "symcache crate"


class Image:
    """One symbol file, and the indexes that are built from it."""

    def __init__(self, name, path, run):
        self.name, self.path, self.run = name, path, run
        self.work = os.path.join(run.work, name.replace(" ", "_"))
        os.makedirs(self.work, exist_ok=True)
        self.index, self.gsym, self.cache = (
            os.path.join(self.work, "file." + kind) for kind in ("fmx", "gsym", "symcache")
        )
        self.framemap = os.path.join(run.build, "cli", "framemap")
        self.gsymutil = find("llvm-gsymutil-19", "llvm-gsymutil")

    def program(self, name):
        return os.path.join(self.run.build, "bench", name)

    # --- measuring the compilation of symbol files ---

    def compilers(self):
        def own(threads):
            return [self.framemap, "index", "-q", "-j", str(threads), self.path, "-o", self.index]

        def gsym(threads):
            return [self.gsymutil, "--convert", self.path, f"--num-threads={threads}", "--quiet", "-o", self.gsym]
        rows = {OWN: (own(1), self.index), OWN_TWO: (own(2), self.index)}
        if self.gsymutil:
            rows.update({GSYM: (gsym(1), self.gsym), GSYM_TWO: (gsym(2), self.gsym)})
        if self.run.crate:
            rows[CACHE] = ([self.run.crate, "write", self.path, self.cache], self.cache)
        return rows

    def compile(self, rounds):
        """Measures compiling: tool -> costs of the rounds; a tool that fails is left out."""
        costs, rows = {}, self.compilers()
        for _ in range(rounds):
            for tool, (command, _) in list(rows.items()):
                found = cost(command)
                if found is None:
                    say(f"  {tool} fails on {self.name}")
                    rows.pop(tool)
                    costs.pop(tool, None)
                    continue
                costs.setdefault(tool, []).append(found)
        sizes = {tool: os.path.getsize(path) for tool, (_, path) in rows.items()}
        return costs, sizes


def ratios(costs, tool, base, field):
    return [
        getattr(one, field) / max(getattr(own, field), 1e-9)
        for one, own in zip(costs.get(tool, []), costs.get(base, []))
    ]


def compile_all(images, run):
    print(
        "\n### Compiling\n\nSeconds, least / median / most of the rounds. The ratios are to framemap with as many threads, within one round: by the clock, and in the "
        "processors' time.\n"
    )
    print(
        "| image | tool | by the clock | processors' time | x clock | x time | peak memory | bytes |\n| --- | --- | --- | --- | --- | --- | --- | --- |"
    )
    for image in images:
        say(f"compiling {image.name}")
        costs, sizes = image.compile(run.rounds)
        for tool, found in costs.items():
            base = OWN_TWO if "2" in tool else OWN
            walls, times = (spread([getattr(one, field) for one in found], 3) for field in ("wall", "cpu"))
            x_wall, x_cpu = (
                f"{median(ratios(costs, tool, base, field)):.2f}" if costs.get(base) else "-"
                for field in ("wall", "cpu")
            )
            peak = max(one.peak for one in found) / 1024
            print(
                f"| {image.name} | {tool} | {walls} | {times} | {x_wall} | {x_cpu} | {peak:.0f} MB | {sizes[tool]:,} |",
                flush=True,
            )
        run.find(f"compile wall 2, {image.name}", ratios(costs, GSYM_TWO, OWN_TWO, "wall"))
        run.find(f"compile cpu, {image.name}", ratios(costs, GSYM, OWN, "cpu"))
        run.find(f"peak, {image.name}", ratios(costs, OWN_TWO, GSYM_TWO, "peak"))
        if GSYM in sizes and OWN in sizes:
            run.find(f"bytes, {image.name}", [sizes[OWN] / sizes[GSYM]])
        if image.name == "kernel":
            run.find("scaling", ratios(costs, OWN, OWN_TWO, "wall"))


# --- measuring lookups in the same process ---

PATTERNS = ("random", "clustered", "hot")


def others(image, folder):
    """Returns the programs that measure other libraries: tool -> command that prints the times of the address
    patterns."""
    rows = {}
    if os.path.exists(image.gsym):
        reader = image.run.gsym_reader
        if reader:
            rows["GSYM, LLVM's reader"] = [reader, image.gsym, folder, "1"]
        if image.run.crate:
            rows["GSYM, blazesym's reader"] = [image.run.crate, "gsym", image.gsym, folder, "1"]
    if image.run.crate:
        if os.path.exists(image.cache):
            rows["symcache crate"] = [image.run.crate, "symcache", image.cache, image.path, folder, "1"]
        rows["addr2line crate, from the symbol file, warm"] = [image.run.crate, "addr2line", image.path, folder, "1"]
    return rows


def lookup_rounds(image, run):
    """Measures lookups: tool -> pattern -> ns of the rounds."""
    folder = os.path.join(image.work, "addresses")
    os.makedirs(folder, exist_ok=True)
    gsym = ["-g", image.gsym] if os.path.exists(image.gsym) else []
    command = [image.program("bench_lookups"), "-r", "1", *gsym, image.index, image.path]
    if subprocess.run([image.program("bench_lookups"), "-w", folder, image.index, image.path], check=False).returncode:
        return {}
    rows, times = others(image, folder), {}
    for _ in range(run.rounds):
        for key, values in measured_rows(command).items():
            name = key if isinstance(key, str) else key[0]
            pattern, _, way = name.partition(", ")
            if pattern in PATTERNS and not isinstance(key, tuple):
                times.setdefault(way, {}).setdefault(pattern, []).append(values[1])
        for tool, words in list(rows.items()):
            found = measured_rows(words)
            if not found:
                rows.pop(tool)
                times.pop(tool, None)
            for pattern in PATTERNS:
                if pattern in found:
                    times.setdefault(tool, {}).setdefault(pattern, []).append(found[pattern][1])
    return times


def against(times, tool, base, pattern):
    return [one / own for one, own in zip(times.get(tool, {}).get(pattern, []), times.get(base, {}).get(pattern, []))]


def lookups_all(images, run):
    print(
        "\n### Lookups in process\n\nNanoseconds of the processor for an answer with its whole inline chain, mangled: least / median / most of the rounds. x: the median's "
        "times of framemap's call for one address, within one round.\n"
    )
    print("| image | how | random | x | clustered | x | hot | x |\n| --- | --- | --- | --- | --- | --- | --- | --- |")
    for image in images:
        if not os.path.exists(image.index):
            continue
        say(f"lookups in {image.name}")
        times = lookup_rounds(image, run)
        for tool, patterns in times.items():
            cells = []
            for pattern in PATTERNS:
                values = patterns.get(pattern, [])
                x = against(times, tool, "framemap", pattern)
                cells += [spread(values, 0) if values else "-", f"{median(x):.2f}" if x else "-"]
            print(f"| {image.name} | {tool} | {' | '.join(cells)} |", flush=True)
        for pattern in PATTERNS:
            for base, word in (
                ("framemap, in brief", ""),
                ("framemap", " in full"),
                ("framemap, many at once", " at once"),
            ):
                run.find(f"flat {pattern}{word}, {image.name}", against(times, "flat array", base, pattern))
                run.find(f"gsym {pattern}{word}, {image.name}", against(times, "GSYM", base, pattern))
                run.find(
                    f"gsym of llvm {pattern}{word}, {image.name}", against(times, "GSYM, LLVM's reader", base, pattern)
                )
                run.find(f"symcache {pattern}{word}, {image.name}", against(times, "symcache crate", base, pattern))


def threads_all(images, run):
    """Measures lookups by number of threads."""
    rows = []
    for image in images:
        if os.path.exists(image.index):
            found = measured_rows(
                [
                    image.program("bench_lookups"),
                    "-r",
                    str(run.rounds),
                    "-j",
                    str(max(2, os.cpu_count() or 1)),
                    image.index,
                    image.path,
                ]
            )
            rows += [
                f"| {image.name} | {name} | {' / '.join(f'{value:.2f}' for value in values)} |"
                for name, values in found.items()
            ]
    if rows:
        print(
            "\n#### By number of threads\n\nMillion random lookups a second, by the clock: least / median / most.\n\n| image | how | lookups |\n| --- | --- | --- |"
        )
        print("\n".join(rows), flush=True)


# --- measuring lookups through pipes ---

def answerers(image):
    """Returns the tools that answer through a pipe: tool -> (command, function that spells an address, number of
    addresses)."""
    plain, most = "{}\n".format, 100000 if not image.run.quick else 20000
    rows = {
        "framemap llvm-symbolizer, index": (
            [image.framemap, "llvm-symbolizer", f"--obj={image.index}"],
            plain,
            most * 20,
        )
    }
    symbolizer = find("llvm-symbolizer-19", "llvm-symbolizer")
    if symbolizer:
        rows["llvm-symbolizer"] = ([symbolizer, f"--obj={image.path}"], plain, most)
    if os.path.exists(image.gsym):
        rows["llvm-gsymutil, GSYM"] = ([image.gsymutil, "--addresses-from-stdin"], f"{{}} {image.gsym}\n".format, most)
    for tool in ("eu-addr2line", "addr2line"):
        if find(tool):
            rows[tool] = ([tool, "-e", image.path, "-i", "-f"], plain, FEW)
    return rows


def steady(command, text, count, addresses):
    """Returns the CPU seconds for one of `count` addresses. The first tenth of them is measured in a run of its own and
    subtracted, so that start-up is not part of the result. If other load slows that run down, its time can exceed the
    time of all addresses; the measurement is then repeated."""
    for _ in range(3):
        few, many = (
            cost(command, "".join(map(text, (addresses * (part // len(addresses) + 1))[:part])).encode())
            for part in (count // 10, count)
        )
        if few is None or many is None:
            return None
        if many.cpu > few.cpu:
            return (many.cpu - few.cpu) / (count - count // 10), many.peak
    return None


def pipes_all(images, run):
    print(
        "\n### Through a pipe\n\nRandom addresses of the known code, in one stream: thousand answers per second of CPU time with functions, files, lines and inline chains, after the first tenth of "
        f"the stream, which pays for starting. addr2line and eu-addr2line are asked {FEW} only. x: how many times framemap's answers a second are theirs.\n"
    )
    print("| image | tool | thousand a second | x | peak memory |\n| --- | --- | --- | --- | --- |")
    for image in images:
        listed = os.path.join(image.work, "addresses", "random")
        if not os.path.exists(listed):
            continue
        say(f"pipes of {image.name}")
        with open(listed, encoding="ascii") as file:
            addresses = file.read().split()
        times, peaks, rows = {}, {}, answerers(image)
        for _ in range(min(run.rounds, 3)):
            for tool, row in list(rows.items()):
                found = steady(*row, addresses)
                if found is None:
                    rows.pop(tool)
                    continue
                times.setdefault(tool, []).append(found[0])
                peaks[tool] = max(found[1], peaks.get(tool, 0))
        own = next(iter(rows), None)
        for tool in rows:
            x = [one / base for one, base in zip(times[tool], times[own])]
            print(
                f"| {image.name} | {tool} | {spread([1e-3 / one for one in times[tool]], 1)} | {spread(x, 1)} | {peaks[tool] / 1024:.0f} MB |",
                flush=True,
            )
            if tool == "llvm-symbolizer":
                run.find(f"pipe, {image.name}", x)


def one_by_one(images, run):
    print(
        "\n#### One at a time over two pipes\n\nMicroseconds from the query to the end of the answer: least / median / 99 of 100.\n\n| image | tool | µs |\n| --- | --- | --- |"
    )
    symbolizer = find("llvm-symbolizer-19", "llvm-symbolizer")
    for image in images:
        listed = os.path.join(image.work, "addresses", "random")
        for tool, command in (
            ("framemap llvm-symbolizer, index", [image.framemap, "llvm-symbolizer", f"--obj={image.index}"]),
            ("llvm-symbolizer", symbolizer and [symbolizer, f"--obj={image.path}"]),
        ):
            if command and os.path.exists(listed):
                values = measured_rows(
                    [image.program("bench_pipe"), listed, "20000" if not run.quick else "5000", *command], 300
                ).get("one at a time")
                if values:
                    print(f"| {image.name} | {tool} | {' / '.join(f'{value:.1f}' for value in values)} |", flush=True)


# --- measuring lookups without an index ---

def cold_all(images, run):
    print(
        "\n### One answer without an index\n\nA process that answers one address from the symbol file itself, which is in the page cache: milliseconds by the clock, least / median / "
        "most. framemap keeps no cache here.\n\n| image | tool | ms | x | peak memory |\n| --- | --- | --- | --- | --- |"
    )
    for image in images:
        listed = os.path.join(image.work, "addresses", "random")
        if not os.path.exists(listed):
            continue
        say(f"one answer of {image.name}")
        with open(listed, encoding="ascii") as file:
            addresses = file.read().split()[:run.rounds]
        commands = {
            "framemap lookup --no-cache": lambda address: [image.framemap, "lookup", "--no-cache", image.path, address]
        }
        if run.crate:
            commands["addr2line crate"] = lambda address: [run.crate, "one", image.path, address]
        symbolizer = find("llvm-symbolizer-19", "llvm-symbolizer")
        if symbolizer:
            commands["llvm-symbolizer"] = lambda address: [symbolizer, f"--obj={image.path}", address]
        for tool in ("eu-addr2line", "addr2line"):
            if find(tool):
                commands[tool] = lambda address, tool=tool: [tool, "-e", image.path, "-i", "-f", address]
        costs = {tool: [] for tool in commands}
        for address in addresses:
            for tool, command in commands.items():
                costs[tool].append(cost(command(address)))
        costs = {tool: found for tool, found in costs.items() if None not in found}
        own = next(iter(costs), None)
        for tool, found in costs.items():
            x = ratios(costs, tool, own, "wall")
            print(
                f"| {image.name} | {tool} | {spread([one.wall * 1e3 for one in found], 1)} | {spread(x)} | {max(one.peak for one in found) / 1024:.0f} MB |",
                flush=True,
            )
        if "addr2line crate" in costs:
            run.find(f"cold, {image.name}", ratios(costs, own, "addr2line crate", "wall"))


def bench(images, run):
    compile_all(images, run)
    lookups_all(images, run)
    threads_all(images[:1], run)
    pipes_all(images, run)
    one_by_one(images[:2], run)
    cold_all(images, run)
