/* Reports of Valgrind's tools:
 *
 *     ==19182== Invalid write of size 4
 *     ==19182==    at 0x804838F: f(int) (example.c:6)
 *     ==19182==    by 0x80483AB: main (in /usr/bin/app)
 *     ==19182==  Address 0x1ba45050 is 0 bytes after a block of size 40 alloc'd
 *     ==19182==    at 0x1B8FF5CD: malloc (vg_replace_malloc.c:130)
 *
 * "at" starts a stack; the line above it is its title. People often remove "==19182==" before they publish a report.
 * All addresses are those of calls. Nothing is looked up, because no row prints the load address of its image. */
#include "formats/native/native_parts.h"
#include "formats/parsers.h"

static const char name[] = "valgrind";
#define VALGRIND_GAP 2   /* up to this many lines of other text may be within one stack */
#define VALGRIND_ABOVE 4 /* maximum number of lines above a stack that are searched for the error */

struct valgrind_state {
    uint64_t number1; /* line number of the last row */
    bool has_main;
    uint64_t main; /* number of the trace of the error's main stack; further stacks are parts of it */
};

struct valgrind_line {
    framemap_str text; /* text of the line after the process, which is printed as "==19182== " */
    uint64_t process;
    bool has_process;
};

/* Cuts the process off the start of a line, "==19182== " or "==00:00:00:01.234 19182== ". *rest: the text after it. */
static bool cut_process(framemap_str body, framemap_str *rest, uint64_t *process)
{
    struct fm_scan s = fm_scan_of(fm_str_trim(body));
    if (!fm_scan_text(&s, FM_STR("=="))) return false;
    const framemap_str after = fm_scan_rest(&s);
    const size_t end = fm_str_find(after, FM_STR("=="));
    if (end == FM_NOT_FOUND || end == 0 || end > 32) return false;
    framemap_str head = fm_str(after.data, end);
    const size_t blank = fm_str_find_last_byte(head, ' ');
    if (blank != FM_NOT_FOUND) head = fm_str_from(head, blank + 1);
    struct fm_scan digits = fm_scan_of(head);
    if (!fm_scan_dec(&digits, process, NULL) || !fm_scan_done(&digits)) return false;
    *rest = fm_str_trim(fm_str_from(after, end + 2));
    return true;
}

static struct valgrind_line line_of(framemap_str body)
{
    struct valgrind_line line = {.text = fm_str_trim(body)};
    line.has_process = cut_process(body, &line.text, &line.process);
    return line;
}

/* Cuts the group in parentheses off the end of a row. A row without a function consists of the group only. */
static bool cut_place(framemap_str *row, framemap_str *place)
{
    if (fm_row_group(row, place)) return true;
    if (!fm_str_starts(*row, FM_STR("(")) || !fm_str_ends(*row, FM_STR(")"))) return false;
    *place = fm_str_slice(*row, 1, row->size - 1);
    row->size = 0;
    return true;
}

/* Parses the group at the end of a row: "example.c:6", "in /usr/bin/app"; before Valgrind 3.9 "within /usr/bin/app". */
static bool valgrind_read_place(framemap_str group, framemap_frame *frame)
{
    static const framemap_str before[] = {FM_STR_INIT("in "), FM_STR_INIT("within ")};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        if (fm_str_starts(group, before[i])) {
            fm_native_set_module(frame, fm_str_from(group, before[i].size));
            return frame->module.size != 0;
        }
    return fm_row_location(group, &frame->file, &frame->line, &frame->column);
}

/* Parses "at 0x804838F: f(int) (example.c:6)", "by 0x80483AB: main (in /usr/bin/app)", "by 0x1: ???". A row without
 * "==19182==" is accepted if it has a group in parentheses or "???". *first: the row begins with "at". */
