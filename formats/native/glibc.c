/* Rows of glibc's backtrace_symbols, and of programs that print rows like these:
 *
 *     ./app(+0x11ae) [0x557fd52c91ae]                 distance from the load address, which is the address as linked
 *     /lib/libc.so.6(qsort_r+0xb6) [0x7f7ca0b9ed36]   distance from a symbol
 *     ./app() [0x401156]                              no PIE: the address is the linked one
 *     app() [0x401156]                                the same for a program that was found in PATH
 *     /usr/sbin/app[0x401156]                         older versions, without a symbol
 *     [0x7f597f904204]                                address in no file
 *     [2] ./app() [0x401156] (src/a.cc:7)             Godot: with a number and the position, "(??:0)" if not known
 *     [3] f(int) (src/a.cc:7)                         Godot, below such a row, if the function is known
 *     2       ./app(+0x11ae) [0x557fd52c91ae]         other programs that number the rows
 *     #2 ./app(+0x11ae) [0x557fd52c91ae]              GWP-ASan
 *     [Callstack]  2  0x0000557fd52c91ae  /app(f+0x1) [0x557fd52c91ae]   Unreal Engine 4 on Linux
 *     [Callstack]  3  0x00000000024a663f  f(int) [/src/a.cpp, line 7]    Unreal, if it has symbols
 *
 * A row such as "foo() [0x1234]" is ambiguous: in this form, other programs print a function and its address. A word
 * without a path is taken for a file if lines around it have one of glibc's other forms, or repeat the same word. A
 * stack has at most one such file, the program, since libraries are printed with full paths. Rows with different words
 * are functions of an unknown file; a single row of that kind is not taken for a stack.
 *
 * All addresses are return addresses. A row of the first form gives the load address of its file, which is also used
 * for rows of the second form with the same file. */
#include "formats/native/check_failure.h"
#include "formats/native/native_parts.h"
#include "formats/parsers.h"

static const char name[] = "glibc";
static const char no_file[] = "the row names no file";
#define GLIBC_GAP 3                   /* up to this many lines of other text may be within one stack */
#define GLIBC_ABOVE FM_LOOK_BACK_MOST /* this many lines above the first unambiguous frame may belong to its stack */
#define MODULES 16                    /* the load addresses of at most this many files of a stack are recorded */

struct glibc_state {
    uint64_t number1; /* number of the line with the last row */
    /* the search for rows above a stack ends at this offset, because the text before it belongs to an earlier stack */
    uint64_t search_stop;
    int64_t number;    /* number printed before the last row; -1: the row has no number */
    framemap_str word; /* the text that the rows have for the program, if it is a word without a path */
    bool functions;    /* the words before the addresses are names of functions, not of the program */
    bool sure;         /* the stack has a row that only glibc prints */
    /* the parser has read the stack of the memory access in a report of GWP-ASan; `access` is its trace */
    bool guarded;
    /* GWP-ASan: number of the trace of the memory access, and number of the last line of the report */
    uint64_t access, access1;
};

struct glibc_row {
    framemap_str path, function, tail;
    size_t head; /* size of the row up to and including ']' */
    bool has_offset, bare;
    bool plain; /* the row has a path without parentheses, and is accepted only below another row */
    bool named; /* the row has a word without parentheses, which is a function if the rows above have functions */
    uint64_t offset, address;
    enum fm_digits digits;
    int64_t number; /* number that other programs print before the row; -1: the row has no number */
};

/* Finds the start of the last "[0xHEX]" in a row. */
static bool find_address(framemap_str body, struct glibc_row *row, size_t *open)
{
    for (size_t end = body.size; end;) {
        size_t at = fm_str_find_last(fm_str_slice(body, 0, end), FM_STR("[0x"));
        if (at == FM_NOT_FOUND) return false;
        struct fm_scan s = fm_scan_of(fm_str_from(body, at + 1));
        row->digits = fm_row_0xhex(&s, &row->address);
        if (row->digits != FM_DIGITS_NONE && fm_scan_byte(&s, ']')) {
            *open = at;
            row->head = (size_t)(s.at - body.data);
            row->tail = fm_scan_rest(&s);
            return true;
        }
        end = at;
    }
    return false;
}

