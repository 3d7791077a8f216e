/* Splits a Java row into its parts, once it is known where the row begins in its line. Called by java_row.c and
 * java_print.c. */
#ifndef FM_FORMATS_JAVA_JAVA_ROW_SPLIT_H
#define FM_FORMATS_JAVA_JAVA_ROW_SPLIT_H

#include "core/cpu.h"
#include "formats/format.h"
#include "formats/java/java_file_name.h"
#include "formats/java/java_name.h"

/* The parts of a row in their order; all of them are slices of the row: "BEFORE CLASS . METHOD ( SOURCE :LINE )
 * TAIL". */
struct fm_java_row {
    /* the last prefix before the class: "java.base@17" in "app//java.base@17/a.b"; absent if there is no prefix */
    framemap_str module;
    /* class without loader, module, and the address of a hidden class ("Main$$Lambda$14/0x…") */
    framemap_str class_name;
    /* the method in the spelling of symbol files: "<init>", even if the row has "\u003cinit\u003e" because of JSON */
    framemap_str method;
    framemap_str method_raw; /* the method in the spelling of the row */
    enum fm_java_source_kind source_kind;
    /* the module in the parentheses of HotSpot's dumps: "java.base@17" of "(java.base@17/Thread.java:5)" */
    framemap_str place_module;
    framemap_str source; /* the text in parentheses without module and ":LINE" */
    framemap_str line;   /* the digits of the line number; absent if the row has no line number */
    framemap_str tail;   /* the text from the closing parenthesis on */
    const char *from;    /* where the frame begins: at its "at", or at its name if there is no "at" */
    bool bare;           /* the row has no parentheses, which is accepted only within a stack */
    bool typed;          /* the row has the types of its method: "void a.b.c(int) (SourceFile:12)" */
    bool has_line;       /* the row has a line number that fits 31 bits */
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

/* Parses "CLASS.METHOD(SOURCE:LINE)". name: the run of name bytes that `text` begins with; open: offset of the first
 * parenthesis. If blanks precede the parenthesis, as in most JavaScript rows, the source must be a Java source; it
 * is then checked before the name. */
bool fm_java_row_split(framemap_str text, const struct fm_java_run *name, size_t open, struct fm_java_row *row);
/* Parses "at a.b.c" without parentheses: some printers omit these if there is no source. */
bool fm_java_row_split_bare(framemap_str rest, struct fm_java_row *row);
/* Parses "a.b.FooTest.name with blanks(FooTest.kt:12)": methods of Kotlin's tests may have such names. */
bool fm_java_row_split_spaced(framemap_str text, struct fm_java_row *row);
/* Parses "void a.b.c(int, a.b[]) (SourceFile:12)", as ART prints a method with its types. Accepts a row at the end of
 * the text only. */
bool fm_java_row_split_typed(framemap_str text, struct fm_java_row *row);

/* Splits the row of a frame that was parsed before, for printing. Takes the name from the frame instead of parsing it
 * again; takes file and line from it too, if the row spells them in the same way. module, source_kind and `from` are
 * not set. Returns false if the frame's name does not directly follow "at" in the row. */
bool fm_java_row_known(const framemap_frame *frame, struct fm_java_row *out);

#endif
