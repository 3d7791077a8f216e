/* Parts of a Java stack: each exception of a chain ("Caused by: …", "Suppressed: …") is a trace of its own. Decides
 * which trace a part belongs to, and where the message of an exception ends. Called by java_trace.c. */
#ifndef FM_FORMATS_JAVA_JAVA_PART_H
#define FM_FORMATS_JAVA_JAVA_PART_H

#include "formats/java/java_heading.h"

/* The exceptions that the next part may belong to, outermost first. Deeper ones belong to the last. */
#define FM_JAVA_PARTS 16
struct fm_java_parts {
    uint64_t numbers[FM_JAVA_PARTS]; /* numbers of the traces of the parts */
    uint32_t indents[FM_JAVA_PARTS];
    size_t count;
};
/* Begins a stack with the trace of that number. indent: blanks before its exception. */
void fm_java_parts_begin(struct fm_java_parts *parts, uint64_t number, uint32_t indent);
/* Adds a part with the trace of that number; returns the number of the trace that it belongs to. A cause has the indent
 * of its effect, a suppressed exception has more, unless indents were lost. */
uint64_t fm_java_parts_add(struct fm_java_parts *parts, framemap_role role, uint32_t indent, uint64_t number);
/* Returns the number of blanks before the first other byte. */
uint32_t fm_java_indent(framemap_str body);

/* An exception whose message may continue on the lines below. */
struct fm_java_message {
    framemap_str text; /* name and message, on the first line */
    framemap_str name;
    uint64_t offset; /* offset of the first line in the text */
    uint64_t number1;
    bool open;
    bool plain; /* the line of the message was not cleaned */
};
/* Gives a trace its exception, as far as it is on one line. */
void fm_java_message_begin(struct fm_java_message *message, const struct fm_line *line, const struct fm_java_head *head,
                           framemap_trace *trace);
/* At the first frame of a trace: adds the lines between the exception and this line to the message. */
void fm_java_message_end(struct fm_java_message *message, struct fm_document *doc, const struct fm_line *line,
                         framemap_trace *trace);

#endif
