/* bench_sourcemap [-j THREADS] [-r ROUNDS] [-n LOOKUPS] [-l PLACES] MAP: measures framemap's calls on one source map.
 *
 * Times the following, each ROUNDS times in turn: the decoding of `mappings` alone, if the map has a single `mappings`
 * string; the build of the index, as wall-clock and CPU time, with one thread per processor or as many as -j gives; and
 * patterns of lookups in the index. "random" looks up positions of the whole map, "hot" 256 of them repeatedly,
 * "ascending" positions in the order of the text. Each is measured through the public call; "segments" measures the
 * view's lookups alone, one by one and in batches. Prints one line for each measure, separated by TAB: name, minimum,
 * median and maximum of the rounds, unit. With -l it writes PLACES positions to standard output instead, "LINE:COL",
 * both from 1, as input for other tools; they are equal on every machine. */
#include "bench_help.h"

#include "api/index_handle.h"
#include "index/read/segments/segment_view.h"
#include "mappers/javascript/sourcemap/sourcemap_mappings_avx2.h"
#include "mappers/javascript/sourcemap/sourcemap_vlq.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HOT = 256 };

struct plan {
    const char *path;
    unsigned rounds, threads;
    size_t lookups, list;
};

struct places {
    uint32_t *lines0, *cols0;
    size_t count;
};

struct bench {
    const struct plan *plan;
    framemap_index *index;
    framemap_scratch *scratch;
    struct places random, ascending, hot;
    struct fm_view_segment *segments;
    bool *found;
    uint64_t mapped;
};

/* --- choosing the positions that are looked up --- */

static struct places new_places(size_t count)
{
    struct places places = {calloc(count, sizeof(uint32_t)), calloc(count, sizeof(uint32_t)), count};
    if (places.lines0 == NULL || places.cols0 == NULL) die("places", "out of memory");
    return places;
}

static void free_places(struct places *places)
{
    free(places->lines0);
    free(places->cols0);
}

/* Chooses a random position that a segment covers: before the next segment of the line or, for the last segment, a few
 * columns after its start. */
static void place_in(const struct fm_view *view, uint64_t number, uint64_t *state, uint32_t *line0, uint32_t *col0)
{
    struct fm_view_segment segment, next;
    if (!fm_view_segment(view, number, &segment)) die("places", "a segment can't be read");
    uint32_t width = 8;
    if (fm_view_segment(view, number + 1, &next) && next.line0 == segment.line0) width = next.col0 - segment.col0;
    *line0 = segment.line0;
    *col0 = segment.col0 + (width ? (uint32_t)(next_random(state) % width) : 0);
}

static struct places random_places(const struct fm_view *view, size_t count)
{
    struct fm_segments_about about;
    uint64_t state = 1;
    struct places places = new_places(count);
    if (!fm_view_segments(view, &about) || about.segment_count == 0) die("places", "the map has no segments");
    for (size_t i = 0; i < count; i++)
        place_in(view, next_random(&state) % about.segment_count, &state, &places.lines0[i], &places.cols0[i]);
    return places;
}

static int by_place(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return left < right ? -1 : left > right;
}

static struct places sorted(const struct places *from)
{
    struct places places = new_places(from->count);
    uint64_t *keys = calloc(from->count, sizeof *keys);
    if (keys == NULL) die("places", "out of memory");
    for (size_t i = 0; i < from->count; i++) keys[i] = (uint64_t)from->lines0[i] << 32 | from->cols0[i];
    qsort(keys, from->count, sizeof *keys, by_place);
    for (size_t i = 0; i < from->count; i++) {
        places.lines0[i] = (uint32_t)(keys[i] >> 32);
        places.cols0[i] = (uint32_t)keys[i];
    }
    free(keys);
    return places;
}

static struct places repeated(const struct places *from)
{
    struct places places = new_places(from->count);
    for (size_t i = 0; i < from->count; i++) {
        places.lines0[i] = from->lines0[i % HOT % from->count];
        places.cols0[i] = from->cols0[i % HOT % from->count];
    }
    return places;
}

static void list_places(const struct fm_view *view, size_t count)
{
    struct places places = random_places(view, count);
    for (size_t i = 0; i < count; i++)
        printf("%lu:%lu\n", (unsigned long)places.lines0[i] + 1, (unsigned long)places.cols0[i] + 1);
    free_places(&places);
}

/* --- timing lookups --- */

