/* What Dart's compiler to JavaScript adds to its maps, x_org_dartlang_dart2js:
 *
 *     "minified_names": {"global": "a,12,b,13", "instance": "c,14"}    a name in the script, a number of `names`
 *     "frames": "gBAAAC,E;"                                            where the bodies of inlined functions begin and end
 *
 * In these maps the segment at a function's begin has the function's name. */
#ifndef FM_SM_DART_H
#define FM_SM_DART_H

#include "mappers/javascript/sourcemap/sourcemap_intervals.h"

static inline bool fm_sm_is_dart(const struct fm_sm_members *members) { return fm_sm_is(members, FM_SM_M_DART2JS, FM_JSON_OBJECT); }

/* minified_names, as attributes of the index: FM_SM_DART_GLOBAL for classes and functions, FM_SM_DART_INSTANCE for members. Of each a line "a=original",
 * by rising names. Nothing for other maps. */
#define FM_SM_DART_GLOBAL "dart2js_global"
#define FM_SM_DART_INSTANCE "dart2js_instance"
framemap_status fm_sm_read_dart(struct fm_sm_job *job);

/* The string of a name of the map as functions are shown. */
framemap_status fm_sm_dart_name(struct fm_sm_job *job, uint32_t name, struct fm_buf *buffer, uint32_t *out);

/* Hands the functions of the generated text on, with those that were inlined in them. script: that text. */
framemap_status fm_sm_dart_hand_on(struct fm_sm_job *job, framemap_str script, const struct fm_sm_stretches *functions);

#endif
