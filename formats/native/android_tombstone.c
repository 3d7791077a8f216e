/* Android's native frames, as libunwindstack's FormatFrame prints them into tombstones, logcat and ANR traces:
 *
 *     #01 pc 000000000004f0c4  /data/app/base.apk!libapp.so (offset 0x21a000) (outer()+24) (BuildId: 77e6f9…)
 *
 * The pc is relative to the ELF file and stepped back to the call already: it is looked up as it is. Groups are read
 * from the right, since names hold blanks and parentheses. Any text before '#' is kept, such as a logger's prefix or
 * the "native: " of ANR traces. Listed in format_registry.c. */
#include "formats/native/android.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "android-tombstone";
#define GAP 200 /* lines of other text within one stack: logcat mixes in those of other processes */

struct tombstone_state {
    framemap_str arch, thread, exception;
    bool fresh;    /* a header since the last frame: the next one begins a stack */
    int64_t index; /* frame number of the last frame */
    uint64_t pc;
    uint64_t number1; /* line of the last frame */
};

/* A frame line in its pieces; all slices of the line's body. */
struct tombstone_row {
    int64_t index;
    enum fm_digits digits;
    uint64_t pc;
    framemap_str head; /* up to and with the map and its offset */
    framemap_str map;
    framemap_str build; /* "(BuildId: …)" or "[abi::id]" as printed, empty without */
    framemap_str place; /* "src/a.cc:7:3" that framemap itself has put there */
    bool has_function;
    framemap_str function;
    framemap_str id, arch, offset;
};

/* "#NN pc HEX" at text, which begins with '#'. */
static bool row_start(framemap_str text, struct tombstone_row *row, framemap_str *rest)
{
    struct fm_scan s = fm_scan_of(fm_str_from(text, 1));
    if (!fm_row_index(&s, &row->index) || !fm_scan_blanks1(&s)) return false;
    if (!fm_scan_text(&s, FM_STR("pc")) || !fm_scan_blanks1(&s)) return false;
    row->digits = fm_row_0xhex(&s, &row->pc);
    if (row->digits == FM_DIGITS_NONE) row->digits = fm_row_hex(&s, &row->pc);
    if (row->digits == FM_DIGITS_NONE || !(fm_scan_done(&s) || fm_is_blank(*s.at))) return false;
    *rest = fm_scan_rest(&s);
    return true;
}

/* Finds the position in the body where a frame begins. A line with two frames (a JSON string of a whole stack) is not a
 * frame line. */
static bool find_row(framemap_str body, struct tombstone_row *row, framemap_str *rest)
{
    bool found = false;
    for (size_t at = 0; at < body.size; at++) {
        const char *hash = fm_find(body.data + at, body.size - at, '#');
        if (!hash) break;
        at = (size_t)(hash - body.data);
        struct tombstone_row candidate = {0};
        framemap_str after;
        if (!row_start(fm_str_from(body, at), &candidate, &after)) continue;
        if (found) return false;
        *row = candidate;
        *rest = after;
        found = true;
    }
    return found;
}

/* Cuts "src/a.cc:7:3" after the last group, which lines have that framemap restored before. */
static void cut_place(framemap_str *text, struct tombstone_row *row)
{
    if (text->size == 0 || !fm_is_digit(text->data[text->size - 1])) return;
    size_t group = fm_str_find_last(*text, FM_STR(") "));
    if (group == FM_NOT_FOUND) group = fm_str_find_last(*text, FM_STR("] "));
    framemap_str file;
    uint32_t line, column;
    if (group == FM_NOT_FOUND || !fm_row_location(fm_str_from(*text, group + 2), &file, &line, &column)) return;
    row->place = fm_str_from(*text, group + 2);
    text->size = group + 1;
}

static bool is_offset(framemap_str group) { return fm_str_starts(group, FM_STR("offset ")); }

static void cut_groups(framemap_str *text, struct tombstone_row *row)
{
    framemap_str left = *text, group;
    if (fm_row_group(&left, &group) && fm_str_starts(group, FM_STR("BuildId: "))) {
        row->id = fm_str_from(group, 9);
        row->build = fm_str(group.data - 1, group.size + 2);
        *text = left;
    } else {
        fm_android_bracket(text, &row->arch, &row->id, &row->build);
    }
    left = *text;
    if (fm_row_group(&left, &group) && !is_offset(group) && !fm_str_equal(group, FM_STR("deleted"))) {
        row->has_function = true;
        row->function = group;
        *text = left;
    }
    row->head.size = (size_t)(text->data + text->size - row->head.data);
    left = *text;
    if (fm_row_group(&left, &group) && is_offset(group)) {
        row->offset = fm_str_from(group, 7);
        *text = left;
    }
}

static bool tombstone_parse_row(framemap_str body, struct tombstone_row *row)
{
    framemap_str rest;
    if (!find_row(body, row, &rest)) return false;
    row->head = fm_str(body.data, (size_t)(rest.data - body.data));
    rest = fm_str_trim(rest);
    if (rest.size == 0) return true;
    cut_place(&rest, row);
    cut_groups(&rest, row);
    row->map = rest;
    return true;
}

