/* Queries an index of a source map for everything that the map has: each segment at its first and its last column and
 * one in between, lines without segments, each start of a function, sources, names and offsets. */
#include "api/proof/proof_segments.h"

#include "core/error.h"

#include <inttypes.h>

static void put_spot(struct fm_buf *out, const framemap_query *query)
{
    if (query->scope.size > 0) {
        fm_buf_str(out, FM_STR("function "));
        fm_buf_str(out, query->scope);
        fm_buf_str(out, FM_STR(" of segment "));
    }
    fm_buf_printf(out, "%" PRIu64 ":%" PRIu64, query->scope_number + (query->scope.size == 0),
                  query->position + (query->scope.size == 0));
}

static framemap_status ask_spot(struct fm_proof_segments *s, uint32_t line0, uint32_t col0)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_frame_list said;
    const framemap_status status = fm_proof_mapped(s, line0, col0, &said);
    if (status != FRAMEMAP_OK) return status;
    query.scope_number = line0;
    query.position = col0;
    return fm_proof_compare_chain(s->proof, "segment", &query, put_spot, said);
}

/* --- querying segments --- */

#define FAR 100000u /* most columns beyond the last segment of a line that are tried */

/* Queries columns of a line, from one position to the next one or to the end of the line: the first of these columns,
 * the second, and the last. */
static framemap_status ask_columns(struct fm_proof_segments *s, uint32_t line0, uint32_t from, uint32_t end)
{
    framemap_status status = ask_spot(s, line0, from);
    if (status == FRAMEMAP_OK && end - from > 1) status = ask_spot(s, line0, from + 1);
    if (status == FRAMEMAP_OK && end - from > 2) status = ask_spot(s, line0, end - 1);
    return status;
}

/* Queries the segments [at, next), which start at one position. */
static framemap_status ask_segments(struct fm_proof_segments *s, size_t at, size_t next)
{
    const struct fm_segment *own = &s->segments[at], *after = next < s->segment_count ? &s->segments[next] : NULL;
    const bool first = at == 0 || s->segments[at - 1].line0 != own->line0,
               last = after == NULL || after->line0 != own->line0;
    const uint32_t far = own->col0 < UINT32_MAX - FAR ? own->col0 + FAR : UINT32_MAX;
    framemap_status status = FRAMEMAP_OK;
    if (first && own->col0 > 0) status = ask_spot(s, own->line0, own->col0 - 1);
    if (status == FRAMEMAP_OK) status = ask_columns(s, own->line0, own->col0, last ? far : after->col0);
    if (status == FRAMEMAP_OK && last && own->line0 < UINT32_MAX && (after == NULL || after->line0 > own->line0 + 1))
        status = ask_spot(s, own->line0 + 1, 0);
    return status == FRAMEMAP_OK ? fm_proof_step(s->proof, next - at) : status;
}

static framemap_status ask_all_segments(struct fm_proof_segments *s)
{
    framemap_status status = FRAMEMAP_OK;
    for (size_t at = 0, next; at < s->segment_count && status == FRAMEMAP_OK; at = next) {
        const struct fm_segment *own = &s->segments[at];
        for (next = at + 1;
             next < s->segment_count && s->segments[next].line0 == own->line0 && s->segments[next].col0 == own->col0;)
            next++;
        status = ask_segments(s, at, next);
    }
    return status;
}

/* --- comparing functions --- */

static framemap_status ask_covering(struct fm_proof_segments *s)
{
    framemap_status status = FRAMEMAP_OK;
    for (size_t i = 0; i < s->covering_count && status == FRAMEMAP_OK; i++) {
        const struct fm_generated_stretch *own = &s->covering[i];
        status = ask_spot(s, own->line0, own->col0);
        if (status == FRAMEMAP_OK && own->col0 > 0) status = ask_spot(s, own->line0, own->col0 - 1);
    }
    return status;
}

