/* Perl's stacks, as Carp's confess and longmess print them:
 *
 *     no cart at lib/Shop.pm line 12.
 *             Shop::load("a", HASH(0x55d0)) called at bin/app.pl line 20
 *             eval {...} called at bin/app.pl line 19
 *
 * The first line has the position of the innermost frame. Each row has the function, and the position of its call. */
#include "formats/other/other_stack.h"
#include "formats/parsers.h"

static const char name[] = "perl";

/* Parses "FILE line 12". A full stop may follow, or the file that Perl was reading and a full stop: ", <STDIN> line
 * 3.". */
static bool parse_place(framemap_str text, framemap_frame *frame)
{
    const size_t at = fm_str_find(text, FM_STR(" line "));
    uint32_t line;
    if (at == FM_NOT_FOUND || at == 0) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, at + 6));
    if (!fm_scan_dec32(&s, &line)) return false;
    frame->file = fm_str(text.data, at);
    frame->line = line;
    return fm_scan_done(&s) || *s.at == '.' || *s.at == ',';
}

static enum fm_other_kind perl_parse(framemap_str text, struct fm_other_line *out)
{
    static const framemap_str called = FM_STR_INIT(" called at ");
    const size_t at = fm_str_find_last(text, called);
    if (at == FM_NOT_FOUND || at == 0 || !parse_place(fm_str_from(text, at + called.size), &out->frame))
        return FM_OTHER_NONE;
    const framemap_str call = fm_str(text.data, at);
    const size_t open = fm_str_find_byte(call, '(');
    out->frame.function = open == FM_NOT_FOUND || open == 0 ? call : fm_str(call.data, open);
    if (fm_str_starts(call, FM_STR("eval {")) || fm_str_starts(call, FM_STR("require "))) return FM_OTHER_SURE;
    return fm_other_is_name(out->frame.function, ":'") && open != FM_NOT_FOUND ? FM_OTHER_SURE : FM_OTHER_NONE;
}

static const struct fm_other_rules rules = {.name = name, .parse = perl_parse};

/* Reads the line above the first row: the message, and the position of the innermost frame. */
static void add_head(struct fm_other_stack *state, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_look_back back = fm_look_back_from(doc, line, 0, 1);
    struct fm_line *head = fm_look_back_next(&back);
    framemap_frame place = {.index = -1};
    if (head == NULL || !fm_line_cut(head) || line->number1 - head->number1 > 1) return;
    const size_t at = fm_str_find_last(head->body, FM_STR(" at "));
    if (at == FM_NOT_FOUND || at == 0 || !parse_place(fm_str_from(head->body, at + 4), &place)) return;
    framemap_trace *trace = fm_document_trace(doc, name, head);
    if (trace == NULL) return;
    trace->exception = head->body;
    trace->exception_message = fm_str_trim(fm_str(head->body.data, at));
    state->has_trace = true;
    framemap_frame *frame = fm_other_frame(doc, head);
    if (frame == NULL) return;
    frame->file = place.file;
    frame->line = place.line;
}

static enum fm_line_role perl_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_other_stack *state = memory;
    struct fm_other_line row = {.frame = {.index = -1}};
    const bool inside =
        state->has_trace && line->number1 - state->number1 <= FM_OTHER_GAP && fm_document_open(doc, name);
    if (!inside && perl_parse(fm_str_trim(line->body), &row) == FM_OTHER_SURE) {
        state->number1 = line->number1;
        state->has_trace = false;
        add_head(state, doc, line);
    }
    return fm_other_stack_offer(&rules, state, doc, line);
}

static bool perl_is_significant(const struct fm_line *line) { return fm_other_stack_is_significant(&rules, line); }

static const struct fm_needle perl_needles[] = {FM_NEEDLE(" called at ", 2, 11)};

const struct fm_format fm_perl = {.info = {name, "stacks of Perl's Carp", true, false},
                                  FM_NEEDLES(perl_needles),
                                  .marks = FM_MARK_WORD,
                                  .state_size = sizeof(struct fm_other_stack),
                                  .offer = perl_offer,
                                  .is_significant = perl_is_significant,
                                  .keeps_state = true};
