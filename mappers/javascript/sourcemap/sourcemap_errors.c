/* The messages about broken rules, and the count of faults. See sourcemap_errors.h. */
#include "mappers/javascript/sourcemap/sourcemap_errors.h"

#include "core/error.h"
#include <inttypes.h>

static const char *const texts[FM_SOURCEMAP_RULES] = {
    [FM_SOURCEMAP_RULE_VERSION] = "\"version\" is not the number 3",
    [FM_SOURCEMAP_RULE_FILE] = "\"file\" is not a string",
    [FM_SOURCEMAP_RULE_SOURCE_ROOT] = "\"sourceRoot\" is not a string",
    [FM_SOURCEMAP_RULE_SOURCES_ELEMENT] = "an element of \"sources\" is neither a string nor null",
    [FM_SOURCEMAP_RULE_CONTENTS] = "\"sourcesContent\" is not an array",
    [FM_SOURCEMAP_RULE_CONTENTS_ELEMENT] = "an element of \"sourcesContent\" is neither a string nor null",
    [FM_SOURCEMAP_RULE_NAMES] = "\"names\" is not an array",
    [FM_SOURCEMAP_RULE_NAMES_ELEMENT] = "an element of \"names\" is not a string",
    [FM_SOURCEMAP_RULE_IGNORE_LIST] = "\"ignoreList\" is not an array",
    [FM_SOURCEMAP_RULE_IGNORE_LIST_ELEMENT] = "an element of \"ignoreList\" is not a non-negative integer",
    [FM_SOURCEMAP_RULE_IGNORE_LIST_RANGE] = "\"ignoreList\" names a source that the map does not have",
    [FM_SOURCEMAP_RULE_DEBUG_ID] = "\"debugId\" is not a UUID of 8-4-4-4-12 hexadecimal digits",
    [FM_SOURCEMAP_RULE_SCOPES] = "\"scopes\" is not a string",
    [FM_SOURCEMAP_RULE_SCOPES_TEXT] = "\"scopes\" does not follow its grammar",
    [FM_SOURCEMAP_RULE_RANGES] = "\"rangeMappings\" is not a string",
    [FM_SOURCEMAP_RULE_RANGES_ZERO] =
        "\"rangeMappings\" counts a line's segments from 0, where the tests of the proposal count from 1",
    [FM_SOURCEMAP_RULE_RANGES_TEXT] =
        "\"rangeMappings\" does not follow its grammar, or names a segment that \"mappings\" does not have",
    [FM_SOURCEMAP_RULE_BASE_MAPPINGS] = "\"mappings\" is present together with \"sections\"",
    [FM_SOURCEMAP_RULE_SECTION_ELEMENT] = "an element of \"sections\" is not an object",
    [FM_SOURCEMAP_RULE_SECTION_OFFSET] = "a line or column in a section's \"offset\" is not a non-negative integer",
    [FM_SOURCEMAP_RULE_SECTION_MAP] = "a section's map cannot be read",
    [FM_SOURCEMAP_RULE_SECTION_ORDER] = "a section starts before the previous one",
    [FM_SOURCEMAP_RULE_SECTION_OVERLAP] = "two sections start at the same position",
    [FM_SOURCEMAP_RULE_SECTION_OVERRUN] = "a section's mappings reach into the next section",
    [FM_SOURCEMAP_RULE_FIELDS] = "a segment of \"mappings\" does not have 1, 4 or 5 fields",
    [FM_SOURCEMAP_RULE_ALPHABET] = "\"mappings\" has a character that is not a base64 digit, comma or semicolon",
    [FM_SOURCEMAP_RULE_UNTERMINATED] = "a number in \"mappings\" has no last digit",
    [FM_SOURCEMAP_RULE_TOO_LARGE] = "a number in \"mappings\" does not fit 32 bits",
    [FM_SOURCEMAP_RULE_COLUMN] = "a generated column in \"mappings\" is negative",
    [FM_SOURCEMAP_RULE_COLUMN_LIMIT] = "a line or column is 2^32 - 1 or larger",
    [FM_SOURCEMAP_RULE_SOURCE_INDEX] = "a segment of \"mappings\" names a source that the map does not have",
    [FM_SOURCEMAP_RULE_ORIGINAL] = "an original line or column in \"mappings\" is negative",
    [FM_SOURCEMAP_RULE_NAME_INDEX] = "a segment of \"mappings\" has a name that the map does not have",
    [FM_SOURCEMAP_RULE_FUNCTION_MAP] = "a function map in \"x_facebook_sources\" cannot be read",
    [FM_SOURCEMAP_RULE_OFFSETS] = "a list of offsets of Metro or Hermes cannot be read",
    [FM_SOURCEMAP_RULE_DART] = "the names or inlined functions in \"x_org_dartlang_dart2js\" cannot be read",
};

