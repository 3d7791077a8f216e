/* Checks that big mappings give the same bytes and the same messages with several threads as with one, and that no case
 * leaks memory.
 */
#include "core/text/buffer.h"
#include "tests/testing.h"

#include "index/write/builder.h"
#include "mappers/java/r8_mapper.h"

#include <stdatomic.h>

/* Size of a mapping that is divided into five shards. It is more than FM_R8_STEP_BYTES, so that progress is reported
 * before its end. */
#define BYTES ((size_t)1100 << 10)

struct text {
    char *data;
    size_t size, room;
};

static struct text new_text(void)
{
    struct text text = {malloc(4 * BYTES), 0, 4 * BYTES};
    assert_non_null(text.data);
    return text;
}

static void put(struct text *text, const char *more)
{
    const size_t size = strlen(more);
    assert_true(text->size + size < text->room);
    memcpy(text->data + text->size, more, size + 1);
    text->size += size;
}

/* Writes one class: overloads, inlined lines of other classes, a field, comments. Some residual names are repeated,
 * soon or much later. */
static void put_class(struct text *text, unsigned number, const char *line_end)
{
    char line[600];
    const unsigned residual = number % 7 == 3 ? number / 2 : number, owner = number % 10, method = number % 50,
                   argument = number / 3;
    snprintf(line, sizeof line, "com.example.part%u.Class%u -> a.b%u:%s", owner, number, residual, line_end),
        put(text, line);
    snprintf(line, sizeof line, "# {\"id\":\"sourceFile\",\"fileName\":\"Class%u.kt\"}%s", number % 5, line_end);
    if (number % 3 != 0) put(text, line);
    snprintf(line, sizeof line, "    int field%u -> f%s", number % 100, line_end), put(text, line);
    snprintf(line, sizeof line, "    1:4:void method%u(int,com.example.part1.Class%u):10:13 -> m%s", method, argument,
             line_end);
    put(text, line);
    snprintf(line, sizeof line,
             "    5:5:com.example.part%u.Class%u com.example.part2.Class%u.inlined(java.lang.String[]):77 -> m%s",
             owner, number, number / 2, line_end);
    put(text, line);
    snprintf(line, sizeof line, "    5:5:void method%u(int,com.example.part1.Class%u):20 -> m%s", method, argument,
             line_end);
    put(text, line);
    snprintf(line, sizeof line, "    # {\"id\":\"com.android.tools.r8.synthesized\"}%s", line_end);
    if (number % 4 == 0) put(text, line);
    snprintf(line, sizeof line, "    6:6:void other%u():9 -> n%s", number, line_end), put(text, line);
}

/* Makes a mapping of `head` and classes. The irregular text `odd` is in the middle, or, if `twice` is set, in two
 * places. */
static struct text a_mapping(const char *head, const char *odd, bool twice, const char *line_end)
{
    struct text text = new_text();
    unsigned odds = 0;
    put(&text, head);
    for (unsigned i = 0; text.size < BYTES; i++) {
        put_class(&text, i, line_end);
        if (odd != NULL && odds < (twice ? 2u : 1u) && text.size > BYTES * (odds + 1) / 3) put(&text, odd), odds++;
    }
    return text;
}

struct result {
    struct fm_heap heap;
    struct fm_built built;
    framemap_status status;
    framemap_error error;
    struct fm_buf words; /* warnings, each with its line number */
    uint64_t reported, stop_at;
    size_t passed;
    atomic_size_t left; /* number of allocations until one fails */
};

static void warned(void *context, const framemap_error *warning)
{
    struct result *result = context;
    char line[40];
    snprintf(line, sizeof line, "%d %llu ", warning->code, (unsigned long long)warning->line);
    fm_buf_str(&result->words, framemap_str_of(line));
    fm_buf_str(&result->words, framemap_str_of(warning->message));
    fm_buf_byte(&result->words, '\n');
}

static bool reported(void *context, uint64_t done, uint64_t total)
{
    struct result *result = context;
    assert_true(done >= result->reported && done <= total);
    result->reported = done;
    return result->stop_at == 0 || done < result->stop_at;
}

static void passed(void *context, size_t offset)
{
    struct result *result = context;
    assert_true(offset >= result->passed);
    result->passed = offset;
}

