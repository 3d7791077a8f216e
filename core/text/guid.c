/* Implements guid.h: puts dashes between the digits of a GUID, and swaps the bytes of its first three fields, which are
 * little-endian in PDB files. */
#include "core/text/guid.h"

#include <string.h>

static void swap_bytes(char *digits, size_t bytes)
{
    for (size_t i = 0, j = bytes - 1; i < j; i++, j--) {
        char byte[2];
        memcpy(byte, digits + 2 * i, 2);
        memcpy(digits + 2 * i, digits + 2 * j, 2);
        memcpy(digits + 2 * j, byte, 2);
    }
}

void fm_guid_swap(char digits[FM_GUID_DIGITS])
{
    swap_bytes(digits, 4);
    swap_bytes(digits + 8, 2);
    swap_bytes(digits + 12, 2);
}

size_t fm_guid_put(const char digits[FM_GUID_DIGITS], char *out)
{
    static const size_t dashes[] = {8, 12, 16, 20};
    size_t size = 0;
    for (size_t i = 0, dash = 0; i < FM_GUID_DIGITS; i++) {
        if (dash < sizeof dashes / sizeof *dashes && i == dashes[dash]) {
            out[size++] = '-';
            dash++;
        }
        out[size++] = digits[i];
    }
    out[size] = '\0';
    return size;
}
