/* Tests that a session restores frames of Java: which mapping is chosen, and the restored frames. */
#include "core/text/buffer.h"
#include "tests/session/restore/restore_help.h"
#include <zlib.h>

static const char shop[] = "# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"2.2\"}\n# pg_map_id: 1a2b3c4\n"
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
                           "shop.Fault -> a.x:\n"
                           "shop.Kept -> shop.Kept:\n"
                           "    1:1:void run():40:40 -> run\n";
static const char bank[] =
    "# pg_map_id: 9f9f9f9\nbank.Account -> a.b:\n    7:7:void pay():70:70 -> p\nbank.Vault -> a.c:\n";

static const char drawn[] = "drawn.Card -> a.b:\n";
/* UUID of the mapping `bank`, computed from its bytes as Sentry's tools compute it */
#define UUID_OF_BANK "fd5078fd-4ec8-5880-9d6e-b1eb496d8872"
#define UUID_IN_PATH "0d6b1f2e-0000-4000-8000-0123456789ab"

struct bench {
    struct folder one, two;
    framemap_session *with_one, *with_two, *without;
};

static int set_up(void **state)
{
    static struct bench bench;
    memset(&bench, 0, sizeof bench);
    folder_make(&bench.one);
    folder_make(&bench.two);
    put_file(&bench.one, "app-mapping-12.txt", framemap_str_of(shop));
    put_file(&bench.one, "notes.txt", FM_STR("no mapping -> at all\n"));
    put_file(&bench.two, "shop/mapping.txt", framemap_str_of(shop));
    put_file(&bench.two, "shop/copy.txt", framemap_str_of(shop));
    put_file(&bench.two, "bank/mapping.txt", framemap_str_of(bank));
    put_file(&bench.two, "mapping-" UUID_IN_PATH ".txt", framemap_str_of(drawn));
    bench.with_one = open_on(bench.one.path, NULL);
    bench.with_two = open_on(bench.two.path, NULL);
    bench.without = open_on(NULL, NULL);
    *state = &bench;
    return bench.with_one && bench.with_two && bench.without ? 0 : -1;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    framemap_session_close(bench->with_one);
    framemap_session_close(bench->with_two);
    framemap_session_close(bench->without);
    remove_tree(bench->one.path);
    remove_tree(bench->two.path);
    return 0;
}

#define AT(text) "\tat " text "\n"

static void one_mapping(void **state)
{
    struct bench *bench = *state;
    static const struct restore_row rows[] = {
        {"an inline group, by the name of a file that says what it is", "a.x: no\n" AT("a.b.a(SourceFile:4)"),
         "shop.Fault: no\n" AT("shop.Text.trim(Text.java:31)") AT("shop.Main.open(Main.kt:12)"), 1, 1, NULL},
        {"the id of the stack is that of the mapping", AT("a.b.a(r8-map-id-1a2b3c4:5)"),
         AT("shop.Main.open(Main.kt:13)"), 1, 1, NULL},
        {"and a longer one that begins so", AT("a.b.a(r8-map-id-1a2b3c4d5e6f:5)"), AT("shop.Main.open(Main.kt:13)"), 1,
         1, NULL},
        {"another id is never guessed past", AT("a.b.a(r8-map-id-7777777:5)"), NULL, 1, 0, "other builds"},
        {"the id as Google's apps have it", AT("a.b.a(go/retraceme 1a2b3c4d5e6f:5)"), AT("shop.Main.open(Main.kt:13)"),
         1, 1, NULL},
        {"an id that the text tells above", "# pg_map_id: 7777777\n" AT("a.b.a(SourceFile:5)"), NULL, 1, 0,
         "other builds"},
        {"several answers and no line", AT("a.b.c(SourceFile)"), AT("shop.Main.one(Main.kt) [one of 2]"), 1, 0,
         "several"},
        {"several answers for a line", AT("a.b.c(SourceFile:7)"),
         AT("shop.Main.one(Main.kt:7)") "\t<OR> at shop.Main.two(Main.kt:7)\n", 1, 0, "several"},
        {"code that the compiler made", AT("a.b.d(SourceFile:1)") AT("a.b.a(SourceFile:5)"),
         AT("shop.Main.open(Main.kt:13)"), 2, 2, "compiler"},
        {"a frame that vanishes under its exception", "a.x\n" AT("a.b.e(SourceFile:1)"),
         "shop.Fault\n" AT("shop.Main.check(Main.kt:20)"), 1, 1, NULL},
        {"and stays under another", "a.y: 1\n" AT("a.b.e(SourceFile:1)"),
         "a.y: 1\n" AT("java.util.Objects.requireNonNull(Objects.java:9)") AT("shop.Main.check(Main.kt:20)"), 1, 1,
         NULL},
        {"the cause counts, not the first exception",
         "a.y: 1\n" AT("a.b.a(SourceFile:5)") "Caused by: a.x: oneword\n" AT("a.b.e(SourceFile:1)"),
         "a.y: 1\n" AT("shop.Main.open(Main.kt:13)") "Caused by: shop.Fault: oneword\n" AT(
             "shop.Main.check(Main.kt:20)"),
         2, 2, NULL},
        {"a class that kept its name", AT("shop.Kept.run(SourceFile:1)"), AT("shop.Kept.run(Kept.java:40)"), 1, 1,
         NULL},
        {"a class alone is known", AT("a.b.zz(SourceFile:9)"), AT("shop.Main.zz(Main.kt:9)"), 1, 1, NULL},
        {"a renamed class that is not in the mapping", AT("q.q.q(SourceFile:1)"), NULL, 1, 0, "no class"},
        {"frames of others need nothing",
         AT("java.lang.Thread.run(Thread.java:764)") AT("okio.Buffer.read(Buffer.kt:12)"), NULL, 0, 0, NULL},
        {"a line of 40 digits", AT("a.b.a(SourceFile:1111111111222222222233333333334444444444)"),
         AT("shop.Main.open(Main.kt:1111111111222222222233333333334444444444)"), 1, 1, NULL},
        {"classes of locks", "\"main\" prio=5 tid=1 Blocked\n  at a.b.a(SourceFile:5)\n  - locked <0x1> (a a.x)\n",
         "\"main\" prio=5 tid=1 Blocked\n  at shop.Main.open(Main.kt:13)\n  - locked <0x1> (a shop.Fault)\n", 1, 1,
         NULL},
    };
    check_all_restored(bench->with_one, rows, COUNT_OF(rows));
}

