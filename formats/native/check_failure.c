/* Implements check_failure.h. The messages that are recognized:
 *
 *     [12:34:0101/120000.1:FATAL:widget.cc(12)] Check failed: is_visible_.      Chromium
 *     [12:34:0101/120000.1:FATAL:widget.cc(12)] NOTREACHED hit.                 Chromium: any fatal message
 *     F0101 12:00:00.000000    12 cart.cc:12] Check failed: a == b (1 vs. 2)    glog
 *     F0101 12:00:00.000000    12 cart.cc:12] no cart           glog: any fatal message
 *     # Fatal error in ../src/objects/map.cc, line 318          V8, with a message below:
 *     # Debug check failed: IsMap(obj).
 *     handle_crash: Program crashed with signal 11              Godot, also "CrashHandlerException: …"
 *     # Redis 4.0.11 crashed by signal: 11                      Redis; "# Accessing address: 0x8" follows
 *     (from thread 7) Received signal Segmentation fault (11).  ClickHouse up to 2019
 *     Received signal 11 SEGV_MAPERR 000000000018               Chromium and Electron on macOS
 *     Received signal 6                                         the same, of abort()
 *     Caught Segmentation fault, suspect faulting address 0x0   Envoy
 *     Assertion failure: mLength > 0, at /src/Cart.cpp:12       Mozilla
 *     Hit MOZ_CRASH(no cart) at /src/Cart.cpp:12                Mozilla
 *     [Parent 12, Main Thread] ###!!! ASSERTION: empty: 'mLength > 0', file /src/Cart.cpp:12     Mozilla
 *     11:40:21 UTC - mysqld got signal 11 ;                     MySQL and MariaDB, far above "stack_bottom = 0 …"
 *
 * A message of V8 that names no check, such as "# unreachable code", is accepted only below "# Fatal error in" or "#
 * Runtime error in"; "# Fatal process out of memory: x" is accepted alone. */
#include "formats/native/check_failure.h"
#include "formats/native/native_parts.h"
#include "formats/signal_names.h"

/* maximum number of lines above a stack that are searched: V8 prints seven empty ones */
#define CHECK_FAILURE_ABOVE 10

/* Splits the message of a failed check into type and message: "Check failed: x", "Debug check failed: x". Other text
 * may precede the message. */
static bool read_check(framemap_str text, framemap_trace *trace)
{
    static const framemap_str types[] = {FM_STR_INIT("Debug check failed"), FM_STR_INIT("Security DCHECK failed"),
                                         FM_STR_INIT("Security CHECK failed"), FM_STR_INIT("DCHECK failed"),
                                         FM_STR_INIT("Check failed")};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const size_t at = fm_str_find(text, types[i]);
        if (at == FM_NOT_FOUND) continue;
        const framemap_str before = fm_str_trim(fm_str(text.data, at)), rest = fm_str_from(text, at + types[i].size);
        if (before.size && !fm_str_ends(before, FM_STR("]")) && !fm_str_equal(before, FM_STR("#"))) continue;
        if (rest.size && rest.data[0] != ':' && rest.data[0] != '.') continue;
        trace->exception = fm_str_from(text, at);
        trace->exception_type = fm_str(text.data + at, types[i].size);
        trace->exception_message = fm_str_trim(fm_str_from(rest, 1));
        return true;
    }
    return false;
}

/* Parses "[12:34:0101/120000.1:FATAL:widget.cc(12)] message" or "[FATAL:widget.cc:12] message". Other text may precede
 * the bracket. */
static bool read_fatal(framemap_str text, framemap_trace *trace)
{
    const size_t at = fm_str_find(text, FM_STR("FATAL:")), end = fm_str_find(text, FM_STR("] "));
    if (at == FM_NOT_FOUND || at == 0 || end == FM_NOT_FOUND || end < at) return false;
    if (text.data[at - 1] != ':' && text.data[at - 1] != '[') return false;
    const char last = text.data[end - 1];
    if (last != ')' && !fm_is_digit(last)) return false;
    trace->exception = trace->exception_message = fm_str_trim(fm_str_from(text, end + 2));
    trace->exception_type = FM_STR("Fatal error");
    return trace->exception.size != 0;
}

framemap_str fm_check_failure_logged(const struct fm_line *line)
{
    const framemap_str text = fm_str_trim(line->text), body = fm_str_trim(line->body);
    for (size_t at = 0; at + 1 < text.size && text.data + at <= body.data; at++)
        if (text.data[at] == 'F' && fm_is_digit(text.data[at + 1]) && (at == 0 || fm_is_blank(text.data[at - 1])))
            return fm_str_from(text, at);
    return fm_str(NULL, 0);
}

/* Parses "F0101 12:00:00.000000    12 cart.cc:12] no cart". text: the line with its prefix. */
static bool read_logged(framemap_str text, framemap_trace *trace)
{
    const size_t end = fm_str_find(text, FM_STR("] "));
    const framemap_str head = fm_str_slice(text, 0, end);
    const size_t colon = fm_str_find_last_byte(head, ':');
    if (end == FM_NOT_FOUND || head.size < 16 || colon == FM_NOT_FOUND || !fm_is_digit(head.data[head.size - 1]))
        return false;
    trace->exception = trace->exception_message = fm_str_trim(fm_str_from(text, end + 2));
    trace->exception_type = FM_STR("Fatal error");
    return trace->exception.size != 0;
}

