/* bench_java [-j THREADS] [-r ROUNDS] [-n LOOKUPS] [-t TRACE] [-w LINES] MAPPING: measures framemap's calls on one R8
 * or ProGuard mapping.
 *
 * Times the following, each ROUNDS times in turn: the build of the index, as wall-clock time with one thread per
 * processor or THREADS of them, and as CPU time with one thread; three patterns of lookups in the index; and, with -t,
 * the restoring of a trace as retrace does it. "random" looks up methods of the whole mapping, "hot" 256 of them
 * repeatedly, "near" runs of 64 that are close to each other. Prints one line for each measure, separated by TAB: name,
 * minimum, median and maximum of the rounds, unit. With -w it writes a trace of LINES lines to standard output instead,
 * made of methods of the mapping and equal on every machine. */
#include "bench_help.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HOT = 256, RUN = 64, NEAR = 4096, STACK_LEAST = 4, STACK_SPREAD = 57 };

struct plan {
    const char *path, *trace;
    unsigned rounds, threads;
    size_t lookups, write;
};

/* A member line of the mapping that has line numbers: the obfuscated name as "class.method", and the range of
 * obfuscated lines. */
struct method {
    const char *scope;
    uint32_t class_size, scope_size;
    uint32_t from, to;
};

struct methods {
    struct method *rows;
    size_t count;
    char *text; /* memory of the scopes of all methods */
    size_t text_size;
    uint64_t state; /* state of the random generator */
};

/* --- finding the methods of the mapping --- */

static framemap_str next_line(framemap_str *rest)
{
    const char *end = memchr(rest->data, '\n', rest->size);
    const framemap_str line = {rest->data, end ? (size_t)(end - rest->data) : rest->size};
    const size_t used = line.size + (end ? 1 : 0);
    *rest = (framemap_str){rest->data + used, rest->size - used};
    return line;
}

/* Returns the new name in a line of the mapping: the text after " -> ", without the colon at the end of a class
 * line. */
static framemap_str renamed(framemap_str line)
{
    for (size_t i = line.size; i >= 4; i--)
        if (memcmp(line.data + i - 4, " -> ", 4) == 0) {
            const size_t size = line.size - i;
            return (framemap_str){line.data + i, size && line.data[line.size - 1] == ':' ? size - 1 : size};
        }
    return (framemap_str){NULL, 0};
}

/* Parses "    12:34:void …": the two numbers, which are below 2^31 in the mapping of a real program. */
static bool read_lines(framemap_str line, uint32_t *from, uint32_t *to)
{
    char text[64];
    const size_t size = line.size < sizeof text - 1 ? line.size : sizeof text - 1;
    memcpy(text, line.data, size);
    text[size] = 0;
    return sscanf(text, " %" SCNu32 ":%" SCNu32 ":", from, to) == 2;
}

static void add_method(struct methods *methods, framemap_str holder, framemap_str name, uint32_t from, uint32_t to)
{
    char *scope = methods->text + methods->text_size;
    memcpy(scope, holder.data, holder.size);
    scope[holder.size] = '.';
    memcpy(scope + holder.size + 1, name.data, name.size);
    const size_t size = holder.size + 1 + name.size;
    methods->rows[methods->count++] = (struct method){scope, (uint32_t)holder.size, (uint32_t)size, from, to};
    methods->text_size += size;
}

/* Lists the methods of the mapping that have line numbers. While `rows` is NULL, it only counts them. */
static void walk_mapping(framemap_str mapping, struct methods *methods, size_t *count, size_t *text_size)
{
    framemap_str holder = {NULL, 0};
    uint32_t from = 0, to = 0;
    *count = *text_size = 0;
    while (mapping.size) {
        const framemap_str line = next_line(&mapping), name = renamed(line);
        if (name.size == 0 || line.data[0] == '#') continue;
        if (line.data[0] != ' ') {
            holder = name;
        } else if (read_lines(line, &from, &to)) {
            if (methods->rows) add_method(methods, holder, name, from, to);
            *count += 1;
            *text_size += holder.size + 1 + name.size;
        }
    }
}

static void find_methods(framemap_str mapping, struct methods *methods)
{
    size_t count, size;
    walk_mapping(mapping, methods, &count, &size);
    if (count == 0) die("mapping", "no methods with lines in it");
    methods->rows = calloc(count, sizeof *methods->rows);
    methods->text = malloc(size);
    if (methods->rows == NULL || methods->text == NULL) die("mapping", "out of memory");
    walk_mapping(mapping, methods, &count, &size);
}

/* --- writing a trace --- */

static const struct method *any_method(struct methods *methods)
{
    return &methods->rows[next_random(&methods->state) % methods->count];
}