/* Whether a map is not a file, so that no symbols can exist for it. */
static bool is_anonymous(framemap_str map)
{
    return map.size == 0 || map.data[0] == '<' || fm_str_starts(map, FM_STR("[anon:")) ||
           fm_str_starts(map, FM_STR("anon_inode")) || fm_str_starts(map, FM_STR("/memfd:"));
}

static framemap_str module_of(framemap_str map)
{
    size_t embedded = fm_str_find_last_byte(map, '!');
    if (embedded != FM_NOT_FOUND) map = fm_str_from(map, embedded + 1);
    if (is_anonymous(map) || map.data[0] == '[') return map;
    return fm_str_basename(map);
}

static void fill_address(const struct tombstone_row *row, framemap_frame *frame)
{
    if (row->digits == FM_DIGITS_LONG) {
        fm_row_malformed(frame, FM_LONG_ADDRESS);
        return;
    }
    frame->has_address = true;
    frame->address = row->pc;
    frame->address_kind = FRAMEMAP_ADDRESS_LINKED;
    struct fm_scan s = fm_scan_of(row->offset);
    if (row->offset.size && fm_row_0xhex(&s, &frame->file_offset) == FM_DIGITS_NONE)
        fm_row_hex(&s, &frame->file_offset);
    if (is_anonymous(row->map)) {
        frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
        frame->reason = "the code is in anonymous memory, not in a file";
    }
}

static void tombstone_fill(const struct tombstone_row *row, const struct tombstone_state *state,
                           struct fm_document *doc, framemap_frame *frame)
{
    frame->index = row->index;
    frame->module = module_of(row->map);
    frame->arch = row->arch.size ? row->arch : state->arch;
    if (row->id.size) fm_row_id(row->id, doc, &frame->id);
    fill_address(row, frame);
    if (row->has_function && !fm_str_equal(row->function, FM_STR("???"))) {
        frame->function = row->function;
        frame->has_function_offset = fm_row_distance(row->function, false, &frame->function, &frame->function_offset);
    }
    if (row->place.size) fm_row_location(row->place, &frame->file, &frame->line, &frame->column);
    fm_row_mark_complete(frame);
}

static bool tombstone_begins(const struct tombstone_state *state, const struct tombstone_row *row,
                             const struct fm_line *line)
{
    if (state->fresh || line->number1 - state->number1 > GAP) return true;
    /* the same number again is an inlined frame, where it has the same address */
    return row->index < state->index || (row->index == state->index && row->pc != state->pc);
}

static enum fm_line_role tombstone_add(struct tombstone_state *state, struct fm_document *doc,
                                       const struct fm_line *line, const struct tombstone_row *row)
{
    framemap_trace *trace = fm_document_open(doc, name);
    if (!trace || tombstone_begins(state, row, line)) {
        trace = fm_document_trace(doc, name, line);
        if (!trace) return FM_ROLE_FRAME;
        trace->thread = state->thread;
        trace->exception = state->exception;
        trace->arch = state->arch;
        trace->crashed = state->exception.size != 0;
        state->exception = (framemap_str){NULL, 0};
        state->fresh = false;
    }
    framemap_frame frame = FM_FRAME_INIT;
    tombstone_fill(row, state, doc, &frame);
    fm_document_frame(doc, line, &frame);
    state->index = row->index;
    state->pc = row->pc;
    state->number1 = line->number1;
    return FM_ROLE_FRAME;
}

/* The text between two quotes, or all of it if there are none. */
static framemap_str unquoted(framemap_str text)
{
    text = fm_str_trim(text);
    if (text.size >= 2 && text.data[0] == '\'' && text.data[text.size - 1] == '\'')
        return fm_str(text.data + 1, text.size - 2);
    return text;
}

/* "pid: 1, tid: 2, name: main  >>> com.example <<<": the thread's name. */
static void read_thread(struct tombstone_state *state, framemap_str text)
{
    size_t at = fm_str_find(text, FM_STR("name: "));
    size_t end = fm_str_find(text, FM_STR("  >>> "));
    if (at == FM_NOT_FOUND || end == FM_NOT_FOUND || end < at) return;
    state->thread = fm_str_slice(text, at + 6, end);
    state->fresh = true;
}

/* "\"main\" prio=5 tid=1 Native" of ANR traces. */
static bool read_anr_thread(struct tombstone_state *state, framemap_str text)
{
    size_t end = fm_str_find(text, FM_STR("\" "));
    if (end == FM_NOT_FOUND || end == 0) return false;
    framemap_str rest = fm_str_from(text, end + 2);
    if (fm_str_find(rest, FM_STR("tid=")) == FM_NOT_FOUND && fm_str_find(rest, FM_STR("sysTid=")) == FM_NOT_FOUND)
        return false;
    state->thread = fm_str_slice(text, 1, end);
    state->exception = (framemap_str){NULL, 0};
    state->fresh = true;
    return true;
}

