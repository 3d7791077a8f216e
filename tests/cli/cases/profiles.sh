# Tests convert with profiles: to other formats and to a flame graph; several files, standard input, hostile names, and
# refused input.
cat >a.perf <<'PERF'
my comm  12/13  [002] 6544038.708352:    1001001 cycles:u:
	    7f5a1c0a1b2c main+0x1c (/usr/bin/app)
	    7f5a1c0a0000 __libc_start_main+0xf3 (/usr/lib/libc.so.6)

my comm  12/14  [002] 6544038.709352:    1001001 cycles:u:
	    7f5a1c0a1b30 f(int, char)+0x3 (/usr/bin/app)
	    7f5a1c0a1b2f main+0x1f (/usr/bin/app)

PERF
printf 'a;b;c 3\na;b 2\na;<x>"&\033[31m\\;\377 d e 5\n' >b.folded
echo "== perf script"
framemap convert --to folded a.perf 2>&1
framemap convert --to speedscope a.perf 2>&1
framemap convert --to chrome-trace --lossy a.perf 2>&1
framemap convert --to firefox-profile --lossy a.perf 2>&1
for form in speedscope pprof firefox-profile; do
    framemap convert --lossy --to $form a.perf -o out.$form
    framemap convert --lossy --to folded out.$form
    framemap convert --lossy --to folded <out.$form
done
echo "== hostile names"
framemap convert --to folded b.folded
framemap convert --to speedscope b.folded
framemap convert --to chrome-trace b.folded
framemap convert --to flamegraph b.folded | grep data-d
framemap convert --to pprof b.folded | framemap convert --to folded
echo "== several files"
cat a.perf b.folded >/dev/null
framemap convert --to folded --lossy b.folded b.folded a.perf 2>&1
echo "== one of several files that is not a profile, symbols that do not exist"
printf '\177ELF' >elf
framemap convert --to folded --lossy d.missing b.folded 2>&1 || echo "exit $?"
framemap convert --to folded --lossy elf b.folded 2>&1 | grep ELF
framemap convert --to folded --lossy b.folded elf 2>&1 | grep ELF
framemap convert --to folded -s missing b.folded 2>&1 || echo "exit $?"
framemap convert <b.folded 2>&1 || echo "exit $?"
echo "== real symbols"
printf 'app 7/7 1.000001: 5 cycles:\n\t7000001724 [unknown] (/data/libchain.so)\n\t70000019d4 [unknown] (/data/libchain.so)\n\n' >stack
{
    echo 'app 7/7 1.0: PERF_RECORD_MMAP2 7/7: [0x7000001000(0x2000) @ 0 08:01 5 0]: r-xp /data/libchain.so'
    cat stack stack
} >c.perf
cp "$NATIVE/clang-arm64-android-O2.so" libchain.so
for form in folded speedscope; do
    framemap convert --lossy --to $form -s libchain.so c.perf -o out.$form && cat out.$form
done
framemap convert --to pprof -s libchain.so c.perf | framemap convert --lossy --to folded
echo "== a process that was forked has the maps of another, unless it has some of its own"
sed 's/7.7 1.000001/8\/8 1.000001/' c.perf >forked.perf
framemap convert --lossy --to folded -s libchain.so forked.perf
{
    echo 'app 8/8 1.0: PERF_RECORD_MMAP2 8/8: [0x5000000000(0x2000) @ 0 08:01 5 0]: r-xp /data/other.so'
    cat forked.perf
} >own.perf
framemap convert --lossy --to folded -s libchain.so own.perf
echo "== offsets in files: of a profile of pprof, and with -F +dsoff"
framemap convert --to pprof --lossy c.perf | framemap convert --lossy --to folded -s libchain.so
sed 's/(.data.libchain.so)/(\/data\/libchain.so+0x724)/; s/d4 \(.*\)0x724/d4 \10x9d4/' stack >offsets.perf
cat offsets.perf
framemap convert --lossy --to folded -s libchain.so offsets.perf
framemap restore -s libchain.so offsets.perf
framemap restore -o json offsets.perf | grep -o '"address":{[^}]*}'
framemap restore -o json offsets.perf >offsets.json
framemap restore -s libchain.so -o json offsets.json | grep -o '"source":.."function":"[a-z_]*"'
framemap convert --to android-tombstone offsets.perf
cat >d.json <<'FIREFOX'
{"meta":{"preprocessedProfileVersion":48},"libs":[{"name":"libchain.so","path":"/data/libchain.so"}],"threads":[{"name":"t",
"samples":{"stack":[1,1]},"stackTable":{"prefix":[null,0],"frame":[0,1]},"frameTable":{"func":[0,1],"address":[6612,5924]},
"funcTable":{"name":[0,1],"resource":[0,0]},"resourceTable":{"lib":[0]},"stringArray":["0x19d4","0x1724"]}]}
FIREFOX
framemap convert -q --lossy --to folded d.json
framemap convert -q --lossy --to folded -s libchain.so d.json
echo "== methods of Java"
cat >mapping.txt <<'MAPPING'
com.example.Main -> a.b:
    1:5:void run():10:14 -> c
    void start() -> d
com.example.Root -> e:
    void go() -> f
