/* bench_redis [-j THREADS] [-n TRACES] [-b BYTES] files|URL WORKLOAD SYMBOLS...: restores traces with symbol files,
 * or with the same symbols in a Redis server, to which they are pushed first.
 *
 * WORKLOAD is a file of traces: "== SIZE", a line end, SIZE bytes of text, and so on. The THREADS share one session.
 * Each of them restores the traces of the file in turn, until TRACES were restored in total. -b: the session's
 * budget for values in bytes; with 1 the session keeps no value, so that it requests the values from the server for
 * each trace. Prints the time of a trace, and a hash over all answers, which does not depend on where the symbols
 * are. */
#include "bench_help.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TRACES_MOST = 1 << 16, THREADS_MOST = 64 };

struct plan {
    framemap_session *session;
    framemap_str *traces;
    size_t count, rounds;
};

struct worker {
    const struct plan *plan;
    pthread_t thread;
    uint64_t hash, traces;
};

static size_t read_workload(framemap_str bytes, framemap_str *traces)
{
    size_t count = 0, size = 0;
    while (bytes.size > 0 && count < TRACES_MOST) {
        const char *end = memchr(bytes.data, '\n', bytes.size);
        if (end == NULL || sscanf(bytes.data, "== %zu", &size) != 1) die("workload", "a header is invalid");
        const size_t begin = (size_t)(end - bytes.data) + 1;
        if (size > bytes.size - begin) die("workload", "it ends too soon");
        traces[count++] = (framemap_str){bytes.data + begin, size};
        bytes = (framemap_str){bytes.data + begin + size, bytes.size - begin - size};
    }
    return count;
}

static bool add_hash(void *context, const char *data, size_t size)
{
    uint64_t *hash = context;
    for (size_t i = 0; i < size; i++) *hash = (*hash ^ (unsigned char)data[i]) * UINT64_C(0x100000001b3);
    return true;
}

static bool add_size(void *context, const char *data, size_t size)
{
    uint64_t *sum = context;
    (void)data;
    *sum += size;
    return true;
}

static void restore_all(const struct plan *plan, framemap_write write, uint64_t *sum)
{
    framemap_error error;
    for (size_t i = 0; i < plan->count; i++)
        check(framemap_session_restore(plan->session, plan->traces[i], NULL, write, sum, NULL, &error), "restore",
              &error);
}

/* This function is run by each thread. It hashes the answers of the first round. In later rounds, whose time is
 * measured, it only counts the bytes of the answers, which must be the same number in each round. */
static void *work(void *context)
{
    struct worker *worker = context;
    const struct plan *plan = worker->plan;
    uint64_t first = 0;
    worker->hash = UINT64_C(0xcbf29ce484222325);
    for (size_t round = 0; round < plan->rounds; round++) {
        uint64_t size = 0;
        if (round == 0)
            restore_all(plan, add_hash, &worker->hash);
        else
            restore_all(plan, add_size, &size);
        if (round == 1) first = size;
        if (size != first) die("restore", "the answers of two rounds differ");
        worker->traces += plan->count;
    }
    return NULL;
}

static void report(void *context, const framemap_error *warning)
{
    (void)context;
    fprintf(stderr, "%s: %s\n", warning->where, warning->message);
}

static void push(framemap_redis *redis, const char *path)
{
    framemap_bytes built = {0};
    framemap_index *index;
    framemap_error error;
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    check(framemap_index_build(map_file(path), framemap_str_of(name), NULL, &built, &error), path, &error);
    check(framemap_index_open(framemap_bytes_str(&built), NULL, &index, &error), path, &error);
    check(framemap_redis_push(redis, index, NULL, NULL, NULL, &error), path, &error);
    framemap_index_close(index);
    framemap_bytes_free(&built);
}

/* Restores the traces in all rounds, and prints the times. The first round opens or fetches the symbols that are used,
 * and is not measured. */
static void measure(struct plan *plan, unsigned threads)
{
    struct worker workers[THREADS_MOST] = {{.plan = plan}}, first = {.plan = plan};
    const size_t rounds = plan->rounds;
    uint64_t traces = 0;
    plan->rounds = 1;
    work(&first);
    plan->rounds = rounds;
    const double begin = wall_now(), begin_cpu = seconds_now();
    for (unsigned i = 0; i < threads; i++) {
        workers[i].plan = plan;
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i])) die("thread", "it cannot be started");
    }
    for (unsigned i = 0; i < threads; i++) {
        pthread_join(workers[i].thread, NULL);
        traces += workers[i].traces;
        if (workers[i].hash != first.hash) die("answers", "they differ between threads");
    }
    const double seconds = wall_now() - begin, cpu = seconds_now() - begin_cpu;
    printf("traces a second\t%.0f\ncpu of a trace\t%.2f\tus\nanswers\t%016" PRIx64 "\n", (double)traces / seconds,
           cpu / (double)traces * 1e6, first.hash);
}

int main(int argc, char **argv)
{
    unsigned threads = 1;
    size_t traces = 20000;
    framemap_redis *redis = NULL;
    framemap_error error;
    framemap_session_options options = {.size = sizeof options, .cache_path = "", .warning = report};
    for (int letter; (letter = getopt(argc, argv, "j:n:b:")) != -1;) {
        if (letter == 'j') threads = (unsigned)number(optarg);
        if (letter == 'n') traces = number(optarg);
        if (letter == 'b') options.max_value_bytes = number(optarg);
        if (letter == '?') return 2;
    }
    if (argc - optind < 3 || threads > THREADS_MOST)
        die("usage", "bench_redis [OPTION]... files|URL WORKLOAD SYMBOLS...");
    struct plan plan = {.traces = calloc(TRACES_MOST, sizeof *plan.traces)};
    if (plan.traces == NULL) die("memory", "out of memory");
    plan.count = read_workload(map_file(argv[optind + 1]), plan.traces);
    if (plan.count == 0) die("workload", "it is empty");
    plan.rounds = traces / plan.count / threads + 1;
    if (strcmp(argv[optind], "files") == 0) {
        options.symbol_paths = (const char *const *)(argv + optind + 2);
        options.symbol_path_count = (size_t)(argc - optind - 2);
    } else {
        check(framemap_redis_open(argv[optind], NULL, &redis, &error), argv[optind], &error);
        for (int i = optind + 2; i < argc; i++) push(redis, argv[i]);
        options.fetch = framemap_redis_fetch;
        options.fetch_context = redis;
    }
    check(framemap_session_open(&options, &plan.session, &error), "session", &error);
    measure(&plan, threads);
    framemap_session_close(plan.session);
    framemap_redis_close(redis);
    free(plan.traces);
    return 0;
}
