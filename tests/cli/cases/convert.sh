# Tests convert: source maps flattened and composed, stacks converted to JSON, and refused input.
cat >mid.js.map <<'MAP'
{"version":3,"file":"mid.js","sources":["src/a.ts"],"sourcesContent":["let a;\n"],"names":["e"],"mappings":"AAEA,SACIA"}
MAP
cat >out.js.map <<'MAP'
{"version":3,"file":"out.js","sources":["mid.js"],"names":["l"],"mappings":"AAAAA,IAAU,IAKV,I"}
MAP
cat >index.map <<'MAP'
{"version":3,"sections":[{"offset":{"line":0,"column":4},"map":{"version":3,"sources":["a.js"],"names":["n"],"mappings":"AAAAA"}},
{"offset":{"line":1,"column":0},"map":{"version":3,"sources":["b.js"],"mappings":"AAAA"}}]}
MAP
cat >two.map <<'MAP'
{"version":3,"sources":["x/mid.js","y/mid.js"],"mappings":"AAAA,CCAA"}
MAP
echo "== flat: as it is, as an index, compressed, inside a script, from standard input"
framemap convert index.map
framemap index index.map -o index.fmx
framemap convert --to sourcemap index.fmx
gzip -c index.map | framemap convert
printf 'x()\n//# sourceMappingURL=data:application/json;base64,%s\n' "$(base64 -w0 <index.map)" >script.js
framemap convert script.js -o flat.map
cmp flat.map - <<'MAP'
{"version":3,"mappings":"IAAAA;ACAA","sources":["a.js","b.js"],"names":["n"]}
MAP
framemap lookup flat.map 2:1
echo "== composed"
framemap convert out.js.map --through mid.js.map
framemap convert --no-content out.js.map --through mid.js=mid.js.map
framemap convert two.map --through y/mid.js=mid.js.map --through x/mid.js=mid.js.map --no-content
cp mid.js.map a=b.map
framemap convert out.js.map --through a=b.map --no-content
framemap index mid.js.map -o mid.fmx
framemap convert out.js.map --through mid.fmx
printf '{"version":3,"sources":["mid.js"],"mappings":"AAUA"}' >stranger.map
framemap convert stranger.map --through mid.js.map 2>&1
echo "== stacks"
printf 'Error: x\n    at f (/a/b.js:1:2)\n' >stack.txt
framemap convert --to json stack.txt
framemap convert --to text <stack.txt
echo "== faulty maps are read as far as they can be, and what is written is good"
echo '{"version":3,"sources":["a.js"],"names":[1],"mappings":"AAAAA,CCAA"}' >bad.map
framemap convert bad.map -o good.map 2>&1
framemap convert -q bad.map
framemap index good.map
echo "== refused"
refused() { framemap convert "$@" 2>&1 && echo done; echo "exit $?"; }
refused stack.txt
refused stack.txt --to sourcemap
printf '{"version":3,"mappings":"AAAA","sources":[' >cut.map
refused cut.map
refused stack.txt --to yaml
refused stack.txt --to json --through mid.js.map
refused index.map --to json
refused two.map --through mid.js.map
refused two.map --through mid.js=mid.js.map
refused out.js.map --through out.js=mid.js.map
refused out.js.map --through nothing.map
refused nothing.map
refused out.js.map two.map
refused out.js.map -o no/such/folder/x.map
refused --to sourcemap <"$NATIVE/../index/good-v1-native.fmx"
