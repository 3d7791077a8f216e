/* The stack of scripts that V8 prints when it ends a process, as Node up to 12 does when it is out of memory:
 *
 *     ==== JS stack trace =========================================
 *
 *         0: ExitFrame [pc: 0x142b7d9]
 *     Security context: 0x0dced9f008d1 <JSObject>
 *         1: add(aka add) [0x42fa7f8ab49] [/srv/cart.js:~12] [pc=0x26f2c6e83bd0](this=0x042fa7f8ac79 <Object>,3)
 *         2: arguments adaptor frame: 3->2
 *         3: forEach [00000109C2E06DF1](this=0x036cdad20831 <JSArray[442]>)
 *
 * The marks "~" and "*" before a line number show whether the function was optimized. Columns are not printed. */
#include "formats/javascript/js_location.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "js-dump";
#define DUMP_GAP 3 /* up to this many lines of other text may be within one stack */

struct dump_state {
    uint64_t number1; /* number of the line with the title or the last row; 0: no stack is open */
    int64_t index;    /* number of the last row */
    bool has_trace;
};

struct dump_row {
    int64_t index;
    framemap_str function; /* the function as printed */
    framemap_str place;    /* "/srv/cart.js:~12"; absent if it is not printed */
    framemap_str file;
    uint32_t line1;
    bool is_adaptor, is_engine;
};

/* Parses "/srv/cart.js:~12". */
static bool dump_read_place(framemap_str text, struct dump_row *row)
{
    const size_t colon = fm_str_find_last_byte(text, ':');
    if (colon == FM_NOT_FOUND || colon == 0) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, colon + 1));
    if (!fm_scan_byte(&s, '~')) (void)fm_scan_byte(&s, '*');
    if (!fm_scan_dec32(&s, &row->line1) || !fm_scan_done(&s)) return false;
    row->place = text;
    row->file = fm_str(text.data, colon);
    return fm_js_is_file(row->file) || fm_js_begins_path(row->file);
}

/* Finds the position in the brackets after the name: "/srv/cart.js:~12" in " [0x42fa7f8ab49] [/srv/cart.js:~12]
 * [pc=0x26]". */
static void find_place(framemap_str groups, struct dump_row *row)
{
    struct fm_scan s = fm_scan_of(groups);
    framemap_str group;
    for (fm_scan_blanks(&s); fm_scan_byte(&s, '['); fm_scan_blanks(&s)) {
        if (!fm_scan_until(&s, ']', &group)) return;
        s.at++;
        if (dump_read_place(group, row)) return;
    }
}

static bool is_engine(framemap_str function)
{
    static const framemap_str pc = FM_STR_INIT("Frame");
    return fm_str_ends(function, pc) && fm_str_find_byte(function, ' ') == FM_NOT_FOUND;
}

/* Parses "    1: add(aka add) [0x42fa7f8ab49] [/srv/cart.js:~12] [pc=0x26f2c6e83bd0](this=…". */
static bool dump_parse_row(framemap_str text, struct dump_row *row)
{
    struct fm_scan s = fm_scan_of(text);
    uint32_t index;
    *row = (struct dump_row){.line1 = 0};
    fm_scan_blanks(&s);
    if (!fm_scan_dec32(&s, &index) || !fm_scan_text(&s, FM_STR(": "))) return false;
    row->index = index;
    const framemap_str rest = fm_scan_rest(&s);
    row->is_adaptor = fm_str_starts(rest, FM_STR("arguments adaptor frame"));
    if (row->is_adaptor) return true;
    /* a row that begins with an address is of native code, not of a script */
    if (fm_str_starts(rest, FM_STR("0x"))) return false;
    const size_t open = fm_str_find(rest, FM_STR(" [")), call = fm_str_find_byte(rest, '(');
    if (open == FM_NOT_FOUND && call == FM_NOT_FOUND) return false;
    row->function = fm_str_trim(fm_str_slice(rest, 0, open < call ? open : call));
    if (open != FM_NOT_FOUND) find_place(fm_str_from(rest, open), row);
    row->is_engine = is_engine(row->function);
    return row->function.size != 0;
}

