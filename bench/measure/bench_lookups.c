/* bench_lookups [-r ROUNDS] [-n LOOKUPS] [-g GSYM] [-j THREADS] [-w FOLDER] INDEX SYMBOLS: compares lookups of whole
 * inline chains by framemap and by other index layouts, in one process and in turns.
 *
 * INDEX is framemap's, SYMBOLS the file that it was built from, which gives the ranges of code. framemap's calls are
 * compared with a flat sorted array made from the index (flat_array.c) and, with -g, with a GSYM file of the same
 * symbols (gsym_reader.c). Patterns: "random" over all known code, "clustered" in runs of 64 within 4 KiB, "hot" 256
 * addresses repeatedly. In each round the candidates take turns every 16384 addresses. Prints lines separated by TAB:
 * name, minimum, median and maximum of the rounds, unit. "x" lines are ratios to framemap's call for one address within
 * one round. With -j it times random lookups by 1 to THREADS threads instead, in wall-clock time. With -w it writes the
 * addresses of the patterns to files of these names in FOLDER instead, one per line, as input for other programs. */
#include "chains.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    HOT = 256,
    RUN = 64,
    RUN_BYTES = 4096,
    CHUNK = 16384,
    TOGETHER = 512,
    PATTERNS = 3,
    THREADS_MOST = 64,
    COMPARED = 20000
};

struct plan {
    const char *index, *symbols, *gsym, *folder;
    unsigned rounds, threads;
    size_t lookups;
};

struct bench {
    struct plan plan;
    framemap_index *index;
    struct flat_array *flat;
    struct gsym gsym;
    struct code code;
};

/* Lookup state of one thread. */
struct asker {
    const struct bench *bench;
    framemap_scratch *scratch;
    struct chain_frame frames[CHAIN_MOST];
    uint64_t sum; /* a sum of values of the answers; it keeps the compiler from removing lookups */
};

struct way {
    const char *name;
    void (*ask)(struct asker *asker, const uint64_t *addresses, size_t count);
};

/* --- looking up addresses in the compared layouts --- */

static void ask_framemap(struct asker *asker, const uint64_t *addresses, size_t count)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_frame frame;
    framemap_error error;
    query.address_kind = FRAMEMAP_ADDRESS_LINKED;
    query.demangle = FRAMEMAP_DEMANGLE_NONE;
    for (size_t i = 0; i < count; i++) {
        query.position = addresses[i];
        check(framemap_resolve(asker->bench->index, &query, asker->scratch, &frame, &error), "lookup", &error);
        for (size_t f = 0; f < frame.restored.count; f++)
            asker->sum += frame.restored.frames[f].line + (uintptr_t)frame.restored.frames[f].function.data +
                          (uintptr_t)frame.restored.frames[f].file.data;
    }
}

static void use_chain(struct asker *asker, size_t count)
{
    for (size_t f = 0; f < count; f++)
        asker->sum += asker->frames[f].line + (uintptr_t)asker->frames[f].name + (uintptr_t)asker->frames[f].folder +
                      (uintptr_t)asker->frames[f].file;
}

static void ask_flat(struct asker *asker, const uint64_t *addresses, size_t count)
{
    for (size_t i = 0; i < count; i++)
        use_chain(asker, flat_array_lookup(asker->bench->flat, addresses[i], asker->frames));
}

static void ask_gsym(struct asker *asker, const uint64_t *addresses, size_t count)
{
    for (size_t i = 0; i < count; i++) use_chain(asker, gsym_lookup(&asker->bench->gsym, addresses[i], asker->frames));
}

#ifdef BENCH_LOOKUP_MANY
static void ask_brief(struct asker *asker, const uint64_t *addresses, size_t count, size_t together)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_location_list list;
    framemap_error error;
    query.address_kind = FRAMEMAP_ADDRESS_LINKED;
    query.demangle = FRAMEMAP_DEMANGLE_NONE;
    for (size_t at = 0; at < count; at += together) {
        const size_t some = count - at < together ? count - at : together;
        check(framemap_index_lookup_many(asker->bench->index, &query, addresses + at, some, asker->scratch, &list,
                                         &error),
              "lookup", &error);
        for (size_t f = 0; f < list.location_count; f++)
            asker->sum += list.locations[f].line + (uintptr_t)list.locations[f].function.data +
                          (uintptr_t)list.locations[f].file.data;
    }
}

