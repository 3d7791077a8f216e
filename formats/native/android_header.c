/* Header lines of Android's crash reports: process, thread, signal, build. Called by android_tombstone.c and
 * formats/android. */
#include "formats/native/android.h"

#include "formats/row_parts.h"
#include "formats/signal_names.h"
#include <stdio.h>

/* Returns the text between the single quotes in the text, or all of it if there are none; trimmed. */
static framemap_str unquoted(framemap_str text)
{
    text = fm_str_trim(text);
    if (text.size >= 2 && text.data[0] == '\'' && text.data[text.size - 1] == '\'')
        return fm_str(text.data + 1, text.size - 2);
    return text;
}

/* Returns the release in a build fingerprint, "google/sailfish/sailfish:10/QP1A.190711.020/5800535:user/release-keys":
 * "10". */
static framemap_str release_of(framemap_str fingerprint)
{
    const size_t colon = fm_str_find_byte(fingerprint, ':');
    if (colon == FM_NOT_FOUND) return fingerprint;
    const framemap_str rest = fm_str_from(fingerprint, colon + 1);
    const size_t slash = fm_str_find_byte(rest, '/');
    return slash == FM_NOT_FOUND || slash == 0 ? fingerprint : fm_str(rest.data, slash);
}

/* Splits "…  >>> com.example <<<". *process: "com.example"; *text: the text before the arrows. */
static bool cut_process(framemap_str *text, framemap_str *process)
{
    const size_t at = fm_str_find(*text, FM_STR(">>> "));
    if (at == FM_NOT_FOUND) return false;
    framemap_str name = fm_str_from(*text, at + 4);
    if (fm_str_ends(name, FM_STR("<<<"))) name.size -= 3;
    *process = fm_str_trim(name);
    *text = fm_str_trim(fm_str(text->data, at));
    return true;
}

/* Parses "pid: 1, tid: 2, name: Render Thread  >>> com.example <<<". Reports of ANRs by xCrash have no tid and no name;
 * reports of Android 4 and earlier have no name. */
static bool read_pid(struct fm_scan s, struct fm_android_head *head)
{
    framemap_str text, process;
    uint64_t pid, tid;
    if (!fm_scan_text(&s, FM_STR("pid: ")) || !fm_scan_dec(&s, &pid, NULL)) return false;
    text = fm_scan_rest(&s);
    if (!cut_process(&text, &process)) return false;
    head->process = process;
    head->has_process_id = true;
    head->process_id = pid;
    head->thread_id = head->thread_name = (framemap_str){NULL, 0};
    s = fm_scan_of(text);
    if (!fm_scan_text(&s, FM_STR(", tid: "))) return true;
    const char *digits = s.at;
    if (!fm_scan_dec(&s, &tid, NULL)) return true;
    head->thread_id = fm_str(digits, (size_t)(s.at - digits));
    if (fm_scan_text(&s, FM_STR(", name: "))) head->thread_name = fm_scan_rest(&s);
    return true;
}

/* Parses "Guest thread information for tid: 2896", the title of a stack of code for another CPU that a thread ran. */
static bool read_guest(struct fm_scan s, struct fm_android_head *head)
{
    uint64_t tid;
    if (!fm_scan_text(&s, FM_STR("Guest thread information for tid: "))) return false;
    const char *digits = s.at;
    if (!fm_scan_dec(&s, &tid, NULL)) return false;
    head->thread_id = fm_str(digits, (size_t)(s.at - digits));
    return true;
}

