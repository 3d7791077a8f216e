/* The mapper of source maps: probe, inspect and build. sourcemap_bundle.c reads the document. */
#include "mappers/javascript/sourcemap/sourcemap_mapper.h"

#include "core/error.h"
#include "core/hash/content_hash.h"
#include "mappers/javascript/sourcemap/document/sourcemap_debug_id.h"
#include "mappers/javascript/sourcemap/document/sourcemap_document.h"
#include "mappers/javascript/sourcemap/sourcemap_script.h"

static void set_text(char *out, size_t room, framemap_str text)
{
    const size_t size = text.size < room ? text.size : room - 1;
    if (size > 0) memcpy(out, text.data, size);
    out[size] = 0;
}

static framemap_status sourcemap_inspect(framemap_str bytes, framemap_str name, struct fm_heap *heap,
                                         framemap_image_info *images, size_t capacity, size_t *count,
                                         framemap_error *error)
{
    struct fm_arena arena;
    struct fm_sourcemap_about about;
    (void)name;
    *count = 1;
    if (capacity == 0) return FRAMEMAP_OK;
    fm_arena_init(&arena, heap);
    const framemap_status status = fm_sourcemap_about(bytes, &arena, &about, error);
    if (status == FRAMEMAP_OK) {
        *images = (framemap_image_info){.has_line_table = true, .size = bytes.size};
        set_text(images->kind, sizeof images->kind, FM_STR(FM_SOURCEMAP_NAME));
        set_text(images->type, sizeof images->type, about.has_sections ? FM_STR("index map") : FM_STR("source map"));
        set_text(images->id, sizeof images->id, framemap_str_of(about.id));
    }
    fm_arena_free(&arena);
    return status;
}

static framemap_status attribute(struct fm_sourcemap_job *job, framemap_str key, enum fm_sourcemap_member member)
{
    framemap_str text;
    if (!fm_sourcemap_is(&job->members, member, FM_JSON_STRING)) return FRAMEMAP_OK;
    if (!fm_json_piece_text(&job->members.at[member], &job->texts, &text)) return fm_error_memory(job->error);
    return fm_builder_attribute(job->builder, key, text, job->error);
}

/* Sets the identity of the index. id: the id that the map states; with `later`, a placeholder of the id's size. */
static framemap_status set_about(struct fm_sourcemap_job *job, framemap_str name, framemap_str id, bool later)
{
    framemap_status status = attribute(job, FM_STR("file"), FM_SOURCEMAP_MEMBER_FILE);
    const struct fm_builder_about about = {.kind = FM_STR(FM_SOURCEMAP_NAME),
                                           .id = id,
                                           .id_later = later,
                                           .name = fm_str_basename(name),
                                           .keys = FM_SCOPE_NUMBERED};
    if (status == FRAMEMAP_OK && !later)
        status = fm_builder_attribute(job->builder, FM_STR("debug_id"), about.id, job->error);
    return status == FRAMEMAP_OK ? fm_builder_about(job->builder, &about, job->error) : status;
}

/* Whether the map belongs to a script, and not to bytecode, where columns are addresses, or to a RAM bundle, which is a
 * sequence of modules. */
static bool is_of_script(const struct fm_sourcemap_members *members)
{
    return !fm_sourcemap_has(members, FM_SOURCEMAP_MEMBER_HERMES_OFFSETS) &&
           !fm_sourcemap_has(members, FM_SOURCEMAP_MEMBER_FACEBOOK_OFFSETS);
}

/* Adds an attribute which says that columns are addresses, unless the map lists the functions of the bytecode, since
 * that list shows it already. */
static framemap_status note_bytecode(struct fm_sourcemap_job *job)
{
    if (!is_of_script(&job->members) || !fm_sourcemap_columns_are_addresses(&job->members)) return FRAMEMAP_OK;
    return fm_builder_attribute(job->builder, FM_STR("columns"), FM_STR("addresses"), job->error);
}

