/* State of the native restorer during one call. Shared by native_symbols.c, which looks up images and positions, and
 * native_recall.c, which remembers results of earlier calls. */
#ifndef FM_SESSION_RESTORE_NATIVE_STATE_H
#define FM_SESSION_RESTORE_NATIVE_STATE_H

#include "session/restore/recall.h"
#include "session/restore/restorer.h"

/* An image that frames of this call need, looked up once. */
struct fm_native_image {
    framemap_str name, id, arch;
    uint64_t file_offset; /* offset in the archive `name`; 0: `name` is not an archive */
    struct fm_held_index held;
    const char *reason; /* why there is no index; lives as long as the traces */
    framemap_match matched_by;
    /* The symbols are those of a running kernel, with their addresses in memory. */
    bool lists_addresses;
    bool loaded_as_linked;        /* an ELF program that is not position-independent; others are linked to start at 0 */
    struct fm_recalled_file file; /* the image's index file, while its answers are recalled or remembered */
    uint64_t frames;              /* frames without symbols because of this image */
    /* The image's index does not fit below the session's memory ceiling while the others are held: the image's
     * frames are left RAW for a later pass. */
    bool later;
    unsigned pass; /* the last pass in which the image was tried */
};

/* Whether positions of the image can be resolved: its index is held, or answers of its closed file are known. */
static inline bool fm_native_image_has_symbols(const struct fm_native_image *image)
{
    return image->held.index != NULL || image->held.closed != NULL;
}

/* A position that was resolved. */
struct fm_native_answer {
    size_t image;
    framemap_address_kind kind;
    uint64_t address;
    bool return_address;
    framemap_frame answer;
    uint32_t companion; /* number of the image with more debug info for this position; UINT32_MAX: none */
};

struct fm_native_job {
    struct fm_native_image *images;
    size_t image_count, image_capacity;
    struct fm_table image_table;
    size_t images_held; /* images held at present */
    size_t waiting;     /* images that wait for the next pass */
    unsigned pass;      /* number of the current pass, from 0 */
    /* Positions that were resolved already. In a stack overflow, the same few positions may occur a hundred thousand
     * times. */
    struct fm_native_answer *answers;
    size_t answer_count, answer_capacity;
    struct fm_table answer_table;
};

#endif