/* Compares the function at a position of a source. Reads its record, because queries by segment reach only few
 * positions of a source. */
static framemap_status compare_stretch(struct fm_proof_segments *s, uint32_t source, uint32_t line0, uint32_t col0)
{
    const struct fm_proof_stretch *said = fm_proof_stretch_at(s, source, line0, col0);
    struct fm_view_stretch found = {.origin = 0};
    if (!fm_view_source_stretch(fm_proof_view(s->proof), source, line0, col0, &found))
        found = (struct fm_view_stretch){.origin = 0};
    const framemap_str function = said ? fm_proof_text(s->proof, said->function) : (framemap_str){NULL, 0};
    s->proof->counts.questions++;
    if (fm_str_equal(function, found.function) && (function.size == 0 || said->origin == found.origin))
        return FRAMEMAP_OK;
    fm_buf_str(&s->proof->place, fm_proof_text(s->proof, s->sources[source].address));
    fm_buf_printf(&s->proof->place, ":%" PRIu32 ":%" PRIu32, line0 + 1, col0 + 1);
    fm_buf_str(&s->proof->said, function);
    fm_buf_str(&s->proof->found, found.function);
    return fm_proof_differs(s->proof, "function", fm_str_equal(function, found.function) ? "origin" : "function");
}

static framemap_status compare_stretches(struct fm_proof_segments *s)
{
    framemap_status status = FRAMEMAP_OK;
    for (size_t i = 0; i < s->stretch_count && status == FRAMEMAP_OK; i++) {
        const struct fm_proof_stretch *own = &s->stretches[i];
        status = compare_stretch(s, own->source, own->line0, own->col0);
        if (status == FRAMEMAP_OK && own->col0 > 0) status = compare_stretch(s, own->source, own->line0, own->col0 - 1);
    }
    return status;
}

static framemap_status sort_stretches(struct fm_proof_segments *s)
{
    if (s->stretch_count == 0) return FRAMEMAP_OK;
    s->stretch_order = fm_heap_zalloc(s->proof->heap, s->stretch_count, sizeof *s->stretch_order);
    if (s->stretch_order == NULL) return fm_error_memory(s->proof->error);
    for (size_t i = 0; i < s->stretch_count; i++)
        s->stretch_order[i] =
            (struct fm_sort_item){.key = fm_proof_spot_key(s->stretches[i].line0, s->stretches[i].col0),
                                  .group = s->stretches[i].source,
                                  .id = (uint32_t)i};
    return fm_sort(s->proof->heap, s->stretch_order, s->stretch_count, NULL, NULL) ? FRAMEMAP_OK
                                                                                   : fm_error_memory(s->proof->error);
}

/* --- comparing sources, names and offsets --- */

static framemap_status compare_source(struct fm_proof_segments *s, uint32_t number)
{
    struct fm_proof *proof = s->proof;
    const struct fm_proof_source *said = &s->sources[number];
    struct fm_view_source found = {.flags = 0};
    (void)fm_view_source(fm_proof_view(proof), number, &found);
    const framemap_str place = fm_proof_text(proof, said->address);
    framemap_status status = fm_proof_compare_text(proof, "source", "address", place, place, found.address);
    if (status == FRAMEMAP_OK)
        status = fm_proof_compare_text(proof, "source", "spelling", place, fm_proof_text(proof, said->spelled),
                                       found.spelled);
    if (status == FRAMEMAP_OK)
        status =
            fm_proof_compare_text(proof, "source", "text", place, fm_proof_text(proof, said->content), found.content);
    return status == FRAMEMAP_OK ? fm_proof_compare_number(proof, "source", "flags", place, said->flags, found.flags)
                                 : status;
}

static framemap_status compare_sources(struct fm_proof_segments *s)
{
    framemap_status status = FRAMEMAP_OK;
    for (size_t i = 0; i < s->source_count && status == FRAMEMAP_OK; i++) status = compare_source(s, (uint32_t)i);
    return status;
}

