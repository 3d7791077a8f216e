# Tests where indexes are written: next to the file, under a given name, or into a folder; that the same input gives the
# same bytes; and that a faulty file does not stop the others.
cp "$NATIVE/gcc-x86_64-O2.elf" a
cp "$NATIVE/clang-x86_64-O2.so" b
framemap index a
framemap index a b -o .
ls
mkdir out
framemap index a b -o out
cmp a.fmx out/a.fmx && echo same
framemap index a --output=c.fmx -j2 --max-memory=1G
cmp a.fmx c.fmx && echo same
echo text >d
framemap index d a -o out
echo "exit $?"
framemap index a b -o c.fmx
echo "exit $?"
framemap index a --max-memory=10K
echo "exit $?"
framemap index a --max-memory=much
echo "exit $?"
framemap index
echo "exit $?"
framemap index "$NATIVE/macho-fat.dylib" -o fat.fmx
echo "exit $?"
framemap index "$NATIVE/macho-fat.dylib" -o fat.fmx --arch arm64
echo "exit $?"
framemap index "$NATIVE/macho-arm64.dSYM" -o .
ls
