/* Tests Java frames whose mapping is closed (session/restore/java_recall.c). The sessions keep no index open, so when a
 * text is restored the second time, cached answers are used. The result must be the same as with all indexes open. */
#include "tests/session/restore/recall_help.h"

#define AT(text) "\tat " text "\n"
#define ID "1a2b3c4"
#define OTHER_ID "9f9f9f9"

static const char shop[] = "# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"2.2\"}\n# pg_map_id: " ID "\n"
                           "shop.Main -> a.b:\n"
                           "# {\"id\":\"sourceFile\",\"fileName\":\"Main.kt\"}\n"
                           "    4:4:void shop.Text.trim(java.lang.String):31:31 -> a\n"
                           "    4:4:void open(int):12 -> a\n"
                           "    5:5:void open(int):13:13 -> a\n"
                           "    void one() -> c\n"
                           "    void two() -> c\n"
                           "    1:1:void made():1:1 -> d\n"
                           "    # {\"id\":\"com.android.tools.r8.synthesized\"}\n"
                           "    1:1:void java.util.Objects.requireNonNull(java.lang.Object):9:9 -> e\n"
                           "    # "
                           "{\"id\":\"com.android.tools.r8.rewriteFrame\",\"conditions\":[\"throws(La/"
                           "x;)\"],\"actions\":[\"removeInnerFrames(1)\"]}\n"
                           "    1:1:void check():20 -> e\n"
                           "    4:5:int outlined():96:97 -> s\n"
                           "    # {\"id\":\"com.android.tools.r8.outlineCallsite\",\"positions\":{\"1\":4,\"2\":5},"
                           "\"outline\":\"La/o;o(I)I\"}\n"
                           "    0:0:void zero():50:50 -> f\n"
                           "    1:1:void zero():51:51 -> f\n"
                           "shop.Outline -> a.o:\n"
                           "    0:2:int outline():0:0 -> o\n"
                           "    # {\"id\":\"com.android.tools.r8.outline\"}\n"
                           "shop.Fault -> a.x:\n"
                           "shop.Kept -> shop.Kept:\n"
                           "    1:1:void run():40:40 -> run\n";
static const char bank[] = "# pg_map_id: " OTHER_ID "\nbank.Account -> a.b:\n    7:7:void pay():70:70 -> p\n"
                           "bank.Vault -> a.c:\n";
/* mapping with the same id as `shop`, in which one method has another original name */
static const char renamed[] = "# pg_map_id: " ID "\nshop.Main -> a.b:\n    5:5:void newest(int):13:13 -> a\n";

static const char first[] = AT("a.b.p(r8-map-id-" OTHER_ID ":7)");

/* Texts that cover all data on which the answer for a frame depends: the line (which may be 0 or missing), the file,
 * and the exception or outline before the frame. The answers have several frames, alternatives, hidden frames, or are
 * unknown. There are also exceptions, descriptors, and members that messages name. */
