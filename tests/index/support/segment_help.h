/* Records of the segment form as plain arrays, added to a builder and compared with a view: the arrays are the oracle.
 */
#ifndef FM_TESTS_INDEX_SUPPORT_SEGMENT_HELP_H
#define FM_TESTS_INDEX_SUPPORT_SEGMENT_HELP_H

#include "tests/testing.h"

#include "index/read/segments/segment_view.h"
#include "index/write/segment_builder.h"

struct segment_shape {
    const char *name, *why;
    /* lines: number of lines with segments; line_step: greatest distance between two of them */
    uint32_t lines, line_step;
    /* each: most segments of a line; col_step: greatest number of columns between two of them */
    uint32_t each, col_step;
    /* percentages of segments. ties: at the column of the previous segment; gaps: without a source; named: with a
     * name */
    uint32_t ties, gaps, named;
    uint32_t sources, names, original_lines;
    uint32_t far; /* per mille of segments and lines whose distance is much greater */
    uint32_t stretches;
};

struct stretch {
    uint32_t source, line0, col0;
    int function; /* index of the function's name; -1: none */
    enum fm_function_origin origin;
    uint32_t site; /* call site of a generated interval; FM_NONE: none */
    bool hidden;
};
struct segment_model {
    const struct segment_shape *shape;
    struct fm_segment *segments;
    size_t count;
    /* the intervals of the sources and of the generated text, sorted by position */
    struct stretch *source_stretches, *generated_stretches;
    size_t source_stretch_count, generated_stretch_count;
    /* call sites; in each, `function` is the index of the function's name, or FM_NONE if the site has none */
    struct fm_call_site *sites;
    uint32_t site_count;
    bool *is_range; /* whether each segment is a range; of several at one location, only the last can be */
};

static inline uint32_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}
static inline uint32_t random_up_to(uint64_t *state, uint32_t most)
{
    return most == 0 ? 0 : next_random(state) % most;
}
static inline bool chance(uint64_t *state, uint32_t of_100) { return random_up_to(state, 100) < of_100; }

static inline void model_line(struct segment_model *m, uint64_t *state, uint32_t line0)
{
    const struct segment_shape *s = m->shape;
    const uint32_t each = 1 + random_up_to(state, s->each);
    uint32_t col0 = random_up_to(state, s->col_step + 1);
    for (uint32_t i = 0; i < each; i++) {
        struct fm_segment *segment = &m->segments[m->count++];
        *segment = (struct fm_segment){line0, col0, FM_NONE, 0, 0, FM_NONE};
        if (!chance(state, s->gaps) && s->sources > 0) {
            segment->source = random_up_to(state, s->sources);
            segment->original_line0 = random_up_to(state, s->original_lines);
            segment->original_col0 = random_up_to(state, 200);
            if (s->names > 0 && chance(state, s->named)) segment->name = random_up_to(state, s->names);
        }
        if (!chance(state, s->ties)) col0 += 1 + random_up_to(state, s->col_step);
        if (random_up_to(state, 1000) < s->far && col0 < UINT32_C(1) << 30)
            col0 += UINT32_C(1) << (10 + random_up_to(state, 20));
    }
}

static inline void model_stretches(struct segment_model *m, uint64_t *state)
{
    const uint32_t count = m->shape->stretches;
    m->source_stretches = calloc(count + 1, sizeof *m->source_stretches);
    m->generated_stretches = calloc(count + 1, sizeof *m->generated_stretches);
    struct stretch at = {0, 0, 0, -1, FM_FUNCTION_MAP, FM_NONE, false};
    for (uint32_t i = 0; i < count; i++) {
        at.function = (int)random_up_to(state, 20) - 1;
        at.origin = (enum fm_function_origin)(FM_FUNCTION_SCOPES + random_up_to(state, 3));
        at.col0 += 1 + random_up_to(state, 30);
        if (chance(state, 60)) at.line0++, at.col0 = random_up_to(state, 9);
        const uint32_t site = m->site_count > 0 && chance(state, 50) ? random_up_to(state, m->site_count) : FM_NONE;
        m->generated_stretches[m->generated_stretch_count++] =
            (struct stretch){0, i / 3, i % 3 * 20, at.function, at.origin, site, chance(state, 10)};
        if (chance(state, 30) && at.source + 1 < m->shape->sources) at.source++, at.line0 = random_up_to(state, 4);
        m->source_stretches[m->source_stretch_count++] = at;
    }
}

/* Makes call sites that form chains of up to ten calls. */
static inline void model_sites(struct segment_model *m, uint64_t *state)
{
    m->sites = calloc(m->shape->stretches + 1, sizeof *m->sites);
    for (uint32_t i = 0; i < m->shape->stretches / 2; i++)
        m->sites[m->site_count++] =
            (struct fm_call_site){.source = random_up_to(state, m->shape->sources),
                                  .line0 = random_up_to(state, m->shape->original_lines),
                                  .col0 = random_up_to(state, 90),
                                  .function = chance(state, 80) ? random_up_to(state, 20) : FM_NONE,
                                  .caller = i > 0 && chance(state, 70) ? random_up_to(state, i) : FM_NONE,
                                  .hidden = chance(state, 10)};
}