/* Returns the text after a row number such as "[2] ", "#2 ", "#2: ", "2   " or g3log's "stack dump [2] ". The number
 * must not become a part of the file name. */
static framemap_str without_number(framemap_str head, int64_t *out)
{
    struct fm_scan s = fm_scan_of(head);
    int64_t number;
    fm_scan_text(&s, FM_STR("stack dump "));
    const bool bracket = fm_scan_byte(&s, '[');
    const bool hash = !bracket && fm_scan_byte(&s, '#');
    if (!fm_row_index(&s, &number) || (bracket && !fm_scan_byte(&s, ']'))) return head;
    if (hash) fm_scan_byte(&s, ':');
    if (!fm_scan_blanks1(&s)) return head;
    *out = number;
    return fm_scan_rest(&s);
}

static const framemap_str callstack = FM_STR_INIT("[Callstack] ");

/* Parses "[Callstack]  32  0x00007f2b4e892830  " of Unreal's logs. Moves on success. */
static bool scan_callstack(struct fm_scan *s, int64_t *out, uint64_t *address)
{
    struct fm_scan t = *s;
    int64_t number;
    if (!fm_scan_text(&t, callstack)) return false;
    fm_scan_blanks(&t);
    if (!fm_row_index(&t, &number) || !fm_scan_blanks1(&t)) return false;
    if (fm_row_0xhex(&t, address) == FM_DIGITS_NONE || !fm_scan_blanks1(&t)) return false;
    *out = number;
    *s = t;
    return true;
}

/* Returns the text after "[Callstack]  32  0x00007f2b4e892830  ", with which rows of Unreal begin. */
static framemap_str without_callstack(framemap_str head, int64_t *out)
{
    struct fm_scan s = fm_scan_of(head);
    uint64_t address;
    return scan_callstack(&s, out, &address) ? fm_scan_rest(&s) : head;
}

/* Parses "(FUNC+0x12)" , "(+0x12)", "()". */
static bool read_parens(framemap_str inside, struct glibc_row *row)
{
    if (inside.size == 0) return true;
    if (!fm_row_distance(inside, true, &row->function, &row->offset)) return false;
    row->has_offset = true;
    return true;
}

/* Parses "/usr/sbin/app", "/lib64/libpthread.so.0". */
static bool read_plain(framemap_str head, struct glibc_row *row)
{
    if (fm_str_equal(head, FM_STR("<unknown>")) || fm_row_is_name(head, "")) {
        row->path = head;
        return row->named = true;
    }
    if (head.data[0] != '/' || fm_str_find_byte(head, ' ') != FM_NOT_FOUND || fm_str_basename(head).size == 0 ||
        fm_str_find_byte(head, '(') != FM_NOT_FOUND || fm_str_find_byte(head, ':') != FM_NOT_FOUND)
        return false;
    row->path = head;
    return row->plain = true;
}

/* Parses qBittorrent's row without its address: "/lib/libc.so.6 : abort()+0x180". */
static bool read_colon(framemap_str head, struct glibc_row *row)
{
    static const framemap_str mark = FM_STR_INIT(" : ");
    const size_t at = head.data[0] == '/' ? fm_str_find(head, mark) : FM_NOT_FOUND;
    if (at == FM_NOT_FOUND || fm_str_find_byte(fm_str(head.data, at), ' ') != FM_NOT_FOUND) return false;
    row->path = fm_str(head.data, at);
    return read_parens(fm_str_from(head, at + mark.size), row);
}

/* Whether the text begins with a source line, as a row of D's runtime does: "/usr/include/d/std/a.d:582 int f()
 * [0x1234]". */
