/* Backtraces of Swift's runtime, from 5.9 on:
 *
 *     *** Program crashed: Illegal instruction at 0x00007f01 ***
 *     Thread 0 "main" crashed:
 *     0                    0x00007f01 load() + 31 in shop at /app/cart.swift:2:15
 *     1 [ra] [inlined]     0x00007f02 run() in shop at /app/shop.swift:7
 *     2 [ra] [system]      0x00007f03 start + 2431 in dyld
 *     3 [async]            0x00007f04 in shop
 *     4 [ra]               0x00007f05 <unknown> in shop
 *     5                    ...
 *     Registers:
 *     rax 0x0000000000000002  2
 *     Images (12 omitted):
 *     0x00007f00-0x00007fff 0d3b9ec5d36273defdb99c3bae4b6b3e98c7e6da shop /app/shop
 *
 * An en dash joins the two addresses of an image. Some rows have only the address (symbolicate=off), or only the
 * function (preset=friendly, which prints no tags either). Rows without a function, and rows with a function but no
 * file, are restored. The addresses of [ra] are return addresses; those of [async] are where a function resumes,
 * which is its first instruction. The innermost frame is first.
 *
 * Also backtraces of the package swift-backtrace, which servers used before 5.9:
 *
 *     Received signal 4. Backtrace:
 *     0x55ba0c45b4f1, load() -> () at /app/Sources/App/cart.swift:12
 *     0x7fb0bf00941f */
#include "formats/other/other_stack.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "swift";
/* maximum number of lines from a row to the title of the next thread; source and blank lines may be between the two */
#define THREADS 32
/* maximum number of lines from the title of a list to the list itself; one blank line may be between the two */
#define LIST_GAP 2

struct swift_state {
    struct fm_other_stack stack;
    struct fm_other_stack package; /* the open stack of the package swift-backtrace */
    framemap_str crash;            /* the line "Program crashed: ..." */
    framemap_str thread;
    bool crashed;
    /* number of the last line in the list of registers, and of the last line in the list of images; 0: the list is not
     * open */
    uint64_t registers1, images1;
};

/* Parses the text after a row's address: "load() + 31 in shop at FILE:2:15", "run() in shop at //<compiler-generated>",
 * "in shop", "". */
static bool parse_symbol(framemap_str text, framemap_frame *frame)
{
    if (text.size == 0) return frame->has_address;
    const size_t at = fm_str_find_last(text, FM_STR(" at "));
    const framemap_str place = at == FM_NOT_FOUND ? fm_str(NULL, 0) : fm_str_from(text, at + 4);
    if (fm_row_location(place, &frame->file, &frame->line, &frame->column)) {
        text.size = at;
    } else if (fm_str_starts(place, FM_STR("/")) && fm_str_find(place, FM_STR(" in ")) == FM_NOT_FOUND) {
        frame->file = place;
        text.size = at;
    }
    if (fm_str_starts(text, FM_STR("in "))) {
        frame->module = fm_str_from(text, 3);
        return frame->module.size != 0;
    }
    const size_t in = fm_str_find_last(text, FM_STR(" in "));
    if (in == FM_NOT_FOUND || in == 0) return false;
    frame->module = fm_str_from(text, in + 4);
    text.size = in;
    if (fm_str_equal(text, FM_STR("<unknown>"))) return frame->module.size != 0;
    if (fm_row_distance(text, false, &frame->function, &frame->function_offset))
        frame->has_function_offset = true;
    else
        frame->function = text;
    return frame->module.size != 0;
}

/* Sets kind and status of a frame. A frame with an address is native code; a frame with a function and a file needs no
 * symbols. */
static void set_kind(framemap_frame *frame)
{
    if (!frame->has_address) return;
    frame->kind = FRAMEMAP_KIND_NATIVE;
    if (frame->function.size && frame->file.size) frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    if (frame->status == FRAMEMAP_FRAME_NOT_NEEDED) return;
    frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
    frame->reason = "the text lists no image that the address is in";
}