static void ask_one(struct asker *asker, const uint64_t *addresses, size_t count)
{
    ask_brief(asker, addresses, count, 1);
}
static void ask_many(struct asker *asker, const uint64_t *addresses, size_t count)
{
    ask_brief(asker, addresses, count, TOGETHER);
}
#endif

static const struct way ways[] = {{"framemap", ask_framemap},
#ifdef BENCH_LOOKUP_MANY
                                  {"framemap, in brief", ask_one},
                                  {"framemap, many at once", ask_many},
#endif
                                  {"flat array", ask_flat},
                                  {"GSYM", ask_gsym}};
enum { WAYS = sizeof ways / sizeof *ways };

static bool has_way(const struct bench *bench, const struct way *way)
{
    return way->ask != ask_gsym || bench->plan.gsym != NULL;
}

/* --- choosing the addresses that are looked up --- */

static bool is_known(const struct bench *bench, uint64_t address)
{
    struct chain_frame frames[CHAIN_MOST];
    return flat_array_lookup(bench->flat, address, frames) > 0;
}

static uint64_t random_address(struct bench *bench)
{
    for (;;) {
        const uint64_t address = random_code_address(&bench->code);
        if (is_known(bench, address)) return address;
    }
}

static void fill_random(struct bench *bench, uint64_t *addresses, size_t count)
{
    for (size_t i = 0; i < count; i++) addresses[i] = random_address(bench);
}

static void fill_hot(struct bench *bench, uint64_t *addresses, size_t count)
{
    fill_random(bench, addresses, count < HOT ? count : HOT);
    for (size_t i = HOT; i < count; i++) addresses[i] = addresses[next_random(&bench->code.state) % HOT];
}

static void fill_clustered(struct bench *bench, uint64_t *addresses, size_t count)
{
    uint64_t base = 0;
    for (size_t i = 0; i < count; i++) {
        if (i % RUN == 0) base = random_address(bench);
        const uint64_t address = base + next_random(&bench->code.state) % RUN_BYTES;
        addresses[i] = is_known(bench, address) ? address : base;
    }
}

static const struct {
    const char *name;
    void (*fill)(struct bench *bench, uint64_t *addresses, size_t count);
} patterns[PATTERNS] = {{"random", fill_random}, {"clustered", fill_clustered}, {"hot", fill_hot}};

static uint64_t *new_addresses(size_t count)
{
    uint64_t *addresses = calloc(count, sizeof *addresses);
    if (addresses == NULL) die("lookups", "out of memory");
    return addresses;
}

static void write_addresses(struct bench *bench)
{
    uint64_t *addresses = new_addresses(bench->plan.lookups);
    for (size_t p = 0; p < PATTERNS; p++) {
        char path[4096];
        if (snprintf(path, sizeof path, "%s/%s", bench->plan.folder, patterns[p].name) >= (int)sizeof path)
            die(bench->plan.folder, "too long");
        FILE *file = fopen(path, "w");
        if (file == NULL) die(path, "can't be written");
        patterns[p].fill(bench, addresses, bench->plan.lookups);
        for (size_t i = 0; i < bench->plan.lookups; i++) fprintf(file, "0x%" PRIx64 "\n", addresses[i]);
        if (fclose(file) != 0) die(path, "can't be written");
    }
    free(addresses);
}

/* --- timing --- */

static void time_round(struct asker *asker, const uint64_t *addresses, double seconds[WAYS])
{
    const size_t count = asker->bench->plan.lookups;
    for (size_t at = 0; at < count; at += CHUNK)
        for (size_t w = 0; w < WAYS; w++) {
            if (!has_way(asker->bench, &ways[w])) continue;
            const double start = seconds_now();
            ways[w].ask(asker, addresses + at, count - at < CHUNK ? count - at : CHUNK);
            seconds[w] += seconds_now() - start;
        }
}