/* Parses "11 (SIGSEGV)", "-6 (SI_TKILL from pid 5, uid 0)". */
static bool read_number(struct fm_scan *s, int32_t *number, framemap_str *name)
{
    uint64_t value;
    framemap_str group;
    const bool minus = fm_scan_byte(s, '-');
    if (!fm_scan_dec(s, &value, NULL) || value > INT32_MAX) return false;
    *number = minus ? -(int32_t)value : (int32_t)value;
    struct fm_scan t = *s;
    if (!fm_scan_text(&t, FM_STR(" (")) || !fm_scan_until(&t, ')', &group)) return true;
    t.at++;
    *s = t;
    const size_t from = fm_str_find(group, FM_STR(" from "));
    if (from != FM_NOT_FOUND) group.size = from;
    if (!fm_str_equal(group, FM_STR("?")) && group.size && group.data[0] != '<') *name = group;
    return true;
}

/* Parses the rest of a line with a signal after `word`: "11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0". */
static bool read_signal(struct fm_scan s, framemap_str word, struct fm_android_head *head)
{
    framemap_signal *signal = &head->signal;
    const framemap_str whole = fm_scan_rest(&s);
    framemap_signal found = {.has_number = true};
    framemap_str name = {NULL, 0}, code_name = {NULL, 0};
    if (!fm_scan_text(&s, word) || !read_number(&s, &found.number, &name)) return false;
    *signal = found;
    head->signal_name = name;
    if (fm_scan_text(&s, FM_STR(", code "))) signal->has_code = read_number(&s, &signal->code, &code_name);
    head->signal_code_name = code_name;
    if (fm_scan_text(&s, FM_STR(", fault addr ")) || fm_scan_text(&s, FM_STR(", faultAddr "))) {
        enum fm_digits digits = fm_row_0xhex(&s, &signal->address);
        if (digits == FM_DIGITS_NONE) digits = fm_row_hex(&s, &signal->address);
        signal->has_address = digits == FM_DIGITS_FIT;
    }
    head->signal_text = whole;
    return true;
}

/* The kinds of values that header lines with a single value state. */
enum value { VALUE_ARCH, VALUE_GUEST_ARCH, VALUE_FINGERPRINT, VALUE_VERSION, VALUE_COMMAND };
static const struct {
    framemap_str word;
    enum value value;
} values[] = {{FM_STR_INIT("ABI: "), VALUE_ARCH},
              {FM_STR_INIT("Guest architecture: "), VALUE_GUEST_ARCH},
              {FM_STR_INIT("Build fingerprint: "), VALUE_FINGERPRINT},
              {FM_STR_INIT("OS version: "), VALUE_VERSION},
              {FM_STR_INIT("Cmdline: "), VALUE_COMMAND},
              {FM_STR_INIT("Cmd line: "), VALUE_COMMAND}};

static enum fm_android_head_kind take_value(enum value value, framemap_str text, struct fm_android_head *head)
{
    switch (value) {
    case VALUE_ARCH: head->arch = text; break;
    case VALUE_GUEST_ARCH: head->guest_arch = text; break;
    case VALUE_VERSION: head->os_version = text; break;
    case VALUE_COMMAND: head->process = text; break;
    case VALUE_FINGERPRINT:
        if (head->os_version.size == 0) head->os_version = release_of(text);
        return FM_ANDROID_HEAD_REPORT;
    }
    return FM_ANDROID_HEAD_VALUE;
}

enum fm_android_head_kind fm_android_head_read(framemap_str text, struct fm_android_head *head)
{
    struct fm_android_head unused = {.has_process_id = false};
    if (head == NULL) head = &unused;
    if (text.size < 5) return FM_ANDROID_HEAD_NONE;
    if (*text.data == 'p') return read_pid(fm_scan_of(text), head) ? FM_ANDROID_HEAD_THREAD : FM_ANDROID_HEAD_NONE;
    if (*text.data == 's')
        return read_signal(fm_scan_of(text), FM_STR("signal "), head) ? FM_ANDROID_HEAD_SIGNAL : FM_ANDROID_HEAD_NONE;
    if (*text.data == 'G' && read_guest(fm_scan_of(text), head)) return FM_ANDROID_HEAD_GUEST;
    if (fm_str_begins(text, FM_STR("Abort message: "))) {
        head->abort_message = unquoted(fm_str_from(text, 15));
        return FM_ANDROID_HEAD_ABORT;
    }
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (fm_str_begins(text, values[i].word))
            return take_value(values[i].value, unquoted(fm_str_from(text, values[i].word.size)), head);
    return FM_ANDROID_HEAD_NONE;
}