static bool valgrind_parse_row(const struct valgrind_line *line, framemap_frame *frame, bool *first)
{
    struct fm_scan s = fm_scan_of(line->text);
    framemap_str group;
    *first = fm_scan_text(&s, FM_STR("at "));
    if (!*first && !fm_scan_text(&s, FM_STR("by "))) return false;
    const enum fm_digits digits = fm_row_0xhex(&s, &frame->address);
    if (digits == FM_DIGITS_NONE || !fm_scan_text(&s, FM_STR(": "))) return false;
    framemap_str rest = fm_str_trim(fm_scan_rest(&s)), left = rest;
    frame->has_address = true;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    const bool has_place = cut_place(&left, &group) && valgrind_read_place(group, frame);
    if (has_place) rest = left;
    const bool unknown = fm_str_equal(rest, FM_STR("???"));
    if (!unknown) frame->function = rest;
    if (frame->function.size) frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    if (digits == FM_DIGITS_LONG) fm_row_malformed(frame, FM_LONG_ADDRESS);
    return line->has_process ? rest.size != 0 || has_place : unknown || has_place;
}

static bool has(framemap_str text, framemap_str words) { return fm_str_find(text, words) != FM_NOT_FOUND; }

static framemap_role role_of(framemap_str title)
{
    if (fm_str_starts(title, FM_STR("Address 0x")) || fm_str_starts(title, FM_STR("Block was "))) {
        if (has(title, FM_STR("free'd"))) return FRAMEMAP_ROLE_FREED_BY;
        if (has(title, FM_STR("alloc'd"))) return FRAMEMAP_ROLE_ALLOCATED_BY;
    }
    if (fm_str_starts(title, FM_STR("Uninitialised value was created"))) return FRAMEMAP_ROLE_ALLOCATED_BY;
    if (fm_str_starts(title, FM_STR("This conflicts with a previous"))) return FRAMEMAP_ROLE_PREVIOUS_ACCESS;
    if (fm_str_starts(title, FM_STR("Thread #")) && fm_str_ends(title, FM_STR("was created")))
        return FRAMEMAP_ROLE_THREAD_CREATED;
    return FRAMEMAP_ROLE_NONE;
}

/* Returns the type of an error: "Invalid write" for "Invalid write of size 4", "definitely lost" for "40 bytes in 1
 * blocks are definitely lost in loss record 1 of 1". */
static framemap_str type_of(framemap_str title)
{
    static const framemap_str lost[] = {FM_STR_INIT("definitely lost"), FM_STR_INIT("indirectly lost"),
                                        FM_STR_INIT("possibly lost"), FM_STR_INIT("still reachable")};
    static const framemap_str ends[] = {FM_STR_INIT(" of size "), FM_STR_INIT(" at 0x"), FM_STR_INIT(" during ")};
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
        const size_t at = fm_str_find(title, lost[i]);
        if (at != FM_NOT_FOUND) return fm_str(title.data + at, lost[i].size);
    }
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        title.size = fm_str_slice(title, 0, fm_str_find(title, ends[i])).size;
    return title;
}

/* Parses "Process terminating with default action of signal 11 (SIGSEGV): dumping core". */
static void read_signal(framemap_str title, framemap_trace *trace)
{
    static const framemap_str mark = FM_STR_INIT(" of signal ");
    const size_t at = fm_str_find(title, mark), open = fm_str_find_byte(title, '('),
                 close = fm_str_find_byte(title, ')');
    struct fm_scan s = fm_scan_of(fm_str_from(title, at == FM_NOT_FOUND ? title.size : at + mark.size));
    uint64_t number = 0;
    if (!fm_scan_dec(&s, &number, NULL) || number > 64 || open == FM_NOT_FOUND || close == FM_NOT_FOUND || close < open)
        return;
    trace->signal.has_number = true;
    trace->signal.number = (int32_t)number;
    trace->exception_type = trace->signal.name = fm_str_slice(title, open + 1, close);
    trace->crashed = true;
}

/* Parses "Thread 2:", "Thread 2 worker:". */
static void valgrind_read_thread(framemap_str text, framemap_trace *trace)
{
    struct fm_scan s = fm_scan_of(fm_str_from(text, 7));
    uint64_t number = 0;
    const char *digits = s.at;
    if (!fm_scan_dec(&s, &number, NULL)) return;
    trace->thread = trace->thread_id = fm_str(digits, (size_t)(s.at - digits));
    const framemap_str rest = fm_str_trim(fm_scan_rest(&s));
    if (rest.size > 1) trace->thread = trace->thread_name = fm_str_slice(rest, 0, rest.size - 1);
}