static void *resize(void *context, void *ptr, size_t old_size, size_t new_size)
{
    struct result *result = context;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    if (atomic_load(&result->left) == 0 || atomic_fetch_sub(&result->left, 1) == 1) return NULL;
    return realloc(ptr, new_size);
}

struct how {
    unsigned threads;
    bool strict;
    uint64_t stop_at;
    size_t requests; /* number of allocations that succeed before one fails; 0: all succeed */
};

static void build(struct result *result, const struct text *text, const struct how *how)
{
    struct fm_builder *builder = NULL;
    *result = (struct result){.status = FRAMEMAP_OK, .stop_at = how->stop_at};
    atomic_init(&result->left, how->requests ? how->requests : SIZE_MAX);
    const framemap_allocator allocator = {resize, result};
    fm_heap_init(&result->heap, &allocator, 0);
    static struct fm_heap words;
    fm_heap_init(&words, NULL, 0);
    fm_buf_init(&result->words, &words);
    const struct fm_mapper_host host = {.heap = &result->heap,
                                        .threads = how->threads,
                                        .strict = how->strict,
                                        .warning = warned,
                                        .progress = reported,
                                        .context = result,
                                        .consumed = passed,
                                        .input_context = result};
    result->status = fm_builder_create(&result->heap, &builder, &result->error);
    if (result->status != FRAMEMAP_OK) return;
    fm_builder_threads(builder, how->threads);
    result->status =
        fm_r8_mapper.build(fm_str(text->data, text->size), FM_STR("mapping.txt"), &host, builder, &result->error);
    if (result->status == FRAMEMAP_OK) result->status = fm_builder_finish(builder, &result->built, &result->error);
    fm_builder_free(builder);
}

static void free_result(struct result *result)
{
    fm_heap_free(&result->heap, result->built.data, result->built.size);
    assert_int_equal(atomic_load(&result->heap.used), 0);
    fm_buf_free(&result->words);
}

static void same_result(const struct result *a, const struct result *b)
{
    assert_int_equal(a->status, b->status);
    if (a->status != FRAMEMAP_OK) {
        assert_string_equal(a->error.message, b->error.message);
        assert_int_equal(a->error.line, b->error.line);
    }
    assert_int_equal(a->words.size, b->words.size);
    if (a->words.size > 0) assert_memory_equal(a->words.data, b->words.data, a->words.size);
    assert_int_equal(a->built.size, b->built.size);
    if (a->built.size > 0) assert_memory_equal(a->built.data, b->built.data, a->built.size);
}

static void same_with_any_number(const struct text *text, bool strict, framemap_status wanted)
{
    struct result one, more;
    build(&one, text, &(struct how){.threads = 1, .strict = strict});
    assert_int_equal(one.status, wanted);
    for (unsigned threads = 2; threads < 6; threads += TEST_STEP) {
        build(&more, text, &(struct how){.threads = threads, .strict = strict});
        same_result(&more, &one);
        free_result(&more);
    }
    free_result(&one);
}

#define HEAD "# compiler: R8\n# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"2.2\"}\n"

static void bytes_and_words_are_the_same(void **state)
{
    static const struct {
        const char *why, *head, *odd, *line_end;
        bool twice;
        framemap_status strict;
    } rows[] = {
        {"nothing odd", HEAD, NULL, "\n", false, FRAMEMAP_OK},
        {"a CR before each LF", HEAD, NULL, "\r\n", false, FRAMEMAP_OK},
        {"known by its own id", HEAD "# pg_map_id: abc\n", NULL, "\n", false, FRAMEMAP_OK},
        {"no head: most comments do not count", "", NULL, "\n", false, FRAMEMAP_OK},
        {"a member before all classes", HEAD "    int a -> b\n", NULL, "\n", false, FRAMEMAP_E_CORRUPT},
        {"a faulty line", HEAD, "    1:2:void m(:3 -> x\n", "\n", false, FRAMEMAP_E_CORRUPT},
        {"faulty lines in two places", HEAD, "    1:2:void m(:3 -> x\n", "\n", true, FRAMEMAP_E_CORRUPT},
        {"a class line that is none, and members that go with it", HEAD, "a -> :\n    int a -> b\n    int c -> d\n",
         "\n", true, FRAMEMAP_E_CORRUPT},
        {"another version from there on", HEAD, "# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"1.0\"}\n",
         "\n", false, FRAMEMAP_OK},
        {"the same version again", HEAD, "# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"2.2\"}\n", "\n",
         true, FRAMEMAP_OK},
        {"another one that reads the same", "# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"none\"}\n",
         "# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"experimental\"}\n", "\n", false, FRAMEMAP_OK},
        {"a comment twice, of which R8 warns", HEAD,
         "o.P -> p:\n# {\"id\":\"sourceFile\",\"fileName\":\"A\"}\n# {\"id\":\"sourceFile\",\"fileName\":\"B\"}\n",
         "\n", true, FRAMEMAP_OK},
        {"a warning that comes when the class ends", HEAD,
         "o.Q -> q:\n    int f -> g\n    # {\"id\":\"com.android.tools.r8.residualsignature\",\"signature\":\"()V\"}\n",
         "\n", true, FRAMEMAP_OK},
        {"a comment that is not JSON", HEAD, "# {\"id\":\n", "\n", true, FRAMEMAP_OK},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct text text = a_mapping(rows[i].head, rows[i].odd, rows[i].twice, rows[i].line_end);
        same_with_any_number(&text, true, rows[i].strict);
        same_with_any_number(&text, false, FRAMEMAP_OK);
        free(text.data);
    }
}

