/* Restores a method or field that a message names with its types. Called by restore_java.c. */
#ifndef FM_SESSION_RESTORE_JAVA_SIGNATURE_H
#define FM_SESSION_RESTORE_JAVA_SIGNATURE_H

#include "resolve/java/java.h"

/* Finds the index of a class of a mapping: all classes are in one index, or each one is in a value of its own. */
struct fm_java_views {
    framemap_status (*of)(void *context, framemap_str class_name, const struct fm_view **view, framemap_error *error);
    void *context;
};

/* Whether what a message names is a member and not a class: "void a.b.c(int)", "a.b.c()", "int a.b.c". */
bool fm_java_is_signature(framemap_str printed);
/* Returns the original spelling of a signature: class, types and, if only one member of the class can be meant, its
 * name. Absent if the mapping contains none of these. In the arena. Errors: MEMORY, CORRUPT. */
framemap_status fm_java_signature(const struct fm_java_views *views, framemap_str printed, struct fm_arena *arena,
                                  framemap_str *out, framemap_error *error);

/* Splits the function of a native frame of Android, "a.b.C.d", into class and method. Returns false if the module has
 * no compiled or interpreted code of Java, or the name is not the name of a method. */
bool fm_method_name(framemap_str module, framemap_str function, framemap_str *class_name, framemap_str *method);

#endif
