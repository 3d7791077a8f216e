/* Finds the error of a stack that is a string in JSON and has no title in itself, such as a stack of Firefox or Safari.
 * The error is named by other members of the same object, or by other attributes of the same list, as OpenTelemetry
 * writes them.
 *
 *     {"errorMessage":"'x'","errorType":"KeyError","stackTrace":["  File \"a.py\", line 1, in f\n    g()\n"]}
 *     {"name":"TypeError","message":"x is null","stack":"f@https://a.b/main.js:1:2\ng@…"}
 *     [{"key":"exception.type","value":{"stringValue":"TypeError"}},
 *      {"key":"exception.stacktrace","value":{"stringValue":"f@https://a.b/main.js:1:2\ng@…"}}]
 *
 * Members that follow may be on lines of their own. Called by the parsers of JavaScript, Java, Python, .NET and the
 * platforms of other_stack.c. */
#ifndef FM_FORMATS_ERROR_MEMBERS_H
#define FM_FORMATS_ERROR_MEMBERS_H

#include "formats/error_heading.h"
#include "formats/format.h"

/* State while members after the string with the stack are read, line by line. */
struct fm_error_members {
    const struct fm_error_rules *rules; /* rules of the platform that printed the stack */
    /* how many of the next lines may still have members; 0: the object has ended, or no stack needs its error from
     * them */
    unsigned lines_left;
    uint64_t number1, text_number1; /* numbers of the last line that was read */
    uint64_t trace;                 /* number of the trace that gets the error */
    unsigned run;                   /* number of backslashes in the string's escaped line ends */
    /* number of objects that enclose a value within the list of attributes; 0: the members are not in a list of
     * attributes */
    unsigned levels;
    unsigned depth;        /* brackets that are open within the object or the list */
    unsigned message_name; /* position in the list of names of the member that gave the message; lower is better */
    unsigned key;  /* position in the list of names of the current attribute's key; 0: the key is not in the list */
    bool is_whole; /* the message also contains the type */
    bool is_named; /* a member "errorType" gave the type */
    bool is_cause; /* the object with the stack is the value of a member "cause" */
};

/* Sets the error of a trace from the members next to the string or list that has the stack. Changes nothing if no
 * member names an error. line: the first line in the string, or a line with nothing but the first string of a list;
 * rules: how the platform of the stack writes errors. At most FM_ERROR_MEMBERS_MOST bytes are read before the string,
 * and as many after it on its line. */
#define FM_ERROR_MEMBERS_MOST 4096
void fm_error_members_read(struct fm_error_members *members, struct fm_document *doc, const struct fm_line *line,
                           framemap_trace *trace, const struct fm_error_rules *rules);
/* Reads members from a line below the string. format: format of the trace that gets the error. */
void fm_error_members_below(struct fm_error_members *members, struct fm_document *doc, const struct fm_line *line,
                            const char *format);

#endif
