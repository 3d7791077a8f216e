/* hostile_scripts [--growth] [WORD]: passes source maps made to be slow, large or confusing to the public calls.
 *
 * Checks these properties of each shape (with WORD, only of those whose name contains it): it is accepted or refused as
 * its row says, strict and lenient, with a message; the index is sound, and if there are no faults it is the same in
 * both modes; it can be dumped and queried; all memory is freed, and at most MEMORY_BASE plus MEMORY_EACH bytes per
 * byte of the map are used. With --growth each shape is tried again eight times as large: a step may then take four
 * times as long per byte read or written, because memory gets slower, but not eight times. */
#include "hostile_help.h"
#include "script_shapes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    SECONDS_MOST = 60,
    STEPS_MOST = 12,
    TRIES = 3,
    GROWTH = 8,
    /* bytes of memory for each byte of the map; sorting a line whose columns decrease takes 80 of them */
    MEMORY_EACH = 88
};

static const uint64_t memory_base = (uint64_t)24 << 20;
static const double seconds_noise = 0.04, growth_most = 4;

struct step {
    const char *name;
    double seconds, bytes; /* seconds of a step, and bytes that it reads and writes */
};

struct trial {
    const struct script_shape *shape;
    struct grown map;
    framemap_allocator allocator;
    struct hostile_account account;
    struct step steps[STEPS_MOST];
    size_t step_count;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void begin_step(struct trial *trial, const char *name)
{
    trial->steps[trial->step_count] = (struct step){name, -now(), 0};
    snprintf(hostile_now, sizeof hostile_now, "\"%s\" of %zu bytes: %s", trial->shape->name, trial->map.size, name);
    alarm(SECONDS_MOST);
}

static void end_step(struct trial *trial, double bytes)
{
    struct step *step = &trial->steps[trial->step_count++];
    alarm(0);
    step->seconds += now();
    step->bytes = bytes;
}

static bool count_bytes(void *context, const char *data, size_t size)
{
    (void)data;
    *(double *)context += (double)size;
    return true;
}

static framemap_status build(struct trial *trial, const char *name, bool strict, bool keep_sources,
                             framemap_bytes *index, framemap_error *error)
{
    const framemap_build_options options = {.size = sizeof options,
                                            .allocator = &trial->allocator,
                                            .strict = strict,
                                            .keep_sources = keep_sources,
                                            .mapper = "sourcemap"};
    *index = (framemap_bytes){.data = NULL};
    begin_step(trial, name);
    const framemap_status status = framemap_index_build((framemap_str){trial->map.data, trial->map.size},
                                                        framemap_str_of("main.js.map"), &options, index, error);
    (void)hostile_answered(status, error, "framemap_index_build");
    end_step(trial, (double)(trial->map.size + index->size));
    return status;
}

static void ask(const framemap_index *index, framemap_scratch *scratch, uint64_t line0, uint64_t col0)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_frame frame;
    framemap_error error;
    query.scope_number = line0;
    query.position = col0;
    (void)hostile_answered(framemap_resolve(index, &query, scratch, &frame, &error), &error, "framemap_resolve");
}

static void use_index(struct trial *trial, const framemap_bytes *bytes)
{
    static const char *const formats[] = {"text", "jsonl", "kv"};
    static const uint64_t asked[] = {0, 1, 2, 1000, UINT32_MAX - 1, UINT32_MAX, UINT64_MAX};
    framemap_index *index = NULL;
    framemap_scratch *scratch = NULL;
    framemap_error error;
    begin_step(trial, "verify");
    if (framemap_index_open(framemap_bytes_str(bytes), &trial->allocator, &index, &error) != FRAMEMAP_OK ||
        framemap_index_verify(index, &error) != FRAMEMAP_OK)
        hostile_fail("an index that was just built", error.message);
    end_step(trial, (double)bytes->size);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        double out = 0;
        begin_step(trial, formats[i]);
        (void)hostile_answered(framemap_index_dump(index, formats[i], count_bytes, &out, &error), &error,
                               "framemap_index_dump");
        end_step(trial, (double)bytes->size + out);
    }
    begin_step(trial, "look up");
    if (framemap_scratch_create(&trial->allocator, &scratch, &error) != FRAMEMAP_OK)
        hostile_fail("framemap_scratch_create", error.message);
    for (size_t line = 0; line < sizeof asked / sizeof *asked; line++)
        for (size_t col = 0; col < sizeof asked / sizeof *asked; col++) ask(index, scratch, asked[line], asked[col]);
    framemap_scratch_free(scratch);
    end_step(trial, (double)bytes->size);
    framemap_index_close(index);
}

