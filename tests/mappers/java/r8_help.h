/* Builds a mapping in memory, records its warnings, and prints its index as a short text for tables of expected
 * results:
 *
 *     o.C -> a S                      class; S: synthesized by the compiler
 *       a                             method
 *         = void o.C.m(int) SO        a part and its entry; S, O: synthetic, outline
 *           1:2 void o.C.m(int) 3:4   residual lines, member, original lines
 *           - void o.C.m(int) -
 *             throws x.E rewrite 1    notes
 *       .f int o.C.g                  field
 *     o.C in C.kt                     source file
 */
#ifndef FM_TESTS_MAPPERS_JAVA_R8_HELP_H
#define FM_TESTS_MAPPERS_JAVA_R8_HELP_H

#include "core/error.h"
#include "core/text/buffer.h"
#include "index/read/classes/class_view.h"
#include "mappers/mapper.h"
#include "tests/testing.h"

struct mapping {
    struct fm_heap heap;
    struct fm_built built;
    struct fm_view *view; /* view of the index; NULL: no index was built */
    framemap_status status;
    framemap_error error;
    unsigned warnings, infos;
    uint64_t warned_line; /* line of the last warning */
    char said[256];       /* text of the last warning */
};

static inline void hear(void *context, const framemap_error *warning)
{
    struct mapping *m = context;
    if (warning->code == FRAMEMAP_OK) {
        m->infos++;
        return;
    }
    m->warnings++;
    m->warned_line = warning->line;
    snprintf(m->said, sizeof m->said, "%s", warning->message);
}

static inline void read_mapping(struct mapping *m, framemap_str text, const char *mapper, bool strict,
                                const framemap_allocator *allocator)
{
    struct fm_builder *builder = NULL;
    memset(m, 0, sizeof *m);
    fm_heap_init(&m->heap, allocator, 0);
    const struct fm_mapper_host host = {
        .heap = &m->heap, .warning = hear, .context = m, .threads = 1, .strict = strict};
    const struct fm_mapper *row = fm_mapper_for(text, FM_STR("mapping.txt"), mapper);
    assert_non_null(row);
    m->status = fm_builder_create(&m->heap, &builder, &m->error);
    if (m->status != FRAMEMAP_OK) return;
    m->status = row->build(text, FM_STR("dir/mapping.txt"), &host, builder, &m->error);
    if (m->status == FRAMEMAP_OK) m->status = fm_builder_finish(builder, &m->built, &m->error);
    if (m->status == FRAMEMAP_OK)
        m->status = fm_view_open(fm_str(m->built.data, m->built.size), &m->heap, &m->view, &m->error);
    fm_builder_free(builder);
}

static inline void free_mapping(struct mapping *m)
{
    if (m->view) fm_view_close(m->view);
    fm_heap_free(&m->heap, m->built.data, m->built.size);
    m->view = NULL;
    m->built.data = NULL;
}

/* --- printing the index as text --- */

static inline void put_member(const struct fm_view *view, uint32_t number, struct fm_buf *out)
{
    struct fm_view_member member;
    if (!fm_view_member(view, number, &member)) fail_msg("member %u is not there", number);
    fm_buf_printf(out, "%.*s %.*s.%.*s", (int)member.type.size, member.type.data, (int)member.holder.size,
                  member.holder.data, (int)member.name.size, member.name.data);
    if (!member.is_field) fm_buf_printf(out, "(%.*s)", (int)member.arguments.size, member.arguments.data);
}

static inline void put_notes(const struct fm_view *view, uint32_t notes, struct fm_buf *out)
{
    static const char *const names[] = {"", "rewrite", "throws", "outline", "position", "hidden"};
    struct fm_view_note note;
    for (uint64_t i = 0; fm_view_note(view, notes, i, &note); i++) {
        fm_buf_printf(out, "%s%s", i ? " " : "        ", names[note.kind]);
        if (note.kind == FM_NOTE_REWRITE) fm_buf_printf(out, " %lld", (long long)note.count);
        if (note.kind == FM_NOTE_POSITION) fm_buf_printf(out, " %d>%d", note.from, note.to);
        if (note.kind == FM_NOTE_HIDDEN) fm_buf_printf(out, " %d", note.from);
        if (note.text.size) fm_buf_printf(out, " %.*s", (int)note.text.size, note.text.data);
    }
    fm_buf_byte(out, '\n');
}

