/* Tests that the result for a frame depends on its own report and on the text before it, but not on later text. For
 * each pair of texts T1 and T2, the result for T1 alone must be the start of the result for T1 followed by T2. The
 * texts are of all families. */
#include "core/archive/inflate_input.h"
#include "core/text/buffer.h"
#include "tests/corpus.h"
#include "tests/session/restore/restore_help.h"

/* Lines that end every report: there are more of them than a parser skips in a report. They contain no header of a
 * report, so the state of a parser is kept from one text to the next. */
#define LINES_10 "log\nlog\nlog\nlog\nlog\nlog\nlog\nlog\nlog\n\n"
#define LINES_100 LINES_10 LINES_10 LINES_10 LINES_10 LINES_10 LINES_10 LINES_10 LINES_10 LINES_10 LINES_10
#define BETWEEN "\n" LINES_100 LINES_100 LINES_100

enum { TEXTS = 1024, LONGEST = 40000, PARTNERS = 12 };

struct text {
    char name[200];
    framemap_str bytes;
};

struct bench {
    struct folder one, several;
    struct text texts[TEXTS];
    size_t own_count, count; /* own_count: number of texts that were written for this test; they are the first ones */
    framemap_session *sessions[2];
    char missing_cases[512]; /* path of the folder of conformance data if that folder is missing, otherwise empty */
};

/* --- texts --- */

#define V8(file) "    at t (" file ":1:1)\n"

/* Texts that could change the result for a text before them. */
static const struct {
    const char *name, *text;
} own[] = {
    {"the app's script", "Error: a\n" V8("https://shop.example/app.js")},
    {"another host's", "Error: b\n" V8("https://tags.example/gtm.js") V8("https://tags.example/gtm.js?id=1")},
    {"two scripts", "Error: c\n" V8("https://shop.example/app.js") V8("https://shop.example/lib.js")},
    {"a script whose map is given", "Error: d\n" V8("https://shop.example/named.js")},
    {"a module of a bundle in parts", "t@2.js:1:1\nu@3.js:1:1\n"},
    {"rows without a file", "Error: x, stack:\nt@1:1\ne@1:2\n"},
    {"an extension", "Error: e\n" V8("chrome-extension://abcdefgh/content.js")},
    {"a source", "Error: f\n    at t (src/a.ts:1:1)\n"},
    {"bytecode", "Error: g\n    at t (address at index.android.bundle:1:1)\n"},
    {"Java, one mapping's", "x.E: 1\n\tat a.b.a(SourceFile:5)\n"},
    {"Java, the other's", "x.E: 2\n\tat a.b.p(SourceFile:7)\n\tat a.c.f(SourceFile:1)\n"},
    {"Java, both", "x.E: 3\n\tat a.b.zz(SourceFile:5)\nCaused by: a.x: y\n\tat a.b.a(SourceFile:5)\n\t... 1 more\n"},
    {"Java, by id", "x.E: 4\n\tat a.b.a(r8-map-id-9f9f9f9:5)\n"},
    {"a map's id", "# pg_map_id: 9f9f9f9\n"},
    {"native, by build id",
     "    #00 pc 0000000000010105  /data/app/libapp.so (main+5) (BuildId: 11223344aabbccdd11223344aabbccdd11223344)\n"},
    {"native, by name", "*** ***\nABI: 'arm64'\n    #00 pc 0000000000010105  /data/app/libapp.so\n"},
    {"glibc", "/opt/libapp.so(main+0x5) [0x7f0000010105]\n/opt/libapp.so(+0x10105) [0x7f0000010105]\n"},
    {"Apple rows with a place", "0   libapp.so   0x0000000104f10105 0x104f00000 + 65797\n1   libapp.so   "
                                "0x0000000104f10125 0x104f00000 + 65829\n"},
    {"Apple rows without a place",
     "0   libapp.so   0x0000000104f10105 main + 5\n1   libapp.so   0x0000000104f10125 main + 37\n"},
    {"an Apple report without a header",
     "Thread 0:\n0   libapp.so   0x0000000104f10105 main + 5\n\nBinary Images:\n"
     "0x104f00000 - 0x104f1ffff libapp.so arm64  <11223344aabbccdd11223344aabbccdd> /x/libapp.so\n"},
    {"a list of images alone",
     "Binary Images:\n0x104f00000 - 0x104f1ffff libapp.so arm64  <11223344aabbccdd11223344aabbccdd> /x/libapp.so\n"},
    {"addresses alone", "*** First throw call stack:\n(0x104f10105 0x104f10125 0x204f10105)\n"},
    {"an Apple report",
     "Incident Identifier: 1\nProcess: App [1]\nCode Type: ARM-64\n\nThread 0 Crashed:\n0   libapp.so   "
     "0x0000000104f10105 0x104f00000 + 65797\n"
     "\nBinary Images:\n0x104f00000 - 0x104f1ffff libapp.so arm64  <11223344aabbccdd11223344aabbccdd> /x/libapp.so\n"},
    {"an Apple report whose rows have no place",
     "Incident Identifier: 2\nProcess: App [2]\nCode Type: ARM-64\n\nThread 0 Crashed:\n0   libapp.so   "
     "0x0000000204f10105 main + 5\n"
     "\nBinary Images:\n0x204f00000 - 0x204f1ffff libapp.so arm64  <11223344aabbccdd11223344aabbccdd> /x/libapp.so\n"},
};

