/* Tests indexes with random changes and valid checksums: opening, verifying, querying, dumping and restoring a text
 * must each take at most 64 MB of memory and of output, whatever amounts the index states.
 *
 *     hostile_indexes CORPUS [COUNT [FIRST]]           COUNT mutations from number FIRST on; they are reproducible
 *     hostile_indexes --seconds CORPUS [COUNT [FIRST]] also fails if a mutation takes more than two seconds of CPU
 *     hostile_indexes --write FILE CORPUS NUMBER       writes one mutation
 *     hostile_indexes --claims alternatives|names FILE writes an index whose answer for address 0x100 would be huge */
#include "hostile_help.h"

#include "fuzz/support/seal.h"
#include "index/format/bits.h"
#include "index/format/layout.h"
#include "tests/hostile/crafted_index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST_BYTES = 64 << 20, /* maximum number of bytes of memory that a call may use, and that one output may have */
    SOURCES_MOST = 64,
    /* Largest index that is changed, in bytes; a dump has at most 4,096 bytes for each byte of the index. */
    SOURCE_SIZE_MOST = 16000,
    SITES_MOST = 24,
    CHANGES_MOST = 8,
    SECONDS_MOST = 2
};

/* A position that the index has, according to its own dump. */
struct site {
    uint64_t number, position;
    char scope[200];
};

struct source {
    char name[160];
    framemap_bytes bytes;
    framemap_index_info info; /* the strings in this struct are in the arrays below */
    char id[80], image[160];
    bool is_java, is_script;
    struct site sites[SITES_MOST];
    size_t site_count;
    size_t sites_seen;
};

static struct source sources[SOURCES_MOST];
static size_t source_count;

/* --- making random numbers --- */

static uint64_t state;