MAPPING
printf 'main;a/b.c_[j];a/b.d_[i];a/b.d_[0] 3\na/b.c;e.f;e.f_[1] 2\nx;std::vector<int>::at(a/b.c);lib/libc.so 1\n' >e.folded
framemap convert --lossy --to folded -s mapping.txt e.folded
printf 'java 5 1.0: cycles:\n\t 7f5a1c0a1b2c La/b;::d (/tmp/perf-1.map)\n\n' | framemap convert --lossy --to folded -s mapping.txt
echo "== traces of Chrome, profiles of V8"
cat >f.json <<'CHROME'
[{"ph":"B","pid":1,"tid":2,"ts":0,"name":"task"},{"ph":"X","pid":1,"tid":2,"ts":2,"dur":3,"name":"<b>;\u001b"},
{"ph":"E","pid":1,"tid":2,"ts":9,"name":"task"},
CHROME
cat >g.cpuprofile <<'V8'
{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","url":"","lineNumber":-1,"columnNumber":-1},"children":[2]},
{"id":2,"callFrame":{"functionName":"run","url":"a.js","lineNumber":4,"columnNumber":0}}],
"startTime":0,"endTime":30,"samples":[2,2],"timeDeltas":[10,10]}
V8
framemap convert --to folded f.json 2>&1
framemap convert --to chrome-trace f.json
framemap convert --to folded g.cpuprofile 2>&1
framemap convert --to pprof g.cpuprofile | framemap convert --to chrome-trace
echo "== profiles that are only read, restored"
cat >sentry.json <<'SENTRY'
{"version":"1","platform":"native","debug_meta":{"images":[{"type":"elf","code_file":"/data/libchain.so",
"image_addr":"0x7000000000","image_size":65536}]},"profile":{"frames":[{"instruction_addr":"0x7000001724"},
{"instruction_addr":"0x70000019d4"},{"platform":"java","module":"a.b","function":"c","filename":"SourceFile","lineno":3}],
"stacks":[[0,1,2]],"samples":[{"stack_id":0,"thread_id":"1","elapsed_since_start_ns":"5"},
{"stack_id":0,"thread_id":"1","elapsed_since_start_ns":"9"}]}}
SENTRY
cat >android.json <<'ANDROID'
{"profile":{"methods":[{"id":1,"class_name":"e","name":"f"},{"id":2,"class_name":"a.b","name":"d"}],"events":[
{"action":"Enter","thread_id":1,"method_id":1,"time":{"Monotonic":{"wall":{"nanos":1}}}},
{"action":"Enter","thread_id":1,"method_id":2,"time":{"Monotonic":{"wall":{"nanos":4}}}},
{"action":"Exit","thread_id":1,"method_id":2,"time":{"Monotonic":{"wall":{"nanos":6}}}}]}}
ANDROID
cat >xctrace.xml <<'XCTRACE'
<trace-query-result><node><row><weight>7</weight><backtrace><frame name="0x7000001724" addr="0x7000001724"><binary
id="1" name="libchain.so" load-addr="0x7000000000" path="/data/libchain.so"/></frame><frame name="0x70000019d4"><binary
ref="1"/></frame></backtrace></row></node></trace-query-result>
XCTRACE
cat >otlp.json <<'OTLP'
{"resourceProfiles":[{"scopeProfiles":[{"profiles":[{"samples":[{"stackIndex":1,"values":["2"]}]}]}]}],"dictionary":{
"mappingTable":[{},{"memoryStart":"481036337152","filenameStrindex":1}],"stringTable":["","/data/libchain.so"],
"locationTable":[{},{"mappingIndex":1,"address":"481036343076"},{"mappingIndex":1,"address":"481036343764"}],
"stackTable":[{},{"locationIndices":[1,2]}]}}
OTLP
printf '{"mode":"wall","interval":5,"gc_samples":0,"missed_samples":0,"frames":{"1":{"name":"a"}},"raw":[1,1,4]}' >ruby.json
printf 'MOJ\003\002\001\0001\000\013\002a.py\000\013\003main\000\003\005\002\003\011\000\000\000\005\005\011\007' >a.mojo
for profile in sentry.json android.json xctrace.xml otlp.json ruby.json a.mojo; do
    framemap convert -q --lossy --to folded -s libchain.so -s mapping.txt $profile
done
framemap convert -q --lossy --to plain -s mapping.txt android.json
framemap restore otlp.json 2>&1 >/dev/null
framemap restore a.mojo 2>&1 >/dev/null
printf '{"profile":{"stacks":[],"frames":[],"samples":[{"stack_id":7}]}}' | framemap convert --to folded 2>&1
printf '\4\b{\6:\fversion' | framemap convert --to folded 2>&1
echo "== no samples"
printf '{"meta":{"preprocessedProfileVersion":48},"threads":[]}' | framemap convert --to speedscope 2>/dev/null
echo "== other symbols"
framemap convert --lossy --to folded -s "$NATIVE/clang-x86_64-O2.so" c.perf
echo "== stacks are samples"
printf 'Error: x\n    at f (/a/b.js:1:2)\n    at main (/a/b.js:3:4)\n' | framemap convert --to folded --lossy
echo "== refused"
refused() { framemap convert "$@" 2>&1 && echo done; echo "exit $?"; }
printf 'FLR\0\0\2' >a.jfr
refused --to folded a.jfr
refused --to folded nothing.perf
refused --to folded -f speedscope a.perf
refused --to folded --through a.map a.perf
refused --to folded -o no/such/folder/x a.perf
echo nothing >no.txt
refused --to folded no.txt