static uint64_t offset_of(const struct fm_sourcemap_faults *faults, const char *at)
{
    return at > faults->begin ? (uint64_t)(at - faults->begin) : 0;
}

framemap_status fm_sourcemap_fault(struct fm_sourcemap_faults *faults, enum fm_sourcemap_rule rule, const char *at)
{
    const uint64_t offset = offset_of(faults, at);
    const bool standard = rule < FM_SOURCEMAP_RULE_FUNCTION_MAP; /* rules from FM_SOURCEMAP_RULE_FUNCTION_MAP on do not
                                                                    belong to the standard */
    framemap_error warning = {0};

    if (faults->host->strict && standard)
        return fm_error_at(faults->error, FRAMEMAP_E_CORRUPT, offset, "the source map breaks ECMA-426: %s",
                           texts[rule]);
    if (faults->counts[rule]++ > 0) return FRAMEMAP_OK;
    fm_error_at(&warning, standard ? FRAMEMAP_E_CORRUPT : FRAMEMAP_OK, offset, "%s", texts[rule]);
    fm_mapper_warn(faults->host, &warning);
    return FRAMEMAP_OK;
}

framemap_status fm_sourcemap_fault_in_value(struct fm_sourcemap_faults *faults, enum fm_sourcemap_rule rule,
                                            const struct fm_json_piece *piece)
{
    framemap_error note = {0};
    if (piece->type != FM_JSON_NULL || faults->host->strict) return fm_sourcemap_fault(faults, rule, piece->raw.data);
    if (faults->nulls[rule]) return FRAMEMAP_OK;
    faults->nulls[rule] = true;
    fm_error_at(&note, FRAMEMAP_OK, offset_of(faults, piece->raw.data), "%s: null, which is treated as absent",
                texts[rule]);
    fm_mapper_warn(faults->host, &note);
    return FRAMEMAP_OK;
}

framemap_status fm_sourcemap_refuse(struct fm_sourcemap_faults *faults, const char *at, const char *what)
{
    return fm_error_at(faults->error, FRAMEMAP_E_CORRUPT, offset_of(faults, at), "the source map breaks ECMA-426: %s",
                       what);
}

void fm_sourcemap_note(const struct fm_sourcemap_faults *faults, const char *what)
{
    framemap_error note = {0};
    fm_error_set(&note, FRAMEMAP_OK, "%s", what);
    fm_mapper_warn(faults->host, &note);
}

void fm_sourcemap_report_repeats(const struct fm_sourcemap_faults *faults)
{
    for (unsigned i = 0; i < FM_SOURCEMAP_RULES; i++) {
        framemap_error warning = {0};
        if (faults->counts[i] < 2) continue;
        fm_error_set(&warning, i < FM_SOURCEMAP_RULE_FUNCTION_MAP ? FRAMEMAP_E_CORRUPT : FRAMEMAP_OK,
                     "%s: %" PRIu64 " times more", texts[i], faults->counts[i] - 1);
        fm_mapper_warn(faults->host, &warning);
    }
}
