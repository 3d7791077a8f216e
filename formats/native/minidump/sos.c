/* Stacks of managed code as SOS prints them, in WinDbg, lldb and dotnet-dump:
 *
 *     OS Thread Id: 0x18a (0)
 *             Child SP               IP Call Site
 *     00007FFCF0E7D5E0 00007f1024cfc36c [InlinedCallFrame: 00007ffcf0e7d5e0] Interop+Sys.ReadStdin(Byte*, Int32)
 *     00007FFCF0E7D660 00007F0FAABF3564 Shop.Cart.Add(Int32) [/src/Cart.cs @ 12]
 *
 *     Exception type:   System.IO.FileNotFoundException
 *     Message:          Could not load the file.
 *     StackTrace (generated):
 *         SP               IP               Function
 *         00007F5E9D7F27D0 00007F5EEE0749AD Shop.dll!Shop.Cart.Load(System.String)+0x3c
 *
 * Nothing is looked up: the rows have names. */
#include "formats/native/native_parts.h"
#include "formats/parsers.h"

static const char name[] = "sos";
#define SOS_GAP 2   /* up to this many lines of other text may be within one stack */
#define SOS_ABOVE 6 /* maximum number of lines above a stack that are searched for its thread and its exception */

struct sos_state {
    uint64_t number1; /* number of the line with the title or the last row; 0: no stack is open */
    bool has_trace;
};

static bool sos_is_title(framemap_str text)
{
    if (fm_str_starts(text, FM_STR("Child SP ")) && fm_str_ends(text, FM_STR(" IP Call Site"))) return true;
    return fm_str_equal(text, FM_STR("StackTrace (generated):"));
}

/* Reads a column of 8 or 16 digits and the blanks after it. */
static bool read_column(struct fm_scan *s, uint64_t *value)
{
    const char *start = s->at;
    if (fm_row_hex(s, value) != FM_DIGITS_FIT || (s->at - start != 8 && s->at - start != 16)) return false;
    return fm_scan_blanks1(s) || fm_scan_done(s);
}

/* Parses the call site, the text after the two columns of numbers. */
static void read_site(framemap_str site, framemap_frame *frame)
{
    /* the call site is "[InlinedCallFrame: 00007ffcf0e7d5e0] Shop.Cart.Add(Int32)" */
    if (site.size && site.data[0] == '[') {
        const size_t close = fm_str_find_byte(site, ']');
        const framemap_str rest = close == FM_NOT_FOUND ? site : fm_str_trim(fm_str_from(site, close + 1));
        const size_t colon = fm_str_find_byte(site, ':');
        site = rest.size ? rest : fm_str_slice(site, 1, colon == FM_NOT_FOUND ? close : colon);
    }
    const size_t open = fm_str_find_last(site, FM_STR(" [")), at = fm_str_find_last(site, FM_STR(" @ "));
    if (open != FM_NOT_FOUND && at != FM_NOT_FOUND && at > open && site.data[site.size - 1] == ']') {
        struct fm_scan digits = fm_scan_of(fm_str_from(site, at + 3));
        if (fm_scan_dec32(&digits, &frame->line)) {
            frame->file = fm_str_slice(site, open + 2, at);
            site = fm_str_trim(fm_str(site.data, open));
        }
    }
    const size_t bang = fm_str_find_byte(site, '!'), arguments = fm_str_find_byte(site, '(');
    if (bang != FM_NOT_FOUND && bang > 0 && bang < arguments) {
        fm_native_set_module(frame, fm_str(site.data, bang));
        site = fm_str_from(site, bang + 1);
    }
    frame->function = site;
    if (fm_row_distance(site, true, &frame->function, &frame->function_offset)) frame->has_function_offset = true;
    if (fm_str_equal(frame->function, FM_STR("<unknown>"))) frame->function = (framemap_str){NULL, 0};
}

