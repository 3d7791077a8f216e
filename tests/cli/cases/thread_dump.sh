# Tests that the threads of one process that are dumped together are one event for Sentry, from a file and from a pipe,
# however the pipe's text is cut.
dump() {
    echo "----- pid $1 at 2025-06-24 01:02:55 -----"
    echo "Cmd line: com.example"
    for thread in 'Signal Catcher" daemon prio=10 tid=6 Runnable' 'main" prio=5 tid=1 Sleeping' 'worker" prio=5 tid=9 Native'; do
        echo "\"$thread"
        echo '  | group="main" sCount=1 dsCount=0'
        echo "  native: #00 pc 0000000000085e64  /apex/lib/libc.so (__ioctl+12)"
        echo "  at a.b.c(SourceFile:4)"
        echo
    done
    echo "----- end $1 -----"
}
count() { framemap -o sentry "$@" 2>/dev/null | grep -o '"threads":{"values"\|"id":"[0-9]*","name":"[A-Za-z ]*"\|"current":true\|"pid":[0-9]*'; }
dump 17 >one
(dump 17; dump 18; dump 18; printf 'java.lang.Error: x\n\tat d.e.f(G.java:1)\n') >four
echo "== one process"
count one
echo "== two processes, the second twice, and a stack after them"
framemap -o sentry four 2>/dev/null | wc -l | tr -d ' '
framemap -o sentry four >file 2>/dev/null
for size in 1 7 100 4096; do
    dd bs=$size if=four 2>/dev/null | framemap -o sentry 2>/dev/null | cmp - file && echo "pieces of $size: the same"
done
echo "== the other outputs: one record for each dump, of the main thread, with the other threads"
for output in markdown otlp; do
    framemap -o $output four >file 2>/dev/null
    for size in 1 7 100 4096; do
        dd bs=$size if=four 2>/dev/null | framemap -o $output 2>/dev/null | cmp - file && echo "$output, pieces of $size: the same"
    done
done
framemap -o markdown one 2>/dev/null | grep '^###\|^thread'
framemap -o otlp one 2>/dev/null | grep -o '"thread.name","value":{[^}]*}\|thread [A-Za-z ]*(id [0-9]*)'
framemap -o otlp four 2>/dev/null | wc -l | tr -d ' '