/* Finds a header line within a longer line, and reads it. The header line begins with `word` and ends with the text
 * `last`; with_word: it also includes the word after `last`, such as the address after "fault addr ". */
static enum fm_android_head_kind read_within(framemap_str text, framemap_str word, framemap_str last, bool with_word,
                                             struct fm_android_head *head)
{
    const size_t at = fm_str_find(text, word);
    if (at == FM_NOT_FOUND || (at > 0 && text.data[at - 1] >= 'a' && text.data[at - 1] <= 'z'))
        return FM_ANDROID_HEAD_NONE;
    text = fm_str_from(text, at);
    size_t end = fm_str_find(fm_str_from(text, word.size), last);
    if (end == FM_NOT_FOUND) return FM_ANDROID_HEAD_NONE;
    end += word.size + last.size;
    while (with_word && end < text.size && !fm_is_blank(text.data[end])) end++;
    return fm_android_head_read(fm_str(text.data, end), head);
}

bool fm_android_head_within(framemap_str text, struct fm_android_head *head, bool *crashed)
{
    const bool has_arch = read_within(text, FM_STR("ABI: '"), FM_STR("'"), false, head) != FM_ANDROID_HEAD_NONE;
    const bool has_thread = read_within(text, FM_STR("pid: "), FM_STR(" <<<"), false, head) != FM_ANDROID_HEAD_NONE;
    *crashed = read_within(text, FM_STR("signal "), FM_STR(", fault addr "), true, head) != FM_ANDROID_HEAD_NONE;
    return has_arch || has_thread || *crashed;
}

bool fm_android_short_head_read(framemap_str text, struct fm_android_head *head)
{
    static const framemap_str words[] = {FM_STR_INIT("threadName: "), FM_STR_INIT("cmdline: "),
                                         FM_STR_INIT("abortMessage: "), FM_STR_INIT("osVersion: ")};
    framemap_str version = {NULL, 0};
    framemap_str *const values_of[] = {&head->thread_name, &head->process, &head->abort_message, &version};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fm_str_starts(text, words[i])) *values_of[i] = fm_str_trim(fm_str_from(text, words[i].size));
    if (version.size) head->os_version = release_of(version);
    if (fm_str_starts(text, FM_STR("signal: "))) (void)read_signal(fm_scan_of(text), FM_STR("signal: "), head);
    return !fm_str_starts(text, FM_STR("type: "));
}

/* --- parsing the header lines of HarmonyOS --- */

/* Parses "Tid:9623, Name:main", and "Thread name:main" of the short reports. */
static bool read_harmony_thread(framemap_str text, framemap_trace *trace)
{
    static const framemap_str name = FM_STR_INIT("Thread name:");
    struct fm_scan s = fm_scan_of(text);
    uint64_t tid;
    if (fm_str_starts(text, name)) {
        trace->thread = trace->thread_name = fm_str_trim(fm_str_from(text, name.size));
        return true;
    }
    if (!fm_scan_text(&s, FM_STR("Tid:"))) return false;
    const char *digits = s.at;
    if (!fm_scan_dec(&s, &tid, NULL)) return false;
    trace->thread_id = fm_str(digits, (size_t)(s.at - digits));
    if (fm_scan_text(&s, FM_STR(", Name:"))) trace->thread = trace->thread_name = fm_str_trim(fm_scan_rest(&s));
    return true;
}