static bool sos_parse_row(framemap_str text, framemap_frame *frame, uint64_t *stack)
{
    struct fm_scan s = fm_scan_of(text);
    *frame = FM_FRAME_INIT;
    if (!read_column(&s, stack)) return false;
    if (read_column(&s, &frame->address)) { /* a frame of the runtime may be without an address */
        frame->has_address = true;
        frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    } else if (fm_scan_done(&s) || *s.at != '[') {
        return false;
    }
    read_site(fm_str_trim(fm_scan_rest(&s)), frame);
    frame->kind = frame->function.size && frame->module.size == 0 ? FRAMEMAP_KIND_OTHER : FRAMEMAP_KIND_NATIVE;
    frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    if (frame->function.size) return true;
    frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
    frame->reason = "the stack does not say which image the address is in";
    return true;
}

/* Sets thread and exception from the lines above a stack. */
static void look_above(struct fm_document *doc, const struct fm_line *line, framemap_trace *trace)
{
    static const framemap_str thread = FM_STR_INIT("OS Thread Id: "), type = FM_STR_INIT("Exception type: "),
                              message = FM_STR_INIT("Message: ");
    struct fm_look_back above = fm_look_back_from(doc, line, fm_document_last_end(doc), SOS_ABOVE);
    for (struct fm_line *before; (before = fm_look_back_next(&above)) != NULL;) {
        if (!fm_line_cut(before)) continue;
        const framemap_str text = fm_str_trim(before->body);
        if (fm_str_starts(text, thread)) {
            struct fm_scan s = fm_scan_of(fm_str_from(text, thread.size));
            if (fm_scan_word(&s, &trace->thread_id)) trace->thread = trace->thread_id;
            return;
        }
        if (fm_str_starts(text, type))
            trace->exception = trace->exception_type = fm_str_trim(fm_str_from(text, type.size));
        if (fm_str_starts(text, message)) trace->exception_message = fm_str_trim(fm_str_from(text, message.size));
    }
    if (trace->exception.size == 0) trace->exception_message = (framemap_str){NULL, 0};
}

static bool sos_is_significant(const struct fm_line *line) { return sos_is_title(fm_str_trim(line->body)); }

static enum fm_line_role sos_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct sos_state *state = memory;
    framemap_frame frame;
    uint64_t stack;
    const framemap_str text = fm_str_trim(line->body);
    if (sos_is_title(text)) {
        *state = (struct sos_state){.number1 = line->number1};
        return FM_ROLE_CONTEXT;
    }
    if (state->number1 == 0 || line->number1 - state->number1 > SOS_GAP || line->begins) return FM_ROLE_NONE;
    if (!sos_parse_row(text, &frame, &stack)) return FM_ROLE_NONE;
    framemap_trace *trace = state->has_trace ? fm_document_open(doc, name) : NULL;
    if (trace == NULL) {
        framemap_trace head = {.number = 0};
        look_above(doc, line, &head);
        trace = fm_document_trace(doc, name, line);
        if (trace == NULL) return FM_ROLE_FRAME;
        trace->thread = head.thread;
        trace->thread_id = head.thread_id;
        trace->exception = head.exception;
        trace->exception_type = head.exception_type;
        trace->exception_message = head.exception_message;
    }
    framemap_frame_extra *extra = fm_document_extra(doc, &frame);
    if (extra) extra->stack_pointer = stack;
    fm_document_frame(doc, line, &frame);
    *state = (struct sos_state){.number1 = line->number1, .has_trace = true};
    return FM_ROLE_FRAME;
}

static const struct fm_needle sos_needles[] = {FM_NEEDLE("Child SP ", 3, 9),
                                               FM_NEEDLE("StackTrace (generated):", 0, 1)};

const struct fm_format fm_sos = {.info = {name, "stacks of .NET that SOS prints (clrstack, pe)", true, false},
                                 FM_NEEDLES(sos_needles),
                                 .marks = FM_MARK_WORD,
                                 .firsts = "CS",
                                 .state_size = sizeof(struct sos_state),
                                 .keeps_state = true,
                                 .offer = sos_offer,
                                 .is_significant = sos_is_significant};