static void two_mappings(void **state)
{
    struct bench *bench = *state;
    static const struct restore_row rows[] = {
        {"the one whose methods these are", AT("a.b.a(SourceFile:5)"), AT("shop.Main.open(Main.kt:13)"), 1, 1, NULL},
        {"the other one", AT("a.b.p(SourceFile:7)") AT("a.c.f(SourceFile:1)"),
         AT("bank.Account.pay(Account.java:70)") AT("bank.Vault.f(Vault.java:1)"), 2, 2, NULL},
        {"each stack for itself",
         "x.E: 1\n" AT("a.b.a(SourceFile:5)") "\n\n\n\n\n\n\n\n\n\nx.E: 2\n" AT("a.b.p(SourceFile:7)"),
         "x.E: 1\n" AT("shop.Main.open(Main.kt:13)") "\n\n\n\n\n\n\n\n\n\nx.E: 2\n" AT(
             "bank.Account.pay(Account.java:70)"),
         2, 2, NULL},
        {"both know as much", AT("a.b.zz(SourceFile:5)"), NULL, 1, 0, "equally well"},
        {"neither knows", AT("q.q.q(SourceFile:5)"), NULL, 1, 0, "none of the given mappings"},
        {"the stack says it", AT("a.b.zz(r8-map-id-9f9f9f9:5)"), AT("bank.Account.zz(Account.java:5)"), 1, 1, NULL},
        {"rows beside one with an id are of its build, whatever another mapping knows",
         AT("a.b.p(SourceFile:7)") AT("a.c.f(SourceFile:1)") AT("a.b.a(r8-map-id-1a2b3c4:5)"),
         AT("shop.Main.p(Main.kt:7)") AT("a.c.f(SourceFile:1)") AT("shop.Main.open(Main.kt:13)"), 3, 2,
         "no class of that name"},
    };
    check_all_restored(bench->with_two, rows, COUNT_OF(rows));
}

/* an event of Sentry, in which the UUID names the mapping */
#define EVENT(uuid, frame)                                                                       \
    "{\"platform\":\"java\",\"debug_meta\":{\"images\":[{\"type\":\"proguard\",\"uuid\":\"" uuid \
    "\"}]},\"exception\":{\"values\":[{\"type\":\"x.E\",\"stacktrace\":{\"frames\":[" frame "]}}]}}\n"
