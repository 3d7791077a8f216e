/* One row of a Java stack: which of its bytes are class, method, source and line, and whether it is a row at all. */
#ifndef FM_FORMATS_JAVA_JAVA_ROW_H
#define FM_FORMATS_JAVA_JAVA_ROW_H

#include "formats/format.h"
#include "formats/java/java_file_name.h"

/* Slices of the row, in its order: "BEFORE CLASS . METHOD ( SOURCE :LINE ) TAIL". */
struct fm_java_row {
    framemap_str
        module; /* "java.base@17" of "app//java.base@17/a.b": the last prefix of the class, absent when there is none */
    framemap_str class_name; /* without loader, module, and the address of a hidden class ("Main$$Lambda$14/0x…") */
    framemap_str method;     /* as it is to be looked up: "<init>" also where JSON spells it "\u003cinit\u003e" */
    framemap_str method_raw; /* as it stands in the row */
    enum fm_java_source_kind source_kind;
    framemap_str source; /* all of the parentheses but ":LINE" */
    framemap_str line;   /* the digits; absent when there are none */
    framemap_str tail;   /* from ")" on */
    const char *from;    /* where the row begins: its "at", else its name */
    bool bare;           /* there are no parentheses; within a stack only */
    bool has_line;       /* the digits fit 31 bits */
    int32_t line_number;
};

/* How sure the row must be of itself. */
enum fm_java_trust {
    FM_JAVA_ALONE = 0, /* nothing around it is known: the source must look like one */
    FM_JAVA_IN_STACK   /* a row of a stack stands right above: the shape will do */
};
/* body: a line's body, or a frame's raw. Linear. false: no row. */
bool fm_java_row_parse(framemap_str body, enum fm_java_trust trust, struct fm_java_row *out);
/* The next row of a line that has several. rest: what follows a row on its line. Linear. false: there is none. */
bool fm_java_row_next(framemap_str rest, struct fm_java_row *out);
/* Where a row ends: after its parenthesis and the packaging that logback and log4j add, " ~[app.jar:1.2]". */
const char *fm_java_row_end(const struct fm_java_row *row);

/* Whether a row looks as if a mapping was needed to read it: a source that names no file, or a class of few letters in
 * another's file. Rows of the platform's own classes never do. */
bool fm_java_looks_renamed(const struct fm_java_row *row);

#endif
