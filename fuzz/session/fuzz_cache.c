/* Uses the disk cache with a folder as an earlier session, another version or another user may have left it. The
 * input is a list of actions: indexes are stored, also under the keys of other images, and loaded; entries are
 * overwritten, truncated, or replaced by links, folders or FIFOs; other files are put next to them; the budget
 * changes.
 *
 * Properties: what is loaded is an index that answers queries and belongs to the requested image; after a sweep the
 * cache's files are within the budget; nothing is written outside of the folder. */
#include "core/text/text.h"
#include "fuzz/support/harness_help.h"
#include "fuzz/support/seal.h"
#include "session/cache/cache_folder.h"
#include "session/cache/disk_cache.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEYS = 6, PATH = 512, MOST_DEEDS = 24 };

struct bench {
    struct fm_heap heap;
    struct fm_arena arena;
    struct fm_disk_cache cache;
    char top[PATH], folder[PATH], outside[PATH];
    unsigned warnings;
};

static const struct fm_entry entries[KEYS] = {
    {.path = "/s/liba.so", .id = {"aaaa0000", 8}, .arch = {"arm64", 5}},
    {.path = "/s/libb.so", .id = {"bbbb0000", 8}},
    {.path = "/s/libc.so", .id = {"", 0}},
    {.path = "/s/mapping.txt", .id = {"abcdef0", 7}},
    {.path = "/s/main.js.map", .is_source_map = true},
    {.path = "/s/App", .arch = {"arm64e", 6}},
};

static void count_warning(void *context, const framemap_error *warning)
{
    unsigned *warnings = context;
    must(warning->message[0] != 0 && warning->where[0] != 0);
    ++*warnings;
}

/* Makes the key and the time stamp of a file from a number. The stamp is an old time, since the cache stores the hashes
 * of old files only. */
static void key_of(struct bench *bench, unsigned number, char key[FM_CACHE_KEY_SIZE])
{
    const struct fm_stamp stamp = {1, number, 4, 1000, 1000};
    const char bytes[4] = {'E', 'L', 'F', (char)number};
    const struct fm_cache_input file = {entries[number].path, &stamp, {bytes, sizeof bytes}};
    fm_disk_cache_key(&bench->cache, &entries[number], &file, NULL, false, key);
    must(strlen(key) == FM_CACHE_KEY_SIZE - 1);
}

static void path_of(const struct bench *bench, const char *key, char path[PATH])
{
    must((size_t)snprintf(path, PATH, "%s/v1/indexes/%.16s-%s.fmx", bench->folder, fm_code_stamp, key) < PATH);
}

/* Returns a small index of a mapping. */
static framemap_bytes small_index(void)
{
    framemap_bytes built = {0};
    static const char mapping[] = "# pg_map_id: abcdef0\ncom.a.B -> a.b:\n    1:9:void c(int):11:19 -> d\n";
    must(framemap_index_build((framemap_str){mapping, sizeof mapping - 1}, framemap_str_of("mapping.txt"), NULL, &built,
                              NULL) == FRAMEMAP_OK);
    return built;
}

/* Whether no part of the path is a link. What the harness writes then stays inside the folder. */
static bool is_within(const struct bench *bench)
{
    static const char *const below[] = {"", "/v1", "/v1/indexes", "/v1/contents"};
    for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
        char path[PATH];
        struct stat about;
        snprintf(path, sizeof path, "%.480s%s", bench->folder, below[i]);
        if (lstat(path, &about) == 0 && S_ISLNK(about.st_mode)) return false;
    }
    return true;
}

static void load(struct bench *bench, unsigned number)
{
    char key[FM_CACHE_KEY_SIZE], known[FM_CACHE_KEY_SIZE];
    const struct fm_stamp stamp = {1, number, 4, 1000, 1000};
    framemap_index *index = NULL;
    framemap_scratch *scratch = NULL;
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_index_info info;
    framemap_frame frame;
    key_of(bench, number, key);
    if (!entries[number].is_source_map) (void)fm_disk_cache_known_key(&bench->cache, &entries[number], &stamp, known);
    if (!fm_disk_cache_load(&bench->cache, key, &entries[number], NULL, &index)) return;
    framemap_index_describe(index, &info);
    must(info.id.size == 0 || fm_str_equal(info.id, entries[number].id));
    (void)framemap_index_verify(index, NULL);
    query.scope = framemap_str_of("a.b.d");
    query.position = 3;
    if (framemap_scratch_create(NULL, &scratch, NULL) == FRAMEMAP_OK)
        (void)framemap_resolve(index, &query, scratch, &frame, NULL);
    framemap_scratch_free(scratch);
    framemap_index_close(index);
}

static void store(struct bench *bench, unsigned number, framemap_str bytes)
{
    char key[FM_CACHE_KEY_SIZE];
    key_of(bench, number, key);
    fm_disk_cache_store(&bench->cache, key, bytes);
}

/* Stores a valid index in which some bytes are replaced or the end is cut off, or stores bytes that are not an index.
 * The input decides whether checksums are corrected, and whether the cache or the harness writes the file. */
