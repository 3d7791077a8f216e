#include "tests/formats/native/native_help.h"

static const struct text_case texts[] = {
    {"forms", "offset, symbol, none, no file: a symbol's row is placed by another of its file",
     "./bt(+0x11ae) [0x557fd52c91ae]\n/lib/libc.so.6(qsort_r+0xb6)[0x7f7ca0b9ed36]\n./bt(main+0x10) "
     "[0x557fd52c9240]\n./st() [0x401156]\n[0x7f597f904204]\n",
     "glibc 1\n- m:bt linked:0x11ae return\n- m:libc.so.6 absolute:0x7f7ca0b9ed36 return f:qsort_r+182\n"
     "- m:bt linked:0x1240 return f:main+16\n- m:st linked:0x401156 return\n- absolute:0x7f597f904204 return "
     "unknown-image\n"},
    {"a list in JSON", "under a name that lists of rows have",
     "{\"frames\":[\"./bt(+0x11ae) [0x557fd52c91ae]\",\"./bt(+0x1240) "
     "[0x557fd52c9240]\"]}\n{\"frames\":[\"a\",\"b\"]}\n",
     "glibc 1\n- m:bt linked:0x11ae return\n- m:bt linked:0x1240 return\n"},
    {"demangled", "wrappers put parentheses into names", "/a b/app(f(int, g(char))+0x8) [0x1234]\n",
     "glibc 1\n- m:app absolute:0x1234 return f:f(int, g(char))+8\n"},
    {"numbered",
     "Godot's rows, with what addr2line knows after them, and those of others; the number is no part of a path",
     "[1] /lib/libc.so.6(+0x3bcf0) [0x7ff6e7c3bcf0] (??:0)\n[2] /opt/My Game.x86_64() [0x45e12f9] (??:?)\n"
     "[3] /opt/My Game.x86_64() [0x45e42dd] (<artificial>:?)\n[4] /opt/My Game.x86_64() [0x45e42de] (./core/a b.h:28)\n"
     "x\nx\nx\nx\n0       /usr/lib/cart.so(+0xfc7c) [0x7f2612ae6c7c]\n10      /usr/lib/cart.so(add+0x348) "
     "[0x7f2612ae6ca0]\n",
     "glibc 1\n- m:libc.so.6 linked:0x3bcf0 return\n- m:My Game.x86_64 linked:0x45e12f9 return\n"
     "- m:My Game.x86_64 linked:0x45e42dd return\n- m:My Game.x86_64 linked:0x45e42de return at:./core/a b.h:28\n"
     "glibc 9\n- m:cart.so linked:0xfc7c return\n- m:cart.so linked:0xfca0 return f:add+840\n"},
    {"numbered, two stacks", "numbers that begin again begin a stack",
     "#0 ./a(+0x1) [0x1001]\n#1 ./a(f+0x1) [0x1010]\nfreed here:\n#0 ./a(+0x2) [0x1002]\n",
     "glibc 1\n- m:a linked:0x1 return\n- m:a linked:0x10 return f:f+1\nglibc 4\n- m:a linked:0x2 return\n"},
    {"g3log", "its words before a row are no part of the path", "\tstack dump [4]  ./a(main+0x2bd) [0x12bd]\n",
     "glibc 1\n- m:a absolute:0x12bd return f:main+701\n"},
    {"qBittorrent", "a colon before the function; other text between is no path",
     "  /lib/libstdc++.so.6 : std::terminate()+0x14  [0x40dfb2a0]\n  /lib/libc.so.6 : abort()+0x180 [0x40ef2b44]\n"
     "  /l/a b : c()+0x1 [0x1]\n",
     "glibc 1\n- m:libstdc++.so.6 absolute:0x40dfb2a0 return f:std::terminate()+20\n"
     "- m:libc.so.6 absolute:0x40ef2b44 return f:abort()+384\n"},
    {"Envoy", "a number with a colon", "#1: a::f() [0x1010]\n#2: a::g() [0x1020]\n",
     "glibc 1\n- absolute:0x1010 return f:a::f unknown-image\n- absolute:0x1020 return f:a::g unknown-image\n"},
    {"Unreal", "number and address before the path are no part of it",
     "[Callstack]  32  0x00007f2b4e892830  /l/libc.so.6(f+0xf0) [0x7f2b4e892830]\n",
     "glibc 1\n- m:libc.so.6 absolute:0x7f2b4e892830 return f:f+240\n"},
    {"Unreal, with symbols", "rows with a function, a source and neither are in one stack with the others",
     "Unhandled Exception: SIGSEGV: invalid attempt to read memory at address 0x278\n\nLogLinux: Fatal error!\n\n"
     "[Callstack]  00  0x00000000024a663f  A::f(int) [C:\\s\\a b.cpp, line 1029]\n"
     "[Callstack]  01  0x00007f2b4e892830  /l/libc.so.6(+0xf0) [0x7f2b4e892830]\n"
     "[Callstack]  02  0x00007f2b50845411  B::g(float, bool)\nx\n"
     "[Callstack]  00  0x0000000000000010  h() [a.cpp, line x]\n[Callstack]  00  0x10  k()\n",
     "glibc 5 exception:SIGSEGV: invalid attempt to read memory at address 0x278 crashed\n"
     "- absolute:0x24a663f return f:A::f(int) at:C:\\s\\a b.cpp:1029 not-needed\n"
     "- m:libc.so.6 linked:0xf0 return\n- absolute:0x7f2b50845411 return f:B::g(float, bool) not-needed\n"
     "glibc 10\n- absolute:0x10 return f:k() not-needed\n"},
    {"without parentheses", "a program's address is the linked one, a library's not; such a row begins no stack",
     "/usr/sbin/app[0xa00de4]\n/usr/sbin/app(f+0x35)[0x8f97d5]\n/lib64/libpthread.so.0[0x3257a0f790]\n"
     "/usr/sbin/app [0xa00de4]\n/usr/sbin/app: done [0x1]\n/a b [0x1]\n",
     "glibc 2\n- m:app linked:0x8f97d5 return f:f+53\n- m:libpthread.so.0 absolute:0x3257a0f790 return\n"
     "- m:app linked:0xa00de4 return\n"},
    {"apart", "other text ends a stack; an address alone begins none",
     "./a(+0x1) [0x11]\nx\ny\nz\n[0x22]\n./a(+0x2) [0x12]\n",
     "glibc 1\n- m:a linked:0x1 return\nglibc 6\n- m:a linked:0x2 return\n"},
    {"two lists", "each is placed by its own rows",
     "./a(+0x1) [0x1001]\n./a(f+0x1) [0x1010]\n-\n-\n-\n-\n./a(+0x1) [0x2001]\n./a(f+0x1) [0x2010]\n",
     "glibc 1\n- m:a linked:0x1 return\n- m:a linked:0x10 return f:f+1\nglibc 7\n- m:a linked:0x1 return\n- m:a "
     "linked:0x10 return f:f+1\n"},
    {"long", "17 digits", "./a(+0x1) [0x11111111222222223]\n", "glibc 1\n- m:a return malformed\n"},
    {"program in PATH", "a word is its file, where a row around has a path or the word is there again",
     "app() [0x401156]\napp() [0x401166]\n/lib/libc.so.6(f+0x1) [0x7f00]\napp() [0x401176]\n-\n-\n-\n-\nst() "
     "[0x1]\nst() [0x2]\n",
     "glibc 1\n- m:app linked:0x401156 return\n- m:app linked:0x401166 return\n- m:libc.so.6 absolute:0x7f00 return "
     "f:f+1\n- m:app linked:0x401176 return\n"
     "glibc 9\n- m:st linked:0x1 return\n- m:st linked:0x2 return\n"},
    {"functions", "as other programs print them have no file",
     "A::~A() [0x1234]\nmain() [0x401234]\nmain() [0x401235]\n",
     "glibc 1\n- absolute:0x1234 return f:A::~A unknown-image\n- absolute:0x401234 return f:main unknown-image\n"
     "- absolute:0x401235 return f:main unknown-image\n"},
    {"functions, the same first", "what seemed to be the program is one, too",
     "fib() [0x1]\nfib() [0x2]\nmain() [0x3]\nfib() [0x4]\n",
     "glibc 1\n- absolute:0x1 return f:fib unknown-image\n- absolute:0x2 return f:fib unknown-image\n- absolute:0x3 "
     "return f:main unknown-image\n"
     "- absolute:0x4 return f:fib unknown-image\n"},
    {"functions in a stack", "that has its program", "./app() [0x401156]\nst() [0x1]\nfoo() [0x1234]\n",
     "glibc 1\n- m:app linked:0x401156 return\n- m:st linked:0x1 return\n- absolute:0x1234 return f:foo "
     "unknown-image\n"},
    {"Godot's rows with names", "they continue the numbers; others are prose",
     "handle_crash: Program crashed with signal 11\n"
     "[1] /l/libc.so.6(+0x3d320) [0x7fd0dbded320] (??:0)\n[2] A::f(B const&) (/src/a.cpp:12)\n"
     "[2] g<int>(C*) (/src/b.h:3)\n[4] see (/src/c.h:3)\n[3] ./app() [0x1234] (/src/d.cpp:7)\n[4] h() (d:e)\n",
     "glibc 2 exception:handle_crash: Program crashed with signal 11 crashed\n"
     "- m:libc.so.6 linked:0x3d320 return\n- return f:A::f(B const&) at:/src/a.cpp:12 not-needed\n"
     "- return f:g<int>(C*) at:/src/b.h:3 not-needed\n- m:app linked:0x1234 return at:/src/d.cpp:7\n"},
    {"Godot's rows with names alone", "addr2line did not know where they are",
     "handle_crash: Program crashed with signal 11\n[1] /l/libc.so.6(+0x3d320) [0x7fd0dbded320] (??:0)\n"
     "[2] A::f(B const&) (??:0)\n[3] main (??:?)\n",
     "glibc 2 exception:handle_crash: Program crashed with signal 11 crashed\n"
     "- m:libc.so.6 linked:0x3d320 return\n- return f:A::f(B const&) not-needed\n- return f:main not-needed\n"},
    {"alone", "a line of a log", "foo() [0x1234]\n-\nmain() [0x401234]\n-\nin g() [0x1]\nin g() [0x2]\n", ""},
    {"near misses", "calls and arrays, threads of HotSpot",
     "f(x) [0x]\nlog [0x10]\nf(a) [0x10]\n(+0x1) [0x10]\na (+0x1) [0x10]\n./a(+0x1) [0x10\n"
     "\"http-/127.0.0.1:8080-9\" daemon prio=10 tid=0x08 nid=0x37 in Object.wait() [0x4f8ab000]\n",
     ""},
    {"D's runtime", "names the line of a source before the function, also without a file",
     "/usr/include/d/std/algorithm/iteration.d:582 @property int iota!(int, int).iota(int, int).Result.front() "
     "[0x556d]\n"
     "??:? _d_run_main2 [0x7fc5fb99d995]\n??:? void rt.dmain2._d_run_main2(char[][]).runAll() [0x7fc5fb99db7b]\n",
     ""},
};
static const struct text_case looks[] = {
    {"chain", "printed after the row, one for each function", "./a(+0x1) [0x11]\r\n",
     "./a(+0x1) [0x11] inner(int) at src/a.cc:7:3\r\n./a(+0x1) [0x11] outer() at src/a.cc:21\r\n"},
};
static const struct text_case symbol_looks[] = {
    {"symbol", "without a file", "/l/a(f+0x1)[0x11]\n", "/l/a(f+0x1)[0x11] outer()+0x18\n"},
};