static const struct method *near_method(struct methods *methods, const struct method *method)
{
    const size_t base = (size_t)(method - methods->rows);
    return &methods->rows[(base + next_random(&methods->state) % NEAR) % methods->count];
}

static uint32_t line_of(struct methods *methods, const struct method *method)
{
    return method->from + (uint32_t)(next_random(&methods->state) % ((uint64_t)method->to - method->from + 1));
}

static void write_frame(struct methods *methods, const struct method *method)
{
    const uint64_t kind = next_random(&methods->state) % 20;
    if (kind < 3)
        printf("\tat java.util.ArrayList.forEach(ArrayList.java:1541)\n");
    else if (kind == 3)
        printf("\tat %.*s(Unknown Source)\n", (int)method->scope_size, method->scope);
    else
        printf("\tat %.*s(SourceFile:%" PRIu32 ")\n", (int)method->scope_size, method->scope, line_of(methods, method));
}

/* Writes stacks of 4 to 60 frames, some with a cause. */
static void write_trace(struct methods *methods, size_t lines)
{
    for (size_t left = lines; left;) {
        const struct method *method = any_method(methods);
        size_t frames = STACK_LEAST + next_random(&methods->state) % STACK_SPREAD;
        printf("%s%.*s: the request could not be answered\n", frames % 5 ? "" : "Caused by: ", (int)method->class_size,
               method->scope);
        for (left--; left && frames; left--, frames--) {
            method = frames % 4 ? near_method(methods, method) : any_method(methods);
            write_frame(methods, method);
        }
    }
}

/* --- timing --- */

static void fill_random(struct methods *methods, const struct method **queried, size_t count)
{
    for (size_t i = 0; i < count; i++) queried[i] = any_method(methods);
}

static void fill_hot(struct methods *methods, const struct method **queried, size_t count)
{
    fill_random(methods, queried, count < HOT ? count : HOT);
    for (size_t i = HOT; i < count; i++) queried[i] = queried[next_random(&methods->state) % HOT];
}

static void fill_near(struct methods *methods, const struct method **queried, size_t count)
{
    for (size_t i = 0; i < count; i++)
        queried[i] = i % RUN ? near_method(methods, queried[i - 1]) : any_method(methods);
}

/* The queries of a round in the order in which they are made. They are in contiguous memory, as after parsing a stack,
 * so that the time of the index alone is measured. */
struct questions {
    struct method *rows;
    char *text;
    size_t count;
};

static void lay_out(const struct method *const *queried, size_t count, struct questions *out)
{
    size_t size = 0;
    for (size_t i = 0; i < count; i++) size += queried[i]->scope_size;
    *out = (struct questions){malloc(count * sizeof *out->rows), malloc(size), count};
    if (out->rows == NULL || out->text == NULL) die("lookups", "out of memory");
    char *at = out->text;
    for (size_t i = 0; i < count; at += queried[i++]->scope_size) {
        out->rows[i] = *queried[i];
        out->rows[i].scope = memcpy(at, queried[i]->scope, queried[i]->scope_size);
    }
}

static double time_lookups(const framemap_index *index, framemap_scratch *scratch, const struct questions *questions,
                           uint64_t *frames)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_frame frame;
    framemap_error error;
    query.printed_file = framemap_str_of("SourceFile");
    const double start = seconds_now();
    for (size_t i = 0; i < questions->count; i++) {
        const struct method *method = &questions->rows[i];
        query.scope = (framemap_str){method->scope, method->scope_size};
        query.position = method->from;
        check(framemap_resolve(index, &query, scratch, &frame, &error), "lookup", &error);
        *frames += frame.restored.count;
    }
    return (seconds_now() - start) * 1e9 / (double)questions->count;
}

static void bench_lookups(const struct plan *plan, struct methods *methods, const framemap_index *index)
{
    static const struct {
        const char *name;
        void (*fill)(struct methods *methods, const struct method **queried, size_t count);
    } patterns[] = {{"random", fill_random}, {"hot", fill_hot}, {"near", fill_near}};
    enum { PATTERNS = sizeof patterns / sizeof *patterns };
    static struct rounds rounds[PATTERNS];
    framemap_error error;
    framemap_scratch *scratch = NULL;
    uint64_t frames = 0;
    const struct method **queried = calloc(plan->lookups, sizeof *queried);
    if (queried == NULL) die("lookups", "out of memory");
    check(framemap_scratch_create(NULL, &scratch, &error), "scratch", &error);
    for (unsigned i = 0; i < plan->rounds; i++)
        for (size_t p = 0; p < PATTERNS; p++) {
            patterns[p].fill(methods, queried, plan->lookups);
            struct questions questions;
            lay_out(queried, plan->lookups, &questions);
            rounds[p].values[rounds[p].count++] = time_lookups(index, scratch, &questions, &frames);
            free(questions.rows);
            free(questions.text);
        }
    for (size_t p = 0; p < PATTERNS; p++) print_rounds(patterns[p].name, &rounds[p], "ns");
    printf("frames for each lookup\t%.3f\n",
           (double)frames / ((double)plan->lookups * (double)PATTERNS * plan->rounds));
    framemap_scratch_free(scratch);
    free(queried);
}

