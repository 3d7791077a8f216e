# Tests reports whose line ends were lost: each frame gets a line of its own, restored or not, and no other byte is
# lost.
demo=$NATIVE/../demo
rows() { grep -o '#[0-9]* pc [0-9a-f]*\|[0-9]*   [A-Za-z_.]* *	0x[0-9a-f]*' | sort -u; }
for report in tombstone.txt ios.crash; do
    echo "== $report"
    tr '\n' ' ' <"$demo/$report" >joined
    framemap -s "$demo/symbols" joined >restored 2>/dev/null
    cut -c1-132 restored
    echo "== the same rows, and again"
    rows <joined >before
    rows <restored | cmp - before && wc -l <before | tr -d ' '
    framemap -s "$demo/symbols" restored 2>/dev/null | cmp - restored && echo same
done
echo "== in a string of JSON"
printf '{"stack":"%s"}\n' "$(grep '^[0-9]   ' "$demo/ios.crash" | tail -n 5 | tr '\n\t' '  ')" >joined
printf 'Binary Images:\n' >>joined
grep 'Demo arm64' "$demo/ios.crash" >>joined
framemap -s "$demo/symbols" joined 2>/dev/null | head -n 1 | tr -s ' '
echo "== JavaScript, of two scripts"
at='at c (https://shop.example/js/shop.js?v=7:1:185)'
echo "TypeError: x at f (https://a.b/other.js:1:2) $at at g (https://a.b/other.js:1:9)" >joined
framemap -s "$demo/symbols" joined 2>/dev/null
