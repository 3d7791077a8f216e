/* Reads one map: its members, in the order that the builder requires. */
#include "mappers/javascript/sourcemap/sourcemap_dart2js.h"
#include "mappers/javascript/sourcemap/sourcemap_script.h"

static framemap_status check_string(struct fm_sourcemap_job *job, enum fm_sourcemap_member member,
                                    enum fm_sourcemap_rule rule)
{
    const struct fm_json_piece *piece = &job->members.at[member];
    return piece->raw.data == NULL || piece->type == FM_JSON_STRING
               ? FRAMEMAP_OK
               : fm_sourcemap_fault_in_value(job->faults, rule, piece);
}

static framemap_status check_version(struct fm_sourcemap_job *job)
{
    const struct fm_json_piece *version = &job->members.at[FM_SOURCEMAP_MEMBER_VERSION];
    int64_t number;
    if (fm_json_piece_integer(version, &number) && number == 3) return FRAMEMAP_OK;
    return fm_sourcemap_fault(job->faults, FM_SOURCEMAP_RULE_VERSION, version->raw.data);
}

/* Checks the debug id. Bun writes ids without dashes, which only strict mode refuses. */
static framemap_status check_id(struct fm_sourcemap_job *job)
{
    const bool canonical = job->faults->host->strict;
    char digits[FM_SOURCEMAP_ID_DIGITS];
    const struct fm_json_piece *id = &job->members.at[FM_SOURCEMAP_MEMBER_DEBUG_ID];
    if (id->raw.data == NULL || (id->type == FM_JSON_STRING && fm_sourcemap_id_read(id->raw, canonical, digits)))
        return FRAMEMAP_OK;
    return fm_sourcemap_fault_in_value(job->faults, FM_SOURCEMAP_RULE_DEBUG_ID, id);
}

framemap_status fm_sourcemap_check_members(struct fm_sourcemap_job *job)
{
    framemap_status status = check_version(job);
    if (status == FRAMEMAP_OK) status = check_string(job, FM_SOURCEMAP_MEMBER_FILE, FM_SOURCEMAP_RULE_FILE);
    return status == FRAMEMAP_OK ? check_id(job) : status;
}

/* Reports a note for a map that has one segment for each line of a minified script, which means fewer segments than
 * sources. webpack's "cheap" devtools write such maps; all positions of a line lead to the same source position. */
static void note_cheap_map(const struct fm_sourcemap_job *job)
{
    enum { FEW_SOURCES = 8 };
    const framemap_str mappings = job->members.at[FM_SOURCEMAP_MEMBER_MAPPINGS].raw;
    uint64_t segments = 0;
    if (job->source_count < FEW_SOURCES || fm_str_find_byte(mappings, ',') != FM_NOT_FOUND) return;
    for (size_t i = 0; i < mappings.size && segments < job->source_count; i++)
        segments += mappings.data[i] != ';' && (i == 0 || mappings.data[i - 1] == ';');
    if (segments == 0 || segments >= job->source_count) return;
    fm_sourcemap_note(job->faults,
                      "the map has one position for each line of the script, as webpack's \"cheap\" devtools write it, "
                      "and fewer lines than sources: most answers are wrong. Build with the devtool \"source-map\"");
}

framemap_status fm_sourcemap_read_map(struct fm_sourcemap_job *job)
{
    if (!fm_sourcemap_has(&job->members, FM_SOURCEMAP_MEMBER_SOURCES))
        return fm_sourcemap_refuse(job->faults, NULL, "\"sources\" is missing");
    if (!fm_sourcemap_has(&job->members, FM_SOURCEMAP_MEMBER_MAPPINGS))
        return fm_sourcemap_refuse(job->faults, NULL, "\"mappings\" is missing");
    framemap_status status = fm_sourcemap_check_members(job);
    if (status == FRAMEMAP_OK) status = check_string(job, FM_SOURCEMAP_MEMBER_SCOPES, FM_SOURCEMAP_RULE_SCOPES);
    if (status == FRAMEMAP_OK) status = check_string(job, FM_SOURCEMAP_MEMBER_RANGES, FM_SOURCEMAP_RULE_RANGES);
    if (status == FRAMEMAP_OK) status = fm_sourcemap_read_sources(job);
    if (status == FRAMEMAP_OK) status = fm_sourcemap_read_names(job);
    if (status == FRAMEMAP_OK) status = fm_sourcemap_read_dart(job);
    if (status == FRAMEMAP_OK) status = fm_sourcemap_read_mappings(job);
    if (status == FRAMEMAP_OK) note_cheap_map(job);
    if (status == FRAMEMAP_OK && job->script != NULL) status = fm_sourcemap_script_sources(job->script);
    if (status == FRAMEMAP_OK) status = fm_sourcemap_read_ranges(job);
    if (fm_sourcemap_has(&job->members, FM_SOURCEMAP_MEMBER_SCOPES))
        /* the names come from the map's scopes, which are more precise than names found in the script */
        job->script = NULL;
    if (status == FRAMEMAP_OK) status = fm_sourcemap_read_scopes(job);
    if (status == FRAMEMAP_OK && !fm_sourcemap_has(&job->members, FM_SOURCEMAP_MEMBER_SCOPES))
        status = fm_sourcemap_read_function_maps(job);
    return status;
}
