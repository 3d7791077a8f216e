/* Writes `scopes`: the functions of the sources, and, if no maps are composed, the functions of the generated text. An
 * index has no scope trees; it has the innermost function of each position. So each source is written as one scope that
 * directly contains its functions. The generated text is written as ranges of functions; the ranges of inlined bodies
 * are inside the ranges of their callers. Readers find the same functions and the same call chains. */
#include "session/map_write/map_write_inner.h"

#include "core/error.h"
#include "core/limits.h"

enum {
    SCOPE_OF_FUNCTION = 1 | 4,
    RANGE_HAS_LINE = 1,
    RANGE_HAS_DEFINITION = 2,
    RANGE_IS_FUNCTION = 4,
    RANGE_IS_HIDDEN = 8
};

/* Texts, numbered in the order in which they were added. */
struct texts {
    framemap_str *list;
    size_t count, capacity;
    struct fm_table table;
};

/* A range that is open at the current position: a function, or the body of one that was inlined at a call site. */
struct body {
    framemap_str function; /* name of the function; absent: the name is not known */
    uint32_t site;         /* call site; FM_VIEW_NONE: the body was not inlined */
    bool hidden;
};

struct scopes {
    struct fm_convert *convert;
    const struct fm_view *view; /* view of the map */
    /* functions of the ranges; they are defined at the start of the first source's scopes */
    struct texts functions;
    bool has_ranges;      /* the ranges belong to scopes of the first source */
    bool some;            /* an item was written already */
    uint32_t line0, col0; /* position of the item written last */
    int64_t name, definition;
    struct body *open; /* ranges, outermost first */
    uint32_t open_count;
    struct body *chain; /* ranges that have to be open, outermost first */
    uint32_t chain_count;
};

/* --- collecting texts --- */

static bool same_text(const void *context, uint32_t id, const void *key)
{
    return fm_str_equal(((const struct texts *)context)->list[id], *(const framemap_str *)key);
}

static framemap_status text_number(const struct scopes *s, struct texts *texts, framemap_str text, uint32_t *out)
{
    const uint64_t hash = fm_hash_text(text, s->convert->key);
    *out = fm_table_find(&texts->table, hash, same_text, texts, &text);
    if (*out != UINT32_MAX) return FRAMEMAP_OK;
    *out = (uint32_t)texts->count;
    if (!FM_GROW(s->convert->heap, texts->list, texts->capacity, texts->count + 1) ||
        !fm_table_add(&texts->table, hash, *out))
        return fm_error_memory(s->convert->error);
    texts->list[texts->count++] = text;
    return FRAMEMAP_OK;
}

/* --- writing the items of encoded scopes --- */

static struct fm_buf *item(struct scopes *s, char tag)
{
    struct fm_buf *out = &s->convert->out;
    if (s->some) fm_buf_byte(out, ',');
    s->some = true;
    fm_buf_byte(out, tag);
    return out;
}

/* Writes the distance from the last position to a given position, which must not precede it. */
static framemap_status move(struct scopes *s, uint32_t line0, uint32_t col0, uint32_t *lines, uint32_t *cols)
{
    if (line0 < s->line0 || (line0 == s->line0 && col0 < s->col0)) return fm_convert_damaged(s->convert, "a function");
    *lines = line0 - s->line0;
    *cols = *lines ? col0 : col0 - s->col0;
    s->line0 = line0;
    s->col0 = col0;
    return FRAMEMAP_OK;
}

/* --- writing the scopes of the sources --- */

/* Begins a scope. function: its name; absent for a scope that is not a function. */
static framemap_status scope_begins(struct scopes *s, uint32_t line0, uint32_t col0, framemap_str function)
{
    uint32_t lines = 0, cols = 0, name = 0;
    framemap_status status = move(s, line0, col0, &lines, &cols);
    if (status == FRAMEMAP_OK && function.data) status = fm_convert_text_name(s->convert, function, &name);
    if (status != FRAMEMAP_OK) return status;
    struct fm_buf *out = item(s, 'B');
    fm_convert_vlq_unsigned(out, function.data ? SCOPE_OF_FUNCTION : 0);
    fm_convert_vlq_unsigned(out, lines);
    fm_convert_vlq_unsigned(out, cols);
    if (function.data) {
        fm_convert_vlq(out, name - s->name);
        s->name = name;
    }
    return FRAMEMAP_OK;
}

