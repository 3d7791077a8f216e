# Tests lookup: an image and its index give the same answers for every form of location, from arguments and from
# standard input.
image=$NATIVE/clang-x86_64-O2.so
framemap index -o image.fmx "$image"
for file in "$image" image.fmx; do
    framemap lookup "$file" 0x16a8 +0x16a8 0x0
    echo "exit $?"
    printf '0x16a8\n\n  0x0  \n' | framemap lookup -o json "$file"
    echo "exit $?"
done
framemap lookup "$image" .text:0x8 --demangle=none
framemap lookup -r "$image" 0x16a9
framemap lookup "$NATIVE/gcc-x86_64-O2.o" .text:0x10 .nosuch:0x10
framemap lookup --arch arm64 "$NATIVE/macho-fat.dylib" 0xaa8
framemap lookup "$NATIVE/macho-arm64.dSYM" 0xaa8
framemap lookup "$image" what
echo "exit $?"
# Looks up addresses in a file that has several sections with the same name, and in a Mach-O object file, whose sections
# have addresses. The index gives the same answers as the file.
framemap index -q -o groups.fmx "$NATIVE/groups.o" 2>&1
framemap index -o object.fmx "$NATIVE/macho-arm64.o"
for file in "$NATIVE/groups.o" groups.fmx; do
    framemap lookup "$file" .text.unlikely:0x0 .text.twice:0x3 .text.twice:0x1 .text.twice@10:0x1 .text.twice:0x4 0x0
    framemap lookup -o json "$file" .text.twice:0x1
done
framemap addr2line -f -j .text.twice@10 -e "$NATIVE/groups.o" 1
for file in "$NATIVE/macho-arm64.o" object.fmx; do framemap lookup "$file" 0x10 __TEXT,__text:0x10 __text:0x10 __text:0x100000; done
framemap llvm-symbolizer --obj="$NATIVE/macho-arm64.o" 0x10
# The addresses of a library that has only data can be looked up, too.
framemap lookup "$NATIVE/data-only.so" 0x10
# Looks up debug info that cannot be relocated: the machine number in the file is changed to one whose relocations
# framemap does not know.
cp "$NATIVE/gcc-x86_64-O2.o" foreign.o && chmod +w foreign.o
printf '\377' | dd of=foreign.o bs=1 seek=18 conv=notrunc 2>/dev/null
framemap lookup foreign.o .text:0x10 .text:0xffff
framemap lookup -o json foreign.o .text:0x10
