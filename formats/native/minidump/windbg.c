/* Stacks of WinDbg, cdb and kd (k, kb, kv, kn, !analyze), and of Visual C++'s std::stacktrace, which uses the same
 * engine:
 *
 *     STACK_TEXT:
 *     002df7e4 00fd1423 00fd1078 00fd1078 7f956000 app!crash+0x1e
 *     000000bc`aeaaa440 00007ff8`c045e70d : 00010000`80000000 … : app!Js::Divide+0x7f [d:\src\a.cc @ 12]
 *     00 (Inline Function) --------`-------- app!f+0x3
 *     0015fce4 010e1415 app!g(                             kP: each parameter on a line of its own
 *                 int a = 0n18)+0x1e [d:\src\a.cc @ 7]
 *
 *     AddrPC           Params                              Dr. Mingw: the address of the frame is first
 *     0000000000496132 000000001A6719B0 000000000000000E 0000000000000000  app.exe!crash  [C:\src\a.c @ 12]
 *
 *     #   0  Id: 1a2c.2b30 Suspend: 1 Teb: 000000b2`1c6d1000 Unfrozen "worker"     ~*k: a thread
 *     00         8 000000b2`1c8ff6d0 00007ff7`5a3c10d3     app!f+0x8e              kf: with the size of the frame
 *     00 app!f                                                                     kc, below "# Call Site"
 *
 *     0> D:\src\a.cc(12): app!crash+0x1e
 *     1> app!main+0x7f
 *
 * In WinDbg's rows, the first column is the stack pointer, and the second the address in the caller to which the
 * frame returns. Logs are wrapped after 80 columns, even within words; such lines are joined. Nothing is looked up:
 * the rows have names. */
#include "formats/native/native_parts.h"
#include "formats/parsers.h"

static const char name[] = "windbg";
#define WIDTH 80     /* columns after which a console wraps lines */
#define WINDBG_GAP 3 /* up to this many lines of other text may be within one stack */
/* up to this many lines of other text may be within a stack of Dr. Mingw, which prints source below each row */
#define SOURCE 6
/* maximum number of lines, such as registers, between the message of Dr. Mingw and its stack */
#define WINDBG_ABOVE 12
#define SITE_MOST 4096 /* maximum number of bytes of a call site that is joined while its parentheses are open */
#define FAR 200        /* maximum number of lines between the line with the code of an exception and the stack */

struct windbg_state {
    framemap_str site; /* the call site read so far, if the next line may continue it */
    uint64_t number1;
    framemap_str exception; /* exception such as "c0000005 (Access violation)", until a stack gets it */
    uint64_t exception1;
    framemap_str thread_id, thread_name; /* thread that is named on the line above a stack */
    uint64_t thread1;                    /* number of the line that names the thread; 0: no line names a thread */
    bool titled, fresh, faulted;
    bool pc_first; /* Dr. Mingw printed the title */
    bool sites;    /* the title is that of the command kc, whose rows have only a number and a call site */
};

struct windbg_row {
    framemap_str site;
    int64_t index;
    uint64_t stack, back;
    bool has_stack, has_back, inlined;
    bool sure;     /* the row is accepted without a title, because its call site has a function and a distance */
    bool numbered; /* std::stacktrace printed the row */
    bool has_size; /* the row has the size of the frame in bytes */
};

/* Whether a word is an address or a value in a column: "002df7e4", "000000bc`aeaaa440", "--------`--------". */
static bool is_column(framemap_str word, uint64_t *value)
{
    size_t digits = 0;
    *value = 0;
    for (size_t i = 0; i < word.size; i++) {
        const char c = word.data[i];
        if (c == '`' && i == 8 && word.size == 17) continue;
        if (c != '-' && !fm_is_hex(c)) return false;
        *value = *value << 4 | (c == '-' ? 0 : fm_hex_value(c));
        digits++;
    }
    return digits == 8 || digits == 16;
}

