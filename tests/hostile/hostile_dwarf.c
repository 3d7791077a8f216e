/* hostile_dwarf [--growth] [WORD]: passes debug info made to be slow, large or confusing to the public calls, with each
 * reader.
 *
 * Checks these properties of each shape (with WORD, only of those whose name contains it): a sound index is built, with
 * the same bytes for 1, 2 and 8 threads, and for both readers unless one reports that it ran out of work; all memory is
 * freed, and at most MEMORY_BASE plus MEMORY_EACH bytes per byte of the file are used. With --growth each shape is
 * tried again eight times as large: a step may then take four times as long per byte read or written, because memory
 * gets slower, but not eight times. */
#include "dwarf_shapes.h"
#include "hostile_help.h"
#include "tests/mappers/native/dwarf_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SECONDS_MOST = 60, TRIES = 3, GROWTH = 8, STEPS = 4, MEMORY_EACH = 512 };

static const uint64_t memory_base = (uint64_t)48 << 20;
static const double seconds_noise = 0.04, growth_most = 4;

/* The ways to build an index. The first way uses the reference reader; all other ways must give the same index as the
 * second. */
static const struct {
    const char *name, *reader;
    unsigned threads;
} steps[STEPS] = {
    {"libdwarf", "libdwarf", 1}, {"default", NULL, 1}, {"two threads", NULL, 2}, {"eight threads", NULL, 8}};