static enum fm_other_kind parse_row(framemap_str text, struct fm_other_line *out)
{
    struct fm_scan s = fm_scan_of(text);
    framemap_str tag;
    if (!fm_row_index(&s, &out->frame.index) || !fm_scan_blanks1(&s)) return FM_OTHER_NONE;
    while (fm_scan_byte(&s, '[')) {
        if (!fm_scan_until(&s, ']', &tag) || !fm_scan_byte(&s, ']')) return FM_OTHER_NONE;
        if (fm_str_equal(tag, FM_STR("inlined"))) out->frame.inlined = true;
        if (fm_str_equal(tag, FM_STR("async"))) out->frame.is_async = true;
        if (fm_str_equal(tag, FM_STR("ra"))) out->frame.return_address = true;
        fm_scan_blanks(&s);
    }
    if (fm_str_equal(fm_scan_rest(&s), FM_STR("..."))) {
        out->marker = FRAMEMAP_MARKER_SKIPPED;
        return FM_OTHER_MARK;
    }
    if (fm_row_0xhex(&s, &out->frame.address) == FM_DIGITS_FIT) {
        out->frame.has_address = true;
        out->frame.address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
        if (!fm_scan_done(&s) && !fm_scan_blanks1(&s)) return FM_OTHER_NONE;
    }
    out->starts = out->frame.index == 0;
    if (!parse_symbol(fm_scan_rest(&s), &out->frame)) return FM_OTHER_NONE;
    set_kind(&out->frame);
    return FM_OTHER_ROW;
}

static enum fm_other_kind swift_parse(framemap_str text, struct fm_other_line *out)
{
    if (fm_str_starts(text, FM_STR("Thread ")) && fm_str_ends(text, FM_STR(" crashed:"))) return FM_OTHER_TITLE;
    if (fm_str_equal(text, FM_STR("..."))) {
        out->marker = FRAMEMAP_MARKER_SKIPPED;
        return FM_OTHER_MARK;
    }
    return parse_row(text, out);
}

static const struct fm_other_rules rules = {.name = name, .parse = swift_parse};

/* --- parsing lines of the package swift-backtrace --- */

static bool find_fatal(framemap_str text, framemap_str *exception)
{
    const size_t at = fm_str_find(text, FM_STR("Fatal error: "));
    *exception = at == FM_NOT_FOUND ? text : fm_str_from(text, at);
    return at != FM_NOT_FOUND;
}

/* Parses a line of the package swift-backtrace: "0x55ba0c45b4f1, load() -> () at /app/cart.swift:12",
 * "0x7fb0bf00941f", "Received signal 4. Backtrace:". */
static enum fm_other_kind package_parse(framemap_str text, struct fm_other_line *out)
{
    static const framemap_str received = FM_STR_INIT("Received signal "), backtrace = FM_STR_INIT(". Backtrace:");
    struct fm_scan s = fm_scan_of(text);
    if (fm_str_starts(text, received) && fm_str_ends(text, backtrace)) {
        out->exception = fm_str(text.data, text.size - backtrace.size);
        return FM_OTHER_TITLE;
    }
    if (fm_row_0xhex(&s, &out->frame.address) != FM_DIGITS_FIT) return FM_OTHER_NONE;
    out->frame.has_address = true;
    out->frame.address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    if (!fm_scan_done(&s)) {
        if (!fm_scan_text(&s, FM_STR(", "))) return FM_OTHER_NONE;
        const framemap_str row = fm_scan_rest(&s);
        const size_t at = fm_str_find_last(row, FM_STR(" at "));
        if (at == FM_NOT_FOUND || at == 0 ||
            !fm_row_location(fm_str_from(row, at + 4), &out->frame.file, &out->frame.line, &out->frame.column) ||
            !fm_str_starts(out->frame.file, FM_STR("/")))
            return FM_OTHER_NONE;
        out->frame.function = fm_str(row.data, at);
    }
    set_kind(&out->frame);
    return out->frame.file.size ? FM_OTHER_SURE : FM_OTHER_ROW;
}

static const struct fm_other_rules package_rules = {
    .name = name, .parse = package_parse, .find_exception = find_fatal, .above = 2};

/* Whether the line may be a title or a row of the package swift-backtrace. */
static bool may_be_package(const struct fm_line *line) { return line->first == '0' || line->first == 'R'; }

/* --- parsing lists of registers and images --- */

/* Whether the line is a register: "rax 0x0000000000000002  2", "rflags 0x0000000000010246  ZF PF". */
static bool is_register(framemap_str text)
{
    struct fm_scan s = fm_scan_of(text);
    framemap_str word;
    uint64_t value = 0;
    return text.size && text.data[0] >= 'a' && text.data[0] <= 'z' && fm_scan_until(&s, ' ', &word) &&
           fm_scan_blanks1(&s) && fm_row_0xhex(&s, &value) != FM_DIGITS_NONE;
}

/* Parses "0xSTART-0xEND BUILDID NAME PATH", with an en dash between the addresses. "<no build ID>" and "<unknown>"
 * may be in place of the id and the name. */