/* Checks a mapping with many faults. Which faults are reported one by one must depend only on their order. */
static void many_faults(void **state)
{
    struct text text = new_text();
    (void)state;
    put(&text, HEAD);
    for (unsigned i = 0; text.size < BYTES; i++) {
        put_class(&text, i, "\n");
        if (i % 50 == 7) put(&text, "    ( -> x\n");
    }
    same_with_any_number(&text, false, FRAMEMAP_OK);
    free(text.data);
}

/* Tests a mapping that is one big class, so that it cannot be divided into shards; then a mapping of many classes. */
static void one_big_class(void **state)
{
    struct text text = new_text();
    char line[200];
    (void)state;
    put(&text, HEAD "o.Big -> b:\n");
    for (unsigned i = 0; text.size < BYTES; i++) {
        snprintf(line, sizeof line, "    %u:%u:void o.Other%u.m%u(int):%u -> a%u\n", i % 9 + 1, i % 9 + 3, i % 77, i,
                 i % 30, i % 5000);
        put(&text, line);
    }
    same_with_any_number(&text, true, FRAMEMAP_OK);
    for (unsigned i = 0; text.size < 2 * BYTES; i++) put_class(&text, i, "\n");
    same_with_any_number(&text, true, FRAMEMAP_OK);
    free(text.data);
}

static void the_host_stops_it(void **state)
{
    struct text text = a_mapping(HEAD, NULL, false, "\n");
    (void)state;
    for (unsigned threads = 1; threads < 4; threads++) {
        struct result result;
        build(&result, &text, &(struct how){.threads = threads, .stop_at = BYTES / 2});
        assert_int_equal(result.status, FRAMEMAP_E_LIMIT);
        assert_true(result.reported >= BYTES / 2);
        free_result(&result);
        build(&result, &text, &(struct how){.threads = threads});
        assert_int_equal(result.reported, text.size); /* the last progress that was reported is the end of the text */
        assert_true(result.passed > text.size / 2);
        free_result(&result);
    }
    free(text.data);
}

/* For each allocation in turn, lets that one and all later ones fail. Building the index returns an error, or succeeds
 * if it can do without the memory. */
static void want_of_memory(void **state)
{
    struct text text = a_mapping(HEAD, NULL, false, "\n");
    struct result whole, result;
    bool failed = false;
    (void)state;
    build(&whole, &text, &(struct how){.threads = 1});
    for (size_t requests = 1;; requests += 1 + requests / 9) {
        build(&result, &text, &(struct how){.threads = 3, .requests = requests});
        if (result.status == FRAMEMAP_OK) break;
        assert_int_equal(result.status, FRAMEMAP_E_MEMORY);
        failed = true;
        free_result(&result);
    }
    assert_true(failed);
    same_result(&result, &whole);
    free_result(&result);
    free_result(&whole);
    free(text.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_and_words_are_the_same),
        cmocka_unit_test(many_faults),
        cmocka_unit_test(one_big_class),
        cmocka_unit_test(the_host_stops_it),
        cmocka_unit_test(want_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
