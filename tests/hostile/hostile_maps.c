/* hostile_maps [--growth] [WORD]: passes mappings and stack traces made to be slow, large or confusing to the public
 * calls.
 *
 * Checks these properties of each shape (with WORD, only of those whose name contains it): each call answers, or
 * refuses with a code and a message; an index is sound, and if there are no faults it is the same for strict and
 * lenient reading; memory is freed and stays below a limit that grows with input and output; no step takes longer than
 * SECONDS_MOST. With --growth each shape is tried again eight times as large: a step may then take four times as long
 * per byte read or written, because memory gets slower, but not eight times. This measures time and needs a quiet
 * machine. */
#include "hostile_help.h"
#include "map_shapes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SECONDS_MOST = 60, STEPS_MOST = 24, TRIES = 3, GROWTH = 8 };

static const uint64_t memory_most = (uint64_t)768 << 20;
static const double seconds_noise = 0.04, growth_most = 4;

struct step {
    const char *name;
    double seconds, bytes; /* seconds of a step, and bytes that it reads and writes */
};

/* One shape at one size, with its results. */
struct trial {
    const struct shape *shape;
    struct grown mapping, trace;
    framemap_bytes index;
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

static void begin_step(struct trial *trial, const char *name, size_t n)
{
    if (trial->step_count == STEPS_MOST) hostile_fail("the test itself", "more steps than there is room for");
    trial->steps[trial->step_count] = (struct step){name, -now(), 0};
    snprintf(hostile_now, sizeof hostile_now, "\"%s\" of %zu: %s", trial->shape->name, n, name);
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

static framemap_str view(const struct grown *text) { return (framemap_str){text->data, text->size}; }

static framemap_bytes build(struct trial *trial, size_t n, const char *mapper, bool strict, const char *name)
{
    framemap_build_options options = {.size = sizeof options,
                                      .allocator = &trial->allocator,
                                      .max_memory = memory_most,
                                      .mapper = mapper,
                                      .strict = strict};
    framemap_bytes index = {0};
    framemap_error error;
    begin_step(trial, name, n);
    framemap_status status =
        framemap_index_build(view(&trial->mapping), framemap_str_of("mapping.txt"), &options, &index, &error);
    (void)hostile_answered(status, &error, "framemap_index_build");
    end_step(trial, (double)(trial->mapping.size + index.size));
    return index;
}

static framemap_index *open_whole(struct trial *trial, const framemap_bytes *bytes, size_t n, const char *name)
{
    framemap_index *index = NULL;
    framemap_error error;
    begin_step(trial, name, n);
    if (!hostile_answered(framemap_index_open(framemap_bytes_str(bytes), &trial->allocator, &index, &error), &error,
                          "framemap_index_open"))
        hostile_fail("framemap_index_open", error.message);
    if (!hostile_answered(framemap_index_verify(index, &error), &error, "framemap_index_verify"))
        hostile_fail("framemap_index_verify", error.message);
    end_step(trial, (double)bytes->size);
    return index;
}

static void retrace(struct trial *trial, const framemap_index *index, size_t n, bool verbose, const char *name)
{
    framemap_retrace_options options = {.size = sizeof options,
                                        .allocator = &trial->allocator,
                                        .expression = trial->shape->expression,
                                        .verbose = verbose};
    framemap_retracer *retracer = NULL;
    framemap_error error;
    double out = 0;
    begin_step(trial, name, n);
    if (hostile_answered(framemap_retracer_create(index, &options, &retracer, &error), &error,
                         "framemap_retracer_create"))
        (void)hostile_answered(framemap_retracer_text(retracer, view(&trial->trace), count_bytes, &out, &error), &error,
                               "framemap_retracer_text");
    framemap_retracer_free(retracer);
    end_step(trial, (double)(trial->index.size + trial->trace.size) + out);
}

static void dump(struct trial *trial, const framemap_index *index, size_t n, const char *format, const char *name)
{
    framemap_error error;
    double out = 0;
    begin_step(trial, name, n);
    (void)hostile_answered(framemap_index_dump(index, format, count_bytes, &out, &error), &error,
                           "framemap_index_dump");
    end_step(trial, (double)trial->index.size + out);
}

static void ask(framemap_scratch *scratch, const framemap_index *index, const char *scope, bool no_position,
                uint64_t position)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_frame frame;
    framemap_error error;
    query.scope = framemap_str_of(scope);
    query.no_position = no_position;
    query.position = position;
    (void)hostile_answered(framemap_resolve(index, &query, scratch, &frame, &error), &error, "framemap_resolve");
}

static void look_up(struct trial *trial, const framemap_index *index, size_t n)
{
    framemap_scratch *scratch = NULL;
    framemap_error error;
    begin_step(trial, "look up", n);
    if (framemap_scratch_create(&trial->allocator, &scratch, &error) != FRAMEMAP_OK)
        hostile_fail("framemap_scratch_create", error.message);
    ask(scratch, index, "a", true, 0);
    ask(scratch, index, "a.a", true, 0);
    ask(scratch, index, "a.a", false, 0);
    ask(scratch, index, "a.a", false, 1);
    ask(scratch, index, "a.a", false, UINT64_MAX);
    ask(scratch, index, ".", true, 0);
    framemap_scratch_free(scratch);
    end_step(trial, (double)trial->index.size);
}

static void use_index(struct trial *trial, size_t n)
{
    framemap_index *index = open_whole(trial, &trial->index, n, "verify");
    dump(trial, index, n, "text", "dump text");
    dump(trial, index, n, "jsonl", "dump jsonl");
    dump(trial, index, n, "kv", "dump kv");
    look_up(trial, index, n);
    retrace(trial, index, n, false, "retrace");
    retrace(trial, index, n, true, "retrace verbosely");
    framemap_index_close(index);
}

static void by_proguard(struct trial *trial, size_t n)
{
    framemap_bytes bytes = build(trial, n, "proguard", false, "build for ProGuard");
    if (bytes.data == NULL) return;
    framemap_index *index = open_whole(trial, &bytes, n, "verify for ProGuard");
    retrace(trial, index, n, false, "retrace as ProGuard");
    framemap_index_close(index);
    framemap_bytes_free(&bytes);
}

/* Builds an index by each set of rules, and runs all queries on it. */
static void try_mapping(struct trial *trial, size_t n)
{
    trial->index = build(trial, n, "r8", false, "build");
    framemap_bytes strict = build(trial, n, "r8", true, "build strictly");
    if (strict.data && (trial->index.data == NULL || strict.size != trial->index.size ||
                        memcmp(strict.data, trial->index.data, strict.size) != 0))
        hostile_fail("framemap_index_build", "a mapping without faults gives another index when faults are forgiven");
    framemap_bytes_free(&strict);
    by_proguard(trial, n);
    if (trial->index.data) use_index(trial, n);
}

static void put_mapping(const struct trial *trial, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(trial->mapping.data, 1, trial->mapping.size, file) != trial->mapping.size ||
        fclose(file) != 0)
        hostile_fail("the test itself", "can't write the mapping");
}

