# convert: profiles to each other and to a flame graph, several files, standard input, hostile names, and what is refused.
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
framemap convert --to folded --lossy b.folded b.folded a.perf
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
