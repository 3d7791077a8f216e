/* Tests which traces are combined into one event (formats/output/event_group.h). */
#include "formats/output/event_group.h"

#include "tests/testing.h"

/* Reads a list of traces. Each trace is a word such as "ax1+8", which consists of:
 * - '=' if the trace is in the report of the previous one;
 * - a letter for the thread, '-' without a thread;
 * - 'x' if the trace is an exception, and 'w' if it is the cause of the next trace;
 * - a digit for the process, '-' without a process;
 * - '+' and the number of lines between the previous trace and this one. */
static size_t read_traces(const char *text, framemap_trace *traces)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
    size_t count = 0, report = 0;
    uint64_t line = 1;
    for (const char *at = text; *at;) {
        framemap_trace *trace = &traces[count];
        *trace = (framemap_trace){.format = FM_STR("android-anr"), .number = count, .line_count = 3, .size = 100};
        if (*at == '=')
            at++;
        else
            report++;
        trace->report = report;
        if (*at != '-') trace->thread_id = fm_str(&letters[*at - 'a'], 1);
        at++;
        if (*at == 'x') {
            trace->exception = FM_STR("E: x");
            trace->exception_type = FM_STR("E");
            at++;
        }
        if (*at == 'w') {
            trace->role = FRAMEMAP_ROLE_CAUSE;
            trace->part_of = count + 1;
            at++;
        }
        trace->has_process_id = *at != '-';
        trace->process_id = (uint64_t)*at++;
        if (*at == '+') line += strtoul(at + 1, (char **)(uintptr_t)&at, 10);
        trace->line = line;
        trace->offset = line * 50;
        line += trace->line_count;
        while (*at == ' ') at++;
        count++;
    }
    return count;
}

static void sizes(void **state)
{
    (void)state;
    static const struct {
        const char *why, *traces;
        size_t first;
        /* whether the text is a dump of threads, in which more lines may be between two threads than between an
         * exception and its cause */
        bool is_dump;
    } rows[] = {
        {"one stack without a thread", "--", 1, false},
        {"a dump of threads", "a1+3 b1+8 c1+9", 3, true},
        {"the crashed thread first", "ax1 b1+2 c1+2", 3, true},
        {"the crashed thread in between", "a1 bx1+2 c1+2", 3, true},
        {"two crashes are two events", "ax1 bx1+2 c1+2", 1, true},
        {"two crashes after a thread", "a1 bx1+2 cx1+2", 2, true},
        {"another process", "a1 b2 c2", 1, true},
        {"no process is known", "a- b-", 1, false},
        {"the same thread again is another dump", "a1 b1 a1 b1", 2, true},
        {"much text between", "a1 b1+70", 1, true},
        {"64 lines between", "a1 b1+64", 2, true},
        {"stacks without a thread", "-1 -1", 1, false},
        {"a cause that is printed above what it caused", "-xw- -xw- -x- -x-", 3, false},
        {"the same in one report", "-xw- =-x- =-x-", 2, false},
        {"a report that lists its stacks", "a1 =b1 =c1", 3, true},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        framemap_trace traces[16];
        const size_t count = read_traces(rows[i].traces, traces), size = fm_event_size(traces, count);
        const framemap_trace *last = &traces[size - 1];
        const uint64_t line = last->line + last->line_count, end = last->offset + last->size;
        if (size != rows[i].first) fail_msg("%s: %zu traces", rows[i].why, size);
        if (!fm_event_may_grow(traces, size, line + 16, end)) fail_msg("%s: no growth", rows[i].why);
        if (fm_event_may_grow(traces, size, line + 17, end) != rows[i].is_dump) fail_msg("%s: growth", rows[i].why);
        if (fm_event_may_grow(traces, size, line + 65, end)) fail_msg("%s: grows for ever", rows[i].why);
        if (fm_event_may_grow(traces, size, line, traces->offset + ((uint64_t)1 << 20)))
            fail_msg("%s: grows without bound", rows[i].why);
    }
}

/* Tests which trace is the subject of an event. main: number of the trace of the main thread; part: number of a trace
 * that is a part of the previous trace. */
static void subjects(void **state)
{
    (void)state;
    static const struct {
        const char *why, *traces;
        size_t main, part, subject, others; /* numbers of traces; 9: there is no such trace */
    } rows[] = {
        {"the first thread, if none is the main one", "a1 b1 c1", 9, 9, 0, 2},
        {"the main thread of a dump", "a1 b1 c1", 1, 9, 1, 2},
        {"the crashed thread, not the main one", "a1 b1 cx1", 0, 9, 2, 2},
        {"a part belongs to its stack", "a1 b1 =c1 d1", 1, 2, 1, 2},
        {"a part of another thread", "a1 =b1 c1", 2, 1, 2, 1},
        {"a part is not the main thread", "a1 =b1 c1", 1, 1, 0, 1},
        {"one stack", "ax1", 9, 9, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        framemap_trace traces[8] = {0};
        const size_t count = read_traces(rows[i].traces, traces);
        if (rows[i].main < count) traces[rows[i].main].thread_name = FM_STR("main");
        if (rows[i].part < count) {
            traces[rows[i].part].role = FRAMEMAP_ROLE_CAUSE;
            traces[rows[i].part].part_of = rows[i].part - 1;
        }
        const size_t subject = fm_event_subject(traces, count);
        size_t others = 0;
        for (size_t at = 0, parts; fm_event_next_other(traces, count, subject, &at, &parts); at += parts) others++;
        if (subject != rows[i].subject || others != rows[i].others)
            fail_msg("%s: %zu with %zu others", rows[i].why, subject, others);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sizes), cmocka_unit_test(subjects)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
