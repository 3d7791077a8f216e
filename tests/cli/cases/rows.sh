# Tests --rows: one field of each row is restored, and each input row gives one output row.
DEMO=$NATIVE/../demo/symbols
restore() { framemap restore --no-cache -s "$DEMO" "$@"; }
printf '%s\t%s\t%s\n' 1 'Error: no\n    at c (https://shop.example/js/shop.js:1:185)' 7 2 'no stack' 7 3 '\N' 7 >rows.tsv
printf '4\n' >>rows.tsv
cat >rows.ndjson <<'END'
{"id":1,"exception":{"stacktrace":"Error: no\n    at c (https://shop.example/js/shop.js:1:185)"},"x":1.50}
{"id":2,"exception":{"stacktrace":"at c (https://other.example/js/other.js:1:185)"}}
{"id":3
{"id":4}
END
echo "== tsv"
restore --rows tsv:2 rows.tsv 2>&1
echo "== tsv with a status, from standard input"
restore --rows tsv:2 --status-field <rows.tsv 2>/dev/null
echo "== the column alone"
restore --rows=tsv:2 --only-field --scope build=3 rows.tsv 2>/dev/null
echo "== blocks"
(echo 3; head -n 3 rows.tsv; echo 0; echo 1; tail -n 1 rows.tsv) >blocks.tsv
restore --rows tsv:2 --chunk-header blocks.tsv 2>/dev/null
restore --rows tsv:2 --chunk-header=both --status-field blocks.tsv 2>/dev/null
echo "== ndjson"
restore --rows ndjson:exception.stacktrace --status-field=framemap rows.ndjson 2>&1
restore --rows ndjson:/exception/stacktrace --strict rows.ndjson >/dev/null 2>&1
echo "strict: $?"
echo "== an answer comes before the next row is sent"
mkfifo in out
restore --rows tsv --chunk-header <in >out 2>/dev/null &
exec 3>in 4<out
for row in 1 2; do
    printf '1\nrow %s\n' "$row" >&3
    read -r answer <&4
    echo "$answer"
done
exec 3>&- 4<&-
wait
echo "== faults"
framemap restore --rows csv rows.tsv 2>&1; echo "$?"
framemap restore --rows tsv:x rows.tsv 2>&1; echo "$?"
framemap restore --rows ndjson --only-field rows.tsv 2>&1; echo "$?"
framemap restore --rows tsv --scope tenant=1 rows.tsv 2>&1; echo "$?"
framemap restore --rows tsv --chunk-header=none rows.tsv 2>&1; echo "$?"
framemap restore --chunk-header rows.tsv 2>&1; echo "$?"
framemap restore --rows tsv -o json rows.tsv 2>&1; echo "$?"
framemap restore --rows tsv --chunk-header rows.tsv 2>&1; echo "$?"
printf '2\na\n' | framemap restore --rows tsv --chunk-header 2>&1; echo "$?"
framemap restore --rows tsv nowhere.tsv 2>&1; echo "$?"
restore --rows tsv:2 rows.tsv >/dev/full 2>errors; echo "$?"
cat errors
