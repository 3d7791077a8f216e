# Tests a log with two stacks, as text and JSON: symbols are given only for the library of one of them. All other text
# is unchanged.
log() {
    echo "some line before"
    echo "    #00 pc 0000000000001724  /data/app/lib/arm64/libchain.so (chain_choose+20) (BuildId: cdeb5ba6d45738cb6c3f904c6e64da2dc1f5431f)"
    echo "    #01 pc 00000000000019d4  /data/app/lib/arm64/libchain.so (BuildId: cdeb5ba6d45738cb6c3f904c6e64da2dc1f5431f)"
    echo "    #02 pc 0000000000001000  /data/app/lib/arm64/libother.so (BuildId: 00112233445566778899aabbccddeeff00112233)"
    echo
    echo "some line after"
}
log >log
for options in "" "-o json" "--demangle=none" "-f android-tombstone"; do
    echo "== restore $options"
    framemap -s "$NATIVE/clang-arm64-android-O2.so" $options log
    echo "exit $?"
done
echo "== strict"
framemap restore --strict --no-cache -s "$NATIVE/clang-arm64-android-O2.so" <log >/dev/null
echo "exit $?"
echo "== an index in the place of the file"
framemap index -o chain.fmx "$NATIVE/clang-arm64-android-O2.so"
framemap -s chain.fmx log | sed -n 2p
echo "== usage"
framemap --nosuch
echo "exit $?"
framemap -f nosuch log
echo "exit $?"
framemap log log
echo "exit $?"
framemap -s nosuch log
echo "exit $?"
framemap nosuch
echo "exit $?"
echo "== Native AOT, without names: the module has no extension"
{
    echo "Unhandled exception. System.InvalidOperationException: no"
    echo "   at libchain!<BaseAddress>+0x1728"
    echo "   at Shop.Cart.Load(Int32) + 0x1c"
} >dotnet
cp "$NATIVE/clang-arm64-android-O2.so" libchain.so
framemap -s libchain.so dotnet
echo "== Swift's runtime, of a program without symbols: the images are below the threads"
{
    echo "*** Program crashed: Illegal instruction at 0x0000000001001724 ***"
    echo
    echo "Thread 4 crashed:"
    echo
    echo "  0      0x0000000001001724 <unknown> in libchain.so"
    echo "  1 [ra] 0x00000000010019d4 <unknown> in libchain.so"
    echo "..."
    echo
    echo "Registers:"
    echo
    echo "x0 0x0000000000000002  2"
    echo
    echo "Images (2 omitted):"
    echo
    printf '0x0000000001000000\342\200\2230x0000000001003000 cdeb5ba6d45738cb6c3f904c6e64da2dc1f5431f libchain.so /srv/libchain.so\n'
} >swift
framemap -s "$NATIVE/clang-arm64-android-O2.so" swift