static bool parse_image(framemap_str text, struct fm_document *doc, framemap_image *image)
{
    struct fm_scan s = fm_scan_of(text);
    framemap_str word;
    uint64_t end = 0;
    if (fm_row_0xhex(&s, &image->load_address) != FM_DIGITS_FIT) return false;
    if (!fm_scan_text(&s, FM_STR("\xE2\x80\x93")) && !fm_scan_byte(&s, '-')) return false;
    if (fm_row_0xhex(&s, &end) != FM_DIGITS_FIT || !fm_scan_blanks1(&s)) return false;
    if (!fm_scan_text(&s, FM_STR("<no build ID>")) &&
        (!fm_scan_until(&s, ' ', &word) || !fm_row_id(word, doc, &image->id)))
        return false;
    const framemap_str rest = fm_str_trim(fm_scan_rest(&s));
    const size_t slash = fm_str_find(rest, FM_STR(" /"));
    image->name = fm_str_trim(fm_str_slice(rest, 0, slash));
    if (slash != FM_NOT_FOUND) image->path = fm_str_from(rest, slash + 1);
    image->size = end > image->load_address ? end - image->load_address : 0;
    return image->name.size != 0;
}

/* Handles a line of the lists of registers and images, which follow the threads. If registers are printed for all
 * threads, they precede the rows of each thread. */
static bool take_list(struct swift_state *state, struct fm_document *doc, const struct fm_line *line, framemap_str text)
{
    framemap_image row = {0};
    const bool inside = state->stack.number1 && line->number1 - state->stack.number1 <= THREADS;
    const bool in_registers = state->registers1 && line->number1 - state->registers1 <= THREADS;
    if ((inside || in_registers) && (is_register(text) || fm_str_equal(text, FM_STR("Registers:")))) {
        state->registers1 = line->number1;
        state->stack.number1 = inside && !state->stack.has_trace ? line->number1 : 0;
    } else if ((inside || in_registers) &&
               (fm_str_equal(text, FM_STR("Images:")) || fm_str_starts(text, FM_STR("Images (")))) {
        state->stack.number1 = state->registers1 = 0;
        state->images1 = line->number1;
    } else if (state->images1 && line->number1 - state->images1 <= LIST_GAP && parse_image(text, doc, &row)) {
        framemap_image *image = fm_document_image(doc, line);
        if (image) *image = row;
        state->images1 = line->number1;
    } else {
        return false;
    }
    return true;
}

/* --- parsing the lines of a report --- */

/* Whether the line begins a crash: "*** Program crashed: ... ***", "*** Swift runtime ...". */
static bool is_crash(framemap_str text)
{
    return fm_str_starts(text, FM_STR("*** Program crashed: ")) || fm_str_starts(text, FM_STR("*** Swift runtime")) ||
           fm_str_find(text, FM_STR(" Program crashed: ")) != FM_NOT_FOUND;
}

/* Whether the line is the title of a thread: "Thread 0 "main" crashed:", "Thread 1:", "Thread 1 "worker":". */
static bool is_thread(framemap_str text)
{
    return fm_str_starts(text, FM_STR("Thread ")) && fm_is_digit(text.size > 7 ? text.data[7] : ' ') &&
           fm_str_ends(text, FM_STR(":"));
}

static bool take_title(struct swift_state *state, const struct fm_line *line, framemap_str text)
{
    if (is_crash(text)) {
        state->crash = text;
        state->stack.number1 = line->number1;
        state->stack.has_trace = false;
        return true;
    }
    const bool crashed = fm_str_ends(text, FM_STR(" crashed:"));
    const bool inside = state->stack.number1 && line->number1 - state->stack.number1 <= THREADS;
    if (!is_thread(text) || !(crashed || (inside && state->crash.size))) return false;
    state->thread = text;
    state->crashed = crashed;
    state->stack.number1 = line->number1;
    state->stack.has_trace = false;
    state->registers1 = 0;
    return true;
}

static void name_trace(struct swift_state *state, framemap_trace *trace)
{
    struct fm_scan s = fm_scan_of(fm_str_from(state->thread, 7));
    uint64_t number = 0;
    const char *start = s.at;
    trace->crashed = state->crashed;
    if (state->crash.size && state->crashed) {
        const size_t at = fm_str_find_last(state->crash, FM_STR("Program crashed"));
        framemap_str title = fm_str_from(state->crash, at == FM_NOT_FOUND ? 0 : at);
        if (fm_str_ends(title, FM_STR(" ***"))) title.size -= 4;
        fm_other_exception(trace, title);
    }
    if (state->thread.size == 0 || !fm_scan_dec(&s, &number, NULL)) return;
    trace->thread = trace->thread_id = fm_str(start, (size_t)(s.at - start));
    fm_scan_blanks(&s);
    if (fm_scan_byte(&s, '"') && fm_scan_until(&s, '"', &trace->thread_name)) trace->thread = trace->thread_name;
}

