# Tests programs that are not position-independent. Their addresses in memory are the linked ones, so a line with the
# program and an address can be restored. For a library, its load address is needed too.
at=$(nm "$NATIVE/clang-x86_64-icf.elf" | awk '$3 == "_Z7give_upi" { print $1 }')
printf ' 0# 0x%x in ./clang-x86_64-icf.elf\n./clang-x86_64-icf.elf() [0x%x]\n' "$((0x$at + 1))" "$((0x$at + 1))" >program
printf ' 0# 0x00007f0000001344 in ./clang-x86_64-O2.so\n' >library
for text in program library; do
    framemap restore --no-cache -s "$NATIVE/clang-x86_64-icf.elf" -s "$NATIVE/clang-x86_64-O2.so" $text 2>&1
done
