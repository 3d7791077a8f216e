# Tests bad input files: each message names the file and the fault, and the exit code is 1.
say() {
    echo "== $*"
    "$@" 2>&1
    echo "exit $?"
}
say framemap lookup nosuch 0x0
say framemap lookup . 0x0
echo "just text" >text
say framemap lookup text 0x0
: >empty
say framemap lookup empty 0x0
cp "$NATIVE/gcc-x86_64-O2-stripped.elf" stripped
say framemap lookup stripped 0x0
head -c 40 "$NATIVE/gcc-x86_64-O2.elf" >cut
say framemap lookup cut 0x0
cp "$NATIVE/macho-fat.dylib" fat
say framemap lookup fat 0x0
say framemap lookup --arch riscv64 fat 0x0
cp "$NATIVE/bad/bad-elf-4gb-section-in-4kb.bin" claim
say framemap lookup claim 0x0
cp "$NATIVE/module.ko" module.ko
say framemap lookup module.ko 0x10
printf 'a.B -> a.a:\n    1:2:void go():3:4 -> a\n' >mapping.txt
say framemap addr2line -e mapping.txt 0x10
say framemap llvm-symbolizer -e mapping.txt 0x10
say framemap atos -o mapping.txt 0x10
say framemap symbolize -d mapping.txt -i text
framemap index mapping.txt -o mapping.fmx
say framemap verify mapping.txt text
say framemap verify mapping.fmx mapping.txt
mkdir two
cp "$NATIVE/gcc-x86_64-O2.elf" "$NATIVE/module.ko" two
say framemap lookup two 0x0
say framemap lookup --arch x86_64 two 0x0
mkdir symbols
cp "$NATIVE/../dart/app.x64-3.10.symbols" "$NATIVE/../dart/app.x64-3.13.symbols" symbols
cp "$NATIVE/../dart/x64-3.13.trace.txt" trace.txt
say framemap symbolize -d symbols -i trace.txt -o translated.txt
mkdir none
say framemap inject none
say framemap -s=none text
say framemap lookup none 0x10
printf '!<arch>\nrest' >lib.a
say framemap info lib.a
printf 'PK\003\004rest' >app.apk
say framemap index app.apk
printf '\000asm\015\000\001\000' >component.wasm
say framemap info component.wasm
cp "$NATIVE/split/common.alt" shared.debug
say framemap index shared.debug
mkdir -p some.dSYM/Contents/Resources/DWARF none.dSYM
cp fat some.dSYM/Contents/Resources/DWARF/a
cp fat some.dSYM/Contents/Resources/DWARF/b
say framemap info some.dSYM
say framemap index none.dSYM
say framemap info .
printf 'MZ and more' >dos.exe
say framemap index dos.exe
echo "    #00 pc 123456789012345678901234567890  /data/libx.so" >long
say framemap long
say framemap -s nosuch long
say framemap .
say framemap nosuch
say framemap nosuch/nosuch
say framemap index mapping.fmx
framemap -o out.txt text 2>&1 | tail -n 2
say framemap convert --to folded stripped
# Values of an option that resemble an allowed value get a suggestion.
for value in jsn JSON Markdwn android nothing; do
    echo "== -o $value"
    framemap -o "$value" text 2>&1 | grep -v "is not a value\|--help"
done
echo "== index --kind=elf"
framemap index --kind=elf text 2>&1 | grep -v "is not a value\|--help"
say framemap ndk-stack -sym . text
# A cache that cannot be written is reported once, with the reason, however many symbol files there are.
mkdir two
cp "$NATIVE/clang-arm64-android-O2.so" two/libchain.so
cp "$NATIVE/clang-arm-thumb-android-O2.so" two/libthumb.so
printf '#00 pc 000008ec  /a/libchain.so\n#01 pc 000004b4  /a/libthumb.so\n' >both
framemap --cache=text -s two both 2>&1 >/dev/null | grep cache
framemap --cache=text/below -s two both 2>&1 >/dev/null | grep cache