static framemap_status compare_sizes(struct fm_proof_segments *s)
{
    struct fm_segments_about about = {.segment_count = 0};
    const framemap_str nowhere = {NULL, 0};
    fm_view_segments(fm_proof_view(s->proof), &about);
    framemap_status status = fm_proof_compare_number(s->proof, "segment", "number of segments", nowhere,
                                                     s->segment_count, about.segment_count);
    if (status == FRAMEMAP_OK)
        status = fm_proof_compare_number(s->proof, "source", "number of sources", nowhere, s->source_count,
                                         about.source_count);
    return status;
}

static void put_list_place(struct fm_buf *out, const struct fm_proof_list *list, size_t which)
{
    static const char *const kinds[] = {
        [FM_OFFSETS_MODULES] = "module", [FM_OFFSETS_FUNCTIONS] = "function", [FM_OFFSETS_SEGMENTS] = "segment"};
    fm_buf_printf(out, "%s %zu of segment %" PRIu32, kinds[list->kind], which, list->group);
}

static framemap_status compare_offset(struct fm_proof_segments *s, const struct fm_proof_list *list, size_t which)
{
    uint32_t found = UINT32_MAX;
    const uint32_t said = which < list->count ? s->offsets[list->first + which] : UINT32_MAX;
    if (!fm_view_offset(fm_proof_view(s->proof), list->kind, list->group, which, &found)) found = UINT32_MAX;
    s->proof->counts.questions++;
    if (said == found) return FRAMEMAP_OK;
    put_list_place(&s->proof->place, list, which);
    if (said != UINT32_MAX) fm_buf_dec(&s->proof->said, said);
    if (found != UINT32_MAX) fm_buf_dec(&s->proof->found, found);
    return fm_proof_differs(s->proof, "offsets", "offset");
}

/* Queries a function of bytecode by its number. */
static framemap_status ask_function(struct fm_proof_segments *s, const struct fm_proof_list *list, size_t which)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_frame_list said;
    const framemap_status status = fm_proof_mapped(s, list->group, s->offsets[list->first + which], &said);
    if (status != FRAMEMAP_OK) return status;
    struct fm_buf text;
    fm_buf_init(&text, s->proof->heap);
    fm_buf_dec(&text, which);
    query.scope = fm_buf_view(&text);
    query.scope_number = list->group;
    const framemap_status compared = fm_proof_compare_chain(s->proof, "segment", &query, put_spot, said);
    fm_buf_free(&text);
    return compared;
}

static framemap_status compare_lists(struct fm_proof_segments *s)
{
    framemap_status status = FRAMEMAP_OK;
    for (size_t i = 0; i < s->list_count; i++) {
        const struct fm_proof_list *list = &s->lists[i];
        for (size_t k = 0; k <= list->count && status == FRAMEMAP_OK; k++) {
            status = compare_offset(s, list, k);
            if (status == FRAMEMAP_OK && list->kind == FM_OFFSETS_FUNCTIONS && k < list->count &&
                s->offsets[list->first + k] != UINT32_MAX)
                status = ask_function(s, list, k);
        }
    }
    return status;
}

framemap_status fm_proof_segments_ask(struct fm_proof_segments *s)
{
    struct fm_proof *proof = s->proof;
    framemap_status status = sort_stretches(s);
    proof->total = s->segment_count;
    proof->counts.records += s->segment_count + s->source_count + s->name_count + s->stretch_count + s->covering_count +
                             s->site_count + s->offset_count;
    if (status == FRAMEMAP_OK) status = compare_sizes(s);
    if (status == FRAMEMAP_OK) status = compare_sources(s);
    if (status == FRAMEMAP_OK) status = compare_lists(s);
    if (status == FRAMEMAP_OK) status = compare_stretches(s);
    if (status == FRAMEMAP_OK) status = ask_all_segments(s);
    return status == FRAMEMAP_OK ? ask_covering(s) : status;
}
