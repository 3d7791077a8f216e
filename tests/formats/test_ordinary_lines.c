/* Tests lines of logs and code that resemble frame lines. No parser may accept them, neither alone nor together with
 * the others. */
#include "tests/formats/formats_help.h"

static const struct {
    const char *why, *line;
} rows[] = {
    {"Kotlin and Java: code, compilers", "startActivity(Intent(this, DetailActivity::class.java))"},
    {"Kotlin and Java: code, compilers", "val x = a.b(X::class.java)"},
    {"Kotlin and Java: code, compilers", "a.b(X::class.java)"},
    {"Kotlin and Java: code, compilers", "Log.d(TAG, MainActivity::class.java.simpleName)"},
    {"Kotlin and Java: code, compilers", "mockk.verify(Foo::class.java, 3)"},
    {"Kotlin and Java: code, compilers", "at a.b(X::class.java)"},
    {"Kotlin and Java: code, compilers", "Main.java:12: error: ';' expected"},
    {"Kotlin and Java: code, compilers", "e: file:///home/u/Main.kt:12:5 Unresolved reference: foo"},
    {"Kotlin and Java: code, compilers", "x = a.b(c, Main.java)"},
    {"Kotlin and Java: code, compilers", "see a.b(the file Main.java)"},
    {"Kotlin and Java: code, compilers", "java -cp x a.b.Main (Main.java)"},
    {"Kotlin and Java: code, compilers", "Foo.bar(Foo.java) is called twice"},
    {"hosts, addresses, mails", "connected to node-1.example.com(10.0.0.1:8080)"},
    {"hosts, addresses, mails", "node-1.example.com(10.0.0.1:8080)"},
    {"hosts, addresses, mails", "at node-1.example.com(10.0.0.1:8080)"},
    {"hosts, addresses, mails", "at db.internal(192.168.1.20:5432)"},
    {"hosts, addresses, mails", "lost connection at broker-3.kafka.svc.cluster.local(172.16.0.9:9092)"},
    {"hosts, addresses, mails", "10.0.0.1 - - [21/Nov/2026:10:00:00 +0000] \"GET /a.js?v=1:2 HTTP/1.1\" 200 1234 "
                                "\"https://example.com/\" \"Mozilla/5.0 (X11; Linux x86_64)\""},
    {"hosts, addresses, mails",
     "2026/11/21 10:00:00 [error] 12#12: *34 connect() failed (111: Connection refused) while connecting to upstream, "
     "client: 10.0.0.1, server: a.b, upstream: \"http://127.0.0.1:8080/x\""},
    {"hosts, addresses, mails", "Readiness probe failed: Get \"http://10.1.2.3:8080/healthz\": dial tcp 10.1.2.3:8080: "
                                "connect: connection refused"},
    {"hosts, addresses, mails", "listening on [::1]:8080"},
    {"hosts, addresses, mails", "[2001:db8::1]:443 at edge.example.com([2001:db8::2]:443)"},
    {"hosts, addresses, mails", "http://localhost:3000/index.html:12"},
    {"hosts, addresses, mails", "see https://example.com:8443/path:12:34"},
    {"hosts, addresses, mails", "user@example.com:22"},
    {"hosts, addresses, mails", "git@github.com:owner/repo.git"},
    {"hosts, addresses, mails", "From: John <john@mail.example.org:25>"},
    {"hosts, addresses, mails", "ssh root@10.0.0.1:22:33"},
    {"hosts, addresses, mails", "at 10.0.0.1(eth0:1)"},
    {"hosts, addresses, mails", "name@host: a@b.js"},
    {"hosts, addresses, mails", "at com.example (see below)"},
    {"addresses that are of no stack", "\t/home/user/main.go:12 +0x1d"},
    {"addresses that are of no stack", "0x0000555555555131 in main () at main.c:5"},
    {"addresses that are of no stack", "#1 0x is not a number"},
    {"addresses that are of no stack", "0x1234 0x5678 0x9abc"},
    {"addresses that are of no stack", "[0x1234] is the address"},
    {"addresses that are of no stack", "rax 0x0000000000000000 rbx 0x00007ffe"},
    {"addresses that are of no stack", "App 1.2 0x10 + 12"},
    {"addresses that are of no stack", "pc 0x10 is where it stopped"},
    {"addresses that are of no stack", "1   apples   0x12 pears + 3"},
    {"Go", "panic: runtime error: index out of range [5] with length 3"},
    {"Go", "main.main()"},
    {"Go", "goroutine 1 [running]:"},
    {"Go", "created by main.run in goroutine 1"},
    {"Go", "2026/11/21 10:00:00 main.go:42: listening on :8080"},
    {"shell, containers", "bash: line 3: foo: command not found"},
    {"shell, containers", "./run.sh: line 12: 1234 Segmentation fault      (core dumped) ./app"},
    {"shell, containers", "+ echo at 10:00"},
    {"shell, containers", "10s Warning BackOff pod/web-7d4b9c Back-off restarting failed container app in pod "
                          "web-7d4b9c_default(0b1c2d3e-1111-2222-3333-444455556666)"},
    {"shell, containers",
     "3m Normal Pulled pod/web Successfully pulled image \"nginx:1.25\" in 1.2s (1.2s including waiting)"},
    {"addresses that are of no stack", "foo() [0x1234]"},
    {"SQL", "SELECT a.b(c.d:1) FROM t WHERE x = 'at y.z(1)';"},
    {"SQL", "ERROR: syntax error at or near \"at\" at character 15"},
    {"SQL", "ERROR 1064 (42000) at line 3: You have an error in your SQL syntax"},
    {"SQL", "org.postgresql at schema.table(column)"},
    {"SQL", "main.cpp(12): error C2143: syntax error"},
    {"addresses that are of no stack", "main() [0x401234]"},
    {"apps", "the stack is at home() [see 12]"},
    {"apps", "Called from home (line 12)"},
    {"apps", "#12 Function add() is slow"},
    {"apps", "Script 'build', Line up"},
    {"apps", "Script 'build', Line 3"},
    {"apps", "#12 Function add(a) As described above"},
    {"apps", "Step_0.gml (12): warning"},
    {"apps", "Stack Begin"},
    {"apps", "- pc: 0x10002000"},
    {"apps", "MainScene.hx:62: loading, 0"},
    {"apps", "Main.hx:3: characters 5-8 : Unknown identifier : x"},
    {"apps", "gml_Object_obj_player_Create_0"},
    {"apps", "12:41:51.797  Script 'build' done  -  Studio"},
    {"apps", "calls gml_Script_a (line 3) twice"},
    {"compilers", "src/main.c:12:5: error: expected ';' before '}' token"},
    {"compilers", "src/app.ts(12,5): error TS2322: Type 'a' is not assignable"},
    {"compilers", "warning: unused variable at src/lib.rs:12:5"},
    {"compilers", "  --> src/main.rs:3:5"},
    {"compilers", "Thread 1 \"main\" hit Breakpoint 1, main () at main.c:12"},
    {"addresses that are of no stack", "error in init() [0x10]"},
    {"CSS and JSON", ".button:hover { background: url(image.png:1) }"},
    {"CSS and JSON", "@media (min-width: 100px) { a.b { color: red } }"},
    {"CSS and JSON", "a.b(c:12) { margin: 0 }"},
    {"CSS and JSON", "{\"a\":\"b\\nc at d.e(f)\"}"},
    {"addresses that are of no stack", "Widget::draw() [0x7fff1234]"},
    {"Python", "  File \"/usr/lib/python3/site.py\", line 12, in main"},
    {"Python", "Traceback (most recent call last):"},
    {"Python", "    raise ValueError(\"at a.b(c)\")"},
    {"addresses that are of no stack", "memcpy() [0x10]"},
    {"prose and code", "meet at noon.today(room:12) please"},
    {"prose and code", "at version 1.2.3(build:4)"},
    {"prose and code", "dict.get(key:12)"},
    {"prose and code", "print(at.b(c:1))"},
    {"prose and code", "lat.long(12.5:8)"},
    {"prose and code", "ratio at a.b(3:4)"},
    {"prose and code", "commit 1a2b3c4 (HEAD -> main, origin/main)"},
    {"prose and code", "#12 fix the thing (a.b)"},
    {"prose and code", "12:30 at the.pub(with:us)"},
    {"prose and code", "react@18.2.0"},
    {"prose and code", "import a from \"./x@2.js:1\""},
};
#define ROWS (sizeof rows / sizeof *rows)

static void check_none(const char *why, framemap_str text)
{
    struct parsed parsed;
    parse(&parsed, text);
    assert_int_equal(parsed.status, FRAMEMAP_OK);
    if (parsed.count) {
        const framemap_frame *frame = &parsed.traces[0].frames[0];
        fail_msg("%s: [%.*s] is taken for a row of %.*s", why, (int)frame->raw.size, frame->raw.data,
                 (int)parsed.traces[0].format.size, parsed.traces[0].format.data);
    }
    parsed_free(&parsed);
}

static void test_each(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS; i++) check_none(rows[i].why, text_of(rows[i].line));
}

static void test_all(void **state)
{
    struct fm_heap heap;
    struct fm_buf text;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    for (size_t i = 0; i < ROWS; i++) {
        fm_buf_str(&text, text_of(rows[i].line));
        fm_buf_byte(&text, '\n');
    }
    check_none("all", fm_buf_view(&text));
    fm_buf_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each), cmocka_unit_test(test_all)};
    return cmocka_run_group_tests_name("formats ordinary lines", tests, NULL, NULL);
}
