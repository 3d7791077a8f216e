/* Checks that big maps give the same index and the same faults with a second thread as with one, and that no case leaks
 * memory. */
#include "tests/mappers/javascript/sourcemap_build.h"

#include "mappers/javascript/sourcemap/sourcemap_prefetch.h"

struct text {
    char *data;
    size_t size, room;
};

static void put(struct text *text, const char *more)
{
    const size_t size = strlen(more);
    assert_true(text->size + size < text->room);
    memcpy(text->data + text->size, more, size + 1);
    text->size += size;
}

/* Writes a regular map of more than `bytes` bytes. odd: an irregular segment that is put into the middle. */
static void put_map(struct text *text, size_t bytes, const char *id, const char *odd)
{
    static const char *const segments[] = {"EAAEA,", "CAAC,", "SCCOC,", "KDDGD,", "UAEKA,", "gBAFhB,", "IAAFA;"};
    const size_t end = text->size + bytes;
    put(text, "{\"version\":3,");
    if (id != NULL) put(text, "\"debugId\":\""), put(text, id), put(text, "\",");
    put(text, "\"sources\":[\"a.js\",\"b.js\",\"c.js\"],\"names\":[\"one\",\"two\",\"three\",\"four\"],\"mappings\":"
              "\"CCgDgDC,");
    for (unsigned i = 0; text->size < end; i++) {
        if (odd != NULL && text->size > end - bytes / 2) put(text, odd), odd = NULL;
        put(text, segments[i * 5 % 7]);
    }
    put(text, "EAAAA\"}");
}

static struct text new_text(size_t room)
{
    struct text text = {malloc(room), 0, room};
    assert_non_null(text.data);
    return text;
}

struct result {
    struct fm_heap heap;
    struct fm_built built;
    framemap_status status;
    framemap_error error;
    unsigned warnings;
};

static void warned(void *context, const framemap_error *warning)
{
    (void)warning;
    ((struct result *)context)->warnings++;
}

static void build(struct result *result, const struct text *text, unsigned threads, bool strict, uint64_t ceiling)
{
    struct fm_builder *builder = NULL;
    *result = (struct result){.status = FRAMEMAP_OK};
    fm_heap_init(&result->heap, NULL, ceiling);
    const struct fm_mapper_host host = {
        .heap = &result->heap, .threads = threads, .strict = strict, .warning = warned, .context = result};
    result->status = fm_builder_create(&result->heap, &builder, &result->error);
    if (result->status == FRAMEMAP_OK) {
        result->status = fm_sourcemap_mapper.build(fm_str(text->data, text->size), FM_STR("main.js.map"), &host,
                                                   builder, &result->error);
        if (result->status == FRAMEMAP_OK) result->status = fm_builder_finish(builder, &result->built, &result->error);
        fm_builder_free(builder);
    }
}

static void free_result(struct result *result)
{
    fm_heap_free(&result->heap, result->built.data, result->built.size);
    assert_int_equal(atomic_load(&result->heap.used), 0);
}

static void same_with_any_number(const struct text *text, bool strict, framemap_status wanted)
{
    struct result one, more;
    build(&one, text, 1, strict, 0);
    assert_int_equal(one.status, wanted);
    for (unsigned threads = 2; threads < 5; threads++) {
        build(&more, text, threads, strict, 0);
        assert_int_equal(more.status, wanted);
        assert_int_equal(more.warnings, one.warnings);
        if (wanted != FRAMEMAP_OK) assert_string_equal(more.error.message, one.error.message);
        assert_int_equal(more.built.size, one.built.size);
        if (one.built.size > 0) assert_memory_equal(more.built.data, one.built.data, one.built.size);
        free_result(&more);
    }
    free_result(&one);
}

static void bytes_are_the_same(void **state)
{
    (void)state;
    static const struct {
        const char *why, *id, *odd;
        framemap_status strict, lenient;
    } rows[] = {
        {"nothing odd, known by its hash", NULL, NULL, FRAMEMAP_OK, FRAMEMAP_OK},
        {"known by its own id", "3f2504e0-4f89-11d3-9a0c-0305e82c3301", NULL, FRAMEMAP_OK, FRAMEMAP_OK},
        {"a fault on the way", NULL, "C,CAC,", FRAMEMAP_E_CORRUPT, FRAMEMAP_OK},
        {"columns that fall: lines are sorted, and packed without help", NULL, "EAAAA,DAAAA,", FRAMEMAP_OK,
         FRAMEMAP_OK},
        {"no JSON", NULL, "\n", FRAMEMAP_E_CORRUPT, FRAMEMAP_E_CORRUPT},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct text text = new_text((size_t)4 << 20);
        put_map(&text, (size_t)3 << 20, rows[i].id, rows[i].odd);
        same_with_any_number(&text, true, rows[i].strict);
        same_with_any_number(&text, false, rows[i].lenient);
        free(text.data);
    }
}

/* Checks big and small sections: the names and sources of a section are added between segments that another thread
 * encodes. */
static void sections(void **state)
{
    (void)state;
    struct text text = new_text((size_t)8 << 20);
    char head[100];
    put(&text, "{\"version\":3,\"sections\":[");
    for (unsigned i = 0; i < 9; i++) {
        snprintf(head, sizeof head, "%s{\"offset\":{\"line\":%u,\"column\":0},\"map\":", i > 0 ? "," : "", i * 200000);
        put(&text, head);
        put_map(&text, i % 3 == 0 ? (size_t)1 << 20 : 1000, NULL, NULL);
        put(&text, "}");
    }
    put(&text, "]}");
    same_with_any_number(&text, true, FRAMEMAP_OK);
    free(text.data);
}

/* Checks map sizes around the smallest size that starts a thread. */
static void sizes(void **state)
{
    (void)state;
    for (size_t size = FM_SOURCEMAP_PREFETCH_MIN_BYTES - 200; size < FM_SOURCEMAP_PREFETCH_MIN_BYTES + 200;
         size += 60) {
        struct text text = new_text(FM_SOURCEMAP_PREFETCH_MIN_BYTES * 2);
        put_map(&text, size, NULL, NULL);
        same_with_any_number(&text, true, FRAMEMAP_OK);
        free(text.data);
    }
}

/* Checks that the memory limit is reported, whichever thread reaches it. */
static void want_of_memory(void **state)
{
    (void)state;
    struct text text = new_text((size_t)4 << 20);
    struct result result;
    unsigned failed = 0;
    put_map(&text, FM_SOURCEMAP_PREFETCH_MIN_BYTES + 1000, NULL, NULL);
    build(&result, &text, 2, false, 0);
    assert_int_equal(result.status, FRAMEMAP_OK);
    const size_t whole = result.built.size;
    free_result(&result);
    for (uint64_t ceiling = 1; ceiling < whole * 4; ceiling += ceiling / 7 + 1) {
        build(&result, &text, 2, false, ceiling);
        if (result.status != FRAMEMAP_OK) assert_int_equal(result.status, FRAMEMAP_E_MEMORY);
        failed += result.status != FRAMEMAP_OK;
        free_result(&result);
    }
    assert_true(failed > 10);
    free(text.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bytes_are_the_same), cmocka_unit_test(sections),
                                       cmocka_unit_test(sizes), cmocka_unit_test(want_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
