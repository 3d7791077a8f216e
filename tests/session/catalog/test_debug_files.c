/* Tests debug info in a separate file. The file is found by the name and the checksum in .gnu_debuglink, in every
 * folder that is searched, whatever other files are there. */
#define _XOPEN_SOURCE 700 /* this declares realpath() */
#include "core/text/buffer.h"
#include "tests/corpus.h"
#include "tests/session/session_help.h"

#include "mappers/native/image/image.h"

#define LINE_21 "chain.c:21"
#define LINK "program.debug"
#define LINK_ROOM 16 /* room for the name of the link, a multiple of 4 bytes */
/* offset of the code in the file of the whole program; the code's address is 0x400250 */
#define CODE_AT 0x250

/* A program and its debug file. */
struct pair {
    framemap_bytes program, debug;
};

static void forget_id(framemap_bytes *file)
{
    static const unsigned char note[] = {4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0};
    const size_t at = fm_str_find(fm_str(file->data, file->size), fm_str(note, sizeof note));
    assert_true(at != FM_NOT_FOUND);
    file->data[at + 8] = 99; /* a type other than that of build ids */
}

static void link_to(framemap_bytes *program, uint32_t crc)
{
    const size_t at = fm_str_find(fm_str(program->data, program->size), fm_str(LINK, sizeof LINK));
    assert_true(at != FM_NOT_FOUND);
    for (unsigned i = 0; i < 4; i++) program->data[at + LINK_ROOM + i] = (unsigned char)(crc >> 8 * i);
}

static uint32_t crc_of(const framemap_bytes *file) { return fm_image_link_crc(framemap_bytes_str(file)); }

static struct pair read_pair(bool ids)
{
    struct pair pair = {get_file(CORPUS "native/split/program"), get_file(CORPUS "native/split/program.debug")};
    if (ids) return pair;
    forget_id(&pair.program);
    forget_id(&pair.debug);
    link_to(&pair.program, crc_of(&pair.debug));
    return pair;
}

static void free_pair(struct pair *pair)
{
    framemap_bytes_free(&pair->program);
    framemap_bytes_free(&pair->debug);
}

/* The result of restoring a frame of the program: the text, and the reason why symbols are missing. */
struct answer {
    char text[1024], missing[300];
    struct warnings warnings;
};

static void keep_missing(void *context, const framemap_missing *missing)
{
    struct answer *answer = context;
    snprintf(answer->missing, sizeof answer->missing, "%s", missing->reason);
}

static void restore(framemap_session *session, struct answer *out)
{
    struct fm_heap heap;
    struct fm_buf text;
    framemap_error error = {0};
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    must_ok(framemap_session_restore(session, FM_STR("      #00 pc 0000000000400250  /x/program\n"), NULL, gather,
                                     &text, NULL, &error),
            &error);
    snprintf(out->text, sizeof out->text, "%.*s", (int)text.size, text.data);
    fm_buf_free(&text);
    out->missing[0] = 0;
    framemap_session_missing(session, keep_missing, out);
}

static framemap_session *open_session(const struct folder *folder, const char *const *names, const char *debug_folder,
                                      const char *cache, struct answer *out)
{
    const char *paths[4];
    size_t count = 0;
    framemap_session *session;
    framemap_error error = {0};
    for (; names[count]; count++) paths[count] = in_folder(folder, names[count]);
    const framemap_session_options options = {.size = sizeof options,
                                              .symbol_paths = paths,
                                              .symbol_path_count = count,
                                              .cache_path = cache,
                                              .warning = keep_warning,
                                              .context = &out->warnings,
                                              .debug_folders = &debug_folder,
                                              .debug_folder_count = debug_folder ? 1 : 0};
    must_ok(framemap_session_open(&options, &session, &error), &error);
    return session;
}

