/* Assigns the numbers of sources and names in the output. */
#include "session/map_write/map_write_inner.h"

#include "core/error.h"

void fm_convert_refs_free(struct fm_convert_refs *refs, struct fm_heap *heap)
{
    fm_heap_free(heap, refs->list, refs->capacity * sizeof *refs->list);
    fm_table_free(&refs->table);
}

uint64_t fm_convert_source_count(const struct fm_convert *convert)
{
    return fm_convert_composes(convert) ? convert->sources.count : convert->maps[0].source_count;
}

uint64_t fm_convert_name_count(const struct fm_convert *convert)
{
    return fm_convert_composes(convert) ? convert->names.count : convert->maps[0].name_count;
}

struct fm_convert_ref fm_convert_source_ref(const struct fm_convert *convert, uint64_t number)
{
    return fm_convert_composes(convert) ? convert->sources.list[number] : (struct fm_convert_ref){0, (uint32_t)number};
}

struct fm_convert_ref fm_convert_name_ref(const struct fm_convert *convert, uint64_t number)
{
    return fm_convert_composes(convert) ? convert->names.list[number] : (struct fm_convert_ref){0, (uint32_t)number};
}

static framemap_status add_ref(struct fm_convert *convert, struct fm_convert_refs *refs, struct fm_convert_ref ref,
                               uint64_t hash, uint32_t *out)
{
    if (refs->count >= FM_VIEW_NONE - 1)
        return fm_error_set(convert->error, FRAMEMAP_E_LIMIT, "the map has more than 2^32 sources or names");
    const uint32_t number = (uint32_t)refs->count;
    if (!FM_GROW(convert->heap, refs->list, refs->capacity, refs->count + 1) ||
        !fm_table_add(&refs->table, hash, number))
        return fm_error_memory(convert->error);
    refs->list[refs->count++] = ref;
    *out = number;
    return FRAMEMAP_OK;
}

/* --- numbering the names of the written map --- */

static bool name_text(const struct fm_convert *convert, uint32_t id, framemap_str *out)
{
    const uint64_t count = fm_convert_name_count(convert);
    if (id >= count) {
        *out = convert->texts[id - count];
        return true;
    }
    const struct fm_convert_ref ref = fm_convert_name_ref(convert, id);
    return fm_view_segment_name(convert->maps[ref.map].view, ref.number, out);
}

static bool same_name(const void *context, uint32_t id, const void *key)
{
    framemap_str text;
    return name_text(context, id, &text) && fm_str_equal(text, *(const framemap_str *)key);
}

framemap_status fm_convert_name(struct fm_convert *convert, uint32_t map, uint32_t name, uint32_t *out)
{
    const struct fm_convert_map *from = &convert->maps[map];
    framemap_str text;
    *out = name;
    if (name >= from->name_count) return fm_convert_damaged(convert, "a name");
    if (from->names == NULL) return FRAMEMAP_OK;
    *out = from->names[name];
    if (*out != FM_VIEW_NONE) return FRAMEMAP_OK;
    if (!fm_view_segment_name(from->view, name, &text)) return fm_convert_damaged(convert, "a name");
    const uint64_t hash = fm_hash_text(text, convert->key);
    framemap_status status = FRAMEMAP_OK;
    *out = fm_table_find(&convert->names.table, hash, same_name, convert, &text);
    if (*out == FM_VIEW_NONE) status = add_ref(convert, &convert->names, (struct fm_convert_ref){map, name}, hash, out);
    from->names[name] = *out;
    return status;
}

/* Adds all names to the table. Called when a name is looked up by its text for the first time; until then, names that
 * keep their numbers are not in the table. */
static framemap_status fill_table(struct fm_convert *convert)
{
    const uint64_t count = fm_convert_name_count(convert);
    framemap_str text;
    if (convert->names.table.capacity > 0) return FRAMEMAP_OK;
    for (uint32_t i = 0; i < count; i++) {
        if (!name_text(convert, i, &text)) return fm_convert_damaged(convert, "a name");
        const uint64_t hash = fm_hash_text(text, convert->key);
        if (fm_table_find(&convert->names.table, hash, same_name, convert, &text) != UINT32_MAX) continue;
        if (!fm_table_add(&convert->names.table, hash, i)) return fm_error_memory(convert->error);
    }
    return FRAMEMAP_OK;
}

framemap_status fm_convert_text_name(struct fm_convert *convert, framemap_str text, uint32_t *out)
{
    const uint64_t hash = fm_hash_text(text, convert->key),
                   number = fm_convert_name_count(convert) + convert->text_count;
    const framemap_status status = fill_table(convert);
    if (status != FRAMEMAP_OK) return status;
    *out = fm_table_find(&convert->names.table, hash, same_name, convert, &text);
    if (*out != UINT32_MAX) return FRAMEMAP_OK;
    if (number > INT32_MAX) return fm_error_set(convert->error, FRAMEMAP_E_LIMIT, "the map has more than 2^31 names");
    if (!FM_GROW(convert->heap, convert->texts, convert->text_capacity, convert->text_count + 1) ||
        !fm_table_add(&convert->names.table, hash, (uint32_t)number))
        return fm_error_memory(convert->error);
    convert->texts[convert->text_count++] = text;
    *out = (uint32_t)number;
    return FRAMEMAP_OK;
}

/* --- numbering the sources of the written map --- */

/* Whether two sources become one source of the output. They may not, even if their addresses are equal, since two maps
 * may use one address for different texts. */
static bool same_source(const void *context, uint32_t id, const void *key)
{
    const struct fm_convert *convert = context;
    const struct fm_convert_ref ref = convert->sources.list[id];
    const struct fm_view_source *wanted = key;
    struct fm_view_source source;
    return fm_view_source(convert->maps[ref.map].view, ref.number, &source) &&
           fm_str_equal(source.address, wanted->address) && source.flags == wanted->flags &&
           (source.content.data == NULL) == (wanted->content.data == NULL) &&
           fm_str_equal(source.content, wanted->content);
}

framemap_status fm_convert_source(struct fm_convert *convert, uint32_t map, uint32_t source, uint32_t *out)
{
    const struct fm_convert_map *from = &convert->maps[map];
    struct fm_view_source about;
    *out = source;
    if (source >= from->source_count) return fm_convert_damaged(convert, "a source");
    if (from->sources == NULL) return FRAMEMAP_OK;
    *out = from->sources[source];
    if (*out != FM_VIEW_NONE) return FRAMEMAP_OK;
    if (!fm_view_source(from->view, source, &about)) return fm_convert_damaged(convert, "a source");
    const uint64_t hash = fm_hash_text(about.address, convert->key ^ fm_hash_text(about.content, convert->key));
    framemap_status status = FRAMEMAP_OK;
    *out = fm_table_find(&convert->sources.table, hash, same_source, convert, &about);
    if (*out == FM_VIEW_NONE)
        status = add_ref(convert, &convert->sources, (struct fm_convert_ref){map, source}, hash, out);
    from->sources[source] = *out;
    return status;
}
