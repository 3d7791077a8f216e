# Tests archives without a symbol file: messages say what each archive is, and what to give instead.
tombstone=$NATIVE/../demo/tombstone.txt
cp "$NATIVE"/../archives/no-symbols.* .

for path in no-symbols.*; do
    framemap info "$path" 2>&1 || echo "exit $?"
    framemap -s "$path" "$tombstone" 2>&1 >/dev/null | head -1
done
mkdir app Demo.xcarchive
cp no-symbols.jar app
framemap -s app "$tombstone" 2>&1 >/dev/null | head -1
framemap -s Demo.xcarchive/ "$tombstone" 2>&1 >/dev/null | head -1