static bool begins_with_line(framemap_str text)
{
    const framemap_str word = fm_str_slice(text, 0, fm_str_find_byte(text, ' '));
    size_t at = word.size;
    while (at > 0 && fm_is_digit(word.data[at - 1])) at--;
    return word.size < text.size && at < word.size && at > 0 && word.data[at - 1] == ':';
}

/* Returns the file at the end of a text such as "18 Apr 21:35:45 # /usr/bin/app", in which the prefix of an unknown
 * logger precedes the row. */
static framemap_str without_words(framemap_str path)
{
    const size_t at =
        path.size && path.data[0] != '/' && path.data[0] != '.' ? fm_str_find(path, FM_STR(" /")) : FM_NOT_FOUND;
    return at == FM_NOT_FOUND ? path : fm_str_from(path, at + 1);
}

/* Cuts the title off a program's file: the result for "/usr/bin/redis-server *:6379" is "/usr/bin/redis-server". A
 * process can set its own title, and Redis puts its network address there. */
static framemap_str without_title(framemap_str path)
{
    const size_t blank = fm_str_find_byte(path, ' '), colon = fm_str_find_last_byte(path, ':');
    if (blank == FM_NOT_FOUND || colon == FM_NOT_FOUND || colon < blank || colon + 1 == path.size) return path;
    for (size_t i = blank + 1; i < path.size; i++) {
        const char c = path.data[i];
        /* the title may continue after the address, as in "*:6379 [cluster]" */
        if (c == ' ' && i > colon + 1) return fm_str(path.data, blank);
        if (!fm_is_digit(c) && c != '.' && c != ':' && (c != '*' || i != blank + 1)) return path;
    }
    return fm_str(path.data, blank);
}

static bool glibc_parse_row(framemap_str body, struct glibc_row *row)
{
    size_t open = 0;
    row->number = -1;
    if (!find_address(body, row, &open)) return false;
    framemap_str head = without_number(fm_str_trim(fm_str(body.data, open)), &row->number);
    head = without_callstack(head, &row->number);
    if (head.size == 0) return row->bare = true;
    if (read_colon(head, row)) return true;
    if (head.data[head.size - 1] != ')') return read_plain(head, row);
    /* demangled names contain parentheses too, so the group begins at the parenthesis that matches the last one */
    size_t depth = 0, at = head.size;
    do {
        at--;
        if (head.data[at] == ')')
            depth++;
        else if (head.data[at] == '(')
            depth--;
    } while (at && depth);
    row->path = without_title(without_words(fm_str_slice(head, 0, at)));
    if (row->path.size && row->path.data[0] == '"' && fm_str_find(row->path, FM_STR(" tid=")) != FM_NOT_FOUND)
        /* this line is HotSpot's title of a thread, not a row: "a/b" prio=10 tid=0x1 nid=0x2 in Object.wait() [0x3] */
        return false;
    if (depth || row->path.size == 0 || fm_is_blank(row->path.data[row->path.size - 1])) return false;
    if (begins_with_line(row->path)) return false;
    return read_parens(fm_str_slice(head, at + 1, head.size - 1), row);
}

/* Whether the text before the parentheses is a word that may be a function as well as a program: "foo() [0x1234]". */
static bool is_unsure(const struct glibc_row *row)
{
    return !row->bare && !row->has_offset && fm_str_find_byte(row->path, '/') == FM_NOT_FOUND &&
           fm_str_find(row->path, FM_STR(".so")) == FM_NOT_FOUND;
}

static framemap_str word_of(const struct glibc_row *row) { return fm_str_trim(row->path); }

/* Whether the word of a row could be the name of a program: it has no blank and no colon. */
static bool may_be_file(const struct glibc_row *row)
{
    return fm_str_find_byte(word_of(row), ' ') == FM_NOT_FOUND && fm_str_find_byte(word_of(row), ':') == FM_NOT_FOUND;
}

/* Whether the word of a row could be the name of a function. If it cannot, it is part of a sentence. */
static bool may_be_function(const struct glibc_row *row)
{
    return may_be_file(row) || fm_str_find(word_of(row), FM_STR("::")) != FM_NOT_FOUND;
}