static void damage(struct bench *bench, unsigned number, struct fuzz_input *input)
{
    char key[FM_CACHE_KEY_SIZE], path[PATH];
    framemap_bytes good = small_index();
    const unsigned form = (unsigned)fuzz_number(input, 1);
    const size_t at = (size_t)fuzz_number(input, 2) % good.size;
    const framemap_str other = fuzz_text(input);
    for (size_t i = 0; i < other.size && at + i < good.size; i++) good.data[at + i] = (unsigned char)other.data[i];
    if (form & 1) fm_fuzz_seal(good.data, good.size, true);
    key_of(bench, number, key);
    path_of(bench, key, path);
    const framemap_str bytes = form & 2   ? other
                               : form & 4 ? (framemap_str){(const char *)good.data, at}
                                          : framemap_bytes_str(&good);
    if (form & 8)
        store(bench, number, bytes);
    else if (is_within(bench))
        (void)fuzz_put(path, bytes);
    framemap_bytes_free(&good);
}

/* Replaces an entry, or a folder, by something else, which `form` selects. */
static void replace(struct bench *bench, unsigned number, unsigned form)
{
    char key[FM_CACHE_KEY_SIZE], path[PATH];
    key_of(bench, number, key);
    path_of(bench, key, path);
    static const char *const below[] = {"", "/v1", "/v1/indexes"};
    if (!is_within(bench)) return;
    if (form >= 240) snprintf(path, sizeof path, "%.480s%s", bench->folder, below[form % 3]);
    switch (form % 6) {
    case 0:
        fuzz_remove(path);
        (void)!symlink(bench->outside, path);
        break;
    case 1:
        fuzz_remove(path);
        (void)mkfifo(path, 0600);
        break;
    case 2:
        fuzz_remove(path);
        (void)mkdir(path, 0700);
        break;
    case 3: (void)chmod(path, 0666); break;
    case 4: (void)chmod(path, 0); break;
    default: fuzz_remove(path); break;
    }
}

/* Writes a file with an arbitrary name next to the entries. */
static void put_beside(struct bench *bench, struct fuzz_input *input)
{
    char path[PATH + 300], name[256];
    const framemap_str text = fuzz_text(input);
    memcpy(name, text.data, text.size);
    name[text.size] = 0;
    for (size_t i = 0; i < text.size; i++)
        if (name[i] == '/') name[i] = '_';
    if (name[0] == 0 || strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || !is_within(bench)) return;
    snprintf(path, sizeof path, "%s/v1/%s/%s", bench->folder, text.size & 1 ? "indexes" : "contents", name);
    (void)fuzz_put(path, text);
}

static void sweep(struct bench *bench, uint64_t budget)
{
    struct fm_cache_folder *folder = bench->cache.folder;
    folder->budget = budget;
    fm_cache_sweep(folder);
    must(folder->bytes <= (budget > 0 ? budget : 1));
}

static void deed(struct bench *bench, struct fuzz_input *input)
{
    const unsigned what = (unsigned)fuzz_number(input, 1), number = (unsigned)fuzz_number(input, 1) % KEYS;
    framemap_bytes good;
    switch (what % 8) {
    case 0:
    case 1: load(bench, number); break;
    case 2:
        good = small_index();
        store(bench, number, framemap_bytes_str(&good));
        framemap_bytes_free(&good);
        break;
    case 3:
    case 4: damage(bench, number, input); break;
    case 5: replace(bench, number, what ^ (unsigned)fuzz_number(input, 1)); break;
    case 6: put_beside(bench, input); break;
    default: sweep(bench, fuzz_number(input, 2)); break;
    }
}

static void begin(struct bench *bench)
{
    /* number of inputs so far: each input has a folder of its own, and links point to files outside of these folders */
    static unsigned count;
    memset(bench, 0, sizeof *bench);
    fm_heap_init(&bench->heap, NULL, 0);
    fm_arena_init(&bench->arena, &bench->heap);
    snprintf(bench->top, sizeof bench->top, "%s/%u", fuzz_folder(), count++);
    snprintf(bench->folder, sizeof bench->folder, "%.400s/cache", bench->top);
    snprintf(bench->outside, sizeof bench->outside, "%.400s/outside", bench->top);
    must(mkdir(bench->top, 0700) == 0 && mkdir(bench->outside, 0700) == 0);
    bench->cache.warning = count_warning;
    bench->cache.context = &bench->warnings;
    must(fm_disk_cache_init(&bench->cache, bench->folder, 0, &bench->arena));
}

static void end(struct bench *bench)
{
    must(rmdir(bench->outside) == 0); /* removing this folder fails if the cache wrote a file into it */
    fuzz_remove(bench->top);
    fm_arena_free(&bench->arena);
    must(bench->heap.used == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    struct bench bench;
    begin(&bench);
    for (unsigned i = 0; i < MOST_DEEDS && input.size > 0; i++) deed(&bench, &input);
    for (unsigned i = 0; i < KEYS; i++) load(&bench, i);
    end(&bench);
    return 0;
}
