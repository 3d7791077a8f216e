/* A toy format for check_recipes. Its frames are lines "toy> 0xADDRESS". */
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "toy-stack";

struct toy_state {
    uint64_t number1; /* line of the last frame */
};

static enum fm_line_role toy_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct toy_state *state = memory;
    struct fm_scan scan = fm_scan_of(fm_str_from(line->body, 5));
    framemap_frame frame = FM_FRAME_INIT;
    if (!fm_str_starts(line->body, FM_STR("toy> "))) return FM_ROLE_NONE;
    if (fm_row_0xhex(&scan, &frame.address) == FM_DIGITS_NONE) return FM_ROLE_NONE;
    frame.has_address = true;
    if (state->number1 == 0 || line->number1 != state->number1 + 1) fm_document_trace(doc, name, line);
    state->number1 = line->number1;
    fm_document_frame(doc, line, &frame);
    return FM_ROLE_FRAME;
}

static bool toy_is_significant(const struct fm_line *line) { return fm_str_starts(line->body, FM_STR("toy> ")); }

static const struct fm_needle toy_needles[] = {FM_NEEDLE("toy> ", 1, 0)};

const struct fm_format fm_toy = {.info = {name, "frames of a toy (toy> 0x12)", true, false},
                                 FM_NEEDLES(toy_needles),
                                 .state_size = sizeof(struct toy_state),
                                 .firsts = "t",
                                 .offer = toy_offer,
                                 .is_significant = toy_is_significant};
