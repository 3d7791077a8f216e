/* Implements wire.h: reads and writes the fields of a protobuf message one by one: varints, numbers of fixed size, and
 * bytes. A length that exceeds the message makes the reader fail. */
#include "core/wire.h"

bool fm_wire_long_varint(struct fm_wire *wire, uint64_t *value)
{
    enum { BITS = 64, STEP = 7 };
    *value = 0;
    for (unsigned shift = 0; shift < BITS && wire->at < wire->end; shift += STEP) {
        const unsigned char byte = *wire->at++;
        *value |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) return true;
    }
    return false;
}

/* Reads a number of fixed size, the lowest byte first. */
static bool read_fixed(struct fm_wire *wire, size_t size, uint64_t *value)
{
    if ((size_t)(wire->end - wire->at) < size) return false;
    *value = 0;
    for (size_t i = size; i-- > 0;) *value = *value << 8 | wire->at[i];
    wire->at += size;
    return true;
}

static bool read_bytes(struct fm_wire *wire, framemap_str *bytes)
{
    uint64_t size;
    if (!fm_wire_varint(wire, &size) || size > (uint64_t)(wire->end - wire->at)) return false;
    *bytes = fm_str(wire->at, (size_t)size);
    wire->at += size;
    return true;
}

bool fm_wire_next(struct fm_wire *wire, struct fm_wire_field *field)
{
    enum { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5, LARGEST = 1000 };
    uint64_t tag;
    bool ok = false;
    if (wire->bad || wire->at == wire->end) return false;
    *field = (struct fm_wire_field){.number = 0};
    if (fm_wire_varint(wire, &tag)) {
        field->number = tag >> 3;
        switch (tag & 7) {
        case VARINT: ok = fm_wire_varint(wire, &field->value); break;
        case BYTES: ok = field->is_bytes = read_bytes(wire, &field->bytes); break;
        case FIXED64: ok = read_fixed(wire, 8, &field->value); break;
        case FIXED32: ok = read_fixed(wire, 4, &field->value); break;
        default: break;
        }
    }
    wire->bad = !ok || field->number == 0 || field->number > LARGEST;
    return !wire->bad;
}

size_t fm_wire_varint_bytes(uint64_t value, unsigned char out[FM_VARINT_MOST])
{
    size_t size = 0;
    for (; value >= 0x80; value >>= 7) out[size++] = (unsigned char)(value | 0x80);
    out[size++] = (unsigned char)value;
    return size;
}

void fm_wire_put_varint(struct fm_buf *buf, uint64_t value)
{
    unsigned char bytes[FM_VARINT_MOST];
    fm_buf_add(buf, bytes, fm_wire_varint_bytes(value, bytes));
}

void fm_wire_put_number(struct fm_buf *buf, unsigned field, uint64_t value)
{
    if (value == 0) return;
    fm_wire_put_varint(buf, (uint64_t)field << 3);
    fm_wire_put_varint(buf, value);
}

void fm_wire_put_bytes(struct fm_buf *buf, unsigned field, framemap_str bytes)
{
    fm_wire_put_varint(buf, (uint64_t)field << 3 | 2);
    fm_wire_put_varint(buf, bytes.size);
    fm_buf_add(buf, bytes.data, bytes.size);
}
