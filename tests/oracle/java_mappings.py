"""Random mappings of renamed classes and stacks that go with them, for comparing retrace programs.

Names and numbers are drawn from small sets, so that special cases are frequent: equal ranges side by side, overloads
that share a renamed name, overlapping ranges, lines that nothing covers, markers on each kind of line. `mapping`
returns a block whose renamed classes begin with a given prefix, so that many blocks can be put into one file; `stack`
returns lines of a stack that refer to these classes.
"""
import json

R8 = "com.android.tools.r8."
ORIGINALS = [
    "o.p.Cls", "o.p.Cls$In", "o.FooKt", "o.FooKt$l$1", "q.In", "Bare", "o.p.Foo$BarKt", "o.$X", "o.-$$L$x", "o.Kt",
    "o.é.Ñ", "A", "_.a",
]
HOLDERS = ["q.In", "o.p.Cls", "other.OutKt", "Bare", "x.Y$Z"]
METHODS = ["f", "g", "h", "m", "<init>", "F", "é", "access$100"]
RENAMED = ["a", "a", "a", "b", "c", "<init>"]
TYPES = ["void", "int", "java.lang.String", "o.p.Cls", "int[]", "java.lang.String[][]", "boolean"]
DESCRIPTORS = {"void": "V", "int": "I", "boolean": "Z"}
SOURCES = [
    "SourceFile", "SourceFile", "Unknown Source", "", "Foo.java", "Foo.kt", "Native Method", "a/b.kt", "x y", ".kt",
    "Foo.scala", "x:y", "foo.kt/",
]


