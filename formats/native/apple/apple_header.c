/* Implements apple_header.h: parses the lines "Key: value" above the threads of a crash report, and the lines of
 * registers below them. */
#include "formats/native/apple/apple_header.h"
#include "formats/native/apple/apple.h"
#include "formats/row_parts.h"

#define REGISTERS_MOST 64

/* Parses "Shop [2252]". */
static void apple_header_read_process(struct fm_apple_header *header, framemap_str value)
{
    const size_t open = fm_str_find_last(value, FM_STR(" ["));
    struct fm_scan s = fm_scan_of(fm_str_from(value, open == FM_NOT_FOUND ? value.size : open + 2));
    header->has_pid = fm_scan_dec(&s, &header->pid, NULL) && fm_scan_byte(&s, ']');
    header->process = fm_str_trim(fm_str_slice(value, 0, open));
}

/* Parses the value of "Termination Reason:". Lines that explain it may follow. */
static void read_termination(struct fm_apple_header *header, framemap_str value, uint64_t number1)
{
    header->termination = value;
    header->cause = (framemap_str){NULL, 0};
    header->cause1 = 0;
    if (fm_str_starts(value, FM_STR("SIGNAL ")) || fm_str_starts(value, FM_STR("Namespace SIGNAL,"))) return;
    header->cause = value;
    header->cause1 = number1;
}

bool fm_apple_header_line(struct fm_apple_header *header, framemap_str text, const struct fm_line *line)
{
    const size_t colon = fm_str_find_byte(text, ':');
    if (fm_str_equal(text, FM_STR("Application main thread deadlocked"))) {
        header->deadlock = text;
        return true;
    }
    if (colon == FM_NOT_FOUND) return false;
    const framemap_str key = fm_str(text.data, colon), value = fm_str_trim(fm_str_from(text, colon + 1));
    const struct {
        framemap_str key;
        framemap_str *value;
    } keys[] = {{FM_STR("OS Version"), &header->os_version},
                {FM_STR("Exception Type"), &header->exception},
                {FM_STR("Exception Subtype"), &header->subtype},
                {FM_STR("Exception Codes"), &header->codes},
                {FM_STR("Termination Description"), &header->cause}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (!fm_str_equal(key, keys[i].key)) continue;
        *keys[i].value = value;
        return true;
    }
    if (fm_str_equal(key, FM_STR("Process"))) {
        apple_header_read_process(header, value);
    } else if (fm_str_equal(key, FM_STR("Code Type"))) {
        header->arch = fm_apple_arch(value);
    } else if (fm_str_equal(key, FM_STR("Termination Reason"))) {
        read_termination(header, value, line->number1);
    } else if (fm_str_equal(key, FM_STR("Triggered by Thread")) || fm_str_equal(key, FM_STR("Crashed Thread"))) {
        struct fm_scan s = fm_scan_of(value);
        fm_scan_word(&s, &header->crashed_number);
    } else if (fm_str_equal(key, FM_STR("Application Specific Information"))) {
        header->information = value;
        header->information_is_copy = line->printed.data != NULL;
        header->information1 = line->number1;
    } else {
        return false;
    }
    return true;
}

/* Adds a line below "Termination Reason:" to the cause: the lines of "<RBSTerminateContext| domain:10
 * code:0x8BADF00D … >", up to the one that ends in '>', and those of dyld, up to a blank line. */
static bool add_cause(struct fm_apple_header *header, const struct fm_line *line)
{
    if (header->cause1 == 0) return false;
    const framemap_str text = fm_str_trim(line->body);
    const bool next = line->number1 == header->cause1 + 1 && text.size != 0;
    const bool opens = next && fm_str_starts(text, FM_STR("<RBSTerminateContext|"));
    const bool open =
        fm_str_starts(header->cause, FM_STR("<")) || fm_str_find(header->termination, FM_STR("DYLD")) != FM_NOT_FOUND;
    header->cause1 = 0;
    if (opens)
        header->cause = text;
    else if (!next || !open || !fm_line_extend(line, &header->cause))
        return false;
    if (!fm_str_starts(header->cause, FM_STR("<")) || !fm_str_ends(text, FM_STR(">"))) header->cause1 = line->number1;
    return true;
}

bool fm_apple_header_goes_on(const struct fm_apple_header *header, const struct fm_line *line)
{
    return line->number1 == header->information1 || line->number1 == header->cause1;
}

bool fm_apple_header_information(struct fm_apple_header *header, const struct fm_line *line)
{
    if (add_cause(header, line)) return true;
    if (header->information1 == 0) return false;
    const framemap_str text = fm_str_trim(line->body);
    if (line->number1 != header->information1 + 1 || text.size == 0) {
        header->information1 = 0;
        return false;
    }
    const bool is_copy = line->printed.data != NULL;
    if (header->information.size == 0) {
        header->information = text;
        header->information_is_copy = is_copy;
    } else if (!is_copy && !header->information_is_copy) {
        header->information.size = (size_t)(text.data + text.size - header->information.data);
    }
    header->information1 = line->number1;
    return true;
}

