/* compare_readers [--readers A,B] [--no-index] [--no-plain] FILE|FOLDER...: compares two DWARF backends on every image
 * in the files.
 *
 * Each slice of each file is walked by both backends, and their events are compared one by one. Then both compile the
 * slice, and the index bytes and warnings are compared. B is also compared with a third, simple reader. That reader is
 * for sound files only, so this comparison is skipped for files in folders named bad, and with --no-plain. By default A
 * is the reference (libdwarf) and B the default backend. Files that are not images are skipped. Exit status 0: equal;
 * 1: a difference, which is described, or nothing was compared. */
#include "core/mapfile.h"
#include "mappers/dart/dart_slices.h"
#include "tests/mappers/native/dw_events.h"
#include "tests/mappers/native/plain_reader.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096, FOLDERS_DEEP = 16, SLICES_MOST = 16, NAME_SIZE = 32, WARNINGS_SIZE = 1 << 16 };

struct run {
    char names[2][NAME_SIZE];
    const struct fm_dw_backend *readers[2];
    bool index, plain;
    size_t plain_events;
    size_t files, images, units, events, index_bytes, differences;
};

/* --- comparing events --- */

/* Compares the events of a sound file with those of the simple reader, which shares no code with the backends and
 * reports no faults. */
static bool compare_plain(struct run *run, const struct fm_image *image, const struct fm_mapper_host *host)
{
    struct dw_events recorded[2] = {{.silent = true}, {.silent = true}};

    dw_events_record(&recorded[0], &plain_reader, image, host, false);
    dw_events_record(&recorded[1], run->readers[1], image, host, false);
    bool same = dw_events_equal(&recorded[0], "the plain reader", &recorded[1], run->names[1], stdout);
    run->plain_events += dw_events_total(&recorded[0]);
    dw_events_free(&recorded[0]);
    dw_events_free(&recorded[1]);
    return same;
}

static void compare_walks(struct run *run, const char *label, const struct fm_image *image, struct fm_heap *heap)
{
    enum { REFERENCE, OTHER, BACKWARDS, RECORDINGS };
    struct dw_events recorded[RECORDINGS] = {{.limit = 0}, {.limit = 0}, {.limit = 0}};
    const struct fm_mapper_host host = {.heap = heap};
    bool same = true;

    for (int i = 0; i < RECORDINGS; i++) {
        const int reader = i == REFERENCE ? 0 : 1;
        dw_events_record(&recorded[i], run->readers[reader], image, &host, i == BACKWARDS);
        if (!dw_events_sound(&recorded[i], run->names[reader], stdout)) same = false;
    }
    if (!dw_events_equal(&recorded[REFERENCE], run->names[0], &recorded[OTHER], run->names[1], stdout)) same = false;
    if (!dw_events_equal(&recorded[OTHER], run->names[1], &recorded[BACKWARDS],
                         "the same from the last unit to the first", stdout))
        same = false;
    if (run->plain && !compare_plain(run, image, &host)) same = false;
    if (!same) {
        printf("%s: differs\n", label);
        run->differences++;
    }
    run->images++;
    run->units += recorded[REFERENCE].unit_count;
    run->events += dw_events_total(&recorded[REFERENCE]);
    for (int i = 0; i < RECORDINGS; i++) dw_events_free(&recorded[i]);
}

/* --- comparing the bytes of indexes --- */

struct product {
    struct fm_built built;
    framemap_status status;
    char words[WARNINGS_SIZE]; /* the warnings, then the error, cut at this size */
    size_t used;
};

static void add_words(void *context, const framemap_error *recorded)
{
    struct product *product = context;
    const size_t left = sizeof product->words - product->used;
    const int length = snprintf(product->words + product->used, left, "%d %s: %s\n", (int)recorded->code,
                                recorded->where, recorded->message);
    if (length > 0) product->used += (size_t)length < left ? (size_t)length : left - 1;
}

static void build(struct product *product, framemap_str bytes, const char *reader, const char *arch,
                  struct fm_heap *heap)
{
    const struct fm_mapper_host host = {
        .heap = heap, .warning = add_words, .context = product, .arch = arch, .reader = reader};
    const struct fm_mapper *mapper = fm_mapper_for(bytes, framemap_str_of("sample"), NULL);
    struct fm_builder *builder = NULL;
    framemap_error error = {0};

    *product = (struct product){.status = FRAMEMAP_E_FORMAT};
    if (mapper == NULL) return;
    product->status = fm_builder_create(heap, &builder, &error);
    if (product->status == FRAMEMAP_OK)
        product->status = mapper->build(bytes, framemap_str_of("sample"), &host, builder, &error);
    if (product->status == FRAMEMAP_OK) product->status = fm_builder_finish(builder, &product->built, &error);
    if (product->status != FRAMEMAP_OK) add_words(product, &error);
    fm_builder_free(builder);
}

static bool same_product(const struct run *run, const struct product *a, const struct product *b)
{
    size_t at = 0;

    if (a->status != b->status || strcmp(a->words, b->words) != 0) {
        printf("%s and %s warn or fail otherwise:\n  %s: status %d\n%s  %s: status %d\n%s", run->names[0],
               run->names[1], run->names[0], (int)a->status, a->words, run->names[1], (int)b->status, b->words);
        return false;
    }
    while (at < a->built.size && at < b->built.size && a->built.data[at] == b->built.data[at]) at++;
    if (at == a->built.size && at == b->built.size) return true;
    printf("indexes differ at byte %zu: %zu bytes by %s, %zu by %s\n", at, a->built.size, run->names[0], b->built.size,
           run->names[1]);
    return false;
}

