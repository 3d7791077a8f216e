/* Builds debug sections by hand, little-endian. */
#ifndef FM_TESTS_MAPPERS_NATIVE_DW_BYTES_H
#define FM_TESTS_MAPPERS_NATIVE_DW_BYTES_H

#include "mappers/native/dwarf/dw_sections.h"
#include "mappers/native/image/image_inner.h"
#include "tests/testing.h"

struct bytes {
    unsigned char data[4096];
    size_t size;
};

static inline void put(struct bytes *to, uint64_t value, unsigned width)
{
    for (unsigned i = 0; i < width; i++) to->data[to->size++] = (unsigned char)(value >> (8 * i));
}
static inline void put_text(struct bytes *to, const char *text)
{
    do to->data[to->size++] = (unsigned char)*text;
    while (*text++ != '\0');
}
static inline void put_uleb(struct bytes *to, uint64_t value)
{
    do {
        to->data[to->size++] = (unsigned char)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
        value >>= 7;
    } while (value != 0);
}
/* Puts numbers of one byte each; END_OF_BYTES ends the list. */
#define END_OF_BYTES 0xfff
static inline void put_all(struct bytes *to, const uint16_t *values)
{
    for (; *values != END_OF_BYTES; values++) put(to, *values, 1);
}
#define PUT(to, ...) put_all((to), (const uint16_t[]){__VA_ARGS__, END_OF_BYTES})
/* Reserves the bytes of a 32-bit length; it is filled in once the bytes that it counts were written. */
static inline size_t reserve_length(struct bytes *to)
{
    put(to, 0, 4);
    return to->size;
}
static inline void settle_length(struct bytes *to, size_t from)
{
    const size_t length = to->size - from;
    for (unsigned i = 0; i < 4; i++) to->data[from - 4 + i] = (unsigned char)(length >> (8 * i));
}
static inline framemap_str view_of(const struct bytes *bytes) { return fm_str(bytes->data, bytes->size); }

/* Builds the lookups of image_lookup.h for an image that was built by hand. Returns false when out of memory. */
static inline bool index_image(struct fm_image *image, struct fm_arena *arena)
{
    image->arena = arena;
    image->inner = FM_ARENA_NEW(arena, struct fm_image_inner);
    return image->inner != NULL && fm_image_index_sections(image);
}

/* Makes an image of code at [0x1000, 0x2000) and data at [0x2000, 0x3000). */
static inline void make_image(struct fm_image *image, struct fm_section sections[2], struct fm_arena *arena)
{
    *image =
        (struct fm_image){.format = FM_IMAGE_ELF, .is64 = true, .base = 0, .sections = sections, .section_count = 2};
    sections[0] = (struct fm_section){.name = FM_STR(".text"),
                                      .address = 0x1000,
                                      .size = 0x1000,
                                      .number = 1,
                                      .flags = FM_SECTION_ALLOC | FM_SECTION_EXEC | FM_SECTION_NOBITS};
    sections[1] = (struct fm_section){.name = FM_STR(".data"),
                                      .address = 0x2000,
                                      .size = 0x1000,
                                      .number = 2,
                                      .flags = FM_SECTION_ALLOC | FM_SECTION_NOBITS};
    assert_true(index_image(image, arena));
}

#endif
