# Tests top with profiles: functions and trees, kinds of weights, pipes, rules, symbols, and profiles that cannot be
# added up.
cat >a.perf <<'PERF'
my comm  12/13  [002] 6544038.708352:    1001001 cycles:u:
	    7f5a1c0a1b2c main+0x1c (/usr/bin/app)
	    7f5a1c0a0000 __libc_start_main+0xf3 (/usr/lib/libc.so.6)

my comm  12/14  [002] 6544038.709352:    2002002 cycles:u:
	    7f5a1c0a1b30 f(int, char)+0x3 (/usr/bin/app)
	    7f5a1c0a1b2f main+0x1f (/usr/bin/app)

PERF
printf 'a;b;c 3\na;b 2\na;b;a;b 1\na;<x>"&\033[31m\\;\377 d e 5\n' >b.folded
echo '== functions'
framemap top b.folded
framemap top <b.folded -n 1
framemap top a.perf 2>&1
framemap top --weight cycles:u_event a.perf
framemap top --weight 1 -o json a.perf
echo '== the tree'
framemap top --by tree b.folded
framemap top --by tree -n 2 -o json b.folded
echo '== formats'
printf 'a;b;c 3\na;b 2\na;b;a;b 1\na;"d" & e 5\n' >d.folded
framemap top d.folded >wanted
for form in speedscope pprof; do
    framemap convert --lossy --to $form d.folded -o d.$form
    framemap top d.$form | diff wanted - && framemap top <d.$form | diff wanted - && echo "$form: the same"
done
echo '== several files'
framemap top b.folded b.folded -n 1
framemap top d.pprof a.perf -n 2 --weight cycles:u_sample
echo '== rules'
printf '%s\n' '-function:b' >rules
framemap top --in-app rules b.folded
echo '== stacks by function'
printf 'java.lang.Error\n\tat com.x.Cart.pay(Cart.java:3)\n\tat com.x.Main.main(Main.java:9)\n' >java
printf '%s\n' '*.java @j' >owners
framemap top --by function --owners owners java java
framemap top --by group a.perf | tail -2
echo '== symbols'
printf 'app 7/7 1.000001: 5 cycles:\n\t7000001724 [unknown] (/data/libchain.so)\n\t70000019d4 [unknown] (/data/libchain.so)\n\n' >stack
{
    echo 'app 7/7 1.0: PERF_RECORD_MMAP2 7/7: [0x7000001000(0x2000) @ 0 08:01 5 0]: r-xp /data/libchain.so'
    cat stack stack
} >c.perf
cp "$NATIVE/clang-arm64-android-O2.so" libchain.so
framemap top --no-cache -s libchain.so c.perf 2>/dev/null
echo '== a document that shows its format late, as a file, compressed and on a pipe'
table() { printf '{"schema":{"%s":0%s},"data":[%s]}' "$1" "$2" "$3"; }
{
    printf '{"label":"%070000d","profile":{"meta":{"version":9},"threads":[{"stringTable":["main","run"],"samples":' 0
    table stack '' '[1],[0],[1]'
    printf ',"stackTable":'
    table prefix ',"frame":1' '[null,0],[0,1]'
    printf ',"frameTable":'
    table location '' '[0],[1]'
    printf '}]}}\n'
} >late.json
gzip -c late.json >late.json.gz
framemap top late.json >wanted
cat wanted
framemap top late.json.gz | diff wanted - && framemap top <late.json | diff wanted - && echo 'the same'
framemap restore -o json late.json | grep -c '"t":"trace"'
echo '== recordings that are refused'
printf 'FLR\0\0\2\0\0' >a.jfr
framemap top a.jfr 2>&1 || echo "exit $?"
printf -- '--- contentionz 1 ---\n' | framemap top 2>&1 || echo "exit $?"
framemap top --by group a.jfr 2>&1
echo '== what fails'
framemap top b.folded java 2>&1 || echo "exit $?"
framemap top java b.folded 2>&1 | tail -1
framemap top --weight bad a.perf 2>&1 || echo "exit $?"
framemap top -f pprof java 2>&1 || echo "exit $?"
framemap top -f folded /dev/null 2>&1
echo "== a profile of Node: scripts of Node itself need no source map"
cat >node.cpuprofile <<'PROFILE'
{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},"children":[2]},
{"id":2,"callFrame":{"functionName":"runMain","scriptId":"3","url":"node:internal/main","lineNumber":8,"columnNumber":4},"children":[3]},
{"id":3,"callFrame":{"functionName":"a","scriptId":"4","url":"file:///x/app.js","lineNumber":0,"columnNumber":10}}],
"startTime":0,"endTime":30,"samples":[3,2,3],"timeDeltas":[10,10,10]}
PROFILE
printf '{"version":3,"sources":["a.ts"],"names":["pay"],"mappings":"AAAA,UAIQA"}' >app.js.map
framemap top --no-cache -s app.js.map node.cpuprofile 2>&1
echo "== methods that can be one of several are marked"
printf 'com.x.Store -> u.s:\n    1:2:void open():3:4 -> a\n    3:4:int close(int):7:8 -> a\n    5:6:void only():9:10 -> b\n' >mapping.txt
printf 'u/s.a_[j];u/s.b_[j] 4\n' >methods.folded
framemap convert --to folded --lossy -s mapping.txt methods.folded
printf 'x.y: z\n    at u.s.a(Unknown Source)\n    at u.s.b(SourceFile)\n    at u.s.a(SourceFile:3)\n' >stack
framemap top --by function -s mapping.txt stack
framemap top -s mapping.txt stack
framemap restore -o plain -s mapping.txt stack
framemap restore -o markdown -s mapping.txt stack
echo "== rows of simpleperf's scripts"
printf 'app 7 [003] 1.500000: 5 cycles:\n\t7a1c3d1724 libchain.so[+1724] (/d/libchain.so)\n\t7a1c3d19d4 libchain.so[+19d4] (/d/libchain.so)\n\n' >simple.perf
framemap top --no-cache -s libchain.so simple.perf 2>/dev/null
framemap restore --no-cache -s libchain.so simple.perf
echo "== methods in compiled code of Android"
printf 'app 7 [003] 1.500000: 5 cycles:\n\t7a1c3d0010 u.s.b (/d/oat/arm64/base.odex)\n\t7a1c3d0020 u.s.<init> (/d/[JIT app cache])\n\t7a1c3d0030 f.cold (/d/libx.so)\n\t7a1c3d0040 a.B.c (/system/framework/boot.oat)\n\n' >methods.perf
framemap convert --to folded --lossy -s mapping.txt methods.perf
