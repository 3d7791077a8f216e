/* Metadata comments: the JSON behind a '#' as what it says. Which versions of the map know which ids, and what R8 gives
 * up on, is known here. */
#ifndef FM_MAPPERS_JAVA_R8_INFO_H
#define FM_MAPPERS_JAVA_R8_INFO_H

#include "core/text/buffer.h"
#include "index/write/class_builder.h"
#include "mappers/java/r8_json.h"
#include "mappers/mapper.h"

/* In R8's order: a version knows what those before it know. */
enum fm_r8_version {
    FM_R8_VERSION_UNKNOWN = 0, /* newer than this reader, or none */
    FM_R8_VERSION_NONE,
    FM_R8_VERSION_1_0,
    FM_R8_VERSION_2_0,
    FM_R8_VERSION_2_1,
    FM_R8_VERSION_2_2,
    FM_R8_VERSION_2_3
};

enum fm_r8_info_kind {
    FM_R8_INFO_NOTHING = 0, /* no JSON, no known id, or one that the version of the map does not know */
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
    framemap_str text; /* SOURCE_FILE: the file; VERSION: as it is written. Until the next read */
    enum fm_r8_version version;
    bool bad;                    /* RESIDUAL_…: no descriptor */
    uint32_t type, arguments;    /* RESIDUAL_…: strings of the builder; arguments FM_NONE for a field */
    uint32_t files;              /* PARTITION: the JSON object of class -> file */
    const struct fm_note *notes; /* REWRITE, CALLSITE. Until the next read */
    size_t note_count;
};

/* A residual signature that was read, with the comment's text: few are told often. */
#define FM_R8_RESIDUAL_BYTES 112 /* of longer ones nothing is kept */
struct fm_r8_residual {
    char text[FM_R8_RESIDUAL_BYTES];
    uint32_t size, type, arguments; /* size 0: nothing yet */
    enum fm_r8_info_kind kind;
};

/* Reads comments one after the other. */
struct fm_r8_infos {
    struct fm_heap *heap;
    struct fm_builder *builder;
    const struct fm_mapper_host *host; /* told of ids that are not known */
    struct fm_r8_json json;
    struct fm_buf first, second;
    struct fm_note *notes;
    size_t note_count, note_capacity;
    struct fm_r8_residual *residuals; /* found by hash, a newer one in the place of an older */
    uint64_t key;                     /* of the hashes */
};
void fm_r8_infos_init(struct fm_r8_infos *infos, const struct fm_mapper_host *host, struct fm_builder *builder);
void fm_r8_infos_free(struct fm_r8_infos *infos);
/* The builder was emptied: its numbers are void. */
void fm_r8_infos_forget(struct fm_r8_infos *infos);

/* json: from the brace to the end of the line. CORRUPT: R8 refuses the mapping for it; error says why. MEMORY. */
framemap_status fm_r8_info_read(struct fm_r8_infos *infos, framemap_str json, enum fm_r8_version version,
                                uint64_t line1, struct fm_r8_info *out, framemap_error *error);

#endif
