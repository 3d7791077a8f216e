# Tests restore with --in-app and --owners: how the outputs mark frames and stacks, and what is reported of invalid
# rules.
DEMO=$NATIVE/../demo
printf '%s\n' '* @all' '/src/ @native' 'Account.java @accounts' >owners
printf '%s\n' '-function:lambda' '-module:libdemo.so' >rules
marks() { grep -o '"in_app":[a-z]*\(,"owner":"[^"]*"\)*\|"fingerprint":"[^"]*"\|"role":"[a-z]*"'; }
echo '== JSON'
framemap --no-cache -s "$DEMO/symbols" --in-app rules --owners owners -o json "$DEMO/logcat.txt" 2>/dev/null | marks
framemap --no-cache -s "$DEMO/symbols" --in-app rules --owners owners -o json "$DEMO/tombstone.txt" 2>/dev/null | marks
echo '== the same fingerprint'
framemap top --no-cache -s "$DEMO/symbols" --in-app rules -o json "$DEMO/logcat.txt" | grep -o '"fingerprint":"[^"]*"'
echo '== without symbols, on a pipe'
framemap --owners owners -o json <"$DEMO/tombstone.txt" 2>/dev/null | marks
echo '== Sentry'
framemap --no-cache -s "$DEMO/symbols" --in-app rules -o sentry "$DEMO/logcat.txt" 2>/dev/null | marks
echo '== a prefix'
printf '%s\n' '/a/ @a' '/b/ @b' >owners
printf '    at f (/b/ci/a/x.js:1:2)\n' >stack
framemap --owners owners -o json stack | marks
framemap --owners owners --path-prefix /b/ci -o json stack | marks
echo '== text is the same'
framemap --owners owners stack | cmp - stack && echo same
echo '== wrong rules'
framemap --in-app owners stack 2>&1 || echo "exit $?"
framemap --owners missing stack 2>&1 || echo "exit $?"