static void ask(const struct folder *folder, const char *const *names, const char *debug_folder, const char *cache,
                struct answer *out)
{
    memset(out, 0, sizeof *out);
    framemap_session *session = open_session(folder, names, debug_folder, cache, out);
    restore(session, out);
    framemap_session_close(session);
}

enum what { NOTHING, PROGRAM, DEBUG, OTHER_DEBUG, WHOLE, OTHER_WHOLE, UNLINKED };

static framemap_bytes make(enum what what, bool ids)
{
    struct pair pair = read_pair(ids);
    framemap_bytes out = {0};
    switch (what) {
    case PROGRAM: out = pair.program; break;
    case UNLINKED:
        pair.program.data[fm_str_find(fm_str(pair.program.data, pair.program.size), FM_STR(LINK))] = 'q';
        out = pair.program;
        break;
    case DEBUG: out = pair.debug; break;
    case OTHER_DEBUG:
        pair.debug.data[pair.debug.size - 1] ^= 1;
        out = pair.debug;
        break;
    case WHOLE:
    case OTHER_WHOLE:
        out = get_file(CORPUS "native/gcc-x86_64-O2.elf");
        if (!ids) forget_id(&out);
        if (what == OTHER_WHOLE) out.data[CODE_AT] ^= 2;
        break;
    case NOTHING: break;
    }
    if (out.data != pair.program.data) framemap_bytes_free(&pair.program);
    if (out.data != pair.debug.data) framemap_bytes_free(&pair.debug);
    return out;
}

