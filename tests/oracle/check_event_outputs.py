#!/usr/bin/env python3
"""Checks that readers of Sentry's and OpenTelemetry's forms accept what `-o sentry` and `-o otlp` write.

    check_event_outputs.py FRAMEMAP [--otlp] [FILE...]

FRAMEMAP_SENTRY_SCHEMA names relay/event.schema.json of github.com/getsentry/sentry-data-schemas, which is not part of
this tree: each event is validated with it by Python's jsonschema; for images, members that the schema does not list are
errors, too. --otlp parses each line with the messages of the Python package opentelemetry-proto, where unknown members
are errors. FILE: texts or folders of them; without any, those of corpus/ and of a collection of real reports
($FRAMEMAP_CASES or a folder beside the project). Skipped (77) if no check is requested or a package is missing.
"""
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CORPUS = ["corpus/demo", "corpus/fuzz/formats", "corpus/fuzz/restore", "corpus/javascript/stacks", "corpus/java/r8"]
DEBUG_ID = re.compile(r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(-[0-9a-f]{1,8})?$")
ADDRESS = re.compile(r"^0x[0-9a-f]{1,16}$")


def skip(why):
    print("skipped: " + why)
    sys.exit(77)


def texts(given):
    if not given:
        given = [os.path.join(ROOT, folder) for folder in CORPUS]
        given.append(
            os.path.join(os.environ.get("FRAMEMAP_CASES", os.path.join(ROOT, "..", "shared", "cases")), "stacks")
        )
    for one in given:
        if os.path.isfile(one):
            yield one
        for folder, _, names in sorted(os.walk(one)):
            for name in sorted(names):
                path = os.path.join(folder, name)
                if not name.endswith((".json", ".md", ".tsv")) and os.path.getsize(path) < 4 << 20:
                    yield path


def lines_of(framemap, output, text):
    symbols = ["-s", os.path.join(ROOT, "corpus", "demo", "symbols")] if os.sep + "demo" in text else []
    command = [framemap, "restore", "--no-cache", "-o", output] + symbols + [text]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return done.stdout.decode("utf-8").split("\n")[:-1]


def wrong_in_event(event):
    """Yields faults in an event by rules that Sentry's schema does not have: the form of ids and addresses, and that a
    relative address names an image."""
    images = event.get("debug_meta", {}).get("images", [])
    for image in images:
        if not DEBUG_ID.match(image.get("debug_id", "")):
            yield "debug_id of %s: %s" % (image.get("code_file"), image.get("debug_id"))
        if "code_file" not in image or image.get("type") not in ("elf", "macho", "pe", "symbolic", "sourcemap"):
            yield "image: %s" % image
    holders = event.get("exception", {}).get("values", []) + event.get("threads", {}).get("values", [])
    if not holders:
        yield "neither an exception nor a thread"
    for holder in holders:
        for frame in holder.get("stacktrace", {}).get("frames", []):
            addresses = [frame[name] for name in ("instruction_addr", "symbol_addr", "image_addr") if name in frame]
            mode = frame.get("addr_mode", "abs")
            if not all(map(ADDRESS.match, addresses)) or mode.startswith("rel:") and int(mode[4:]) >= len(images):
                yield "frame: %s" % frame


def check_sentry(framemap, files, schema_path):
    try:
        import jsonschema
    except ImportError:
        skip("Python's jsonschema is not installed")
    with open(schema_path, encoding="utf-8") as file:
        validator = jsonschema.Draft7Validator(json.load(file))
    events = bad = 0
    for text in files:
        for line in lines_of(framemap, "sentry", text):
            event = json.loads(line)
            found = [error.message[:300] for error in validator.iter_errors(event)] + list(wrong_in_event(event))
            events, bad = events + 1, bad + bool(found)
            for one in found[:2]:
                print("%s: %s" % (text, one))
    print("sentry: %d events, %d wrong" % (events, bad))
    return bad or not events


def check_otlp(framemap, files):
    try:
        from google.protobuf import json_format
        from opentelemetry.proto.logs.v1 import logs_pb2
    except ImportError:
        skip("the Python package opentelemetry-proto is not installed")
    records = bad = 0
    for text in files:
        for line in lines_of(framemap, "otlp", text):
            try:
                logs = json_format.ParseDict(json.loads(line), logs_pb2.LogsData())
            except json_format.ParseError as error:
                print("%s: %s" % (text, error))
                bad += 1
                continue
            record = logs.resource_logs[0].scope_logs[0].log_records[0]
            keys = [attribute.key for attribute in record.attributes]
            stacks = {"exception.stacktrace", "code.stacktrace"} & set(keys)
            if len(keys) != len(set(keys)) or len(stacks) > 1:
                print("%s: attributes: %s" % (text, keys))
                bad += 1
            records += 1
    print("otlp: %d records, %d wrong" % (records, bad))
    return bad or not records


def main():
    framemap, rest = sys.argv[1], sys.argv[2:]
    otlp = "--otlp" in rest
    schema = os.environ.get("FRAMEMAP_SENTRY_SCHEMA")
    files = list(texts([one for one in rest if one != "--otlp"]))
    if not schema and not otlp:
        skip("FRAMEMAP_SENTRY_SCHEMA does not name Sentry's event.schema.json")
    bad = check_sentry(framemap, files, schema) if schema else False
    return 1 if (check_otlp(framemap, files) if otlp else False) or bad else 0


if __name__ == "__main__":
    sys.exit(main())
