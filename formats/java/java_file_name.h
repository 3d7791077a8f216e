/* The source in the parentheses of a Java frame line, before ":LINE". Called by java_row_split.c and java_frame.c. */
#ifndef FM_FORMATS_JAVA_JAVA_FILE_NAME_H
#define FM_FORMATS_JAVA_JAVA_FILE_NAME_H

#include "core/text/text.h"

enum fm_java_source_kind {
    FM_JAVA_SOURCE_OTHER = 0, /* a file that could belong to another language */
    FM_JAVA_SOURCE_FILE,      /* a file name that only Java stacks have: "Main.java", "Main.kt" */
    FM_JAVA_SOURCE_NONE,      /* a placeholder for a file: "SourceFile", "Unknown Source" */
    FM_JAVA_SOURCE_VAGUE,     /* no file name, or a placeholder that programs and prose have too: "null" */
    FM_JAVA_SOURCE_MARK,      /* "Native Method": there is no file, and no mapping gives one */
    FM_JAVA_SOURCE_FOREIGN    /* a file of another language with the same frame syntax, or an IP address */
};
enum fm_java_source_kind fm_java_source_kind_of(framemap_str source);

/* Returns the source without the negative number that some runtimes print for "no line": "SourceFile:-1". */
framemap_str fm_java_file(framemap_str source);

#endif
