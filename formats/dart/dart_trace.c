/* Traces of Dart programs that were compiled ahead of time (dart_line.h describes their lines), and the list of
 * program counters in a crash dump of Dart's VM:
 *
 *       pc 0x00007fcf2482a8ce fp 0x00007fcf1fffd4d0 _kDartSnapshotText+0x168ce
 *
 * A trace has the addresses of calls, which are looked up unchanged. A crash dump has the machine's values: all
 * addresses but the first are return addresses. */
#include "formats/dart/dart_above.h"
#include "formats/dart/dart_frames.h"
#include "formats/dart/dart_named.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"
#include "formats/row_writer.h"

static enum fm_line_role read_context(struct fm_dart_state *state, struct fm_document *doc, const struct fm_line *line)
{
    fm_dart_box_line(&state->box, doc, line);
    if (fm_dart_read_header(state, line)) {
        if (!state->fresh) fm_dart_settle(state, doc);
        state->fresh = true;
        return FM_ROLE_CONTEXT;
    }
    return fm_dart_read_thread(state, line->body) ? FM_ROLE_CONTEXT : FM_ROLE_NONE;
}

static bool has_number(const struct fm_line *line)
{
    return (line->has & FM_HAS_HASH) != 0 && line->body.size && fm_find(line->body.data, line->body.size, '#');
}

static enum fm_line_role dart_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_dart_state *state = memory;
    struct fm_dart_row row;
    struct fm_dart_crash_row crash;
    if (line->begins) *state = (struct fm_dart_state){.floor = line->offset};
    if (fm_dart_add_marker(state, doc, line) == FM_ROLE_FRAME) return FM_ROLE_FRAME;
    if (has_number(line) && fm_dart_row_parse(line->printed.data ? line->body : line->text, &row))
        return fm_dart_add_row(state, doc, line, &row);
    if (has_number(line) && line->last == ')' && fm_dart_add_named(state, doc, line) == FM_ROLE_FRAME)
        return FM_ROLE_FRAME;
    if (line->first == 'p' && fm_dart_crash_row_parse(line->body, &crash))
        return fm_dart_add_crash_row(state, doc, line, &crash);
    return read_context(state, doc, line);
}

static enum fm_line_role dart_offer_named(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_dart_state *state = memory;
    if (line->begins) *state = (struct fm_dart_state){.floor = line->offset};
    if (fm_dart_add_marker(state, doc, line) == FM_ROLE_FRAME) return FM_ROLE_FRAME;
    if (has_number(line) && line->last == ')' && fm_dart_add_named(state, doc, line) == FM_ROLE_FRAME)
        return FM_ROLE_FRAME;
    return read_context(state, doc, line);
}

static enum fm_line_role dart_offer_crash(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_dart_state *state = memory;
    struct fm_dart_crash_row row = {.named = false};
    if (line->first == 'p' && fm_dart_crash_row_parse(line->body, &row))
        return fm_dart_add_crash_row(state, doc, line, &row);
    return read_context(state, doc, line) == FM_ROLE_NONE ? FM_ROLE_NONE : FM_ROLE_CONTEXT;
}

/* Prints the text before a frame that is part of its row: "at ." of "at . #00 abs …", "flutter:" of "flutter: #0
 * f (…)". */
static void put_head(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix)
{
    struct fm_dart_row row;
    struct fm_dart_named named;
    framemap_str head = {NULL, 0};
    if (fm_dart_row_parse(frame->raw, &row))
        head = fm_str_slice(frame->raw, 0, row.from);
    else if (fm_dart_named_parse(frame->raw, &named))
        head = fm_str_trim(fm_str_slice(frame->raw, 0, named.from));
    fm_buf_str(out, head);
    if (head.size || prefix.size) fm_buf_byte(out, ' ');
}

/* Prints a frame as Dart's decoder does: the text before the frame, one blank, and the frame. */
static void dart_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    bool any = false;
    for (size_t i = 0; i < frame->restored.count; i++) {
        const framemap_frame *source = &frame->restored.frames[i];
        if (source->artificial) continue;
        if (any) fm_row_begin_line(out, prefix, eol);
        any = true;
        put_head(out, frame, prefix);
        fm_dart_put_row(out, source->index >= 0 ? (uint64_t)source->index : 0, source);
    }
}

static void dart_finish(void *memory, struct fm_document *doc)
{
    struct fm_dart_state *state = memory;
    if (!state->fresh) fm_dart_settle(state, doc);
}

