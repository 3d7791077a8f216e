# Tests atos: load address, slide, offsets, inlined frames, whole paths, and addresses from arguments, a file and
# standard input.
cd "$NATIVE"
atos -o macho-arm64.dSYM -arch arm64 0xaa8 0xac0 0xb00
atos -o macho-arm64.dSYM -l 0x100000000 0x100000b00 100000b00 4294970112
atos -o macho-arm64.dSYM -s 0x1000 0x1b00
atos -o macho-arm64.dSYM -offset 0xb00
atos -o macho-arm64.dSYM -i 0xb00
atos -o macho-arm64.dSYM -i -d ' | ' -fullPath 0xb00
atos -o macho-arm64-symtab.dylib 0xb00 0xdc9
atos -o macho-fat.dwarf -arch x86_64 0xb00
printf '0xaa8 0xac0\nnone\n0x1\n' | atos -o macho-arm64.dSYM
echo 0xaa8 >"$OLDPWD/addresses"
atos -o macho-arm64.dSYM -f "$OLDPWD/addresses"
atos -p 1 0x1
echo "exit $?"
atos 0x1
echo "exit $?"
atos -o nosuch 0x1
echo "exit $?"
echo "== an archive of Xcode"
cd "$OLDPWD"
mkdir -p My.xcarchive/dSYMs
cp -r "$NATIVE/macho-arm64.dSYM" My.xcarchive/dSYMs
atos -o My.xcarchive 0xb00
atos -o My.xcarchive/ 0xb00
