/* The parts of dw_leb.h that are not inline. */
#include "mappers/native/dwarf/dw_leb.h"

static struct fm_byte_reader between(const unsigned char *at, const unsigned char *end)
{
    return (struct fm_byte_reader){.data = at, .size = (size_t)(end - at)};
}

const unsigned char *fm_dw_uleb_long(const unsigned char *at, const unsigned char *end, uint64_t *out)
{
    struct fm_byte_reader r = between(at, end);

    *out = fm_read_uleb(&r);
    return r.bad ? NULL : at + r.at;
}

const unsigned char *fm_dw_sleb_long(const unsigned char *at, const unsigned char *end, int64_t *out)
{
    struct fm_byte_reader r = between(at, end);

    *out = fm_read_sleb(&r);
    return r.bad ? NULL : at + r.at;
}