/* Reads the text after the address: "name at src/a.cc:7", or "(src/a.cc:7)". */
static void read_tail(framemap_str tail, framemap_frame *frame)
{
    framemap_str group;
    framemap_str left = tail;
    if (!fm_row_group(&left, &group) || fm_str_trim(left).size) {
        fm_row_function_at(tail, frame);
    } else if (fm_str_find_byte(group, '?') == FM_NOT_FOUND) {
        fm_row_location(group, &frame->file, &frame->line, &frame->column);
    }
}

static void glibc_fill(const struct glibc_row *row, framemap_frame *frame)
{
    frame->return_address = true;
    frame->has_address = true;
    fm_native_set_module(frame, fm_str_trim(row->path));
    frame->address = row->address;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    if (row->bare) {
        frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
        frame->reason = no_file;
    } else if (row->has_offset && row->function.size == 0) {
        frame->address = row->offset;
        frame->address_kind = FRAMEMAP_ADDRESS_LINKED;
        frame->has_absolute_address = row->digits == FM_DIGITS_FIT;
        frame->absolute_address = row->address;
    } else if (row->has_offset) {
        frame->function = row->function;
        frame->has_function_offset = true;
        frame->function_offset = row->offset;
    } else if (!row->plain || fm_str_find(row->path, FM_STR(".so")) == FM_NOT_FOUND) {
        frame->address_kind = FRAMEMAP_ADDRESS_LINKED;
    }
    /* place_functions uses the load address that is set here, and clears it afterwards */
    if (frame->address_kind == FRAMEMAP_ADDRESS_LINKED && row->has_offset)
        frame->load_address = row->address - row->offset;
    if (row->digits == FM_DIGITS_LONG) fm_row_malformed(frame, FM_LONG_ADDRESS);
    read_tail(row->tail, frame);
}

static void fill_function(const struct glibc_row *row, framemap_frame *frame)
{
    frame->return_address = true;
    frame->has_address = true;
    frame->address = row->address;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    frame->function = word_of(row);
    frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
    frame->reason = no_file;
    if (row->digits == FM_DIGITS_LONG) fm_row_malformed(frame, FM_LONG_ADDRESS);
    read_tail(row->tail, frame);
}

/* Corrects the frames of a stack with rows such as "start_thread [0x7fb2b2990184]". The first word was taken for the
 * name of the program, but another row has another word, so the words are functions. */
static void turn_to_functions(struct glibc_state *state, struct fm_document *doc)
{
    framemap_trace *trace = fm_document_open(doc, name);
    state->functions = true;
    for (size_t i = 0; trace && i < trace->frame_count; i++) {
        struct glibc_row row = {0};
        framemap_frame fresh = FM_FRAME_INIT, *frame = &trace->frames[i];
        if (!glibc_parse_row(frame->raw, &row) || !is_unsure(&row)) continue;
        fill_function(&row, &fresh);
        fresh.raw = frame->raw;
        fresh.raw_offset = frame->raw_offset;
        *frame = fresh;
    }
}

/* Parses "[3] f(int) (src/a.cc:7)". */
static bool parse_named(framemap_str body, int64_t *number, framemap_frame *frame)
{
    framemap_str text = fm_str_trim(body), group;
    *number = -1;
    if (text.size == 0 || text.data[0] != '[') return false;
    text = without_number(text, number);
    if (*number < 0 || !fm_row_group(&text, &group) || text.size == 0) return false;
    const bool unknown = fm_str_equal(group, FM_STR("??:0")) || fm_str_equal(group, FM_STR("??:?"));
    if (!unknown && !fm_row_location(group, &frame->file, &frame->line, &frame->column)) return false;
    frame->function = text;
    frame->return_address = true;
    if (unknown)
        frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    else
        fm_row_mark_complete(frame);
    return unknown || frame->line != 0;
}