#define RENAMED "{\"module\":\"a.b\",\"function\":\"zz\",\"filename\":\"SourceFile\",\"lineno\":5}"
#define RESTORED(class_name, file) \
    "{\"module\":\"" class_name "\",\"function\":\"zz\",\"filename\":\"" file "\",\"lineno\":5}"

static void mappings_by_uuid(void **state)
{
    struct bench *bench = *state;
    static const struct restore_row rows[] = {
        {"the UUID of the mapping's bytes", EVENT(UUID_OF_BANK, RENAMED),
         EVENT(UUID_OF_BANK, RESTORED("bank.Account", "Account.java")), 1, 1, NULL},
        {"a UUID in the name of the file", EVENT(UUID_IN_PATH, RENAMED),
         EVENT(UUID_IN_PATH, RESTORED("drawn.Card", "Card.java")), 1, 1, NULL},
        {"a UUID that was drawn before the build says nothing of the bytes",
         EVENT("0d6b1f2e-0000-4000-8000-000000000000", RENAMED), NULL, 1, 0, "equally well"},
        {"an id of R8 in the place of the file goes before it",
         EVENT(UUID_OF_BANK,
               "{\"module\":\"a.b\",\"function\":\"zz\",\"filename\":\"r8-map-id-1a2b3c4\",\"lineno\":5}"),
         EVENT(UUID_OF_BANK, RESTORED("shop.Main", "Main.kt")), 1, 1, NULL},
    };
    static const struct restore_row single[] = {{"a single mapping is used whatever the UUID is",
                                                 EVENT(UUID_OF_BANK, RENAMED),
                                                 EVENT(UUID_OF_BANK, RESTORED("shop.Main", "Main.kt")), 1, 1, NULL}};
    check_all_restored(bench->with_two, rows, COUNT_OF(rows));
    check_all_restored(bench->with_one, single, COUNT_OF(single));
}

/* The UUID is computed from the bytes of the mapping itself, even if the file is compressed. */
static void a_compressed_mapping_by_uuid(void **state)
{
    static const struct restore_row rows[] = {{"the UUID of the mapping in the file", EVENT(UUID_OF_BANK, RENAMED),
                                               EVENT(UUID_OF_BANK, RESTORED("bank.Account", "Account.java")), 1, 1,
                                               NULL}};
    struct folder folder;
    (void)state;
    folder_make(&folder);
    put_file(&folder, "mapping.txt", framemap_str_of(shop));
    gzFile file = gzopen(in_folder(&folder, "bank.txt.gz"), "wb");
    assert_non_null(file);
    assert_int_equal(gzwrite(file, bank, sizeof bank - 1), sizeof bank - 1);
    assert_int_equal(gzclose(file), Z_OK);
    framemap_session *session = open_on(folder.path, NULL);
    check_all_restored(session, rows, COUNT_OF(rows));
    framemap_session_close(session);
    remove_tree(folder.path);
}

/* The ids of several builds begin alike. A shortened id is used only if it is the start of one build's id and not of
 * another's. */
static void ids_that_begin_alike(void **state)
{
    (void)state;
    static const char *const ids[] = {"1a2b3c4", "1a2b3c4d5e6f", "7777777aaaa", "7777777bbbb", "9f9f9f9"};
    static const struct restore_row rows[] = {
        {"the same", AT("a.b.a(r8-map-id-1a2b3c4:5)"), AT("shop.M0.run(M0.java:5)"), 1, 1, NULL},
        {"the same, though another begins it", AT("a.b.a(r8-map-id-1a2b3c4d5e6f:5)"), AT("shop.M1.run(M1.java:5)"), 1,
         1, NULL},
        {"one begins it", AT("a.b.a(r8-map-id-1a2b3c4999:5)"), AT("shop.M0.run(M0.java:5)"), 1, 1, NULL},
        {"one begins it, and it another", AT("a.b.a(r8-map-id-1a2b3c4d:5)"), NULL, 1, 0, "several mappings have ids"},
        {"two begin it", AT("a.b.a(r8-map-id-1a2b3c4d5e6f7:5)"), NULL, 1, 0, "several mappings have ids"},
        {"it begins two", AT("a.b.a(r8-map-id-7777777:5)"), NULL, 1, 0, "several mappings have ids"},
        {"it begins one", AT("a.b.a(r8-map-id-7777777b:5)"), AT("shop.M3.run(M3.java:5)"), 1, 1, NULL},
        {"too short to be the begin of one", AT("a.b.a(r8-map-id-9f9f9f:5)"), NULL, 1, 0, "other builds"},
        {"below all", AT("a.b.a(r8-map-id-0000000:5)"), NULL, 1, 0, "other builds"},
        {"above all", AT("a.b.a(r8-map-id-fffffff:5)"), NULL, 1, 0, "other builds"},
        {"the last", AT("a.b.a(r8-map-id-9f9f9f900:5)"), AT("shop.M4.run(M4.java:5)"), 1, 1, NULL},
    };
    struct folder folder;
    folder_make(&folder);
    for (size_t i = 0; i < COUNT_OF(ids); i++) {
        char name[32], text[256];
        snprintf(name, sizeof name, "%zu/mapping.txt", COUNT_OF(ids) - i);
        snprintf(text, sizeof text, "# pg_map_id: %s\nshop.M%zu -> a.b:\n    1:9:void run():1:9 -> a\n", ids[i], i);
        put_file(&folder, name, framemap_str_of(text));
    }
    framemap_session *session = open_on(folder.path, NULL);
    check_all_restored(session, rows, COUNT_OF(rows));
    framemap_session_close(session);
    remove_tree(folder.path);
}

