/* fm_byte_reader: the cursor of every binary parser. It compares before it forms a pointer. After the first read out of
 * bounds `bad` stays set and every later read returns zero, so that a parser tests `bad` once per record. Positions are
 * byte offsets from the start of the reader's bytes. */
#ifndef FM_CORE_BYTE_READER_H
#define FM_CORE_BYTE_READER_H

#include <framemap/base.h>
#include <string.h>

struct fm_byte_reader {
    const unsigned char *data;
    size_t size;
    size_t at;
    bool big_endian;
    bool bad;
};

static inline struct fm_byte_reader fm_byte_reader_of(framemap_str bytes, bool big_endian)
{
    return (struct fm_byte_reader){(const unsigned char *)bytes.data, bytes.size, 0, big_endian, false};
}
static inline size_t fm_byte_reader_left(const struct fm_byte_reader *r) { return r->bad ? 0 : r->size - r->at; }
static inline bool fm_byte_reader_need(struct fm_byte_reader *r, size_t count)
{
    if (r->bad || count > r->size - r->at) {
        r->bad = true;
        return false;
    }
    return true;
}
static inline void fm_byte_reader_seek(struct fm_byte_reader *r, uint64_t at)
{
    if (at > r->size)
        r->bad = true;
    else if (!r->bad)
        r->at = (size_t)at;
}
static inline void fm_byte_reader_skip(struct fm_byte_reader *r, uint64_t count)
{
    if (r->bad || count > r->size - r->at)
        r->bad = true;
    else
        r->at += (size_t)count;
}
static inline uint8_t fm_read_u8(struct fm_byte_reader *r)
{
    if (!fm_byte_reader_need(r, 1)) return 0;
    return r->data[r->at++];
}
/* Reads an unsigned number of 1 to 8 bytes in the reader's byte order. */
static inline uint64_t fm_read_uint(struct fm_byte_reader *r, unsigned width)
{
    uint64_t value = 0;
    if (!fm_byte_reader_need(r, width)) return 0;
    const unsigned char *p = r->data + r->at;
    r->at += width;
    if (r->big_endian)
        for (unsigned i = 0; i < width; i++) value = value << 8 | p[i];
    /* eight bytes have a case of their own: compilers turn these shifts into one load, and a list of addresses may have
     * millions of numbers */
    else if (width == 8)
        value = (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
                (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
    else
        for (unsigned i = width; i > 0; i--) value = value << 8 | p[i - 1];
    return value;
}
static inline uint16_t fm_read_u16(struct fm_byte_reader *r) { return (uint16_t)fm_read_uint(r, 2); }
static inline uint32_t fm_read_u32(struct fm_byte_reader *r) { return (uint32_t)fm_read_uint(r, 4); }
static inline uint64_t fm_read_u64(struct fm_byte_reader *r) { return fm_read_uint(r, 8); }

/* Read LEB128 numbers, unsigned and signed; a value that does not fit 64 bits sets `bad`. */
uint64_t fm_read_uleb(struct fm_byte_reader *r);
int64_t fm_read_sleb(struct fm_byte_reader *r);
/* Returns the bytes up to a NUL, which is consumed; sets `bad` if there is no NUL. Borrowed. */
framemap_str fm_read_cstr(struct fm_byte_reader *r);
/* Returns `count` bytes, borrowed. */
framemap_str fm_read_bytes(struct fm_byte_reader *r, uint64_t count);
/* Returns a reader for the part [offset, offset + size); a bad reader if it is out of bounds. */
struct fm_byte_reader fm_byte_reader_sub(const struct fm_byte_reader *r, uint64_t offset, uint64_t size);

#endif
