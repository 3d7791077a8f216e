/* Writes the members of JSON objects to a buffer; absent values are left out. Called by the JSON outputs. */
#ifndef FM_FORMATS_OUTPUT_JSON_MEMBERS_H
#define FM_FORMATS_OUTPUT_JSON_MEMBERS_H

#include "core/text/buffer.h"

/* An object or array that is being written. */
struct fm_members {
    struct fm_buf *out;
    bool any;        /* a member was written, so that a comma precedes the next */
    framemap_str of; /* set until the first member is written: the name of the object, which is written with it */
    struct fm_members *outer;
};

/* The name of a member as it is written, with a comma before it. */
#define FM_MEMBER(name) FM_STR(",\"" name "\":")

/* Writes "{", which the caller closes with fm_members_close. */
struct fm_members fm_members_open(struct fm_buf *out);
/* Opens an object as a member. It is written together with its first member, so an object without members is left
 * out. */
struct fm_members fm_members_open_in(struct fm_members *outer, framemap_str name);
void fm_members_close(struct fm_members *m);
/* Opens an object on a line of its own, whose first member "t" says what it is. */
struct fm_members fm_members_open_line(struct fm_buf *out, framemap_str type);
void fm_members_close_line(struct fm_members *m);

/* Appends the comma, unless it is the first member, and the name. */
void fm_member_name(struct fm_members *m, framemap_str name);
/* Writes a string; left out if it is empty. */
void fm_member_text(struct fm_members *m, framemap_str name, framemap_str value);
/* Writes a string that is written even if it is empty. */
void fm_member_string(struct fm_members *m, framemap_str name, framemap_str value);
/* Writes a number; left out if it is 0. */
void fm_member_number(struct fm_members *m, framemap_str name, uint64_t value);
/* Writes a number that is written even if it is 0. */
void fm_member_count(struct fm_members *m, framemap_str name, uint64_t value);
/* Writes a number that may be negative. */
void fm_member_signed(struct fm_members *m, framemap_str name, int64_t value);
/* Writes a number as a hex string: "0x1f". */
void fm_member_hex(struct fm_members *m, framemap_str name, uint64_t value);
/* Writes true or false. */
void fm_member_bool(struct fm_members *m, framemap_str name, bool value);
/* Writes true; left out if it is false. */
void fm_member_flag(struct fm_members *m, framemap_str name, bool value);

#endif