static void restore(struct trial *trial, framemap_session *session, size_t n, const char *output, const char *name)
{
    const framemap_restore_options options = {.size = sizeof options, .output = output};
    framemap_error error;
    double out = 0;
    begin_step(trial, name, n);
    (void)hostile_answered(
        framemap_session_restore(session, view(&trial->trace), &options, count_bytes, &out, NULL, &error), &error,
        "framemap_session_restore");
    end_step(trial, (double)(trial->trace.size + trial->mapping.size) + out);
}

/* Restores the stack trace inside a report, with the mapping in a folder. */
static void try_session(struct trial *trial, size_t n, const char *path)
{
    const framemap_session_options options = {.size = sizeof options,
                                              .allocator = &trial->allocator,
                                              .symbol_paths = &path,
                                              .symbol_path_count = 1,
                                              .cache_path = ""};
    framemap_session *session = NULL;
    framemap_error error;
    begin_step(trial, "scan", n);
    (void)hostile_answered(framemap_session_open(&options, &session, &error), &error, "framemap_session_open");
    end_step(trial, (double)trial->mapping.size);
    if (session == NULL) return;
    restore(trial, session, n, "text", "restore text");
    restore(trial, session, n, "json", "restore json");
    framemap_session_close(session);
}

static void run_trial(struct trial *trial, const struct shape *shape, size_t n, const char *path)
{
    *trial = (struct trial){.shape = shape};
    trial->allocator = hostile_allocator(&trial->account);
    (shape->mapping ? shape->mapping : shape_small_mapping)(&trial->mapping, n);
    (shape->trace ? shape->trace : shape_small_trace)(&trial->trace, n);
    try_mapping(trial, n);
    put_mapping(trial, path);
    try_session(trial, n, path);
    framemap_bytes_free(&trial->index);
    if (trial->account.live != 0) hostile_fail("memory", "some was not given back");
    if (trial->account.peak > memory_most) hostile_fail("memory", "more than the ceiling was taken");
    grown_free(&trial->mapping);
    grown_free(&trial->trace);
}

