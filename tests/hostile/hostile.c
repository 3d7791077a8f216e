/* hostile [--all] FOLDER|FILE...: passes damaged copies of files to the public calls.
 *
 * Each file is truncated at several lengths, and bytes of its headers are changed, one damage per copy. Properties:
 * each call answers, or refuses with a code and a message; an index made from the copy is sound; all memory is
 * freed, and never exceeds the limit; no copy takes longer than SECONDS_MOST. Without --all a fixed sample of the
 * damages is tried: a smaller sample for the inputs of fuzz harnesses, most of which are damaged already, and none
 * for the inputs that fuzzing found. With --all, every damage is tried for all files. Copies are allocated with
 * their exact size, so that AddressSanitizer detects a read past the end. If the program dies, it names the damage. */
#include "hostile_help.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    PATH_SIZE = 4096,
    FOLDERS_DEEP = 16,
    SECONDS_MOST = 20,
    /* bytes at the start of a file, and at its end (where ELF has its section table), that are changed */
    HEADER_BYTES = 4096,
    SAMPLED_CUTS = 3, /* number of lengths to which a file is cut, without --all */
    SAMPLED_CHANGES = 6,
    INPUT_CUTS = 1, /* number of lengths to which an input of a harness is cut, without --all */
    INPUT_CHANGES = 2,
    IMAGES_MOST = 8,
    /* largest index that is dumped, in bytes: dumping a larger one would take as long as all other calls together */
    DUMPED_MOST = 1 << 14,
    SECTIONS_MOST = 64
};

static const uint64_t memory_most = (uint64_t)64 << 20;

struct run {
    bool all, inputs; /* inputs: the current file is an input of a fuzz harness */
    unsigned long long copies, answered, refused;
    uint64_t random;
};

static void ask(const framemap_index *index, framemap_scratch *scratch, uint64_t position)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_frame frame;
    framemap_error error;
    query.address_kind = FRAMEMAP_ADDRESS_LINKED;
    query.position = position;
    (void)hostile_answered(framemap_resolve(index, &query, scratch, &frame, &error), &error, "framemap_resolve");
}

/* Queries an index at its limits and at positions between; places: start addresses of the file's sections. */
static void ask_all(const framemap_index *index, const framemap_allocator *allocator, const uint64_t *places,
                    size_t count)
{
    framemap_index_info info;
    framemap_error error;
    framemap_scratch *scratch = NULL;
    framemap_index_describe(index, &info);
    if (!hostile_answered(framemap_scratch_create(allocator, &scratch, &error), &error, "framemap_scratch_create"))
        return;
    ask(index, scratch, 0);
    ask(index, scratch, UINT64_MAX);
    ask(index, scratch, info.base);
    for (size_t i = 0; i < count; i++)
        for (uint64_t step = 0; step < 256; step += 31) ask(index, scratch, places[i] + step);
    framemap_scratch_free(scratch);
}

static bool drop(void *context, const char *data, size_t size)
{
    (void)context;
    (void)data;
    (void)size;
    return true;
}

/* Retraces stacks with the class names with which mappings usually start. An index of another kind refuses to
 * retrace. */
static void retrace(const framemap_index *index, const framemap_allocator *allocator)
{
    static const char stack[] =
        "a.b: x\n\tat a.a.a(S:1)\n\tat a.a(S:5)\n\tat a.a(S)\nCaused by: a.a: x y\n\tat a.b.a(S:0)\n\tat b.a(S:12)\n";
    const framemap_retrace_options options = {.size = sizeof options, .allocator = allocator, .verbose = true};
    framemap_retracer *retracer = NULL;
    framemap_error error;
    if (!hostile_answered(framemap_retracer_create(index, &options, &retracer, &error), &error,
                          "framemap_retracer_create"))
        return;
    (void)hostile_answered(framemap_retracer_text(retracer, framemap_str_of(stack), drop, NULL, &error), &error,
                           "framemap_retracer_text");
    framemap_retracer_free(retracer);
}

/* Dumps the index in each format, which reads all of it. */
static void dump(const framemap_index *index)
{
    static const char *const formats[] = {"text", "jsonl", "kv"};
    framemap_error error;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        (void)hostile_answered(framemap_index_dump(index, formats[i], drop, NULL, &error), &error,
                               "framemap_index_dump");
}

