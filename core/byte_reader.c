/* The parts of the binary cursor that are not inline: LEB128, strings, and sub-readers. */
#include "core/byte_reader.h"

/* Fast path: a LEB128 number of this few bytes always fits 64 bits. */
#define SHORT_LEB 8

/* Returns the number of bytes of a short LEB128 number; 0: it is longer or truncated, and nothing was read. */
static inline unsigned read_short_leb(struct fm_byte_reader *r, uint64_t *out)
{
    uint64_t value = 0;
    const size_t left = r->bad ? 0 : r->size - r->at;
    for (unsigned i = 0; i < SHORT_LEB && i < left; i++) {
        const uint8_t byte = r->data[r->at + i];
        value |= (uint64_t)(byte & 0x7F) << 7 * i;
        if (byte >= 0x80) continue;
        r->at += i + 1;
        *out = value;
        return 7 * (i + 1);
    }
    return 0;
}

uint64_t fm_read_uleb(struct fm_byte_reader *r)
{
    uint64_t value;
    if (read_short_leb(r, &value) > 0) return value;
    value = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint8_t byte = fm_read_u8(r);
        uint64_t bits = byte & 0x7F;
        if (r->bad) return 0;
        if (bits != 0 && (shift > 63 || bits << shift >> shift != bits)) {
            r->bad = true;
            return 0;
        }
        if (shift <= 63) value |= bits << shift;
        if (byte < 0x80) return value;
    }
}

int64_t fm_read_sleb(struct fm_byte_reader *r)
{
    uint64_t value;
    const unsigned bits_read = read_short_leb(r, &value);
    if (bits_read > 0) return (int64_t)(value >> (bits_read - 1) & 1 ? value | ~UINT64_C(0) << bits_read : value);
    value = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint8_t byte = fm_read_u8(r);
        uint64_t bits = byte & 0x7F;
        if (r->bad) return 0;
        /* the bits from bit 63 on must be copies of the sign bit, so the last byte must be all zeros or all ones */
        bool lost = shift >= 63 && bits != 0 && bits != 0x7F;
        if (shift > 63) lost = lost || bits != (value >> 63 ? 0x7F : 0);
        if (lost) {
            r->bad = true;
            return 0;
        }
        if (shift <= 63) value |= bits << shift;
        if (byte < 0x80) {
            if (shift < 57 && (byte & 0x40)) value |= ~UINT64_C(0) << (shift + 7);
            return (int64_t)value;
        }
    }
}

framemap_str fm_read_cstr(struct fm_byte_reader *r)
{
    framemap_str none = {NULL, 0};
    if (r->bad || r->at == r->size) {
        r->bad = true;
        return none;
    }
    const unsigned char *begin = r->data + r->at;
    const unsigned char *end = memchr(begin, 0, r->size - r->at);
    if (end == NULL) {
        r->bad = true;
        return none;
    }
    r->at += (size_t)(end - begin) + 1;
    return (framemap_str){(const char *)begin, (size_t)(end - begin)};
}

framemap_str fm_read_bytes(struct fm_byte_reader *r, uint64_t count)
{
    if (r->bad || count > r->size - r->at) {
        r->bad = true;
        return (framemap_str){NULL, 0};
    }
    framemap_str bytes = {r->data ? (const char *)r->data + r->at : NULL, (size_t)count};
    r->at += (size_t)count;
    return bytes;
}

struct fm_byte_reader fm_byte_reader_sub(const struct fm_byte_reader *r, uint64_t offset, uint64_t size)
{
    struct fm_byte_reader sub = {NULL, 0, 0, r->big_endian, true};
    if (r->bad || offset > r->size || size > r->size - offset) return sub;
    sub.data = r->data ? r->data + offset : NULL;
    sub.size = (size_t)size;
    sub.bad = false;
    return sub;
}