/* Parses "[Callstack]  3  0x00000000024a663f  f(int) [/src/a.cpp, line 7]", or the same without the position. */
static bool parse_callstack(framemap_str body, int64_t *number, framemap_frame *frame)
{
    static const framemap_str mark = FM_STR_INIT(", line ");
    struct fm_scan s = fm_scan_of(body);
    uint32_t line1;
    fm_scan_blanks(&s);
    if (!scan_callstack(&s, number, &frame->address)) return false;
    framemap_str text = fm_str_trim(fm_scan_rest(&s));
    const size_t open = fm_str_find_last(text, FM_STR(" ["));
    const size_t at = open == FM_NOT_FOUND ? FM_NOT_FOUND : fm_str_find_last(text, mark);
    if (at != FM_NOT_FOUND && at > open) {
        struct fm_scan digits = fm_scan_of(fm_str_from(text, at + mark.size));
        if (!fm_scan_dec32(&digits, &line1) || !fm_scan_byte(&digits, ']')) return false;
        frame->file = fm_str_slice(text, open + 2, at);
        frame->line = line1;
        text.size = open;
    }
    frame->has_address = true;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    frame->return_address = true;
    frame->function = text;
    frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    return text.size != 0;
}

/* Adds a row without an address to the stack above it, if its number continues the numbers of that stack. One row is
 * printed for each inlined function. */
static enum fm_line_role offer_named(struct glibc_state *state, struct fm_document *doc, const struct fm_line *line)
{
    framemap_frame frame = FM_FRAME_INIT;
    int64_t number;
    if (state->number < 0 || line->number1 - state->number1 > GLIBC_GAP || !fm_document_open(doc, name) ||
        !parse_named(line->body, &number, &frame) || (number != state->number && number != state->number + 1))
        return FM_ROLE_NONE;
    fm_document_frame(doc, line, &frame);
    state->number = number;
    state->number1 = line->number1;
    state->search_stop = line->offset + 1;
    return FM_ROLE_FRAME;
}

/* Computes relative addresses of frames that have a symbol and an absolute address only. The load address comes from
 * another frame in the same file. */
static void place_functions(framemap_trace *trace)
{
    struct {
        framemap_str module;
        uint64_t bias;
    } known[MODULES];
    size_t count = 0;
    for (size_t i = 0; i < trace->frame_count; i++) {
        framemap_frame *frame = &trace->frames[i];
        size_t k = 0;
        while (k < count && !fm_str_equal(known[k].module, frame->module)) k++;
        if (frame->module.size == 0 || frame->address_kind != FRAMEMAP_ADDRESS_LINKED || k < count || count == MODULES)
            continue;
        known[count].module = frame->module;
        known[count++].bias = frame->load_address;
    }
    for (size_t i = 0; i < trace->frame_count; i++) {
        framemap_frame *frame = &trace->frames[i];
        size_t k = 0;
        while (k < count && !fm_str_equal(known[k].module, frame->module)) k++;
        frame->load_address = 0;
        if (frame->address_kind != FRAMEMAP_ADDRESS_ABSOLUTE || k == count || frame->address < known[k].bias) continue;
        frame->has_absolute_address = true;
        frame->absolute_address = frame->address;
        frame->address -= known[k].bias;
        frame->address_kind = FRAMEMAP_ADDRESS_LINKED;
    }
}

/* Whether a line begins with "[12] " or "[Callstack] ". */
static bool begins_with_number(framemap_str body)
{
    struct fm_scan s = fm_scan_of(body);
    int64_t number;
    fm_scan_blanks(&s);
    if (fm_scan_text(&s, callstack)) return true;
    return fm_scan_byte(&s, '[') && fm_row_index(&s, &number) && fm_scan_text(&s, FM_STR("] "));
}

static bool glibc_probe(const struct fm_line *line)
{
    if (line->last == ']') return true;
    if (line->last == ')' && line->first == '[' && begins_with_number(line->body)) return true;
    if (line->last == ')' && line->first != '[' && line->first != '/' && line->first != '.') return false;
    if (line->body.size < 12 ||
        !(line->last == ')' || fm_is_digit(line->last) || line->first == '/' || line->first == '.'))
        return false;
    return fm_find(line->body.data, line->body.size, '[') != NULL &&
           fm_str_find(line->body, FM_STR("[0x")) != FM_NOT_FOUND;
}