static void add_text(struct bench *bench, const char *name, framemap_str bytes)
{
    if (bench->count == TEXTS) fail_msg("more than %d texts", TEXTS);
    struct text *text = &bench->texts[bench->count++];
    const size_t size = strlen(name), cut = size < sizeof text->name ? 0 : size - sizeof text->name + 1;
    snprintf(text->name, sizeof text->name, "%s", name + cut);
    text->bytes = bytes;
}

/* Adds the texts in a folder, except texts that are too long, have a NUL byte, or are compressed (which may be damaged
 * on purpose). */
static void add_folder(struct bench *bench, const char *path)
{
    struct dirent **rows = NULL;
    const int count = scandir(path, &rows, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char below[1024];
        struct stat info;
        const bool fits = (size_t)snprintf(below, sizeof below, "%s/%s", path, rows[i]->d_name) < sizeof below;
        const bool shown = rows[i]->d_name[0] != '.';
        free(rows[i]);
        if (!fits || !shown || stat(below, &info) != 0) continue;
        if (S_ISDIR(info.st_mode)) {
            add_folder(bench, below);
            continue;
        }
        if (!S_ISREG(info.st_mode) || info.st_size == 0 || info.st_size > LONGEST) continue;
        const framemap_str bytes = corpus_read(below);
        if (memchr(bytes.data, 0, bytes.size) != NULL || fm_is_compressed(bytes))
            corpus_free(bytes);
        else
            add_text(bench, below, bytes);
    }
    free(rows);
}

/* --- opening sessions for the test --- */

static framemap_session *session_of(const char *const *paths, size_t count)
{
    framemap_session *session = NULL;
    framemap_error error = {0};
    const framemap_session_options options = {
        .size = sizeof options, .symbol_paths = paths, .symbol_path_count = count, .cache_path = ""};
    must_ok(framemap_session_open(&options, &session, &error), &error);
    return session;
}