/* The abort message joins the signal, as one text. */
static void read_abort(struct tombstone_state *state, struct fm_document *doc, framemap_str message)
{
    framemap_str signal = state->exception;
    char *joined = fm_document_alloc(doc, signal.size + 2 + message.size);
    size_t used = 0;
    if (!joined) return;
    if (signal.size) {
        memcpy(joined, signal.data, signal.size);
        memcpy(joined + signal.size, ": ", 2);
        used = signal.size + 2;
    }
    if (message.size) memcpy(joined + used, message.data, message.size);
    state->exception = fm_str(joined, used + message.size);
}

static enum fm_line_role context(struct tombstone_state *state, struct fm_document *doc, framemap_str text)
{
    if (fm_str_starts(text, FM_STR("*** *** ***")))
        *state = (struct tombstone_state){.fresh = true};
    else if (fm_str_starts(text, FM_STR("--- --- ---")))
        *state = (struct tombstone_state){.fresh = true, .arch = state->arch};
    else if (fm_str_starts(text, FM_STR("pid: ")))
        read_thread(state, text);
    else if (fm_str_starts(text, FM_STR("ABI: ")))
        state->arch = unquoted(fm_str_from(text, 5));
    else if (fm_str_starts(text, FM_STR("signal ")))
        state->exception = text;
    else if (fm_str_starts(text, FM_STR("Abort message: ")))
        read_abort(state, doc, unquoted(fm_str_from(text, 15)));
    else if (fm_str_starts(text, FM_STR("backtrace:")))
        state->fresh = true;
    else if (text.size && text.data[0] == '"' && read_anr_thread(state, text))
        return FM_ROLE_CONTEXT;
    else
        return FM_ROLE_NONE;
    return FM_ROLE_CONTEXT;
}

static bool tombstone_probe(const struct fm_line *line)
{
    switch (line->first) {
    case '*':
    case '-':
    case 'p':
    case 'A':
    case 's':
    case 'b':
    case '"': return true;
    default:
        return line->body.size > 8 && (line->has & FM_HAS_HASH) != 0 &&
               fm_find(line->body.data, line->body.size, '#') != NULL;
    }
}

static enum fm_line_role tombstone_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct tombstone_row row = {0};
    if ((line->has & FM_HAS_HASH) != 0 && tombstone_parse_row(line->body, &row))
        return tombstone_add(memory, doc, line, &row);
    return context(memory, doc, fm_str_trim(line->body));
}

/* What context() may take. */
static bool tombstone_is_significant(const struct fm_line *line)
{
    static const framemap_str heads[] = {
        FM_STR_INIT("*** *** ***"), FM_STR_INIT("--- --- ---"),     FM_STR_INIT("pid: "),     FM_STR_INIT("ABI: "),
        FM_STR_INIT("signal "),     FM_STR_INIT("Abort message: "), FM_STR_INIT("backtrace:")};
    struct tombstone_row row = {0};
    const framemap_str text = fm_str_trim(line->body);
    if (tombstone_parse_row(line->body, &row)) return true;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (fm_str_begins(text, heads[i])) return true;
    return line->first == '"' &&
           (fm_str_find(text, FM_STR("tid=")) != FM_NOT_FOUND || fm_str_find(text, FM_STR("sysTid=")) != FM_NOT_FOUND);
}

static void tombstone_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix,
                                  framemap_str eol)
{
    struct tombstone_row row = {0};
    if (!tombstone_parse_row(frame->raw, &row)) return;
    for (size_t i = 0; i < frame->restored.count; i++) {
        const framemap_frame *source = &frame->restored.frames[i];
        if (i) {
            fm_buf_str(out, eol);
            fm_buf_str(out, prefix);
        }
        fm_buf_str(out, row.head);
        fm_buf_str(out, FM_STR(" ("));
        fm_buf_str(out, fm_row_name(source));
        if (source->has_function_offset && !source->inlined) {
            fm_buf_byte(out, '+');
            fm_buf_dec(out, source->function_offset);
        }
        fm_buf_byte(out, ')');
        if (row.build.size) fm_buf_byte(out, ' ');
        fm_buf_str(out, row.build);
        if (source->file.size) fm_buf_byte(out, ' ');
        fm_row_put_location(out, source);
    }
}

static const struct fm_needle tombstone_needles[] = {
    FM_NEEDLE("*** ***", 2, 1),    FM_NEEDLE("--- ---", 1, 1), FM_NEEDLE("pid: ", 1, 5),
    FM_NEEDLE("ABI: ", 1, 3),      FM_NEEDLE("signal ", 4, 1), FM_NEEDLE("Abort message: ", 0, 7),
    FM_NEEDLE("backtrace:", 3, 6), FM_NEEDLE("tid=", 0, 0),    FM_NEEDLE("Tid=", 0, 7),
};

const struct fm_format fm_android_tombstone = {
    .info = {name, "Android native frames: tombstones, logcat, ANR traces (#00 pc …)", true, false},
    FM_NEEDLES(tombstone_needles),
    .state_size = sizeof(struct tombstone_state),
    .firsts = "*-pAsb\"",
    .any_of = FM_HAS_HASH,
    .probe = tombstone_probe,
    .offer = tombstone_offer,
    .is_significant = tombstone_is_significant,
    .print_frame = tombstone_print_frame};
