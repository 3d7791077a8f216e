/* bench_service [-j THREADS] [-n TRACES] [-m BYTES] [-b BYTES] [-p] [-s] SYMBOLS WORKLOAD...: simulates a service that
 * restores stacks of many builds to JSON.
 *
 * SYMBOLS is a folder of symbol files or indexes. A WORKLOAD is a file of stacks: "== BUILD SIZE", a line end, SIZE
 * bytes of text, and so on. Each of the THREADS takes a workload at random, one of its builds, and one stack of that
 * build, and has the stack restored by the session that all threads share. Builds are chosen by Zipf's law: build
 * number n is used 1 / (n + 1) times as often as the first one. The cost of opening an index is part of the first stack
 * that needs it, as in a service. -m: a limit on the address space of the process (RLIMIT_AS). -b: the session's limit
 * for cached indexes, with -s of values. -p: all indexes of the folder are opened before the first stack
 * (framemap_session_prepare). -s: the symbols come from a store in memory that has the indexes of the folder as values,
 * and each text has a scope with the id of its build; for one workload. Prints lines with fields separated by TAB:
 * traces a second, times of one trace, frames and so on; and the resident memory after 10 %, 50 % and 100 % of the
 * traces. */
#include "bench_help.h"
#include "value_store.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { NOTED = 3, BUILDS_MOST = 16384, WORKLOADS_MOST = 8, THREADS_MOST = 64 };

struct plan {
    const char *symbols;
    char **workloads;
    size_t workload_count, traces;
    uint64_t memory, index_bytes;
    unsigned threads;
    bool prepares, from_store;
};

/* The stacks of one WORKLOAD, sorted by build: stacks first[b] to first[b + 1] - 1 belong to build b. */
struct workload {
    framemap_str *stacks;
    size_t count, builds;
    size_t first[BUILDS_MOST + 1];
    double share[BUILDS_MOST]; /* cumulative distribution: the share of traces from this build or an earlier one */
};

struct service {
    struct plan plan;
    framemap_session *session;
    struct value_store store;
    struct workload workloads[WORKLOADS_MOST];
};

struct worker {
    const struct service *service;
    uint64_t state, frames, restored, written;
    double *times;
    long resident[NOTED]; /* KiB of resident memory after 10 %, 50 % and 100 % of the traces */
    pthread_t thread;
};

/* --- reading workloads --- */

static bool next_stack(framemap_str *rest, size_t *build, framemap_str *stack)
{
    char head[64] = {0};
    size_t size = 0;
    if (rest->size == 0) return false;
    memcpy(head, rest->data, rest->size < sizeof head - 1 ? rest->size : sizeof head - 1);
    const char *end = memchr(head, '\n', sizeof head - 1);
    if (end == NULL || sscanf(head, "== %zu %zu", build, &size) != 2 || *build >= BUILDS_MOST)
        die("workload", "a header is invalid");
    const size_t begin = (size_t)(end - head) + 1;
    if (size > rest->size - begin) die("workload", "it ends too soon");
    *stack = (framemap_str){rest->data + begin, size};
    *rest = (framemap_str){rest->data + begin + size, rest->size - begin - size};
    return true;
}

static void read_workload(const char *path, struct workload *out)
{
    const framemap_str bytes = map_file(path);
    framemap_str rest = bytes, stack;
    size_t build = 0, count = 0;
    while (next_stack(&rest, &build, &stack)) count++;
    out->stacks = calloc(count, sizeof *out->stacks);
    if (out->stacks == NULL) die(path, "out of memory");
    for (rest = bytes; next_stack(&rest, &build, &stack);) {
        if (build + 1 < out->builds || build > out->builds) die(path, "builds must be in order");
        if (build == out->builds) out->first[out->builds++] = out->count;
        out->stacks[out->count++] = stack;
    }
    out->first[out->builds] = out->count;
    double sum = 0;
    for (size_t i = 0; i < out->builds; i++) sum += out->share[i] = 1.0 / (double)(i + 1);
    for (size_t i = 0, before = 0; i < out->builds; before = i++)
        out->share[i] = out->share[i] / sum + (i ? out->share[before] : 0);
}