/* Parses the mark of an inlined function: "(Inline Function)" or "(Inline)". */
static bool read_inline(struct fm_scan *s)
{
    framemap_str mark;
    struct fm_scan t = *s;
    if (!fm_scan_text(&t, FM_STR("(Inline")) || !fm_scan_until(&t, ')', &mark)) return false;
    t.at++;
    fm_scan_blanks(&t);
    *s = t;
    return true;
}

static bool windbg_parse_row(framemap_str body, struct windbg_row *row)
{
    struct fm_scan s = fm_scan_of(fm_str_trim(body)), before = s;
    framemap_str word;
    uint64_t value, columns[2] = {0, 0};
    size_t count = 0, colon = 0;
    *row = (struct windbg_row){.index = -1};
    while (!fm_scan_done(&s)) {
        before = s;
        if (count == 0 && read_inline(&s)) {
            row->inlined = true;
            continue;
        }
        if (!fm_scan_word(&s, &word)) return false;
        const bool is_colon = word.size == 1 && word.data[0] == ':';
        if (is_colon && colon == 0) colon = count;
        if (!is_colon && !is_column(word, &value)) {
            struct fm_scan digits = fm_scan_of(word);
            if (count || row->inlined || word.size > (row->index >= 0 ? 7 : 3) || row->has_size ||
                fm_row_hex(&digits, &value) != FM_DIGITS_FIT || !fm_scan_done(&digits))
                break;
            /* in rows of the command kf, the size of the frame precedes the other columns */
            row->has_size = row->index >= 0;
            if (!row->has_size) row->index = (int64_t)value;
        } else if (!is_colon) {
            if (count < 2) columns[count] = value;
            count++;
        }
        fm_scan_blanks(&s);
        before = s;
    }
    row->site = fm_scan_rest(&before);
    if ((count == 0 && !row->inlined) || row->site.size == 0) return false;
    row->has_back = colon == 1 || count > 1;
    row->back = colon == 1 ? columns[0] : columns[1];
    row->has_stack = colon != 1 && count > 0;
    row->stack = columns[0];
    const size_t bang = fm_str_find_byte(row->site, '!');
    row->sure = (count > 1 || row->inlined) && bang != FM_NOT_FOUND && bang > 0 &&
                fm_str_find_byte(fm_str(row->site.data, bang), ' ') == FM_NOT_FOUND &&
                (row->inlined || fm_str_find(row->site, FM_STR("+0x")) != FM_NOT_FOUND);
    return true;
}

/* Removes the notes of the command kv about frame pointers and calling conventions, which are between the function and
 * its position: "(FPO: [2,0,0]) (CONV: cdecl)" in "app!f+0x1e (FPO: [2,0,0]) (CONV: cdecl) [d:\src\a.cc @ 12]". */
static framemap_str without_notes(framemap_str site)
{
    static const framemap_str notes[] = {FM_STR_INIT(" (FPO: "), FM_STR_INIT(" (CONV: ")};
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        const size_t at = fm_str_find(site, notes[i]);
        if (at != FM_NOT_FOUND) site = fm_str_trim(fm_str(site.data, at));
    }
    return site;
}

/* Returns the function without parameters: "f" for "f(int a = 0n18, int b = 0n52)". The commands kp and kP print
 * parameters with their values. */
static framemap_str without_values(framemap_str function)
{
    size_t at;
    if (!fm_row_open(function, &at) || at == 0) return function;
    const bool valued = fm_str_find(fm_str_from(function, at), FM_STR(" = ")) != FM_NOT_FOUND;
    return valued ? fm_str(function.data, at) : function;
}

/* Cuts the position " [d:\src\a.cc @ 12]" off the end of a call site. */
static framemap_str take_source(framemap_str site, framemap_frame *frame)
{
    const size_t open = fm_str_find_last(site, FM_STR(" [")), at = fm_str_find_last(site, FM_STR(" @ "));
    uint32_t line1;
    if (open == FM_NOT_FOUND || at == FM_NOT_FOUND || at < open || site.data[site.size - 1] != ']') return site;
    struct fm_scan s = fm_scan_of(fm_str_from(site, at + 3));
    if (!fm_scan_dec32(&s, &line1)) return site;
    frame->file = fm_str_slice(site, open + 2, at);
    frame->line = line1;
    return fm_str_trim(fm_str(site.data, open));
}

