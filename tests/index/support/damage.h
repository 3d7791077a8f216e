/* Damages the bytes of an index: flips bits, recomputes checksums, and makes calls on the result. Called by the
 * tests of damaged indexes of all forms. */
#ifndef FM_TESTS_INDEX_SUPPORT_DAMAGE_H
#define FM_TESTS_INDEX_SUPPORT_DAMAGE_H

#include "core/error.h"
#include "core/hash/hash.h"
#include "index/format/bits.h"
#include "index/format/layout.h"
#include "index/split/split.h"
#include "tests/testing.h"

/* Recomputes every checksum whose place can still be found. */
static inline void seal(unsigned char *data, size_t size)
{
    const uint32_t sections = fm_load32(data + FMX_AT_SECTIONS), head_size = fm_load32(data + FMX_AT_HEADER_SIZE);
    if (sections > FMX_SECTIONS_MOST || head_size != FMX_HEADER + FMX_ENTRY * sections || head_size > size) return;
    for (uint32_t i = 0; i < sections; i++) {
        unsigned char *entry = data + FMX_HEADER + FMX_ENTRY * i;
        const uint64_t offset = fm_load64(entry + FMX_ENTRY_OFFSET), part = fm_load64(entry + FMX_ENTRY_SIZE);
        if (offset <= size && part <= size - offset)
            fm_store64(entry + FMX_ENTRY_HASH, fm_hash64(data + offset, (size_t)part, 0));
    }
    fm_store64(data + FMX_AT_CHECK, fm_header_check(data, head_size));
}

/* Flips a bit after the counts of the header, and recomputes the checksums that depend on it. */
static inline void flip_and_seal(unsigned char *data, size_t size, size_t at, unsigned bit)
{
    const size_t head_size = FMX_HEADER + FMX_ENTRY * fm_load32(data + FMX_AT_SECTIONS);
    data[at] ^= (unsigned char)(1u << bit);
    if (at < head_size)
        fm_store64(data + FMX_AT_CHECK, fm_header_check(data, head_size));
    else
        seal(data, size);
}

/* A callback for the values of a split index: accepts as many values as `context` counts, then ends the call. */
static inline framemap_status take_few_values(void *context, framemap_str field, framemap_str value,
                                              framemap_error *error)
{
    unsigned *left = context;
    assert_true(field.size > 0 && value.size > 0);
    if (*left == 0) return fm_error_set(error, FRAMEMAP_E_IO, "enough");
    --*left;
    return FRAMEMAP_OK;
}

/* Opens a copy of the bytes, calls `use`, and splits it. The copy has exactly their size, so that sanitizers detect a
 * read past the end. *sound is increased if the index verifies. */
static inline void try_damaged(const unsigned char *data, size_t size, struct fm_heap *heap,
                               uint64_t (*use)(const struct fm_view *view), unsigned *sound)
{
    struct fm_view *view;
    unsigned char *copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, data, size);
    if (fm_view_open(fm_str(copy, size), heap, &view, NULL) == FRAMEMAP_OK) {
        use(view);
        *sound += fm_view_verify(view, NULL) == FRAMEMAP_OK;
        unsigned left = 4;
        const struct fm_split_sink sink = {take_few_values, &left};
        fm_split(view, heap, &sink, NULL);
        fm_view_close(view);
    }
    free(copy);
}

#endif
