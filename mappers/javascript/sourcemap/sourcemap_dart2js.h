/* What Dart's compiler to JavaScript adds to its maps, x_org_dartlang_dart2js:
 *
 *     "minified_names": {"global": "a,12,b,13", "instance": "c,14"}    a name in the script, a number of `names`
 *     "frames": "gBAAAC,E;"                                            where the bodies of inlined functions begin and
 * end
 *
 * In these maps the segment at a function's begin has the function's name. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_DART2JS_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_DART2JS_H

#include "core/text/buffer.h"
#include "mappers/javascript/sourcemap/sourcemap_intervals.h"

static inline bool fm_sourcemap_is_dart(const struct fm_sourcemap_members *members)
{
    return fm_sourcemap_is(members, FM_SOURCEMAP_M_DART2JS, FM_JSON_OBJECT);
}

/* minified_names, as attributes of the index: FM_SOURCEMAP_DART_GLOBAL for classes and functions,
 * FM_SOURCEMAP_DART_INSTANCE for members. Of each a line "a=original", by rising names. Nothing for other maps. */
#define FM_SOURCEMAP_DART_GLOBAL "dart2js_global"
#define FM_SOURCEMAP_DART_INSTANCE "dart2js_instance"
framemap_status fm_sourcemap_read_dart(struct fm_sourcemap_job *job);

/* The string of a name of the map as functions are shown. */
framemap_status fm_sourcemap_dart_name(struct fm_sourcemap_job *job, uint32_t name, struct fm_buf *buffer,
                                       uint32_t *out);

/* Hands the functions of the generated text on, with those that were inlined in them. script: that text. */
framemap_status fm_sourcemap_dart_hand_on(struct fm_sourcemap_job *job, framemap_str script,
                                          const struct fm_sourcemap_stretches *functions);

#endif
