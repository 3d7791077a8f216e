/* Parts of a Java stack: each exception of a chain ("Caused by: …", "Suppressed: …") becomes a trace of its own. This
 * file determines to which trace a part belongs, and where the message of an exception ends. Called by java_trace.c. */
#ifndef FM_FORMATS_JAVA_JAVA_PART_H
#define FM_FORMATS_JAVA_JAVA_PART_H

#include "formats/java/java_heading.h"

/* Maximum number of exceptions, outermost first, to which the next part of a stack may belong. A part that would be
 * nested deeper belongs to the last of them. */
#define FM_JAVA_PARTS 16
struct fm_java_parts {
    uint64_t numbers[FM_JAVA_PARTS]; /* numbers[i]: number of the trace of exception i */
    uint32_t indents[FM_JAVA_PARTS];
    size_t count;
};
/* Begins a stack. number: number of its trace; indent: how many blanks precede its exception. */
void fm_java_parts_begin(struct fm_java_parts *parts, uint64_t number, uint32_t indent);
/* Adds a part to the stack. number: number of its trace. Returns the number of the trace that the part belongs to. A
 * cause has the same indent as the exception that it caused; a suppressed exception is indented further. If the text
 * lost its indents, the role alone decides. */
uint64_t fm_java_parts_add(struct fm_java_parts *parts, framemap_role role, uint32_t indent, uint64_t number);
/* Returns the number of blanks at the start of the text. */
uint32_t fm_java_indent(framemap_str body);

/* An exception whose message may continue on the lines below. */
struct fm_java_message {
    framemap_str text; /* class and message, up to the end of the first line */
    framemap_str name;
    uint64_t offset; /* offset of the message's first line in the text */
    uint64_t number1;
    bool open;
    bool plain; /* the first line was not cleaned, so `text` is a slice of the text */
};
/* Sets the exception of a trace from its first line. The message may continue on the lines below. */
void fm_java_message_begin(struct fm_java_message *message, const struct fm_line *line, const struct fm_java_head *head,
                           framemap_trace *trace);
/* Called at the first frame of a trace: adds the lines between the exception and this line to the message. */
void fm_java_message_end(struct fm_java_message *message, struct fm_document *doc, const struct fm_line *line,
                         framemap_trace *trace);

#endif
