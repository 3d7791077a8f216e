/* The head of a mapping: the comments before its first class, and the map id that they give. Used by the Java mappers
 * and by the session, which reads only heads when it looks for a mapping. */
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
    framemap_str values[FM_R8_HEAD_KEYS]; /* values of the keys, borrowed from the text; empty: the head does not have
                                             this key */
};

/* Reads one line of the head; any text is allowed. If several lines have one key, the first counts. */
void fm_r8_head_line(struct fm_r8_head *head, framemap_str line);

/* Returns the map id, or, if the head states none, the hash if that has the form of an id; empty: the head has
 * neither. */
framemap_str fm_r8_head_id(const struct fm_r8_head *head);

#define FM_R8_CONTENT_ID_SIZE 32
/* Returns the id of a mapping whose head states no id: 32 hex digits of the SHA-256 of the mapping's bytes. The digits
 * are written to `digits`, from which the result is borrowed. */
framemap_str fm_r8_hash_id(const unsigned char sha256[32], char digits[FM_R8_CONTENT_ID_SIZE]);
framemap_str fm_r8_content_id(framemap_str bytes, char digits[FM_R8_CONTENT_ID_SIZE]);

/* Stores the values of the head as attributes of the index, under their keys. Errors: the builder's. */
framemap_status fm_r8_head_attributes(const struct fm_r8_head *head, struct fm_builder *builder, framemap_error *error);

/* Returns how likely this text is a mapping, judged by its first lines: 0 to 100. A text without a class line counts
 * only if its comments are R8's. */
int fm_r8_probe(framemap_str bytes);

/* Reads the lines before the first class line, at most HEAD_BYTES (r8_head.c). */
void fm_r8_head_read(framemap_str bytes, struct fm_r8_head *head);

/* Removes blanks and control characters at both ends, like Java's String.trim. */
framemap_str fm_r8_trim(framemap_str text);

/* Implements framemap_mapping_check_hash (in r8_hash.c). */
framemap_status fm_r8_check_hash(framemap_str mapping, framemap_error *error);

#endif
