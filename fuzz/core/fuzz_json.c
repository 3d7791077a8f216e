/* Parses any bytes as JSON. Properties: the text is either rejected, with a position within the text, or gives a
 * tree in which every value is reached exactly once and can be read. */
#include "core/json/json.h"
#include "core/text/text.h"
#include <stdlib.h>
#include <string.h>

static void must(bool holds)
{
    if (!holds) abort();
}

static void read_value(const struct fm_json *json, int32_t value, framemap_str text, struct fm_arena *arena)
{
    const framemap_str raw = fm_json_raw(json, value);
    framemap_str string;
    uint64_t u;
    int64_t s;
    must(raw.data >= text.data && raw.size <= text.size && (size_t)(raw.data - text.data) <= text.size - raw.size);
    if (fm_json_u64(json, value, &u)) must(fm_json_type(json, value) == FM_JSON_NUMBER);
    if (fm_json_i64(json, value, &s))
        must(s < 0 || (fm_json_u64(json, value, &u) && u == (uint64_t)s) || raw.data[0] == '-');
    const bool is_string = fm_json_type(json, value) == FM_JSON_STRING;
    must(fm_json_string(json, value, arena, &string) == is_string);
    if (is_string) must(string.size <= raw.size);
}

/* Walks over a value and all values in it. Values are numbered in the order of the text, so the numbers show whether a
 * value is skipped or repeated. */
static int32_t walk(const struct fm_json *json, int32_t value, framemap_str text, struct fm_arena *arena)
{
    int32_t next = value + 1;
    uint32_t children = 0;
    read_value(json, value, text, arena);
    for (int32_t child = fm_json_first(json, value); child != -1; child = fm_json_next(json, child), children++) {
        must(child == next);
        if (fm_json_type(json, value) == FM_JSON_OBJECT) {
            read_value(json, child, text, arena);
            must(fm_json_value(json, child) == child + 1);
            next = walk(json, child + 1, text, arena);
        } else {
            next = walk(json, child, text, arena);
        }
    }
    must(children == fm_json_count(json, value));
    return next;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fm_heap heap;
    struct fm_arena arena;
    struct fm_json *json = NULL;
    framemap_error error;
    const framemap_str text = fm_str(data, size);
    fm_heap_init(&heap, NULL, (uint64_t)256 << 20);
    fm_arena_init(&arena, &heap);
    const framemap_status status = fm_json_parse(text, &heap, &json, &error);
    if (status == FRAMEMAP_OK) {
        const int32_t end = walk(json, 0, text, &arena);
        must(fm_json_type(json, end) == FM_JSON_NULL && fm_json_raw(json, end).data == NULL);
        (void)fm_json_get(json, 0, "a");
        fm_json_free(json);
    } else {
        must(status == FRAMEMAP_E_CORRUPT || status == FRAMEMAP_E_LIMIT);
        must(error.code == status && error.has_offset && error.offset <= size && error.message[0] != 0);
    }
    fm_arena_free(&arena);
    must(heap.used == 0);
    return 0;
}