static double time_build(const struct plan *plan, framemap_str mapping, unsigned threads, double (*clock_now)(void),
                         framemap_bytes *index)
{
    framemap_error error;
    const framemap_build_options options = {.size = sizeof options, .strict = true, .threads = threads};
    framemap_bytes_free(index);
    const double start = clock_now();
    check(framemap_index_build(mapping, framemap_str_of(plan->path), &options, index, &error), plan->path, &error);
    return (double)mapping.size * 1e-6 / (clock_now() - start);
}

static void bench_build(const struct plan *plan, framemap_str mapping, framemap_bytes *index)
{
    static struct rounds rounds, alone;
    for (unsigned i = 0; i < plan->rounds; i++) {
        rounds.values[rounds.count++] = time_build(plan, mapping, plan->threads, wall_now, index);
        alone.values[alone.count++] = time_build(plan, mapping, 1, seconds_now, index);
    }
    print_rounds("build", &rounds, "MB/s");
    print_rounds("build, one thread", &alone, "MB/s");
}

static bool count_bytes(void *context, const char *data, size_t size)
{
    (void)data;
    *(uint64_t *)context += size;
    return true;
}

static size_t count_lines(framemap_str text)
{
    size_t count = 0;
    for (; text.size; count++) next_line(&text);
    return count;
}

static void bench_retrace(const struct plan *plan, const framemap_index *index)
{
    static struct rounds rounds;
    const framemap_str text = map_file(plan->trace);
    const size_t lines = count_lines(text);
    framemap_error error;
    uint64_t written = 0;
    for (unsigned i = 0; i < plan->rounds; i++) {
        framemap_retracer *retracer = NULL;
        const framemap_retrace_options options = {.size = sizeof options};
        check(framemap_retracer_create(index, &options, &retracer, &error), "retrace", &error);
        const double start = seconds_now();
        check(framemap_retracer_text(retracer, text, count_bytes, &written, &error), "retrace", &error);
        rounds.values[rounds.count++] = (double)lines / (seconds_now() - start);
        framemap_retracer_free(retracer);
    }
    print_rounds("retrace", &rounds, "lines/s");
    printf("written\t%" PRIu64 "\tbytes\n", written / plan->rounds);
}

static struct plan read_plan(int argc, char **argv)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    struct plan plan = {.rounds = 7, .lookups = 200000, .threads = processors > 1 ? (unsigned)processors : 1};
    for (int option; (option = getopt(argc, argv, "j:r:n:t:w:")) != -1;) {
        if (option == '?') exit(2);
        if (option == 'n') plan.lookups = number(optarg);
        if (option == 't') plan.trace = optarg;
        if (option == 'j') plan.threads = (unsigned)number(optarg);
        if (option == 'w') plan.write = number(optarg);
        if (option == 'r') plan.rounds = (unsigned)(number(optarg) < ROUNDS_MOST ? number(optarg) : ROUNDS_MOST);
    }
    if (optind + 1 != argc) {
        fprintf(stderr, "usage: bench_java [-j THREADS] [-r ROUNDS] [-n LOOKUPS] [-t TRACE] [-w LINES] MAPPING\n");
        exit(2);
    }
    plan.path = argv[optind];
    return plan;
}

int main(int argc, char **argv)
{
    const struct plan plan = read_plan(argc, argv);
    const framemap_str mapping = map_file(plan.path);
    struct methods methods = {.state = 1};
    framemap_bytes bytes = {0};
    framemap_index *index = NULL;
    framemap_error error;
    find_methods(mapping, &methods);
    if (plan.write) {
        write_trace(&methods, plan.write);
    } else {
        bench_build(&plan, mapping, &bytes);
        check(framemap_index_open(framemap_bytes_str(&bytes), NULL, &index, &error), "index", &error);
        bench_lookups(&plan, &methods, index);
        if (plan.trace) bench_retrace(&plan, index);
        print_sizes(mapping, &bytes);
        framemap_index_close(index);
        framemap_bytes_free(&bytes);
    }
    free(methods.rows);
    free(methods.text);
    return 0;
}
