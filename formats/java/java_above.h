/* Reads the lines above the first frame of a Java stack: exception, thread, process and map id. Called by
 * java_trace.c. */
#ifndef FM_FORMATS_JAVA_JAVA_ABOVE_H
#define FM_FORMATS_JAVA_JAVA_ABOVE_H

#include "formats/java/java_heading.h"

/* maximum number of lines that are searched: the message of an exception may have several */
enum { FM_JAVA_ABOVE = FM_LOOK_BACK_MOST };

/* The lines above a stack that contain information about it, nearest first. */
struct fm_java_lines_above {
    struct fm_java_head heads[FM_JAVA_ABOVE];
    const struct fm_line *lines[FM_JAVA_ABOVE];
    size_t count;
    size_t best; /* index of the exception's line in the array; SIZE_MAX: no exception was found */
};

/* Reads the lines above a first frame, down to the offset `stop`, and chooses the exception. */
void fm_java_look_back(struct fm_document *doc, const struct fm_line *line, uint64_t stop,
                       struct fm_java_lines_above *above);

/* Whether a line announces an exception that belongs to the message of the exception above: JavaMail and RMI print such
 * a line, and the nested exception on the next line. */
static inline bool fm_java_announces_nested(const struct fm_line *line)
{
    return line->first == 'n' && fm_str_ends(line->body, FM_STR("nested exception is:"));
}
/* Whether all lines between the exception and the first frame may belong to the exception's message. */
bool fm_java_has_message_only(const struct fm_java_lines_above *above);
/* Sets the thread of a stack in a JSON dump of threads. Such a dump has the number and the name of the thread as
 * members on lines above the stack. */
void fm_java_name_member_thread(struct fm_document *doc, const struct fm_line *line, framemap_trace *trace);

#endif
