/* Implements profile_documents.h: tries the first line as a JSON document; if it is not one, the whole text is read as
 * a document. Also looks up members of an object by a hash table, since profiles have large objects. */
#include "formats/profiles/read_only/profile_documents.h"

#include "core/error.h"

struct documents {
    framemap_sample_set *set;
    framemap_str text;
    fm_profile_document_reader *read;
    framemap_error *error;
    bool found; /* at least one document was in the expected format */
};

bool fm_profile_document_wrong(struct fm_profile_document *document, int32_t value, const char *what)
{
    const framemap_str raw = fm_json_raw(document->json, value);
    const uint64_t offset = fm_str_is_within(raw, document->text) ? (uint64_t)(raw.data - document->text.data) : 0;
    if (document->status == FRAMEMAP_OK)
        document->status = fm_error_at(document->error, FRAMEMAP_E_CORRUPT, offset, "%s", what);
    return false;
}

static bool no_memory(struct fm_profile_document *document)
{
    if (document->status == FRAMEMAP_OK) document->status = fm_error_memory(document->error);
    return false;
}

/* Lists the elements of an array, or the keys of an object. */
static bool list(struct fm_profile_document *document, int32_t value, enum fm_json_type type,
                 struct fm_profile_items *items)
{
    const struct fm_json *json = document->json;
    const bool fits = value >= 0 && fm_json_type(json, value) == type;
    const size_t count = fits ? fm_json_count(json, value) : 0;
    *items = (struct fm_profile_items){FM_ARENA_ARRAY(document->arena, int32_t, count + 1), 0};
    if (items->values == NULL) return no_memory(document);
    for (int32_t item = fits ? fm_json_first(json, value) : -1; item >= 0; item = fm_json_next(json, item))
        items->values[items->count++] = item;
    return true;
}

bool fm_profile_items_of(struct fm_profile_document *document, int32_t array, struct fm_profile_items *items)
{
    return list(document, array, FM_JSON_ARRAY, items);
}

static bool key_equal(const void *context, uint32_t id, const void *key)
{
    const struct fm_profile_members *members = context;
    return fm_str_same(fm_json_raw(members->json, members->keys.values[id]), *(const framemap_str *)key);
}

bool fm_profile_members_of(struct fm_profile_document *document, int32_t object, struct fm_profile_members *members)
{
    *members = (struct fm_profile_members){.json = document->json, .hash_key = document->set->key};
    fm_table_init(&members->table, &document->set->heap);
    if (!list(document, object, FM_JSON_OBJECT, &members->keys)) return false;
    if (!fm_table_reserve(&members->table, members->keys.count)) return no_memory(document);
    for (uint32_t i = 0; i < members->keys.count; i++) {
        const framemap_str name = fm_json_raw(document->json, members->keys.values[i]);
        fm_table_find_or_put(&members->table, fm_hash_text(name, members->hash_key), key_equal, members, &name, i);
    }
    return true;
}

void fm_profile_members_free(struct fm_profile_members *members) { fm_table_free(&members->table); }

int32_t fm_profile_member(const struct fm_profile_members *members, framemap_str name)
{
    const uint32_t found =
        fm_table_find(&members->table, fm_hash_text(name, members->hash_key), key_equal, members, &name);
    return found == FM_NO_ID ? -1 : fm_json_value(members->json, members->keys.values[found]);
}

static framemap_status read_parsed(struct documents *job, const struct fm_json *json)
{
    struct fm_arena arena;
    fm_arena_init(&arena, &job->set->heap);
    struct fm_profile_document document = {
        .set = job->set, .json = json, .arena = &arena, .text = job->text, .error = job->error};
    if (job->read(&document)) job->found = true;
    fm_arena_free(&arena);
    return document.status;
}

/* Reads a part of the text as one document. *parsed: whether it is valid JSON. */
static framemap_status read_part(struct documents *job, framemap_str part, bool *parsed)
{
    struct fm_json *json = NULL;
    framemap_status status = fm_json_parse(part, &job->set->heap, &json, job->error);
    *parsed = status == FRAMEMAP_OK;
    if (!*parsed) {
        if (job->error && job->error->has_offset) job->error->offset += (uint64_t)(part.data - job->text.data);
        return status;
    }
    status = read_parsed(job, json);
    fm_json_free(json);
    return status;
}

static bool next_line(struct fm_scan *rest, framemap_str *line)
{
    while (fm_scan_line(rest, line))
        if (fm_profile_json_begins(*line, '{')) return true;
    return false;
}

/* Whether a line ends with the bracket of an object, so that it may be a whole document. */
static bool ends_object(framemap_str line)
{
    line = fm_str_trim(line);
    return line.size > 0 && line.data[line.size - 1] == '}';
}

static framemap_status read_documents(struct documents *job)
{
    struct fm_scan rest = fm_scan_of(job->text);
    framemap_str line;
    bool parsed = false;
    framemap_status status = FRAMEMAP_OK;
    if (!next_line(&rest, &line) || fm_scan_done(&rest) || !ends_object(line))
        return read_part(job, job->text, &parsed);
    status = read_part(job, line, &parsed);
    /* The first line alone is not a document, so the whole text is read as one document. */
    if (!parsed && status == FRAMEMAP_E_CORRUPT) {
        return read_part(job, job->text, &parsed);
    }
    while (status == FRAMEMAP_OK && !job->set->fault && next_line(&rest, &line)) status = read_part(job, line, &parsed);
    return status;
}

framemap_status fm_profile_read_documents(framemap_sample_set *set, framemap_str text, fm_profile_document_reader *read,
                                          const char *what, framemap_error *error)
{
    struct documents job = {.set = set, .text = text, .read = read, .error = error};
    const framemap_status status = read_documents(&job);
    if (status != FRAMEMAP_OK || set->fault || job.found) return status;
    return fm_error_set(error, FRAMEMAP_E_FORMAT, "the document is not %s", what);
}
