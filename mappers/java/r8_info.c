/* Converts metadata comments to records, with R8's checks and messages. See r8_info.h. */
#include "mappers/java/r8_info.h"

#include "core/error.h"
#include "core/hash/hash.h"
#include "mappers/java/r8_descriptor.h"

#define RESIDUALS ((size_t)2048) /* number of cache entries */

void fm_r8_infos_init(struct fm_r8_infos *infos, const struct fm_mapper_host *host, struct fm_builder *builder)
{
    *infos = (struct fm_r8_infos){.heap = host->heap, .builder = builder, .host = host, .key = fm_hash_key(infos)};
    fm_r8_json_init(&infos->json, host->heap);
    fm_buf_init(&infos->first, host->heap);
    fm_buf_init(&infos->second, host->heap);
}

void fm_r8_infos_free(struct fm_r8_infos *infos)
{
    fm_heap_free(infos->heap, infos->notes, infos->note_capacity * sizeof *infos->notes);
    fm_heap_free(infos->heap, infos->residuals, RESIDUALS * sizeof *infos->residuals);
    fm_r8_json_free(&infos->json);
    fm_buf_free(&infos->first);
    fm_buf_free(&infos->second);
}

void fm_r8_infos_reset(struct fm_r8_infos *infos)
{
    for (size_t i = 0; infos->residuals != NULL && i < RESIDUALS; i++) infos->residuals[i].size = 0;
}

struct info_reader {
    struct fm_r8_infos *infos;
    enum fm_r8_version version;
    uint64_t line1;
    struct fm_r8_info *out;
    framemap_error *error;
};

static framemap_status info_corrupt(const struct info_reader *r, const char *what)
{
    return fm_error_line(r->error, FRAMEMAP_E_CORRUPT, r->line1, "%s", what);
}

/* Warns of an unknown comment with the wording of R8's retrace. */
static void info_warn_unknown(const struct info_reader *r, const char *what, framemap_str which)
{
    framemap_error info = {0};
    const size_t shown = which.size < 100 ? which.size : 100;
    fm_error_line(&info, FRAMEMAP_OK, r->line1, "%s%.*s", what, (int)shown, shown ? which.data : "");
    fm_mapper_warn(r->infos->host, &info);
}

static uint32_t get(const struct info_reader *r, const char *key) { return fm_r8_json_get(&r->infos->json, 0, key); }

static enum fm_r8_json_type info_type(const struct info_reader *r, uint32_t value)
{
    return (enum fm_r8_json_type)r->infos->json.values[value].type;
}

/* --- reading the contents of comments, by kind --- */

static framemap_status read_version(const struct info_reader *r)
{
    /* The version "experimental" counts as no version, as in R8 without the option that allows this version. */
    static const struct {
        const char *name;
        enum fm_r8_version version;
    } names[] = {{"none", FM_R8_VERSION_NONE},        {"1.0", FM_R8_VERSION_1_0}, {"2.0", FM_R8_VERSION_2_0},
                 {"2.1", FM_R8_VERSION_2_1},          {"2.2", FM_R8_VERSION_2_2}, {"2.3", FM_R8_VERSION_2_3},
                 {"experimental", FM_R8_VERSION_NONE}};
    framemap_str text;
    if (!fm_r8_json_text(&r->infos->json, get(r, "version"), &text))
        return info_corrupt(r, "the comment with the map version has no 'version'");
    r->out->kind = FM_R8_INFO_VERSION;
    r->out->text = text;
    r->out->version = FM_R8_VERSION_UNKNOWN;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fm_str_equal(text, framemap_str_of(names[i].name))) r->out->version = names[i].version;
    return FRAMEMAP_OK;
}

static framemap_status read_source_file(const struct info_reader *r)
{
    const uint32_t file = get(r, "fileName");
    if (file == 0 || !fm_r8_json_text(&r->infos->json, file, &r->out->text))
        info_warn_unknown(r, "Could not find 'fileName' for object with id 'sourceFile'", (framemap_str){NULL, 0});
    else
        r->out->kind = FM_R8_INFO_SOURCE_FILE;
    return FRAMEMAP_OK;
}

static framemap_status add_note(const struct info_reader *r, const struct fm_note *note)
{
    struct fm_r8_infos *infos = r->infos;
    if (!FM_GROW(infos->heap, infos->notes, infos->note_capacity, infos->note_count + 1))
        return fm_error_memory(r->error);
    infos->notes[infos->note_count++] = *note;
    return FRAMEMAP_OK;
}

