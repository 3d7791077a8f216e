/* Implements inflate_input.h with zlib and zstd. Memory is bounded: zlib's window comes from the session's heap; zstd
 * allocates for itself, so the heap counts the largest window that is accepted. */
#include "core/archive/inflate_input.h"

#include "core/archive/inflate_xz.h"
#include "core/error.h"
#include <zlib.h>
#include <zstd.h>

#define GZIP_WINDOW (15 + 16) /* zlib's windowBits for gzip with the largest window */
#define ROOM ((size_t)64 << 10)
#define STEP ((size_t)1 << 20) /* bytes passed to a library in one call */
/* Memory that zstd may need: a window of 8 MiB (2^23 bytes) for levels up to 19, or 128 MiB (2^27) for higher levels,
 * and 2 MiB for its other buffers. */
#define WINDOW_LARGE 27u
#define WINDOW_USUAL 23u
#define WINDOW_OTHER ((uint64_t)2 << 20)

/* The kinds that have magic bytes are in the order of `magics` below. */
enum kind { KIND_GZIP, KIND_ZSTD, KIND_XZ, KIND_RAW };

static const framemap_str magics[] = {FM_STR_INIT("\x1f\x8b\x08"), FM_STR_INIT("\x28\xb5\x2f\xfd"),
                                      FM_STR_INIT("\xfd"
                                                  "7zXZ\0")};
enum { MAGIC_COUNT = sizeof magics / sizeof *magics };

struct fm_inflater {
    struct fm_heap *heap;
    struct fm_arena arena; /* memory that zlib allocates */
    enum kind kind;        /* KIND_RAW: one member of deflate data without a header, as zip stores it */
    bool within;           /* the input is inside a member, frame or stream */
    bool padding;          /* the input is after the last member */
    z_stream gzip;
    ZSTD_DCtx *zstd;
    struct fm_xz *xz;
    uint64_t reserved; /* bytes that are counted in the heap for zstd */
    size_t zstd_next;  /* bytes of the input that zstd needs next: a header, or a block and the next header */
    bool zstd_full;    /* the last step filled `room`, so zstd may hold back more text */
    uint64_t taken;    /* bytes of the input before the current step */
    char room[ROOM];
};

/* The first bytes of zstd's skippable frames, which have no data (RFC 8878 3.1.2); pzstd begins its files with one. The
 * lower half of the first byte can have any value. */
static const framemap_str skippable = FM_STR_INIT("\x50\x2a\x4d\x18");

static bool begins_skippable(framemap_str head)
{
    return head.size > 0 && (head.data[0] & 0xf0) == 0x50 &&
           fm_str_starts(fm_str_from(skippable, 1), fm_str_slice(head, 1, head.size < 4 ? head.size : 4));
}

static size_t magic_at(framemap_str head)
{
    size_t i = 0;
    if (head.size >= skippable.size && begins_skippable(head)) return KIND_ZSTD;
    while (i < MAGIC_COUNT && !fm_str_starts(head, magics[i])) i++;
    return i;
}

bool fm_is_compressed(framemap_str head) { return magic_at(head) < MAGIC_COUNT; }

bool fm_may_be_compressed(framemap_str head)
{
    for (size_t i = 0; i < MAGIC_COUNT; i++)
        if (fm_str_starts(magics[i], head)) return true;
    return begins_skippable(head);
}

/* --- opening and closing an inflater --- */

static void *take_memory(voidpf arena, uInt count, uInt size) { return fm_arena_zalloc(arena, count, size); }
static void give_memory(voidpf arena, voidpf memory) { (void)arena, (void)memory; }

static bool open_gzip(struct fm_inflater *inflater)
{
    inflater->gzip = (z_stream){.zalloc = take_memory, .zfree = give_memory, .opaque = &inflater->arena};
    return inflateInit2(&inflater->gzip, inflater->kind == KIND_RAW ? -MAX_WBITS : GZIP_WINDOW) == Z_OK;
}

static bool open_zstd(struct fm_inflater *inflater)
{
    static const unsigned windows[] = {WINDOW_LARGE, WINDOW_USUAL};
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        const uint64_t bytes = (UINT64_C(1) << windows[i]) + WINDOW_OTHER;
        if (!fm_heap_reserve(inflater->heap, bytes)) continue;
        inflater->reserved = bytes;
        inflater->zstd = ZSTD_createDCtx();
        return inflater->zstd &&
               !ZSTD_isError(ZSTD_DCtx_setParameter(inflater->zstd, ZSTD_d_windowLogMax, (int)windows[i]));
    }
    return false;
}

static framemap_status open_library(struct fm_inflater *inflater, framemap_error *error)
{
    if (inflater->kind == KIND_XZ) return fm_xz_open(inflater->heap, &inflater->xz, error);
    const bool good = inflater->kind == KIND_ZSTD ? open_zstd(inflater) : open_gzip(inflater);
    return good ? FRAMEMAP_OK : fm_error_memory(error);
}