static uint64_t next(void) /* the generator is splitmix64 */
{
    uint64_t z = state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static size_t below(size_t count) { return (size_t)(next() % count); }

/* --- collecting the indexes that are changed --- */

static void must(framemap_status status, const framemap_error *error, const char *what)
{
    if (status != FRAMEMAP_OK) hostile_fail(what, error->message);
}

/* Finds the value of a member in a line of JSON, without quotes; false: the line does not have the member. */
static bool member(const char *line, const char *name, char *out, size_t room)
{
    char key[40];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *at = strstr(line, key);
    size_t size = 0;
    if (at == NULL) return false;
    at += strlen(key);
    if (*at == '"') at++;
    while (at[size] && !strchr("\",}]", at[size]) && size + 1 < room) size++;
    memcpy(out, at, size);
    out[size] = 0;
    return true;
}

/* Reads a position from a line of the dump. Returns false if the line has no position. */
static bool read_site(const struct source *source, const char *line, struct site *out)
{
    char scope[100] = "", method[100] = "", number[40] = "", position[40] = "0";
    *out = (struct site){.number = 0};
    if (source->is_script && member(line, "line", number, sizeof number)) { /* lines and columns count from 1 */
        out->number = strtoull(number, NULL, 10) - 1;
        if (member(line, "column", position, sizeof position)) out->position = strtoull(position, NULL, 10) - 1;
        return true;
    }
    if (member(line, "method", method, sizeof method)) {
        const char *lines = strstr(line, "\"lines\":[");
        (void)member(line, "class", scope, sizeof scope);
        snprintf(out->scope, sizeof out->scope, "%s.%s", scope, method);
        out->position = lines ? strtoull(lines + strlen("\"lines\":["), NULL, 10) : 0;
        return true;
    }
    if (!member(line, "start", position, sizeof position)) return false;
    (void)member(line, "scope", out->scope, sizeof out->scope);
    out->number = strtoull(out->scope, NULL, 10);
    out->position = strtoull(position, NULL, 0);
    return true;
}

/* Keeps a sample of the positions in a dump, each with equal probability (reservoir sampling). */
static void take_site(struct source *source, const char *line)
{
    struct site site;
    if (!read_site(source, line, &site)) return;
    const size_t at = source->site_count < SITES_MOST ? source->site_count++ : below(++source->sites_seen);
    if (at < SITES_MOST) source->sites[at] = site;
    if (source->sites_seen < source->site_count) source->sites_seen = source->site_count;
}

/* Receives a part of a dump. A line that is divided between two calls, or that is longer than the buffer, is used
 * only in part. */
static bool take_lines(void *context, const char *data, size_t size)
{
    struct source *source = context;
    const char *end = data + size, *stop;
    for (; data < end; data = stop + 1) {
        char line[2000];
        stop = memchr(data, '\n', (size_t)(end - data));
        if (stop == NULL) stop = end;
        const size_t length = (size_t)(stop - data) < sizeof line ? (size_t)(stop - data) : sizeof line - 1;
        memcpy(line, data, length);
        line[length] = 0;
        take_site(source, line);
    }
    return true;
}

static void copy_text(char *out, size_t room, framemap_str text)
{
    const size_t size = text.size < room - 1 ? text.size : room - 1;
    if (size) memcpy(out, text.data, size);
    out[size] = 0;
}

static bool is(framemap_str text, const char *word)
{
    return text.size == strlen(word) && memcmp(text.data, word, text.size) == 0;
}

/* Adds an index, unless it is too large. */
static void add_source(const char *name, framemap_bytes bytes)
{
    struct source *source = &sources[source_count];
    framemap_index *index;
    framemap_error error;
    if (source_count == SOURCES_MOST || bytes.size > SOURCE_SIZE_MOST) {
        framemap_bytes_free(&bytes);
        return;
    }
    snprintf(hostile_now, sizeof hostile_now, "%s", name);
    snprintf(source->name, sizeof source->name, "%s", name);
    source->bytes = bytes;
    must(framemap_index_open(framemap_bytes_str(&bytes), NULL, &index, &error), &error, "open");
    framemap_index_describe(index, &source->info);
    copy_text(source->id, sizeof source->id, source->info.id);
    copy_text(source->image, sizeof source->image, source->info.name);
    source->is_java = source->info.class_count > 0 || is(source->info.kind, "r8") || is(source->info.kind, "proguard");
    source->is_script = is(source->info.kind, "sourcemap");
    must(framemap_index_dump(index, "jsonl", take_lines, source, &error), &error, "dump");
    framemap_index_close(index);
    if (source->site_count == 0) hostile_fail("dump", "tells no position");
    source_count++;
}

static framemap_bytes read_file(const char *path)
{
    framemap_bytes bytes = {NULL, 0, {NULL, NULL}};
    FILE *file = fopen(path, "rb");
    if (file == NULL) hostile_fail(path, "can't be read");
    fseek(file, 0, SEEK_END);
    bytes.size = (size_t)ftell(file);
    rewind(file);
    bytes.data = malloc(bytes.size + 1);
    if (bytes.data == NULL || fread(bytes.data, 1, bytes.size, file) != bytes.size) hostile_fail(path, "can't be read");
    fclose(file);
    return bytes;
}

static void add_index(const char *corpus, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", corpus, name);
    add_source(name, read_file(path));
}

static void add_symbols(const char *corpus, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", corpus, name);
    framemap_bytes file = read_file(path), built = {NULL, 0, {NULL, NULL}};
    framemap_error error;
    const char *slash = strrchr(name, '/');
    must(framemap_index_build(framemap_bytes_str(&file), framemap_str_of(slash + 1), NULL, &built, &error), &error,
         name);
    framemap_bytes_free(&file);
    add_source(name, built);
}

/* Adds an index that states the greatest amounts that the format allows. */
static void add_claims(const char *name, uint32_t depth, uint32_t alternatives, uint32_t aliases, size_t name_size)
{
    static char text[8000];
    memset(text, 'n', sizeof text);
    const struct crafted_index what = {.kind = "elf",
                                       .id = "0123456789abcdef",
                                       .file = framemap_str_of("src/a.c"),
                                       .function = {text, name_size},
                                       .has_declaration = true,
                                       .alias_head = "_Z5alias",
                                       .alias_tail = "v",
                                       .aliases = aliases,
                                       .depth = depth,
                                       .alternatives = alternatives,
                                       .positions = 16,
                                       .step = 4};
    framemap_bytes built = {NULL, 0, {NULL, NULL}};
    framemap_error error;
    must(crafted_index_build(&what, &built, &error), &error, name);
    add_source(name, built);
}

static void add_alternatives(void) { add_claims("alternatives of deep chains", 1024, 4096, 0, 1); }

static void add_names(void) { add_claims("a deep chain of a long name", 1024, 1, 0, 8000); }

static void add_script(void)
{
    static const char map[] =
        "{\"version\":3,\"file\":\"app.js\",\"sources\":[\"a.ts\",\"b.ts\"],\"names\":[\"f\",\"g\"],"
        "\"sourcesContent\":[\"let a = 1\\nlet b\\nlet c\\n\",\"function f() {\\n}\\n\"],"
        "\"mappings\":\"AAAA,IAAIA,GAAG;AACA,SAASC,CCAZ;AAEA;AAAA,EAAA,GAAA,IAAA\"}";
    const framemap_build_options options = {.size = sizeof options, .keep_sources = true};
    framemap_bytes built = {NULL, 0, {NULL, NULL}};
    framemap_error error;
    must(framemap_index_build(framemap_str_of(map), framemap_str_of("app.js.map"), &options, &built, &error), &error,
         "a source map");
    add_source("a source map with its sources", built);
}

static void add_all(const char *corpus)
{
    static const char *const indexes[] = {
        "good-v1-documented", "good-v1-java",       "good-v1-mapping", "good-v1-native", "good-v1-segments",
        "good-v1-source-map", "good-v2-documented", "good-v2-java",    "good-v2-native", "good-v2-source-map"};
    static const char *const symbols[] = {"native/clang-x86_64-O0.so",
                                          "native/clang-arm64-O2.o",
                                          "native/clang-arm64-android-O2.so",
                                          "native/clang-arm-thumb-android-O2.so",
                                          "dart/app.x64-3.10.symbols",
                                          "dart/app.arm64-3.13.symbols",
                                          "dart/dump.x64.symbols"};
    char name[80];
    for (size_t i = 0; i < sizeof indexes / sizeof *indexes; i++) {
        snprintf(name, sizeof name, "index/%s.fmx", indexes[i]);
        add_index(corpus, name);
    }
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) add_symbols(corpus, symbols[i]);
    add_script();
    add_alternatives();
    add_names();
    add_claims("many aliases", 3, 2, 1000, 20);
}

