/* The symbolizer markup of Fuchsia and LLVM, as programs log it: the images, their mappings in memory, and frames.
 *
 *     {{{reset}}}
 *     {{{module:0:libc.so:elf:83238ab56ba10497}}}
 *     {{{mmap:0x7acba69d5000:0x5a000:load:0:rx:0x1000}}}
 *     {{{bt:0:0x7acba69d6234:pc}}}
 *     {{{bt:1:0x7acba69d6f00:ra}}}
 *
 * An element may be anywhere in a line. The last number of an "mmap" is the mapping's address in the file. The last
 * word of a "bt" is "pc" for the address of an instruction; "ra", or nothing, for a return address
 * (llvm/docs/SymbolizerMarkupFormat). Images are numbered from 0 in the order in which they are listed. */
#include "formats/native/native_parts.h"
#include "formats/parsers.h"

static const char name[] = "symbolizer-markup";
#define FIELDS 6
/* An image that is linked at this address or above, such as a kernel, is loaded at the address at which it is
 * linked. */
#define LINK_BASE_MOST (UINT64_C(1) << 32)

struct markup_state {
    bool fresh;                              /* the next frame begins a stack */
    int64_t index;                           /* index of the last frame */
    framemap_str process, thread, thread_id; /* process and thread that the log reports for the exception */
    uint64_t pid, process1;                  /* number of the process; number of the line that names the process */
};

struct element {
    framemap_str all, tag, fields[FIELDS];
    size_t count;
};

/* Finds the first element of a line. */
static bool find_element(framemap_str text, struct element *out)
{
    const size_t at = fm_str_find(text, FM_STR("{{{"));
    if (at == FM_NOT_FOUND) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, at + 3));
    const size_t end = fm_str_find(fm_scan_rest(&s), FM_STR("}}}"));
    if (end == FM_NOT_FOUND) return false;
    *out = (struct element){.all = fm_str_slice(text, at, at + end + 6)};
    s = fm_scan_of(fm_str_slice(text, at + 3, at + 3 + end));
    for (bool more = true; more;) {
        framemap_str field;
        more = fm_scan_until(&s, ':', &field);
        if (!more) field = fm_scan_rest(&s);
        if (out->tag.data == NULL)
            out->tag = field;
        else if (out->count < FIELDS)
            out->fields[out->count++] = field;
        if (more) s.at++;
    }
    return true;
}

/* Parses a number such as "0x1f", "12" or "0". */
static bool number_of(framemap_str text, uint64_t *out)
{
    struct fm_scan s = fm_scan_of(text);
    if (fm_row_0xhex(&s, out) == FM_DIGITS_FIT) return fm_scan_done(&s);
    return fm_scan_dec(&s, out, NULL) && fm_scan_done(&s);
}

enum markup { MARKUP_NONE, MARKUP_RESET, MARKUP_MODULE, MARKUP_MMAP, MARKUP_FRAME };