/* Parses a function and a distance, "f+0x1e". */
static bool read_function(framemap_str text, framemap_frame *frame)
{
    frame->function = text;
    if (fm_str_find_last(text, FM_STR("+0x")) != FM_NOT_FOUND)
        frame->has_function_offset = fm_row_distance(text, true, &frame->function, &frame->function_offset);
    frame->function = without_values(frame->function);
    return frame->function.size != 0;
}

/* Parses an address, "000000c4`b3ae0fc3", or the same digits without "`". */
static bool read_absolute(framemap_str text, uint64_t *address)
{
    const size_t tick = fm_str_find_byte(text, '`');
    struct fm_scan digits = fm_scan_of(text);
    if (tick != FM_NOT_FOUND) return tick == 8 && text.size == 17 && is_column(text, address);
    return fm_row_hex(&digits, address) == FM_DIGITS_FIT && fm_scan_done(&digits);
}

/* Parses a module and an offset, "app+0x1e". */
static bool read_offset(framemap_str text, framemap_str *module, uint64_t *offset)
{
    return fm_row_distance(text, true, module, offset) && fm_str_find_byte(*module, ' ') == FM_NOT_FOUND;
}

/* Parses "app!f+0x1e [d:\src\a.cc @ 12]", "app+0x1e", "0x000000c4`b3ae0fc3". */
static bool read_site(framemap_str site, framemap_frame *frame)
{
    site = without_notes(take_source(fm_str_trim(site), frame));
    const size_t bang = fm_str_find_byte(site, '!');
    if (bang != FM_NOT_FOUND && bang > 0) {
        frame->module = fm_str(site.data, bang);
        return read_function(fm_str_from(site, bang + 1), frame);
    }
    struct fm_scan s = fm_scan_of(site);
    framemap_str digits, module = {NULL, 0};
    uint64_t address;
    const bool is_absolute = fm_scan_text(&s, FM_STR("0x")) && fm_scan_word(&s, &digits) && fm_scan_done(&s);
    if (!(is_absolute ? read_absolute(digits, &address) : read_offset(site, &module, &address))) return false;
    if (!is_absolute) frame->module = module;
    frame->has_address = true;
    frame->address = address;
    frame->address_kind = is_absolute ? FRAMEMAP_ADDRESS_ABSOLUTE : FRAMEMAP_ADDRESS_IMAGE;
    return true;
}

/* Whether a call site has a function and a distance: "app!f+0x1e". */
static bool is_whole_site(framemap_str site)
{
    const size_t bang = fm_str_find_byte(site, '!');
    return bang != FM_NOT_FOUND && bang > 0 && fm_str_find(site, FM_STR("+0x")) != FM_NOT_FOUND &&
           fm_str_find_byte(fm_str(site.data, bang), ' ') == FM_NOT_FOUND;
}

/* Parses "0> D:\src\a.cc(12): app!crash+0x1e", "1> app!main+0x7f" of std::stacktrace. */
static bool read_numbered(framemap_str body, struct windbg_row *row, framemap_frame *frame)
{
    struct fm_scan s = fm_scan_of(fm_str_trim(body));
    *row = (struct windbg_row){.index = -1, .numbered = true};
    if (!fm_row_index(&s, &row->index) || !fm_scan_text(&s, FM_STR("> "))) return false;
    framemap_str site = fm_scan_rest(&s);
    const size_t end = fm_str_find(site, FM_STR("): ")),
                 open = end == FM_NOT_FOUND ? end : fm_str_find_last_byte(fm_str(site.data, end), '(');
    uint32_t line1;
    if (open != FM_NOT_FOUND) {
        struct fm_scan digits = fm_scan_of(fm_str_slice(site, open + 1, end));
        if (!fm_scan_dec32(&digits, &line1) || !fm_scan_done(&digits)) return false;
        frame->file = fm_str(site.data, open);
        frame->line = line1;
        site = fm_str_from(site, end + 3);
    }
    row->sure = is_whole_site(site);
    return row->sure && read_site(site, frame);
}

