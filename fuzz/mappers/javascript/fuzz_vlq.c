/* Decodes Base64 VLQ numbers, and `mappings` that consist of them. Each number is compared with the result of a decoder
 * that works digit by digit. The segments of a whole map are compared with the results of a decoder that follows the
 * text of the standard and has no fast paths. Bytes of the input that are neither digits nor separators are replaced by
 * digits, so that most inputs have segments. */
#include "core/heap.h"
#include "index/read/segments/segment_view.h"
#include "mappers/javascript/sourcemap/sourcemap_vlq.h"
#include "mappers/mapper.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define SOURCES 3
#define NAMES 2
#define TEXT_MOST ((size_t)1 << 16)

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static const char head[] = "{\"version\":3,\"sources\":[\"a\",\"b\",\"c\"],\"names\":[\"m\",\"n\"],\"mappings\":\"";

static int value_of(char c)
{
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* Reads a number at *at, and moves *at after it. Returns false if the number has no end or does not fit 32 bits. */
static bool plain_number(const char **at, const char *end, uint32_t *out)
{
    uint64_t value = 0;
    bool fits = true;
    for (unsigned place = 0; *at < end; place++) {
        const int digit = value_of(*(*at)++);
        if (digit < 0) return false;
        const uint64_t bits = (uint64_t)digit & 31;
        if (place < 7) value |= bits << 5 * place;
        if ((place >= 7 && bits) || value > UINT32_MAX) fits = false;
        if (digit < 32) {
            *out = (uint32_t)value;
            return fits;
        }
    }
    return false;
}

static int64_t with_sign(uint32_t bits)
{
    if (bits == 1) return -(INT64_C(1) << 31);
    return bits & 1 ? -(int64_t)(bits >> 1) : (int64_t)(bits >> 1);
}

/* Checks the number that begins at each position of the text. The byte after the text must be readable and must not
 * be a digit. */
static void check_numbers(const char *text, size_t size)
{
    const char *const end = text + size;
    for (const char *from = text; from < end; from++) {
        const char *plain = from, *at = from, *again = from;
        uint32_t wanted = 0, got = 0;
        int64_t number;
        const bool good = plain_number(&plain, end, &wanted);
        assert((fm_sourcemap_vlq_unsigned(&at, end, &got) == FM_SOURCEMAP_RULES) == good);
        assert((fm_sourcemap_vlq(&again, end, &number) == FM_SOURCEMAP_RULES) == good);
        if (good) assert(got == wanted && at == plain && again == plain && number == with_sign(wanted));
    }
}

/* --- decoding `mappings` --- */

struct piece {
    uint32_t line0, col0, source, original_line0, original_col0, name;
    uint32_t order;
};

struct decoded {
    struct piece *pieces;
    size_t count;
    int64_t state[5]; /* the current generated column, source, original line, original column, and name */
};

static int by_place(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    if (x->line0 != y->line0) return x->line0 < y->line0 ? -1 : 1;
    if (x->col0 != y->col0) return x->col0 < y->col0 ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static void put_piece(struct decoded *d, uint32_t line0, unsigned fields)
{
    const int64_t *s = d->state;
    if (s[0] < 0 || s[0] >= UINT32_MAX) return;
    struct piece piece = {line0, (uint32_t)s[0], FM_VIEW_NONE, 0, 0, FM_VIEW_NONE, (uint32_t)d->count};
    const bool mapped =
        fields >= 4 && s[1] >= 0 && s[1] < SOURCES && s[2] >= 0 && s[2] < UINT32_MAX && s[3] >= 0 && s[3] < UINT32_MAX;
    if (mapped) {
        piece.source = (uint32_t)s[1];
        piece.original_line0 = (uint32_t)s[2];
        piece.original_col0 = (uint32_t)s[3];
        if (fields >= 5 && s[4] >= 0 && s[4] < NAMES) piece.name = (uint32_t)s[4];
    }
    d->pieces[d->count++] = piece;
}

/* Decodes a segment. If one of its numbers is malformed, the segment is dropped and does not change the state. */
static void decode_segment(struct decoded *d, const char *at, const char *end, uint32_t line0)
{
    int64_t deltas[5] = {0};
    unsigned fields = 0;
    for (; at < end; fields++) {
        uint32_t bits;
        if (!plain_number(&at, end, &bits)) return;
        if (fields < 5) deltas[fields] = with_sign(bits);
    }
    if (fields == 0) return;
    for (unsigned i = 0; i < 5; i++) d->state[i] += deltas[i];
    put_piece(d, line0, fields);
}

static void decode(struct decoded *d, const char *text, size_t size)
{
    uint32_t line0 = 0;
    for (size_t from = 0, at = 0; at <= size; at++) {
        if (at < size && text[at] != ',' && text[at] != ';') continue;
        decode_segment(d, text + from, text + at, line0);
        from = at + 1;
        if (at == size || text[at] == ',') continue;
        line0++;
        d->state[0] = 0;
    }
    if (d->count > 0) qsort(d->pieces, d->count, sizeof *d->pieces, by_place);
}

static void compare(const struct decoded *d, const struct fm_view *view)
{
    struct fm_view_segment got;
    for (size_t i = 0; i < d->count; i++) {
        const struct piece *p = &d->pieces[i];
        assert(fm_view_segment(view, i, &got));
        assert(got.line0 == p->line0 && got.col0 == p->col0 && got.source == p->source && got.name == p->name);
        assert(got.original_line0 == p->original_line0 && got.original_col0 == p->original_col0);
    }
    assert(!fm_view_segment(view, d->count, &got));
}

static void check_map(const char *map, size_t map_size, const char *text, size_t size)
{
    const struct fm_mapper_host host = {.threads = 1};
    struct fm_mapper_host own = host;
    struct fm_heap heap;
    struct fm_builder *builder;
    struct fm_built built;
    struct fm_view *view;
    struct decoded d = {.pieces = malloc((size + 1) * sizeof *d.pieces)};
    framemap_error error = {0};
    if (d.pieces == NULL) abort();
    fm_heap_init(&heap, NULL, 0);
    own.heap = &heap;
    const framemap_str bytes = {map, map_size}, name = framemap_str_of("main.js.map");
    framemap_status status = fm_builder_create(&heap, &builder, &error);
    if (status == FRAMEMAP_OK)
        status = fm_mapper_for(bytes, name, "sourcemap")->build(bytes, name, &own, builder, &error);
    if (status == FRAMEMAP_OK) status = fm_builder_finish(builder, &built, &error);
    assert(status == FRAMEMAP_OK);
    fm_builder_free(builder);
    status = fm_view_open((framemap_str){(const char *)built.data, built.size}, &heap, &view, &error);
    assert(status == FRAMEMAP_OK);
    decode(&d, text, size);
    compare(&d, view);
    fm_view_close(view);
    fm_heap_free(&heap, built.data, built.size);
    assert(heap.used == 0);
    free(d.pieces);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > TEXT_MOST) return 0;
    char *map = malloc(sizeof head + size + 2), *text = map + sizeof head - 1;
    if (map == NULL) abort();
    memcpy(map, head, sizeof head);
    for (size_t i = 0; i < size; i++) {
        const char c = (char)data[i];
        text[i] = c == ',' || c == ';' || value_of(c) >= 0 ? c : digits[data[i] & 63];
    }
    memcpy(text + size, "\"}", 3);
    /* the check takes quadratic time, so it is only done for short inputs */
    if (size < 4096) check_numbers(text, size);
    check_map(map, (size_t)(text - map) + size + 2, text, size);
    free(map);
    return 0;
}