static enum markup kind_of(const struct element *element)
{
    static const struct {
        framemap_str tag;
        size_t least;
        enum markup kind;
    } kinds[] = {{FM_STR_INIT("reset"), 0, MARKUP_RESET},
                 {FM_STR_INIT("module"), 3, MARKUP_MODULE},
                 {FM_STR_INIT("mmap"), 6, MARKUP_MMAP},
                 {FM_STR_INIT("bt"), 2, MARKUP_FRAME}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (fm_str_equal(element->tag, kinds[i].tag) && element->count >= kinds[i].least) return kinds[i].kind;
    return MARKUP_NONE;
}

static enum markup parse_element(const struct fm_line *line, struct element *element)
{
    return find_element(line->body, element) ? kind_of(element) : MARKUP_NONE;
}

/* --- images --- */

static void add_module(struct fm_document *doc, const struct fm_line *line, const struct element *element)
{
    framemap_image *image = fm_document_image(doc, line);
    if (image == NULL) return;
    image->path = element->fields[1];
    image->name = fm_str_basename(image->path);
    if (image->name.size == 0) image->name = FM_STR("<main>");
    if (image->name.size == image->path.size) image->path = fm_str(NULL, 0);
    if (element->count > 3) fm_row_id(element->fields[3], doc, &image->id);
}

/* Adds an "mmap" element to its image. The image begins at the address where the first byte of its file would be in
 * memory: the lowest mapping's address in memory, minus that mapping's address in the file. */
static void add_mapping(struct fm_document *doc, const struct element *element)
{
    size_t count;
    framemap_image *images = fm_document_images(doc, &count);
    uint64_t start, size, module, address;
    if (!number_of(element->fields[0], &start) || !number_of(element->fields[1], &size) ||
        !number_of(element->fields[3], &module) || !number_of(element->fields[5], &address) || module >= count)
        return;
    framemap_image *image = &images[module];
    const uint64_t begin = address < LINK_BASE_MOST && address <= start ? start - address : start;
    const uint64_t old_end = image->load_address + image->size, end = start + size;
    if (end < start) return;
    if (image->load_address == 0 || begin < image->load_address) image->load_address = begin;
    image->size = (end > old_end ? end : old_end) - image->load_address;
}

/* --- frames --- */

/* Parses the line with the process and thread of a crash: "<== fatal exception: process crasher[4320] thread
 * initial-thread[4332]". */
static bool read_fault(framemap_str text, struct markup_state *state)
{
    static const framemap_str process = FM_STR_INIT("process "), thread = FM_STR_INIT(" thread ");
    const size_t mark = fm_str_find(text, FM_STR("<== ")), at = fm_str_find(text, process),
                 next = fm_str_find(text, thread);
    if (mark == FM_NOT_FOUND || at < mark || at == FM_NOT_FOUND || next == FM_NOT_FOUND || next < at) return false;
    framemap_str one = fm_str_slice(text, at + process.size, next), two = fm_str_from(text, next + thread.size);
    const size_t open = fm_str_find_last_byte(one, '['), opens = fm_str_find_byte(two, '[');
    if (open == FM_NOT_FOUND || opens == FM_NOT_FOUND) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(one, open + 1));
    if (!fm_scan_dec(&s, &state->pid, NULL)) return false;
    state->process = fm_str(one.data, open);
    state->thread = fm_str(two.data, opens);
    state->thread_id = fm_str_from(two, opens + 1);
    state->thread_id.size =
        fm_str_find_byte(state->thread_id, ']') == FM_NOT_FOUND ? 0 : fm_str_find_byte(state->thread_id, ']');
    return true;
}

static framemap_trace *begin_stack(struct markup_state *state, struct fm_document *doc, const struct fm_line *line)
{
    framemap_trace *trace = fm_document_trace(doc, name, line);
    if (trace == NULL) return NULL;
    state->fresh = false;
    if (state->process1 == 0 || line->number1 - state->process1 > FM_REPORT_GAP) return trace;
    trace->process_name = state->process;
    trace->has_process_id = true;
    trace->process_id = state->pid;
    trace->thread = trace->thread_name = state->thread;
    trace->thread_id = state->thread_id;
    trace->crashed = true;
    state->process1 = 0;
    return trace;
}

static enum fm_line_role markup_add_frame(struct markup_state *state, struct fm_document *doc,
                                          const struct fm_line *line, const struct element *element)
{
    framemap_frame frame = FM_FRAME_INIT;
    struct fm_line part = *line;
    struct fm_scan s = fm_scan_of(element->fields[0]), address = fm_scan_of(element->fields[1]);
    if (!fm_row_index(&s, &frame.index) || !fm_scan_done(&s)) return FM_ROLE_NONE;
    const enum fm_digits digits = fm_row_0xhex(&address, &frame.address);
    if (digits == FM_DIGITS_NONE || !fm_scan_done(&address)) return FM_ROLE_NONE;
    frame.has_address = true;
    frame.address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    frame.return_address = element->count < 3 || !fm_str_equal(element->fields[2], FM_STR("pc"));
    if (digits == FM_DIGITS_LONG) fm_row_malformed(&frame, FM_LONG_ADDRESS);
    const bool begins = state->fresh || fm_document_open(doc, name) == NULL || frame.index <= state->index;
    if (begins && begin_stack(state, doc, line) == NULL) return FM_ROLE_FRAME;
    state->index = frame.index;
    part.body = element->all;
    fm_document_frame(doc, &part, &frame);
    return FM_ROLE_FRAME;
}

