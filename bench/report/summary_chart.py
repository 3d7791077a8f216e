#!/usr/bin/env python3
"""bench/report/summary_chart.py docs/benchmarks.md: prints the bar chart of that page's first table, whose last column
shows how many times faster framemap is than another tool. --write puts the chart into the page, between two marker
lines."""

import re
import sys

BEGIN, END = "<!-- chart -->", "<!-- end of chart -->"
WIDTH = 40


def rows(page):
    """Returns the first table of the page as pairs (what, times): for each row that has a ratio, its first column, and
    how many times as fast framemap is."""
    table = re.search(r"(?:^\|.*\n)+", page, re.M)[0].splitlines()[2:]
    for line in table:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        ratio = re.match(r"([\d.]+) times", cells[-1])
        if ratio:
            yield cells[0], float(ratio[1])


def chart(page):
    found = list(rows(page))
    most, wide = max(times for _, times in found), max(len(what) for what, _ in found)
    bars = [f"{what:<{wide}} {'#' * max(1, round(times / most * WIDTH))} {times:g}" for what, times in found]
    return "\n".join([BEGIN, "```text", "times as fast as the peer", *bars, "```", END])


def main():
    path = sys.argv[-1]
    with open(path, encoding="utf-8") as file:
        page = file.read()
    made = chart(page)
    if sys.argv[1] != "--write":
        print(made)
        return
    with open(path, "w", encoding="utf-8") as out:
        out.write(re.sub(f"{BEGIN}.*?{END}", lambda _: made, page, flags=re.S))


if __name__ == "__main__":
    main()
