/* Recognizes and reads obfuscation maps of Dart programs. See dart_names.h. */
#include "mappers/dart/dart_names.h"

#include "core/error.h"
#include "core/hash/hash.h"
#include "core/json/json_walk.h"
#include "index/write/class_builder.h"

#define PROBE_BYTES ((size_t)4 << 10)
/* Least number of pairs of names in the probed bytes, if the array continues after them. */
#define PROBE_PAIRS 3

/* Whether a name contains a blank. Most names are identifiers, which contain no blanks, but the map also has names like
 * "<optimized out>". */
static bool has_blank(const struct fm_json_piece *piece)
{
    return memchr(piece->raw.data, ' ', piece->raw.size) != NULL;
}

static int dart_names_probe(framemap_str bytes, framemap_str name)
{
    struct fm_json_walk walk;
    struct fm_json_piece value;
    size_t count = 0, with_blanks = 0;
    const framemap_str head = fm_str_slice(bytes, 0, PROBE_BYTES);
    (void)name;
    fm_json_walk_init(&walk, head);
    if (!fm_json_walk_open(&walk, FM_JSON_ARRAY)) return 0;
    while (fm_json_walk_next(&walk, NULL, &value)) {
        if (!fm_json_piece_is(&value, FM_JSON_STRING) || value.raw.size == 0) return 0;
        with_blanks += has_blank(&value);
        count++;
    }
    /* if more than a quarter of the strings have blanks, they are sentences, not names */
    if (4 * with_blanks > count) return 0;
    if (!walk.failed && fm_json_walk_done(&walk)) return count >= 2 && count % 2 == 0 ? 60 : 0;
    /* returns how likely it is, in percent, that the text is such a map; the array must continue after the probed
     * bytes */
    return head.size < bytes.size && count >= 2 * PROBE_PAIRS ? 60 : 0;
}

static framemap_status dart_names_inspect(framemap_str bytes, framemap_str name, struct fm_heap *heap,
                                          framemap_image_info *images, size_t capacity, size_t *count,
                                          framemap_error *error)
{
    static const char kind[] = FM_DART_NAMES_NAME, type[] = "obfuscation map";
    (void)name, (void)heap, (void)error;
    *count = 1;
    if (capacity == 0) return FRAMEMAP_OK;
    *images = (framemap_image_info){.has_symbols = true, .size = bytes.size};
    memcpy(images->kind, kind, sizeof kind);
    memcpy(images->type, type, sizeof type);
    return FRAMEMAP_OK;
}

static framemap_status set_about(framemap_str bytes, framemap_str name, struct fm_builder *builder,
                                 framemap_error *error)
{
    unsigned char sha256[32];
    char id[32];
    fm_sha256(bytes.data, bytes.size, sha256);
    fm_hex_put(sha256, sizeof id / 2, id);
    const struct fm_builder_about about = {
        .kind = FM_STR(FM_DART_NAMES_NAME), .id = fm_str(id, sizeof id), .name = fm_str_basename(name)};
    return fm_builder_about(builder, &about, error);
}

/* --- reading the pairs of names --- */

struct dart_names_job {
    struct fm_heap *heap;
    struct fm_builder *builder;
    struct fm_arena arena;
    framemap_str *names; /* the obfuscated names that were read so far */
    size_t count, capacity;
    struct fm_table table;
    uint64_t key;
    framemap_error *error;
};

static bool name_equal(const void *context, uint32_t number, const void *wanted)
{
    const struct dart_names_job *job = context;
    return fm_str_equal(job->names[number], *(const framemap_str *)wanted);
}

/* Adds a pair of names. If several pairs have the same obfuscated name, the first pair counts. Names that the compiler
 * did not change are left out. */
static framemap_status add_pair(struct dart_names_job *job, framemap_str original, framemap_str obfuscated)
{
    uint32_t number;
    if (fm_str_equal(original, obfuscated)) return FRAMEMAP_OK;
    const uint64_t hash = fm_hash_text(obfuscated, job->key);
    if (fm_table_find(&job->table, hash, name_equal, job, &obfuscated) != UINT32_MAX) return FRAMEMAP_OK;
    if (job->count >= UINT32_MAX - 1) return fm_error_set(job->error, FRAMEMAP_E_LIMIT, "more than 2^32 - 2 names");
    if (!FM_GROW(job->heap, job->names, job->capacity, job->count + 1) ||
        !fm_table_add(&job->table, hash, (uint32_t)job->count))
        return fm_error_memory(job->error);
    job->names[job->count++] = obfuscated;
    framemap_status status = fm_builder_name(job->builder, original, &number, job->error);
    return status == FRAMEMAP_OK ? fm_builder_class(job->builder, obfuscated, number, 0, job->error) : status;
}

static framemap_status dart_names_text(struct dart_names_job *job, const struct fm_json_piece *piece, framemap_str *out)
{
    if (!fm_json_piece_is(piece, FM_JSON_STRING))
        return fm_error_set(job->error, FRAMEMAP_E_CORRUPT,
                            "an obfuscation map must be an array of strings: it contains another value");
    return fm_json_piece_text(piece, &job->arena, out) ? FRAMEMAP_OK : fm_error_memory(job->error);
}

static framemap_status read_pairs(struct dart_names_job *job, framemap_str bytes)
{
    struct fm_json_walk walk;
    struct fm_json_piece first, second;
    framemap_str original, obfuscated;
    framemap_status status = FRAMEMAP_OK;
    fm_json_walk_init(&walk, bytes);
    if (!fm_json_walk_open(&walk, FM_JSON_ARRAY)) {
        if (walk.failed) return fm_json_walk_fault(&walk, job->error);
        return fm_error_set(job->error, FRAMEMAP_E_CORRUPT, "an obfuscation map must be a JSON array");
    }
    while (status == FRAMEMAP_OK && fm_json_walk_next(&walk, NULL, &first)) {
        if (!fm_json_walk_next(&walk, NULL, &second)) {
            if (walk.failed) break;
            return fm_error_set(job->error, FRAMEMAP_E_CORRUPT,
                                "the last name of the obfuscation map has no partner: it is cut off");
        }
        status = dart_names_text(job, &first, &original);
        if (status == FRAMEMAP_OK) status = dart_names_text(job, &second, &obfuscated);
        if (status == FRAMEMAP_OK) status = add_pair(job, original, obfuscated);
    }
    if (status != FRAMEMAP_OK) return status;
    return !walk.failed && fm_json_walk_done(&walk) ? FRAMEMAP_OK : fm_json_walk_fault(&walk, job->error);
}

static framemap_status dart_names_build(framemap_str bytes, framemap_str name, const struct fm_mapper_host *host,
                                        struct fm_builder *builder, framemap_error *error)
{
    struct dart_names_job job = {.heap = host->heap, .builder = builder, .error = error};
    fm_arena_init(&job.arena, host->heap);
    fm_table_init(&job.table, host->heap);
    job.key = fm_hash_key(&job);
    fm_builder_classes(builder);
    framemap_status status = set_about(bytes, name, builder, error);
    if (status == FRAMEMAP_OK) status = read_pairs(&job, bytes);
    fm_heap_free(host->heap, job.names, job.capacity * sizeof *job.names);
    fm_table_free(&job.table);
    fm_arena_free(&job.arena);
    return status;
}

const struct fm_mapper fm_dart_names_mapper = {
    .info = {.name = FM_DART_NAMES_NAME,
             .summary = "obfuscation maps of Dart and Flutter programs (--save-obfuscation-map)"},
    .probe = dart_names_probe,
    .accepts_unrecognized = true,
    .inspect = dart_names_inspect,
    .build = dart_names_build,
};
