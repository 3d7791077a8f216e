/* Makes a folder of symbol files from the input, which gives names, links, sizes and contents. The folder is either
 * a path with which the session is opened, or is added later; then everything in it is requested. Properties: the
 * scan ends, whatever links point to; a file outside of the folder is not opened because a script in the folder
 * names it; unreadable files give warnings; a text can be restored with the folder. Each entry of the input has a
 * kind, a folder, a name and contents. */
#include "fuzz/support/harness_help.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_ROWS = 24, FOLDERS = 6, PATH = 700, CEILING = 256 << 20 };

/* Content of a file outside of the folder. An answer may contain it only if a link in the folder points to that
 * file. */
#define SECRET "outside_secret"

struct tree {
    /* root: the folder that is passed to the session; top: the folder that contains it */
    char top[PATH], root[PATH];
    char folders[FOLDERS][PATH];
    unsigned folder_count;
    /* the folder contains a link, or the input contains SECRET, so that answers may contain SECRET too */
    bool has_link;
};

struct seen {
    bool secret;
};

static const char *const names[] = {
    "libapp.so", "libapp.so.debug", "mapping.txt", "main.js.map", "main.js", "app.arm64.symbols",
    "App.dSYM",  "Contents",        "Resources",   "DWARF",       "App",     ".build-id",
    "ab",        "cdef.debug",      "index.fmx",   ".debug"};

static const char mapping[] = "# pg_map_id: abcdef0\ncom.a.B -> a.b:\n    1:9:void c(int):11:19 -> d\n";
static const char map[] =
    "{\"version\":3,\"file\":\"main.js\",\"sources\":[\"a.ts\"],\"names\":[\"run\"],\"mappings\":\"AAAAA\"}";

/* Writes a thin archive with one member. text: the member's path; empty: a path outside of the folder. */
static void put_thin(const char *path, framemap_str text)
{
    char archive[400];
    const framemap_str name = text.size > 0 ? text : framemap_str_of("../outside/secret.js.map");
    const int size = (int)(name.size < 200 ? name.size : 200);
    snprintf(archive, sizeof archive, "!<thin>\n%-48s%-10d`\n%.*s/\n%-48s%-10d`\n", "//", size + 2 + size % 2, size,
             name.data, "/0", 100);
    (void)fuzz_put(path, framemap_str_of(archive));
}

enum { THIN = 30 }; /* values of `form` from this number on write a thin archive */

static void put_content(const char *path, unsigned form, struct fuzz_input *input)
{
    char script[400];
    framemap_bytes built = {0};
    const framemap_str text = fuzz_text(input);
    if (form >= THIN) {
        put_thin(path, text);
        return;
    }
    switch (form % 6) {
    case 0: (void)fuzz_put(path, framemap_str_of(mapping)); break;
    case 1: (void)fuzz_put(path, framemap_str_of(map)); break;
    case 2: /* this case writes a script that names its source map */
        snprintf(script, sizeof script, "function a(){}\n//# sourceMappingURL=%.*s\n", (int)text.size, text.data);
        (void)fuzz_put(path, framemap_str_of(script));
        break;
    case 3:
        snprintf(script, sizeof script, "//# sourceMappingURL=../outside/secret.js.map\n");
        (void)fuzz_put(path, framemap_str_of(script));
        break;
    case 4:
        if (framemap_index_build(framemap_str_of(mapping), framemap_str_of("mapping.txt"), NULL, &built, NULL) ==
            FRAMEMAP_OK)
            (void)fuzz_put(path, framemap_bytes_str(&built));
        framemap_bytes_free(&built);
        break;
    default: (void)fuzz_put(path, text); break;
    }
}

/* Reads a name from the input: one of a list of names, or any bytes without a slash. */
static void read_name(struct fuzz_input *input, char name[256])
{
    const unsigned form = (unsigned)fuzz_number(input, 1);
    if (form < 192) {
        snprintf(name, 256, "%s", names[form % 16]);
        return;
    }
    const framemap_str text = fuzz_text(input);
    memcpy(name, text.data, text.size);
    name[text.size] = 0;
    for (size_t i = 0; i < text.size; i++)
        if (name[i] == '/') name[i] = '_';
    if (name[0] == 0 || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) snprintf(name, 256, "x");
}

static void put_link(struct tree *tree, const char *path, unsigned form)
{
    static const char *const targets[] = {
        ".", "..", "../..", "main.js", "libapp.so", "/dev/zero", "/dev/null", "../outside", "../outside/secret.js.map"};
    if (symlink(targets[form % 9], path) == 0) tree->has_link = true;
}

static void put_row(struct tree *tree, struct fuzz_input *input)
{
    char name[256], path[PATH];
    const unsigned what = (unsigned)fuzz_number(input, 1);
    const char *folder = tree->folders[(unsigned)fuzz_number(input, 1) % tree->folder_count];
    read_name(input, name);
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) >= sizeof path) return;
    switch (what % 8) {
    case 0:
    case 1:
        if (mkdir(path, 0700) == 0 && tree->folder_count < FOLDERS) strcpy(tree->folders[tree->folder_count++], path);
        break;
    case 2: put_link(tree, path, what / 8); break;
    case 3:
        if (what & 64)
            (void)mkfifo(path, 0600);
        else
            /* this makes the file shorter, or longer with a hole at its end */
            (void)!truncate(path, (off_t)fuzz_number(input, 3));
        break;
    default: put_content(path, what / 8, input); break;
    }
}