static inline void put_span(const struct fm_view *view, uint64_t number, struct fm_buf *out)
{
    struct fm_view_span span;
    if (!fm_view_span(view, number, &span)) fail_msg("span %llu is not there", (unsigned long long)number);
    fm_buf_str(out, FM_STR("      "));
    if (span.flags & FM_SPAN_RESIDUAL)
        fm_buf_printf(out, "%d:%d ", span.residual_from, span.residual_to);
    else
        fm_buf_str(out, FM_STR("- "));
    put_member(view, span.member, out);
    if (span.flags & FM_SPAN_ORIGINAL)
        fm_buf_printf(out, " %d", span.original_from);
    else
        fm_buf_str(out, FM_STR(" -"));
    if (span.flags & FM_SPAN_PAIR) fm_buf_printf(out, ":%d", span.original_to);
    fm_buf_byte(out, '\n');
    if (span.notes != FM_VIEW_NONE) put_notes(view, span.notes, out);
}

static inline void put_method(const struct fm_view *view, uint64_t number, struct fm_buf *out)
{
    struct fm_view_method method;
    struct fm_view_part part;
    if (!fm_view_method_at(view, number, &method)) fail_msg("method %llu is not there", (unsigned long long)number);
    fm_buf_printf(out, "  %.*s\n", (int)method.residual.size, method.residual.data);
    for (uint64_t i = 0; i < method.part_count; i++) {
        if (!fm_view_part(view, &method, method.first_part + i, &part)) fail_msg("a part is not there");
        fm_buf_str(out, FM_STR("    = "));
        put_member(view, part.entry, out);
        fm_buf_printf(out, "%s%s%s\n", part.flags & (FM_SPAN_SYNTHETIC | FM_SPAN_OUTLINE) ? " " : "",
                      part.flags & FM_SPAN_SYNTHETIC ? "S" : "", part.flags & FM_SPAN_OUTLINE ? "O" : "");
        for (uint64_t span = 0; span < part.span_count; span++) put_span(view, part.first_span + span, out);
    }
}

static inline void put_class(const struct fm_view *view, uint64_t number, struct fm_buf *out)
{
    struct fm_view_class class_of;
    framemap_str text;
    uint32_t member;
    if (!fm_view_class_at(view, number, &class_of)) fail_msg("class %llu is not there", (unsigned long long)number);
    fm_buf_printf(out, "%.*s -> %.*s%s\n", (int)class_of.original.size, class_of.original.data,
                  (int)class_of.residual.size, class_of.residual.data, class_of.flags & FM_CLASS_SYNTHETIC ? " S" : "");
    for (uint64_t i = 0; i < class_of.method_count; i++) put_method(view, class_of.first_method + i, out);
    for (uint64_t i = 0; i < class_of.field_count; i++) {
        if (!fm_view_field_at(view, class_of.first_field + i, &text, &member)) fail_msg("a field is not there");
        fm_buf_printf(out, "  .%.*s ", (int)text.size, text.data);
        put_member(view, member, out);
        fm_buf_byte(out, '\n');
    }
    if (fm_view_source_of(view, class_of.original, &text))
        fm_buf_printf(out, "%.*s in %.*s\n", (int)class_of.original.size, class_of.original.data, (int)text.size,
                      text.data);
}

static inline void put_mapping(const struct mapping *m, struct fm_buf *out)
{
    struct fm_classes_about about;
    if (!fm_view_classes(m->view, &about)) fail_msg("the index is of another form");
    for (uint64_t i = 0; i < about.class_count; i++) put_class(m->view, i, out);
}

#endif
