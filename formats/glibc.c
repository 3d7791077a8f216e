/* backtrace_symbols of glibc:
 *
 *     ./app(+0x11ae) [0x557fd52c91ae]                 distance from where the file was loaded: its address as linked
 *     /lib/libc.so.6(qsort_r+0xb6) [0x7f7ca0b9ed36]   distance from a symbol
 *     ./app() [0x401156]                              no PIE: the address is the linked one
 *     [0x7f597f904204]                                no file
 *
 * All are return addresses. A row of the first form says where its file was loaded, which places the second form's rows of that file. */
#include "formats/readers.h"
#include "formats/row.h"

static const char name[] = "glibc";
#define GAP 3     /* lines of other text that do not end a stack */
#define MODULES 16 /* files of one stack whose loading places are remembered */

struct state {
    uint64_t number1; /* line of the last row */
};

struct row {
    framemap_str path, function, tail;
    size_t head; /* bytes up to and with ']' */
    bool has_offset, bare;
    uint64_t offset, address;
    enum fm_digits digits;
};

/* "[0xHEX]" : its beginning, from the right. */
static bool find_address(framemap_str body, struct row *row, size_t *open)
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

/* "(FUNC+0x12)" , "(+0x12)", "()". */
static bool read_parens(framemap_str inside, struct row *row)
{
    if (inside.size == 0) return true;
    if (!fm_row_distance(inside, true, &row->function, &row->offset)) return false;
    row->has_offset = true;
    return true;
}

static bool parse_row(framemap_str body, struct row *row)
{
    size_t open = 0;
    if (!find_address(body, row, &open)) return false;
    framemap_str head = fm_str_trim(fm_str(body.data, open));
    if (head.size == 0) return row->bare = true;
    if (head.data[head.size - 1] != ')') return false;
    /* names that a wrapper demangled hold parentheses: the group begins where it balances */
    size_t depth = 0, at = head.size;
    do {
        at--;
        if (head.data[at] == ')') depth++;
        else if (head.data[at] == '(') depth--;
    } while (at && depth);
    row->path = fm_str_slice(head, 0, at);
    if (depth || row->path.size == 0 || fm_is_blank(row->path.data[row->path.size - 1])) return false;
    return read_parens(fm_str_slice(head, at + 1, head.size - 1), row);
}

static void fill(const struct row *row, framemap_frame *frame)
{
    frame->return_address = true;
    frame->has_address = true;
    frame->module = fm_str_basename(row->path);
    frame->address = row->address;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    if (row->bare) {
        frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
        frame->reason = "the row names no file";
    } else if (row->has_offset && row->function.size == 0) {
        frame->address = row->offset;
        frame->address_kind = FRAMEMAP_ADDRESS_LINKED;
    } else if (row->has_offset) {
        frame->function = row->function;
        frame->has_function_offset = true;
        frame->function_offset = row->offset;
    } else {
        frame->address_kind = FRAMEMAP_ADDRESS_LINKED;
    }
    /* where the file was loaded; kept in load_address for place_functions, which clears it */
    if (frame->address_kind == FRAMEMAP_ADDRESS_LINKED && row->has_offset) frame->load_address = row->address - row->offset;
    if (row->digits == FM_DIGITS_LONG) fm_row_malformed(frame, FM_LONG_ADDRESS);
    fm_row_at(row->tail, frame);
}

/* Rows with a symbol have only an absolute address; another row of the same file tells where it was loaded. */
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
        if (frame->address_kind != FRAMEMAP_ADDRESS_LINKED || k < count || count == MODULES) continue;
        known[count].module = frame->module;
        known[count++].bias = frame->load_address;
    }
    for (size_t i = 0; i < trace->frame_count; i++) {
        framemap_frame *frame = &trace->frames[i];
        size_t k = 0;
        while (k < count && !fm_str_equal(known[k].module, frame->module)) k++;
        frame->load_address = 0;
        if (frame->address_kind != FRAMEMAP_ADDRESS_ABSOLUTE || k == count || frame->address < known[k].bias) continue;
        frame->address -= known[k].bias;
        frame->address_kind = FRAMEMAP_ADDRESS_LINKED;
    }
}

static bool probe(const struct fm_line *line)
{
    if (line->last == ']') return true;
    if (line->body.size < 12 || !(fm_is_digit(line->last) || line->first == '/' || line->first == '.')) return false;
    return fm_find(line->body.data, line->body.size, '[') != NULL && fm_str_find(line->body, FM_STR("[0x")) != FM_NOT_FOUND;
}

static bool tells(const struct fm_line *line)
{
    struct row row = {0};
    return parse_row(line->body, &row) && !row.bare;
}

static enum fm_line_role read_line(void *memory, struct fm_doc *doc, const struct fm_line *line)
{
    struct state *state = memory;
    struct row row = {0};
    if (!parse_row(line->body, &row)) return FM_ROLE_NONE;
    framemap_trace *trace = fm_doc_open(doc, name);
    if (line->number1 - state->number1 > GAP) trace = NULL;
    if (!trace && row.bare) return FM_ROLE_NONE;
    if (!trace && !fm_doc_trace(doc, name, line)) return FM_ROLE_FRAME;
    framemap_frame frame = FM_FRAME_INIT;
    fill(&row, &frame);
    fm_doc_frame(doc, line, &frame);
    state->number1 = line->number1;
    return FM_ROLE_FRAME;
}

static void finish(void *memory, struct fm_doc *doc)
{
    size_t count = 0;
    framemap_trace *traces = fm_doc_traces(doc, &count);
    (void)memory;
    for (size_t i = 0; i < count; i++)
        if (traces[i].format.data == name) place_functions(&traces[i]);
}

static void print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    struct row row = {0};
    if (!parse_row(frame->raw, &row)) return;
    for (size_t i = 0; i < frame->restored.count; i++) {
        if (i) {
            fm_buf_str(out, eol);
            fm_buf_str(out, prefix);
        }
        fm_buf_str(out, fm_str_slice(frame->raw, 0, row.head));
        fm_buf_byte(out, ' ');
        fm_row_put_at(out, &frame->restored.frames[i]);
    }
}

const struct fm_format fm_glibc = {
    .name = name, .state_size = sizeof(struct state), .firsts = "/.", .lasts = "]0123456789", .needs = FM_LACKS_BRACKET, .probe = probe, .line = read_line, .tells = tells, .finish = finish, .print_frame = print_frame};