struct trial {
    const struct dwarf_shape *shape;
    double seconds[STEPS], bytes[STEPS]; /* seconds of each step, and bytes that it reads and writes */
    uint64_t peak;
    bool ran_out; /* a warning reported that the reader exceeded its limit of work */
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void note_warning(void *context, const framemap_error *warning)
{
    struct trial *trial = context;
    trial->ran_out |= warning->code == FRAMEMAP_E_LIMIT;
}

static void check_memory(const struct hostile_account *account, size_t size, size_t built)
{
    char words[128];
    const uint64_t most = memory_base + MEMORY_EACH * (uint64_t)(size + built);
    if (account->live != 0) hostile_fail("memory", "some was not given back");
    if (account->peak <= most) return;
    snprintf(words, sizeof words, "%llu KB were taken, %llu are allowed", (unsigned long long)account->peak >> 10,
             (unsigned long long)most >> 10);
    hostile_fail("memory", words);
}

static framemap_status build(struct trial *trial, size_t step, framemap_str file, framemap_bytes *out)
{
    struct hostile_account account = {0};
    const framemap_allocator allocator = hostile_allocator(&account);
    framemap_build_options options = {.size = sizeof options,
                                      .allocator = &allocator,
                                      .reader = steps[step].reader,
                                      .threads = steps[step].threads,
                                      .warning = note_warning,
                                      .context = trial};
    framemap_bytes built = {0};
    framemap_error error;

    snprintf(hostile_now, sizeof hostile_now, "\"%s\" of %zu bytes: %s", trial->shape->name, file.size,
             steps[step].name);
    alarm(SECONDS_MOST);
    trial->seconds[step] = -now();
    const framemap_status status = framemap_index_build(file, framemap_str_of("shape"), &options, &built, &error);
    trial->seconds[step] += now();
    alarm(0);
    trial->bytes[step] = (double)(file.size + built.size);
    *out = (framemap_bytes){0};
    if (hostile_answered(status, &error, "framemap_index_build")) {
        out->data = malloc(built.size);
        out->size = built.size;
        if (out->data == NULL) hostile_fail("the test itself", "out of memory");
        memcpy(out->data, built.data, built.size);
    }
    framemap_bytes_free(&built);
    check_memory(&account, file.size, out->size);
    if (account.peak > trial->peak) trial->peak = account.peak;
    return status;
}

static void check_whole(framemap_bytes *bytes)
{
    framemap_index *index = NULL;
    framemap_error error;
    if (framemap_index_open((framemap_str){(const char *)bytes->data, bytes->size}, NULL, &index, &error) !=
            FRAMEMAP_OK ||
        framemap_index_verify(index, &error) != FRAMEMAP_OK)
        hostile_fail("the index", error.message);
    framemap_index_close(index);
}

static void run_trial(struct trial *trial, const struct dwarf_shape *shape, size_t n)
{
    struct made_dwarf made;
    framemap_bytes built[STEPS];
    framemap_status status[STEPS];
    size_t size = 0;

    *trial = (struct trial){.shape = shape};
    shape->write(&made, n);
    unsigned char *data = dwarf_file_of(&made, &size);
    dwarf_made_free(&made);
    for (size_t i = 0; i < STEPS; i++) status[i] = build(trial, i, (framemap_str){(const char *)data, size}, &built[i]);
    for (size_t i = 0; i < STEPS; i++) {
        if (i == 0 && trial->ran_out) continue;
        if (status[i] != status[1]) hostile_fail("status", "another one than by default");
        if (status[i] != FRAMEMAP_OK) continue;
        if (built[i].size != built[1].size || memcmp(built[i].data, built[1].data, built[1].size) != 0)
            hostile_fail("the index", "other bytes than by default");
    }
    if (status[1] == FRAMEMAP_OK) check_whole(&built[1]);
    for (size_t i = 0; i < STEPS; i++) free(built[i].data);
    free(data);
}

/* Returns the greatest factor by which the time per byte of a step grew, and the name of the step. Steps too short to
 * measure are ignored. */
static double worst_growth(const struct trial *small, const struct trial *large, const char **name)
{
    double worst = 0;
    for (size_t i = 0; i < STEPS; i++) {
        if (large->seconds[i] < seconds_noise) continue;
        const double least = small->seconds[i] > seconds_noise / 16 ? small->seconds[i] : seconds_noise / 16;
        const double growth = large->seconds[i] / large->bytes[i] * small->bytes[i] / least;
        if (growth <= worst) continue;
        worst = growth;
        *name = steps[i].name;
    }
    return worst;
}

static bool grows_well(const struct dwarf_shape *shape)
{
    struct trial small, large;
    const char *worst = "";
    double best = 0;
    for (int i = 0; i < TRIES && (i == 0 || best > growth_most); i++) {
        const char *step = "";
        run_trial(&small, shape, shape->n);
        run_trial(&large, shape, GROWTH * shape->n);
        const double growth = worst_growth(&small, &large, &step);
        if (i > 0 && growth > best) continue;
        best = growth;
        worst = step;
    }
    printf("%-50s %6.1f %-14s %6.3f s %6.3f s %6llu KB%s\n", shape->name, best, worst, large.seconds[0],
           large.seconds[1], (unsigned long long)large.peak >> 10, large.ran_out ? " (limit)" : "");
    if (best > growth_most)
        fprintf(stderr, "hostile: \"%s\" (%s): time grows faster than the input\n", shape->name, shape->why);
    return best <= growth_most;
}

struct tally {
    unsigned tried, bad;
};

/* Tries shapes. word: part of the shape's name; NULL: all are tried. */
static void try_shapes(const struct dwarf_shape *shapes, size_t count, bool growth, const char *word,
                       struct tally *tally)
{
    struct trial trial;

    for (size_t i = 0; i < count; i++) {
        if (word && strstr(shapes[i].name, word) == NULL) continue;
        tally->tried++;
        if (growth)
            tally->bad += !grows_well(&shapes[i]);
        else
            run_trial(&trial, &shapes[i], shapes[i].n);
    }
}

int main(int argc, char **argv)
{
    const bool growth = argc > 1 && strcmp(argv[1], "--growth") == 0;
    const char *word = argc > 1 + growth ? argv[1 + growth] : NULL;
    struct tally tally = {0};
    size_t count;

    hostile_watch();
    setvbuf(stdout, NULL, _IOLBF, 0);
    const struct dwarf_shape *shapes = dwarf_shapes_of_entries(&count);
    try_shapes(shapes, count, growth, word, &tally);
    shapes = dwarf_shapes_of_lines(&count);
    try_shapes(shapes, count, growth, word, &tally);
    printf("%u shapes, %u of them bad\n", tally.tried, tally.bad);
    return tally.bad != 0;
}