/* Whether a line without "==19182==" belongs to a report: it is a title, or may be between a title and its stack. */
static bool is_reported(framemap_str text)
{
    static const framemap_str starts[] = {
        FM_STR_INIT("Invalid "),
        FM_STR_INIT("Conditional jump or move depends on "),
        FM_STR_INIT("Use of uninitialised value"),
        FM_STR_INIT("Syscall param "),
        FM_STR_INIT("Mismatched free()"),
        FM_STR_INIT("Source and destination overlap"),
        FM_STR_INIT("Jump to the invalid address"),
        FM_STR_INIT("Argument '"),
        FM_STR_INIT("Process terminating with "),
        FM_STR_INIT("Access not within mapped region"),
        FM_STR_INIT("Possible data race during "),
        FM_STR_INIT("Conflicting "),
        FM_STR_INIT("Locks held: "),
        FM_STR_INIT("Thread "),
    };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (fm_str_starts(text, starts[i])) return true;
    return has(text, FM_STR(" in loss record ")) || role_of(text) != FRAMEMAP_ROLE_NONE;
}

/* Searches the lines above a stack for its title, for the signal that ended the process, and for the thread. */
static void take_title(struct valgrind_state *state, struct fm_document *doc, const struct fm_line *line,
                       bool has_process, framemap_trace *trace)
{
    struct fm_look_back back = fm_look_back_from(doc, line, 0, VALGRIND_ABOVE);
    framemap_str title = {NULL, 0};
    for (struct fm_line *before; (before = fm_look_back_next(&back)) != NULL;) {
        if (!fm_line_cut(before)) break;
        const struct valgrind_line above = line_of(before->body);
        const framemap_str text = above.text;
        if (above.has_process != has_process || text.size == 0 || (!has_process && !is_reported(text))) break;
        framemap_frame ignored = FM_FRAME_INIT;
        bool first;
        if (valgrind_parse_row(&above, &ignored, &first)) break;
        if (fm_str_starts(text, FM_STR("Locks held: "))) continue;
        if (fm_str_starts(text, FM_STR("Thread ")) && fm_str_ends(text, FM_STR(":"))) {
            valgrind_read_thread(text, trace);
            break;
        }
        if (title.size == 0 || has(text, FM_STR(" of signal "))) title = text;
        if (role_of(title) != FRAMEMAP_ROLE_NONE) break;
    }
    const framemap_role role = role_of(title);
    if (role != FRAMEMAP_ROLE_NONE && state->has_main) {
        trace->role = role;
        trace->part_of = state->main;
        return;
    }
    state->main = trace->number;
    state->has_main = true;
    if (title.size == 0 || role != FRAMEMAP_ROLE_NONE) return;
    trace->exception = trace->exception_message = title;
    trace->exception_type = type_of(title);
    read_signal(title, trace);
}

static bool valgrind_is_significant(const struct fm_line *line)
{
    const struct valgrind_line own = line_of(line->body);
    framemap_frame frame = FM_FRAME_INIT;
    bool first;
    return valgrind_parse_row(&own, &frame, &first);
}

static enum fm_line_role valgrind_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct valgrind_state *state = memory;
    const struct valgrind_line own = line_of(line->body);
    framemap_frame frame = FM_FRAME_INIT;
    bool first;
    if (!valgrind_parse_row(&own, &frame, &first)) return FM_ROLE_NONE;
    framemap_trace *trace = fm_document_open(doc, name);
    if (trace == NULL || first || line->begins || line->number1 - state->number1 > VALGRIND_GAP) {
        trace = fm_document_trace(doc, name, line);
        if (trace == NULL) return FM_ROLE_FRAME;
        trace->has_process_id = own.has_process;
        trace->process_id = own.process;
        take_title(state, doc, line, own.has_process, trace);
    }
    fm_document_frame(doc, line, &frame);
    state->number1 = line->number1;
    return FM_ROLE_FRAME;
}

const struct fm_format fm_valgrind = {.info = {name, "reports of Valgrind (==12==    at 0x12: f (a.c:7))", true, false},
                                      .marks = FM_MARK_HEX,
                                      .firsts = "=ab",
                                      .state_size = sizeof(struct valgrind_state),
                                      .keeps_state = true,
                                      .offer = valgrind_offer,
                                      .is_significant = valgrind_is_significant};
