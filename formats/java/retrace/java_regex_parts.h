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
    FM_REGEX_FOLD = 64 /* the flag (?u): letters outside of ASCII are compared without case, too */
};
enum { FM_REGEX_DEPTH = 200 }; /* maximum depth of nested parentheses; PCRE2's own limit is 250 */

struct fm_regex {
    const char *begin, *at, *end;
    struct fm_buf *out;
    unsigned flags;
    unsigned depth, flags_of[FM_REGEX_DEPTH]; /* flags_of: for each open group, the flags to restore when it ends */
    /* number of groups read so far, and number of groups in the whole expression, which the first pass counts */
    unsigned groups, all_groups;
    bool repeatable; /* a quantifier may follow here */
    framemap_status status;
    framemap_error *error;
};

/* Records an error, unless one was recorded before. Returns false. */
bool fm_regex_fault(struct fm_regex *regex, const char *words);
/* Skips white space and comments, if the flag COMMENTS is set. */
void fm_regex_pass_comments(struct fm_regex *regex);
/* Reads an escape, after its backslash has been read, and returns its character in *point. Returns false if the escape
 * is not one character: either an error was recorded, or *kind is the letter of a class or an anchor. */
bool fm_regex_escape(struct fm_regex *regex, uint32_t *point, char *kind);
/* Appends a character as a literal. */
void fm_regex_put_point(struct fm_buf *out, uint32_t point);
/* Returns the PCRE2 expression for a class such as \d or \w, given its letter; NULL if there is no such class. */
const char *fm_regex_class_of(const struct fm_regex *regex, char kind);
/* Reads the next character of a quotation that began with "\Q". Returns false at its end, "\E", which is consumed. */
bool fm_regex_quoted(struct fm_regex *regex, uint32_t *point);

static inline bool fm_regex_at_end(const struct fm_regex *regex) { return regex->at == regex->end; }
/* Consumes `word` if the expression continues with it. */
bool fm_regex_take(struct fm_regex *regex, const char *word);
/* Consumes the next character. The expression must not be at its end. */
uint32_t fm_regex_take_point(struct fm_regex *regex);

#endif