/* Parses a row of Dr. Mingw: "496132 0 0 0  app.exe!f  [a.c @ 12]", or "496132 0 0 0  app.exe". */
static bool read_mingw_row(framemap_str body, struct windbg_row *row, framemap_frame *frame)
{
    *frame = FM_FRAME_INIT;
    if (!windbg_parse_row(body, row) || row->inlined || row->index >= 0 || !row->has_stack) return false;
    const uint64_t address = row->stack;
    row->has_stack = row->has_back = false;
    if (!read_site(row->site, frame)) {
        const framemap_str module = fm_str_trim(row->site);
        if (fm_str_find_byte(module, ' ') != FM_NOT_FOUND) return false;
        frame->module = module;
    }
    frame->has_address = true;
    frame->address = address;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    return true;
}

static bool windbg_read_row(framemap_str body, bool titled, struct windbg_row *row, framemap_frame *frame)
{
    if (read_numbered(body, row, frame)) return true;
    *frame = FM_FRAME_INIT;
    return windbg_parse_row(body, row) && (row->sure || titled) && read_site(row->site, frame);
}

/* Parses "00 app!f", a row of the command kc. */
static bool read_site_row(framemap_str body, struct windbg_row *row, framemap_frame *frame)
{
    struct fm_scan s = fm_scan_of(fm_str_trim(body)), digits;
    framemap_str word;
    uint64_t value;
    *frame = FM_FRAME_INIT;
    *row = (struct windbg_row){.index = -1};
    if (!fm_scan_word(&s, &word) || word.size < 2 || word.size > 3) return false;
    digits = fm_scan_of(word);
    if (fm_row_hex(&digits, &value) != FM_DIGITS_FIT || !fm_scan_done(&digits)) return false;
    row->index = (int64_t)value;
    row->site = fm_str_trim(fm_scan_rest(&s));
    const size_t bang = fm_str_find_byte(row->site, '!');
    return bang != FM_NOT_FOUND && bang > 0 && fm_str_find_byte(fm_str(row->site.data, bang), ' ') == FM_NOT_FOUND &&
           read_site(row->site, frame);
}

/* Sets the status of a frame. The name is printed, and nothing else can be looked up, because the format does not print
 * the addresses of modules. */
static void windbg_settle(framemap_frame *frame)
{
    frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    if (frame->function.size) return;
    frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
    frame->reason = "the stack does not say which build of the module it is";
}

static const framemap_str mingw_title = FM_STR_INIT("AddrPC "), sites_title = FM_STR_INIT("# Call Site");

static bool windbg_is_title(framemap_str text)
{
    static const framemap_str titles[] = {
        FM_STR_INIT("STACK_TEXT:"), FM_STR_INIT("ChildEBP"), FM_STR_INIT("Child-SP"),  FM_STR_INIT("# ChildEBP"),
        FM_STR_INIT("# Child-SP"),  FM_STR_INIT("RetAddr "), FM_STR_INIT("#   Memory")};
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (fm_str_begins(text, titles[i])) return true;
    return fm_str_begins(text, mingw_title) || fm_str_equal(text, sites_title);
}

/* Parses "app.exe caused an Access Violation at location 0000000000496132 in module app.exe Reading from location 0."
 * above a stack of Dr. Mingw. */
