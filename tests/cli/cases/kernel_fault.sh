# Tests faults of programs in the log of Linux: restored by an offset in the file, and in a program that is loaded at
# its linked address.
cp "$NATIVE/clang-x86_64-O2.so" libchain.so
cp "$NATIVE/gcc-x86_64-O2.elf" chain
cat >dmesg.txt <<'EOF'
[   12.501] shop[7]: segfault at 8 ip 00007f0000001780 sp 00007ffd1c40 error 4 in libchain.so[780,7f0000001000+1000] likely on CPU 3 (core 3, socket 0)
[   12.502] Code: 00 48 39 ce 0f 84 07 06
[   12.503] traps: my shop[8] general protection fault ip:7f00000018d0 sp:7ffd1c40 error:0 in libchain.so[7f0000001000+1000]
Feb  6 10:19:17 host kernel: chain[9]: segfault at 8 ip 0000000000400468 sp 00007ffd1c40 error 4 in chain[400000+1000]
{"MESSAGE":"chain[9]: segfault at 8 ip 0000000000400468 sp 00007ffd1c40 error 4 in chain[400000+1000]","PRIORITY":"6"}
[   31.720] shop[10]: unhandled exception: DABT (lower EL), ESR 0x92000006, level 2 translation fault in libchain.so[780,7f0000001000+1000]
[   31.721] CPU: 10 PID: 10 Comm: shop Not tainted 6.12.55 #18
[   31.722] pc : 00007f0000001780
[   31.723] lr : 00007f00000018d0
[   41.720] chain[11]: unhandled signal 11 code 0x1 at 0x0000000000000008 in chain[400000+1000]
[   41.721] epc : 0000000000400468 ra : 0000000000400400 sp : 0000003faae67fc0
EOF
framemap -s libchain.so -s chain dmesg.txt | tee restored.txt
framemap -s libchain.so -s chain restored.txt | cmp - restored.txt && echo "restored twice: the same"
