/* Rules of ECMA-426 that a map may break. Strict: the first fault refuses the map. Lenient: it is told once for each
 * rule and counted. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_ERRORS_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_ERRORS_H

#include "core/json/json_walk.h"
#include "mappers/mapper.h"

enum fm_sourcemap_rule {
    FM_SOURCEMAP_RULE_VERSION,
    FM_SOURCEMAP_RULE_FILE,
    FM_SOURCEMAP_RULE_SOURCE_ROOT,
    FM_SOURCEMAP_RULE_SOURCES_ELEMENT,
    FM_SOURCEMAP_RULE_CONTENTS,
    FM_SOURCEMAP_RULE_CONTENTS_ELEMENT,
    FM_SOURCEMAP_RULE_NAMES,
    FM_SOURCEMAP_RULE_NAMES_ELEMENT,
    FM_SOURCEMAP_RULE_IGNORE_LIST,
    FM_SOURCEMAP_RULE_IGNORE_LIST_ELEMENT,
    FM_SOURCEMAP_RULE_IGNORE_LIST_RANGE,
    FM_SOURCEMAP_RULE_DEBUG_ID,
    FM_SOURCEMAP_RULE_SCOPES,
    FM_SOURCEMAP_RULE_SCOPES_TEXT,
    FM_SOURCEMAP_RULE_RANGES,
    FM_SOURCEMAP_RULE_RANGES_ZERO,
    FM_SOURCEMAP_RULE_RANGES_TEXT,
    FM_SOURCEMAP_RULE_BASE_MAPPINGS,
    FM_SOURCEMAP_RULE_SECTION_ELEMENT,
    FM_SOURCEMAP_RULE_SECTION_OFFSET,
    FM_SOURCEMAP_RULE_SECTION_MAP,
    FM_SOURCEMAP_RULE_SECTION_ORDER,
    FM_SOURCEMAP_RULE_SECTION_OVERLAP,
    FM_SOURCEMAP_RULE_SECTION_OVERRUN,
    FM_SOURCEMAP_RULE_FIELDS,
    FM_SOURCEMAP_RULE_ALPHABET,
    FM_SOURCEMAP_RULE_UNTERMINATED,
    FM_SOURCEMAP_RULE_TOO_LARGE,
    FM_SOURCEMAP_RULE_COLUMN,
    FM_SOURCEMAP_RULE_COLUMN_LIMIT,
    FM_SOURCEMAP_RULE_SOURCE_INDEX,
    FM_SOURCEMAP_RULE_ORIGINAL,
    FM_SOURCEMAP_RULE_NAME_INDEX,
    /* Of members that the standard does not know: they never refuse a map, and are told as worth knowing. */
    FM_SOURCEMAP_RULE_FUNCTION_MAP,
    FM_SOURCEMAP_RULE_OFFSETS,
    FM_SOURCEMAP_RULE_DART,
    FM_SOURCEMAP_RULES
};

struct fm_sourcemap_faults {
    const struct fm_mapper_host *host;
    framemap_error *error;
    const char *begin; /* of the JSON text: where offsets count from */
    uint64_t counts[FM_SOURCEMAP_RULES];
    bool nulls[FM_SOURCEMAP_RULES]; /* were told */
};
/* A fault at a place of the text. OK: the reading goes on; CORRUPT: strict, error is filled. */
framemap_status fm_sourcemap_fault(struct fm_sourcemap_faults *faults, enum fm_sourcemap_rule rule, const char *at);
/* The same of a member or element that has the wrong type. null is what tools write for what they do not have:
 * leniently it is no fault, and told as worth knowing. */
framemap_status fm_sourcemap_fault_in_value(struct fm_sourcemap_faults *faults, enum fm_sourcemap_rule rule,
                                            const struct fm_json_piece *piece);
/* A fault after which the map cannot be read in either way. */
framemap_status fm_sourcemap_refuse(struct fm_sourcemap_faults *faults, const char *at, const char *what);
/* Worth knowing, nothing wrong. */
void fm_sourcemap_note(const struct fm_sourcemap_faults *faults, const char *what);
/* Says how often each rule was broken that was broken more than once. */
void fm_sourcemap_report_repeats(const struct fm_sourcemap_faults *faults);

#endif
