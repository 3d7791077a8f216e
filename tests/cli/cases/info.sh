# Tests info: the descriptions of files as text and JSON, and the messages for files that are not symbol files.
cd "$NATIVE"
framemap info gcc-arm-O2.elf macho-fat.dylib macho-arm64.dSYM
framemap info -o json gcc-ppc64be-O2.elf gcc-x86_64-O2-stripped.elf
cd "$OLDPWD"
framemap index -o a.fmx "$NATIVE/gcc-x86_64-O2.elf"
framemap info --verify a.fmx | sed 's/^  \(size\|scopes\|positions\|functions\|nodes\|files\|strings\) .*/  \1 …/'
echo "exit $?"
size=$(wc -c <a.fmx)
head -c $((size / 2)) a.fmx >half.fmx
framemap info half.fmx >/dev/null 2>&1
echo "exit $?"
echo text >text
framemap info text . nosuch
echo "exit $?"
framemap info
echo "exit $?"
echo "== scripts have no symbols; what they say of their maps"
printf 'a();\n//# sourceMappingURL=a.js.map\n' >a.js
printf 'b();\n//# debugId=85314830-023f-4cf1-a267-535f4e37bb17\n//# sourceMappingURL=b.js.map\n' >b.js
printf 'd();\n//# debugId=85314830-023f-4cf1-a267-535f4e37bb17\n' >d.js
framemap info a.js b.js d.js 2>&1
echo "exit $?"
