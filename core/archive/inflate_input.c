/* Implements inflate_input.h with zlib and zstd. Memory is bounded: zlib's window comes from the session's heap; zstd
 * allocates for itself, so the heap counts the largest window that is accepted. */
#include "core/archive/inflate_input.h"

#include "core/error.h"
#include <zlib.h>
#include <zstd.h>

#define GZIP_WINDOW (15 + 16) /* zlib's windowBits for gzip with the largest window */
#define ROOM ((size_t)64 << 10)
#define STEP ((size_t)1 << 20) /* bytes passed to a library at once */
/* zstd's windows: 8 MiB covers all levels up to 19, 128 MiB the others; with 2 MiB for its other buffers. */
#define WINDOW_LARGE 27u
#define WINDOW_USUAL 23u
#define WINDOW_OTHER ((uint64_t)2 << 20)

static const framemap_str gzip_magic = FM_STR_INIT("\x1f\x8b\x08"), zstd_magic = FM_STR_INIT("\x28\xb5\x2f\xfd");

struct fm_inflater {
    struct fm_heap *heap;
    struct fm_arena arena; /* of zlib */
    bool is_gzip;
    bool is_raw;  /* deflate data without a header, as zip has it: one member */
    bool within;  /* of a member or frame */
    bool padding; /* after the last member */
    z_stream gzip;
    ZSTD_DCtx *zstd;
    uint64_t reserved; /* bytes counted for zstd */
    uint64_t taken;    /* bytes of the input before the current step */
    char room[ROOM];
};

bool fm_is_compressed(framemap_str head) { return fm_str_starts(head, gzip_magic) || fm_str_starts(head, zstd_magic); }

bool fm_may_be_compressed(framemap_str head)
{
    return fm_str_starts(gzip_magic, head) || fm_str_starts(zstd_magic, head);
}

/* --- life --- */

static void *take_memory(voidpf arena, uInt count, uInt size) { return fm_arena_zalloc(arena, count, size); }
static void give_memory(voidpf arena, voidpf memory) { (void)arena, (void)memory; }

static bool open_gzip(struct fm_inflater *inflater)
{
    inflater->gzip = (z_stream){.zalloc = take_memory, .zfree = give_memory, .opaque = &inflater->arena};
    return inflateInit2(&inflater->gzip, inflater->is_raw ? -MAX_WBITS : GZIP_WINDOW) == Z_OK;
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

static framemap_status open_kind(bool is_gzip, bool is_raw, struct fm_heap *heap, struct fm_inflater **out,
                                 framemap_error *error)
{
    struct fm_inflater *inflater = fm_heap_zalloc(heap, 1, sizeof *inflater);
    if (inflater == NULL) return fm_error_memory(error);
    inflater->heap = heap;
    fm_arena_init(&inflater->arena, heap);
    inflater->is_gzip = is_gzip;
    inflater->is_raw = is_raw;
    if (!(inflater->is_gzip ? open_gzip(inflater) : open_zstd(inflater))) {
        fm_inflater_free(inflater);
        return fm_error_memory(error);
    }
    *out = inflater;
    return FRAMEMAP_OK;
}

framemap_status fm_inflater_open(framemap_str head, struct fm_heap *heap, struct fm_inflater **out,
                                 framemap_error *error)
{
    return open_kind(fm_str_starts(head, gzip_magic), false, heap, out, error);
}

framemap_status fm_inflater_open_raw(struct fm_heap *heap, struct fm_inflater **out, framemap_error *error)
{
    return open_kind(true, true, heap, out, error);
}

void fm_inflater_free(struct fm_inflater *inflater)
{
    if (inflater == NULL) return;
    ZSTD_freeDCtx(inflater->zstd);
    fm_heap_unreserve(inflater->heap, inflater->reserved);
    fm_arena_free(&inflater->arena);
    fm_heap_free(inflater->heap, inflater, sizeof *inflater);
}

/* --- steps --- */

static const char *name_of(const struct fm_inflater *inflater)
{
    return inflater->is_raw ? "deflate" : inflater->is_gzip ? "gzip" : "zstd";
}

static framemap_status damaged(const struct fm_inflater *inflater, const char *why, framemap_error *error)
{
    const framemap_status status = fm_error_set(error, FRAMEMAP_E_CORRUPT, "its %s data is damaged at byte %llu: %s",
                                                name_of(inflater), (unsigned long long)inflater->taken, why);
    if (error) error->offset = inflater->taken;
    return status;
}

/* What follows a member: another one, or padding. Returns the bytes taken. */
static framemap_status next_member(struct fm_inflater *inflater, framemap_str in, size_t *used, framemap_error *error)
{
    if (inflater->is_raw) return damaged(inflater, "other bytes follow it", error);
    if (inflater->padding || in.data[0] == '\0') {
        inflater->padding = true;
        *used = in.size;
        return FRAMEMAP_OK;
    }
    if (in.data[0] != gzip_magic.data[0]) return damaged(inflater, "other bytes follow it", error);
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
    return damaged(inflater, z->msg ? z->msg : "it is not valid", error);
}

static framemap_status step_zstd(struct fm_inflater *inflater, framemap_str in, size_t *used, size_t *made,
                                 framemap_error *error)
{
    ZSTD_inBuffer from = {in.data, in.size, 0};
    ZSTD_outBuffer to = {inflater->room, ROOM, 0};
    const size_t result = ZSTD_decompressStream(inflater->zstd, &to, &from);
    if (ZSTD_isError(result)) return damaged(inflater, ZSTD_getErrorName(result), error);
    inflater->within = result != 0;
    *used = from.pos;
    *made = to.pos;
    return FRAMEMAP_OK;
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
        status = inflater->is_gzip ? step_gzip(inflater, in, &used, &made, error)
                                   : step_zstd(inflater, in, &used, &made, error);
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

/* --- whole data --- */

struct whole {
    struct fm_buf *out;
    uint64_t most; /* bytes that may still come */
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
