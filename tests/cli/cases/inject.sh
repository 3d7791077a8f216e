# Tests inject: debug ids that are written into scripts and their source maps.
mkdir -p dist/assets elsewhere
printf '"use strict";var a=1;\n//# sourceMappingURL=app.js.map\n' >dist/app.js
printf '{"version":3,"sources":["app.ts"],"names":[],"mappings":"AAAA,aAAa"}' >dist/app.js.map
printf 'b();\n' >dist/assets/b.mjs
printf 'c();\n//# sourceMappingURL=../../elsewhere/c.map\n' >dist/assets/c.cjs
printf '{"version":3,"sources":["c.ts"],"names":[],"mappings":"AAAA"}' >elsewhere/c.map
printf 'text' >dist/readme.txt
echo "== dry run"
framemap inject --dry-run dist 2>/dev/null
cat dist/app.js
echo "== a directory; a map outside of it is not touched"
framemap inject dist 2>&1; echo "$?"
cat dist/app.js dist/app.js.map
echo
cat elsewhere/c.map
echo
echo "== again"
framemap inject dist/app.js dist/assets 2>/dev/null
echo "== the map is found by its id"
framemap info dist/app.js.map | grep id
echo "== a map inside the script"
printf 'd()\n//# sourceMappingURL=data:application/json,%%7B%%22mappings%%22:%%22AAAA%%22%%7D\n' >dist/d.js
framemap inject dist/d.js
cat dist/d.js
echo "== faults"
framemap inject 2>&1; echo "$?"
framemap inject nowhere 2>&1; echo "$?"
printf 'd()\n//# sourceMappingURL=data:application/json,%%7B%%7D\n' >dist/d.js
printf '{' >dist/e.js.map
printf 'e()\n' >dist/e.js
framemap inject dist/d.js dist/e.js dist/app.js 2>&1; echo "$?"
cat dist/d.js dist/e.js
echo "== a log is not a script, though its text could be one"
printf 'TypeError: x\n' >dist/errors.log
framemap inject dist/errors.log 2>&1; echo "$?"
cat dist/errors.log
printf 'f();\n' >dist/main.jsbundle
framemap inject dist/main.jsbundle
