# Tests ndk-stack with one crash in a log. Of its libraries, one is in the folder given with -sym, one in a folder
# below, one is of another build, one is in an APK, and one is missing.
mkdir -p symbols/below
cp "$NATIVE/clang-arm64-android-O2.so" symbols/libchain.so
cp "$NATIVE/clang-arm-thumb-android-O2.so" symbols/below/libthumb.so
id=cdeb5ba6d45738cb6c3f904c6e64da2dc1f5431f
log() {
    echo "I/other ( 1): a line before"
    echo "F/DEBUG ( 2): *** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***"
    echo "F/DEBUG ( 2): Build fingerprint: 'google/x:14/y'"
    echo "F/DEBUG ( 2): Abort message: 'what happened'"
    echo "F/DEBUG ( 2): backtrace:"
    echo "F/DEBUG ( 2):     #00 pc 0000000000001724  /data/app/lib/arm64/libchain.so (chain_choose+20) (BuildId: $id)"
    echo "F/DEBUG ( 2):     #01 pc 0x1a40  /data/app/lib/arm64/libchain.so"
    echo "F/DEBUG ( 2):     #02 pc 00001a40  /data/app/base.apk!libchain.so (offset 0x1000) (BuildId: $id)"
    echo "F/DEBUG ( 2):     #03 pc 00001a40  /data/app/libchain.so (BuildId: 0011223344)"
    echo "F/DEBUG ( 2):     #04 pc 00000900  /data/app/libmissing.so"
    echo "F/DEBUG ( 2):     #05 pc 00000000  /data/app/libchain.so   "
    echo "F/DEBUG ( 2): a line after"
    echo "F/DEBUG ( 2):     #06 pc 00000000  /data/app/libchain.so"
}
log >log
ndk-stack -sym symbols -dump log
echo "exit $?"
log | ndk-stack --sym symbols | cksum
ndk-stack -sym symbols -i log | cksum
ndk-stack -sym nosuch -i log
echo "exit $?"
ndk-stack -i log
echo "exit $?"
