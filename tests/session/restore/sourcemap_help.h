/* Helpers for tests with source maps that were collected outside of the project: find the files, read JSON, and query
 * indexes. */
#ifndef FM_TESTS_SESSION_RESTORE_SOURCEMAP_HELP_H
#define FM_TESTS_SESSION_RESTORE_SOURCEMAP_HELP_H

#include "tests/testing.h"

#include "core/json/json.h"
#include "core/mapfile.h"
#include <framemap/framemap.h>
#include <stdlib.h>

/* Returns the path of a file or folder below FRAMEMAP_CASES. The string is static, and is overwritten by the fourth
 * call after this one. */
static inline const char *case_path(const char *name)
{
    static char paths[4][4096];
    static unsigned next;
    const char *named = getenv("FRAMEMAP_CASES");
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/sourcemap/%s", named ? named : FM_SOURCE_DIR "/../shared/cases", name);
    return path;
}

static inline void skip_without(const char *name)
{
    struct fm_mapfile file;
    if (fm_mapfile_open(case_path(name), &file, NULL) != FRAMEMAP_OK) {
        print_message("skipped: %s is not there\n", name);
        skip();
    }
    fm_mapfile_close(&file);
}

/* A parsed JSON file, and its memory. */
struct document {
    struct fm_mapfile file;
    struct fm_heap heap;
    struct fm_arena arena;
    struct fm_json *json;
};

/* Reads a JSON file. Returns false if the file is not JSON. */
static inline bool document_open(struct document *document, const char *path)
{
    framemap_error error;
    if (fm_mapfile_open(path, &document->file, &error) != FRAMEMAP_OK) fail_msg("%s: %s", path, error.message);
    fm_heap_init(&document->heap, NULL, 0);
    fm_arena_init(&document->arena, &document->heap);
    document->json = NULL;
    return fm_json_parse(document->file.bytes, &document->heap, &document->json, &error) == FRAMEMAP_OK;
}

static inline void document_close(struct document *document)
{
    fm_json_free(document->json);
    fm_arena_free(&document->arena);
    fm_mapfile_close(&document->file);
}

/* Returns the text of a member; absent if the member is null or missing. */
static inline framemap_str text_member(struct document *document, int32_t object, const char *name)
{
    framemap_str text = {NULL, 0};
    const int32_t value = fm_json_get(document->json, object, name);
    if (value >= 0 && fm_json_type(document->json, value) == FM_JSON_STRING)
        fm_json_string(document->json, value, &document->arena, &text);
    return text;
}

/* Returns the number in a member; -1 if the member is null or missing. */
static inline int64_t number_member(const struct document *document, int32_t object, const char *name)
{
    int64_t number = -1;
    fm_json_i64(document->json, fm_json_get(document->json, object, name), &number);
    return number;
}

/* An index that was made from a map and opened. */
struct opened_map {
    framemap_bytes bytes;
    framemap_index *index;
    framemap_scratch *scratch;
    unsigned faults; /* number of faults that were reported while the map was read */
};

static inline void count_faults(void *map, const framemap_error *warning)
{
    if (warning->code != FRAMEMAP_OK) ((struct opened_map *)map)->faults++;
}

static inline framemap_status map_make_with(struct opened_map *map, framemap_str text, framemap_str name,
                                            const framemap_build_options *options, framemap_error *error)
{
    *map = (struct opened_map){.index = NULL};
    framemap_status status = framemap_index_build(text, name, options, &map->bytes, error);
    if (status != FRAMEMAP_OK) return status;
    status = framemap_index_open(framemap_bytes_str(&map->bytes), NULL, &map->index, error);
    if (status == FRAMEMAP_OK) status = framemap_index_verify(map->index, error);
    if (status == FRAMEMAP_OK) status = framemap_scratch_create(NULL, &map->scratch, error);
    if (status != FRAMEMAP_OK) fail_msg("%.*s: %s", (int)name.size, name.data, error->message);
    return FRAMEMAP_OK;
}

static inline framemap_status map_make(struct opened_map *map, framemap_str text, framemap_str name, bool strict,
                                       framemap_error *error)
{
    const framemap_build_options options = {
        .size = sizeof options, .strict = strict, .warning = count_faults, .context = map};
    return map_make_with(map, text, name, &options, error);
}

static inline framemap_status map_open(struct opened_map *map, const char *path, bool strict, framemap_error *error)
{
    struct fm_mapfile file;
    framemap_status status = fm_mapfile_open(path, &file, error);
    if (status != FRAMEMAP_OK) fail_msg("%s: %s", path, error->message);
    status = map_make(map, file.bytes, fm_str_basename(framemap_str_of(path)), strict, error);
    fm_mapfile_close(&file);
    return status;
}

static inline void map_close(struct opened_map *map)
{
    framemap_scratch_free(map->scratch);
    framemap_index_close(map->index);
    framemap_bytes_free(&map->bytes);
}

/* Returns the frame for a position, whose line and column count from 0. If the position is not found, the frame's
 * strings are empty. The strings are valid until the next call. */
static inline framemap_frame map_ask(const struct opened_map *map, int64_t line0, int64_t col0)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_frame frame;
    framemap_error error = {0};
    query.scope_number = (uint64_t)line0;
    query.position = (uint64_t)col0;
    if (framemap_resolve(map->index, &query, map->scratch, &frame, &error) != FRAMEMAP_OK)
        fail_msg("%s", error.message);
    assert_int_equal(frame.kind, FRAMEMAP_KIND_JS);
    assert_true((frame.status == FRAMEMAP_FRAME_OK) == (frame.reason == NULL));
    if (frame.restored.count == 0) return (framemap_frame){.status = FRAMEMAP_FRAME_NO_MATCH};
    assert_int_equal(frame.restored.count, 1);
    return frame.restored.frames[0];
}

/* Whether two texts are equal; an absent text is equal to an empty one. */
static inline bool same_text(framemap_str got, framemap_str wanted) { return fm_str_equal(got, wanted); }

#endif