static void ask_public(struct bench *bench, const struct places *places)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_frame frame;
    framemap_error error;
    for (size_t i = 0; i < places->count; i++) {
        query.scope_number = places->lines0[i];
        query.position = places->cols0[i];
        check(framemap_resolve(bench->index, &query, bench->scratch, &frame, &error), "lookup", &error);
        bench->mapped += frame.restored.count;
    }
}

static void ask_view(struct bench *bench, const struct places *places)
{
    struct fm_view_segment segment;
    for (size_t i = 0; i < places->count; i++)
        bench->mapped += fm_view_segment_at(bench->index->view, places->lines0[i], places->cols0[i], &segment);
}

static void ask_many(struct bench *bench, const struct places *places)
{
    fm_view_segments_at(bench->index->view, places->lines0, places->cols0, places->count, bench->segments,
                        bench->found);
    bench->mapped += bench->found[places->count - 1];
}

static const struct {
    const char *name;
    void (*ask)(struct bench *bench, const struct places *places);
} ways[] = {{"", ask_public}, {", segments", ask_view}, {", segments at once", ask_many}};
enum { WAYS = sizeof ways / sizeof *ways, PATTERNS = 3 };

static void bench_lookups(struct bench *bench)
{
    static struct rounds rounds[PATTERNS][WAYS];
    const struct {
        const char *name;
        const struct places *places;
    } patterns[PATTERNS] = {{"random", &bench->random}, {"hot", &bench->hot}, {"ascending", &bench->ascending}};
    for (unsigned i = 0; i < bench->plan->rounds; i++)
        for (size_t p = 0; p < PATTERNS; p++)
            for (size_t w = 0; w < WAYS; w++) {
                const double start = seconds_now();
                ways[w].ask(bench, patterns[p].places);
                rounds[p][w].values[rounds[p][w].count++] =
                    (seconds_now() - start) * 1e9 / (double)bench->plan->lookups;
            }
    for (size_t p = 0; p < PATTERNS; p++)
        for (size_t w = 0; w < WAYS; w++) {
            char name[60];
            snprintf(name, sizeof name, "%s%s", patterns[p].name, ways[w].name);
            print_rounds(name, &rounds[p][w], "ns");
        }
}

/* --- timing the decoding of `mappings` alone, and the making and opening of an index --- */

struct decoder {
    struct fm_sourcemap_fast fast;
    struct fm_sourcemap_window window;
    struct fm_segment segments[512];
    uint64_t count;
};

static void decode_odd(struct decoder *decoder)
{
    struct fm_sourcemap_fast *fast = &decoder->fast;
    int64_t numbers[5] = {0};
    size_t fields = 0;
    for (; fast->at < fast->end && *fast->at != ',' && *fast->at != ';'; fields++)
        if (fields == 5 || fm_sourcemap_vlq(&fast->at, fast->end, &numbers[fields]) != FM_SOURCEMAP_RULES)
            die("mappings", "invalid");
    for (size_t i = 0; i < 4; i++) fast->state[i] += (uint32_t)numbers[i];
    fast->name += (uint32_t)numbers[4];
    decoder->count += fields != 0;
    if (fast->at < fast->end && *fast->at == ',') fast->at++;
}

static void decode_line(struct decoder *decoder)
{
    struct fm_sourcemap_fast *fast = &decoder->fast;
    bool ended = false;
    fast->state[0] = 0;
    while (!ended && fast->at < fast->end && *fast->at != ';') {
        size_t count = 0;
        if (fm_sourcemap_fast_here())
            count = fm_sourcemap_fast_segments(fast, &decoder->window, decoder->segments,
                                               sizeof decoder->segments / sizeof *decoder->segments, &ended);
        decoder->count += count;
        if (count == 0) decode_odd(decoder);
    }
}

static void decode(struct decoder *decoder, framemap_str mappings)
{
    const uint32_t most = INT32_MAX;
    decoder->window.begin = NULL;
    decoder->fast = (struct fm_sourcemap_fast){.at = mappings.data,
                                               .end = mappings.data + mappings.size,
                                               .limit = {most, most, most, most},
                                               .name_limit = most};
    for (; decoder->fast.at < decoder->fast.end; decoder->fast.at++, decoder->fast.line0++) decode_line(decoder);
}

/* Returns the text of `mappings`; empty if the map has no such member, more than one, or one with escapes. */
static framemap_str find_mappings(framemap_str map)
{
    static const char key[] = "\"mappings\":\"";
    const char *found = memmem(map.data, map.size, key, sizeof key - 1);
    if (found == NULL) return (framemap_str){NULL, 0};
    found += sizeof key - 1;
    const char *end = memchr(found, '"', map.size - (size_t)(found - map.data));
    const bool single = end && memmem(end, map.size - (size_t)(end - map.data), key, sizeof key - 1) == NULL;
    if (!single || memchr(found, '\\', (size_t)(end - found)) != NULL) return (framemap_str){NULL, 0};
    return (framemap_str){found, (size_t)(end - found)};
}