static framemap_status scope_ends(struct scopes *s, uint32_t line0, uint32_t col0)
{
    uint32_t lines = 0, cols = 0;
    const framemap_status status = move(s, line0, col0, &lines, &cols);
    if (status != FRAMEMAP_OK) return status;
    struct fm_buf *out = item(s, 'C');
    fm_convert_vlq_unsigned(out, lines);
    fm_convert_vlq_unsigned(out, cols);
    return FRAMEMAP_OK;
}

/* Writes definitions of the functions to which ranges refer. Each is an empty scope, so that no position of the source
 * belongs to it. */
static framemap_status write_definitions(struct scopes *s)
{
    framemap_status status = FRAMEMAP_OK;
    for (size_t i = 0; status == FRAMEMAP_OK && i < s->functions.count; i++) {
        status = scope_begins(s, 0, 0, s->functions.list[i]);
        if (status == FRAMEMAP_OK) status = scope_ends(s, 0, 0);
    }
    return status;
}

/* Writes the function ranges of a source as scopes. If a range has no end in the index, its end is written as a
 * position after any text. */
static framemap_status write_functions(struct scopes *s, struct fm_convert_ref ref, uint64_t number)
{
    const struct fm_view *view = s->convert->maps[ref.map].view;
    const uint32_t most = UINT32_MAX - 1;
    struct fm_view_stretch stretch, next;
    framemap_status status = FRAMEMAP_OK;
    bool more = fm_view_source_stretch_at(view, number, &stretch) && stretch.source == ref.number;
    for (; status == FRAMEMAP_OK && more; stretch = next) {
        more = fm_view_source_stretch_at(view, ++number, &next) && next.source == ref.number;
        if (stretch.function.data == NULL) continue;
        status = scope_begins(s, stretch.line0, stretch.col0, stretch.function);
        if (status == FRAMEMAP_OK) status = scope_ends(s, more ? next.line0 : most, more ? next.col0 : most);
        if (status == FRAMEMAP_OK) status = fm_convert_flush(s->convert, FM_CONVERT_FLUSH);
    }
    return status;
}

/* Finds the first function range of a source that has a function. */
static bool find_named(const struct fm_convert *convert, struct fm_convert_ref ref, uint32_t origin, uint64_t *number)
{
    const struct fm_view *view = convert->maps[ref.map].view;
    struct fm_view_stretch stretch;
    if (!fm_convert_source_functions(convert, ref, origin, number)) return false;
    for (; fm_view_source_stretch_at(view, *number, &stretch) && stretch.source == ref.number; ++*number)
        if (stretch.function.data) return true;
    return false;
}

static framemap_status write_source(struct scopes *s, uint64_t which)
{
    const struct fm_convert_ref ref = fm_convert_source_ref(s->convert, which);
    const bool defines = which == 0 && s->has_ranges;
    uint64_t first;
    s->line0 = s->col0 = 0;
    if (!find_named(s->convert, ref, 0, &first) && !defines) {
        item(s, 'A');
        return fm_convert_flush(s->convert, FM_CONVERT_FLUSH);
    }
    framemap_status status = scope_begins(s, 0, 0, (framemap_str){NULL, 0});
    if (status == FRAMEMAP_OK && defines) status = write_definitions(s);
    if (status == FRAMEMAP_OK) status = write_functions(s, ref, first);
    return status == FRAMEMAP_OK ? scope_ends(s, s->line0, s->col0) : status;
}

/* --- writing the ranges of the generated text --- */

static bool says_nothing(const struct body *body)
{
    return body->function.data == NULL && body->site == FM_VIEW_NONE && !body->hidden;
}

static bool same_body(const struct body *a, const struct body *b)
{
    return a->site == b->site && a->hidden == b->hidden && (a->function.data == NULL) == (b->function.data == NULL) &&
           fm_str_equal(a->function, b->function);
}

