# Looks up return addresses of Thumb code of 32-bit ARM, with the Thumb bit and without it: the call is at column 55, and
# the instruction after it at column 16. A file gives the same answers as its index.
program=$NATIVE/gcc-arm-thumb-O2.elf
framemap index -o program.fmx "$program"
framemap index -o object.fmx "$NATIVE/gcc-arm-thumb-O2.o"
for file in "$program" program.fmx; do framemap lookup -r "$file" 0x102e1 0x102e0; done
for address in 0x102e1 0x102e0; do framemap lookup --no-cache -r "$program" $address; done
for file in "$NATIVE/gcc-arm-thumb-O2.o" object.fmx; do framemap lookup -r "$file" .text:0x209 .text:0x208; done
# In JSON, "lookup" is the address that was looked up, also if only the symbols show that the code is Thumb code.
cat >crash <<'END'
Stack trace of thread 12:
#0  0x00000000000102d7 n/a (program + 0x102d7)
#1  0x00000000000102e1 n/a (program + 0x102e1)
#2  0x00000000000102e0 n/a (program + 0x102e0)
END
cp "$program" program
framemap restore -s program crash
framemap restore -s program -o json crash | grep -o '"lookup":"[^"]*"'
framemap restore -o json crash | grep -o '"lookup":"[^"]*"'
