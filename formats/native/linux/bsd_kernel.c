/* Stacks of the kernels of FreeBSD, NetBSD and OpenBSD:
 *
 *     panic: cleaned vnode isn't
 *     KDB: stack backtrace:
 *     #0 0xffffffff80aada97 at kdb_backtrace+0x67                       FreeBSD
 *     vpanic() at vpanic+0x1e0/frame 0xfffffe000c95b350                 FreeBSD's debugger
 *     vpanic() at netbsd:vpanic+0x140                                   NetBSD
 *     ffs_vget(ffff80000e400558,ffffff000e5a7e20) at ffs_vget+0xc1      OpenBSD
 *     vpanic() at netbsd:vpanic+0x267 sys/kern/subr_prf.c:336           with a position that syzkaller adds
 *
 * Nothing is looked up: the rows have names, and the kernel's load address is not printed. */
#include "formats/native/native_parts.h"
#include "formats/parsers.h"

static const char name[] = "bsd-kernel";
/* up to this many lines of other text may be within one stack: traps, system calls, ends of wrapped rows */
#define BSD_GAP 3
#define BSD_ABOVE 16 /* maximum number of lines above a stack that are searched for the panic */

struct bsd_state {
    uint64_t number1; /* number of the line with the title or the last row; 0: no stack is open */
    bool titled;      /* the title was "KDB: stack backtrace:", after which rows have numbers */
    bool fresh;       /* a title was read since the last row */
};

static const framemap_str title = FM_STR_INIT("KDB: stack backtrace:");

static bool is_name(framemap_str text) { return fm_row_is_name(text, ".$"); }

/* Parses "+0x1e0", or "+0x" at the end of a row that a console wrapped before the digits. *hex: whether there are
 * digits. */
static bool scan_distance(struct fm_scan *s, uint64_t *distance, bool *hex)
{
    struct fm_scan t = *s;
    if (!fm_scan_text(&t, FM_STR("+0x"))) return false;
    *hex = fm_row_hex(&t, distance) == FM_DIGITS_FIT;
    *s = t;
    return true;
}

/* Reads the text after a row: a position, " sys/kern/subr_prf.c:336", or another function and its position, " g
 * sys/kern/subr_asan.c:356 [inline]". */
static void bsd_read_place(framemap_str text, framemap_frame *frame)
{
    static const framemap_str mark = FM_STR_INIT(" [inline]");
    text = fm_str_trim(text);
    const bool inlined = fm_str_ends(text, mark);
    if (inlined) text.size -= mark.size;
    const size_t blank = fm_str_find_byte(text, ' ');
    const framemap_str place = blank == FM_NOT_FOUND ? text : fm_str_from(text, blank + 1);
    if (!fm_row_location(place, &frame->file, &frame->line, &frame->column)) return;
    frame->inlined = inlined;
    if (blank == FM_NOT_FOUND) return;
    frame->function = fm_str(text.data, blank);
    frame->has_function_offset = false;
    frame->function_offset = 0;
}

/* Parses "vpanic() at netbsd:vpanic+0x140". *sure: both names are equal and a distance follows; no other text has this
 * form. */
static bool parse_call(framemap_str text, framemap_frame *frame, bool *sure)
{
    static const framemap_str at = FM_STR_INIT(") at ");
    const size_t mark = fm_str_find(text, at), open = fm_str_find_byte(text, '(');
    if (mark == FM_NOT_FOUND || open > mark) return false;
    const framemap_str function = fm_str(text.data, open);
    if (!is_name(function)) return false;
    framemap_str site = fm_str_from(text, mark + at.size);
    const size_t colon = fm_str_find_byte(site, ':');
    if (colon != FM_NOT_FOUND && fm_str_starts(fm_str_from(site, colon + 1), function) &&
        is_name(fm_str(site.data, colon))) {
        fm_native_set_module(frame, fm_str(site.data, colon));
        site = fm_str_from(site, colon + 1);
    }
    struct fm_scan s = fm_scan_of(site);
    bool hex = false;
    if (!fm_scan_text(&s, function)) return false;
    *sure = scan_distance(&s, &frame->function_offset, &hex);
    frame->function = function;
    frame->has_function_offset = hex;
    if (fm_scan_done(&s)) return true;
    if (fm_scan_text(&s, FM_STR("/frame 0x"))) return *sure;
    if (!fm_is_blank(*s.at)) return false;
    bsd_read_place(fm_scan_rest(&s), frame);
    return frame->line != 0;
}

