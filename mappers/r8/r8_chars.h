/* Characters of a mapping: UTF-8 code points in R8's classes. Bytes that are no UTF-8 count as U+FFFD, as Java decodes them: neither a blank nor part
 * of a name. */
#ifndef FM_R8_CHARS_H
#define FM_R8_CHARS_H

#include "core/text.h"

enum {
    FM_R8_PART = 1,  /* of a name */
    FM_R8_BLANK = 2, /* Java's Character.isWhitespace */
    FM_R8_DIGIT = 4,
    FM_R8_DOT = 8,
    FM_R8_WIDE = 16 /* the first byte of a code point above U+007F, or of none */
};
extern const unsigned char fm_r8_classes[256];

#define FM_R8_BYTE_ORDER_MARK 0xfeffu
#define FM_R8_REPLACEMENT 0xfffdu

/* The code point at `at` < end, and its bytes; U+FFFD with the bytes that Java's decoder takes for one of them. */
uint32_t fm_r8_decode(const char *at, const char *end, unsigned *size);

/* Bytes of the part of a name, or of the blank, that stands at `at`; 0: something else or the end. A byte order mark is a blank here. */
unsigned fm_r8_part(const char *at, const char *end);
unsigned fm_r8_blank(const char *at, const char *end, bool *is_mark);

/* How many UTF-16 units Java makes of these bytes: columns of its messages. */
size_t fm_r8_utf16(const char *at, const char *end);

static inline bool fm_r8_digit(const char *at, const char *end) { return at < end && *at >= '0' && *at <= '9'; }

#endif