static void read_mingw_message(struct fm_document *doc, const struct fm_line *line, framemap_trace *trace)
{
    static const framemap_str caused = FM_STR_INIT(" caused "), location = FM_STR_INIT(" at location ");
    struct fm_look_back above = fm_look_back_from(doc, line, fm_document_last_end(doc), WINDBG_ABOVE);
    for (struct fm_line *before; (before = fm_look_back_next(&above)) != NULL;) {
        if (!fm_line_cut(before)) continue;
        const framemap_str text = fm_str_trim(before->body);
        const size_t at = fm_str_find(text, caused), end = fm_str_find(text, location);
        if (at == FM_NOT_FOUND || at == 0 || end == FM_NOT_FOUND || end < at + caused.size) continue;
        framemap_str type = fm_str_slice(text, at + caused.size, end);
        if (fm_str_starts(type, FM_STR("a "))) type = fm_str_from(type, 2);
        if (fm_str_starts(type, FM_STR("an "))) type = fm_str_from(type, 3);
        trace->exception = trace->exception_message = text;
        trace->exception_type = type;
        trace->crashed = true;
        return;
    }
}

/* Parses "   ExceptionCode: c0000005 (Access violation)" of !analyze. */
static bool read_code(struct windbg_state *state, const struct fm_line *line)
{
    static const framemap_str mark = FM_STR_INIT("ExceptionCode: ");
    const framemap_str text = fm_str_trim(line->body);
    if (line->first != 'E' || !fm_str_starts(text, mark)) return false;
    state->exception = fm_str_from(text, mark.size);
    state->exception1 = line->number1;
    return true;
}

/* Reads "(b278.d978): Access violation - code c0000005 (first chance)" above a stack that the user printed with a
 * command. */
static void read_chance(struct fm_document *doc, const struct fm_line *line, framemap_trace *trace)
{
    static const framemap_str mark = FM_STR_INIT(" - code ");
    struct fm_look_back above = fm_look_back_from(doc, line, fm_document_last_end(doc), FM_LOOK_BACK_MOST);
    for (struct fm_line *before; (before = fm_look_back_next(&above)) != NULL;) {
        const framemap_str text = fm_line_cut(before) ? fm_str_trim(before->body) : (framemap_str){NULL, 0};
        const size_t at = fm_str_find(text, mark), ids = fm_str_find(text, FM_STR("): "));
        uint64_t code;
        if (at == FM_NOT_FOUND || !is_column(fm_str_slice(text, at + mark.size, at + mark.size + 8), &code)) continue;
        const size_t from = text.data[0] == '(' && ids < at ? ids + 3 : 0;
        trace->exception = trace->exception_message = fm_str_slice(text, from, at + mark.size + 8);
        trace->exception_type = fm_str_slice(text, from, at);
        trace->crashed = true;
        return;
    }
}

/* Parses the line above the stack of a thread: ".  1  Id: 1a2c.2b34 Suspend: 1 Teb: … Unfrozen "worker"". '#' marks the
 * thread of the exception. */
static bool windbg_read_thread(struct windbg_state *state, const struct fm_line *line)
{
    static const framemap_str suspend = FM_STR_INIT(" Suspend: ");
    struct fm_scan s = fm_scan_of(fm_str_trim(line->body));
    framemap_str ids = {NULL, 0};
    uint64_t value;
    int64_t number;
    const bool quoted =
        /* the '#' that marks a thread may have been cut off as quoting */
        line->printed.data == NULL && line->body.data > line->text.data;
    const framemap_str before = quoted ? fm_str(line->text.data, (size_t)(line->body.data - line->text.data)) : ids;
    const bool faulted = fm_scan_byte(&s, '#') || fm_str_find_byte(before, '#') != FM_NOT_FOUND;
    if (!faulted) (void)fm_scan_byte(&s, '.');
    fm_scan_blanks(&s);
    if (!fm_row_index(&s, &number) || !fm_scan_blanks1(&s) || !fm_scan_text(&s, FM_STR("Id: ")) ||
        !fm_scan_word(&s, &ids) || !fm_str_starts(fm_scan_rest(&s), suspend))
        return false;
    const size_t dot = fm_str_find_byte(ids, '.');
    struct fm_scan digits = fm_scan_of(fm_str_from(ids, dot == FM_NOT_FOUND ? ids.size : dot + 1));
    if (fm_row_hex(&digits, &value) != FM_DIGITS_FIT || !fm_scan_done(&digits)) return false;
    const framemap_str rest = fm_str_trim(fm_scan_rest(&s));
    const size_t open = fm_str_find(rest, FM_STR(" \""));
    const bool named = open != FM_NOT_FOUND && rest.data[rest.size - 1] == '"' && open + 2 < rest.size;
    state->thread_id = fm_str_from(ids, dot + 1);
    state->thread_name = named ? fm_str_slice(rest, open + 2, rest.size - 1) : (framemap_str){NULL, 0};
    state->thread1 = line->number1;
    state->faulted = faulted;
    return true;
}