static framemap_status open_kind(enum kind kind, struct fm_heap *heap, struct fm_inflater **out, framemap_error *error)
{
    struct fm_inflater *inflater = fm_heap_resize(heap, NULL, 0, sizeof *inflater);
    if (inflater == NULL) return fm_error_memory(error);
    /* The large buffer at the end of the struct is not cleared, since an archive may have 60,000 small files. */
    fm_clear(inflater, offsetof(struct fm_inflater, room));
    inflater->heap = heap;
    fm_arena_init(&inflater->arena, heap);
    inflater->kind = kind;
    const framemap_status status = open_library(inflater, error);
    if (status == FRAMEMAP_OK)
        *out = inflater;
    else
        fm_inflater_free(inflater);
    return status;
}

framemap_status fm_inflater_open(framemap_str head, struct fm_heap *heap, struct fm_inflater **out,
                                 framemap_error *error)
{
    const size_t at = magic_at(head);
    return open_kind(at < MAGIC_COUNT ? (enum kind)at : KIND_ZSTD, heap, out, error);
}

framemap_status fm_inflater_open_raw(struct fm_heap *heap, struct fm_inflater **out, framemap_error *error)
{
    return open_kind(KIND_RAW, heap, out, error);
}

void fm_inflater_free(struct fm_inflater *inflater)
{
    if (inflater == NULL) return;
    ZSTD_freeDCtx(inflater->zstd);
    fm_xz_free(inflater->xz);
    fm_heap_unreserve(inflater->heap, inflater->reserved);
    fm_arena_free(&inflater->arena);
    fm_heap_free(inflater->heap, inflater, sizeof *inflater);
}

/* --- decompressing step by step --- */

static const char *name_of(const struct fm_inflater *inflater)
{
    static const char *const names[] = {"gzip", "zstd", "xz", "deflate"};
    return names[inflater->kind];
}

/* Reports damage in the current step, after `used` bytes of its input. */
static framemap_status damaged(const struct fm_inflater *inflater, size_t used, const char *why, framemap_error *error)
{
    const uint64_t at = inflater->taken + used;
    const framemap_status status = fm_error_set(error, FRAMEMAP_E_CORRUPT, "its %s data is damaged at byte %llu: %s",
                                                name_of(inflater), (unsigned long long)at, why);
    if (error) error->offset = at;
    return status;
}

/* Handles what follows the end of a member: another member, or padding. Returns the number of bytes taken. */
static framemap_status next_member(struct fm_inflater *inflater, framemap_str in, size_t *used, framemap_error *error)
{
    if (inflater->kind == KIND_RAW) return damaged(inflater, 0, "other bytes follow it", error);
    if (inflater->padding || in.data[0] == '\0') {
        inflater->padding = true;
        *used = in.size;
        return FRAMEMAP_OK;
    }
    if (in.data[0] != magics[KIND_GZIP].data[0]) return damaged(inflater, 0, "other bytes follow it", error);
    *used = 0;
    inflater->within = true;
    return inflateReset(&inflater->gzip) == Z_OK ? FRAMEMAP_OK : fm_error_memory(error);
}

static framemap_status step_gzip(struct fm_inflater *inflater, framemap_str in, size_t *used, size_t *made,
                                 framemap_error *error)
{
    union { /* zlib takes its input without const but does not modify it */
        const char *given;
        Bytef *taken;
    } from = {in.data};
    z_stream *z = &inflater->gzip;
    *made = 0;
    if (!inflater->within && inflater->taken > 0) return next_member(inflater, in, used, error);
    inflater->within = true;
    z->next_in = from.taken;
    z->avail_in = (uInt)in.size;
    z->next_out = (Bytef *)inflater->room;
    z->avail_out = (uInt)ROOM;
    const int result = inflate(z, Z_NO_FLUSH);
    *used = in.size - z->avail_in;
    *made = ROOM - z->avail_out;
    if (result == Z_STREAM_END) inflater->within = false;
    if (result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR) return FRAMEMAP_OK;
    if (result == Z_MEM_ERROR) return fm_error_memory(error);
    return damaged(inflater, *used, z->msg ? z->msg : "it is not valid", error);
}

/* Returns how many of the next `size` bytes of the input are passed to zstd in one call. If a call fails, zstd does not
 * say what it has written before that, so a call must not write what another cut of the input has written in an earlier
 * call: text that zstd held back is taken before further input; one block is passed at a time, without the header of
 * the next one; and the last byte of a header or block, with which zstd checks it, is passed alone, since the bytes of
 * a block that is not compressed are text as soon as they are passed. */
static size_t zstd_part(const struct fm_inflater *inflater, size_t size)
{
    enum { FRAME_HEADER = 5, BLOCK_HEADER = 3 }; /* a frame's header has 5 bytes or more (RFC 8878 3.1.1) */
    size_t next = inflater->zstd_next ? inflater->zstd_next : FRAME_HEADER;
    if (inflater->zstd_full) return 0;
    if (next > BLOCK_HEADER) next -= BLOCK_HEADER;
    if (next > 1) next--;
    return size < next ? size : next;
}

