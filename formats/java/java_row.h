/* One frame line of a Java stack: which of its bytes are class, method, source and line number, and whether it is a
 * frame line at all. Called by java_trace.c, java_line.c and java_print.c. */
#ifndef FM_FORMATS_JAVA_JAVA_ROW_H
#define FM_FORMATS_JAVA_JAVA_ROW_H

#include "formats/format.h"
#include "formats/java/java_file_name.h"

/* Slices of the frame line, in its order: "BEFORE CLASS . METHOD ( SOURCE :LINE ) TAIL". */
struct fm_java_row {
    framemap_str
        module; /* the last prefix of the class, "java.base@17" in "app//java.base@17/a.b"; absent if there is none */
    framemap_str class_name; /* without loader, module, and the address of a hidden class ("Main$$Lambda$14/0x…") */
    framemap_str method;     /* in the spelling for lookups: "<init>" also if JSON spells it "\u003cinit\u003e" */
    framemap_str method_raw; /* in the spelling of the frame line */
    enum fm_java_source_kind source_kind;
    framemap_str place_module; /* "java.base@17" of HotSpot's dumps, "(java.base@17/Thread.java:5)" */
    framemap_str source;       /* the text in parentheses without module and ":LINE" */
    framemap_str line;         /* the digits; absent if there are none */
    framemap_str tail;         /* the rest from ")" on */
    const char *from;          /* where the frame begins: its "at", or its name if there is none */
    bool bare;                 /* there are no parentheses; only within a stack */
    bool has_line;             /* the digits fit 31 bits */
    int32_t line_number;
};

/* How much evidence makes a line a frame line. */
enum fm_java_trust {
    FM_JAVA_ALONE = 0, /* no context: the source must look like a Java source */
    FM_JAVA_IN_STACK   /* the line above is a frame line: the shape suffices */
};
/* Parses the body of a line, or the raw text of a frame. Linear. Returns false if it is not a frame line. */
bool fm_java_row_parse(framemap_str body, enum fm_java_trust trust, struct fm_java_row *out);
/* The parts of a frame that was parsed, without parsing its name again, nor its file and line where these are printed
 * as the frame has them: for printing, so that module, source_kind and `from` are not set. Returns false if the name is
 * not directly after the frame's "at" as it was parsed. */
bool fm_java_row_known(const framemap_frame *frame, struct fm_java_row *out);
/* Finds the next frame on a line with several. rest: the text after a frame on its line. Linear. Returns false if there
 * is none. */
bool fm_java_row_next(framemap_str rest, struct fm_java_row *out);
/* Where a frame ends: after its parenthesis and the packaging that logback and log4j add, " ~[app.jar:1.2]". */
const char *fm_java_row_end(const struct fm_java_row *row);

/* Whether a frame looks renamed: its source is not a file name, or its class has few letters and is in a file of
 * another name. False for classes of the platform. */
bool fm_java_looks_renamed(const struct fm_java_row *row);

#endif
