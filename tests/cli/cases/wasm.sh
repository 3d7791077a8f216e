# Tests stacks that Node prints of a WebAssembly module, under the engine's name for it and under an address of the web:
# restored with the module that has the debug info, and with modules that have less.
WASM=$NATIVE/wasm
(cd "$WASM" && framemap info trap.debug.wasm)
framemap lookup "$WASM/trap.debug.wasm" 0x61 0x8e 0x1
framemap lookup "$WASM/trap.wasm" 0x61 0x8e
framemap lookup "$WASM/stripped.wasm" 0x61 0x8e
framemap index -o trap.fmx "$WASM/trap.debug.wasm"
framemap lookup trap.fmx 0x61
framemap verify "$WASM/trap.debug.wasm" trap.fmx
for symbols in "$WASM" "$WASM/trap.debug.wasm" trap.fmx; do
    echo "== -s $(basename "$symbols")"
    framemap -s "$symbols" "$WASM/stacks.txt" 2>&1
done
echo "== names alone, of a stack without names"
sed 's/at [^ ]* (\(.*\))/at \1/' "$WASM/stacks.txt" | head -n 4 >nameless
framemap -s "$WASM/trap.wasm" nameless 2>&1
echo "== a module without a name in the stack, and the only one that was given; then two"
sed 's|wasm/trap.debug.wasm-|wasm/|' nameless >hash
framemap -s "$WASM" hash 2>&1
printf '\000asm\001\000\000\000\012\004\001\002\000\013' >other.wasm
framemap -s "$WASM" -s other.wasm hash 2>&1
echo "== the same with the hash of another module: in another stack, and in the same one"
{
    cat hash
    sed 's/e77ba1fa/0badc0de/' hash
} >two
framemap -s "$WASM" two 2>&1
sed '3s/e77ba1fa/0badc0de/' hash >mixed
framemap -s "$WASM" mixed 2>&1
echo "== its source map, found by the name of the module, and as the only one that is named for a module"
echo '{"version":3,"sources":["a.c"],"names":[],"mappings":"8FAAA,iCACA,4BACA"}' >trap.wasm.map
sed 's|trap.debug.wasm-|trap.wasm-|' nameless >named
framemap -s trap.wasm.map named 2>&1
framemap -s trap.wasm.map hash 2>&1
cp trap.wasm.map other.wasm.map
framemap -s trap.wasm.map -s other.wasm.map hash 2>&1
echo "== a map that says nothing of the code, as of what a compiler made itself: the module has the names"
echo '{"version":3,"sources":["a.c"],"names":[],"mappings":"A"}' >trap.wasm.map
framemap -s trap.wasm.map named 2>&1
framemap -s trap.wasm.map -s "$WASM/trap.wasm" named 2>&1
echo "== no module"
framemap "$WASM/stacks.txt" 2>&1 | tail -n 4
framemap -s "$WASM/stripped.wasm" "$WASM/stacks.txt" 2>&1 | tail -n 4
echo "== an inlined function without an end: the lines tell where the one around it goes on"
framemap lookup "$NATIVE/wasm-ends/ends.wasm" 0x5e 0x5f 0x60 0x6a
echo "== Wasmer's rows, of a module with and without a name"
printf 'RuntimeError: unreachable\n    at f (<module>[1]:0x61)\n    at g (trap.debug.wasm[1]:0x8e)\n' >wasmer
framemap -s "$WASM/trap.debug.wasm" wasmer 2>&1
echo "== Wasmtime's rows, of modules with and without a name, and of one that is not given"
cat >wasmtime <<'END'
Error: failed to run main module `trap.wasm`

Caused by:
    0: failed to invoke command default
    1: error while executing at wasm backtrace:
           0:   0x61 - trap.debug.wasm!back
           1:   0x8e - <unknown>!through
           2:   0x7d - app.wasm!run
    2: wasm trap: wasm `unreachable` instruction executed
END
framemap -s "$WASM/trap.debug.wasm" wasmtime 2>&1
framemap -s "$WASM/trap.debug.wasm" wasmtime 2>/dev/null | framemap -s "$WASM/trap.debug.wasm" 2>/dev/null | head -n 11 | tail -n 6
framemap -s "$WASM/trap.wasm" wasmtime 2>&1 | head -n 8 | tail -n 3
echo "== a script whose name is not known does not belong to the only module"
printf 'TypeError: x\n    at f (<unknown>:1:5)\n    at g (<unknown>:1:30)\n' >unknown
echo '{"version":3,"sources":["a.c"],"names":[],"mappings":"8FAAA,iCACA,4BACA"}' >trap.wasm.map
framemap -s trap.wasm.map unknown 2>&1
rm trap.wasm.map
echo "== an event of Sentry's SDK: the module is found by its id, whatever its name"
cat >event.json <<'END'
{"platform":"javascript","exception":{"values":[{"type":"RuntimeError","value":"unreachable","stacktrace":{"frames":[
{"platform":"native","filename":"https://h/a.wasm","function":"through","instruction_addr":"0x8e","addr_mode":"rel:0"},
{"platform":"native","filename":"https://h/a.wasm","function":"back","instruction_addr":"0x61","addr_mode":"rel:0"}]}}]},
"debug_meta":{"images":[{"type":"wasm","code_id":"b408f9b870bec1b89a4eaa0cf5a114babaeb5e0d","code_file":
"https://h/a.wasm","debug_file":null,"debug_id":"b408f9b870bec1b89a4eaa0cf5a114ba0"}]}}
END
framemap -s "$WASM" event.json 2>&1
sed 's/"code_id":[^,]*,//' event.json | framemap -s "$WASM" 2>&1 | grep -c trap.c
sed 's/b408f9b8/b408f9b9/' event.json | framemap -s "$WASM" 2>&1 | tail -n 3
echo "== debug info without code does not take the place of the module"
mkdir split
cp "$WASM/trap.wasm" split/
printf '\000asm\001\000\000\000\000\014\013.debug_info' >split/trap.debug.wasm
framemap lookup split/trap.debug.wasm 0x61 2>&1 || true
framemap -s split "$WASM/stacks.txt" 2>&1 | head -n 4
