/* Log records in JSON: an object on one line, with one line of a program's output as a member. The prefix of a logger
 * may precede the object. Called by lines.c, escaped_strings.c and prefix/log_record.c. */
#ifndef FM_FORMATS_SCAN_RECORD_LINE_H
#define FM_FORMATS_SCAN_RECORD_LINE_H

#include "core/text/scan.h"

/* Returns the content of the string that has the program's line, with its escapes; absent if the text is no record, or
 * if another string is a row of a stack, as in {"message":"failed","stack_trace":"\tat a.b.c(SourceFile:1)"}. A record
 * is a JSON object on one line, such as
 *
 *     {"@timestamp":"2026-01-02T10:00:00.1Z","message":"\tat a.b.c(SourceFile:1)","host":{"name":"web"}}
 *
 * Takes linear time. */
framemap_str fm_record_line(framemap_str text);

/* Whether the text may be a record, with or without a prefix. Looks only at a few bytes at both ends. */
bool fm_record_may_be(framemap_str text);

/* A walk over the members of the object of a record, and of the objects in it. */
struct fm_record_walk {
    struct fm_scan scan;
    unsigned depth;       /* number of brackets that are open; 1 in the outermost object */
    framemap_str name;    /* name of the member */
    framemap_str value;   /* its value: a string without its quotes, or a number, true, false, null */
    bool is_string, done; /* done: the outermost object has ended, or the text is not JSON */
};
struct fm_record_walk fm_record_walk_of(framemap_str text);
/* Moves to the next member that has no object or array as its value; sets name, value, is_string and depth. */
bool fm_record_next(struct fm_record_walk *walk);

#endif