/* Checks the memory that building the index took, in proportion to the size of the decompressed map. */
static void check_memory(const struct trial *trial, const framemap_bytes *index)
{
    const uint64_t most = memory_base + (uint64_t)MEMORY_EACH * (trial->map.size + index->size);
    const bool inflated = strstr(trial->shape->name, "gzip") != NULL;
    if (trial->account.peak > most && !inflated) {
        char words[96];
        snprintf(words, sizeof words, "%llu bytes were taken", (unsigned long long)trial->account.peak);
        hostile_fail("memory", words);
    }
}

static void check_strict(struct trial *trial, const framemap_bytes *lenient)
{
    framemap_bytes strict;
    framemap_error error;
    const framemap_status status = build(trial, "build strictly", true, false, &strict, &error);
    const char *words = trial->shape->strict;
    if ((status == FRAMEMAP_OK) != (words == NULL))
        hostile_fail("strict reading", status == FRAMEMAP_OK ? "took it" : error.message);
    if (words && strstr(error.message, words) == NULL) hostile_fail("strict reading says", error.message);
    if (status == FRAMEMAP_OK && (strict.size != lenient->size || memcmp(strict.data, lenient->data, strict.size) != 0))
        hostile_fail("framemap_index_build", "a map without faults gives another index when faults are forgiven");
    framemap_bytes_free(&strict);
}

static void run_trial(struct trial *trial, const struct script_shape *shape, size_t n)
{
    framemap_bytes lenient, whole;
    framemap_error error;
    *trial = (struct trial){.shape = shape};
    trial->allocator = hostile_allocator(&trial->account);
    shape->write(&trial->map, n);
    const framemap_status status = build(trial, "build", false, false, &lenient, &error);
    if ((int)status != shape->lenient)
        hostile_fail("lenient reading", status == FRAMEMAP_OK ? "took it" : error.message);
    check_memory(trial, &lenient);
    check_strict(trial, &lenient);
    if (status == FRAMEMAP_OK) use_index(trial, &lenient);
    if (build(trial, "build with contents", false, true, &whole, &error) != status)
        hostile_fail("with contents", "another answer");
    framemap_bytes_free(&whole);
    framemap_bytes_free(&lenient);
    if (trial->account.live != 0) hostile_fail("memory", "some was not given back");
    grown_free(&trial->map);
}

/* Returns the greatest factor by which the time per byte of a step grew, and the name of the step. Steps too short to
 * measure are ignored. */
static double worst_growth(const struct trial *small, const struct trial *large, const char **name)
{
    double worst = 0;
    for (size_t i = 0; i < large->step_count && i < small->step_count; i++) {
        const struct step *after = &large->steps[i], *before = &small->steps[i];
        if (after->seconds < seconds_noise || before->bytes == 0) continue;
        const double least = before->seconds > seconds_noise / 16 ? before->seconds : seconds_noise / 16;
        const double growth = after->seconds / after->bytes * before->bytes / least;
        if (growth <= worst) continue;
        worst = growth;
        *name = after->name;
    }
    return worst;
}

static bool grows_well(const struct script_shape *shape)
{
    static struct trial small, large;
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
    printf("%-40s %6.1f %-20s at most %llu KB\n", shape->name, best, worst,
           (unsigned long long)large.account.peak >> 10);
    if (best > growth_most)
        fprintf(stderr, "hostile: \"%s\" (%s): time grows faster than the input\n", shape->name, shape->why);
    return best <= growth_most;
}

int main(int argc, char **argv)
{
    static struct trial trial;
    const bool growth = argc > 1 && strcmp(argv[1], "--growth") == 0;
    const char *word = argc > 1 + growth ? argv[1 + growth] : NULL;
    size_t count;
    const struct script_shape *shapes = script_shapes(&count);
    unsigned tried = 0, bad = 0;
    hostile_watch();
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t i = 0; i < count; i++) {
        if (word && strstr(shapes[i].name, word) == NULL) continue;
        tried++;
        if (growth)
            bad += !grows_well(&shapes[i]);
        else
            run_trial(&trial, &shapes[i], shapes[i].n / 16);
    }
    printf("%u shapes, %u of them bad\n", tried, bad);
    return bad != 0;
}