static framemap_trace *windbg_begin(struct windbg_state *state, struct fm_document *doc, const struct fm_line *line)
{
    framemap_trace *trace = fm_document_trace(doc, name, line);
    framemap_str code = state->exception, words;
    state->exception = (framemap_str){NULL, 0};
    if (trace && state->pc_first) read_mingw_message(doc, line, trace);
    if (trace && state->thread1 && line->number1 - state->thread1 <= WINDBG_GAP) {
        trace->thread_id = state->thread_id;
        trace->thread_name = state->thread_name;
        trace->thread = state->thread_name.size ? state->thread_name : state->thread_id;
        trace->crashed = state->faulted;
    }
    if (trace && code.size == 0 && trace->exception.size == 0 && !state->thread1) read_chance(doc, line, trace);
    if (trace == NULL || code.size == 0 || line->number1 - state->exception1 > FAR) return trace;
    trace->exception = trace->exception_message = code;
    trace->exception_type = fm_row_group(&code, &words) ? words : trace->exception;
    trace->crashed = true;
    return trace;
}

static bool windbg_is_significant(const struct fm_line *line)
{
    struct windbg_state ignored;
    struct windbg_row row;
    framemap_frame frame = FM_FRAME_INIT;
    return read_code(&ignored, line) || windbg_read_thread(&ignored, line) ||
           windbg_is_title(fm_str_trim(line->body)) || (windbg_parse_row(line->body, &row) && row.sure) ||
           read_numbered(line->body, &row, &frame);
}

/* Returns the body of a line including a '+' before it. A row may have been wrapped before "+0x1e"; that '+' was then
 * taken for the mark of an added line in a diff. */
static framemap_str whole_body(const struct fm_line *line)
{
    const framemap_str body = line->body;
    const bool cut = line->printed.data == NULL && body.data > line->text.data && body.data[-1] == '+';
    return cut ? fm_str(body.data - 1, body.size + 1) : body;
}

/* Whether the row continues on the next line: it is as wide as the console, or ends within parameters, each of which is
 * on a line of its own (command kP). */
static bool is_unfinished(framemap_str line, framemap_str site)
{
    return line.size % WIDTH == 0 || (site.size < SITE_MOST && fm_row_depth(site) > 0);
}

/* Joins a line with the unfinished row above it. */
static bool continue_row(struct windbg_state *state, struct fm_document *doc, const struct fm_line *line)
{
    framemap_trace *trace = fm_document_open(doc, name);
    framemap_frame *frame = fm_native_last(trace), fresh = FM_FRAME_INIT;
    if (frame == NULL || state->site.size == 0 || line->number1 != state->number1 + 1) return false;
    const framemap_str rest = whole_body(line), site = fm_native_join(doc, state->site, rest);
    if (!read_site(site, &fresh)) return false;
    fresh.index = frame->index;
    fresh.inlined = frame->inlined;
    fresh.extra = frame->extra;
    fresh.raw = frame->raw;
    fresh.raw_offset = frame->raw_offset;
    fresh.raw_line = frame->raw_line;
    windbg_settle(&fresh);
    const uint64_t end =
        line->offset + (line->printed.data ? line->text.size : (size_t)(rest.data - line->text.data) + rest.size);
    if (line->printed.data == NULL && rest.data > frame->raw.data &&
        (uint64_t)(rest.data - frame->raw.data) < (uint64_t)4 * WIDTH)
        fresh.raw.size = (size_t)(end - frame->raw_offset);
    *frame = fresh;
    trace->line_count = line->number1 - trace->line + 1;
    trace->size = line->offset + line->text.size - trace->offset;
    state->site = is_unfinished(rest, site) ? site : (framemap_str){NULL, 0};
    state->number1 = line->number1;
    return true;
}