/* Sets the address kind of a frame without tags, which some presets do not print. If the row above has the same
 * address, its function was inlined into the function of this frame, and the kind is the same; otherwise the address is
 * a return address. */
static void set_return(framemap_trace *trace)
{
    framemap_frame *frame = fm_other_last(trace);
    if (frame == NULL || !frame->has_address || frame->return_address || frame->is_async || frame->index == 0) return;
    const framemap_frame *above = trace->frame_count > 1 ? frame - 1 : NULL;
    const bool same = above && above->has_address && above->address == frame->address;
    frame->return_address = same ? above->return_address : true;
    if (same) frame->is_async = above->is_async;
}

static enum fm_line_role swift_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct swift_state *state = memory;
    const framemap_str text = fm_str_trim(line->body);
    if (take_title(state, line, text) || take_list(state, doc, line, text)) {
        fm_document_offer_until(doc, line->number1 + THREADS);
        return FM_ROLE_CONTEXT;
    }
    if (may_be_package(line)) {
        const enum fm_line_role role = fm_other_stack_offer(&package_rules, &state->package, doc, line);
        framemap_trace *trace = role == FM_ROLE_FRAME ? fm_document_open(doc, name) : NULL;
        if (trace) trace->crashed = true;
        if (role != FM_ROLE_NONE) return role;
    }
    if (state->stack.number1 == 0) return FM_ROLE_NONE;
    const enum fm_line_role role = fm_other_stack_offer(&rules, &state->stack, doc, line);
    framemap_trace *trace = role == FM_ROLE_FRAME ? fm_document_open(doc, name) : NULL;
    if (trace && trace->frame_count == 1) {
        fm_document_expect_images(doc);
        name_trace(state, trace);
    }
    if (trace) set_return(trace);
    if (role == FM_ROLE_FRAME) fm_document_offer_until(doc, line->number1 + THREADS);
    return role;
}

/* Writes a restored row: its columns up to the address, then the function and position as the runtime prints them:
 * "run() in shop at /app/a.swift:7". */
static void put_row(struct fm_buf *out, const framemap_frame *raw, const framemap_frame *restored)
{
    size_t at = fm_str_find(raw->raw, FM_STR("0x"));
    if (at == FM_NOT_FOUND) return;
    at += 2;
    while (at < raw->raw.size && fm_is_hex(raw->raw.data[at])) at++;
    fm_buf_str(out, fm_str_slice(raw->raw, 0, at));
    fm_buf_byte(out, ' ');
    fm_buf_str(out, fm_row_name(restored));
    if (restored->file.size == 0 && restored->has_function_offset) {
        fm_buf_str(out, FM_STR(" + "));
        fm_buf_dec(out, restored->function_offset);
    }
    if (raw->module.size) {
        fm_buf_str(out, FM_STR(" in "));
        fm_buf_str(out, raw->module);
    }
    if (restored->file.size) {
        fm_buf_str(out, FM_STR(" at "));
        fm_row_put_location(out, restored);
    }
}

static void swift_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    for (size_t i = 0; i < frame->restored.count; i++) {
        if (i) fm_row_begin_line(out, prefix, eol);
        put_row(out, frame, &frame->restored.frames[i]);
    }
}

static bool swift_is_significant(const struct fm_line *line)
{
    const framemap_str text = fm_str_trim(line->body);
    if (may_be_package(line) && fm_other_stack_is_significant(&package_rules, line)) return true;
    return is_crash(text) || (is_thread(text) && fm_str_ends(text, FM_STR(" crashed:")));
}

static const struct fm_needle swift_needles[] = {FM_NEEDLE(" Program crashed: ", 6, 11),
                                                 FM_NEEDLE("Swift runtime", 3, 0), FM_NEEDLE(" crashed:", 5, 8),
                                                 FM_NEEDLE(". Backtrace:", 3, 8)};

const struct fm_format fm_swift = {.info = {name, "backtraces of Swift's runtime", true, false},
                                   FM_NEEDLES(swift_needles),
                                   .marks = FM_MARK_WORD | FM_MARK_HEX,
                                   .state_size = sizeof(struct swift_state),
                                   .gap = THREADS,
                                   .offer = swift_offer,
                                   .is_significant = swift_is_significant,
                                   .print_frame = swift_print_frame,
                                   .keeps_state = true};
