# Tests verify, which compares an index with its symbol file: no difference, differences with examples, another build,
# damage, and usage.
corpus=$NATIVE/..
check() {
    echo "--- $*"
    framemap verify "$@" 2>&1
    echo "exit $?"
}
cp "$NATIVE/gcc-x86_64-O2.elf" app
cp "$NATIVE/gcc-x86_64-O1.elf" other
cp "$corpus/java/r8/inline/mapping.txt" mapping.txt
cp "$corpus/javascript/bundles/swc/calculator.js.map" calculator.js.map
cp "$corpus/dart/app.arm64-3.13.symbols" app.symbols
cp "$NATIVE/macho-fat.dylib" fat
cp "$corpus/archives/app.aab" .
framemap index app mapping.txt calculator.js.map app.symbols -o .
framemap index -q fat --arch arm64 -o fat.fmx
framemap index 'app.aab!base/lib/arm64-v8a/libdemo.so' -o lib.fmx

check app app.fmx
check mapping.txt mapping.txt.fmx
check calculator.js.map calculator.js.map.fmx
check app.symbols app.symbols.fmx
check -q fat fat.fmx --arch arm64
check 'app.aab!base/lib/arm64-v8a/libdemo.so' lib.fmx
check -o json app app.fmx
check -n 3 other app.fmx
check -n 2 -o json other app.fmx
check -n 0 other app.fmx
sed 's/^    1:1:void/    1:2:void/; s/ -> a\.a:/ -> a.q:/' mapping.txt >changed.txt
cmp -s mapping.txt changed.txt && echo "nothing was changed"
check -n 2 changed.txt mapping.txt.fmx
check app mapping.txt.fmx
{ head -c 400 app.fmx; printf 'xxxx'; tail -c +405 app.fmx; } >damaged.fmx
check app damaged.fmx
check app app
check app.fmx app.fmx
check app missing.fmx
check missing app.fmx
check app app.fmx --max-memory=20K
check
check app
check app app.fmx one
check -n many app app.fmx
check -o yaml app app.fmx
check --help
