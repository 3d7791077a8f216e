/* Errors of GameMaker:
 *
 *     ERROR in
 *     action number 1
 *     of  Step Event0
 *     for object obj_player:
 *
 *     Variable obj_player.hp(100123, -2147483648) not set before reading it.
 *      at gml_Object_obj_player_Step_0 (line 12) -        if (hp < 0)
 *     ############################################################################################
 *     --------------------------------------------------------------------------------------------
 *     stack frame is
 *     gml_Object_obj_player_Step_0 (line 12)
 *     called from - gml_Script_scr_hit (line 5) - scr_hurt();     older versions
 *     gml_Script_scr_hit (line -1)                                the line is not known
 *     gml_Object_obj_enemy_Step_0                                 compiled to native code
 *
 *     Unhandled exception: Error: no player                       GameMaker's new runtime
 *     Stack trace:
 *     C:\game\objects\obj_player\Step_0.gml (12): game__Step_0
 *
 * The line " at gml_…" is the innermost frame, which is first; the list of frames may be missing. If it is present, its
 * first row repeats that frame. */
#include "formats/other/other_stack.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "gamemaker";

struct gamemaker_state {
    struct fm_other_stack stack;
    bool expects_repeat; /* the last frame is from a line " at gml_…" */
};

static const framemap_str at_mark = FM_STR_INIT("at ");

/* Parses "(line 12)" or "(line -1)", which " - " and the code of that line may follow. */
static bool read_line(framemap_str text, framemap_frame *frame)
{
    struct fm_scan s = fm_scan_of(text);
    uint32_t line1;
    if (!fm_scan_text(&s, FM_STR("(line "))) return false;
    const bool unknown = fm_scan_byte(&s, '-');
    if (!fm_scan_dec32(&s, &line1) || !fm_scan_byte(&s, ')')) return false;
    if (!unknown) frame->line = line1;
    return fm_scan_done(&s) || fm_scan_text(&s, FM_STR(" -"));
}

/* Parses "gml_Object_obj_player_Step_0 (line 12)", which "at " or "called from - " may precede. */
static enum fm_other_kind read_row(framemap_str text, framemap_frame *frame)
{
    struct fm_scan s = fm_scan_of(text);
    framemap_str function;
    const bool marked = fm_scan_text(&s, at_mark) || fm_scan_text(&s, FM_STR("called from - "));
    if (!fm_str_starts(fm_scan_rest(&s), FM_STR("gml_")) || !fm_scan_word(&s, &function) ||
        !fm_other_is_name(function, "@"))
        return FM_OTHER_NONE;
    frame->function = function;
    fm_scan_blanks(&s);
    if (fm_scan_done(&s)) return marked ? FM_OTHER_SURE : FM_OTHER_ROW;
    return read_line(fm_scan_rest(&s), frame) ? FM_OTHER_SURE : FM_OTHER_NONE;
}

/* Parses "C:\game\Step_0.gml (12): game__Step_0". The function begins with the name of the project and "_". */
static bool read_file_row(framemap_str text, framemap_frame *frame)
{
    static const framemap_str mark = FM_STR_INIT(".gml (");
    const size_t at = fm_str_find(text, mark);
    uint32_t line1;
    if (at == FM_NOT_FOUND || at == 0) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, at + mark.size));
    if (!fm_scan_dec32(&s, &line1) || !fm_scan_text(&s, FM_STR("): "))) return false;
    frame->file = fm_str(text.data, at + 4);
    frame->line = line1;
    frame->function = fm_scan_rest(&s);
    return fm_other_is_name(frame->function, ".:@") && fm_str_find_byte(frame->function, '_') != FM_NOT_FOUND;
}

static enum fm_other_kind gamemaker_parse(framemap_str text, struct fm_other_line *out)
{
    const enum fm_other_kind kind = read_row(text, &out->frame);
    out->starts = kind != FM_OTHER_NONE && fm_str_starts(text, at_mark);
    return kind == FM_OTHER_NONE && read_file_row(text, &out->frame) ? FM_OTHER_SURE : kind;
}

static const struct fm_other_rules rules = {.name = name, .parse = gamemaker_parse};

/* Whether a line is between the message and the list of frames. */
static bool is_separator(framemap_str text)
{
    return fm_str_starts(text, FM_STR("####")) || fm_str_starts(text, FM_STR("----")) ||
           fm_str_equal(text, FM_STR("stack frame is")) || fm_str_equal(text, FM_STR("Stack trace:"));
}

/* Sets the message from the lines above the first frame. It is the line directly above " at gml_…"; above other rows,
 * it is above separators. */
static void read_message(struct fm_document *doc, const struct fm_line *line, framemap_trace *trace)
{
    static const framemap_str mark = FM_STR_INIT("Unhandled exception: ");
    struct fm_look_back back = fm_look_back_from(doc, line, 0, 6);
    bool found = fm_str_starts(fm_str_trim(line->body), at_mark);
    for (struct fm_line *above; (above = fm_look_back_next(&back)) != NULL;) {
        if (!fm_line_cut(above)) continue;
        const framemap_str text = fm_str_trim(above->body);
        if (is_separator(text)) {
            found = true;
            continue;
        }
        if (!found) return;
        trace->exception = text;
        trace->exception_message = fm_str_starts(text, mark) ? fm_str_from(text, mark.size) : text;
        return;
    }
}

/* Whether the row repeats the frame of the line " at gml_…". Such a line may lack the number that the row has. */
static bool repeats(framemap_frame *frame, framemap_str text)
{
    framemap_frame row = {.line = 0};
    if (frame == NULL || fm_str_starts(text, at_mark) || read_row(text, &row) == FM_OTHER_NONE ||
        !fm_str_equal(row.function, frame->function))
        return false;
    if (frame->line == 0) frame->line = row.line;
    return true;
}

static enum fm_line_role gamemaker_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct gamemaker_state *state = memory;
    struct fm_other_stack *stack = &state->stack;
    const framemap_str text = fm_str_trim(line->body);
    framemap_trace *trace = state->expects_repeat ? fm_document_open(doc, name) : NULL;
    if (trace && line->number1 - stack->number1 <= FM_OTHER_GAP && repeats(fm_other_last(trace), text)) {
        state->expects_repeat = false;
        stack->number1 = line->number1;
        fm_document_span(doc, line);
        return FM_ROLE_CONTEXT;
    }
    const enum fm_line_role role = fm_other_stack_offer(&rules, stack, doc, line);
    if (role != FM_ROLE_FRAME) return role;
    state->expects_repeat = fm_str_starts(text, at_mark);
    trace = fm_document_open(doc, name);
    if (trace && trace->frame_count == 1) read_message(doc, line, trace);
    return role;
}
static bool gamemaker_is_significant(const struct fm_line *line) { return fm_other_stack_is_significant(&rules, line); }

static const struct fm_needle gamemaker_needles[] = {FM_NEEDLE("gml_", 0, 4), FM_NEEDLE(".gml (", 0, 15)};

const struct fm_format fm_gamemaker = {.info = {name, "errors of GameMaker", true, false},
                                       FM_NEEDLES(gamemaker_needles),
                                       .marks = FM_MARK_WORD,
                                       .state_size = sizeof(struct gamemaker_state),
                                       .offer = gamemaker_offer,
                                       .is_significant = gamemaker_is_significant,
                                       .keeps_state = true};
