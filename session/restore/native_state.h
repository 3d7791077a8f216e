/* State of the native restorer during one call. Shared by native_symbols.c, which looks up images and positions, and
 * native_recall.c, which caches results for later calls. */
#ifndef FM_SESSION_RESTORE_NATIVE_STATE_H
#define FM_SESSION_RESTORE_NATIVE_STATE_H

#include "session/restore/recall.h"
#include "session/restore/restorer.h"

/* An image that frames of this call need. Each image is looked up once. */
struct fm_native_image {
    framemap_str name, id, arch;
    uint64_t file_offset; /* offset in the archive `name`; 0: `name` is not an archive */
    struct fm_held_index held;
    const char *reason; /* the reason why there is no index; the string lives as long as the traces */
    framemap_match matched_by;
    /* the symbols come from a running kernel, so their addresses are addresses in memory */
    bool lists_addresses;
    /* the image is an ELF program that is not position-independent; all other images are linked to start at 0 */
    bool loaded_as_linked;
    bool has_thumb_bits;          /* bit 0 of an address of code marks Thumb code of 32-bit ARM */
    struct fm_recalled_file file; /* the image's index file, while its answers are read from the cache or added to it */
    uint64_t frames;              /* number of frames that have no symbols because of this image */
    /* The image's index does not fit below the session's memory ceiling while indexes of other images are held. The
     * image's frames remain RAW until a later pass. */
    bool later;
    unsigned pass; /* number of the last pass in which the image was tried */
};

/* Whether positions of the image can be resolved: its index is held, or its file is closed and its answers are in the
 * cache. */
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
    /* number of the image that has more debug info for this position; UINT32_MAX: there is no such image */
    uint32_t companion;
};

struct fm_native_job {
    struct fm_native_image *images;
    size_t image_count, image_capacity;
    struct fm_table image_table;
    size_t images_held; /* number of images whose indexes are held at present */
    size_t waiting;     /* number of images that wait for the next pass */
    unsigned pass;      /* number of the current pass, from 0 */
    /* Positions that were resolved already. In a stack overflow, the same few positions may occur a hundred thousand
     * times. */
    struct fm_native_answer *answers;
    size_t answer_count, answer_capacity;
    struct fm_table answer_table;
};

#endif
