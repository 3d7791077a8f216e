#!/usr/bin/env python3
"""bench/inputs/make_log.py [--share PERCENT] [--megabytes N] [--format WORD] [STACK_FILE|FOLDER...] > OUT: makes a log
with stacks in it. Every machine makes the same log.

The stacks are those of corpus/, or of the files and folders given. PERCENT of the lines belong to stacks
(docs/lab/performance.md has results for 100, 30 and 1); the other lines are ordinary messages of servers, phones and
browsers. --format takes only stacks whose path has the word in it."""

import argparse
import os
import random
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "corpus")
DEFAULT = [
    "demo/tombstone.txt", "demo/ios.crash", "demo/web.log", "demo/logcat.txt", "javascript/stacks", "dart", "java",
]
LONGEST = 400  # lines taken from one stack file; the rest of the file is left out
# Files of the corpus whose names start like this contain no stacks.
NO_STACKS = ("mapping.txt", "verbose.txt", "dump.")
WORDS = """request session cache worker queue connection user account order payment index shard replica leader snapshot config reload metric
health token upload download image thumbnail message topic partition consumer offset retry timeout latency window batch flush commit
transaction rollback schema migration table column layout view activity fragment adapter battery network wifi location sensor audio codec frame""".split()
TAGS = "ActivityManager WindowManager ConnectivityService chromium OkHttp AudioFlinger BatteryStats GCoreUlr NetworkMonitor InputDispatcher".split()
LOGGERS = "com.example.shop.OrderService org.apache.kafka.clients.NetworkClient o.s.web.servlet.DispatcherServlet io.netty.channel.Pool c.e.api.Health".split()
LEVELS = ["INFO ", "DEBUG", "WARN ", "INFO ", "INFO "]
AGENTS = ["Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "curl/8.5.0", "okhttp/4.12.0", "Googlebot/2.1 (+http://www.google.com/bot.html)"]


class Plain:
    """Lines without stacks; several consecutive lines come from one logger."""

    def __init__(self, random_numbers):
        self.random = random_numbers
        self.makers = [self.logcat, self.service, self.access, self.syslog, self.json, self.kernel, self.glog]
        self.now = 0

    def words(self, least, most):
        return " ".join(self.random.choice(WORDS) for _ in range(self.random.randint(least, most)))

    def clock(self):
        self.now += self.random.randint(0, 900)
        seconds = self.now // 1000
        return "%02d:%02d:%02d" % (seconds // 3600 % 24, seconds // 60 % 60, seconds % 60), self.now % 1000

    def logcat(self):
        clock, milli = self.clock()
        r = self.random
        return "11-21 %s.%03d  %4d %5d %s %s: %s (%s=%d)" % (clock, milli, r.randint(900, 9999), r.randint(1000, 32000), r.choice("DIIVW"), r.choice(TAGS),
                                                             self.words(3, 9), r.choice(WORDS), r.randint(0, 99999))

    def service(self):
        clock, milli = self.clock()
        r = self.random
        tail = r.choice(["in %d ms" % r.randint(1, 900), "for id=%d" % r.randint(1, 10**9), "[%s-%d]" % (r.choice(WORDS), r.randint(1, 64)), "at step %d" % r.randint(1, 9), "ok"])
        return "2026-11-21 %s,%03d %s [http-nio-8080-exec-%d] %s - %s %s" % (clock, milli, r.choice(LEVELS), r.randint(1, 200), r.choice(LOGGERS), self.words(4, 10), tail)

    def access(self):
        clock, _ = self.clock()
        r = self.random
        return '10.%d.%d.%d - - [21/Nov/2026:%s +0000] "GET /api/v2/%s/%d?%s=%s HTTP/1.1" %d %d "https://shop.example.com/%s" "%s"' % (
            r.randint(0, 255), r.randint(0, 255), r.randint(1, 254), clock, r.choice(WORDS), r.randint(1, 10**6), r.choice(WORDS), r.choice(WORDS), r.choice([200, 200, 204, 304, 404]),
            r.randint(100, 90000), r.choice(WORDS), r.choice(AGENTS))

    def syslog(self):
        clock, _ = self.clock()
        r = self.random
        return "Nov 21 %s web-%d %s[%d]: %s" % (clock, r.randint(1, 9), r.choice(["sshd", "cron", "systemd", "dockerd"]), r.randint(100, 32000), self.words(4, 12))

    def json(self):
        clock, milli = self.clock()
        r = self.random
        return '{"time":"2026-11-21T%s.%03dZ","level":"info","msg":"%s","%s":%d,"trace":"%016x"}' % (clock, milli, self.words(3, 8), r.choice(WORDS), r.randint(0, 10**6), r.getrandbits(64))

    def kernel(self):
        r = self.random
        self.now += r.randint(0, 900)
        return "[%5d.%06d] %s %s: %s" % (self.now // 1000, self.now % 1000 * 1000, r.choice(["usb", "eth0", "nvme0n1", "docker0"]), r.choice(["1-2", "link", "state"]), self.words(3, 8))

    def glog(self):
        clock, milli = self.clock()
        r = self.random
        return "I1121 %s.%06d %5d %s.cc:%d] %s" % (clock, milli, r.randint(1000, 32000), r.choice(WORDS), r.randint(10, 900), self.words(4, 9))

    def lines(self, count):
        while count > 0:
            maker = self.random.choice(self.makers)
            for _ in range(min(count, self.random.randint(20, 200))):
                count -= 1
                yield maker()


def stack_files(places):
    for place in places:
        if os.path.isfile(place):
            yield place
        for folder, folders, files in os.walk(place):
            folders.sort()
            for name in sorted(files):
                if name.endswith((".txt", ".crash", ".log", ".stack", ".trace")) and not name.startswith(NO_STACKS):
                    yield os.path.join(folder, name)


def read_stacks(places, word):
    stacks = []
    for path in stack_files(places):
        with open(path, "rb") as file:
            text = file.read().decode("utf-8", "replace")
        lines = [line.rstrip("\r") for line in text.split("\n")][:LONGEST]
        if word in path and max(map(len, lines)) < 4000 and any(line.strip() for line in lines):
            stacks.append(lines)
    return stacks


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--share", type=float, default=1.0)
    options.add_argument("--megabytes", type=float, default=32.0)
    options.add_argument("--format", default="")
    options.add_argument("places", nargs="*")
    asked = options.parse_args()
    random_numbers = random.Random(20261121)
    stacks = read_stacks(asked.places or [os.path.join(ROOT, place) for place in DEFAULT], asked.format) if asked.share > 0 else []
    if asked.share > 0 and not stacks:
        sys.exit("no stacks there")
    plain = Plain(random_numbers)
    left = int(asked.megabytes * 1e6)
    out = sys.stdout
    while left > 0:
        stack = random_numbers.choice(stacks) if stacks else []
        between = round(len(stack) * (100 / asked.share - 1)) if stack else 1000
        for line in (*stack, *plain.lines(between)):
            out.write(line + "\n")
            left -= len(line) + 1
            if left <= 0 and not stack:
                break


if __name__ == "__main__":
    main()
