/* What stands between the parentheses of a Java row, before ":LINE". */
#ifndef FM_FORMATS_JAVA_JAVA_FILE_NAME_H
#define FM_FORMATS_JAVA_JAVA_FILE_NAME_H

#include "core/text/text.h"

enum fm_java_source_kind {
    FM_JAVA_SOURCE_OTHER = 0, /* could be anyone's */
    FM_JAVA_SOURCE_FILE,      /* "Main.java", "Main.kt": only Java's stacks have such */
    FM_JAVA_SOURCE_NONE,      /* stands in the place of a file, "SourceFile", "Unknown Source" */
    FM_JAVA_SOURCE_VAGUE,     /* nothing, or a word for nothing that also programs and prose have: "null" */
    FM_JAVA_SOURCE_MARK,      /* "Native Method": there is no file, and no mapping tells one */
    FM_JAVA_SOURCE_FOREIGN    /* a file of another language, whose rows are written alike, or the address of a host */
};
enum fm_java_source_kind fm_java_source_kind_of(framemap_str source);

/* A source without the negative number that some runtimes print for "no line": "SourceFile:-1". */
framemap_str fm_java_file(framemap_str source);

#endif