static void open_and_ask(framemap_str bytes, bool ours, const framemap_allocator *allocator, const uint64_t *places,
                         size_t count)
{
    framemap_error error;
    framemap_index *index = NULL;
    const framemap_status opened = framemap_index_open(bytes, allocator, &index, &error);
    if (!hostile_answered(opened, &error, "framemap_index_open")) {
        if (ours) hostile_fail("framemap_index_open refuses what framemap_index_build made", error.message);
        return;
    }
    const framemap_status whole = framemap_index_verify(index, &error);
    if (!hostile_answered(whole, &error, "framemap_index_verify") && ours)
        hostile_fail("framemap_index_build made a damaged index", error.message);
    ask_all(index, allocator, places, count);
    framemap_index_info info;
    framemap_index_describe(index, &info);
    retrace(index, allocator);
    if (info.size_bytes <= DUMPED_MOST) dump(index);
    framemap_index_close(index);
}

static size_t list_sections(framemap_str bytes, const char *arch, uint64_t *places)
{
    framemap_section_info sections[SECTIONS_MOST];
    framemap_error error;
    size_t count = 0, code = 0;
    if (!hostile_answered(framemap_file_sections(bytes, arch, sections, SECTIONS_MOST, &count, &error), &error,
                          "framemap_file_sections"))
        return 0;
    if (count > SECTIONS_MOST) count = SECTIONS_MOST;
    for (size_t i = 0; i < count; i++)
        if (sections[i].code) places[code++] = sections[i].address;
    return code;
}

static bool build_and_ask(framemap_str bytes, const char *arch, const framemap_allocator *allocator)
{
    uint64_t places[SECTIONS_MOST];
    const size_t count = list_sections(bytes, arch, places);
    framemap_build_options options = {
        .size = sizeof options, .allocator = allocator, .max_memory = memory_most, .arch = arch};
    framemap_bytes index = {0};
    framemap_error error;
    const framemap_status built = framemap_index_build(bytes, framemap_str_of("sample"), &options, &index, &error);
    if (!hostile_answered(built, &error, "framemap_index_build")) return false;
    open_and_ask(framemap_bytes_str(&index), true, allocator, places, count);
    framemap_bytes_free(&index);
    return true;
}

/* Reads the bytes as a symbol file, with all its slices. */
static bool as_symbols(framemap_str bytes, const framemap_allocator *allocator)
{
    framemap_image_info images[IMAGES_MOST];
    framemap_error error;
    size_t count = 0;
    bool any = false;
    const framemap_status seen =
        framemap_file_inspect(bytes, framemap_str_of("sample"), images, IMAGES_MOST, &count, &error);
    if (!hostile_answered(seen, &error, "framemap_file_inspect") || count <= 1)
        return build_and_ask(bytes, NULL, allocator);
    for (size_t i = 0; i < count && i < IMAGES_MOST; i++) any |= build_and_ask(bytes, images[i].arch, allocator);
    return any;
}

static void as_text(framemap_str bytes, const framemap_allocator *allocator)
{
    framemap_parse_options options = {.size = sizeof options, .allocator = allocator, .max_memory = memory_most};
    framemap_trace_list list = {0};
    framemap_error error;
    if (!hostile_answered(framemap_trace_parse(bytes, &options, &list, &error), &error, "framemap_trace_parse")) return;
    framemap_trace_list_free(&list);
}

static void try_bytes(struct run *run, const char *data, size_t size)
{
    struct hostile_account account = {0};
    const framemap_allocator allocator = hostile_allocator(&account);
    const framemap_str bytes = {data, size};
    alarm(SECONDS_MOST);
    if (as_symbols(bytes, &allocator))
        run->answered++;
    else
        run->refused++;
    open_and_ask(bytes, false, &allocator, NULL, 0);
    as_text(bytes, &allocator);
    alarm(0);
    run->copies++;
    if (account.live != 0) hostile_fail("memory", "some was not given back");
    if (account.peak > memory_most + ((uint64_t)16 << 20)) hostile_fail("memory", "more than the ceiling was taken");
}

static void try_cut(struct run *run, const char *path, const char *data, size_t size)
{
    char *copy = malloc(size ? size : 1);
    if (copy == NULL) hostile_fail("memory", "the test itself ran out of memory");
    memcpy(copy, data, size);
    snprintf(hostile_now, sizeof hostile_now, "%s cut to %zu bytes", path, size);
    try_bytes(run, copy, size);
    free(copy);
}

