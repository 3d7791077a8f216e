/* State and tokens of the translation of Java's regular expressions, shared by java_regex.c and java_regex_class.c. */
#ifndef FM_FORMATS_JAVA_RETRACE_JAVA_REGEX_PARTS_H
#define FM_FORMATS_JAVA_RETRACE_JAVA_REGEX_PARTS_H

#include "core/text/buffer.h"

enum fm_regex_flags {
    FM_REGEX_CASELESS = 1,
    FM_REGEX_LINES = 2,
    FM_REGEX_DOTALL = 4,
    FM_REGEX_COMMENTS = 8,
    FM_REGEX_UNIX = 16,
    FM_REGEX_UNICODE = 32,
    FM_REGEX_FOLD = 64 /* (?u): ignore case beyond ASCII too */
};
enum { FM_REGEX_DEPTH = 200 }; /* most nested parentheses; PCRE2 allows 250 */

struct fm_regex {
    const char *begin, *at, *end;
    struct fm_buf *out;
    unsigned flags;
    unsigned depth, flags_of[FM_REGEX_DEPTH]; /* flags to restore at the end of each open group */
    unsigned groups, all_groups;              /* groups so far; groups of the whole expression, once known */
    bool repeatable;                          /* the element before may be repeated */
    framemap_status status;
    framemap_error *error;
};

/* Records the first error; returns false. */
bool fm_regex_fault(struct fm_regex *regex, const char *words);
/* With COMMENTS, skips white space and comments. */
void fm_regex_pass_comments(struct fm_regex *regex);
/* Reads the escape after a backslash and returns its character. Returns false if it is not a character: an error is
 * recorded, or *kind is the letter of a class or anchor. */
bool fm_regex_escape(struct fm_regex *regex, uint32_t *point, char *kind);
/* Appends one character as itself. */
void fm_regex_put_point(struct fm_buf *out, uint32_t point);
/* Returns the PCRE2 expression for \d, \w …; NULL if there is no such class. */
const char *fm_regex_class_of(const struct fm_regex *regex, char kind);
/* After "\Q": reads the next quoted character. Returns false at the end of the quotation, which is consumed. */
bool fm_regex_quoted(struct fm_regex *regex, uint32_t *point);

static inline bool fm_regex_at_end(const struct fm_regex *regex) { return regex->at == regex->end; }
/* Consumes `word` if the expression continues with it. */
bool fm_regex_take(struct fm_regex *regex, const char *word);
/* Consumes the next character. The expression must not be at its end. */
uint32_t fm_regex_take_point(struct fm_regex *regex);

#endif
