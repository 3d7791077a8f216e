/* Call stacks that are copied from Visual Studio's window, and from Visual Studio Code's:
 *
 *     Exception thrown at 0x00007FF6A1DEE112 in app.exe: 0xC0000005: Access violation reading location 0x00000000.
 *      	ucrtbased.dll!abort() Line 77	C++
 *     >	app.exe!cart::add(int n=3) Line 12	C++
 *      	[Inline Frame] app.exe!invoke_main() Line 78	C++
 *      	at C:\src\cart.cc(78)
 *      	app.exe!main() Line 90 at C:\src\main.cc(90)
 *      	[External Code]
 *      	ntdll.dll!77c60466()	Unknown
 *
 * '>' marks the frame that is shown. Nothing is looked up: names are printed. A row with a line number begins
 * a stack; rows without a line number belong to the stack if they are directly above or below such a row. */
#include "formats/native/native_parts.h"
#include "formats/parsers.h"

static const char name[] = "visual-studio";
#define VISUAL_STUDIO_GAP 3 /* maximum number of lines of other text that do not end a stack */

struct visual_studio_state {
    uint64_t number1; /* number of the last row, or of a line that belongs to it; 0: no stack is open */
};

/* Cuts off the mark of the frame that is shown, and the blanks around it. */
static framemap_str without_mark(framemap_str body)
{
    framemap_str text = fm_str_trim(body);
    return fm_str_starts(text, FM_STR(">")) ? fm_str_trim(fm_str_from(text, 1)) : text;
}

/* Cuts off " + 0x5 bytes", which old versions print. */
static framemap_str without_bytes(framemap_str site)
{
    const size_t plus = fm_str_ends(site, FM_STR(" bytes")) ? fm_str_find_last(site, FM_STR(" + 0x")) : FM_NOT_FOUND;
    return plus == FM_NOT_FOUND ? site : fm_str(site.data, plus);
}

/* Returns the file of "C:\src\cart.cc(78)", if the number is that of the line; otherwise an absent text. */
static framemap_str file_of(framemap_str text, uint32_t line1)
{
    size_t open;
    uint32_t number;
    if (!fm_row_open(text, &open) || open == 0) return (framemap_str){NULL, 0};
    struct fm_scan s = fm_scan_of(fm_str_slice(text, open + 1, text.size - 1));
    const bool same = fm_scan_dec32(&s, &number) && fm_scan_done(&s) && number == line1;
    return same ? fm_str_slice(text, 0, open) : (framemap_str){NULL, 0};
}

/* Cuts off " Line 12" or " Line 12 at C:\src\cart.cc(12)", and sets the frame's line and file. */
static framemap_str take_line(framemap_str site, framemap_frame *frame)
{
    static const framemap_str mark = FM_STR_INIT(" Line ");
    const size_t at = fm_str_find_last(site, mark);
    framemap_str file = {NULL, 0};
    uint32_t line1;
    if (at == FM_NOT_FOUND) return site;
    struct fm_scan s = fm_scan_of(fm_str_from(site, at + mark.size));
    if (!fm_scan_dec32(&s, &line1) || line1 == 0) return site;
    if (fm_scan_text(&s, FM_STR(" at "))) file = file_of(fm_scan_rest(&s), line1);
    if (!fm_scan_done(&s) && file.size == 0) return site;
    frame->line = line1;
    frame->file = file;
    return fm_str(site.data, at);
}

/* Parses "app.exe!cart::add(int n=3) Line 12      C++". The module must have an extension. The arguments are not part
 * of the name. A function without symbols is printed as an address, "77c60466()". */
static bool visual_studio_parse_row(framemap_str body, framemap_frame *frame)
{
    static const framemap_str inlined = FM_STR_INIT("[Inline Frame] ");
    framemap_str site = without_mark(body);
    size_t open;
    *frame = FM_FRAME_INIT;
    frame->inlined = fm_str_starts(site, inlined);
    if (frame->inlined) site = fm_str_from(site, inlined.size);
    site = take_line(without_bytes(fm_str_trim(fm_str_slice(site, 0, fm_str_find_byte(site, '\t')))), frame);
    const size_t bang = fm_str_find_byte(site, '!');
    if (bang == FM_NOT_FOUND || bang < 3 || !fm_row_open(site, &open) || open <= bang + 1) return false;
    const framemap_str module = fm_str(site.data, bang);
    if (fm_str_find_byte(module, '.') == FM_NOT_FOUND || fm_str_find_byte(module, ' ') != FM_NOT_FOUND) return false;
    frame->module = module;
    frame->function = fm_str_slice(site, bang + 1, open);
    frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    struct fm_scan digits = fm_scan_of(frame->function);
    if (frame->function.size < 8 || fm_row_hex(&digits, &frame->address) != FM_DIGITS_FIT || !fm_scan_done(&digits))
        return true;
    frame->function = (framemap_str){NULL, 0};
    frame->has_address = true;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
    frame->reason = "the stack does not say where the module is loaded";
    return true;
}