static bool glibc_is_significant(const struct fm_line *line)
{
    struct glibc_row row = {0};
    framemap_frame unused = FM_FRAME_INIT;
    int64_t number;
    if (glibc_parse_row(line->body, &row)) return !row.bare && !row.named;
    return line->first == '[' && parse_callstack(line->body, &number, &unused);
}

static void glibc_add(struct glibc_state *state, struct fm_document *doc, const struct fm_line *line,
                      const struct glibc_row *row)
{
    framemap_frame frame = FM_FRAME_INIT;
    const bool unsure = is_unsure(row), other = unsure && state->word.size && !fm_str_equal(word_of(row), state->word);
    if (other && !state->sure && !state->functions) turn_to_functions(state, doc);
    if (unsure && (state->functions || other || !may_be_file(row)))
        fill_function(row, &frame);
    else
        glibc_fill(row, &frame);
    fm_document_frame(doc, line, &frame);
    if (unsure && state->word.size == 0) state->word = word_of(row);
    if (!unsure && !row->bare) state->sure = true;
    state->number = row->number;
    state->number1 = line->number1;
    state->search_stop = line->offset + 1;
}

/* Finds the rows directly above a row that belong to its stack. If the word of the row may be a function, these are
 * rows with such words. Otherwise they are rows with the same word, which may be the program. Returns the number of
 * rows; the nearest comes first. */
static size_t find_above(const struct glibc_state *state, struct fm_document *doc, const struct fm_line *line,
                         const struct glibc_row *row, struct fm_line *found[GLIBC_ABOVE])
{
    struct fm_look_back walk = fm_look_back_from(doc, line, state->search_stop, GLIBC_ABOVE);
    framemap_str word = {NULL, 0};
    size_t count = 0;
    for (struct fm_line *before;
         (before = fm_look_back_next(&walk)) != NULL && line->number1 - before->number1 == count + 1;) {
        struct glibc_row above = {0};
        if (!fm_line_cut(before) || !glibc_parse_row(before->body, &above) || !is_unsure(&above) ||
            !may_be_function(&above))
            break;
        if (!is_unsure(row) && (!may_be_file(&above) || (word.size && !fm_str_equal(word_of(&above), word)))) break;
        word = word_of(&above);
        found[count++] = before;
    }
    return count;
}

/* --- reading reports of GWP-ASan --- */

/* Returns the number of a thread: "12" in "… by thread 12 here:". *by: where "by thread" begins. */
static framemap_str thread_of(framemap_str text, size_t *by)
{
    static const framemap_str mark = FM_STR_INIT(" by thread "), end = FM_STR_INIT(" here:");
    uint64_t number;
    *by = fm_str_find_last(text, mark);
    if (*by == FM_NOT_FOUND || !fm_str_ends(text, end)) return (framemap_str){NULL, 0};
    const framemap_str thread = fm_str_slice(text, *by + mark.size, text.size - end.size);
    struct fm_scan s = fm_scan_of(thread);
    return fm_scan_dec(&s, &number, NULL) && fm_scan_done(&s) ? thread : (framemap_str){NULL, 0};
}

/* Reads the line above a stack of GWP-ASan. There are three kinds:
 *
 *    Use After Free at 0x7feccab26000 (0 bytes into a 41-byte allocation at 0x7feccab26000) by thread 12 here:
 *    0x7feccab26000 was deallocated by thread 12 here:
 *    0x7feccab26000 was allocated by thread 12 here: */