static enum fm_line_role windbg_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct windbg_state *state = memory;
    struct windbg_row row;
    framemap_frame frame = FM_FRAME_INIT;
    const uint64_t gap = state->pc_first ? SOURCE : WINDBG_GAP;
    const bool near = state->number1 && line->number1 - state->number1 <= gap && !line->begins;
    if (!near) state->titled = state->pc_first = state->sites = false;
    if (windbg_is_title(fm_str_trim(line->body))) {
        state->titled = state->fresh = true;
        state->pc_first = fm_str_begins(fm_str_trim(line->body), mingw_title);
        state->sites = fm_str_equal(fm_str_trim(line->body), sites_title);
        state->number1 = line->number1;
        state->site = (framemap_str){NULL, 0};
        return FM_ROLE_CONTEXT;
    }
    if (read_code(state, line)) return FM_ROLE_CONTEXT;
    if (windbg_read_thread(state, line)) {
        state->number1 = 0;
        return FM_ROLE_CONTEXT;
    }
    const bool pc_first = state->pc_first, sites = state->sites;
    if (!(pc_first ? read_mingw_row(line->body, &row, &frame)
          : sites  ? read_site_row(line->body, &row, &frame)
                   : windbg_read_row(line->body, state->titled, &row, &frame)))
        return near && continue_row(state, doc, line) ? FM_ROLE_FRAME : FM_ROLE_NONE;
    if (state->fresh || !near || !fm_document_open(doc, name) || (row.numbered && row.index == 0))
        if (!windbg_begin(state, doc, line)) return FM_ROLE_FRAME;
    frame.index = row.index;
    frame.inlined = row.inlined;
    framemap_frame_extra *extra = row.has_stack || row.has_back ? fm_document_extra(doc, &frame) : NULL;
    if (extra && row.has_stack) extra->stack_pointer = row.stack;
    if (extra && row.has_back) extra->return_address = row.back;
    windbg_settle(&frame);
    fm_document_frame(doc, line, &frame);
    *state = (struct windbg_state){
        .titled = !row.numbered, .number1 = line->number1, .site = row.site, .pc_first = pc_first, .sites = sites};
    if (pc_first || sites || !is_unfinished(line->body, row.site)) state->site.size = 0;
    return FM_ROLE_FRAME;
}

static const struct fm_needle windbg_needles[] = {
    FM_NEEDLE("STACK_TEXT:", 0, 1),     FM_NEEDLE("ChildEBP", 2, 8),   FM_NEEDLE("Child-SP", 2, 14),
    FM_NEEDLE("AddrPC ", 0, 14),        FM_NEEDLE("RetAddr ", 3, 14),  FM_NEEDLE("(Inline", 0, 13),
    FM_NEEDLE("ExceptionCode: ", 6, 6), FM_NEEDLE(" Suspend: ", 5, 9), FM_NEEDLE("# Call Site", 2, 15),
};

const struct fm_format fm_windbg = {.info = {name, "stacks of WinDbg and cdb (… app!f+0x1e)", true, false},
                                    FM_NEEDLES(windbg_needles),
                                    .marks = FM_MARK_WORD | FM_MARK_HEX,
                                    .state_size = sizeof(struct windbg_state),
                                    .firsts = "0123456789abcdefABCDEFSCR#(-.",
                                    .keeps_state = true,
                                    .offer = windbg_offer,
                                    .is_significant = windbg_is_significant};