static const struct step *same_step(const struct trial *trial, size_t from, const char *name)
{
    for (size_t i = from; i < trial->step_count; i++)
        if (strcmp(trial->steps[i].name, name) == 0) return &trial->steps[i];
    return NULL;
}

/* Returns the greatest factor by which the time per byte of a step grew, and the name of the step. Steps too short to
 * measure are ignored. */
static double worst_growth(const struct trial *small, const struct trial *large, const char **name)
{
    double worst = 0;
    for (size_t i = 0; i < large->step_count; i++) {
        const struct step *after = &large->steps[i], *before = same_step(small, 0, after->name);
        if (before == NULL || before->bytes == 0 || after->seconds < seconds_noise) continue;
        const double least = before->seconds > seconds_noise / 16 ? before->seconds : seconds_noise / 16;
        const double growth = after->seconds / after->bytes * before->bytes / least;
        if (growth > worst) {
            worst = growth;
            *name = after->name;
        }
    }
    return worst;
}

static bool grows_well(const struct shape *shape, const char *path)
{
    static struct trial small, large;
    const char *worst = "";
    double best = 0;
    for (int i = 0; i < TRIES && (i == 0 || best > growth_most); i++) {
        const char *step = "";
        run_trial(&small, shape, shape->n, path);
        run_trial(&large, shape, GROWTH * shape->n, path);
        const double growth = worst_growth(&small, &large, &step);
        if (i > 0 && growth > best) continue;
        best = growth;
        worst = step;
    }
    printf("%-40s %6.1f %-20s at most %llu KB\n", shape->name, best, worst,
           (unsigned long long)large.account.peak >> 10);
    return best <= growth_most;
}

static unsigned try_shapes(const struct shape *shapes, size_t count, bool growth, const char *word, const char *path)
{
    static struct trial trial;
    unsigned bad = 0;
    for (size_t i = 0; i < count; i++) {
        if (word && strstr(shapes[i].name, word) == NULL) continue;
        if (!growth || shapes[i].to_the_limit)
            run_trial(&trial, &shapes[i], growth ? shapes[i].n : shapes[i].n / 64 + 1, path);
        else if (!grows_well(&shapes[i], path)) {
            fprintf(stderr, "hostile: \"%s\" (%s): time grows faster than the input\n", shapes[i].name, shapes[i].why);
            bad++;
        }
    }
    return bad;
}

int main(int argc, char **argv)
{
    const bool growth = argc > 1 && strcmp(argv[1], "--growth") == 0;
    const char *word = argc > 1 + growth ? argv[1 + growth] : NULL;
    char folder[] = "/tmp/framemap-hostile-XXXXXX", path[64];
    size_t mappings, ranges, traces;
    hostile_watch();
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (mkdtemp(folder) == NULL) return 1;
    snprintf(path, sizeof path, "%s/mapping.txt", folder);
    const struct shape *all_mappings = shape_of_mappings(&mappings), *all_ranges = shape_of_ranges(&ranges),
                       *all_traces = shape_of_traces(&traces);
    unsigned bad = try_shapes(all_mappings, mappings, growth, word, path) +
                   try_shapes(all_ranges, ranges, growth, word, path) +
                   try_shapes(all_traces, traces, growth, word, path);
    unlink(path);
    rmdir(folder);
    printf("%zu shapes, %u of them bad\n", mappings + ranges + traces, bad);
    return bad != 0;
}