static void bench_ways(struct bench *bench, struct asker *asker)
{
    static struct rounds rounds[PATTERNS][WAYS], ratios[PATTERNS][WAYS];
    uint64_t *addresses = new_addresses(bench->plan.lookups);
    for (unsigned round = 0; round < bench->plan.rounds; round++)
        for (size_t p = 0; p < PATTERNS; p++) {
            double seconds[WAYS] = {0};
            patterns[p].fill(bench, addresses, bench->plan.lookups);
            time_round(asker, addresses, seconds);
            for (size_t w = 0; w < WAYS; w++) {
                rounds[p][w].values[rounds[p][w].count++] = seconds[w] * 1e9 / (double)bench->plan.lookups;
                ratios[p][w].values[ratios[p][w].count++] = seconds[w] / seconds[0];
            }
        }
    for (size_t p = 0; p < PATTERNS; p++)
        for (size_t w = 0; w < WAYS; w++) {
            char name[80];
            if (!has_way(bench, &ways[w])) continue;
            snprintf(name, sizeof name, "%s, %s", patterns[p].name, ways[w].name);
            print_rounds(name, &rounds[p][w], "ns");
            print_rounds(name, &ratios[p][w], "x");
        }
    free(addresses);
}

/* --- comparing the answers --- */

static bool same_text(const char *text, uint32_t size, framemap_str other)
{
    if (text == NULL || (size == 0 && other.size == 0)) return other.size == 0;
    return (size ? size : strlen(text)) == other.size && memcmp(text, other.data, other.size) == 0;
}

static bool same_frame(const struct chain_frame *frame, const framemap_frame *own)
{
    return frame->line == own->line &&
           same_text(frame->name, frame->name_size, own->symbol.size ? own->symbol : own->function);
}

static bool same_chain(const struct chain_frame *frames, size_t count, framemap_frame_list own)
{
    bool same = count == own.count;
    for (size_t i = 0; i < count && same; i++) same = same_frame(&frames[i], &own.frames[i]);
    return same;
}

/* Compares the answers of the layouts. The flat array's answers must equal framemap's; GSYM has different rules, so
 * for GSYM the share of equal answers is printed. */
static void compare(struct bench *bench, struct asker *asker)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_frame frame;
    framemap_error error;
    size_t same = 0;
    query.address_kind = FRAMEMAP_ADDRESS_LINKED;
    query.demangle = FRAMEMAP_DEMANGLE_NONE;
    for (size_t i = 0; i < COMPARED; i++) {
        query.position = random_address(bench);
        check(framemap_resolve(bench->index, &query, asker->scratch, &frame, &error), "lookup", &error);
        if (!same_chain(asker->frames, flat_array_lookup(bench->flat, query.position, asker->frames), frame.restored))
            die("flat array", "a different answer from the index's");
        if (bench->plan.gsym == NULL) continue;
        same += same_chain(asker->frames, gsym_lookup(&bench->gsym, query.position, asker->frames), frame.restored);
    }
    if (bench->plan.gsym) printf("GSYM, same chain\t%.4g\t%%\n", 100.0 * (double)same / (double)COMPARED);
}

/* --- timing several threads --- */

struct worker {
    struct asker asker;
    const struct way *way;
    uint64_t *addresses;
    pthread_t thread;
    char apart[128]; /* padding against false sharing between workers */
};

static void *work(void *context)
{
    struct worker *worker = context;
    worker->way->ask(&worker->asker, worker->addresses, worker->asker.bench->plan.lookups);
    return NULL;
}

static double time_threads(struct worker *workers, unsigned count, const struct way *way)
{
    const double start = wall_now();
    for (unsigned i = 0; i < count; i++) {
        workers[i].way = way;
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0) die("threads", "can't be started");
    }
    for (unsigned i = 0; i < count; i++) pthread_join(workers[i].thread, NULL);
    return (double)count * (double)workers->asker.bench->plan.lookups / (wall_now() - start);
}