static void set_signal(framemap_trace *trace, uint64_t number)
{
    trace->signal.has_number = number <= INT32_MAX;
    trace->signal.number = trace->signal.has_number ? (int32_t)number : 0;
    trace->signal.name = fm_signal_name(number, FM_SIGNALS_OF_ANY);
}

/* Parses "Redis 4.0.11 crashed by signal: 11". Lines are read from the stack upwards, so the line "Accessing address:
 * …" comes first: stores its address, and returns false for it. */
static bool read_redis(framemap_str text, framemap_trace *trace)
{
    static const framemap_str mark = FM_STR_INIT(" crashed by signal: "), access = FM_STR_INIT("Accessing address: ");
    const size_t at = fm_str_find(text, mark), place = fm_str_find(text, access);
    uint64_t number = 0;
    if (place != FM_NOT_FOUND) {
        struct fm_scan t = fm_scan_of(fm_str_from(text, place + access.size));
        trace->signal.has_address = fm_row_0xhex(&t, &trace->signal.address) == FM_DIGITS_FIT;
    }
    if (at == FM_NOT_FOUND) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, at + mark.size));
    if (!fm_scan_dec(&s, &number, NULL)) return false;
    set_signal(trace, number);
    const size_t program = fm_str_find(text, FM_STR("Redis "));
    trace->exception = trace->exception_message = fm_str_from(text, program < at ? program : 0);
    trace->exception_type = trace->signal.name.size ? trace->signal.name : FM_STR("Fatal error");
    return true;
}

/* Parses "(from thread 7) Received signal Segmentation fault (11)." */
static bool read_received(framemap_str text, framemap_trace *trace)
{
    static const framemap_str mark = FM_STR_INIT("Received signal ");
    const size_t at = fm_str_find(text, mark);
    if (at == FM_NOT_FOUND) return false;
    framemap_str what = fm_str_from(text, at + mark.size), group;
    if (fm_str_ends(what, FM_STR("."))) what.size--;
    uint64_t number;
    if (!fm_row_group(&what, &group)) return false;
    struct fm_scan s = fm_scan_of(group);
    if (!fm_scan_dec(&s, &number, NULL) || !fm_scan_done(&s)) return false;
    set_signal(trace, number);
    trace->exception = trace->exception_message = fm_str_from(text, at);
    trace->exception_type = what;
    return true;
}

/* Parses "Received signal 11 SEGV_MAPERR 000000000018", and "Received signal 6" of abort(), which has no code. */
static bool read_coded(framemap_str text, framemap_trace *trace)
{
    struct fm_scan s = fm_scan_of(text);
    uint64_t number = 0;
    framemap_str code;
    if (!fm_scan_text(&s, FM_STR("Received signal ")) || !fm_scan_dec(&s, &number, NULL) || number > 64) return false;
    fm_scan_blanks(&s);
    const bool coded = fm_scan_word(&s, &code);
    if (!coded && !fm_scan_done(&s)) return false;
    set_signal(trace, number);
    if (!coded && trace->signal.name.size == 0) return false;
    if (coded) trace->signal.code_name = code;
    trace->exception_type = coded ? code : trace->signal.name;
    fm_scan_blanks(&s);
    trace->signal.has_address = coded && fm_row_hex(&s, &trace->signal.address) == FM_DIGITS_FIT;
    trace->exception = text;
    return true;
}

/* Parses "Caught Segmentation fault, suspect faulting address 0x8". */
static bool read_caught(framemap_str text, framemap_trace *trace)
{
    static const framemap_str caught = FM_STR_INIT("Caught "), mark = FM_STR_INIT(", suspect faulting address ");
    const size_t at = fm_str_find(text, mark), from = fm_str_find(text, caught);
    if (at == FM_NOT_FOUND || from == FM_NOT_FOUND || from > at) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, at + mark.size));
    trace->signal.has_address = fm_row_0xhex(&s, &trace->signal.address) == FM_DIGITS_FIT;
    trace->exception = trace->exception_message = fm_str_from(text, from);
    trace->exception_type = fm_str_slice(text, from + caught.size, at);
    return true;
}

/* Parses "Assertion failure: mLength > 0, at /src/Cart.cpp:12" and the other messages of Mozilla. Other text may
 * precede them. */