/* --- changing indexes --- */

/* Changes one field of a section's entry. Opening refuses most of these changes; the others change the meaning of
 * all records of the section. */
static void change_entry(unsigned char *data, uint32_t sections)
{
    unsigned char *entry = data + FMX_HEADER + FMX_ENTRY * below(sections),
                  *other = data + FMX_HEADER + FMX_ENTRY * below(sections);
    switch (below(4)) {
    case 0: entry[FMX_ENTRY_WIDTHS + below(FMX_FIELDS)] = (unsigned char)below(58); break;
    case 1: fm_store64(entry + FMX_ENTRY_OFFSET, fm_load64(other + FMX_ENTRY_OFFSET)); break;
    case 2: fm_store64(entry + FMX_ENTRY_OFFSET, fm_load64(entry + FMX_ENTRY_OFFSET) + below(16)); break;
    default: { /* This case moves bits from a field to the next one, so that records keep their width. */
        const size_t field = below(FMX_FIELDS - 1), moved = below(8);
        if (entry[FMX_ENTRY_WIDTHS + field] < moved) break;
        entry[FMX_ENTRY_WIDTHS + field] = (unsigned char)(entry[FMX_ENTRY_WIDTHS + field] - moved);
        entry[FMX_ENTRY_WIDTHS + field + 1] = (unsigned char)(entry[FMX_ENTRY_WIDTHS + field + 1] + moved);
    }
    }
}

static void change_bytes(unsigned char *data, size_t size, size_t head)
{
    const size_t at = head + below(size - head), most = size - at < 64 ? size - at : 64, count = 1 + below(most);
    switch (below(6)) {
    case 0: data[at] = (unsigned char)next(); break;
    case 1: data[at] ^= (unsigned char)(1u << below(8)); break;
    case 2: memset(data + at, 0, count); break;
    case 3: memset(data + at, 0xFF, count); break;
    case 4: memmove(data + at, data + head + below(size - head - count + 1), count); break;
    default:
        for (size_t i = 0; i < count; i++) data[at + i] = (unsigned char)next();
    }
}

/* Makes the mutation with this number. *out: its bytes, freed by the caller. The first mutations are the unchanged
 * indexes. Half of the others differ from an index in only one place, so that most statements of the index stay as they
 * were, such as a very high number of aliases. */
static const struct source *mutate(uint64_t number, unsigned char **out)
{
    state = number * UINT64_C(0xD1342543DE82EF95) + 1;
    const struct source *source = &sources[number < source_count ? number : below(source_count)];
    const size_t size = source->bytes.size;
    unsigned char *data = malloc(size);
    if (data == NULL) hostile_fail(source->name, "out of memory");
    memcpy(data, source->bytes.data, size);
    const uint32_t sections = fm_load32(data + FMX_AT_SECTIONS);
    const size_t several = below(2) ? below(CHANGES_MOST) : 0;
    for (size_t changes = number < source_count ? 0 : 1 + several; changes > 0; changes--) {
        if (below(6) == 0)
            change_entry(data, sections);
        else
            change_bytes(data, size, FMX_HEADER + FMX_ENTRY * sections);
    }
    fm_fuzz_seal(data, size, false);
    *out = data;
    snprintf(hostile_now, sizeof hostile_now, "mutation %llu, of %s", (unsigned long long)number, source->name);
    return source;
}