class Maker:
    """Makes mappings and stacks from one random.Random, so that the same seed gives the same ones."""

    def __init__(self, generator):
        self.random = generator

    def pick(self, choices):
        return self.random.choice(choices)

    def chance(self, share):
        return self.random.random() < share

    # --- mapping ---

    def lines_renamed(self):
        begin = self.random.randint(0, 12)
        kind = self.random.random()
        if kind < 0.18:
            return None
        if kind < 0.26:
            return (0, 0)
        if kind < 0.30:
            return (0, 65535)
        if kind < 0.55:
            return (begin, begin)
        if kind < 0.95:
            return (begin, begin + self.random.randint(0, 4))
        return (begin + self.random.randint(0, 4), begin)

    def lines_original(self, renamed):
        begin = self.random.randint(0, 90)
        span = abs(renamed[1] - renamed[0]) if renamed else self.random.randint(0, 4)
        choices = [
            "", f":{begin}", f":{begin}:{begin}", ":0:0", ":0", f":{begin}:{begin + self.random.randint(0, 4)}",
            f":{begin}:0",
        ]
        if span < 2000:
            choices += [f":{begin}:{begin + span}"] * 3
        return self.pick(choices)

    def signature(self, known):
        if known and self.chance(0.5):
            return self.pick(known)
        holder = self.pick(HOLDERS) + "." if self.chance(0.3) else ""
        arguments = ",".join(self.pick(TYPES[1:]) for _ in range(self.pick([0, 0, 1, 1, 2, 3])))
        known.append(f"{self.pick(TYPES)} {holder}{self.pick(METHODS)}({arguments})")
        return known[-1]

    def descriptor(self, name):
        depth = name.count("[]")
        name = name.replace("[]", "")
        return "[" * depth + DESCRIPTORS.get(name, f"L{name.replace('.', '/')};")

    def marker(self, prefix):
        kind = self.pick(
            [
                "synthesized",
                "outline",
                "outlineCallsite",
                "rewriteFrame",
                "rewriteFrame",
                "residualsignature",
                "unknown",
            ]
        )
        metadata = {"id": R8 + kind}
        if kind == "outlineCallsite":
            metadata["positions"] = {
                str(self.random.randint(0, 12)): self.random.randint(0, 12) for _ in range(self.random.randint(0, 4))
            }
            metadata["outline"] = "La;a()I"
        elif kind == "rewriteFrame":
            metadata["conditions"] = [
                f"throws(L{prefix.replace('.', '/')}{self.pick('ab')};)" for _ in range(self.pick([0, 1, 1, 2]))
            ]
            metadata["actions"] = [
                f"removeInnerFrames({self.random.randint(0, 3)})" for _ in range(self.pick([0, 1, 1, 2]))
            ]
        elif kind == "residualsignature":
            arguments = "".join(self.descriptor(self.pick(TYPES[1:])) for _ in range(self.pick([0, 1, 2])))
            metadata["signature"] = f"({arguments}){self.descriptor(self.pick(TYPES))}"
        return "    # " + json.dumps(metadata, separators=(",", ":"))

    def chain(self, renamed_name, known, prefix, markers):
        """Returns the mapping lines of one chain of frames: mostly a single line, otherwise several lines, the inlined
        frames first."""
        lines = self.lines_renamed()
        text = []
        for depth in range(self.pick([1, 1, 1, 2, 3])):
            ahead = f"{lines[0]}:{lines[1]}:" if lines else ""
            after = f":{self.random.randint(1, 90)}" if depth and self.chance(0.6) else self.lines_original(lines)
            text.append(f"    {ahead}{self.signature(known)}{after} -> {renamed_name}")
            while self.chance(markers):
                text.append(self.marker(prefix))
        return text

    def block(self, prefix, name):
        markers = self.pick([0, 0, 0.1, 0.3, 0.5])
        text = [f"{self.pick(ORIGINALS)} -> {prefix}{name}:"]
        if self.chance(0.3):
            metadata = {"id": "sourceFile", "fileName": self.pick(["X.kt", "Y.java", "", "R8$$SyntheticClass", "x y"])}
            text.append("# " + json.dumps(metadata, separators=(",", ":")))
        known = []
        for _ in range(self.pick([0, 1, 1, 2, 2, 3, 4, 6])):
            text += self.chain(self.pick(RENAMED), known, prefix, markers)
            if self.chance(0.1):
                text.append(f"    {self.pick(TYPES[1:])} field -> {self.pick('ab')}")
        return text

    def mapping(self, prefix):
        """Returns the mapping lines of two classes, PREFIXa and PREFIXb."""
        return self.block(prefix, "a") + self.block(prefix, "b")

    # --- stacks ---

    def line_text(self):
        kind = self.random.random()
        if kind < 0.15:
            return ""
        if kind < 0.8:
            return f":{self.random.randint(0, 14)}"
        return self.pick(
            [
                ":0",
                ":00",
                ":007",
                ":65535",
                ":65536",
                ":2147483647",
                ":2147483648",
                ":99999999999",
                ":-1",
                ":",
                ":1:2",
                ":+3",
                ":٣",
            ]
        )

    def frame(self, prefix):
        before = self.pick(
            ["  at "] * 8
            + ["\tat ", "at ", "E/Foo: at ", "that at ", "at at ", "xat ", "_at ", "-at ", "\u00a0at ", "at\t"]
        )
        name = (
            self.pick(["", "", "", "", "app//", "java.base@17/"]) + prefix + self.pick("aab")
            if self.chance(0.95)
            else "z.z"
        )
        method = self.pick(RENAMED) if self.chance(0.93) else self.pick(["zz", "<clinit>", "1a", "a$1"])
        after = self.pick([""] * 10 + [" ", "\u00a0", "\t", " x", " ~[x.jar:1]", " [x.jar:1]", ")", "(x:3)"])
        return f"{before}{name}.{method}({self.pick(SOURCES)}{self.line_text()}){after}"

    def exception(self, prefix):
        before = self.pick(
            [""] * 4
            + ["Caused by: "] * 2
            + [
                "Suppressed: ",
                "\tSuppressed: ",
                'Exception in thread "main" ',
                "  [CIRCULAR REFERENCE: ",
                "E/AndroidRuntime: Caused by: ",
                "W/System.err: ",
                "x: y: ",
                '"x" ',
                " ",
                "x ",
            ]
        )
        after = self.pick([""] * 3 + [":", ": two words", ": oneword", ": x:y", "]", "]x", " x", ": a.b: c", ":x"])
        return before + prefix + self.pick("ab") + after

    def stack(self, prefix):
        lines = [
            self.frame(prefix) if self.chance(0.7) else self.exception(prefix)
            for _ in range(self.random.randint(4, 12))
        ]
        if self.chance(0.3):
            lines.insert(self.random.randint(0, len(lines)), self.pick(["", "  ... 7 more", "some words", "word"]))
        return lines
