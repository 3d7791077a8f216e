# Tests that stacks that were written as a profile of pprof get the same names from symbols as the stacks themselves:
# addresses as linked, offsets in an image, return addresses, and methods of Java with a line.
demo=$NATIVE/../demo
cat >offsets.txt <<'MINIDUMP'
Thread 0 (crashed)
 0  libdemo.so + 0x1344
    Found by: given as instruction pointer in context
 1  libdemo.so + 0x13d0
    Found by: call frame info
MINIDUMP
cat >returns.txt <<'GLIBC'
/data/libdemo.so(+0x1344)[0x7f7ca0b87344]
/data/libdemo.so(+0x13d0)[0x7f7ca0b873d0]
GLIBC
for text in "$demo"/tombstone.txt "$demo"/ios.crash "$demo"/logcat.txt offsets.txt returns.txt; do
    echo "== ${text##*/}"
    framemap convert -q --lossy --to folded -s "$demo"/symbols "$text" >direct
    framemap convert -q --lossy --to pprof "$text" >later.pb
    framemap convert -q --lossy --to folded -s "$demo"/symbols later.pb >later
    diff direct later && cut -c1-300 later
done