static void put_symbols(struct bench *bench)
{
    static const struct made_image app = {
        .name = "libapp.so", .id = "11223344aabbccdd11223344aabbccdd11223344", .arch = "arm64", .functions = {"main"}};
    static const char map[] = "{\"version\":3,\"sources\":[\"src/a.ts\"],\"names\":[],\"mappings\":\"AAAA\"}";
    folder_make(&bench->one);
    folder_make(&bench->several);
    put_file(&bench->one, "upload.map", framemap_str_of(map));
    put_file(&bench->one, "mapping.txt", FM_STR("shop.Main -> a.b:\n    5:5:void open(int):13:13 -> a\n"));
    put_index(&bench->one, "libapp.so.fmx", &app);
    put_file(&bench->several, "named.js.map", framemap_str_of(map));
    put_file(&bench->several, "shop/mapping.txt",
             FM_STR("# pg_map_id: 1a2b3c4\nshop.Main -> a.b:\n    5:5:void open(int):13:13 -> a\n"));
    put_file(&bench->several, "bank/mapping.txt",
             FM_STR("# pg_map_id: 9f9f9f9\nbank.Account -> a.b:\n    7:7:void pay():70:70 -> p\nbank.Vault -> a.c:\n"));
}

static const char *cases_folder(void)
{
    const char *named = getenv("FRAMEMAP_CASES");
    return named ? named : FM_SOURCE_DIR "/../shared/cases";
}

static int set_up(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    char stacks[512];
    if (bench == NULL) return -1;
    for (size_t i = 0; i < COUNT_OF(own); i++) {
        char *copy = strdup(own[i].text);
        add_text(bench, own[i].name, framemap_str_of(copy));
    }
    bench->own_count = bench->count;
    add_folder(bench, CORPUS "fuzz/formats");
    add_folder(bench, CORPUS "fuzz/restore");
    add_folder(bench, CORPUS "javascript/stacks");
    add_folder(bench, CORPUS "dart");
    add_folder(bench, CORPUS "java/r8");
    add_text(bench, "demo/web.log", corpus_read(CORPUS "demo/web.log"));
    add_text(bench, "demo/logcat.txt", corpus_read(CORPUS "demo/logcat.txt"));
    add_text(bench, "demo/ios.crash", corpus_read(CORPUS "demo/ios.crash"));
    add_text(bench, "demo/tombstone.txt", corpus_read(CORPUS "demo/tombstone.txt"));
    snprintf(stacks, sizeof stacks, "%s/stacks", cases_folder());
    struct stat info;
    if (stat(stacks, &info) == 0)
        add_folder(bench, stacks);
    else
        snprintf(bench->missing_cases, sizeof bench->missing_cases, "%s", stacks);
    put_symbols(bench);
    const char *const one[] = {bench->one.path};
    const char *const several[] = {bench->several.path, CORPUS "demo/symbols", CORPUS "dart"};
    bench->sessions[0] = session_of(one, COUNT_OF(one));
    bench->sessions[1] = session_of(several, COUNT_OF(several));
    *state = bench;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    for (size_t i = 0; i < bench->count; i++) corpus_free(bench->texts[i].bytes);
    for (size_t i = 0; i < COUNT_OF(bench->sessions); i++) framemap_session_close(bench->sessions[i]);
    remove_tree(bench->one.path);
    remove_tree(bench->several.path);
    free(bench);
    return 0;
}

/* --- testing that later text does not change earlier frames --- */

struct run {
    framemap_session *session;
    struct fm_heap heap;
    struct fm_buf text, alone, both;
    size_t pairs, wrong, restored;
};

static void run_begin(struct run *run, framemap_session *session)
{
    *run = (struct run){.session = session};
    fm_heap_init(&run->heap, NULL, 0);
    fm_buf_init(&run->text, &run->heap);
    fm_buf_init(&run->alone, &run->heap);
    fm_buf_init(&run->both, &run->heap);
}

static void run_end(struct run *run)
{
    fm_buf_free(&run->text);
    fm_buf_free(&run->alone);
    fm_buf_free(&run->both);
}

static void restore(struct run *run, const char *output, struct fm_buf *out)
{
    framemap_error error = {0};
    framemap_restore_summary summary;
    const framemap_restore_options options = {.size = sizeof options, .output = output};
    fm_buf_clear(out);
    must_ok(framemap_session_restore(run->session, fm_buf_view(&run->text), &options, gather, out, &summary, &error),
            &error);
    run->restored += (size_t)summary.restored;
}

