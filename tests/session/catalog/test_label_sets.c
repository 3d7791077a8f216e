/* Tests the labels of symbol paths (session/catalog/label_sets.h): which catalogs are searched for a text, and in which
 * order. */
#include "session/catalog/label_sets.h"

#include "tests/testing.h"

/* The label sets of the tests. Each has one file, with the given name and id. An empty string means that the set does
 * not have the label. */
static const struct {
    const char *app, *build, *tenant, *name, *id;
} files[] = {
    {"shop", "7", "", "a", "0123456789abcdef"},   {"shop", "8", "", "b", "0123456aaaaaaaaa"},
    {"shop", "", "", "c", "1111111111111111"},    {"", "7", "", "d", ""},
    {"shop", "7", "t1", "e", "0123456789abcdef"}, {"", "", "t2", "f", "0123456789abcdef"},
    {"", "", "", "g", "0123456789abcdef"},        {"7", "shop", "", "h", "ab"},
};

static framemap_scope scope_of(const char *app, const char *build, const char *tenant)
{
    return (framemap_scope){.size = sizeof(framemap_scope),
                            .app = framemap_str_of(app),
                            .build = framemap_str_of(build),
                            .tenant = framemap_str_of(tenant)};
}

static bool fill(struct fm_label_sets *sets)
{
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        const framemap_scope labels = scope_of(files[i].app, files[i].build, files[i].tenant);
        struct fm_catalog *catalog = fm_label_sets_open(sets, &labels);
        const struct fm_entry entry = {
            .path = files[i].name, .name = framemap_str_of(files[i].name), .id = framemap_str_of(files[i].id)};
        if (catalog == NULL || !fm_catalog_add(catalog, &entry) || !fm_catalog_add(catalog, &entry)) return false;
        if (fm_label_sets_open(sets, &labels) != catalog) fail_msg("%s: two catalogs", files[i].name);
    }
    return true;
}

/* Writes the names of the sets in the order in which they are searched, with a '!' after each set that the scope has
 * chosen. */
static void visit(struct fm_label_sets *sets, const framemap_scope *scope, const char *id, char out[64])
{
    struct fm_scope_walk walk;
    size_t size = 0;
    fm_scope_walk_begin(&walk, sets, scope, framemap_str_of(id));
    for (struct fm_catalog *catalog; (catalog = fm_scope_walk_next(&walk)) != NULL && size < 60;) {
        out[size++] = catalog->entries[0]->name.data[0];
        if (walk.is_labeled) out[size++] = '!';
    }
    out[size] = '\0';
}

static void order_of_visits(void **state)
{
    (void)state;
    static const struct {
        const char *why, *app, *build, *tenant, *id, *wanted;
    } rows[] = {
        {"no scope: paths without labels only", "", "", "", "", "g"},
        {"the most labels first, none last", "shop", "7", "", "", "a!c!d!g"},
        {"a tenant adds its own", "shop", "7", "t1", "", "e!a!c!d!g"},
        {"another build", "shop", "9", "", "", "c!g"},
        {"a label is not another label's value", "7", "shop", "", "", "h!g"},
        {"an unknown scope", "x", "y", "z", "", "g"},
        {"by id: others of no tenant", "", "", "", "0123456789abcdef", "gab"},
        {"by id: those of this tenant", "", "", "t2", "0123456789abcdef", "f!gafb"},
        {"by id: seven digits are enough", "", "", "t1", "0123456", "gaeb"},
        {"by id: six are not", "", "", "t1", "012345", "g"},
        {"by id: a short one", "", "", "", "ab", "gh"},
        {"by id: none", "shop", "", "", "ffffffffff", "c!g"},
    };
    struct fm_heap heap;
    struct fm_catalog unlabeled;
    struct fm_label_sets sets;
    char got[64];
    fm_heap_init(&heap, NULL, 0);
    fm_catalog_init(&unlabeled, &heap);
    fm_label_sets_init(&sets, &heap, &unlabeled);
    assert_true(fill(&sets));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const framemap_scope scope = scope_of(rows[i].app, rows[i].build, rows[i].tenant);
        visit(&sets, &scope, rows[i].id, got);
        /* if sets were found by an id, their order is not compared */
        if (strlen(got) != strlen(rows[i].wanted) || strspn(got, rows[i].wanted) != strlen(got) ||
            (rows[i].id[0] == '\0' && strcmp(got, rows[i].wanted) != 0))
            fail_msg("%s: got %s, wanted %s", rows[i].why, got, rows[i].wanted);
    }
    visit(&sets, NULL, "", got);
    assert_string_equal(got, "g");
    fm_label_sets_free(&sets);
    fm_catalog_free(&unlabeled);
    assert_int_equal(atomic_load(&heap.used), 0);
}

/* Tests a thousand builds that share a library. The id of the library is recorded for each build, in constant time. */
static void many_builds(void **state)
{
    (void)state;
    enum { BUILDS = 1000 };
    struct fm_heap heap;
    struct fm_catalog unlabeled;
    struct fm_label_sets sets;
    size_t visited = 0;
    fm_heap_init(&heap, NULL, 0);
    fm_catalog_init(&unlabeled, &heap);
    fm_label_sets_init(&sets, &heap, &unlabeled);
    for (int i = 0; i < BUILDS; i++) {
        char build[16];
        snprintf(build, sizeof build, "%d", i);
        const framemap_scope labels = scope_of("shop", build, "");
        struct fm_catalog *catalog = fm_label_sets_open(&sets, &labels);
        const struct fm_entry entry = {.path = build, .name = FM_STR("libsdk.so"), .id = FM_STR("0123456789abcdef")};
        assert_true(catalog != NULL && fm_catalog_add(catalog, &entry));
    }
    assert_int_equal(sets.count, BUILDS);
    assert_int_equal(sets.id_count, BUILDS);
    struct fm_scope_walk walk;
    fm_scope_walk_begin(&walk, &sets, NULL, FM_STR("0123456789abcdef"));
    while (fm_scope_walk_next(&walk) != NULL) visited++;
    assert_int_equal(visited, BUILDS + 1);
    fm_label_sets_free(&sets);
    fm_catalog_free(&unlabeled);
}

static bool fill_all(const framemap_allocator *allocator, void *context)
{
    (void)context;
    struct fm_heap heap;
    struct fm_catalog unlabeled;
    struct fm_label_sets sets;
    fm_heap_init(&heap, allocator, 0);
    fm_catalog_init(&unlabeled, &heap);
    fm_label_sets_init(&sets, &heap, &unlabeled);
    const bool done = fill(&sets);
    fm_label_sets_free(&sets);
    fm_catalog_free(&unlabeled);
    return done;
}

static void out_of_memory(void **state)
{
    (void)state;
    sweep_allocations(fill_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_of_visits),
        cmocka_unit_test(many_builds),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
