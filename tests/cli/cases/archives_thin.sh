# Tests thin archives: their files are next to them, and only files below the given folder are opened.
library=$NATIVE/../demo/symbols/libdemo.so
tombstone=$NATIVE/../demo/tombstone.txt
mkdir lib lib/obj out
cp "$library" lib/obj/libdemo.so
cp "$library" out/x.so
member() { printf '%-16s%-12d%-6d%-6d%-8s%-10d`\n' "$1/" 0 0 0 644 "$(wc -c <"$library")"; }
{ printf '!<thin>\n' && printf '//                                              %-10d`\nobj/libdemo.so/\n' 16 && member /0 | sed 's:/0/:/0 :'; } >lib/good.a
{ printf '!<thin>\n' && member ../out/x.so && member gone.so; } >lib/bad.a

framemap -s "$library" "$tombstone" >plain.txt 2>plain.err
framemap -s lib/good.a "$tombstone" >thin.txt 2>thin.err
diff plain.txt thin.txt && diff plain.err thin.err && echo "the same as the file that it names"
framemap lookup 'lib/good.a!obj/libdemo.so' 0x13d0
framemap info lib/good.a 2>&1 || echo "exit $?"
framemap -s lib/bad.a "$tombstone" 2>&1 >/dev/null | head -2
framemap lookup 'lib/bad.a!../out/x.so' 0x13d0 2>&1 || echo "exit $?"
framemap --allow-outside -s lib/bad.a "$tombstone" 2>/dev/null | diff plain.txt - && echo "allowed"