static void read_guarded(struct glibc_state *state, struct fm_document *doc, const struct fm_line *first,
                         framemap_trace *trace)
{
    static const framemap_str freed = FM_STR_INIT(" was deallocated"), made = FM_STR_INIT(" was allocated"),
                              place = FM_STR_INIT(" at 0x");
    struct fm_look_back walk = fm_look_back_from(doc, first, 0, 1);
    struct fm_line *title = fm_look_back_next(&walk);
    if (title == NULL || !fm_line_cut(title)) return;
    const framemap_str text = fm_str_trim(title->body);
    size_t by;
    const framemap_str thread = thread_of(text, &by), what = fm_str(text.data, by == FM_NOT_FOUND ? 0 : by);
    if (thread.size == 0) return;
    const bool part = fm_str_starts(what, FM_STR("0x")), is_freed = fm_str_ends(what, freed);
    const size_t at = fm_str_find(what, place);
    if (part && (is_freed || fm_str_ends(what, made))) {
        trace->thread = trace->thread_id = thread;
        if (!state->guarded || first->number1 - state->access1 > FM_LINES_AFTER) return;
        trace->role = is_freed ? FRAMEMAP_ROLE_FREED_BY : FRAMEMAP_ROLE_ALLOCATED_BY;
        trace->part_of = state->access;
    } else if (!part && at != FM_NOT_FOUND && at > 0) {
        trace->thread = trace->thread_id = thread;
        trace->exception = text;
        trace->exception_type = fm_str(what.data, at);
        trace->exception_message = what;
        trace->crashed = true;
        state->guarded = true;
        state->access = trace->number;
    }
}

/* Reads "Unhandled Exception: SIGSEGV: invalid attempt to read memory at address 0x278" of Unreal, above its stack. */
static void read_unreal(struct fm_document *doc, const struct fm_line *first, framemap_trace *trace)
{
    enum { LINES = 6 };
    static const framemap_str mark = FM_STR_INIT("Unhandled Exception: ");
    struct fm_look_back walk = fm_look_back_from(doc, first, fm_document_last_end(doc), LINES);
    if (fm_str_find(first->body, callstack) == FM_NOT_FOUND) return;
    for (struct fm_line *above; (above = fm_look_back_next(&walk)) != NULL;) {
        const size_t at = fm_line_cut(above) ? fm_str_find(above->body, mark) : FM_NOT_FOUND;
        if (at == FM_NOT_FOUND) continue;
        trace->exception = fm_str_trim(fm_str_from(above->body, at + mark.size));
        const size_t colon = fm_str_find(trace->exception, FM_STR(": "));
        trace->exception_type = fm_str_slice(trace->exception, 0, colon);
        if (colon != FM_NOT_FOUND) trace->exception_message = fm_str_from(trace->exception, colon + 2);
        if (fm_str_starts(trace->exception, FM_STR("SIG"))) trace->signal.name = trace->exception_type;
        trace->crashed = true;
        return;
    }
}

/* Adds a row of Unreal; begins a stack if none is open. */
static enum fm_line_role offer_callstack(struct glibc_state *state, struct fm_document *doc, const struct fm_line *line,
                                         int64_t number, const framemap_frame *frame)
{
    const bool inside =
        fm_document_open(doc, name) != NULL && line->number1 - state->number1 <= GLIBC_GAP && number > state->number;
    if (!inside) {
        *state = (struct glibc_state){.sure = true, .guarded = state->guarded, .access = state->access};
        framemap_trace *trace = fm_document_trace(doc, name, line);
        if (trace == NULL) return FM_ROLE_FRAME;
        read_unreal(doc, line, trace);
    }
    fm_document_frame(doc, line, frame);
    state->number = number;
    state->number1 = line->number1;
    state->search_stop = line->offset + 1;
    return FM_ROLE_FRAME;
}