static framemap_str choose(const struct service *service, uint64_t *state, size_t *chosen)
{
    const struct workload *workload = &service->workloads[next_random(state) % service->plan.workload_count];
    const double place = (double)(next_random(state) >> 11) * 0x1p-53;
    size_t build = 0;
    while (build + 1 < workload->builds && workload->share[build] < place) build++;
    *chosen = build;
    const size_t first = workload->first[build], count = workload->first[build + 1] - first;
    return workload->stacks[first + next_random(state) % count];
}

/* --- restoring stacks in several threads --- */

static bool count_bytes(void *context, const char *data, size_t size)
{
    (void)data;
    *(uint64_t *)context += size;
    return true;
}

static const unsigned noted_percents[] = {10, 50, 100};

/* Returns the resident memory of the process in KiB; 0: not known. */
static long resident_memory(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL) return 0;
    if (fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void note_memory(struct worker *worker, size_t done)
{
    for (size_t i = 0; i < NOTED; i++)
        if (done == worker->service->plan.traces * noted_percents[i] / 100) worker->resident[i] = resident_memory();
}

static void *work(void *context)
{
    struct worker *worker = context;
    const struct service *service = worker->service;
    framemap_str id = {NULL, 0};
    const framemap_scope scope = {.size = sizeof scope, .ids = &id, .id_count = 1};
    const framemap_restore_options options = {
        .size = sizeof options, .output = "json", .scope = service->plan.from_store ? &scope : NULL};
    framemap_restore_summary summary;
    framemap_error error;
    for (size_t i = 0, build; i < service->plan.traces; i++) {
        const framemap_str stack = choose(service, &worker->state, &build);
        if (service->plan.from_store) id = framemap_str_of(service->store.indexes[build].id);
        const double start = wall_now();
        check(framemap_session_restore(service->session, stack, &options, count_bytes, &worker->written, &summary,
                                       &error),
              "restore", &error);
        worker->times[i] = wall_now() - start;
        worker->frames += summary.frames;
        worker->restored += summary.restored;
        note_memory(worker, i + 1);
    }
    return NULL;
}

static int compare_doubles(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static void report(const struct worker *workers, const struct plan *plan, double *times, double seconds)
{
    const size_t count = plan->traces * plan->threads;
    uint64_t frames = 0, restored = 0, written = 0;
    for (unsigned i = 0; i < plan->threads; i++) {
        frames += workers[i].frames;
        restored += workers[i].restored;
        written += workers[i].written;
    }
    qsort(times, count, sizeof *times, compare_doubles);
    printf("traces\t%.6g\ta second\n", (double)count / seconds);
    printf("p50\t%.6g\tus\np99\t%.6g\tus\nmost\t%.6g\tus\n", times[count / 2] * 1e6, times[count * 99 / 100] * 1e6,
           times[count - 1] * 1e6);
    printf("frames\t%.6g\teach\nrestored\t%.6g\t%%\n", (double)frames / (double)count,
           100.0 * (double)restored / (double)(frames ? frames : 1));
    printf("written\t%.6g\tbytes each\n", (double)written / (double)count);
    for (size_t i = 0; i < NOTED; i++) printf("memory at %u %%\t%ld\tKiB\n", noted_percents[i], workers[0].resident[i]);
    printf("peak memory\t%ld\tKiB\n", peak_memory());
}

/* Prepares the session before the first stack: opens all indexes of the folder or, with a store, fetches their
 * heads. */
static void prepare(const struct service *service)
{
    const struct value_store *store = &service->store;
    framemap_image_query *wants = calloc(store->index_count, sizeof *wants);
    framemap_error error;
    size_t found = 0;
    if (wants == NULL) die("prepare", "out of memory");
    for (size_t i = 0; i < store->index_count; i++) {
        const struct stored_index *index = &store->indexes[i];
        const bool by_id = index->is_id || service->plan.from_store;
        *(by_id ? &wants[i].id : &wants[i].name) = framemap_str_of(index->id);
    }
    const double start = wall_now();
    check(framemap_session_prepare(service->session, NULL, wants, store->index_count, &found, &error), "prepare",
          &error);
    printf("prepared\t%zu\tof %zu\npreparing\t%.6g\tms\n", found, store->index_count, (wall_now() - start) * 1e3);
    free(wants);
}

static void serve(struct service *service)
{
    const struct plan *plan = &service->plan;
    struct worker workers[THREADS_MOST] = {{0}};
    double *times = calloc(plan->traces * plan->threads, sizeof *times);
    if (times == NULL) die("service", "out of memory");
    /* All pages of the array are touched now; otherwise they would later look like a growth of memory. */
    memset(times, 0xff, plan->traces * plan->threads * sizeof *times);
    const double start = wall_now();
    for (unsigned i = 0; i < plan->threads; i++) {
        workers[i] = (struct worker){.service = service, .state = i + 1, .times = times + i * plan->traces};
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0) die("threads", "can't be started");
    }
    for (unsigned i = 0; i < plan->threads; i++) pthread_join(workers[i].thread, NULL);
    report(workers, plan, times, wall_now() - start);
    free(times);
}

static struct plan read_plan(int argc, char **argv)
{
    struct plan plan = {.threads = 1, .traces = 20000};
    for (int option; (option = getopt(argc, argv, "j:n:m:b:ps")) != -1;) {
        if (option == '?') exit(2);
        if (option == 'n') plan.traces = number(optarg);
        if (option == 'p') plan.prepares = true;
        if (option == 's') plan.from_store = true;
        if (option == 'm') plan.memory = number(optarg);
        if (option == 'b') plan.index_bytes = number(optarg);
        if (option == 'j') plan.threads = (unsigned)(number(optarg) < THREADS_MOST ? number(optarg) : THREADS_MOST);
    }
    if (optind + 2 > argc || argc - optind - 1 > WORKLOADS_MOST) {
        fprintf(stderr,
                "usage: bench_service [-j THREADS] [-n TRACES] [-m BYTES] [-b BYTES] [-p] [-s] SYMBOLS WORKLOAD...\n");
        exit(2);
    }
    plan.symbols = argv[optind];
    plan.workloads = argv + optind + 1;
    plan.workload_count = (size_t)(argc - optind - 1);
    return plan;
}

int main(int argc, char **argv)
{
    static struct service service;
    framemap_error error;
    service.plan = read_plan(argc, argv);
    if (service.plan.memory) {
        const struct rlimit limit = {service.plan.memory, service.plan.memory};
        if (setrlimit(RLIMIT_AS, &limit) != 0) die("-m", "can't be set");
    }
    for (size_t i = 0; i < service.plan.workload_count; i++)
        read_workload(service.plan.workloads[i], &service.workloads[i]);
    const bool stored = service.plan.from_store;
    if (stored || service.plan.prepares) value_store_fill(&service.store, service.plan.symbols, stored);
    const framemap_session_options options = {.size = sizeof options,
                                              .symbol_paths = &service.plan.symbols,
                                              .symbol_path_count = stored ? 0 : 1,
                                              .max_index_bytes = service.plan.index_bytes,
                                              .max_value_bytes = service.plan.index_bytes,
                                              .fetch = stored ? value_store_fetch : NULL,
                                              .fetch_context = &service.store,
                                              .cache_path = ""};
    const double start = wall_now();
    check(framemap_session_open(&options, &service.session, &error), service.plan.symbols, &error);
    printf("opening the folder\t%.6g\tms\n", (wall_now() - start) * 1e3);
    if (service.plan.prepares) prepare(&service);
    serve(&service);
    framemap_session_close(service.session);
    value_store_free(&service.store);
    for (size_t i = 0; i < service.plan.workload_count; i++) free(service.workloads[i].stacks);
    return 0;
}