/* Converts the condition "throws(La/b;)" to a note with class a.b. */
static framemap_status add_condition(const struct info_reader *r, uint32_t value)
{
    framemap_str text;
    struct fm_note note = {.kind = FM_NOTE_THROWS, .text = FM_NONE};
    if (!fm_r8_json_text(&r->infos->json, value, &text))
        return info_corrupt(r, "a condition of a rewriteFrame comment is not a string");
    if (!fm_str_starts(text, FM_STR("throws(")) || !fm_str_ends(text, FM_STR(")")))
        return info_corrupt(r, "a condition of a rewriteFrame comment is not of the form throws(CLASS)");
    text = fm_str_slice(text, 7, text.size - 1);
    fm_buf_clear(&r->infos->first);
    if (!fm_r8_is_class_descriptor(text))
        return info_corrupt(r, "the condition of a rewriteFrame comment names no class");
    fm_r8_field_descriptor(text, &r->infos->first);
    if (r->infos->first.failed) return fm_error_memory(r->error);
    framemap_status status = fm_builder_string(r->infos->builder, fm_buf_view(&r->infos->first), &note.text, r->error);
    return status == FRAMEMAP_OK ? add_note(r, &note) : status;
}

/* Converts the action "removeInnerFrames(2)" to a note. */
static framemap_status add_action(const struct info_reader *r, uint32_t value, int64_t *frames)
{
    framemap_str text;
    int32_t count;
    if (!fm_r8_json_text(&r->infos->json, value, &text))
        return info_corrupt(r, "an action of a rewriteFrame comment is not a string");
    const size_t open = fm_str_find_byte(text, '('), close = fm_str_find_byte(text, ')');
    if (open == FM_NOT_FOUND || close == FM_NOT_FOUND || close < open ||
        !fm_str_equal(fm_str_slice(text, 0, open), FM_STR("removeInnerFrames")))
        return info_corrupt(r, "an action of a rewriteFrame comment is not of the form removeInnerFrames(NUMBER)");
    if (!fm_r8_parse_int(fm_str_slice(text, open + 1, close), &count))
        return info_corrupt(r, "an action of a rewriteFrame comment has no number of frames");
    *frames += count;
    return FRAMEMAP_OK;
}

static framemap_status read_rewrite(const struct info_reader *r)
{
    struct fm_note rewrite = {.kind = FM_NOTE_REWRITE, .text = FM_NONE};
    const struct fm_r8_json *json = &r->infos->json;
    const uint32_t conditions = get(r, "conditions"), actions = get(r, "actions");
    if (info_type(r, conditions) != FM_R8_JSON_ARRAY || info_type(r, actions) != FM_R8_JSON_ARRAY)
        return info_corrupt(r, "a rewriteFrame comment has no list of conditions or no list of actions");
    framemap_status status = FRAMEMAP_OK;
    for (uint32_t at = fm_r8_json_first(json, conditions); at && status == FRAMEMAP_OK; at = fm_r8_json_next(json, at))
        status = add_condition(r, at);
    for (uint32_t at = fm_r8_json_first(json, actions); at && status == FRAMEMAP_OK; at = fm_r8_json_next(json, at))
        status = add_action(r, at, &rewrite.count);
    r->out->kind = FM_R8_INFO_REWRITE;
    return status == FRAMEMAP_OK ? add_note(r, &rewrite) : status;
}

static framemap_status add_position(const struct info_reader *r, uint32_t member)
{
    struct fm_note note = {.kind = FM_NOTE_POSITION, .text = FM_NONE};
    if (!fm_r8_parse_int(fm_r8_json_key(&r->infos->json, member), &note.from) ||
        !fm_r8_json_int(&r->infos->json, member, &note.to))
        return info_corrupt(r, "a position of an outlineCallsite comment is not a number");
    return add_note(r, &note);
}

