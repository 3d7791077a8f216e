/* Protocol buffers' wire format: each field has a number, and a value or bytes
 * (https://protobuf.dev/programming-guides/encoding). framemap reads and writes only a few formats with such messages,
 * so no code is generated for them. */
#ifndef FM_CORE_WIRE_H
#define FM_CORE_WIRE_H

#include "core/text/buffer.h"

struct fm_wire {
    const unsigned char *at, *end;
    bool bad;
};

struct fm_wire_field {
    uint64_t number;
    bool is_bytes;
    uint64_t value; /* a varint, or the bytes of a field of fixed size as a number */
    framemap_str bytes;
};

static inline struct fm_wire fm_wire_of(framemap_str bytes)
{
    const unsigned char *data = (const unsigned char *)bytes.data;
    return (struct fm_wire){data, data ? data + bytes.size : data, false};
}
/* Does the work of fm_wire_varint for numbers of several bytes. */
bool fm_wire_long_varint(struct fm_wire *wire, uint64_t *value);
static inline bool fm_wire_varint(struct fm_wire *wire, uint64_t *value)
{
    if (wire->at == wire->end || *wire->at >= 0x80) return fm_wire_long_varint(wire, value);
    *value = *wire->at++;
    return true;
}
enum { FM_VARINT_MOST = 10 };
/* Writes a varint; returns its size. */
size_t fm_wire_varint_bytes(uint64_t value, unsigned char out[FM_VARINT_MOST]);
/* Returns the next field. Returns false at the end, and if the bytes are not a message, with `bad` set. */
bool fm_wire_next(struct fm_wire *wire, struct fm_wire_field *field);

/* Each of these functions appends one field, preceded by its number. */
void fm_wire_put_varint(struct fm_buf *buf, uint64_t value);
void fm_wire_put_number(struct fm_buf *buf, unsigned field, uint64_t value); /* appends nothing for 0, the default */
void fm_wire_put_bytes(struct fm_buf *buf, unsigned field, framemap_str bytes);

#endif
