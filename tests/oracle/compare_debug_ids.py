#!/usr/bin/env python3
"""Compares the debug ids and code ids of `framemap info` with those of the Python package symbolic (PyPI).

    compare_debug_ids.py FRAMEMAP [FILE...]

FILE: object files, also Windows PE files; without any, those of corpus/. Skipped (77) if the package is missing.
"""

import glob
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NONE = "00000000-0000-0000-0000-000000000000"  # the id that symbolic returns for a file without an id


def ids_of(framemap, path):
    done = subprocess.run(
        [framemap, "info", "-o", "json", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
    )
    images = [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]
    return [(image.get("debug_id", NONE), image.get("code_id", image.get("id"))) for image in images]


def main():
    try:
        import symbolic
    except ImportError:
        print("skipped: the Python package symbolic is missing")
        return 77
    framemap, files = sys.argv[1], sys.argv[2:]
    for folder in ("native", "demo/symbols", "dart"):
        files += [] if sys.argv[2:] else sorted(glob.glob(os.path.join(ROOT, "corpus", folder, "*")))
    count = wrong = 0
    for path in files:
        try:
            archive = symbolic.Archive.open(path)
        except Exception:  # symbolic raises an exception for a file that is not an object file
            continue
        ours = ids_of(framemap, path)
        for image in archive.iter_objects():
            count += 1
            if (image.debug_id, image.code_id) not in ours:
                wrong += 1
                print("%s: %s %s, not one of %s" % (path, image.debug_id, image.code_id, ours))
    print("%d images, %d differ" % (count, wrong))
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