static inline bool model_is_last(const struct segment_model *m, size_t i)
{
    return i + 1 == m->count || m->segments[i].line0 != m->segments[i + 1].line0 ||
           m->segments[i].col0 != m->segments[i + 1].col0;
}

static inline void model_ranges(struct segment_model *m, uint64_t *state)
{
    m->is_range = calloc(m->count + 1, sizeof *m->is_range);
    for (size_t i = 0; m->shape->stretches && i < m->count; i++)
        m->is_range[i] = model_is_last(m, i) && chance(state, 40);
}

static inline void model_make(struct segment_model *m, const struct segment_shape *shape, uint64_t seed)
{
    uint64_t state = seed;
    uint32_t line0 = 0;
    *m = (struct segment_model){.shape = shape};
    m->segments = calloc((size_t)shape->lines * shape->each + 1, sizeof *m->segments);
    assert_non_null(m->segments);
    for (uint32_t i = 0; i < shape->lines; i++) {
        line0 += random_up_to(&state, shape->line_step) + (i > 0);
        if (random_up_to(&state, 1000) < shape->far && line0 < UINT32_C(1) << 30) line0 += 100000;
        model_line(m, &state, line0);
    }
    model_sites(m, &state);
    model_stretches(m, &state);
    model_ranges(m, &state);
}

static inline void model_free(struct segment_model *m)
{
    free(m->segments);
    free(m->source_stretches);
    free(m->generated_stretches);
    free(m->sites);
    free(m->is_range);
}

static inline framemap_str model_text(char *buffer, size_t size, const char *kind, uint32_t number)
{
    return fm_str(buffer, (size_t)snprintf(buffer, size, "%s%lu", kind, (unsigned long)number));
}

static inline framemap_status give_sources(const struct segment_model *m, struct fm_builder *b)
{
    framemap_status status = FRAMEMAP_OK;
    for (uint32_t i = 0; i < m->shape->sources && status == FRAMEMAP_OK; i++) {
        char buffer[40];
        uint32_t address = FM_NONE, spelled = FM_NONE, content = FM_NONE, number;
        status = fm_builder_string(b, model_text(buffer, sizeof buffer, "/src/", i), &address, NULL);
        if (!status && i % 2)
            status = fm_builder_string(b, model_text(buffer, sizeof buffer, "../", i), &spelled, NULL);
        if (!status && i % 3 == 0)
            status = fm_builder_string(b, model_text(buffer, sizeof buffer, "text of ", i), &content, NULL);
        if (!status)
            status = fm_builder_source(b, address, spelled, content, i % 5 == 0 ? FM_SOURCE_IGNORED : 0, &number, NULL);
        if (!status) assert_int_equal(number, i);
    }
    return status;
}

static inline framemap_status give_names(const struct segment_model *m, struct fm_builder *b)
{
    framemap_status status = FRAMEMAP_OK;
    for (uint32_t i = 0; i < m->shape->names && status == FRAMEMAP_OK; i++) {
        char buffer[40];
        uint32_t number;
        status = fm_builder_segment_name(b, model_text(buffer, sizeof buffer, "name", i / 2), &number, NULL);
        if (!status) assert_int_equal(number, i);
    }
    return status;
}

static inline framemap_status give_stretches(const struct segment_model *m, struct fm_builder *b)
{
    framemap_status status = FRAMEMAP_OK;
    for (size_t i = 0; i < m->source_stretch_count && status == FRAMEMAP_OK; i++) {
        char buffer[40];
        uint32_t function = FM_NONE;
        const struct stretch *s = &m->source_stretches[i], *g = &m->generated_stretches[i];
        if (s->function >= 0)
            status =
                fm_builder_string(b, model_text(buffer, sizeof buffer, "f", (uint32_t)s->function), &function, NULL);
        if (!status) status = fm_builder_source_stretch(b, s->source, s->line0, s->col0, function, s->origin, NULL);
        const struct fm_generated_stretch generated = {g->line0, g->col0, function, g->origin, g->site, g->hidden};
        if (!status) status = fm_builder_inlined_stretch(b, &generated, NULL);
    }
    return status;
}

static inline framemap_status give_sites(const struct segment_model *m, struct fm_builder *b)
{
    framemap_status status = FRAMEMAP_OK;
    for (uint32_t i = 0; i < m->site_count && status == FRAMEMAP_OK; i++) {
        char buffer[40];
        uint32_t number;
        struct fm_call_site site = m->sites[i];
        if (site.function != FM_NONE)
            status = fm_builder_string(b, model_text(buffer, sizeof buffer, "f", site.function), &site.function, NULL);
        if (!status) status = fm_builder_call_site(b, &site, &number, NULL);
        if (!status) assert_int_equal(number, i);
    }
    for (size_t i = 0; i < m->count && status == FRAMEMAP_OK; i++)
        if (m->is_range[i]) status = fm_builder_segment_range(b, m->segments[i].line0, m->segments[i].col0, NULL);
    return status;
}