/* --- measuring the cost of calls --- */

struct worst {
    uint64_t memory, output, number_memory, number_output, number_time, opened, verified;
    double seconds;
};
static struct worst worst;

static bool count_bytes(void *context, const char *data, size_t size)
{
    (void)data;
    *(uint64_t *)context += size;
    return true;
}

static void check_output(uint64_t bytes, uint64_t number, const char *what)
{
    if (bytes > MOST_BYTES) hostile_fail(what, "writes more than 64 MB");
    if (bytes <= worst.output) return;
    worst.output = bytes;
    worst.number_output = number;
}

static void look_up(const struct source *source, const framemap_index *index, framemap_scratch *scratch)
{
    uint64_t positions[SITES_MOST + 4] = {0, 1, UINT64_MAX};
    framemap_location_list list;
    framemap_frame frame;
    framemap_error error;
    size_t count = 3;
    for (size_t i = 0; i < source->site_count; i++) {
        const struct site *site = &source->sites[i];
        framemap_query query = FRAMEMAP_QUERY_INIT;
        query.scope = framemap_str_of(site->scope);
        query.scope_number = site->number;
        query.position = site->position;
        query.context = 3;
        (void)hostile_answered(framemap_resolve(index, &query, scratch, &frame, &error), &error, "resolve");
        query.no_position = true;
        (void)hostile_answered(framemap_resolve(index, &query, scratch, &frame, &error), &error,
                               "resolve, without a line");
        positions[count++] = site->position;
    }
    framemap_query query = FRAMEMAP_QUERY_INIT;
    (void)hostile_answered(framemap_index_lookup_many(index, &query, positions, count, scratch, &list, &error), &error,
                           "look up many");
}

static void use_index(const struct source *source, framemap_str bytes, uint64_t number,
                      const framemap_allocator *allocator)
{
    static const char *const formats[] = {"text", "jsonl", "kv"};
    framemap_index *index = NULL;
    framemap_scratch *scratch = NULL;
    framemap_index_info info;
    framemap_image_info image;
    framemap_error error;
    size_t images;
    (void)framemap_file_inspect(bytes, framemap_str_of("app.fmx"), &image, 1, &images, &error);
    if (!hostile_answered(framemap_index_open(bytes, allocator, &index, &error), &error, "open")) return;
    worst.opened++;
    must(framemap_scratch_create(allocator, &scratch, &error), &error, "scratch");
    framemap_index_describe(index, &info);
    look_up(source, index, scratch);
    worst.verified += hostile_answered(framemap_index_verify(index, &error), &error, "verify");
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        uint64_t written = 0;
        (void)hostile_answered(framemap_index_dump(index, formats[i], count_bytes, &written, &error), &error,
                               formats[i]);
        check_output(written, number, formats[i]);
    }
    framemap_scratch_free(scratch);
    framemap_index_close(index);
}

/* Writes a stack trace in the form in which the index's platform prints it, with one line for each position. */
static size_t make_text(const struct source *source, char *text, size_t room)
{
    size_t at = 0;
    if (source->is_java) at += (size_t)snprintf(text, room, "java.lang.Error: x\n");
    if (source->is_script) at += (size_t)snprintf(text, room, "Error: x\n");
    for (size_t i = 0; i < source->site_count && i < 8 && at + 600 < room; i++) {
        const struct site *site = &source->sites[i];
        if (source->is_java)
            at += (size_t)snprintf(text + at, room - at, "\tat %s(SourceFile:%d)\n", site->scope, (int)site->position);
        else if (source->is_script)
            at += (size_t)snprintf(text + at, room - at, "    at f (https://example.com/app.js:%d:%d)\n",
                                   (int)site->number + 1, (int)site->position + 1);
        else
            at += (size_t)snprintf(text + at, room - at, "#%02d pc %016llx  /data/%s (BuildId: %s)\n", (int)i,
                                   (unsigned long long)(site->position + source->info.base), source->image, source->id);
    }
    return at;
}

