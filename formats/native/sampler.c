/* Rows of program counters, one per line and innermost first, in the two forms that profilers and bots write:
 *
 *     0x0000000105340708(Flutter + 0x002b4708)
 *     Frame(pc: 3396957692, module: Module(path: /data/app/lib/libapp.so, baseAddress: 3396415488))
 *
 * All addresses but the first are return addresses. In the second form numbers are decimal, and a frame that is not in
 * a known module has no "module:". */
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "samples";

struct sampler_state {
    uint64_t number1; /* line number of the last frame */
};

struct sampler_row {
    enum fm_digits digits;
    uint64_t pc, offset, base;
    bool has_base;
    framemap_str module;
};

/* Parses "0xADDR(MODULE + 0xOFF)". */
static bool parse_plus(framemap_str body, struct sampler_row *row)
{
    struct fm_scan s = fm_scan_of(fm_str_trim(body));
    framemap_str inside;
    row->digits = fm_row_0xhex(&s, &row->pc);
    if (row->digits == FM_DIGITS_NONE || !fm_scan_byte(&s, '(')) return false;
    inside = fm_scan_rest(&s);
    if (inside.size < 2 || inside.data[inside.size - 1] != ')') return false;
    inside.size--;
    const size_t plus = fm_str_find_last(inside, FM_STR(" + 0x"));
    if (plus == FM_NOT_FOUND || plus == 0) return false;
    s = fm_scan_of(fm_str_from(inside, plus + 3));
    row->module = fm_str(inside.data, plus);
    return fm_scan_0xhex(&s, &row->offset, NULL) && fm_scan_done(&s) && row->module.size;
}

/* Parses "Frame(pc: D)", "Frame(pc: D, module: Module(path: P, baseAddress: D))". */
static bool parse_sample(framemap_str body, struct sampler_row *row)
{
    struct fm_scan s = fm_scan_of(fm_str_trim(body));
    row->digits = FM_DIGITS_FIT;
    if (!fm_scan_text(&s, FM_STR("Frame(pc: ")) || !fm_scan_dec(&s, &row->pc, NULL)) return false;
    framemap_str rest = fm_scan_rest(&s);
    if (fm_str_equal(rest, FM_STR(")")) || fm_str_equal(rest, FM_STR(", module: null)"))) return true;
    if (!fm_scan_text(&s, FM_STR(", module: Module(path: "))) return false;
    rest = fm_scan_rest(&s);
    const framemap_str mark = FM_STR(", baseAddress: ");
    const size_t at = fm_str_find_last(rest, mark);
    if (at == FM_NOT_FOUND) return false;
    s = fm_scan_of(fm_str_from(rest, at + mark.size));
    row->module = fm_str(rest.data, at);
    row->has_base = true;
    return fm_scan_dec(&s, &row->base, NULL) && fm_scan_text(&s, FM_STR("))")) && fm_scan_done(&s);
}

static bool sampler_probe(const struct fm_line *line)
{
    return line->last == ')' && (line->first == '0' || line->first == 'F');
}

static bool sampler_parse_row(const struct fm_line *line, struct sampler_row *row)
{
    return line->first == '0' ? parse_plus(line->body, row) : parse_sample(line->body, row);
}

static bool sampler_is_significant(const struct fm_line *line)
{
    struct sampler_row row = {.pc = 0};
    return sampler_parse_row(line, &row);
}

static void sampler_fill(framemap_frame *frame, const struct sampler_row *row)
{
    frame->kind = FRAMEMAP_KIND_NATIVE;
    frame->module = fm_str_basename(row->module);
    frame->has_address = true;
    frame->address = row->pc;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    if (row->digits == FM_DIGITS_LONG) {
        fm_row_malformed(frame, FM_LONG_ADDRESS);
    } else if (row->has_base || row->offset <= row->pc) {
        frame->has_load_address = row->module.size != 0;
        frame->load_address = row->has_base ? row->base : row->pc - row->offset;
    }
}

static enum fm_line_role sampler_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct sampler_state *state = memory;
    struct sampler_row row = {.pc = 0};
    if (!sampler_parse_row(line, &row)) return FM_ROLE_NONE;
    const bool goes_on = fm_document_open(doc, name) && line->number1 - state->number1 <= 1 && !line->begins;
    if (!goes_on && fm_document_trace(doc, name, line) == NULL) return FM_ROLE_FRAME;
    framemap_frame *frame = fm_document_new_frame(doc, line);
    if (frame == NULL) return FM_ROLE_FRAME;
    sampler_fill(frame, &row);
    frame->return_address = goes_on;
    state->number1 = line->number1;
    return FM_ROLE_FRAME;
}

static void sampler_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    for (size_t i = 0; i < frame->restored.count; i++) {
        if (i) fm_row_begin_line(out, prefix, eol);
        fm_buf_str(out, frame->raw);
        fm_buf_byte(out, ' ');
        fm_row_put_at(out, &frame->restored.frames[i]);
    }
}

static const struct fm_needle sampler_needles[] = {
    FM_NEEDLE("Frame(pc: ", 5, 9),
};

const struct fm_format fm_samples = {
    .info = {name, "program counters of samplers, one per line (0x…(App + 0x…), Frame(pc: 1, module: …))", true, false},
    .id_form = FM_ID_UUID,
    FM_NEEDLES(sampler_needles),
    .marks = FM_MARK_WORD | FM_MARK_HEX,
    .state_size = sizeof(struct sampler_state),
    .firsts = "0F",
    .probe = sampler_probe,
    .offer = sampler_offer,
    .is_significant = sampler_is_significant,
    .print_frame = sampler_print_frame};
