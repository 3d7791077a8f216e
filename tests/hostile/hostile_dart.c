/* hostile_dart [--growth] SYMBOLS [CUTS]: passes Dart traces that are made to be slow, large or confusing to the
 * public calls, and also damaged copies of SYMBOLS.
 *
 * Properties of each shape: decoding, restoring and converting answer; the decoder, which reads line by line, takes
 * at most DECODER_BASE plus twice its longest line of memory; the others at most MEMORY_BASE plus MEMORY_EACH bytes
 * per byte of text; all memory is freed. With --growth each shape is tried again eight times as large: a step may
 * then take four times as long per byte, because memory gets slower, but not eight times. With CUTS the file is
 * truncated at that many lengths, and a byte is changed at as many offsets: each copy gives an index that answers,
 * or an error with a message. */
#include "hostile_help.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SECONDS_MOST = 60, TRIES = 3, GROWTH = 8, MEMORY_EACH = 96, STEPS = 3 };

static const uint64_t decoder_base = (uint64_t)1 << 20, memory_base = (uint64_t)16 << 20,
                      memory_most = (uint64_t)64 << 20;
static const double seconds_noise = 0.04, growth_most = 4;

/* --- making traces --- */

struct text {
    char *data;
    size_t size, capacity, longest; /* longest: size of the longest line in bytes */
};

static void put(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct text *text, const char *format, ...)
{
    va_list list;
    if (text->capacity - text->size < 1024) {
        text->capacity = 2 * text->capacity + 65536;
        text->data = realloc(text->data, text->capacity);
        if (text->data == NULL) hostile_fail("the test itself", "out of memory");
    }
    va_start(list, format);
    text->size += (size_t)vsnprintf(text->data + text->size, text->capacity - text->size, format, list);
    va_end(list);
}

#define STARS "*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\n"

static void repeat(struct text *text, const char *word, size_t n)
{
    for (size_t i = 0; i < n; i++) put(text, "%s", word);
}

static void other_builds(struct text *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put(text,
            STARS "os: linux arch: x64 comp: no sim: no\nbuild_id: '%032zx'\nisolate_instructions: 1000, "
                  "vm_instructions: 0\n    #00 abs "
                  "1100 _kDartIsolateSnapshotInstructions+0x%zx\n",
            i, i);
}
static void rows_alone(struct text *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put(text, "    #00 abs %zx virt %zx _kDartIsolateSnapshotInstructions+0x%zx\n", i, i, i % 4096);
}
static void units(struct text *text, size_t n)
{
    put(text, STARS);
    for (size_t i = 0; i < n; i++)
        put(text, "loading_unit: %zu, build_id: '%032zx', dso_base: %zx, instructions: %zx\n", i, i, i, i);
    for (size_t i = 0; i < n; i++) put(text, "    #%02zu abs %zx unit %zu virt 0 x\n", i, i, i);
}
static void units_without_lines(struct text *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put(text, "loading_unit: %zu, dso_base: 0, instructions: 0\n    #00 abs 0 unit %zu virt 0 x\n", i, i);
}
static void one_trace(struct text *text, size_t n)
{
    put(text, STARS "os: linux arch: x64 comp: no sim: no\nisolate_instructions: 1000, vm_instructions: 0\n");
    for (size_t i = 0; i < n; i++) put(text, "    #%02zu abs %zx <unknown>\n", i, 0x1000 + i % 4096);
}
static void async_gaps(struct text *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put(text, "%s<asynchronous suspension>\n    #%02zu abs 1 _kDartSnapshotText+0x1\n", i % 64 ? "" : STARS,
            i % 64);
}
static void crash_rows(struct text *text, size_t n)
{
    put(text, "===== CRASH =====\nos=linux, arch=x64, comp=no, sim=no\nisolate_instructions=1000, vm_instructions=0\n");
    for (size_t i = 0; i < n; i++)
        put(text, "  pc 0x%016zx fp 0x0000000000001000 _kDartIsolateSnapshotInstructions+0x%zx\n", i, i % 4096);
}
static void stars(struct text *text, size_t n) { repeat(text, STARS, n); }
static void long_line(struct text *text, size_t n) { repeat(text, "x", n); }
static void long_row(struct text *text, size_t n)
{
    put(text, "    #00 abs 1 ");
    repeat(text, "_kDartIsolateSnapshotInstructions_kDartSnapshotText+0", n);
}
static void hashes(struct text *text, size_t n) { repeat(text, "#", n); }
static void row_begins(struct text *text, size_t n) { repeat(text, "#00 abs 1 virt 1", n); }
static void blanks(struct text *text, size_t n)
{
    repeat(text, " ", n);
    put(text, "#00 abs 1 _kDartIsolateSnapshotInstructions+0x70\n");
}
static void digits(struct text *text, size_t n)
{
    put(text, "#00 abs ");
    repeat(text, "0", n);
}
static void keys(struct text *text, size_t n) { repeat(text, "os: build_id: 'isolate_dso_base: loading_unit: os=", n); }
static void returns(struct text *text, size_t n) { repeat(text, "\r#", n); }
static void ends(struct text *text, size_t n) { repeat(text, "\n", n); }
static void star_line(struct text *text, size_t n) { repeat(text, "*** ", n); }
static void names(struct text *text, size_t n) { repeat(text, "Instance of 'a' ", n); }

