/* Reads the sources of one map and their names: `sources`, `sourceRoot`, `sourcesContent`, `ignoreList` and `names`.
 * Declared in sourcemap_job.h. */
#include "mappers/javascript/sourcemap/sourcemap_job.h"

#include "core/error.h"
#include "core/limits.h"
#include "mappers/javascript/sourcemap/sourcemap_address.h"

/* --- reading ignoreList --- */

struct source_flags {
    unsigned char *ignored; /* one bit for each source */
    size_t size;
};

static framemap_status ignore(struct fm_sourcemap_job *job, struct source_flags *flags,
                              const struct fm_json_piece *element)
{
    int64_t source;
    if (!fm_json_piece_integer(element, &source) || source < 0)
        return fm_sourcemap_fault(job->faults, FM_SOURCEMAP_RULE_IGNORE_LIST_ELEMENT, element->raw.data);
    if ((uint64_t)source >= job->source_count)
        return fm_sourcemap_fault(job->faults, FM_SOURCEMAP_RULE_IGNORE_LIST_RANGE, element->raw.data);
    flags->ignored[source / 8] |= (unsigned char)(1u << source % 8);
    return FRAMEMAP_OK;
}

static framemap_status read_ignored(struct fm_sourcemap_job *job, struct source_flags *flags)
{
    const bool standard = fm_sourcemap_has(&job->members, FM_SOURCEMAP_MEMBER_IGNORE_LIST);
    const struct fm_json_piece *list =
        &job->members.at[standard ? FM_SOURCEMAP_MEMBER_IGNORE_LIST : FM_SOURCEMAP_MEMBER_GOOGLE_IGNORE_LIST];
    struct fm_json_walk walk;
    struct fm_json_piece element;
    framemap_status status = FRAMEMAP_OK;

    if (list->raw.data == NULL) return FRAMEMAP_OK;
    fm_json_walk_init(&walk, list->raw);
    if (!fm_json_walk_open(&walk, FM_JSON_ARRAY))
        return fm_sourcemap_fault_in_value(job->faults, FM_SOURCEMAP_RULE_IGNORE_LIST, list);
    while (status == FRAMEMAP_OK && fm_json_walk_next(&walk, NULL, &element)) status = ignore(job, flags, &element);
    return status;
}

/* --- reading sourcesContent --- */

struct contents {
    struct fm_json_walk walk;
    bool some;
};

static framemap_status open_contents(struct fm_sourcemap_job *job, struct contents *contents)
{
    const struct fm_json_piece *list = &job->members.at[FM_SOURCEMAP_MEMBER_CONTENTS];
    if (list->raw.data == NULL) return FRAMEMAP_OK;
    if (list->type != FM_JSON_ARRAY) return fm_sourcemap_fault_in_value(job->faults, FM_SOURCEMAP_RULE_CONTENTS, list);
    fm_json_walk_init(&contents->walk, list->raw);
    contents->some = job->keep_sources && fm_json_walk_open(&contents->walk, FM_JSON_ARRAY);
    return job->members.bad_content == NULL
               ? FRAMEMAP_OK
               : fm_sourcemap_fault(job->faults, FM_SOURCEMAP_RULE_CONTENTS_ELEMENT, job->members.bad_content);
}

/* Gets the contents of the next source. *out is unchanged if the source has no contents. */
static framemap_status next_content(struct fm_sourcemap_job *job, struct contents *contents, uint32_t *out)
{
    struct fm_json_piece element;
    framemap_str text;
    if (!contents->some) return FRAMEMAP_OK;
    contents->some = fm_json_walk_next(&contents->walk, NULL, &element);
    if (!contents->some || element.type != FM_JSON_STRING) return FRAMEMAP_OK;
    if (!fm_json_piece_text(&element, &job->texts, &text)) return fm_error_memory(job->error);
    return fm_builder_string(job->builder, text, out, job->error);
}

/* --- reading sources and sourceRoot --- */

static framemap_status source_root(struct fm_sourcemap_job *job, struct fm_arena *arena, framemap_str *out)
{
    const struct fm_json_piece *root = &job->members.at[FM_SOURCEMAP_MEMBER_SOURCE_ROOT];
    *out = (framemap_str){NULL, 0};
    if (root->raw.data == NULL) return FRAMEMAP_OK;
    if (root->type != FM_JSON_STRING)
        return fm_sourcemap_fault_in_value(job->faults, FM_SOURCEMAP_RULE_SOURCE_ROOT, root);
    return fm_json_piece_text(root, arena, out) ? FRAMEMAP_OK : fm_error_memory(job->error);
}

struct source_adder {
    framemap_str root;
    struct fm_buf address;
    struct source_flags flags;
    struct contents contents;
};

static framemap_status address_of(struct fm_sourcemap_job *job, struct source_adder *adding, framemap_str spelled,
                                  uint32_t *address, uint32_t *spelled_string)
{
    if (!fm_sourcemap_address_is_absolute(spelled)) job->rooted += adding->root.size;
    if (job->rooted > FM_LIMIT_ROOTED)
        return fm_error_set(job->error, FRAMEMAP_E_LIMIT, "\"sourceRoot\" makes the sources longer than %u MB together",
                            (unsigned)(FM_LIMIT_ROOTED >> 20));
    fm_buf_clear(&adding->address);
    fm_sourcemap_address(&adding->address, adding->root, spelled);
    if (adding->address.failed) return fm_error_memory(job->error);
    const framemap_status status = fm_builder_string(job->builder, fm_buf_view(&adding->address), address, job->error);
    if (status != FRAMEMAP_OK || fm_str_equal(fm_buf_view(&adding->address), spelled)) return status;
    return fm_builder_string(job->builder, spelled, spelled_string, job->error);
}

