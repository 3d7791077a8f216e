/* bench_native [-a ARCH] [-i INDEX] [-r ROUNDS] [-n LOOKUPS] [-l ADDRESSES] FILE: measures framemap's calls on one
 * symbol file.
 *
 * Times the build of the index, then three patterns of lookups in it, each ROUNDS times in turn, so that other load of
 * the machine affects all of them: "random" over all code, "hot" 256 addresses repeatedly, "clustered" runs of 64 near
 * each other. Prints one line for each measure, separated by TAB: name, minimum, median and maximum of the rounds,
 * unit. With -i no index is built: lookups are made in INDEX, which was built from FILE before. With -l it writes
 * ADDRESSES random addresses to standard output instead, one per line, as input for other tools. */
#include "bench_help.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { HOT = 256, RUN = 64, RUN_BYTES = 4096 };

struct plan {
    const char *path, *arch, *index;
    unsigned rounds;
    size_t lookups;
    size_t list;
};

static void fill_random(struct code *code, uint64_t *addresses, size_t count)
{
    for (size_t i = 0; i < count; i++) addresses[i] = random_code_address(code);
}

static void fill_hot(struct code *code, uint64_t *addresses, size_t count)
{
    fill_random(code, addresses, count < HOT ? count : HOT);
    for (size_t i = HOT; i < count; i++) addresses[i] = addresses[next_random(&code->state) % HOT];
}

static void fill_clustered(struct code *code, uint64_t *addresses, size_t count)
{
    uint64_t base = 0;
    for (size_t i = 0; i < count; i++) {
        if (i % RUN == 0) base = random_code_address(code);
        addresses[i] = base + next_random(&code->state) % RUN_BYTES;
    }
}

static double time_lookups(const framemap_index *index, framemap_scratch *scratch, const uint64_t *addresses,
                           size_t count, framemap_demangle demangle, uint64_t *frames)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_frame frame;
    framemap_error error;
    query.address_kind = FRAMEMAP_ADDRESS_LINKED;
    query.demangle = demangle;
    const double start = seconds_now();
    for (size_t i = 0; i < count; i++) {
        query.position = addresses[i];
        check(framemap_resolve(index, &query, scratch, &frame, &error), "lookup", &error);
        *frames += frame.restored.count;
    }
    return (seconds_now() - start) * 1e9 / (double)count;
}

static void bench_build(const struct plan *plan, framemap_str bytes, framemap_bytes *index)
{
    static struct rounds rounds;
    framemap_error error;
    framemap_build_options options = {.size = sizeof options, .arch = plan->arch};
    rounds.count = 0;
    for (unsigned i = 0; i < plan->rounds; i++) {
        framemap_bytes_free(index);
        const double start = seconds_now();
        check(framemap_index_build(bytes, framemap_str_of(plan->path), &options, index, &error), plan->path, &error);
        rounds.values[rounds.count++] = seconds_now() - start;
    }
    print_rounds("build", &rounds, "s");
}

static void bench_lookups(const struct plan *plan, struct code *code, const framemap_index *index)
{
    static const struct {
        const char *name;
        void (*fill)(struct code *code, uint64_t *addresses, size_t count);
        framemap_demangle demangle;
    } patterns[] = {{"random", fill_random, FRAMEMAP_DEMANGLE_NONE},
                    {"hot", fill_hot, FRAMEMAP_DEMANGLE_NONE},
                    {"clustered", fill_clustered, FRAMEMAP_DEMANGLE_NONE},
                    {"random, demangled", fill_random, FRAMEMAP_DEMANGLE_LLVM}};
    enum { PATTERNS = sizeof patterns / sizeof *patterns };
    static struct rounds rounds[PATTERNS];
    framemap_error error;
    framemap_scratch *scratch = NULL;
    uint64_t frames = 0, queried = 0;
    uint64_t *addresses = calloc(plan->lookups, sizeof *addresses);
    if (addresses == NULL) die("lookups", "out of memory");
    check(framemap_scratch_create(NULL, &scratch, &error), "scratch", &error);
    for (unsigned i = 0; i < plan->rounds; i++)
        for (size_t p = 0; p < PATTERNS; p++) {
            patterns[p].fill(code, addresses, plan->lookups);
            rounds[p].values[rounds[p].count++] =
                time_lookups(index, scratch, addresses, plan->lookups, patterns[p].demangle, &frames);
            queried += plan->lookups;
        }
    for (size_t p = 0; p < PATTERNS; p++) print_rounds(patterns[p].name, &rounds[p], "ns");
    printf("frames for each lookup\t%.3f\n", (double)frames / (double)queried);
    framemap_scratch_free(scratch);
    free(addresses);
}

static struct plan read_plan(int argc, char **argv)
{
    struct plan plan = {.rounds = 7, .lookups = 200000};
    for (int option; (option = getopt(argc, argv, "a:i:r:n:l:")) != -1;) {
        if (option == '?') exit(2);
        if (option == 'a') plan.arch = optarg;
        if (option == 'i') plan.index = optarg;
        if (option == 'n') plan.lookups = number(optarg);
        if (option == 'l') plan.list = number(optarg);
        if (option == 'r') plan.rounds = (unsigned)(number(optarg) < ROUNDS_MOST ? number(optarg) : ROUNDS_MOST);
    }
    if (optind + 1 != argc) {
        fprintf(stderr, "usage: bench_native [-a ARCH] [-i INDEX] [-r ROUNDS] [-n LOOKUPS] [-l ADDRESSES] FILE\n");
        exit(2);
    }
    plan.path = argv[optind];
    return plan;
}

int main(int argc, char **argv)
{
    const struct plan plan = read_plan(argc, argv);
    const framemap_str file = map_file(plan.path);
    struct code code = {.state = 1};
    framemap_bytes bytes = {0};
    framemap_index *index = NULL;
    framemap_error error;
    find_code(plan.path, file, plan.arch, &code);
    for (size_t i = 0; i < plan.list; i++) printf("0x%" PRIx64 "\n", random_code_address(&code));
    if (plan.list == 0) {
        if (plan.index) {
            check(framemap_index_open_file(plan.index, NULL, &index, &error), plan.index, &error);
        } else {
            bench_build(&plan, file, &bytes);
            check(framemap_index_open(framemap_bytes_str(&bytes), NULL, &index, &error), "index", &error);
        }
        bench_lookups(&plan, &code, index);
        if (!plan.index) print_sizes(file, &bytes);
        framemap_index_close(index);
        framemap_bytes_free(&bytes);
    }
    free(code.sections);
    return 0;
}