static const struct shape {
    const char *name;
    void (*make)(struct text *text, size_t n);
    size_t n;
} shapes[] = {
    {"traces of other builds", other_builds, 2000},
    {"rows without a header", rows_alone, 8000},
    {"loading units", units, 4000},
    {"units of one line", units_without_lines, 4000},
    {"one trace", one_trace, 10000},
    {"asynchronous gaps", async_gaps, 8000},
    {"a crash dump", crash_rows, 6000},
    {"begins of traces", stars, 8000},
    {"a long line", long_line, 1000000},
    {"a row with many symbols", long_row, 10000},
    {"a line of number signs", hashes, 500000},
    {"a line of begins of rows", row_begins, 30000},
    {"blanks before a row", blanks, 500000},
    {"a long number", digits, 500000},
    {"a line of keys", keys, 10000},
    {"carriage returns", returns, 100000},
    {"empty lines", ends, 500000},
    {"a line of stars", star_line, 100000},
    {"a line of names", names, 30000},
};

/* --- trying each trace, and measuring time and memory --- */

struct step {
    const char *name;
    double seconds;
    uint64_t peak;
};

struct trial {
    const struct shape *shape;
    struct text text;
    struct step steps[STEPS];
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool drop(void *context, const char *data, size_t size)
{
    (void)context, (void)data, (void)size;
    return true;
}

static struct step *begin_step(struct trial *trial, size_t number, const char *name)
{
    struct step *step = &trial->steps[number];
    *step = (struct step){name, -now(), 0};
    snprintf(hostile_now, sizeof hostile_now, "\"%s\" of %zu bytes: %s", trial->shape->name, trial->text.size, name);
    alarm(SECONDS_MOST);
    return step;
}

static void end_step(struct step *step, const struct hostile_account *account, uint64_t most)
{
    char words[96];
    alarm(0);
    step->seconds += now();
    step->peak = account->peak;
    if (account->live) hostile_fail("memory", "not all was given back");
    snprintf(words, sizeof words, "%llu bytes were taken, of %llu", (unsigned long long)account->peak,
             (unsigned long long)most);
    if (account->peak > most) hostile_fail("memory", words);
}

static void decode(struct trial *trial, const framemap_index *index)
{
    struct hostile_account account = {0, 0};
    const framemap_allocator allocator = hostile_allocator(&account);
    const framemap_dart_options options = {.size = sizeof options, .allocator = &allocator, .internal_frames = true};
    framemap_dart_decoder *decoder = NULL;
    framemap_error error;
    struct step *step = begin_step(trial, 0, "decode");
    if (hostile_answered(framemap_dart_decoder_create(index, &options, &decoder, &error), &error,
                         "framemap_dart_decoder_create"))
        (void)hostile_answered(
            framemap_dart_decoder_text(decoder, (framemap_str){trial->text.data, trial->text.size}, drop, NULL, &error),
            &error, "framemap_dart_decoder_text");
    framemap_dart_decoder_free(decoder);
    end_step(step, &account, decoder_base + 4 * (uint64_t)trial->text.longest);
}

static void restore(struct trial *trial, const char *path)
{
    struct hostile_account account = {0, 0};
    const framemap_allocator allocator = hostile_allocator(&account);
    const framemap_session_options options = {.size = sizeof options,
                                              .allocator = &allocator,
                                              .symbol_paths = &path,
                                              .symbol_path_count = 1,
                                              .cache_path = ""};
    const framemap_str text = {trial->text.data, trial->text.size};
    framemap_session *session = NULL;
    framemap_error error;
    struct step *step = begin_step(trial, 1, "restore");
    if (hostile_answered(framemap_session_open(&options, &session, &error), &error, "framemap_session_open"))
        (void)hostile_answered(framemap_session_restore(session, text, NULL, drop, NULL, NULL, &error), &error,
                               "framemap_session_restore");
    framemap_session_close(session);
    end_step(step, &account, memory_base + MEMORY_EACH * (uint64_t)text.size);
}

static void convert(struct trial *trial, const char *path)
{
    struct hostile_account account = {0, 0};
    const framemap_allocator allocator = hostile_allocator(&account);
    const framemap_session_options options = {.size = sizeof options,
                                              .allocator = &allocator,
                                              .symbol_paths = &path,
                                              .symbol_path_count = 1,
                                              .cache_path = ""};
    framemap_trace_list list = {NULL, 0, NULL};
    framemap_session *session = NULL;
    framemap_error error;
    struct step *step = begin_step(trial, 2, "convert");
    if (hostile_answered(framemap_session_open(&options, &session, &error), &error, "framemap_session_open") &&
        hostile_answered(framemap_trace_parse((framemap_str){trial->text.data, trial->text.size}, NULL, &list, &error),
                         &error, "framemap_trace_parse"))
        (void)hostile_answered(framemap_session_write_dart(session, &list, drop, NULL, NULL, &error), &error,
                               "framemap_session_write_dart");
    framemap_trace_list_free(&list);
    framemap_session_close(session);
    end_step(step, &account, memory_base + MEMORY_EACH * (uint64_t)trial->text.size);
}

static size_t longest_line(const struct text *text)
{
    size_t longest = 0, from = 0;
    for (size_t i = 0; i <= text->size; i++) {
        if (i < text->size && text->data[i] != '\n' && text->data[i] != '\r') continue;
        if (i - from > longest) longest = i - from;
        from = i + 1;
    }
    return longest;
}

static void run_trial(struct trial *trial, const struct shape *shape, size_t n, const framemap_index *index,
                      const char *path)
{
    trial->shape = shape;
    trial->text.size = 0;
    shape->make(&trial->text, n);
    trial->text.longest = longest_line(&trial->text);
    decode(trial, index);
    restore(trial, path);
    convert(trial, path);
}

static double worst_growth(const struct trial *small, const struct trial *large, const char **name)
{
    double worst = 0;
    for (size_t i = 0; i < STEPS; i++) {
        const struct step *before = &small->steps[i], *after = &large->steps[i];
        if (after->seconds < seconds_noise) continue;
        const double least = before->seconds > seconds_noise / 16 ? before->seconds : seconds_noise / 16;
        const double growth = after->seconds / (double)large->text.size * (double)small->text.size / least;
        if (growth > worst) worst = growth, *name = after->name;
    }
    return worst;
}

static bool grows_well(const struct shape *shape, const framemap_index *index, const char *path)
{
    static struct trial small, large;
    const char *step = "";
    double best = 0;
    for (int i = 0; i < TRIES && (i == 0 || best > growth_most); i++) {
        run_trial(&small, shape, shape->n, index, path);
        run_trial(&large, shape, GROWTH * shape->n, index, path);
        const double growth = worst_growth(&small, &large, &step);
        if (i == 0 || growth < best) best = growth;
    }
    printf("%-28s %5.1f MB %5.1f %-8s", shape->name, (double)large.text.size / 1e6, best, step);
    for (size_t i = 0; i < STEPS; i++)
        printf("  %s %.0f MB/s %llu KB", large.steps[i].name,
               (double)large.text.size / 1e6 / (large.steps[i].seconds + 1e-9),
               (unsigned long long)large.steps[i].peak >> 10);
    printf("\n");
    return best <= growth_most;
}

/* --- trying damaged symbol files --- */

static struct text read_whole(const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t size = 0, capacity = 1 << 16, got;
    char *data = malloc(capacity);
    if (file == NULL || data == NULL) hostile_fail(path, "can't be read");
    while ((got = fread(data + size, 1, capacity - size, file)) > 0) {
        size += got;
        if (size == capacity && (data = realloc(data, capacity *= 2)) == NULL) hostile_fail(path, "out of memory");
    }
    fclose(file);
    return (struct text){data, size, capacity, 0};
}

static void try_copy(framemap_str bytes, const struct text *trace)
{
    struct hostile_account account = {0, 0};
    const framemap_allocator allocator = hostile_allocator(&account);
    const framemap_build_options options = {.size = sizeof options, .allocator = &allocator, .mapper = "dart"};
    const framemap_dart_options decoding = {
        .size = sizeof decoding, .allocator = &allocator, .internal_frames = true, .any_build = true};
    framemap_bytes made = {.data = NULL};
    framemap_index *index = NULL;
    framemap_dart_decoder *decoder = NULL;
    framemap_error error;
    alarm(SECONDS_MOST);
    if (hostile_answered(framemap_index_build(bytes, framemap_str_of("app.symbols"), &options, &made, &error), &error,
                         "framemap_index_build")) {
        if (framemap_index_open(framemap_bytes_str(&made), &allocator, &index, &error) != FRAMEMAP_OK ||
            framemap_index_verify(index, &error) != FRAMEMAP_OK)
            hostile_fail("an index that was just built", error.message);
        if (hostile_answered(framemap_dart_decoder_create(index, &decoding, &decoder, &error), &error,
                             "framemap_dart_decoder_create"))
            (void)hostile_answered(
                framemap_dart_decoder_text(decoder, (framemap_str){trace->data, trace->size}, drop, NULL, &error),
                &error, "framemap_dart_decoder_text");
        framemap_dart_decoder_free(decoder);
        framemap_index_close(index);
    }
    framemap_bytes_free(&made);
    alarm(0);
    if (account.live) hostile_fail("memory", "not all was given back");
    if (account.peak > memory_most) hostile_fail("memory", "more was taken than the ceiling");
}

static void damage(const char *path, size_t cuts)
{
    const struct text file = read_whole(path);
    struct text trace = {NULL, 0, 0, 0};
    rows_alone(&trace, 100);
    for (size_t i = 0; i < cuts; i++) {
        const size_t at = (size_t)((double)file.size / (double)cuts * (double)i);
        char *copy = malloc(file.size);
        if (copy == NULL) hostile_fail("the test itself", "out of memory");
        snprintf(hostile_now, sizeof hostile_now, "%s cut at %zu", path, at);
        memcpy(copy, file.data, at);
        /* a block of the exact size: AddressSanitizer detects a read past the end */
        char *exact = realloc(copy, at ? at : 1);
        if (exact) copy = exact;
        try_copy((framemap_str){copy, at}, &trace);
        free(copy);
        if ((copy = malloc(file.size)) == NULL) hostile_fail("the test itself", "out of memory");
        memcpy(copy, file.data, file.size);
        copy[at] = (char)(copy[at] ^ (1 << i % 8));
        snprintf(hostile_now, sizeof hostile_now, "%s, byte %zu changed", path, at);
        try_copy((framemap_str){copy, file.size}, &trace);
        free(copy);
    }
    free(trace.data);
    free(file.data);
    printf("%zu lengths and %zu changes of %s\n", cuts, cuts, path);
}

int main(int argc, char **argv)
{
    const bool growth = argc > 1 && strcmp(argv[1], "--growth") == 0;
    const char *path = argv[1 + growth];
    static struct trial trial;
    framemap_index *index = NULL;
    framemap_bytes made = {.data = NULL};
    framemap_error error;
    unsigned bad = 0;
    hostile_watch();
    if (argc < 2 + growth) hostile_fail("usage", "hostile_dart [--growth] SYMBOLS [CUTS]");
    const struct text file = read_whole(path);
    if (framemap_index_build((framemap_str){file.data, file.size}, framemap_str_of(path), NULL, &made, &error) !=
            FRAMEMAP_OK ||
        framemap_index_open(framemap_bytes_str(&made), NULL, &index, &error) != FRAMEMAP_OK)
        hostile_fail(path, error.message);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (growth)
            bad += !grows_well(&shapes[i], index, path);
        else
            run_trial(&trial, &shapes[i], shapes[i].n / 16, index, path);
    }
    if (argc > 2 + growth) damage(path, strtoul(argv[2 + growth], NULL, 10));
    framemap_index_close(index);
    framemap_bytes_free(&made);
    free(file.data);
    free(trial.text.data);
    if (bad) fprintf(stderr, "hostile_dart: %u shapes take more time for each byte the larger they are\n", bad);
    return bad ? 1 : 0;
}
