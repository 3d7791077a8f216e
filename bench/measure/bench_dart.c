/* bench_dart [-r ROUNDS] [-n FRAMES] [-l ADDRESSES] [-w] SYMBOLS: measures framemap's calls on one Dart program.
 *
 * Times the following, each ROUNDS times in turn: the build of the index; FRAMES frame lines of traces through
 * framemap_dart_decoder_text, as `symbolize` and as `translate` print them, with frames found by symbol and by address;
 * and as many framemap_resolve calls alone. Prints one line for each measure, separated by TAB: name, minimum, median
 * and maximum of the rounds, unit. With -l it writes ADDRESSES random addresses of functions instead, one per line, as
 * input for other tools; with -w the text of the traces. */
#include "bench_help.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STACK = 25 }; /* number of frame lines of a trace */

struct plan {
    const char *path;
    unsigned rounds;
    size_t frames, list;
    bool write;
};

struct program {
    framemap_index *index;
    framemap_scratch *scratch;
    framemap_dart_texts texts;
    framemap_index_info about;
    uint64_t *calls; /* linked addresses of calls in functions */
    size_t count;
};

/* --- making the symbols of a program --- */

static bool is_in_function(const struct program *program, uint64_t address)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_frame frame;
    framemap_error error;
    query.address_kind = FRAMEMAP_ADDRESS_LINKED;
    query.position = address;
    query.demangle = FRAMEMAP_DEMANGLE_NONE;
    check(framemap_resolve(program->index, &query, program->scratch, &frame, &error), "lookup", &error);
    return frame.restored.count && frame.restored.frames[0].file.size;
}

static void choose_calls(struct program *program, size_t count)
{
    uint64_t state = 1;
    const uint64_t size = program->texts.text_end - program->texts.text;
    program->calls = calloc(count, sizeof *program->calls);
    if (program->calls == NULL || size == 0) die("calls", "out of memory, or there is no text");
    while (program->count < count) {
        const uint64_t address = program->texts.text + next_random(&state) % size;
        if (is_in_function(program, address)) program->calls[program->count++] = address;
    }
}

static void open_program(struct program *program, const framemap_bytes *bytes)
{
    framemap_error error;
    check(framemap_index_open(framemap_bytes_str(bytes), NULL, &program->index, &error), "index", &error);
    check(framemap_scratch_create(NULL, &program->scratch, &error), "scratch", &error);
    if (!framemap_dart_texts_of(program->index, &program->texts)) die("index", "it does not belong to a Dart program");
    framemap_index_describe(program->index, &program->about);
}

/* --- writing traces --- */

struct text {
    char *data;
    size_t size, capacity;
};

static void put(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct text *text, const char *format, ...)
{
    va_list list;
    if (text->capacity - text->size < 512) {
        text->capacity = 2 * text->capacity + 4096;
        text->data = realloc(text->data, text->capacity);
        if (text->data == NULL) die("traces", "out of memory");
    }
    va_start(list, format);
    text->size += (size_t)vsnprintf(text->data + text->size, text->capacity - text->size, format, list);
    va_end(list);
}

/* Writes traces of STACK frame lines each, as the Dart VM prints them. */
static struct text write_traces(const struct program *program, bool symbols)
{
    const uint64_t base = 0x7f4100000000;
    struct text text = {NULL, 0, 0};
    for (size_t i = 0; i < program->count; i++) {
        const uint64_t call = program->calls[i];
        if (i % STACK == 0) {
            put(&text, "%sUnhandled exception:\nBad state: bench\n", i ? "\n" : "");
            put(&text,
                "*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\npid: 1, tid: 2, name DartWorker\n");
            put(&text, "os: linux arch: x64 comp: no sim: no\nbuild_id: '%.*s'\n", (int)program->about.id.size,
                program->about.id.data);
            put(&text, "isolate_dso_base: %" PRIx64 ", vm_dso_base: %" PRIx64 "\n", base, base);
            put(&text, "isolate_instructions: %" PRIx64 ", vm_instructions: %" PRIx64 "\n", base + program->texts.text,
                program->texts.has_vm_text ? base + program->texts.vm_text : 0);
        }
        put(&text, "    #%02zu abs %016" PRIx64 " virt %016" PRIx64 " ", i % STACK, base + call, call);
        if (symbols)
            put(&text, "%.*s+0x%" PRIx64 "\n", (int)program->texts.symbol.size, program->texts.symbol.data,
                call - program->texts.text);
        else
            put(&text, "<unknown>\n");
    }
    return text;
}

/* --- timing --- */

static bool count_bytes(void *context, const char *data, size_t size)
{
    (void)data;
    *(size_t *)context += size;
    return true;
}

