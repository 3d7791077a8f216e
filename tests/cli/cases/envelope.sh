# Tests envelopes of Sentry: each item is restored, and the length in its header is updated.
DEMO=$NATIVE/../demo/symbols
SEEDS=$NATIVE/../fuzz/document
framemap restore -s "$DEMO" "$SEEDS/envelope" >restored
tr '\000\377' '@@' <restored
echo "== the lengths"
sed -n 3p restored | tr -d '\n' | wc -c
sed -n 8,9p restored | wc -c
echo "== a pipe"
cat "$SEEDS/envelope" | framemap restore -s "$DEMO" | cmp - restored && echo same
(head -c 20 "$SEEDS/envelope"; sleep 0.2; tail -c +21 "$SEEDS/envelope") | framemap restore -s "$DEMO" | cmp - restored && echo same
printf '{"a":1}\n{"type":"other"}\n' | framemap restore 2>/dev/null
printf '{"a":1}' | framemap restore 2>/dev/null
echo
echo "== without symbols"
for seed in envelope short no-length wrong-length empty-item; do
    framemap restore "$SEEDS/$seed" 2>/dev/null | cmp - "$SEEDS/$seed" && echo same
done
echo "== damage"
framemap restore -s "$DEMO" "$SEEDS/wrong-length" 2>/dev/null | tail -n 3
