# Tests symbol files of Breakpad: lookup, info and index; and stacks that find them by build id, by Breakpad's id, by
# UUID, and by the GUID and age of a PDB, in a folder as symbol servers have them.
symbols=libdemo.so.sym
cp "$NATIVE/breakpad/libdemo.so.sym" .
framemap info "$symbols"
framemap lookup "$symbols" 0x1344 0x1454 0x1458
framemap lookup "$NATIVE/breakpad/libdemo.old.sym" 0x1344
framemap index "$symbols" -o libdemo.fmx
framemap info libdemo.fmx
framemap verify --against "$symbols" libdemo.fmx

folder=symbols/libdemo.so/C91B4673EA4120A33F2E8A1E602A57470
mkdir -p "$folder" symbols/shop.pdb/5A9832E5287241C1838ED98914E9B7FF1a symbols/App/67E9247C814E392BA027DBDE6748FCBF0
cp "$symbols" "$folder"
printf 'MODULE windows x86_64 5A9832E5287241C1838ED98914E9B7FF1A shop.pdb\r\nINFO CODE_ID 5C8A1B2F5000 shop.exe\r\nFILE 1 c:\\src\\shop.cc\r\nFUNC 1000 40 0 shop::load(int)\r\n1000 40 7 1\r\n' >symbols/shop.pdb/5A9832E5287241C1838ED98914E9B7FF1a/shop.sym
printf 'MODULE mac arm64 67E9247C814E392BA027DBDE6748FCBF0 App\nFILE 0 /src/App.m\nFUNC 4000 40 0 -[Shop load]\n4000 40 9 0\n' >symbols/App/67E9247C814E392BA027DBDE6748FCBF0/App.sym

echo '# build id'
framemap -s symbols "$NATIVE/../demo/tombstone.txt" 2>/dev/null | grep libdemo
echo '# compressed'
gzip "$folder/libdemo.so.sym"
framemap -s symbols "$NATIVE/../demo/tombstone.txt" 2>/dev/null | grep -c '/home/dev/demo/src'
echo '# a minidump as JSON'
cat >crash.json <<'END'
{"crash_info":{"type":"SIGSEGV","crashing_thread":0},"modules":[{"base_addr":"0x10000","end_addr":"0x20000","filename":"libdemo.so","debug_id":"C91B4673EA4120A33F2E8A1E602A57470"},{"base_addr":"0x400000","end_addr":"0x420000","filename":"shop.exe","debug_file":"shop.pdb","debug_id":"5A9832E5287241C1838ED98914E9B7FF1a"}],"threads":[{"frames":[{"frame":0,"function":null,"function_offset":null,"file":null,"line":null,"inlines":null,"missing_symbols":true,"module":"libdemo.so","offset":"0x11344"},{"frame":1,"function":null,"function_offset":null,"file":null,"line":null,"inlines":null,"missing_symbols":true,"module":"shop.exe","offset":"0x401010"}]}]}
END
framemap -s symbols -o text crash.json 2>&1
echo '# an event of Sentry'
cat >event.json <<'END'
{"event_id":"1","platform":"native","exception":{"values":[{"type":"SIGSEGV","stacktrace":{"frames":[{"instruction_addr":"0x401010"},{"instruction_addr":"0x104010"},{"instruction_addr":"0x11344"}]}}]},"debug_meta":{"images":[{"type":"elf","debug_id":"c91b4673-ea41-20a3-3f2e-8a1e602a5747","image_addr":"0x10000","image_size":65536,"code_file":"/lib/libdemo.so"},{"type":"pe","debug_id":"5a9832e5-2872-41c1-838e-d98914e9b7ff-1a","image_addr":"0x400000","image_size":65536,"code_file":"c:\\shop.exe"},{"type":"macho","debug_id":"67e9247c-814e-392b-a027-dbde6748fcbf","image_addr":"0x100000","image_size":65536,"code_file":"/private/App"}]}}
END
framemap -s symbols event.json 2>&1
echo '# another age'
sed 's/-1a"/-1"/' event.json | framemap -s symbols - 2>&1 >/dev/null
echo '# a microdump, and programs without an id'
{
    printf -- '-----BEGIN BREAKPAD MICRODUMP-----\nO A arm64 08 aarch64 6.1\nR 0000000B SIGSEGV 0000000000000010\n'
    printf 'C %0528d4413010000000000\n' 0 # the program counter is 0x11344
    cat <<'END'
M 0000000000010000 0000000000000000 0000000000010000 C91B4673EA4120A33F2E8A1E602A57470 libdemo.so
-----END BREAKPAD MICRODUMP-----
END
} >dump.txt
framemap -s symbols dump.txt | cut -c1-90
cat >walk.txt <<'END'
Operating system: Windows NT
CPU: amd64

Thread 0 (crashed)
 0  shop.exe + 0x1010
    rip = 0x0000000000401010   rsp = 0x000000000012fe84
    Found by: given as instruction pointer in context

Loaded modules:
0x00400000 - 0x0041ffff  shop.exe  ???  (main)
END
framemap -s symbols walk.txt
echo '# lines that are damaged'
printf 'MODULE Linux x86_64 BBA6FA10B8AAB33D00000000000000000 app\nFUNC 1000 10\nFUNC 2000 10 0 sound\nnothing\n' >damaged.sym
framemap index damaged.sym 2>&1
framemap lookup damaged.sym.fmx 0x2000
framemap index --strict damaged.sym 2>&1 || echo "exit $?"
