#include "tests/formats/formats_help.h"

#include "formats/scan/prefix/log_prefix.h"

static const struct {
    const char *name, *why, *prefix, *body;
} rows[] = {
    {"threadtime", "adb logcat's default", "11-21 10:00:00.000  8682  8683 F DEBUG   : ", "  #00 pc 1"},
    {"threadtime with year", "-v year", "2026-11-21 10:00:00.000  8682  8683 F DEBUG   : ", "x"},
    {"threadtime with uid", "-v uid", "11-21 10:00:00.000  1000  8682  8683 F DEBUG   : ", "x"},
    {"threadtime with a user", "-v uid, of a user with a name",
     "11-21 10:00:00.000 shell  8682  8683 F DEBUG   : ", "x"},
    {"threadtime with an app", "its user's name", "11-21 10:00:00.000 u0_a12  8682  8683 F DEBUG   : ", "x"},
    {"empty message", "the tag's colon ends the line", "11-21 10:00:00.000  8682  8683 F DEBUG   :", ""},
    {"dropped messages", "the kernel's", "** 5300 printk messages dropped ** [   96.166343] ",
     " [<ffffffff82564a10>] sg_remove_request+0x60/0x100"},
    {"dropped, not a number", "no prefix", "", "** x printk messages dropped ** [   96.166343]"},
    {"crash log", "Centipede's", "CRASH LOG: ", "    #0 0x5593fbd29fd9  (/a/b+0x1)"},
    {"brief", "-v brief", "F/DEBUG   ( 1234): ", "x"},
    {"brief, colon in the tag", "React Native's own", "E/unknown:ReactNative( 1234): ", "x"},
    {"tag", "-v tag", "E/AndroidRuntime: ", "cf7: x"},
    {"tag, padded", "to eight bytes", "E/Console : ", "x"},
    {"tag, colon within", "React Native's own", "E/unknown:ReactNative: ", "a@1:2"},
    {"tag, slash within", "Capacitor's", "E/Capacitor/Console: ", "x"},
    {"tag, number in the message", "which is no process", "E/Tag: ", "f (12): x"},
    {"tag, empty message", "the colon ends the line", "E/AndroidRuntime:", ""},
    {"cut", "threadtime without time and process", "E ReactNativeJS: ", "    at a (b.js:1:2)"},
    {"cut, two blanks", "as Android Studio copies", "E  ReactNativeJS: ", "x"},
    {"cut, a stream", "Java's own", "W System.err: ", "\tat a.b.c(PG:1)"},
    {"cut at the process", "threadtime without time", "8682  8683 F DEBUG   : ", "x"},
    {"studio, cut", "without the time", "12-34/com.example E/Tag: ", "x"},
    {"process", "-v process", "E( 1234) ", "\tat a.b.c(PG:1)  (AndroidRuntime)"},
    {"thread", "-v thread", "E( 1234: 1240) ", "x"},
    {"time", "-v time", "11-21 10:00:00.000 F/DEBUG   ( 1234): ", "x"},
    {"time with a colon", "DDMS and Eclipse", "11-21 10:00:00.000: F/DEBUG(1234): ", "x"},
    {"tag alone", "Visual Studio's", "[AndroidRuntime] ", "\tat a.b.c(PG:1)"},
    {"Unity's editor", "a word for the level; the row's blanks stay",
     "2024/03/13 12:00:41.221 23621 23622 Fatal DEBUG ", "      #48 pc 0000000000357dd8  /l/libart.so"},
    {"Unity's editor, a header", "its tag is no severity before a name", "2024/03/13 12:00:41.221 1 2 Fatal DEBUG ",
     "pid: 3, tid: 4, name: main  >>> a.b <<<"},
    {"padded tag", "logcat's without a level", "DEBUG   : ", "signal 11 (SIGSEGV)"},
    {"long tag", "the same", "AndroidRuntime: ", "\tat a.b.c(PG:1)"},
    {"React Native's tag", "the same", "ReactNativeJS: ", "TypeError: x"},
    {"standard error's tag", "the same", "System.err: ", "\tat f (file:///a/b.js:1:2)"},
    {"ctest", "verbose: the number of the test", "12: ", "==7==ERROR: AddressSanitizer: x"},
    {"ctest, a row", "its blanks stay", "3: ", "    #0 0x1 in f a.c:1"},
    {"ctest, in a build", "after a time", "2026-11-21T10:00:00.1234567Z 3: ", "WARNING: ThreadSanitizer: x"},
    {"a row with a number", "of Rust or V8", "", "3: app::run"},
    {"a row with a number and an address", "the same, indented as a column", "", "3:     0x55a7fc02 - std::trace"},
    {"unknown tag alone", "may be of the line", "", "[Android] x"},
    {"studio", "Android Studio up to 2021", "11-21 10:00:00.000 12-34/com.example E/Tag: ", "x"},
    {"studio new", "Android Studio since", "2026-11-21 10:00:00.000 12-34    Tag           com.example          E  ",
     "  #00"},
    {"studio compact", "its view without tag and process", "10:00:00.000  A  ", "  #00"},
    {"studio compact, cut", "one blank: a word of the message", "10:00:00.000  ", "A x"},
    {"nslog", "one line of NSLog", "2021-10-20 17:25:36.668223+0800 dSYMDemo[39533:359760] ", "*** Terminating"},
    {"nslog, critical", "Mono's",
     "2021-10-20 17:25:36.668223+0800 App.iOS[39533:359760] critical: ", "\t1   libsystem_c.dylib  0x1"},
    {"iso", "container logs", "2026-11-21T10:00:00.123456Z ", "x"},
    {"iso zone", "an offset for Z", "2026-11-21T10:00:00+01:00 ", "x"},
    {"kernel", "dmesg", "[   12.345678] ", "Call Trace:"},
    {"kernel caller", "level and caller", "<4>[   12.345678][ T123] ", "x"},
    {"syslog", "RFC 3164", "Nov  1 10:00:00 host proc[12]: ", "x"},
    {"glog", "Google's loggers", "F1121 10:00:00.123456    77 file.cc:12] ", "x"},
    {"iso level", "a level after the time", "2026-11-21 10:00:00,123 ERROR ", "  at f"},
    {"Kubernetes", "a container's stream", "2026-11-21T10:00:00.123456789Z stderr F ", "  at f"},
    {"Kubernetes, empty line", "the blank after it was cut off", "2026-11-21T10:00:00.123456789Z stdout P", ""},
    {"journalctl abroad", "a month in German", "M\xC3\xA4r 01 10:00:00 host shop[12]: ", "    at f (a.js:1:2)"},
    {"journalctl abroad, a dot", "in French", "f\xC3\xA9vr. 01 10:00:00 host shop[12]: ", "x"},
    {"journalctl abroad, a number", "in Chinese", "12\xE6\x9C\x88 01 10:00:00 host shop[12]: ", "x"},
    {"a fault of a process", "the kernel's message, whose registers follow", "[ 8935.59] ",
     "shop[72]: unhandled signal 11 code 0x1 at 0x8"},
    {"journalctl abroad, the kernel", "it has no process", "sept. 27 21:47:33 host kernel: ", " f+0x1/0x2"},
    {"a bracket in a message", "a colon is before it: the word is no host", "[2026-11-21 10:00:00] ",
     "local.ERROR: SQLSTATE[42S02]: Base table"},
    {"Flutter's tool", "verbose; a row's blanks stay", "[   +1 ms] ", "           #3      f (package:a/a.dart:1:2)"},
    {"Flutter's tool, no time passed", "only blanks", "[        ] ", "           <asynchronous suspension>"},
    {"Flutter's tool, seconds", "wider than most", "[+12345 ms] ", "x"},
    {"an empty bracket", "no prefix", "", "[ ] something else"},
    {"a row of a console's table", "a tab after the time", "2026-11-21T10:00:00.123Z\t", "    at f (a.js:1:2)"},
    {"a bracket in Apple's row", "NSLog's process has no wide gap", "2026-11-21T10:00:00Z ",
     "2   libswiftCore.dylib    0x1 f <Arg[0] = Exploded, Arg[1] = Dead> + 1"},
    {"journalctl abroad, no process", "any words could be before a time", "", "seen at 01 10:00:00 host shop: x"},
    {"PM2's date", "with a zone", "0|shop  | 2026-11-21 10:00:00 +01:00: ", "    at f (a.js:1:2)"},
    {"a thread after a severity", "Log4j's other common layout", "2026-11-21 10:00:00,123 INFO  [main] ",
     "    at f (a.js:1:2)"},
    {"a thread after a severity, unpadded", "the same", "2026-11-21 10:00:00,123 ERROR [pool-1] ", "TypeError: x"},
    {"an address after a severity", "it is of a row", "2026-11-21 10:00:00,123 ERROR ", "[0x7f0012] x"},
    {"concurrently", "its numbers or names, before a row", "[0] ", "    at f (a.js:1:2)"},
    {"concurrently, a title", "what is in brackets may be of the message", "", "[shop] TypeError: x"},
    {"Turborepo", "package and script", "@shop/web:dev: ", "    at f (a.js:1:2)"},
    {"Turborepo, a title", "an error after a script's name", "web:dev: ", "TypeError: x"},
    {"pnpm", "folder and script", "apps/web dev: ", "    at f (a.js:1:2)"},
    {"a word and an error", "the word is of the message", "", "failed: TypeError: x"},
    {"brackets", "time and level", "[10:00:00.123] [ERROR] ", "  at f"},
    {"Ray", "level, process and thread within the bracket",
     "[2024-01-02 03:04:05,678 E 12 34] (raylet) a.cc:343: ", "    @ 0x1"},
    {"Envoy", "thread, level, logger; the source, with and without brackets, and the thread of a stack",
     "[2019-02-13 08:25:01.213][21][critical][backtrace] a/backtrace.h:117] thr<21> ", "#0 0x91782b (unknown)"},
    {"Envoy, newer", "the source in brackets", "[2019-03-28 15:43:04.790][89][critical][backtrace] [a/backtrace.h:73] ",
     "#1: f() [0xb78bd5]"},
    {"Envoy, other sources", "what is in the bracket may be of the message",
     "[2019-03-28 15:43:04.790][89][info][main] ", "[a/main.cc:73] x"},
    {"syslogd's tab", "it writes control characters in two signs", "Nov 25 15:02:17 moby root: ^I", "/a.go:39 +0x69"},
    {"rsyslog's tab", "it writes control characters in octal", "Apr 26 10:43:26 dev docker[655]: #011",
     "/a.go:39 +0x1"},
    {"brackets, dated", "date, level, category", "[2026-11-21T10:00:00.123] [ERROR] default - ", "  at f"},
    {"compose", "the service's name", "web-1  | ", "  at f"},
    {"PM2", "number, name, time", "0|app  | 2026-11-21T10:00:00: ", "  at f"},
    {"iso host", "journalctl -o short-iso", "2026-11-21T10:00:00+0100 host app[123]: ", "#0"},
    {"iso host, the kernel", "it has no number; rsyslog wrote the line end in octal",
     "2026-11-21T10:00:00.526357+00:00 host kernel: #012", "-> #2 (&pipe->mutex/1){+.+.+.}:"},
    {"iso host, a word", "any words could be after a time", "2026-11-21T10:00:00.526357+00:00 ", "host shop: x"},
    {"Heroku", "its dynos", "2026-11-21T10:00:00.123456+00:00 app[web.1]: ", "  at f"},
    {"precise", "journalctl -o short-precise", "Nov 21 10:00:00.123456 host app[123]: ", "#0"},
    {"priority", "RFC 3164 on the wire", "<13>Nov  2 10:00:00 host app: ", "#0"},
    {"RFC 5424", "without data", "<165>1 2026-11-21T10:00:00.003Z host app 123 ID47 - ", "#0"},
    {"RFC 5424 data", "two elements", "<165>1 2026-11-21T10:00:00.003Z h app 1 - [a@1 b=\"c d\"][e@1 f=\"g\"] ", "#0"},
    {"GitHub", "a command after the time", "2026-11-21T10:00:00.1234567Z ##[error]", "  at f"},
    {"GitHub, a title of Go", "its first word is no severity", "2026-11-21T10:00:00.1234567Z ",
     "fatal error: concurrent map writes"},
    {"a title of Python", "the same", "2026-11-21 10:00:00 ", "Fatal Python error: Segmentation fault"},
    {"a severity of that name", "as Kubernetes' loggers write it", "2026-11-21 10:00:00 fatal ", "no cart"},
    {"GitHub, an empty line", "without its last blank", "2026-11-21T10:00:00.1234567Z", ""},
    {"a line of a table", "its text is on the next line", "", "2026-11-21 10:00:00.123"},
    {"gh run view", "job and step", "build\tRun tests\t2026-11-21T10:00:00.1234567Z ", "  at f"},
    {"command", "of a workflow", "::error file=a.js,line=1::", "Error: x"},
    {"GitLab", "the stream's number", "2026-11-21T10:00:00.123456Z 00O ", "  at f"},
    {"Taskcluster", "a step's word before the time; mozharness's time and level; the program's own blank stays",
     "[task 2026-11-21T10:00:00.123Z] 10:00:00     INFO - ", "  0  libshop.so + 0x10"},
    {"Taskcluster, a process", "of Firefox", "[task 2026-11-21T10:00:00.123Z] 10:00:00    ERROR - GECKO(1047) | ",
     "f@a.js:1:2"},
    {"mozharness", "alone, and a process of xpcshell", "10:00:00  WARNING - PID 1324 | ", "f@a.js:1:2"},
    {"mach", "a process alone", "GECKO(1047) | ", "f@a.js:1:2"},
    {"no process", "a number is missing", "", "GECKO() | f@a.js:1:2"},
    {"no level", "a word after a clock", "10:00:00 ", "    Notes - x"},
    {"no step", "a word without a time", "", "[task force] x and y"},
    {"Lambda", "tabs", "2026-11-21T10:00:00.123Z\t8f2c1a2b-0000\tERROR\t", "Error: x"},
    {"Jenkins", "a clock", "10:00:00.123 ", "\tat a.b.c(D.java:1)"},
    {"Maven", "a level", "[ERROR] ", "\tat a.b.c(D.java:1)"},
    {"npm", "before each line", "npm ERR! ", "    at f"},
    {"kubectl", "--prefix", "[pod/web-7d4b9c8f5d-abcde/web] ", "  at f"},
    {"stern", "pod and container", "web-7d4b9c8f5d-abcde web ", "  at f"},
    {"compose, time", "-t", "web-1  | 2026-11-21T10:00:00.123456789Z ", "  at f"},
    {"compose, logcat", "a logger in a container", "web-1  | 11-21 10:00:00.000  8682  8683 F DEBUG   : ", "#00"},
    {"Log4j", "thread and logger", "2026-11-21 10:00:00,123 ERROR [main] c.e.App - ", "a.b: x"},
    {"Logback", "its default", "10:00:00.123 [main] ERROR c.e.App - ", "a.b: x"},
    {"Spring", "its default",
     "2026-11-21 10:00:00.123 ERROR 1234 --- [           main] c.e.App                : ", "a.b: x"},
    {"Spring 3", "with the application's name",
     "2026-11-21T10:00:00.123+01:00 ERROR 1 --- [app] [  main] c.e.App  : ", "a.b: x"},
    {"Python", "a usual format", "2026-11-21 10:00:00,123 - app - ERROR - ", "Traceback (most recent call last):"},
    {"Python, short", "level and logger", "2026-11-21 10:00:00,123 ERROR root: ", "Traceback"},
    {"Python, basicConfig, critical", "begins like another prefix",
     "CRITICAL:root:", "Traceback (most recent call last):"},
    {"Python, basicConfig", "no time", "ERROR:root:", "Traceback (most recent call last):"},
    {"Loguru", "bars", "2026-11-21 10:00:00.123 | ERROR    | app:main:12 - ", "x"},
    {"winston", "a level in brackets", "2026-11-21T10:00:00.123Z [error]: ", "Error: x"},
    {"Chromium", "its console is a format", "", "[1234:1121/100000.123456:ERROR:CONSOLE(1)] \"x\", source: a.js (1)"},
    {"dmesg -T", "a whole date", "[Sat Nov 21 10:00:00 2026] ", "Call Trace:"},
    {"glog, year", "of later versions", "E20261121 10:00:00.123456  1234 file.cc:12] ", "#0"},
    {"Google Cloud", "a letter before the time", "E 2026-11-21T10:00:00.123456Z ", "#0"},
    {"logcat zone", "-v zone", "11-21 10:00:00.000 +0100  8682  8683 F DEBUG   : ", "#00"},
    {"logcat monotonic", "-v monotonic", "12.345  8682  8683 F DEBUG   : ", "#00"},
    {"logcat monotonic, usec", "any number of digits", "3456.789012  8682  8683 F DEBUG   : ", "x"},
    {"no logcat monotonic", "a number before other text", "", "12.345  8682  8683 frames"},
    {"logcat epoch", "-v epoch", "1795255200.000  8682  8683 F DEBUG   : ", "#00"},
    {"flutter run", "its blank is left to Dart's parser", "flutter:", " #0      f (a.dart:1:2)"},
    {"no logger", "an exception of Java", "2026-11-21 10:00:00,123 ERROR ", "a.b.Cold: x"},
    {"no logger either", "an error of JavaScript", "2026-11-21 10:00:00,123 ERROR ", "TypeError: x"},
    {"no level in brackets", "Safari's console marks errors so", "", "[Error] TypeError: x"},
    {"no pod", "words with dashes", "", "state-of-the-art thing here"},
    {"no clock", "a ratio", "", "10:00 is a time"},
    {"no command", "a heading", "", "## [1.0.0] changes"},
    {"no priority", "a tag", "", "<12>px wide"},
    {"no level", "a word after the time", "2026-11-21 10:00:00 ", "Errors at f"},
    {"no service", "code with its number", "", "12 | const a = 1"},
    {"no service either", "words", "", "either this | or that"},
    {"none", "a frame's own number", "", "11  libdyld.dylib   0x0000000100000000 start + 1"},
    {"no time", "an array", "", "[10] is it"},
    {"no pid", "a ratio", "", "V/A is a ratio (of two) numbers"},
    {"exception", "a level before it", "", "E java.lang.Error: no"},
    {"sentence", "a word of one letter", "", "I think so: yes"},
    {"call", "no process", "", "E(x) and so on"},
    {"not a month", "a word", "", "Maybe 12 10:00:00 host proc: x"},
    {"short", "less than any prefix", "", "E/a(1)"},
};

