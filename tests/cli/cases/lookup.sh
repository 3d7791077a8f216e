# One image and its index give the same answers to every form of WHERE, from arguments and from standard input.
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
