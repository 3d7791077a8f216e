/* Writes the members of JSON objects to a buffer; absent values are omitted. Called by the JSON outputs. */
#ifndef FM_FORMATS_OUTPUT_JSON_MEMBERS_H
#define FM_FORMATS_OUTPUT_JSON_MEMBERS_H

#include "core/text/buffer.h"

/* A JSON object or array that is being written. */
struct fm_members {
    struct fm_buf *out;
    bool any; /* a member was written, so a comma has to precede the next one */
    /* name of this object in its outer object, until the first member is written; the name is written together with
     * that member */
    framemap_str of;
    struct fm_members *outer;
};

/* A member's name in the form in which it is written, with a comma before it: ",\"NAME\":". */
#define FM_MEMBER(name) FM_STR(",\"" name "\":")

/* Writes "{", which the caller closes with fm_members_close. */
struct fm_members fm_members_open(struct fm_buf *out);
/* Opens an object that is a member of `outer`. Its name and brace are written together with its first member, so an
 * object without members is not written at all. */
struct fm_members fm_members_open_in(struct fm_members *outer, framemap_str name);
void fm_members_close(struct fm_members *m);
/* Opens an object on a line of its own. Its first member "t" states its type. */
struct fm_members fm_members_open_line(struct fm_buf *out, framemap_str type);
void fm_members_close_line(struct fm_members *m);

/* Appends the name of a member, after a comma unless it is the object's first. */
void fm_member_name(struct fm_members *m, framemap_str name);
/* Writes a string member, unless the string is empty. */
void fm_member_text(struct fm_members *m, framemap_str name, framemap_str value);
/* Writes a string member, even if the string is empty. */
void fm_member_string(struct fm_members *m, framemap_str name, framemap_str value);
/* Writes a number member, unless the number is 0. */
void fm_member_number(struct fm_members *m, framemap_str name, uint64_t value);
/* Writes a number member, even if the number is 0. */
void fm_member_count(struct fm_members *m, framemap_str name, uint64_t value);
/* Writes a number member that may be negative. */
void fm_member_signed(struct fm_members *m, framemap_str name, int64_t value);
/* Writes a number member as a string in hexadecimal: "0x1f". */
void fm_member_hex(struct fm_members *m, framemap_str name, uint64_t value);
/* Writes a member that is true or false. */
void fm_member_bool(struct fm_members *m, framemap_str name, bool value);
/* Writes a member that is true; writes nothing if `value` is false. */
void fm_member_flag(struct fm_members *m, framemap_str name, bool value);

#endif