static const struct text_case reports[] = {
    {"words before the file", "prefixes of logs that are not known; a file without a folder has none",
     "[8761] 18 Apr 21:35:45 # /usr/local/bin/app(f+0xa4) [0x40f194]\n"
     "2018.05.10 14:48:11.468248 [ 4085 ] <Error> BaseDaemon: 2. /opt/my dir/app(g+0x96) [0x30eff76]\n"
     "[2] 4922009 (main+4522009) - /opt/godot/app() [0x4922009]\nmy app(f+0x1) [0x40f195]\n",
     "glibc 1\n"
     "- m:app linked:0x40f194 return f:f+164 path:/usr/local/bin/app abs:0x40f194\n"
     "- m:app linked:0x30eff76 return f:g+150 path:/opt/my dir/app abs:0x30eff76\n"
     "- m:app linked:0x4922009 return path:/opt/godot/app\n"
     "- m:my app absolute:0x40f195 return f:f+1\n"},
    {"titles of processes", "where Redis listens is not part of its file",
     "/usr/bin/redis-server *:6379(f+0x50)[0x45d9a0]\n/usr/bin/redis-server 10.0.0.1:6379 [cluster](g+0x3c)[0x469b5c]\n"
     "/my dir/a:1b(+0x1)[0x2]\n",
     "glibc 1\n"
     "- m:redis-server absolute:0x45d9a0 return f:f+80 path:/usr/bin/redis-server\n"
     "- m:redis-server absolute:0x469b5c return f:g+60 path:/usr/bin/redis-server\n"
     "- m:a:1b linked:0x1 return path:/my dir/a:1b abs:0x2\n"},
    {"functions", "a word without parentheses below them, and none",
     "Loop::Run() [0x13e189a]\nbase::Loop::Run() [0x1429dfa]\nstart_thread [0x7fb2b2990184]\n<unknown> "
     "[0x7fb2b1a8abed]\n"
     "see this [0x7fb2b1a8abed]\nstart_thread [0x7fb2b2990184]\n",
     "glibc 1\n"
     "- absolute:0x13e189a return f:Loop::Run unknown-image\n"
     "- absolute:0x1429dfa return f:base::Loop::Run unknown-image\n"
     "- absolute:0x7fb2b2990184 return f:start_thread unknown-image\n"
     "- absolute:0x7fb2b1a8abed return unknown-image\n"},
    {"GWP-ASan", "error, threads and roles; a title of a report without the access has no role",
     "Use After Free at 0x7f00 (0 bytes into a 41-byte allocation at 0x7f00) by thread 12 here:\n"
     "  #0 ./a(+0x1) [0x1001]\n  #1 ./a(+0x2) [0x1002]\n\n0x7f00 was deallocated by thread 13 here:\n"
     "  #0 ./a(+0x3) [0x1003]\n\n0x7f00 was allocated by thread 14 here:\n  #0 ./a(+0x4) [0x1004]\n"
     "1\n2\n3\n4\n5\n6\n7\n8\n9\n0x7f00 was allocated by thread 15 here:\n  #0 ./a(+0x5) [0x1005]\n",
     "glibc 2 thread:12 type:Use After Free message:Use After Free at 0x7f00 (0 bytes into a 41-byte allocation at "
     "0x7f00) crashed\n- m:a linked:0x1 return path:./a abs:0x1001\n- m:a linked:0x2 return path:./a abs:0x1002\n"
     "glibc 6 freed-by of 0 thread:13\n- m:a linked:0x3 return path:./a abs:0x1003\n"
     "glibc 9 allocated-by of 0 thread:14\n- m:a linked:0x4 return path:./a abs:0x1004\n"
     "glibc 20 thread:15\n- m:a linked:0x5 return path:./a abs:0x1005\n"},
};

static void test_told(void **state)
{
    (void)state;
    check_told(reports, sizeof reports / sizeof *reports);
}
static void test_texts(void **state)
{
    (void)state;
    check_texts(texts, sizeof texts / sizeof *texts);
}
static void test_looks(void **state)
{
    (void)state;
    check_looks(looks, sizeof looks / sizeof *looks, fm_test_chain, 2);
    check_looks(symbol_looks, sizeof symbol_looks / sizeof *symbol_looks, fm_test_symbol, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_told),
                                       cmocka_unit_test(test_looks)};
    return cmocka_run_group_tests_name("formats glibc", tests, NULL, NULL);
}