/* Begins a stack at a row. Returns false if the row is not a frame. */
static bool glibc_begin(struct glibc_state *state, struct fm_document *doc, const struct fm_line *line,
                        const struct glibc_row *row)
{
    struct fm_line *above[GLIBC_ABOVE];
    const size_t count = row->bare || row->plain ? 0 : find_above(state, doc, line, row, above);
    if (!row->bare && is_unsure(row)) fm_document_may_begin(doc, line, 1);
    if (row->bare || row->plain || (is_unsure(row) && count == 0)) return false;
    *state = (struct glibc_state){.sure = !is_unsure(row),
                                  .functions = is_unsure(row) && !may_be_file(row),
                                  .guarded = state->guarded,
                                  .access = state->access,
                                  .access1 = state->number1};
    const struct fm_line *first = count ? above[count - 1] : line;
    framemap_trace *trace = fm_document_trace(doc, name, first);
    if (trace == NULL) return true;
    fm_check_failure_above(doc, first, fm_document_last_end(doc), trace);
    if (trace->exception.size == 0) read_guarded(state, doc, first, trace);
    if (trace->exception.size == 0) read_unreal(doc, first, trace);
    for (size_t i = count; i-- > 0;) {
        struct glibc_row before = {0};
        if (glibc_parse_row(above[i]->body, &before)) glibc_add(state, doc, above[i], &before);
    }
    return true;
}

/* Adds "start_thread [0x7fb2b2990184]" or "<unknown> [0x7fb2]" to a stack whose rows name functions. */
static enum fm_line_role offer_word(struct glibc_state *state, struct fm_document *doc, const struct fm_line *line,
                                    struct glibc_row *row)
{
    if (!state->functions || !fm_document_open(doc, name) || line->number1 - state->number1 != 1) return FM_ROLE_NONE;
    row->bare = fm_str_equal(row->path, FM_STR("<unknown>"));
    if (row->bare) row->path.size = 0;
    glibc_add(state, doc, line, row);
    return FM_ROLE_FRAME;
}

static enum fm_line_role glibc_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct glibc_state *state = memory;
    struct glibc_row row = {0};
    if (!glibc_parse_row(line->body, &row)) {
        framemap_frame frame = FM_FRAME_INIT;
        int64_t number;
        if (line->first == '[' && parse_callstack(line->body, &number, &frame))
            return offer_callstack(state, doc, line, number, &frame);
        return offer_named(state, doc, line);
    }
    if (row.named) return offer_word(state, doc, line, &row);
    if (is_unsure(&row) && !may_be_function(&row)) return FM_ROLE_NONE;
    /* A number 0 directly below another 0 belongs to an inlined function. If other lines are between the two, it begins
     * a new stack. */
    const bool again = row.number == 0 && state->number == 0 && line->number1 > state->number1 + 1;
    const bool restarts = again || (row.number >= 0 && row.number < state->number);
    const bool inside = fm_document_open(doc, name) != NULL && line->number1 - state->number1 <= GLIBC_GAP && !restarts;
    if (!inside && !glibc_begin(state, doc, line, &row)) return FM_ROLE_NONE;
    glibc_add(state, doc, line, &row);
    return FM_ROLE_FRAME;
}

static void glibc_finish(void *memory, struct fm_document *doc)
{
    framemap_trace *trace = fm_document_open(doc, name);
    (void)memory;
    if (trace) place_functions(trace);
}

static void glibc_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    struct glibc_row row = {0};
    if (!glibc_parse_row(frame->raw, &row)) return;
    for (size_t i = 0; i < frame->restored.count; i++) {
        if (i) fm_row_begin_line(out, prefix, eol);
        fm_buf_str(out, fm_str_slice(frame->raw, 0, row.head));
        fm_buf_byte(out, ' ');
        fm_row_put_at(out, &frame->restored.frames[i]);
    }
}

const struct fm_format fm_glibc = {.info = {name, "backtrace_symbols of glibc (app(+0x12) [0x…])", true, false},
                                   .state_size = sizeof(struct glibc_state),
                                   .firsts = "/.",
                                   .lasts = "])0123456789",
                                   .all_of = FM_HAS_BRACKET,
                                   .probe = glibc_probe,
                                   .offer = glibc_offer,
                                   .is_significant = glibc_is_significant,
                                   .finish = glibc_finish,
                                   .print_frame = glibc_print_frame};