/* Returns the reason in "*** Terminating app due to uncaught exception 'NAME', reason: 'REASON'", without quotes. */
static framemap_str reason_of(framemap_str information)
{
    const framemap_str mark = FM_STR("reason: ");
    const size_t at = fm_str_find(information, FM_STR("uncaught exception")) == FM_NOT_FOUND
                          ? FM_NOT_FOUND
                          : fm_str_find(information, mark);
    if (at == FM_NOT_FOUND) return (framemap_str){NULL, 0};
    framemap_str reason = fm_str_from(information, at + mark.size);
    if (reason.size == 0 || reason.data[0] != '\'') return reason;
    reason = fm_str_from(reason, 1);
    const size_t close = fm_str_find_last_byte(reason, '\'');
    return fm_str_slice(reason, 0, close);
}

/* Parses " at 0x0000000000000010" at the end of the text: the address of the fault. */
static void read_fault(framemap_str text, framemap_signal *signal)
{
    const size_t at = fm_str_find_last(text, FM_STR(" at 0x"));
    if (at == FM_NOT_FOUND) return;
    struct fm_scan s = fm_scan_of(fm_str_from(text, at + 4));
    signal->has_address = fm_row_0xhex(&s, &signal->address) == FM_DIGITS_FIT;
}

/* Reads the number of the signal from "SIGNAL 6 Abort trap: 6" or "Namespace SIGNAL, Code 0xb". */
static void read_number(framemap_str termination, framemap_signal *signal)
{
    struct fm_scan s = fm_scan_of(termination);
    uint64_t number = 0;
    if (!fm_scan_text(&s, FM_STR("SIGNAL ")) && !fm_scan_text(&s, FM_STR("Namespace SIGNAL, Code "))) return;
    if (fm_row_0xhex(&s, &number) != FM_DIGITS_FIT && !fm_scan_dec(&s, &number, NULL)) return;
    signal->has_number = number <= INT32_MAX;
    signal->number = signal->has_number ? (int32_t)number : 0;
}

/* Whether the text is "0 (0)", which KSCrash prints if there is neither an exception nor a signal. */
static bool fill_nothing(const struct fm_apple_header *header, framemap_trace *trace)
{
    if (!fm_str_equal(header->exception, FM_STR("0 (0)")) && !fm_str_equal(header->exception, FM_STR("0")))
        return false;
    trace->exception_message = header->deadlock;
    if (header->deadlock.size == 0) return true;
    trace->exception = trace->exception_type = FM_STR("MainThreadDeadlock");
    return true;
}

static void fill_exception(const struct fm_apple_header *header, framemap_trace *trace)
{
    framemap_str type = header->exception, group = {NULL, 0};
    if (fill_nothing(header, trace)) return;
    trace->exception = header->exception;
    if (fm_row_group(&type, &group) && fm_str_starts(group, FM_STR("SIG"))) trace->signal.name = group;
    trace->exception_type = type;
    if (fm_str_starts(type, FM_STR("SIG")))
        trace->signal.name = type;
    else
        trace->mach_type = type;
    const framemap_str codes = header->subtype.size ? header->subtype : header->codes;
    if (trace->mach_type.size)
        trace->mach_codes = codes;
    else if (trace->signal.name.size)
        trace->signal.code_name = fm_str_slice(codes, 0, fm_str_find(codes, FM_STR(" at 0x")));
    read_fault(codes, &trace->signal);
    read_number(header->termination, &trace->signal);
    trace->exception_message = reason_of(header->information);
    if (trace->exception_message.size) return;
    trace->abort_message = header->information.size ? header->information : header->cause;
}

void fm_apple_header_fill(const struct fm_apple_header *header, bool crashed, framemap_trace *trace)
{
    trace->arch = header->arch;
    trace->os_version = header->os_version;
    trace->process_name = header->process;
    trace->has_process_id = header->has_pid;
    trace->process_id = header->has_pid ? header->pid : 0;
    if (crashed) fill_exception(header, trace);
}

void fm_apple_thread_title(framemap_str title, framemap_trace *trace)
{
    const framemap_str mark = FM_STR("Dispatch queue:");
    const size_t at = fm_str_find(title, mark);
    trace->thread_name = fm_str_trim(fm_str_slice(title, 0, at));
    if (at != FM_NOT_FOUND) trace->thread_queue = fm_str_trim(fm_str_from(title, at + mark.size));
}

/* Parses one register, "x0: 0x0000000000000000". The last register of a line may have text in parentheses after it. */
static bool next_register(struct fm_scan *s, framemap_register *out)
{
    fm_scan_blanks(s);
    const char *start = s->at;
    while (s->at != s->end && (fm_is_digit(*s->at) || (*s->at >= 'a' && *s->at <= 'z'))) s->at++;
    out->name = fm_str(start, (size_t)(s->at - start));
    return out->name.size && out->name.size <= 8 && fm_scan_text(s, FM_STR(": ")) &&
           fm_row_0xhex(s, &out->value) == FM_DIGITS_FIT;
}

bool fm_apple_registers(framemap_str body, struct fm_document *doc, framemap_trace *trace)
{
    struct fm_scan s = fm_scan_of(body);
    framemap_register one;
    if (!next_register(&s, &one)) return false;
    do
        if (trace->register_count >= REGISTERS_MOST || !fm_document_register(doc, trace, one.name, one.value)) break;
    while (next_register(&s, &one));
    return true;
}