static bool read_mozilla(framemap_str text, framemap_trace *trace)
{
    static const struct {
        framemap_str mark, type, end;
    } messages[] = {
        {FM_STR_INIT("Assertion failure: "), FM_STR_INIT("Assertion failure"), FM_STR_INIT(", at ")},
        {FM_STR_INIT("Hit MOZ_CRASH("), FM_STR_INIT("MOZ_CRASH"), FM_STR_INIT(") at ")},
        {FM_STR_INIT("###!!! ASSERTION: "), FM_STR_INIT("ASSERTION"), FM_STR_INIT(", file ")},
        {FM_STR_INIT("###!!! ABORT: "), FM_STR_INIT("ABORT"), FM_STR_INIT(", file ")},
    };
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        const size_t at = fm_str_find(text, messages[i].mark);
        if (at == FM_NOT_FOUND) continue;
        const framemap_str rest = fm_str_from(text, at + messages[i].mark.size);
        trace->exception = fm_str_from(text, at);
        trace->exception_type = messages[i].type;
        trace->exception_message = fm_str_slice(rest, 0, fm_str_find_last(rest, messages[i].end));
        return true;
    }
    return false;
}

/* Parses "11:40:21 UTC - mysqld got signal 11 ;", "210226 15:49:51 [ERROR] /usr/sbin/mariadbd got signal 11 ;". */
static bool read_server(framemap_str text, framemap_trace *trace)
{
    static const framemap_str mark = FM_STR_INIT("d got signal ");
    const size_t at = fm_str_find(text, mark);
    uint64_t number;
    if (at == FM_NOT_FOUND || !fm_str_ends(text, FM_STR(";"))) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, at + mark.size));
    if (!fm_scan_dec(&s, &number, NULL)) return false;
    const size_t blank = fm_str_find_last_byte(fm_str(text.data, at), ' ');
    const size_t from = blank == FM_NOT_FOUND ? 0 : blank + 1;
    set_signal(trace, number);
    trace->exception = trace->exception_message = fm_str(text.data + from, (size_t)(s.at - text.data) - from);
    trace->exception_type = trace->signal.name.size ? trace->signal.name : FM_STR("Fatal error");
    trace->crashed = true;
    return true;
}

/* Searches for the signal of MySQL above the line "stack_bottom = 0 thread_stack 0x80000" that precedes its stack. */
static void find_server(struct fm_document *doc, const struct fm_line *line, uint64_t floor, framemap_trace *trace)
{
    enum { LINES = 48 };
    struct fm_look_back above = fm_look_back_from(doc, line, floor, LINES);
    bool is_server = false;
    for (struct fm_line *before; (before = fm_look_back_next(&above)) != NULL;) {
        if (!fm_line_cut(before)) continue;
        const framemap_str text = fm_str_trim(before->body);
        if (!is_server && text.size && !fm_str_starts(text, FM_STR("stack_bottom = "))) return;
        is_server |= text.size != 0;
        if (is_server && read_server(text, trace)) return;
    }
}

static bool read_godot(framemap_str text, framemap_trace *trace)
{
    static const framemap_str mark = FM_STR_INIT(": Program crashed with signal ");
    const size_t at = fm_str_find(text, mark);
    if (at == FM_NOT_FOUND || at == 0 || fm_str_find_byte(fm_str(text.data, at), ' ') != FM_NOT_FOUND) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, at + mark.size));
    uint64_t number = 0;
    trace->exception = text;
    trace->exception_type = fm_str(text.data, at);
    trace->exception_message = fm_str_from(text, at + 2);
    if (fm_scan_dec(&s, &number, NULL)) set_signal(trace, number);
    return true;
}

/* Parses V8's message "# unreachable code" below "# Fatal error in a.cc, line 3". */
static bool read_v8(framemap_str text, framemap_str *message, framemap_trace *trace)
{
    static const framemap_str fatal = FM_STR_INIT("# Fatal error in "), runtime = FM_STR_INIT("# Runtime error in "),
                              memory = FM_STR_INIT("# Fatal process out of memory"), mark = FM_STR_INIT("# ");
    const bool is_runtime = fm_str_starts(text, runtime);
    if (fm_str_starts(text, memory))
        *message = fm_str_from(text, mark.size);
    else if (message->size == 0 || (!is_runtime && !fm_str_starts(text, fatal))) {
        if (fm_str_starts(text, mark)) *message = fm_str_trim(fm_str_from(text, mark.size));
        return false;
    }
    trace->exception = trace->exception_message = *message;
    trace->exception_type = is_runtime ? FM_STR("Runtime error") : FM_STR("Fatal error");
    return true;
}

void fm_check_failure_above(struct fm_document *doc, const struct fm_line *line, uint64_t floor, framemap_trace *trace)
{
    struct fm_look_back above = fm_look_back_from(doc, line, floor, CHECK_FAILURE_ABOVE);
    framemap_str message = {NULL, 0};
    for (struct fm_line *before; (before = fm_look_back_next(&above)) != NULL;) {
        if (!fm_line_cut(before)) continue;
        const framemap_str text = fm_str_trim(before->body);
        if (!read_check(text, trace) && !read_fatal(text, trace) &&
            !read_logged(fm_check_failure_logged(before), trace) && !read_godot(text, trace) &&
            !read_redis(text, trace) && !read_received(text, trace) && !read_coded(text, trace) &&
            !read_caught(text, trace) && !read_mozilla(text, trace) && !read_v8(text, &message, trace))
            continue;
        trace->crashed = true;
        return;
    }
    find_server(doc, line, floor, trace);
}