static framemap_status step_zstd(struct fm_inflater *inflater, framemap_str in, size_t *used, size_t *made,
                                 framemap_error *error)
{
    ZSTD_inBuffer from = {in.data, zstd_part(inflater, in.size), 0};
    ZSTD_outBuffer to = {inflater->room, ROOM, 0};
    const size_t result = ZSTD_decompressStream(inflater->zstd, &to, &from);
    *made = 0;
    if (ZSTD_isError(result)) return damaged(inflater, 0, ZSTD_getErrorName(result), error);
    inflater->within = result != 0;
    inflater->zstd_next = result;
    inflater->zstd_full = to.pos == ROOM;
    *used = from.pos;
    *made = to.pos;
    return FRAMEMAP_OK;
}

static framemap_status step_xz(struct fm_inflater *inflater, framemap_str in, size_t *used, size_t *made,
                               framemap_error *error)
{
    struct fm_xz_step step = {.in = in, .room = inflater->room, .room_size = ROOM};
    const framemap_status status = fm_xz_step(inflater->xz, &step, error);
    *used = step.used;
    *made = step.made;
    if (status == FRAMEMAP_E_CORRUPT) return damaged(inflater, step.used, step.why, error);
    inflater->within = step.within;
    return status;
}

static framemap_status step_kind(struct fm_inflater *inflater, framemap_str in, size_t *used, size_t *made,
                                 framemap_error *error)
{
    switch (inflater->kind) {
    case KIND_ZSTD: return step_zstd(inflater, in, used, made, error);
    case KIND_XZ: return step_xz(inflater, in, used, made, error);
    default: return step_gzip(inflater, in, used, made, error);
    }
}

/* Passes on what a step has decompressed before the damage. */
static framemap_status take_last(struct fm_inflater *inflater, size_t made, fm_inflated *taken, void *context,
                                 framemap_error *error)
{
    framemap_error fault = {0};
    const framemap_status status =
        made ? taken(context, fm_str(inflater->room, made), error ? &fault : NULL) : FRAMEMAP_OK;
    if (status != FRAMEMAP_OK && error) *error = fault;
    return status != FRAMEMAP_OK ? status : FRAMEMAP_E_CORRUPT;
}

framemap_status fm_inflater_feed(struct fm_inflater *inflater, framemap_str piece, fm_inflated *taken, void *context,
                                 framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    size_t made = 0, used = 0;
    while (status == FRAMEMAP_OK && (piece.size > 0 || made == ROOM)) {
        const framemap_str in = fm_str_slice(piece, 0, STEP);
        const bool drains = piece.size == 0;
        if (drains && !inflater->within) break;
        status = step_kind(inflater, in, &used, &made, error);
        if (status == FRAMEMAP_E_CORRUPT) return take_last(inflater, made, taken, context, error);
        if (status != FRAMEMAP_OK) break;
        inflater->taken += used;
        piece = fm_str_from(piece, used);
        if (made) status = taken(context, fm_str(inflater->room, made), error);
    }
    return status;
}

framemap_status fm_inflater_end(const struct fm_inflater *inflater, framemap_error *error)
{
    if (!inflater->within) return FRAMEMAP_OK;
    const framemap_status status = fm_error_set(
        error, FRAMEMAP_E_TRUNCATED, "its %s data ends too early, at byte %llu; what was read up to there is restored",
        name_of(inflater), (unsigned long long)inflater->taken);
    if (error) error->offset = inflater->taken;
    return status;
}

/* --- decompressing whole data --- */

struct whole {
    struct fm_buf *out;
    uint64_t most; /* bytes that may still be decompressed */
};

static framemap_status take_whole(void *context, framemap_str text, framemap_error *error)
{
    struct whole *whole = context;
    if (text.size > whole->most) return fm_error_set(error, FRAMEMAP_E_LIMIT, "the data inflate to too much");
    whole->most -= text.size;
    return fm_buf_add(whole->out, text.data, text.size) ? FRAMEMAP_OK : fm_error_memory(error);
}

framemap_status fm_inflate_whole(framemap_str data, uint64_t most, struct fm_buf *out, framemap_error *error)
{
    struct whole whole = {out, most};
    struct fm_inflater *inflater = NULL;
    framemap_status status = fm_inflater_open(data, out->heap, &inflater, error);
    if (status != FRAMEMAP_OK) return status;
    status = fm_inflater_feed(inflater, data, take_whole, &whole, error);
    if (status == FRAMEMAP_OK && inflater->within)
        status = fm_error_set(error, FRAMEMAP_E_TRUNCATED, "its %s data ends too early", name_of(inflater));
    fm_inflater_free(inflater);
    return status;
}

uint32_t fm_crc32(framemap_str bytes)
{
    const uLong begin = crc32_z(0, NULL, 0);
    return (uint32_t)crc32_z(begin, (const Bytef *)bytes.data, bytes.size);
}
