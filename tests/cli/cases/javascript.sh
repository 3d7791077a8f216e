# Tests stacks of JavaScript: a script whose map is next to it and a script without a map, with source lines; bytecode;
# frame lines without a file; and a pipe.
mkdir dist
cat >dist/app.js.map <<'MAP'
{"version":3,"sources":["src/app.ts"],"names":["boom","run"],"mappings":"AAAA,UAIQ,UAIJA,UAKFC",
"sourcesContent":["// the app\nexport {run};\n\nfunction boom(): never {\n  throw new Error(\"no\");\n}\n\nfunction run() {\n    boom();\n}\n\n// begins\n\n  run();\n"]}
MAP
cat >stack <<'STACK'
Error: no
    at t (https://x.org/js/app.js?v=3:1:11)
    at e (https://x.org/js/app.js?v=3:1:21)
    at https://x.org/js/app.js?v=3:1:31
    at https://x.org/lib.js:1:11
STACK
framemap restore -s dist stack
echo "== strict"
framemap restore --strict -s dist stack >restored
echo "exit $?"
echo "== what was restored stays as it is"
framemap restore --strict -s dist restored | diff restored - && echo same
echo "== with the source around"
framemap restore -s dist --context 1 stack
echo "== JSON"
framemap restore -s dist -o json --context=1 stack
echo "== one place"
framemap lookup --context 2 dist/app.js.map 1:11
framemap lookup --context 1 -o json dist/app.js.map 1:11
echo "== an index that keeps the sources"
framemap index -q --keep-sources dist/app.js.map -o app.fmx
framemap lookup --context 1 app.fmx 1:21
framemap index -q dist/app.js.map -o none.fmx
framemap lookup --context 1 none.fmx 1:21
echo "== line numbers of a pipe are those of the whole input"
{ echo first; sleep 0.2; cat stack; } | framemap restore -s dist -o json | sed -n 's/.*"span":{"line":\([0-9]*\),.*/\1/p'
echo "== rows without a file, and addresses of bytecode"
cat >crash <<'STACK'
com.facebook.react.common.JavascriptException: Error: no, stack:
t@1:10
e@1:20
STACK
framemap restore -s dist crash
mkdir app
sed 's/"version":3,/&"x_hermes_function_offsets":{"0":[0,16]},/' dist/app.js.map >app/index.android.bundle.map
echo '    at t (address at /data/user/0/org.x/files/index.android.bundle:1:20)' | framemap restore -s app -s dist
framemap lookup app/index.android.bundle.map 1+4 0:0+10 7+1 3:0+1
echo "== wrong numbers"
framemap restore --context 0 stack
echo "exit $?"
framemap lookup --context x app.fmx 1:1
echo "exit $?"
echo "== many scripts without a map"
for i in $(seq 103); do echo "    at t (https://x.org/$i.mjs:1:11)"; done | framemap restore | grep -c mjs