static void bench_threads(struct bench *bench)
{
    static struct rounds rounds[WAYS][THREADS_MOST + 1];
    struct worker *workers = calloc(bench->plan.threads, sizeof *workers);
    framemap_error error;
    if (workers == NULL) die("threads", "out of memory");
    for (unsigned i = 0; i < bench->plan.threads; i++) {
        workers[i].asker.bench = bench;
        workers[i].addresses = new_addresses(bench->plan.lookups);
        check(framemap_scratch_create(NULL, &workers[i].asker.scratch, &error), "scratch", &error);
        fill_random(bench, workers[i].addresses, bench->plan.lookups);
    }
    for (unsigned round = 0; round < bench->plan.rounds; round++)
        for (unsigned count = 1; count <= bench->plan.threads; count *= 2)
            for (size_t w = 0; w < WAYS; w++)
                if (ways[w].ask != ask_flat && ways[w].ask != ask_gsym)
                    rounds[w][count].values[rounds[w][count].count++] = time_threads(workers, count, &ways[w]) * 1e-6;
    for (size_t w = 0; w < WAYS; w++)
        for (unsigned count = 1; count <= bench->plan.threads; count *= 2) {
            char name[80];
            snprintf(name, sizeof name, "%s, %u threads", ways[w].name, count);
            if (rounds[w][count].count) print_rounds(name, &rounds[w][count], "million/s");
        }
    for (unsigned i = 0; i < bench->plan.threads; i++) {
        framemap_scratch_free(workers[i].asker.scratch);
        free(workers[i].addresses);
    }
    free(workers);
}

static struct plan read_plan(int argc, char **argv)
{
    struct plan plan = {.rounds = 7, .lookups = 262144};
    for (int option; (option = getopt(argc, argv, "r:n:g:j:w:")) != -1;) {
        if (option == '?') exit(2);
        if (option == 'n') plan.lookups = number(optarg);
        if (option == 'g') plan.gsym = optarg;
        if (option == 'w') plan.folder = optarg;
        if (option == 'j') plan.threads = (unsigned)(number(optarg) < THREADS_MOST ? number(optarg) : THREADS_MOST);
        if (option == 'r') plan.rounds = (unsigned)(number(optarg) < ROUNDS_MOST ? number(optarg) : ROUNDS_MOST);
    }
    if (optind + 2 != argc) {
        fprintf(stderr,
                "usage: bench_lookups [-r ROUNDS] [-n LOOKUPS] [-g GSYM] [-j THREADS] [-w FOLDER] INDEX SYMBOLS\n");
        exit(2);
    }
    plan.index = argv[optind];
    plan.symbols = argv[optind + 1];
    return plan;
}

int main(int argc, char **argv)
{
    struct bench bench = {.plan = read_plan(argc, argv), .code = {.state = 1}};
    struct asker asker = {.bench = &bench};
    framemap_error error;
    check(framemap_index_open_file(bench.plan.index, NULL, &bench.index, &error), bench.plan.index, &error);
    check(framemap_scratch_create(NULL, &asker.scratch, &error), "scratch", &error);
    if (bench.plan.gsym && !gsym_open(map_file(bench.plan.gsym), &bench.gsym))
        die(bench.plan.gsym, "not a GSYM file of this byte order");
    find_code(bench.plan.symbols, map_file(bench.plan.symbols), NULL, &bench.code);
    bench.flat = flat_array_make(bench.index);
    if (bench.plan.folder) {
        write_addresses(&bench);
    } else if (bench.plan.threads) {
        bench_threads(&bench);
    } else {
        compare(&bench, &asker);
        bench_ways(&bench, &asker);
        printf("flat array\t%zu\tbytes\n", flat_array_bytes(bench.flat));
    }
    flat_array_free(bench.flat);
    framemap_scratch_free(asker.scratch);
    framemap_index_close(bench.index);
    free(bench.code.sections);
    return asker.sum == 1; /* the sum is never 1; using it keeps the compiler from removing the lookups */
}