static framemap_status add_source(struct fm_sourcemap_job *job, struct source_adder *adding, uint32_t which,
                                  const struct fm_json_piece *element)
{
    framemap_str spelled = FM_STR("");
    framemap_status status = FRAMEMAP_OK;
    uint32_t flags = adding->flags.ignored[which / 8] >> which % 8 & 1 ? FM_SOURCE_IGNORED : 0;
    uint32_t address, other = FM_NONE, content = FM_NONE, number;

    if (element->type != FM_JSON_STRING) flags |= FM_SOURCE_UNKNOWN;
    if (element->type != FM_JSON_STRING && element->type != FM_JSON_NULL)
        status = fm_sourcemap_fault(job->faults, FM_SOURCEMAP_RULE_SOURCES_ELEMENT, element->raw.data);
    if (status == FRAMEMAP_OK && element->type == FM_JSON_STRING && !fm_json_piece_text(element, &job->texts, &spelled))
        status = fm_error_memory(job->error);
    if (status == FRAMEMAP_OK && element->type != FM_JSON_STRING)
        status = fm_builder_string(job->builder, spelled, &address, job->error);
    else if (status == FRAMEMAP_OK)
        status = address_of(job, adding, spelled, &address, &other);
    if (status == FRAMEMAP_OK) status = next_content(job, &adding->contents, &content);
    if (status == FRAMEMAP_OK)
        status = fm_builder_source(job->builder, address, other, content, flags, &number, job->error);
    if (status == FRAMEMAP_OK && which == 0) job->source_base = number;
    fm_sourcemap_job_reset_texts(job);
    return status;
}

static bool count_elements(struct fm_json_walk walk, uint32_t *out)
{
    struct fm_json_piece element;
    uint64_t count = 0;
    while (fm_json_walk_next(&walk, NULL, &element)) count++;
    *out = (uint32_t)count;
    return count < FM_NONE;
}

static framemap_status add_sources(struct fm_sourcemap_job *job, struct source_adder *adding, struct fm_json_walk walk)
{
    struct fm_json_piece element;
    framemap_status status = open_contents(job, &adding->contents);
    for (uint32_t i = 0; status == FRAMEMAP_OK && fm_json_walk_next(&walk, NULL, &element); i++)
        status = add_source(job, adding, i, &element);
    return status;
}

framemap_status fm_sourcemap_read_sources(struct fm_sourcemap_job *job)
{
    const struct fm_json_piece *list = &job->members.at[FM_SOURCEMAP_MEMBER_SOURCES];
    struct source_adder adding = {.root = {NULL, 0}};
    struct fm_json_walk walk;
    struct fm_arena arena;

    fm_json_walk_init(&walk, list->raw);
    if (!fm_json_walk_open(&walk, FM_JSON_ARRAY))
        return fm_sourcemap_refuse(job->faults, list->raw.data, "\"sources\" is not an array");
    if (!count_elements(walk, &job->source_count))
        return fm_error_set(job->error, FRAMEMAP_E_LIMIT, "a source map has more than 2^32 sources");
    fm_arena_init(&arena, job->heap);
    fm_buf_init(&adding.address, job->heap);
    adding.flags.size = job->source_count / 8 + 1;
    adding.flags.ignored = fm_heap_zalloc(job->heap, adding.flags.size, 1);
    framemap_status status =
        adding.flags.ignored ? source_root(job, &arena, &adding.root) : fm_error_memory(job->error);
    if (status == FRAMEMAP_OK) status = read_ignored(job, &adding.flags);
    if (status == FRAMEMAP_OK) status = add_sources(job, &adding, walk);
    fm_heap_free(job->heap, adding.flags.ignored, adding.flags.size);
    fm_buf_free(&adding.address);
    fm_arena_free(&arena);
    return status;
}

/* --- reading names --- */

static framemap_status add_name(struct fm_sourcemap_job *job, const struct fm_json_piece *element)
{
    framemap_str name = FM_STR("");
    uint32_t number;
    framemap_status status = FRAMEMAP_OK;
    if (element->type != FM_JSON_STRING)
        status = fm_sourcemap_fault_in_value(job->faults, FM_SOURCEMAP_RULE_NAMES_ELEMENT, element);
    else if (!fm_json_piece_text(element, &job->texts, &name))
        status = fm_error_memory(job->error);
    if (status == FRAMEMAP_OK) status = fm_builder_segment_name(job->builder, name, &number, job->error);
    fm_sourcemap_job_reset_texts(job);
    if (status == FRAMEMAP_OK && job->name_count++ == 0) job->name_base = number;
    return status;
}

framemap_status fm_sourcemap_read_names(struct fm_sourcemap_job *job)
{
    const struct fm_json_piece *list = &job->members.at[FM_SOURCEMAP_MEMBER_NAMES];
    struct fm_json_walk walk;
    struct fm_json_piece element;
    framemap_status status = FRAMEMAP_OK;

    job->name_count = 0;
    if (list->raw.data == NULL) return FRAMEMAP_OK;
    fm_json_walk_init(&walk, list->raw);
    if (!fm_json_walk_open(&walk, FM_JSON_ARRAY))
        return fm_sourcemap_fault_in_value(job->faults, FM_SOURCEMAP_RULE_NAMES, list);
    while (status == FRAMEMAP_OK && fm_json_walk_next(&walk, NULL, &element)) status = add_name(job, &element);
    return status;
}