static void bench_decode(const struct plan *plan, framemap_str map)
{
    static struct rounds rounds;
    static struct decoder decoder;
    const framemap_str mappings = find_mappings(map);
    if (mappings.size == 0) return;
    for (unsigned i = 0; i < plan->rounds; i++) {
        const double start = seconds_now();
        decode(&decoder, mappings);
        rounds.values[rounds.count++] = (double)mappings.size * 1e-6 / (seconds_now() - start);
    }
    print_rounds("decode", &rounds, "MB/s");
}

static void bench_build(const struct plan *plan, framemap_str map, framemap_bytes *index)
{
    static struct rounds wall, cpu;
    const framemap_build_options options = {.size = sizeof options, .threads = plan->threads};
    framemap_error error;
    touch(map);
    for (unsigned i = 0; i < plan->rounds; i++) {
        framemap_bytes_free(index);
        const double start = wall_now(), cpu_start = seconds_now();
        check(framemap_index_build(map, framemap_str_of(plan->path), &options, index, &error), plan->path, &error);
        wall.values[wall.count++] = (double)map.size * 1e-6 / (wall_now() - start);
        cpu.values[cpu.count++] = (double)map.size * 1e-6 / (seconds_now() - cpu_start);
    }
    print_rounds("build", &wall, "MB/s");
    print_rounds("build, CPU", &cpu, "MB/s");
}

static void bench_open(struct bench *bench, const framemap_bytes *bytes)
{
    framemap_error error;
    check(framemap_index_open(framemap_bytes_str(bytes), NULL, &bench->index, &error), "index", &error);
    check(framemap_scratch_create(NULL, &bench->scratch, &error), "scratch", &error);
    bench->random = random_places(bench->index->view, bench->plan->lookups);
    bench->ascending = sorted(&bench->random);
    bench->hot = repeated(&bench->random);
    bench->segments = calloc(bench->plan->lookups, sizeof *bench->segments);
    bench->found = calloc(bench->plan->lookups, sizeof *bench->found);
    if (bench->segments == NULL || bench->found == NULL) die("lookups", "out of memory");
}

static void bench_close(struct bench *bench)
{
    free_places(&bench->random);
    free_places(&bench->ascending);
    free_places(&bench->hot);
    free(bench->segments);
    free(bench->found);
    framemap_scratch_free(bench->scratch);
    framemap_index_close(bench->index);
}

static struct plan read_plan(int argc, char **argv)
{
    struct plan plan = {.rounds = 7, .lookups = 1000000};
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    plan.threads = processors > 0 ? (unsigned)processors : 1;
    for (int option; (option = getopt(argc, argv, "j:r:n:l:")) != -1;) {
        if (option == '?') exit(2);
        if (option == 'j') plan.threads = (unsigned)number(optarg);
        if (option == 'n') plan.lookups = number(optarg);
        if (option == 'l') plan.list = number(optarg);
        if (option == 'r') plan.rounds = (unsigned)(number(optarg) < ROUNDS_MOST ? number(optarg) : ROUNDS_MOST);
    }
    if (optind + 1 != argc) {
        fprintf(stderr, "usage: bench_sourcemap [-j THREADS] [-r ROUNDS] [-n LOOKUPS] [-l PLACES] MAP\n");
        exit(2);
    }
    plan.path = argv[optind];
    return plan;
}

int main(int argc, char **argv)
{
    struct plan plan = read_plan(argc, argv);
    const framemap_str map = map_file(plan.path);
    struct bench bench = {.plan = &plan};
    framemap_bytes bytes = {0};
    if (plan.list) {
        framemap_error error;
        check(framemap_index_build(map, framemap_str_of(plan.path), NULL, &bytes, &error), plan.path, &error);
        check(framemap_index_open(framemap_bytes_str(&bytes), NULL, &bench.index, &error), "index", &error);
        list_places(bench.index->view, plan.list);
        framemap_index_close(bench.index);
    } else {
        bench_build(&plan, map, &bytes);
        bench_decode(&plan, map);
        bench_open(&bench, &bytes);
        bench_lookups(&bench);
        bench_close(&bench);
        print_sizes(map, &bytes);
    }
    framemap_bytes_free(&bytes);
    return 0;
}
