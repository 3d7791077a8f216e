/* Converts offsets to lines and columns. One pass over the text records the position of each block of bytes; from there
 * at most a block is scanned for each offset. */
#include "core/error.h"
#include "mappers/javascript/functions/js_parser.h"

#define BLOCK ((size_t)64)

struct js_offsets {
    const unsigned char *text;
    size_t size;
    struct fm_js_text_position *blocks; /* position at the start of each block */
    size_t block_count;
};

#define ONES (UINT64_MAX / 0xFF) /* 0x01 in each byte */

/* Whether one of eight bytes ends a line or is not ASCII. A carry may set wrong bits, but only for bytes after the
 * first such byte, so the result is right. */
static inline bool is_odd(uint64_t word)
{
    const uint64_t lf = word ^ ONES * '\n', cr = word ^ ONES * '\r';
    return (((lf - ONES) & ~lf) | ((cr - ONES) & ~cr) | word) & ONES * 0x80;
}

static inline void js_position_step(const struct js_offsets *p, size_t at, struct fm_js_text_position *place)
{
    const unsigned char byte = p->text[at];
    if (byte == '\n' || (byte == '\r' && !(at + 1 < p->size && p->text[at + 1] == '\n'))) {
        place->line0++;
        place->col0 = 0;
    } else {
        place->col0 += byte < 0x80 || byte >= 0xC0; /* continuation bytes of UTF-8 add no column */
        place->col0 += byte >= 0xF0;
    }
}

static struct fm_js_text_position walk(const struct js_offsets *p, struct fm_js_text_position place, size_t from,
                                       size_t to)
{
    uint64_t word;
    while (to - from >= 8) {
        memcpy(&word, p->text + from, 8);
        if (is_odd(word)) {
            for (size_t i = 0; i < 8; i++) js_position_step(p, from + i, &place);
        } else {
            place.col0 += 8;
        }
        from += 8;
    }
    for (; from < to; from++) js_position_step(p, from, &place);
    return place;
}

static void walk_blocks(struct js_offsets *p, size_t mark)
{
    p->blocks[0] = (struct fm_js_text_position){0, 0};
    for (size_t i = 1; i < p->block_count; i++) {
        const size_t from = (i - 1) * BLOCK;
        p->blocks[i] = walk(p, p->blocks[i - 1], i == 1 && mark ? mark : from, from + BLOCK);
    }
}

static void js_position_at(const struct js_offsets *p, struct fm_js_text_position *place, size_t mark)
{
    const size_t at = place->col0, block = at / BLOCK;
    const size_t from = block == 0 ? mark : block * BLOCK;
    *place = walk(p, p->blocks[block], from < at ? from : at, at);
}

framemap_status fm_js_functions_locate(framemap_str text, struct fm_js_functions *script, framemap_error *error)
{
    struct js_offsets p = {
        .text = (const unsigned char *)text.data, .size = text.size, .block_count = text.size / BLOCK + 1};
    const size_t mark = fm_str_starts(text, FM_STR("\xEF\xBB\xBF")) ? 3 : 0, size = p.block_count * sizeof *p.blocks;
    if (script->function_count == 0) return FRAMEMAP_OK;
    p.blocks = fm_heap_resize(script->heap, NULL, 0, size);
    if (p.blocks == NULL) return fm_error_memory(error);
    walk_blocks(&p, mark);
    for (size_t i = 0; i < script->function_count; i++) {
        js_position_at(&p, &script->functions[i].begin, mark);
        js_position_at(&p, &script->functions[i].end, mark);
    }
    for (size_t i = 0; i < script->part_count; i++)
        if (script->parts[i].renamed || script->parts[i].is_key) js_position_at(&p, &script->parts[i].at, mark);
    fm_heap_free(script->heap, p.blocks, size);
    return FRAMEMAP_OK;
}
