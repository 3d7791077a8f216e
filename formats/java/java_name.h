/* Names of classes and methods in Java stacks: which bytes belong to a name, and where it ends. Called by java_row.c
 * and other files of this folder. */
#ifndef FM_FORMATS_JAVA_JAVA_NAME_H
#define FM_FORMATS_JAVA_JAVA_NAME_H

#include "core/text/scan.h"

/* Classes of bytes. As in R8's retrace, every byte belongs to a name unless it is known to end names. */
enum fm_java_byte {
    FM_JAVA_PLAIN = 0,
    FM_JAVA_DOT,
    FM_JAVA_SLASH,
    FM_JAVA_ODD,
    FM_JAVA_STOPS, /* the byte ends a name, except a name that is alone on its line */
    FM_JAVA_ENDS
};
extern const unsigned char fm_java_bytes[256]; /* a value of enum fm_java_byte for each byte */

static inline bool fm_java_ends_name(char c) { return fm_java_bytes[(unsigned char)c] == FM_JAVA_ENDS; }

/* Whether a byte may be in a part of a name between two dots. For names that are searched for within other text. */
static inline bool fm_java_is_name_byte(char c)
{
    return fm_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '-' ||
           (unsigned char)c >= 0x80;
}

/* Whether a name, which is not empty, consists of at least two non-empty parts with dots between them. */
static inline bool fm_java_is_dotted(framemap_str name)
{
    size_t dot = fm_str_find_byte(name, '.');
    return dot != FM_NOT_FOUND && dot && name.data[name.size - 1] != '.' &&
           fm_str_find(name, FM_STR("..")) == FM_NOT_FOUND;
}

/* Returns the size of the class name at the start of `text`, including its dots; 0 if there is no class name. */
size_t fm_java_name(framemap_str text);

/* Returns the offset at which a run of PLAIN and DOT bytes (enum fm_java_byte) ends; `from` is where it begins. The
 * result may be too small if the run contains rare bytes, but not if it consists of ASCII letters and digits, '.', '$',
 * '-' and '_'. */
size_t fm_java_run_end(framemap_str text, size_t from);

/* The run of bytes that are PLAIN, DOT (enum fm_java_byte) or '/', at the start of a text. */
struct fm_java_run {
    size_t end;
    size_t dot; /* offset of the last dot; SIZE_MAX: there is none */
    bool slashed;
};
struct fm_java_run fm_java_run_of(framemap_str text);

#endif
