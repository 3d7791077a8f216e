# Tests how symbols are chosen by the build that a text comes from: by the labels of symbol paths, and by the scope
# given for the text.
MAPPING=$NATIVE/../java/r8/inline/mapping.txt
mkdir one two other ids
(echo "# pg_map_id: 0a1b2c3d4e5f"; cat "$MAPPING") >one/mapping.txt
sed 's/shop\./two./g' "$MAPPING" >two/mapping.txt
sed 's/shop\./other./g' "$MAPPING" >other/mapping.txt
printf 'a.d: none left\n\tat a.b.a(SourceFile:4)\n' >java
printf '{"version":3,"sources":["one.js"],"names":[],"mappings":"AAAA"}' >one/index.android.bundle.map
printf '{"version":3,"sources":["two.js"],"names":[],"mappings":"AAAA"}' >two/index.android.bundle.map
printf 'Error: x\n    at f (index.android.bundle:1:1)\n' >script
SYMBOLS='-s app=shop,build=7:one -s app=shop,build=8:two'
matched() {
    grep -o '"matched_by":"[a-z-]*"\|"status":"[a-z-]*"\|"reason":"[^"]*"\|"class":"[a-z]*\.[a-z]*\.[A-Z][A-Za-z]*","function"\|"file":"[a-z]*.js"' | sort -u | tr '\n' ' '
    echo
}
for text in java script; do
    for scope in '--app shop --build 7' '--app=shop --build=8' '--app shop --build 9' '--app shop' ''; do
        echo "== $text: $scope"
        framemap restore --no-cache -o json $SYMBOLS $scope $text 2>/dev/null | matched
    done
done
echo "== what is wrong, and nothing else"
printf '#00 pc 00000001  /l/libx.so\n' >row
advice() { framemap restore --no-cache "$@" 2>&1 >/dev/null | sed -n 's/^framemap: \([a-z]* [a-z ]*build.*\|add .*\)/\1/p'; }
advice $SYMBOLS --app shop --build 9 java
advice $SYMBOLS --app shop --build 9 script
advice $SYMBOLS row
advice $SYMBOLS --app shop --build 8 row
grep -v build_id "$NATIVE/../dart/x64-3.13.trace.txt" >dart
mkdir snapshot
cp "$NATIVE/../dart/app.x64-3.13.symbols" snapshot
advice -s build=7:snapshot --build 8 dart
advice -s build=7:snapshot --build 7 dart
for text in dart row; do
    framemap restore --no-cache -o json -s build=7:snapshot --build 8 $text 2>/dev/null | grep -o '"why":"other-labels"' | sort -u
done
echo "== a path without labels is used where no labels match, and after those that do"
framemap restore --no-cache -o json $SYMBOLS -s other --app shop --build 8 java | matched
framemap restore --no-cache -o json $SYMBOLS -s other --app shop --build 9 java | matched
framemap restore --no-cache -o json $SYMBOLS -s other java | matched
echo "== the path with the most labels comes first"
framemap restore --no-cache -o json -s app=shop:other $SYMBOLS --app shop --build 7 java | matched
framemap restore --no-cache -o json -s app=shop:other $SYMBOLS --app shop --build 9 java | matched
echo "== an id of the scope, and one of the stack"
ID=0a1b2c3d4e5f
framemap restore --no-cache -o json -s one -s two -s other --id "$ID" java | matched
printf 'a.d: none left\n\tat a.b.a(r8-map-id-%s:4)\n' "$ID" >java-id
framemap restore --no-cache -o json $SYMBOLS --app shop --build 8 java-id | matched
echo "== an id does not reach the symbols of another tenant"
framemap restore --no-cache -o json -s tenant=t1,app=shop:one --tenant t2 java-id 2>/dev/null | matched
framemap restore --no-cache -o json -s tenant=t1,app=shop:one java-id 2>/dev/null | matched
framemap restore --no-cache -o json -s tenant=t1,app=shop:one --tenant t1 java-id | matched
framemap restore --no-cache -o json -s tenant=t1,app=shop:one --tenant t2 --id "$ID" java 2>/dev/null | matched
echo "== native: by name, for a file without an id in the stack"
mkdir native
cp "$NATIVE/clang-arm64-android-O2.so" native/libchain.so
printf '    #00 pc 0000000000001724  /data/app/lib/arm64/libchain.so\n' >tombstone
framemap restore --no-cache -o json -s build=7:native --build 7 tombstone | matched
framemap restore --no-cache -o json -s build=7:native --build 8 tombstone 2>/dev/null | matched
printf '    #00 pc 0000000000001724  /data/app/lib/arm64/libchain.so (BuildId: cdeb5ba6d45738cb6c3f904c6e64da2dc1f5431f)\n' >tombstone-id
framemap restore --no-cache -o json -s build=7:native --build 8 tombstone-id | matched
framemap restore --no-cache -o json -s build=7:native tombstone-id | matched
echo "== the same path for two builds"
framemap restore --no-cache -o json -s build=7:one -s build=8:one --build 8 java | matched
echo "== errors"
bad() {
    echo "-- $*"
    framemap restore --no-cache "$@" java 2>&1
    echo "exit $?"
}
bad -s version=7:one
bad -s app=:one
bad -s app=shop,build:one
bad -s app=shop
bad -s app=shop:
bad -s app=shop,app=x:one
bad --app ''
bad --build 7 --build 8
bad -s app=shop:nowhere
cp "$MAPPING" a=b.txt
echo "-- a file whose name has an equals sign"
framemap restore --no-cache -s a=b.txt java
echo "== the scope of each row"
STACK='a.d: none left\n\tat a.b.a(SourceFile:4)'
for build in 7 8 8 7 9; do printf '%s\tshop\t%s\n' "$STACK" "$build"; done >rows.tsv
framemap restore --no-cache $SYMBOLS --rows tsv:1 --scope app=2,build=3 rows.tsv 2>/dev/null
echo "== with what is said of all rows"
framemap restore --no-cache $SYMBOLS --app shop --rows tsv:1 --scope build=3 rows.tsv 2>/dev/null
printf '{"stack":"%s","build":8}\n{"stack":"%s"}\n{"stack":"%s","build":null}\n' "$STACK" "$STACK" "$STACK" >rows.ndjson
framemap restore --no-cache $SYMBOLS --app shop --build 7 --rows ndjson:stack --scope build=build rows.ndjson 2>/dev/null
