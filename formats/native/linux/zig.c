/* Stacks that Zig's runtime prints for panics, signals and errors that main returns:
 *
 *     thread 7423 panic: index out of bounds: index 5, len 3
 *     /src/cart.zig:44:16: 0x1034dd4 in add (app)
 *         items[5] = 0;
 *              ^
 *     ???:?:?: 0x7f8f3c1 in ??? (libc.so.6)
 *
 * and the list of frames that Bun's server for crash reports writes:
 *
 *     - [`cart.zig:44`](<https://github.com/oven-sh/bun/…>): `cart.add`
 *     - 2 unknown/js code
 *
 * The name in parentheses is the compilation unit if the row has a position, otherwise the image. Addresses are
 * those of calls. */
#include "formats/native/linux/stack_rows.h"
#include "formats/parsers.h"

static const char name[] = "zig";
#define ZIG_ABOVE 8 /* maximum number of lines above a stack that are searched for its title */

/* `nowhere` is printed for an unknown position, `nothing` for an unknown function */
static const framemap_str nowhere = FM_STR_INIT("???:?:?"), nothing = FM_STR_INIT("???");

/* Parses "FILE:LINE:COLUMN: 0xADDRESS in FUNCTION (UNIT)". */
static bool zig_parse_row(framemap_str text, struct fm_stack_row *row)
{
    static const framemap_str mark = FM_STR_INIT(": 0x"), in = FM_STR_INIT(" in ");
    framemap_str unit, rest;
    const size_t at = fm_str_find(text, mark);
    *row = (struct fm_stack_row){.index = -1, .exact = true, .sure = true, .has_address = true};
    if (at == FM_NOT_FOUND || text.data[text.size - 1] != ')') return false;
    const framemap_str place = fm_str(text.data, at);
    const bool known = !fm_str_equal(place, nowhere);
    if (known && !fm_row_location(place, &row->file, &row->line, &row->column)) return false;
    if (known && row->column == 0 && !fm_str_ends(place, FM_STR(":0"))) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, at + 2));
    const enum fm_digits digits = fm_row_0xhex(&s, &row->address);
    row->too_long = digits == FM_DIGITS_LONG;
    if (digits == FM_DIGITS_NONE || !fm_scan_text(&s, in)) return false;
    rest = fm_scan_rest(&s);
    if (!fm_row_group(&rest, &unit) || rest.size == 0) return false;
    if (!fm_str_equal(rest, nothing)) row->function = rest;
    if (!known && !fm_str_equal(unit, nothing)) row->path = unit;
    return true;
}

/* Parses a frame in the list of Bun's server: "- [`cart.zig:44`](<https://…>): `cart.add`". */
static bool parse_item(framemap_str text, struct fm_stack_row *row)
{
    static const framemap_str link = FM_STR_INIT("`](<"), after = FM_STR_INIT(">): `");
    struct fm_scan s = fm_scan_of(text);
    *row = (struct fm_stack_row){.index = -1, .sure = true};
    (void)fm_scan_text(&s, FM_STR("- "));
    if (!fm_scan_text(&s, FM_STR("[`"))) return false;
    const framemap_str rest = fm_scan_rest(&s);
    const size_t end = fm_str_find(rest, link), name_at = fm_str_find(rest, after);
    if (end == FM_NOT_FOUND || name_at == FM_NOT_FOUND || name_at < end || rest.data[rest.size - 1] != '`')
        return false;
    if (name_at + after.size >= rest.size) return false;
    if (!fm_row_location(fm_str(rest.data, end), &row->file, &row->line, &row->column)) return false;
    row->function = fm_str_slice(rest, name_at + after.size, rest.size - 1);
    return row->function.size != 0;
}

/* Parses a line of Bun's server for omitted frames: "- 2 unknown/js code", "- *1 unknown/js code*", "- `??`". */
static bool parse_unknown(framemap_str text, uint64_t *count)
{
    struct fm_scan s = fm_scan_of(text);
    *count = 1;
    (void)fm_scan_text(&s, FM_STR("- "));
    if (fm_str_equal(fm_scan_rest(&s), FM_STR("`??`"))) return true;
    (void)fm_scan_byte(&s, '*');
    if (!fm_scan_dec(&s, count, NULL)) return false;
    return fm_str_starts(fm_scan_rest(&s), FM_STR(" unknown/js code"));
}

/* Parses the title of a stack: "thread 7423 panic: MESSAGE", "panic(main thread): MESSAGE", "error: NotFound",
 * "Segmentation fault at address 0x0". */
static bool read_title(framemap_str text, framemap_trace *trace)
{
    static const framemap_str panic = FM_STR_INIT("panic"), error = FM_STR_INIT("error: "),
                              at_address = FM_STR_INIT(" at address ");
    if (fm_str_starts(text, error) && fm_str_find(text, FM_STR("panic: ")) != FM_NOT_FOUND)
        text = fm_str_from(text, error.size);
    struct fm_scan s = fm_scan_of(text);
    if (fm_scan_text(&s, FM_STR("thread "))) {
        const char *digits = s.at;
        uint64_t number;
        if (!fm_scan_dec(&s, &number, NULL)) return false;
        trace->thread = trace->thread_id = fm_str(digits, (size_t)(s.at - digits));
        if (!fm_scan_byte(&s, ' ')) return false;
    }
    const size_t address = fm_str_find(text, at_address);
    if (fm_scan_text(&s, panic)) {
        framemap_str thread;
        if (fm_scan_byte(&s, '(')) {
            if (!fm_scan_until(&s, ')', &thread)) return false;
            s.at++;
            trace->thread = trace->thread_name = thread;
        }
        if (!fm_scan_text(&s, FM_STR(": "))) return false;
        trace->exception_type = panic;
        trace->exception_message = fm_scan_rest(&s);
    } else if (fm_str_starts(text, error) && fm_str_find_byte(fm_str_from(text, error.size), ' ') == FM_NOT_FOUND) {
        trace->exception_type = fm_str_from(text, error.size);
    } else if (address != FM_NOT_FOUND && address > 0 && fm_str_starts(fm_str_from(text, address + 12), FM_STR("0x"))) {
        trace->exception_type = fm_str(text.data, address);
        trace->exception_message = text;
    } else {
        return false;
    }
    trace->exception = text;
    trace->crashed = true;
    return true;
}

