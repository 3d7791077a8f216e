# Tests how a front is chosen: by the name under which the program is called, with prefixes and suffixes, or by the
# first word.
program=$(command -v framemap)
for name in aarch64-linux-gnu-addr2line addr2line-2.40 llvm-addr2line-19 llvm-symbolizer-19 arm-llvm-symbolizer ndk-stack.sh atos-1; do
    ln -s "$program" "$name"
    ./"$name" --help | head -n 1
done
framemap llvm-symbolizer --help | head -n 1
ln -s "$program" atosl
./atosl --version
framemap --version
