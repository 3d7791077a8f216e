/* The members of a source map that the mapper uses, as slices of the JSON text. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_DOCUMENT_SOURCEMAP_MEMBER_VALUES_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_DOCUMENT_SOURCEMAP_MEMBER_VALUES_H

#include "core/json/json_walk.h"

enum fm_sourcemap_member {
    FM_SOURCEMAP_MEMBER_VERSION,
    FM_SOURCEMAP_MEMBER_FILE,
    FM_SOURCEMAP_MEMBER_SOURCE_ROOT,
    FM_SOURCEMAP_MEMBER_SOURCES,
    FM_SOURCEMAP_MEMBER_CONTENTS,
    FM_SOURCEMAP_MEMBER_NAMES,
    FM_SOURCEMAP_MEMBER_MAPPINGS,
    FM_SOURCEMAP_MEMBER_SECTIONS,
    FM_SOURCEMAP_MEMBER_IGNORE_LIST,
    FM_SOURCEMAP_MEMBER_GOOGLE_IGNORE_LIST,
    FM_SOURCEMAP_MEMBER_DEBUG_ID,
    FM_SOURCEMAP_MEMBER_SENTRY_DEBUG_ID,
    FM_SOURCEMAP_MEMBER_SCOPES,
    FM_SOURCEMAP_MEMBER_RANGES,
    FM_SOURCEMAP_MEMBER_FACEBOOK_SOURCES,
    FM_SOURCEMAP_MEMBER_HERMES_OFFSETS,
    FM_SOURCEMAP_MEMBER_FACEBOOK_OFFSETS,
    FM_SOURCEMAP_MEMBER_FACEBOOK_SEGMENTS,
    FM_SOURCEMAP_MEMBER_DART2JS,
    FM_SOURCEMAP_MEMBERS
};

struct fm_sourcemap_members {
    /* Values of the members, borrowed from the text. If a key occurs twice, the last value counts. */
    struct fm_json_piece at[FM_SOURCEMAP_MEMBERS];
    /* first element of sourcesContent that is neither a string nor null; NULL: all elements are valid */
    const char *bad_content;
};
/* Parses a whole object. false: the JSON is malformed if walk->failed is set, otherwise it is not an object. */
bool fm_sourcemap_members_read(struct fm_json_walk *walk, struct fm_sourcemap_members *out);
/* Returns the member with this key, or FM_SOURCEMAP_MEMBERS. */
enum fm_sourcemap_member fm_sourcemap_member_of(const struct fm_json_piece *key);

static inline bool fm_sourcemap_has(const struct fm_sourcemap_members *members, enum fm_sourcemap_member member)
{
    return members->at[member].raw.data != NULL;
}
static inline bool fm_sourcemap_is(const struct fm_sourcemap_members *members, enum fm_sourcemap_member member,
                                   enum fm_json_type type)
{
    return fm_json_piece_is(&members->at[member], type);
}

/* A debug id: 32 hex digits in lower case, without dashes. */
enum { FM_SOURCEMAP_ID_DIGITS = 32 };
/* Reads a debug id. canonical: accept only the form 8-4-4-4-12. false: the text is not an id. */
bool fm_sourcemap_id_read(framemap_str text, bool canonical, char out[FM_SOURCEMAP_ID_DIGITS]);
/* Reads the debug id from the member debugId, or from debug_id if debugId is missing or not a string. false: that
 * member is not an id, or both are missing. */
bool fm_sourcemap_members_id(const struct fm_sourcemap_members *members, char out[FM_SOURCEMAP_ID_DIGITS]);

/* Whether the columns of a map may be addresses in Hermes bytecode although the map does not have the member by which
 * such maps are recognized: compilers of 2020 and before did not write that member. A map for bytecode has one line,
 * and no segment starts one byte after another one, because an instruction that has a position has two bytes or more.
 * Minified text soon has two names that start one column apart, so a map with a few hundred segments and no such pair
 * is not for text. */
bool fm_sourcemap_columns_are_addresses(const struct fm_sourcemap_members *members);

#define FM_SOURCEMAP_MAX_GROUPS ((uint32_t)1 << 16)
/* Reads the number of a bundle segment from a key of an object. Metro counts them from 0, and few bundles have more
 * than some hundred. false: the key is not such a number. */
bool fm_sourcemap_group_of(const struct fm_json_piece *key, uint32_t *out);

#endif
