/* Rules of ECMA-426 that a map may break, and how a fault is reported. In strict mode the map is refused at the first
 * fault. In lenient mode each broken rule is reported once, and further faults are counted. */
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
    /* Rules of members outside the standard. They never refuse a map, and are reported as notes. */
    FM_SOURCEMAP_RULE_FUNCTION_MAP,
    FM_SOURCEMAP_RULE_OFFSETS,
    FM_SOURCEMAP_RULE_DART,
    FM_SOURCEMAP_RULES
};

struct fm_sourcemap_faults {
    const struct fm_mapper_host *host;
    framemap_error *error;
    const char *begin; /* start of the JSON text: offsets count from here */
    uint64_t counts[FM_SOURCEMAP_RULES];
    bool nulls[FM_SOURCEMAP_RULES]; /* for each rule: whether a null that breaks it was reported */
};
/* Reports a fault at `at` in the text. Returns OK to continue reading, or CORRUPT in strict mode, with the error
 * set. */
framemap_status fm_sourcemap_fault(struct fm_sourcemap_faults *faults, enum fm_sourcemap_rule rule, const char *at);
/* Reports a member or element of the wrong type. In lenient mode, null is reported as a note and not as a fault,
 * because some tools write null for a value that they do not have. */
framemap_status fm_sourcemap_fault_in_value(struct fm_sourcemap_faults *faults, enum fm_sourcemap_rule rule,
                                            const struct fm_json_piece *piece);
/* Reports a fault after which the map cannot be read in either mode. Returns CORRUPT. */
framemap_status fm_sourcemap_refuse(struct fm_sourcemap_faults *faults, const char *at, const char *what);
/* Reports a note: information for the user, not a fault. */
void fm_sourcemap_note(const struct fm_sourcemap_faults *faults, const char *what);
/* Reports how often each rule was broken, if more than once. Call it at the end of a map. */
void fm_sourcemap_report_repeats(const struct fm_sourcemap_faults *faults);

#endif
