/* The extension x_org_dartlang_dart2js that Dart's compiler to JavaScript adds to its maps:
 *
 *     "minified_names": {"global": "a,12,b,13", "instance": "c,14"}    a name in the script, an index into `names`
 *     "frames": "gBAAAC,E;"                                            where bodies of inlined functions start and end
 *
 * In these maps the segment at the start of a function carries the function's name. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_DART2JS_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_DART2JS_H

#include "core/text/buffer.h"
#include "mappers/javascript/sourcemap/sourcemap_intervals.h"

static inline bool fm_sourcemap_is_dart(const struct fm_sourcemap_members *members)
{
    return fm_sourcemap_is(members, FM_SOURCEMAP_MEMBER_DART2JS, FM_JSON_OBJECT);
}

#define FM_SOURCEMAP_DART_GLOBAL "dart2js_global"
#define FM_SOURCEMAP_DART_INSTANCE "dart2js_instance"
/* Stores minified_names as attributes of the index: FM_SOURCEMAP_DART_GLOBAL for classes and functions,
 * FM_SOURCEMAP_DART_INSTANCE for members. Each has lines "a=original", sorted by name. Does nothing for other maps.
 * Errors: CORRUPT (strict), MEMORY. */
framemap_status fm_sourcemap_read_dart(struct fm_sourcemap_job *job);

/* Converts a name of the map to the string that stack traces show for the function. */
framemap_status fm_sourcemap_dart_name(struct fm_sourcemap_job *job, uint32_t name, struct fm_buf *buffer,
                                       uint32_t *out);

/* Writes the intervals of the functions of the generated text, split by the functions inlined in them. script: the
 * generated text. */
framemap_status fm_sourcemap_dart_write_intervals(struct fm_sourcemap_job *job, framemap_str script,
                                                  const struct fm_sourcemap_intervals *functions);

#endif
