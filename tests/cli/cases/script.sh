# Tests function names that are read from the script that a map belongs to.
echo '{"version":3,"sources":["run.js"],"names":["deepest","Runner"],"mappings":"AAAA,SAASA,IAAI,IACb,MAAMC,EAAE"}' >main.js.map
printf 'function e(){x()}class t{n(){x()}}\n' >script.txt
echo "== no script"
framemap index main.js.map && framemap lookup main.js.map.fmx 1:14
echo "== told"
framemap index --script=script.txt main.js.map && framemap lookup main.js.map.fmx 1:14 1:30
echo "== beside it"
cp script.txt main.js
framemap index main.js.map && framemap lookup main.js.map.fmx 1:14 && framemap lookup -o json main.js.map.fmx 1:30
echo "== of another build"
printf 'x=1;function a(){}function b(){}var c=function(){},d=function(){}\n' >main.js
framemap index main.js.map 2>&1
echo "exit $?"
framemap lookup main.js.map.fmx 1:14
echo "== not there"
framemap index --script=none.js main.js.map 2>&1
echo "exit $?"
framemap index --script=script.txt main.js.map main.js.map 2>&1
echo "exit $?"