/* Reads the document and, if there is one, the generated script. */
static framemap_status read_with_text(struct fm_sourcemap_job *job, framemap_str script)
{
    struct fm_sourcemap_script text;
    if (script.size == 0 || !is_of_script(&job->members)) return fm_sourcemap_read_bundle(job);
    framemap_status status = fm_sourcemap_script_open(&text, script, job);
    job->script = &text;
    if (status == FRAMEMAP_OK) status = fm_sourcemap_read_bundle(job);
    if (status == FRAMEMAP_OK && job->script != NULL) status = fm_sourcemap_script_finish(&text);
    fm_sourcemap_script_free(&text);
    return status;
}

/* Sets the id of a map that states no id: a hash of the map's text. */
static void set_hash_id(struct fm_builder *builder, const unsigned char digest[32])
{
    char id[FM_SOURCEMAP_ID_DIGITS];
    fm_hex_put(digest, sizeof id / 2, id);
    fm_builder_id(builder, fm_str(id, sizeof id));
}

/* Reads the members of the map. *hashed: the map states no id, so the caller must set a hash of the text as its id. */
static framemap_status read_members(struct fm_sourcemap_job *job, framemap_str text, framemap_str script,
                                    framemap_str name, bool *hashed)
{
    char id[FM_SOURCEMAP_ID_DIGITS] = {0};
    *hashed = false;
    framemap_status status = fm_sourcemap_members_of(text, &job->members, job->error);
    if (status != FRAMEMAP_OK) return status;
    const bool has_id = fm_sourcemap_members_id(&job->members, id);
    if (has_id && job->prefetch != NULL) fm_sourcemap_prefetch_skip_hash(job->prefetch);
    fm_builder_segments_form(job->builder);
    status = set_about(job, name, fm_str(id, sizeof id), !has_id);
    if (status == FRAMEMAP_OK) status = note_bytecode(job);
    if (status == FRAMEMAP_OK) status = read_with_text(job, script);
    *hashed = !has_id && status == FRAMEMAP_OK;
    return status;
}

static framemap_status read_text(framemap_str text, framemap_str script, framemap_str name,
                                 const struct fm_mapper_host *host, struct fm_builder *builder, framemap_error *error)
{
    struct fm_sourcemap_faults faults = {.host = host, .error = error, .begin = text.data};
    struct fm_sourcemap_job job = {.heap = host->heap,
                                   .builder = builder,
                                   .faults = &faults,
                                   .error = error,
                                   .keep_sources = host->keep_sources,
                                   .range_mappings = host->range_mappings,
                                   .limit = {UINT64_MAX, UINT64_MAX}};
    unsigned char digest[32];
    bool hashed;
    if (host->threads > 1 && text.size >= FM_SOURCEMAP_PREFETCH_MIN_BYTES)
        job.prefetch = fm_sourcemap_prefetch_start(host->heap, builder, text);
    fm_arena_init(&job.texts, host->heap);
    const framemap_status status = read_members(&job, text, script, name, &hashed);
    if (job.prefetch != NULL) {
        if (!hashed) fm_sourcemap_prefetch_skip_hash(job.prefetch);
        fm_sourcemap_prefetch_stop(job.prefetch, digest);
    } else if (hashed) {
        fm_content_hash(text.data, text.size, digest);
    }
    if (hashed) set_hash_id(builder, digest);
    fm_sourcemap_report_repeats(&faults);
    fm_arena_free(&job.texts);
    return status;
}

static framemap_status sourcemap_build(framemap_str bytes, framemap_str name, const struct fm_mapper_host *host,
                                       struct fm_builder *builder, framemap_error *error)
{
    struct fm_sourcemap_document document;
    framemap_status status = fm_sourcemap_document_open(bytes, host->heap, &document, error);
    const framemap_str script = document.script.size ? document.script : host->script;
    if (status == FRAMEMAP_OK) status = read_text(document.text, script, name, host, builder, error);
    fm_sourcemap_document_close(&document);
    if (status == FRAMEMAP_OK && host->consumed != NULL)
        host->consumed(host->input_context, bytes.size); /* lets the host release the input before the index needs
                                                            memory */
    return status;
}

const struct fm_mapper fm_sourcemap_mapper = {
    .info = {.name = FM_SOURCEMAP_NAME,
             .summary = "JavaScript source maps (ECMA-426), in separate files or inline in a script"},
    .probe = fm_sourcemap_document_probe,
    .accepts_unrecognized = true,
    .inspect = sourcemap_inspect,
    .build = sourcemap_build,
};
