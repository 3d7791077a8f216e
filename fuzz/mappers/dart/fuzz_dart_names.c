/* Reads obfuscation maps of Dart, and restores names in the lines of errors. The input is a map, then a line feed, then
 * a text. Properties:
 *  - the index of an accepted map is sound, and a lookup finds every name in it;
 *  - the names found in a line, and also the names that dart2js minified, are slices of the line in ascending order;
 *  - only names that are in the map are renamed;
 *  - all memory is freed. */
#include "core/text/text.h"
#include "formats/dart/dart_error.h"
#include "formats/javascript/js_minified.h"
#include "index/read/classes/class_view.h"
#include "mappers/dart/dart_names.h"
#include "resolve/dart/dart_deobfuscate.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition)            \
    do {                           \
        if (!(condition)) abort(); \
    } while (0)

static struct fm_view *build(framemap_str text, struct fm_heap *heap, struct fm_built *built)
{
    struct fm_builder *builder = NULL;
    struct fm_view *view = NULL;
    framemap_error error;
    const struct fm_mapper_host host = {.heap = heap, .threads = 1};
    MUST(fm_builder_create(heap, &builder, &error) == FRAMEMAP_OK);
    *built = (struct fm_built){.data = NULL};
    const framemap_status status = fm_dart_names_mapper.build(text, FM_STR("names.json"), &host, builder, &error);
    if (status == FRAMEMAP_OK) {
        MUST(fm_builder_finish(builder, built, &error) == FRAMEMAP_OK);
        MUST(fm_view_open(fm_str(built->data, built->size), heap, &view, &error) == FRAMEMAP_OK);
        MUST(fm_view_verify(view, &error) == FRAMEMAP_OK);
    } else {
        MUST(status == FRAMEMAP_E_CORRUPT || status == FRAMEMAP_E_LIMIT);
    }
    fm_builder_free(builder);
    return view;
}

static void check_index(const struct fm_view *view)
{
    struct fm_view_class found;
    framemap_str original;
    MUST(fm_is_dart_names(view));
    for (uint64_t i = 0; fm_view_class_at(view, i, &found); i++) {
        MUST(!fm_str_equal(found.residual, found.original));
        MUST(fm_dart_original(view, found.residual, &original) && fm_str_equal(original, found.original));
    }
}

static void check_rename(const struct fm_view *view, framemap_str line, struct fm_heap *heap)
{
    struct fm_arena arena;
    framemap_str out, name, original;
    bool any = false;
    fm_arena_init(&arena, heap);
    for (size_t at = 0; fm_dart_identifier(line, &at, &name);) any = any || fm_dart_original(view, name, &original);
    MUST(fm_dart_rename(view, fm_dart_identifier, line, &arena, &out));
    MUST(any || out.data == line.data);
    fm_arena_free(&arena);
}

static void check_slice(framemap_str line, framemap_str name, size_t *last)
{
    const size_t from = (size_t)(name.data - line.data);
    MUST(name.size > 0 && from >= *last && from + name.size <= line.size);
    *last = from + name.size;
}

static void check_line(framemap_str line)
{
    framemap_str name;
    for (unsigned way = 0; way < 2; way++) {
        struct fm_dart_names names = {.line = line, .leads = way};
        size_t last = 0, at = 0;
        while (fm_dart_names_next(&names, &name)) check_slice(line, name, &last);
        for (last = 0; fm_js_minified(line, way, &at, &name);) check_slice(line, name, &last);
    }
    if (fm_dart_announces(line, &name)) MUST(name.data >= line.data && name.data + name.size <= line.data + line.size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fm_heap heap;
    struct fm_built built;
    const framemap_str all = fm_str(size ? (const char *)data : "", size);
    const size_t end = fm_str_find_byte(all, '\n');
    const framemap_str map = fm_str_slice(all, 0, end == FM_NOT_FOUND ? size : end);
    framemap_str text = end == FM_NOT_FOUND ? fm_str(all.data, 0) : fm_str_from(all, end + 1);
    fm_heap_init(&heap, NULL, 0);
    (void)fm_dart_names_mapper.probe(map, FM_STR("names.json"));
    struct fm_view *view = build(map, &heap, &built);
    if (view) check_index(view);
    while (text.size) {
        const size_t line_end = fm_str_find_byte(text, '\n');
        const framemap_str line = fm_str_slice(text, 0, line_end == FM_NOT_FOUND ? text.size : line_end);
        check_line(line);
        if (view) check_rename(view, line, &heap);
        text = fm_str_from(text, line_end == FM_NOT_FOUND ? text.size : line_end + 1);
    }
    fm_view_close(view);
    fm_heap_free(&heap, built.data, built.size);
    MUST(atomic_load(&heap.used) == 0);
    return 0;
}