/* Parses "Signal:SIGSEGV(SEGV_MAPERR)@0x00000004  probably caused by NULL pointer dereference". */
static void read_harmony_reason(framemap_str reason, framemap_trace *trace)
{
    struct fm_scan s = fm_scan_of(reason);
    trace->crashed = true;
    trace->exception = reason;
    if (!fm_scan_text(&s, FM_STR("Signal:"))) return;
    framemap_str rest = fm_scan_rest(&s);
    const size_t open = fm_str_find_byte(rest, '('), close = fm_str_find_byte(rest, ')'),
                 at = fm_str_find(rest, FM_STR(")@"));
    trace->exception = rest;
    trace->exception_type = trace->signal.name = fm_str_slice(rest, 0, open);
    if (open == FM_NOT_FOUND || close == FM_NOT_FOUND || close < open) return;
    trace->signal.code_name = fm_str_slice(rest, open + 1, close);
    if (at == FM_NOT_FOUND) return;
    s = fm_scan_of(fm_str_from(rest, at + 2));
    trace->signal.has_address = fm_row_0xhex(&s, &trace->signal.address) == FM_DIGITS_FIT;
}

static void read_harmony_process(framemap_str text, framemap_trace *trace)
{
    static const framemap_str pid = FM_STR_INIT("Pid:"), process = FM_STR_INIT("Process name:"),
                              module = FM_STR_INIT("Module name:"), reason = FM_STR_INIT("Reason:");
    if (fm_str_starts(text, pid)) {
        struct fm_scan s = fm_scan_of(fm_str_from(text, pid.size));
        trace->has_process_id = fm_scan_dec(&s, &trace->process_id, NULL);
    } else if (fm_str_starts(text, process)) {
        trace->process_name = fm_str_from(text, process.size);
    } else if (fm_str_starts(text, module) && trace->process_name.size == 0) {
        trace->process_name = fm_str_from(text, module.size);
    } else if (fm_str_starts(text, reason) && !trace->crashed) {
        read_harmony_reason(fm_str_from(text, reason.size), trace);
    }
}

void fm_android_harmony_head(struct fm_document *doc, const struct fm_line *line, framemap_trace *trace)
{
    enum { ABOVE = 16 };
    struct fm_look_back walk = fm_look_back_from(doc, line, fm_document_last_end(doc), ABOVE);
    struct fm_line *above = fm_look_back_next(&walk);
    if (above == NULL || !fm_line_cut(above) || !read_harmony_thread(fm_str_trim(above->body), trace)) return;
    while ((above = fm_look_back_next(&walk)) != NULL)
        if (fm_line_cut(above)) read_harmony_process(fm_str_trim(above->body), trace);
}

/* Parses "SIGSEGV(SEGV_MAPERR)" or "SIGABRT", which is the whole text. */
static bool read_bugly_signal(framemap_str text, framemap_str *name, framemap_str *code)
{
    const size_t open = fm_str_find_byte(text, '(');
    *name = fm_str_slice(text, 0, open);
    *code = (framemap_str){NULL, 0};
    if (!fm_is_signal_name(*name)) return false;
    if (open == FM_NOT_FOUND) return true;
    *code = fm_str_slice(text, open + 1, text.size - 1);
    return code->size && text.data[text.size - 1] == ')' && fm_str_find_byte(*code, '(') == FM_NOT_FOUND;
}

/* Reads the lines that Bugly logs above a stack: "# CRASH THREAD: GLThread 12(1234)", "# CRASH PROCESS: com.x". */
static void read_bugly_head(framemap_str text, framemap_trace *trace)
{
    static const framemap_str thread = FM_STR_INIT("# CRASH THREAD: "), process = FM_STR_INIT("# CRASH PROCESS: ");
    if (fm_str_starts(text, process)) trace->process_name = fm_str_from(text, process.size);
    if (!fm_str_starts(text, thread)) return;
    trace->thread_name = fm_str_from(text, thread.size);
    fm_row_name_number(&trace->thread_name, &trace->thread_id);
    trace->thread = trace->thread_name;
    trace->crashed = true;
}

