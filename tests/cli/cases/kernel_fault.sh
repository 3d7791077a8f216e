# Faults that Linux logs: restored with an offset in the file, and in a program that is loaded where it was linked.
cp "$NATIVE/clang-x86_64-O2.so" libchain.so
cp "$NATIVE/gcc-x86_64-O2.elf" chain
cat >dmesg.txt <<'EOF'
[   12.501] shop[7]: segfault at 8 ip 00007f0000001780 sp 00007ffd1c40 error 4 in libchain.so[780,7f0000001000+1000] likely on CPU 3 (core 3, socket 0)
[   12.502] Code: 00 48 39 ce 0f 84 07 06
[   12.503] traps: my shop[8] general protection fault ip:7f00000018d0 sp:7ffd1c40 error:0 in libchain.so[7f0000001000+1000]
Feb  6 10:19:17 host kernel: chain[9]: segfault at 8 ip 0000000000400468 sp 00007ffd1c40 error 4 in chain[400000+1000]
{"MESSAGE":"chain[9]: segfault at 8 ip 0000000000400468 sp 00007ffd1c40 error 4 in chain[400000+1000]","PRIORITY":"6"}
EOF
framemap -s libchain.so -s chain dmesg.txt | tee restored.txt
framemap -s libchain.so -s chain restored.txt | cmp - restored.txt && echo "restored twice: the same"
