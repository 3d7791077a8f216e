/* Implements sanitizer_title.h: parses the title lines of reports of the sanitizers, GWP-ASan and libFuzzer: kind of
 * error, signal, process and thread. A table of phrases gives the role of a stack, such as "freed by" or "allocated
 * by". */
#include "formats/native/sanitizer_title.h"
#include "formats/native/native_parts.h"
#include "formats/row_parts.h"
#include "formats/signal_names.h"

static const framemap_str tools[] = {FM_STR_INIT("Sanitizer: "), FM_STR_INIT("libFuzzer: ")};
static const framemap_str error_mark = FM_STR_INIT("runtime error: "), received = FM_STR_INIT("Received signal ");

/* Returns the offset of the message after the name of the tool, "AddressSanitizer: "; 0: not found. */
static size_t message_start(framemap_str text)
{
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        const size_t at = fm_str_find(text, tools[i]);
        if (at != FM_NOT_FOUND) return at + tools[i].size;
    }
    return 0;
}

static bool has_words(framemap_str text, framemap_str words) { return fm_str_find(text, words) != FM_NOT_FOUND; }

bool fm_sanitizer_is_headline(framemap_str text)
{
    if (fm_str_starts(text, FM_STR("SUMMARY:"))) return false;
    return message_start(text) || fm_str_find(text, error_mark) != FM_NOT_FOUND || fm_str_starts(text, received);
}

/* Returns the kind of error that a message begins with: "double-free" for "attempting double-free on 0x60 in thread
 * T0:". */
static framemap_str type_of(framemap_str message)
{
    static const framemap_str ends[] = {FM_STR_INIT(" on "), FM_STR_INIT(" ("),         FM_STR_INIT(": "),
                                        FM_STR_INIT(" 0x"),  FM_STR_INIT(" in thread"), FM_STR_INIT(" after "),
                                        FM_STR_INIT("; ")};
    static const framemap_str attempting = FM_STR_INIT("attempting ");
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const size_t at = fm_str_find(message, ends[i]);
        if (at != FM_NOT_FOUND && at > 0) message.size = at;
    }
    if (message.size && message.data[message.size - 1] == ':') message.size--;
    if (fm_str_starts(message, attempting) && fm_str_find_byte(message, '-') != FM_NOT_FOUND)
        message = fm_str_from(message, attempting.size);
    return fm_str_trim(message);
}

/* Returns the name of a thread, such as "T0", at the start of the text. */
static framemap_str thread_at(framemap_str text)
{
    size_t end = 1;
    if (text.size < 2 || text.data[0] != 'T') return (framemap_str){NULL, 0};
    while (end < text.size && fm_is_digit(text.data[end])) end++;
    return fm_str(text.data, end > 1 ? end : 0);
}

/* Returns a number in the text: "12" for "… by thread 12 here:" of GWP-ASan. */
static framemap_str number_in(framemap_str text)
{
    static const framemap_str mark = FM_STR_INIT(" by thread ");
    const size_t at = fm_str_find(text, mark);
    if (at == FM_NOT_FOUND) return (framemap_str){NULL, 0};
    const framemap_str rest = fm_str_from(text, at + mark.size);
    size_t end = 0;
    while (end < rest.size && fm_is_digit(rest.data[end])) end++;
    return fm_str(rest.data, end);
}

/* Returns the first thread that the text names, as "thread T0" or "main thread". */
static framemap_str thread_in(framemap_str text)
{
    static const framemap_str mark = FM_STR_INIT("thread T"), main_mark = FM_STR_INIT("main thread");
    const size_t at = fm_str_find(text, mark), main_at = fm_str_find(text, main_mark);
    if (at != FM_NOT_FOUND) return thread_at(fm_str_from(text, at + mark.size - 1));
    return main_at == FM_NOT_FOUND ? (framemap_str){NULL, 0} : fm_str_slice(text, main_at, main_at + 4);
}

/* Reads the process from "==12==" or "(pid=12)". */
static void sanitizer_read_process(framemap_str text, struct fm_sanitizer_headline *out)
{
    static const framemap_str pid = FM_STR_INIT("(pid=");
    const size_t at = fm_str_find(text, pid);
    struct fm_scan s = fm_scan_of(text);
    if (at != FM_NOT_FOUND)
        s = fm_scan_of(fm_str_from(text, at + pid.size));
    else if (!fm_scan_text(&s, FM_STR("==")))
        return;
    out->has_process_id = fm_scan_dec(&s, &out->process_id, NULL);
}

/* Sets the signal if the headline's type is a name such as "SEGV", and the address from "SEGV on unknown address 0x0
 * (pc 0x1 bp 0x2 sp 0x3 T0)". */