/* --- offering lines to the parser --- */

static bool markup_is_significant(const struct fm_line *line)
{
    struct element element;
    struct markup_state ignored;
    if (line->last == ']' && read_fault(line->body, &ignored)) return true;
    return parse_element(line, &element) != MARKUP_NONE;
}

static enum fm_line_role markup_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct markup_state *state = memory;
    struct element element;
    if (line->last == ']' && read_fault(line->body, state)) {
        state->process1 = line->number1;
        return FM_ROLE_CONTEXT;
    }
    switch (parse_element(line, &element)) {
    case MARKUP_NONE: return FM_ROLE_NONE;
    case MARKUP_FRAME: return markup_add_frame(state, doc, line, &element);
    case MARKUP_RESET:
        fm_document_report_end(doc);
        state->fresh = true;
        return FM_ROLE_CONTEXT;
    case MARKUP_MODULE: add_module(doc, line, &element); break;
    case MARKUP_MMAP: add_mapping(doc, &element); break;
    }
    state->fresh = true;
    return FM_ROLE_CONTEXT;
}

/* --- printing rows of frames --- */

/* Writes "#1.1  0x7acba69d6f00 in inner(int) src/a.cc:7:3 <libc.so>+0x1f00", in the form of Fuchsia's symbolizer: of
 * the functions inlined into a frame, the outermost one has the lowest number after the point. */
static void put_row(struct fm_buf *out, const framemap_frame *frame, const framemap_frame *source, size_t part)
{
    fm_buf_byte(out, '#');
    fm_buf_dec(out, (uint64_t)frame->index);
    if (part) {
        fm_buf_byte(out, '.');
        fm_buf_dec(out, part);
    }
    fm_buf_str(out, FM_STR(" 0x"));
    fm_buf_hex(out, frame->address, 16);
    fm_buf_str(out, FM_STR(" in "));
    fm_buf_str(out, fm_row_name(source));
    if (source->file.size) {
        fm_buf_byte(out, ' ');
        fm_row_put_location(out, source);
    }
    if (frame->module.size == 0) return;
    fm_buf_str(out, FM_STR(" <"));
    fm_buf_str(out, frame->module);
    fm_buf_byte(out, '>');
    if (!frame->has_load_address || frame->load_address > frame->address) return;
    fm_buf_str(out, FM_STR("+0x"));
    fm_buf_hex(out, frame->address - frame->load_address, 1);
}

static void markup_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    const size_t count = frame->restored.count;
    for (size_t i = 0; i < count; i++) {
        if (i) fm_row_begin_line(out, prefix, eol);
        put_row(out, frame, &frame->restored.frames[i], count - 1 - i);
    }
}

static const struct fm_needle markup_needles[] = {FM_NEEDLE("{{{reset}}}", 0, 3), FM_NEEDLE("{{{module:", 0, 3),
                                                  FM_NEEDLE("{{{mmap:", 0, 3), FM_NEEDLE("{{{bt:", 0, 3),
                                                  FM_NEEDLE("<== ", 0, 7)};

const struct fm_format fm_symbolizer_markup = {
    .info = {name, "symbolizer markup of Fuchsia and LLVM ({{{bt:0:0x12:pc}}})", true, false},
    FM_NEEDLES(markup_needles),
    .marks = FM_MARK_WORD,
    .state_size = sizeof(struct markup_state),
    .lasts = "]",
    .any_of = FM_HAS_BAR,
    .keeps_state = true,
    .offer = markup_offer,
    .is_significant = markup_is_significant,
    .print_frame = markup_print_frame};