static void try_change(struct run *run, const char *path, char *copy, size_t size, size_t place)
{
    static const unsigned char flips[] = {0x01, 0x80, 0xff, 0x10};
    for (size_t i = 0; i < (run->all ? sizeof flips : 1); i++) {
        const unsigned char flip = run->all ? flips[i] : flips[place % sizeof flips];
        snprintf(hostile_now, sizeof hostile_now, "%s with byte %zu changed by %#x", path, place, flip);
        copy[place] = (char)((unsigned char)copy[place] ^ flip);
        try_bytes(run, copy, size);
        copy[place] = (char)((unsigned char)copy[place] ^ flip);
    }
}

static size_t pick(struct run *run, size_t limit)
{
    run->random = run->random * 6364136223846793005u + 1442695040888963407u;
    return (size_t)((run->random >> 33) % limit);
}

static size_t header_byte(size_t number, size_t size)
{
    return number < HEADER_BYTES ? number : size - (number - HEADER_BYTES) - 1;
}

static void try_file(struct run *run, const char *path, char *data, size_t size)
{
    const size_t heads = size < 2 * HEADER_BYTES ? size : 2 * HEADER_BYTES;
    const size_t cuts = run->all ? size + 1 : run->inputs ? INPUT_CUTS : SAMPLED_CUTS;
    const size_t changes = run->all ? heads : run->inputs ? INPUT_CHANGES : SAMPLED_CHANGES;
    for (size_t i = 0; i < cuts; i++) try_cut(run, path, data, run->all ? i : i < 2 ? size - i : pick(run, size));
    for (size_t i = 0; i < changes; i++) {
        const size_t number = run->all ? i : pick(run, i % 2 && heads > 256 ? 256 : heads);
        try_change(run, path, data, size, size < 2 * HEADER_BYTES ? number : header_byte(number, size));
    }
}

static void read_and_try(struct run *run, const char *path, size_t size)
{
    FILE *file = fopen(path, "rb");
    char *data = malloc(size);
    snprintf(hostile_now, sizeof hostile_now, "%s", path);
    if (file == NULL || data == NULL || fread(data, 1, size, file) != size)
        hostile_fail("the test itself", "can't read it");
    fclose(file);
    try_file(run, path, data, size);
    free(data);
}

static void walk(struct run *run, const char *path, int folders_left);

static void walk_folder(struct run *run, const char *path, int folders_left)
{
    struct dirent **entries = NULL;
    const int count = scandir(path, &entries, NULL, alphasort);
    if (count < 0 || folders_left == 0) hostile_fail(path, "can't be walked");
    for (int i = 0; i < count; i++) {
        char inner[PATH_SIZE];
        const int length = snprintf(inner, sizeof inner, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && length > 0 && (size_t)length < sizeof inner)
            walk(run, inner, folders_left - 1);
        free(entries[i]);
    }
    free(entries);
}

static bool is_called(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    return strcmp(slash ? slash + 1 : path, name) == 0;
}

/* Tries a file, or all files in a folder. Inputs of harnesses are in corpus/fuzz. Inputs that fuzzing found are in
 * corpus/found, and are tried with --all only. */
static void walk(struct run *run, const char *path, int folders_left)
{
    struct stat info;
    snprintf(hostile_now, sizeof hostile_now, "%s", path);
    if (stat(path, &info) != 0) hostile_fail("the test itself", "no such file");
    if (S_ISDIR(info.st_mode)) {
        const bool inputs = run->inputs, found = is_called(path, "found");
        if (found && !run->all) return;
        run->inputs = inputs || found || is_called(path, "fuzz");
        walk_folder(run, path, folders_left);
        run->inputs = inputs;
    } else if (S_ISREG(info.st_mode) && info.st_size > 0) {
        read_and_try(run, path, (size_t)info.st_size);
    }
}

int main(int argc, char **argv)
{
    struct run run = {.random = 1};
    const int first = argc > 1 && strcmp(argv[1], "--all") == 0 ? 2 : 1;
    run.all = first == 2;
    hostile_watch();
    for (int i = first; i < argc; i++) walk(&run, argv[i], FOLDERS_DEEP);
    printf("%llu damaged copies: %llu answered, %llu refused\n", run.copies, run.answered, run.refused);
    if (run.answered == 0 || run.refused == 0) {
        fprintf(
            stderr,
            "usage: hostile [--all] FOLDER|FILE... (nothing was answered, or nothing refused: that proves nothing)\n");
        return 1;
    }
    return 0;
}