static framemap_status read_outline_name(const struct info_reader *r, uint32_t *out)
{
    framemap_str text;
    const uint32_t outline = get(r, "outline");
    *out = FM_NONE;
    if (outline == 0 && r->version >= FM_R8_VERSION_2_1)
        return info_corrupt(r, "an outlineCallsite comment does not name its outline");
    if (outline == 0) return FRAMEMAP_OK;
    if (!fm_r8_json_text(&r->infos->json, outline, &text) || !fm_r8_is_method_reference(text))
        return info_corrupt(r, "the outline of an outlineCallsite comment is not a method");
    return fm_builder_string(r->infos->builder, text, out, r->error);
}

static framemap_status read_callsite(const struct info_reader *r)
{
    struct fm_note note = {.kind = FM_NOTE_OUTLINE};
    const uint32_t positions = get(r, "positions");
    if (positions == 0 || info_type(r, positions) != FM_R8_JSON_OBJECT)
        return info_corrupt(r, "an outlineCallsite comment has no positions");
    framemap_status status = read_outline_name(r, &note.text);
    if (status == FRAMEMAP_OK) status = add_note(r, &note);
    for (uint32_t at = fm_r8_json_first(&r->infos->json, positions); at && status == FRAMEMAP_OK;
         at = fm_r8_json_next(&r->infos->json, at))
        status = add_position(r, at);
    r->out->kind = FM_R8_INFO_CALLSITE;
    return status;
}

static framemap_status keep_residual(const struct info_reader *r, bool is_method)
{
    struct fm_r8_infos *infos = r->infos;
    if (infos->first.failed || infos->second.failed) return fm_error_memory(r->error);
    framemap_status status = fm_builder_string(infos->builder, fm_buf_view(&infos->second), &r->out->type, r->error);
    r->out->arguments = FM_NONE;
    if (status == FRAMEMAP_OK && is_method)
        status = fm_builder_string(infos->builder, fm_buf_view(&infos->first), &r->out->arguments, r->error);
    return status;
}

static framemap_status read_residual(const struct info_reader *r)
{
    struct fm_r8_infos *infos = r->infos;
    framemap_str text;
    if (!fm_r8_json_text(&infos->json, get(r, "signature"), &text))
        return info_corrupt(r, "a residualsignature comment has no signature");
    const bool is_method = fm_str_find_byte(text, '(') != FM_NOT_FOUND;
    fm_buf_clear(&infos->first);
    fm_buf_clear(&infos->second);
    const enum fm_r8_descriptor found = is_method ? fm_r8_method_descriptor(text, &infos->first, &infos->second)
                                                  : fm_r8_field_descriptor(text, &infos->second);
    if (found == FM_R8_DESCRIPTOR_BROKEN)
        return info_corrupt(r, "the signature of a residualsignature comment is malformed");
    r->out->kind = is_method ? FM_R8_INFO_RESIDUAL_METHOD : FM_R8_INFO_RESIDUAL_FIELD;
    r->out->bad = found == FM_R8_DESCRIPTOR_BAD;
    return r->out->bad ? FRAMEMAP_OK : keep_residual(r, is_method);
}

static framemap_status read_partition(const struct info_reader *r)
{
    framemap_str text;
    const struct fm_r8_json *json = &r->infos->json;
    r->out->files = get(r, "fileNameMappings");
    if (r->out->files == 0 || info_type(r, r->out->files) != FM_R8_JSON_OBJECT)
        return info_corrupt(r, "a partitionSourceFiles comment has no fileNameMappings");
    for (uint32_t at = fm_r8_json_first(json, r->out->files); at; at = fm_r8_json_next(json, at))
        if (!fm_r8_json_text(&r->infos->json, at, &text))
            return info_corrupt(r, "a file name of a partitionSourceFiles comment is not a string");
    r->out->kind = FM_R8_INFO_PARTITION;
    return FRAMEMAP_OK;
}

/* --- choosing the reader of a comment by its id --- */

static framemap_status read_synthesized(const struct info_reader *r)
{
    r->out->kind = FM_R8_INFO_SYNTHESIZED;
    return FRAMEMAP_OK;
}

static framemap_status read_outline(const struct info_reader *r)
{
    r->out->kind = FM_R8_INFO_OUTLINE;
    return FRAMEMAP_OK;
}

static framemap_status read_nothing(const struct info_reader *r)
{
    (void)r;
    return FRAMEMAP_OK;
}

