/* Metadata comments: reads the JSON after a '#' into a record. Decides which ids each map version supports, and which
 * comments make R8 refuse a mapping. Called by r8_reader.c. */
#ifndef FM_MAPPERS_JAVA_R8_INFO_H
#define FM_MAPPERS_JAVA_R8_INFO_H

#include "core/text/buffer.h"
#include "index/write/class_builder.h"
#include "mappers/java/r8_json.h"
#include "mappers/mapper.h"

/* Versions of a map, in R8's order: each version supports all comment ids of earlier versions. */
enum fm_r8_version {
    FM_R8_VERSION_UNKNOWN = 0, /* newer than this reader, or not a version */
    FM_R8_VERSION_NONE,
    FM_R8_VERSION_1_0,
    FM_R8_VERSION_2_0,
    FM_R8_VERSION_2_1,
    FM_R8_VERSION_2_2,
    FM_R8_VERSION_2_3
};

enum fm_r8_info_kind {
    /* the comment is not JSON, its id is unknown, or the map's version does not support its id */
    FM_R8_INFO_NOTHING = 0,
    FM_R8_INFO_VERSION,
    FM_R8_INFO_SOURCE_FILE,
    FM_R8_INFO_SYNTHESIZED,
    FM_R8_INFO_OUTLINE,
    FM_R8_INFO_REWRITE,
    FM_R8_INFO_CALLSITE,
    FM_R8_INFO_RESIDUAL_METHOD,
    FM_R8_INFO_RESIDUAL_FIELD,
    FM_R8_INFO_PARTITION
};

struct fm_r8_info {
    enum fm_r8_info_kind kind;
    framemap_str text; /* SOURCE_FILE: the file; VERSION: the version as written. Valid until the next read */
    enum fm_r8_version version;
    bool bad;                    /* RESIDUAL_*: the descriptor is not valid */
    uint32_t type, arguments;    /* RESIDUAL_*: numbers of strings in the builder; arguments FM_NONE for a field */
    uint32_t files;              /* PARTITION: the JSON object from class to file */
    const struct fm_note *notes; /* contents of a REWRITE or CALLSITE comment, valid until the next read */
    size_t note_count;
};

/* Cache entry: a residual signature with the text of its comment. A mapping repeats a small number of such comments
 * many times. */
#define FM_R8_RESIDUAL_BYTES 112 /* maximum number of bytes of a comment that is cached */
struct fm_r8_residual {
    char text[FM_R8_RESIDUAL_BYTES];
    /* size of the text (0: the entry is empty), and numbers of strings in the builder */
    uint32_t size, type, arguments;
    enum fm_r8_info_kind kind;
};

/* Reader of comments, which keeps buffers and a cache between calls. */
struct fm_r8_infos {
    struct fm_heap *heap;
    struct fm_builder *builder;
    const struct fm_mapper_host *host; /* receives notes about unknown ids */
    struct fm_r8_json json;
    struct fm_buf first, second;
    struct fm_note *notes;
    size_t note_count, note_capacity;
    struct fm_r8_residual *residuals; /* direct-mapped by hash: a new entry replaces the old one */
    uint64_t key;                     /* hash key (seed) */
};
void fm_r8_infos_init(struct fm_r8_infos *infos, const struct fm_mapper_host *host, struct fm_builder *builder);
void fm_r8_infos_free(struct fm_r8_infos *infos);
/* Empties the cache. Called when the builder was emptied, because the cached numbers of strings are then invalid. */
void fm_r8_infos_reset(struct fm_r8_infos *infos);

/* Reads one comment. json: from the brace to the end of the line. Errors: CORRUPT (R8 refuses a mapping with this
 * comment; `error` has the reason), MEMORY. */
framemap_status fm_r8_info_read(struct fm_r8_infos *infos, framemap_str json, enum fm_r8_version version,
                                uint64_t line1, struct fm_r8_info *out, framemap_error *error);

#endif
