# Tests which end of a stack is the outermost frame: a text that lists callers first gives the same stack as a text that
# lists them last.
python() {
    printf 'Traceback (most recent call last):\n  File "/app/main.py", line 9, in <module>\n    outer()\n'
    printf '  File "/app/main.py", line 5, in outer\n    inner()\n  File "/app/lib.py", line 2, in inner\n    raise ValueError("x")\n'
    printf 'ValueError: x\n'
}
faulthandler() {
    printf 'Fatal Python error: Aborted\n\nCurrent thread 0x00007f01 (most recent call first):\n'
    printf '  File "/app/lib.py", line 2 in inner\n  File "/app/main.py", line 5 in outer\n  File "/app/main.py", line 9 in <module>\n'
}
ruby() {
    printf 'Traceback (most recent call last):\n\t2: from /app/a.rb:10:in `<main>'"'"'\n\t1: from /app/a.rb:7:in `outer'"'"'\n'
    printf '/app/a.rb:3:in `inner'"'"': boom (RuntimeError)\n'
}
leaks() {
    printf "STACK OF 3 INSTANCES OF 'ROOT LEAK: <Thing>':\n"
    printf '2   dyld    0x107bb851e start + 462\n1   App     0x102d6026e outer + 70\n0   App     0x102d6036e inner + 12\n====\n'
}
sample() {
    printf 'Analysis of sampling App (pid 17) every 1 millisecond\nProcess:         App [17]\n\nCall graph:\n'
    printf '    10 Thread_1   DispatchQueue_1: com.apple.main-thread  (serial)\n'
    printf '    + 10 start  (in dyld) + 462  [0x111e8b51e]\n    +   7 outer  (in App) + 16  [0x10cd1ae30]\n'
    printf '    +   ! 4 inner  (in App) + 8  [0x10cd1ad9a]\n    +   3 other  (in App) + 4  [0x10cd1aeef]\n'
}
instruments() {
    printf 'Weight\tSelf Weight\t\tSymbol Name\n9.0 ms  100.0%%\t-\t \tApp (17)\n9.0 ms  100.0%%\t-\t \t start\n9.0 ms  100.0%%\t9.0 ms\t \t  inner\n'
}
for text in python faulthandler ruby leaks sample instruments; do
    $text >"$text.txt"
    echo "== $text"
    framemap convert -q --lossy --to folded "$text.txt"
    framemap convert -q --lossy --to gdb "$text.txt" | sed 's/ 0x[0-9a-f]* in//'
done
echo "== the last event of a stack is Sentry's last frame"
framemap convert -q --lossy --to sentry python.txt | grep -o '"function":"[a-z<>]*"' | tr '\n' ' '
echo