static void every_place(void **state)
{
    (void)state;
    static const struct {
        const char *why;
        struct {
            const char *name;
            enum what what;
        } files[3];
        const char *given[3];
        /* debug_folder: relative to the test's folder; NULL: the session has no debug folder */
        const char *debug_folder;
        bool ids, found;
        const char *missing; /* part of the reason why symbols are missing */
        unsigned warnings;
    } rows[] = {
        {"beside, the program given", {{"program", PROGRAM}, {LINK, DEBUG}}, {"program"}, NULL, false, true, NULL, 0},
        {"beside, the folder given", {{"program", PROGRAM}, {LINK, DEBUG}}, {"."}, NULL, false, true, NULL, 0},
        {"both given, the program first",
         {{"program", PROGRAM}, {LINK, DEBUG}},
         {"program", LINK},
         NULL,
         false,
         true,
         NULL,
         0},
        {"both given, the debug file first",
         {{"program", PROGRAM}, {LINK, DEBUG}},
         {LINK, "program"},
         NULL,
         false,
         true,
         NULL,
         0},
        {"the debug file alone", {{LINK, DEBUG}}, {LINK}, NULL, false, true, NULL, 0},
        {"in .debug", {{"program", PROGRAM}, {".debug/" LINK, DEBUG}}, {"program"}, NULL, false, true, NULL, 0},
        {"somewhere below another path that is given",
         {{"bin/program", PROGRAM}, {"symbols/deep/" LINK, DEBUG}},
         {"bin/program", "symbols"},
         NULL,
         false,
         true,
         NULL,
         0},
        {"by build id, although the checksum is another's",
         {{"program", PROGRAM}, {LINK, OTHER_DEBUG}},
         {"program"},
         NULL,
         true,
         true,
         NULL,
         0},
        {"another checksum, the program given",
         {{"program", PROGRAM}, {LINK, OTHER_DEBUG}},
         {"program"},
         NULL,
         false,
         false,
         "is stripped: give its debug file program.debug (CRC-32 0x",
         1},
        {"another checksum, the folder given",
         {{"program", PROGRAM}, {LINK, OTHER_DEBUG}},
         {"."},
         NULL,
         false,
         false,
         "several files fit",
         1},
        {"another checksum beside, the right one in .debug",
         {{"program", PROGRAM}, {LINK, OTHER_DEBUG}, {".debug/" LINK, DEBUG}},
         {"program"},
         NULL,
         false,
         true,
         NULL,
         1},
        {"nowhere",
         {{"program", PROGRAM}},
         {"program"},
         NULL,
         false,
         false,
         "is stripped: give its debug file program.debug (CRC-32 0x",
         0},
        {"nowhere, with an id", {{"program", PROGRAM}}, {"program"}, NULL, true, false, "program.debug (build id ", 0},
        {"a link to a text",
         {{"program", PROGRAM}, {LINK, NOTHING}},
         {"program"},
         NULL,
         false,
         false,
         "is stripped",
         1},
        {"a link without its file, and the same code whole",
         {{"program", PROGRAM}, {"whole/program", WHOLE}},
         {"."},
         NULL,
         false,
         true,
         NULL,
         0},
        {"no link: the layout is the same", {{"program", UNLINKED}, {LINK, DEBUG}}, {"."}, NULL, false, true, NULL, 0},
        {"two copies", {{"a/program", WHOLE}, {"b/program", WHOLE}}, {"."}, NULL, false, true, NULL, 0},
        {"the whole file and its debug file, which names nothing",
         {{"a/program", WHOLE}, {"b/program.debug", DEBUG}},
         {"a", "b"},
         NULL,
         false,
         true,
         NULL,
         0},
        {"two builds",
         {{"a/program", WHOLE}, {"b/program", OTHER_WHOLE}},
         {"."},
         NULL,
         false,
         false,
         "several files fit",
         0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct folder folder;
        struct answer answer;
        folder_make(&folder);
        for (size_t k = 0; k < 3 && rows[i].files[k].name; k++) {
            framemap_bytes bytes = make(rows[i].files[k].what, rows[i].ids);
            put_file(&folder, rows[i].files[k].name,
                     bytes.size ? framemap_bytes_str(&bytes) : FM_STR("no object file\n"));
            framemap_bytes_free(&bytes);
        }
        ask(&folder, rows[i].given, rows[i].debug_folder, "", &answer);
        if ((strstr(answer.text, LINE_21) != NULL) != rows[i].found)
            fail_msg("%s: %s%s", rows[i].why, answer.text, answer.missing);
        if (rows[i].missing && !strstr(answer.missing, rows[i].missing))
            fail_msg("%s: missing: %s", rows[i].why, answer.missing);
        if (answer.warnings.count != rows[i].warnings)
            fail_msg("%s: %u warnings, the last: %s", rows[i].why, answer.warnings.count, answer.warnings.last.message);
        remove_tree(folder.path);
    }
}

/* Checks folders such as /usr/lib/debug, where the debug files are in subfolders with the paths of their programs. */
static void trees_of_debug_files(void **state)
{
    struct pair pair = read_pair(false);
    struct folder folder;
    struct answer answer;
    char real[4096], name[4400];
    static const char *const given[] = {"bin/program", NULL};
    (void)state;
    folder_make(&folder);
    put_file(&folder, "bin/program", framemap_bytes_str(&pair.program));
    assert_non_null(realpath(folder.path, real));
    snprintf(name, sizeof name, "tree%s/bin/" LINK, real);
    put_file(&folder, "tree/x", FM_STR("x"));
    put_file(&folder, name, framemap_bytes_str(&pair.debug));
    ask(&folder, given, in_folder(&folder, "tree"), "", &answer);
    if (!strstr(answer.text, LINE_21)) fail_msg("%s: %s", answer.text, answer.missing);
    ask(&folder, given, in_folder(&folder, "nosuch"), "", &answer);
    assert_null(strstr(answer.text, LINE_21));
    free_pair(&pair);
    remove_tree(folder.path);
}

/* An index on disk that was made from a debug file is found by that debug file. If another file replaces the debug file
 * while a session is open, the new file's checksum is compared. */
static void replaced_debug_files(void **state)
{
    struct pair pair = read_pair(false);
    struct folder folder;
    struct answer answer;
    static const char *const given[] = {"program", NULL};
    (void)state;
    folder_make(&folder);
    const char *cache = strdup(in_folder(&folder, "cache"));
    put_file(&folder, "program", framemap_bytes_str(&pair.program));
    put_file(&folder, LINK, framemap_bytes_str(&pair.debug));
    ask(&folder, given, NULL, cache, &answer);
    assert_non_null(strstr(answer.text, LINE_21));

    framemap_session *session = open_session(&folder, given, NULL, "", &answer);
    restore(session, &answer);
    assert_non_null(strstr(answer.text, LINE_21));
    const size_t at = fm_str_find(fm_str(pair.debug.data, pair.debug.size), FM_STR("src/chain.c"));
    assert_true(at != FM_NOT_FOUND);
    memcpy(pair.debug.data + at, "src/other.c", 11);
    put_file(&folder, LINK, framemap_bytes_str(&pair.debug));
    restore(session, &answer);
    framemap_session_close(session);
    assert_null(strstr(answer.text, LINE_21)); /* the new file does not have the checksum that is in the link */
    assert_int_equal(answer.warnings.count, 1);

    link_to(&pair.program, crc_of(&pair.debug));
    put_file(&folder, "program", framemap_bytes_str(&pair.program));
    ask(&folder, given, NULL, cache, &answer);
    if (!strstr(answer.text, "other.c:21")) fail_msg("%s: %s", answer.text, answer.missing);
    free((void *)(uintptr_t)cache);
    free_pair(&pair);
    remove_tree(folder.path);
}

/* A search without result is repeated after paths were added to the session. */
static void added_later(void **state)
{
    struct pair pair = read_pair(false);
    struct folder folder;
    struct answer answer = {.text = ""};
    framemap_error error = {0};
    static const char *const given[] = {"program", NULL};
    (void)state;
    folder_make(&folder);
    put_file(&folder, "program", framemap_bytes_str(&pair.program));
    put_file(&folder, "symbols/" LINK, framemap_bytes_str(&pair.debug));
    framemap_session *session = open_session(&folder, given, NULL, "", &answer);
    restore(session, &answer);
    assert_non_null(strstr(answer.missing, "is stripped"));
    must_ok(framemap_session_add(session, in_folder(&folder, "symbols"), &error), &error);
    restore(session, &answer);
    assert_non_null(strstr(answer.text, LINE_21));
    framemap_session_close(session);
    free_pair(&pair);
    remove_tree(folder.path);
}

/* framemap_session_debug_file returns the path of the debug file, or the reason why there is no debug file. */
static void the_public_call(void **state)
{
    struct pair pair = read_pair(false);
    struct folder folder;
    struct answer answer = {.text = ""};
    framemap_error error = {0};
    framemap_str path;
    static const char *const given[] = {NULL};
    (void)state;
    folder_make(&folder);
    put_file(&folder, "program", framemap_bytes_str(&pair.program));
    framemap_session *session = open_session(&folder, given, NULL, "", &answer);
    const framemap_image_query want = {.path = framemap_str_of(strdup(in_folder(&folder, "program")))};
    assert_int_equal(framemap_session_debug_file(session, &want, &path, &error), FRAMEMAP_E_EMPTY);
    if (!strstr(error.message, "it is stripped: give its debug file program.debug")) fail_msg("%s", error.message);
    put_file(&folder, LINK, framemap_bytes_str(&pair.debug));
    framemap_session_close(session);
    session = open_session(&folder, given, NULL, "", &answer);
    must_ok(framemap_session_debug_file(session, &want, &path, &error), &error);
    assert_str(path, in_folder(&folder, LINK));
    assert_int_equal(framemap_session_debug_file(session, NULL, &path, &error), FRAMEMAP_E_ARGUMENT);
    framemap_session_close(session);
    free((void *)(uintptr_t)want.path.data);
    free_pair(&pair);
    remove_tree(folder.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_place), cmocka_unit_test(trees_of_debug_files), cmocka_unit_test(replaced_debug_files),
        cmocka_unit_test(added_later), cmocka_unit_test(the_public_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
