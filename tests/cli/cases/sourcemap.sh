# Tests source maps: positions from arguments and standard input, as text and JSON, looked up in a map, an index and an
# inline map; counts; and faulty maps.
cat >main.js.map <<'MAP'
{"version":3,"sources":["src/a.js","node_modules/b.js",null],"names":["first","second"],"ignoreList":[1],
"mappings":"IASE,MACFC,U,UCVAD;;ACIK;A"}
MAP
framemap index main.js.map
for file in main.js.map main.js.map.fmx; do
    framemap lookup $file 1:1 1:5 1:11 1:25 1:31 2:1 3:4 9:1
    printf '1:11\n1:31\n1:25\n3:1\n' | framemap lookup -o json $file
done
echo "== bytecode"
framemap lookup -0 main.js.map 1:10
framemap lookup main.js.map 0xa +0xa
echo "== no places"
framemap lookup main.js.map 1:0 main
echo "exit $?"
echo "== what it is"
framemap info main.js.map
framemap info main.js.map.fmx | grep -v '^  size\|^  strings'
echo "== inline"
printf 'x()\n//# sourceMappingURL=data:application/json;base64,%s\n' "$(base64 -w0 <main.js.map)" >main.js
framemap lookup main.js 1:11
echo "== faulty"
echo '{"version":3,"sources":["a.js"],"names":[1],"mappings":"AAAAA"}' >bad.map
framemap index bad.map -o bad.fmx 2>&1
echo "exit $?, $(ls | grep -c bad.fmx) file"
framemap index -q --lenient bad.map -o bad.fmx
echo "exit $?"
framemap lookup bad.fmx 1:1
framemap lookup bad.map 1:1 2>&1
echo "== what tools write"
echo '{"version":3,"file":null,"sources":["a.js"],"names":[null],"mappings":"AAAAA"}' >nulls.map
framemap index nulls.map 2>&1
echo "exit $?"
framemap index --strict nulls.map 2>&1
echo "exit $?"
echo "== range mappings"
echo '{"version":3,"sources":["a.js"],"names":[],"mappings":"AAAA,KAEA","rangeMappings":"B"}' >ranges.map
for base in 0 1 off; do
    framemap index --range-mappings $base ranges.map 2>&1
    framemap lookup ranges.map.fmx 1:4 1:9 2>&1
done
framemap lookup --range-mappings 0 ranges.map 1:4 1:9
framemap lookup ranges.map 1:4
framemap index --range-mappings=2 ranges.map 2>&1
echo "exit $?"
