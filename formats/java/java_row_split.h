/* The parts of one Java frame, once it is known where it begins in its line. Called by java_row.c and java_print.c. */
#ifndef FM_FORMATS_JAVA_JAVA_ROW_SPLIT_H
#define FM_FORMATS_JAVA_JAVA_ROW_SPLIT_H

#include "core/cpu.h"
#include "formats/format.h"
#include "formats/java/java_file_name.h"
#include "formats/java/java_name.h"

/* Slices of the frame line, in its order: "BEFORE CLASS . METHOD ( SOURCE :LINE ) TAIL". */
struct fm_java_row {
    /* The last prefix of the class, "java.base@17" in "app//java.base@17/a.b"; absent if there is none. */
    framemap_str module;
    framemap_str class_name; /* class without loader, module, and the address of a hidden class
                                ("Main$$Lambda$14/0x…") */
    framemap_str method;     /* method in the spelling for lookups: "<init>" also if JSON spells it
                                "\u003cinit\u003e" */
    framemap_str method_raw; /* method in the spelling of the frame line */
    enum fm_java_source_kind source_kind;
    framemap_str place_module; /* "java.base@17" of HotSpot's dumps, "(java.base@17/Thread.java:5)" */
    framemap_str source;       /* the text in parentheses without module and ":LINE" */
    framemap_str line;         /* the digits; absent if there are none */
    framemap_str tail;         /* the rest from ")" on */
    const char *from;          /* place where the frame begins: its "at", or its name if there is none */
    bool bare;                 /* the row has no parentheses, which is accepted only within a stack */
    bool has_line;             /* the digits fit 31 bits */
    int32_t line_number;
};

/* Whether the row's source is one that only Java stacks have. */
static inline bool fm_java_row_has_source(const struct fm_java_row *row)
{
    return row->source_kind >= FM_JAVA_SOURCE_FILE && row->source_kind <= FM_JAVA_SOURCE_MARK &&
           row->source_kind != FM_JAVA_SOURCE_VAGUE;
}

/* Returns the position after a leading "at"; NULL if the line does not begin with it. */
static FM_INLINED const char *fm_java_row_after_at(framemap_str body)
{
    struct fm_scan s = fm_scan_of(body);
    fm_scan_blanks(&s);
    if (s.end - s.at < 3 || s.at[0] != 'a' || s.at[1] != 't' || !fm_is_blank(s.at[2])) return NULL;
    s.at += 3;
    fm_scan_blanks(&s);
    return s.at;
}

/* Parses "CLASS.METHOD(SOURCE:LINE)". name: the run that `text` begins with; open: offset of the first parenthesis. If
 * blanks precede the parenthesis, as in most JavaScript frames, the source must be Java's, and is checked before the
 * name. */
bool fm_java_row_split(framemap_str text, const struct fm_java_run *name, size_t open, struct fm_java_row *row);
/* Parses "at a.b.c" alone: some printers omit an empty source. */
bool fm_java_row_split_bare(framemap_str rest, struct fm_java_row *row);
/* Parses "a.b.FooTest.name with blanks(FooTest.kt:12)": names that Kotlin's tests have. */
bool fm_java_row_split_spaced(framemap_str text, struct fm_java_row *row);

/* Splits the row of a parsed frame for printing. It reuses the frame's name, and its file and line if the row has them
 * in the same form, so that these are not parsed again. It does not set module, source_kind and `from`. Returns false
 * if the name is not directly after the frame's "at" as it was parsed. */
bool fm_java_row_known(const framemap_frame *frame, struct fm_java_row *out);

#endif