static void compare_indexes(struct run *run, const char *label, framemap_str bytes, const char *arch,
                            struct fm_heap *heap)
{
    static struct product products[2];

    for (int i = 0; i < 2; i++) build(&products[i], bytes, run->names[i], arch, heap);
    if (!same_product(run, &products[0], &products[1])) {
        printf("%s: indexes differ\n", label);
        run->differences++;
    }
    run->index_bytes += products[0].built.size;
    for (int i = 0; i < 2; i++) fm_heap_free(heap, products[i].built.data, products[i].built.size);
}

/* --- walking over files and folders --- */

static void compare_slice(struct run *run, const char *path, framemap_str bytes, const char *arch, struct fm_heap *heap)
{
    struct fm_arena arena;
    struct fm_image image;
    char label[PATH_SIZE + NAME_SIZE];

    snprintf(label, sizeof label, "%s%s%s", path, arch != NULL ? " " : "", arch != NULL ? arch : "");
    fm_arena_init(&arena, heap);
    framemap_status status = fm_image_open(bytes, arch, &arena, &image, NULL);
    if (status != FRAMEMAP_OK) status = fm_dart_image_open(bytes, arch, &arena, &image, NULL);
    if (status == FRAMEMAP_OK) {
        compare_walks(run, label, &image, heap);
        if (run->index) compare_indexes(run, label, bytes, arch, heap);
    }
    fm_arena_free(&arena);
}

static void compare_file(struct run *run, const char *path)
{
    framemap_image_info slices[SLICES_MOST];
    struct fm_mapfile file;
    struct fm_heap heap;
    size_t count = 0;

    if (fm_mapfile_open(path, &file, NULL) != FRAMEMAP_OK) {
        printf("%s: can't be read\n", path);
        run->differences++;
        return;
    }
    fm_heap_init(&heap, NULL, 0);
    run->files++;
    if (fm_image_probe(file.bytes) > 0) {
        framemap_status status = fm_image_inspect(file.bytes, &heap, slices, SLICES_MOST, &count, NULL);
        if (status != FRAMEMAP_OK || count <= 1)
            compare_slice(run, path, file.bytes, NULL, &heap);
        else
            for (size_t i = 0; i < count && i < SLICES_MOST; i++)
                compare_slice(run, path, file.bytes, slices[i].arch, &heap);
    }
    fm_mapfile_close(&file);
    if (heap.used != 0) {
        printf("%s: memory was not given back\n", path);
        run->differences++;
    }
}

static void compare(struct run *run, const char *path, int folders_left)
{
    struct dirent **entries = NULL;
    struct stat info;
    const bool known = stat(path, &info) == 0;

    if (!known || !S_ISDIR(info.st_mode)) {
        if (!known || S_ISREG(info.st_mode)) compare_file(run, path);
        return;
    }
    const int count = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char inner[PATH_SIZE];
        const int length = snprintf(inner, sizeof inner, "%s/%s", path, entries[i]->d_name);
        const bool plain = run->plain;
        if (strcmp(entries[i]->d_name, "bad") == 0) run->plain = false;
        if (entries[i]->d_name[0] != '.' && length > 0 && length < PATH_SIZE && folders_left > 0)
            compare(run, inner, folders_left - 1);
        run->plain = plain;
        free(entries[i]);
    }
    free(entries);
}

/* Takes the names of the two backends from "A,B"; NULL: the reference and the default backend. */
static bool choose(struct run *run, const char *pair)
{
    const char *comma = pair == NULL ? NULL : strchr(pair, ',');
    const struct fm_dw_backend *usual = fm_dw_backend_named(NULL);

    if (pair != NULL && comma == NULL) return false;
    snprintf(run->names[0], NAME_SIZE, "%.*s", comma == NULL ? NAME_SIZE : (int)(comma - pair),
             comma == NULL ? "libdwarf" : pair);
    snprintf(run->names[1], NAME_SIZE, "%s", comma == NULL ? usual->name : comma + 1);
    for (int i = 0; i < 2; i++) run->readers[i] = fm_dw_backend_named(run->names[i]);
    return run->readers[0] != NULL && run->readers[1] != NULL;
}

int main(int argc, char **argv)
{
    struct run run = {.index = true, .plain = true};
    const char *pair = NULL;
    int first = 1;

    for (; first < argc && argv[first][0] == '-'; first++) {
        if (strcmp(argv[first], "--no-index") == 0)
            run.index = false;
        else if (strcmp(argv[first], "--no-plain") == 0)
            run.plain = false;
        else if (strcmp(argv[first], "--readers") == 0 && first + 1 < argc)
            pair = argv[++first];
        else
            break;
    }
    if (!choose(&run, pair)) {
        fprintf(stderr, "compare_readers: no two readers of these names\n");
        return 2;
    }
    for (int i = first; i < argc; i++) compare(&run, argv[i], FOLDERS_DEEP);
    printf("%s and %s: %zu files, %zu images, %zu units, %zu events (%zu of the plain reader), "
           "%zu bytes of indexes, %zu differences\n",
           run.names[0], run.names[1], run.files, run.images, run.units, run.events, run.plain_events, run.index_bytes,
           run.differences);
    if (run.events == 0)
        fprintf(
            stderr,
            "usage: compare_readers [--readers A,B] [--no-index] [--no-plain] FILE|FOLDER... (nothing was compared)\n");
    return run.differences == 0 && run.events > 0 ? 0 : 1;
}
