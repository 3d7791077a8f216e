/* Tests the scope of a text (session/catalog/text_scope.h): which scopes are refused, and what the copy of a scope
 * contains. */
#include "session/catalog/text_scope.h"

#include "tests/session/session_help.h"

static char too_long[1025];

static framemap_scope scope_with(framemap_str app, const framemap_str *ids, size_t count)
{
    return (framemap_scope){.size = sizeof(framemap_scope), .app = app, .ids = ids, .id_count = count};
}

static void refused(void **state)
{
    (void)state;
    memset(too_long, 'x', sizeof too_long);
    const framemap_str long_text = {too_long, sizeof too_long}, id = FM_STR("0123"), none = {NULL, 0};
    const struct {
        framemap_scope scope;
        bool labels;
        const char *message; /* part of the error message; NULL: the scope is valid */
    } rows[] = {
        {scope_with(FM_STR("shop"), &id, 1), false, NULL},
        {scope_with(FM_STR("shop"), NULL, 0), true, NULL},
        {scope_with(fm_str_slice(long_text, 0, 1024), NULL, 0), false, NULL},
        {scope_with(FM_STR("shop"), &id, 1), true, "not by id"},
        {scope_with(long_text, NULL, 0), false, "the app of a scope has more than 1024 bytes"},
        {scope_with(none, &long_text, 1), false, "the id of a scope"},
        {scope_with(none, &id, 4097), false, "more than 4096 ids"},
        {scope_with(none, NULL, 1), false, "NULL"},
        {scope_with((framemap_str){NULL, 3}, NULL, 0), false, "NULL"},
        {{.size = 0}, false, "size"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        framemap_scope out;
        framemap_error error = {0};
        const framemap_status status = fm_text_scope_read(&rows[i].scope, rows[i].labels, &out, &error);
        assert_int_equal(status, rows[i].message ? FRAMEMAP_E_ARGUMENT : FRAMEMAP_OK);
        if (rows[i].message && strstr(error.message, rows[i].message) == NULL) fail_msg("%zu: %s", i, error.message);
    }
}

static void copies_of_ids(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"0123ABCD", "0123abcd"},
        {"4C4C4444-5555-3144-A11E-42E74AE5843A", "4c4c444455553144a11e42e74ae5843a"},
        {"r8-map-id-0a1b2c3", "0a1b2c3"},
        {"My-Build.1", "My-Build.1"},
    };
    struct fm_heap heap;
    struct fm_arena arena;
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const framemap_str ids[] = {{NULL, 0}, framemap_str_of(rows[i][0])};
        const framemap_scope scope = scope_with((framemap_str){NULL, 0}, ids, 2);
        const framemap_scope *copy;
        assert_true(fm_text_scope_copy(&arena, &scope, &copy));
        assert_int_equal(copy->id_count, 1);
        assert_str(copy->ids[0], rows[i][1]);
    }
    const framemap_scope empty = {.size = sizeof empty};
    const framemap_scope *copy = &empty;
    assert_true(fm_text_scope_copy(&arena, &empty, &copy));
    assert_null(copy);
    fm_arena_free(&arena);
}

/* --- testing scopes through the public calls --- */

static const char mapping[] = "com.example.Cart -> a.b:\n    3:3:void pay():30:30 -> c\n";
static const char stack[] = "java.lang.Error: x\n\tat a.b.c(SourceFile:3)\n";

static framemap_session *open_labeled(const struct folder *folder, const framemap_allocator *allocator)
{
    framemap_session *session = NULL;
    framemap_error error = {0};
    const char *path = in_folder(folder, "mapping.txt");
    const framemap_scope labels = scope_with(FM_STR("shop"), NULL, 0);
    const framemap_scope *const rows[] = {&labels};
    const framemap_session_options options = {.size = sizeof options,
                                              .allocator = allocator,
                                              .symbol_paths = &path,
                                              .symbol_labels = rows,
                                              .symbol_path_count = 1,
                                              .cache_path = ""};
    const framemap_status status = framemap_session_open(&options, &session, &error);
    if (status != FRAMEMAP_OK) assert_int_equal(status, FRAMEMAP_E_MEMORY);
    return session;
}

static uint64_t restored_for(framemap_session *session, const char *app)
{
    const framemap_scope scope = scope_with(framemap_str_of(app), NULL, 0);
    const framemap_restore_options options = {.size = sizeof options, .scope = &scope};
    framemap_restore_summary summary;
    framemap_error error = {0};
    struct fm_heap heap;
    struct fm_buf out;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    must_ok(framemap_session_restore(session, framemap_str_of(stack), &options, gather, &out, &summary, &error),
            &error);
    fm_buf_free(&out);
    return summary.restored;
}

static void labels_of_a_session(void **state)
{
    (void)state;
    struct folder folder;
    folder_make(&folder);
    put_file(&folder, "mapping.txt", framemap_str_of(mapping));
    framemap_session *session = open_labeled(&folder, NULL);
    assert_int_equal(restored_for(session, "shop"), 1);
    assert_int_equal(restored_for(session, "bank"), 0);
    framemap_error error = {0};
    const framemap_scope labels = scope_with(FM_STR("bank"), NULL, 0);
    must_ok(framemap_session_add_labeled(session, in_folder(&folder, "mapping.txt"), &labels, &error), &error);
    assert_int_equal(restored_for(session, "bank"), 1);
    assert_int_equal(restored_for(session, "post"), 0);
    must_ok(framemap_session_add(session, in_folder(&folder, "mapping.txt"), &error), &error);
    assert_int_equal(restored_for(session, "post"), 1);
    framemap_session_close(session);
    remove_tree(folder.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused),
        cmocka_unit_test(copies_of_ids),
        cmocka_unit_test(labels_of_a_session),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
