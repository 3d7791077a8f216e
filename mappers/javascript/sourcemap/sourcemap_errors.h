/* Rules of ECMA-426 that a map may break. Strict: the first fault refuses the map. Lenient: it is told once for each rule and counted. */
#ifndef FM_SM_FAULTS_H
#define FM_SM_FAULTS_H

#include "core/json/json_walk.h"
#include "mappers/mapper.h"

enum fm_sm_rule {
    FM_SM_VERSION,
    FM_SM_FILE,
    FM_SM_SOURCE_ROOT,
    FM_SM_SOURCES_ELEMENT,
    FM_SM_CONTENTS,
    FM_SM_CONTENTS_ELEMENT,
    FM_SM_NAMES,
    FM_SM_NAMES_ELEMENT,
    FM_SM_IGNORE_LIST,
    FM_SM_IGNORE_LIST_ELEMENT,
    FM_SM_IGNORE_LIST_RANGE,
    FM_SM_DEBUG_ID,
    FM_SM_SCOPES,
    FM_SM_SCOPES_TEXT,
    FM_SM_RANGES,
    FM_SM_RANGES_ZERO,
    FM_SM_RANGES_TEXT,
    FM_SM_BASE_MAPPINGS,
    FM_SM_SECTION_ELEMENT,
    FM_SM_SECTION_OFFSET,
    FM_SM_SECTION_MAP,
    FM_SM_SECTION_ORDER,
    FM_SM_SECTION_OVERLAP,
    FM_SM_SECTION_OVERRUN,
    FM_SM_FIELDS,
    FM_SM_ALPHABET,
    FM_SM_UNTERMINATED,
    FM_SM_TOO_LARGE,
    FM_SM_COLUMN,
    FM_SM_COLUMN_LIMIT,
    FM_SM_SOURCE_INDEX,
    FM_SM_ORIGINAL,
    FM_SM_NAME_INDEX,
    /* Of members that the standard does not know: they never refuse a map, and are told as worth knowing. */
    FM_SM_FUNCTION_MAP,
    FM_SM_OFFSETS,
    FM_SM_DART,
    FM_SM_RULES
};

struct fm_sm_faults {
    const struct fm_mapper_host *host;
    framemap_error *error;
    const char *begin; /* of the JSON text: where offsets count from */
    uint64_t counts[FM_SM_RULES];
    bool nulls[FM_SM_RULES]; /* were told */
};
/* A fault at a place of the text. OK: the reading goes on; CORRUPT: strict, error is filled. */
framemap_status fm_sm_fault(struct fm_sm_faults *faults, enum fm_sm_rule rule, const char *at);
/* The same of a member or element that has the wrong type. null is what tools write for what they do not have: leniently it is no fault, and told as worth
 * knowing. */
framemap_status fm_sm_fault_of(struct fm_sm_faults *faults, enum fm_sm_rule rule, const struct fm_json_piece *piece);
/* A fault after which the map cannot be read in either way. */
framemap_status fm_sm_refuse(struct fm_sm_faults *faults, const char *at, const char *what);
/* Worth knowing, nothing wrong. */
void fm_sm_tell(const struct fm_sm_faults *faults, const char *what);
/* Says how often each rule was broken that was broken more than once. */
void fm_sm_tell_rest(const struct fm_sm_faults *faults);

#endif
