/* The head of a mapping: the comments before its first class, and the identity that they give it. */
#ifndef FM_MAPPERS_JAVA_R8_HEAD_H
#define FM_MAPPERS_JAVA_R8_HEAD_H

#include "mappers/mapper.h"

enum {
    FM_R8_COMPILER,
    FM_R8_COMPILER_VERSION,
    FM_R8_MIN_API,
    FM_R8_COMPILER_HASH,
    FM_R8_PG_MAP_ID,
    FM_R8_PG_MAP_HASH,
    FM_R8_HEAD_KEYS
};

struct fm_r8_head {
    framemap_str values[FM_R8_HEAD_KEYS]; /* borrowed; absent: not told */
};

/* Takes one line of the head, which may be anything. The first of a key counts. */
void fm_r8_head_line(struct fm_r8_head *head, framemap_str line);

/* The map's id, or its hash, where the head tells one that is fit to be an id; else empty. */
framemap_str fm_r8_head_id(const struct fm_r8_head *head);

/* Of a mapping that tells none: 32 hex digits of what its bytes hash to, written into `digits`, and the same borrowed
 * from there. */
#define FM_R8_CONTENT_ID_SIZE 32
framemap_str fm_r8_hash_id(const unsigned char sha256[32], char digits[FM_R8_CONTENT_ID_SIZE]);
framemap_str fm_r8_content_id(framemap_str bytes, char digits[FM_R8_CONTENT_ID_SIZE]);

framemap_status fm_r8_head_attributes(const struct fm_r8_head *head, struct fm_builder *builder, framemap_error *error);

/* How surely this text is a mapping, by its first lines: 0 to 100. A text without a class line is one only if its
 * comments are those of R8. */
int fm_r8_probe(framemap_str bytes);

/* Lines up to the first class line, at most some hundred kilobytes. */
void fm_r8_head_read(framemap_str bytes, struct fm_r8_head *head);

/* As Java's trim: all control characters. */
framemap_str fm_r8_trim(framemap_str text);

/* As framemap_mapping_check_hash (r8_hash.c). */
framemap_status fm_r8_check_hash(framemap_str mapping, framemap_error *error);

#endif