/* Parses "at C:\src\cart.cc(78)", which is the file of the row above. */
static bool read_file(framemap_str body, framemap_frame *frame)
{
    const framemap_str text = without_mark(body);
    if (frame == NULL || frame->line == 0 || !fm_str_starts(text, FM_STR("at "))) return false;
    const framemap_str file = file_of(fm_str_from(text, 3), frame->line);
    if (file.size) frame->file = file;
    return file.size != 0;
}

/* Finds "Unhandled exception at 0x… (vld.dll) in app.exe: 0xC0000005: Access violation reading location 0x00000000."
 * above a stack. */
static void read_exception(struct fm_document *doc, const struct fm_line *line, framemap_trace *trace)
{
    static const framemap_str places[] = {FM_STR_INIT(" reading location "), FM_STR_INIT(" writing location "),
                                          FM_STR_INIT(" executing location ")};
    struct fm_look_back above = fm_look_back_from(doc, line, fm_document_last_end(doc), FM_LOOK_BACK_MOST);
    for (struct fm_line *before; (before = fm_look_back_next(&above)) != NULL;) {
        const framemap_str text = fm_line_cut(before) ? fm_str_trim(before->body) : (framemap_str){NULL, 0};
        if (!fm_str_starts(text, FM_STR("Exception thrown at 0x")) &&
            !fm_str_starts(text, FM_STR("Unhandled exception at 0x")) &&
            !fm_str_starts(text, FM_STR("First-chance exception at 0x")))
            continue;
        const size_t code = fm_str_find(text, FM_STR(": 0x"));
        const framemap_str rest = fm_str_from(text, code == FM_NOT_FOUND ? text.size : code + 2);
        const size_t colon = fm_str_find(rest, FM_STR(": "));
        trace->exception = trace->exception_message = text;
        trace->exception_type = colon == FM_NOT_FOUND ? rest : fm_str_from(rest, colon + 2);
        for (size_t i = 0; i < sizeof places / sizeof *places; i++)
            trace->exception_type =
                fm_str_slice(trace->exception_type, 0, fm_str_find(trace->exception_type, places[i]));
        if (fm_str_ends(trace->exception_type, FM_STR("."))) trace->exception_type.size--;
        trace->crashed = true;
        return;
    }
}

/* Adds the rows without a line number that are directly above the first row with one. They are frames of the system's
 * libraries. */
static void add_rows_above(struct fm_document *doc, const struct fm_line *line)
{
    struct fm_line rows[FM_LOOK_BACK_MOST];
    size_t count = 0;
    framemap_frame frame;
    struct fm_look_back above = fm_look_back_from(doc, line, fm_document_last_end(doc), FM_LOOK_BACK_MOST);
    for (struct fm_line *before; count < FM_LOOK_BACK_MOST && (before = fm_look_back_next(&above)) != NULL;) {
        if (!fm_line_cut(before) || !visual_studio_parse_row(before->body, &frame)) break;
        rows[count++] = *before;
    }
    framemap_trace *trace = fm_document_trace(doc, name, count ? &rows[count - 1] : line);
    if (trace) read_exception(doc, count ? &rows[count - 1] : line, trace);
    while (trace && count-- > 0)
        if (visual_studio_parse_row(rows[count].body, &frame)) fm_document_frame(doc, &rows[count], &frame);
}

static bool visual_studio_is_significant(const struct fm_line *line)
{
    framemap_frame frame;
    return visual_studio_parse_row(line->body, &frame) && frame.line > 0;
}

static enum fm_line_role visual_studio_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct visual_studio_state *state = memory;
    framemap_frame frame;
    framemap_trace *trace = fm_document_open(doc, name);
    const bool near = trace && state->number1 && line->number1 - state->number1 <= VISUAL_STUDIO_GAP && !line->begins;
    if (!visual_studio_parse_row(line->body, &frame)) {
        if (!near || line->number1 != state->number1 + 1 || !read_file(line->body, fm_native_last(trace)))
            return FM_ROLE_NONE;
        state->number1 = line->number1;
        return FM_ROLE_FRAME;
    }
    if (!near && frame.line == 0) return FM_ROLE_NONE;
    if (!near) add_rows_above(doc, line);
    state->number1 = line->number1;
    fm_document_frame(doc, line, &frame);
    return FM_ROLE_FRAME;
}

static const struct fm_needle visual_studio_needles[] = {FM_NEEDLE(") Line ", 2, 13)};

const struct fm_format fm_visual_studio = {
    .info = {name, "call stacks copied from Visual Studio (app.exe!f(int n) Line 12)", true, false},
    FM_NEEDLES(visual_studio_needles),
    .marks = FM_MARK_WORD,
    .all_of = FM_HAS_PARENTHESIS,
    .state_size = sizeof(struct visual_studio_state),
    .keeps_state = true,
    .offer = visual_studio_offer,
    .is_significant = visual_studio_is_significant};
