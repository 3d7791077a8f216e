# Tests how names of Swift are shown: in each style, in a restored report, and by fronts, which follow their tools. The
# symbol file is one of C++ in which a mangled name is replaced by one of the same size.
dwarf=Contents/Resources/DWARF/libshapes.dylib
mkdir -p shapes.dSYM/Contents/Resources/DWARF
LC_ALL=C sed 's/_ZN8geometryplENS_3vecES0_/$s8geometry3addyAA3VecVADF/g' "$NATIVE/macho-arm64.dSYM/$dwarf" >shapes.dSYM/$dwarf
for style in llvm gnu full none; do
    echo "== $style"
    framemap lookup --demangle=$style shapes.dSYM 0x97c 0xa5c
done
echo "== JSON"
framemap lookup -o json shapes.dSYM 0x97c
echo "== fronts"
framemap llvm-symbolizer -e shapes.dSYM/$dwarf 0x97c
echo 0x97c | framemap llvm-symbolizer -e shapes.dSYM/$dwarf
framemap addr2line -f -C -e shapes.dSYM/$dwarf 0x97c
framemap atos -o shapes.dSYM -arch arm64 0x97c
echo "== a report"
cat >report.crash <<'REPORT'
Incident Identifier: 00000000-0000-0000-0000-000000000000
Code Type:           ARM-64

Thread 0 Crashed:
0   libshapes.dylib               	0x000000010000097c 0x100000000 + 2428

Binary Images:
0x100000000 - 0x100007fff libshapes.dylib arm64 <4c4c44f655553144a12095a736a0c921> /app/libshapes.dylib
REPORT
framemap -s shapes.dSYM report.crash
framemap -s shapes.dSYM --demangle=full report.crash | grep '^0 '