/* Writes the first text (T1) of a run, and the lines between it and the second text (T2). */
static void put_first(struct run *run, const struct text *first)
{
    fm_buf_clear(&run->text);
    fm_buf_str(&run->text, first->bytes);
    fm_buf_str(&run->text, FM_STR(BETWEEN));
}

static void check_pair(struct run *run, const struct text *first, const struct text *second, const char *output)
{
    put_first(run, first);
    fm_buf_str(&run->text, second->bytes);
    restore(run, output, &run->both);
    run->pairs++;
    if (fm_str_starts(fm_buf_view(&run->both), fm_buf_view(&run->alone))) return;
    size_t at = 0;
    while (at < run->alone.size && at < run->both.size && run->alone.data[at] == run->both.data[at]) at++;
    const size_t from = at > 100 ? at - 100 : 0;
    const framemap_str alone = fm_str_from(fm_buf_view(&run->alone), from),
                       both = fm_str_from(fm_buf_view(&run->both), from);
    if (run->wrong++ < 10)
        print_error("%s as %s, with %s below:\n  %.*s\n  %.*s\n", first->name, output, second->name,
                    (int)(alone.size < 300 ? alone.size : 300), alone.data, (int)(both.size < 300 ? both.size : 300),
                    both.data);
}

/* Removes the last lines of JSON output, which contain totals for the whole text and therefore differ. */
static void cut_totals(struct fm_buf *json)
{
    const framemap_str totals[] = {FM_STR("{\"t\":\"missing\""), FM_STR("{\"t\":\"end\"")};
    for (size_t i = 0; i < COUNT_OF(totals); i++) {
        const size_t at = fm_str_find(fm_buf_view(json), totals[i]);
        if (at != FM_NOT_FOUND && (at == 0 || json->data[at - 1] == '\n')) json->size = at;
    }
}

/* Tests a text as T1 with several of the first `count` texts as T2. These are chosen at equal distances, so that they
 * are from all parts of the list. */
static void check_text(struct run *run, const struct bench *bench, size_t first, size_t count)
{
    static const char *const outputs[] = {"text", "json"};
    const size_t most = count <= bench->own_count || count < PARTNERS ? count : PARTNERS, step = count / most;
    for (size_t o = 0; o < COUNT_OF(outputs); o++) {
        put_first(run, &bench->texts[first]);
        restore(run, outputs[o], &run->alone);
        cut_totals(&run->alone);
        for (size_t k = 0; k < most; k++)
            check_pair(run, &bench->texts[first], &bench->texts[(first + k * step) % count], outputs[o]);
    }
}

static void check_texts(struct bench *bench, size_t from, size_t to, size_t partners)
{
    size_t restored = 0, wrong = 0, pairs = 0;
    for (size_t s = 0; s < COUNT_OF(bench->sessions); s++) {
        struct run run;
        run_begin(&run, bench->sessions[s]);
        for (size_t i = from; i < to; i++) {
            check_text(&run, bench, i, partners);
        }
        restored += run.restored;
        wrong += run.wrong;
        pairs += run.pairs;
        run_end(&run);
    }
    print_message("%zu pairs of %zu texts, %zu frames restored\n", pairs, to - from, restored);
    assert_true(restored > 0);
    assert_int_equal(wrong, 0);
}

static void texts_made_for_it(void **state)
{
    struct bench *bench = *state;
    check_texts(bench, 0, bench->own_count, bench->own_count);
}

static void texts_of_the_corpus(void **state)
{
    struct bench *bench = *state;
    check_texts(bench, bench->own_count, bench->count, bench->count);
}

/* Tests pairs of all texts, including the collected reports if FRAMEMAP_CASES is set to their folder. */
static void real_reports(void **state)
{
    struct bench *bench = *state;
    if (bench->missing_cases[0] == 0) return;
    print_message("skipped: there is no %s\n", bench->missing_cases);
    skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(texts_made_for_it), cmocka_unit_test(texts_of_the_corpus),
                                       cmocka_unit_test(real_reports)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
