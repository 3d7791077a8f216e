/* Reads an index file and compares its dumps with the expected ones, for the tests in this folder. */
#ifndef FM_TESTS_SESSION_DUMP_DUMP_HELP_H
#define FM_TESTS_SESSION_DUMP_DUMP_HELP_H

#include "core/text/buffer.h"
#include "tests/testing.h"

#include <framemap/index.h>

#define TEXT_MOST ((size_t)32 << 20)

/* Returns the contents of a file, to be freed with free(); data NULL: the file cannot be opened. */
static inline framemap_str read_whole(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) return (framemap_str){NULL, 0};
    char *data = malloc(TEXT_MOST);
    assert_non_null(data);
    const size_t size = fread(data, 1, TEXT_MOST, file);
    fclose(file);
    return fm_str(data, size);
}

static inline bool take(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }

/* Checks the dumps of an index file in each format, and returns the index's description. keys: the key-value dump must
 * begin with the first key, and have lines that start with each of the other keys. */
static inline framemap_index_info check_dumps(const char *path, const char *text, const char *json,
                                              const framemap_str keys[2])
{
    const struct {
        const char *format, *wanted;
    } rows[] = {{"text", text}, {"jsonl", json}};
    const framemap_str bytes = read_whole(path);
    framemap_index *index;
    framemap_index_info info;
    struct fm_heap heap;
    struct fm_buf out;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    assert_int_equal(framemap_index_open(bytes, NULL, &index, NULL), FRAMEMAP_OK);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        fm_buf_clear(&out);
        assert_int_equal(framemap_index_dump(index, rows[i].format, take, &out, NULL), FRAMEMAP_OK);
        assert_str(fm_buf_view(&out), rows[i].wanted);
    }
    fm_buf_clear(&out);
    assert_int_equal(framemap_index_dump(index, "kv", take, &out, NULL), FRAMEMAP_OK);
    assert_true(fm_str_starts(fm_buf_view(&out), keys[0]));
    assert_true(fm_str_find(fm_buf_view(&out), keys[1]) != FM_NOT_FOUND);
    framemap_index_describe(index, &info);
    fm_buf_free(&out);
    framemap_index_close(index);
    free((void *)(uintptr_t)bytes.data);
    return info;
}

#endif
