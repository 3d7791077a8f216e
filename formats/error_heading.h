/* What the text of an error looks like in most languages: "TypeError: x", "java.io.IOException", "Error [CODE]: x".
 * Called by error_members.c, and by parsers whose platform writes errors in this way or in a similar one. */
#ifndef FM_FORMATS_ERROR_HEADING_H
#define FM_FORMATS_ERROR_HEADING_H

#include "core/text/scan.h"
#include "formats/format.h"

/* How a platform writes errors. */
struct fm_error_rules {
    /* Finds the error, with its type, in a message that may contain one. Takes linear time. Returns false if the
     * message has no type of an error. */
    bool (*find)(framemap_str message, framemap_str *error);
    /* Sets exception, type and message of a trace from the text of an error. */
    void (*set)(framemap_trace *trace, framemap_str error);
};
/* The rules for platforms that have no rules of their own. */
extern const struct fm_error_rules fm_error_rules_plain;

/* Whether a byte may be part of an error's name, including names of modules before it: "TypeError",
 * "errors.NotFound". */
static inline bool fm_error_is_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || fm_is_digit(c) || c == '_' || c == '$' || c == '.' ||
           (unsigned char)c >= 0x80;
}

/* Whether a word has an ending that names of errors have, such as "Error" or "Exception". */
bool fm_error_is_name(framemap_str word);
/* Returns the size of the word at the start of a text whose bytes may all be part of an error's name. */
size_t fm_error_word_size(framemap_str text);
/* Returns the size of the name at the start of a text "NAME", "NAME: message" or "NAME [CODE]: message"; 0: the text is
 * not an error. A position such as "Loader.js:12" is not an error. */
size_t fm_error_name_size(framemap_str text);
/* Removes a title that loggers of any platform print before an error, such as "Caused by: "; at most one. */
framemap_str fm_error_without_title(framemap_str text);
/* Splits "TypeError [CODE]: message" into type and message. name_size: size of the type at the start of the error. An
 * error without a type is a message. */
void fm_error_split(framemap_str error, size_t name_size, framemap_str *type, framemap_str *message);

#endif