static const struct row {
    const char *id;
    enum fm_r8_version since;
    framemap_status (*read)(const struct info_reader *r);
} rows[] = {
    {"sourceFile", FM_R8_VERSION_UNKNOWN, read_source_file},
    {"com.android.tools.r8.residualsignature", FM_R8_VERSION_2_2, read_residual},
    {"com.android.tools.r8.synthesized", FM_R8_VERSION_1_0, read_synthesized},
    {"com.android.tools.r8.outlineCallsite", FM_R8_VERSION_2_0, read_callsite},
    {"com.android.tools.r8.rewriteFrame", FM_R8_VERSION_2_0, read_rewrite},
    {"com.android.tools.r8.outline", FM_R8_VERSION_2_0, read_outline},
    {"com.android.tools.r8.mapping", FM_R8_VERSION_UNKNOWN, read_version},
    /* such a comment has no effect on stack traces */
    {"com.android.tools.r8.mergedClasses", FM_R8_VERSION_2_3, read_nothing},
    {"partitionSourceFiles", FM_R8_VERSION_UNKNOWN, read_partition},
};

static framemap_status read_id(const struct info_reader *r, framemap_str id)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!fm_str_equal(id, framemap_str_of(rows[i].id))) continue;
        return r->version >= rows[i].since ? rows[i].read(r) : FRAMEMAP_OK;
    }
    info_warn_unknown(r, "Could not find a handler for ", id);
    return FRAMEMAP_OK;
}

static framemap_status read_object(const struct info_reader *r)
{
    framemap_str id;
    const uint32_t value = get(r, "id");
    if (value == 0) {
        info_warn_unknown(r, "Could not locate 'id' in the JSON object", (framemap_str){NULL, 0});
        return FRAMEMAP_OK;
    }
    if (!fm_r8_json_text(&r->infos->json, value, &id)) return info_corrupt(r, "the id of a comment is not a string");
    return read_id(r, id);
}

/* --- caching residual signatures --- */

static struct fm_r8_residual *residual_slot(const struct fm_r8_infos *infos, framemap_str json)
{
    return &infos->residuals[fm_hash_text(json, infos->key) & (RESIDUALS - 1)];
}

static bool recall(const struct fm_r8_infos *infos, framemap_str json, struct fm_r8_info *out)
{
    if (infos->residuals == NULL || json.size > FM_R8_RESIDUAL_BYTES) return false;
    const struct fm_r8_residual *known = residual_slot(infos, json);
    if (known->size != json.size || memcmp(known->text, json.data, json.size) != 0) return false;
    out->kind = known->kind;
    out->type = known->type;
    out->arguments = known->arguments;
    return true;
}

static framemap_status remember(struct fm_r8_infos *infos, framemap_str json, const struct fm_r8_info *info,
                                framemap_error *error)
{
    const bool residual = info->kind == FM_R8_INFO_RESIDUAL_METHOD || info->kind == FM_R8_INFO_RESIDUAL_FIELD;
    if (!residual || info->bad || json.size > FM_R8_RESIDUAL_BYTES) return FRAMEMAP_OK;
    if (infos->residuals == NULL) infos->residuals = fm_heap_zalloc(infos->heap, RESIDUALS, sizeof *infos->residuals);
    if (infos->residuals == NULL) return fm_error_memory(error);
    struct fm_r8_residual *place = residual_slot(infos, json);
    memcpy(place->text, json.data, json.size);
    place->size = (uint32_t)json.size;
    place->type = info->type;
    place->arguments = info->arguments;
    place->kind = info->kind;
    return FRAMEMAP_OK;
}

framemap_status fm_r8_info_read(struct fm_r8_infos *infos, framemap_str json, enum fm_r8_version version,
                                uint64_t line1, struct fm_r8_info *out, framemap_error *error)
{
    const struct info_reader r = {infos, version, line1, out, error};
    bool is_object;
    *out = (struct fm_r8_info){.kind = FM_R8_INFO_NOTHING};
    infos->note_count = 0;
    if (version >= FM_R8_VERSION_2_2 && recall(infos, json, out)) return FRAMEMAP_OK;
    framemap_status status = fm_r8_json_read(&infos->json, json, &is_object, error);
    if (status != FRAMEMAP_OK || !is_object) return status;
    status = read_object(&r);
    if (infos->json.failed) return fm_error_memory(error);
    out->notes = infos->notes;
    out->note_count = infos->note_count;
    return status == FRAMEMAP_OK ? remember(infos, json, out, error) : status;
}