/* Parses "#0 0xffffffff80aada97 at kdb_backtrace+0x67". */
static bool parse_numbered(framemap_str text, framemap_frame *frame)
{
    struct fm_scan s = fm_scan_of(text);
    if (!fm_scan_byte(&s, '#') || !fm_row_index(&s, &frame->index) || !fm_scan_blanks1(&s) ||
        fm_row_0xhex(&s, &frame->address) != FM_DIGITS_FIT || !fm_scan_text(&s, FM_STR(" at ")))
        return false;
    frame->has_address = frame->return_address = true;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    frame->has_function_offset =
        fm_row_distance(fm_scan_rest(&s), true, &frame->function, &frame->function_offset) && is_name(frame->function);
    return frame->has_function_offset;
}

/* Parses a line that names the process: "current process         = 40394 (syz-executor1)". */
static void bsd_read_process(framemap_str text, framemap_trace *trace)
{
    static const framemap_str key = FM_STR_INIT("current process");
    const size_t equals = fm_str_find_byte(text, '=');
    framemap_str group;
    if (!fm_str_starts(text, key) || equals == FM_NOT_FOUND) return;
    text = fm_str_trim(fm_str_from(text, equals + 1));
    struct fm_scan s = fm_scan_of(text);
    trace->has_process_id = fm_scan_dec(&s, &trace->process_id, NULL);
    if (fm_row_group(&text, &group)) trace->process_name = group;
}

/* Reads the panic, or the trap that caused it, from the lines above a stack. */
static void look_above(struct fm_document *doc, const struct fm_line *line, uint64_t floor, framemap_trace *trace)
{
    static const framemap_str panic = FM_STR_INIT("panic: "), trap = FM_STR_INIT("Fatal trap ");
    struct fm_look_back above = fm_look_back_from(doc, line, floor, BSD_ABOVE);
    for (struct fm_line *before; (before = fm_look_back_next(&above)) != NULL;) {
        if (!fm_line_cut(before)) continue;
        const framemap_str text = fm_str_trim(before->body);
        bsd_read_process(text, trace);
        size_t at = trace->exception.size ? FM_NOT_FOUND : fm_str_find(text, panic);
        if (at != FM_NOT_FOUND && at > 0 && !fm_str_equal(fm_str(text.data, at), FM_STR("login: "))) at = FM_NOT_FOUND;
        const bool is_panic = at != FM_NOT_FOUND;
        if (!is_panic && !fm_str_starts(text, trap)) continue;
        trace->exception = is_panic ? fm_str_from(text, at) : text;
        trace->exception_type = FM_STR("panic");
        trace->exception_message = is_panic ? fm_str_from(text, at + panic.size) : text;
        trace->crashed = true;
        if (!is_panic) return;
    }
}

static bool bsd_is_significant(const struct fm_line *line)
{
    framemap_frame frame = FM_FRAME_INIT;
    bool sure = false;
    const framemap_str text = fm_str_trim(line->body);
    if (line->first == 'K') return fm_str_equal(text, title);
    return line->first != '#' && (line->has & FM_HAS_PARENTHESIS) != 0 && parse_call(text, &frame, &sure) && sure;
}

static enum fm_line_role bsd_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct bsd_state *state = memory;
    framemap_frame frame = FM_FRAME_INIT;
    bool sure = false;
    const framemap_str text = fm_str_trim(line->body);
    const bool near = state->number1 && line->number1 - state->number1 <= BSD_GAP && !line->begins;
    if (line->first == 'K' && fm_str_equal(text, title)) {
        *state = (struct bsd_state){.number1 = line->number1, .titled = true, .fresh = true};
        return FM_ROLE_CONTEXT;
    }
    if (line->first == '#'
            ? !near || !state->titled || !parse_numbered(text, &frame)
            : (line->has & FM_HAS_PARENTHESIS) == 0 || !parse_call(text, &frame, &sure) || !(sure || near))
        return FM_ROLE_NONE;
    framemap_trace *trace = near && !state->fresh ? fm_document_open(doc, name) : NULL;
    if (trace == NULL) {
        const uint64_t floor = fm_document_last_end(doc);
        trace = fm_document_trace(doc, name, line);
        if (trace) look_above(doc, line, floor, trace);
    }
    *state = (struct bsd_state){.number1 = line->number1, .titled = near && state->titled};
    if (trace == NULL) return FM_ROLE_FRAME;
    frame.status = FRAMEMAP_FRAME_NOT_NEEDED;
    fm_document_frame(doc, line, &frame);
    return FM_ROLE_FRAME;
}

static const struct fm_needle bsd_needles[] = {FM_NEEDLE("KDB: stack backtrace:", 0, 15)};

const struct fm_format fm_bsd_kernel = {
    .info = {name, "stacks of the kernels of FreeBSD, NetBSD and OpenBSD (f() at f+0x1c)", true, false},
    FM_NEEDLES(bsd_needles),
    .marks = FM_MARK_WORD | FM_MARK_HEX,
    .firsts = "K",
    .any_of = FM_HAS_PARENTHESIS,
    .state_size = sizeof(struct bsd_state),
    .keeps_state = true,
    .offer = bsd_offer,
    .is_significant = bsd_is_significant};
