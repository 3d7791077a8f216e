# Tests convert with stacks of any format and all outputs, with and without symbols; lost parts, several files, and
# standard input.
printf 'pid: 1, tid: 2, name: w  >>> com.x <<<\nsignal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0\n    x0  0000000000000000  x1  000000775ba00cb0\nbacktrace:\n    #00 pc 0000000000001724  /data/libchain.so (f(int)+12)\n' >tombstone.txt
printf 'x.E: one\n\tat x.Y.z(Y.java:3)\nCaused by: x.F: two\n\tat x.Y.w(Y.java:4)\n\t... 1 more\n' >java.txt
cp "$NATIVE/clang-arm64-android-O2.so" libchain.so
for form in plain markdown json json-document sentry otlp text; do
    echo "== $form"
    framemap convert --to $form java.txt 2>&1
done
echo "== with symbols"
framemap convert --to plain -s libchain.so tombstone.txt 2>&1
framemap convert --to text --lossy -s libchain.so <tombstone.txt
echo "== rows of other programs"
printf 'TypeError: x\n    at f (/a/b.js:1:2)\n    at /a/b.js:3:4\n' >script.txt
for form in gdb lldb sanitizer android-tombstone backward js-v8 js-jsc java; do
    framemap convert -q --to $form -s libchain.so tombstone.txt
done
for form in js-jsc gdb minidump-machine dart-symbolic; do framemap convert -q --to $form script.txt; done
framemap convert -q --to gdb tombstone.txt | framemap convert -q --to lldb
framemap convert -q --to sentry tombstone.txt | framemap convert -q --to boost
framemap convert --to gdb java.txt 2>&1 >/dev/null
framemap list | grep -E '^  (gdb|folded|pprof|json|dwarf) '
echo "columns of the list: $(framemap list | grep -cE '^  .{24}(reads|-    ) (writes|-     ) (stacks|profiles|symbols)') of $(framemap list | wc -l)"
echo "== JSON and back, also with symbols that come later"
framemap convert --to json tombstone.txt >old.json
framemap convert -q --to json-document tombstone.txt >old.document
framemap convert -q --to gdb old.json
framemap convert -q --to gdb old.document
framemap -s libchain.so -o plain old.json 2>&1
framemap convert -q --to android-tombstone -s libchain.so old.json
framemap restore old.json 2>/dev/null | cmp - old.json
echo "== what is lost"
framemap convert --to plain tombstone.txt 2>&1 >/dev/null
framemap convert --to plain tombstone.txt --lossy 2>&1 >/dev/null
framemap convert --to folded java.txt 2>&1
framemap convert --to plain --strict tombstone.txt 2>&1 >/dev/null || echo "exit $?"
framemap convert --to json --strict tombstone.txt >/dev/null && echo "exit $?"
echo "== several files, a pipe, compressed, a file"
framemap convert --to plain --lossy java.txt tombstone.txt java.txt
cat java.txt | framemap convert --to plain
gzip -c java.txt | framemap convert --to plain
framemap convert --to plain java.txt -o out.txt && cat out.txt
echo "== profiles that are not text"
printf 'main;f;g 3\nmain;h 4\n' | framemap convert --to pprof -o out.pprof
framemap convert --to plain out.pprof
framemap convert --to plain <out.pprof
cat out.pprof | framemap convert --to plain
echo "== refused"
refused() { framemap convert "$@" 2>&1 && echo done; echo "exit $?"; }
refused --to plain nothing.txt
refused --to plain java.txt --through x.map
refused --to go java.txt
refused --to plain java.txt -s nothing
echo nothing >empty.txt
refused --to plain empty.txt
