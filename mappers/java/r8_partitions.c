/* Mapper of R8's partitioned mappings. Such a mapping is a zip archive with a piece of the mapping for each renamed
 * class, named after the class, and a file METADATA that gives the map version. The pieces are concatenated and read as
 * one mapping, with a version comment before each piece, which ends the class of the previous one. */
#include "core/archive/archive.h"
#include "core/byte_reader.h"
#include "core/error.h"
#include "core/limits.h"
#include "core/text/buffer.h"
#include "mappers/java/r8_mapper.h"
#include "mappers/java/r8_read.h"

#define METADATA FM_STR("METADATA")
#define WITH_NAMES 0xAAA8u /* marks METADATA of R8 8.1 and later, which names the pieces */

static framemap_status find_metadata(framemap_str bytes, struct fm_archive_member *out, framemap_error *error)
{
    bool found = false;
    framemap_status status = FRAMEMAP_OK;
    if (fm_str_starts(bytes, FM_STR("PK"))) status = fm_archive_find(bytes, METADATA, out, &found, error);
    if (status != FRAMEMAP_OK || found) return status;
    return fm_error_set(error, FRAMEMAP_E_FORMAT, "this is not an R8 zip archive with a METADATA file");
}

static int r8_partitions_probe(framemap_str bytes, framemap_str name)
{
    struct fm_archive_member file;
    (void)name;
    return fm_str_starts(bytes, FM_STR("PK\3\4")) && find_metadata(bytes, &file, NULL) == FRAMEMAP_OK ? 90 : 0;
}

static framemap_status r8_partitions_inspect(framemap_str bytes, framemap_str name, struct fm_heap *heap,
                                             framemap_image_info *images, size_t capacity, size_t *count,
                                             framemap_error *error)
{
    (void)name, (void)heap, (void)error;
    *count = 1;
    if (capacity == 0) return FRAMEMAP_OK;
    *images = (framemap_image_info){
        .kind = "r8", .type = "mapping in pieces", .has_line_table = true, .has_symbols = true, .size = bytes.size};
    return FRAMEMAP_OK;
}

/* Writes the version of the pieces as a mapping comment. */
static framemap_status put_version(framemap_str metadata, struct fm_buf *out, framemap_error *error)
{
    struct fm_byte_reader r = fm_byte_reader_of(metadata, true);
    framemap_str version;
    if (fm_read_u16(&r) == WITH_NAMES) {
        fm_byte_reader_skip(&r, 2); /* the field that states how the pieces are named is skipped */
        version = fm_read_bytes(&r, fm_read_u16(&r));
    } else {
        version = fm_str_from(metadata, 2);
    }
    if (r.bad) return fm_error_set(error, FRAMEMAP_E_CORRUPT, "the METADATA of the partitioned mapping is damaged");
    fm_buf_str(out, FM_STR("# {\"id\":\"com.android.tools.r8.mapping\",\"version\":"));
    fm_buf_json(out, version);
    fm_buf_str(out, FM_STR("}\n"));
    return out->failed ? fm_error_memory(error) : FRAMEMAP_OK;
}

/* Appends a file of the archive. archive_size: limits the size that all files together may inflate to. */
static framemap_status append_file(const struct fm_archive_member *file, uint64_t archive_size, struct fm_buf *out,
                                   framemap_error *error)
{
    const uint64_t most = fm_limit_inflated(archive_size);
    framemap_str text = file->stored;
    framemap_status status = FRAMEMAP_OK;
    const bool is_plain = file->packing == FM_MEMBER_STORED && file->refused == NULL;
    if (!is_plain) status = fm_member_inflate(file, out->heap, out->size < most ? most - out->size : 0, &text, error);
    if (status != FRAMEMAP_OK) return status;
    if (!fm_buf_str(out, text)) status = fm_error_memory(error);
    if (!is_plain && text.size > 0) fm_heap_free(out->heap, (char *)(uintptr_t)text.data, text.size);
    return status;
}

static framemap_status read_version(framemap_str bytes, struct fm_heap *heap, struct fm_buf *version,
                                    framemap_error *error)
{
    struct fm_archive_member file;
    struct fm_buf metadata;
    framemap_status status = find_metadata(bytes, &file, error);
    if (status != FRAMEMAP_OK) return status;
    fm_buf_init(&metadata, heap);
    status = append_file(&file, bytes.size, &metadata, error);
    if (status == FRAMEMAP_OK) status = put_version(fm_buf_view(&metadata), version, error);
    fm_buf_free(&metadata);
    return status;
}

static framemap_status r8_partitions_join(framemap_str bytes, framemap_str version, struct fm_buf *text,
                                          framemap_error *error)
{
    struct fm_archive archive;
    framemap_status status = fm_archive_open(bytes, &archive, error);
    while (status == FRAMEMAP_OK) {
        struct fm_archive_member file;
        bool more;
        status = fm_archive_next(&archive, &file, &more, error);
        if (status != FRAMEMAP_OK || !more) break;
        if (fm_str_equal(file.name, METADATA)) continue;
        fm_buf_str(text, version);
        status = append_file(&file, bytes.size, text, error);
        fm_buf_byte(text, '\n');
    }
    return status == FRAMEMAP_OK && text->failed ? fm_error_memory(error) : status;
}

/* State to report a warning about the version only once, though each piece has a version comment. */
struct seen_partitions {
    const struct fm_mapper_host *host;
    bool has_warned;
};

static void r8_partitions_warn(void *context, const framemap_error *warning)
{
    struct seen_partitions *seen = context;
    const bool again = warning->code == FRAMEMAP_E_VERSION && seen->has_warned;
    seen->has_warned |= warning->code == FRAMEMAP_E_VERSION;
    if (!again) fm_mapper_warn(seen->host, warning);
}

static framemap_status build_text(framemap_str text, framemap_str name, const struct fm_mapper_host *host,
                                  struct fm_builder *builder, framemap_error *error)
{
    struct seen_partitions seen = {.host = host};
    struct fm_mapper_host own = {.heap = host->heap,
                                 .warning = r8_partitions_warn,
                                 .context = &seen,
                                 .threads = host->threads,
                                 .strict = host->strict};
    char id[FM_R8_ID_SIZE];
    framemap_status status = fm_r8_read(text, &own, builder, id, error);
    if (status != FRAMEMAP_OK) return status;
    const struct fm_builder_about about = {
        .kind = FM_STR(FM_R8_NAME), .id = framemap_str_of(id), .name = fm_str_basename(name), .keys = FM_SCOPE_NAMED};
    return fm_builder_about(builder, &about, error);
}

static framemap_status r8_partitions_build(framemap_str bytes, framemap_str name, const struct fm_mapper_host *host,
                                           struct fm_builder *builder, framemap_error *error)
{
    struct fm_buf version, text;
    fm_buf_init(&version, host->heap);
    fm_buf_init(&text, host->heap);
    framemap_status status = read_version(bytes, host->heap, &version, error);
    if (status == FRAMEMAP_OK) status = r8_partitions_join(bytes, fm_buf_view(&version), &text, error);
    if (status == FRAMEMAP_OK) status = build_text(fm_buf_view(&text), name, host, builder, error);
    fm_buf_free(&version);
    fm_buf_free(&text);
    return status;
}

const struct fm_mapper fm_r8_partitions_mapper = {
    .info = {.name = FM_R8_PARTITIONS_NAME,
             .summary = "R8's mapping as a zip archive with one partition for each class"},
    .probe = r8_partitions_probe,
    .accepts_unrecognized = true,
    .inspect = r8_partitions_inspect,
    .build = r8_partitions_build,
};
