/* Descriptors ("(La/b;I)V") in R8's metadata: which are valid, which are invalid but ignored, and which make R8 refuse
 * the mapping. */
#ifndef FM_MAPPERS_JAVA_R8_DESCRIPTOR_H
#define FM_MAPPERS_JAVA_R8_DESCRIPTOR_H

#include "core/text/buffer.h"

enum fm_r8_descriptor {
    FM_R8_DESCRIPTOR_GOOD,
    FM_R8_DESCRIPTOR_BAD /* the text is not a descriptor */,
    FM_R8_DESCRIPTOR_BROKEN /* R8 refuses the mapping */
};

/* Whether the text has the form "La/b;". */
bool fm_r8_is_class_descriptor(framemap_str text);

/* Converts the descriptor of a field to a type, "[La/b;" to "a.b[]", and appends the type to the buffer, which may be
 * NULL. */
enum fm_r8_descriptor fm_r8_field_descriptor(framemap_str text, struct fm_buf *type);

/* Converts the descriptor of a method: for "(La/b;I)V" it appends "a.b,int" to `arguments` and "void" to `type`; either
 * may be NULL. The appended texts are complete only if the result is GOOD. */
enum fm_r8_descriptor fm_r8_method_descriptor(framemap_str text, struct fm_buf *arguments, struct fm_buf *type);

/* Whether the text has the form of a reference to a method, as comments name outlines: "La/b;", a name and a
 * descriptor. As in R8, only the shape of the descriptor is checked. */
bool fm_r8_is_method_reference(framemap_str text);

#endif
