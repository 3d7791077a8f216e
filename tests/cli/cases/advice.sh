# Tests what messages advise: which command does another tool's work, and what to do about symbols given as a report,
# several builds, and stripped files.
say() {
    echo "== $*"
    "$@" 2>&1
    echo "exit $?"
}
for tool in symbolicatecrash flutter xcrun stackwalk source-map sourcemaps stackcollapse-perf flamegraph pprof; do
    say framemap "$tool"
done
: >log
say framemap mapping.txt log
echo "== symbols of two builds"
mkdir one two
printf '# pg_map_id: 1a\na.B -> a.a:\n    1:2:void go():3:4 -> a\n' >one/mapping.txt
printf '# pg_map_id: 2b\na.B -> a.a:\n    1:2:void go():5:6 -> a\n' >two/mapping.txt
printf 'a.x: no\n    at a.a.a(SourceFile:1)\n' >stack
say framemap -s one -s two stack
say framemap -s build=1:one -s build=2:two --build 2 stack
printf '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA,UAIQ"}' >one/app.js.map
printf '{"version":3,"sources":["b.ts"],"names":[],"mappings":"AAAA,UAIQ"}' >two/app.js.map
printf 'Error: no\n    at t (https://x.org/app.js:1:11)\n' >script
say framemap -s one -s two script
echo "== a file with exported symbols only: each frame counts once"
for at in 10 20 30; do
    echo "  #00 pc 000000000000$at  /data/lib/clang-x86_64-O2-dynsym.so"
done >tombstone
framemap -s "$NATIVE/clang-x86_64-O2-dynsym.so" tombstone 2>&1
echo "== rows without a file, of bytecode: the map of the script is next to the one of the bytecode"
mkdir maps
printf '{"version":3,"sources":["a.ts"],"names":[],"mappings":";AAAA,UAIQ"}' >maps/main.packager.map
printf '{"version":3,"sources":["src/b.ts"],"names":[],"mappings":"AAAA,UAIQ","x_hermes_function_offsets":{"0":[0,16]}}' >maps/main.map
printf 'com.facebook.react.common.JavascriptException: Error: no, js engine: hermes, stack:\nt@1:10\n' >rows
say framemap -s maps rows
cp maps/main.map maps/other.map
sed -i 's/b.ts/c.ts/' maps/other.map
say framemap -s maps rows
echo "== a recording of perf, other tools' names of formats, several files"
printf 'PERFILE2' >perf.data
head -c 2000 /dev/zero >>perf.data
say framemap top perf.data
say framemap convert --to folded perf.data
for form in svg collapsed md perfetto; do framemap convert --to $form perf.data 2>&1 | grep 'did you mean'; done
say framemap convert stack script
