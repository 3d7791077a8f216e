# Tests symbol files that are in archives or compressed: given as the whole archive, or by the path of a file in it.
cp "$NATIVE"/../archives/*.a* "$NATIVE"/../archives/*.zip "$NATIVE"/../archives/*.jar .
library=$NATIVE/../demo/symbols/libdemo.so
tombstone=$NATIVE/../demo/tombstone.txt

framemap info app.aab base.apk gnu.a
framemap info -o json native-debug-symbols.zip
framemap lookup 'app.aab!base/lib/arm64-v8a/libdemo.so' 0x1344
framemap lookup base.apk 0x1344
framemap lookup gnu.a .text:0x10

framemap -s "$library" -s "$NATIVE"/../demo/symbols/mapping.txt "$tombstone" >plain.txt 2>plain.err
for archive in app.aab native-debug-symbols.zip base.apk; do
    framemap -s "$archive" "$tombstone" >"$archive.txt" 2>"$archive.err"
    diff plain.txt "$archive.txt" && diff plain.err "$archive.err" && echo "$archive: the same as the files in it"
done

gzip -c "$library" >libdemo.so.gz
framemap -s libdemo.so.gz "$tombstone" 2>/dev/null | diff plain.txt - && echo "gzip: the same"

mkdir all && cp app.aab base.apk all/
framemap -s all "$tombstone" 2>/dev/null | diff plain.txt - && echo "a folder of archives: the same"

framemap index 'app.aab!base/lib/arm64-v8a/libdemo.so'
framemap index -o plain.fmx "$library"
cmp libdemo.so.fmx plain.fmx && echo "the same index"

for path in app.aab 'app.aab!none.so' 'none.aab!a.so' nothing.jar; do
    framemap lookup "$path" 0x1344 2>&1 || echo "exit $?"
done
framemap info nothing.jar 2>&1 || echo "exit $?"
framemap -s nothing.jar "$tombstone" 2>&1 >/dev/null | head -1

# A dSYM in an archive is named in the same way as a dSYM in a folder.
cp -r "$NATIVE"/../demo/symbols/Demo.app.dSYM .
python3 -m zipfile -c bundle.zip Demo.app.dSYM
framemap lookup Demo.app.dSYM 0x100004150 >plain.txt
framemap index -o plain.fmx Demo.app.dSYM
for path in 'bundle.zip!Demo.app.dSYM' 'bundle.zip!/Demo.app.dSYM/'; do
    framemap lookup "$path" 0x100004150 | diff plain.txt - && echo "$path: the same answer"
    framemap index -o inside.fmx "$path" && cmp plain.fmx inside.fmx && echo "$path: the same index"
done
framemap info 'bundle.zip!Demo.app.dSYM' | head -n 1
framemap -s Demo.app.dSYM "$NATIVE"/../demo/ios.crash >plain.txt 2>/dev/null
framemap -s 'bundle.zip!Demo.app.dSYM' "$NATIVE"/../demo/ios.crash 2>/dev/null | diff plain.txt - && echo "the same report"
framemap lookup 'bundle.zip!Other.dSYM' 0x0 2>&1 || echo "exit $?"
