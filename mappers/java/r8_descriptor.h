/* Descriptors ("(La/b;I)V") as R8 takes them in metadata: which are good, which are bad but passed over, which are an
 * error. */
#ifndef FM_MAPPERS_JAVA_R8_DESCRIPTOR_H
#define FM_MAPPERS_JAVA_R8_DESCRIPTOR_H

#include "core/text/buffer.h"

enum fm_r8_descriptor {
    FM_R8_DESCRIPTOR_GOOD,
    FM_R8_DESCRIPTOR_BAD /* no descriptor */,
    FM_R8_DESCRIPTOR_BROKEN /* R8 gives up on it */
};

/* "La/b;" */
bool fm_r8_is_class_descriptor(framemap_str text);

/* The type "a.b[]" of "[La/b;" is written behind what the buffer holds; buffers may be NULL. */
enum fm_r8_descriptor fm_r8_field_descriptor(framemap_str text, struct fm_buf *type);

/* "(La/b;I)V": arguments gets "a.b,int", type "void". Only when the result is GOOD are they whole. */
enum fm_r8_descriptor fm_r8_method_descriptor(framemap_str text, struct fm_buf *arguments, struct fm_buf *type);

/* "La/b;" + name + descriptor, as outlines are named; R8 looks at the shape of the descriptor only. */
bool fm_r8_is_method_reference(framemap_str text);

#endif