/* Builds the index. piece: number of segments that are added by one call. */
static inline framemap_status model_build(const struct segment_model *m, struct fm_heap *heap, size_t piece,
                                          struct fm_built *out)
{
    static const uint32_t modules[] = {0, 7, UINT32_MAX, 30}, functions[] = {12, UINT32_MAX - 2};
    struct fm_builder *b;
    framemap_status status = fm_builder_create(heap, &b, NULL);
    if (status != FRAMEMAP_OK) return status;
    const struct fm_builder_about about = {
        .kind = FM_STR("sourcemap"), .id = FM_STR("c0ffee"), .arch = FM_STR(""), .name = FM_STR("a.js.map")};
    fm_builder_segments_form(b);
    status = fm_builder_about(b, &about, NULL);
    if (!status) status = give_sources(m, b);
    if (!status) status = give_names(m, b);
    for (size_t at = 0; at < m->count && status == FRAMEMAP_OK; at += piece)
        status = fm_builder_segments(b, m->segments + at, m->count - at < piece ? m->count - at : piece, NULL);
    if (!status) status = give_sites(m, b);
    if (!status) status = give_stretches(m, b);
    if (!status && m->shape->stretches)
        status = fm_builder_offsets(b, FM_OFFSETS_FUNCTIONS, 3, functions, COUNT_OF(functions), NULL);
    if (!status && m->shape->stretches)
        status = fm_builder_offsets(b, FM_OFFSETS_MODULES, 1, modules, COUNT_OF(modules), NULL);
    if (!status && m->shape->stretches) status = fm_builder_offsets(b, FM_OFFSETS_MODULES, 0, modules, 0, NULL);
    if (!status) status = fm_builder_finish(b, out, NULL);
    fm_builder_free(b);
    return status;
}

/* --- comparing the view with the model --- */

/* Returns the first segment at or after a location. */
static inline size_t model_lower(const struct segment_model *m, uint32_t line0, uint32_t col0)
{
    size_t low = 0, high = m->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct fm_segment *s = &m->segments[middle];
        if (s->line0 < line0 || (s->line0 == line0 && s->col0 < col0))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the number of the segment that covers a location; `count` of the model if there is none. */
static inline size_t model_at(const struct segment_model *m, uint32_t line0, uint32_t col0)
{
    const size_t at = model_lower(m, line0, col0);
    if (at < m->count && m->segments[at].line0 == line0 && m->segments[at].col0 == col0) return at;
    return at > 0 && m->segments[at - 1].line0 == line0 ? at - 1 : m->count;
}

static inline void check_segment(const struct segment_model *m, size_t number, const struct fm_view_segment *got)
{
    const struct fm_segment *s = &m->segments[number];
    const bool none = s->source == FM_NONE;
    assert_int_equal(got->line0, s->line0);
    assert_int_equal(got->col0, s->col0);
    assert_int_equal(got->source, s->source);
    assert_int_equal(got->original_line0, none ? 0 : s->original_line0);
    assert_int_equal(got->original_col0, none ? 0 : s->original_col0);
    assert_int_equal(got->name, s->name);
}

/* Returns the number of the range that covers a location. That is the last segment that starts at or before the
 * location, on the same line or on an earlier one. If that segment is not a range, returns `count` of the model. */
static inline size_t model_range_at(const struct segment_model *m, uint32_t line0, uint32_t col0)
{
    size_t at = model_lower(m, line0, col0);
    while (at < m->count && m->segments[at].line0 == line0 && m->segments[at].col0 == col0) at++;
    if (at == 0 || !m->is_range[at - 1]) return m->count;
    return m->segments[at - 1].line0 == line0 ? model_at(m, line0, col0) : at - 1;
}

static inline void check_range(const struct segment_model *m, const struct fm_view *view, uint32_t line0, uint32_t col0)
{
    struct fm_view_segment got;
    const size_t wanted = model_range_at(m, line0, col0);
    if (fm_view_range_at(view, line0, col0, &got) != (wanted < m->count))
        fail_msg("%s: %lu:%lu: %s", m->shape->name, (unsigned long)line0, (unsigned long)col0,
                 wanted < m->count ? "no range" : "a range");
    if (wanted < m->count) assert_int_equal(got.number, wanted);
}

static inline void check_place(const struct segment_model *m, const struct fm_view *view, uint32_t line0, uint32_t col0)
{
    struct fm_view_segment got;
    check_range(m, view, line0, col0);
    const size_t wanted = model_at(m, line0, col0);
    const bool found = fm_view_segment_at(view, line0, col0, &got);
    if (found != (wanted < m->count))
        fail_msg("%s: %lu:%lu %s", m->shape->name, (unsigned long)line0, (unsigned long)col0,
                 found ? "found" : "not found");
    if (!found) return;
    if (got.number != wanted)
        fail_msg("%s: %lu:%lu gave segment %llu, wanted %zu", m->shape->name, (unsigned long)line0, (unsigned long)col0,
                 (unsigned long long)got.number, wanted);
    check_segment(m, wanted, &got);
}

#endif
