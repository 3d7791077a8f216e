#!/usr/bin/env python3
"""Checks that events which `framemap restore` restores in place are still valid by their vendors' schemas and types.

    check_restored_events.py FRAMEMAP

sentry        relay/event.schema.json of github.com/getsentry/sentry-data-schemas, named by FRAMEMAP_SENTRY_SCHEMA
otlp          the messages of the Python package opentelemetry-proto
cdp           js_protocol.json of the npm package devtools-protocol, below the folder FRAMEMAP_NODE_MODULES
bugsnag       the types of the npm package @bugsnag/core there
react-native  the types of the npm package stacktrace-parser there, which React Native's frames come from
Vendors whose schema or package is missing are skipped with a message; exits with 77 if all are.
"""

import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SYMBOLS = os.path.join(ROOT, "corpus", "demo", "symbols")
URL = "https://shop.example/js/shop.js"
PLACES = [(1, 185), (1, 255)]


def events():
    """Returns {vendor: event}; each event has frames of the demo's script."""
    sentry = [
        {"function": "?", "filename": "/shop.js", "abs_path": URL, "lineno": line, "colno": column, "in_app": True}
        for line, column in PLACES
    ]
    native = [{"instruction_addr": "0x102a400e4"}, {"instruction_addr": "0x102a40054", "package": "/private/Demo"}]
    image = {
        "type": "macho", "debug_id": "4c4c4443-5555-3144-a11e-42e74ae5843a", "image_addr": "0x102a3c000",
        "image_size": 49152, "code_file": "/private/Demo",
    }
    text = "Error: no\n    at c (%s:1:185)" % URL
    values = [{"type": "Error", "value": "no", "stacktrace": {"frames": frames}} for frames in (sentry, native)]
    return {
        "sentry": {
            "event_id": "9ec79c33ec9942ab8353589fcb2e04dc",
            "platform": "javascript",
            "exception": {"values": values[:1]},
        },
        "sentry native": {
            "event_id": "9ec79c33ec9942ab8353589fcb2e04dc",
            "platform": "cocoa",
            "exception": {"values": values[1:]},
            "debug_meta": {"images": [image]},
        },
        "otlp": {
            "resourceLogs": [
                {
                    "scopeLogs": [
                        {
                            "logRecords": [
                                {"attributes": [{"key": "exception.stacktrace", "value": {"stringValue": text}}]}
                            ]
                        }
                    ]
                }
            ]
        },
        "cdp": {
            "callFrames": [
                {"functionName": "c", "scriptId": "3", "url": URL, "lineNumber": line - 1, "columnNumber": column - 1}
                for line, column in PLACES
            ]
        },
        "bugsnag": {
            "exceptions": [
                {
                    "errorClass": "Error",
                    "message": "no",
                    "type": "browserjs",
                    "stacktrace": [
                        {"file": URL, "method": "c", "lineNumber": line, "columnNumber": column}
                        for line, column in PLACES
                    ],
                }
            ]
        },
        "react-native": {
            "name": "Error",
            "message": "no",
            "stack": [
                {"file": URL, "methodName": "c", "arguments": [], "lineNumber": line, "column": column}
                for line, column in PLACES
            ],
        },
    }


def restored(framemap, event):
    given = json.dumps(event) + "\n"
    done = subprocess.run(
        [framemap, "restore", "--no-cache", "-s", SYMBOLS],
        input=given.encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    got = json.loads(done.stdout)
    return got, b"orders.ts" in done.stdout or b"filter.cc" in done.stdout


def without_data(event):
    """Returns a copy of the event without the member `data` of frames, which has the replaced position. Sentry adds
    this member when it restores an event, although its own schema does not have it."""
    copy = json.loads(json.dumps(event))
    for value in copy["exception"]["values"]:
        for frame in value["stacktrace"]["frames"]:
            frame.pop("data", None)
    return copy


def check_sentry(event):
    path = os.environ.get("FRAMEMAP_SENTRY_SCHEMA")
    if not path:
        return None
    try:
        import jsonschema
    except ImportError:
        return None
    with open(path, encoding="utf-8") as file:
        errors = jsonschema.Draft7Validator(json.load(file)).iter_errors(without_data(event))
    found = [jsonschema.exceptions.best_match([error]) for error in errors]
    return ["%s: %s" % ("/".join(map(str, error.absolute_path)), error.message[:300]) for error in found]


def check_otlp(event):
    try:
        from google.protobuf import json_format
        from opentelemetry.proto.logs.v1 import logs_pb2
    except ImportError:
        return None
    try:
        json_format.ParseDict(event, logs_pb2.LogsData())
    except json_format.ParseError as error:
        return [str(error)]
    return []


def module(*parts):
    folder = os.environ.get("FRAMEMAP_NODE_MODULES")
    path = os.path.join(folder, *parts) if folder else None
    if not path or not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return file.read()


def check_frames(frames, types):
    """Checks the frames. types: {member: (type, whether the member is required)}"""
    for frame in frames:
        for name in frame.keys() - types.keys():
            yield "unknown member %s: %s" % (name, frame)
        for name, (kinds, needed) in types.items():
            if (needed and name not in frame) or (name in frame and not isinstance(frame[name], kinds)):
                yield "%s: %s" % (name, frame)


def check_cdp(event):
    text = module("devtools-protocol", "json", "js_protocol.json")
    if text is None:
        return None
    kinds = {"string": str, "integer": int}
    runtime = next(domain for domain in json.loads(text)["domains"] if domain["domain"] == "Runtime")
    frame = next(one for one in runtime["types"] if one["id"] == "CallFrame")
    types = {one["name"]: (kinds.get(one.get("type"), str), not one.get("optional")) for one in frame["properties"]}
    return list(check_frames(event["callFrames"], types))


def types_of(text, interface):
    """Returns the members of an interface of TypeScript."""
    kinds = {"string": str, "number": int, "boolean": bool}
    found = {}
    body = re.search(r"interface %s\s*\{(.*?)\n\}" % interface, text, re.S).group(1)
    for name, optional, spelled in re.findall(r"(\w+)(\??)\s*:\s*([^;\n]+)", body):
        words = spelled.replace("|", " ").split()
        allowed = tuple(kinds.get(word, object) for word in words if word != "null")
        found[name] = (allowed + ((type(None),) if "null" in words else ()), not optional)
    return found


def check_bugsnag(event):
    text = module("@bugsnag", "core", "types", "common.d.ts")
    if text is None:
        return None
    return [
        one for error in event["exceptions"] for one in check_frames(error["stacktrace"], types_of(text, "Stackframe"))
    ]


def check_react_native(event):
    text = module("stacktrace-parser", "dist", "stack-trace-parser.d.ts")
    if text is None:
        return None
    return list(check_frames(event["stack"], types_of(text, "StackFrame")))


CHECKS = {
    "sentry": check_sentry, "sentry native": check_sentry, "otlp": check_otlp, "cdp": check_cdp,
    "bugsnag": check_bugsnag, "react-native": check_react_native,
}


def main():
    framemap = sys.argv[1]
    checked = wrong = 0
    for vendor, event in events().items():
        before = CHECKS[vendor](event)
        if before is None:
            print("%s: skipped: its schema or package is missing" % vendor)
            continue
        got, is_restored = restored(framemap, event)
        after = CHECKS[vendor](got)
        checked += 1
        wrong += bool(before or after or not is_restored)
        print(
            "%s: %s"
            % (vendor, (before or after or ["restored and valid" if is_restored else "nothing was restored"])[0])
        )
    return 1 if wrong else 0 if checked else 77


if __name__ == "__main__":
    sys.exit(main())