static void begin(struct tree *tree)
{
    static unsigned count;
    char path[PATH + 40];
    *tree = (struct tree){.folder_count = 1};
    snprintf(tree->top, sizeof tree->top, "%s/%u", fuzz_folder(), count++);
    snprintf(tree->root, sizeof tree->root, "%.600s/root", tree->top);
    strcpy(tree->folders[0], tree->root);
    must(mkdir(tree->top, 0700) == 0 && mkdir(tree->root, 0700) == 0);
    snprintf(path, sizeof path, "%s/outside", tree->top);
    must(mkdir(path, 0700) == 0);
    snprintf(path, sizeof path, "%s/outside/secret.js.map", tree->top);
    must(fuzz_put(
        path, framemap_str_of("{\"version\":3,\"sources\":[\"" SECRET ".ts\"],\"names\":[],\"mappings\":\"AAAA\"}")));
}

/* --- querying a session --- */

static bool look(void *context, const char *data, size_t size)
{
    struct seen *seen = context;
    for (size_t i = 0; i + sizeof SECRET - 1 <= size && !seen->secret; i++)
        seen->secret = memcmp(data + i, SECRET, sizeof SECRET - 1) == 0;
    return true;
}

static void warn(void *context, const framemap_error *warning)
{
    (void)context;
    must(warning->message[0] != 0 && memchr(warning->message, 0, sizeof warning->message) != NULL);
}

static void forget(void *context, const framemap_missing *missing)
{
    (void)context;
    must(missing->reason != NULL);
}

static void want_index(framemap_session *session, const framemap_image_query *want, struct seen *seen)
{
    const framemap_index *index = NULL;
    framemap_error error = {0};
    framemap_str path = {NULL, 0};
    const framemap_status status = framemap_session_index(session, want, &index, &error);
    must(status == FRAMEMAP_OK || error.message[0] != 0);
    if (status == FRAMEMAP_OK) {
        (void)framemap_index_dump(index, "text", look, seen, NULL);
        framemap_session_release(session, index);
    }
    framemap_companion_request companion = {.size = sizeof companion,
                                            .kind = FRAMEMAP_COMPANION_DWO,
                                            .name = want->path,
                                            .folder = want->arch,
                                            .id = want->id};
    framemap_str bytes;
    for (; companion.attempt < 4 && framemap_session_companion(session, "libapp.so", &companion, &bytes);
         companion.attempt++)
        must(bytes.size > 0);
    if (framemap_session_debug_file(session, want, &path, &error) == FRAMEMAP_OK) must(path.size > 0);
}

/* Restores a text with the folder. labeled: all files have `labels`. A text without labels, or with another tenant's
 * labels, must then not be restored. */
static void ask(framemap_session *session, struct seen *seen, const framemap_scope *labels, bool labeled)
{
    static const char text[] =
        "Error: x\n    at a (https://x.example/main.js:1:1)\n    at b (https://x.example/js/app.js:1:9)\n\n"
        "java.lang.Error: y\n\tat a.b.d(SourceFile:3)\n\n*** ***\n    #00 pc 0000000000001000  /data/libapp.so\n"
        "    #01 pc 0000000000001000  /data/App (BuildId: abcdef00)\n";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const framemap_image_query want = {.name = framemap_str_of(names[i])};
        want_index(session, &want, seen);
    }
    const framemap_image_query by_id = {.id = framemap_str_of("abcdef0")};
    want_index(session, &by_id, seen);
    framemap_scope other = *labels;
    other.tenant = framemap_str_of("b");
    const framemap_scope *const scopes[] = {NULL, labels, &other};
    for (size_t i = 0; i < sizeof scopes / sizeof *scopes; i++) {
        framemap_restore_summary summary;
        const framemap_restore_options options = {.size = sizeof options, .output = "json", .scope = scopes[i]};
        must(framemap_session_restore(session, framemap_str_of(text), &options, look, seen, &summary, NULL) ==
             FRAMEMAP_OK);
        must(!labeled || scopes[i] == labels || summary.restored == 0);
    }
    framemap_session_missing(session, forget, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    struct tree tree;
    struct seen seen = {false};
    struct fuzz_memory memory;
    framemap_session *session = NULL;
    const char *none[1] = {NULL};
    begin(&tree);
    const unsigned first = (unsigned)fuzz_number(&input, 1);
    const bool later = first & 1, labeled = first & 2;
    (void)look(&seen, (const char *)data, size);
    tree.has_link = seen.secret;
    for (unsigned i = 0; i < MOST_ROWS && input.size > 0; i++) put_row(&tree, &input);
    const char *path = tree.root;
    fuzz_memory_begin(&memory, CEILING);
    const framemap_session_options options = {.size = sizeof options,
                                              .allocator = &memory.hook,
                                              .symbol_paths = &path,
                                              .symbol_path_count = later ? 0 : 1,
                                              .cache_path = "",
                                              .warning = warn,
                                              .debug_folders = none,
                                              .debug_folder_count = 0};
    framemap_status status = framemap_session_open(&options, &session, NULL);
    const framemap_scope labels = {.size = sizeof labels, .tenant = framemap_str_of("a")};
    if (status == FRAMEMAP_OK && later)
        status = labeled ? framemap_session_add_labeled(session, path, &labels, NULL)
                         : framemap_session_add(session, path, NULL);
    if (status == FRAMEMAP_OK) ask(session, &seen, &labels, later && labeled);
    must(!seen.secret || tree.has_link);
    framemap_session_close(session);
    fuzz_memory_end(&memory);
    fuzz_remove(tree.top);
    return 0;
}