/* Sets s->chain to a body and the bodies into which it was inlined, outermost first. */
static framemap_status lead_out(struct scopes *s, struct body body)
{
    struct fm_view_call_site site;
    uint32_t count = 0;
    while (!says_nothing(&body) && count < FM_LIMIT_INLINE_DEPTH) {
        s->chain[count++] = body;
        if (body.site == FM_VIEW_NONE) break;
        if (!fm_view_call_site(s->view, body.site, &site)) return fm_convert_damaged(s->convert, "a call site");
        body = (struct body){site.function, site.caller, site.hidden};
    }
    s->chain_count = count;
    for (uint32_t i = 0; i < count / 2; i++) {
        const struct body other = s->chain[i];
        s->chain[i] = s->chain[count - 1 - i];
        s->chain[count - 1 - i] = other;
    }
    return FRAMEMAP_OK;
}

/* Writes the start of a range. The range refers to a scope by number: scope 0 is the first source itself, and the
 * scopes of the ranges' functions follow it. */
static framemap_status range_begins(struct scopes *s, uint32_t line0, uint32_t col0, const struct body *body)
{
    const bool inlined = body->site != FM_VIEW_NONE, defined = body->function.data != NULL || inlined;
    struct fm_view_call_site site;
    uint32_t lines = 0, cols = 0, definition = 0;
    framemap_status status = move(s, line0, col0, &lines, &cols);
    if (status == FRAMEMAP_OK && body->function.data)
        status = text_number(s, &s->functions, body->function, &definition);
    if (status != FRAMEMAP_OK) return status;
    if (body->function.data) definition++;
    struct fm_buf *out = item(s, 'E');
    fm_convert_vlq_unsigned(out, (lines ? RANGE_HAS_LINE : 0u) | (defined ? RANGE_HAS_DEFINITION : 0u) |
                                     (inlined ? 0u : RANGE_IS_FUNCTION) |
                                     (body->hidden && !inlined ? RANGE_IS_HIDDEN : 0u));
    if (lines) fm_convert_vlq_unsigned(out, lines);
    fm_convert_vlq_unsigned(out, cols);
    if (defined) {
        fm_convert_vlq(out, definition - s->definition);
        s->definition = definition;
    }
    if (!inlined) return FRAMEMAP_OK;
    if (!fm_view_call_site(s->view, body->site, &site)) return fm_convert_damaged(s->convert, "a call site");
    item(s, 'I');
    fm_convert_vlq_unsigned(out, site.source);
    fm_convert_vlq_unsigned(out, site.line0);
    fm_convert_vlq_unsigned(out, site.col0);
    return FRAMEMAP_OK;
}

static framemap_status range_ends(struct scopes *s, uint32_t line0, uint32_t col0)
{
    uint32_t lines = 0, cols = 0;
    const framemap_status status = move(s, line0, col0, &lines, &cols);
    if (status != FRAMEMAP_OK) return status;
    struct fm_buf *out = item(s, 'F');
    if (lines) fm_convert_vlq_unsigned(out, lines);
    fm_convert_vlq_unsigned(out, cols);
    s->open_count--;
    return FRAMEMAP_OK;
}

/* Closes the open ranges that are not in the new chain and opens the missing ones. Ranges that are in both
 * remain open. */
static framemap_status change_to_chain(struct scopes *s, uint32_t line0, uint32_t col0)
{
    framemap_status status = FRAMEMAP_OK;
    uint32_t common = 0;
    while (common < s->open_count && common < s->chain_count && same_body(&s->open[common], &s->chain[common]))
        common++;
    while (status == FRAMEMAP_OK && s->open_count > common) status = range_ends(s, line0, col0);
    for (; status == FRAMEMAP_OK && s->open_count < s->chain_count; s->open_count++) {
        s->open[s->open_count] = s->chain[s->open_count];
        status = range_begins(s, line0, col0, &s->chain[s->open_count]);
    }
    return status == FRAMEMAP_OK ? fm_convert_flush(s->convert, FM_CONVERT_FLUSH) : status;
}