static void count_missing(void *context, const framemap_missing *missing)
{
    fm_buf_printf(context, "%.*s %.*s %llu %s\n", (int)missing->name.size, missing->name.data, (int)missing->id.size,
                  missing->id.data, (unsigned long long)missing->frames, missing->reason);
}

static void no_mapping(void **state)
{
    struct bench *bench = *state;
    static const struct restore_row rows[] = {
        {"renamed frames lack one", AT("a.b.a(SourceFile:5)") AT("tg.a.e(MethodRecorder.kt:1)"), NULL, 2, 0,
         "no mapping.txt"},
        {"others don't",
         AT("com.example.Main.run(Main.java:5)") AT("com.example.R2.a(R2.java)") AT("x.Y.z(Native Method)"), NULL, 0, 0,
         NULL},
        {"an id", AT("a.b.a(r8-map-id-7777777:5)"), NULL, 1, 0, "no mapping.txt"},
    };
    struct fm_heap heap;
    struct fm_buf out;
    framemap_session_missing(bench->without, NULL, NULL);
    check_all_restored(bench->without, rows, COUNT_OF(rows));
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    framemap_session_missing(bench->without, count_missing, &out);
    assert_str(fm_buf_view(&out), "mapping.txt  4 no mapping.txt was given for this stack\n"
                                  /* 2, because every text was restored twice above */
                                  "mapping.txt 7777777 2 no mapping.txt was given for this stack\n");
    fm_buf_free(&out);
}

/* If R8 renamed nothing, the mapping consists of a header only. A truncated copy of a mapping may consist of it,
 * too. */
static void a_mapping_without_classes(void **state)
{
    (void)state;
    static const struct restore_row rows[] = {
        {"by id", AT("a.b.a(r8-map-id-1a2b3c4:5)"), NULL, 1, 0, "the mapping given for this stack has no classes"},
        {"the only one", AT("a.b.a(SourceFile:5)"), NULL, 1, 0, "the mapping given for this stack has no classes"},
    };
    struct folder folder;
    folder_make(&folder);
    put_file(&folder, "mapping.txt", FM_STR("# compiler: R8\n# pg_map_id: 1a2b3c4\n"));
    framemap_session *session = open_on(folder.path, NULL);
    check_all_restored(session, rows, COUNT_OF(rows));
    framemap_session_close(session);
    remove_tree(folder.path);
}

/* Tests a stack overflow: a hundred thousand frames at a few positions, each of which is looked up only once. */
static void a_stack_overflow(void **state)
{
    struct bench *bench = *state;
    struct fm_heap heap;
    struct fm_buf text, out;
    framemap_error error = {0};
    framemap_restore_summary summary;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    fm_buf_init(&out, &heap);
    for (unsigned i = 0; i < 100000; i++) fm_buf_printf(&text, AT("a.b.a(SourceFile:%u)"), 4 + i % 2);
    must_ok(framemap_session_restore(bench->with_one, fm_buf_view(&text), NULL, gather, &out, &summary, &error),
            &error);
    assert_int_equal(summary.restored, 100000);
    fm_buf_free(&text);
    fm_buf_free(&out);
}

/* Restored frames are in the memory of the list of traces, so they can be printed after the session and its indexes are
 * closed. */
