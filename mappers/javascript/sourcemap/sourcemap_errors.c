#include "mappers/javascript/sourcemap/sourcemap_errors.h"

#include "core/error.h"
#include <inttypes.h>

static const char *const texts[FM_SM_RULES] = {
    [FM_SM_VERSION] = "\"version\" is not the number 3",
    [FM_SM_FILE] = "\"file\" is not a string",
    [FM_SM_SOURCE_ROOT] = "\"sourceRoot\" is not a string",
    [FM_SM_SOURCES_ELEMENT] = "an element of \"sources\" is neither a string nor null",
    [FM_SM_CONTENTS] = "\"sourcesContent\" is not an array",
    [FM_SM_CONTENTS_ELEMENT] = "an element of \"sourcesContent\" is neither a string nor null",
    [FM_SM_NAMES] = "\"names\" is not an array",
    [FM_SM_NAMES_ELEMENT] = "an element of \"names\" is not a string",
    [FM_SM_IGNORE_LIST] = "\"ignoreList\" is not an array",
    [FM_SM_IGNORE_LIST_ELEMENT] = "an element of \"ignoreList\" is not an integer from 0 on",
    [FM_SM_IGNORE_LIST_RANGE] = "\"ignoreList\" names a source that the map does not have",
    [FM_SM_DEBUG_ID] = "\"debugId\" is not a UUID of 8-4-4-4-12 hexadecimal digits",
    [FM_SM_SCOPES] = "\"scopes\" is not a string",
    [FM_SM_SCOPES_TEXT] = "\"scopes\" is not as its grammar says",
    [FM_SM_RANGES] = "\"rangeMappings\" is not a string",
    [FM_SM_RANGES_ZERO] = "\"rangeMappings\" counts a line's segments from 0, where the tests of the proposal count from 1",
    [FM_SM_RANGES_TEXT] = "\"rangeMappings\" is not as its grammar says, or names a segment that \"mappings\" does not have",
    [FM_SM_BASE_MAPPINGS] = "\"mappings\" stands beside \"sections\"",
    [FM_SM_SECTION_ELEMENT] = "an element of \"sections\" is not an object",
    [FM_SM_SECTION_OFFSET] = "a line or column in a section's \"offset\" is not an integer from 0 on",
    [FM_SM_SECTION_MAP] = "a section's map cannot be read",
    [FM_SM_SECTION_ORDER] = "a section begins before the one that it follows",
    [FM_SM_SECTION_OVERLAP] = "two sections begin at one place",
    [FM_SM_SECTION_OVERRUN] = "a section's mappings reach into the section that follows",
    [FM_SM_FIELDS] = "a segment of \"mappings\" has not 1, 4 or 5 fields",
    [FM_SM_ALPHABET] = "\"mappings\" has a character that is no base64 digit, comma or semicolon",
    [FM_SM_UNTERMINATED] = "a number in \"mappings\" has no last digit",
    [FM_SM_TOO_LARGE] = "a number in \"mappings\" does not fit 32 bits",
    [FM_SM_COLUMN] = "a generated column in \"mappings\" is negative",
    [FM_SM_COLUMN_LIMIT] = "a line or column is 2^32 - 1 or larger",
    [FM_SM_SOURCE_INDEX] = "a segment of \"mappings\" names a source that the map does not have",
    [FM_SM_ORIGINAL] = "an original line or column in \"mappings\" is negative",
    [FM_SM_NAME_INDEX] = "a segment of \"mappings\" has a name that the map does not have",
    [FM_SM_FUNCTION_MAP] = "a function map in \"x_facebook_sources\" cannot be read",
    [FM_SM_OFFSETS] = "a list of offsets of Metro or Hermes cannot be read",
    [FM_SM_DART] = "what Dart's compiler says of names or inlined functions in \"x_org_dartlang_dart2js\" cannot be read",
};

static uint64_t offset_of(const struct fm_sm_faults *faults, const char *at)
{
    return at > faults->begin ? (uint64_t)(at - faults->begin) : 0;
}

framemap_status fm_sm_fault(struct fm_sm_faults *faults, enum fm_sm_rule rule, const char *at)
{
    const uint64_t offset = offset_of(faults, at);
    const bool standard = rule < FM_SM_FUNCTION_MAP; /* it does not know the members behind that one */
    framemap_error warning = {0};

    if (faults->host->strict && standard)
        return fm_fault_at(faults->error, FRAMEMAP_E_CORRUPT, offset, "the source map breaks ECMA-426: %s", texts[rule]);
    if (faults->counts[rule]++ > 0) return FRAMEMAP_OK;
    fm_fault_at(&warning, standard ? FRAMEMAP_E_CORRUPT : FRAMEMAP_OK, offset, "%s", texts[rule]);
    fm_mapper_warn(faults->host, &warning);
    return FRAMEMAP_OK;
}

framemap_status fm_sm_fault_of(struct fm_sm_faults *faults, enum fm_sm_rule rule, const struct fm_json_piece *piece)
{
    framemap_error note = {0};
    if (piece->type != FM_JSON_NULL || faults->host->strict) return fm_sm_fault(faults, rule, piece->raw.data);
    if (faults->nulls[rule]) return FRAMEMAP_OK;
    faults->nulls[rule] = true;
    fm_fault_at(&note, FRAMEMAP_OK, offset_of(faults, piece->raw.data), "%s: null, which is read as nothing", texts[rule]);
    fm_mapper_warn(faults->host, &note);
    return FRAMEMAP_OK;
}

framemap_status fm_sm_refuse(struct fm_sm_faults *faults, const char *at, const char *what)
{
    return fm_fault_at(faults->error, FRAMEMAP_E_CORRUPT, offset_of(faults, at), "the source map breaks ECMA-426: %s", what);
}

void fm_sm_tell(const struct fm_sm_faults *faults, const char *what)
{
    framemap_error note = {0};
    fm_fault(&note, FRAMEMAP_OK, "%s", what);
    fm_mapper_warn(faults->host, &note);
}

void fm_sm_tell_rest(const struct fm_sm_faults *faults)
{
    for (unsigned i = 0; i < FM_SM_RULES; i++) {
        framemap_error warning = {0};
        if (faults->counts[i] < 2) continue;
        fm_fault(&warning, i < FM_SM_FUNCTION_MAP ? FRAMEMAP_E_CORRUPT : FRAMEMAP_OK, "%s: %" PRIu64 " times more", texts[i], faults->counts[i] - 1);
        fm_mapper_warn(faults->host, &warning);
    }
}