static const char *const texts[] = {
    "a.x: no\n" AT("a.b.a(r8-map-id-" ID ":4)") AT("a.b.a(r8-map-id-" ID ":5)") AT("a.b.a(r8-map-id-" ID ":4)"),
    "a.x: no\n" AT("a.b.e(r8-map-id-" ID ":1)") AT("a.b.e(r8-map-id-" ID ":1)"),
    "a.y: no\n" AT("a.b.e(r8-map-id-" ID ":1)"),
    "a.x: no\n" AT("a.b.c(r8-map-id-" ID ")") AT("a.b.c(r8-map-id-" ID ":0)") AT("a.b.c(r8-map-id-" ID ":99)"),
    "a.x: no\n" AT("a.b.d(r8-map-id-" ID ":1)") AT("a.b.z(r8-map-id-" ID ":1)") AT("q.q.q(r8-map-id-" ID ":1)"),
    "a.x: no\n" AT("a.o.o(r8-map-id-" ID ":1)") AT("a.b.s(r8-map-id-" ID ":4)"),
    "a.x: no\n" AT("a.o.o(r8-map-id-" ID ":2)") AT("a.b.s(r8-map-id-" ID ":4)"),
    "a.x: no\n" AT("a.b.s(r8-map-id-" ID ":4)"),
    "a.x: no\n" AT("a.o.o(r8-map-id-" ID ")") AT("a.b.s(r8-map-id-" ID ":4)"),
    "a.x: no\n" AT("a.o.o(r8-map-id-" ID ":0)") AT("a.b.s(r8-map-id-" ID ":4)"),
    "a.x: no\n" AT("q.q.q(r8-map-id-" ID ":1)") AT("a.b.e(r8-map-id-" ID ":1)"),
    "a.x: no\n" AT("a.o.o(r8-map-id-" ID ":1)") AT("q.q.q(r8-map-id-" ID ":1)") AT("a.b.s(r8-map-id-" ID ":4)"),
    "a.x: no\n" AT("a.b.f(r8-map-id-" ID ")") AT("a.b.f(r8-map-id-" ID ":0)") AT("a.b.f(r8-map-id-" ID ":1)"),
    "a.x: no\n" AT("shop.Kept.run(r8-map-id-" ID ":1)") AT("a.b.a(r8-map-id-" ID ":4294967296)"),
    "java.lang.NullPointerException: 'void a.b.a(int)' on a null object\n" AT("a.b.a(r8-map-id-" ID ":4)"),
    "a.x: no\n" AT("a.b.a(r8-map-id-" ID ":4)") "Caused by: a.b: x\n" AT("a.b.a(r8-map-id-" ID ":5)") "\t... 1 more\n",
    "a.x: no\n" AT("a.b.a(r8-map-id-" ID ":5)") AT("a.b.p(r8-map-id-" OTHER_ID ":7)"),
};

static void put_mapping(const struct folder *folder, const char *name, const char *text)
{
    framemap_bytes bytes = {.data = NULL};
    framemap_error error = {0};
    must_ok(framemap_index_build(framemap_str_of(text), FM_STR("mapping.txt"), NULL, &bytes, &error), &error);
    put_file(folder, name, fm_str((const char *)bytes.data, bytes.size));
    framemap_bytes_free(&bytes);
}

static int set_up(void **state)
{
    static struct folder folder;
    folder_make(&folder);
    put_mapping(&folder, "shop.fmx", shop);
    put_mapping(&folder, "bank.fmx", bank);
    *state = &folder;
    return 0;
}

static int tear_down(void **state)
{
    const struct folder *folder = *state;
    remove_tree(folder->path);
    return 0;
}

static void answers_outlive_their_mapping(void **state)
{
    const struct folder *folder = *state;
    static const framemap_demangle styles[] = {FRAMEMAP_DEMANGLE_DEFAULT};
    check_recalled(folder->path, first, texts, COUNT_OF(texts), styles, COUNT_OF(styles));
}

/* The answers for some frames of a stack are cached; the mapping is opened only for the other frames. */
static void a_stack_may_be_known_in_part(void **state)
{
    const struct folder *folder = *state;
    check_in_turn(folder->path, texts, COUNT_OF(texts));
}

/* JSON output needs more data of an answer than text output, such as the parameters of functions. So answers that were
 * cached for one of these outputs must not be used for the other. */
static void outputs_have_answers_of_their_own(void **state)
{
    const struct folder *folder = *state;
    static const char *const outputs[] = {"text", "json", "text", "json"};
    framemap_session *plain = session_on(folder->path), *session = forgetful_on(folder->path, NULL);
    struct fm_heap heap;
    struct fm_buf got, want;
    framemap_error error = {0};
    framemap_restore_summary summary;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&got, &heap);
    fm_buf_init(&want, &heap);
    restore(session, first, &got);
    for (size_t i = 0; i < COUNT_OF(outputs); i++) {
        const framemap_restore_options options = {.size = sizeof options, .output = outputs[i]};
        fm_buf_clear(&got);
        fm_buf_clear(&want);
        const framemap_str text = framemap_str_of(texts[0]);
        must_ok(framemap_session_restore(session, text, &options, gather, &got, &summary, &error), &error);
        must_ok(framemap_session_restore(plain, text, &options, gather, &want, &summary, &error), &error);
        assert_same(&got, &want, outputs[i]);
    }
    framemap_session_close(session);
    framemap_session_close(plain);
    fm_buf_free(&got);
    fm_buf_free(&want);
}

