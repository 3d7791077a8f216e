/* Helpers for the tests of writing source maps: build indexes from maps that are given as strings, and write maps from
 * the indexes. */
#ifndef FM_TESTS_SESSION_CONVERT_CONVERT_HELP_H
#define FM_TESTS_SESSION_CONVERT_CONVERT_HELP_H

#include "core/text/buffer.h"
#include "tests/session/restore/sourcemap_help.h"

/* V: the start of any map. MID: the map of an earlier build step, with two segments: 0:0 comes from a.ts 2:0, and 0:9
 * from a.ts 3:4, with the name e. */
#define V "{\"version\":3,"
#define MID V "\"file\":\"mid.js\",\"sources\":[\"a.ts\"],\"names\":[\"e\"],\"mappings\":\"AAEA,SACIA\"}"

#define MOST_STEPS 3

struct step {
    const char *name, *map;
    const char *source; /* the source to which the map of the step belongs; NULL: no source is named */
};

struct opened {
    framemap_bytes bytes;
    framemap_index *index;
};

static inline struct opened open_map(const char *name, const char *text, bool strict)
{
    const framemap_build_options options = {.size = sizeof options, .keep_sources = true, .strict = strict};
    struct opened opened = {.index = NULL};
    framemap_error error;
    if (framemap_index_build(framemap_str_of(text), framemap_str_of(name), &options, &opened.bytes, &error) ||
        framemap_index_open(framemap_bytes_str(&opened.bytes), NULL, &opened.index, &error))
        fail_msg("%s: %s", text, error.message);
    return opened;
}

static inline void close_map(struct opened *opened)
{
    framemap_index_close(opened->index);
    framemap_bytes_free(&opened->bytes);
}

static inline bool take(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }

struct written {
    struct fm_heap heap;
    struct fm_buf text; /* the map that was written; NUL-terminated */
    framemap_status status;
    framemap_error error;
};

static inline void convert_index(struct written *out, const framemap_index *index, const framemap_map_step *steps,
                                 size_t count)
{
    const framemap_sourcemap_options options = {.size = sizeof options, .steps = steps, .step_count = count};
    fm_heap_init(&out->heap, NULL, 0);
    fm_buf_init(&out->text, &out->heap);
    out->error = (framemap_error){.code = FRAMEMAP_OK};
    out->status = framemap_sourcemap_write(index, &options, take, &out->text, &out->error);
    fm_buf_byte(&out->text, 0);
    out->text.size--;
}

static inline void convert(struct written *out, const char *name, const char *map, const struct step *steps)
{
    struct opened opened = open_map(name, map, false), earlier[MOST_STEPS];
    framemap_map_step given[MOST_STEPS];
    size_t count = 0;
    for (; count < MOST_STEPS && steps && steps[count].map; count++) {
        earlier[count] = open_map(steps[count].name, steps[count].map, false);
        given[count] = (framemap_map_step){.map = earlier[count].index, .source = framemap_str_of(steps[count].source)};
    }
    convert_index(out, opened.index, given, count);
    while (count > 0) close_map(&earlier[--count]);
    close_map(&opened);
}

#endif
