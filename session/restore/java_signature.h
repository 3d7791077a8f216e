/* Restores a method or field that a message names with its types. Called by restore_java.c. */
#ifndef FM_SESSION_RESTORE_JAVA_SIGNATURE_H
#define FM_SESSION_RESTORE_JAVA_SIGNATURE_H

#include "resolve/java/java.h"

/* The caller's way to find the index that has a class of a mapping. Either all classes are in one index, or each class
 * is in a separate value of a store. */
struct fm_java_views {
    framemap_status (*of)(void *context, framemap_str class_name, const struct fm_view **view, framemap_error *error);
    void *context;
};

/* Whether a text is the name of a member with types, and not of a class: "void a.b.c(int)", "a.b.c()", "int a.b.c". */
bool fm_java_is_signature(framemap_str printed);
/* Returns the original form of a signature: class and types, and the member's name if the signature can mean just
 * one member of the class. Absent if the mapping contains none of these names. The result is in the arena. Errors:
 * MEMORY, CORRUPT. */
framemap_status fm_java_signature(const struct fm_java_views *views, framemap_str printed, struct fm_arena *arena,
                                  framemap_str *out, framemap_error *error);

/* Splits the function of a native frame of Android, "a.b.C.d", into class and method. Returns false if the module has
 * no compiled or interpreted code of Java, or if the function is not a method. */
bool fm_method_name(framemap_str module, framemap_str function, framemap_str *class_name, framemap_str *method);

#endif
