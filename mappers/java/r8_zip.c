/* Reads the directory and files of a zip archive. Called by r8_partitions.c; independent of mappings. */
#include "mappers/java/r8_zip.h"

#include "core/byte_reader.h"
#include "core/error.h"
#include "core/limits.h"
#include <zlib.h>

#define END_SIGNATURE 0x06054b50u
#define ROW_SIGNATURE 0x02014b50u
#define FILE_SIGNATURE 0x04034b50u
enum { END_SIZE = 22, MOST_COMMENT = 0xFFFF, STORED = 0, DEFLATED = 8 };

bool fm_r8_zip_open(framemap_str bytes, struct fm_r8_zip *out)
{
    struct fm_byte_reader r = fm_byte_reader_of(bytes, false);
    if (bytes.size < END_SIZE || bytes.size > UINT32_MAX) return false;
    for (size_t back = END_SIZE; back <= bytes.size && back <= END_SIZE + (size_t)MOST_COMMENT; back++) {
        fm_byte_reader_seek(&r, bytes.size - back);
        if (fm_read_u32(&r) != END_SIGNATURE) continue;
        fm_byte_reader_skip(&r, 12); /* disks, entry counts (too small for many files) and the directory's size */
        const uint32_t at = fm_read_u32(&r);
        *out = (struct fm_r8_zip){.bytes = bytes, .at = at};
        return !r.bad && at <= bytes.size - back;
    }
    return false;
}

bool fm_r8_zip_next(struct fm_r8_zip *zip, struct fm_r8_zip_file *out)
{
    struct fm_byte_reader r = fm_byte_reader_of(zip->bytes, false);
    fm_byte_reader_seek(&r, zip->at);
    if (fm_read_u32(&r) != ROW_SIGNATURE) return false;
    fm_byte_reader_skip(&r, 6); /* versions, flags */
    out->method = fm_read_u16(&r);
    fm_byte_reader_skip(&r, 8); /* time, checksum */
    out->stored_size = fm_read_u32(&r);
    out->size = fm_read_u32(&r);
    const uint16_t name_size = fm_read_u16(&r), extra_size = fm_read_u16(&r), comment_size = fm_read_u16(&r);
    fm_byte_reader_skip(&r, 8); /* disk, attributes */
    out->header_at = fm_read_u32(&r);
    out->name = fm_read_bytes(&r, name_size);
    fm_byte_reader_skip(&r, (uint64_t)extra_size + comment_size);
    zip->at = r.at;
    return !r.bad;
}

/* The bytes of a file as stored in the archive, possibly compressed. */
static framemap_str stored_bytes(const struct fm_r8_zip *zip, const struct fm_r8_zip_file *file)
{
    struct fm_byte_reader r = fm_byte_reader_of(zip->bytes, false);
    fm_byte_reader_seek(&r, file->header_at);
    if (fm_read_u32(&r) != FILE_SIGNATURE) return (framemap_str){NULL, 0};
    fm_byte_reader_skip(&r, 22);
    const uint16_t name_size = fm_read_u16(&r), extra_size = fm_read_u16(&r);
    fm_byte_reader_skip(&r, (uint64_t)name_size + extra_size);
    framemap_str bytes = fm_read_bytes(&r, file->stored_size);
    return r.bad ? (framemap_str){NULL, 0} : bytes;
}

static void *zip_inflate_chunk(voidpf arena, uInt count, uInt size) { return fm_arena_zalloc(arena, count, size); }
static void zip_output(voidpf arena, voidpf memory) { (void)arena, (void)memory; } /* freed together with the arena */

static framemap_status inflate_raw(framemap_str stored, unsigned char *out, uint32_t size, struct fm_heap *heap,
                                   framemap_error *error)
{
    /* zlib takes its input without const but does not modify it. */
    union {
        const char *given;
        Bytef *taken;
    } from = {stored.data};
    struct fm_arena arena;
    fm_arena_init(&arena, heap);
    z_stream stream = {.zalloc = zip_inflate_chunk, .zfree = zip_output, .opaque = &arena};
    int result = inflateInit2(&stream, -MAX_WBITS);
    stream.next_in = from.taken;
    stream.avail_in = (uInt)stored.size;
    stream.next_out = out;
    stream.avail_out = size;
    if (result == Z_OK) result = inflate(&stream, Z_FINISH);
    fm_arena_free(&arena);
    if (result == Z_MEM_ERROR) return fm_error_memory(error);
    if (result == Z_STREAM_END && stream.avail_out == 0) return FRAMEMAP_OK;
    return fm_error_set(error, FRAMEMAP_E_CORRUPT, "a file of the archive is damaged or does not have its stated size");
}

/* most: limit on the total size of `out`. */
static framemap_status append_inflated(framemap_str stored, uint32_t size, uint64_t most, struct fm_buf *out,
                                       framemap_error *error)
{
    if (out->size > most || size > most - out->size)
        return fm_error_set(error, FRAMEMAP_E_LIMIT,
                            "the sizes that the archive gives for its files are implausibly large");
    unsigned char *to = fm_heap_resize(out->heap, NULL, 0, (size_t)size + 1);
    if (to == NULL) return fm_error_memory(error);
    framemap_status status = inflate_raw(stored, to, size, out->heap, error);
    if (status == FRAMEMAP_OK && !fm_buf_add(out, to, size)) status = fm_error_memory(error);
    fm_heap_free(out->heap, to, (size_t)size + 1);
    return status;
}

framemap_status fm_r8_zip_read(const struct fm_r8_zip *zip, const struct fm_r8_zip_file *file, struct fm_buf *out,
                               framemap_error *error)
{
    framemap_str stored = stored_bytes(zip, file);
    if (stored.data == NULL) return fm_error_set(error, FRAMEMAP_E_CORRUPT, "the directory of the archive is damaged");
    if (file->method == DEFLATED)
        return append_inflated(stored, file->size, fm_limit_inflated(zip->bytes.size), out, error);
    if (file->method != STORED)
        return fm_error_set(error, FRAMEMAP_E_UNSUPPORTED,
                            "a file of the archive uses an unsupported compression method");
    return fm_buf_str(out, stored) ? FRAMEMAP_OK : fm_error_memory(error);
}
