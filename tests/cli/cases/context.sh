# Tests restore --context --sources: source lines around native, Java and Dart frames.
DEMO=$NATIVE/../demo
DART=$NATIVE/../dart
context() { sed -n "/$1/,/$2/p" | sed 's| */data/app[^ ]*||; s| (BuildId: [0-9a-f]*)||'; }
mkdir -p repo/app/src/main/java/com/example/shop repo/lib outside
seq 1 60 | sed 's/^/\tline /' >repo/app/src/main/java/com/example/shop/Cart.java
printf 'first\033[31m\r\nsecond\rthird' >repo/lib/short.c
echo '== native, with inlined functions'
framemap --no-cache -s "$DEMO/symbols" --context 1 --sources "$DEMO/src" "$DEMO/tombstone.txt" 2>/dev/null | context backtrace '#03'
echo '== Java, in a log'
framemap --no-cache -s "$DEMO/symbols" --context 1 --sources repo <"$DEMO/logcat.txt" 2>/dev/null | head -9
echo '== Dart'
for file in $(grep -o 'package:[^ :]*\.dart' "$DART/x64-3.13.symbolized.txt" | sort -u | sed 's|^package:[^/]*/||'); do
    mkdir -p "dart/lib/$(dirname "$file")"
    seq 1 400 | sed "s|^|$file |" >"dart/lib/$file"
done
framemap --no-cache -s "$DART/app.x64-3.13.symbols" --context 1 --sources dart "$DART/x64-3.13.trace.txt" 2>/dev/null | grep -A3 'package:' | head -8
echo '== JSON and Sentry, also of what is printed'
printf 'java.lang.Error\n\tat com.example.shop.Cart.pay(Cart.java:60)\n' >java
framemap --context 1 --sources repo -o json java | grep -o '"context":{[^}]*}'
framemap --context 1 --sources repo -o sentry java | grep -o '"pre_context":.*\|"context_line":"[^"]*"' | head -1 | cut -c1-60
framemap --context 1 --sources repo java | cmp - java && echo 'text: as printed'
echo '== line ends and control characters'
printf 'g (lib/short.c:2)\n' >gdb
printf '#0  0x0000000000001344 in g () at /b/lib/short.c:2\n#1  0x0000000000001345 in h () at /b/lib/short.c:9\n' >gdb
framemap --context 1 --sources repo -o json gdb | grep -o '"context":{[^}]*}'
echo '== never outside'
echo secret >outside/secret.c
ln -s ../outside/secret.c repo/secret.c
ln -s ../outside repo/linked
for path in /b/secret.c ../outside/secret.c linked/secret.c "$PWD/outside/secret.c"; do
    printf '#0  0x0000000000001344 in g () at %s:1\n' "$path" >gdb
    framemap --context 1 --sources repo -o json gdb | grep -c '"context"'
done
echo '== what fails'
framemap --sources repo java 2>&1 || echo "exit $?"
framemap --context 1 --sources missing java 2>&1 || echo "exit $?"
(cd repo && python3 -m zipfile -c ../repo.zip .)
framemap --context 1 --sources repo.zip -o json gdb | grep -c '"context"'
framemap --context 1 --sources gdb -o json gdb 2>&1 || echo "exit $?"
