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
 *     gml_Object_obj_player_Step_0 (line 12)
 *     gml_Script_scr_hit (line -1)                       the line is not known
 *     C:\game\objects\obj_player\Step_0.gml (12): game__Step_0      GameMaker's new runtime
 *
 * The line " at gml_…" is the first row again, and the line above it is the message. The innermost frame is first. */
#include "formats/other/other_stack.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "gamemaker";

/* Parses "gml_Object_obj_player_Step_0 (line 12)". */
static bool read_row(framemap_str text, framemap_frame *frame)
{
    framemap_str group;
    uint64_t line1;
    if (!fm_str_starts(text, FM_STR("gml_")) || !fm_row_group(&text, &group)) return false;
    struct fm_scan s = fm_scan_of(group);
    if (!fm_other_is_name(text, "@") || !fm_scan_text(&s, FM_STR("line "))) return false;
    frame->function = text;
    if (fm_scan_byte(&s, '-')) return true;
    if (!fm_scan_dec(&s, &line1, NULL) || line1 > UINT32_MAX || !fm_scan_done(&s)) return false;
    frame->line = (uint32_t)line1;
    return true;
}

/* Parses "C:\game\Step_0.gml (12): game__Step_0". */
static bool read_file_row(framemap_str text, framemap_frame *frame)
{
    static const framemap_str mark = FM_STR_INIT(".gml (");
    const size_t at = fm_str_find(text, mark);
    uint64_t line1;
    if (at == FM_NOT_FOUND || at == 0) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, at + mark.size));
    if (!fm_scan_dec(&s, &line1, NULL) || line1 > UINT32_MAX || !fm_scan_text(&s, FM_STR("): "))) return false;
    frame->file = fm_str(text.data, at + 4);
    frame->line = (uint32_t)line1;
    frame->function = fm_scan_rest(&s);
    return fm_other_is_name(frame->function, ".:@");
}

static enum fm_other_kind gamemaker_parse(framemap_str text, struct fm_other_line *out)
{
    if (fm_str_starts(text, FM_STR("at gml_"))) return FM_OTHER_TITLE;
    return read_row(text, &out->frame) || read_file_row(text, &out->frame) ? FM_OTHER_SURE : FM_OTHER_NONE;
}

static const struct fm_other_rules rules = {.name = name, .parse = gamemaker_parse};

static enum fm_line_role gamemaker_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_other_stack *state = memory;
    const enum fm_line_role role = fm_other_stack_offer(&rules, state, doc, line);
    if (role == FM_ROLE_CONTEXT) {
        struct fm_look_back back = fm_look_back_from(doc, line, 0, 1);
        struct fm_line *above = fm_look_back_next(&back);
        if (above && fm_line_cut(above)) state->exception = fm_str_trim(above->body);
        return role;
    }
    framemap_trace *trace = role == FM_ROLE_FRAME ? fm_document_open(doc, name) : NULL;
    if (trace == NULL || trace->frame_count != 1) return role;
    trace->exception_type = fm_str(NULL, 0);
    trace->exception_message = trace->exception;
    return role;
}
static bool gamemaker_is_significant(const struct fm_line *line) { return fm_other_stack_is_significant(&rules, line); }

static const struct fm_needle gamemaker_needles[] = {FM_NEEDLE("gml_", 0, 8), FM_NEEDLE(".gml (", 0, 7)};

const struct fm_format fm_gamemaker = {.info = {name, "errors of GameMaker", true, false},
                                       FM_NEEDLES(gamemaker_needles),
                                       .marks = FM_MARK_WORD,
                                       .state_size = sizeof(struct fm_other_stack),
                                       .offer = gamemaker_offer,
                                       .is_significant = gamemaker_is_significant,
                                       .keeps_state = true};