static bool zig_is_title(framemap_str text)
{
    framemap_trace ignored = {.number = 0};
    return read_title(text, &ignored);
}

/* Finds the title of the stack that the line starts. */
static void find_title(struct fm_document *doc, const struct fm_line *line, framemap_trace *trace)
{
    struct fm_look_back back = fm_look_back_from(doc, line, fm_document_last_end(doc), ZIG_ABOVE);
    for (struct fm_line *before; (before = fm_look_back_next(&back)) != NULL;)
        if (fm_line_cut(before) && read_title(fm_str_trim(before->body), trace)) return;
}

/* Adds a frame for "- 2 unknown/js code", which is printed in place of frames that Bun's server could not name. */
static enum fm_line_role add_unknown(struct fm_stack_rows *state, struct fm_document *doc, const struct fm_line *line,
                                     uint64_t count)
{
    if (!fm_document_open(doc, name)) return FM_ROLE_NONE;
    framemap_frame *frame = fm_document_new_frame(doc, line);
    state->number1 = line->number1;
    if (frame == NULL) return FM_ROLE_FRAME;
    frame->kind = FRAMEMAP_KIND_MARKER;
    frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    frame->marker = FRAMEMAP_MARKER_ELIDED;
    framemap_frame_extra *extra = fm_document_extra(doc, frame);
    if (extra == NULL) return FM_ROLE_FRAME;
    extra->has_count = true;
    extra->count = count;
    return FM_ROLE_FRAME;
}

static bool zig_is_significant(const struct fm_line *line)
{
    struct fm_stack_row row;
    if (line->last == ')') return zig_parse_row(fm_str_trim(line->body), &row);
    return line->last == '`' && parse_item(fm_str_trim(line->body), &row);
}

static enum fm_line_role zig_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_stack_rows *state = memory;
    struct fm_stack_row row;
    uint64_t count;
    const framemap_str text = fm_str_trim(line->body);
    const bool near = fm_stack_rows_near(state, line);
    state->name = name;
    if (text.size == 0) return FM_ROLE_NONE;
    if (!(text.data[text.size - 1] == ')' ? zig_parse_row(text, &row) : parse_item(text, &row))) {
        if (near && parse_unknown(text, &count)) return add_unknown(state, doc, line, count);
        if (near && zig_is_title(text)) state->fresh = true;
        return FM_ROLE_NONE;
    }
    framemap_trace title = {.number = 0};
    const bool starts = !near || state->fresh || !fm_document_open(doc, name);
    if (starts) find_title(doc, line, &title);
    const enum fm_line_role role = fm_stack_rows_add(state, doc, line, &row, false);
    framemap_trace *trace = fm_document_open(doc, name);
    if (starts && trace && title.exception.size) {
        trace->exception = title.exception;
        trace->exception_type = title.exception_type;
        trace->exception_message = title.exception_message;
        trace->thread = title.thread;
        trace->thread_id = title.thread_id;
        trace->thread_name = title.thread_name;
        trace->crashed = true;
    }
    return role;
}

/* Writes "src/cart.zig:44:16: 0x1034dd4 in add (app)". */
static void zig_put(struct fm_buf *out, const framemap_frame *raw, const framemap_frame *restored)
{
    const bool known = restored->file.size && restored->line;
    if (known)
        fm_row_put_location(out, restored);
    else
        fm_buf_str(out, nowhere);
    if (known && restored->column == 0) fm_buf_str(out, FM_STR(":0"));
    fm_buf_printf(out, ": 0x%llx in ", (unsigned long long)raw->address);
    fm_buf_str(out, fm_row_name(restored));
    fm_buf_str(out, FM_STR(" ("));
    fm_buf_str(out, raw->module_path.size ? raw->module_path : raw->module.size ? raw->module : nothing);
    fm_buf_byte(out, ')');
}

static void zig_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    fm_native_put_chain(out, frame, prefix, eol, zig_put);
}

static const struct fm_needle zig_needles[] = {FM_NEEDLE("](<https://github.com/oven-sh/", 1, 8)};

const struct fm_format fm_zig = {.info = {name, "Zig's panics (a.zig:1:2: 0x… in f (app))", true, false},
                                 FM_NEEDLES(zig_needles),
                                 .marks = FM_MARK_HEX | FM_MARK_WORD,
                                 .state_size = sizeof(struct fm_stack_rows),
                                 .lasts = ")`",
                                 .keeps_state = true,
                                 .offer = zig_offer,
                                 .is_significant = zig_is_significant,
                                 .print_frame = zig_print_frame};
