/* Classifies the source of a Java row: the text in parentheses before ":LINE". Called by java_row_split.c and
 * java_frame.c. */
#ifndef FM_FORMATS_JAVA_JAVA_FILE_NAME_H
#define FM_FORMATS_JAVA_JAVA_FILE_NAME_H

#include "core/text/text.h"

enum fm_java_source_kind {
    FM_JAVA_SOURCE_OTHER = 0, /* the source may be a file of another language */
    FM_JAVA_SOURCE_FILE,      /* the name of a file that only Java stacks have: "Main.java", "Main.kt" */
    FM_JAVA_SOURCE_NONE,      /* a placeholder for a file: "SourceFile", "Unknown Source" */
    /* the text is not a file's name, or it is a placeholder that other texts contain as well: "null" */
    FM_JAVA_SOURCE_VAGUE,
    FM_JAVA_SOURCE_MARK,   /* "Native Method": the method has no file, and mappings have no file for it either */
    FM_JAVA_SOURCE_FOREIGN /* a file of another language whose rows look the same, or an IP address */
};
enum fm_java_source_kind fm_java_source_kind_of(framemap_str source);

/* Returns the mapping's id in a source that R8 wrote in place of a file: "r8-map-id-1a2b3c4", or "go/retraceme 1a2b…"
 * in Google's apps. Absent if the source is no such id. */
framemap_str fm_java_map_id(framemap_str source);

/* Returns the source without the negative line number that some runtimes print if the line is unknown: "SourceFile" for
 * "SourceFile:-1". */
framemap_str fm_java_file(framemap_str source);

#endif