static void restore(const struct source *source, const char *folder, uint64_t number,
                    const framemap_allocator *allocator)
{
    static const char *const outputs[] = {"text", "json"};
    char text[16384];
    const size_t size = make_text(source, text, sizeof text);
    const framemap_session_options options = {.size = sizeof options,
                                              .allocator = allocator,
                                              .symbol_paths = &folder,
                                              .symbol_path_count = 1,
                                              .cache_path = "",
                                              .keep_sources = true};
    framemap_session *session = NULL;
    framemap_error error;
    must(framemap_session_open(&options, &session, &error), &error, "session");
    for (size_t i = 0; i < 2; i++) {
        const framemap_restore_options how = {.size = sizeof how, .output = outputs[i], .context = 3};
        uint64_t written = 0;
        const framemap_status status =
            framemap_session_restore(session, (framemap_str){text, size}, &how, count_bytes, &written, NULL, &error);
        (void)hostile_answered(status, &error, "restore");
        check_output(written, number, outputs[i]);
    }
    framemap_session_close(session);
}

static void write_file(const char *path, const unsigned char *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        hostile_fail(path, "can't be written");
}

static double now(void) { return (double)clock() / CLOCKS_PER_SEC; }

static void try_one(uint64_t number, const char *folder, bool judge_time)
{
    unsigned char *data;
    char path[4096];
    const struct source *source = mutate(number, &data);
    struct hostile_account account = {0, 0};
    const framemap_allocator allocator = hostile_allocator(&account);
    const double begin = now();
    use_index(source, (framemap_str){(const char *)data, source->bytes.size}, number, &allocator);
    snprintf(path, sizeof path, "%s/app.fmx", folder);
    write_file(path, data, source->bytes.size);
    restore(source, folder, number, &allocator);
    const double seconds = now() - begin;
    if (account.live != 0) hostile_fail("memory", "was not given back");
    if (account.peak > MOST_BYTES) hostile_fail("memory", "more than 64 MB");
    if (judge_time && seconds > (double)SECONDS_MOST) hostile_fail("time", "more than two seconds");
    if (account.peak > worst.memory) {
        worst.memory = account.peak;
        worst.number_memory = number;
    }
    if (seconds > worst.seconds) {
        worst.seconds = seconds;
        worst.number_time = number;
    }
    free(data);
}

static int write_claims(const char *which, const char *path)
{
    if (strcmp(which, "names") == 0)
        add_names();
    else
        add_alternatives();
    write_file(path, sources[0].bytes.data, sources[0].bytes.size);
    framemap_bytes_free(&sources[0].bytes);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "--claims") == 0) return write_claims(argv[2], argv[3]);
    const bool judge_time = argc > 1 && strcmp(argv[1], "--seconds") == 0,
               writes = argc > 2 && strcmp(argv[1], "--write") == 0;
    const int first = judge_time ? 2 : writes ? 3 : 1;
    char folder[] = "/tmp/framemap-hostile-XXXXXX", path[4096];
    if (argc <= first || mkdtemp(folder) == NULL) {
        fprintf(stderr, "usage: hostile_indexes [--seconds | --write FILE] CORPUS [COUNT|NUMBER [FIRST]]\n");
        return 2;
    }
    hostile_watch();
    add_all(argv[first]);
    const uint64_t count = argc > first + 1 ? strtoull(argv[first + 1], NULL, 10) : 500,
                   from = argc > first + 2 ? strtoull(argv[first + 2], NULL, 10) : 0;
    if (writes) {
        unsigned char *data;
        const struct source *source = mutate(count, &data);
        write_file(argv[2], data, source->bytes.size);
        free(data);
    }
    for (uint64_t number = from; number < from + count && !writes; number++) try_one(number, folder, judge_time);
    snprintf(path, sizeof path, "%s/app.fmx", folder);
    (void)unlink(path);
    (void)rmdir(folder);
    if (!writes)
        printf("%llu mutations of %zu indexes: %llu opened, %llu verified; at most %.1f MB of memory (mutation %llu), "
               "%.1f MB of output (%llu), %.2f s (%llu)\n",
               (unsigned long long)count, source_count, (unsigned long long)worst.opened,
               (unsigned long long)worst.verified, (double)worst.memory / (1 << 20),
               (unsigned long long)worst.number_memory, (double)worst.output / (1 << 20),
               (unsigned long long)worst.number_output, worst.seconds, (unsigned long long)worst.number_time);
    for (size_t i = 0; i < source_count; i++) framemap_bytes_free(&sources[i].bytes);
    return 0;
}
