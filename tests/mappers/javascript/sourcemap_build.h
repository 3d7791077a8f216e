/* Builds the index of a source map and opens its view, for tests of the mapper. */
#ifndef FM_TESTS_MAPPERS_JAVASCRIPT_SOURCEMAP_BUILD_H
#define FM_TESTS_MAPPERS_JAVASCRIPT_SOURCEMAP_BUILD_H

#include "tests/testing.h"

#include "index/read/segments/segment_view.h"
#include "mappers/javascript/sourcemap/sourcemap_mapper.h"
#include "mappers/mapper.h"

struct built_map {
    struct fm_heap heap;
    struct fm_built bytes;
    struct fm_view *view;
    framemap_status status;
    framemap_error error;
    unsigned warnings, faults; /* number of warnings; number of those that report a fault (code not OK) */
    char warning_text[512];    /* text of the first warning */
};

static inline void map_warned(void *context, const framemap_error *warning)
{
    struct built_map *map = context;
    if (warning->code != FRAMEMAP_OK) map->faults++;
    if (map->warnings++ == 0) snprintf(map->warning_text, sizeof map->warning_text, "%s", warning->message);
}

enum { MAP_STRICT = 1, MAP_KEEPS_SOURCES = 2 };

/* Builds an index. script: the generated text; data NULL: it is not available. */
static inline void build_map_of(struct built_map *map, framemap_str bytes, framemap_str script, unsigned how,
                                const framemap_allocator *allocator)
{
    struct fm_builder *builder = NULL;
    *map = (struct built_map){.view = NULL};
    fm_heap_init(&map->heap, allocator, 0);
    const struct fm_mapper_host host = {.heap = &map->heap,
                                        .warning = map_warned,
                                        .context = map,
                                        .threads = 1,
                                        .script = script,
                                        .strict = (how & MAP_STRICT) != 0,
                                        .keep_sources = (how & MAP_KEEPS_SOURCES) != 0};
    map->status = fm_builder_create(&map->heap, &builder, &map->error);
    if (map->status == FRAMEMAP_OK) {
        map->status = fm_sourcemap_mapper.build(bytes, FM_STR("main.js.map"), &host, builder, &map->error);
        if (map->status == FRAMEMAP_OK) map->status = fm_builder_finish(builder, &map->bytes, &map->error);
        fm_builder_free(builder);
    }
    if (map->status == FRAMEMAP_OK)
        map->status = fm_view_open(fm_str(map->bytes.data, map->bytes.size), &map->heap, &map->view, &map->error);
    if (map->view != NULL) map->status = fm_view_verify(map->view, &map->error);
    assert_int_not_equal(map->status, FRAMEMAP_E_INTERNAL);
}

static inline void build_map(struct built_map *map, framemap_str bytes, unsigned how,
                             const framemap_allocator *allocator)
{
    build_map_of(map, bytes, (framemap_str){NULL, 0}, how, allocator);
}

static inline void free_map(struct built_map *map)
{
    fm_view_close(map->view);
    fm_heap_free(&map->heap, map->bytes.data, map->bytes.size);
    assert_int_equal(atomic_load(&map->heap.used), 0);
}

/* Writes all segments as "0:4>a.js:1:2 name", or as "0:9>-" without a source, separated by blanks. */
static inline void map_segments(const struct built_map *map, char *out, size_t room)
{
    struct fm_view_segment segment;
    struct fm_view_source source;
    framemap_str name;
    size_t at = 0;
    out[0] = 0;
    for (uint64_t i = 0; fm_view_segment(map->view, i, &segment) && at < room; i++) {
        at += (size_t)snprintf(out + at, room - at, "%s%u:%u>", i > 0 ? " " : "", segment.line0, segment.col0);
        if (segment.source == FM_VIEW_NONE) {
            at += (size_t)snprintf(out + at, room - at, "-");
            continue;
        }
        assert_true(fm_view_source(map->view, segment.source, &source));
        at += (size_t)snprintf(out + at, room - at, "%.*s:%u:%u", (int)source.address.size, source.address.data,
                               segment.original_line0, segment.original_col0);
        if (segment.name != FM_VIEW_NONE && fm_view_segment_name(map->view, segment.name, &name))
            at += (size_t)snprintf(out + at, room - at, "(%.*s)", (int)name.size, name.data);
    }
}

#endif