static void a_list_outlives_its_session(void **state)
{
    struct bench *bench = *state;
    static const char text[] = "a.x: no\n" AT("a.b.a(SourceFile:4)") AT("a.b.c(SourceFile:7)");
    const char *path = bench->one.path;
    struct fm_heap heap;
    struct fm_buf out;
    framemap_error error = {0};
    framemap_trace_list list;
    framemap_session *session = NULL;
    const framemap_session_options options = {
        .size = sizeof options, .symbol_paths = &path, .symbol_path_count = 1, .cache_path = "", .max_index_bytes = 1};
    must_ok(framemap_session_open(&options, &session, &error), &error);
    must_ok(framemap_trace_parse(framemap_str_of(text), NULL, &list, &error), &error);
    must_ok(framemap_session_restore_traces(session, &list, FRAMEMAP_DEMANGLE_DEFAULT, NULL, &error), &error);
    framemap_session_close(session);
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    must_ok(framemap_trace_print(framemap_str_of(text), list.traces, list.count, "text", gather, &out, &error), &error);
    assert_str(fm_buf_view(&out), "shop.Fault: no\n" AT("shop.Text.trim(Text.java:31)") AT("shop.Main.open(Main.kt:12)")
                                      AT("shop.Main.one(Main.kt:7)") "\t<OR> at shop.Main.two(Main.kt:7)\n");
    fm_buf_free(&out);
    framemap_trace_list_free(&list);
}

static bool restore_all(const framemap_allocator *allocator, void *context)
{
    const struct bench *bench = context;
    static const char text[] = "a.x: {\"q\"}\n" AT("a.b.e(SourceFile:1)")
        AT("a.b.\\u003cinit\\u003e(SourceFile:2)") "Caused by: a.x\n" AT("a.b.p(SourceFile:7)");
    struct fm_heap heap;
    struct fm_buf out;
    framemap_error error = {0};
    framemap_session *session = open_on(bench->two.path, allocator);
    if (session == NULL) return false;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    const framemap_restore_options options = {.size = sizeof options, .output = "json"};
    framemap_status status =
        framemap_session_restore(session, framemap_str_of(text), &options, gather, &out, NULL, &error);
    if (status != FRAMEMAP_OK) assert_int_equal(error.code, FRAMEMAP_E_MEMORY);
    fm_buf_free(&out);
    framemap_session_close(session);
    return status == FRAMEMAP_OK;
}

static void out_of_memory(void **state)
{
    struct bench *bench = *state;
    sweep_allocations(restore_all, bench);
}

static void note_symbol(void *context, const framemap_trace *traces, size_t count)
{
    char *symbol = context;
    assert_int_equal(count, 1);
    const framemap_frame *source = &traces[0].frames[0].restored.frames[0];
    assert_true(source->symbol.size < 64);
    if (source->symbol.size) memcpy(symbol, source->symbol.data, source->symbol.size);
    symbol[source->symbol.size] = '\0';
}

/* The printed text does not contain signatures of methods, but the traces that are passed to options.visit do. */
static void symbols_beside_the_text(void **state)
{
    struct bench *bench = *state;
    struct fm_heap heap;
    struct fm_buf out;
    framemap_error error = {0};
    char symbol[64] = "none";
    framemap_restore_options options = {.size = sizeof options, .visit = note_symbol, .visit_context = symbol};
    const framemap_str text = FM_STR("a.x: m\n" AT("a.b.a(SourceFile:4)"));
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    must_ok(framemap_session_restore(bench->with_one, text, &options, gather, &out, NULL, &error), &error);
    assert_string_equal(symbol, "void trim(java.lang.String)");
    options = (framemap_restore_options){.size = sizeof options, .output = "json"};
    fm_buf_clear(&out);
    must_ok(framemap_session_restore(bench->with_one, text, &options, gather, &out, NULL, &error), &error);
    assert_true(fm_str_find(fm_buf_view(&out), FM_STR("\"symbol\":\"void open(int)\"")) != FM_NOT_FOUND);
    fm_buf_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_mapping),
                                       cmocka_unit_test(two_mappings),
                                       cmocka_unit_test(mappings_by_uuid),
                                       cmocka_unit_test(a_compressed_mapping_by_uuid),
                                       cmocka_unit_test(ids_that_begin_alike),
                                       cmocka_unit_test(no_mapping),
                                       cmocka_unit_test(a_mapping_without_classes),
                                       cmocka_unit_test(a_stack_overflow),
                                       cmocka_unit_test(a_list_outlives_its_session),
                                       cmocka_unit_test(symbols_beside_the_text),
                                       cmocka_unit_test(out_of_memory)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