void fm_android_bugly_above(struct fm_document *doc, const struct fm_line *line, framemap_trace *trace)
{
    /* maximum numbers of lines: to the first line of the header, and to the signal, which is below it */
    enum { ABOVE = 20, SIGNAL = 4 };
    framemap_str name, code;
    struct fm_look_back walk = fm_look_back_from(doc, line, fm_document_last_end(doc), ABOVE);
    int count = 0;
    for (struct fm_line *above; (above = fm_look_back_next(&walk)) != NULL; count++) {
        const framemap_str text = fm_line_cut(above) ? fm_str_trim(above->body) : (framemap_str){NULL, 0};
        if (fm_str_starts(text, FM_STR("#+++"))) return; /* the first line of the header */
        read_bugly_head(text, trace);
        if (count >= SIGNAL || trace->exception.size || !read_bugly_signal(text, &name, &code)) continue;
        trace->crashed = true;
        trace->exception = text;
        trace->exception_type = trace->signal.name = name;
        trace->signal.code_name = code;
    }
}

void fm_android_head_give(const struct fm_android_head *head, framemap_trace *trace)
{
    trace->arch = head->arch;
    trace->os = FM_STR("android");
    trace->os_version = head->os_version;
    trace->process_name = head->process;
    trace->has_process_id = head->has_process_id;
    trace->process_id = head->process_id;
    trace->thread = trace->thread_name = head->thread_name;
    trace->thread_id = head->thread_id;
}

/* Returns the signal and the abort message in the wording of a tombstone that is text. */
static framemap_str exception_of(const struct fm_android_head *head, struct fm_document *doc)
{
    enum { NAME_MOST = 64, FIXED = 128 };
    const framemap_str signal = fm_str_slice(head->signal_name, 0, NAME_MOST),
                       code = fm_str_slice(head->signal_code_name, 0, NAME_MOST);
    const size_t most = FIXED + (size_t)2 * NAME_MOST;
    if (!head->signal.has_number) return head->abort_message;
    char *text = fm_document_alloc(doc, most + head->abort_message.size);
    if (!text) return (framemap_str){NULL, 0};
    int size =
        snprintf(text, most, "signal %d (%.*s), code %d (%.*s)", (int)head->signal.number, (int)signal.size,
                 signal.data ? signal.data : "", (int)head->signal.code, (int)code.size, code.data ? code.data : "");
    if (size > 0 && head->signal.has_address)
        size +=
            snprintf(text + size, most - (size_t)size, ", fault addr 0x%llx", (unsigned long long)head->signal.address);
    size_t used = size > 0 ? (size_t)size : 0;
    if (head->abort_message.size == 0) return fm_str(text, used);
    memcpy(text + used, ": ", 2);
    memcpy(text + used + 2, head->abort_message.data, head->abort_message.size);
    return fm_str(text, used + 2 + head->abort_message.size);
}

void fm_android_head_give_crash(const struct fm_android_head *head, struct fm_document *doc, framemap_trace *trace)
{
    trace->exception = exception_of(head, doc);
    trace->exception_type = head->signal_name;
    trace->abort_message = head->abort_message;
    trace->signal = head->signal;
    trace->signal.name = head->signal_name;
    trace->signal.code_name = head->signal_code_name;
    trace->crashed = true;
}

void fm_android_set_map(framemap_frame *frame, framemap_str map)
{
    const size_t embedded = fm_str_find_last_byte(map, '!');
    const bool has_file = map.size && map.data[0] != '<' && map.data[0] != '[';
    frame->module_path = map;
    frame->module = has_file ? fm_str_basename(embedded == FM_NOT_FOUND ? map : fm_str_from(map, embedded + 1)) : map;
    frame->status = has_file ? FRAMEMAP_FRAME_RAW : FRAMEMAP_FRAME_UNKNOWN_IMAGE;
    frame->reason = has_file ? NULL : "the code is in anonymous memory, not in a file";
}
