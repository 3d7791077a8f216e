/* Writes `x_facebook_sources`, Metro's function map: one list for each source. An entry states a position, and the
 * function that is the innermost one from that position on. A semicolon advances to the next line that has an entry.
 * Numbers are differences from the previous entry. Columns count from the start of the line, lines from 1. */
#include "session/map_write/map_write_inner.h"

#include "core/error.h"

struct functions {
    struct fm_convert *convert;
    struct fm_buf names; /* function names of the current source, as JSON */
    /* indexed by the number of a name in the current source: a function range that has this name */
    uint32_t *listed;
    size_t count, capacity;
    struct fm_table table;
    const struct fm_view *view;
};

static bool same_function(const void *context, uint32_t id, const void *key)
{
    const struct functions *f = context;
    struct fm_view_stretch stretch;
    return fm_view_source_stretch_at(f->view, f->listed[id], &stretch) &&
           fm_str_equal(stretch.function, *(const framemap_str *)key);
}

static framemap_status number_of(struct functions *f, uint64_t stretch, framemap_str function, uint32_t *out)
{
    const uint64_t hash = fm_hash_text(function, f->convert->key);
    *out = fm_table_find(&f->table, hash, same_function, f, &function);
    if (*out != UINT32_MAX) return FRAMEMAP_OK;
    *out = (uint32_t)f->count;
    if (!FM_GROW(f->convert->heap, f->listed, f->capacity, f->count + 1) || !fm_table_add(&f->table, hash, *out))
        return fm_error_memory(f->convert->error);
    f->listed[f->count++] = (uint32_t)stretch;
    if (f->count > 1) fm_buf_byte(&f->names, ',');
    fm_buf_json(&f->names, function);
    return f->names.failed ? fm_error_memory(f->convert->error) : FRAMEMAP_OK;
}

/* Writes an entry for a function. For a range without a function, the entry has the number of a name that does not
 * exist, so that readers find no function there. */
static framemap_status write_entry(struct functions *f, const struct fm_view_stretch *stretch,
                                   const struct fm_view_stretch *last, uint32_t name, uint32_t last_name)
{
    struct fm_buf *out = &f->convert->out;
    const bool new_line = last == NULL || stretch->line0 != last->line0;
    if (last != NULL) fm_buf_byte(out, new_line ? ';' : ',');
    bool good = fm_convert_vlq(out, (int64_t)stretch->col0 - (new_line ? 0 : last->col0)) &&
                fm_convert_vlq(out, (int64_t)name - last_name);
    if (new_line) good = good && fm_convert_vlq(out, (int64_t)stretch->line0 - (last ? last->line0 : 0));
    if (!good)
        return fm_error_set(f->convert->error, FRAMEMAP_E_LIMIT,
                            "the functions of a source are more than 2^31 lines or columns apart");
    return fm_convert_flush(f->convert, FM_CONVERT_FLUSH);
}

static framemap_status write_entries(struct functions *f, uint32_t source, uint64_t number)
{
    enum { NO_NAME = INT32_MAX };
    struct fm_view_stretch stretch, last;
    framemap_status status = FRAMEMAP_OK;
    uint32_t name, last_name = 0;
    bool some = false;
    for (; status == FRAMEMAP_OK && fm_view_source_stretch_at(f->view, number, &stretch) && stretch.source == source;
         number++) {
        if (stretch.origin != FM_FUNCTION_MAP) continue;
        name = NO_NAME;
        if (some && (stretch.line0 < last.line0 || (stretch.line0 == last.line0 && stretch.col0 < last.col0)))
            return fm_convert_damaged(f->convert, "a function");
        if (stretch.function.data != NULL) status = number_of(f, number, stretch.function, &name);
        if (status == FRAMEMAP_OK) status = write_entry(f, &stretch, some ? &last : NULL, name, last_name);
        last = stretch;
        last_name = name;
        some = true;
    }
    return status;
}

static framemap_status write_source(struct functions *f, struct fm_convert_ref ref)
{
    struct fm_buf *out = &f->convert->out;
    uint64_t first;
    f->view = f->convert->maps[ref.map].view;
    if (!fm_convert_source_functions(f->convert, ref, FM_FUNCTION_MAP, &first)) {
        fm_buf_str(out, FM_STR("null"));
        return FRAMEMAP_OK;
    }
    fm_buf_str(out, FM_STR("[{\"mappings\":\""));
    const framemap_status status = write_entries(f, ref.number, first);
    fm_buf_str(out, FM_STR("\",\"names\":["));
    fm_buf_str(out, fm_buf_view(&f->names));
    fm_buf_str(out, FM_STR("]}]"));
    fm_buf_clear(&f->names);
    fm_table_free(&f->table);
    fm_table_init(&f->table, f->convert->heap);
    f->count = 0;
    return status;
}

static bool any_functions(const struct fm_convert *convert)
{
    const uint64_t count = fm_convert_source_count(convert);
    uint64_t first;
    for (uint64_t i = 0; i < count; i++)
        if (fm_convert_source_functions(convert, fm_convert_source_ref(convert, i), FM_FUNCTION_MAP, &first))
            return true;
    return false;
}

framemap_status fm_convert_functions(struct fm_convert *convert)
{
    struct functions f = {.convert = convert};
    framemap_status status = FRAMEMAP_OK;
    if (!any_functions(convert) || fm_convert_has_scopes(convert))
        return FRAMEMAP_OK; /* nothing is written: readers ignore x_facebook_sources if there are scopes */
    fm_buf_init(&f.names, convert->heap);
    fm_table_init(&f.table, convert->heap);
    fm_buf_str(&convert->out, FM_STR(",\"x_facebook_sources\":["));
    const uint64_t count = fm_convert_source_count(convert);
    for (uint64_t i = 0; status == FRAMEMAP_OK && i < count; i++) {
        const struct fm_convert_ref ref = fm_convert_source_ref(convert, i);
        if (i > 0) fm_buf_byte(&convert->out, ',');
        status = write_source(&f, ref);
        if (status == FRAMEMAP_OK) status = fm_convert_flush(convert, FM_CONVERT_FLUSH);
    }
    fm_buf_byte(&convert->out, ']');
    fm_buf_free(&f.names);
    fm_table_free(&f.table);
    fm_heap_free(convert->heap, f.listed, f.capacity * sizeof *f.listed);
    return status;
}
