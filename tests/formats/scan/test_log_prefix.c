#include "tests/formats/formats_help.h"

#include "formats/scan/log_prefix.h"

static const struct {
    const char *name, *why, *prefix, *body;
} rows[] = {
    {"threadtime", "adb logcat's default", "11-21 10:00:00.000  8682  8683 F DEBUG   : ", "  #00 pc 1"},
    {"threadtime with year", "-v year", "2026-11-21 10:00:00.000  8682  8683 F DEBUG   : ", "x"},
    {"threadtime with uid", "-v uid", "11-21 10:00:00.000  1000  8682  8683 F DEBUG   : ", "x"},
    {"empty message", "the tag's colon ends the line", "11-21 10:00:00.000  8682  8683 F DEBUG   :", ""},
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
    {"studio", "Android Studio up to 2021", "11-21 10:00:00.000 12-34/com.example E/Tag: ", "x"},
    {"studio new", "Android Studio since", "2026-11-21 10:00:00.000 12-34    Tag           com.example          E  ",
     "  #00"},
    {"nslog", "one line of NSLog", "2021-10-20 17:25:36.668223+0800 dSYMDemo[39533:359760] ", "*** Terminating"},
    {"iso", "container logs", "2026-11-21T10:00:00.123456Z ", "x"},
    {"iso zone", "an offset for Z", "2026-11-21T10:00:00+01:00 ", "x"},
    {"kernel", "dmesg", "[   12.345678] ", "Call Trace:"},
    {"kernel caller", "level and caller", "<4>[   12.345678][ T123] ", "x"},
    {"syslog", "RFC 3164", "Nov  1 10:00:00 host proc[12]: ", "x"},
    {"glog", "Google's loggers", "F1121 10:00:00.123456    77 file.cc:12] ", "x"},
    {"iso level", "a level behind the time", "2026-11-21 10:00:00,123 ERROR ", "  at f"},
    {"Kubernetes", "a container's stream", "2026-11-21T10:00:00.123456789Z stderr F ", "  at f"},
    {"brackets", "time and level", "[10:00:00.123] [ERROR] ", "  at f"},
    {"brackets, dated", "date, level, category", "[2026-11-21T10:00:00.123] [ERROR] default - ", "  at f"},
    {"compose", "the service's name", "web-1  | ", "  at f"},
    {"PM2", "number, name, time", "0|app  | 2026-11-21T10:00:00: ", "  at f"},
    {"no level", "a word behind the time", "2026-11-21 10:00:00 ", "Errors at f"},
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

/* Cut anywhere, a line never has a prefix longer than itself: its bytes are copied, so that a read past them is seen.
 */
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
