/* Stacks in MongoDB's log, one line of JSON for each frame:
 *
 *     {"t":{…},"s":"I","c":"CONTROL","id":31445,"ctx":"conn20","msg":"Frame","attr":{"frame":{"a":"56143CE414B7",
 *         "b":"56143B955000","o":"14EC4B7","s":"_ZN5mongo1fEv","C":"mongo::f()","s+":"147"}}}
 *
 * a is the address, b the load address of its image, o the distance between these, s the symbol, C its name in C++,
 * and s+ the distance from the symbol. Up to version 4.4 the message is "  Frame: {frame}". MongoDB prints such
 * lines below a line with the whole stack and its images ("BACKTRACE"), which the format error-event reads and
 * restores; the lines below it are then not read. Without that line the images are not known, so nothing is looked
 * up. */
#include "formats/native/native_parts.h"
#include "formats/parsers.h"

static const char name[] = "mongodb";
/* maximum number of lines of other text between two lines of a stack, and between a whole stack and the lines that
 * repeat it */
#define MONGODB_GAP 3

struct mongodb_state {
    uint64_t number1; /* number of the last line of the stack; 0: no stack is open */
    bool repeats;     /* the lines repeat a whole stack ("BACKTRACE") that is above them */
};

static const framemap_str mark = FM_STR_INIT("\"attr\":{\"frame\":{"), whole = FM_STR_INIT("\"msg\":\"BACKTRACE");

/* Returns the string value of a member, not decoded; absent if there is no such member. key: the member's name with its
 * quotes, "a". */
static framemap_str member(framemap_str object, framemap_str key)
{
    const size_t at = fm_str_find(object, key);
    struct fm_scan s = fm_scan_of(fm_str_from(object, at == FM_NOT_FOUND ? object.size : at + key.size));
    framemap_str value = {NULL, 0};
    return fm_scan_byte(&s, '"') && fm_scan_until(&s, '"', &value) ? value : fm_str(NULL, 0);
}

static bool hex_member(framemap_str object, framemap_str key, uint64_t *out)
{
    struct fm_scan s = fm_scan_of(member(object, key));
    return fm_row_hex(&s, out) == FM_DIGITS_FIT && fm_scan_done(&s);
}

static bool read_frame(framemap_str text, framemap_frame *frame)
{
    const size_t at = fm_str_starts(text, FM_STR("{")) ? fm_str_find(text, mark) : FM_NOT_FOUND;
    if (at == FM_NOT_FOUND) return false;
    const framemap_str object = fm_str_from(text, at + mark.size);
    *frame = FM_FRAME_INIT;
    if (!hex_member(object, FM_STR("\"a\":"), &frame->address)) return false;
    frame->has_address = true;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    frame->return_address = true;
    frame->has_load_address = hex_member(object, FM_STR("\"b\":"), &frame->load_address);
    frame->function = member(object, FM_STR("\"C\":"));
    if (frame->function.size == 0) frame->function = member(object, FM_STR("\"s\":"));
    frame->has_function_offset = hex_member(object, FM_STR("\"s+\":"), &frame->function_offset);
    if (frame->function.size) frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    return true;
}

static bool mongodb_is_significant(const struct fm_line *line)
{
    return fm_str_find(line->body, mark) != FM_NOT_FOUND || fm_str_find(line->body, whole) != FM_NOT_FOUND;
}

static enum fm_line_role mongodb_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct mongodb_state *state = memory;
    const bool near = state->number1 && line->number1 - state->number1 <= MONGODB_GAP;
    framemap_frame frame;
    if (line->is_document || fm_str_find(line->body, whole) != FM_NOT_FOUND) {
        *state = (struct mongodb_state){.number1 = line->number1, .repeats = true};
        return FM_ROLE_NONE;
    }
    if (!read_frame(line->body, &frame)) return FM_ROLE_NONE;
    if (!near) state->repeats = false;
    state->number1 = line->number1;
    if (state->repeats) return FM_ROLE_NONE;
    framemap_trace *trace = near ? fm_document_open(doc, name) : NULL;
    if (trace == NULL) {
        trace = fm_document_trace(doc, name, line);
        if (trace == NULL) return FM_ROLE_FRAME;
        trace->thread = trace->thread_name = member(line->body, FM_STR("\"ctx\":"));
        trace->crashed = true;
    }
    frame.index = (int64_t)trace->frame_count;
    fm_document_frame(doc, line, &frame);
    return FM_ROLE_FRAME;
}

static const struct fm_needle mongodb_needles[] = {FM_NEEDLE("\"attr\":{\"frame\":{", 6, 1),
                                                   FM_NEEDLE("\"msg\":\"BACKTRACE", 6, 9)};

const struct fm_format fm_mongodb = {.info = {name, "stacks in MongoDB's log, a line for each frame", true, false},
                                     FM_NEEDLES(mongodb_needles),
                                     .marks = FM_MARK_WORD,
                                     .state_size = sizeof(struct mongodb_state),
                                     .firsts = "{",
                                     .keeps = FM_KEEPS_ALL,
                                     .keeps_state = true,
                                     .reads_documents = true,
                                     .offer = mongodb_offer,
                                     .is_significant = mongodb_is_significant};