/* Returns the name of the function; empty for the comment that V8 prints if a function has no name. */
static framemap_str name_of(const struct dump_row *row)
{
    return fm_str_equal(row->function, FM_STR("/* anonymous */")) ? (framemap_str){NULL, 0} : row->function;
}

static bool dump_is_significant(const struct fm_line *line)
{
    return line->first == '=' && fm_str_begins(fm_str_trim(line->body), FM_STR("==== JS stack trace ="));
}

static enum fm_line_role dump_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct dump_state *state = memory;
    struct dump_row row;
    if (dump_is_significant(line)) {
        *state = (struct dump_state){.number1 = line->number1};
        return FM_ROLE_CONTEXT;
    }
    if (state->number1 == 0) return FM_ROLE_NONE;
    if (line->number1 - state->number1 > DUMP_GAP || line->begins || line->first == '=') {
        state->number1 = 0;
        return FM_ROLE_NONE;
    }
    if (!fm_is_digit(line->first) || !dump_parse_row(line->body, &row) ||
        row.index != (state->has_trace ? state->index + 1 : row.index)) {
        if (!fm_str_begins(fm_str_trim(line->body), FM_STR("Security context: "))) state->number1 = 0;
        return FM_ROLE_NONE;
    }
    framemap_trace *trace = state->has_trace ? fm_document_open(doc, name) : NULL;
    if (trace == NULL && row.is_adaptor) return FM_ROLE_NONE;
    if (trace == NULL) trace = fm_document_trace(doc, name, line);
    *state = (struct dump_state){.number1 = line->number1, .index = row.index, .has_trace = true};
    if (trace == NULL) return FM_ROLE_FRAME;
    if (row.is_adaptor) {
        fm_document_span(doc, line);
        return FM_ROLE_FRAME;
    }
    framemap_frame *frame = fm_document_new_frame(doc, line);
    if (frame == NULL) return FM_ROLE_FRAME;
    frame->kind = FRAMEMAP_KIND_JS;
    frame->index = row.index;
    frame->function = name_of(&row);
    frame->file = row.file;
    frame->line = row.line1;
    if (row.is_engine || row.file.size == 0 || !fm_js_begins_path(row.file)) frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    return FM_ROLE_FRAME;
}

/* Writes the row with the restored name and position: "    1: add [0x42fa7f8ab49] [src/cart.ts:12]
 * [pc=0x26](this=…". */
static void dump_print(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    struct dump_row row;
    const framemap_str raw = frame->raw;
    if (!dump_parse_row(raw, &row) || row.place.size == 0) return;
    const size_t at = (size_t)(row.function.data - raw.data), to = at + row.function.size,
                 place = (size_t)(row.place.data - raw.data);
    for (size_t i = 0; i < frame->restored.count; i++) {
        const framemap_frame *source = &frame->restored.frames[i];
        if (i) fm_row_begin_line(out, prefix, eol);
        fm_buf_str(out, fm_str(raw.data, at));
        fm_buf_str(out, source->function.size ? source->function : row.function);
        fm_buf_str(out, fm_str_slice(raw, to, place));
        fm_buf_str(out, source->file.size ? source->file : row.file);
        fm_buf_byte(out, ':');
        fm_buf_dec(out, source->line);
        fm_buf_str(out, fm_str_from(raw, place + row.place.size));
    }
}

static const struct fm_needle dump_needles[] = {FM_NEEDLE("==== JS stack trace", 2, 11)};

const struct fm_format fm_js_dump = {
    .info = {name, "JavaScript that V8 prints where it ends a process (1: f [0x1] [main.js:~2])", true, false},
    .keeps = FM_KEEPS_MARKS,
    FM_NEEDLES(dump_needles),
    .marks = FM_MARK_WORD,
    .state_size = sizeof(struct dump_state),
    .firsts = "=",
    .offer = dump_offer,
    .is_significant = dump_is_significant,
    .keeps_state = true,
    .print_frame = dump_print};