static void read_signal(struct fm_sanitizer_headline *out)
{
    static const struct {
        framemap_str type, name;
    } rows[] = {{FM_STR_INIT("SEGV"), FM_STR_INIT("SIGSEGV")}, {FM_STR_INIT("ABRT"), FM_STR_INIT("SIGABRT")},
                {FM_STR_INIT("FPE"), FM_STR_INIT("SIGFPE")},   {FM_STR_INIT("ILL"), FM_STR_INIT("SIGILL")},
                {FM_STR_INIT("BUS"), FM_STR_INIT("SIGBUS")},   {FM_STR_INIT("TRAP"), FM_STR_INIT("SIGTRAP")}};
    static const framemap_str mark = FM_STR_INIT("address 0x"), end = FM_STR_INIT(" T");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (fm_str_equal(out->type, rows[i].type)) out->signal.name = rows[i].name;
    const size_t at = fm_str_find(out->message, mark), tail = fm_str_find_last(out->message, end);
    if (at != FM_NOT_FOUND && out->signal.name.size) {
        struct fm_scan s = fm_scan_of(fm_str_from(out->message, at + mark.size - 2));
        uint64_t address = 0;
        out->signal.has_address = fm_row_0xhex(&s, &address) == FM_DIGITS_FIT;
        out->signal.address = address;
    }
    if (out->thread.size == 0 && tail != FM_NOT_FOUND) out->thread = thread_at(fm_str_from(out->message, tail + 1));
}

/* Parses "Received signal 11 SEGV_MAPERR 000000000000", "Received signal 6". */
static void read_received(framemap_str text, struct fm_sanitizer_headline *out)
{
    struct fm_scan s = fm_scan_of(fm_str_from(text, received.size));
    uint64_t number = 0;
    if (!fm_scan_dec(&s, &number, NULL) || number > 64) return;
    out->signal.has_number = true;
    out->signal.number = (int32_t)number;
    out->signal.name = out->type = fm_signal_name(number, FM_SIGNALS_OF_ANY);
    fm_scan_blanks(&s);
    if (!fm_scan_word(&s, &out->signal.code_name)) return;
    fm_scan_blanks(&s);
    out->signal.has_address = fm_row_hex(&s, &out->signal.address) == FM_DIGITS_FIT;
    out->type = out->signal.code_name;
}

bool fm_sanitizer_read_headline(framemap_str text, struct fm_sanitizer_headline *out)
{
    if (!fm_sanitizer_is_headline(text)) return false;
    const size_t start = message_start(text), error = fm_str_find(text, error_mark);
    *out = (struct fm_sanitizer_headline){.text = text, .thread = thread_in(text)};
    if (start == 0 && error == FM_NOT_FOUND) {
        read_received(text, out);
    } else if (start) {
        out->message = fm_str_from(text, start);
        out->type = type_of(out->message);
        out->needs_main = !has_words(text, FM_STR("ThreadSanitizer: "));
        sanitizer_read_process(text, out);
        read_signal(out);
    } else {
        out->is_error = true;
        out->type = fm_str_slice(text, error, error + error_mark.size - 2);
        out->message = fm_str_from(text, error + error_mark.size);
    }
    return true;
}

void fm_sanitizer_put_headline(const struct fm_sanitizer_headline *headline, framemap_trace *trace)
{
    trace->exception = headline->text;
    trace->exception_type = headline->type;
    trace->exception_message = headline->message;
    trace->signal = headline->signal;
    trace->has_process_id = headline->has_process_id;
    trace->process_id = headline->process_id;
}

/* Reads the thread that a title names, and the name of the thread: "Thread T1 (worker) created by T0 here:", "Thread T1
 * 'worker' (tid=12, running) created by T0 at:", "READ of size 4 at 0x12 thread T1 (worker)". The list of locks that
 * ThreadSanitizer prints in the same place, "T1 (mutexes: write M1)", is not a name. */
static void sanitizer_read_thread(framemap_str text, size_t start, struct fm_sanitizer_section *out)
{
    struct fm_scan s = fm_scan_of(fm_str_from(text, start));
    framemap_str label;
    out->thread_id = thread_at(fm_scan_rest(&s));
    s.at += out->thread_id.size;
    fm_scan_blanks(&s);
    const bool quoted = fm_scan_byte(&s, '\'');
    if (out->thread_id.size == 0 || (!quoted && !fm_scan_byte(&s, '('))) return;
    const framemap_str rest = fm_scan_rest(&s);
    if (fm_str_starts(rest, FM_STR("tid=")) || fm_str_starts(rest, FM_STR("mutexes:"))) return;
    if (fm_scan_until(&s, quoted ? '\'' : ')', &label)) out->thread_name = label;
}