static bool range_at(const struct scopes *s, uint64_t number, struct fm_view_stretch *out)
{
    return !fm_convert_composes(s->convert) && fm_view_generated_stretch_at(s->view, number, out) &&
           out->origin == FM_FUNCTION_SCOPES;
}

static framemap_status lead_out_of(struct scopes *s, const struct fm_view_stretch *stretch)
{
    return lead_out(s, (struct body){stretch->function, stretch->site, stretch->hidden});
}

static framemap_status write_ranges(struct scopes *s)
{
    struct fm_view_stretch stretch;
    framemap_status status = FRAMEMAP_OK;
    s->line0 = s->col0 = 0;
    for (uint64_t i = 0; status == FRAMEMAP_OK && range_at(s, i, &stretch); i++) {
        status = lead_out_of(s, &stretch);
        if (status == FRAMEMAP_OK) status = change_to_chain(s, stretch.line0, stretch.col0);
    }
    while (status == FRAMEMAP_OK && s->open_count > 0) status = range_ends(s, UINT32_MAX - 1, UINT32_MAX - 1);
    return status;
}

/* Collects the functions of all ranges first, since the scopes that define them are written before the ranges. */
static framemap_status collect(struct scopes *s)
{
    struct fm_view_stretch stretch;
    framemap_status status = FRAMEMAP_OK;
    uint32_t number;
    for (uint64_t i = 0; status == FRAMEMAP_OK && range_at(s, i, &stretch); i++) {
        status = lead_out_of(s, &stretch);
        s->has_ranges = s->has_ranges || s->chain_count > 0;
        for (uint32_t n = 0; status == FRAMEMAP_OK && n < s->chain_count; n++)
            if (s->chain[n].function.data) status = text_number(s, &s->functions, s->chain[n].function, &number);
    }
    return status;
}

/* --- writing the member `scopes` --- */

static framemap_status write_scopes(struct scopes *s)
{
    framemap_status status = collect(s);
    fm_buf_str(&s->convert->out, FM_STR(",\"scopes\":\""));
    const uint64_t count = fm_convert_source_count(s->convert);
    for (uint64_t i = 0; status == FRAMEMAP_OK && i < count; i++) status = write_source(s, i);
    if (status == FRAMEMAP_OK) status = write_ranges(s);
    fm_buf_byte(&s->convert->out, '"');
    return status;
}

static bool any_range(const struct fm_convert *convert)
{
    struct fm_view_stretch stretch;
    if (fm_convert_composes(convert)) return false;
    for (uint64_t i = 0; fm_view_generated_stretch_at(convert->maps[0].view, i, &stretch); i++)
        if (stretch.origin == FM_FUNCTION_SCOPES &&
            (stretch.function.data || stretch.hidden || stretch.site != FM_VIEW_NONE))
            return true;
    return false;
}

bool fm_convert_has_scopes(const struct fm_convert *convert)
{
    const uint64_t count = fm_convert_source_count(convert);
    uint64_t number;
    for (uint64_t i = 0; i < count; i++)
        if (find_named(convert, fm_convert_source_ref(convert, i), FM_FUNCTION_SCOPES, &number)) return true;
    return count > 0 && any_range(convert);
}

framemap_status fm_convert_scopes(struct fm_convert *convert)
{
    const size_t depth = FM_LIMIT_INLINE_DEPTH;
    struct scopes s = {.convert = convert, .view = convert->maps[0].view};
    if (!fm_convert_has_scopes(convert)) return FRAMEMAP_OK;
    fm_table_init(&s.functions.table, convert->heap);
    s.open = fm_heap_zalloc(convert->heap, depth, sizeof *s.open);
    s.chain = fm_heap_zalloc(convert->heap, depth, sizeof *s.chain);
    const framemap_status status = s.open && s.chain ? write_scopes(&s) : fm_error_memory(convert->error);
    fm_heap_free(convert->heap, s.open, depth * sizeof *s.open);
    fm_heap_free(convert->heap, s.chain, depth * sizeof *s.chain);
    fm_heap_free(convert->heap, s.functions.list, s.functions.capacity * sizeof *s.functions.list);
    fm_table_free(&s.functions.table);
    return status;
}
