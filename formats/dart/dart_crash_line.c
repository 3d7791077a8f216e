/* Parses and prints a line of a crash dump of Dart's VM. See dart_crash_line.h. */
#include "formats/dart/dart_crash_line.h"

#include "formats/dart/dart_line.h"
#include "formats/row_parts.h"

/* Returns the text that follows `mark`, up to a comma. */
static bool value_of(framemap_str text, framemap_str mark, framemap_str *out)
{
    const size_t at = fm_str_find(text, mark);
    if (at == FM_NOT_FOUND) return false;
    const framemap_str rest = fm_str_from(text, at + mark.size);
    *out = fm_str_trim(fm_str_slice(rest, 0, fm_str_find_byte(rest, ',')));
    return out->size != 0;
}

/* Parses "Segmentation fault(11)"; on Apple's systems, where some numbers differ, it is "Segmentation fault:
 * 11(11)". */
static void read_signal(framemap_str value, framemap_trace *trace)
{
    static const struct {
        framemap_str words, name;
    } rows[] = {{FM_STR_INIT("Segmentation fault"), FM_STR_INIT("SIGSEGV")},
                {FM_STR_INIT("Abort"), FM_STR_INIT("SIGABRT")},
                {FM_STR_INIT("Bus error"), FM_STR_INIT("SIGBUS")},
                {FM_STR_INIT("Illegal instruction"), FM_STR_INIT("SIGILL")},
                {FM_STR_INIT("Trace"), FM_STR_INIT("SIGTRAP")},
                {FM_STR_INIT("Floating point exception"), FM_STR_INIT("SIGFPE")}};
    const size_t open = fm_str_find_last_byte(value, '(');
    uint64_t number;
    trace->exception = value;
    if (open != FM_NOT_FOUND) {
        struct fm_scan s = fm_scan_of(fm_str_from(value, open + 1));
        if (fm_scan_dec(&s, &number, NULL) && number < 256 && fm_scan_byte(&s, ')') && fm_scan_done(&s)) {
            trace->signal.has_number = true;
            trace->signal.number = (int32_t)number;
            trace->exception = fm_str(value.data, open);
        }
    }
    trace->exception_type = trace->exception;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (fm_str_starts(value, rows[i].words)) trace->exception_type = trace->signal.name = rows[i].name;
}

/* Parses "linux_x64", "android_arm64". */
static void read_system(framemap_str value, framemap_trace *trace)
{
    const size_t line = fm_str_find_last_byte(value, '_');
    char arch[16] = "";
    if (line == FM_NOT_FOUND || value.size - line > sizeof arch) return;
    memcpy(arch, value.data + line + 1, value.size - line - 1);
    if (trace->arch.size == 0) trace->arch = fm_dart_arch(arch);
    if (trace->os.size == 0) trace->os = fm_str(value.data, line);
}

void fm_dart_crash_head(framemap_str text, framemap_trace *trace)
{
    framemap_str value, rest;
    const size_t on = fm_str_find_last(text, FM_STR(" on \""));
    if (fm_str_starts(text, FM_STR("si_signo=")) && value_of(text, FM_STR("si_signo="), &value)) {
        read_signal(value, trace);
        struct fm_scan s;
        uint64_t code;
        if (value_of(text, FM_STR(" si_code="), &value)) {
            s = fm_scan_of(value);
            trace->signal.has_code = fm_scan_dec(&s, &code, NULL) && code < 256;
            if (trace->signal.has_code) trace->signal.code = (int32_t)code;
        }
        if (!value_of(text, FM_STR(" si_addr="), &value)) return;
        s = fm_scan_of(value);
        trace->signal.has_address = fm_row_0xhex(&s, &trace->signal.address) == FM_DIGITS_FIT;
    } else if (fm_str_starts(text, FM_STR("version=")) && on != FM_NOT_FOUND) {
        rest = fm_str_from(text, on + 5);
        read_system(fm_str_slice(rest, 0, fm_str_find_byte(rest, '"')), trace);
    } else if (fm_str_starts(text, FM_STR("pid=")) || fm_str_starts(text, FM_STR("thread="))) {
        struct fm_scan s = fm_scan_of(text);
        trace->has_process_id = fm_scan_text(&s, FM_STR("pid=")) && fm_scan_dec(&s, &trace->process_id, NULL);
        if (!value_of(text, FM_STR("thread="), &value)) return;
        trace->thread_id = value;
        trace->crashed = true;
    }
}

/* Skips "sp 0x7f… [Optimized] ". *is_stub: whether the word in brackets is "Stub". */
static bool skip_kind(struct fm_scan *s, bool *is_stub)
{
    struct fm_scan at = *s;
    framemap_str kind;
    uint64_t sp;
    if (!fm_scan_text(&at, FM_STR("sp ")) || !fm_scan_0xhex(&at, &sp, NULL) || !fm_scan_text(&at, FM_STR(" [")))
        return false;
    if (!fm_scan_until(&at, ']', &kind)) return false;
    at.at++;
    if (!fm_scan_byte(&at, ' ')) return false;
    *is_stub = fm_str_equal(kind, FM_STR("Stub"));
    *s = at;
    return true;
}

bool fm_dart_crash_row_parse(framemap_str body, struct fm_dart_crash_row *row)
{
    struct fm_scan s = fm_scan_of(body);
    uint64_t fp;
    fm_scan_blanks(&s);
    if (!fm_scan_text(&s, FM_STR("pc ")) || !fm_scan_0xhex(&s, &row->pc, NULL)) return false;
    if (!fm_scan_text(&s, FM_STR(" fp ")) || !fm_scan_0xhex(&s, &fp, NULL) || !fm_scan_byte(&s, ' ')) return false;
    row->named = skip_kind(&s, &row->is_stub);
    row->head = fm_str(body.data, (size_t)(s.at - body.data));
    row->has_offset = fm_row_distance(fm_scan_rest(&s), true, &row->symbol, &row->offset);
    if (row->has_offset) return true;
    row->symbol = fm_str_trim(fm_scan_rest(&s));
    row->offset = 0;
    return row->symbol.size != 0;
}

void fm_dart_print_crash(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    struct fm_dart_crash_row row = {.named = false};
    if (!fm_dart_crash_row_parse(frame->raw, &row)) return;
    for (size_t i = 0; i < frame->restored.count; i++) {
        if (i) fm_row_begin_line(out, prefix, eol);
        fm_buf_str(out, row.head);
        fm_row_put_at(out, &frame->restored.frames[i]);
    }
}