bool fm_sanitizer_read_section(framemap_str text, struct fm_sanitizer_section *out)
{
    static const struct {
        framemap_str start, words;
        framemap_role role;
    } rows[] = {{FM_STR_INIT("freed by"), {NULL, 0}, FRAMEMAP_ROLE_FREED_BY},
                {FM_STR_INIT("freed here"), {NULL, 0}, FRAMEMAP_ROLE_FREED_BY},
                {FM_STR_INIT("deallocated by"), {NULL, 0}, FRAMEMAP_ROLE_FREED_BY},
                {FM_STR_INIT("previously allocated"), {NULL, 0}, FRAMEMAP_ROLE_ALLOCATED_BY},
                {FM_STR_INIT("allocated by"), {NULL, 0}, FRAMEMAP_ROLE_ALLOCATED_BY},
                {FM_STR_INIT("allocated here"), {NULL, 0}, FRAMEMAP_ROLE_ALLOCATED_BY},
                {FM_STR_INIT("0x"), FM_STR_INIT(" was deallocated by thread "), FRAMEMAP_ROLE_FREED_BY},
                {FM_STR_INIT("0x"), FM_STR_INIT(" was allocated by thread "), FRAMEMAP_ROLE_ALLOCATED_BY},
                {FM_STR_INIT("Location is "), FM_STR_INIT("allocated by"), FRAMEMAP_ROLE_ALLOCATED_BY},
                {FM_STR_INIT("Address 0x"), FM_STR_INIT("is located in stack of"), FRAMEMAP_ROLE_ALLOCATED_BY},
                {FM_STR_INIT("Uninitialized value was created"), {NULL, 0}, FRAMEMAP_ROLE_ALLOCATED_BY},
                {FM_STR_INIT("Uninitialized value was stored"), {NULL, 0}, FRAMEMAP_ROLE_PREVIOUS_ACCESS},
                {FM_STR_INIT("Memory was marked as"), {NULL, 0}, FRAMEMAP_ROLE_PREVIOUS_ACCESS},
                {FM_STR_INIT("Previous "), FM_STR_INIT("0x"), FRAMEMAP_ROLE_PREVIOUS_ACCESS},
                {FM_STR_INIT("Direct leak of "), {NULL, 0}, FRAMEMAP_ROLE_LEAK},
                {FM_STR_INIT("Indirect leak of "), {NULL, 0}, FRAMEMAP_ROLE_LEAK},
                {FM_STR_INIT("Thread T"), FM_STR_INIT("created by"), FRAMEMAP_ROLE_THREAD_CREATED},
                {FM_STR_INIT("Previously allocated frames:"), {NULL, 0}, FRAMEMAP_ROLE_ALLOCATED_BY},
                {FM_STR_INIT("READ of size"), {NULL, 0}, FRAMEMAP_ROLE_NONE},
                {FM_STR_INIT("WRITE of size"), {NULL, 0}, FRAMEMAP_ROLE_NONE},
                {FM_STR_INIT("Read of size"), {NULL, 0}, FRAMEMAP_ROLE_NONE},
                {FM_STR_INIT("Write of size"), {NULL, 0}, FRAMEMAP_ROLE_NONE},
                {FM_STR_INIT("Atomic "), FM_STR_INIT(" of size"), FRAMEMAP_ROLE_NONE},
                {FM_STR_INIT("Mutex M"), FM_STR_INIT(" created at"), FRAMEMAP_ROLE_ALLOCATED_BY},
                {FM_STR_INIT("Mutex M"), FM_STR_INIT(" previously acquired"), FRAMEMAP_ROLE_PREVIOUS_ACCESS},
                {FM_STR_INIT("Mutex M"), FM_STR_INIT(":"), FRAMEMAP_ROLE_NONE},
                {FM_STR_INIT("As if synchronized"), {NULL, 0}, FRAMEMAP_ROLE_NONE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!fm_str_begins(text, rows[i].start)) continue;
        if (rows[i].words.size && !has_words(text, rows[i].words)) continue;
        *out = (struct fm_sanitizer_section){.role = rows[i].role, .title = text};
        const bool creates = out->role == FRAMEMAP_ROLE_THREAD_CREATED;
        const size_t at = creates ? 0 : fm_str_find(text, FM_STR("thread T"));
        if (at != FM_NOT_FOUND)
            sanitizer_read_thread(text, at + 7, out);
        else
            out->thread_id = thread_in(text);
        if (out->thread_id.size == 0) out->thread_id = number_in(text);
        return true;
    }
    return false;
}
