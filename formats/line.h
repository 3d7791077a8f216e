/* One line of a stack text, as the line splitter (scan/lines.c) passes it to the parsers of all formats. */
#ifndef FM_FORMATS_LINE_H
#define FM_FORMATS_LINE_H

#include "core/text/buffer.h"
#include "core/text/scan.h"

/* Characters that a line may contain. A set bit means "may be present", a clear bit "is known to be absent". */
enum fm_has {
    FM_HAS_PARENTHESIS = 1, /* the line may have a '(' */
    FM_HAS_HASH = 2,        /* the line may have a '#' */
    FM_HAS_AT_SIGN = 4,     /* the line may have an '@' */
    FM_HAS_ERROR = 8,       /* the line may have "r:" as in "error:" */
    FM_HAS_QUOTE = 16,      /* the line may have a '"' */
    FM_HAS_BRACKET = 32,    /* the line may have a '[' */
    FM_HAS_BACKSLASH = 64,  /* the line may have a backslash, and so a string with escaped line ends */
    FM_HAS_COLOUR = 128,    /* the line may have an escape character */
    /* the line may have a '|'. This bit is the same as FM_HAS_COLOUR: if it is set, either may be present */
    FM_HAS_BAR = 128,
    /* the line may have a '&', a NUL byte, or the first byte of U+00A0; the same bit as FM_HAS_COLOUR, too */
    FM_HAS_CODED = 128,
    FM_HAS_ANY = 255 /* the line may have any of the above */
};

struct fm_line {
    framemap_str text; /* the line without its line end */
    /* `text` without the prefix of a logger (logcat, kernel, syslog, quoting …), and without colour codes and blanks at
     * its end; data is NULL until fm_line_cut has computed it */
    framemap_str body;
    uint64_t offset; /* offset of `text` in the whole text */
    /* Number of the line among the lines of the same origin, so that the difference of two such numbers is their
     * distance. All pieces of an escaped string have the number of their line. */
    uint64_t number1;
    uint64_t text_number1; /* number of the line in the whole text, from 1 */
    /* hash of the process, thread and tag that a log prefix names (prefix/log_prefix.h); 0: there is no such prefix */
    uint64_t origin;
    char first;  /* first byte of body that is not a blank; 0: body is blank */
    char last;   /* last byte of body; 0: body is empty */
    uint8_t has; /* enum fm_has, for all of `text` */
    /* number of backslashes in an escaped line end of the string that contains the line: 1 for "\n", 2 for "\\n"; 0:
     * the line is not in a string with escaped line ends */
    uint8_t run;
    uint8_t keeps; /* for a cleaned line (scan/line_clean.h): what cleaning kept, enum fm_keeps */
    /* for a cleaned line: the bytes of the text from which `body` was made by cleaning; else {NULL, 0} */
    framemap_str printed;
    framemap_str cleaned; /* for a cleaned line: the cleaned copy, which contains `body` */
    /* The line is longer than FM_LIMIT_LINE, and may be a JSON document. It is offered to the formats that have
     * reads_documents set, with an empty body; `first` is its bracket. */
    bool is_document;
    /* number of bytes before `text` in a log record (scan/prefix/log_record.h); 0: the line is not in a record */
    uint32_t record_head;
    size_t record_size; /* size in bytes of the record that has the line */
    bool leads;         /* the logger of this line prints its prefix only before the first line of a message */
    /* the line is the first of several in an escaped string (scan/lines.h), so no trace from above continues on it */
    bool begins;
};

/* Computes body, first, last and has of a line of which only text, offset and number1 are set. Does nothing if body is
 * already set. Returns false if the body is blank. */
bool fm_line_cut(struct fm_line *line);
/* Returns the bytes of the text from which a slice of the line's body was made. If the line was not cleaned, this is
 * the slice itself. *offset: where these bytes begin in the whole text. Takes linear time if the line was cleaned. */
framemap_str fm_line_printed(const struct fm_line *line, framemap_str slice, uint64_t *offset);
/* Extends a slice of the text up to the end of this line's body. Returns false, with nothing changed, unless only a
 * line end is between the slice and the body. In that case the line was not cleaned and has no log prefix. */
bool fm_line_extend(const struct fm_line *line, framemap_str *slice);

#endif
