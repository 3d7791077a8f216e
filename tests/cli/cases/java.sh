# Tests stacks of Java: restored in place and as JSON, within JSON strings, and next to native frames; with one mapping,
# several and none; and lookups by name.
JAVA=$NATIVE/../java
MAPPING=$JAVA/r8/inline/mapping.txt
LIBRARY=$NATIVE/clang-arm64-android-O2.so
log() {
    echo "01-03 08:34:32.728  4369  4369 E AndroidRuntime: FATAL EXCEPTION: main"
    echo "01-03 08:34:32.728  4369  4369 E AndroidRuntime: a.d: none left"
    echo "01-03 08:34:32.728  4369  4369 E AndroidRuntime:        at a.b.a(SourceFile:4)"
    echo "01-03 08:34:32.728  4369  4369 E AndroidRuntime:        at android.os.Looper.loop(Looper.java:288)"
    echo "01-03 08:34:32.728  4369  4369 F DEBUG   :     #00 pc 0000000000001724  /data/app/lib/arm64/libchain.so (BuildId: cdeb5ba6d45738cb6c3f904c6e64da2dc1f5431f)"
}
log >log
printf '{"level":"error","stack":"a.d: \\"none\\"\\n\\tat a.b.a(SourceFile:4)\\n\\tat a.b.b(Unknown Source:0)","line":1}\n' >log.json
for text in log log.json; do
    echo "== $text"
    framemap restore -s "$MAPPING" -s "$LIBRARY" $text
    echo "exit $?"
done
echo "== as JSON"
framemap restore -o json -s "$MAPPING" log
echo "== no mapping"
framemap restore --strict log
echo "exit $?"
echo "== frames of the platform need none"
printf 'java.lang.Error: x\n\tat java.lang.Thread.run(Thread.java:764)\n\tat com.example.Main.main(Main.java:7)\n' | framemap restore --strict
echo "exit $?"
echo "== hidden frames, and many candidates"
framemap restore -s "$JAVA/r8/synthesized/mapping.txt" "$JAVA/r8/synthesized/trace.txt" | diff - "$JAVA/r8/synthesized/restored.txt" && echo "as retrace"
framemap restore -s "$JAVA/r8/ambiguous/mapping.txt" "$JAVA/r8/ambiguous/trace.txt"
echo "== of several mappings the one that knows the stack; of two alike none"
mkdir maps maps/again
cp "$MAPPING" maps/a-mapping.txt
cp "$JAVA/r8/ambiguous/mapping.txt" maps/b.txt
framemap restore -s maps log | sed -n 3,5p
(cat "$MAPPING"; echo "x.Other -> zz:") >maps/again/mapping.txt
framemap restore -s maps log
echo "== names and places"
framemap index -o shop.fmx "$MAPPING"
for file in "$MAPPING" shop.fmx; do
    framemap lookup "$file" a.b.a:4 a.b a.b.a "a.b.a(SourceFile:4)" zz
done
framemap lookup -o json "$MAPPING" a.b.a a.b
echo "== several rows on one line: each once, what stands around as it was"
{
    printf '<stack>a.d: none at a.b.a(SourceFile:4) at a.b.b(Unknown Source:0) ... 2 more</stack>\n'
    printf '7,"a.d: none; at a.b.a(SourceFile:4); at a.b.b(Unknown Source:0)",2026\n'
    printf 'Nov 21 10:00:00 host app[7]: a.d: none#012#011at a.b.a(SourceFile:4)#012#011at a.b.b(Unknown Source:0)\n'
} | framemap restore -s "$MAPPING"
echo "== exceptions without a package, where the mapping has them"
(cat "$MAPPING"; echo "shop.Fault -> q:"; echo "shop.It -> it:") >q.txt
{
    printf 'Fatal Exception: q: x\n\tat a.b.a(SourceFile:4)\nCaused by: zz: y\n\tat a.b.a(SourceFile:4)\nCaused by: q\n\tat a.b.a(SourceFile:4)\n\n\n\n'
    printf 'E/AndroidRuntime: FATAL EXCEPTION: main\nE/AndroidRuntime: Process: com.x, PID: 7\nE/AndroidRuntime: q: first\nE/AndroidRuntime: second\n'
    printf 'E/AndroidRuntime: \tat a.b.a(SourceFile:4)\n\n\n\n\n\n\n\n\n\nit: works\nq: is a letter\nand more\n'
} | framemap restore -s q.txt
echo "== members in messages, where the mapping leaves no choice"
cat >members.txt <<'END'
shop.Cart -> a.c:
    int total -> b
    shop.Item first -> a
    1:2:void add(shop.Item,int) -> a
    3:4:void clear() -> a
    5:6:void one(int) -> c
    7:8:void two(int) -> c
shop.Item -> a.d:
END
{
    printf "java.lang.NullPointerException: Attempt to invoke virtual method 'void a.c.a(a.d, int)' on a null object reference\n"
    printf '\tat a.c.a(SourceFile:1)\n'
    printf "java.lang.NullPointerException: Attempt to read from field 'int a.c.b' on a null object reference\n"
    printf '\tat a.c.a(SourceFile:3)\n'
    printf "java.lang.NullPointerException: Attempt to invoke virtual method 'void a.c.c(int)' on 'a.d a.c.a' or 'void a.c.x()'\n"
    printf '\tat a.c.a(SourceFile:3)\n'
    printf 'java.lang.NullPointerException: Cannot invoke "a.c.a()" because "<local1>" is null\n'
    printf '\tat a.c.a(SourceFile:3)\n'
} | framemap restore -s members.txt
echo "== a class and a line without the method between them"
framemap lookup "$MAPPING" a.c:12 a.zz:3