static void test_prefixes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char line[512];
        snprintf(line, sizeof line, "%s%s", rows[i].prefix, rows[i].body);
        same_number(rows[i].name, "length", fm_log_prefix(text_of(line), FM_HAS_ANY), strlen(rows[i].prefix));
        if (strchr(line, '|') == NULL)
            same_number(rows[i].name, "length without a bar", fm_log_prefix(text_of(line), FM_HAS_ANY & ~FM_HAS_BAR),
                        strlen(rows[i].prefix));
    }
}

/* Lines are truncated at each byte; the prefix that is found is never longer than the line. Each line is copied to a
 * block of its size, so that sanitizers detect a read past its end. */
static void test_every_cut(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char line[512];
        snprintf(line, sizeof line, "%s%s", rows[i].prefix, rows[i].body);
        for (size_t size = 0; size <= strlen(line); size++) {
            struct fm_heap heap;
            fm_heap_init(&heap, NULL, 0);
            char *copy = size ? fm_heap_zalloc(&heap, size, 1) : NULL;
            if (size) memcpy(copy, line, size);
            if (fm_log_prefix(fm_str(copy, size), FM_HAS_ANY) > size) fail_msg("%s cut at %zu", rows[i].name, size);
            fm_heap_free(&heap, copy, size);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_prefixes), cmocka_unit_test(test_every_cut)};
    return cmocka_run_group_tests_name("formats log prefixes", tests, NULL, NULL);
}