/* The mapping is replaced at each point during a call. The answers for all frames must always come from the same
 * file. */
static void answers_of_two_files_never_mix(void **state)
{
    const struct folder *folder = *state;
    static const char known[] = AT("a.b.a(r8-map-id-" ID ":5)"), both[] = AT("a.b.a(r8-map-id-" ID ":5)")
                                                                     AT("a.b.a(r8-map-id-" ID ":6)")
                                                                         AT("a.b.a(Source.java:5)");
    struct folder other;
    struct fm_heap heap;
    struct fm_buf out;
    size_t of_new = 0, of_old = 0;
    folder_make(&other);
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    for (size_t at = 0, last = 1; at < last; at++) {
        struct replacing replacing = {SIZE_MAX, 0, in_folder(folder, "shop.fmx"), in_folder(&other, "new")};
        const framemap_allocator allocator = {replacing_resize, &replacing};
        put_mapping(folder, "shop.fmx", shop);
        put_mapping(&other, "new", renamed);
        framemap_session *session = forgetful_on(folder->path, &allocator);
        for (size_t round = 0; round < 2; round++) restore(session, known, &out);
        replacing.requests = 0;
        replacing.at = at;
        restore(session, both, &out);
        last = replacing.requests;
        const bool has_old = fm_str_find(fm_buf_view(&out), FM_STR("\"open\"")) != FM_NOT_FOUND;
        const bool has_new = fm_str_find(fm_buf_view(&out), FM_STR("\"newest\"")) != FM_NOT_FOUND;
        const bool is_refused = fm_str_find(fm_buf_view(&out), FM_STR("changed-while-read")) != FM_NOT_FOUND;
        if (has_old == has_new && !is_refused)
            fail_msg("replaced at request %zu: %s\n%.*s", at, has_old ? "mixed" : "neither", (int)out.size, out.data);
        of_old += has_old;
        of_new += has_new;
        framemap_session_close(session);
    }
    assert_true(of_old > 0 && of_new > 0);
    remove_tree(other.path);
    fm_buf_free(&out);
    put_mapping(folder, "shop.fmx", shop);
}

static void another_file_has_other_answers(void **state)
{
    const struct folder *folder = *state;
    static const char stack[] = AT("a.b.a(r8-map-id-" ID ":5)");
    framemap_session *session = forgetful_on(folder->path, NULL);
    struct fm_heap heap;
    struct fm_buf out;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    for (size_t round = 0; round < 2; round++) restore(session, stack, &out);
    assert_true(fm_str_find(fm_buf_view(&out), FM_STR("\"open\"")) != FM_NOT_FOUND);
    put_mapping(folder, "new", renamed);
    assert_int_equal(rename(in_folder(folder, "new"), in_folder(folder, "shop.fmx")), 0);
    for (size_t round = 0; round < 2; round++) {
        restore(session, stack, &out);
        assert_true(fm_str_find(fm_buf_view(&out), FM_STR("\"open\"")) == FM_NOT_FOUND);
    }
    framemap_session_close(session);
    fm_buf_free(&out);
    put_mapping(folder, "shop.fmx", shop);
}

static void memory_may_be_short(void **state)
{
    const struct folder *folder = *state;
    check_short_memory(&(struct recalled_text){folder->path, texts[0], "\"trim\""});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_outlive_their_mapping),     cmocka_unit_test(a_stack_may_be_known_in_part),
        cmocka_unit_test(outputs_have_answers_of_their_own), cmocka_unit_test(answers_of_two_files_never_mix),
        cmocka_unit_test(another_file_has_other_answers),    cmocka_unit_test(memory_may_be_short),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