static double time_decoder(const struct program *program, const struct text *text, bool internal, size_t *written)
{
    const framemap_dart_options options = {.size = sizeof options, .internal_frames = internal};
    framemap_dart_decoder *decoder = NULL;
    framemap_error error;
    const double start = seconds_now();
    check(framemap_dart_decoder_create(program->index, &options, &decoder, &error), "decoder", &error);
    check(framemap_dart_decoder_text(decoder, (framemap_str){text->data, text->size}, count_bytes, written, &error),
          "text", &error);
    framemap_dart_decoder_free(decoder);
    return (seconds_now() - start) * 1e9 / (double)program->count;
}

static double time_lookups(const struct program *program)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_frame frame;
    framemap_error error;
    query.address_kind = FRAMEMAP_ADDRESS_LINKED;
    query.demangle = FRAMEMAP_DEMANGLE_NONE;
    const double start = seconds_now();
    for (size_t i = 0; i < program->count; i++) {
        query.position = program->calls[i];
        check(framemap_resolve(program->index, &query, program->scratch, &frame, &error), "lookup", &error);
    }
    return (seconds_now() - start) * 1e9 / (double)program->count;
}

static void bench_build(const struct plan *plan, framemap_str file, framemap_bytes *index)
{
    static struct rounds rounds;
    framemap_error error;
    for (unsigned i = 0; i < plan->rounds; i++) {
        framemap_bytes_free(index);
        const double start = seconds_now();
        check(framemap_index_build(file, framemap_str_of(plan->path), NULL, index, &error), plan->path, &error);
        rounds.values[rounds.count++] = (seconds_now() - start) * 1e3;
    }
    print_rounds("build", &rounds, "ms");
}

static void bench_rows(const struct plan *plan, const struct program *program)
{
    static const struct {
        const char *name;
        bool symbols, internal;
    } ways[] = {{"symbolize, by symbol", true, true},
                {"symbolize, by address", false, true},
                {"translate, by symbol", true, false}};
    enum { WAYS = sizeof ways / sizeof *ways };
    static struct rounds rounds[WAYS + 1];
    const struct text texts[2] = {write_traces(program, false), write_traces(program, true)};
    size_t written = 0;
    for (unsigned i = 0; i < plan->rounds; i++) {
        for (size_t way = 0; way < WAYS; way++)
            rounds[way].values[rounds[way].count++] =
                time_decoder(program, &texts[ways[way].symbols], ways[way].internal, &written);
        rounds[WAYS].values[rounds[WAYS].count++] = time_lookups(program);
    }
    for (size_t way = 0; way < WAYS; way++) print_rounds(ways[way].name, &rounds[way], "ns");
    print_rounds("lookup alone", &rounds[WAYS], "ns");
    free(texts[0].data);
    free(texts[1].data);
}

static struct plan read_plan(int argc, char **argv)
{
    struct plan plan = {.rounds = 7, .frames = 200000};
    for (int option; (option = getopt(argc, argv, "r:n:l:w")) != -1;) {
        if (option == '?') exit(2);
        if (option == 'w') plan.write = true;
        if (option == 'n') plan.frames = number(optarg);
        if (option == 'l') plan.list = number(optarg);
        if (option == 'r') plan.rounds = (unsigned)(number(optarg) < ROUNDS_MOST ? number(optarg) : ROUNDS_MOST);
    }
    if (optind + 1 != argc) {
        fprintf(stderr, "usage: bench_dart [-r ROUNDS] [-n FRAMES] [-l ADDRESSES] [-w] SYMBOLS\n");
        exit(2);
    }
    plan.path = argv[optind];
    return plan;
}

static void write_out(const struct plan *plan, const struct program *program)
{
    for (size_t i = 0; i < plan->list; i++) printf("0x%" PRIx64 "\n", program->calls[i]);
    if (!plan->write) return;
    const struct text text = write_traces(program, true);
    fwrite(text.data, 1, text.size, stdout);
    free(text.data);
}

int main(int argc, char **argv)
{
    const struct plan plan = read_plan(argc, argv);
    const framemap_str file = map_file(plan.path);
    const bool timed = plan.list == 0 && !plan.write;
    struct program program = {.count = 0};
    framemap_bytes bytes = {0};
    framemap_error error;
    touch(file);
    if (timed)
        bench_build(&plan, file, &bytes);
    else
        check(framemap_index_build(file, framemap_str_of(plan.path), NULL, &bytes, &error), plan.path, &error);
    open_program(&program, &bytes);
    choose_calls(&program, plan.list ? plan.list : plan.frames);
    if (timed) {
        bench_rows(&plan, &program);
        print_sizes(file, &bytes);
    } else {
        write_out(&plan, &program);
    }
    free(program.calls);
    framemap_scratch_free(program.scratch);
    framemap_index_close(program.index);
    framemap_bytes_free(&bytes);
    return 0;
}