static bool dart_is_significant(const struct fm_line *line)
{
    struct fm_dart_row row;
    struct fm_dart_crash_row crash;
    struct fm_dart_named named;
    if (has_number(line) && fm_dart_row_parse(line->printed.data ? line->body : line->text, &row)) return true;
    if (has_number(line) && line->last == ')' && fm_dart_named_parse(line->body, &named)) return true;
    if (fm_dart_box_begins(line->body)) return true;
    if (line->first == 'p' &&
        (fm_str_find(line->body, FM_STR("tid: ")) != FM_NOT_FOUND || fm_dart_crash_row_parse(line->body, &crash)))
        return true;
    return fm_dart_is_header(line);
}

static const struct fm_needle dart_needles[] = {
    FM_NEEDLE(" comp: ", 2, 11),         FM_NEEDLE(" comp=", 2, 11),
    FM_NEEDLE("loading_unit", 6, 6),     FM_NEEDLE("build_id", 2, 8),
    FM_NEEDLE("isolate_dso_base", 8, 4), FM_NEEDLE("isolate_instructions", 13, 3),
    FM_NEEDLE("BuildId: ", 2, 14),       FM_NEEDLE("tid: ", 0, 2),
    FM_NEEDLE("*** ***", 1, 12),         FM_NEEDLE(" was thrown", 7, 6),
};

const struct fm_format fm_dart = {
    .info = {fm_dart_name, "Dart and Flutter traces without symbols (#00 abs … virt … _kDartSnapshotText+0x…)", true,
             false},
    .keeps = FM_KEEPS_ESCAPES,
    FM_NEEDLES(dart_needles),
    .marks = FM_MARK_WORD | FM_MARK_NUMBER | FM_MARK_HEX,
    .state_size = sizeof(struct fm_dart_state),
    .firsts = "pBTf",
    .lasts = "*'os0123456789abcdefABCDEF",
    .any_of = FM_HAS_HASH,
    .offer = dart_offer,
    .is_significant = dart_is_significant,
    .keeps_state = true,
    .finish = dart_finish,
    .leads = fm_dart_leads,
    .print_frame = dart_print_frame};
/* Writes "#1      f (package:app/main.dart:1:2)". */
static void named_put_row(struct fm_buf *out, const struct fm_row_out *row)
{
    framemap_frame named = *row->frame;
    named.function = row->has_name ? row->name : FM_STR("<anonymous closure>");
    if (named.file.size == 0) named.file = FM_STR("dart:core");
    fm_dart_put_row(out, row->number, &named);
}

static const struct fm_output dart_symbolic_output = {
    .print = fm_print_rows,
    .put_row = named_put_row,
    .holds = FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_COLUMNS,
};

const struct fm_format fm_dart_symbolic = {
    .info = {fm_dart_symbolic_name, "Dart and Flutter traces with names (#0      f (package:app/main.dart:12:3))", true,
             true},
    .keeps = FM_KEEPS_ESCAPES,
    FM_NEEDLES(dart_needles),
    .marks = FM_MARK_WORD | FM_MARK_NUMBER | FM_MARK_HEX,
    .state_size = sizeof(struct fm_dart_state),
    .firsts = "pBTf",
    .lasts = "*'os0123456789abcdefABCDEF",
    .any_of = FM_HAS_HASH,
    .offer = dart_offer_named,
    .is_significant = dart_is_significant,
    .keeps_state = true,
    .parsed_by_earlier = true,
    .print_frame = dart_print_frame,
    .output = &dart_symbolic_output};
const struct fm_format fm_dart_crash = {
    .info = {fm_dart_crash_name, "crash dumps of Dart's VM (pc 0x… fp 0x… _kDartSnapshotText+0x…)", true, false},
    .keeps = FM_KEEPS_ESCAPES,
    FM_NEEDLES(dart_needles),
    .marks = FM_MARK_WORD | FM_MARK_NUMBER | FM_MARK_HEX,
    .state_size = sizeof(struct fm_dart_state),
    .firsts = "pBTf",
    .lasts = "*'os0123456789abcdefABCDEF",
    .any_of = FM_HAS_HASH,
    .offer = dart_offer_crash,
    .is_significant = dart_is_significant,
    .keeps_state = true,
    .parsed_by_earlier = true,
    .print_frame = fm_dart_print_crash};
